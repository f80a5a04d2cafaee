//! What the cells of a view weigh where they obey a `where` clause, by their definition. What passes make of weights is held beside them.

mod binding;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::Error;
use skellam::SizeError;
use skellam::channel::{Channel, LogLinear, TwoSidedGeometric, Unaugmented, Varying};
use skellam::counts::{Counts, Mask, Store};
use skellam::model::{CountData, FormKind, Guard, Observed, Rules};
use skellam::private::contract::Grid;
use skellam::private::view::{Binding, Forms, Guards, Mean, Observations, Source, View};

type Geometric = TwoSidedGeometric;

/// A count of three indices, the first two over one set.
#[derive(Clone, Debug)]
struct Case {
    size: usize,
    extra: usize,
    /// Which axes are of rows; the others are of columns.
    of_rows: [bool; 3],
    guards: Vec<Guard>,
    /// The fraction of positive observations.
    density: f64,
    /// Uniform, per slice of each axis, or per cell.
    law: usize,
    masked: f64,
    seed: u64,
}

fn case() -> impl Strategy<Value = Case> {
    let guard = |less| Guard {
        left: 0,
        right: 1,
        less,
    };
    let guards = prop_oneof![
        Just(vec![]),
        Just(vec![guard(false)]),
        Just(vec![guard(true)]),
        Just(vec![
            guard(false),
            Guard {
                left: 2,
                right: 0,
                less: false
            }
        ]),
    ];
    let sizes = (1usize..4, 1usize..14);
    let of_rows = prop::array::uniform3(any::<bool>());
    let density = prop_oneof![Just(0.01), Just(0.5)];
    let masked = prop_oneof![Just(0.0), Just(0.2)];
    (sizes, of_rows, guards, density, 0usize..5, masked, any::<u64>()).prop_map(
        |((extra, size), of_rows, guards, density, law, masked, seed)| Case {
            size: size + 1,
            extra,
            of_rows,
            guards,
            density,
            law,
            masked,
            seed,
        },
    )
}

impl Case {
    fn shape(&self) -> [usize; 3] {
        [self.size, self.size, self.extra]
    }

    fn grid(&self) -> Grid {
        let axes = |of_rows: bool| -> Vec<usize> { (0..3).filter(|&a| self.of_rows[a] == of_rows).collect() };
        Grid::new(&self.shape(), &axes(true), &axes(false), 5)
    }

    fn index(&self, cell: usize) -> [usize; 3] {
        [
            cell / self.extra / self.size,
            cell / self.extra % self.size,
            cell % self.extra,
        ]
    }

    fn in_model(&self, cell: usize) -> bool {
        self.guards.iter().all(|guard| guard.holds(&self.index(cell)))
    }

    fn rng(&self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(self.seed)
    }

    fn cells(&self) -> usize {
        self.size * self.size * self.extra
    }

    fn values(&self) -> Vec<i64> {
        let mut rng = self.rng();
        let value = |rng: &mut Xoshiro256PlusPlus| match rng.random_bool(self.density) {
            true => rng.random_range(1..4),
            false => rng.random_range(-2..1),
        };
        (0..self.cells()).map(|_| value(&mut rng)).collect()
    }

    /// Held out at random.
    fn mask(&self) -> Mask {
        let mut rng = self.rng();
        let held = (0..self.cells())
            .filter(|_| rng.random_bool(self.masked))
            .map(|cell| self.index(cell).to_vec())
            .collect();
        Mask::from_indices(&self.shape(), held).unwrap()
    }

    fn observations(&self) -> Observations<Geometric> {
        let mut rng = self.rng();
        let mut laws = |n: usize| {
            (0..n)
                .map(|_| Geometric::new(rng.random_range(0.1..0.6)).unwrap())
                .collect::<Vec<_>>()
        };
        let law = match self.law {
            3 => Varying::Cell(laws(self.cells())),
            4 => Varying::Uniform(laws(1)[0]),
            axis => Varying::Slice {
                axis,
                laws: laws(self.shape()[axis]),
            },
        };
        Observations {
            shape: self.shape().to_vec(),
            store: Store::Dense(self.values().into()),
            law,
            mask: self.mask(),
        }
    }

    /// The weight of every cell, row-major in the data, from the definition.
    fn weights(&self, exposure: Exposure) -> Vec<f64> {
        let observed = self.observations();
        let values = self.values();
        let weight = |cell: usize| -> f64 {
            if observed.mask.is_held_out(cell) || !self.in_model(cell) {
                return 0.0;
            }
            exposure(observed.law.at(cell, &self.shape()), values[cell]).map_or(1.0, |e| e.weight)
        };
        (0..self.cells()).map(weight).collect()
    }
}

/// The view of some observations whose cells obey `guards`, in the collapsed form; where it is `drawn`, every observed cell weighs one.
fn bound(observations: &Observations<Geometric>, grid: Grid, guards: &[Guard], drawn: bool) -> View {
    let binding = Binding {
        name: "y",
        source: Source::default(),
        guards: Guards::new(&grid, guards),
        grid,
        mean: Mean::default(),
        augmented: false,
        drawn,
    };
    binding.of(observations, &Forms::with::<Unaugmented>()).unwrap()
}

fn bound_case(case: &Case, drawn: bool) -> View {
    bound(&case.observations(), case.grid(), &case.guards, drawn)
}

type Exposure = fn(&Geometric, i64) -> Option<LogLinear>;
const COLLAPSED: Exposure = |law, c| law.log_linear(c);
const DRAWN: Exposure = |law, c| law.log_linear(c).filter(|linear| linear.weight == 1.0);

/// The weight of every cell of a view, row-major in the data.
fn weights(view: &View) -> Vec<f64> {
    (0..view.grid().cells()).map(|cell| view.weight(cell)).collect()
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-12)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..Default::default() })]

    /// A mask that lists what was observed is the mask that lists the rest: in what is visited, and in the weight of every
    /// cell.
    #[test]
    fn a_mask_of_what_was_observed_is_the_mask_of_the_rest(case in case()) {
        let listed = Case { masked: 0.6, ..case };
        let held = listed.observations();
        let observed: Vec<Vec<usize>> =
            (0..listed.cells()).filter(|&cell| !held.mask.is_held_out(cell)).map(|cell| listed.index(cell).to_vec()).collect();
        let shape = listed.shape();
        let mut of_observed = listed.observations();
        of_observed.mask = Mask::observed(&shape, observed).unwrap();
        let bind = |observations: &Observations<Geometric>| {
            bound(observations, listed.grid(), &listed.guards, false)
        };
        let (a, b) = (bind(&held), bind(&of_observed));
        prop_assert!(close(&weights(&a), &weights(&b)));
        prop_assert_eq!(a.visited(), b.visited());
        // What is missing is not scored, what was held out is.
        prop_assert_eq!(b.num_scored(), 0);
        let known = held.mask.indices().filter(|&cell| listed.in_model(cell)).count();
        prop_assert_eq!(a.num_scored(), if held.mask.is_empty() { 0 } else { known });
    }

    #[test]
    fn weights_are_what_laws_say(case in case()) {
        let (collapsed, drawn) = (bound_case(&case, false), bound_case(&case, true));
        prop_assert!(close(&weights(&collapsed), &case.weights(COLLAPSED)));
        prop_assert!(close(&weights(&drawn), &case.weights(DRAWN)));
        // Every observed cell weighs one.
        prop_assert!(case.weights(DRAWN).iter().all(|w| [0.0, 1.0].contains(w)));
    }

    /// Means are over the observed cells of the model, whatever is stored.
    #[test]
    fn means_are_over_the_model(case in case()) {
        let counts: Vec<i64> = case.values().iter().map(|v| (*v).max(0)).collect();
        let mask = case.mask();
        let data = Counts::dense(case.shape().to_vec(), counts.clone()).unwrap().hold_out(&mask).unwrap();
        let rules = Rules { guards: case.guards.clone().leak(), constant: &[] };
        let observed = Observed::exact(&data).unwrap();
        let within: Vec<f64> = (0..case.cells())
            .filter(|&cell| !mask.is_held_out(cell) && case.in_model(cell))
            .map(|cell| counts[cell] as f64)
            .collect();
        match observed.bind("y", case.grid(), FormKind::Collapsed, &rules) {
            Ok(view) => {
                let n = within.len().max(1) as f64;
                let mean = within.iter().sum::<f64>() / n;
                let variance = within.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n;
                prop_assert!((view.mean_observation() - mean).abs() < 1e-12);
                if !within.is_empty() {
                    prop_assert!((view.standard_error() - (variance / n).sqrt()).abs() < 1e-6);
                }
                prop_assert_eq!(view.name(), "y");
                // Exact zeros are exposure: only positive counts of the model are visited.
                prop_assert_eq!(view.visited(), within.iter().filter(|v| **v > 0.0).count());
            }
            Err(Error::Size(SizeError::AllExcluded { count })) => {
                prop_assert_eq!(count, "y");
                prop_assert!(within.iter().all(|v| *v == 0.0));
            }
            Err(Error::Size(SizeError::NoCells { .. })) => prop_assert!((0..case.cells()).all(|cell| !case.in_model(cell))),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}
