//! Topics of topics: the shape of a gamma is itself a sum of products.
//!
//! `cargo run --release --example deep [-- --reuters]`
//!
//! Short documents are released whose topics come in themes, and what noise has hidden is predicted; or half of the words of news articles
//! are seen and the other half is predicted, beside a model in which the topics of a document are independent.

use clap::Parser;
use skellam::counts::largest;
use skellam::diagnose::{CellValues, Scores, top_names};
use skellam::prelude::*;
use skellam::simulate::{Simulation, halves};
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
    /// Take the words of news articles instead of drawn counts.
    #[arg(long)]
    reuters: bool,
}

const DOCS: usize = 200;
const WORDS: usize = 60;
const TOPICS: usize = 12;
const THEMES: usize = 3;

fn study(Arguments { flags, reuters }: &Arguments) -> Result<Study, Failure> {
    if *reuters {
        return articles(flags);
    }
    let mut simulation = Simulation::new(flags.seed);
    // A document writes of the topics of its theme alone, which are four.
    let theta = simulation.gamma_matrix([DOCS, TOPICS], 2.0, 0.4)?;
    let theta = theta.map_with_location(|d, k, x| if k % THEMES == d % THEMES { x } else { 0.0 });
    let phi = simulation.simplices([TOPICS, WORDS], 0.1)?;
    let rates = &theta * &phi;
    let counts = simulation.counts(&rates)?;
    let released = release(&counts, &flags.budget()?, flags.seed)?;
    let mut scores = Scores::against(&rates, &counts)?;
    let model = Deep::new(&released)?.topics(TOPICS).themes(THEMES);
    let (w, rate) = fitted!(model, flags, ["topics", "themes"], |fit| (fit.w.mean()?, fit.rate()?));
    scores.add("themes of topics", &rate)?;
    scores.add("topics alone", &rates!(Flat::new(&released)?.topics(TOPICS), flags))?;
    scores.add_constant()?;
    let mut study = Study::of(&format!(
        "{DOCS} documents of {THEMES} themes, {TOPICS} topics, {WORDS} words; {}",
        flags.released(&counts)
    ));
    study.scores(&scores);
    let mut lines = String::from("theme   weights of its topics, the largest first\n");
    for (j, weights) in w.row_iter().enumerate() {
        lines.push_str(&format!("{:>5}   {}\n", j + 1, figures(&weights, 6)?));
    }
    study.say(&lines);
    Ok(study)
}

/// Half of the words of articles against the other half.
fn articles(flags: &Flags) -> Result<Study, Failure> {
    let (topics, themes, commonest) = (20, 5, 200);
    let (counts, names) = reuters(commonest)?;
    let [seen, hidden] = halves(&counts, flags.seed)?;
    let released = release(&seen, &flags.budget()?, flags.seed)?;
    let model = Deep::exact(&seen)?.topics(topics).themes(themes);
    let (psi, w, phi, rate) = fitted!(model, flags.collapsed(), ["topics", "themes"], |fit| {
        (fit.psi.mean()?, fit.w.mean()?, fit.phi.mean()?, fit.rate()?)
    });
    let deep = Deep::new(&released)?.topics(topics).themes(themes);
    let [flat, exact] = [Flat::new(&released)?.topics(topics), Flat::exact(&seen)?.topics(topics)];
    let documents = seen.shape()[0];
    let found: [(&str, &dyn CellValues); 5] = [
        ("themes of topics, released", &rates!(deep, flags)),
        ("topics alone, released", &rates!(flat, flags)),
        ("themes of topics", &rate),
        ("topics alone", &rates!(exact, flags.collapsed())),
        ("frequencies of words alone", &seen.margins(1)?.repeat(documents)),
    ];
    let mut study = Study::of(&format!(
        "{documents} articles x {commonest} words, {topics} topics, {themes} themes;\n\
         {} words seen, {} hidden; where released, epsilon / N = {}",
        seen.total(),
        hidden.total(),
        flags.epsilon
    ));
    study.perplexities(&found, &hidden)?;
    let mut lines = String::from("theme   its largest topics, where nothing was released: weight, commonest words\n");
    let shares: Vec<f64> = (0..themes).map(|j| psi.column(j).sum() * w.row(j).sum()).collect();
    for (number, j) in largest(&shares, themes).into_iter().enumerate() {
        let mut theme = (number + 1).to_string();
        for k in largest(&w.row(j).row_major()?, 4) {
            let words = top_names(&phi.row(k), &names, 6)?.join(" ");
            lines.push_str(&format!("{theme:>5}   {:.2}  {words}\n", w[(j, k)]));
            theme.clear();
        }
    }
    study.say(&lines);
    Ok(study)
}

example!(Arguments, Deep, study);
