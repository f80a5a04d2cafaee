//! Simulation-based calibration (Talts et al. 2018) of Gibbs sampling through its public entry.
//!
//! Factors come from the prior, data from the factors, and the posterior of the data from `gibbs`: the rank of a true value
//! among a few draws that lie far apart is then uniform. What is ranked does not depend on the order of components (rates,
//! sums over components, parents) or sees everything at once (the log joint density). Ranks of many replications are held
//! against the uniform law by a chi-square test; a family fails where any of its tests has a p-value below 2.5e-8. There are
//! 17 of them in this file, so that it has fewer than one false positive in 1e6 runs.

use skellam::channel::{Channel, TwoSidedGeometric, Varying};
use skellam::infer::{Chain, gibbs};
use skellam::math::distribution::{gamma_draw, poisson};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;
use skellam_tests::data::{Stream, arrays, factors, stream};
use skellam_tests::mutants::{Mistake, Mutable};
use special::Gamma as _;

/// Draws of a posterior among which a true value is ranked.
const DRAWS: usize = 19;
/// Sweeps from one of them to the next, and before the first.
const THIN: usize = 12;
const TUNE: usize = 150;
/// Replications.
const REPLICATIONS: usize = 250;
/// A p-value below this is a failure.
const LEVEL: f64 = 2.5e-8;

/// A model that can be simulated by plain loops.
trait Simulated: Sync {
    type Noise: Channel<Value = i64>;
    type Bound: Model;

    /// Sizes of every count.
    fn shapes(&self) -> Vec<Vec<usize>>;
    /// Values of all latents, from their priors.
    fn draw(&self, rng: &mut Stream) -> Vec<Vec<f64>>;
    /// Rates of all cells of every count, zero outside `where`.
    fn rates(&self, x: &[Vec<f64>]) -> Vec<Vec<f64>>;
    /// The model with released data.
    fn bind(&self, data: &[Released<Self::Noise>]) -> Self::Bound;
    /// What is ranked besides rates: it must not depend on the order of components.
    fn more(&self, x: &[Vec<f64>]) -> Vec<(&'static str, f64)>;
}

/// What is ranked at some values of the latents.
fn ranked<S: Simulated>(model: &S, x: &[Vec<f64>], ln_joint: f64) -> Vec<(&'static str, f64)> {
    let mut all = vec![("log joint", ln_joint)];
    for rates in model.rates(x) {
        let cells: Vec<f64> = rates.into_iter().filter(|rate| *rate > 0.0).collect();
        all.push(("first rate", cells[0]));
        all.push(("last rate", cells[cells.len() - 1]));
        all.push(("mean rate", cells.iter().sum::<f64>() / cells.len() as f64));
    }
    all.extend(model.more(x));
    all
}

/// Ranks of the true values in one replication.
fn replicate<S: Simulated>(model: &S, number: u64) -> Vec<(&'static str, usize)> {
    let mut rng = stream(77_000 + number);
    let truth = model.draw(&mut rng);
    let noise = S::Noise::typical();
    let data: Vec<Released<S::Noise>> = model
        .rates(&truth)
        .iter()
        .zip(model.shapes())
        .map(|(rates, shape)| {
            let values = rates
                .iter()
                .map(|&rate| noise.observe(poisson(rate, &mut rng), &mut rng));
            Released::assert_mechanism(shape, values.collect(), Varying::Uniform(noise.clone())).unwrap()
        })
        .collect();
    let bound = model.bind(&data);
    let ln_joint = Chain::starting_at(&bound, factors(&bound, &truth), 0, 0).ln_joint();
    let truth = ranked(model, &truth, ln_joint);
    let settings = Gibbs {
        num_tune: TUNE,
        num_draws: DRAWS,
        thin: Some(THIN),
        num_chains: Some(1),
        num_threads: Some(1),
        seed: number,
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let mut ranks = vec![0; truth.len()];
    gibbs(&bound, &settings, |chain, _| {
        if chain.drawn() > 0 && chain.drawn().is_multiple_of(THIN) {
            let ln_joint = chain.ln_joint();
            let draw = ranked(model, &arrays(chain.values()), ln_joint);
            for (rank, ((_, draw), (_, truth))) in ranks.iter_mut().zip(draw.iter().zip(&truth)) {
                *rank += usize::from(draw < truth);
            }
        }
    })
    .unwrap();
    truth
        .into_iter()
        .zip(ranks)
        .map(|((name, _), rank)| (name, rank))
        .collect()
}

/// The smallest p-value of all that is ranked, and of what.
fn calibrate<S: Simulated>(name: &str, model: &S, replications: usize) -> (f64, &'static str) {
    let begin = std::time::Instant::now();
    let mut bins: Vec<(&'static str, Vec<usize>)> = Vec::new();
    for number in 0..replications as u64 {
        for (i, (what, rank)) in replicate(model, number).into_iter().enumerate() {
            if bins.len() == i {
                bins.push((what, vec![0; DRAWS + 1]));
            }
            bins[i].1[rank] += 1;
        }
    }
    let expected = replications as f64 / (DRAWS + 1) as f64;
    let mut worst = (1.0, "");
    for (what, bins) in &bins {
        let square: f64 = bins.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
        let p = 1.0 - (square / 2.0).inc_gamma(DRAWS as f64 / 2.0);
        println!("{name:<12} {what:<12} chi-square {square:7.1}, p {p:8.1e}   {bins:?}");
        if p < worst.0 {
            worst = (p, what);
        }
    }
    println!("{name}: {:.1} s", begin.elapsed().as_secs_f64());
    worst
}

fn passes<S: Simulated>(name: &str, model: &S) {
    let (p, what) = calibrate(name, model, REPLICATIONS);
    assert!(p > LEVEL, "{name}: p = {p:e} of {what}");
}

/// Independent draws of `Gamma(shape, rate)`.
fn gammas(n: usize, shape: f64, rate: f64, rng: &mut Stream) -> Vec<f64> {
    (0..n).map(|_| gamma_draw(shape, rng) / rate).collect()
}

/// `left * right` of row-major matrices.
fn product(left: &[f64], right: &[f64], inner: usize) -> Vec<f64> {
    let cols = right.len() / inner;
    let rows = left.chunks_exact(inner);
    let entry = |row: &[f64], col: usize| (0..inner).map(|k| row[k] * right[k * cols + col]).sum();
    rows.flat_map(|row| (0..cols).map(|col| entry(row, col)).collect::<Vec<f64>>())
        .collect()
}

const ROWS: usize = 4;
const COLS: usize = 5;
const PARTS: usize = 2;

skellam::model! {
    model Matrix {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by Mutable;
    }
}

struct AMatrix;

impl Simulated for AMatrix {
    type Noise = Mutable;
    type Bound = MatrixModel;

    fn shapes(&self) -> Vec<Vec<usize>> {
        vec![vec![ROWS, COLS]]
    }

    fn draw(&self, rng: &mut Stream) -> Vec<Vec<f64>> {
        vec![gammas(ROWS * PARTS, 1.5, 1.5, rng), gammas(PARTS * COLS, 1.0, 1.0, rng)]
    }

    fn rates(&self, x: &[Vec<f64>]) -> Vec<Vec<f64>> {
        vec![product(&x[0], &x[1], PARTS)]
    }

    fn bind(&self, data: &[Released<Mutable>]) -> MatrixModel {
        let model = Matrix::new(&data[0]).unwrap().topics(PARTS);
        model.bind_with(FormKind::Collapsed, None).unwrap()
    }

    fn more(&self, x: &[Vec<f64>]) -> Vec<(&'static str, f64)> {
        vec![("row of theta", x[0][0] + x[0][1])]
    }
}

skellam::model! {
    model Blocks {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 1.5, rate = 1.5);
        latent pi[c in groups, e in groups] ~ Gamma(shape = 1.0, rate = 2.0);
        count y[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        release y by TwoSidedGeometric;
    }
}

struct SomeBlocks;

impl Simulated for SomeBlocks {
    type Noise = TwoSidedGeometric;
    type Bound = BlocksModel;

    fn shapes(&self) -> Vec<Vec<usize>> {
        vec![vec![COLS, COLS]]
    }

    fn draw(&self, rng: &mut Stream) -> Vec<Vec<f64>> {
        vec![
            gammas(COLS * PARTS, 1.5, 1.5, rng),
            gammas(PARTS * PARTS, 1.0, 2.0, rng),
        ]
    }

    fn rates(&self, x: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let to = product(&x[0], &x[1], PARTS);
        let rate = |i: usize, j: usize| (0..PARTS).map(|e| to[i * PARTS + e] * x[0][j * PARTS + e]).sum();
        let cell = |at: usize| match (at / COLS, at % COLS) {
            (i, j) if i == j => 0.0,
            (i, j) => rate(i, j),
        };
        vec![(0..COLS * COLS).map(cell).collect()]
    }

    fn bind(&self, data: &[Released<TwoSidedGeometric>]) -> BlocksModel {
        let model = Blocks::new(&data[0]).unwrap().groups(PARTS);
        model.bind_with(FormKind::Collapsed, None).unwrap()
    }

    fn more(&self, x: &[Vec<f64>]) -> Vec<(&'static str, f64)> {
        vec![("row of theta", x[0][0] + x[0][1]), ("sum of pi", x[1].iter().sum())]
    }
}

skellam::model! {
    model Hierarchy {
        index docs, words, topics;
        latent xi[d in docs] ~ Gamma(shape = 2.0, rate = 1.5);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = xi[d]);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 2.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

struct AHierarchy;

impl Simulated for AHierarchy {
    type Noise = TwoSidedGeometric;
    type Bound = HierarchyModel;

    fn shapes(&self) -> Vec<Vec<usize>> {
        vec![vec![ROWS, COLS]]
    }

    fn draw(&self, rng: &mut Stream) -> Vec<Vec<f64>> {
        let xi = gammas(ROWS, 2.0, 1.5, rng);
        let theta = xi.iter().flat_map(|&xi| gammas(PARTS, 1.5, xi, rng)).collect();
        let phi = gammas(PARTS * COLS, 1.0, 2.0, rng);
        vec![xi, theta, phi]
    }

    fn rates(&self, x: &[Vec<f64>]) -> Vec<Vec<f64>> {
        vec![product(&x[1], &x[2], PARTS)]
    }

    fn bind(&self, data: &[Released<TwoSidedGeometric>]) -> HierarchyModel {
        let model = Hierarchy::new(&data[0]).unwrap().topics(PARTS);
        model.bind_with(FormKind::Collapsed, None).unwrap()
    }

    fn more(&self, x: &[Vec<f64>]) -> Vec<(&'static str, f64)> {
        vec![("first of xi", x[0][0]), ("row of theta", x[1][0] + x[1][1])]
    }
}

#[test]
fn blocks() {
    passes("blocks", &SomeBlocks);
}

#[test]
fn hierarchy() {
    passes("hierarchy", &AHierarchy);
}

/// Releases that are not positive taken for whole zeros: their weight is 1 in place of 1 - alpha. Half of the replications tell.
#[test]
fn a_wrong_weight_is_not_calibrated() {
    let (p, what) = Mistake::WholeWeight.during(|| calibrate("weight 1", &AMatrix, REPLICATIONS / 2));
    assert!(p < LEVEL, "p = {p:e} of {what}");
}

/// The same model without the mistake.
#[test]
fn without_the_mistake_it_is() {
    Mistake::None.during(|| passes("matrix", &AMatrix));
}
