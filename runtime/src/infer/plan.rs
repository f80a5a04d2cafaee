//! What would run, and what it costs.

mod text;

use std::any::TypeId;
use std::borrow::Cow;

use crate::channel::{Augmentation, Channel, Exact};
use crate::counts::{Observation, Packed};
use crate::error::{Error, QueryError};
use crate::memory::Memory;
use crate::model::{CountCost, Derived, Emitted, FactorKind, Spec, TotalKind, learned_shapes};

use super::keep::KeptLatent;
use super::needs::{CountLoad, Load};
use super::predictive::Predictive;
use super::settings::{Cavi, CaviForm, Gibbs, GibbsForm};

/// Bytes for each cell of a table that is drawn: the count, and while it is drawn its rate, the count with its place (three numbers), the counts in
/// the order of the data, and what cells and pairs of cells of a line weigh (about two numbers for each cell, as lines are drawn side by side).
const BYTES_OF_A_TABLE: f64 = 64.0;

/// Products of rows and columns in a sweep: the rate, two statistics, two exposures.
const ROOT_PRODUCTS: f64 = 5.0;

/// What a model would do at given sizes. `Display` is meant to be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The model.
    pub model: &'static str,
    /// The counts in the order of declaration.
    pub counts: Vec<CountPlan>,
    /// Everything that a sweep draws of latents, in its order: conditionals, and the table counts of learned shapes.
    pub updates: Vec<String>,
    /// Multiplications of a dense sweep, those of learned shapes with them.
    pub multiplications: f64,
    load: Load,
    /// For each count, how many cells are stored, if the others are zeros that are not stored.
    stored: Vec<Option<f64>>,
    /// For each count, how many cells are positive, if that was said.
    positive: Vec<Option<f64>>,
    /// For each count, whether the collapsed form visits positive cells alone.
    passes_over: Vec<bool>,
    /// For each count, bytes of one observation: as it is given, and as a visited cell has it.
    observation: Vec<[usize; 2]>,
    /// For each count, how many cells are held out.
    held_out: Vec<f64>,
    /// The predictive checks that a Gibbs run makes.
    checks: Option<Predictive>,
    /// For each count, bytes of the auxiliary variables of a visited cell: of a chain, and of a start.
    auxiliary: Vec<[usize; 2]>,
    /// Name and number of entries of each known array.
    arrays: Vec<(&'static str, f64)>,
}

/// What a plan asks of the channel of a count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelLoad {
    /// Bytes of the auxiliary variables of one visited cell in the augmented form: of a Gibbs chain, and of a variational start.
    pub auxiliary: [usize; 2],
    /// Whether counts are observed as they are.
    pub is_exact: bool,
    /// The weight that a cell has in the collapsed form where nothing was observed: it adds to exposures and is not visited. `None` where
    /// every cell is visited.
    pub weight: Option<f64>,
    /// Bytes of one observation: as it is given, and as a visited cell has it.
    pub observation: [usize; 2],
}

/// What a plan asks of a channel.
pub fn channel_load<C: Channel>() -> ChannelLoad {
    ChannelLoad {
        auxiliary: [
            size_of::<<C::Augmentation as Augmentation<C>>::State>(),
            size_of::<<C::Augmentation as Augmentation<C>>::Factor>(),
        ],
        is_exact: TypeId::of::<C>() == TypeId::of::<Exact>(),
        weight: C::typical().log_linear(C::Value::default()).map(|linear| linear.weight),
        observation: [
            size_of::<C::Value>(),
            <C::Value as Observation>::Packed::default().bytes_each(),
        ],
    }
}

/// How the cells of one count would be gone over.
#[derive(Clone, Debug, PartialEq)]
pub struct CountPlan {
    /// The count.
    pub count: &'static str,
    /// How its cells are cut in rows and columns, in words.
    pub sides: Cow<'static, str>,
    /// Cells of the data.
    pub cells: f64,
    /// Rows, columns and inner length.
    pub product: [f64; 3],
}

impl Plan {
    /// The plan of some counts: for each its name and what it costs. `latents` are the latents and how many numbers each holds.
    fn new(
        model: &'static str,
        counts: &[(&'static str, &CountCost)],
        updates: &[&str],
        latents: &[KeptLatent],
    ) -> Self {
        let chosen = counts.iter().map(|(_, cost)| *cost);
        let load = Load {
            numbers: chosen.clone().map(|cost| cost.memory).sum(),
            latents: latents.to_vec(),
            learned: 0.0,
            in_time: 0.0,
            counts: counts
                .iter()
                .map(|(name, cost)| CountLoad {
                    name,
                    product: cost.product,
                    lane: cost.lane,
                    turned: cost.turned,
                    by_cell: cost.by_cell,
                    exact: false,
                    dense: true,
                    visited: cost.product[..2].iter().product(),
                    auxiliary: [0.0; 2],
                    scored: 0.0,
                })
                .collect(),
        };
        Self {
            model,
            updates: updates.iter().map(|u| (*u).to_string()).collect(),
            multiplications: chosen.clone().map(|cost| ROOT_PRODUCTS * cost.root + cost.below).sum(),
            stored: vec![None; counts.len()],
            positive: vec![None; counts.len()],
            passes_over: vec![true; counts.len()],
            observation: vec![[8, 4]; counts.len()],
            held_out: vec![0.0; counts.len()],
            checks: None,
            auxiliary: vec![[0; 2]; counts.len()],
            arrays: Vec::new(),
            load,
            counts: counts
                .iter()
                .map(|&(count, cost)| CountPlan {
                    count,
                    sides: cost.sides.clone(),
                    cells: cost.product[..2].iter().product(),
                    product: cost.product,
                })
                .collect(),
        }
    }

    /// The plan of a declaration where the index sets have these sizes and all data are dense. `channels` holds the
    /// [`channel_load`] of the channel of each count.
    pub fn of(
        spec: &'static Spec,
        (derived, emitted): (&Derived, &Emitted),
        sizes: &[usize],
        updates: &[&str],
        channels: &[ChannelLoad],
    ) -> Self {
        let learned = learned_shapes(emitted, spec, sizes);
        let constant: Vec<bool> = derived.constant.iter().map(|constant| !constant.is_empty()).collect();
        let counts = spec.counts.iter().zip(emitted.sides);
        let costs: Vec<CountCost> = counts.map(|(count, sides)| sides.cost(spec, count, sizes)).collect();
        let counts: Vec<_> = spec.counts.iter().map(|count| count.name).zip(&costs).collect();
        // As floats, which do not overflow: nobody has checked the sizes.
        let entries = |sets: &[usize]| sets.iter().map(|&set| sizes[set] as f64).product();
        let latents: Vec<_> = (spec.latents.iter())
            .enumerate()
            .map(|(number, latent)| KeptLatent {
                name: latent.name,
                number: entries(latent.sets),
                per_cell: spec.per_cell(number),
            })
            .collect();
        let arrays = spec.arrays.iter().map(|array| (array.name, entries(array.sets)));
        let mut plan = Self {
            auxiliary: channels.iter().map(|channel| channel.auxiliary).collect(),
            observation: channels.iter().map(|channel| channel.observation).collect(),
            arrays: arrays.collect(),
            ..Self::new(spec.name, &counts, updates, &latents)
        };
        // Where counts and totals are known no tables are drawn. The total of a count may not have been observed.
        let tables = spec
            .counts
            .iter()
            .zip(channels)
            .enumerate()
            .map(|(number, (count, channel))| {
                let is_unknown = !channel.is_exact || count.is_hidden;
                let of_table = match count.total {
                    Some(total) => is_unknown || matches!(total.of, TotalKind::Count(_)),
                    None => is_unknown && spec.is_total(number),
                };
                if of_table { BYTES_OF_A_TABLE } else { 0.0 }
            });
        for (at, bytes) in tables.enumerate() {
            let load = &mut plan.load.counts[at];
            load.exact = channels[at].is_exact;
            load.auxiliary = [bytes * load.cells(); 2];
            // Tables are drawn whole. Where a Dirichlet latent needs cells that weigh one, those that weigh less are visited.
            plan.passes_over[at] = bytes == 0.0
                && !spec.counts[at].is_difference()
                && channels[at].weight.is_some_and(|weight| weight == 1.0 || !constant[at]);
        }
        for (latent, tables, cost) in &learned {
            let of = entries(spec.latents[*latent].sets);
            plan.load.learned += of;
            // One in its own shape is drawn forwards in time.
            let mut factors = tables.terms.iter().flat_map(|term| term.factors);
            if factors.any(|factor| factor.of == FactorKind::Latent(*latent)) {
                plan.load.in_time += of;
            }
            plan.load.numbers += cost.memory;
            plan.multiplications += ROOT_PRODUCTS * cost.root + cost.below;
        }
        plan
    }

    /// The plan if only so many cells of a count are stored, and the others are zero.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`].
    pub fn with_stored(mut self, count: &str, cells: f64) -> Result<Self, Error> {
        let at = self.position(count)?;
        self.stored[at] = Some(cells);
        Ok(self)
    }

    /// The plan where so many cells of a count were observed to be positive, held-out cells not counted. In the collapsed form the others add
    /// to exposures and are not visited, so that a dense table of releases, of which often less than half are positive, takes less memory.
    /// Nothing changes where every cell is visited whatever was observed there: in the augmented form, in differences, by
    /// [`Skellam`](crate::channel::Skellam) noise, where tables are drawn, and by geometric or Laplace noise under Dirichlet latents.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`].
    pub fn with_positive(mut self, count: &str, cells: f64) -> Result<Self, Error> {
        let at = self.position(count)?;
        self.positive[at] = Some(cells);
        Ok(self)
    }

    /// The plan where so many cells of a count are held out, and what was observed there is scored.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`].
    pub fn with_held_out(mut self, count: &str, cells: f64) -> Result<Self, Error> {
        let at = self.position(count)?;
        self.held_out[at] = cells;
        self.load.counts[at].scored = cells;
        Ok(self)
    }

    /// The plan of a Gibbs run that checks its counts while the chains run (`gibbs_with_checks`), of as many cells as `checks` says. A check
    /// after a run (`predictive_check`) holds as much beside the fit, and the data of the model once more.
    #[must_use]
    pub fn with_checks(mut self, checks: &Predictive) -> Self {
        self.checks = Some(checks.clone());
        self
    }

    fn position(&self, count: &str) -> Result<usize, Error> {
        let at = self.counts.iter().position(|plan| plan.count == count);
        at.ok_or_else(|| {
            Error::Query(QueryError::UnknownCount {
                given: count.to_owned(),
                known: self.counts.iter().map(|plan| plan.count).collect::<Vec<_>>().join(", "),
            })
        })
    }

    /// What a run in the augmented form follows from: in the collapsed one there are no auxiliary variables.
    fn load(&self, augmented: bool) -> Load {
        let mut load = self.load.clone();
        for (at, count) in load.counts.iter_mut().enumerate() {
            let all = count.cells();
            count.visited = match self.passes_over[at] {
                true => all
                    .min(self.stored[at].unwrap_or(all))
                    .min(self.positive[at].unwrap_or(all)),
                false => all,
            };
            // A held-out cell weighs nothing, and is looked up as a visited one is.
            let weighed = count.visited + self.held_out[at];
            count.dense = !count.by_cell && (!self.passes_over[at] || count.is_dense(weighed));
        }
        if augmented {
            // A cell with auxiliary variables is visited, whatever was observed there.
            let augmented = load.counts.iter_mut().zip(&self.auxiliary);
            for (count, bytes) in augmented.filter(|(_, bytes)| **bytes != [0; 2]) {
                (count.visited, count.dense) = (count.cells(), true);
                count.auxiliary = bytes.map(|bytes| bytes as f64 * count.visited);
            }
        }
        load
    }

    /// What a Gibbs run with these settings would hold at its peak, data included.
    ///
    /// # Errors
    /// A latent or count of which something is to be kept and that the model does not have.
    pub fn gibbs(&self, settings: &Gibbs) -> Result<Memory, Error> {
        let chains = settings.num_chains.unwrap_or(Gibbs::CHAINS);
        let load = self.load(settings.form == GibbsForm::Augmented);
        let mut run = load.gibbs(settings, chains)?;
        if let Some(checks) = &self.checks {
            for (at, count) in load.counts.iter().enumerate() {
                let cells = (count.cells() - self.held_out[at]).max(0.0);
                let name = count.name;
                run.add(format!("predictive check of `{name}`"), checks.bytes(cells));
            }
        }
        Ok(self.with_data(&load, run))
    }

    /// What a variational run with these settings would hold at its peak, data included.
    pub fn cavi(&self, settings: &Cavi) -> Memory {
        let threads = settings.num_threads.unwrap_or_else(rayon::current_num_threads);
        let load = self.load(settings.form != CaviForm::Collapsed);
        let run = load.cavi(settings, threads.min(settings.num_restarts));
        self.with_data(&load, run)
    }

    fn with_data(&self, load: &Load, run: Memory) -> Memory {
        let mut memory = Memory::default();
        for (at, count) in load.counts.iter().enumerate() {
            let [rows, cols, _] = count.product;
            let [value, packed] = self.observation[at].map(|bytes| bytes as f64);
            // As they came, and by row: value and column of each visited cell, and where rows start.
            let given = self.stored[at].map_or(value * count.cells(), |cells| 16.0 * cells);
            let by_row = (4.0 + packed) * count.visited + 24.0 * rows + 8.0 * cols;
            let held_out = self.held_out[at];
            memory.add(format!("data of `{}`", count.name), given + by_row);
            // The mask's list, and position, place and observation of each cell.
            memory.add(format!("held-out cells of `{}`", count.name), 40.0 * held_out);
        }
        for (array, entries) in &self.arrays {
            // As it was given, and as the bound model has it.
            memory.add(format!("known array `{array}`"), 16.0 * entries);
        }
        run.parts().for_each(|(what, bytes)| memory.add(what, bytes));
        memory
    }
}

#[cfg(test)]
mod tests;
