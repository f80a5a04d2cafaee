//! A custom update instead of a derived one.
//!
//! `cargo run --release --example custom_update`
//!
//! `Sliced` replaces the draw of the weights by a slice sampler (Neal 2003), which leaves the derived conditional as it
//! is: the self-test accepts it, and the fit is the same. `Capped` changes the model on purpose: weights are known to be at
//! most one, so their draws are cut there. Where that holds it helps; the self-test says that it is another law.

use clap::Parser;
use skellam::diagnose::Scores;
use skellam::prelude::*;
use skellam::private::distribution::slice_step;
use skellam::private::streams::Stream;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// Weights between zero and one, drawn by an update of the user's own.
    pub model Sliced {
        index docs, words, topics;

        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = 0.3, rate = 0.1);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
        update theta by Slice;
    }
}

/// A slice sampler on the logarithm of each entry, between those of the smallest and the largest numbers.
struct Slice;

impl Update for Slice {
    fn draw(&self, shape: &[f64], rate: &[f64], x: &mut [f64], rng: &mut Stream) {
        for (i, x) in x.iter_mut().enumerate() {
            // The density of u = ln x is proportional to exp(shape u - rate e^u).
            let ln_density = |u: f64| shape[i] * u - rate[i] * u.exp();
            // Several steps: one alone moves little where the conditional has moved far.
            let step = |u, _| slice_step(u, [LEAST.ln(), f64::MAX.ln()], ln_density, rng);
            *x = (0..4).fold(x.ln(), step).exp();
        }
    }
}

/// The same model without an update of its own, and with one that changes it.
macro_rules! variant {
    ($name:ident $(, $update:ident)?) => {
        skellam::model! {
            /// See the example's own model.
            pub model $name {
                index docs, words, topics;
                latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
                latent phi[k in topics, v in words]  ~ Gamma(shape = 0.3, rate = 0.1);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
                release y by TwoSidedGeometric;
                $(update theta by $update;)?
            }
        }
    };
}
variant!(Derived);
variant!(Capped, Cap);

/// A gamma cut at one, by steps of a slice sampler on what is allowed.
struct Cap;

impl Update for Cap {
    fn draw(&self, shape: &[f64], rate: &[f64], x: &mut [f64], rng: &mut Stream) {
        for (i, x) in x.iter_mut().enumerate() {
            let ln_density = |x: f64| (shape[i] - 1.0) * x.ln() - rate[i] * x;
            let step = |at, _| slice_step(at, [LEAST, 1.0], ln_density, rng);
            *x = (0..4).fold(x.min(1.0), step);
        }
    }
}

/// Fits one model with the derived update, with a slice sampler in its place, and with a cap that is known to hold. Both replace draws
/// alone: by CAVI they change where an ascent starts, and not what it ascends.
#[derive(Debug, Parser)]
#[command(name = "custom_update")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
}

/// The least entry that a factor has.
const LEAST: f64 = f64::MIN_POSITIVE;
const DOCS: usize = 60;
const WORDS: usize = 60;
const TOPICS: usize = 3;

fn study(Arguments { flags }: &Arguments) -> Result<Study, Failure> {
    let mut simulation = Simulation::new(flags.seed);
    // Two weights of three are at the cap.
    let theta = simulation.gamma_matrix([DOCS, TOPICS], 4.0, 3.0)?.map(|x| x.min(1.0));
    let phi = simulation.gamma_matrix([TOPICS, WORDS], 0.3, 0.2)?;
    let rates = theta * phi;
    let counts = simulation.counts(&rates)?;
    let released = release(&counts, &flags.budget()?, flags.seed)?;
    let mut study = Study::of(&format!(
        "{DOCS} documents, {WORDS} words, {TOPICS} topics, weights at most 1; {}",
        flags.released(&counts)
    ));
    let mut scores = Scores::against(&rates, &counts)?;
    let mut largest = String::from("largest mean weight");
    macro_rules! fit {
        ($name:literal, $model:ident) => {
            let model = $model::new(&released)?.topics(TOPICS);
            let (theta, rate) = fitted!(model, flags, ["topics"], |fit| (fit.theta.mean()?, fit.rate()?));
            scores.add($name, &rate)?;
            largest.push_str(&format!("\n{:<14}   {:.2}", $name, theta.max()));
            study.number(concat!($name, ", largest"), theta.max());
        };
    }
    fit!("derived update", Derived);
    fit!("slice sampler", Sliced);
    fit!("capped at one", Capped);
    scores.add_constant()?;
    study.scores(&scores);
    study.say(&largest);
    Ok(study)
}

example!(Arguments, Sliced, study);
