//! Topics that are distributions over words: Dirichlet factors. A topic sums to one over words, so a weight of a document is the number of
//! its words that the topic accounts for. Counts of the commonest words of news articles are released.
//!
//! `cargo run --release --example simplex`

use skellam::counts::{largest, read_counts, read_vocabulary};
use skellam::diagnose::ComponentTable;
use skellam::prelude::*;

model! {
    /// Words of a topic are a distribution.
    pub model Simplex {
        index docs, words, topics;
        hyper eta[v in words]: positive = 0.1;

        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 0.1);
        latent phi[k in topics, v in words]  ~ Dirichlet(concentration = eta[v], along = v);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let articles = read_counts("examples/data/reuters/bow.mtx", &ReadOptions::default())?;
    let vocabulary = read_vocabulary("examples/data/reuters/vocab.txt")?;
    let common = largest(&articles.margins(1)?, 200);
    let words: Vec<&String> = common.iter().map(|&v| &vocabulary[v]).collect();
    let counts = Sensitive::new(articles.select(1, &common)?.select(0, &Vec::from_iter(0..200))?);
    // Noise of a seed is for public counts; it hides nothing. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;

    let model = Simplex::new(&released)?.topics(8);
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
    println!("topics (share of all words; top words)");
    let sizes: Vec<f64> = theta.columns().into_iter().map(|column| column.sum()).collect();
    print!("{}", ComponentTable::new(&phi, &sizes, &words, 8)?);
    for d in [0, 50, 100] {
        let of: Vec<String> = theta.row(d).iter().map(|x| format!("{x:.0}")).collect();
        println!(
            "article {}: {:.0} words, by topic {}",
            d + 1,
            theta.row(d).sum(),
            of.join(" + ")
        );
    }
    Ok(())
}
