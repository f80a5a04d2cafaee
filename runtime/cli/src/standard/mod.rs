//! Standard models on a user's own file: `skellam network` and `skellam events`.
//!
//! Both take a folder of released counts, which is fitted with its noise modelled, or a file of counts, which is fitted as it is: that fit looks at true counts.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use ndarray::Array2;
use skellam::counts::{ReadError, largest, read_counts, read_vocabulary};
use skellam::diagnose::PredictiveCheck;
use skellam::infer::GibbsFit;
use skellam::prelude::*;
use skellam::quoted;
use skellam::release::{Provenance, ReleasedFolder};
use skellam_plot::{Picture, Report};

use crate::reading::Reading;
use crate::refused::Refused;

pub mod events;
pub mod network;

/// Cells of a release that are read with every value, 128 MiB of them: of more, zeros are read as sums, and replicas are not compared with them.
const WHOLE: usize = 1 << 24;

/// What a standard model is fitted to, and how.
#[derive(Clone, Debug, Args)]
pub struct Flags {
    /// A folder of released counts, as `skellam release` writes it, or a file of counts.
    pub data: PathBuf,
    /// What the file is, if it is a file.
    #[command(flatten)]
    pub reading: Reading,
    /// Names of the values of a mode, one a line, as `0=actors.txt`: mode 0 is the first one. Without it, the names that the data have, or numbers from 1.
    #[arg(long, value_name = "MODE=FILE", value_parser = named)]
    pub labels: Vec<(usize, PathBuf)>,
    /// Number of components: groups of actors, or kinds of events.
    #[arg(long, short, default_value_t = 5)]
    pub k: usize,
    /// Sweeps before draws are kept.
    #[arg(long, default_value_t = 500)]
    pub tune: usize,
    /// Draws of each chain that are kept.
    #[arg(long, default_value_t = 250)]
    pub draws: usize,
    /// Independent chains.
    #[arg(long, default_value_t = 2)]
    pub chains: usize,
    /// Seed of the fit.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads; all processors if not given. Results do not depend on it.
    #[arg(long)]
    pub threads: Option<usize>,
    /// A new folder for `fit.npz`, which `skellam inspect` and NumPy read, `picture.svg`, and `report.html`, a page for a browser. Without it, nothing is written.
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
    /// Show no progress; doubts about the fit are shown.
    #[arg(long)]
    pub quiet: bool,
}

/// `0=actors.txt`
fn named(text: &str) -> Result<(usize, PathBuf), String> {
    let parts = text
        .split_once('=')
        .and_then(|(mode, path)| Some((mode.parse().ok()?, path.into())));
    parts.ok_or_else(|| format!("`{text}` is no mode and file: write `0=actors.txt` for the names of the first mode"))
}

/// Counts as they may be seen.
pub enum Data {
    /// A release.
    Released(Released<TwoSidedGeometric>),
    /// True counts.
    Exact(Counts),
}

/// The data with the names of the values of each mode.
pub struct Input {
    /// The counts.
    pub data: Data,
    /// Names, mode by mode.
    pub names: Vec<Vec<String>>,
}

impl Data {
    fn shape(&self) -> &[usize] {
        match self {
            Self::Released(released) => released.shape(),
            Self::Exact(counts) => counts.shape(),
        }
    }

    fn labels(&self, mode: usize) -> Option<&[String]> {
        match self {
            Self::Released(_) => None,
            Self::Exact(counts) => counts.labels(mode),
        }
    }
}

impl Input {
    /// Whether every value is there, so that replicas can be compared with them.
    fn is_whole(&self) -> bool {
        match &self.data {
            Data::Released(released) => released.values().is_ok(),
            Data::Exact(_) => true,
        }
    }
}

/// Senders and receivers of an edge list with names, each numbered apart as they were read, as one set of actors.
fn of_one_set(counts: Counts, path: &Path) -> Result<Counts, Refused> {
    let (Some(from), Some(to)) = (counts.labels(0), counts.labels(1)) else {
        return Ok(counts);
    };
    if from == to || counts.shape().len() != 2 {
        return Ok(counts);
    }
    let actors: BTreeSet<&String> = from.iter().chain(to).collect();
    if actors.len() == from.len() + to.len() {
        return Err(Refused::new(format!(
            "{}: no name is both in the rows and in the columns, so that these are no counts from actors to actors",
            quoted(path.display())
        )));
    }
    let actors: Vec<String> = actors.into_iter().cloned().collect();
    let place =
        |names: &[String]| -> Vec<usize> { names.iter().map(|name| actors.partition_point(|a| a < name)).collect() };
    let (rows, columns) = (place(from), place(to));
    let entry = |(cell, count): (usize, i64)| (vec![rows[cell / to.len()], columns[cell % to.len()]], count);
    let entries = counts.iter_nonzero().map(entry).collect();
    let names: Arc<[String]> = actors.clone().into();
    let square = Counts::sparse(vec![actors.len(); 2], entries).map_err(Error::from)?;
    Ok(square.with_labels(vec![Some(Arc::clone(&names)), Some(names)]))
}

impl Flags {
    /// Reads the data, and refuses those that have another shape than `fits` says. Of a network every value of a release is read, as a model whose `where` leaves cells out
    /// cannot take sums over them, and its two modes have one set of names.
    fn read(&self, is_network: bool, fits: impl Fn(&[usize]) -> bool, expected: &str) -> Result<Input, Refused> {
        if let Some(out) = self.out.as_ref().filter(|out| out.exists()) {
            return Err(Refused::new(format!(
                "{} is there already: name a new folder after --out",
                quoted(out.display())
            )));
        }
        let path = &self.data;
        let of_file = |path: &Path, source: ReadError| Refused::new(format!("{}: {source}", quoted(path.display())));
        let mut labels: Vec<Option<Vec<String>>> = Vec::new();
        let data = if path.is_dir() {
            let folder = ReleasedFolder::open(path)?;
            labels = (0..folder.shape().len())
                .map(|mode| Some(folder.labels(mode)?.to_vec()))
                .collect();
            let are_two = matches!(&labels[..], [Some(from), Some(to)] if from != to);
            if is_network && are_two {
                return Err(Refused::new(format!(
                    "{} names other actors in its rows than in its columns, and numbers them apart: release an edge list with indices in place of names, and `--shape` with the number of actors twice",
                    quoted(path.display())
                )));
            }
            let is_small = folder.num_cells() <= WHOLE;
            Data::Released(if is_network || is_small {
                folder.whole()?
            } else {
                folder.load()?
            })
        } else {
            let counts = read_counts(path, &self.reading.options()).map_err(|error| of_file(path, error))?;
            Data::Exact(if is_network { of_one_set(counts, path)? } else { counts })
        };
        let shape = data.shape().to_vec();
        if !fits(&shape) {
            let path = quoted(path.display());
            return Err(Refused::new(format!(
                "{path} holds counts of shape {shape:?}: {expected}"
            )));
        }
        labels.resize(shape.len(), None);
        let mut names: Vec<Vec<String>> = (labels.into_iter().zip(&shape).enumerate())
            .map(|(mode, (labels, &size))| {
                let given = labels.or_else(|| Some(data.labels(mode)?.to_vec()));
                given.unwrap_or_else(|| (1..=size).map(|i| i.to_string()).collect())
            })
            .collect();
        for (mode, path) in &self.labels {
            let read = read_vocabulary(path).map_err(|error| of_file(path, error))?;
            let modes = names.len();
            let of = names.get_mut(*mode).ok_or_else(|| {
                Refused::new(format!(
                    "there is no mode {mode} to be named: the data have {modes}, counted from 0"
                ))
            })?;
            if read.len() != of.len() {
                let (path, names, values) = (quoted(path.display()), read.len(), of.len());
                return Err(Refused::new(format!(
                    "{path} has {names} names, and mode {mode} has {values} values: give one name a line for each"
                )));
            }
            *of = read;
        }
        Ok(Input { data, names })
    }

    /// Settings of the fit; Ctrl-C ends it after the present sweep.
    fn gibbs(&self) -> Gibbs {
        let interrupt = Interrupt::on_ctrl_c();
        Gibbs {
            num_tune: self.tune,
            num_draws: self.draws,
            num_chains: Some(self.chains),
            seed: self.seed,
            num_threads: self.threads,
            progress: if self.quiet { Progress::Hidden } else { Progress::Bar },
            interrupt: interrupt.unwrap_or_default(),
            ..Gibbs::default()
        }
    }

    /// Prints what was found, and writes what was asked for.
    fn report(
        &self,
        data: &Data,
        (fit, checks): (&GibbsFit, &[PredictiveCheck]),
        found: &str,
        picture: impl FnOnce() -> Result<Picture, Refused>,
    ) -> Result<ExitCode, Refused> {
        println!("{found}");
        // With progress, the run has said them.
        if self.quiet {
            fit.doubts().iter().for_each(|doubt| eprintln!("warning: {doubt}"));
        }
        let promise = match data {
            Data::Exact(_) => "This fit looked at true counts: it is not private.".to_owned(),
            Data::Released(released) => match released.provenance() {
                Provenance::ReleasedHere(promise) => {
                    format!("The release keeps {promise}, and so does this fit of it.")
                }
                Provenance::Simulated { .. } => {
                    "The noise of the release follows a known seed: it promises nothing.".to_owned()
                }
                Provenance::Asserted => "Somebody else has released the counts: nothing is promised here.".to_owned(),
            },
        };
        println!("{promise}");
        if let Some(out) = &self.out {
            let folder = |source: std::io::Error| Refused::new(format!("{}: {source}", quoted(out.display())));
            // The picture first: what cannot be drawn leaves no folder.
            let picture = picture()?;
            std::fs::create_dir_all(out).map_err(folder)?;
            let kept = fit.save(out.join("fit.npz")).map_err(Refused::from);
            let written = kept.and_then(|()| {
                picture.save(out.join("picture.svg"))?;
                let saved = fit.saved()?;
                let report = Report::of(&saved).checks(checks);
                let report = match (data, &saved.counts()[..]) {
                    // Whoever fitted true counts may not want to send them.
                    (Data::Released(released), [count]) => {
                        let values = released.values()?.iter().map(|value| *value as f64);
                        report.observed(count, values.collect())
                    }
                    _ => report,
                };
                Ok(report.save(out.join("report.html"))?)
            });
            if written.is_err() {
                // It was not there before: nothing half-written is left.
                let _ = std::fs::remove_dir_all(out);
            }
            written?;
            println!(
                "wrote fit.npz, picture.svg and report.html to {}",
                quoted(out.display())
            );
        }
        Ok(match fit.ended() {
            skellam::infer::Ended::Interrupted => ExitCode::from(130),
            _ => ExitCode::SUCCESS,
        })
    }
}

/// The exit code of a command, or its error on standard error.
fn finish(done: Result<ExitCode, Refused>) -> ExitCode {
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

/// The names of the largest entries of a column.
fn most(of: &Array2<f64>, column: usize, names: &[String], n: usize) -> String {
    let largest = largest(&of.column(column).to_vec(), n).into_iter();
    largest.map(|i| names[i].as_str()).collect::<Vec<_>>().join("; ")
}
