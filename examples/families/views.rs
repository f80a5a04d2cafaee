//! Two counts of the same documents, each observed in its own way, share a factor. Words were released privately; the marks that readers
//! gave are public, and what they say of documents sharpens what is found in the words.
//!
//! `cargo run --release --example views`.

use skellam::counts::read_counts;
use skellam::diagnose::{ComponentTable, top_names};
use skellam::prelude::*;

model! {
    /// Words of a document, and the marks that readers gave it.
    pub model Views {
        index docs, words, readers, topics;
        hyper a: positive = 0.3;
        data shown[d in docs, r in readers]: nonnegative;

        latent theta[d in docs, k in topics]    ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words]     ~ Gamma(shape = a, rate = 1.0);
        latent taste[k in topics, r in readers] ~ Gamma(shape = a, rate = 1.0);

        count y[d in docs, v in words]       ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        count marks[d in docs, r in readers] ~ Poisson(shown[d, r] * sum(k in topics) theta[d, k] * taste[k, r]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words = Sensitive::read("examples/data/views.words.mtx", &ReadOptions::default())?;
    let marks = &read_counts("examples/data/views.marks.mtx", &ReadOptions::default())?;
    // Noise of a seed is for simulated counts; it hides nothing. For words of your own: `words.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let y = &words.release_with_seed_for_simulation(&budget, 1)?;
    // Every reader saw two documents in three.
    let shown = Array::from_fn(marks.shape().to_vec(), |at| {
        f64::from(u8::from((at[0] + 2 * at[1]) % 3 != 0))
    })?;

    let model = Views::new(ViewsData { y, marks })?.topics(5).shown(shown);
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    // Every chain has an order of topics of its own: draws of all are put in one.
    let fit = fit.aligned("topics")?;
    let (theta, phi, taste) = (fit.theta.mean()?, fit.phi.mean()?, fit.taste.mean()?);
    let named = |prefix: &str, n: usize| (1..=n).map(|i| format!("{prefix}{i}")).collect::<Vec<_>>();
    let (words, readers) = (named("w", phi.ncols()), named("r", taste.ncols()));
    let size = |k: usize| theta.column(k).sum() * phi.row(k).sum();
    let sizes: Vec<f64> = (0..phi.nrows()).map(size).collect();
    println!("topics (share of the words; top words; readers who like it most)");
    for row in ComponentTable::new(&phi, &sizes, &words, 6)?.rows() {
        let readers = top_names(&taste.row(row.component), &readers, 4)?;
        println!(
            "{:>3.0} %   {}   {}",
            100.0 * row.share,
            row.names.join(" "),
            readers.join(" ")
        );
    }
    Ok(())
}
