//! What is written is read, whole and by sums.

use proptest::prelude::*;

use super::*;
use crate::channel::{Observation, TwoSidedGeometric};
use crate::counts::{Counts, LARGEST_RELEASED, Mask, Store};
use crate::release::{LatticeLaplace, Lplp, Promise, Provenance, Released, Sensitive, SkellamNoise, Truncated};

fn budget(n: u64, epsilon: f64) -> Lplp {
    Lplp::new(n, epsilon).unwrap()
}

/// Any law along any axis, from a few budgets.
fn varying(axis: Option<usize>, shape: &[usize]) -> Varying<Lplp> {
    match axis.filter(|axis| *axis < shape.len()) {
        None => Varying::Uniform(budget(4, 1.0)),
        Some(axis) => Varying::Slice {
            axis,
            laws: (0..shape[axis]).map(|i| budget(4, [1.0, 0.5, 3.0][i % 3])).collect(),
        },
    }
}

/// The sums that inference would take over the values themselves.
fn compare<C: Channel + PartialEq + std::fmt::Debug>(whole: &Released<C>, loaded: &Released<C>) {
    let Store::Sparse(stored, unstored) = loaded.store() else {
        panic!("loaded whole")
    };
    let mask = whole.mask();
    let expected: Vec<(u64, C::Value)> = whole
        .store()
        .iter()
        .filter(|&(cell, value)| value.number() > 0.0 || mask.is_held_out(cell))
        .map(|(cell, value)| (cell as u64, value))
        .collect();
    assert!(stored.iter().map(|(cell, value)| (cell as u64, value)).eq(expected));
    let (mut sum, mut squares, mut constant) = (0.0, 0.0, 0.0);
    for (cell, value) in whole.store().iter() {
        if value.number() <= 0.0 && !mask.is_held_out(cell) {
            let law = whole.law().at(cell, whole.shape());
            let estimate = law.estimate(value);
            (sum, squares) = (sum + estimate, squares + estimate * estimate);
            constant += law.log_linear(value).unwrap().constant - law.log_linear(Default::default()).unwrap().constant;
        }
    }
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
    assert!(close(unstored.sum, sum), "{unstored:?} {sum}");
    assert!(close(unstored.squares, squares), "{unstored:?} {squares}");
    assert!(close(unstored.constant, constant), "{unstored:?} {constant}");
    assert_eq!((loaded.law(), loaded.mask()), (whole.law(), whole.mask()));
}

fn values(cells: usize) -> impl Strategy<Value = Vec<i64>> {
    let most = LARGEST_RELEASED;
    let value = prop_oneof![20 => -3i64..5, 3 => -1000i64..1000, 1 => -most..=most];
    prop::collection::vec(value, cells)
}

fn cases() -> impl Strategy<Value = (Vec<usize>, Option<usize>, Vec<i64>, f64)> {
    (
        prop::collection::vec(1usize..6, 1..4),
        prop::option::of(0usize..3),
        0.0f64..1.0,
    )
        .prop_flat_map(|(shape, axis, held)| {
            let cells = shape.iter().product();
            (Just(shape), Just(axis), values(cells), Just(held))
        })
}

proptest! {
    // Each case waits for the disk a few times.
    #![proptest_config(ProptestConfig::with_cases(50))]
    #[test]
    fn values_come_back((shape, axis, values, held) in cases()) {
        let scratch = tempdir().unwrap();
        let mechanism = varying(axis, &shape);
        let name = format!("out-{:?}", std::thread::current().id());
        let _ = std::fs::remove_dir_all(scratch.path().join(&name));
        let out = assert_values(&scratch, &name, &shape, &mechanism, &values);
        let folder = ReleasedFolder::open(&out).unwrap();
        folder.verify().unwrap();
        prop_assert_eq!(folder.shape(), shape.as_slice());
        prop_assert_eq!(folder.provenance(), &Provenance::Asserted);
        let whole = folder.whole::<TwoSidedGeometric>().unwrap();
        prop_assert_eq!(whole.values().unwrap(), values.as_slice());
        compare(&whole, &folder.load().unwrap());
        let mask = Mask::random(&shape, held, 1).unwrap();
        compare(&whole.hold_out(&mask).unwrap(), &folder.load_with_mask(&mask).unwrap());
        std::fs::remove_dir_all(out).unwrap();
    }
}

fn counts() -> Sensitive<Counts> {
    let values = (0..600).map(|i| if i % 7 == 0 { i % 11 } else { 0 }).collect();
    Sensitive::new(Counts::dense(vec![20, 30], values).unwrap())
}

/// A release that is saved is the release, whole and, where these are enough, by sums. Returns what the folder promises.
fn saved<M: Recorded>(released: &Released<M::Law>, mechanism: M, by_sums: bool) -> Promise
where
    M::Law: RecordedLaw + PartialEq + std::fmt::Debug,
{
    let scratch = tempdir().unwrap();
    let out = scratch.path().join("out");
    released.save(&out, &mechanism.into()).unwrap();
    let folder = ReleasedFolder::open(out).unwrap();
    assert_eq!(folder.promise(), released.promise());
    assert_eq!(folder.whole::<M::Law>().unwrap(), *released);
    let loaded = folder.load().unwrap();
    match by_sums {
        true => compare(released, &loaded),
        false => assert_eq!(loaded, *released),
    }
    folder.promise()
}

#[test]
fn every_mechanism_is_saved_and_loaded() {
    let geometric = budget(4, 1.0);
    let promise = saved(&counts().release(&geometric).unwrap(), geometric, true);
    assert_eq!(promise, Promise::from(geometric));
    let truncated = Truncated(budget(2, 1.0));
    saved(&counts().release(&truncated).unwrap(), truncated, true);
    let lattice = LatticeLaplace::new(budget(2, 1.0), 5).unwrap();
    let simulated = counts().release_with_seed_for_simulation(&lattice, 3).unwrap();
    assert_eq!(saved(&simulated, lattice, true), Promise::None);
    // Every value is needed, so all are loaded.
    let skellam = SkellamNoise::promising(2, 1, 1e-6).unwrap();
    saved(&counts().release(&skellam).unwrap(), skellam, false);
}

#[test]
fn a_mask_goes_along() {
    let scratch = tempdir().unwrap();
    let mask = Mask::random(&[20, 30], 0.2, 5).unwrap();
    let law = Varying::Uniform(budget(1, 1.0));
    let released = counts().release(&budget(1, 1.0)).unwrap().hold_out(&mask).unwrap();
    released.save(scratch.path().join("out"), &law).unwrap();
    let folder = ReleasedFolder::open(scratch.path().join("out")).unwrap();
    assert_eq!(folder.mask().unwrap(), mask);
    assert_eq!(folder.whole::<TwoSidedGeometric>().unwrap(), released);
    compare(&released, &folder.load().unwrap());
    let second = folder.load_with_mask::<TwoSidedGeometric>(&mask).unwrap_err();
    assert!(second.to_string().contains("held out already"), "{second}");
    let all = Mask::all(&[20, 30]).unwrap();
    let released = counts().release(&budget(1, 1.0)).unwrap().hold_out(&all).unwrap();
    released.save(scratch.path().join("all"), &law).unwrap();
    let folder = ReleasedFolder::open(scratch.path().join("all")).unwrap();
    compare(&released, &folder.load().unwrap());
}

/// A folder has held-out cells, and no missing ones: these would come back as held out, to be scored by noise.
#[test]
fn a_mask_with_missing_cells_is_given_again_when_a_folder_is_loaded() {
    let scratch = tempdir().unwrap();
    let law = Varying::Uniform(budget(1, 1.0));
    let observed = Mask::observed(&[20, 30], vec![vec![0, 0], vec![19, 29], vec![7, 7]]).unwrap();
    let whole = counts().release(&budget(1, 1.0)).unwrap();
    let masked = whole.clone().hold_out(&observed).unwrap();
    let refused = masked.save(scratch.path().join("masked"), &law).unwrap_err();
    assert!(refused.to_string().starts_with("597 cells are missing"), "{refused}");
    assert!(!scratch.path().join("masked").exists());
    whole.save(scratch.path().join("out"), &law).unwrap();
    let folder = ReleasedFolder::open(scratch.path().join("out")).unwrap();
    let loaded = folder.load_with_mask::<TwoSidedGeometric>(&observed).unwrap();
    assert_eq!(loaded.mask().missing(), Some(597));
    compare(&masked, &loaded);
}
