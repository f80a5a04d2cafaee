//! What the examples share: flags ([`flags`]), the run from the command line to what is printed ([`run`]), what an example found ([`Study`]),
//! and the embedded news articles ([`reuters`]).
//!
//! Each example is a program of its own, `families/NAME.rs`: a declaration, data, a fit and what is printed, read from top
//! to bottom. `first` and `believe` are the programs of chapters of the book; `topics`, `privatize`, `yardstick` and `karwa16` are larger, and have folders.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::Deref;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use skellam::counts::{ReadOptions, largest, read_counts, read_matrix_market_from, read_vocabulary_from};
use skellam::diagnose::Doubt;
use skellam::diagnose::{CellValues, Scores, perplexity};
use skellam::infer::GibbsFit;
use skellam::model::Derivation;
use skellam::prelude::*;
use skellam_check::Report;

pub mod flags;
pub mod reading;

use flags::Flags;

/// What the examples of the families share, in one line.
pub mod prelude {
    pub use std::process::ExitCode;

    pub use crate::flags::{Flags, Folder, Run, interrupt};
    pub use crate::{Failure, Study, agree, exit_code, figures, numbered, read, release, reuters};
    pub use crate::{example, fitted, rates, sampled};
}

/// Why an example has nothing to show: any error, whose sentence is printed.
pub type Failure = Box<dyn std::error::Error>;

/// One example: its flags, what was derived for its model, and the function that fits it.
pub trait Example: Parser {
    /// What every example can be asked for.
    fn flags(&self) -> &Flags;

    /// The derivation of its model, for one form of inference or for all.
    fn derivation(form: Option<EngineForm>) -> Derivation;

    /// The self-test of its model.
    fn self_test() -> Report;

    /// Fits the model. Data or settings that do not work are an error with the offending value.
    fn study(&self) -> Result<Study, Failure>;
}

/// Makes a program, `main` included, of its flags, its model and the function that fits it: `example!(Arguments, Background, study)`.
#[macro_export]
macro_rules! example {
    ($arguments:ident, $model:ident, $study:ident) => {
        impl $crate::Example for $arguments {
            fn flags(&self) -> &$crate::flags::Flags {
                &self.flags
            }

            fn derivation(form: ::std::option::Option<::skellam::model::EngineForm>) -> ::skellam::model::Derivation {
                form.map_or_else($model::derivation, $model::derivation_of)
            }

            fn self_test() -> ::skellam_check::Report {
                ::skellam_check::check::<$model>()
            }

            fn study(&self) -> ::std::result::Result<$crate::Study, $crate::Failure> {
                $study(self)
            }
        }

        fn main() -> ::std::process::ExitCode {
            $crate::run::<$arguments>()
        }
    };
}

/// Runs an example. Mistakes end it with one line and exit code 1.
pub fn run<E: Example>() -> ExitCode {
    let start = Instant::now();
    let example = match E::try_parse() {
        Ok(example) => example,
        Err(error) if error.use_stderr() => {
            eprintln!("{}", error.to_string().lines().next().unwrap_or_default());
            return ExitCode::FAILURE;
        }
        Err(help) => help.exit(),
    };
    if example.flags().derivation {
        say(&format!("{}\n", E::derivation(example.flags().engine)));
        return ExitCode::SUCCESS;
    }
    if example.flags().self_test {
        let report = E::self_test();
        say(&format!("{report}\n"));
        return ExitCode::from(u8::from(!report.passed()));
    }
    match example.study() {
        Ok(study) => {
            say(&study.text);
            eprintln!("{:.1} s", start.elapsed().as_secs_f64());
            exit_code()
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes to standard output. A reader that has gone away, as `head` does, has read enough.
fn say(text: &str) {
    let _ = io::stdout().lock().write_all(text.as_bytes());
}

/// The exit code of a program whose fits are done: 130, and a line on standard error, where Ctrl-C ended them.
pub fn exit_code() -> ExitCode {
    if !flags::interrupt().is_requested() {
        return ExitCode::SUCCESS;
    }
    eprintln!("stopped by Ctrl-C: these are the fits as far as they had got");
    ExitCode::from(130)
}

/// Says on standard error what keeps a fit from being believed, and returns whether its chains are in the same place.
pub fn agree(doubts: &[Doubt]) -> bool {
    doubts.iter().for_each(|doubt| eprintln!("warning: {doubt}"));
    !doubts.iter().any(Doubt::chains_differ)
}

/// Samples a model in the form that the flags ask for: `sampled!(model, flags)`. Where they ask for coordinate ascent, that is refused by the model,
/// whose shapes are learned. Where the fit should not be believed yet, it says so on standard error.
#[macro_export]
macro_rules! sampled {
    ($model:expr, $flags:expr) => {
        match $flags.run() {
            $crate::flags::Run::Gibbs(settings) => {
                let fit = $model.gibbs(&settings)?;
                $crate::agree(&fit.doubts());
                fit
            }
            $crate::flags::Run::Cavi(settings) => {
                $model.cavi(&settings)?;
                unreachable!("a shape that is learned has no bound")
            }
        }
    };
}

/// Fits a model with the engine that the flags ask for, and takes from the fit what both engines offer:
/// `fitted!(model, flags, ["topics"], |fit| (fit.theta.mean()?, fit.rate()?))`. The components that the index sets in brackets
/// number are put in one order before. Where chains disagree, everything that is taken is that of one chain, the one with the highest
/// joint density. Where the fit should not be believed yet, it says so on standard error.
#[macro_export]
macro_rules! fitted {
    ($model:expr, $flags:expr, [$($components:expr),*], |$fit:ident| $taken:expr) => {
        match $flags.run() {
            $crate::flags::Run::Gibbs(settings) => {
                let $fit = $model.gibbs(&settings)?;
                let $fit = if $crate::agree(&$fit.doubts()) {
                    $(let $fit = $fit.aligned($components)?;)*
                    $fit
                } else {
                    $fit.of_chain($fit.most_probable().0)?
                };
                $taken
            }
            $crate::flags::Run::Cavi(settings) => {
                let $fit = $model.cavi(&settings)?;
                $crate::agree(&$fit.doubts());
                $taken
            }
        }
    };
}

/// The rates of the counts as [`fitted!`] finds them: `rates!(model, flags)`.
#[macro_export]
macro_rules! rates {
    ($model:expr, $flags:expr) => {
        $crate::fitted!($model, $flags, [], |fit| fit.rate()?)
    };
}

/// What an example found: text for a person, numbers for a test.
#[derive(Clone, Debug, Default)]
pub struct Study {
    /// What is printed.
    pub text: String,
    /// Numbers by name; the smaller the better unless the name says otherwise.
    pub numbers: Vec<(String, f64)>,
    /// Whether the counts are a user's: what looks at them says so.
    pub own: bool,
}

impl Study {
    /// Begins with a line that says what the data are.
    pub fn of(data: &str) -> Self {
        Self {
            text: format!("{data}\n"),
            ..Self::default()
        }
    }

    /// A paragraph.
    pub fn say(&mut self, paragraph: &str) {
        let _ = writeln!(self.text, "\n{}", paragraph.trim_end());
    }

    /// A paragraph that compares with the true counts, and says so where they are a user's.
    pub fn compare(&mut self, paragraph: &str) {
        self.say(paragraph);
        if self.own {
            self.say("This table compares with the true counts: no release protects it, so keep it with them.");
        }
    }

    /// A table of scores against the true counts. The error of each row can be asked for by its name, and its deviance by `deviance of NAME`.
    pub fn scores(&mut self, scores: &Scores) {
        self.compare(&scores.to_string());
        for row in scores.rows() {
            self.number(&row.name, row.error);
            self.number(&format!("deviance of {}", row.name), row.deviance);
        }
    }

    /// The heading of a table of how well fits predict what was held out, whose rows [`Study::predicts`] adds.
    pub fn predictions(&mut self, cell: &str) {
        self.say(&format!("                     log predictive probability of a {cell}"));
    }

    /// A row of that table, which can be asked for by its name. The error is that of several chains.
    pub fn predicts(&mut self, name: &str, count: &str, fit: &impl Deref<Target = GibbsFit>) -> Result<(), Failure> {
        if let Some(score) = fit.held_out_score(count)? {
            let error = fit.held_out_error(count)?.map(|error| format!(" ± {error:.3}"));
            let _ = writeln!(self.text, "{name:<18}  {score:>10.3}{}", error.unwrap_or_default());
            self.number(name, -score);
        }
        Ok(())
    }

    /// A table of how well rates predict words that were not seen. The perplexity of each row can be asked for by its name.
    pub fn perplexities(&mut self, found: &[(&str, &dyn CellValues)], hidden: &Counts) -> Result<(), Failure> {
        let mut lines = String::from("                              perplexity of the hidden half\n");
        for (name, rates) in found {
            let value = perplexity(rates, hidden)?;
            let _ = writeln!(lines, "{name:<28}   {value:>29.1}");
            self.number(name, value);
        }
        self.say(&lines);
        Ok(())
    }

    /// A number that goes into no table.
    pub fn number(&mut self, name: &str, value: f64) {
        self.numbers.push((name.into(), value));
    }

    /// A number by its name; NaN, which is below nothing, if it is missing.
    pub fn get(&self, name: &str) -> f64 {
        let found = self.numbers.iter().find(|(known, _)| known == name);
        found.map_or(f64::NAN, |(_, value)| *value)
    }
}

/// Releases simulated counts under the budget with noise from a seed: the law of a release, without its promise. A user's counts go through
/// [`Folder::release`](flags::Folder::release).
pub fn release(counts: &Counts, budget: &Lplp, seed: u64) -> Result<Released<TwoSidedGeometric>, Failure> {
    Ok(Sensitive::new(counts.clone()).release_with_seed_for_simulation(budget, seed)?)
}

/// The embedded 395 news articles over their `n` commonest words: counts, articles by words, and the words. See `data/reuters/README.md`.
pub fn reuters(n: usize) -> Result<(Counts, Vec<String>), Failure> {
    let all = read_matrix_market_from(include_bytes!("../data/reuters/bow.mtx").as_slice())?;
    let words = read_vocabulary_from(include_bytes!("../data/reuters/vocab.txt").as_slice())?;
    let commonest = largest(&all.margins(1)?, n);
    let words = commonest.iter().map(|&word| words[word].clone()).collect();
    Ok((all.select(1, &commonest)?, words))
}

/// The counts of a file in the folder of a data set.
pub fn read(folder: &Path, file: &str) -> Result<Counts, Failure> {
    let path = folder.join(file);
    read_counts(&path, &ReadOptions::default())
        .map_err(|error| format!("{}: {error}", skellam::quoted(path.display())).into())
}

/// `prefix1`, `prefix2`, ..
pub fn numbered(prefix: &str, n: usize) -> Vec<String> {
    (1..=n).map(|i| format!("{prefix}{i}")).collect()
}

/// The `n` largest values in figures, largest first.
pub fn figures(values: &impl CellValues, n: usize) -> Result<String, Failure> {
    let values = values.row_major()?;
    let figures = largest(&values, n).into_iter().map(|i| format!("{:.2}", values[i]));
    Ok(figures.collect::<Vec<_>>().join("  "))
}
