//! What a user has given to a declaration: data, sizes, hyperparameters, labels.

use crate::error::ValueError;
use std::sync::Arc;

use crate::counts::Array;
use crate::error::{Error, Formless};
use crate::model::Replicated;
use crate::streams::{Purpose, Streams};
use crate::view::View;

use super::shape::LearnedShape;
use super::totals::{self, TotalRole};
use super::{
    ArraySpec, Bound, Constant, CountCost, CountData, CountSpec, Domain, Emitted, FormKind, HiddenCount, Index, Known,
    Labels, Latent, Origin, Rules, SizeTable, Spec, Symmetry, Target, TrueCounts, WrittenModel, affordable,
    array_hyper, data, entries, hyper, learned, seen, supported,
};

/// Ways over cells: by blocks, and one by one.
pub const WAYS: usize = 2;

/// A declaration and what it was given so far. All lists are in the order of the declaration.
#[derive(Clone, Debug)]
pub struct Given {
    spec: &'static Spec,
    origin: Origin,
    sizes: SizeTable,
    labels: Labels,
    hypers: Vec<Option<f64>>,
    arrays: Vec<Option<Array>>,
    frozen: Vec<Option<Array>>,
    counts: Vec<Arc<dyn CountData>>,
    written: fn() -> Option<WrittenModel>,
}

/// The part of a derivation that is data.
#[derive(Clone, Copy, Debug)]
pub struct Derived {
    /// Ways of scaling latents that leave every rate as it is.
    pub symmetries: &'static [Symmetry],
    /// For each count, the indices along which the conditionals of Dirichlet latents need cells that weigh the same.
    pub constant: &'static [&'static [Constant]],
}

/// For each learned shape its latent, its table counts, and what it costs.
pub(crate) fn learned_shapes(
    emitted: &Emitted,
    spec: &'static Spec,
    sizes: &[usize],
) -> Vec<(usize, &'static CountSpec, CountCost)> {
    let latents = spec.latents.iter().enumerate();
    let learned = latents.filter_map(|(latent, of)| Some((latent, of.prior.shape?)));
    let shapes = learned.zip(&emitted.sides[spec.counts.len()..]);
    shapes
        .map(|((latent, tables), sides)| (latent, tables, sides.cost(spec, tables, sizes)))
        .collect()
}

impl Given {
    /// A declaration with data. Shapes that contradict it or each other are errors here, where the data come in.
    ///
    /// # Errors
    ///
    /// Another number of indices than declared; two sizes for one index set; `where` clauses that leave no cell, or none of
    /// the positive counts.
    pub fn new(spec: &'static Spec, origin: Origin, counts: Vec<Arc<dyn CountData>>) -> Result<Self, Error> {
        let mut given_counts = counts.into_iter();
        let all = spec.counts.iter().filter_map(|count| match count.is_hidden {
            // Its sizes are settled with all others.
            true => Some(Arc::new(HiddenCount::new(vec![0; count.free])) as Arc<dyn CountData>),
            false => given_counts.next(),
        });
        let counts = all.collect();
        let given = Self {
            spec,
            origin,
            sizes: SizeTable::new(spec.sets),
            labels: Labels::default(),
            hypers: spec.hypers.iter().map(|hyper| hyper.default).collect(),
            arrays: vec![None; spec.arrays.len()],
            frozen: vec![None; spec.latents.len()],
            counts,
            written: || None,
        };
        given.fit_counts(&mut given.sizes.clone())?;
        for (count, data) in spec.counts.iter().zip(&given.counts) {
            let rules = Rules {
                guards: count.guards,
                constant: &[],
            };
            data.check(count.name, &rules)?;
        }
        Ok(given)
    }

    /// Sets the size of an index set.
    pub fn set_size(&mut self, set: usize, size: usize) {
        self.sizes.set(self.spec.sets[set], size);
    }

    /// Sets a scalar hyperparameter.
    pub fn set_hyper(&mut self, hyper: usize, value: f64) {
        self.hypers[hyper] = Some(value);
    }

    /// Gives a known array.
    pub fn set_array(&mut self, array: usize, values: Array) {
        self.arrays[array] = Some(values);
    }

    /// Fixes a latent at some values.
    pub fn freeze(&mut self, latent: usize, values: Array) {
        self.frozen[latent] = Some(values);
    }

    /// Tells the derivation.
    pub fn explain(&mut self, written: fn() -> Option<WrittenModel>) {
        self.written = written;
    }

    /// Names the values of an index set.
    ///
    /// # Errors
    ///
    /// If `index` is a constant of another model.
    pub fn label(&mut self, index: Index, labels: &[impl AsRef<str>]) -> Result<(), Error> {
        let own = self.spec.sets.iter().enumerate();
        let own: Vec<Index> = own.map(|(i, set)| Index::new(self.origin, set, i)).collect();
        self.labels.set(index, labels, &own)
    }

    /// The labels that were given.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The same declaration with data drawn through its channels, given the true counts of every count.
    pub(crate) fn with_counts(&self, counts: &[TrueCounts], streams: &Streams) -> Result<Self, Error> {
        let drawn = self.counts.iter().zip(counts).enumerate();
        let drawn = drawn.map(|(number, (data, counts))| {
            let mut rng = streams.open(Purpose::Replicas, number, 1);
            match data.is_hidden() {
                true => Ok(Arc::clone(data)),
                false => data.with_counts(counts, &mut rng),
            }
        });
        Ok(Self {
            counts: drawn.collect::<Result<_, Error>>()?,
            ..self.clone()
        })
    }

    /// The counts as predictive checks see them.
    pub fn targets(&self) -> Vec<Target<'_>> {
        let counts = self.spec.counts.iter().zip(&self.counts);
        counts
            .map(|(count, data)| (count.name, self.spec.names(count.sets()), replicated(data)))
            .collect()
    }

    /// Binds the data: settles sizes, checks every value, chooses the cheaper way over the cells of each count and
    /// sorts them. A `way` that is given is taken for every count, where it can be: 0 for blocks, 1 for stored cells.
    ///
    /// # Errors
    ///
    /// Whatever is missing, contradictory or outside its domain, with the offending value; a positive count where known zeros make the
    /// rate zero.
    pub fn bind(
        &self,
        form: FormKind,
        way: Option<usize>,
        derived: &Derived,
        emitted: &'static Emitted,
    ) -> Result<Bound, Error> {
        let spec = self.spec;
        let sizes = self.settled_sizes()?;
        // Counts with a known total have one form: whole lines.
        let seen = spec
            .counts
            .iter()
            .zip(&self.counts)
            .enumerate()
            .filter(|(_, (count, _))| !count.is_hidden);
        let channels = seen.map(|(number, (count, data))| match count.total {
            None if count.is_difference() => (Formless::Difference, false),
            None if data.is_fixed() || !spec.is_total(number) => {
                (Formless::Channel(data.channel()), data.supports(form))
            }
            _ => (Formless::Total, false),
        });
        let channels: Vec<_> = channels.collect();
        if form != FormKind::Collapsed {
            supported(form, &channels)?;
        }
        let costs = spec.counts.iter().zip(emitted.sides);
        let costs: Vec<CountCost> = costs.map(|(count, sides)| sides.cost(spec, count, &sizes)).collect();
        let learned = learned_shapes(emitted, spec, &sizes);
        let named = spec.counts.iter().zip(&costs).map(|(count, cost)| (count.name, cost));
        let shapes = learned.iter().map(|(_, tables, cost)| (tables.name, cost));
        affordable(&named.chain(shapes).collect::<Vec<_>>())?;
        let hypers = (spec.hypers.iter().zip(&self.hypers)).map(|(h, value)| match h.per {
            Some(set) => Ok(1.0 / sizes[set] as f64),
            None => hyper(h.name, *value, h.domain),
        });
        let hypers = hypers.collect::<Result<_, Error>>()?;
        let arrays = spec.arrays.iter().zip(&self.arrays);
        let arrays = arrays.map(|(array, given)| self.array(array, given.as_ref(), &sizes));
        let arrays = arrays.collect::<Result<Vec<Array>, Error>>()?;
        let hypers: Vec<f64> = hypers;
        let counts = self.counts_of(&sizes)?;
        let (roles, totals) = totals::GivenOfTotals {
            spec,
            hypers: &hypers,
            arrays: &arrays,
            counts: &counts,
        }
        .roles()?;
        let mut views = self.views(&counts, &roles, form, &sizes, (derived, emitted))?;
        let sides = emitted.sides;
        // Beyond both ways over cells, a self-test asks for stored cells that weigh by an index, as where laws vary along it.
        if let Some(axis) = way.and_then(|way| way.checked_sub(WAYS)) {
            for (view, count) in views.iter_mut().zip(spec.counts) {
                view.try_along(axis % count.free);
            }
        }
        for (view, sides) in views.iter_mut().zip(sides) {
            view.set_formed(sides.is_ordered);
        }
        for (view, _) in views.iter_mut().zip(sides).filter(|(_, sides)| sides.by_cell) {
            view.set_by_cell();
        }
        if let Some(way) = way {
            views.iter_mut().for_each(|view| view.set_blocks(way == 0));
        }
        let mut latents = spec.latents(&sizes);
        for (count, view) in views.iter_mut().enumerate() {
            if spec.counts[count].total.is_none() && matches!(roles[count], TotalRole::Tables { .. }) {
                view.set_level(totals.mean_guess(count));
                let in_it = latents
                    .iter_mut()
                    .enumerate()
                    .filter(|(latent, _)| spec.uses(count, *latent));
                in_it.for_each(|(_, latent)| latent.in_open_total = true);
            }
        }
        let shape_numbers: f64 = learned.iter().map(|(.., cost)| cost.memory).sum();
        let shapes = learned.into_iter().zip(&sides[spec.counts.len()..]);
        let shapes = shapes.map(|((latent, tables, _), sides)| {
            LearnedShape::new(latent, tables.name, sides.grid(tables, &sizes), sides.by_cell)
        });
        let shapes: Vec<LearnedShape> = shapes.collect();
        if let Some(shape) = shapes.iter().find(|shape| self.frozen[shape.latent].is_some()) {
            return Err(Error::Value(ValueError::FrozenShape {
                latent: spec.latents[shape.latent].name,
            }));
        }
        let bound = Bound {
            spec,
            emitted,
            frozen: self.frozen(&latents)?,
            latents,
            views,
            shapes,
            totals,
            priors: spec.latents.iter().map(|latent| latent.prior).collect(),
            numbers: shape_numbers + costs.iter().map(|cost| cost.memory).sum::<f64>(),
            symmetries: derived.symmetries,
            labels: self.labels.clone(),
            written: self.written,
            known: Arc::new(Known { sizes, hypers, arrays }),
        };
        bound.check_shapes()?;
        bound.explained()?;
        Ok(bound)
    }

    /// The counts; hidden ones with the sizes that were settled.
    ///
    /// # Errors
    /// There is no memory for the sums.
    fn counts_of(&self, sizes: &[usize]) -> Result<Vec<Arc<dyn CountData>>, Error> {
        let counts = self.spec.counts.iter().zip(&self.counts);
        let of = |(count, data): (&CountSpec, &Arc<dyn CountData>)| match count.is_hidden {
            false => data.clone(),
            true => Arc::new(HiddenCount::new(count.sets().iter().map(|&set| sizes[set]).collect())),
        };
        let mut counts: Vec<_> = counts.map(of).collect();
        // What adds up to a count comes after it.
        for number in (0..counts.len())
            .rev()
            .filter(|&number| self.spec.counts[number].is_hidden)
        {
            if let Some(told) = totals::told(self.spec, &counts, number)? {
                counts[number] = told;
            }
        }
        Ok(counts)
    }

    /// The counts with their cells sorted.
    fn views(
        &self,
        counts: &[Arc<dyn CountData>],
        roles: &[TotalRole],
        form: FormKind,
        sizes: &[usize],
        (derived, emitted): (&Derived, &Emitted),
    ) -> Result<Vec<View>, Error> {
        let mut views = Vec::with_capacity(counts.len());
        for (at, (count, data)) in self.spec.counts.iter().zip(counts).enumerate() {
            let rules = Rules {
                guards: count.guards,
                constant: &learned(derived.constant[at], &self.frozen),
            };
            let grid = emitted.sides[at].grid(count, sizes);
            let view = match &roles[at] {
                TotalRole::Tables { closed } => data.bind_table(count.name, grid, &rules, closed)?,
                role => data.bind(count.name, grid, form, &rules)?.in_role(role),
            };
            views.push(view);
        }
        Ok(views)
    }

    /// The values of the frozen latents.
    fn frozen(&self, latents: &[Latent]) -> Result<Vec<Option<Vec<f64>>>, Error> {
        let held = latents.iter().zip(&self.frozen).map(|(latent, given)| {
            // A rate of a gamma, and a factor whose density is part of the bound, cannot be zero.
            let positive = latent.is_parent || latent.has_parents;
            given
                .as_ref()
                .map(|array| latent.values_of(array, positive))
                .transpose()
        });
        held.collect()
    }

    /// The sizes that data and user agree on.
    fn settled_sizes(&self) -> Result<Vec<usize>, Error> {
        let spec = self.spec;
        let mut table = self.sizes.clone();
        self.fit_counts(&mut table)?;
        for (array, given) in spec.arrays.iter().zip(&self.arrays) {
            if let Some(given) = given {
                table.fit(array.name, &spec.names(array.sets), given.shape())?;
            }
        }
        for (latent, given) in spec.latents.iter().zip(&self.frozen) {
            if let Some(given) = given {
                table.fit(latent.name, &spec.names(latent.sets), given.shape())?;
            }
        }
        // What is looked up tells the size of its index set where nothing else does.
        for (set, index) in spec.sets.iter().enumerate() {
            let all = spec.arrays.iter().zip(&self.arrays);
            let positions = all.filter(|(array, _)| array.domain == Domain::PositionIn(set));
            let mut given: Vec<(&'static str, &[f64])> = Vec::new();
            for (array, values) in positions.filter_map(|(array, given)| Some((array, given.as_ref()?))) {
                entries(array.name, values, array.domain)?;
                given.push((array.name, values.as_slice()));
            }
            table.fit_positions(index, &given)?;
        }
        self.labels.fit(&table)?;
        let observed = (spec.counts.iter().zip(&self.counts)).filter(|(count, _)| !count.is_hidden);
        let data = observed.map(|(count, data)| (count.name, replicated(data), count.guards));
        seen(&data.collect::<Vec<_>>())?;
        let size = |(set, index): (usize, &&'static str)| {
            table.get(index).map_err(|error| {
                // An array of positions that is missing would have told the size.
                let mut all = spec.arrays.iter().zip(&self.arrays);
                let missing = all.find(|(array, given)| array.domain == Domain::PositionIn(set) && given.is_none());
                missing.map_or(error, |(array, _)| {
                    Error::Value(ValueError::MissingData { name: array.name })
                })
            })
        };
        spec.sets.iter().enumerate().map(size).collect()
    }

    fn fit_counts(&self, table: &mut SizeTable) -> Result<(), Error> {
        let counts = self.spec.counts.iter().zip(&self.counts);
        let mut observed = counts.filter(|(count, _)| !count.is_hidden);
        observed.try_for_each(|(count, data)| table.fit(count.name, &self.spec.names(count.sets()), data.shape()))
    }

    fn array(&self, array: &ArraySpec, given: Option<&Array>, sizes: &[usize]) -> Result<Array, Error> {
        if !array.is_hyper {
            return data(array.name, given, array.sets.len(), array.domain);
        }
        let shape: Vec<usize> = array.sets.iter().map(|&set| sizes[set]).collect();
        array_hyper(array.name, given, array.default, &shape, array.domain)
    }
}

fn replicated(data: &Arc<dyn CountData>) -> &dyn Replicated {
    &**data
}
