//! Rates, counts and exposures against the declaration multiplied out by hand: both ways over cells, every kind of data.
//!
//! Relative error of rates, derivatives and exposures below 1e-10, entry by entry: all are sums of positive
//! terms, so nothing cancels but the corrections of sparse exposures, which take a few per cent away.

use skellam::channel::TwoSidedGeometric;
use skellam::model::Model;
use skellam_tests::capture::{Capture, Conditional};
use skellam_tests::cases::{Case, Observed};
use skellam_tests::data::{Vary, arrays, factors, prior_draw, stream};
use skellam_tests::families::*;
use skellam_tests::twin::{Twin, relative_error};

const TOLERANCE: f64 = 1e-10;

/// Whether the cells of the grid are all there, once.
fn check_grid(model: &dyn Model, twin: &Twin) {
    let grid = model.views()[0].grid();
    let mut seen = vec![false; twin.cells.len()];
    for row in 0..grid.rows {
        for col in 0..grid.cols {
            let cell = grid.cell(row, col);
            assert_eq!(grid.place(cell), (row, col));
            assert!(!std::mem::replace(&mut seen[cell], true));
        }
    }
    assert!(seen.iter().all(|s| *s));
    assert_eq!(grid.shape(), twin.shape);
}

fn check<F: HasTwin<Law = TwoSidedGeometric>>(family: &F, name: &str) {
    let twin = family.twin();
    // By blocks, and by stored cells.
    for way in 0..2 {
        for (seed, case) in (1..).zip(Case::all(twin.shape.len())) {
            let tag = format!("{name}, way {way}, {case:?}");
            let observed = Observed::new(case, &twin.shape, seed);
            let model = observed.bind(family, Some(way));
            let view = model.views()[0];
            // Over blocks, then over stored cells where exposures have a closed form; over these alone where operands are formed at them.
            let is_dense = !view.is_by_cell() && (way == 0 || case.vary == Vary::Cell);
            assert_eq!(view.is_dense(), is_dense, "{tag}: path");
            if seed == 1 {
                check_grid(&model, &twin);
            }

            let x = prior_draw(&twin, &mut stream(1000 + seed));
            let values = factors(&model, &x);
            let mut count_rates = model.count_rates();
            model.set_rates(&values, &mut count_rates);
            let rates = twin.rates(&x);
            let mut found = vec![0.0; rates.len()];
            let count_rate = &mut count_rates[0];
            count_rate.add_rates(view, &mut found);
            assert!(relative_error(&found, &rates) < TOLERANCE, "{tag}: rates of blocks");
            let places = (0..rates.len()).map(|cell| view.grid().place(cell));
            found.clear();
            count_rate.rates_at(view, places, |rate| found.push(rate));
            assert!(relative_error(&found, &rates) < TOLERANCE, "{tag}: rates of cells");

            let (slopes, bound) = observed.expected(&twin, &x);
            let mut auxiliary = view.start_factors();
            let mut into = model.factors();
            let scored = count_rate.expect(view, &mut auxiliary, true, &mut into);
            assert!(
                (scored - bound).abs() < TOLERANCE * bound.abs(),
                "{tag}: bound {scored} {bound}"
            );
            for (l, (found, mut expected)) in into.iter().zip(twin.adjoint(&x, &slopes)).enumerate() {
                // By the logarithm of each entry.
                expected.iter_mut().zip(&x[l]).for_each(|(n, x)| *n *= x);
                let error = relative_error(found, &expected);
                assert!(error < TOLERANCE, "{tag}: derivatives of latent {l}: {error:e}");
            }

            // Twice: the second update must not trust exposures of the first.
            let mut rng = stream(2000 + seed);
            let mut step = Capture::new(|_, _| rand::RngExt::random::<f64>(&mut rng) + 0.1);
            let mut moving = values;
            let (mut counts, weights) = (model.factors(), observed.weights());
            for _ in 0..2 {
                let mut at = arrays(&moving);
                model.update(&mut moving, &mut counts, &mut count_rates, &mut step);
                let after = arrays(&moving);
                for Conditional { latent, shape, rate } in step.seen.drain(..) {
                    // Nothing was counted.
                    let leaf = &twin.leaves[latent];
                    // Where all cells of an entry are held out, all minus all is rounding, beside which the prior stands.
                    let exposure = twin.adjoint(&at, &weights).swap_remove(latent);
                    let expected: Vec<f64> = exposure.iter().map(|x| leaf.prior_rate + x).collect();
                    let error = relative_error(&rate, &expected);
                    assert!(error < TOLERANCE, "{tag}: exposures of latent {latent}: {error:e}");
                    let is_prior = |shape: &f64| (shape - leaf.prior_shape).abs() < 1e-12;
                    assert!(shape.iter().all(is_prior), "{tag}: prior shape");
                    at[latent].clone_from(&after[latent]);
                }
                let count_rate = &mut count_rates[0];
                found.fill(0.0);
                count_rate.add_rates(view, &mut found);
                assert!(
                    relative_error(&found, &twin.rates(&after)) < TOLERANCE,
                    "{tag}: rates after an update"
                );
            }
        }
    }
}

#[test]
fn matrix() {
    check(&MatrixAt(150, 40, 3), "matrix");
    check(&MatrixAt(3, 1100, 2), "wide matrix");
    check(&MatrixAt(40, 30, 1), "one component");
}

#[test]
fn cp() {
    check(&Cp3At(140, 6, 5, 3), "cp of three modes, long first");
    check(&Cp3At(6, 140, 5, 3), "cp of three modes, long second");
    check(&Cp3At(5, 6, 140, 3), "cp of three modes, long third");
    check(&Cp4At(12, 9, 8, 7, 3), "cp of four modes");
}

#[test]
fn tucker() {
    check(&TuckerAt([20, 9, 16], [3, 4, 2]), "tucker");
    check(&TuckerAt([9, 21, 8], [2, 2, 5]), "tucker");
}

#[test]
fn background_and_exposure() {
    check(&BackgroundAt(150, 30, 3), "background");
}

#[test]
fn a_coefficient_per_cell() {
    check(&OffsetAt(150, 30, 3), "offset");
    check(&PairsAt(14, 12, 13, 3), "pairs");
}

#[test]
fn a_product_per_batch() {
    check(&BatchAt(30, 12, 13, 3), "batch");
    check(&BatchAt(100, 11, 3, 2), "batch with long rows");
}

#[test]
fn definitions_scalars_and_coefficients() {
    check(&MixedAt(150, 30, 3), "mixed");
}

/// The check has teeth: one rate, one exposure and one derivative that are wrong by a millionth are seen.
#[test]
fn a_wrong_entry_is_seen() {
    let twin = MatrixAt(7, 5, 3).twin();
    let x = prior_draw(&twin, &mut stream(1));
    let mut wrong = x.clone();
    wrong[1][4] *= 1.0 + 1e-6;
    let ones = vec![1.0; twin.cells.len()];
    assert!(relative_error(&twin.rates(&x), &twin.rates(&wrong)) > TOLERANCE);
    assert!(relative_error(&twin.adjoint(&x, &ones)[0], &twin.adjoint(&wrong, &ones)[0]) > TOLERANCE);
}
