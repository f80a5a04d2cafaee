//! Scale symmetries by plain loops: rates and the priors of what is not scaled stay as they are.

use rand::SeedableRng;

use skellam::Error;
use skellam::model::{FormKind, Symmetry};
use skellam_math::streams::Stream;

use super::SelfTest;
use super::conditional::some_point;
use super::held_out::HeldOut;
use super::instance::Instance;
use super::report::{Check, Row};
use super::twin::{Twin, indices};

/// Rates agree to this fraction of the largest: a few roundings for each factor.
const TOLERANCE: f64 = 1e-12;
/// What is multiplied by powers of: a number below one and one above.
const SCALES: [f64; 2] = [0.3, 2.7];

/// The row of all symmetries.
pub(super) fn symmetries(instance: &Instance, options: &SelfTest) -> Vec<Row> {
    vec![row(instance, options).unwrap_or_else(|error| Row::error(Check::Symmetries, "all", &error))]
}

fn row(instance: &Instance, options: &SelfTest) -> Result<Row, Error> {
    let twin = &instance.twin;
    let mut rng = Stream::seed_from_u64(options.seed ^ 0x0073_796d);
    let x = some_point(twin, 1.0, &mut rng);
    let values = instance.observe(&x, false, &mut rng);
    let setting = instance.setting(values, false, HeldOut::None);
    let symmetries = instance.assemble(&setting, FormKind::Collapsed, None)?.symmetries();
    if symmetries.is_empty() {
        let why = "no latents can be scaled against each other";
        return Ok(Row::skipped(Check::Symmetries, "all", why));
    }
    let (mut worst, mut place, mut tried) = (0.0f64, String::new(), 0);
    for (number, symmetry) in symmetries.iter().enumerate() {
        for value in 0..values_of_index(twin, symmetry) {
            for scale in SCALES {
                tried += 1;
                let off = off(twin, &x, &scaled(twin, symmetry, value, scale, &x));
                if off > worst || off.is_nan() {
                    (worst, place) = (off, format!("; worst at symmetry {number}, value {value}"));
                }
            }
        }
    }
    let note = format!("{tried} scalings along {} symmetries{place}", symmetries.len());
    Ok(Row::tried(Check::Symmetries, "all", worst, TOLERANCE, note))
}

/// How many symmetries of one kind there are: one for each value of the index set, or one.
fn values_of_index(twin: &Twin, symmetry: &Symmetry) -> usize {
    match symmetry.scaled.first() {
        Some(part) if symmetry.by_index => twin.shapes[part.latent][part.axis],
        _ => 1,
    }
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
    if (0..x.len()).any(|latent| twin.laws(latent, x) != twin.laws(latent, moved)) {
        return f64::INFINITY;
    }
    let flat = |sides: Vec<Vec<[f64; 2]>>| sides.into_iter().map(|cells| cells.concat());
    let pairs = flat(twin.sides(x)).zip(flat(twin.sides(moved)));
    let gaps = pairs.flat_map(|(before, after)| {
        let largest = before.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let gaps = before.into_iter().zip(after).map(move |(a, b)| (a - b).abs() / largest);
        gaps.collect::<Vec<_>>()
    });
    gaps.fold(0.0, |most, gap| if gap.is_nan() { gap } else { most.max(gap) })
}

#[cfg(test)]
mod tests {
    use super::super::cases::BLOCKS;
    use super::*;
    use skellam::model::Scaled;

    /// In `h[i, a] * w[a, b] * h[j, b]` a group's memberships go up as its row and its column of `w` go down.
    #[test]
    fn a_power_that_is_wrong_moves_rates() {
        const fn part(latent: usize, axis: usize, power: i32) -> Scaled {
            Scaled { latent, axis, power }
        }
        static RIGHT: [Scaled; 3] = [part(0, 1, 1), part(1, 0, -1), part(1, 1, -1)];
        static WRONG: [Scaled; 3] = [part(0, 1, 1), part(1, 0, -1), part(1, 1, -2)];
        static LESS: [Scaled; 2] = [part(0, 1, 1), part(1, 0, -1)];
        let twin = Twin::new(&BLOCKS, &[3, 2], &[], &[]);
        let x = [vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], vec![0.1, 0.2, 0.3, 0.4]];
        let found = [&RIGHT[..], &WRONG, &LESS].map(|parts| {
            let symmetry = Symmetry {
                scaled: parts,
                by_index: true,
            };
            assert_eq!(values_of_index(&twin, &symmetry), 2);
            off(&twin, &x, &scaled(&twin, &symmetry, 1, 2.7, &x))
        });
        assert!(found[0] <= TOLERANCE && found[1] > 0.1 && found[2] > 0.1, "{found:?}");
    }
}
