//! Views whose cells obey a `where` clause, and exposures of slices, against the cells taken one by one.

mod binding;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::channel::{Channel, Exact, LogLinear, TwoSidedGeometric, Unaugmented, Varying};
use skellam::contract::{Grid, Operands};
use skellam::counts::{Counts, Mask, Store};
use skellam::error::SizeError;
use skellam::model::{Constant, FormKind, Guard, Observed, Rules, supported};
use skellam::streams::Streams;
use skellam::view::{Binding, Forms, Guards, Mean, Observations, Side, Source, View, Work};
use skellam::{Error, Formless};

type Geometric = TwoSidedGeometric;

/// A count of three indices, the first two over one set.
#[derive(Clone, Debug)]
struct Case {
    size: usize,
    extra: usize,
    /// Which axes are the batch, the rows and the columns.
    parts: [usize; 3],
    weighted: bool,
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
    let parts = prop::array::uniform3(0usize..3);
    let density = prop_oneof![Just(0.01), Just(0.5)];
    let masked = prop_oneof![Just(0.0), Just(0.2)];
    (
        sizes,
        parts,
        any::<bool>(),
        guards,
        density,
        0usize..5,
        masked,
        any::<u64>(),
    )
        .prop_map(
            |((extra, size), parts, weighted, guards, density, law, masked, seed)| Case {
                size: size + 1,
                extra,
                parts,
                weighted,
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
        let axes = |part: usize| -> Vec<usize> { (0..3).filter(|&a| self.parts[a] == part).collect() };
        let groups = [(3, false), (2, self.weighted)];
        Grid::new(&self.shape(), &axes(0), &axes(1), &axes(2), &groups)
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

    /// Held out at random, and, if `outside`, wherever the model has no cell.
    fn mask(&self, outside: bool) -> Mask {
        let mut rng = self.rng();
        let held = (0..self.cells())
            .filter(|&cell| rng.random_bool(self.masked) || outside && !self.in_model(cell))
            .map(|cell| self.index(cell).to_vec())
            .collect();
        Mask::from_indices(&self.shape(), held).unwrap()
    }

    fn observations(&self, outside: bool) -> Observations<Geometric> {
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
            mask: self.mask(outside),
        }
    }

    /// The weight of every cell, row-major in the data, from the definition.
    fn weights(&self, exposure: Exposure) -> Vec<f64> {
        let observed = self.observations(false);
        let values = self.values();
        let weight = |cell: usize| -> f64 {
            if observed.mask.is_held_out(cell) || !self.in_model(cell) {
                return 0.0;
            }
            exposure(observed.law.at(cell, &self.shape()), values[cell]).map_or(1.0, |e| e.weight)
        };
        (0..self.cells()).map(weight).collect()
    }

    fn operands(&self, grid: &Grid) -> Operands {
        let (mut out, mut rng) = (Operands::zeros(grid), self.rng());
        let all = out
            .left
            .iter_mut()
            .chain(&mut out.right)
            .chain(out.weights.iter_mut().flatten());
        all.for_each(|x| *x = rng.random::<f64>() + 0.1);
        out
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
    bound(&case.observations(false), case.grid(), &case.guards, drawn)
}

type Exposure = fn(&Geometric, i64) -> Option<LogLinear>;
const COLLAPSED: Exposure = |law, c| law.log_linear(c);
const DRAWN: Exposure = |law, c| law.log_linear(c).filter(|linear| linear.weight == 1.0);

/// Exposures by plain loops over the cells.
fn exposures(grid: &Grid, weights: &[f64], x: &Operands) -> Operands {
    let mut out = Operands::zeros(grid);
    for row in 0..grid.all_rows() {
        for col in 0..grid.cols {
            let (w, l, r) = (weights[grid.cell(row, col)], grid.left_at(row), grid.right_at(row, col));
            for (g, group) in grid.groups.iter().enumerate() {
                let at = row * grid.cols + col;
                let factor = if group.weighted { x.weights[g][at] } else { 1.0 };
                for k in group.start..group.end {
                    out.left[l + k] += w * factor * x.right[r + k];
                    out.right[r + k] += w * factor * x.left[l + k];
                    if group.weighted {
                        out.weights[g][at] += w * x.left[l + k] * x.right[r + k];
                    }
                }
            }
        }
    }
    out
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| (a - b).abs() <= 1e-11 * a.abs().max(b.abs()).max(1.0))
}

fn whole(view: &View, x: &Operands) -> Operands {
    let (mut out, mut work) = (Operands::zeros(view.grid()), Work::default());
    view.exposure_left(x, &mut out, &mut work);
    view.exposure_right(x, &mut out, &mut work);
    view.exposure_weights(x, &mut out, &mut work);
    out
}

/// Slices of every combination of `fixed` axes, each written over a sentinel: all of the exposures and
/// nothing else.
fn sliced(case: &Case, view: &View, x: &Operands, expected: &Operands) -> Result<(), TestCaseError> {
    const UNTOUCHED: f64 = -7.0;
    let (grid, shape) = (view.grid(), case.shape());
    for (side, of) in [(Side::Left, [0, 1]), (Side::Right, [0, 2]), (Side::Weights, [3, 3])] {
        let axes: Vec<usize> = (0..3).filter(|&a| of[0] == 3 || of.contains(&case.parts[a])).collect();
        for subset in 0..1usize << axes.len() {
            let fixed_axes: Vec<usize> = (0..axes.len())
                .filter(|i| subset >> i & 1 == 1)
                .map(|i| axes[i])
                .collect();
            let combinations: usize = fixed_axes.iter().map(|&a| shape[a]).product();
            let mut union = Operands::zeros(grid);
            for combination in 0..combinations {
                let mut rest = combination;
                let mut fixed = Vec::new();
                for &axis in &fixed_axes {
                    fixed.push((axis, rest % shape[axis]));
                    rest /= shape[axis];
                }
                let mut out = Operands::zeros(grid);
                let all = out
                    .left
                    .iter_mut()
                    .chain(&mut out.right)
                    .chain(out.weights.iter_mut().flatten());
                all.for_each(|x| *x = UNTOUCHED);
                view.exposure_slice(side, &fixed, x, &mut out);
                let pairs = union
                    .left
                    .iter_mut()
                    .zip(&out.left)
                    .chain(union.right.iter_mut().zip(&out.right));
                let weights = union.weights.iter_mut().flatten().zip(out.weights.iter().flatten());
                // Every entry is written by one slice: sums over slices are the values themselves.
                pairs
                    .chain(weights)
                    .for_each(|(u, o)| *u += if *o == UNTOUCHED { 0.0 } else { *o });
                let written = |values: &[f64]| values.iter().filter(|v| **v != UNTOUCHED).count() * combinations;
                match side {
                    Side::Left => prop_assert_eq!(written(&out.left), out.left.len()),
                    Side::Right => prop_assert_eq!(written(&out.right), out.right.len()),
                    Side::Weights => prop_assert_eq!(written(&out.weights[1]), out.weights[1].len()),
                }
                let others = match side {
                    Side::Left => written(&out.right) + written(&out.weights[1]),
                    Side::Right => written(&out.left) + written(&out.weights[1]),
                    Side::Weights => written(&out.left) + written(&out.right),
                };
                prop_assert_eq!(others, 0);
            }
            match side {
                Side::Left => prop_assert!(close(&union.left, &expected.left), "left, {fixed_axes:?}"),
                Side::Right => prop_assert!(close(&union.right, &expected.right), "right, {fixed_axes:?}"),
                Side::Weights => prop_assert!(
                    close(&union.weights[1], &expected.weights[1]),
                    "weights, {fixed_axes:?}"
                ),
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..Default::default() })]

    /// A mask that lists what was observed is the mask that lists the rest: in what is visited, in exposures, and in the
    /// likelihood.
    #[test]
    fn a_mask_of_what_was_observed_is_the_mask_of_the_rest(case in case()) {
        let listed = Case { masked: 0.6, ..case };
        let held = listed.observations(false);
        let observed: Vec<Vec<usize>> =
            (0..listed.cells()).filter(|&cell| !held.mask.is_held_out(cell)).map(|cell| listed.index(cell).to_vec()).collect();
        let shape = listed.shape();
        let mut of_observed = listed.observations(false);
        of_observed.mask = Mask::observed(&shape, observed).unwrap();
        let bind = |observations: &Observations<Geometric>| {
            bound(observations, listed.grid(), &listed.guards, false)
        };
        let (a, b) = (bind(&held), bind(&of_observed));
        let x = listed.operands(a.grid());
        let (left, right) = (whole(&a, &x), whole(&b, &x));
        prop_assert!(close(&left.left, &right.left) && close(&left.right, &right.right));
        prop_assert!(left.weights.iter().zip(&right.weights).all(|(a, b)| close(a, b)));
        let likelihood = |view: &View| {
            view.ln_marginal(&x, &mut Operands::zeros(view.grid()), &mut Work::default())
        };
        prop_assert!(close(&[likelihood(&a)], &[likelihood(&b)]));
        prop_assert_eq!(a.visited(), b.visited());
        // What is missing is not scored, what was held out is.
        prop_assert_eq!(b.num_scored(), 0);
        let known = held.mask.indices().filter(|&cell| listed.in_model(cell)).count();
        prop_assert_eq!(a.num_scored(), if held.mask.is_empty() { 0 } else { known });
    }

    #[test]
    fn exposures_and_their_slices_are_sums_over_cells(case in case()) {
        let collapsed = bound_case(&case, false);
        let x = case.operands(collapsed.grid());
        let expected = exposures(collapsed.grid(), &case.weights(COLLAPSED), &x);
        let got = whole(&collapsed, &x);
        prop_assert!(close(&got.left, &expected.left) && close(&got.right, &expected.right));
        prop_assert!(got.weights.iter().zip(&expected.weights).all(|(a, b)| close(a, b)));
        sliced(&case, &collapsed, &x, &expected)?;
        let drawn = bound_case(&case, true);
        let expected = exposures(drawn.grid(), &case.weights(DRAWN), &x);
        prop_assert!(close(&whole(&drawn, &x).left, &expected.left));
        // Every observed cell weighs one.
        prop_assert!(case.weights(DRAWN).iter().all(|w| [0.0, 1.0].contains(w)));
        sliced(&case, &drawn, &x, &expected)?;
    }

    /// A cell outside the model is one that is held out, but for rates.
    #[test]
    fn a_clause_is_a_mask(case in case()) {
        let grid = case.grid();
        let clause = bound_case(&case, false);
        let outside = case.observations(true);
        let mask = bound(&outside, grid.clone(), &[], false);
        prop_assert_eq!(clause.visited(), mask.visited());
        let x = case.operands(&grid);
        let [a, b] = [&clause, &mask].map(|view| {
            let (mut seeds, mut factors) = (Operands::zeros(&grid), view.start_factors());
            let bound = view.expect(&x, &mut factors, &mut seeds, &mut Work::default(), true);
            let mut counts = Operands::zeros(&grid);
            let streams = Streams::new(case.seed, 0);
            let mut state = view.start(&streams, 0);
            let total = view.thin(&x, &mut state, &mut counts, &mut Work::default(), &streams, 0);
            (bound, seeds.left, counts, total)
        });
        prop_assert!((a.0 - b.0).abs() < 1e-10 * b.0.abs().max(1.0), "{} {}", a.0, b.0);
        prop_assert!(close(&a.1, &b.1));
        // Draws are the same only where rates are rounded the same.
        if clause.is_dense() == mask.is_dense() {
            prop_assert_eq!(a.2, b.2);
            prop_assert_eq!(a.3, b.3);
        }
        let mut rates = vec![0.0; case.cells()];
        clause.add_rates(&x, &mut rates, &mut Work::default());
        let (mut sum, mut n) = (0.0, 0.0);
        for row in 0..grid.all_rows() {
            for col in 0..grid.cols {
                let cell = grid.cell(row, col);
                let expected = if case.in_model(cell) { x.rate(&grid, row, col) } else { 0.0 };
                prop_assert!((rates[cell] - expected).abs() <= 1e-12 * expected);
                sum += expected;
                n += f64::from(u8::from(case.in_model(cell)));
            }
        }
        if n > 0.0 {
            prop_assert!((clause.mean_rate(&x) - sum / n).abs() <= 1e-11 * sum);
        }
    }

    /// Means are over the observed cells of the model, whatever is stored.
    #[test]
    fn means_are_over_the_model(case in case()) {
        let counts: Vec<i64> = case.values().iter().map(|v| (*v).max(0)).collect();
        let mask = case.mask(false);
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
