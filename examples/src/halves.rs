//! Words of documents in two halves: one is seen, and what was learned from it is scored at the other.

use rand::{RngExt, SeedableRng};
use skellam::prelude::*;

use crate::error::ExampleError;
use crate::study::Study;

/// Every word of every document, to one of two halves at random.
///
/// # Errors
///
/// None, as the halves have the shape of the counts.
pub fn halves(counts: &Counts, seed: u64) -> Result<[Counts; 2], ExampleError> {
    let mut rng = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut halves = [(); 2].map(|()| vec![0; counts.shape().iter().product()]);
    for (cell, count) in counts.iter_nonzero() {
        (0..count).for_each(|_| halves[usize::from(rng.random::<bool>())][cell] += 1);
    }
    let [seen, hidden] = halves;
    let table = |half| Counts::dense(counts.shape().to_vec(), half);
    Ok([table(seen)?, table(hidden)?])
}

/// Begins with how many documents, words and parts there are, and what was released of them.
pub fn begin(parts: &str, [seen, hidden]: [&Counts; 2], noise: &str) -> Study {
    Study::of(&format!(
        "{} articles x {} words, {parts};\n{} words seen, {} hidden; where released, {noise}",
        seen.shape()[0],
        seen.shape()[1],
        seen.total(),
        hidden.total()
    ))
}

/// The number of words among which a model that predicts so well is undecided. Rates, documents by words, need not sum to one.
fn perplexity(rates: &[f64], hidden: &Counts) -> f64 {
    let words = hidden.shape()[1];
    let (mut ln, mut total) = (0.0, 0.0);
    let sums: Vec<f64> = rates.chunks(words).map(|line| line.iter().sum()).collect();
    for (cell, count) in hidden.iter_nonzero() {
        ln += count as f64 * (rates[cell] / sums[cell / words]).ln();
        total += count as f64;
    }
    (-ln / total).exp()
}

/// A table of perplexities, each of which can be asked for by the name of its row.
pub fn perplexities(study: &mut Study, found: &[(&str, Vec<f64>)], hidden: &Counts) {
    let mut lines = String::from("                              perplexity of the hidden half\n");
    for (name, rates) in found {
        let value = perplexity(rates, hidden);
        lines.push_str(&format!("{name:<28}   {value:>29.1}\n"));
        study.number(name, value);
    }
    study.say(&lines);
}
