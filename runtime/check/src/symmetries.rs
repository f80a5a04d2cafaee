//! Scale symmetries by plain loops: rates and the priors of what is not scaled stay as they are.

use skellam::model::{FormKind, Symmetry};

use super::held_out::HeldOut;
use super::law::Check;
use super::point::some_point;
use super::trial::{Found, Stopped, Trial};
use super::twin::{Twin, indices};
use super::worst::{Worst, larger};

/// Rates agree to this fraction of the largest: a few roundings for each factor.
const TOLERANCE: f64 = 1e-12;
/// What is multiplied by powers of: a number below one and one above.
const SCALES: [f64; 2] = [0.3, 2.7];

/// The row of all symmetries.
pub(super) fn symmetries(trial: &Trial<'_>) -> Found {
    let (instance, twin) = (trial.instance, &trial.instance.twin);
    let mut rng = trial.rng(0x0073_796d);
    let x = some_point(twin, 1.0, &mut rng);
    let values = instance.observe(&x, false, &mut rng);
    let symmetries = instance
        .bind(&values, (false, HeldOut::None), FormKind::Collapsed, None)?
        .symmetries();
    if symmetries.is_empty() {
        return Err(Stopped::LeftOut(
            "no latents can be scaled against each other".to_owned(),
        ));
    }
    let mut worst = Worst::default();
    for (number, symmetry) in symmetries.iter().enumerate() {
        // One for each value of the index set, or one.
        let values = match symmetry.scaled.first() {
            Some(part) if symmetry.by_index => twin.shapes[part.latent][part.axis],
            _ => 1,
        };
        for (value, scale) in (0..values).flat_map(|value| SCALES.map(|scale| (value, scale))) {
            let off = off(twin, &x, &scaled(twin, symmetry, value, scale, &x));
            worst.add(off, || format!("symmetry {number}, value {value}"));
        }
    }
    let what = format!("{} scalings along {} symmetries", worst.tried, symmetries.len());
    Ok(vec![worst.row(Check::Symmetries, "all", TOLERANCE, &what)])
}

/// `x` scaled along a symmetry, entry by entry and index by index.
fn scaled(twin: &Twin, symmetry: &Symmetry, value: usize, scale: f64, x: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut moved = x.to_vec();
    for part in symmetry.scaled {
        let entries = indices(&twin.shapes[part.latent]).zip(&mut moved[part.latent]);
        for (index, x) in entries {
            if !symmetry.by_index || index[part.axis] == value {
                *x *= scale.powi(part.power);
            }
        }
    }
    moved
}

/// How far rates have moved, relative to the largest; infinite if a prior has.
fn off(twin: &Twin, x: &[Vec<f64>], moved: &[Vec<f64>]) -> f64 {
    if twin
        .lines
        .iter()
        .any(|line| line.parameters_at(x) != line.parameters_at(moved))
    {
        return f64::INFINITY;
    }
    let mut most = 0.0;
    for (before, after) in twin.sides(x).into_iter().zip(twin.sides(moved)) {
        let largest = before.as_flattened().iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        for (a, b) in before.as_flattened().iter().zip(after.as_flattened()) {
            most = larger(most, (a - b).abs() / largest);
        }
    }
    most
}
