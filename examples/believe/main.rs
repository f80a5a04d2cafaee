//! A fit that cannot be believed, and how it becomes one that can: the program of the book's page *Is my fit any good?*
//!
//! `cargo run --release --example believe`
//!
//! The 50 commonest words of 395 news articles are released, and a tenth of the releases is held out. Ctrl-C ends the fit after the
//! present sweep; what there is is printed, and the program exits with 130.

use std::process::ExitCode;

use clap::Parser;
use skellam::counts::{largest, read_counts, read_vocabulary};
use skellam::diagnose::{ComponentTable, Doubt, HeldOutCurve, mean_absolute_error};
use skellam::prelude::*;

model! {
    /// Topics of articles.
    pub model Topics {
        index docs, words, topics;

        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = 0.3, rate = 1.0);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

/// Fits topics, and says whether the fit can be believed.
#[derive(Debug, Parser)]
#[command(name = "believe")]
struct Arguments {
    /// Number of topics; several, separated by commas, for a held-out curve.
    #[arg(long, value_delimiter = ',', default_value = "5")]
    topics: Vec<usize>,
    /// Sweeps before draws are kept.
    #[arg(long, default_value_t = 500)]
    tune: usize,
    /// Draws of each chain that are kept.
    #[arg(long, default_value_t = 500)]
    draws: usize,
    /// Sweeps from one of them to the next.
    #[arg(long, default_value_t = 8)]
    thin: usize,
    /// Seed of the chains.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub fn main() -> Result<ExitCode, Box<dyn std::error::Error>> {
    let arguments = Arguments::parse();
    let articles = read_counts("examples/data/reuters/bow.mtx", &ReadOptions::default())?;
    let vocabulary = read_vocabulary("examples/data/reuters/vocab.txt")?;
    let commonest = largest(&articles.margins(1)?, 50);
    let counts = articles.select(1, &commonest)?;
    let words: Vec<&String> = commonest.iter().map(|&word| &vocabulary[word]).collect();
    let released = Sensitive::new(counts.clone()).release_with_seed_for_simulation(&Lplp::new(1, 1)?, 1)?;
    let released = released.hold_out(&Mask::random(counts.shape(), 0.1, 3)?)?;
    let interrupt = Interrupt::on_ctrl_c()?;
    let exit_code = || match interrupt.is_requested() {
        true => ExitCode::from(130),
        false => ExitCode::SUCCESS,
    };
    let settings = Gibbs {
        num_tune: arguments.tune,
        num_draws: arguments.draws,
        thin: Some(arguments.thin),
        seed: arguments.seed,
        interrupt: interrupt.clone(),
        ..Gibbs::default()
    };
    let model = |topics: usize| Ok::<Topics, Error>(Topics::new(&released)?.topics(topics));
    let [topics] = arguments.topics[..] else {
        let curve = HeldOutCurve::over(&arguments.topics, "y", |topics| model(topics)?.gibbs(&settings))?;
        print!("{curve}");
        return Ok(exit_code());
    };

    let fit = model(topics)?.labels(Topics::WORDS, &words)?.gibbs(&settings)?;
    let summary = fit.summary();
    let (verdict, doubts) = (summary.verdict(), summary.doubts());
    println!("{}", summary.show_at_most(4));
    // What speaks against a fit the run has said, and not all of it is seen in the draws.
    if fit.doubts().is_empty() {
        println!("{verdict}");
    }
    for chain in 0..fit.num_chains() {
        let ln_joint = &fit.ln_joint()[chain * fit.num_draws()..][..fit.num_draws()];
        println!("chain {}: mean log joint density {:.0}", chain + 1, mean(ln_joint));
    }
    if let (Some(score), Some(error)) = (fit.held_out_score("y")?, fit.held_out_error("y")?) {
        println!("held-out score {score:.4}, Monte Carlo error {error:.4}");
    }
    let error = mean_absolute_error(&fit.rate()?, &counts)?;
    println!("mean absolute error against the true counts {error:.3}");
    // Components can be read where chains agree, in one order.
    let is_apart = |doubt: &Doubt| matches!(doubt, Doubt::ChainsApart { .. });
    if !doubts.iter().any(is_apart) {
        let aligned = fit.aligned("topics")?;
        let (theta, phi) = (aligned.theta.mean()?, aligned.phi.mean()?);
        if let Some(switching) = aligned.switching("topics") {
            println!("{switching}");
        }
        let sizes: Vec<f64> = theta.columns().into_iter().map(|column| column.sum()).collect();
        print!("{}", ComponentTable::new(&phi, &sizes, &words, 6)?);
    }
    Ok(exit_code())
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}
