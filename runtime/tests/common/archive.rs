//! Archives of saved fits and checkpoints as a forger writes them: sums and digests are right, whatever they hold.

use super::reseal::sha256;

/// A NumPy array, whose header says what it likes.
pub fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    let fill = 63 - (10 + header.len()) % 64;
    header.push_str(&" ".repeat(fill));
    header.push('\n');
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
}

/// Doubles as a NumPy array.
pub fn doubles(shape: &str, values: &[f64]) -> Vec<u8> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    npy("<f8", shape, &bytes)
}

/// A description of some kind of file, as an array of bytes.
pub fn meta(text: &str) -> Vec<u8> {
    npy("|u1", &format!("{},", text.len()), text.as_bytes())
}

/// A sealed archive with these parts; one without bytes shares those of the part before.
pub fn archive(parts: &[(String, Option<Vec<u8>>)]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    let (mut start, mut sums) = (0u32, [[0u8; 4]; 2]);
    for (name, bytes) in parts {
        let length = (name.len() as u16).to_le_bytes();
        if let Some(bytes) = bytes {
            (start, sums) = (
                out.len() as u32,
                [crc32(bytes), bytes.len() as u32].map(u32::to_le_bytes),
            );
        }
        let [crc, size] = sums;
        let common = [
            &[20, 0, 0, 0, 0, 0, 0, 0, 33, 0][..],
            &crc,
            &size,
            &size,
            &length,
            &[0, 0],
        ]
        .concat();
        if let Some(bytes) = bytes {
            out.extend([b"PK\x03\x04", &common[..], name.as_bytes(), bytes].concat());
        }
        let rest = [&[0; 10][..], &start.to_le_bytes(), name.as_bytes()].concat();
        directory.extend([b"PK\x01\x02\x14\x00", &common[..], &rest].concat());
    }
    let count = (parts.len() as u16).to_le_bytes();
    let sizes = [directory.len() as u32, out.len() as u32]
        .map(u32::to_le_bytes)
        .concat();
    let end = [
        b"PK\x05\x06\0\0\0\0",
        &count[..],
        &count,
        &sizes,
        &71u16.to_le_bytes(),
        b"sha256:",
    ]
    .concat();
    let body = [out, directory, end].concat();
    [&body, sha256(&body).as_bytes()].concat()
}

/// An archive with the checksum of every part and the digest at the end put right; what is no archive has a digest put at its end.
pub fn resealed(bytes: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    let Some(body) = bytes.len().checked_sub(64).filter(|body| *body >= 29) else {
        return out;
    };
    let number = |of: &[u8], at: usize, width: usize| -> Option<usize> {
        let bytes = of.get(at..at.checked_add(width)?)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |number, byte| number << 8 | usize::from(*byte)),
        )
    };
    let mut at = number(&out, body - 13, 4).unwrap_or(usize::MAX);
    while out.get(at..at.saturating_add(4)) == Some(b"PK\x01\x02") {
        let field = |shift: usize, width: usize| number(&out, at + shift, width).unwrap_or(0);
        let (size, local) = (field(20, 4), field(42, 4));
        let next = at + 46 + field(28, 2) + field(30, 2) + field(32, 2);
        let name = |shift: usize| number(&out, local.saturating_add(shift), 2).unwrap_or(0);
        let start = local.saturating_add(30 + name(26) + name(28));
        if let Some(data) = out.get(start..start.saturating_add(size)) {
            let crc = crc32(data).to_le_bytes();
            for place in [at + 16, local + 14] {
                if let Some(into) = out.get_mut(place..place + 4) {
                    into.copy_from_slice(&crc);
                }
            }
        }
        at = next;
    }
    out[body - 7..body].copy_from_slice(b"sha256:");
    let digest = sha256(&out[..body]);
    out[body..].copy_from_slice(digest.as_bytes());
    out
}

/// The checksum of zip archives (ISO 3309).
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            crc >> 1 ^ 0xEDB8_8320 & (crc & 1).wrapping_neg()
        })
    })
}
