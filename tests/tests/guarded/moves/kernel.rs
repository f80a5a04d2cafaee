//! Sweeps with moves after them as kernels of Geweke's test.

use skellam::infer::Chain;
use skellam::model::Model;
use skellam::prelude::*;
use skellam_tests::data::{arrays, factors};
use skellam_tests::families::*;
use skellam_tests::geweke::{Deviation, Kernel, compare_by};

pub const ALPHA: f64 = 0.6;
pub const ITERATIONS: usize = 30_000;
pub const TRAJECTORIES: Moves = Moves::Trajectories { every: 1, steps: 4 };
pub const LEVELS: Moves = Moves::Levels { every: 1 };

/// Step of a trajectory at which most are accepted, and one at which most are refused.
pub const STEP: f64 = 0.3;
pub const LONG_STEP: f64 = 0.5;

/// Numbers of the scalings of a matrix, in the order in which they are made: level, rows and components of the first factor,
/// level, components and rows of the second.
pub const LEVELS_OF_MATRIX: [usize; 2] = [0, 3];
pub const ROWS_OF_MATRIX: [usize; 2] = [1, 5];
pub const COMPONENTS_OF_MATRIX: [usize; 2] = [2, 4];

/// The arrays of what `chain` adapts, some of them replaced.
pub fn set_adapted(chain: &mut Chain<'_>, set: impl Fn(&str, &[f64]) -> Option<Vec<f64>>) {
    let Some(adapted) = chain.adapted_mut() else {
        return;
    };
    let arrays = adapted.arrays().into_iter();
    let arrays: Vec<(&str, Vec<f64>)> = arrays
        .map(|(name, own)| (name, set(name, own).unwrap_or_else(|| own.to_vec())))
        .collect();
    let arrays: Vec<(&str, &[f64])> = arrays.iter().map(|(name, values)| (*name, &values[..])).collect();
    assert!(adapted.restore(&arrays));
}

/// `sweeps` sweeps, each with the moves after it, none of them adapted. Only the scalings with the numbers `of` are made, or all
/// where there are none.
pub fn moved_by(
    model: &dyn Model,
    x: &[Vec<f64>],
    iteration: u64,
    (moves, of): (Moves, &[usize]),
    (step, sweeps): (f64, usize),
) -> Vec<Vec<f64>> {
    let mut chain = Chain::starting_at(model, factors(model, x), 11, iteration).with_moves(moves, 0);
    set_adapted(&mut chain, |name, own| match name {
        "step" => Some(vec![step.ln(), step.ln(), 0.0, 0.0, 0.0]),
        // Steps of scales are 0.6; each time it is another one's turn.
        "widths" => Some(vec![-0.5; own.len()]),
        "turns" => {
            let all: Vec<usize> = (0..own.len()).collect();
            let of = if of.is_empty() { &all } else { of };
            let turn = |number| match of.iter().position(|other| *other == number) {
                // Less than a turn apart: made once, it is behind all others.
                Some(place) => ((place as u64 + iteration) % of.len() as u64) as f64 / of.len() as f64,
                None => 1e9,
            };
            Some((0..own.len()).map(turn).collect())
        }
        _ => None,
    });
    for _ in 0..sweeps {
        chain.advance();
    }
    arrays(chain.values())
}

/// One sweep and the moves after it.
pub fn moved(model: &dyn Model, x: &[Vec<f64>], iteration: u64, moves: Moves) -> Vec<Vec<f64>> {
    moved_by(model, x, iteration, (moves, &[]), (STEP, 1))
}

pub fn deviation<F: HasTwin<Law = TwoSidedGeometric>>(family: &F, kernel: Kernel<'_, F::Bound>) -> Deviation {
    compare_by(family, ALPHA, ITERATIONS, 11, kernel)
}
