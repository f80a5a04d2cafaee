//! Topics of topics: the shape of a gamma is itself a sum of products.
//!
//! `cargo run --release --example deep`
//!
//! Short documents are released whose topics come in themes. A fifth of the cells is held out and predicted, beside the model in which the topics of a
//! document are independent.

use clap::Parser;
use nalgebra::DMatrix;
use skellam::diagnose::Scores;
use skellam::prelude::*;
use skellam_examples::prelude::*;

skellam::model! {
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

skellam::model! {
    /// One layer.
    pub model Flat {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.2, rate = 0.1);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.1, along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Learns themes of topics from released counts.
#[derive(Debug, Parser)]
#[command(name = "deep")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
}

const DOCS: usize = 200;
const WORDS: usize = 60;
const TOPICS: usize = 12;
const THEMES: usize = 3;

/// The theme of each document, and how much it writes of each topic: those of its theme, four of them.
fn topics(nature: &mut Nature) -> DMatrix<f64> {
    let inside = nature.gamma_matrix([DOCS, TOPICS], 2.0, 0.4);
    DMatrix::from_fn(DOCS, TOPICS, |d, k| {
        if k % THEMES == d % THEMES { inside[(d, k)] } else { 0.0 }
    })
}

fn study(Arguments { flags }: &Arguments) -> Result<Study, ExampleError> {
    let mut nature = Nature::new(flags.seed);
    let theta = topics(&mut nature);
    let phi = nature.simplices([TOPICS, WORDS], 0.1);
    let rates = &theta * &phi;
    let counts = nature.count_matrix(&rates)?;
    // Whole documents cannot be held out, and a Dirichlet needs whole lines: what is predicted is what noise has hidden.
    let released = release(&counts, &flags.budget()?, flags.seed)?;
    let mut scores = Scores::against(&row_major(&rates), &numbers(&counts)?)?;
    let model = Deep::new(&released)?.topics(TOPICS).themes(THEMES);
    let (w, rate) = fitted!(model, flags, [], |fit| (fit.w.mean()?, fit.rate()?));
    scores.add("themes of topics", &row_major(&rate))?;
    let model = Flat::new(&released)?.topics(TOPICS);
    let rate = fitted!(model, flags, [], |fit| fit.rate()?);
    scores.add("topics alone", &row_major(&rate))?;
    scores.add_constant()?;
    let mut study = Study::of(&format!(
        "{DOCS} documents of {THEMES} themes, {TOPICS} topics, {WORDS} words; {} counts, released at epsilon / N = {}",
        counts.total(),
        flags.epsilon
    ));
    study.scores(&scores);
    let mut lines = String::from("theme   weights of its topics, the largest first\n");
    for j in 0..THEMES {
        let mut weights: Vec<f64> = w.row(j).iter().copied().collect();
        weights.sort_by(|a, b| b.total_cmp(a));
        let shown: Vec<String> = weights.iter().take(6).map(|x| format!("{x:.2}")).collect();
        lines.push_str(&format!("{:>5}   {}\n", j + 1, shown.join("  ")));
    }
    study.say(&lines);
    Ok(study)
}

example!(Arguments, Deep, study);

fn main() -> ExitCode {
    run::<Arguments>()
}
