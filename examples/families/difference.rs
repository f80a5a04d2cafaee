//! Noise whose level nobody knows, declared as the difference of two Poisson counts that it is. A table was published with two-sided
//! geometric noise, some of it below zero; the program finds its topics, and the level of the noise. See also `flows`.
//!
//! `cargo run --release --example difference`.

use skellam::counts::read_differences;
use skellam::diagnose::ComponentTable;
use skellam::prelude::*;

model! {
    /// Topics of documents, in counts with noise of an unknown level.
    pub model Declared {
        index docs, words, topics;
        hyper a: positive = 0.3;

        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = a, rate = 1.0);
        latent odds                          ~ Gamma(shape = 1.0, rate = 1.0);
        latent plus[d in docs, v in words]   ~ Gamma(shape = 1.0, rate = odds);
        latent minus[d in docs, v in words]  ~ Gamma(shape = 1.0, rate = odds);

        count c[d in docs, v in words] ~ Skellam(
            plus = plus[d, v] + sum(k in topics) theta[d, k] * phi[k, v],
            minus = minus[d, v],
        );
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/difference.mtx";
    // What was published is no secret any more: it is fitted as it is.
    let published = read_differences(file, &ReadOptions::default())?;

    let model = Declared::new(&published)?.topics(4);
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    // Geometric noise of level alpha is such a difference with odds (1 - alpha) / alpha, and alpha is exp(-epsilon).
    let (odds, (least, most)) = (fit.odds.mean()?, fit.odds.interval(0.9)?);
    let [mean, low, high] = [odds, least, most].map(f64::ln_1p);
    println!("epsilon of the noise: {mean:.2}, with probability 0.9 from {low:.2} to {high:.2}");
    // Chains need not number topics alike: those of one are shown.
    let one = fit.of_chain(fit.most_probable().0)?;
    let (theta, phi) = (one.theta.mean()?, one.phi.mean()?);
    let words: Vec<String> = (1..=phi.ncols()).map(|v| format!("w{v}")).collect();
    let size = |k: usize| theta.column(k).sum() * phi.row(k).sum();
    let sizes: Vec<f64> = (0..phi.nrows()).map(size).collect();
    println!("topics (share of what was counted; top words)");
    print!("{}", ComponentTable::new(&phi, &sizes, &words, 8)?);
    Ok(())
}
