//! `skellam report FIT`: a saved fit as one page for a browser.

use std::path::PathBuf;

use clap::Args;
use skellam::counts::read_counts;
use skellam::infer::Saved;
use skellam::prelude::{Predictive, TwoSidedGeometric};
use skellam::quoted;
use skellam::release::ReleasedFolder;
use skellam_plot::Report;

use crate::reading::Reading;
use crate::refused::Refused;

/// Which fit, and where its report goes.
#[derive(Clone, Debug, Args)]
pub struct Flags {
    /// A fit that was saved (.npz).
    pub fit: PathBuf,
    /// The report; a file that has the name is replaced.
    #[arg(long, short, default_value = "report.html")]
    pub out: PathBuf,
    /// Its title. Without it, the name of the model.
    #[arg(long)]
    pub title: Option<String>,
    /// What was observed, to be drawn beside the mean rates: the folder of the release that was fitted, or the file of counts of a fit of true ones, which whoever reads the report then sees.
    #[arg(long, value_name = "DATA")]
    pub observed: Option<PathBuf>,
    /// What the file is, if it is a file.
    #[command(flatten)]
    pub reading: Reading,
}

/// Writes the report.
///
/// # Errors
/// The fit or the data cannot be read, or do not belong together; the report cannot be written.
pub fn run(flags: &Flags) -> Result<String, Refused> {
    let fit = Saved::load(&flags.fit)?;
    let mut report = Report::of(&fit);
    if let Some(title) = &flags.title {
        report = report.title(title);
    }
    if let Some(path) = &flags.observed {
        let counts = fit.counts();
        let [count] = counts[..] else {
            let all = counts.join("`, `");
            return Err(Refused::new(format!(
                "the fit is of several counts, `{all}`: leave --observed out, or make the report in a program, with `Report::observed`"
            )));
        };
        if path.is_file() && fit.channel(count)? != "Exact" {
            return Err(Refused::new(format!(
                "the fit is of released counts, and what is promised of them does not hold of {}: name the folder of the release, or leave --observed out",
                quoted(path.display())
            )));
        }
        let values = observed(flags, path)?;
        let cells: usize = fit.axes(count)?.iter().map(|(_, size)| size).product();
        if values.len() != cells {
            return Err(Refused::new(format!(
                "{} has {} cells, and the fit {cells}: they are not of the same counts",
                quoted(path.display()),
                values.len()
            )));
        }
        report = report.observed(count, values);
    }
    report.save(&flags.out)?;
    Ok(format!("wrote {}: open it in a browser\n", quoted(flags.out.display())))
}

/// Predictive checks that the commands put into their reports: of large tables whole rows are taken, so that they cost about a second.
pub fn predictive(seed: u64) -> Predictive {
    Predictive {
        num_replicas: 100,
        most_cells: 1 << 19,
        seed,
    }
}

fn observed(flags: &Flags, path: &std::path::Path) -> Result<Vec<f64>, Refused> {
    let values: Vec<f64> = if path.is_dir() {
        let released = ReleasedFolder::open(path)?.whole::<TwoSidedGeometric>()?;
        released.values()?.iter().map(|value| *value as f64).collect()
    } else {
        let counts = read_counts(path, &flags.reading.options()).map_err(|error| Refused::of_file(path, error))?;
        counts.to_dense()?.into_iter().map(|value| value as f64).collect()
    };
    Ok(values)
}
