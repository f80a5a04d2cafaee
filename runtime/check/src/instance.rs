//! The tiny instance on which laws are checked: sizes, hyperparameters, arrays, masks.

use std::sync::Arc;

use skellam::Error;
use skellam::counts::{Array, Mask};
use skellam::model::{Domain, FormKind, HyperSpec, Model, Spec};
use skellam_math::streams::Stream;

use super::held_out::{HeldOut, mask};
use super::level::{OpenNumber, at_level, best};
use super::mechanism::TestedMechanism;
use super::setting::{CountSetting, ObservedValues, Setting};
use super::subject::Subject;
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
/// Shapes, rates and whatever else is positive, by position. Shapes above one and rates near it mix well.
const POSITIVE: [f64; 6] = [2.0, 1.5, 1.7, 1.3, 1.9, 1.1];
/// Numbers between zero and one, by position.
const UNIT: [f64; 5] = [0.6, 0.4, 0.7, 0.35, 0.55];
/// Totals, by position: tables of so few are enumerated.
const WHOLE: [f64; 4] = [5.0, 3.0, 6.0, 4.0];

/// A declared model at small sizes, bound to no data yet.
pub(super) struct Instance {
    pub twin: Twin,
    pub mechanisms: Vec<Box<dyn TestedMechanism>>,
    subject: Subject,
    sizes: Vec<usize>,
    hypers: Vec<f64>,
    arrays: Vec<Array>,
    /// The held-out cells of each count, by [`HeldOut`].
    masks: Vec<[Mask; 3]>,
}

impl Instance {
    /// Small sizes, and numbers at which samplers mix well and every kind of cell has its share of the information, as
    /// far as the declaration leaves numbers open.
    pub fn tiny(subject: &Subject) -> Self {
        best(|level| {
            let hypers = subject.spec.hypers.iter().enumerate();
            let hyper = |(i, hyper): (usize, &HyperSpec)| {
                if let Some(set) = hyper.per {
                    return 1.0 / sizes(subject.spec)[set] as f64;
                }
                let usual = friendly(hyper.domain, i);
                at_level(subject.spec, OpenNumber::Hyper(i), hyper.domain, usual, level)
            };
            Self::new(subject, hypers.map(hyper).collect(), |_| None, level)
        })
    }

    /// The same with the declared defaults of hyperparameters, where there are any.
    pub fn at_defaults(subject: &Subject) -> Self {
        let spec = subject.spec;
        let hypers = spec.hypers.iter().enumerate();
        let hypers = hypers.map(|(i, hyper)| match hyper.per {
            Some(set) => 1.0 / sizes(spec)[set] as f64,
            None => hyper.default.unwrap_or_else(|| friendly(hyper.domain, i)),
        });
        Self::new(subject, hypers.collect(), |array| spec.arrays[array].default, 1.0)
    }

    fn new(subject: &Subject, hypers: Vec<f64>, default: impl Fn(usize) -> Option<f64>, level: f64) -> Self {
        let spec = subject.spec;
        let sizes = sizes(spec);
        let arrays = spec.arrays.iter().enumerate().map(|(number, array)| {
            let shape: Vec<usize> = array.sets.iter().map(|&s| sizes[s]).collect();
            let entry = |i| {
                if let Domain::PositionIn(set) = array.domain {
                    return friendly_position(i, sizes[set]);
                }
                let usual = default(number).unwrap_or_else(|| friendly(array.domain, number + 2 * i));
                at_level(spec, OpenNumber::Array(number), array.domain, usual, level)
            };
            let data = (0..shape.iter().product()).map(entry).collect();
            match Array::new(shape, data) {
                Ok(array) => array,
                Err(error) => unreachable!("as many entries as the shape has: {error}"),
            }
        });
        let arrays: Vec<Array> = arrays.collect();
        Self::at(subject, sizes, hypers, arrays)
    }

    fn at(subject: &Subject, sizes: Vec<usize>, hypers: Vec<f64>, arrays: Vec<Array>) -> Self {
        let twin = Twin::new(subject.spec, &sizes, &hypers, &arrays);
        let counts = 0..twin.counts.len();
        Self {
            masks: counts
                .map(|count| HeldOut::ALL.map(|held_out| mask(&twin, count, held_out)))
                .collect(),
            twin,
            mechanisms: (subject.mechanisms)(),
            subject: *subject,
            sizes,
            hypers,
            arrays,
        }
    }

    /// The same numbers on larger index sets: see [`BROAD`]. Arrays repeat their entries.
    pub fn broad(&self) -> Self {
        let spec = self.twin.spec;
        let sizes = broad(spec, &self.sizes);
        let arrays = spec.arrays.iter().zip(&self.arrays).map(|(array, tiny)| {
            let shape: Vec<usize> = array.sets.iter().map(|&s| sizes[s]).collect();
            let data = tiny.as_slice().iter().copied().cycle();
            let data = data.take(shape.iter().product()).collect();
            match Array::new(shape, data) {
                Ok(array) => array,
                Err(error) => unreachable!("as many entries as the shape has: {error}"),
            }
        });
        let arrays: Vec<Array> = arrays.collect();
        let hypers: Vec<f64> = spec
            .hypers
            .iter()
            .zip(&self.hypers)
            .map(|(hyper, &value)| hyper.per.map_or(value, |set| 1.0 / sizes[set] as f64))
            .collect();
        Self::at(&self.subject, sizes, hypers, arrays)
    }

    /// The model at a setting of this instance; see [`Testable::assemble`](super::Testable::assemble).
    pub fn assemble(&self, setting: &Setting, form: FormKind, way: Option<usize>) -> Result<Box<dyn Model>, Error> {
        (self.subject.assemble)(setting, form, way)
    }

    /// The setting with some data: `values` of every count, as the declared mechanisms made them or `exact`.
    pub fn setting(&self, values: Vec<ObservedValues>, exact: bool, held_out: HeldOut) -> Setting {
        let counts = values.into_iter().enumerate().map(|(count, values)| CountSetting {
            shape: self.twin.counts[count].shape.clone(),
            values,
            held_out: self.mask(count, held_out),
            exact,
        });
        Setting {
            sizes: self.sizes.clone(),
            hypers: self.hypers.clone(),
            arrays: self.arrays.clone(),
            counts: counts.collect(),
        }
    }

    /// Observations of every count at rates `x`: by the declared mechanisms, or exactly.
    pub fn observe(&self, x: &[Vec<f64>], exact: bool, rng: &mut Stream) -> Vec<ObservedValues> {
        let counts = self.twin.draw_counts(x, rng);
        if exact {
            return self.exactly(&counts);
        }
        let pairs = self.mechanisms.iter().zip(&counts);
        pairs.map(|(mechanism, y)| mechanism.observe(y, rng)).collect()
    }

    /// True counts as they are, or their differences.
    pub fn exactly(&self, counts: &[Vec<[u64; 2]>]) -> Vec<ObservedValues> {
        let values = |y: &Vec<[u64; 2]>| -> ObservedValues {
            let differences = y.iter().map(|&[plus, minus]| plus as i64 - minus as i64);
            Arc::new(differences.collect::<Vec<i64>>())
        };
        counts.iter().map(values).collect()
    }

    /// Where the hyperparameters of [`Instance::at_defaults`] come from, in words.
    pub fn describe_defaults(&self) -> String {
        let spec = self.twin.spec;
        let hypers = spec
            .hypers
            .iter()
            .filter(|h| h.default.is_none() && h.per.is_none())
            .map(|h| h.name);
        let arrays = spec.arrays.iter().filter(|a| a.default.is_none()).map(|a| a.name);
        let without: Vec<&str> = hypers.chain(arrays).collect();
        match without.len() {
            0 => "defaults".to_string(),
            1..=3 => format!("defaults (none for {})", without.join(", ")),
            n => format!("defaults (none for {n})"),
        }
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
        let counts = self.mechanisms.iter().zip(0..);
        // Whole lines of a count with a total are drawn, whatever its channel.
        let mut in_cells = counts.filter(|(_, count)| !self.twin.in_lines(*count));
        in_cells.all(|(mechanism, _)| !mechanism.augmented())
    }

    /// Whether the data of every count are its true values.
    pub fn all_exact(&self) -> bool {
        let mut declared = self.mechanisms.iter();
        declared.all(|declared| declared.exactly().name() == declared.name())
    }
}

/// The entry `i` of an array of positions in a set of this size: no two neighbours in order, and values that repeat.
fn friendly_position(i: usize, size: usize) -> f64 {
    ((2 * i + 1 + i / size) % size) as f64
}

fn friendly(domain: Domain, number: usize) -> f64 {
    match domain {
        Domain::Positive | Domain::Nonnegative => POSITIVE[number % POSITIVE.len()],
        Domain::Unit => UNIT[number % UNIT.len()],
        Domain::Whole => WHOLE[number % WHOLE.len()],
        Domain::PositionIn(_) => unreachable!("numbers of a declaration are not positions"),
    }
}

/// The size of every index set.
fn sizes(spec: &Spec) -> Vec<usize> {
    let least: Vec<usize> = (0..spec.sets.len()).map(|set| least_size(spec, set)).collect();
    let mut sizes: Vec<usize> = least
        .iter()
        .enumerate()
        .map(|(set, &least)| SIZES[set % SIZES.len()].max(least))
        .collect();
    // Sums of few products: where a shape alone is open, low rates then need no shapes as small, whose tails are heavy.
    let summed = |set: usize| spec.counts.iter().all(|count| !count.vars[..count.free].contains(&set));
    for set in (0..sizes.len()).filter(|&set| summed(set)) {
        if let Some(size) = (least[set]..sizes[set]).find(|size| !sizes.contains(size)) {
            sizes[set] = size;
        }
    }
    // What is too large gives up its largest index until it fits or nothing can be given up.
    let counts = spec.counts.iter();
    let limited = counts
        .map(|count| (&count.vars[..count.free], CELLS))
        .chain(spec.counts.iter().map(|count| (count.vars, MONOMIALS)))
        .chain(spec.latents.iter().map(|latent| (latent.sets, CELLS)))
        .collect::<Vec<_>>();
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
fn broad(spec: &Spec, tiny: &[usize]) -> Vec<usize> {
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
        let guarded = |v: usize| count.guards.iter().any(|g| g.left == v || g.right == v);
        (0..count.vars.len())
            .filter(|&v| count.vars[v] == set && guarded(v))
            .count()
    });
    (tied.max().unwrap_or(0) + 1).max(2)
}

#[cfg(test)]
mod tests {
    use super::super::cases::{BLOCKS, OPEN, TOPICS};
    use super::super::cells::{CellKind, exercised};
    use super::super::level::WANTED;
    use super::super::mechanism::mechanism;
    use super::*;
    use skellam::channel::TwoSidedGeometric;
    use skellam::model::CountSpec;

    /// A declaration of which no model is made.
    fn subject(spec: &'static Spec) -> Subject {
        Subject {
            spec,
            mechanisms: || vec![mechanism::<TwoSidedGeometric>()],
            assemble: |_, _, _| unreachable!("no model is assembled here"),
        }
    }

    fn tiny(spec: &'static Spec) -> Instance {
        Instance::tiny(&subject(spec))
    }

    #[test]
    fn sizes_differ_and_leave_cells() {
        let topics = tiny(&TOPICS);
        assert_eq!(topics.sizes[..], [3, 4, 2]);
        assert!(topics.arrays[0].as_slice().windows(2).all(|w| w[0] != w[1]));
        // `i < j` leaves three cells of nine.
        assert_eq!(tiny(&BLOCKS).sizes, [3, 2]);
    }

    #[test]
    fn defaults_are_taken_where_there_are_any() {
        let defaults = Instance::at_defaults(&subject(&TOPICS));
        assert_eq!(defaults.hypers, [0.1, 1.5]);
        assert_eq!(defaults.describe_defaults(), "defaults (none for s, w)");
    }

    /// Shares over other data than those by which the level was chosen. With a simplex no cell is exposure alone here.
    #[test]
    fn visited_cells_have_their_share() {
        let cells = exercised(&tiny(&TOPICS), 7);
        for (kind, wanted) in WANTED.into_iter().filter(|(kind, _)| *kind != CellKind::Exposure) {
            let cell = cells.iter().find(|cell| cell.kind == kind).unwrap();
            assert!(cell.information > 0.7 * wanted, "{cells:?}");
        }
    }

    /// A block model whose shape alone is open. Small shapes have heavy tails, and high rates most of the information: cells
    /// that are exposure alone do not reach the share that is wanted (8 % of 20 %), but have many times that of shape two.
    #[test]
    fn a_level_is_found_as_far_as_a_shape_allows() {
        let share = |instance: &Instance| exercised(instance, 7)[CellKind::Exposure as usize].information;
        let usual = share(&Instance::new(&subject(&OPEN), vec![2.0], |_| None, 1.0));
        let found = share(&tiny(&OPEN));
        assert!(found > 0.04 && found > 5.0 * usual, "{found} {usual}");
    }

    #[test]
    fn masks_are_constant_along_simplices() {
        let topics = tiny(&TOPICS);
        let mask = topics.mask(0, HeldOut::Some);
        assert!(!mask.is_empty() && mask.len() < 12);
        for d in 0..3 {
            let line: Vec<bool> = (0..4).map(|v| mask.is_held_out(4 * d + v)).collect();
            assert!(line.iter().all(|held| *held == line[0]), "{line:?}");
        }
        assert_eq!(topics.mask(0, HeldOut::All).len(), 12);
        assert!(topics.mask(0, HeldOut::None).is_empty());
    }

    #[test]
    fn a_broad_instance_has_many_cells_and_the_same_numbers() {
        let (topics, blocks) = (tiny(&TOPICS), tiny(&BLOCKS));
        let (broad, broad_blocks) = (topics.broad(), blocks.broad());
        assert_eq!(broad.sizes, [16, 16, 2]);
        assert_eq!(broad.hypers, topics.hypers);
        let (few, many) = (topics.arrays[0].as_slice(), broad.arrays[0].as_slice());
        assert!(many.len() > few.len() && many.starts_with(few));
        // `i < j` leaves 276 cells of 576.
        assert_eq!(broad_blocks.sizes, [24, 2]);
        assert_eq!(broad_blocks.twin.counts[0].rates.iter().flatten().count(), 276);
    }

    #[test]
    fn large_declarations_shrink() {
        const SETS: &[usize] = &[0, 1, 2, 3, 4];
        static FIVE: Spec = Spec {
            sets: &["a", "b", "c", "d", "e"],
            counts: &[CountSpec {
                name: "y",
                vars: SETS,
                free: 5,
                guards: &[],
                terms: &[],
                total: None,
                is_hidden: false,
            }],
            ..TOPICS_WITHOUT
        };
        const TOPICS_WITHOUT: Spec = Spec {
            name: "Five",
            sets: &[],
            hypers: &[],
            arrays: &[],
            latents: &[],
            custom_updates: &[],
            counts: &[],
        };
        assert_eq!(sizes(&FIVE).iter().product::<usize>(), 48);
    }
}
