//! How often intervals of rates hold the true rate, by Gibbs and by CAVI: the table in the book's page *Is my fit any good?*
//!
//! `cargo test --release -p skellam-tests --test statistics -- --ignored --nocapture coverage::`

use rand_distr::{Distribution, Gamma};
use skellam::channel::{Channel, TwoSidedGeometric, Varying};
use skellam::infer::{cavi, gibbs};
use skellam::math::distribution::{gamma_draw, poisson};
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam_tests::data::{Stream, stream};

skellam::model! {
    model Matrix {
        index rows, cols, parts;
        latent theta[i in rows, k in parts] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[k in parts, j in cols] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[i in rows, j in cols] ~ Poisson(sum(k in parts) theta[i, k] * phi[k, j]);
        release y by TwoSidedGeometric;
    }
}

const SIZE: usize = 40;
const PARTS: usize = 3;
/// Every fourth monitored cell of each data set is asked.
const APART: usize = 4;
/// Draws of a rate from variational posteriors.
const DRAWS: usize = 400;

/// Intervals of one engine.
#[derive(Default)]
struct Intervals {
    asked: f64,
    held: f64,
    width: f64,
}

impl Intervals {
    /// Takes the central 90 % of some draws.
    fn add(&mut self, mut draws: Vec<f64>, truth: f64) {
        draws.sort_by(f64::total_cmp);
        let n = draws.len();
        let (low, high) = (draws[n / 20], draws[n - 1 - n / 20]);
        self.asked += 1.0;
        self.held += f64::from(u8::from((low..=high).contains(&truth)));
        self.width += high - low;
    }
}

fn rate(theta: &[f64], phi: &[f64], [i, j]: [usize; 2]) -> f64 {
    (0..PARTS).map(|k| theta[i * PARTS + k] * phi[k * SIZE + j]).sum()
}

/// Adds the intervals of one data set, drawn from the model.
fn replicate(alpha: f64, seed: u64, [by_gibbs, by_cavi]: &mut [Intervals; 2]) {
    let mut rng: Stream = stream(1000 + seed);
    let mut factor = || -> Vec<f64> { (0..SIZE * PARTS).map(|_| gamma_draw(1.0, &mut rng)).collect() };
    let (theta, phi) = (factor(), factor());
    let law = TwoSidedGeometric::new(alpha).unwrap();
    let cells = (0..SIZE * SIZE).map(|cell| [cell / SIZE, cell % SIZE]);
    let released = cells.map(|at| law.observe(poisson(rate(&theta, &phi, at), &mut rng), &mut rng));
    let values = released.collect();
    let data = Released::assert_mechanism(vec![SIZE, SIZE], values, Varying::Uniform(law)).unwrap();
    let model = Matrix::new(&data)
        .unwrap()
        .parts(PARTS)
        .bind(FormKind::Collapsed)
        .unwrap();
    let settings = Gibbs {
        num_chains: Some(1),
        num_draws: 500,
        seed,
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let chain = gibbs(&model, &settings, |_, _| {}).unwrap();
    let settings = Cavi {
        seed,
        progress: Progress::Hidden,
        ..Cavi::default()
    };
    let ascent = cavi(&model, &settings, |_, _| {}).unwrap();
    let mut draw = |latent: usize, entry: usize| {
        let (shape, rate) = (ascent.shape[latent][entry], ascent.rate[latent][entry]);
        Gamma::new(shape, 1.0 / rate).unwrap().sample(&mut rng)
    };
    let monitored = &chain.monitored[0];
    for (at, &cell) in monitored.cells.iter().enumerate().step_by(APART) {
        let place = [cell / SIZE, cell % SIZE];
        let truth = rate(&theta, &phi, place);
        by_gibbs.add(monitored.rates.entry(at).unwrap(), truth);
        let [i, j] = place;
        let mut product = |k: usize| draw(0, i * PARTS + k) * draw(1, k * SIZE + j);
        let draws = (0..DRAWS).map(|_| (0..PARTS).map(&mut product).sum());
        by_cavi.add(draws.collect(), truth);
    }
}

/// 2000 intervals each, of 20 data sets. The truth is a draw from the prior, so exact intervals of 90 % hold it in 90 % of all
/// cases; cells of one data set hang together, and three points either way are noise.
#[test]
#[ignore = "a measurement of some minutes"]
fn coverage() {
    for alpha in [0.1, 0.36787944117, 0.7, 0.9] {
        let mut both = [Intervals::default(), Intervals::default()];
        (0..20).for_each(|seed| replicate(alpha, seed, &mut both));
        let [by_gibbs, by_cavi] = &both;
        let share = |of: &Intervals| of.held / of.asked;
        println!(
            "alpha {alpha}: Gibbs {:.3}, CAVI {:.3}; widths of CAVI over those of Gibbs {:.2}",
            share(by_gibbs),
            share(by_cavi),
            by_cavi.width / by_gibbs.width
        );
        assert!(
            (share(by_gibbs) - 0.9).abs() < 0.03,
            "alpha {alpha}: {}",
            share(by_gibbs)
        );
        assert!(share(by_cavi) < share(by_gibbs), "alpha {alpha}");
    }
}
