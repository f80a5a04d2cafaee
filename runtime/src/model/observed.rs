//! The data of one count, seen through the channel in which they were given.

mod differences;
mod given;
mod hidden;
mod lines;
mod replicated;

pub use differences::SeenDifferences;
pub use given::{DataOf, ReleasedBy, SeenAs, SeenByCell, SeenInSteps, SeenThrough, exact, naive};
pub use hidden::HiddenCount;
pub use replicated::{Replicated, Target};

use std::sync::Arc;

use crate::channel::Channel;
use crate::contract::Grid;
use crate::counts::{Mask, Observation, index_at};
use crate::error::{Error, Formless};
use crate::error::{FormError, MaskError, SizeError};
use crate::release::{ReleaseError, Released};
use crate::streams::Stream;
use crate::total::Likelihood;
use crate::view::{Binding, Forms, Guard, Guards, Mean, Observations, View};

use super::{Constant, CountData, Rules, Source};

/// Which form of a channel a view runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormKind {
    /// Everything but the rate integrated out.
    #[default]
    Collapsed,
    /// The channel's auxiliary variables kept.
    Augmented,
}

/// The data of one count, seen through `M`.
#[derive(Clone, Debug)]
pub struct Observed<M: Channel> {
    data: Observations<M>,
    kind: ObservedKind,
    forms: Forms<M>,
    source: Source,
    mean: Mean,
    /// Whether a cell is positive.
    is_positive: bool,
}

/// What the data of a count are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ObservedKind {
    /// Releases.
    Released,
    /// True counts.
    True,
    /// Releases that are taken for counts.
    Taken,
}

impl<M: Channel> Observed<M> {
    fn new(data: Observations<M>, kind: ObservedKind, source: Source) -> Self {
        let cells: usize = data.shape.iter().product();
        let all = Summary::new(&data, cells - data.mask.len(), &|_| true);
        Self {
            mean: all.mean,
            is_positive: all.positive > 0,
            forms: Forms::with::<M::Augmentation>(),
            source,
            kind,
            data,
        }
    }

    /// The same data in other forms.
    #[doc(hidden)]
    pub fn in_forms(self, forms: Forms<M>) -> Self {
        Self { forms, ..self }
    }

    /// Counts released by `M`.
    pub fn released(released: &Released<M>) -> Self {
        let data = Observations {
            shape: released.shape().to_vec(),
            store: released.store().clone(),
            law: released.law().clone(),
            mask: released.mask().clone(),
        };
        Self::new(data, ObservedKind::Released, Source::released(released.provenance()))
    }

    /// The data without the type of their mechanism.
    pub fn shared(self) -> Arc<dyn CountData> {
        Arc::new(self)
    }

    /// Refuses data of which a part is known by sums alone, where each value is needed: the augmented form has state for
    /// every cell, and cells that the model leaves out would have to be taken off the sums.
    fn whole_where_needed(&self, form: FormKind, guards: &Guards) -> Result<(), Error> {
        let what = match form {
            FormKind::Augmented if self.forms.is_augmented() => "the augmented form visits every cell",
            _ if !guards.is_empty() => "`where` leaves cells out",
            _ => return Ok(()),
        };
        if self.data.store.unstored().is_empty() {
            return Ok(());
        }
        Err(ReleaseError::Summed { what }.into())
    }

    /// Mean of the observed cells that belong to the model.
    fn mean_of_model(&self, name: &'static str, grid: &Grid, guards: &Guards) -> Result<Mean, Error> {
        if guards.is_empty() {
            return Ok(self.mean);
        }
        let holds = |cell: usize| guards.holds_cell(grid, cell);
        let mask = &self.data.mask;
        let cells = guards.cells(grid);
        if cells == 0 {
            return Err(Error::Size(SizeError::NoCells { count: name }));
        }
        let observed = match mask.listed_observed() {
            Some(listed) => listed.iter().filter(|&&cell| holds(cell)).count(),
            None => cells - mask.indices().filter(|&cell| holds(cell)).count(),
        };
        let summary = Summary::new(&self.data, observed, &holds);
        // Noise is positive anywhere; a count that is has been put where the model has no cell. Where all of these are held out, nothing is
        // known of that.
        if observed > 0 && self.kind == ObservedKind::True && summary.positive == 0 && self.is_positive {
            return Err(Error::Size(SizeError::AllExcluded { count: name }));
        }
        Ok(summary.mean)
    }
}

impl<M: Channel> CountData for Observed<M> {
    fn channel(&self) -> &'static str {
        M::text().name
    }

    fn supports(&self, form: FormKind) -> bool {
        form == FormKind::Collapsed || self.forms.is_augmented()
    }

    fn check(&self, name: &'static str, rules: &Rules<'_>) -> Result<(), Error> {
        if rules.guards.is_empty() {
            return Ok(());
        }
        let cols: Vec<usize> = (1..self.shape().len()).collect();
        let grid = Grid::new(self.shape(), &[0], &cols, 1);
        let guards = Guards::new(&grid, rules.guards);
        self.mean_of_model(name, &grid, &guards).map(|_| ())
    }

    fn bind(&self, name: &'static str, grid: Grid, form: FormKind, rules: &Rules<'_>) -> Result<View, Error> {
        if u32::try_from(grid.cols).is_err() {
            return Err(Error::Size(SizeError::TooWide { name, size: grid.cols }));
        }
        let guards = Guards::new(&grid, rules.guards);
        let mean = self.mean_of_model(name, &grid, &guards)?;
        constant_mask(name, &grid, &guards, &self.data.mask, rules.constant)?;
        self.whole_where_needed(form, &guards)?;
        let drawn = !rules.constant.is_empty();
        let binding = Binding {
            name,
            source: self.source.clone(),
            grid,
            guards,
            mean,
            augmented: form == FormKind::Augmented,
            drawn,
        };
        binding.of(&self.data, &self.forms)
    }

    fn bind_table(&self, name: &'static str, grid: Grid, rules: &Rules<'_>, closed: &Mask) -> Result<View, Error> {
        self.table_view(name, grid, rules, closed)
    }

    fn is_fixed(&self) -> bool {
        self.kind != ObservedKind::Released
    }

    fn likelihood(&self, name: &'static str) -> Result<Option<Arc<dyn Likelihood>>, Error> {
        self.likelihood_of_cells(name).map(Some)
    }

    fn sums_along(&self, axis: usize) -> Option<Vec<u64>> {
        self.sums(axis)
    }

    fn with_counts(&self, counts: &[[u64; 2]], rng: &mut Stream) -> Result<Arc<dyn CountData>, Error> {
        Ok(self.drawn(counts, rng)?.shared())
    }
}

/// Refuses the augmented form where no count has one. `channels` are the channels of the counts, and whether
/// each supports `form`.
///
/// # Errors
///
/// [`FormError::Missing`].
pub fn supported(form: FormKind, channels: &[(Formless, bool)]) -> Result<(), Error> {
    match channels.first() {
        Some((of, _)) if form == FormKind::Augmented && channels.iter().all(|(_, supports)| !supports) => {
            Err(Error::Form(FormError::Missing {
                of: *of,
                form: "augmented",
            }))
        }
        _ => Ok(()),
    }
}

/// A count that is observed: its name, its data, and the clauses of its `where`.
pub type Seen<'a> = (&'static str, &'a dyn Replicated, &'a [Guard]);

/// Refuses data of which inference would see nothing. [`Mask::all`] asks for draws from the prior and is accepted.
///
/// # Errors
///
/// [`MaskError::NothingObserved`].
pub fn seen(counts: &[Seen<'_>]) -> Result<(), Error> {
    let hidden = |&(_, data, guards): &Seen<'_>| all_held_out(data.mask(), data.shape(), guards);
    let mistaken = counts
        .iter()
        .find(|seen| !seen.1.mask().is_all_by_name() && hidden(seen));
    match mistaken {
        Some((count, ..)) if counts.iter().all(hidden) => Err(Error::Mask(MaskError::NothingObserved { count })),
        _ => Ok(()),
    }
}

/// Whether a mask holds out every cell that belongs to the model. Usually the first few cells show that it does not.
fn all_held_out(mask: &Mask, shape: &[usize], guards: &[Guard]) -> bool {
    let in_model = |cell: usize| {
        let index = index_at(shape, cell);
        guards.iter().all(|guard| guard.holds(&index))
    };
    let cells: usize = shape.iter().product();
    if mask.is_empty() || mask.len() == cells {
        return !mask.is_empty();
    }
    match mask.listed_observed() {
        Some(listed) => !listed.iter().any(|&cell| in_model(cell)),
        None => !(0..cells).any(|cell| !mask.is_held_out(cell) && in_model(cell)),
    }
}

/// Refuses a mask that is not constant along the indices of `constant`.
fn constant_mask(
    name: &'static str,
    grid: &Grid,
    guards: &Guards,
    mask: &Mask,
    constant: &[Constant],
) -> Result<(), Error> {
    if constant.is_empty() || mask.is_empty() {
        return Ok(());
    }
    let shape = grid.shape();
    let in_model = |cell: usize| guards.holds_cell(grid, cell);
    for rule in constant {
        let (size, stride) = (shape[rule.axis], shape[rule.axis + 1..].iter().product::<usize>());
        // A line is held out whole, or observed whole, if the same is true of the cell after each of its cells, the last followed
        // by the first.
        let next = |cell: usize| match cell / stride % size {
            last if last + 1 == size => cell - last * stride,
            _ => cell + stride,
        };
        let parted = match mask.listed_observed() {
            Some(listed) => {
                (listed.iter().map(|&cell| next(cell))).find(|&cell| mask.is_held_out(cell) && in_model(cell))
            }
            None => mask
                .indices()
                .find(|&cell| !mask.is_held_out(next(cell)) && in_model(cell)),
        };
        if let Some(cell) = parted {
            return Err(Error::Mask(MaskError::Uneven {
                count: name,
                index: rule.index,
                axis: rule.axis,
                latents: constant
                    .iter()
                    .filter(|other| other.axis == rule.axis)
                    .map(|other| other.latent)
                    .collect(),
                cell: index_at(&shape, cell),
            }));
        }
    }
    Ok(())
}

/// What was observed in some of the cells.
struct Summary {
    mean: Mean,
    /// How many are positive.
    positive: usize,
}

impl Summary {
    /// The summary of the `cells` cells that are not held out and for which `holds` is true.
    fn new<C: Channel>(data: &Observations<C>, cells: usize, holds: &dyn Fn(usize) -> bool) -> Self {
        let masked = !data.mask.is_empty();
        let unstored = data.store.unstored();
        let (mut sum, mut squares, mut positive) = (unstored.sum, unstored.squares, 0usize);
        for (cell, value) in data.store.iter() {
            if masked && data.mask.is_held_out(cell) || !holds(cell) {
                continue;
            }
            let estimate = data.law.at(cell, &data.shape).estimate(value);
            sum += estimate;
            squares += estimate * estimate;
            positive += usize::from(value.number() > 0.0);
        }
        let n = cells.max(1) as f64;
        let value = sum / n;
        let variance = (squares / n - value * value).max(0.0);
        Self {
            mean: Mean {
                value,
                error: (variance / n).sqrt(),
            },
            positive,
        }
    }
}
