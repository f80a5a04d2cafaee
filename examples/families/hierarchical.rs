//! Hierarchical Poisson factorization: how much each document writes, and how common each word is, are learned. Documents go from long to
//! short, and words from common to rare; the program finds the budget of each in released counts.
//!
//! `cargo run --release --example hierarchical`.

use skellam::prelude::*;

model! {
    /// Budgets of documents and of words are learned.
    pub model Hierarchical {
        index docs, words, topics;
        hyper a: positive = 0.3, b: positive = 0.3;

        latent xi[d in docs]   ~ Gamma(shape = a, rate = 1.0);
        latent eta[v in words] ~ Gamma(shape = b, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = xi[d]);
        latent phi[k in topics, v in words]  ~ Gamma(shape = b, rate = eta[v]);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/hierarchical.mtx";
    let counts = Sensitive::read(file, &ReadOptions::default())?;
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;

    let model = Hierarchical::new(&released)?.topics(5);
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    // A budget is the reciprocal of a rate, so its interval is that of the rate turned round. Rates of documents and of words trade
    // a factor: budgets are compared with each other.
    let (rate, (least, most)) = (fit.xi.mean()?, fit.xi.interval(0.9)?);
    println!("document   budget, 90 % interval");
    for d in (0..rate.len()).step_by(20) {
        println!(
            "{:>8}   {:>6.2}  {:>6.2} to {:>6.2}",
            d + 1,
            1.0 / rate[d],
            1.0 / most[d],
            1.0 / least[d]
        );
    }
    let (rate, (least, most)) = (fit.eta.mean()?, fit.eta.interval(0.9)?);
    println!("    word   budget, 90 % interval");
    for v in (0..rate.len()).step_by(20) {
        println!(
            "{:>8}   {:>6.2}  {:>6.2} to {:>6.2}",
            v + 1,
            1.0 / rate[v],
            1.0 / most[v],
            1.0 / least[v]
        );
    }
    Ok(())
}
