//! The likelihood by the values of one index of the data, against a loop over the cells: every family in every way, all
//! laws, dense and sparse, with held-out cells and `where`.
//!
//! Nothing here is left to chance. Tried by hand: sums that leave out the exposure of cells that are not visited, where blocks are
//! multiplied or where cells are looped over, or that count the cells of a value to the next one, fail all of these; columns that
//! are those of the last lane alone fail where there are many rows.

use rand::RngExt;
use skellam::channel::{Channel, TwoSidedGeometric, Varying};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;
use skellam_tests::cases::{Case, Kind, Observed};
use skellam_tests::data::{factors, prior_draw, stream};
use skellam_tests::families::*;

/// By the value of the index at `axis` of the only count: the log likelihood at `x`, up to constants.
fn by_value(model: &dyn Model, x: &[Vec<f64>], axis: usize) -> Vec<f64> {
    let view = model.views()[0];
    let mut count_rates = model.count_rates();
    model.set_rates(&factors(model, x), &mut count_rates);
    let sums = count_rates[0].ln_likelihoods_by(view, axis);
    // The sum over all values is what single levels are accepted by.
    let all = count_rates[0].ln_likelihood_of_rates(view);
    let sum: f64 = sums.iter().sum();
    assert!((all - sum).abs() < 1e-9 * sum.abs().max(1.0), "{all} and {sum}");
    sums
}

/// The same by a loop; `of_cell` is the log likelihood of a cell at a rate.
fn by_loop(shape: &[usize], rates: &[f64], axis: usize, of_cell: impl Fn(usize, f64) -> f64) -> Vec<f64> {
    let stride: usize = shape[axis + 1..].iter().product();
    let mut sums = vec![0.0; shape[axis]];
    for (cell, &rate) in rates.iter().enumerate() {
        sums[cell / stride % shape[axis]] += of_cell(cell, rate);
    }
    sums
}

/// Differences between two points agree: constants of cells that are not visited fall out.
fn agree(found: [Vec<f64>; 2], expected: [Vec<f64>; 2], what: &str) {
    for value in 0..found[0].len() {
        let [found, expected] = [&found, &expected].map(|[a, b]| a[value] - b[value]);
        let off = (found - expected).abs();
        assert!(
            off < 1e-9 * expected.abs().max(1.0),
            "{what}, value {value}: {found}, by a loop {expected}"
        );
    }
}

fn holds<F: HasTwin<Law = TwoSidedGeometric>>(family: &F, name: &str) {
    let twin = family.twin();
    for way in 0..2 {
        for (seed, case) in (1..).zip(Case::all(twin.shape.len())) {
            let observed = Observed::new(case, &twin.shape, seed);
            let model = observed.bind(family, Some(way));
            let mut rng = stream(seed);
            let points = [0, 1].map(|_| prior_draw(&twin, &mut rng));
            let of_cell = |cell: usize, rate: f64| match case.kind {
                // It is visited, or exposure.
                _ if !observed.visited(cell) && observed.weights()[cell] == 0.0 => 0.0,
                Kind::Collapsed | Kind::Augmented => observed.law(cell).ln_marginal(rate, observed.value(cell)),
                Kind::Exact | Kind::Naive => observed.value(cell).max(0) as f64 * rate.ln() - rate,
            };
            for axis in 0..twin.shape.len() {
                let found = [0, 1].map(|p| by_value(&model, &points[p], axis));
                let expected = [0, 1].map(|p| by_loop(&twin.shape, &twin.rates(&points[p]), axis, of_cell));
                agree(found, expected, &format!("{name}, way {way}, {case:?}, index {axis}"));
            }
        }
    }
}

#[test]
fn sums_by_value_are_those_of_a_loop_over_the_cells() {
    holds(&MatrixAt(7, 5, 3), "matrix");
    holds(&BackgroundAt(5, 6, 2), "background");
    holds(&OffsetAt(5, 6, 2), "offset");
    holds(&Cp3At(5, 4, 6, 2), "cp");
    holds(&TuckerAt([4, 3, 5], [2, 3, 2]), "tucker");
    holds(&BatchAt(4, 5, 3, 2), "batch");
    holds(&MixedAt(5, 6, 2), "mixed");
    holds(&PairsAt(4, 5, 3, 2), "pairs");
}

/// Rows enough for several lanes, whose sums of columns are added.
#[test]
fn columns_of_many_rows_are_summed_over_all_of_them() {
    holds(&MatrixAt(150, 3, 2), "many rows");
}

skellam::model! {
    /// Cells off the diagonal.
    model Directed {
        index actors, groups;
        latent out[i in actors, c in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        latent into[j in actors, c in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[i in actors, j in actors] where i != j ~ Poisson(sum(c in groups) out[i, c] * into[j, c]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Cells above the diagonal.
    model Undirected {
        index actors, groups;
        latent out[i in actors, c in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        latent into[j in actors, c in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[i in actors, j in actors] where i < j ~ Poisson(sum(c in groups) out[i, c] * into[j, c]);
        release y by TwoSidedGeometric;
    }
}

/// Dense, and with so few visited cells that they are looped over.
#[test]
fn cells_outside_the_model_are_in_no_sum() {
    let (actors, groups) = (40, 2);
    for (positive, mask) in [(0.5, 0.1), (0.01, 0.01)] {
        let mut rng = stream(3);
        let law = TwoSidedGeometric::new(0.4).unwrap();
        let values: Vec<i64> = (0..actors * actors)
            .map(|_| match rng.random::<f64>() < positive {
                true => rng.random_range(1..6),
                false => rng.random_range(-2..=0),
            })
            .collect();
        let mask = Mask::random(&[actors, actors], mask, 4).unwrap();
        let data = Released::assert_mechanism(vec![actors, actors], values.clone(), Varying::Uniform(law)).unwrap();
        let data = data.hold_out(&mask).unwrap();
        let directed = Directed::new(&data).unwrap().groups(groups);
        let undirected = Undirected::new(&data).unwrap().groups(groups);
        let directed = directed.bind(FormKind::Collapsed).unwrap();
        let undirected = undirected.bind(FormKind::Collapsed).unwrap();
        let points = [0, 1].map(|_| {
            let factor = |rng: &mut skellam_tests::data::Stream| -> Vec<f64> {
                (0..actors * groups).map(|_| rng.random_range(0.1..2.0)).collect()
            };
            vec![factor(&mut rng), factor(&mut rng)]
        });
        let rates = |x: &[Vec<f64>]| -> Vec<f64> {
            let cell = |i: usize, j: usize| (0..groups).map(|c| x[0][i * groups + c] * x[1][j * groups + c]).sum();
            (0..actors * actors).map(|at| cell(at / actors, at % actors)).collect()
        };
        type InModel = fn(usize, usize) -> bool;
        let models: [(&dyn Model, InModel); 2] = [(&directed, |i, j| i != j), (&undirected, |i, j| i < j)];
        for (model, is_in) in models {
            let of_cell = |cell: usize, rate: f64| match is_in(cell / actors, cell % actors) && !mask.is_held_out(cell)
            {
                true => law.ln_marginal(rate, values[cell]),
                false => 0.0,
            };
            for axis in 0..2 {
                let found = [0, 1].map(|p| by_value(model, &points[p], axis));
                let expected = [0, 1].map(|p| by_loop(&[actors, actors], &rates(&points[p]), axis, of_cell));
                let dense = model.views()[0].is_dense();
                agree(
                    found,
                    expected,
                    &format!("index {axis}, blocks multiplied whole: {dense}"),
                );
            }
        }
        assert_eq!(directed.views()[0].is_dense(), positive > 0.1);
    }
}
