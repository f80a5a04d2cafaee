//! What the writer refuses, and what it leaves.

use super::*;
use crate::channel::TwoSidedGeometric;
use crate::counts::{Counts, ReadOptions, Rows, read_counts_from};
use crate::release::{
    LatticeLaplace, Lplp, Mechanism, Promise, Provenance, ReleaseError, Sensitive, SkellamNoise, Truncated,
};

fn budget() -> Varying<Lplp> {
    Varying::Uniform(Lplp::new(4, 1).unwrap())
}

#[test]
fn a_release_by_slices_is_private_or_says_that_it_is_not() {
    let scratch = tempdir().unwrap();
    let mut writer = FolderWriter::create(scratch.path().join("out"), &[2, 3], &budget())
        .unwrap()
        .shape_from_data(true);
    writer.push_slice(&[0, 5, 0]).unwrap();
    writer.push_slice(&[1, 0, 9]).unwrap();
    let folder = ReleasedFolder::open(writer.finish().unwrap()).unwrap();
    assert_eq!(folder.promise(), Promise::from(Lplp::new(4, 1).unwrap()));
    assert!(folder.shape_from_data());

    let simulate = |name: &str| {
        let out = scratch.path().join(name);
        let mut writer = FolderWriter::create_with_seed_for_simulation(out, &[2, 3], &budget(), 7).unwrap();
        writer.push_slice(&[0, 5, 0]).unwrap();
        writer.push_slice(&[1, 0, 9]).unwrap();
        ReleasedFolder::open(writer.finish().unwrap()).unwrap()
    };
    let simulated = simulate("simulated");
    assert_eq!(simulated.promise(), Promise::None);
    assert!(matches!(simulated.provenance(), Provenance::Simulated { seed: 7, .. }));
    // The same draws as those of a release in memory.
    let counts = Sensitive::new(Counts::dense(vec![2, 3], vec![0, 5, 0, 1, 0, 9]).unwrap());
    let law = Lplp::new(4, 1).unwrap();
    let memory = counts.release_with_seed_for_simulation(&law, 7).unwrap();
    assert_eq!(simulated.whole::<TwoSidedGeometric>().unwrap(), memory);
    assert_eq!(names(scratch.path()), ["out", "simulated"]);
}

#[test]
fn what_cannot_be_written_leaves_nothing() {
    let scratch = tempdir().unwrap();
    let out = scratch.path().join("out");
    let create = || FolderWriter::create(&out, &[2, 3], &budget()).unwrap();
    let mut short = create();
    said(short.push_slice(&[1, 2]), "slice 0 was given with 2 values, and has 3");
    assert!(short.push_slice(&[1, 2, 3]).is_err() && short.finish().is_err());
    let mut negative = create();
    negative.push_slice(&[1, 2, 3]).unwrap();
    let error = negative.push_slice(&[1, -2, 3]).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("row-major position 4 is not a count") && !message.contains("-2"),
        "{message}"
    );
    drop(negative);
    let mut few = create();
    few.push_slice(&[1, 2, 3]).unwrap();
    said(few.finish(), "1 slices were given of 2");
    let mut many = create();
    (0..2).for_each(|_| many.push_slice(&[1, 2, 3]).unwrap());
    said(many.push_slice(&[1, 2, 3]), "3 slices were given of 2");
    assert!(many.finish().is_err());
    assert!(names(scratch.path()).is_empty());
}

#[test]
fn a_name_that_is_taken_stays() {
    let scratch = tempdir().unwrap();
    let out = scratch.path().join("out");
    let mut first = FolderWriter::create(&out, &[1, 1], &budget()).unwrap();
    let mut second = FolderWriter::create(&out, &[1, 1], &budget()).unwrap();
    assert_eq!(leftovers(&out).len(), 2);
    first.push_slice(&[0]).unwrap();
    second.push_slice(&[0]).unwrap();
    first.finish().unwrap();
    let before = std::fs::read(out.join("metadata.json")).unwrap();
    assert!(matches!(second.finish(), Err(FileError::Exists { .. })));
    assert!(matches!(
        FolderWriter::create(&out, &[1, 1], &budget()),
        Err(FileError::Exists { .. })
    ));
    assert_eq!(std::fs::read(out.join("metadata.json")).unwrap(), before);
    assert_eq!(names(scratch.path()), ["out"]);
    assert!(leftovers(&out).is_empty());
    let nameless = FolderWriter::create(scratch.path().join("no/.."), &[1, 1], &budget());
    said(nameless, "the path does not end in a name");
    let nowhere = FolderWriter::create(scratch.path().join("no/out"), &[1, 1], &budget());
    assert!(matches!(nowhere, Err(FileError::Write { .. })));
}

#[test]
fn laws_that_do_not_fit_are_refused() {
    let scratch = tempdir().unwrap();
    let out = scratch.path().join("out");
    let law = Lplp::new(4, 1).unwrap();
    let create = |law| FolderWriter::create(&out, &[2, 3], &law).map(|_| ());
    said(
        create(Varying::Cell(vec![law; 6])),
        "the mechanism differs from cell to cell",
    );
    let slices = |axis, len| Varying::Slice {
        axis,
        laws: vec![law; len],
    };
    said(create(slices(0, 3)), "3 laws were given along mode 0, which has size 2");
    said(create(slices(2, 3)), "the law varies along mode 2");

    let counts = Sensitive::new(Counts::dense(vec![2, 3], vec![1; 6]).unwrap());
    let released = counts.release(&law).unwrap();
    let other = Lplp::new(2, 1).unwrap();
    said(
        released.save(&out, &other.into()),
        "were not released by the `TwoSidedGeometric`",
    );
    // The same noise with a promise that was not made.
    let scaled = Lplp::new(8, 2).unwrap();
    assert_eq!(scaled.gamma(), law.gamma());
    said(
        released.save(&out, &scaled.into()),
        "were not released by the `TwoSidedGeometric`",
    );
    let open = counts.release_without_privacy(&law).unwrap();
    assert!(matches!(open.save(&out, &law.into()), Err(FileError::NoPromise { .. })));
    let mut asserted = ValueWriter::create(&out, &[1, 2], &Varying::Uniform(Truncated(law))).unwrap();
    assert!(matches!(
        asserted.push_slice(&[0, -1]),
        Err(FileError::Release(ReleaseError::Impossible { position: 1, .. }))
    ));
    drop(asserted);
    assert!(names(scratch.path()).is_empty());
}

/// A shape that was read off true counts is told by the release, however the release came about.
#[test]
fn where_the_shape_is_from_is_kept() {
    let scratch = tempdir().unwrap();
    let law = Lplp::new(4, 1).unwrap();
    let saved = |name: &str, shape: Option<Vec<usize>>| {
        let options = ReadOptions {
            shape,
            rows: Some(Rows::Cells),
            ..ReadOptions::default()
        };
        let counts = Sensitive::new(read_counts_from("0,0,3\n1,2,1\n".as_bytes(), &options).unwrap());
        let released = counts.release(&law).unwrap();
        ReleasedFolder::open(released.save(scratch.path().join(name), &law.into()).unwrap()).unwrap()
    };
    let (read_off, stated) = (saved("read_off", None), saved("stated", Some(vec![2, 3])));
    assert!(read_off.shape_from_data() && !stated.shape_from_data());
    assert!(read_off.load::<TwoSidedGeometric>().unwrap().shape_from_data());
}

#[test]
fn a_large_delta_is_written_when_it_was_asked_for() {
    let scratch = tempdir().unwrap();
    let out = scratch.path().join("out");
    let create = |noise: SkellamNoise| FolderWriter::create(&out, &[1, 1], &Varying::Uniform(noise));
    let none = SkellamNoise::new("0.01", 400, 1).unwrap();
    let refused = create(none.accepting_delta(0.9).unwrap()).map(|_| ());
    assert!(matches!(refused, Err(FileError::NoPromise { mechanism: "Skellam" })));
    let large = SkellamNoise::promising(1, 1, 0.01).unwrap();
    let refused = create(large).map(|_| ());
    assert!(matches!(
        refused,
        Err(FileError::Release(ReleaseError::LargeDelta { .. }))
    ));
    assert!(names(scratch.path()).is_empty());
    let mut writer = create(large.accepting_delta(0.01).unwrap()).unwrap();
    writer.push_slice(&[3]).unwrap();
    let folder = ReleasedFolder::open(writer.finish().unwrap()).unwrap();
    assert_eq!(folder.promise(), large.promise());
    // A simulation may have any noise, and says what that would promise.
    let out = scratch.path().join("simulated");
    let mut writer = FolderWriter::create_with_seed_for_simulation(out, &[1, 1], &none.into(), 7).unwrap();
    writer.push_slice(&[3]).unwrap();
    let folder = ReleasedFolder::open(writer.finish().unwrap()).unwrap();
    let nothing = Promise::None;
    assert_eq!(
        folder.provenance(),
        &Provenance::Simulated {
            promise: nothing,
            seed: 7
        }
    );
}

/// Against sums over the laws: `P(tau)` proportional to `exp(-gamma |tau|)` on whole numbers, or on multiples of 1/4.
#[test]
fn the_standard_deviation_of_the_noise_is_in_the_folder() {
    let scratch = tempdir().unwrap();
    let sd = |gamma: f64, unit: f64| {
        let weight = |z: i32| (-gamma * unit * f64::from(z.abs())).exp();
        let (all, squares) = (-4000..=4000).fold((0.0, 0.0), |(all, squares), z| {
            (all + weight(z), squares + weight(z) * (f64::from(z) * unit).powi(2))
        });
        (squares / all).sqrt()
    };
    fn stated<M: Recorded>(scratch: &TempDir, name: &str, law: Varying<M>) -> [f64; 2] {
        let mut writer = FolderWriter::create(scratch.path().join(name), &[2, 1], &law).unwrap();
        writer.push_slice(&[0]).unwrap();
        writer.push_slice(&[5]).unwrap();
        ReleasedFolder::open(writer.finish().unwrap())
            .unwrap()
            .noise_sd()
            .unwrap()
    }
    let near = |[a, b]: [f64; 2], [c, d]: [f64; 2]| (a - c).abs() < 1e-9 && (b - d).abs() < 1e-9;
    let lplp = |epsilon: (u64, u64)| Lplp::new(4, epsilon).unwrap();
    let one = sd(0.25, 1.0);
    assert!(near(stated(&scratch, "one", lplp((1, 1)).into()), [one, one]));
    let truncated = Truncated(lplp((1, 1)));
    assert!(near(stated(&scratch, "truncated", truncated.into()), [one, one]));
    let lattice = LatticeLaplace::new(lplp((1, 1)), 2).unwrap();
    let fine = sd(0.25, 0.25);
    assert!(near(stated(&scratch, "lattice", lattice.into()), [fine, fine]));
    let skellam = SkellamNoise::promising(1, 1, 1e-6).unwrap();
    let noise = (2.0 * skellam.lambda().to_f64()).sqrt();
    assert!(near(stated(&scratch, "skellam", skellam.into()), [noise, noise]));
    let laws = vec![lplp((1, 2)), lplp((1, 1))];
    let varying = Varying::Slice { axis: 0, laws };
    assert!(near(stated(&scratch, "varying", varying), [one, sd(0.125, 1.0)]));
    // What is stated is what the mechanism has.
    let path = scratch.path().join("one/metadata.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(
        &path,
        forged(&text, "/contents/noise_sd", serde_json::json!([1.0, 1.0])),
    )
    .unwrap();
    said(
        ReleasedFolder::open(scratch.path().join("one")),
        "it states noise of standard deviation 1 to 1",
    );
}

#[test]
fn names_are_public_on_request() {
    let scratch = tempdir().unwrap();
    let create = |name: &str| FolderWriter::create(scratch.path().join(name), &[2, 1], &budget()).unwrap();
    let finished = |mut writer: FolderWriter<Lplp>| {
        writer.push_slice(&[0]).unwrap();
        writer.push_slice(&[5]).unwrap();
        ReleasedFolder::open(writer.finish().unwrap()).unwrap()
    };
    let plain = finished(create("plain"));
    assert_eq!((plain.labels(0), plain.labels(1)), (None, None));
    let named = finished(create("named").labels(0, &["anna", "ben"]).unwrap());
    assert_eq!(named.labels(0).unwrap(), ["anna", "ben"]);
    assert_eq!((named.labels(1), named.labels(2)), (None, None));
    said(
        create("few").labels(0, &["anna"]).map(drop),
        "1 names were given for mode 0 of shape [2, 1]",
    );
    let path = scratch.path().join("named/metadata.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, forged(&text, "/contents/labels/0", serde_json::json!(["anna"]))).unwrap();
    said(
        ReleasedFolder::open(scratch.path().join("named")),
        "mode 0 of shape [2, 1] has 1 names",
    );
}
