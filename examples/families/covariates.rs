//! Known factors: effects of what is known about each document, beside topics for what is not. The program estimates what a year, urgency
//! and an origin abroad add to each word, out of released counts.
//!
//! `cargo run --release --example covariates`.

use skellam::counts::read_list;
use skellam::diagnose::top_names;
use skellam::prelude::*;

model! {
    /// Counts explained by known covariates and by unknown topics.
    pub model Covariates {
        index docs, words, covariates, topics;
        hyper a: positive = 0.3;
        data x[d in docs, p in covariates]: nonnegative;

        latent beta[p in covariates, v in words] ~ Gamma(shape = a, rate = 1.0);
        latent theta[d in docs, k in topics]     ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words]      ~ Gamma(shape = a, rate = 1.0);

        count y[d in docs, v in words]
            ~ Poisson(sum(p in covariates) x[d, p] * beta[p, v] + sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/covariates.mtx";
    let counts = Sensitive::read(file, &ReadOptions::default())?;
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;
    let names = ["year", "urgent", "from abroad"];
    let lines = read_list("examples/data/covariates.x.txt")?;
    let x = lines.iter().flat_map(|line| line.split(' ')).map(str::parse);
    let x = Array::new(vec![lines.len(), names.len()], x.collect::<Result<_, _>>()?)?;

    let model = Covariates::new(&released)?.topics(2).x(x);
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    // Effects have one order in every chain, and need no alignment.
    let (beta, (least, most)) = (fit.beta.mean()?, fit.beta.interval(0.9)?);
    let words: Vec<String> = (1..=beta.ncols()).map(|v| format!("w{v}")).collect();
    for (p, name) in names.iter().enumerate() {
        let sum = beta.row(p).sum();
        println!("one more of `{name}` adds {sum:.1} words to a document:");
        for word in top_names(&beta.row(p), &words, 3)? {
            let v = words.iter().position(|w| w == word).unwrap_or_default();
            let [mean, low, high] = [&beta, &least, &most].map(|x| x[(p, v)]);
            println!("   {mean:>5.2} of {word}, with probability 0.9 from {low:.2} to {high:.2}");
        }
    }
    Ok(())
}
