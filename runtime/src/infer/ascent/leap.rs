//! Leaps along the way of an ascent.
//!
//! An iteration leaves the share `m` of the error of the present posterior, where `m` is the share that the noise hides (see [`super::Hidden`]).
//! Where noise is strong, `m` is nearly one: the bound rises by less than any tolerance long before its top, and a fit stays
//! near where it started. All iterations there go the same way, each by the share `1 - m` of what is left, so a leap of some
//! `1 / (1 - m)` of them ends near the top (over-relaxation: Salakhutdinov and Roweis 2003, *Adaptive overrelaxed bound
//! optimization methods*). It costs an iteration and some evaluations of the bound, and is made only where an ascent would end
//! otherwise; it is taken only if the bound is higher behind it.

use crate::infer::settings::CaviForm;

use super::Ascent;

/// The longest leap, in iterations.
const LONGEST: f64 = 1e6;
/// Most entries of a model that makes leaps: they hold 56 bytes for each.
const MOST_ENTRIES: usize = 1 << 20;

/// The way of one latent in an iteration.
struct Way {
    latent: usize,
    /// Prior shapes of its entries.
    prior: Vec<f64>,
    /// Expected counts and rates before the iteration.
    from: [Vec<f64>; 2],
    /// The logarithms of what both were multiplied by.
    by: [Vec<f64>; 2],
}

impl Ascent<'_> {
    /// Makes one iteration and goes on along its way as long as the bound rises. Says whether it rose by more than `least`
    /// beyond that iteration.
    pub(in crate::infer) fn leap(&mut self, least: f64) -> bool {
        let followed: Vec<usize> = (0..self.latents.len())
            .filter(|&latent| self.has_level(latent))
            .collect();
        let entries: usize = followed.iter().map(|&latent| self.posterior.shape[latent].len()).sum();
        if self.form != CaviForm::Collapsed || entries == 0 || entries > MOST_ENTRIES {
            return false;
        }
        let before = followed.into_iter().map(|latent| self.expected(latent));
        let before: Vec<Way> = before.collect();
        self.iterate(0.0, false);
        let Some(here) = self.bound() else { return false };
        let ways: Vec<Way> = before.into_iter().map(|way| self.completed(way)).collect();
        let (best, highest) = climb(here, |length| self.bound_along(&ways, length));
        // Where nothing is higher, the iteration alone stays.
        self.bound_along(&ways, best);
        highest > here + least
    }

    /// Whether a latent is in a rate, inferred, and has gamma posteriors that follow from its counts.
    pub(super) fn has_level(&self, latent: usize) -> bool {
        let of = &self.latents[latent];
        of.uses > 0 && of.family.has_scale() && !of.custom_update && !self.posterior.is_frozen(latent)
    }

    /// Where a latent is before an iteration.
    fn expected(&self, latent: usize) -> Way {
        let prior = self.model.prior(latent, &self.mean);
        let shapes = &self.posterior.shape[latent];
        let prior: Vec<f64> = (0..shapes.len()).map(|entry| prior.shape()[entry]).collect();
        let counts = shapes
            .iter()
            .zip(&prior)
            .map(|(shape, a)| (shape - a).max(0.0))
            .collect();
        Way {
            latent,
            prior,
            from: [counts, self.posterior.rate[latent].clone()],
            by: [Vec::new(), Vec::new()],
        }
    }

    /// The same with the way to where it is now.
    fn completed(&self, mut way: Way) -> Way {
        let ratio = |now: f64, from: f64| match (now / from).ln() {
            ln if ln.is_finite() => ln,
            // From or to nothing: it has no way.
            _ => 0.0,
        };
        let (shapes, rates) = (&self.posterior.shape[way.latent], &self.posterior.rate[way.latent]);
        let counts = shapes.iter().zip(&way.prior).map(|(shape, a)| shape - a);
        way.by = [
            counts.zip(&way.from[0]).map(|(now, from)| ratio(now, *from)).collect(),
            rates
                .iter()
                .zip(&way.from[1])
                .map(|(now, from)| ratio(*now, *from))
                .collect(),
        ];
        way
    }

    /// Goes `length` iterations along `ways` from their beginnings and returns the bound there; not a number where there is none.
    fn bound_along(&mut self, ways: &[Way], length: f64) -> f64 {
        for way in ways {
            let [counts, rates] = &way.from;
            let [counts_by, rates_by] = &way.by;
            let moved = |from: f64, by: f64| from * (length * by).exp();
            let counts = counts.iter().zip(counts_by).map(|(from, by)| moved(*from, *by));
            let shapes: Vec<f64> = way.prior.iter().zip(counts).map(|(a, n)| a + n).collect();
            let rates: Vec<f64> = rates.iter().zip(rates_by).map(|(from, by)| moved(*from, *by)).collect();
            self.posterior
                .set(way.latent, &shapes, &rates, &mut self.mean[way.latent]);
        }
        self.model.set_rates(&self.mean, &mut self.count_rates);
        self.bound().unwrap_or(f64::NAN)
    }
}

/// Looks for the top of `bound_at`, which is `here` at one: at lengths that double as long as it rises, then at the top of the
/// parabola through the last three. Returns the best length and what the bound is there.
fn climb(here: f64, mut bound_at: impl FnMut(f64) -> f64) -> (f64, f64) {
    let (mut last, mut best) = ((1.0, here), (1.0, here));
    let mut next = (2.0, bound_at(2.0));
    while next.1 > best.1 && next.0 < LONGEST {
        (last, best) = (best, next);
        next = (2.0 * best.0, bound_at(2.0 * best.0));
    }
    let top = top([last, best, next]);
    let there = if best.0 > 1.0 && top.is_finite() {
        bound_at(top)
    } else {
        f64::NAN
    };
    if there > best.1 { (top, there) } else { best }
}

/// Where the parabola through three points is flat.
fn top([(a, at_a), (b, at_b), (c, at_c)]: [(f64, f64); 3]) -> f64 {
    let (left, right) = ((b - a) * (at_b - at_c), (b - c) * (at_b - at_a));
    b - 0.5 * ((b - a) * left - (b - c) * right) / (left - right)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_is_found_wherever_it_is() {
        for at in [2.0, 3.3, 17.0, 900.0, 40_000.0] {
            let f = |x: f64| 3.0 - 2.0 * ((x - at) / at).powi(2);
            let (best, highest) = climb(f(1.0), f);
            assert!(
                (best / at - 1.0).abs() < 1e-9 && (highest - 3.0).abs() < 1e-9,
                "{at}: {best}, {highest}"
            );
        }
    }

    /// Where the bound is not a number or lower, the iteration alone is returned with its bound.
    #[test]
    fn what_is_not_higher_is_not_taken() {
        assert_eq!(climb(1.0, |_| f64::NAN), (1.0, 1.0));
        assert_eq!(climb(1.0, |_| 0.9), (1.0, 1.0));
        assert_eq!(climb(1.0, |x| if x < 3.0 { 2.0 } else { f64::NAN }), (2.0, 2.0));
    }
}
