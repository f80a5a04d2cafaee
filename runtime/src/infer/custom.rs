//! Checks of the conditional that an update is given, and of the values that it leaves.

use crate::counts::index_at;
use crate::error::{Error, RunError, TotalError};
use crate::family::Invalid;
use crate::memory::TooLarge;
use crate::model::{Complete, Lines, Model, Part};
use crate::total::{Totals, Unsummed};

/// The first value that no factor may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fault {
    /// A conditional whose mean is zero, subnormal, infinite or NaN: its parameters have left the range of doubles.
    Conditional { latent: usize, entry: usize, mean: f64 },
    /// An entry that is not positive and finite.
    Entry { latent: usize, entry: usize, value: f64 },
    /// An entry outside the support of its custom family.
    Outside { latent: usize, entry: usize, value: f64 },
    /// A line that does not sum to one.
    Line { latent: usize, line: usize, sum: f64 },
    /// A Poisson count that is a total and whose law could not be summed.
    Total(Unsummed),
    /// Tokens for which there is no memory.
    Tokens { count: usize, numbers: usize },
}

impl Fault {
    /// The mean of the conditional of the entry that is number `at`, line after line, is out of the range of doubles.
    pub fn in_mean(part: Part<'_>, lines: Lines, at: usize, mean: f64) -> Self {
        let entry = lines.entry(at);
        Fault::Conditional {
            latent: part.latent,
            entry: part.slice.map_or(entry, |slice| slice.entries[entry]),
            mean,
        }
    }

    /// Looks for an entry, line after line, that is not positive and finite, and sets every such entry to one: the run ends with
    /// an error, but until then nothing may divide by zero.
    pub fn in_entries(part: Part<'_>, lines: Lines, values: &mut [f64]) -> Option<Self> {
        let mut found = None;
        for (i, value) in values.iter_mut().enumerate() {
            if !(*value > 0.0 && *value < f64::INFINITY) {
                found.get_or_insert(Fault::Entry {
                    latent: part.latent,
                    entry: part.slice.map_or(lines.entry(i), |slice| slice.entries[lines.entry(i)]),
                    value: *value,
                });
                *value = 1.0;
            }
            *value = value.max(f64::MIN_POSITIVE);
        }
        found
    }

    /// Looks for an entry outside the support of the family, and for a mean that is not positive and finite.
    pub fn outside(of: &Complete<'_>, values: &[f64]) -> Option<Self> {
        let at = values.iter().position(|x| of.family.invalid(&[*x]).is_some())?;
        Some(Fault::Outside {
            latent: of.part.latent,
            entry: of.part.slice.map_or(at, |slice| slice.entries[at]),
            value: values[at],
        })
    }

    /// Looks for a line that does not sum to one.
    pub fn in_lines(of: &Complete<'_>, values: &[f64]) -> Option<Self> {
        let lines = of.lines;
        (0..lines.number()).find_map(|line| match of.family.invalid(&lines.slice(values, line, 1)) {
            Some(Invalid::Sum(sum)) => Some(Fault::Line {
                latent: of.part.latent,
                line,
                sum,
            }),
            Some(Invalid::Entry(_)) | None => None,
        })
    }

    /// The fault as an error.
    pub fn error(self, model: &dyn Model) -> Error {
        let latents = model.latents();
        match self {
            Fault::Tokens { count, numbers } => {
                let (what, bytes) = (
                    format!("the tokens of `{}`", model.views()[count].name()),
                    4.0 * numbers as f64,
                );
                TooLarge::new(
                    &what,
                    bytes,
                    "use the collapsed form, which does not tell the units of a count apart",
                )
                .into()
            }
            Fault::Total(Unsummed { count, cell }) => {
                let view = model.views()[count];
                Error::Total(TotalError::NotSummed {
                    count: view.name(),
                    cell: index_at(&view.grid().shape(), cell),
                    most: Totals::MOST,
                })
            }
            Fault::Conditional { latent, entry, mean } => Error::Run(RunError::Overflow {
                what: format!("the mean of the conditional of `{}`", latents[latent].name),
                value: mean,
                cell: Some(index_at(&latents[latent].shape, entry)),
            }),
            Fault::Entry { latent, entry, value } => Error::Run(RunError::CustomUpdate {
                latent: latents[latent].name,
                entry,
                value,
            }),
            Fault::Outside { latent, entry, value } => Error::Run(RunError::OutsideFamily {
                latent: latents[latent].name,
                family: latents[latent].family.name(),
                entry,
                value,
            }),
            Fault::Line { latent, line, sum } => Error::Run(RunError::CustomSimplex {
                latent: latents[latent].name,
                line,
                sum,
            }),
        }
    }
}
