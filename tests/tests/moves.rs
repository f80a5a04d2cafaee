//! Joint moves: their density and its derivative, what they leave invariant by Geweke's test, and moves that are wrong.
//!
//! False-positive rate below 1e-5 a comparison (see `geweke::LIMIT`), below 1e-4 for the file.

use rand::RngExt;
use skellam::infer::{Chain, LogDensity};
use skellam::model::{Bound, Factors, FormKind, Model, Prior, Root, Step, Symmetry, Values};
use skellam::prelude::*;
use skellam::streams::{Purpose, Streams};
use skellam_tests::cases::{Case, Observed};
use skellam_tests::data::{arrays, factors, stream};
use skellam_tests::families::*;
use skellam_tests::family;
use skellam_tests::geweke::{Deviation, Kernel, LIMIT, compare_by};
use skellam_tests::twin::Twin;

const ALPHA: f64 = 0.6;
const ITERATIONS: usize = 30_000;
const TRAJECTORIES: Moves = Moves::Trajectories { every: 1, steps: 4 };
const LEVELS: Moves = Moves::Levels { every: 1 };

// ---------------------------------------------------------------------------------------------- the density

/// At some point around a dispersed start: differences of the density are those of `ln_joint` of a chain there, and the
/// gradient is that of finite differences.
fn density_holds(model: &dyn Model, name: &str) {
    let latents = model.latents();
    let mut chain = Chain::new(model, 3, 0);
    chain.sweep();
    let mut x = chain.values().clone();
    let mut density = LogDensity::new(model, latents);
    density.set_prior(model, &x);
    let mut here = vec![0.0; density.len()];
    density.logarithms(&x, &mut here);
    let (mut gradient, mut unused) = (vec![0.0; here.len()], vec![0.0; here.len()]);
    let joint =
        |x: &Factors, point: &[f64]| Chain::starting_at(model, x.clone(), 1, 0).ln_joint() + point.iter().sum::<f64>();
    let at_here = density.evaluate(model, &mut x, &here, &mut gradient);
    let constant = at_here - joint(&x, &here);
    let mut rng = stream(5);
    for _ in 0..3 {
        let there: Vec<f64> = here.iter().map(|q| q + rng.random_range(-0.7..0.7)).collect();
        let value = density.evaluate(model, &mut x, &there, &mut unused);
        let gap = value - joint(&x, &there) - constant;
        assert!(
            gap.abs() < 1e-9 * value.abs().max(1.0),
            "{name}: density off by {gap:e}"
        );
    }
    let step = 1e-5;
    for entry in (0..here.len()).step_by((here.len() / 12).max(1)) {
        let mut beside = |by: f64| {
            let mut point = here.clone();
            point[entry] += by;
            density.evaluate(model, &mut x, &point, &mut unused)
        };
        let slope = (beside(step) - beside(-step)) / (2.0 * step);
        // Differences lose eleven digits of the density; the gradient has six.
        let error = (slope - gradient[entry]).abs();
        let limit = 1e-5 * slope.abs().max(1.0) + 1e-9 * at_here.abs() / 1e-2;
        assert!(
            error < limit,
            "{name}, entry {entry}: {slope} by differences, {}",
            gradient[entry]
        );
    }
}

fn density_of<F: Family<Mechanism = TwoSidedGeometric>>(family: &F, name: &str) {
    let twin = family.twin();
    for layout in 0..family.layouts() {
        for (seed, case) in (1..).zip(Case::all(twin.shape.len())) {
            let observed = Observed::new(case, &twin.shape, seed);
            density_holds(
                &observed.bind(family, Some(layout)),
                &format!("{name}, layout {layout}, {case:?}"),
            );
        }
    }
}

#[test]
fn the_density_is_the_joint_density_and_has_its_derivative() {
    density_of(&MatrixAt(7, 5, 3), "matrix");
    density_of(&Cp3At(5, 4, 6, 2), "cp");
    density_of(&TuckerAt([4, 3, 5], [2, 3, 2]), "tucker");
    density_of(&BackgroundAt(5, 6, 2), "background");
    density_of(&OffsetAt(5, 6, 2), "offset");
    density_of(&BatchAt(4, 5, 3, 2), "batch");
    density_of(&MixedAt(5, 6, 2), "mixed");
    density_of(&PairsAt(4, 5, 3, 2), "pairs");
}

skellam::model! {
    /// A hierarchy, a simplex, a latent that is a parent and in a rate, and two counts.
    model Several {
        index docs, words, topics;
        latent xi[d in docs] ~ Gamma(shape = 2.0, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = xi[d]);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.7, along = v);
        latent level ~ Gamma(shape = 2.0, rate = 1.0);
        latent base[v in words] ~ Gamma(shape = 1.2, rate = level);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        count z[v in words] ~ Poisson(level * base[v]);
        release y by TwoSidedGeometric;
        release z by AtLeastOne;
    }
}

skellam::model! {
    /// A latent used twice in a term.
    model Network {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 0.8, rate = 1.0);
        latent pi[c in groups, e in groups] ~ Gamma(shape = 0.6, rate = 2.0);
        count y[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        release y by TwoSidedGeometric;
    }
}

fn some_counts(cells: usize) -> Vec<i64> {
    (0..cells).map(|i| (i * 7 % 11) as i64 - 3).collect()
}

fn released(shape: &[usize]) -> Released<TwoSidedGeometric> {
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    let cells = shape.iter().product();
    Released::assert_mechanism(shape.to_vec(), some_counts(cells), law).unwrap()
}

fn network() -> NetworkModel {
    Network::new(&released(&[6, 6]))
        .unwrap()
        .groups(3)
        .bind(FormKind::Collapsed)
        .unwrap()
}

#[test]
fn the_density_holds_with_parents_simplices_several_counts_and_where() {
    let seen = Released::assert_mechanism(
        vec![5],
        vec![true, false, true, true, false],
        Varying::Uniform(AtLeastOne),
    );
    let data = SeveralData {
        y: &released(&[4, 5]),
        z: &seen.unwrap(),
    };
    let model = Several::new(data).unwrap().topics(2).bind(FormKind::Collapsed).unwrap();
    // `level` is in a rate and in a prior, `phi` on a simplex, `xi` in no rate: `theta` and `base` move.
    assert_eq!(LogDensity::new(&model, model.latents()).len(), 4 * 2 + 5);
    density_holds(&model, "several");
    density_holds(&network(), "network");
}

// ------------------------------------------------------------------------------------------ scale symmetries

/// Whether a symmetry holds for each value of an index, and the latent, axis and power of everything that it scales.
type Powers = (bool, Vec<(usize, usize, i32)>);

/// Powers by latent of each symmetry.
fn powers(model: &dyn Model) -> Vec<Powers> {
    let parts = |s: &Symmetry| s.scaled.iter().map(|p| (p.latent, p.axis, p.power)).collect();
    model.symmetries().iter().map(|s| (s.by_index, parts(s))).collect()
}

#[test]
fn symmetries_are_derived_from_the_rates() {
    assert_eq!(powers(&network()), [(true, vec![(0, 1, 1), (1, 0, -1), (1, 1, -1)])]);
    let matrix = MatrixAt(3, 4, 2).released(&released(&[3, 4]), FormKind::Collapsed, None);
    assert_eq!(powers(&matrix), [(true, vec![(0, 1, 1), (1, 0, -1)])]);
}

/// Moves along symmetries change factors and no rate, also where a latent is used twice.
#[test]
fn scales_leave_every_rate_as_it_is() {
    let model = network();
    let rates = |moves: Moves| {
        let mut chain = Chain::new(&model, 4, 0).with_moves(moves, 0);
        // Scales are due after every sweep beside trajectories, which a first step of zero keeps in place.
        let still = vec![-700.0, -700.0, 0.0, 0.0, 0.0];
        set_adapted(&mut chain, |name, _| (name == "step").then(|| still.clone()));
        chain.advance();
        let mut rates = vec![vec![0.0; 36]];
        chain.add_rates(&mut rates);
        (rates.remove(0), arrays(chain.values()))
    };
    let ((before, still), (after, moved)) = (rates(Moves::Nothing), rates(TRAJECTORIES));
    assert!(
        still[0].iter().zip(&moved[0]).all(|(a, b)| (a / b - 1.0).abs() > 1e-3),
        "nothing moved"
    );
    for (a, b) in before.iter().zip(&after) {
        assert!((a - b).abs() < 1e-9 * a.max(1e-9), "{a} and {b}");
    }
}

// -------------------------------------------------------------------------------------------- Geweke's test

/// Step of a trajectory at which most are accepted, and one at which most are refused.
const STEP: f64 = 0.3;
const LONG_STEP: f64 = 0.5;

/// Numbers of the scalings of a matrix, in the order in which they are made: level, rows and components of the first factor,
/// level, components and rows of the second.
const LEVELS_OF_MATRIX: [usize; 2] = [0, 3];
const ROWS_OF_MATRIX: [usize; 2] = [1, 5];
const COMPONENTS_OF_MATRIX: [usize; 2] = [2, 4];

/// The arrays of what `chain` adapts with others in the place of some.
fn set_adapted(chain: &mut Chain<'_>, set: impl Fn(&str, &[f64]) -> Option<Vec<f64>>) {
    let Some(adapted) = chain.adapted_mut() else {
        return;
    };
    let arrays = adapted.arrays().into_iter();
    let arrays: Vec<(&str, Vec<f64>)> = arrays
        .map(|(name, own)| (name, set(name, own).unwrap_or_else(|| own.to_vec())))
        .collect();
    let arrays: Vec<(&str, &[f64])> = arrays.iter().map(|(name, values)| (*name, &values[..])).collect();
    assert!(adapted.restore(&arrays));
}

/// `sweeps` sweeps, each with the moves after it, none of them adapted. Of the scalings those of the numbers `of` are made, or all
/// where there are none.
fn moved_by(
    model: &dyn Model,
    x: &[Vec<f64>],
    iteration: u64,
    (moves, of): (Moves, &[usize]),
    (step, sweeps): (f64, usize),
) -> Vec<Vec<f64>> {
    let mut chain = Chain::starting_at(model, factors(model, x), 11, iteration).with_moves(moves, 0);
    set_adapted(&mut chain, |name, own| match name {
        "step" => Some(vec![step.ln(), step.ln(), 0.0, 0.0, 0.0]),
        // Steps of scales are 0.6; each time it is another one's turn.
        "widths" => Some(vec![-0.5; own.len()]),
        "turns" => {
            let all: Vec<usize> = (0..own.len()).collect();
            let of = if of.is_empty() { &all } else { of };
            let turn = |number| match of.iter().position(|other| *other == number) {
                // Less than a turn apart: made once, it is behind all others.
                Some(place) => ((place as u64 + iteration) % of.len() as u64) as f64 / of.len() as f64,
                None => 1e9,
            };
            Some((0..own.len()).map(turn).collect())
        }
        _ => None,
    });
    for _ in 0..sweeps {
        chain.advance();
    }
    arrays(chain.values())
}

/// One sweep and the moves after it.
fn moved(model: &dyn Model, x: &[Vec<f64>], iteration: u64, moves: Moves) -> Vec<Vec<f64>> {
    moved_by(model, x, iteration, (moves, &[]), (STEP, 1))
}

fn deviation<F: Family<Mechanism = TwoSidedGeometric>>(family: &F, kernel: Kernel<'_, F::Bound>) -> Deviation {
    compare_by(family, ALPHA, ITERATIONS, 11, kernel)
}

fn passes<F: Family<Mechanism = TwoSidedGeometric>>(family: &F, name: &str, moves: Moves) {
    let Deviation { z, statistic, of } = deviation(family, &|model, x, i| moved(model, x, i, moves));
    println!("{name}, {moves:?}: z = {z:.2} of {statistic}, the largest of {of}");
    assert!(z.abs() < LIMIT, "{name}, {moves:?}: z = {z:.2} of {statistic}");
}

#[test]
fn trajectories_and_scales_leave_the_posterior_as_it_is() {
    passes(&MatrixAt(3, 4, 2), "matrix", TRAJECTORIES);
    passes(&BackgroundAt(3, 4, 2), "background", TRAJECTORIES);
    passes(&TuckerAt([2, 3, 2], [2, 2, 2]), "tucker", TRAJECTORIES);
}

#[test]
fn levels_leave_the_posterior_as_it_is() {
    passes(&MatrixAt(3, 4, 2), "matrix", LEVELS);
    passes(&BackgroundAt(3, 4, 2), "background", LEVELS);
}

/// Scalings of the numbers `of`, three times after a sweep each, so that what one leaves behind meets the next.
fn scaled(model: &dyn Model, x: &[Vec<f64>], iteration: u64, of: &[usize]) -> Vec<Vec<f64>> {
    moved_by(model, x, iteration, (LEVELS, of), (STEP, 3))
}

fn scalings_pass<F: Family<Mechanism = TwoSidedGeometric>>(family: &F, name: &str, of: &[usize]) {
    let Deviation {
        z,
        statistic,
        of: among,
    } = deviation(family, &|model, x, i| scaled(model, x, i, of));
    println!("{name}, scalings {of:?}: z = {z:.2} of {statistic}, the largest of {among}");
    assert!(z.abs() < LIMIT, "{name}, scalings {of:?}: z = {z:.2} of {statistic}");
}

/// Deviations of mutants, the largest in the matrix unless said: prior shapes less one 98, the prior rate left as it is 109, cells
/// of a row counted to the next 11, exposure of unvisited cells forgotten 23, operands left where they were tried 22 (CP). Where
/// all rows are accepted rates leave the range of doubles.
#[test]
fn rows_leave_the_posterior_as_it_is() {
    scalings_pass(&MatrixAt(3, 4, 2), "matrix", &ROWS_OF_MATRIX);
    // Rows of the factor and of what is added to it.
    scalings_pass(&BackgroundAt(3, 4, 2), "background", &[]);
    scalings_pass(&SumsAt(3, 4), "sums", &[1, 3]);
    scalings_pass(&Cp3At(3, 2, 3, 2), "cp", &[1, 4, 7]);
}

/// Deviations of mutants: prior shapes less one 59, the prior rate left as it is 65, exposure of unvisited cells forgotten 15, all
/// in the matrix, as is the prior of all components in the place of one's own, 14; operands left where they were tried 16 (CP).
#[test]
fn components_leave_the_posterior_as_it_is() {
    scalings_pass(&MatrixAt(3, 4, 2), "matrix", &COMPONENTS_OF_MATRIX);
    scalings_pass(&Cp3At(3, 2, 3, 2), "cp", &[2, 5, 8]);
    scalings_pass(&TuckerAt([2, 3, 2], [2, 2, 2]), "tucker", &[]);
}

/// How many scalings a model has, and how many widths these.
fn scalings(model: &dyn Model) -> [usize; 2] {
    let chain = Chain::new(model, 1, 0).with_moves(LEVELS, 0);
    let adapted = chain.adapted().unwrap().arrays();
    let len = |name: &str| adapted.iter().find(|(n, _)| *n == name).map_or(0, |(_, v)| v.len());
    [len("turns"), len("widths")]
}

/// A level for each latent that moves, one width for the components along each index that is summed, and one for each row.
#[test]
fn scalings_follow_from_the_rates() {
    let bind = |shape: &[usize]| released(shape);
    let matrix = MatrixAt(3, 4, 2).released(&bind(&[3, 4]), FormKind::Collapsed, None);
    assert_eq!(scalings(&matrix), [6, 4 + 3 + 4]);
    let cp = Cp3At(5, 4, 6, 2).released(&bind(&[5, 4, 6]), FormKind::Collapsed, None);
    assert_eq!(scalings(&cp), [9, 6 + 5 + 4 + 6]);
    // Actors meet in every cell: two levels, components of `theta`, and of `pi` twice.
    assert_eq!(scalings(&network()), [5, 5]);
    // `theta` and `base` move: `phi` is a simplex, `xi` a parent, `level` both in a rate and in a prior.
    let seen = vec![true, false, true, true, false];
    let seen = Released::assert_mechanism(vec![5], seen, Varying::Uniform(AtLeastOne)).unwrap();
    let data = SeveralData {
        y: &released(&[4, 5]),
        z: &seen,
    };
    let model = Several::new(data).unwrap().topics(2).bind(FormKind::Collapsed).unwrap();
    assert_eq!(scalings(&model), [5, 1 + 4 + 1 + 1 + 5]);
    // Trajectories move all that scalings would.
    let chain = Chain::new(&matrix, 1, 0).with_moves(TRAJECTORIES, 0);
    let adapted = chain.adapted().unwrap().arrays();
    assert!(
        adapted
            .iter()
            .all(|(name, values)| *name != "turns" || values.is_empty())
    );
}

skellam::model! {
    /// A latent that two counts have, at other places of their data.
    model TwoViews {
        index docs, words;
        latent theta[d in docs] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs] ~ Poisson(theta[d]);
        count z[v in words, d in docs] ~ Poisson(theta[d]);
    }
}

/// True counts are known, so that each sweep draws the rows from their gammas, and a move after it must leave them there: means of
/// four rows over 20 000 draws that are independent of each other, in standard errors, with a limit whose false positives are 3e-7.
/// Where the first count alone accepts, the first row is off by 113.
#[test]
fn rows_are_accepted_by_the_cells_of_every_count() {
    let (y, z) = ([3, 0, 7, 1], [5, 2, 9, 0, 4, 0, 6, 1, 8, 1, 12, 2]);
    let counts = |shape: &[usize], values: &[i64]| Counts::dense(shape.to_vec(), values.to_vec()).unwrap();
    let data = TwoViewsData {
        y: &counts(&[4], &y),
        z: &counts(&[3, 4], &z),
    };
    let model = TwoViews::new(data).unwrap().bind(FormKind::Collapsed).unwrap();
    assert_eq!(scalings(&model), [2, 1 + 4]);
    let draws = 20_000;
    let mut sums = [0.0; 4];
    let mut chain = Chain::new(&model, 5, 0).with_moves(LEVELS, 0);
    set_adapted(&mut chain, |name, _| (name == "turns").then(|| vec![1e9, 0.0]));
    for _ in 0..draws {
        chain.advance();
        sums.iter_mut().zip(&chain.values()[0]).for_each(|(sum, x)| *sum += x);
    }
    for d in 0..4 {
        let counted = y[d] + z.iter().skip(d).step_by(4).sum::<i64>();
        let (shape, rate) = (2.0 + counted as f64, 1.0 + 1.0 + 3.0);
        let off = (sums[d] / draws as f64 - shape / rate) / (shape / (rate * rate) / draws as f64).sqrt();
        println!("row {d}: {off:.2} standard errors");
        assert!(off.abs() < LIMIT, "row {d}: {off} standard errors");
    }
}

/// By what noise leaves of a count moves of levels are made more or less often.
#[test]
fn what_noise_leaves_of_a_count_is_known() {
    let weight = |values: Vec<i64>, mask: Mask| {
        let law = Varying::Slice {
            axis: 0,
            laws: [0.9, 0.7].map(|alpha| TwoSidedGeometric::new(alpha).unwrap()).to_vec(),
        };
        let data = Released::assert_mechanism(vec![2, 4], values, law).unwrap();
        let data = data.hold_out(&mask).unwrap();
        let model = MatrixAt(2, 4, 2).released(&data, FormKind::Collapsed, None);
        model.views()[0].exposure_weight()
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} and {b}");
    // Half of the cells are exposure alone, by 0.1 and by 0.3.
    close(weight(vec![1, 0, -3, 5, 0, 2, 7, -1], Mask::none()), 0.2);
    close(
        weight(vec![1, 0, -3, 5, 0, 2, 7, -1], Mask::random(&[2, 4], 0.25, 1).unwrap()),
        0.2,
    );
    // One in eight is: rates are far above the noise.
    close(weight(vec![1, 1, 3, 5, 0, 2, 7, 1], Mask::none()), 1.0);
    let exact = Counts::dense(vec![2, 4], vec![0, 0, 1, 0, 2, 0, 0, 0]).unwrap();
    let exact = MatrixAt(2, 4, 2).exact(&exact, None);
    close(exact.views()[0].exposure_weight(), 1.0);
}

skellam::model! {
    /// Two latents that are added, so that no scale symmetry moves along and makes the operands anew.
    model Sums {
        index rows, columns;
        latent left[i in rows] ~ Gamma(shape = 1.5, rate = 1.0);
        latent right[j in columns] ~ Gamma(shape = 2.0, rate = 1.5);
        count y[i in rows, j in columns] ~ Poisson(left[i] + right[j]);
        release y by TwoSidedGeometric;
    }
}

/// Sizes of [`Sums`]: rows, columns.
#[derive(Clone, Copy, Debug)]
struct SumsAt(usize, usize);

fn sums_twin(&SumsAt(rows, columns): &SumsAt) -> Twin {
    let leaves = vec![
        leaf(&["rows"], &[rows], 1.5, 1.0),
        leaf(&["columns"], &[columns], 2.0, 1.5),
    ];
    Twin::new(&[rows, columns], leaves, |i| {
        vec![monomial(1.0, [(0, i[0])]), monomial(1.0, [(1, i[1])])]
    })
}

family!(
    SumsAt,
    TwoSidedGeometric,
    Sums,
    SumsModel,
    |s: &SumsAt| SumsSizes {
        rows: s.0,
        columns: s.1
    },
    |_, m| m,
    sums_twin
);

/// Steps of which six in ten are refused, and two more sweeps after them. Without the energy of the momenta at the end the
/// deviations are 25 and 16, with operands that stay where a refused trajectory ended that of the sums is 19.
#[test]
fn refused_trajectories_leave_the_posterior_as_it_is() {
    let long = |model: &dyn Model, x: &[Vec<f64>], i: u64| moved_by(model, x, i, (TRAJECTORIES, &[]), (LONG_STEP, 3));
    for found in [
        deviation(&MatrixAt(3, 4, 2), &|model, x, i| long(model, x, i)),
        deviation(&SumsAt(3, 4), &|model, x, i| long(model, x, i)),
    ] {
        println!("long steps: {found:?}");
        assert!(found.z.abs() < LIMIT, "{found:?}");
    }
}

/// A model whose moves, and nothing else, have the density of `x` in the place of that of `ln x`: shapes lack one.
struct NoJacobian<'a>(&'a dyn Model);

impl Model for NoJacobian<'_> {
    fn bound(&self) -> &Bound {
        self.0.bound()
    }

    fn prior(&self, latent: usize, x: &Factors) -> Prior {
        let mut prior = self.0.prior(latent, x);
        if prior.family.has_scale() {
            match &mut prior.parameters[0] {
                Values::Same(a) => *a -= 1.0,
                Values::Each(all) => all.iter_mut().for_each(|a| *a -= 1.0),
            }
        }
        prior
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.0.symmetries()
    }

    fn forward(&self, x: &Factors, roots: &mut [Root]) {
        self.0.forward(x, roots);
    }

    fn adjoint(&self, x: &Factors, roots: &[Root], into: &mut Factors) {
        self.0.adjoint(x, roots, into);
    }

    fn thin(&self, x: &Factors, roots: &[Root], into: &mut Factors, streams: &Streams) {
        self.0.thin(x, roots, into, streams);
    }

    fn update(&self, x: &mut Factors, counts: &Factors, roots: &mut [Root], step: &mut dyn Step) {
        self.0.update(x, counts, roots, step);
    }
}

fn fails(moves: Moves, of: &[usize]) {
    let kernel =
        |model: &MatrixModel, x: &[Vec<f64>], i: u64| moved_by(&NoJacobian(model), x, i, (moves, of), (STEP, 1));
    let Deviation {
        z,
        statistic,
        of: among,
    } = deviation(&MatrixAt(3, 4, 2), &kernel);
    println!("no Jacobian, {moves:?} {of:?}: z = {z:.2} of {statistic}, the largest of {among}");
    assert!(z.abs() > LIMIT, "{moves:?} {of:?}: z = {z:.2} of {statistic}");
}

/// Along the symmetry of three rows and four columns its `p` is off by one.
#[test]
fn a_forgotten_jacobian_is_caught() {
    fails(TRAJECTORIES, &[]);
    fails(LEVELS, &LEVELS_OF_MATRIX);
    fails(LEVELS, &ROWS_OF_MATRIX);
    fails(LEVELS, &COMPONENTS_OF_MATRIX);
    // No trajectory is due: scales alone.
    fails(Moves::Trajectories { every: 1000, steps: 1 }, &[]);
}

/// A step in every logarithm, accepted by the prior alone: it leaves the prior as it is, and so is seen only where
/// factors and observations are looked at together.
fn blind(x: &[Vec<f64>], iteration: u64) -> Vec<Vec<f64>> {
    let mut rng = Streams::new(9, iteration).open(Purpose::Moves, 0, 0);
    let priors = [(2.0, 1.5), (1.5, 1.0)];
    let mut moved = x.to_vec();
    for (values, (a, b)) in moved.iter_mut().zip(priors) {
        for x in values {
            let by: f64 = rng.random_range(-1.5..1.5);
            let gain = a * by - b * *x * (by.exp() - 1.0);
            if rng.random::<f64>() < gain.exp() {
                *x *= by.exp();
            }
        }
    }
    moved
}

#[test]
fn a_move_that_does_not_look_at_the_data_is_caught() {
    // Eight in a row all but draw from the prior.
    let kernel = |model: &MatrixModel, x: &[Vec<f64>], i: u64| {
        let swept = moved(model, x, i, Moves::Nothing);
        (0..8).fold(swept, |x, round| blind(&x, 8 * i + round))
    };
    let found = deviation(&MatrixAt(3, 4, 2), &kernel);
    println!("blind: {found:?}");
    assert!(
        found.z.abs() > LIMIT && found.statistic.contains("observation"),
        "{found:?}"
    );
}

/// Leapfrog of four steps of 0.4, accepted by the density, or whenever it loses less than `free` in energy.
fn leapfrog(model: &dyn Model, x: &[Vec<f64>], iteration: u64, free: f64) -> Vec<Vec<f64>> {
    let mut rng = Streams::new(7, iteration).open(Purpose::Moves, 0, 0);
    let mut density = LogDensity::new(model, model.latents());
    let mut values = factors(model, x);
    density.set_prior(model, &values);
    let (mut point, mut gradient) = (vec![0.0; density.len()], vec![0.0; density.len()]);
    density.logarithms(&values, &mut point);
    // Box and Muller.
    let mut normal = || {
        let (u, v): (f64, f64) = (1.0 - rng.random::<f64>(), rng.random());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    };
    let mut momentum: Vec<f64> = point.iter().map(|_| normal()).collect();
    let energy = |momentum: &[f64]| 0.5 * momentum.iter().map(|p| p * p).sum::<f64>();
    let before = density.evaluate(model, &mut values, &point, &mut gradient) - energy(&momentum);
    let mut after = before;
    for _ in 0..4 {
        momentum.iter_mut().zip(&gradient).for_each(|(p, g)| *p += 0.2 * g);
        point.iter_mut().zip(&momentum).for_each(|(q, p)| *q += 0.4 * p);
        after = density.evaluate(model, &mut values, &point, &mut gradient);
        momentum.iter_mut().zip(&gradient).for_each(|(p, g)| *p += 0.2 * g);
    }
    after -= energy(&momentum);
    if after - before > -free || rng.random::<f64>() < (after - before).exp() {
        arrays(&values)
    } else {
        x.to_vec()
    }
}

#[test]
fn acceptance_that_is_ignored_is_caught() {
    let of = |free: f64| deviation(&MatrixAt(3, 4, 2), &|model, x, i| leapfrog(model, x, i, free));
    let (right, wrong) = (of(0.0), of(12.0));
    println!("accepted by the density: {right:?}; up to a loss of twelve: {wrong:?}");
    assert!(right.z.abs() < LIMIT, "{right:?}");
    assert!(wrong.z.abs() > LIMIT, "{wrong:?}");
}

mod tiny {
    skellam::model! {
        /// A level for each row, whose prior has a tiny shape.
        pub model Tiny {
            index rows, cols;
            latent b[i in rows] ~ Gamma(shape = 0.01, rate = 1.0);
            count y[i in rows, j in cols] ~ Poisson(b[i]);
        }
    }
}

/// Rows without counts: the posterior is Gamma(0.01, 2), most of whose draws are next to zero, and steps that fit it are wider than doubles
/// are. The mean of 400,000 draws is within 5 standard errors of 0.005, by chance missed once in a million. A move that was refused by dividing again
/// left infinities, or zeros that had been clipped.
#[test]
fn refused_moves_leave_tiny_values_as_they_were() {
    let counts = Counts::sparse(vec![1000, 1], vec![(vec![0, 0], 1)]).unwrap();
    let settings = Gibbs {
        num_tune: 100,
        num_draws: 200,
        thin: 1,
        num_chains: Some(2),
        moves: Moves::Levels { every: 1 },
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let fit = tiny::Tiny::new(&counts).unwrap().gibbs(&settings).unwrap();
    let draws = fit.b.as_slice().unwrap();
    let empty: Vec<f64> = draws.chunks_exact(1000).flat_map(|draw| draw[1..].to_vec()).collect();
    let mean = empty.iter().sum::<f64>() / empty.len() as f64;
    // The variance of one draw is 0.01 / 4; a sweep draws anew, and a move keeps the law.
    let error = (0.0025 / empty.len() as f64).sqrt();
    println!("{mean} +- {error}");
    assert!((mean - 0.005).abs() < 5.0 * error, "{mean} +- {error}");
    // Half of the draws of Gamma(0.01, 2) are below 1e-30, and none is the least double more often than chance has it: 1 in 1,200.
    let clipped = empty.iter().filter(|x| **x <= f64::MIN_POSITIVE).count();
    println!("{clipped} clipped of {}", empty.len());
    assert!((clipped as f64 / empty.len() as f64) < 2e-3, "{clipped}");
}
