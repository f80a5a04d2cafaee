//! Counts that fall on the factors, given the factors and the data: their law, entry by entry.
//!
//! Given rates and observations, true counts have the generating functions of what was observed (see [`channel`](super::channel) and
//! [`evidence`](super::evidence)), and each is split in proportion to the monomials of its rate. So the count on an entry
//! has a generating function that plain loops multiply out: that of the rates whose monomials with the entry are multiplied by `s`. Means
//! of `s^n` over many sweeps are held against it.

use skellam::model::{FormKind, WAYS};

use super::evidence::Evidence;
use super::held_out::HeldOut;
use super::law::Check;
use super::point::{LEVELS, some_point};
use super::statistics::{MEAN_LIMIT, Mean};
use super::trial::{BOTH_WAYS, Found, Trial, name_of_way};
use super::worst::Worst;

/// Sweeps for each way and each set of held-out cells.
const SWEEPS: f64 = 5000.0;
/// A step of `s`, for means by differences.
const STEP: f64 = 1e-4;

/// The mean of `s^n` over draws of a count, against that and its square.
#[derive(Clone)]
struct PowerMean {
    s: f64,
    first: f64,
    second: f64,
    mean: Mean,
}

/// The row of all entries.
pub(super) fn allocations(trial: &Trial<'_>) -> Found {
    let (instance, twin) = (trial.instance, &trial.instance.twin);
    let sweeps = trial.times(SWEEPS, 500.0);
    let mut worst = Worst::default();
    for (round, held_out) in [HeldOut::Some, HeldOut::None].into_iter().enumerate() {
        let mut rng = trial.rng((round as u64 + 1) << 24);
        let x = some_point(twin, LEVELS[round], &mut rng);
        let values = instance.observe(&x, false, &mut rng);
        let evidence = Evidence::new(instance, &values, false, held_out);
        let rates = twin.sides(&x);
        let here = evidence.ln_evidence(&rates);
        // What is exposure alone is not drawn; of a line with a known total every cell is visited.
        let exposures = instance.exposures(&values, false, FormKind::Collapsed);
        let generating = |latent: usize, entry: usize, s: f64| {
            let mut marked = twin.sides_by(|monomial| monomial.at(&x) * s.powi(monomial.power_of(latent, entry)));
            for (count, marked) in marked
                .iter_mut()
                .enumerate()
                .filter(|(count, _)| !twin.in_lines(*count))
            {
                for (cell, marked) in marked.iter_mut().enumerate() {
                    if exposures[count][cell].is_some() {
                        *marked = rates[count][cell];
                    }
                }
            }
            evidence.ln_evidence(&marked) - here
        };
        // Two numbers for each entry: one that sees most of its count, one that sees small values.
        let means = |(latent, entry): (usize, usize)| {
            let mean = -generating(latent, entry, 1.0 - STEP) / STEP;
            [1.0, 3.0].map(|power| {
                let s: f64 = (-power / (1.0 + mean)).exp();
                let [first, second] = [s, s * s].map(|s| generating(latent, entry, s).exp());
                let mean = Mean::default();
                PowerMean { s, first, second, mean }
            })
        };
        let sizes = twin.zeros().into_iter().map(|entries| entries.len()).enumerate();
        let entries: Vec<(usize, usize)> = sizes.flat_map(|(latent, n)| (0..n).map(move |e| (latent, e))).collect();
        let right: Vec<[PowerMean; 2]> = entries.iter().copied().map(means).collect();
        for way in 0..WAYS {
            let model = instance.bind(&values, (false, held_out), FormKind::Collapsed, Some(way))?;
            let mut chain = trial.chain(&*model, &x, (2 * way + round) as u64);
            let mut means = right.clone();
            for sweep in 0..sweeps {
                if sweep % 100 == 0 {
                    trial.on_time()?;
                }
                chain.settle(1);
                for (n, means) in chain.counts().iter().flatten().zip(&mut means) {
                    for of in means {
                        // What is not a count is NaN from there on.
                        let is_count = *n >= 0.0 && n.fract() == 0.0;
                        of.mean
                            .add(if is_count { of.s.powf(*n) } else { f64::NAN }, of.first, of.second);
                    }
                }
            }
            for ((latent, entry), mean) in entries
                .iter()
                .zip(&means)
                .flat_map(|(e, all)| all.iter().map(move |m| (e, m)))
            {
                let name = twin.spec.latents[*latent].name;
                worst.add(mean.mean.deviation(), || {
                    format!("entry {entry} of {name}, {}", name_of_way(way))
                });
            }
        }
    }
    let what = format!(
        "mean of s^n, {} comparisons over {BOTH_WAYS}, {sweeps} sweeps each",
        worst.tried
    );
    Ok(vec![worst.row(Check::Allocations, "collapsed", MEAN_LIMIT, &what)])
}
