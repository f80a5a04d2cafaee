//! Words that every document uses, and topics beside them, in documents whose exposure is known: a document that is read twice as long
//! counts twice as much of both. The program tells the background from the topics in released counts.
//!
//! `cargo run --release --example background`.

use skellam::counts::read_list;
use skellam::diagnose::{ComponentTable, top_names};
use skellam::prelude::*;

model! {
    /// Words that every document uses, and topics beside them.
    pub model Background {
        index docs, words, topics;
        hyper a: positive = 0.3;
        data exposure[d in docs]: positive;

        latent base[v in words]              ~ Gamma(shape = a, rate = 0.5);
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = a, rate = 1.0);

        let topical[d in docs, v in words] = sum(k in topics) theta[d, k] * phi[k, v];
        count y[d in docs, v in words] ~ Poisson(exposure[d] * (base[v] + topical[d, v]));

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/background.mtx";
    let counts = Sensitive::read(file, &ReadOptions::default())?;
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;
    let exposure = read_list("examples/data/background.exposure.txt")?;
    let exposure: Vec<f64> = exposure.iter().map(|e| e.parse()).collect::<Result<_, _>>()?;

    let model = Background::new(&released)?.topics(4).exposure(exposure);
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    // Every chain has an order of topics of its own: draws of all are put in one.
    let fit = fit.aligned("topics")?;
    let (base, theta, phi) = (fit.base.mean()?, fit.theta.mean()?, fit.phi.mean()?);
    let words: Vec<String> = (1..=base.len()).map(|v| format!("w{v}")).collect();
    println!("background: {}", top_names(&base, &words, 8)?.join(" "));
    // What each topic adds to all documents: its weights there, times its words.
    let size = |k: usize| theta.column(k).sum() * phi.row(k).sum();
    let sizes: Vec<f64> = (0..phi.nrows()).map(size).collect();
    println!("topics (share of what is topical; top words)");
    print!("{}", ComponentTable::new(&phi, &sizes, &words, 8)?);
    let [base, topical] = [base.sum() * theta.nrows() as f64, sizes.iter().sum()];
    let share = base / (base + topical);
    println!("the background is {:.0} % of a document of exposure one", 100.0 * share);
    Ok(())
}
