//! Documents by author: what a document takes from its author is looked up, in a rate and in a prior. Each document is short; what its
//! author's other documents say is learned from all of them, out of released counts.
//!
//! `cargo run --release --example groups`.

use skellam::counts::read_list;
use skellam::prelude::*;

model! {
    /// Styles and lengths of authors.
    pub model Groups {
        index docs, words, authors, topics;
        /// Who wrote each document.
        data author[d in docs]: authors;

        latent terse[a in authors] ~ Gamma(shape = 2.0, rate = 2.0);
        latent style[a in authors, k in topics] ~ Gamma(shape = 0.3, rate = terse[a]);
        latent theta[d in docs, k in topics]    ~ Gamma(shape = 0.3, rate = terse[author[d]]);
        latent phi[k in topics, v in words]     ~ Gamma(shape = 0.3, rate = 1.0);

        count y[d in docs, v in words]
            ~ Poisson(sum(k in topics) (style[author[d], k] + theta[d, k]) * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/groups.mtx";
    let counts = Sensitive::read(file, &ReadOptions::default())?;
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;
    let author = read_list("examples/data/groups.authors.txt")?;
    let author: Vec<usize> = author.iter().map(|a| a.parse()).collect::<Result<_, _>>()?;

    let model = Groups::new(&released)?.topics(4).author(&author);
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    // Every chain has an order of topics of its own: draws of all are put in one.
    let fit = fit.aligned("topics")?;
    let (style, phi) = (fit.style.mean()?, fit.phi.mean()?);
    println!("author   documents   words a document, by style alone   of which by topic");
    for (a, style) in style.outer_iter().enumerate() {
        let documents = author.iter().filter(|&&of| of == a).count();
        let words: Vec<f64> = (0..phi.nrows()).map(|k| style[k] * phi.row(k).sum()).collect();
        let total: f64 = words.iter().sum();
        let shares: Vec<String> = words.iter().map(|x| format!("{:3.0} %", 100.0 * x / total)).collect();
        println!(
            "{:>6}   {documents:>9}   {:>32.1}   {}",
            a + 1,
            total,
            shares.join("  ")
        );
    }
    Ok(())
}
