//! Topic models as textbooks write them: words of a document are multinomial, and its length is known.
//!
//! `cargo run --release --example lda`
//!
//! Half of the words of 200 news articles, at random, are seen; the other half is predicted: by the multinomial model, by the Poisson model with
//! known lengths, whose posterior is the same, and by the multinomial model of a release in which lengths are public.

use clap::Parser;
use skellam::prelude::*;
use skellam_examples::prelude::*;
use skellam_examples::reuters::reuters;

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
    let articles = reuters(*words)?;
    let [seen, hidden] = halves(&articles.articles(0, arguments.articles)?, flags.seed)?;
    let length: Vec<f64> = numbers(&seen)?.chunks(*words).map(|line| line.iter().sum()).collect();
    let released = release(&seen, &Lplp::moving(1, flags.epsilon.as_str())?, flags.seed)?;

    let mut found = Vec::new();
    let model = Lda::new(&released)?.topics(*topics).length(length.clone());
    found.push(("multinomial, released", rates!(model, flags)));
    let model = Lda::exact(&seen)?.topics(*topics).length(length.clone());
    let (theta, phi, rate) = fitted!(model, flags.collapsed(), ["topics"], |fit| {
        (fit.theta.mean()?, fit.phi.mean()?, fit.rate()?)
    });
    found.push(("multinomial", row_major(&rate)));
    let model = PoissonTopics::new(&seen)?.topics(*topics).length(length.clone());
    found.push(("Poisson with known lengths", rates!(model, flags.collapsed())));
    let mut frequencies = vec![1.0; *words];
    seen.iter_nonzero()
        .for_each(|(cell, count)| frequencies[cell % words] += count as f64);
    found.push(("frequencies of words alone", frequencies.repeat(seen.shape()[0])));

    let noise = format!("epsilon = {} for one word that is another", flags.epsilon);
    let mut study = Study::of_halves([&seen, &hidden], &format!("{topics} topics"), &noise);
    study.perplexities(&found, &hidden)?;
    study.say(&components(&phi, &column_sums(&theta), &articles.words, 6));
    Ok(study)
}

example!(Arguments, Lda, study);

fn main() -> ExitCode {
    run::<Arguments>()
}
