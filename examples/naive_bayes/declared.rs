//! The model as a declaration, fitted by both engines.

use skellam::channel::{TwoSidedGeometric, Varying};
use skellam::prelude::*;

use super::error::NaiveBayesError;
use super::estimate::Estimate;
use super::estimators::Estimator;
use super::model::{Parameters, Released as Tables};

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

/// Draws of the posterior by Gibbs sampling: tables in one block, then the Dirichlets.
pub struct ByGibbs {
    /// Of the chain.
    pub seed: u64,
}

/// Coordinate ascent: the law of the tables is kept whole.
pub struct ByCavi;

/// The declaration with the data.
fn declared(tables: &Tables) -> Result<NaiveBayes, NaiveBayesError> {
    let model = &tables.model;
    let law =
        TwoSidedGeometric::new(tables.noise.alpha()).map_err(|_| NaiveBayesError::Epsilon(tables.noise.alpha()))?;
    let shape = vec![model.features(), model.classes(), model.answers()];
    let released =
        Released::<TwoSidedGeometric>::assert_mechanism(shape, tables.values.clone(), Varying::Uniform(law))?;
    Ok(NaiveBayes::new(&released)?
        .people(model.people() as u64)
        .a(model.class_prior())
        .b(model.answer_prior()))
}

impl Estimator for ByGibbs {
    fn name(&self) -> &'static str {
        "gibbs"
    }

    fn estimate(&self, released: &Tables) -> Result<Estimate, NaiveBayesError> {
        let settings = Gibbs {
            num_tune: 200,
            num_draws: 399,
            thin: 4,
            num_chains: Some(1),
            seed: self.seed,
            progress: Progress::Hidden,
            ..Gibbs::default()
        };
        let fit = declared(released)?.gibbs(&settings)?;
        let draws = (0..fit.p.num_draws()).filter_map(|draw| {
            Some(Parameters {
                p: fit.p.draw(0, draw)?.as_slice().to_vec(),
                q: fit.q.draw(0, draw)?.as_slice().to_vec(),
            })
        });
        let means = Parameters {
            p: fit.p.mean()?.as_slice().to_vec(),
            q: fit.q.mean()?.as_slice().to_vec(),
        };
        Ok(Estimate::of_draws(&means, &draws.collect::<Vec<_>>()))
    }
}

impl Estimator for ByCavi {
    fn name(&self) -> &'static str {
        "cavi"
    }

    fn estimate(&self, released: &Tables) -> Result<Estimate, NaiveBayesError> {
        let fit = declared(released)?.cavi(&ascent())?;
        let p = concentrations(fit.p.mean()?.as_slice(), fit.p.variance().as_slice());
        let model = &released.model;
        let (means, variances) = (fit.q.mean()?, fit.q.variance());
        let lines = means
            .as_slice()
            .chunks(model.answers())
            .zip(variances.as_slice().chunks(model.answers()));
        let q: Vec<f64> = lines
            .flat_map(|(means, variances)| concentrations(means, variances))
            .collect();
        Ok(Estimate::of_dirichlets(model, &p, &q))
    }
}

fn ascent() -> Cavi {
    Cavi {
        num_restarts: 1,
        progress: Progress::Hidden,
        ..Cavi::default()
    }
}

/// The bound of coordinate ascent.
///
/// # Errors
///
/// Data or settings that the engine refuses.
pub fn bound(released: &Tables) -> Result<f64, NaiveBayesError> {
    Ok(declared(released)?.cavi(&ascent())?.elbo.unwrap_or(f64::NAN))
}

/// The concentrations of the Dirichlet with these means and variances: `m (1 - m) / v` is one more than their sum.
fn concentrations(means: &[f64], variances: &[f64]) -> Vec<f64> {
    let widest = means.iter().zip(variances).max_by(|a, b| a.1.total_cmp(b.1));
    let sum = widest.map_or(1.0, |(m, v)| if *v > 0.0 { m * (1.0 - m) / v - 1.0 } else { 1.0 });
    means.iter().map(|mean| mean * sum).collect()
}

#[cfg(test)]
mod tests {
    use super::super::draw;
    use super::super::exact::{Exact, Hidden};
    use super::super::model::Model;
    use super::super::published::{Ascent, Minorizer};
    use super::*;
    use skellam::streams::{Purpose, Streams};

    /// Tables of 20 people: long chains against the exact posterior, within four standard errors of means of 20 parts (of 12 numbers, a false
    /// alarm in some hundred runs); the bound lies below the evidence and above the published one.
    #[test]
    fn both_engines_are_held_against_the_exact_posterior() {
        for (seed, epsilon) in [(1, 0.5), (2, 2.0)] {
            let model = Model::new(20, [2, 2, 2]).unwrap();
            let streams = Streams::new(seed, 0);
            let mut rng = streams.open(Purpose::Start, 0, 0);
            let truth = draw::parameters(&model, &mut rng);
            let tables = draw::tables(&model, &truth, &mut rng);
            let released = draw::release(&model, &tables, epsilon, &mut rng).unwrap();
            let exact = Exact { rng }.estimate(&released).unwrap();
            let settings = Gibbs {
                num_tune: 200,
                num_draws: 8000,
                thin: 4,
                num_chains: Some(1),
                seed: 1,
                progress: Progress::Hidden,
                ..Gibbs::default()
            };
            let fit = declared(&released).unwrap().gibbs(&settings).unwrap();
            let draw_of = |latent: usize, entry: usize, draw: usize| match latent {
                0 => fit.p.draw(0, draw).unwrap().as_slice()[entry],
                _ => fit.q.draw(0, draw).unwrap().as_slice()[entry],
            };
            for (latent, entries) in [(0, &exact.p), (1, &exact.q)] {
                for (entry, expected) in entries.iter().enumerate() {
                    let parts: Vec<f64> = (0..20)
                        .map(|part| {
                            (0..400)
                                .map(|draw| draw_of(latent, entry, part * 400 + draw))
                                .sum::<f64>()
                                / 400.0
                        })
                        .collect();
                    let mean = parts.iter().sum::<f64>() / 20.0;
                    let variance = parts.iter().map(|part| (part - mean).powi(2)).sum::<f64>() / 19.0;
                    let error = (variance / 20.0).sqrt();
                    assert!(
                        (mean - expected.mean).abs() < 4.0 * error,
                        "{epsilon}, {latent}, {entry}: {mean} +- {error}, {}",
                        expected.mean
                    );
                }
            }
            let evidence = Hidden::integrated(&released).ln_evidence();
            let published = Ascent::new(&released, Minorizer::Mixture).climb();
            let bound = bound(&released).unwrap();
            assert!(bound < evidence && bound > published, "{published} {bound} {evidence}");
        }
    }
}
