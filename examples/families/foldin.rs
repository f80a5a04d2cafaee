//! Fold-in: topics come from public news articles and are frozen; new articles, which were released privately, are placed among them. Half
//! of the new words are held out, and predicted.
//!
//! `cargo run --release --example foldin`

use skellam::counts::{largest, read_counts, read_vocabulary};
use skellam::diagnose::ComponentTable;
use skellam::prelude::*;

model! {
    /// Topics of news articles; those of new articles are projected on topics that are frozen.
    pub model Foldin {
        index docs, words, topics;
        hyper a: positive = 0.1;

        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 0.1);
        latent phi[k in topics, v in words]  ~ Gamma(shape = a, rate = 1.0);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let articles = read_counts("examples/data/reuters/bow.mtx", &ReadOptions::default())?;
    let vocabulary = read_vocabulary("examples/data/reuters/vocab.txt")?;
    let common = largest(&articles.margins(1)?, 150);
    let words: Vec<&String> = common.iter().map(|&v| &vocabulary[v]).collect();
    let counts = articles.select(1, &common)?;
    let public = counts.select(0, &Vec::from_iter(0..295))?;
    let new = Sensitive::new(counts.select(0, &Vec::from_iter(295..395))?);
    let settings = Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    };

    let fit = Foldin::exact(&public)?.topics(8).gibbs(&settings)?;
    println!("public articles: {}", fit.summary().verdict());
    let fit = fit.of_chain(fit.most_probable().0)?;
    let (theta, phi) = (fit.theta.mean()?, fit.phi.mean()?);
    let size = |k: usize| theta.column(k).sum() * phi.row(k).sum();
    let sizes: Vec<f64> = (0..phi.nrows()).map(size).collect();
    println!("topics (share of all words; top words)");
    println!("{}", ComponentTable::new(&phi, &sizes, &words, 8)?);

    // Noise of a seed is for public counts; it hides nothing. For counts of your own: `new.release(&budget)?`.
    let released = new.release_with_seed_for_simulation(&Lplp::new(1, 1)?, 1)?;
    let half = Mask::random(released.shape(), 0.5, 1)?;
    let model = Foldin::new(&released.hold_out(&half)?)?.freeze_phi(&phi);
    let fit = model.gibbs(&settings)?;
    println!("new articles: {}", fit.summary().verdict());
    if let Some(score) = fit.held_out_score("y")? {
        println!("held-out half: log predictive probability of a cell {score:.3}");
    }
    let theta = fit.theta.mean()?;
    for d in 0..3 {
        let of: Vec<f64> = (0..phi.nrows()).map(|k| theta[(d, k)] * phi.row(k).sum()).collect();
        let (number, total) = (d + 1, of.iter().sum::<f64>());
        let topic = words[largest(&phi.row(largest(&of, 1)[0]).to_vec(), 1)[0]];
        println!("new article {number}: {total:.0} words, most of them in the topic of `{topic}`");
    }
    Ok(())
}
