//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::Parser;

use super::Failure;

/// Naive Bayes from tables with noise: the exact posterior beside the estimators that are compared with it.
///
/// Without --study or --votes, one simulated table is released once.
#[derive(Clone, Debug, Parser)]
#[command(name = "karwa16")]
pub struct Flags {
    /// Squared errors and coverage over budgets and numbers of people; writes naive_bayes.csv and naive_bayes.svg.
    #[arg(long, conflicts_with = "votes")]
    pub study: bool,
    /// Folder of the congressional voting records of 1984: accuracy on held-out members, by budget.
    #[arg(long, value_name = "FOLDER")]
    pub votes: Option<PathBuf>,
    /// --study and --votes: the budgets of one table: alpha = exp(-epsilon / 2). A release costs as many times that as there are questions.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "0.0001,0.001,0.01,0.1,1,10",
        allow_negative_numbers = true
    )]
    pub epsilons: Vec<f64>,
    /// --study: the numbers of people.
    #[arg(long, value_delimiter = ',', default_value = "50,100,200,500")]
    pub sizes: Vec<usize>,
    /// --study: tables of each number of people. --votes: splits into members to learn from and members to be tested.
    #[arg(long, default_value_t = 10)]
    pub tables: usize,
    /// --study and --votes: releases of each table at each budget.
    #[arg(long, default_value_t = 5)]
    pub noises: usize,
    /// --study and --votes: the declared model by both engines too. Long chains where noise is strong take nearly all of the time.
    #[arg(long)]
    pub engines: bool,
    /// Print what was derived from the declaration, and stop.
    #[arg(long)]
    pub derivation: bool,
    /// Seed of everything that is drawn.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// --study: folder for the files.
    #[arg(long, value_name = "FOLDER", default_value = "out/karwa16")]
    pub out: PathBuf,
}

impl Flags {
    /// Refuses lists of nothing.
    ///
    /// # Errors
    ///
    /// A list without a value, or a number of zero.
    pub fn check(&self) -> Result<(), Failure> {
        let lists = [
            ("sizes", self.sizes.len()),
            ("epsilons", self.epsilons.len()),
            ("tables", self.tables),
            ("noises", self.noises),
        ];
        match lists.iter().find(|(_, number)| *number == 0) {
            Some((name, _)) => Err(format!("--{name}: give at least one").into()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn flags_are_consistent() {
        Flags::command().debug_assert();
    }

    /// What makes no sense is refused with the value, and nothing panics.
    #[test]
    fn settings_that_make_no_sense_are_refused() {
        for (flags, fault) in [
            ("--tables 0", "tables"),
            ("--sizes 50,0", "0 people"),
            ("--sizes 20000", "20000 people"),
            ("--sizes 5 --epsilons 1,-2", "epsilon -2"),
            ("--sizes 5 --epsilons NaN", "epsilon NaN"),
            ("--sizes 5 --epsilons 1e-13", "epsilon 0.0000000000001"),
            ("--sizes 5 --epsilons 1e4", "epsilon 10000"),
        ] {
            let words = "karwa16 --study".split_whitespace().chain(flags.split_whitespace());
            let said = crate::study::run(&Flags::try_parse_from(words).unwrap()).err().unwrap();
            assert!(said.to_string().contains(fault), "{flags}: {said}");
        }
    }
}
