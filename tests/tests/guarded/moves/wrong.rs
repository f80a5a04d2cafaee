//! Moves that are wrong, which Geweke's test must see.

use rand::RngExt;
use skellam::infer::LogDensity;
use skellam::math::streams::{Purpose, Streams};
use skellam::model::{Bound, CountRate, ElboParts, Factors, Model, Prior, Step, Symmetry};
use skellam::prelude::*;
use skellam_tests::data::{arrays, factors};
use skellam_tests::families::*;
use skellam_tests::geweke::{Deviation, LIMIT};

use super::kernel::*;

/// A model whose moves, and nothing else, have the density of `x` instead of that of `ln x`: shapes lack one.
struct NoJacobian<'a>(&'a dyn Model);

impl Model for NoJacobian<'_> {
    fn bound(&self) -> &Bound {
        self.0.bound()
    }

    fn elbo(&self, of: &ElboParts<'_>) -> f64 {
        self.0.elbo(of)
    }

    fn prior(&self, latent: usize, x: &Factors) -> Prior {
        let mut prior = self.0.prior(latent, x);
        if prior.family.has_scale() {
            prior.parameters[0].iter_mut().for_each(|a| *a -= 1.0);
        }
        prior
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.0.symmetries()
    }

    fn update(&self, x: &mut Factors, counts: &mut Factors, count_rates: &mut [CountRate], step: &mut dyn Step) {
        self.0.update(x, counts, count_rates, step);
    }
}

fn fails(moves: Moves, of: &[usize]) {
    let kernel =
        |model: &MatrixModel, x: &[Vec<f64>], i: u64| moved_by(&NoJacobian(model), x, i, (moves, of), (STEP, 1));
    let Deviation {
        z,
        statistic,
        of: among,
    } = deviation(&MatrixAt(3, 4, 2), &kernel);
    println!("no Jacobian, {moves:?} {of:?}: z = {z:.2} of {statistic}, the largest of {among}");
    assert!(z.abs() > LIMIT, "{moves:?} {of:?}: z = {z:.2} of {statistic}");
}

/// Along the symmetry of three rows and four columns its `p` is off by one.
#[test]
fn a_forgotten_jacobian_is_caught() {
    fails(TRAJECTORIES, &[]);
    fails(LEVELS, &LEVELS_OF_MATRIX);
    fails(LEVELS, &ROWS_OF_MATRIX);
    fails(LEVELS, &COMPONENTS_OF_MATRIX);
    // No trajectory is due: scales alone.
    fails(Moves::Trajectories { every: 1000, steps: 1 }, &[]);
}

/// A step in every logarithm, accepted by the prior alone: it leaves the prior as it is, and so is seen only where
/// factors and observations are looked at together.
fn blind(x: &[Vec<f64>], iteration: u64) -> Vec<Vec<f64>> {
    let mut rng = Streams::new(9, iteration).open(Purpose::Moves, 0, 0);
    let priors = [(2.0, 1.5), (1.5, 1.0)];
    let mut moved = x.to_vec();
    for (values, (a, b)) in moved.iter_mut().zip(priors) {
        for x in values {
            let by: f64 = rng.random_range(-1.5..1.5);
            let gain = a * by - b * *x * (by.exp() - 1.0);
            if rng.random::<f64>() < gain.exp() {
                *x *= by.exp();
            }
        }
    }
    moved
}

#[test]
fn a_move_that_does_not_look_at_the_data_is_caught() {
    // Eight in a row all but draw from the prior.
    let kernel = |model: &MatrixModel, x: &[Vec<f64>], i: u64| {
        let swept = moved(model, x, i, Moves::Nothing);
        (0..8).fold(swept, |x, round| blind(&x, 8 * i + round))
    };
    let found = deviation(&MatrixAt(3, 4, 2), &kernel);
    println!("blind: {found:?}");
    assert!(
        found.z.abs() > LIMIT && found.statistic.contains("observation"),
        "{found:?}"
    );
}

/// Leapfrog of four steps of 0.4, accepted by the density, or whenever it loses less than `free` in energy.
fn leapfrog(model: &dyn Model, x: &[Vec<f64>], iteration: u64, free: f64) -> Vec<Vec<f64>> {
    let mut rng = Streams::new(7, iteration).open(Purpose::Moves, 0, 0);
    let mut density = LogDensity::new(model, model.latents());
    let mut values = factors(model, x);
    density.set_prior(model, &values);
    let (mut point, mut gradient) = (vec![0.0; density.len()], vec![0.0; density.len()]);
    density.logarithms(&values, &mut point);
    // Box and Muller.
    let mut normal = || {
        let (u, v): (f64, f64) = (1.0 - rng.random::<f64>(), rng.random());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    };
    let mut momentum: Vec<f64> = point.iter().map(|_| normal()).collect();
    let energy = |momentum: &[f64]| 0.5 * momentum.iter().map(|p| p * p).sum::<f64>();
    let before = density.evaluate(model, &mut values, &point, &mut gradient) - energy(&momentum);
    let mut after = before;
    for _ in 0..4 {
        momentum.iter_mut().zip(&gradient).for_each(|(p, g)| *p += 0.2 * g);
        point.iter_mut().zip(&momentum).for_each(|(q, p)| *q += 0.4 * p);
        after = density.evaluate(model, &mut values, &point, &mut gradient);
        momentum.iter_mut().zip(&gradient).for_each(|(p, g)| *p += 0.2 * g);
    }
    after -= energy(&momentum);
    if after - before > -free || rng.random::<f64>() < (after - before).exp() {
        arrays(&values)
    } else {
        x.to_vec()
    }
}

#[test]
fn acceptance_that_is_ignored_is_caught() {
    let of = |free: f64| deviation(&MatrixAt(3, 4, 2), &|model, x, i| leapfrog(model, x, i, free));
    let (right, wrong) = (of(0.0), of(12.0));
    println!("accepted by the density: {right:?}; up to a loss of twelve: {wrong:?}");
    assert!(right.z.abs() < LIMIT, "{right:?}");
    assert!(wrong.z.abs() > LIMIT, "{wrong:?}");
}
