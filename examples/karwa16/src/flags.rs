//! What can be asked for on the command line.

use std::path::PathBuf;

use clap::Parser;

use super::error::NaiveBayesError;
use super::model::Model;
use super::published::Minorizer;

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
    /// Number of people; for --study see --sizes.
    #[arg(long, default_value_t = 200)]
    pub people: usize,
    /// Number of classes.
    #[arg(long, default_value_t = 2)]
    pub classes: usize,
    /// Number of features, each with a table.
    #[arg(long, default_value_t = 5)]
    pub features: usize,
    /// Number of answers to each feature.
    #[arg(long, default_value_t = 3)]
    pub answers: usize,
    /// Concentration of the prior of the classes.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    pub class_prior: f64,
    /// Concentration of the prior of the answers.
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true)]
    pub answer_prior: f64,
    /// Privacy budget of one table: alpha = exp(-epsilon / 2). The release costs as many times that as there are features.
    #[arg(long, default_value_t = 0.1, allow_negative_numbers = true)]
    pub epsilon: f64,
    /// --study and --votes: the budgets.
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
    /// How the published algorithm bounds the absolute value of the noise.
    #[arg(long, value_enum, default_value_t = Minorizer::Mixture)]
    pub bound: Minorizer,
    /// --study and --votes: the declared model by both engines too. Long chains where noise is strong take nearly all of the time.
    #[arg(long)]
    pub engines: bool,
    /// Print what was derived from the declaration, and stop.
    #[arg(long)]
    pub derivation: bool,
    /// Check everything that was derived from the declaration, and stop.
    #[arg(long)]
    pub self_test: bool,
    /// Seed of everything that is drawn.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// --study: folder for the files.
    #[arg(long, value_name = "FOLDER", default_value = "out/karwa16")]
    pub out: PathBuf,
}

impl Flags {
    /// The model of so many people.
    ///
    /// # Errors
    ///
    /// Sizes or priors that make no sense.
    pub fn model(&self, people: usize) -> Result<Model, NaiveBayesError> {
        Model::new(people, [self.classes, self.features, self.answers])?.priors(self.class_prior, self.answer_prior)
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
            ("--people 0", "0 people"),
            ("--answers 0", "0 answers"),
            ("--people 20000", "at most 10000"),
            (
                "--people 5000 --features 10000000000 --answers 10000000000",
                "at most 0",
            ),
            ("--epsilon -1", "epsilon -1"),
            ("--epsilon NaN", "epsilon NaN"),
            ("--class-prior 0", "class-prior 0"),
            ("--study --tables 0", "tables"),
            ("--study --sizes 50,0", "0 people"),
            ("--study --sizes 5 --epsilons 1,-2", "epsilon -2"),
            ("--votes nowhere", "nowhere"),
        ] {
            let words = "karwa16 --out target/karwa16_test"
                .split_whitespace()
                .chain(flags.split_whitespace());
            let flags_parsed = Flags::try_parse_from(words).unwrap();
            let said = match (&flags_parsed.votes, flags_parsed.study) {
                (Some(folder), _) => crate::votes::run(&flags_parsed, folder).unwrap_err(),
                (None, true) => crate::study::run(&flags_parsed).err().unwrap(),
                (None, false) => crate::one::run(&flags_parsed).unwrap_err(),
            };
            assert!(said.to_string().contains(fault), "{flags}: {said}");
        }
    }

    /// The smallest models that there are.
    #[test]
    fn the_smallest_settings_work() {
        for flags in [
            "--people 1",
            "--classes 1 --answers 1",
            "--people 1 --classes 1 --features 1 --answers 1 --epsilon 900",
        ] {
            let flags = Flags::try_parse_from(["karwa16"].into_iter().chain(flags.split_whitespace())).unwrap();
            let text = crate::one::run(&flags).unwrap();
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}
