//! Topics of documents that were released privately: the whole way from counts to a picture.
//!
//! `skellam topics`
//!
//! Word counts are released with two-sided geometric noise, and one declaration is fitted three times:
//! to the release with the noise modelled, to the release as if it were counts, and to the true counts. Counts that were
//! released elsewhere (`--released FOLDER`, see `skellam release`) are fitted with the noise modelled alone, and so are those
//! released here with `--release-only`. Ctrl-C ends the fit after the present sweep, leaves out those that had not begun, writes the files of what there is, and exits with 130.

use std::process::ExitCode;
use std::time::Instant;

use skellam::prelude::*;

mod corpus;
pub mod files;
mod fit;
pub mod flags;
pub mod folder;
mod picture;
mod ranking;
pub mod released;
mod report;
mod scores;
pub mod study;
mod texts;

use crate::refused::Refused;
use flags::Flags;
use folder::Folder;
use released::Input;
use study::Study;

skellam::model! {
    /// Topics of documents whose word counts were released privately.
    ///
    /// `theta[d, k]` says how much document `d` is about topic `k`, `phi[k, v]` how much topic `k` uses
    /// word `v`. The noise of the release is part of the model.
    pub model Topics {
        index docs, words, topics;
        hyper a: positive = 0.1, b: positive = 1.0;

        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words]  ~ Gamma(shape = a, rate = b);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

/// Runs the command.
pub fn command(mut flags: Flags) -> ExitCode {
    let start = Instant::now();
    if flags.derivation || flags.code {
        report::show(&flags);
        return ExitCode::SUCCESS;
    }
    if flags.self_test {
        return report::self_test();
    }
    match Interrupt::on_ctrl_c() {
        Ok(interrupt) => flags.interrupt = interrupt,
        Err(error) => eprintln!("{error}"),
    }
    let done = match &flags.texts {
        Some(texts) => texts::run(&flags, texts),
        None => run(&flags).map(|study| report::print(&study)),
    };
    let code = match done {
        Ok(()) => {
            flags.say(&format!("total {:.1} s", start.elapsed().as_secs_f64()));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    };
    if flags.interrupt.is_requested() {
        eprintln!("stopped by Ctrl-C: what there was by then is saved");
        return ExitCode::from(130);
    }
    code
}

/// Everything: what cannot work is refused before anything is fitted, and the files appear together at
/// the end or not at all.
pub fn run(flags: &Flags) -> Result<Study, Refused> {
    let folder = folder::claim(flags.out.as_deref(), flags.force)?;
    let input = released::read(flags)?;
    results(flags, input, folder)
}

/// What is found in documents once they are released.
pub fn results(flags: &Flags, input: Input, folder: Folder) -> Result<Study, Refused> {
    let fits = fit::all(&input, flags)?;
    let mut study = Study::new(flags, input, fits)?;
    study.folder = folder.fill(&files::render(&study)?)?;
    Ok(study)
}
