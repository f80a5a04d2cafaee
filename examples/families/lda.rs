//! Topic models as textbooks write them: words of a document are multinomial, and its length is known.
//!
//! `cargo run --release --example lda`
//!
//! Half of the words of 200 news articles, at random, are seen; the other half is predicted: by the multinomial model, by the Poisson model with
//! known lengths, whose posterior is the same, and by the multinomial model of a release in which lengths are public.

use clap::Parser;
use skellam::diagnose::{CellValues, ComponentTable};
use skellam::prelude::*;
use skellam::simulate::halves;
use skellam_examples::prelude::*;

skellam::model! {
    /// Topics of documents of known lengths.
    pub model Lda {
        index docs, words, topics;
        /// Words of each document.
        data length[d in docs]: whole;

        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 0.2, along = k);
        latent phi[k in topics, v in words]  ~ Dirichlet(concentration = 0.1, along = v);

        count y[d in docs, v in words] ~ Multinomial(length[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);

        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// The same as Poisson counts.
    pub model PoissonTopics {
        index docs, words, topics;
        data length[d in docs]: nonnegative;
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 0.2, along = k);
        latent phi[k in topics, v in words]  ~ Dirichlet(concentration = 0.1, along = v);
        count y[d in docs, v in words] ~ Poisson(length[d] * sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

/// Learns topics of articles whose lengths are known.
#[derive(Debug, Parser)]
#[command(name = "lda")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    /// How many of the commonest words there are.
    #[arg(long, default_value_t = 80)]
    words: usize,
    /// How many of the articles there are.
    #[arg(long, default_value_t = 200)]
    articles: usize,
    /// How many topics.
    #[arg(long, default_value_t = 6)]
    topics: usize,
}

fn study(arguments: &Arguments) -> Result<Study, Failure> {
    let Arguments {
        flags, words, topics, ..
    } = arguments;
    let (counts, names) = reuters(*words)?;
    let articles: Vec<usize> = (0..arguments.articles).collect();
    let [seen, hidden] = halves(&counts.select(0, &articles)?, flags.seed)?;
    let length = seen.margins(0)?;
    let released = release(&seen, &Lplp::moving(1, flags.epsilon.as_str())?, flags.seed)?;

    let lda = Lda::new(&released)?.topics(*topics).length(&length);
    let exact = Lda::exact(&seen)?.topics(*topics).length(&length);
    let (theta, phi, rate) = fitted!(exact, flags.collapsed(), ["topics"], |fit| {
        (fit.theta.mean()?, fit.phi.mean()?, fit.rate()?)
    });
    let poisson = PoissonTopics::new(&seen)?.topics(*topics).length(&length);
    let frequencies: Vec<f64> = seen.margins(1)?.iter().map(|count| count + 1.0).collect();
    let found: [(&str, &dyn CellValues); 4] = [
        ("multinomial, released", &rates!(lda, flags)),
        ("multinomial", &rate),
        ("Poisson with known lengths", &rates!(poisson, flags.collapsed())),
        ("frequencies of words alone", &frequencies.repeat(articles.len())),
    ];

    let mut study = Study::of(&format!(
        "{} articles x {words} words, {topics} topics;\n\
         {} words seen, {} hidden; where released, epsilon = {} for one word that is another",
        articles.len(),
        seen.total(),
        hidden.total(),
        flags.epsilon
    ));
    study.perplexities(&found, &hidden)?;
    study.say(&ComponentTable::new(&phi, &theta.row_sum(), &names, 6)?.to_string());
    Ok(study)
}

example!(Arguments, Lda, study);
