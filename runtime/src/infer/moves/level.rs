//! The level of one latent: all of its entries times one number, true counts summed out.
//!
//! ```text
//! x -> s x, u = ln s:   ln p(u) = ln P(observations | rates at s x)  +  (sum of a) u  -  e^u (sum of b x)
//! ```
//!
//! by Metropolis, with a normal step in `u`, which is symmetric. Two likelihoods a move, so that models too large for
//! trajectories have it: the level is what strong noise leaves free, and what sweeps are slowest to find.

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use crate::model::Prior;
use crate::streams::Stream;

use super::Place;
use super::adapted::Adapted;

/// One move of the latent of `moved` whose turn it is.
pub(super) fn run(place: &mut Place<'_>, moved: &[usize], adapted: &mut Adapted, tuning: bool, rng: &mut Stream) {
    let Some((number, width)) = adapted.level() else {
        return;
    };
    let z: f64 = StandardNormal.sample(rng);
    let u: f64 = rng.random();
    let latent = moved[number];
    let [shapes, rates] = sums(place, latent);
    let by = width * z;
    let before = ln_likelihood(place) - rates;
    scale(place, latent, by.exp());
    let after = ln_likelihood(place) + shapes * by - by.exp() * rates;
    let ratio = (after - before).exp();
    let acceptance = if ratio.is_nan() { 0.0 } else { ratio.min(1.0) };
    if u >= acceptance {
        scale(place, latent, (-by).exp());
    }
    adapted.learn_level(number, acceptance, tuning);
}

/// The sums over the entries of a latent of its prior shapes, and of its prior rates times its values.
fn sums(place: &Place<'_>, latent: usize) -> [f64; 2] {
    let Prior::Gamma(prior) = place.model.prior(latent, place.x) else {
        unreachable!("simplices do not move");
    };
    let entries = place.x[latent].iter().enumerate();
    entries.fold([0.0; 2], |[shapes, rates], (entry, x)| {
        [shapes + prior.shape.at(entry), rates + prior.rate.at(entry) * x]
    })
}

/// The log likelihood at the present values.
fn ln_likelihood(place: &mut Place<'_>) -> f64 {
    let counts = place.model.views().into_iter().zip(place.roots.iter_mut());
    counts.map(|(view, root)| root.ln_likelihood(view)).sum()
}

fn scale(place: &mut Place<'_>, latent: usize, by: f64) {
    place.x[latent]
        .iter_mut()
        .for_each(|x| *x = (*x * by).max(f64::MIN_POSITIVE));
    place.forward();
}
