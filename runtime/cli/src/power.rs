//! `skellam power --rate 0.00875 --epsilon 1,2,3`: what released counts can tell, before anything is released.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use skellam::channel::{most_information, told};
use skellam::counts::read_counts;
use skellam::infer::Saved;
use skellam::prelude::*;
use skellam::quoted;
use skellam::release::{BudgetError, Mechanism};

use crate::reading::Reading;
use crate::refused::Refused;
use crate::release::flags::{Kind, Noise};

/// What to compute.
#[derive(Clone, Debug, Args)]
#[command(group(ArgGroup::new("rates").required(true).args(["rate", "counts", "fit"])))]
pub struct Flags {
    /// Rates of cells: expected counts, such as the mean count of a cell. The mean of a private file is private too: take it from
    /// public data, from a release, or from a guess.
    #[arg(long, value_delimiter = ',', allow_negative_numbers = true)]
    pub rate: Vec<f64>,
    /// A file of public counts like the private ones: its rates are the mean counts of the values of its last mode, the words of
    /// a corpus. Of private counts the table itself is private.
    #[arg(long, value_name = "FILE")]
    pub counts: Option<PathBuf>,
    /// A saved fit (.npz), of a release or of public counts: its rates are the mean rates of all cells.
    #[arg(long, value_name = "FIT")]
    pub fit: Option<PathBuf>,
    /// Privacy losses to compare, each a number or a ratio such as 1/3.
    #[arg(long, value_delimiter = ',', required = true, allow_hyphen_values = true)]
    pub epsilon: Vec<String>,
    /// Precisions N to compare: a loss is for rows that differ by at most N counts in all.
    #[arg(long, value_delimiter = ',', default_value = "1", allow_negative_numbers = true)]
    pub n: Vec<u64>,
    /// What would be drawn.
    #[command(flatten)]
    pub noise: Noise,
    /// What the file of counts is.
    #[command(flatten)]
    pub reading: Reading,
}

/// A table with a line for each epsilon.
///
/// # Errors
/// A rate or an epsilon that is no number above zero; flags of another mechanism; a file that cannot be read.
pub fn run(flags: &Flags) -> Result<String, Refused> {
    let noise = &flags.noise;
    let (deltas, bits) = (noise.deltas()?, noise.bits()?);
    match noise.mechanism {
        Kind::Geometric => table(flags, "two-sided geometric noise", |n, epsilon| Lplp::new(n, epsilon)),
        Kind::Truncated => table(flags, "truncated two-sided geometric noise", |n, epsilon| {
            Lplp::new(n, epsilon).map(Truncated)
        }),
        Kind::Skellam => table(flags, "Skellam noise", |n, epsilon| deltas.noise(n, epsilon)),
        Kind::Laplace => table(flags, "Laplace noise on a lattice", |n, epsilon| {
            LatticeLaplace::new(Lplp::new(n, epsilon)?, bits)
        }),
    }
}

fn table<M: Mechanism>(
    flags: &Flags,
    noise: &str,
    mechanism: impl Fn(u64, &str) -> Result<M, BudgetError>,
) -> Result<String, Refused> {
    let (rates, whence) = rates(flags)?;
    let mut text = format!(
        "what a released count tells of its rate: {noise}\nrates: {whence}\n\n\
         {:>9}  {:>9}  {:>11}  {:>11}  {:>15}\n",
        "N", "epsilon", "information", "at most", "times more rows"
    );
    let settings = flags
        .n
        .iter()
        .flat_map(|n| flags.epsilon.iter().map(move |epsilon| (*n, epsilon)));
    for (n, epsilon) in settings {
        let law = mechanism(n, epsilon)?.law()?;
        let [information, price] = told(&law, rates.iter().copied())?;
        let level = Lplp::new(n, epsilon.as_str())?.gamma().to_f64();
        // Of a mechanism that may break its promise there is no bound.
        let most = match flags.noise.mechanism {
            Kind::Skellam => "-".to_owned(),
            _ => short(most_information(level)),
        };
        let _ = writeln!(
            text,
            "{n:>9}  {epsilon:>9}  {:>11}  {most:>11}  {:>15}",
            short(information),
            short(price)
        );
    }
    text.push_str(
        "\ninformation: of one released count about its rate, mean over the rates; without noise it is 1 / rate\n\
         at most: no noise of this epsilon / N tells more, at any rate\n\
         times more rows: so many rows with noise tell as much of a common factor of all rates as one without\n",
    );
    if let Some(path) = &flags.counts {
        let _ = writeln!(
            text,
            "\nThe table follows from the counts in {}. If these are private, so are the table and an epsilon that is chosen by it: use public counts of the same kind.",
            quoted(path.display())
        );
    }
    Ok(text)
}

/// Rates with their numbers of cells, and where they are from.
fn rates(flags: &Flags) -> Result<(Vec<[f64; 2]>, String), Refused> {
    if let Some(path) = &flags.counts {
        if path.is_dir() {
            return Err(Refused::new(format!(
                "{} is a folder: of released counts, fit them, and give the fit by --fit",
                quoted(path.display())
            )));
        }
        let counts = read_counts(path, &flags.reading.options()).map_err(|error| Refused::of_file(path, error))?;
        let last = counts.shape().len().saturating_sub(1);
        let lines = counts.shape()[..last].iter().product::<usize>() as f64;
        let sums = counts.margins(last).map_err(Error::from)?;
        let rates = binned(sums.iter().filter(|sum| **sum > 0.0).map(|sum| sum / lines));
        return of_file(path, rates, "mean counts of the values of the last mode");
    }
    if let Some(path) = &flags.fit {
        let fit = Saved::load(path)?;
        let counts = fit.counts();
        let [count] = counts[..] else {
            let all = counts.join("`, `");
            return Err(Refused::new(format!(
                "the fit is of several counts, `{all}`: give rates of one of them, by --rate"
            )));
        };
        let rates = binned(fit.rates(count)?.as_slice().iter().copied().filter(|rate| *rate > 0.0));
        let promise = match fit.promise(count)? {
            "" => String::new(),
            promise => format!(" ({promise})"),
        };
        return of_file(path, rates, &format!("means of `{count}`{promise}"));
    }
    let rates = flags.rate.iter().map(|rate| [*rate, 1.0]).collect();
    Ok((rates, "those given".to_owned()))
}

/// Four digits.
fn short(x: f64) -> String {
    match x {
        0.01..1e5 => format!("{x:.*}", (3 - x.log10().floor() as i32).clamp(0, 4) as usize),
        _ => format!("{x:.3e}"),
    }
}

fn of_file(path: &Path, rates: Vec<[f64; 2]>, what: &str) -> Result<(Vec<[f64; 2]>, String), Refused> {
    let path = quoted(path.display());
    let (Some([least, _]), Some([most, _])) = (rates.first(), rates.last()) else {
        return Err(Refused::new(format!(
            "{path} has no rate above zero: there is nothing to be told"
        )));
    };
    let whence = format!("{what} in {path}, from {least:.2e} to {most:.2e}");
    Ok((rates, whence))
}

/// Rates within a hundredth of each other as one, their mean, with their number: an information is not computed for each of 10^8 cells.
fn binned(rates: impl Iterator<Item = f64>) -> Vec<[f64; 2]> {
    let mut bins: BTreeMap<i64, [f64; 2]> = BTreeMap::new();
    for rate in rates {
        let [sum, cells] = bins.entry((100.0 * rate.ln()).floor() as i64).or_default();
        *sum += rate;
        *cells += 1.0;
    }
    bins.into_values().map(|[sum, cells]| [sum / cells, cells]).collect()
}
