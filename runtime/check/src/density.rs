//! The density that joint moves go by, against the declaration multiplied out and the channel's marginal, cell by cell.
//!
//! Where many cells hold one value a trajectory takes its slopes from a table. What is accepted does not depend on it, so that no
//! law of chains can see a wrong one: the gradient is held against differences in an instance that is large enough besides.

use rand::RngExt;

use skellam::infer::LogDensity;
use skellam::model::{FormKind, WAYS};

use super::evidence::Evidence;
use super::held_out::HeldOut;
use super::instance::Instance;
use super::law::Check;
use super::point::{LEVELS, some_point};
use super::trial::{BOTH_WAYS, Found, Stopped, Trial, factors_at, values_of};
use super::worst::Worst;

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
/// Why there may be nothing that moves.
pub(super) const NOTHING_MOVES: &str =
    "joint moves move no latent: simplices, parents and latents with an update of the user's own stay";

/// The rows of values and of gradients.
pub(super) fn density(trial: &Trial<'_>) -> Found {
    let all_exact = trial.instance.all_exact();
    let [mut values, mut few, mut many] = [(); 3].map(|()| Worst::default());
    for &exact in if all_exact { &[false][..] } else { &[false, true] } {
        run(trial, trial.instance, exact, usize::MAX, [&mut values, &mut few])?;
    }
    // Where all data are exact no slope is looked up.
    if !all_exact {
        let broad = trial.instance.broad();
        run(trial, &broad, false, DERIVATIVES, [&mut values, &mut many])?;
    }
    let differences = format!("{} differences over {BOTH_WAYS}", values.tried);
    let mut rows = vec![values.row(Check::Density, "values", TOLERANCE, &differences)];
    for (of, slopes) in [("gradient", few), ("gradient, many cells", many)] {
        if slopes.tried > 0 {
            let derivatives = format!("{} derivatives over {BOTH_WAYS}", slopes.tried);
            rows.push(slopes.row(Check::Density, of, SLOPE, &derivatives));
        }
    }
    Ok(rows)
}

/// Looks at values and slopes, at so many derivatives at a time, at most.
fn run(
    trial: &Trial<'_>,
    instance: &Instance,
    exact: bool,
    derivatives: usize,
    [values_off, slopes_off]: [&mut Worst; 2],
) -> Result<(), Stopped> {
    let twin = &instance.twin;
    for (round, held_out) in [HeldOut::Some, HeldOut::None].into_iter().enumerate() {
        let mut rng = trial.rng((round as u64 + 1) << 40);
        let x = some_point(twin, LEVELS[round], &mut rng);
        let values = instance.observe(&x, exact, &mut rng);
        let evidence = Evidence::new(instance, &values, exact, held_out);
        for way in 0..WAYS {
            let model = instance.bind(&values, (exact, held_out), FormKind::Collapsed, Some(way))?;
            let mut density = LogDensity::new(&*model, model.latents());
            if density.is_empty() {
                return Err(Stopped::LeftOut(NOTHING_MOVES.to_owned()));
            }
            let mut factors = factors_at(&*model, &x);
            density.set_prior(&*model, &factors);
            let mut here = vec![0.0; density.len()];
            density.logarithms(&factors, &mut here);
            let mut gradient = here.clone();
            let mut unused = here.clone();
            let mut joint_at = |point: &[f64], gradient: &mut [f64]| {
                let value = density.evaluate(&*model, &mut factors, point, gradient);
                [
                    value,
                    evidence.ln_joint(&values_of(&factors)) + point.iter().sum::<f64>(),
                ]
            };
            let first = joint_at(&here, &mut gradient);
            for _ in 0..POINTS {
                trial.on_time()?;
                let there: Vec<f64> = here.iter().map(|q| q + rng.random_range(-0.7..0.7)).collect();
                let [value, expected] = joint_at(&there, &mut unused);
                let gap = ((value - first[0]) - (expected - first[1])).abs();
                values_off.raise(gap / expected.abs().max(1.0));
            }
            let each = gradient.len().div_ceil(derivatives);
            for (entry, slope) in gradient.iter().enumerate().step_by(each) {
                let mut beside = |by: f64| {
                    let mut point = here.clone();
                    point[entry] += by;
                    density.evaluate(&*model, &mut factors, &point, &mut unused)
                };
                let difference = 8.0 * (beside(STEP) - beside(-STEP)) - (beside(2.0 * STEP) - beside(-2.0 * STEP));
                let place = || format!("derivative {entry}");
                slopes_off.compare(difference / (12.0 * STEP), *slope, place);
            }
        }
    }
    Ok(())
}

/// The log joint density that a chain reports, where whole tables are summed out, against sums over every table.
pub(super) fn tables(trial: &Trial<'_>) -> Found {
    let (instance, twin) = (trial.instance, &trial.instance.twin);
    if twin.spec.counts.iter().all(|count| count.total.is_none()) {
        return Ok(Vec::new());
    }
    let mut worst = Worst::default();
    for (round, held_out) in [HeldOut::Some, HeldOut::None].into_iter().enumerate() {
        let mut rng = trial.rng((round as u64 + 1) << 44);
        for way in 0..WAYS {
            trial.on_time()?;
            let x = some_point(twin, LEVELS[round], &mut rng);
            let values = instance.observe(&x, false, &mut rng);
            let model = instance.bind(&values, (false, held_out), FormKind::Collapsed, Some(way))?;
            let found = trial.chain(&*model, &x, 0).ln_joint();
            let expected = Evidence::new(instance, &values, false, held_out).ln_joint(&x);
            worst.compare(found, expected, || format!("way {way}"));
        }
    }
    let what = format!("joint densities over {BOTH_WAYS}");
    Ok(vec![worst.row(Check::Density, TABLES, TOLERANCE, &what)])
}

/// What that row is of.
pub(super) const TABLES: &str = "sums over tables";
