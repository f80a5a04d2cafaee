//! Files that an earlier version wrote are read: a folder of released counts (version 2) and a ledger (version 3), as they lie in
//! `tests/samples`.
//!
//! `SKELLAM_SAMPLES=folder cargo test -p skellam-release --test formats` writes both there anew.

use std::path::{Path, PathBuf};

use skellam_release::channel::{TwoSidedGeometric, Varying};
use skellam_release::counts::Mask;
use skellam_release::release::{
    Delta, Entry, FolderWriter, Ledger, LedgerFile, Lplp, Promise, Provenance, ReleasedFolder,
};

const SHAPE: [usize; 2] = [3, 4];
const SEED: u64 = 5;

fn budget(epsilon: (u64, u64)) -> Lplp {
    Lplp::new(4, epsilon).unwrap()
}

fn mechanism() -> Varying<Lplp> {
    Varying::Slice {
        axis: 0,
        laws: vec![budget((1, 1)), budget((1, 3)), budget((1, 1))],
    }
}

fn mask() -> Mask {
    Mask::from_indices(&SHAPE, vec![vec![1, 1], vec![2, 3]]).unwrap()
}

fn folder(out: &Path) -> PathBuf {
    let writer = FolderWriter::create_with_seed_for_simulation(out, &SHAPE, &mechanism(), SEED).unwrap();
    let mut writer = writer.shape_from_data(true).hold_out(&mask()).unwrap();
    for slice in [[3, 0, 1, 9], [0, 0, 7, 2], [1, 1, 0, 40]] {
        writer.push_slice(&slice).unwrap();
    }
    writer.finish().unwrap()
}

fn fresh() -> Ledger {
    let ledger = Ledger::new(3, budget((2, 1))).with_delta(1e-5).unwrap();
    let ledger = ledger.with_users(vec![0, 1, 0]).unwrap();
    let ledger = ledger.with_names(&["ann", "bob", "ann"]).unwrap();
    ledger.with_caps(vec![budget((2, 1)), budget((3, 2))]).unwrap()
}

fn approximate() -> Promise {
    Promise::Approximate {
        n: 4,
        epsilon: skellam_release::release::Ratio::new(1, 3).unwrap(),
        delta: Delta::new(1.5e-6).unwrap(),
    }
}

fn charged(path: &Path) -> LedgerFile {
    let mut file = LedgerFile::begin(path, "mail \"at work\"", fresh()).unwrap();
    let each = [(1, 2), (1, 4), (1, 3)].map(|epsilon| Promise::from(budget(epsilon)));
    file.charge(|account| account.charge("TwoSidedGeometric", &each))
        .unwrap();
    file.charge(|account| account.charge("Skellam", &[approximate()]))
        .unwrap();
    file
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples")
}

#[test]
fn samples_of_both_formats_are_read() {
    if let Some(out) = std::env::var_os("SKELLAM_SAMPLES").map(PathBuf::from) {
        folder(&out.join("released"));
        drop(charged(&out.join("ledger.json")));
        return;
    }
    let sample = ReleasedFolder::open(samples().join("released")).unwrap();
    sample.verify().unwrap();
    assert_eq!((sample.shape(), sample.shape_from_data()), (&SHAPE[..], true));
    assert_eq!(sample.mask().unwrap(), mask());
    assert_eq!(
        sample.provenance(),
        &Provenance::Simulated {
            promise: budget((1, 1)).into(),
            seed: SEED
        }
    );
    let scratch = std::env::temp_dir().join(format!("skellam-formats-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).unwrap();
    let now = ReleasedFolder::open(folder(&scratch.join("released"))).unwrap();
    let whole = |folder: &ReleasedFolder| folder.whole::<TwoSidedGeometric>().unwrap();
    assert_eq!(whole(&sample), whole(&now));
    // And the other way round: an earlier version finds what it looks for. Deflated bytes may change, and with them digests.
    let described = |folder: &ReleasedFolder| {
        let mut all = json(&folder.path().join("metadata.json"));
        for (stream, field) in [
            ("values", "bytes"),
            ("values", "sha256"),
            ("mask", "bytes"),
            ("mask", "sha256"),
        ] {
            all["contents"][stream][field].take();
        }
        all["digest"].take();
        // What folders have stated since then.
        all["contents"].as_object_mut().unwrap().remove("noise_sd");
        all
    };
    assert_eq!(described(&sample), described(&now));

    let (data, ledger) = Ledger::read(samples().join("ledger.json")).unwrap();
    let file = charged(&scratch.join("ledger.json"));
    assert_eq!((data.as_str(), &ledger), ("mail \"at work\"", file.ledger()));
    assert_eq!(json(&samples().join("ledger.json")), json(&scratch.join("ledger.json")));
    let entry = Entry {
        mechanism: "Skellam".to_owned(),
        rows: None,
        promise: approximate(),
    };
    assert_eq!(ledger.entries()[1], entry);
    std::fs::remove_dir_all(&scratch).unwrap();
}
