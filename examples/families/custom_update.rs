//! A custom update instead of a derived one: the weights are drawn by a slice sampler (Neal 2003), which leaves the derived conditional as it
//! is. `skellam_check::check::<Sliced>()` accepts it, and would not accept a draw from another law.
//!
//! `cargo run --release --example custom_update`.

use skellam::diagnose::ComponentTable;
use skellam::math::distribution::slice_step;
use skellam::math::streams::Stream;
use skellam::prelude::*;

model! {
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
            let ends = [f64::MIN_POSITIVE.ln(), f64::MAX.ln()];
            // Several steps: one alone moves little where the conditional has moved far.
            *x = (0..4).fold(x.ln(), |u, _| slice_step(u, ends, ln_density, rng)).exp();
        }
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/custom_update.mtx";
    let counts = Sensitive::read(file, &ReadOptions::default())?;
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;

    let model = Sliced::new(&released)?.topics(3);
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    // Chains find topics of their own: those of the chain with the highest joint density are shown.
    let fit = fit.of_chain(fit.most_probable().0)?;
    let (theta, phi) = (fit.theta.mean()?, fit.phi.mean()?);
    let words: Vec<String> = (1..=phi.ncols()).map(|v| format!("w{v}")).collect();
    let size = |k: usize| theta.column(k).sum() * phi.row(k).sum();
    let sizes: Vec<f64> = (0..phi.nrows()).map(size).collect();
    println!("topics (share of all words; top words)");
    print!("{}", ComponentTable::new(&phi, &sizes, &words, 8)?);
    let mean = theta.sum() / theta.len() as f64;
    let max = theta.iter().copied().fold(0.0, f64::max);
    println!("weights of a document: {mean:.2} on average, {max:.2} at most");
    Ok(())
}
