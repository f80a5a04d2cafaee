//! The tiny instance on which laws are checked: sizes, hyperparameters, arrays, masks.

use std::sync::Arc;

use skellam::Error;
use skellam::counts::{Array, Mask};
use skellam::model::{Domain, FormKind, Model, Spec};
use skellam_math::streams::Stream;

use super::Testable;
use super::held_out::{HeldOut, mask};
use super::mechanism::TestedMechanism;
use super::setting::{CountSetting, ObservedValues, Setting};
use super::twin::{Twin, indices};

/// Sizes of index sets by position, where nothing asks for others: neighbours differ, so that swapped indices show.
const SIZES: [usize; 3] = [3, 4, 2];
/// Most cells of a count and most entries of a latent, as far as sizes of two allow.
const CELLS: usize = 60;
/// Most monomials in the rates of a count.
const MONOMIALS: usize = 400;
/// Fewest cells of a count in a broad instance: then some values are observed in many of them.
const BROAD: usize = 256;
/// Most monomials in the rates of all counts of a broad instance: a set that one count needs may be summed over in others.
const BROAD_MONOMIALS: usize = 400_000;
/// Shapes, rates and whatever else is positive, by position. With shapes below and rates near one counts are small, and every kind of cell is
/// there; with smaller shapes chains mix badly.
const POSITIVE: [f64; 6] = [0.8, 1.1, 0.7, 0.9, 0.6, 1.3];
/// Numbers between zero and one, by position.
const UNIT: [f64; 5] = [0.6, 0.4, 0.7, 0.35, 0.55];
/// Totals, by position: tables of so few are enumerated.
const WHOLE: [f64; 4] = [5.0, 3.0, 6.0, 4.0];

/// A [`Testable`] as a value.
#[derive(Clone, Copy)]
pub(super) struct Subject {
    pub spec: &'static Spec,
    mechanisms: fn() -> Vec<Box<dyn TestedMechanism>>,
    assemble: Assemble,
}

/// [`Testable::assemble`]
type Assemble = fn(&Setting, FormKind, Option<usize>) -> Result<Box<dyn Model>, Error>;

impl Subject {
    pub fn of<T: Testable>() -> Self {
        Self {
            spec: T::SPEC,
            mechanisms: T::mechanisms,
            assemble: T::assemble,
        }
    }
}

/// A declared model at small sizes, bound to no data yet.
pub(super) struct Instance {
    pub twin: Twin,
    /// Those that are declared, and those of exact observations.
    mechanisms: [Vec<Box<dyn TestedMechanism>>; 2],
    subject: Subject,
    /// The held-out cells of each count, by [`HeldOut`].
    masks: Vec<[Mask; 3]>,
}

impl Instance {
    /// Small sizes, and numbers at which samplers mix well and every kind of cell is there, as far as the declaration leaves numbers open.
    pub fn tiny(subject: &Subject) -> Self {
        Self::new(subject, tiny_sizes(subject.spec))
    }

    /// The same numbers on larger index sets: see [`BROAD`].
    pub fn broad(&self) -> Self {
        Self::new(&self.subject, broad_sizes(self.twin.spec, &self.twin.sizes))
    }

    fn new(subject: &Subject, sizes: Vec<usize>) -> Self {
        let spec = subject.spec;
        let hypers = spec.hypers.iter().enumerate();
        let hypers = hypers.map(|(i, hyper)| match hyper.per {
            Some(set) => 1.0 / sizes[set] as f64,
            None => usual(hyper.domain, i),
        });
        let arrays = spec.arrays.iter().enumerate().map(|(number, array)| {
            let entry = |i: usize| match array.domain {
                // No two neighbours in order, and values that repeat.
                Domain::PositionIn(set) => ((2 * i + 1 + i / sizes[set]) % sizes[set]) as f64,
                _ => usual(array.domain, number + 2 * i),
            };
            let shape: Vec<usize> = array.sets.iter().map(|&set| sizes[set]).collect();
            let data = (0..shape.iter().product()).map(entry).collect();
            match Array::new(shape, data) {
                Ok(array) => array,
                Err(error) => unreachable!("as many entries as the shape has: {error}"),
            }
        });
        let (hypers, arrays) = (hypers.collect(), arrays.collect());
        let twin = Twin::new(spec, sizes, hypers, arrays);
        let declared = (subject.mechanisms)();
        let exact = declared.iter().map(|declared| declared.exactly()).collect();
        let counts = 0..twin.counts.len();
        Self {
            masks: counts
                .map(|count| HeldOut::ALL.map(|held_out| mask(&twin, count, held_out)))
                .collect(),
            twin,
            mechanisms: [declared, exact],
            subject: *subject,
        }
    }

    /// A model with `values` for every count, as the declared mechanisms made them or `exact`; `way` is that of
    /// [`Testable::assemble`](super::Testable::assemble).
    pub fn bind(
        &self,
        values: &[ObservedValues],
        (exact, held_out): (bool, HeldOut),
        form: FormKind,
        way: Option<usize>,
    ) -> Result<Box<dyn Model>, Error> {
        let counts = values.iter().enumerate().map(|(count, values)| CountSetting {
            shape: self.twin.counts[count].shape.clone(),
            values: Arc::clone(values),
            held_out: self.mask(count, held_out),
            exact,
        });
        let setting = Setting {
            sizes: self.twin.sizes.clone(),
            hypers: self.twin.hypers.clone(),
            arrays: self.twin.arrays.clone(),
            counts: counts.collect(),
        };
        (self.subject.assemble)(&setting, form, way)
    }

    /// Observations of every count at rates `x`: by the declared mechanisms, or true counts as they are and their differences.
    pub fn observe(&self, x: &[Vec<f64>], exact: bool, rng: &mut Stream) -> Vec<ObservedValues> {
        let counts = self.twin.draw_counts(x, rng);
        let mechanisms = self.mechanisms(exact).iter().zip(&counts);
        mechanisms.map(|(mechanism, y)| mechanism.observe(y, rng)).collect()
    }

    /// The mechanism of each count: the declared one, or that of exact observations.
    pub fn mechanisms(&self, exact: bool) -> &[Box<dyn TestedMechanism>] {
        &self.mechanisms[usize::from(exact)]
    }

    /// The exposure of every cell of every count that is integrated out; `None` for a cell that must be visited.
    pub fn exposures(&self, values: &[ObservedValues], exact: bool, form: FormKind) -> Vec<Vec<Option<f64>>> {
        let counts = self.mechanisms(exact).iter().zip(values).zip(&self.twin.counts);
        let exposures = counts.map(|((mechanism, values), count)| mechanism.exposures(values, form, count.simplex));
        exposures.collect()
    }

    /// The held-out cells of a count.
    pub fn mask(&self, count: usize, held_out: HeldOut) -> Mask {
        self.masks[count][held_out as usize].clone()
    }

    /// A measure of the work of a sweep: cells, monomials and entries.
    pub fn work(&self) -> usize {
        let cells = self.twin.counts.iter().flat_map(|count| &count.rates);
        let cells: usize = cells.map(|rate| 4 + rate.iter().flatten().count()).sum();
        cells + self.twin.zeros().iter().map(Vec::len).sum::<usize>()
    }

    /// Whether no count has a mechanism with auxiliary variables. One is enough: the others run collapsed beside it.
    pub fn no_augmentation(&self) -> bool {
        let counts = self.mechanisms(false).iter().zip(0..);
        // Whole lines of a count with a total are drawn, whatever its channel.
        let mut in_cells = counts.filter(|(_, count)| !self.twin.in_lines(*count));
        in_cells.all(|(mechanism, _)| !mechanism.augmented())
    }

    /// Whether the data of every count are its true values.
    pub fn all_exact(&self) -> bool {
        let [declared, exact] = &self.mechanisms;
        declared.iter().zip(exact).all(|(a, b)| a.channel() == b.channel())
    }
}

/// A usual number of a domain.
fn usual(domain: Domain, number: usize) -> f64 {
    match domain {
        Domain::Positive | Domain::Nonnegative => POSITIVE[number % POSITIVE.len()],
        Domain::Unit => UNIT[number % UNIT.len()],
        Domain::Whole => WHOLE[number % WHOLE.len()],
        Domain::PositionIn(_) => unreachable!("numbers of a declaration are not positions"),
    }
}

/// The size of every index set of a tiny instance.
fn tiny_sizes(spec: &Spec) -> Vec<usize> {
    let least: Vec<usize> = (0..spec.sets.len()).map(|set| least_size(spec, set)).collect();
    let sized = least.iter().zip(SIZES.into_iter().cycle());
    let mut sizes: Vec<usize> = sized.map(|(&least, size)| size.max(least)).collect();
    // Sums of few products: with many, hardly a rate is low.
    let summed = |set: usize| spec.counts.iter().all(|count| !count.vars[..count.free].contains(&set));
    for set in (0..sizes.len()).filter(|&set| summed(set)) {
        if let Some(size) = (least[set]..sizes[set]).find(|size| !sizes.contains(size)) {
            sizes[set] = size;
        }
    }
    // What is too large gives up its largest index until it fits or nothing can be given up.
    let (counts, latents) = (spec.counts.iter(), spec.latents.iter());
    let limited = counts
        .flat_map(|count| [(&count.vars[..count.free], CELLS), (count.vars, MONOMIALS)])
        .chain(latents.map(|latent| (latent.sets, CELLS)));
    for (sets, most) in limited {
        while sets.iter().map(|&s| sizes[s]).product::<usize>() > most {
            let reducible = sets.iter().copied().filter(|&s| sizes[s] > least[s]);
            match reducible.max_by_key(|&s| sizes[s]) {
                Some(set) => sizes[set] -= 1,
                None => break,
            }
        }
    }
    sizes
}

/// Sizes at which every count has [`BROAD`] cells, as far as [`BROAD_MONOMIALS`] allow: the smallest of its index sets grow.
fn broad_sizes(spec: &Spec, tiny: &[usize]) -> Vec<usize> {
    let mut sizes = tiny.to_vec();
    for count in spec.counts {
        let free = &count.vars[..count.free];
        let cells = |sizes: &[usize]| {
            let shape: Vec<usize> = free.iter().map(|&s| sizes[s]).collect();
            let inside = |index: &Vec<usize>| count.guards.iter().all(|guard| guard.holds(index));
            indices(&shape).filter(inside).count()
        };
        while cells(&sizes) < BROAD {
            let Some(set) = free.iter().copied().min_by_key(|&s| sizes[s]) else {
                break;
            };
            sizes[set] += 1;
            let monomials = spec
                .counts
                .iter()
                .map(|count| count.vars.iter().map(|&s| sizes[s]).product::<usize>());
            if monomials.sum::<usize>() > BROAD_MONOMIALS {
                sizes[set] -= 1;
                break;
            }
        }
    }
    sizes
}

/// Two, or one more than the indices of the set that a `where` ties together: with fewer, hardly a cell is left.
fn least_size(spec: &Spec, set: usize) -> usize {
    let tied = spec.counts.iter().map(|count| {
        let guarded = |v: &usize| count.guards.iter().any(|g| g.left == *v || g.right == *v);
        let of_set = (0..count.vars.len()).filter(|&v| count.vars[v] == set);
        of_set.filter(guarded).count()
    });
    (tied.max().unwrap_or(0) + 1).max(2)
}

#[cfg(test)]
mod tests {
    use super::super::cases::Blocks;
    use super::*;

    /// Of a block model `i < j` leaves three of nine cells, and 276 of 576 in a broad instance, where some value is observed often enough for a
    /// table of its slopes.
    #[test]
    fn instances_are_small_and_have_cells() {
        let tiny = Instance::tiny(&Subject::of::<Blocks>());
        let cells = |instance: &Instance| instance.twin.counts[0].rates.iter().flatten().count();
        assert_eq!([cells(&tiny), cells(&tiny.broad())], [3, 276]);
    }
}
