//! The model as a declaration, fitted by both engines.

use skellam::channel::{TwoSidedGeometric, Varying};
use skellam::prelude::*;

use super::estimate::Estimate;
use super::model::{self, Parameters};
use crate::Failure;

skellam::model! {
    /// People with hidden classes, and tables of their answers by class.
    pub model NaiveBayes {
        index features, classes, answers;
        hyper a: positive = 1.0, b: positive = 1.0;
        /// How many people there are, which is public.
        total people;

        latent p[i in classes] ~ Dirichlet(concentration = a, along = i);
        latent q[k in features, i in classes, j in answers] ~ Dirichlet(concentration = b, along = j);

        hidden n[i in classes] ~ Multinomial(people, p[i], along = i);
        count m[k in features, i in classes, j in answers] ~ Multinomial(n[i], q[k, i, j], along = j);

        release m by TwoSidedGeometric;
    }
}

/// Draws that are kept of a chain: an interval lies between ranks of them, as those of exact draws.
const DRAWS: usize = 399;
/// Sweeps for each. Where a release says nothing, a sweep draws `n` given `p`, and then `p` with the mean `(a + n) / (I a + N)`: `N / (N + I a)` of the distance of `p` from even shares is
/// left. At 50 people and two classes `exp(-0.7)` is left after 18 sweeps, and 399 draws are worth 134 independent ones.
const THIN: usize = 18;

/// The declaration with the data.
fn declared(released: &model::Released) -> Result<NaiveBayes, Failure> {
    let model = &released.model;
    let law = TwoSidedGeometric::new(released.noise.alpha())?;
    let shape = vec![model.features, model.classes, model.answers];
    let released = Released::assert_mechanism(shape, released.values.clone(), Varying::Uniform(law))?;
    Ok(NaiveBayes::new(&released)?.people(model.people as u64))
}

/// Draws of one chain.
pub fn by_gibbs(released: &model::Released, seed: u64) -> Result<Estimate, Failure> {
    let fit = declared(released)?.gibbs(&Gibbs {
        num_tune: 8 * THIN,
        num_draws: DRAWS,
        thin: Some(THIN),
        num_chains: Some(1),
        seed,
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    let draw = |draw: usize| {
        Some(Parameters {
            p: fit.p.draw(0, draw)?.to_vec(),
            q: fit.q.draw(0, draw)?.as_slice().to_vec(),
        })
    };
    let draws: Vec<Parameters> = (0..DRAWS).filter_map(draw).collect();
    let means = Parameters {
        p: fit.p.mean()?.to_vec(),
        q: fit.q.mean()?.as_slice().to_vec(),
    };
    Ok(Estimate::of_draws(&means, &draws))
}

/// Coordinate ascent, which keeps the law of the tables whole.
pub fn by_cavi(released: &model::Released) -> Result<Estimate, Failure> {
    let fit = declared(released)?.cavi(&Cavi {
        num_restarts: 1,
        progress: Progress::Hidden,
        ..Cavi::default()
    })?;
    let p = concentrations(&fit.p.mean()?.to_vec(), &fit.p.variance().to_vec());
    let (means, variances) = (fit.q.mean()?, fit.q.variance());
    let answers = released.model.answers;
    let lines = means
        .as_slice()
        .chunks(answers)
        .zip(variances.as_slice().chunks(answers));
    let q = lines.flat_map(|(means, variances)| concentrations(means, variances));
    Ok(Estimate::of_dirichlets(&released.model, &p, &q.collect::<Vec<f64>>()))
}

/// The concentrations of the Dirichlet with these means and variances: `m (1 - m) / v` is one more than their sum.
fn concentrations(means: &[f64], variances: &[f64]) -> Vec<f64> {
    let widest = means.iter().zip(variances).max_by(|a, b| a.1.total_cmp(b.1));
    let sum = widest.map_or(1.0, |(m, v)| m * (1.0 - m) / v - 1.0);
    means.iter().map(|mean| mean * sum).collect()
}
