//! What an update found or left behind, judged.

use crate::counts::index_at;
use crate::error::Error;
use crate::model::SUM_TOLERANCE;
use crate::model::{Latent, Lines, Part};

/// The first value that no factor may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// A conditional whose mean is zero, subnormal, infinite or NaN: its parameters have left the range of doubles.
    Conditional { latent: usize, entry: usize, mean: f64 },
    /// An entry that is not positive and finite.
    Entry { latent: usize, entry: usize, value: f64 },
    /// A line that does not sum to one.
    Line { latent: usize, line: usize, sum: f64 },
}

impl Fault {
    /// Looks for a mean of a conditional that doubles do not hold. Draws and geometric means can be smaller than any
    /// double and are raised to the least; a mean that small comes of a rate that has overflowed.
    pub fn in_means(part: Part<'_>, start: usize, mut means: impl Iterator<Item = f64>) -> Option<Self> {
        let mut mean = 0.0;
        let at = means.position(|value| {
            mean = value;
            !value.is_normal()
        })?;
        Some(Fault::Conditional {
            latent: part.latent,
            entry: part.slice.map_or(start + at, |slice| slice.entries[at]),
            mean,
        })
    }

    /// Looks for an entry that is not positive and finite, and makes one of it wherever it finds it: the run
    /// ends with an error, but until then nothing may divide by a zero.
    pub fn in_entries(part: Part<'_>, values: &mut [f64]) -> Option<Self> {
        let mut found = None;
        for (i, value) in values.iter_mut().enumerate() {
            if !(*value > 0.0 && *value < f64::INFINITY) {
                found.get_or_insert(Fault::Entry {
                    latent: part.latent,
                    entry: part.slice.map_or(i, |slice| slice.entries[i]),
                    value: *value,
                });
                *value = 1.0;
            }
            *value = value.max(f64::MIN_POSITIVE);
        }
        found
    }

    /// Looks for a line that does not sum to one.
    pub fn in_lines(latent: usize, lines: Lines, values: &[f64]) -> Option<Self> {
        (0..lines.len()).find_map(|line| {
            let sum: f64 = lines.entries(line).map(|e| values[e]).sum();
            ((sum - 1.0).abs() > SUM_TOLERANCE).then_some(Fault::Line { latent, line, sum })
        })
    }

    /// In words.
    pub fn error(self, latents: &[Latent]) -> Error {
        match self {
            Fault::Conditional { latent, entry, mean } => Error::Overflow {
                what: format!("the mean of the conditional of `{}`", latents[latent].name),
                value: mean,
                index: Some(index_at(&latents[latent].shape, entry)),
            },
            Fault::Entry { latent, entry, value } => Error::OwnUpdate {
                latent: latents[latent].name,
                entry,
                value,
            },
            Fault::Line { latent, line, sum } => Error::OwnSimplex {
                latent: latents[latent].name,
                line,
                sum,
            },
        }
    }
}
