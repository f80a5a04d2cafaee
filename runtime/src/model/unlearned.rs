//! What known zeros do to a model: counts that no latents explain, and latents of which no count says anything.

use std::fmt;

use crate::counts::{Array, index_at};
use crate::error::{Error, RunError};

use super::{Bound, Domain, FactorKind, FactorSpec, Factors, Latent, TermSpec};

/// Values of an index at which a latent learns nothing: a known array or a frozen latent is zero there in every term that it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unlearned {
    /// The latent.
    pub latent: &'static str,
    /// The array, or the frozen latent, that is zero.
    pub zero: &'static str,
    /// The index set.
    pub index: &'static str,
    /// The positions in it, from 0.
    pub at: Vec<usize>,
}

/// So many positions are named.
const NAMED: usize = 5;

impl fmt::Display for Unlearned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            latent,
            zero,
            index,
            at,
        } = self;
        let named: Vec<String> = at.iter().take(NAMED).map(ToString::to_string).collect();
        let more = match at.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        write!(
            f,
            "`{zero}` is zero all along {}{more} of `{index}` (from 0), so no count says anything of `{latent}` there, and its posterior is its \
             prior: leave these values of `{index}` out, or do not read `{latent}` there",
            named.join(", ")
        )
    }
}

/// A known factor: a known array of numbers, or a frozen latent.
#[derive(Clone, Copy)]
struct KnownFactor<'a> {
    name: &'static str,
    shape: &'a [usize],
    values: &'a [f64],
}

impl Bound {
    /// Refuses a positive count in a cell whose rate is zero whatever the latents are. An observation through noise is refused
    /// only where no count but a positive one explains it.
    ///
    /// # Errors
    ///
    /// [`RunError::ImpossibleCell`].
    pub(super) fn explained(&self) -> Result<(), Error> {
        if !self.known().any(|known| known.values.contains(&0.0)) {
            return Ok(());
        }
        let mut x = Factors::zeros(&self.latents);
        for (values, frozen) in x.iter_mut().zip(&self.frozen) {
            match frozen {
                Some(frozen) => values.copy_from_slice(frozen),
                None => values.fill(1.0),
            }
        }
        let mut count_rates = self.count_rates();
        count_rates.iter_mut().for_each(|rate| rate.set(&x));
        for (view, count_rate) in self.views.iter().zip(&count_rates) {
            if let Some((cell, value)) = count_rate.impossible(view) {
                return Err(Error::Run(RunError::ImpossibleCell {
                    count: view.name(),
                    cell: index_at(&view.grid().shape(), cell),
                    value,
                }));
            }
        }
        Ok(())
    }

    /// The latents that learn nothing at some values of an index, as a column of a known array is zero there.
    pub(crate) fn unlearned(&self) -> Vec<Unlearned> {
        let (spec, latents) = (self.spec, self.latents.iter().enumerate());
        let learns =
            |at: usize| !self.latents[at].is_parent && spec.in_shape(at).is_none() && self.frozen[at].is_none();
        let axes = latents
            .filter(|(at, _)| learns(*at))
            .flat_map(|(at, latent)| (0..latent.shape.len()).map(move |axis| (at, axis)));
        axes.filter_map(|(latent, axis)| self.unlearned_along(latent, axis))
            .collect()
    }

    fn unlearned_along(&self, latent: usize, axis: usize) -> Option<Unlearned> {
        let Latent {
            name, shape, indices, ..
        } = &self.latents[latent];
        let terms = self.spec.counts.iter().flat_map(|count| count.terms);
        let places = terms.flat_map(|term| {
            let read = term
                .factors
                .iter()
                .filter(|factor| factor.of == FactorKind::Latent(latent));
            read.map(move |factor| (term, factor))
        });
        let (mut zero, mut at): (Option<&'static str>, Option<Vec<usize>>) = (None, None);
        for (term, factor) in places {
            let (found, by) = self.zero_lines(term, factor.vars[axis], shape[axis]);
            let all = at.get_or_insert_with(|| (0..shape[axis]).collect());
            all.retain(|position| found.contains(position));
            zero = zero.or(by);
        }
        let at = at.filter(|at| !at.is_empty())?;
        Some(Unlearned {
            latent: name,
            zero: zero?,
            index: indices[axis],
            at,
        })
    }

    /// The values of an index at which a term is zero, as a known factor in it is zero all along them, and that factor.
    fn zero_lines(&self, term: &TermSpec, var: usize, size: usize) -> (Vec<usize>, Option<&'static str>) {
        let (mut lines, mut by) = (Vec::new(), None);
        for factor in term.factors.iter().filter(|factor| factor.start.is_none()) {
            let Some(known) = self.known_at(factor) else { continue };
            let Some(axis) = factor.vars.iter().position(|other| *other == var) else {
                continue;
            };
            let found = known.zeros_along(axis);
            // An array of one index that says where something is, with zeros elsewhere, is no mistake.
            if found.is_empty() || known.shape.len() == 1 && found.len() < size {
                continue;
            }
            by = by.or(Some(known.name));
            lines.extend(found);
        }
        (lines, by)
    }

    fn known_at(&self, factor: &FactorSpec) -> Option<KnownFactor<'_>> {
        match factor.of {
            FactorKind::Array(array) => self.known_array(array),
            FactorKind::Latent(latent) => self.known_latent(latent),
            FactorKind::Hyper(_) => None,
        }
    }

    fn known_array(&self, array: usize) -> Option<KnownFactor<'_>> {
        let spec = &self.spec.arrays[array];
        let of: &Array = &self.arrays()[array];
        let is_number = !matches!(spec.domain, Domain::PositionIn(_));
        is_number.then(|| KnownFactor {
            name: spec.name,
            shape: of.shape(),
            values: of.as_slice(),
        })
    }

    fn known_latent(&self, latent: usize) -> Option<KnownFactor<'_>> {
        let Latent { name, shape, .. } = &self.latents[latent];
        self.frozen[latent]
            .as_ref()
            .map(|values| KnownFactor { name, shape, values })
    }

    fn known(&self) -> impl Iterator<Item = KnownFactor<'_>> {
        let arrays = (0..self.arrays().len()).filter_map(|array| self.known_array(array));
        arrays.chain((0..self.latents.len()).filter_map(|latent| self.known_latent(latent)))
    }
}

impl KnownFactor<'_> {
    /// The values of the index at `axis` at which all entries are zero.
    fn zeros_along(&self, axis: usize) -> Vec<usize> {
        let size = self.shape[axis];
        let after: usize = self.shape[axis + 1..].iter().product();
        let mut is_zero = vec![true; size];
        for (entry, value) in self.values.iter().enumerate() {
            is_zero[entry / after.max(1) % size] &= *value == 0.0;
        }
        (0..size).filter(|position| is_zero[*position]).collect()
    }
}
