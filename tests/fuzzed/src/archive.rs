//! Archives of saved fits and checkpoints as a forger writes them: sums and digests are right, whatever they hold.

use super::reseal::sha256;

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
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            crc >> 1 ^ 0xEDB8_8320 & (crc & 1).wrapping_neg()
        })
    })
}
