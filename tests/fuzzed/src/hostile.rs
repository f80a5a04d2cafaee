//! Saved fits and checkpoints that somebody forged: their sums and digests are right, and what they say is not.

use std::process::Command;

use skellam::infer::Saved;
use tempfile::tempdir;

use super::archive::crc32;
use super::fits::{go_on, read_checkpoint};
use super::reseal::sha256;

/// A NumPy array, whose header says what it likes.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    let fill = 63 - (10 + header.len()) % 64;
    header.push_str(&" ".repeat(fill));
    header.push('\n');
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
}

/// Doubles as a NumPy array.
fn doubles(shape: &str, values: &[f64]) -> Vec<u8> {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    npy("<f8", shape, &bytes)
}

/// A description of some kind of file, as an array of bytes.
fn meta(text: &str) -> Vec<u8> {
    npy("|u1", &format!("{},", text.len()), text.as_bytes())
}

/// A sealed archive with these parts; one without bytes shares those of the part before.
fn archive(parts: &[(String, Option<Vec<u8>>)]) -> Vec<u8> {
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

/// Archives that ended the process: nothing in them is more than a few megabytes.
fn hostile(kind: &str, of: &str) -> Vec<u8> {
    let description = format!(
        r#"{{"kind": "{of}", "format": 1, "identity": [], "slots": 1,
        "latents": [{{"name": "theta", "kept": "draws"}}], "num_chains": 1}}"#
    );
    let part = |name: &str, bytes: Vec<u8>| (name.to_owned(), Some(bytes));
    let mut parts = vec![part("meta.npy", meta(&description))];
    match kind {
        "width" => parts.push(part("0/x.npy", npy("<U1000000000000", "0,", b""))),
        "wrap" => parts.push(part("0/x.npy", npy("<U2500000000000000000", "0,", b""))),
        "product" => parts.push(part("0/x.npy", doubles("0, 1099511627776, 1099511627776", &[]))),
        "shape" => parts.push(part("posterior/theta.npy", doubles("1, 0, 1099511627776", &[]))),
        "overlap" => {
            parts.push(part("0/x.npy", doubles("250000,", &vec![0.0; 250_000])));
            parts.extend((0..20_000).map(|at| (format!("0/x{at}.npy"), None)));
        }
        "deep" => {
            parts[0] = part(
                "meta.npy",
                meta(&["[".repeat(1_000_000), "]".repeat(1_000_000)].concat()),
            )
        }
        "many" => {
            let objects = r#"{"":0},"#.repeat(3_000_000);
            parts[0] = part(
                "meta.npy",
                meta(&format!(r#"{{"kind": "{of}", "format": 1, "x": [{objects}0]}}"#)),
            );
        }
        other => panic!("{other}"),
    }
    archive(&parts)
}

const KINDS: [(&str, &str); 7] = [
    (
        "width",
        "`0/x` has type <U1000000000000 and shape [0], which is not written here",
    ),
    (
        "wrap",
        "`0/x` has type <U2500000000000000000 and shape [0], which is not written here",
    ),
    (
        "product",
        "`0/x` has type <f8 and shape [0, 1099511627776, 1099511627776], which is not written here",
    ),
    ("shape", "`posterior/theta` does not hold a draw of every chain"),
    ("overlap", "more than the entries before it have left of the file"),
    ("deep", "`meta` is not JSON: recursion limit exceeded"),
    ("many", "`meta` is too large: the description would take"),
];

/// What a hostile fit, or a hostile checkpoint, is refused with.
fn refused(kind: &str, of: &str, path: &std::path::Path) -> Option<String> {
    std::fs::write(path, hostile(kind, of)).unwrap();
    if of == "a fit" {
        let mean = Saved::load(path).and_then(|fit| fit.mean("theta"));
        return mean.err().map(|error| error.to_string());
    }
    go_on(path).err()
}

/// Each is refused by name, where there is room for all of it and where there is little: a child of this test has two gigabytes of address
/// space.
#[test]
fn hostile_archives_are_errors_and_take_no_memory() {
    let scratch = tempdir().unwrap();
    let here = std::env::var("SKELLAM_TEST_HOSTILE").is_ok();
    for (kind, said) in KINDS {
        for of in ["a fit", "a checkpoint"] {
            // Two gigabytes are nothing where memory is plenty.
            if !here && kind == "many" || of == "a checkpoint" && kind == "shape" {
                continue;
            }
            let error =
                refused(kind, of, &scratch.path().join("hostile")).unwrap_or_else(|| panic!("{kind}: accepted"));
            assert!(error.contains(said), "{kind}, {of}: {error}");
        }
    }
    if cfg!(target_os = "linux") && !here {
        let child = Command::new("sh")
            .args([
                "-c",
                "ulimit -v 2000000 && exec \"$0\" --exact hostile::hostile_archives_are_errors_and_take_no_memory",
            ])
            .arg(std::env::current_exe().unwrap())
            .env("SKELLAM_TEST_HOSTILE", "1")
            .env("RAYON_NUM_THREADS", "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
        assert!(child.status.success(), "{said}");
    }
}

#[test]
fn a_checkpoint_whose_numbers_make_no_sense_is_refused() {
    let scratch = tempdir().unwrap();
    let path = scratch.path().join("run.ckpt");
    assert!(read_checkpoint(&path, b"0/chain/sweep 8"));
    for text in [
        "0/chain/sweep -1",
        "0/chain/sweep 0.5",
        "0/chain/sweep nan",
        "0/chain/sweep 1e300",
        "0/chain/sweep 9007199254740991",
        "0/chain/sweep 7",
        "0/chain/sweep 9",
        "1/tuning 1e300 0 0",
        "1/tuning -1 0 0",
        "1/tuning 9 0 0",
        "1/tuning 0 0.5 0",
        "0/chain/theta nan",
        "0/chain/theta -1",
        "0/chain/phi inf",
    ] {
        assert!(!read_checkpoint(&path, text.as_bytes()), "{text}");
    }
}
