//! Counts that spread more than a Poisson: a gamma in every cell, whose shape is learned. The counts are public, and observed as they are;
//! the program says how much they spread, and where.
//!
//! `cargo run --release --example negative_binomial`.

use skellam::counts::{index_at, largest, read_counts};
use skellam::diagnose::CellValues;
use skellam::prelude::*;

model! {
    /// Negative binomial counts.
    pub model NegativeBinomial {
        index docs, words, topics;

        latent r ~ Gamma(shape = 1.0, rate = 1.0);
        latent b ~ Gamma(shape = 1.0, rate = 1.0);
        latent eps[d in docs, v in words] ~ Gamma(shape = r, rate = b);

        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = 0.5, rate = 1.0);

        count y[d in docs, v in words] ~ Poisson(eps[d, v] * sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/negative_binomial.mtx";
    let counts = read_counts(file, &ReadOptions::default())?;

    let model = NegativeBinomial::new(&counts)?.topics(3);
    // Of a latent with an entry for each cell the mean is kept on request alone.
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        keep: Keep::default().latent("eps", Kept::Moments),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    let (r, (least, most)) = (fit.r.mean()?, fit.r.interval(0.9)?);
    println!("shape {r:.2}, with probability 0.9 from {least:.2} to {most:.2}");
    println!(
        "a count of mean 10 has the variance {:.0}, where a Poisson has 10",
        10.0 + 100.0 / r
    );
    let (eps, rate) = (fit.eps.mean()?, fit.rate()?);
    let mean = eps.sum() / eps.len() as f64;
    println!("cells that stand out most from their row and column:");
    for cell in largest(&eps.row_major()?, 5) {
        let at = index_at(counts.shape(), cell);
        let (d, v) = (at[0], at[1]);
        let count = counts.get(&at).unwrap_or(0);
        // What is expected there if the cell spreads as the others do on average.
        let expected = rate[(d, v)] / eps[(d, v)] * mean;
        let (row, column) = (d + 1, v + 1);
        println!("row {row:>2}, column {column:>2}: {count:>3} counted, {expected:>5.1} expected");
    }
    Ok(())
}
