//! Private naive Bayes: people have classes and answer questions, and a table of answers by class is released for each question. How many
//! people are in each class is not released; every table says something of it.
//!
//! `cargo run --release --example naive_bayes`.

use skellam::counts::largest;
use skellam::prelude::*;

model! {
    /// People with hidden classes, and tables of their answers by class.
    pub model NaiveBayes {
        index features, classes, answers;
        hyper a: positive = 1.0, b: positive = 1.0;
        /// How many people there are, which is public.
        total people;

        latent p[i in classes] ~ Dirichlet(concentration = a, along = i);
        latent q[k in features, i in classes, j in answers] ~ Dirichlet(concentration = b, along = j);

        hidden n[i in classes] ~ Multinomial(people, p[i], along = i);
        count m[k in features, i in classes, j in answers] ~ Multinomial(n[i], q[k, i, j], along = j);

        release m by TwoSidedGeometric;
    }
}

/// How many people there are, which is public, and how many questions they answered.
const PEOPLE: u64 = 200;
const QUESTIONS: usize = 10;

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/naive_bayes.tsv";
    let tables = Sensitive::read(file, &ReadOptions::default())?;
    // Everybody is in every table, and moves one count in each. Noise of a seed is for simulated people; it hides nothing. For people of
    // your own: `tables.release(&budget)?`.
    let budget = Lplp::moving(QUESTIONS as u64, 4)?;
    let released = tables.release_with_seed_for_simulation(&budget, 1)?;

    let model = NaiveBayes::new(&released)?.people(PEOPLE);
    let fit = model.gibbs(&Gibbs {
        num_draws: 400,
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    let (p, (least, most)) = (fit.p.mean()?, fit.p.interval(0.9)?);
    for i in 0..p.len() {
        let (class, mean, low, high) = (i + 1, p[i], least[i], most[i]);
        println!("class {class}: {mean:.2} of the people, with probability 0.9 from {low:.2} to {high:.2}");
    }
    let q = fit.q.mean()?;
    let of = |cell: usize, class: usize| q.at(&[cell / 3, class, cell % 3]).unwrap_or(f64::NAN);
    let apart = Vec::from_iter((0..3 * QUESTIONS).map(|cell| (of(cell, 0) - of(cell, 1)).abs()));
    println!("answers that tell the classes apart");
    for cell in largest(&apart, 5) {
        let (question, answer) = (cell / 3 + 1, cell % 3 + 1);
        let (one, two) = (of(cell, 0), of(cell, 1));
        println!("question {question:>2}, answer {answer}: {one:.2} of class 1, {two:.2} of class 2");
    }
    Ok(())
}
