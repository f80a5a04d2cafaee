//! A point at which laws are tried: they hold everywhere, and there rounding is small and every kind of cell is to be had.

use rand::RngExt;

use skellam::model::Lines;
use skellam::model::family::Family;
use skellam_math::streams::Stream;

use super::twin::Twin;

/// Mean rates of the points at which laws are tried: at the first many cells are exposure alone, at the second few.
pub(super) const LEVELS: [f64; 2] = [1.0, 4.0];

/// Values of ordinary size for every latent, scaled so that the mean rates of the counts have `level` for their geometric mean.
pub(super) fn some_point(twin: &Twin, level: f64, rng: &mut Stream) -> Vec<Vec<f64>> {
    let mut x = twin.zeros();
    x.iter_mut().flatten().for_each(|x| *x = some_value(rng));
    for (latent, x) in x.iter_mut().enumerate() {
        if let Some(along) = twin.spec.latents[latent].prior.along {
            let lines = Lines::new(&twin.shapes[latent], along);
            (0..lines.number()).for_each(|line| normalise(x, lines.entries(line)));
        }
    }
    // No latent is in the rate of a family of a user's own: its law may be asked for before the others are scaled.
    let is_of_a_user = |latent: usize| twin.spec.latents[latent].prior.family.is_of_a_user();
    for line in twin.lines.iter().filter(|line| is_of_a_user(line.latent)) {
        let parameters = line.parameters_at(&x);
        make_valid(line.family, parameters, &mut x[line.latent][line.entries[0]], rng);
    }
    let scalable: Vec<usize> = (0..x.len())
        .filter(|&latent| twin.spec.latents[latent].prior.along.is_none() && !is_of_a_user(latent))
        .collect();
    let times = |factor: f64| {
        let mut x = x.clone();
        for &latent in &scalable {
            x[latent].iter_mut().for_each(|x| *x *= factor);
        }
        x
    };
    // Rates rise with the factor.
    let (mut low, mut high) = (-3.0f64, 3.0f64);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        let ln_means = twin.rates(&times(middle.exp())).into_iter().map(|rates| {
            let positive = rates.iter().filter(|rate| **rate > 0.0).count();
            (rates.iter().sum::<f64>() / positive.max(1) as f64).ln()
        });
        match ln_means.sum::<f64>() < level.ln() * twin.counts.len() as f64 {
            true => low = middle,
            false => high = middle,
        }
    }
    times(low.exp())
}

/// A value of ordinary size.
pub(super) fn some_value(rng: &mut Stream) -> f64 {
    rng.random_range(0.3..2.5)
}

/// Makes some entries add up to one.
pub(super) fn normalise(x: &mut [f64], entries: impl Iterator<Item = usize> + Clone) {
    let total: f64 = entries.clone().map(|entry| x[entry]).sum();
    entries.for_each(|entry| x[entry] /= total);
}

/// Draws another value where a family, whose entries are apart, has none like this one.
pub(super) fn make_valid(family: &dyn Family, parameters: [Vec<f64>; 2], x: &mut f64, rng: &mut Stream) {
    if family.invalid(&[*x]).is_some() {
        let [mut one, mut other] = parameters;
        family.draw([&mut one, &mut other], 1, std::slice::from_mut(x), rng);
    }
}
