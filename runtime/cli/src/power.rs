//! `skellam power --rate 0.00875 --epsilon 1,2,3`: what released counts can tell, before anything is released.

use std::fmt::Write as _;

use clap::Args;
use skellam::channel::{Channel, most_information, price};
use skellam::prelude::*;

use crate::refused::Refused;

/// What to compute.
#[derive(Clone, Debug, Args)]
pub struct Flags {
    /// Rates of cells: expected counts, such as the mean count of a cell. The mean of a private file is private too: take it from
    /// public data, from a release, or from a guess.
    #[arg(long, value_delimiter = ',', required = true, allow_negative_numbers = true)]
    pub rate: Vec<f64>,
    /// Privacy losses to compare, each a number or a ratio such as 1/3.
    #[arg(long, value_delimiter = ',', required = true, allow_hyphen_values = true)]
    pub epsilon: Vec<String>,
    /// The precision N: each loss is for rows that differ by at most N counts in all.
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub n: u64,
}

/// A table with a line for each epsilon.
///
/// # Errors
/// A rate or an epsilon that is no number above zero.
pub fn run(flags: &Flags) -> Result<String, Refused> {
    let rates = &flags.rate;
    let cells = rates.len() as f64;
    let mut text = format!(
        "what a released count tells of its rate, two-sided geometric noise, mean over the rates given\n\n\
         {:>11}  {:>11}  {:>11}  {:>20}\n",
        "epsilon / N", "information", "at most", "times more documents"
    );
    for epsilon in &flags.epsilon {
        let budget = Lplp::new(flags.n, epsilon.as_str())?;
        let (law, level) = (budget.law()?, budget.gamma().to_f64());
        let of = rates.iter().map(|&rate| law.information(rate));
        let information = of.sum::<Result<f64, _>>()? / cells;
        let price = price(&law, rates)?;
        // Four digits, or fewer where they say it all.
        let shown = format!("{level:.3e}").parse().unwrap_or(level);
        let _ = writeln!(
            text,
            "{shown:>11}  {information:>11.4}  {:>11.4}  {price:>20.1}",
            most_information(level)
        );
    }
    Ok(text)
}
