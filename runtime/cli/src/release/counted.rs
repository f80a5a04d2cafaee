//! True counts, slice by slice, into a folder of released ones.

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use skellam::counts::CountSlices;
use skellam::prelude::*;
use skellam::quoted;
use skellam::release::FolderWriter;
use skellam::release::files::Recorded;

use super::flags::{Flags, Kind};
use super::{account, duration, mechanism, report};
use crate::refused::Refused;

/// Releases the file by the mechanism that was asked for.
pub fn release(flags: &Flags) -> Result<PathBuf, Refused> {
    if flags.alpha.is_some() {
        return Err(Refused::new(
            "--alpha is for --already-released: noise that is drawn here follows from --n and --epsilon, so leave it out",
        ));
    }
    let (deltas, bits) = (flags.noise.deltas()?, flags.noise.bits()?);
    let checking = bar(flags, 0, "checking");
    let slices = CountSlices::open(&flags.input, &flags.reading());
    checking.finish_and_clear();
    let slices = slices.map_err(|error| Refused::of_file(&flags.input, error))?;
    report::size(flags, &slices);
    account::by_position(flags, slices.labels(0).is_some());
    let (n, rows) = (flags.precision(), slices.shape()[0]);
    match flags.noise.mechanism {
        Kind::Geometric => {
            let law = mechanism::varying(flags, rows, |epsilon| Lplp::new(n, epsilon))?;
            by(flags, slices, &law)
        }
        Kind::Truncated => {
            let law = mechanism::varying(flags, rows, |epsilon| Lplp::new(n, epsilon).map(Truncated))?;
            by(flags, slices, &law)
        }
        Kind::Skellam => {
            let law = mechanism::varying(flags, rows, |epsilon| deltas.noise(n, epsilon))?;
            by(flags, slices, &law)
        }
        Kind::Laplace => {
            let law = mechanism::varying(flags, rows, |epsilon| LatticeLaplace::new(Lplp::new(n, epsilon)?, bits))?;
            by(flags, slices, &law)
        }
    }
}

fn by<M: Recorded>(flags: &Flags, mut slices: CountSlices, law: &Varying<M>) -> Result<PathBuf, Refused> {
    duration::say(flags, &slices, law);
    let rows = slices.shape()[0];
    let writer = match flags.seed_for_simulation {
        None => FolderWriter::create(&flags.out, slices.shape(), law)?,
        Some(seed) => FolderWriter::create_with_seed_for_simulation(&flags.out, slices.shape(), law, seed)?,
    };
    let mut writer = writer.shape_from_data(slices.shape_from_data());
    if flags.publish_names {
        for (axis, names) in (0..slices.shape().len()).filter_map(|axis| Some((axis, slices.labels(axis)?))) {
            writer = writer.labels(axis, &names)?;
        }
    }
    slices
        .reserve()
        .map_err(|error| Refused::of_file(&flags.input, error))?;
    // What can be known to fail without a look at the counts has been asked for: from here on it costs.
    let Some(mut ledger) = account::open(flags, rows, slices.labels(0).as_deref())? else {
        return stream(flags, slices, writer);
    };
    account::charge(&mut ledger, law, slices.shape())?;
    // The ledger is held until the release is there.
    stream(flags, slices, writer).map_err(|source| {
        let charged = flags.ledger.clone().unwrap_or_default();
        Refused::new(format!(
            "{source}. {} had been charged before, and stays so: whether anything was seen in between, nobody can tell",
            quoted(charged.display())
        ))
    })
}

/// Draws the noise of one row after the other.
fn stream<M: Recorded>(
    flags: &Flags,
    mut slices: CountSlices,
    mut writer: FolderWriter<M>,
) -> Result<PathBuf, Refused> {
    let rows = slices.shape()[0];
    let progress = bar(flags, rows as u64, "releasing");
    while let Some(counts) = slices.next().map_err(|error| Refused::of_file(&flags.input, error))? {
        writer.push_slice(counts)?;
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(writer.finish()?)
}

/// A bar on standard error; without a known length, a sign of life.
pub fn bar(flags: &Flags, length: u64, what: &'static str) -> ProgressBar {
    let target = match flags.quiet {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let (bar, template) = match length {
        0 => (ProgressBar::no_length(), "{msg} {spinner} {elapsed}"),
        length => (
            ProgressBar::new(length),
            "{msg} {wide_bar} {pos}/{len} rows, {eta} left",
        ),
    };
    bar.set_draw_target(target);
    bar.set_message(what);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if length == 0 {
        bar.enable_steady_tick(std::time::Duration::from_millis(200));
    }
    bar
}
