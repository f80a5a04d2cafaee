//! The model as a declaration, fitted by both engines.

use skellam::channel::{TwoSidedGeometric, Varying};
use skellam::diagnose::Chains;
use skellam::prelude::*;

use super::Failure;
use super::estimate::Estimate;
use super::estimators::Estimator;
use super::model::{Model, Parameters, Released as Tables};

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
///
/// Blocks are not enough where noise is strong. If the release says nothing, a sweep draws `n` given `p`, and then `p` given `n`
/// with mean `(a + n) / (I a + N)`: `N / (N + I a)` of the distance of `p` from even shares is left. A chain that knows this of
/// itself is cheap to correct: every `thin`-th sweep is kept, and `thin` grows with `N`.
pub struct ByGibbs {
    /// Of the chain.
    pub seed: u64,
}

/// Sweeps for each draw that is kept, where the release says enough.
const FEW: usize = 4;
/// Sweeps for each draw that is kept, at most: 80,000 sweeps in all. Beyond 570 people, at even priors of two classes, fewer
/// independent draws are left where noise is strong, and `one` says how many.
const MOST: f64 = 200.0;
/// Independent draws that a fit should be worth.
const ENOUGH: f64 = 100.0;

/// Sweeps for each draw that is kept where the release says nothing. What is left of a distance after so many is `exp(-0.7)`, and
/// 399 draws are worth `399 tanh(0.35) = 134`. A line of `q` forgets as `p` does, with the people of its class for `N`, and the
/// smaller of the two priors decides.
fn sweeps_without_data(model: &Model) -> usize {
    let weakest = (model.classes as f64 * model.class_prior).min(model.answers as f64 * model.answer_prior);
    (0.7 * model.people as f64 / weakest).ceil().clamp(FEW as f64, MOST) as usize
}

/// Coordinate ascent: the law of the tables is kept whole.
pub struct ByCavi;

/// The declaration with the data.
fn declared(tables: &Tables) -> Result<NaiveBayes, Failure> {
    let model = &tables.model;
    let law = TwoSidedGeometric::new(tables.noise.alpha())?;
    let shape = vec![model.features, model.classes, model.answers];
    let released =
        Released::<TwoSidedGeometric>::assert_mechanism(shape, tables.values.clone(), Varying::Uniform(law))?;
    Ok(NaiveBayes::new(&released)?
        .people(model.people as u64)
        .a(model.class_prior)
        .b(model.answer_prior))
}

impl Estimator for ByGibbs {
    fn name(&self) -> &'static str {
        "gibbs"
    }

    fn estimate(&self, released: &Tables) -> Result<Estimate, Failure> {
        let mut chain = self.chain(released, FEW)?;
        let most = sweeps_without_data(&released.model);
        // A short chain tells whether a long one is needed: where there is little noise, it is not.
        if most > FEW && chain.effective.iter().any(|draws| *draws < ENOUGH) {
            chain = self.chain(released, most)?;
        }
        let of_p = chain.effective.iter().take(released.model.classes);
        Ok(Estimate {
            effective: of_p.copied().reduce(f64::min),
            doubts: chain.doubts,
            ..Estimate::of_draws(&chain.means, &chain.draws)
        })
    }
}

/// What is kept of a chain.
struct Chain {
    means: Parameters,
    draws: Vec<Parameters>,
    /// Effective sample size of every entry of `p`, then of `q`.
    effective: Vec<f64>,
    doubts: Vec<String>,
}

/// Settings of a single chain of which every `thin`-th sweep is kept.
fn settings(num_tune: usize, num_draws: usize, thin: usize, seed: u64) -> Gibbs {
    Gibbs {
        num_tune,
        num_draws,
        thin: Some(thin),
        num_chains: Some(1),
        seed,
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

impl ByGibbs {
    /// A chain of which every `thin`-th sweep is kept.
    fn chain(&self, released: &Tables, thin: usize) -> Result<Chain, Failure> {
        let fit = declared(released)?.gibbs(&settings(200.max(8 * thin), 399, thin, self.seed))?;
        let draw = |draw: usize| {
            Some(Parameters {
                p: fit.p.draw(0, draw)?.to_vec(),
                q: fit.q.draw(0, draw)?.as_slice().to_vec(),
            })
        };
        let draws: Vec<Parameters> = (0..fit.p.num_draws()).filter_map(draw).collect();
        let size = |entry: &dyn Fn(&Parameters) -> f64| {
            let entries: Vec<f64> = draws.iter().map(entry).collect();
            // Draws that are all alike, as those of a single class, have no effective size, and nothing is wrong.
            Chains::new(&entries, 1).map_or(f64::NAN, |chains| chains.ess_bulk())
        };
        let model = &released.model;
        let of_p = (0..model.classes).map(|i| size(&|draw| draw.p[i]));
        let effective = of_p.chain((0..model.cells()).map(|cell| size(&|draw| draw.q[cell])));
        Ok(Chain {
            means: Parameters {
                p: fit.p.mean()?.to_vec(),
                q: fit.q.mean()?.as_slice().to_vec(),
            },
            effective: effective.collect(),
            doubts: fit.doubts().iter().map(ToString::to_string).collect(),
            draws,
        })
    }
}

impl Estimator for ByCavi {
    fn name(&self) -> &'static str {
        "cavi"
    }

    fn estimate(&self, released: &Tables) -> Result<Estimate, Failure> {
        let fit = declared(released)?.cavi(&ascent())?;
        let p = concentrations(&fit.p.mean()?.to_vec(), &fit.p.variance().to_vec());
        let model = &released.model;
        let (means, variances) = (fit.q.mean()?, fit.q.variance());
        let lines = means
            .as_slice()
            .chunks(model.answers)
            .zip(variances.as_slice().chunks(model.answers));
        let q: Vec<f64> = lines
            .flat_map(|(means, variances)| concentrations(means, variances))
            .collect();
        Ok(Estimate {
            doubts: fit.doubts().iter().map(ToString::to_string).collect(),
            ..Estimate::of_dirichlets(model, &p, &q)
        })
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
pub fn bound(released: &Tables) -> Result<f64, Failure> {
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
    use super::super::published::Ascent;
    use super::super::score::Mean;
    use super::*;
    use skellam::math::streams::{Purpose, Streams};
    use skellam_check::SelfTest;

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
            let fit = declared(&released).unwrap().gibbs(&settings(200, 8000, 4, 1)).unwrap();
            let of_p = |draw: usize, entry: usize| fit.p.draw(0, draw).unwrap()[entry];
            let of_q = |draw: usize, entry: usize| fit.q.draw(0, draw).unwrap().as_slice()[entry];
            let latents: [(&dyn Fn(usize, usize) -> f64, _); 2] = [(&of_p, &exact.p), (&of_q, &exact.q)];
            for (of, entries) in latents {
                for (entry, expected) in entries.iter().enumerate() {
                    let part = |part: usize| (0..400).map(|i| of(part * 400 + i, entry)).sum::<f64>() / 400.0;
                    let Mean { value, error } = Mean::of(&(0..20).map(part).collect::<Vec<f64>>());
                    let off = (value - expected.mean).abs();
                    assert!(
                        off < 4.0 * error,
                        "{epsilon}, {entry}: {value} +- {error}, {}",
                        expected.mean
                    );
                }
            }
            let evidence = Hidden::integrated(&released).ln_evidence();
            let published = Ascent::new(&released).climb();
            let bound = bound(&released).unwrap();
            assert!(bound < evidence && bound > published, "{published} {bound} {evidence}");
        }
    }

    /// Where the release says nothing, what is left of `p` after a sweep is `N / (N + I a)`, and the chain of the estimator is worth what
    /// it is meant to be worth.
    #[test]
    fn chains_are_long_enough_for_what_they_forget() {
        let model = Model::new(60, [2, 1, 2]).unwrap();
        assert_eq!(sweeps_without_data(&model), 21);
        let released = Tables {
            model,
            noise: Tables::noise(1e-6).unwrap(),
            values: vec![0; 4],
        };
        let gibbs = ByGibbs { seed: 1 };
        let short = gibbs.chain(&released, 1).unwrap();
        // The standard error of the estimate from 8,000 draws is 0.003.
        let fit = declared(&released).unwrap().gibbs(&settings(500, 8000, 1, 1)).unwrap();
        let p: Vec<f64> = (0..8000).map(|draw| fit.p.draw(0, draw).unwrap()[0] - 0.5).collect();
        let [lagged, variance] = [1, 0].map(|lag| p.iter().zip(&p[lag..]).map(|(a, b)| a * b).sum::<f64>());
        assert!((lagged / variance - 60.0 / 62.0).abs() < 0.01, "{}", lagged / variance);
        assert!(short.effective[0] < ENOUGH, "{:?}", short.effective);
        let effective = gibbs.estimate(&released).unwrap().effective.unwrap();
        // 134 is meant; an estimate from 399 draws is off by a quarter at most.
        assert!(effective > ENOUGH, "{effective}");
    }

    /// Every law with 15 % of the iterations: false positives below 1e-5. `--self-test` runs them whole.
    #[test]
    fn the_model_passes_its_self_test() {
        let settings = SelfTest {
            effort: 0.15,
            ..SelfTest::default()
        };
        let report = settings.run::<NaiveBayes>();
        assert!(report.passed(), "{report}");
    }
}
