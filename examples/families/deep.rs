//! Topics of topics: the shape of a gamma is itself a sum of products.
//!
//! `cargo run --release --example deep [-- --reuters]`
//!
//! Short documents are released whose topics come in themes, and what noise has hidden is predicted; or half of the words of news articles are seen,
//! and the other half is predicted. Beside it stands the model in which the topics of a document are independent.

use clap::Parser;
use nalgebra::DMatrix;
use skellam::diagnose::Scores;
use skellam::prelude::*;
use skellam_examples::halves::{halves, perplexities};
use skellam_examples::prelude::*;
use skellam_examples::reuters::reuters;

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
    /// Take the words of news articles in the place of drawn counts.
    #[arg(long)]
    reuters: bool,
}

const DOCS: usize = 200;
const WORDS: usize = 60;
const TOPICS: usize = 12;
const THEMES: usize = 3;
/// How many of the commonest words of the articles are taken, and how many topics and themes these get.
const COMMONEST: usize = 200;
const ARTICLES: [usize; 2] = [20, 5];

fn study(Arguments { flags, reuters }: &Arguments) -> Result<Study, ExampleError> {
    if *reuters {
        return articles(flags);
    }
    let mut nature = Nature::new(flags.seed);
    // A document writes of the topics of its theme alone, which are four.
    let theta = nature.gamma_matrix([DOCS, TOPICS], 2.0, 0.4);
    let theta = theta.map_with_location(|d, k, x| if k % THEMES == d % THEMES { x } else { 0.0 });
    let phi = nature.simplices([TOPICS, WORDS], 0.1);
    let rates = &theta * &phi;
    let counts = nature.count_matrix(&rates)?;
    // Whole documents cannot be held out, and a Dirichlet needs whole lines: what is predicted is what noise has hidden.
    let released = release(&counts, &flags.budget()?, flags.seed)?;
    let mut scores = Scores::against(&row_major(&rates), &numbers(&counts)?)?;
    let model = Deep::new(&released)?.topics(TOPICS).themes(THEMES);
    let (w, rate) = fitted!(model, flags, ["topics", "themes"], |fit| (fit.w.mean()?, fit.rate()?));
    scores.add("themes of topics", &row_major(&rate))?;
    let model = Flat::new(&released)?.topics(TOPICS);
    scores.add("topics alone", &rates!(model, flags))?;
    scores.add_constant()?;
    let mut study = Study::of(&format!(
        "{DOCS} documents of {THEMES} themes, {TOPICS} topics, {WORDS} words; {}",
        flags.released(&counts)
    ));
    study.scores(&scores);
    let mut lines = String::from("theme   weights of its topics, the largest first\n");
    for (j, weights) in w.row_iter().enumerate() {
        lines.push_str(&format!("{:>5}   {}\n", j + 1, largest(weights.iter(), 6)));
    }
    study.say(&lines);
    Ok(study)
}

/// Half of the words of articles against the other half.
fn articles(flags: &Flags) -> Result<Study, ExampleError> {
    let [topics, themes] = ARTICLES;
    let articles = reuters(COMMONEST)?;
    let [seen, hidden] = halves(&articles.counts, flags.seed)?;
    let released = release(&seen, &flags.budget()?, flags.seed)?;

    let mut found = Vec::new();
    let model = Deep::new(&released)?.topics(topics).themes(themes);
    found.push(("themes of topics, released", rates!(model, flags)));
    let model = Flat::new(&released)?.topics(topics);
    found.push(("topics alone, released", rates!(model, flags)));
    let model = Deep::exact(&seen)?.topics(topics).themes(themes);
    let (psi, w, phi, rate) = fitted!(model, flags.collapsed(), ["topics", "themes"], |fit| {
        (fit.psi.mean()?, fit.w.mean()?, fit.phi.mean()?, fit.rate()?)
    });
    found.push(("themes of topics", row_major(&rate)));
    let model = Flat::exact(&seen)?.topics(topics);
    found.push(("topics alone", rates!(model, flags.collapsed())));
    let words = column_sums(&DMatrix::from_row_slice(seen.shape()[0], COMMONEST, &numbers(&seen)?));
    found.push(("frequencies of words alone", words.repeat(seen.shape()[0])));

    let mut study = Study::of(&format!(
        "{} articles x {COMMONEST} words, {topics} topics, {themes} themes;\n{} words seen, {} hidden; where released, epsilon / N = {}",
        seen.shape()[0],
        seen.total(),
        hidden.total(),
        flags.epsilon
    ));
    perplexities(&mut study, &found, &hidden);
    let mut lines = String::from("theme   its largest topics, where nothing was released: weight, commonest words\n");
    let shares: Vec<f64> = (0..themes).map(|j| psi.column(j).sum() * w.row(j).sum()).collect();
    for (theme, j) in top(shares, themes).into_iter().enumerate() {
        let mut name = (theme + 1).to_string();
        for k in top(w.row(j).iter().copied(), 4) {
            let words = leading(phi.row(k).iter(), &articles.words, 6).join(" ");
            lines.push_str(&format!("{name:>5}   {:.2}  {words}\n", w[(j, k)]));
            name.clear();
        }
    }
    study.say(&lines);
    Ok(study)
}

example!(Arguments, Deep, study);

fn main() -> ExitCode {
    run::<Arguments>()
}
