//! Blocks against stored cells, at tables of several blocks. `skellam-check` holds both against sums over single cells, at small ones.

mod model;

use rand::RngExt;

use crate::channel::{Channel, Exact, TwoSidedGeometric, Varying};
use crate::contract::{Adjoint, Handing, Rate};
use crate::streams::{Stream, Streams};
use crate::view::{Guard, View};

use super::along;
use model::{Case, closed_exposure, closed_level, exposure};

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

/// Dense and sparse tables of several blocks, lanes and runs: laws that vary, masks, guards. Each gone over by blocks, and by stored cells.
fn cases() -> Vec<(Case<Geometric>, [View; 2])> {
    let one = Varying::Uniform(geometric(0.5));
    let mut cases = Vec::new();
    for density in [0.4, 0.02] {
        let mut add = |case: Case<Geometric>| {
            let ways = [true, false].map(|blocks| {
                let mut view = case.view(noisy(density));
                view.set_blocks(blocks);
                // Where half of the cells are left out, they are not listed.
                let halves = case.guards.iter().any(|guard| guard.less);
                assert_eq!(view.is_dense(), blocks || halves);
                view
            });
            cases.push((case, ways));
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

/// What a pass finds, which does not depend on the number of threads.
fn on_any_threads<T: PartialEq + std::fmt::Debug + Send>(pass: impl Fn() -> T + Sync) -> T {
    let found = on_threads(1, &pass);
    assert_eq!(on_threads(3, &pass), found);
    found
}

#[test]
fn expected_counts_are_the_same_by_both_ways() {
    for (case, ways) in cases() {
        let arrays = case.arrays();
        let (rate, to) = (case.product(&arrays), handing(&case));
        let to = Handing {
            to: &to,
            right: &case.cols,
        };
        // Second moments above the squares of means.
        let [second, squared] = [1.3, 1.0].map(|by| {
            let squares = |array: &Vec<f64>| array.iter().map(|x| by * x * x).collect();
            arrays.iter().map(squares).collect::<Vec<Vec<f64>>>()
        });
        let [second, squared] = [case.product(&second), case.product(&squared)];
        let [blocks, stored] = ways.each_ref().map(|view| {
            let (total, expected) = on_any_threads(|| {
                let mut found = case.zeros();
                let total = view.expect(&rate, &to, &mut view.start_factors(), true, &mut found);
                (total, found)
            });
            let mut published = case.zeros();
            let moments: [&dyn Rate; 3] = [&rate, &second, &squared];
            view.publish(&rate, moments, &to, &mut view.start_factors(), &mut published);
            (total, expected, published)
        });
        close(&[blocks.0], &[stored.0], 1e-12);
        all_close(&blocks.1, &stored.1, 1e-12);
        all_close(&blocks.2, &stored.2, 1e-12);
        assert!(blocks.1 != blocks.2);
    }
}

#[test]
fn likelihoods_and_their_derivatives_are_the_same_by_both_ways() {
    for (case, ways) in cases() {
        let arrays = case.arrays();
        let (rate, to) = (case.product(&arrays), handing(&case));
        let to = Handing {
            to: &to,
            right: &case.cols,
        };
        let axes = || 0..case.shape.len();
        let [blocks, stored] = ways.each_ref().map(|view| {
            let level: f64 = closed_level(&case, view, &arrays, 0).iter().sum();
            let by_axis = axes().map(|axis| {
                let sums = view.ln_marginals_by(&rate, axis).into_iter();
                let levels = closed_level(&case, view, &arrays, axis);
                sums.zip(levels).map(|(sum, level)| sum - level).collect()
            });
            let [(_, unscored), (total, mut pulled)] = [false, true].map(|score| {
                on_any_threads(|| {
                    let mut found = case.zeros();
                    let total = view.pull(&rate, &to, score, &mut found);
                    (total, found)
                })
            });
            assert_eq!(pulled, unscored);
            close(&[total], &[view.ln_marginal(&rate)], 1e-11);
            for axis in axes() {
                let closed = closed_exposure(&case, view.cell_weights(false), &arrays, axis).into_inner();
                let terms = closed.iter().zip(&arrays[axis]).map(|(e, x)| e * x);
                pulled[axis].iter_mut().zip(terms).for_each(|(sum, term)| *sum -= term);
            }
            (total - level, by_axis.collect::<Vec<Vec<f64>>>(), pulled)
        });
        close(&[blocks.0], &[stored.0], 1e-11);
        all_close(&blocks.1, &stored.1, 1e-11);
        all_close(&blocks.2, &stored.2, 1e-9);
    }
}

#[test]
fn exposures_and_levels_are_the_same_by_both_ways() {
    for (case, ways) in cases() {
        let arrays = case.arrays();
        let rate = case.product(&arrays);
        let [blocks, stored] = ways.each_ref().map(|view| {
            let of = |axis: usize| on_any_threads(|| exposure(&case, view, &arrays, axis));
            let level: f64 = closed_level(&case, view, &arrays, 1).iter().sum();
            let exposures: Vec<Vec<f64>> = (0..case.shape.len()).map(of).collect();
            // An entry times its exposure is what it adds to the level.
            let sum: f64 = exposures[0].iter().zip(&arrays[0]).map(|(e, x)| e * x).sum();
            let level = level + view.correction_of_level(&rate);
            close(&[sum], &[level], 1e-11);
            exposures
        });
        all_close(&blocks, &stored, 1e-11);
    }
}

#[test]
fn rates_are_those_of_the_cells() {
    for (case, [view, _]) in cases() {
        let arrays = case.arrays();
        let rate = case.product(&arrays);
        let all: Vec<f64> = (0..case.cells()).map(|cell| case.rate(&arrays, cell)).collect();
        let in_model = |cell: &usize| view.guards().holds_cell(view.grid(), *cell);
        let expected: Vec<f64> = (0..case.cells())
            .map(|cell| if in_model(&cell) { all[cell] } else { 0.0 })
            .collect();
        let mut sums = vec![1.0; expected.len()];
        view.add_rates(&rate, &mut sums);
        sums.iter_mut().for_each(|sum| *sum -= 1.0);
        close(&sums, &expected, 1e-12);
        let mean = expected.iter().sum::<f64>() / (0..case.cells()).filter(in_model).count() as f64;
        close(&[view.mean_rate(&rate, all.iter().sum())], &[mean], 1e-11);
        let held_out: Vec<f64> = view.held_out().into_iter().map(|cell| expected[cell]).collect();
        let mut scores = [vec![0.0; held_out.len()], vec![0.0; held_out.len()]];
        view.held_out.score_at(&held_out, &mut scores[0]);
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
    for view in cases().iter().flat_map(|(_, ways)| ways) {
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
