//! Saved fits and checkpoints that somebody forged: their sums and digests are right, and what they say is not.

use std::process::Command;

use skellam::infer::Saved;
use tempfile::tempdir;

#[path = "common/archive.rs"]
mod archive;
#[path = "common/fits.rs"]
mod fits;
#[path = "common/forgery.rs"]
mod forgery;
#[path = "common/reseal.rs"]
mod reseal;

use archive::{archive, doubles, meta, npy};
use fits::{go_on, read_checkpoint};

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
                "ulimit -v 2000000 && exec \"$0\" --exact hostile_archives_are_errors_and_take_no_memory",
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
