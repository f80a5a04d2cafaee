//! Tests of releases: their law, their provenance, and what is refused.

use super::super::tests::p_value;
use super::super::{Delta, Ledger, LedgerError, Lplp, Presence, Ratio, Sensitive, SkellamNoise, Truncated};
use super::*;
use crate::channel::{AtLeastOne, ContinuousLaplace, Laplace, TruncatedGeometric, TwoSidedGeometric};

fn flat(cells: usize, value: i64) -> Sensitive<Counts> {
    Sensitive::new(Counts::dense(vec![cells / 100, 100], vec![value; cells]).unwrap())
}

fn noise_of(released: &Released<TwoSidedGeometric>, value: i64, keep: impl Fn(usize) -> bool) -> Vec<i128> {
    let cells = released.values().unwrap().iter().enumerate();
    cells
        .filter(|&(at, _)| keep(at))
        .map(|(_, &c)| i128::from(c - value))
        .collect()
}

/// Chi-square at level 1e-4, six times.
#[test]
fn every_way_of_releasing_adds_its_noise() {
    let counts = flat(200_000, 5);
    let budgets = [Lplp::new(1, 1).unwrap(), Lplp::new(2, 1).unwrap()];
    let gammas = [1.0, 0.5];

    let uniform = counts.release_with_seed_for_simulation(&budgets[0], 1).unwrap();
    assert!(p_value(1.0, &noise_of(&uniform, 5, |_| true)) > 1e-4);

    // One budget per column, alternating: a slice of the inner mode.
    let by_column: Vec<Lplp> = (0..100).map(|column| budgets[column % 2]).collect();
    let slices = counts
        .release_by_slice_with_seed_for_simulation(1, &by_column, 2)
        .unwrap();
    // And per row, the outer mode, as one budget per cell.
    let by_cell: Vec<Lplp> = (0..200_000).map(|at| budgets[at / 100 % 2]).collect();
    let cells = counts.release_by_cell_with_seed_for_simulation(&by_cell, 3).unwrap();
    for turn in 0..2 {
        assert!(p_value(gammas[turn], &noise_of(&slices, 5, |at| at % 2 == turn)) > 1e-4);
        assert!(p_value(gammas[turn], &noise_of(&cells, 5, |at| at / 100 % 2 == turn)) > 1e-4);
        // The wrong cells are seen to have the wrong noise.
        assert!(p_value(gammas[turn], &noise_of(&slices, 5, |at| at % 2 != turn)) < 1e-12);
        let alpha = budgets[turn].alpha();
        assert_eq!(slices.law().at(turn, slices.shape()).alpha(), alpha);
        assert_eq!(cells.law().at(100 * turn, cells.shape()).alpha(), alpha);
    }
}

#[test]
fn a_seed_repeats_and_the_system_does_not() {
    let counts = flat(1000, 3);
    let budget = Lplp::new(1, 0.5).unwrap();
    let simulate = |seed| counts.release_with_seed_for_simulation(&budget, seed).unwrap();
    assert_eq!(simulate(1), simulate(1));
    assert_ne!(simulate(1).values(), simulate(2).values());
    // Equal by chance with probability below 2^-1000.
    let release = || counts.release(&budget).unwrap();
    assert_ne!(release().values(), release().values());
}

#[test]
fn only_a_private_release_promises() {
    let counts = flat(200, 0);
    let budgets = [Lplp::new(2, 1).unwrap(), Lplp::new(3, 3).unwrap()];
    assert_eq!(
        counts.release(&budgets[0]).unwrap().promise(),
        Promise::from(budgets[0])
    );
    // The larger epsilon per count, whichever comes first.
    let weakest = Promise::from(Lplp::new(3, 3).unwrap());
    assert_eq!(counts.release_by_slice(0, &budgets).unwrap().promise(), weakest);
    let per_cell: Vec<Lplp> = budgets.iter().rev().cycle().take(200).copied().collect();
    assert_eq!(counts.release_by_cell(&per_cell).unwrap().promise(), weakest);
    let simulated = counts.release_with_seed_for_simulation(&budgets[0], 9).unwrap();
    assert_eq!(simulated.promise(), Promise::None);
    assert_eq!(
        simulated.provenance(),
        &Provenance::Simulated {
            promise: Promise::from(budgets[0]),
            seed: 9
        }
    );
}

#[test]
fn sparse_counts_and_masks_go_through() {
    let mask = Mask::from_indices(&[3, 2], vec![vec![2, 1]]).unwrap();
    let counts = Counts::sparse(vec![3, 2], vec![(vec![1, 0], 1_000_000)])
        .unwrap()
        .hold_out(&mask)
        .unwrap();
    let released = Sensitive::new(counts).release(&Lplp::new(1, 1).unwrap()).unwrap();
    assert_eq!((released.shape(), released.values().unwrap().len()), (&[3, 2][..], 6));
    assert!((released.values().unwrap()[2] - 1_000_000).abs() < 100);
    assert_eq!(released.mask(), &mask);
    assert!(released.hold_out(&mask).is_err());
}

#[test]
fn noise_beyond_doubles_is_refused() {
    // Scale 1e15: beyond 2^53 about once in ten thousand cells.
    let budget = Lplp::new(1_000_000_000_000_000, 1).unwrap();
    let counts = flat(1_000_000, 0);
    let result = counts.release_with_seed_for_simulation(&budget, 1);
    assert!(matches!(result, Err(ReleaseError::TooLarge { .. })));
    // What is known to fail is not paid for: by the number of counts and the noise, whatever the counts.
    let mut ledger = Ledger::new(10_000, Lplp::new(1, 1).unwrap());
    let result = counts.release_on_account(&Varying::Uniform(budget), ledger.all());
    let Err(ReleaseError::TooMuchNoise { beyond, .. }) = result else {
        panic!("{:?}", result.map(|_| ()))
    };
    assert!(
        (beyond / (2e6 * (-9.007_197_107_257_344f64).exp()) - 1.0).abs() < 1e-6,
        "{beyond}"
    );
    let few = flat(100, 0).release(&Lplp::new(1_000_000_000_000_000, 25).unwrap());
    assert!(few.is_ok() && ledger.entries().is_empty());
}

/// The ledger took the larger delta of unlike rows, which does not hold of a difference that is split between them.
#[test]
fn unlike_rows_add_up_unless_their_mechanism_is_ordered() {
    let told = |epsilon: u64, delta: f64| {
        let (n, epsilon) = (2, Ratio::new(epsilon, 1).unwrap());
        let delta = Delta::new(delta).unwrap();
        Mine(Promise::Approximate { n, epsilon, delta })
    };
    let (one, other) = (told(1, 2f64.powi(-20)), told(2, 2f64.powi(-21)));
    let three = told(3, 1.5 * 2f64.powi(-20)).0;
    let rows_of = |n: usize| Sensitive::new(Counts::dense(vec![n, 1], vec![0; n]).unwrap());
    let counts = rows_of(4);
    let rows = [one, other, one, one];
    assert_eq!(counts.release_by_slice(0, &rows).unwrap().promise(), three);
    assert_eq!(counts.release_by_cell(&rows).unwrap().promise(), three);
    assert_eq!(counts.release_by_slice(0, &[one; 4]).unwrap().promise(), one.0);
    // Users 0 and 1 have rows of both kinds, and of one.
    let ledger = || {
        let ledger = Ledger::new(4, Lplp::new(2, 9).unwrap()).with_delta(0.1).unwrap();
        ledger.with_users(vec![0, 0, 1, 1]).unwrap()
    };
    let spent = |mechanism: &[Mine]| {
        let mut ledger = ledger();
        let slices = Varying::Slice {
            axis: 0,
            laws: mechanism.to_vec(),
        };
        counts.release_on_account(&slices, ledger.all()).unwrap();
        (
            ledger.spent().unwrap().to_string(),
            ledger.spent_delta(),
            ledger.entries()[0].promise,
        )
    };
    assert_eq!(spent(&rows), ("3".to_owned(), 1.5 * 2f64.powi(-20), three));
    assert_eq!(
        spent(&[one, one, other, other]),
        ("2".to_owned(), 2f64.powi(-20), three)
    );
    // Three kinds, of which a difference of two counts meets two.
    assert_eq!(spent(&[one, told(4, 2f64.powi(-22)), one, one]).0, "5");
    // Skellam noise is ordered: the larger of each.
    let noise = [
        SkellamNoise::promising(2, 1, 1e-6).unwrap(),
        SkellamNoise::promising(2, 2, 1e-9).unwrap(),
    ];
    let each = noise.map(|noise| noise.promise().delta().unwrap());
    let released = rows_of(2).release_by_slice(0, &noise).unwrap().promise();
    assert_eq!(released.delta(), Some(each[0].max(each[1])));
    let mut ledger = Ledger::new(2, Lplp::new(2, 9).unwrap())
        .with_delta(0.1)
        .unwrap()
        .with_users(vec![0, 0])
        .unwrap();
    let slices = Varying::Slice {
        axis: 0,
        laws: noise.to_vec(),
    };
    rows_of(2).release_on_account(&slices, ledger.all()).unwrap();
    assert_eq!(
        (ledger.spent().unwrap().to_string(), ledger.spent_delta()),
        ("2".to_owned(), each[0].max(each[1]).get())
    );
    // Each is accepted, and both together are not.
    let large = [told(1, 8e-4), told(2, 8e-4)];
    let refused = counts.release_by_slice(0, &[large[0], large[1], large[0], large[0]]);
    assert!(matches!(refused, Err(ReleaseError::LargeDelta { .. })), "{refused:?}");
}

fn cover<T>(message: &str) -> Result<T, ReleaseError> {
    Err(ReleaseError::Cover(message.to_owned()))
}

#[test]
fn budgets_must_cover_the_counts() {
    let counts = flat(200, 0);
    let budget = Lplp::new(1, 1).unwrap();
    for (refused, expected) in [
        (
            counts.release_by_slice(2, &[budget]),
            "the law varies along mode 2, but shape [2, 100] has 2 modes, numbered from 0",
        ),
        (
            counts.release_by_slice(0, &[budget; 3]),
            "3 laws were given along mode 0, which has size 2: give one for each of its 2 slices",
        ),
        (
            counts.release_by_cell::<Lplp>(&[]),
            "0 laws were given for 200 cells: give one per cell, row-major",
        ),
    ] {
        assert_eq!(refused, cover(expected));
    }
    let vast = Sensitive::new(Counts::sparse(vec![1 << 31, 1 << 31], vec![]).unwrap());
    let error = vast.release(&budget).unwrap_err();
    // Eight bytes a cell, asked for before the first draw.
    assert!(
        matches!(&error, ReleaseError::Counts(CountsError::OutOfMemory(e)) if e.bytes == 2f64.powi(65)),
        "{error}"
    );
}

#[test]
fn an_asserted_mechanism_is_checked_for_shape() {
    let law = TwoSidedGeometric::new(0.5).unwrap();
    let assert = |shape: &[usize], values: Vec<i64>, law| Released::assert_mechanism(shape.to_vec(), values, law);
    let good = assert(
        &[2, 2],
        vec![-1, 0, 3, 2],
        Varying::Slice {
            axis: 1,
            laws: vec![law; 2],
        },
    )
    .unwrap();
    assert_eq!(good.values().unwrap(), &[-1, 0, 3, 2]);
    assert_eq!(
        (good.promise(), good.provenance()),
        (Promise::None, &Provenance::Asserted)
    );
    for (shape, values, expected) in [
        (&[][..], vec![], "the shape is empty"),
        (&[2, 0], vec![], "mode 1 of shape [2, 0] has size 0"),
        (&[2, 2], vec![1; 3], "shape [2, 2] has 4 cells, but 3 values were given"),
    ] {
        let error = assert(shape, values, Varying::Uniform(law)).unwrap_err();
        assert!(matches!(error, ReleaseError::Counts(CountsError::Shape(_))));
        assert!(error.to_string().starts_with(expected), "{error}");
    }
    assert_eq!(
        assert(&[2], vec![1; 2], Varying::Cell(vec![law; 3])),
        cover("3 laws were given for 2 cells: give one per cell, row-major")
    );
    assert_eq!(
        assert(&[2], vec![1; 2], Varying::Slice { axis: 0, laws: vec![] }),
        cover("0 laws were given along mode 0, which has size 2: give one for each of its 2 slices")
    );
    assert_eq!(
        assert(&[2], vec![0, i64::MIN], Varying::Uniform(law)),
        Err(ReleaseError::TooLarge { position: 1 })
    );
}

/// A number that the mechanism named never releases says that another one made it.
#[test]
fn an_asserted_mechanism_is_checked_for_values() {
    let truncated = TruncatedGeometric::new(0.5).unwrap();
    let negative = Released::assert_mechanism(vec![2], vec![1, -1], truncated.into())
        .unwrap_err()
        .to_string();
    let sentence = "the value -1 at row-major position 1 is not a possible release of `TruncatedGeometric`: name the mechanism that released it";
    assert!(negative.starts_with(sentence), "{negative}");
    // Two things that -1 may mean.
    assert!(
        negative.contains("`TwoSidedGeometric`") && negative.contains("missing value"),
        "{negative}"
    );
    let lattice = Laplace::new(1.0, 2).unwrap();
    assert!(Released::assert_mechanism(vec![3], vec![0.25, -1.5, 2.0], lattice.into()).is_ok());
    assert!(Released::assert_mechanism(vec![1], vec![0.3], lattice.into()).is_err());
    let continuous = ContinuousLaplace::new(1.0).unwrap();
    assert!(Released::assert_mechanism(vec![1], vec![0.3], continuous.into()).is_ok());
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        assert!(Released::assert_mechanism(vec![1], vec![bad], continuous.into()).is_err());
    }
    assert!(Released::assert_mechanism(vec![2], vec![true, false], AtLeastOne.into()).is_ok());
}

#[test]
fn what_promises_nothing_is_not_released_by_accident() {
    let counts = flat(200, 1);
    assert_eq!(
        counts.release(&Presence).unwrap_err(),
        ReleaseError::NoPromise {
            mechanism: "AtLeastOne"
        }
    );
    let open = counts.release_without_privacy(&Presence).unwrap();
    assert_eq!((open.values().unwrap()[0], open.promise()), (true, Promise::None));
}

#[test]
fn a_release_on_account_is_charged_first_and_refused_whole() {
    let counts = flat(200, 0);
    let budget = |epsilon: f64| Lplp::new(1, epsilon).unwrap();
    let mut ledger = Ledger::new(2, budget(1.0));
    counts.release_on_account(&budget(0.5).into(), ledger.all()).unwrap();
    // The second row alone has a budget of its own.
    let uneven = Varying::Slice {
        axis: 0,
        laws: vec![budget(0.25), budget(0.5)],
    };
    counts.release_on_account(&uneven, ledger.all()).unwrap();
    let error = counts
        .release_on_account(&Truncated(budget(0.25)).into(), ledger.all())
        .unwrap_err();
    assert!(
        matches!(&error, ReleaseError::Ledger(LedgerError::Exhausted { owner, .. }) if owner == "row 1"),
        "{error}"
    );
    let first = Sensitive::new(Counts::dense(vec![1, 2], vec![4, 0]).unwrap());
    first
        .release_on_account(&Truncated(budget(0.25)).into(), ledger.rows(&[0]).unwrap())
        .unwrap();
    assert!(first.release_on_account(&budget(0.1).into(), ledger.all()).is_err());
    assert!(matches!(
        counts.release_on_account(&Presence.into(), ledger.all()),
        Err(ReleaseError::NoPromise { .. })
    ));
    assert_eq!(ledger.entries().len(), 3);
}

/// Noise that hides nothing was released with a promise in words, and nobody had asked for it.
#[test]
fn a_large_delta_needs_a_word() {
    let counts = flat(200, 7);
    let none = SkellamNoise::new("0.01", 400, 1).unwrap();
    let accepting = none.accepting_delta(0.999).unwrap();
    for mechanism in [none, accepting] {
        let refused = counts.release(&mechanism).unwrap_err();
        assert_eq!(refused, ReleaseError::NoPromise { mechanism: "Skellam" });
    }
    let large = SkellamNoise::promising(1, 1, 0.01).unwrap();
    let word = |refused: ReleaseError| {
        let large = matches!(refused, ReleaseError::LargeDelta { mechanism: "Skellam", delta, accepted: 1e-3 } if delta > 0.009);
        assert!(large, "{refused}");
    };
    word(counts.release(&large).unwrap_err());
    word(counts.release_by_slice(0, &[large; 2]).unwrap_err());
    word(counts.release_by_cell(&[large; 200]).unwrap_err());
    // One of many is enough, and nothing is charged for it.
    let small = SkellamNoise::promising(1, 1, 1e-3).unwrap();
    let uneven = Varying::Slice {
        axis: 0,
        laws: vec![small, large],
    };
    let mut ledger = Ledger::new(2, Lplp::new(1, 5).unwrap()).with_delta(0.5).unwrap();
    word(counts.release_on_account(&uneven, ledger.all()).unwrap_err());
    assert!(ledger.entries().is_empty());
    counts.release_on_account(&small.into(), ledger.all()).unwrap();
    // The word names the most that is accepted.
    let little = large.accepting_delta(5e-3).unwrap();
    assert!(matches!(
        counts.release(&little),
        Err(ReleaseError::LargeDelta { accepted: 5e-3, .. })
    ));
    let accepted = large.accepting_delta(0.01).unwrap();
    assert_eq!(counts.release(&accepted).unwrap().promise(), large.promise());
    counts.release_on_account(&accepted.into(), ledger.all()).unwrap();
    counts.release_without_privacy(&large).unwrap();
}

/// A custom mechanism, which promises what it is told.
#[derive(Clone, Copy, Debug)]
struct Mine(Promise);

impl Mechanism for Mine {
    type Law = TwoSidedGeometric;

    fn law(&self) -> Result<TwoSidedGeometric, ReleaseError> {
        TwoSidedGeometric::new(0.5).map_err(ReleaseError::Law)
    }

    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, _: &mut R) -> Option<i64> {
        Some(count)
    }

    fn promise(&self) -> Promise {
        self.0
    }
}

/// What says nothing is refused by every way of releasing.
#[test]
fn no_mechanism_gets_around_the_checks() {
    let counts = flat(200, 7);
    let epsilon = Ratio::new(1, 2).unwrap();
    let mut ledger = Ledger::new(2, Lplp::new(1, 5).unwrap()).with_delta(0.9).unwrap();
    let approximate = |n, delta| {
        let delta = Delta::new(delta).unwrap();
        Promise::Approximate { n, epsilon, delta }
    };
    for (nothing, large) in [
        (Promise::None, false),
        (Promise::Lplp { n: 0, epsilon }, false),
        (approximate(0, 1e-6), false),
        (approximate(1, 1e-3f64.next_up()), true),
    ] {
        let mine = Mine(nothing);
        let released = [
            counts.release(&mine),
            counts.release_by_slice(1, &vec![mine; 100]),
            counts.release_by_cell(&vec![mine; 200]),
            counts.release_on_account(&Varying::Uniform(mine), ledger.all()),
        ];
        for refused in released.map(Result::unwrap_err) {
            let expected = match refused {
                ReleaseError::NoPromise { .. } | ReleaseError::Ledger(LedgerError::NoPromise { .. }) => !large,
                ReleaseError::LargeDelta { .. } => large,
                _ => false,
            };
            assert!(expected, "{nothing:?}: {refused}");
        }
    }
    assert!(ledger.entries().is_empty());
    counts.release(&Mine(approximate(1, 1e-3))).unwrap();
}
