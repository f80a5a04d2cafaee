//! `skellam inspect PATH`: what a release, a ledger or a saved fit is.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use skellam::infer::Saved;
use skellam::release::{Ledger, ReleasedFolder};

use crate::refused::Refused;
use crate::release::words;
use crate::topics::files::MARKER;

/// What to look at.
#[derive(Clone, Debug, Args)]
pub struct Flags {
    /// A folder of released counts, the ledger of a data set (.json), a fit that was saved (.npz), or a folder of results with one.
    pub path: PathBuf,
}

/// Says what stands at the path.
///
/// # Errors
/// It is none of these, or was cut or altered.
pub fn run(flags: &Flags) -> Result<String, Refused> {
    let path = &flags.path;
    if path.join("fit.npz").is_file() {
        fit(&path.join("fit.npz"))
    } else if path.join(MARKER).is_file() {
        Err(Refused::new(format!(
            "{} holds results of `skellam topics`, which keeps no fit: `{MARKER}` says how they were made, and report.html shows them in a browser",
            skellam::quoted(path.display())
        )))
    } else if path.is_dir() {
        release(path)
    } else if !path.exists() {
        Err(Refused::new(format!(
            "{}: no such file or folder",
            skellam::quoted(path.display())
        )))
    } else if path.extension().is_some_and(|extension| extension == "json") {
        ledger(path)
    } else {
        fit(path)
    }
}

/// A release, every byte of which is compared with its digest.
fn release(path: &Path) -> Result<String, Refused> {
    let folder = ReleasedFolder::open(path)?;
    folder.verify()?;
    let sizes: Vec<String> = folder.shape().iter().map(usize::to_string).collect();
    Ok(format!(
        "{}: released counts, {}, by {}; {} are positive; verified\n{}\n",
        skellam::quoted(path.display()),
        sizes.join(" x "),
        folder.mechanism(),
        folder.num_positive(),
        words(&folder).trim_start()
    ))
}

fn ledger(path: &Path) -> Result<String, Refused> {
    let (data, ledger) = Ledger::read(path)?;
    let owners = if ledger.users().is_some() { "users" } else { "rows" };
    let mut text = format!(
        "{}: the ledger of `{}`, {} rows\neach of its {owners} may lose {}",
        skellam::quoted(path.display()),
        skellam::quoted(&data),
        ledger.num_rows(),
        ledger.cap(),
    );
    if ledger.delta() > 0.0 {
        let _ = write!(text, ", and delta {:e}", ledger.delta());
    }
    match ledger.spent() {
        Some(spent) => {
            let _ = write!(text, "\nthe one that lost most has lost epsilon {spent}");
        }
        None => text.push_str("\nnothing was released"),
    }
    let _ = writeln!(text, " in {} releases", ledger.entries().len());
    Ok(text)
}

fn fit(path: &Path) -> Result<String, Refused> {
    let fit = Saved::load(path)?;
    let mut text = format!(
        "{}: a fit of `{}` by {}, seed {}, skellam {}; it ended as {}\n",
        skellam::quoted(path.display()),
        skellam::quoted(fit.model()),
        fit.engine(),
        fit.seed(),
        fit.version(),
        fit.ended()
    );
    for count in fit.counts() {
        let _ = writeln!(text, "{count}: {}", fit.promise(count)?);
    }
    match fit.summary() {
        Ok(summary) => {
            let _ = writeln!(text, "\n{summary}");
            // The warnings of a fit, below, say what a verdict would.
            if fit.warnings().is_empty() {
                let _ = writeln!(text, "{}", summary.verdict());
            }
        }
        // A variational fit has no chains to sum up.
        Err(_) => {
            for latent in fit.latents() {
                let _ = writeln!(text, "{latent}: {:?}", fit.mean(latent)?.shape());
            }
        }
    }
    for warning in fit.warnings() {
        let _ = writeln!(text, "warning: {warning}");
    }
    Ok(text)
}
