//! Counts that somebody else released: signed values, one for every cell.

use std::path::PathBuf;

use skellam::channel::Channel;
use skellam::prelude::*;
use skellam::release::files::{Recorded, ValueWriter};
use skellam::release::{ReleasedValues, read_values};

use super::flags::{Flags, Kind};
use crate::refused::Refused;

/// Writes what the file holds under the mechanism that the user names.
pub fn assert(flags: &Flags) -> Result<PathBuf, Refused> {
    // What is asserted is a law, for which N and epsilon matter by alpha alone.
    let budget = Lplp::kept_by_alpha(1, flags.alpha.unwrap_or_default())?;
    let refused = |mechanism: &str| {
        Err(Refused::new(format!(
            "--already-released takes the mechanisms geometric and truncated, whose parameter is --alpha, not {mechanism}"
        )))
    };
    match flags.noise.mechanism {
        Kind::Geometric => write(flags, budget),
        Kind::Truncated => write(flags, Truncated(budget)),
        Kind::Skellam => refused("skellam"),
        Kind::Laplace => refused("laplace"),
    }
}

fn write<M: Recorded>(flags: &Flags, mechanism: M) -> Result<PathBuf, Refused>
where
    M::Law: Channel<Value = i64>,
{
    let read = read_values(&flags.input, &flags.reading());
    let ReleasedValues { shape, values } = read.map_err(|error| Refused::of_file(&flags.input, error))?;
    let mut writer = ValueWriter::create(&flags.out, &shape, &Varying::Uniform(mechanism))?;
    for slice in values.chunks(shape[1..].iter().product()) {
        writer.push_slice(slice)?;
    }
    Ok(writer.finish()?)
}
