//! Moments of a rate are those of products of independent latents.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::{MODELS, derived};
use crate::derive::{Leaf, Summand};

/// A number between 1/2 and 3/2 that nothing but what it is of decides.
fn number(of: impl Hash) -> f64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    0.5 + (hasher.finish() >> 11) as f64 / (1u64 << 53) as f64
}

/// A product of leaves, each with a number of its own, and a latent with one for each of its moments.
fn value(leaves: &[Leaf], moment: &str) -> f64 {
    let each = leaves.iter().map(|leaf| match leaf {
        Leaf::Mean(of) => value(of, "mean"),
        Leaf::Square(of) if moment == "mean" => value(of, "mean of the square"),
        Leaf::Square(of) => value(of, moment).powi(2),
        Leaf::Minus(one, other) => value(one, moment) - value(other, moment),
        Leaf::Latent(..) => number((format!("{leaf:?}"), moment)),
        known => number(format!("{known:?}")),
    });
    each.product()
}

#[test]
fn the_rate_has_the_moments_of_independent_latents() {
    for derivation in MODELS.into_iter().map(derived) {
        assert!(!derivation.divisions.is_empty());
        for division in &derivation.divisions {
            let moments = division.mean.iter().zip(&division.variance);
            for (term, (mean, variance)) in division.sampled.iter().zip(moments) {
                let over = |of: &Summand| (of.indices.clone(), of.own, of.summed);
                assert!(over(mean) == over(term) && over(variance) == over(term), "{term:?}");
                let (random, known): (Vec<Leaf>, Vec<Leaf>) = term.factors.iter().cloned().partition(Leaf::is_random);
                let [first, second] = ["mean", "mean of the square"].map(|moment| value(&random, moment));
                let known = value(&known, "");
                let [is, expected] = [value(&mean.factors, ""), known * first];
                assert!((is - expected).abs() <= 1e-12 * expected, "{mean:?}");
                let [is, expected] = [value(&variance.factors, ""), known * known * (second - first * first)];
                assert!((is - expected).abs() < 1e-12, "{variance:?}");
            }
        }
    }
}
