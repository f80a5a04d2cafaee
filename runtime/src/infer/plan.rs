//! What would run, and what it costs.

mod text;

use std::any::TypeId;
use std::borrow::Cow;

use crate::channel::{Channel, Exact, told};
use crate::contract::Ways;
use crate::counts::{Observation, Packed};
use crate::error::{Error, QueryError};
use crate::memory::Memory;
use crate::model::{CountCost, Derived, Emitted, Spec, TotalKind, learned_shapes};

use super::needs::monitored;

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
    /// Numbers that the rates of all counts hold.
    numbers: f64,
    /// Name and number of entries of each latent, and of each known array.
    latents: Vec<(&'static str, f64)>,
    arrays: Vec<(&'static str, f64)>,
    /// Whether a shape is learned.
    learns_shapes: bool,
}

/// What a plan asks of the channel of a count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelLoad {
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
    /// Whether operands of columns are formed at cells.
    by_cell: bool,
    /// Whether true counts are known.
    exact: bool,
    /// Whether the collapsed form visits positive cells alone.
    passes_over: bool,
    /// How many cells are stored, if the others are zeros that are not stored.
    stored: Option<f64>,
    /// How many cells are positive, if that was said.
    positive: Option<f64>,
    /// Bytes of one observation: as it is given, and as a visited cell has it.
    observation: [f64; 2],
    /// What a release tells of its rate, and how many times more documents privacy costs, if a law was given.
    told: Option<[f64; 2]>,
}

impl CountPlan {
    /// A count of which every cell is given and visited.
    fn new(count: &'static str, cost: CountCost) -> Self {
        Self {
            count,
            cells: cost.product[..2].iter().product(),
            product: cost.product,
            sides: cost.sides,
            by_cell: cost.by_cell,
            exact: false,
            passes_over: true,
            stored: None,
            positive: None,
            observation: [8.0, 4.0],
            told: None,
        }
    }

    /// Cells that are visited in the collapsed form.
    fn visited(&self) -> f64 {
        let few = self.cells.min(self.stored.unwrap_or(self.cells));
        match self.passes_over {
            true => few.min(self.positive.unwrap_or(self.cells)),
            false => self.cells,
        }
    }

    /// Bytes of the data: as they came, and by row, value and column of each visited cell, and where rows start.
    fn bytes(&self) -> f64 {
        let [rows, cols, _] = self.product;
        let [value, packed] = self.observation;
        let given = self.stored.map_or(value * self.cells, |cells| 16.0 * cells);
        given + (4.0 + packed) * self.visited() + 24.0 * rows + 8.0 * cols
    }

    /// By which way cells are gone over, and how much more work a sweep or an iteration would be by the other, where latents have so many
    /// entries.
    fn way(&self, entries: f64) -> String {
        let ways = Ways {
            cells: self.cells.max(1.0),
            visited: self.visited(),
            inner: self.product[2],
            exact: self.exact,
        };
        let ratio = ways.stored_over_blocks(entries);
        let (way, other) = match !self.passes_over || ways.is_dense() {
            _ if self.by_cell => return "by visited cells: operands are formed at each, and not held".to_owned(),
            true => (
                "blocks of cells",
                format!("visited cells one by one would be {} times the work", short(ratio)),
            ),
            false => (
                "visited cells",
                format!("blocks of all cells would be {} times the work", short(ratio.recip())),
            ),
        };
        format!("by {way}: operands are formed for each, and not held; {other}")
    }
}

/// `3.2`, `41`
fn short(ratio: f64) -> String {
    match ratio < 10.0 {
        true => format!("{ratio:.1}"),
        false => format!("{ratio:.0}"),
    }
}

impl Plan {
    /// The plan of a declaration where the index sets have these sizes and all data are dense. `channels` holds the
    /// [`channel_load`] of the channel of each count.
    pub fn of(
        spec: &'static Spec,
        (derived, emitted): (&Derived, &Emitted),
        sizes: &[usize],
        updates: &[&str],
        channels: &[ChannelLoad],
    ) -> Self {
        // As floats, which do not overflow: nobody has checked the sizes.
        let entries = |sets: &[usize]| sets.iter().map(|&set| sizes[set] as f64).product();
        let learned = learned_shapes(emitted, spec, sizes);
        let sides = spec.counts.iter().zip(emitted.sides);
        let costs: Vec<CountCost> = sides.map(|(count, sides)| sides.cost(spec, count, sizes)).collect();
        let all = || costs.iter().chain(learned.iter().map(|(.., cost)| cost));
        let mut out = Self {
            model: spec.name,
            updates: updates.iter().map(|update| (*update).to_owned()).collect(),
            multiplications: all().map(|cost| ROOT_PRODUCTS * cost.root + cost.below).sum(),
            numbers: all().map(|cost| cost.memory).sum(),
            latents: (spec.latents.iter().map(|latent| (latent.name, entries(latent.sets)))).collect(),
            arrays: (spec.arrays.iter().map(|array| (array.name, entries(array.sets)))).collect(),
            learns_shapes: !learned.is_empty(),
            counts: Vec::new(),
        };
        for (number, (cost, (count, channel))) in costs.into_iter().zip(spec.counts.iter().zip(channels)).enumerate() {
            // Where counts and totals are known no tables are drawn. The total of a count may not have been observed.
            let is_unknown = !channel.is_exact || count.is_hidden;
            let of_table = match count.total {
                Some(total) => is_unknown || matches!(total.of, TotalKind::Count(_)),
                None => is_unknown && spec.is_total(number),
            };
            let constant = !derived.constant[number].is_empty();
            out.counts.push(CountPlan {
                exact: channel.is_exact,
                // Tables are drawn whole. Where a Dirichlet latent needs cells that weigh one, those that weigh less are visited.
                passes_over: !of_table
                    && !count.is_difference()
                    && channel.weight.is_some_and(|weight| weight == 1.0 || !constant),
                observation: channel.observation.map(|bytes| bytes as f64),
                ..CountPlan::new(count.name, cost)
            });
        }
        out
    }

    /// The plan if only so many cells of a count are stored, and the others are zero.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`].
    pub fn with_stored(mut self, count: &str, cells: f64) -> Result<Self, Error> {
        self.count(count)?.stored = Some(cells);
        Ok(self)
    }

    /// The plan where so many cells of a count were observed to be positive, held-out cells not counted. In the collapsed form the others add
    /// to exposures and are not visited, so that a dense table of releases, of which often less than half are positive, takes less memory.
    /// Nothing changes where every cell is visited whatever was observed there: in differences, by
    /// [`Skellam`](crate::channel::Skellam) noise, where tables are drawn, and by geometric or Laplace noise under Dirichlet latents.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`].
    pub fn with_positive(mut self, count: &str, cells: f64) -> Result<Self, Error> {
        self.count(count)?.positive = Some(cells);
        Ok(self)
    }

    /// The plan with what can be learned if a count is released by this law: the information of a release about its rate, on average over these rates,
    /// and [`price`](crate::channel::price), how many times more documents privacy costs. Rates are those of public data, of a fit or a guess: those of the counts to be released
    /// are as private as these.
    ///
    /// ```
    /// # use skellam::prelude::*;
    /// # model! {
    /// #     model Topics {
    /// #         index docs, words, topics;
    /// #         latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
    /// #         latent phi[k in topics, v in words] ~ Gamma(shape = 0.3, rate = 1.0);
    /// #         count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    /// #         release y by TwoSidedGeometric;
    /// #     }
    /// # }
    /// let plan = Topics::plan(TopicsSizes { docs: 10_000, words: 10_000, topics: 50 });
    /// let plan = plan.with_release("y", &Lplp::new(1, 1)?.law()?, &[0.00875])?;
    /// assert!(plan.to_string().contains("privacy costs 107 times more documents"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`], [`Error::Information`].
    pub fn with_release<C: Channel>(mut self, count: &str, law: &C, rates: &[f64]) -> Result<Self, Error> {
        self.count(count)?.told = Some(told(law, rates.iter().map(|&rate| [rate, 1.0]))?);
        Ok(self)
    }

    fn count(&mut self, count: &str) -> Result<&mut CountPlan, Error> {
        let at = QueryError::count_at(count, self.counts.iter().map(|plan| plan.count))?;
        Ok(&mut self.counts[at])
    }

    /// Numbers of all latents.
    fn entries(&self) -> f64 {
        self.latents.iter().map(|(_, entries)| entries).sum()
    }

    /// Bytes of the data in the collapsed form, as they are given and as they are gone over, and of known arrays.
    pub fn data(&self) -> Memory {
        let mut memory = Memory::default();
        for count in &self.counts {
            memory.add(format!("data of `{}`", count.count), count.bytes());
        }
        for (array, entries) in &self.arrays {
            // As it was given, and as the bound model has it.
            memory.add(format!("known array `{array}`"), 16.0 * entries);
        }
        memory
    }

    /// Bytes of what every chain of a Gibbs run has: the operands of its rates, its latents and their counts. A variational start has two to
    /// four times as much.
    pub fn operands(&self) -> Memory {
        let mut memory = Memory::default();
        memory.add("operands of the rates", 8.0 * self.numbers);
        memory.add("latents and their counts", 16.0 * self.entries());
        memory
    }

    /// Bytes of a draw of one chain, if the draws of all latents are kept: in memory, or in a store (`draws_in`).
    pub fn draw(&self) -> Memory {
        let mut memory = Memory::default();
        for (latent, entries) in &self.latents {
            memory.add(format!("`{latent}`"), 8.0 * entries);
        }
        for count in &self.counts {
            memory.add(
                format!("rates of `{}`", count.count),
                8.0 * (monitored(count.cells) + 1.0),
            );
        }
        memory.add("log joint density", 8.0);
        memory
    }
}

#[cfg(test)]
mod tests;
