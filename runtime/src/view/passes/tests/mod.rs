//! The passes against plain loops over cells, at tables of several blocks.

mod model;
mod plain;

use rand::RngExt;

use crate::channel::{Channel, Exact, TwoSidedGeometric, Varying};
use crate::contract::{Adjoint, Handing};
use crate::streams::{Stream, Streams};
use crate::view::{Guard, View};

use super::along;
use model::{Case, closed_level, exposure};
use plain::Operands;

type Geometric = TwoSidedGeometric;

fn geometric(alpha: f64) -> Geometric {
    Geometric::new(alpha).unwrap()
}

/// One law for each value of an index.
fn slices(axis: usize, size: usize) -> Varying<Geometric> {
    Varying::Slice {
        axis,
        laws: (0..size)
            .map(|i| geometric(0.2 + 0.6 * i as f64 / size as f64))
            .collect(),
    }
}

/// Positive at so many cells, else zero or below.
fn noisy(density: f64) -> impl FnMut(usize, &mut Stream) -> i64 {
    move |_, rng| match rng.random_bool(density) {
        true => rng.random_range(1..50),
        false => rng.random_range(-2..1),
    }
}

const UNLIKE: Guard = Guard {
    left: 0,
    right: 1,
    less: false,
};
const BELOW: Guard = Guard { less: true, ..UNLIKE };

/// Dense and sparse tables of several blocks, lanes and runs: laws that vary, masks, guards.
fn cases() -> Vec<(Case<Geometric>, View)> {
    let one = Varying::Uniform(geometric(0.5));
    let mut cases = Vec::new();
    for density in [0.4, 0.02] {
        let mut add = |case: Case<Geometric>| {
            let view = case.view(noisy(density));
            cases.push((case, view));
        };
        // Narrow and wide.
        add(Case::new(&[150, 600], &[0], &[1], 7, one.clone()));
        add(Case::new(&[150, 600], &[0], &[1], 20, one.clone()));
        let masked = |case| Case { held_out: 0.01, ..case };
        add(masked(Case::new(&[150, 600], &[0], &[1], 3, slices(0, 150))));
        add(masked(Case::new(&[150, 600], &[0], &[1], 18, slices(1, 600))));
        // Rows that do not lead in the data.
        add(masked(Case::new(&[300, 140], &[1], &[0], 4, one.clone())));
        // Columns and rows of two indices.
        add(masked(Case::new(&[70, 20, 15], &[0], &[1, 2], 9, slices(2, 15))));
        add(masked(Case::new(&[12, 280, 13], &[0, 2], &[1], 17, slices(0, 12))));
        let guarded = |guard, case| Case {
            guards: vec![guard],
            ..masked(case)
        };
        add(guarded(UNLIKE, Case::new(&[70, 70, 5], &[0], &[1, 2], 6, one.clone())));
        add(guarded(
            UNLIKE,
            Case::new(&[12, 12, 290], &[0, 1], &[2], 6, one.clone()),
        ));
        add(guarded(BELOW, Case::new(&[130, 130], &[0], &[1], 17, one.clone())));
    }
    assert!(cases[..10].iter().all(|(_, view)| view.is_dense()));
    let sparse = cases[10..].iter().filter(|(_, view)| !view.is_dense());
    // Half of the cells are left out of the last one, and a twelfth of those of one before.
    assert_eq!(sparse.count(), 8);
    cases
}

fn handing<'a, C: Channel>(
    case: &'a Case<C>,
) -> impl for<'n> Fn(&'n mut [Vec<f64>]) -> Box<dyn Adjoint + 'n> + Sync + 'a {
    fn is_one<F: for<'n> Fn(&'n mut [Vec<f64>]) -> Box<dyn Adjoint + 'n> + Sync>(f: F) -> F {
        f
    }
    is_one(|into| Box::new(case.counts(into)))
}

fn on_threads<T: Send>(threads: usize, f: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(f)
}

#[track_caller]
fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(1e-300_f64, |scale, x| scale.max(x.abs()));
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs() / scale;
        assert!(error <= tolerance, "entry {i}: {found} where {expected} is expected");
    }
}

#[track_caller]
fn all_close(found: &[Vec<f64>], expected: &[Vec<f64>], tolerance: f64) {
    let arrays = found.iter().zip(expected);
    arrays.for_each(|(found, expected)| close(found, expected, tolerance));
}

#[test]
fn expected_counts_are_those_of_plain_loops() {
    for (case, view) in cases() {
        let arrays = case.arrays();
        let (rate, to) = (case.product(&arrays), handing(&case));
        let to = Handing {
            to: &to,
            right: &case.cols,
        };
        let mut expected = case.zeros();
        let bound = plain::expect(&view, &rate, &to, &mut view.start_factors(), &mut expected);
        let mut first = None;
        for threads in [1, 3] {
            let (mut found, mut factors) = (case.zeros(), view.start_factors());
            let total = on_threads(threads, || view.expect(&rate, &to, &mut factors, true, &mut found));
            close(&[total], &[bound], 1e-12);
            all_close(&found, &expected, 1e-12);
            assert_eq!(first.get_or_insert_with(|| found.clone()), &found);
        }
        // Second moments above the squares of means.
        let [second, squared] = [1.3, 1.0].map(|by| {
            let squares = |array: &Vec<f64>| array.iter().map(|x| by * x * x).collect();
            arrays.iter().map(squares).collect::<Vec<Vec<f64>>>()
        });
        let [second, squared] = [case.product(&second), case.product(&squared)];
        let (mut expected, mut found) = (case.zeros(), case.zeros());
        plain::publish(
            &view,
            &rate,
            [&rate, &second, &squared],
            &to,
            &mut view.start_factors(),
            &mut expected,
        );
        view.publish(
            &rate,
            [&rate, &second, &squared],
            &to,
            &mut view.start_factors(),
            &mut found,
        );
        all_close(&found, &expected, 1e-12);
    }
}

#[test]
fn likelihoods_and_their_derivatives_are_those_of_plain_loops() {
    for (case, view) in cases() {
        let arrays = case.arrays();
        let (rate, to) = (case.product(&arrays), handing(&case));
        let to = Handing {
            to: &to,
            right: &case.cols,
        };
        let constant = view.cells.constant;
        let expected = plain::ln_marginals_by(&view, &rate, None)[0] + constant;
        close(&[view.ln_marginal(&rate)], &[expected], 1e-11);
        for axis in 0..case.shape.len() {
            let found = view.ln_marginals_by(&rate, axis);
            close(&found, &plain::ln_marginals_by(&view, &rate, Some(axis)), 1e-11);
        }
        let mut pulled = case.zeros();
        plain::pull(&view, &rate, &to, &mut pulled);
        let mut first = None;
        for threads in [1, 3] {
            for score in [false, true] {
                let mut found = case.zeros();
                let total = on_threads(threads, || view.pull(&rate, &to, score, &mut found));
                all_close(&found, &pulled, 1e-9);
                close(&[total], &[if score { expected } else { 0.0 }], 1e-11);
                assert_eq!(first.get_or_insert_with(|| found.clone()), &found);
            }
        }
    }
}

#[test]
fn exposures_and_levels_are_sums_over_cells() {
    for (case, view) in cases() {
        let arrays = case.arrays();
        let (rate, to) = (case.product(&arrays), handing(&case));
        let to = Handing {
            to: &to,
            right: &case.cols,
        };
        // An entry times its exposure is the sum of what the operands that it makes have.
        let mut by_hand = case.zeros();
        let weighed = plain::exposures(&view, &rate).times(&Operands::of(&view, &rate));
        weighed.hand_down(&view, &to, &mut by_hand);
        for (axis, by_hand) in by_hand.iter().enumerate() {
            let mut first = None;
            for threads in [1, 3] {
                let exposure = on_threads(threads, || exposure(&case, &view, &arrays, axis));
                let times: Vec<f64> = exposure.iter().zip(&arrays[axis]).map(|(e, x)| e * x).collect();
                close(&times, by_hand, 1e-11);
                assert_eq!(first.get_or_insert_with(|| exposure.clone()), &exposure);
            }
        }
        let closed: f64 = closed_level(&case, &view, &arrays, 1).iter().sum();
        let level = closed + view.correction_of_level(&rate);
        close(&[level], &[plain::level(&view, &rate)], 1e-11);
    }
}

#[test]
fn rates_are_those_of_the_cells() {
    for (case, view) in cases() {
        let arrays = case.arrays();
        let rate = case.product(&arrays);
        let expected = plain::rates(&view, &rate);
        let mut sums = vec![1.0; expected.len()];
        view.add_rates(&rate, &mut sums);
        sums.iter_mut().for_each(|sum| *sum -= 1.0);
        close(&sums, &expected, 1e-12);
        let unguarded = Case {
            guards: Vec::new(),
            ..case.clone()
        };
        let all = plain::rates(&unguarded.view(noisy(0.4)), &rate);
        let mean = view.mean_rate(&rate, all.iter().sum());
        close(&[mean], &[plain::mean_rate(&view, &rate)], 1e-11);
        let mut scores = [vec![0.0; view.held_out().len()], vec![0.0; view.held_out().len()]];
        plain::score_held_out(&view, &rate, &mut scores[0]);
        view.score_held_out(&rate, &mut scores[1]);
        close(&scores[1], &scores[0], 1e-11);
        assert!(view.impossible(&rate).is_none());
    }
}

/// Exact data where so many cells are positive: three in a hundred are looped over, and six in ten are divided block by block.
fn exact(density: f64) -> (Case<Exact>, View, Vec<i64>) {
    let case = Case::new(&[200, 11, 9], &[0], &[1, 2], 10, Varying::Uniform(Exact));
    let mut values = vec![0; case.cells()];
    let view = case.view(|cell, rng| {
        let count = if rng.random_bool(density) {
            rng.random_range(1..60)
        } else {
            0
        };
        values[cell] = count;
        count
    });
    assert_eq!(view.is_dense(), density > 0.5);
    (case, view, values)
}

/// Counts add up to what is observed, on any number of threads, and no draw is that of another sweep.
#[test]
fn draws_add_up() {
    for density in [0.03, 0.6] {
        let (case, view, values) = exact(density);
        let arrays = case.arrays();
        let (rate, to) = (case.product(&arrays), handing(&case));
        let to = Handing {
            to: &to,
            right: &case.cols,
        };
        let draw = |threads: usize, sweep: u64| {
            let streams = Streams::new(5, 0).at_sweep(sweep);
            let (mut counts, mut state) = (case.zeros(), view.start(&streams, 0));
            on_threads(threads, || view.thin(&rate, &to, &mut state, &streams, 0, &mut counts));
            counts
        };
        let counts = draw(1, 0);
        assert_eq!(counts, draw(3, 0));
        assert_ne!(counts, draw(1, 1));
        for (axis, counts) in counts.iter().enumerate() {
            let mut expected = vec![0.0; case.shape[axis]];
            let after: usize = case.shape[axis + 1..].iter().product();
            for (cell, value) in values.iter().enumerate() {
                expected[cell / after % case.shape[axis]] += *value as f64;
            }
            let found: Vec<f64> = counts.chunks(case.inner).map(|n| n.iter().sum()).collect();
            assert_eq!(found, expected);
        }
    }
}

/// Means of 400 draws of a count against its expected parts, for every entry of the arrays: the largest of 4,400 standardised differences
/// exceeds 5.5 with a probability below 2e-4. Parts in proportion to the left operand alone exceed it.
#[test]
fn draws_split_in_proportion() {
    for density in [0.03, 0.6] {
        let (case, view, _) = exact(density);
        let arrays = case.arrays();
        let (rate, to) = (case.product(&arrays), handing(&case));
        let to = Handing {
            to: &to,
            right: &case.cols,
        };
        let (mut sums, mut squares) = (case.zeros(), case.zeros());
        for sweep in 0..400 {
            let streams = Streams::new(11, 0).at_sweep(sweep);
            let (mut counts, mut state) = (case.zeros(), view.start(&streams, 0));
            view.thin(&rate, &to, &mut state, &streams, 0, &mut counts);
            let entries = counts.iter().flatten();
            let sums = sums.iter_mut().flatten().zip(squares.iter_mut().flatten());
            entries.zip(sums).for_each(|(n, (sum, square))| {
                *sum += n / 400.0;
                *square += n * n / 400.0;
            });
        }
        let worst = |arrays: &[Vec<f64>]| {
            let mut expected = case.zeros();
            view.expect(
                &case.product(arrays),
                &to,
                &mut view.start_factors(),
                false,
                &mut expected,
            );
            let entries = sums
                .iter()
                .flatten()
                .zip(squares.iter().flatten())
                .zip(expected.iter().flatten());
            let z = entries.map(|((mean, square), expected)| {
                let variance = (square - mean * mean).max(expected / 10.0).max(1e-2) / 400.0;
                ((mean - expected) / variance.sqrt()).abs()
            });
            z.fold(0.0, f64::max)
        };
        let (right, mutant) = (
            worst(&arrays),
            worst(&[arrays[0].clone(), vec![1.0; 110], vec![1.0; 90]]),
        );
        assert!(right < 5.5, "{right}");
        assert!(mutant > 5.5, "{mutant}");
    }
}

/// Counts where every product underflows go to the entry with the largest, and nowhere where a known array is zero.
#[test]
fn counts_at_vanished_rates_are_not_lost() {
    for density in [0.03, 0.6] {
        let (case, view, values) = exact(density);
        let mut arrays = case.arrays();
        arrays[0].iter_mut().for_each(|x| *x *= 1e-200);
        arrays[1].iter_mut().for_each(|x| *x *= 1e-200);
        let to = handing(&case);
        let to = Handing {
            to: &to,
            right: &case.cols,
        };
        let streams = Streams::new(5, 0);
        let draw = |arrays: &[Vec<f64>]| {
            let (mut counts, mut state) = (case.zeros(), view.start(&streams, 0));
            view.thin(&case.product(arrays), &to, &mut state, &streams, 0, &mut counts);
            counts.map_sums()
        };
        let all = values.iter().sum::<i64>() as f64;
        assert_eq!(draw(&arrays), [all; 3]);
        assert!(view.impossible(&case.product(&arrays)).is_some());
        arrays[2].fill(0.0);
        assert_eq!(draw(&arrays), [0.0; 3]);
    }
}

trait MapSums {
    fn map_sums(&self) -> Vec<f64>;
}

impl MapSums for Vec<Vec<f64>> {
    fn map_sums(&self) -> Vec<f64> {
        self.iter().map(|array| array.iter().sum()).collect()
    }
}

/// Every cell that weighs otherwise is on its line along each index, once, with what it differs by; in dense data every cell.
#[test]
fn lines_have_all_cells_that_weigh_otherwise() {
    for (_, view) in &cases() {
        let (grid, shape) = (view.grid(), view.grid().shape());
        let base = view.cell_weights(true);
        let mut differing = Vec::new();
        for cell in 0..grid.cells() {
            let (row, col) = grid.place(cell);
            let mut at = grid.row_at(row);
            grid.set_col(col, &mut at);
            let by =
                view.weight(cell) - (0..shape.len()).map(|axis| base.at(axis, at[axis])).product::<f64>() * base.base();
            if by.abs() > 1e-12 {
                differing.push((cell, by));
            }
        }
        for axis in 0..shape.len() {
            let mut found = Vec::new();
            for value in 0..shape[axis] {
                along::each_along(view, axis, value, &mut |at, by| {
                    assert_eq!(at[axis], value);
                    let cell = shape.iter().zip(at).fold(0, |cell, (size, at)| cell * size + at);
                    found.push((cell, by));
                });
            }
            found.retain(|(_, by)| by.abs() > 1e-12);
            found.sort_by_key(|(cell, _)| *cell);
            assert_eq!(found.len(), differing.len());
            for ((cell, by), (other, expected)) in found.iter().zip(&differing) {
                assert!(cell == other && (by - expected).abs() < 1e-12);
            }
        }
    }
}
