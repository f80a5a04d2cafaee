//! Folders that are not as they were written: each kind of damage is an error of its own, and none a panic.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::channel::{TruncatedGeometric, TwoSidedGeometric};
use crate::counts::{Mask, Store};
use crate::release::{Lplp, Mechanism, Promise, Provenance, Released, SkellamNoise};

/// A small folder with every kind of file, the same each time.
fn folder(scratch: &TempDir) -> PathBuf {
    let [one, other] = [1.0, 0.5].map(|epsilon| Lplp::new(4, epsilon).unwrap());
    let laws = Varying::Slice {
        axis: 0,
        laws: vec![one, other, one],
    };
    let values = vec![-3, 0, 1, 2, -1, 4, -2, 0, 1, 0, 5, 0, -1, 7, 2];
    let released = Released::stored(
        vec![3, 5],
        Store::Dense(Arc::new(values)),
        laws.map(|law| law.law().unwrap()),
        Mask::from_indices(&[3, 5], vec![vec![1, 1], vec![2, 4]]).unwrap(),
        (Provenance::ReleasedHere(Promise::from(one)), false),
    );
    released.unwrap().save(scratch.path().join("out"), &laws).unwrap()
}

fn opened(path: &Path) -> Result<(), FileError> {
    let folder = ReleasedFolder::open(path)?;
    folder.verify()?;
    folder.load::<TwoSidedGeometric>().map(|_| ())
}

const FILES: [&str; 3] = ["metadata.json", "values.bin", "mask.bin"];

#[test]
fn every_cut_and_every_flip_is_noticed() {
    let scratch = tempdir().unwrap();
    let out = folder(&scratch);
    opened(&out).unwrap();
    for name in FILES {
        let path = out.join(name);
        let whole = fs::read(&path).unwrap();
        // In place and from the end on: a file that is written anew each time waits for the disk each time.
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        for len in (0..whole.len()).rev() {
            file.set_len(len as u64).unwrap();
            let error = opened(&out).unwrap_err();
            let expected = match name {
                "metadata.json" if len + 1 == whole.len() => "was altered".to_owned(),
                "metadata.json" => " at line ".to_owned(),
                _ => format!("has {len} bytes where {} were written", whole.len()),
            };
            assert!(error.to_string().contains(&expected), "{len}: {error}");
        }
        fs::write(&path, &whole).unwrap();
        let patch = |at: usize, byte: u8| {
            let mut file = &file;
            file.seek(SeekFrom::Start(at as u64)).unwrap();
            file.write_all(&[byte]).unwrap();
        };
        for (at, &byte) in whole.iter().enumerate() {
            for flip in [1u8, 2, 4, 16, 32, 128, 255] {
                patch(at, byte ^ flip);
                match opened(&out) {
                    Err(FileError::Altered { .. }) => {}
                    Err(_) if name == "metadata.json" => {}
                    Err(error) => panic!("{name}, byte {at}: {error}"),
                    Ok(()) => panic!("{name}, byte {at} ^ {flip}: accepted"),
                }
            }
            patch(at, byte);
        }
        let mut longer = whole.clone();
        longer.push(0);
        fs::write(&path, &longer).unwrap();
        assert!(opened(&out).is_err());
        fs::remove_file(&path).unwrap();
        said(opened(&out), &format!(" has no `{name}`"));
        fs::write(&path, &whole).unwrap();
        opened(&out).unwrap();
    }
}

#[test]
fn edited_metadata_are_noticed_even_with_a_new_digest() {
    let scratch = tempdir().unwrap();
    let out = folder(&scratch);
    let path = out.join("metadata.json");
    let text = fs::read_to_string(&path).unwrap();
    let plain = text.replacen("\"shape_from_data\": false", "\"shape_from_data\": true", 1);
    assert_ne!(plain, text);
    fs::write(&path, plain).unwrap();
    assert!(matches!(opened(&out), Err(FileError::Altered { .. })));

    let try_field = |field: &str, value: Value| {
        fs::write(&path, forged(&text, &format!("/contents/{field}"), value.clone())).unwrap();
        match opened(&out) {
            Err(error) => error,
            Ok(()) => panic!("{field} = {value} was accepted"),
        }
    };
    // Numbers that do not go together, a better promise than the noise keeps, and what is written otherwise or with something that the
    // mechanism has not.
    let edits = r#"
        shape = [4, 5] -> contradicts itself
        shape = [] -> contradicts itself
        shape = [3, 0] -> contradicts itself
        shape = [18446744073709551615, 5] -> contradicts itself
        along_mode = 1 -> contradicts itself
        along_mode = 7 -> contradicts itself
        along_mode = null -> contradicts itself
        positives = 18446744073709551615 -> contradicts itself
        provenance/released_here = "none" -> contradicts itself
        provenance/released_here/lplp/epsilon = "1/100" -> contradicts itself
        provenance/released_here/lplp/n = 40 -> contradicts itself
        parameters/0/gamma = "0.5" -> contradicts itself
        parameters = [] -> contradicts itself
        shape = [-3, 5] -> invalid value: integer `-3`, expected usize at line
        shape = "3 x 5" -> invalid type: string "3 x 5"
        parameters = null -> invalid type: null
        parameters/1 = 3 -> the parameters of `TwoSidedGeometric` are 3: invalid type
        provenance = "trust me" -> unknown variant `trust me`
        provenance = {"simulated": {"promise": "none"}} -> missing field `seed`
        provenance/released_here/lplp/epsilon = "0" -> `0` is not a positive finite number
        provenance/released_here/lplp/n = 0 -> a promise has the `n` 0
        provenance/released_here = {"pious": {}} -> unknown variant `pious`
        mask/bytes = "many" -> invalid type: string "many"
        values/bytes = 1 -> bytes where 1 were written
        parameters/0/gamma = "1/4" -> they are written {"gamma":"0.25","n":4}
        parameters/0/gamma = "1/0" -> `1/0` is not a positive
        parameters/0/gamma = "0.5x" -> `0.5x` is not a number
        parameters/0/n = 0 -> N is 0: a promise about rows that do not differ
        parameters/0 = {"n": 4} -> missing field `gamma`
        parameters/0 = {"n": 4, "gamma": "0.25", "m": 4} -> unknown field `m`
        positives = 1 -> values are positive, and the metadata state 1
    "#;
    for line in edits.trim().lines() {
        let (field, rest) = line.trim().split_once(" = ").unwrap();
        let (value, expected) = rest.split_once(" -> ").unwrap();
        let error = try_field(field, serde_json::from_str(value).unwrap()).to_string();
        assert!(error.contains(expected), "{line}: {error}");
    }
    assert!(matches!(
        try_field("values/sha256", "00".into()),
        FileError::Altered { .. }
    ));
    // What nobody knows of is not read over.
    let extra = text.replacen("\"shape\"", "\"colour\": 3,\n  \"shape\"", 1);
    fs::write(&path, forged(&extra, "/contents/along_mode", json!(0))).unwrap();
    said(opened(&out), "unknown field `colour`");
    for (pointer, value, expected) in [
        (
            "/version",
            json!(1),
            "is of version 1, and this program reads version 2",
        ),
        (
            "/format",
            json!("ledger"),
            "holds \"ledger\", not skellam released counts",
        ),
    ] {
        fs::write(&path, forged(&text, pointer, value)).unwrap();
        said(opened(&out), expected);
    }
    // A value of any length is shown in part.
    let error = try_field("shape", "x".repeat(10_000).into()).to_string();
    assert!(error.len() < 500 && error.contains(" at line "), "{error}");
}

#[test]
fn other_mechanisms_and_other_things_are_refused_by_name() {
    let scratch = tempdir().unwrap();
    let out = folder(&scratch);
    let folder = ReleasedFolder::open(&out).unwrap();
    let error = folder.load::<TruncatedGeometric>().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("holds counts released by `TwoSidedGeometric`, and `TruncatedGeometric` is asked for"),
        "{error}"
    );
    assert!(matches!(
        folder.load_with_mask::<TwoSidedGeometric>(&Mask::all(&[4]).unwrap()),
        Err(FileError::Release(_))
    ));
    assert!(matches!(
        ReleasedFolder::open(out.join("values.bin")),
        Err(FileError::Damaged { what, .. }) if what.starts_with(" is not a folder")
    ));
    assert!(matches!(
        ReleasedFolder::open(scratch.path().join("nothing")),
        Err(FileError::Read { .. })
    ));
    said(ReleasedFolder::open(scratch.path()), " has no `metadata.json`");
}

/// Every prefix of what a writer leaves when it is stopped lacks something.
#[test]
fn a_folder_that_was_not_finished_is_none() {
    let scratch = tempdir().unwrap();
    let out = scratch.path().join("out");
    let law = Varying::Uniform(Lplp::new(4, 1).unwrap());
    let mut writer = FolderWriter::create(&out, &[2, 3], &law).unwrap();
    writer.push_slice(&[1, 2, 3]).unwrap();
    let partial = leftovers(&out);
    assert_eq!(partial.len(), 1);
    said(ReleasedFolder::open(&partial[0]), " has no `metadata.json`");
    assert!(ReleasedFolder::open(&out).is_err());
}

/// Streams whose digests are right and whose contents are not: any bytes at all.
#[test]
fn hostile_streams_are_refused_without_panic() {
    use proptest::prelude::*;
    use proptest::test_runner::TestRunner;

    let scratch = tempdir().unwrap();
    let out = folder(&scratch);
    let text = fs::read_to_string(out.join("metadata.json")).unwrap();
    let config = proptest::test_runner::Config::with_cases(60);
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(Default::default()),
    );
    let bytes = prop::collection::vec(prop_oneof![0u8..6, any::<u8>()], 0..60);
    runner
        .run(&(0usize..2, bytes), |(which, integers)| {
            let name = FILES[which + 1];
            let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
            deflate.write_all(&integers).unwrap();
            let bytes = deflate.finish().unwrap();
            let before = fs::read(out.join(name)).unwrap();
            let mut sealed = sealed::Sealed::new(Vec::new());
            sealed.write_all(&bytes).unwrap();
            let seal = sealed.finish().1;
            let field = ["values", "mask"][which];
            let forged = forged(&text, &format!("/contents/{field}/bytes"), seal.bytes.into());
            let forged = self::forged(&forged, &format!("/contents/{field}/sha256"), seal.sha256.into());
            fs::write(out.join("metadata.json"), forged).unwrap();
            fs::write(out.join(name), &bytes).unwrap();
            let folder = ReleasedFolder::open(&out).unwrap();
            // Right by chance now and then; never a panic.
            let _ = folder.verify();
            let _ = folder.load::<TwoSidedGeometric>();
            let _ = folder.whole::<TwoSidedGeometric>();
            fs::write(out.join(name), before).unwrap();
            Ok(())
        })
        .unwrap();
}

/// A shape of many cells and streams of a few bytes: refused by what is missing, before memory is asked for.
#[test]
fn a_vast_shape_takes_no_memory() {
    let scratch = tempdir().unwrap();
    let law = Varying::Uniform(Lplp::new(4, 1).unwrap());
    let out = assert_values(&scratch, "out", &[1, 2], &law, &[1, -1]);
    let path = out.join("metadata.json");
    let text = fs::read_to_string(&path).unwrap();
    let text = forged(&text, "/contents/shape", json!([1u64 << 30, 1u64 << 30]));
    fs::write(&path, text).unwrap();
    let folder = ReleasedFolder::open(&out).unwrap();
    said(folder.load::<TwoSidedGeometric>(), "the values end early");
    said(folder.whole::<TwoSidedGeometric>(), "the values end early");
}

/// The delta of each mechanism is a sum over thousands of terms, and a megabyte of metadata names ten thousand mechanisms: they took minutes to
/// open.
#[test]
fn mechanisms_whose_promise_takes_long_are_neither_read_nor_written() {
    let scratch = tempdir().unwrap();
    let out = scratch.path().join("out");
    let noise = |lambda: u64| SkellamNoise::new(lambda, 1, 1).unwrap();
    // Many slices of few mechanisms: each sum is done once.
    let few = Varying::Slice {
        axis: 0,
        laws: (0..20_000).map(|row| noise(1 + row % 2)).collect(),
    };
    let mut writer = FolderWriter::create_with_seed_for_simulation(&out, &[20_000, 1], &few, 1).unwrap();
    (0..20_000).for_each(|_| writer.push_slice(&[0]).unwrap());
    writer.finish().unwrap();
    ReleasedFolder::open(&out).unwrap();
    let metadata = out.join("metadata.json");
    let text = fs::read_to_string(&metadata).unwrap();
    let many: Vec<_> = (0..20_000)
        .map(|row| json!({"lambda": format!("{}", 980_000 + row), "n": 1, "epsilon": "1"}))
        .collect();
    fs::write(&metadata, forged(&text, "/contents/parameters", json!(many))).unwrap();
    let error = ReleasedFolder::open(&out).unwrap_err();
    assert!(error.to_string().contains("take too long to verify"), "{error}");
    // Before anything is charged.
    let laws = (0..50).map(|row| noise(1_000_000 - row)).collect();
    let many = Varying::Slice { axis: 0, laws };
    let refused = FolderWriter::create(scratch.path().join("many"), &[50, 1], &many).map(|_| ());
    assert!(matches!(refused, Err(FileError::Refused(_))), "{refused:?}");
}
