//! Topics of topics: the shape of a gamma is itself a sum of products. Topics of short documents come in themes; the program says which
//! topics each theme has, out of released counts.
//!
//! `cargo run --release --example deep`.

use skellam::counts::largest;
use skellam::diagnose::top_names;
use skellam::prelude::*;

model! {
    /// Two layers: themes of topics, topics of words.
    pub model Deep {
        index docs, words, topics, themes;

        latent psi[d in docs, j in themes]  ~ Gamma(shape = 0.3, rate = 1.0);
        latent w[j in themes, k in topics]  ~ Gamma(shape = 0.3, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.01 + sum(j in themes) psi[d, j] * w[j, k], rate = 0.1);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.1, along = v);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/deep.mtx";
    let counts = Sensitive::read(file, &ReadOptions::default())?;
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;

    let model = Deep::new(&released)?.topics(12).themes(3);
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    // Chains find themes of their own: those of the chain with the highest joint density are shown.
    let fit = fit.of_chain(fit.most_probable().0)?;
    let (psi, w, phi) = (fit.psi.mean()?, fit.w.mean()?, fit.phi.mean()?);
    let words: Vec<String> = (1..=phi.ncols()).map(|v| format!("w{v}")).collect();
    for j in 0..w.nrows() {
        let most = (0..psi.nrows())
            .filter(|&d| largest(&psi.row(d).to_vec(), 1) == [j])
            .count();
        println!(
            "theme {}, the main one of {most} documents; its topics by weight",
            j + 1
        );
        for k in largest(&w.row(j).to_vec(), 4) {
            println!("{:>8.2}   {}", w[(j, k)], top_names(&phi.row(k), &words, 6)?.join(" "));
        }
    }
    Ok(())
}
