//! The density that joint moves go by, against the declaration multiplied out and the channel's marginal, cell by cell.
//!
//! Where many cells hold one value a trajectory takes its slopes from a table. What is accepted does not depend on it, so that no
//! law of chains can see a wrong one: the gradient is held against differences in an instance that is large enough besides.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};

use skellam::Error;
use skellam::infer::{Chain, LogDensity};
use skellam::model::{FormKind, WAYS};
use skellam_math::streams::Stream;

use super::channel::probes;
use super::conditional::{BOTH_WAYS, LEVELS, some_point};
use super::held_out::HeldOut;
use super::instance::Instance;
use super::lines::SeenLines;
use super::mechanism::{Probe, TestedMechanism};
use super::moves::NOTHING_MOVES;
use super::report::{Check, Row};
use super::{SelfTest, load, values_of};

/// Differences of the density agree to this fraction of its logarithm, or of one: marginals of runs of cells are computed
/// otherwise than those of one.
const TOLERANCE: f64 = 1e-9;
/// Points at which the density is held against that of a first one.
const POINTS: usize = 4;
/// The gradient agrees with differences of fourth order to this fraction of itself, or of one. It may be rough: it sets how far
/// a trajectory gets, and what is accepted follows from values.
const SLOPE: f64 = 1e-3;
const STEP: f64 = 1e-3;

/// Derivatives that are looked at in the large instance, as far as there are more.
const DERIVATIVES: usize = 40;
/// Cells of one value from which on its slopes come from a table.
const FREQUENT: usize = 16;
/// Why there may be no table.
const NO_TABLE: &str = "no positive value is observed in 16 cells, or all data are exact";

/// The log joint density that a chain reports, where whole tables are summed out, against sums over every table.
fn tables(instance: &Instance, options: &SelfTest) -> Option<Row> {
    let twin = &instance.twin;
    if twin.spec.counts.iter().all(|count| count.total.is_none()) {
        return None;
    }
    let (mut worst, mut tried) = (0.0f64, 0);
    for (round, held_out) in [HeldOut::Some, HeldOut::None].into_iter().enumerate() {
        let mut rng = Stream::seed_from_u64(options.seed ^ (round as u64 + 1) << 44);
        for way in 0..WAYS {
            let x = some_point(twin, LEVELS[round], &mut rng);
            let values = instance.observe(&x, false, &mut rng);
            let lines = SeenLines::new(instance, &values, held_out);
            let probes = probes(&instance.mechanisms, &values);
            let setting = instance.setting(values, false, held_out);
            let found = instance
                .assemble(&setting, FormKind::Collapsed, Some(way))
                .map(|model| {
                    let mut start = model.factors();
                    load(&mut start, &x);
                    Chain::starting_at(&*model, start, options.seed, 0).ln_joint()
                });
            let found = match found {
                Ok(found) => found,
                Err(error) => return Some(Row::error(Check::Density, TABLES, &error)),
            };
            let rates = twin.sides(&x);
            let of_lines = lines.ln_evidence(&rates) - lines.means(&rates);
            let expected = ln_joint(instance, &probes, held_out, &x, |count| lines.has(count)) + of_lines;
            worst = larger(worst, (found - expected).abs() / expected.abs().max(1.0));
            tried += 1;
        }
    }
    let note = format!("{tried} joint densities over {BOTH_WAYS}");
    Some(Row::tried(Check::Density, TABLES, worst, TOLERANCE, note))
}

/// What that row is of.
const TABLES: &str = "sums over tables";

/// The rows of values and of gradients.
pub(super) fn density(instance: &Instance, options: &SelfTest) -> Vec<Row> {
    let mut rows = of_moves(instance, options);
    rows.extend(tables(instance, options));
    rows
}

fn of_moves(instance: &Instance, options: &SelfTest) -> Vec<Row> {
    let mut found = DensityErrors::default();
    let data: &[bool] = if instance.all_exact() { &[false] } else { &[false, true] };
    for &exact in data {
        if let Err(error) = run(instance, exact, options.seed, usize::MAX, &mut found) {
            return vec![Row::error(Check::Density, "values", &error)];
        }
    }
    if found.values == 0 {
        return vec![Row::skipped(Check::Density, "values", NOTHING_MOVES)];
    }
    let mut many = DensityErrors::default();
    if !instance.all_exact()
        && let Err(error) = run(&instance.broad(), false, options.seed, DERIVATIVES, &mut many)
    {
        return vec![Row::error(Check::Density, BROAD, &error)];
    }
    let value = larger(found.value, many.value);
    found.values += many.values;
    let values = format!("{} differences over {BOTH_WAYS}", found.values);
    let slopes = format!("{} derivatives over {BOTH_WAYS}", found.slopes);
    let frequent = match many.most {
        FREQUENT.. => {
            let slopes = format!(
                "{} derivatives over {BOTH_WAYS}; up to {} cells have one value",
                many.slopes, many.most
            );
            Row::tried(Check::Density, BROAD, many.slope, SLOPE, slopes)
        }
        _ => Row::skipped(Check::Density, BROAD, NO_TABLE),
    };
    vec![
        Row::tried(Check::Density, "values", value, TOLERANCE, values),
        Row::tried(Check::Density, "gradient", found.slope, SLOPE, slopes),
        frequent,
    ]
}

/// What the row of the large instance is of.
const BROAD: &str = "gradient, many cells";

/// The largest errors so far, and how many were looked at.
#[derive(Default)]
struct DensityErrors {
    value: f64,
    values: usize,
    slope: f64,
    slopes: usize,
    /// Cells that have the most frequent of all positive values.
    most: usize,
}

fn larger(most: f64, error: f64) -> f64 {
    if most.is_nan() || error.is_nan() {
        f64::NAN
    } else {
        most.max(error)
    }
}

/// Looks at so many derivatives at a time, at most.
fn run(
    instance: &Instance,
    exact: bool,
    seed: u64,
    derivatives: usize,
    found: &mut DensityErrors,
) -> Result<(), Error> {
    let twin = &instance.twin;
    for (round, held_out) in [HeldOut::Some, HeldOut::None].into_iter().enumerate() {
        let mut rng = Stream::seed_from_u64(seed ^ (round as u64 + 1) << 40);
        let x = some_point(twin, LEVELS[round], &mut rng);
        let values = instance.observe(&x, exact, &mut rng);
        let declared = instance.mechanisms.iter();
        let channels: Vec<Box<dyn TestedMechanism>> = declared.map(|mechanism| mechanism.exactly()).collect();
        let probes = probes(if exact { &channels } else { &instance.mechanisms }, &values);
        for (number, probe) in probes.iter().enumerate() {
            let (mask, rates) = (instance.mask(number, held_out), &twin.counts[number].rates);
            let seen = (0..probe.len()).filter(|&cell| rates[cell].is_some() && !mask.is_held_out(cell));
            found.most = found.most.max(frequent(seen.map(|cell| probe.number(cell))));
        }
        for way in 0..WAYS {
            let setting = instance.setting(values.clone(), exact, held_out);
            let model = instance.assemble(&setting, FormKind::Collapsed, Some(way))?;
            let mut density = LogDensity::new(&*model, model.latents());
            if density.is_empty() {
                return Ok(());
            }
            let mut factors = model.factors();
            load(&mut factors, &x);
            density.set_prior(&*model, &factors);
            let mut here = vec![0.0; density.len()];
            density.logarithms(&factors, &mut here);
            let mut gradient = here.clone();
            let first = density.evaluate(&*model, &mut factors, &here, &mut gradient);
            // Latents in the rates of whole lines do not move; a hidden count above exact ones is known.
            let apart = |count: usize| {
                let spec = &instance.twin.spec.counts[count];
                spec.total.is_some() || spec.is_hidden && !exact
            };
            let first_expected = ln_joint(instance, &probes, held_out, &x, apart) + here.iter().sum::<f64>();
            let mut unused = gradient.clone();
            for _ in 0..POINTS {
                let there: Vec<f64> = here.iter().map(|q| q + rng.random_range(-0.7..0.7)).collect();
                let value = density.evaluate(&*model, &mut factors, &there, &mut unused);
                let joint = ln_joint(instance, &probes, held_out, &values_of(&factors), apart);
                let expected = joint + there.iter().sum::<f64>();
                let gap = ((value - first) - (expected - first_expected)).abs();
                found.value = larger(found.value, gap / expected.abs().max(1.0));
                found.values += 1;
            }
            let each = gradient.len().div_ceil(derivatives);
            for (entry, slope) in gradient.iter().enumerate().step_by(each) {
                let mut beside = |by: f64| {
                    let mut point = here.clone();
                    point[entry] += by;
                    density.evaluate(&*model, &mut factors, &point, &mut unused)
                };
                let difference = 8.0 * (beside(STEP) - beside(-STEP)) - (beside(2.0 * STEP) - beside(-2.0 * STEP));
                let gap = (difference / (12.0 * STEP) - slope).abs();
                found.slope = larger(found.slope, gap / slope.abs().max(1.0));
                found.slopes += 1;
            }
        }
    }
    Ok(())
}

/// How many observations have the positive value that most of them have.
fn frequent(observed: impl Iterator<Item = f64>) -> usize {
    let mut cells_of: HashMap<u64, usize> = HashMap::new();
    for value in observed.filter(|value| *value > 0.0) {
        *cells_of.entry(value.to_bits()).or_default() += 1;
    }
    cells_of.into_values().max().unwrap_or(0)
}

/// `ln p(x, observations)`, true counts summed out; cells that are held out or outside `where` say nothing, those
/// of counts that are `apart` too.
fn ln_joint(
    instance: &Instance,
    probes: &[Box<dyn Probe>],
    held_out: HeldOut,
    x: &[Vec<f64>],
    apart: impl Fn(usize) -> bool,
) -> f64 {
    let twin = &instance.twin;
    let mut total = twin.ln_prior(x);
    for (number, (count, rates)) in twin.counts.iter().zip(twin.sides(x)).enumerate() {
        if apart(number) {
            continue;
        }
        let mask = instance.mask(number, held_out);
        for (cell, (monomials, rates)) in count.rates.iter().zip(rates).enumerate() {
            if monomials.is_some() && !mask.is_held_out(cell) {
                total += probes[number].ln_marginal(rates, cell);
            }
        }
    }
    total
}
