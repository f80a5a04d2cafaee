//! Topic models as textbooks write them: words of a document are multinomial, and its length is known. Word counts of news articles are
//! released with noise that covers one word replaced by another; lengths stay as they are.
//!
//! `cargo run --release --example lda`, or `.. --example lda -- letters` for a folder of texts of your own.

use skellam::counts::{largest, read_counts, read_vocabulary};
use skellam::diagnose::ComponentTable;
use skellam::prelude::*;
use skellam_text::{TextOptions, read_text};

model! {
    /// Topics of documents of known lengths.
    pub model Lda {
        index docs, words, topics;
        /// Words of each document.
        data length[d in docs]: whole;

        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 0.2, along = k);
        latent phi[k in topics, v in words]  ~ Dirichlet(concentration = 0.1, along = v);

        count y[d in docs, v in words] ~ Multinomial(length[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (articles, vocabulary) = if let Some(folder) = std::env::args().nth(1) {
        let corpus = read_text(folder, &TextOptions::default())?;
        (corpus.counts().clone(), corpus.words().to_vec())
    } else {
        let articles = read_counts("examples/data/reuters/bow.mtx", &ReadOptions::default())?;
        (articles, read_vocabulary("examples/data/reuters/vocab.txt")?)
    };
    // The first articles over the commonest words.
    let common = largest(&articles.margins(1)?, 60);
    let first = Vec::from_iter(0..articles.shape()[0].min(100));
    let counts = articles.select(1, &common)?.select(0, &first)?;
    let words: Vec<&String> = common.iter().map(|&v| &vocabulary[v]).collect();
    let length = counts.margins(0)?;

    // Noise of a seed is for public counts; it hides nothing. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::moving(1, 5)?;
    let released = Sensitive::new(counts).release_with_seed_for_simulation(&budget, 1)?;
    let model = Lda::new(&released)?.topics(6).length(&length);
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
    // Shares of a document times its length are words.
    let sizes: Vec<f64> = theta
        .columns()
        .into_iter()
        .map(|theta| theta.iter().zip(&length).map(|(x, n)| x * n).sum())
        .collect();
    println!("topics (share of all words; top words)");
    print!("{}", ComponentTable::new(&phi, &sizes, &words, 7)?);
    for (d, words) in length.iter().enumerate().take(3) {
        let shares: Vec<String> = theta.row(d).iter().map(|x| format!("{:3.0} %", 100.0 * x)).collect();
        println!("article {}, {words} words: {}", d + 1, shares.join("  "));
    }
    Ok(())
}
