//! Your own model, made from the program of the book's first chapter: the program at the chapter's end.
//!
//! `cargo run --release`; in the repository of skellam `cargo run --release --example own`.

use skellam::prelude::*;

model! {
    /// Tastes of readers beside what everybody borrows, from loans that were released privately.
    pub model Tastes {
        index readers, genres, tastes;

        latent theta[i in readers, k in tastes] ~ Gamma(shape = 0.5, rate = 0.5);
        latent phi[k in tastes, g in genres]    ~ Gamma(shape = 0.5, rate = 0.5);
        latent base[g in genres]                ~ Gamma(shape = 0.5, rate = 0.5);

        count loans[i in readers, g in genres] ~ Poisson(base[g] + sum(k in tastes) theta[i, k] * phi[k, g]);

        release loans by TwoSidedGeometric;
    }
}

const GENRES: [&str; 6] = ["crime", "romance", "comics", "history", "science", "travel"];

/// What twelve readers borrowed in a year, by genre.
const LOANS: [[i64; 6]; 12] = [
    [21, 14, 9, 0, 1, 2],
    [17, 19, 4, 1, 0, 3],
    [30, 11, 12, 2, 0, 0],
    [9, 8, 6, 0, 0, 1],
    [25, 22, 7, 1, 2, 1],
    [1, 0, 2, 16, 21, 9],
    [0, 2, 0, 24, 18, 13],
    [2, 1, 1, 11, 9, 8],
    [0, 0, 3, 28, 33, 12],
    [1, 3, 0, 13, 17, 7],
    [12, 9, 5, 11, 14, 6],
    [8, 6, 3, 19, 12, 10],
];

pub fn main() -> Result<(), Error> {
    let counts = Counts::dense(vec![12, 6], LOANS.concat())?;

    // Epsilon 2 for readers who differ by at most four loans in all. For your own data: `Sensitive::new(counts).release(&budget)?`.
    let budget = Lplp::new(4, 2)?;
    let released = Sensitive::new(counts.clone()).release_with_seed_for_simulation(&budget, 1)?;
    println!("{budget}\n{:?}\n", &released.values()?[..6]);

    let model = Tastes::new(&released)?.tastes(2).labels(Tastes::GENRES, &GENRES)?;
    let fit = model.gibbs(&Gibbs {
        num_draws: 500,
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    let summary = fit.summary();
    println!("{summary}\n{}", summary.verdict());

    // Rates are the same in any order of the tastes; `theta` and `phi` are not, and each chain has an order of its own.
    let rate = fit.rate()?;
    let phi = fit.aligned("tastes")?.phi.mean()?;
    let (least, most) = fit.base.interval(0.9)?;
    for ((genre, least), most) in GENRES.iter().zip(least.iter()).zip(most.iter()) {
        println!("everybody: {genre} {least:.2} to {most:.2}");
    }
    for taste in 0..2 {
        let row = phi.row(taste);
        let shares = GENRES.iter().zip(row.iter());
        let shares: Vec<String> = shares
            .map(|(genre, x)| format!("{genre} {:.2}", x / row.sum()))
            .collect();
        println!("taste {taste}: {}", shares.join(", "));
    }

    // The other engine: faster, but its intervals are too narrow.
    let ascent = model.cavi(&Cavi {
        progress: Progress::Hidden,
        ..Cavi::default()
    })?;
    if let Some(bound) = ascent.elbo {
        println!("variational inference: {}, bound {bound:.2}", ascent.ended());
    }

    // Mean absolute errors, known only because the truth is: with the noise in the model, and with releases taken for counts.
    let naive = Tastes::naive(&released)?.tastes(2).gibbs(&Gibbs {
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    let error = |rate: &ndarray::Array2<f64>| {
        let truth = LOANS
            .iter()
            .enumerate()
            .flat_map(|(i, row)| row.iter().enumerate().map(move |(g, &n)| ((i, g), n as f64)));
        truth.map(|(cell, n)| (rate[cell] - n).abs()).sum::<f64>() / 72.0
    };
    println!(
        "mean absolute error: {:.2} with the noise in the model ({:.2} by variational inference), {:.2} without",
        error(&rate),
        error(&ascent.rate()?),
        error(&naive.rate()?)
    );
    Ok(())
}
