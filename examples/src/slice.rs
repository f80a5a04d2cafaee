//! Slice sampling of one variable (Neal 2003).

use rand::RngExt;
use skellam::streams::Stream;

/// A step from `at` under a density on the whole line: an interval of about that width is stepped out, then shrunk.
pub fn slice(at: f64, width: f64, ln_density: impl Fn(f64) -> f64, rng: &mut Stream) -> f64 {
    let level = ln_density(at) + (1.0 - rng.random::<f64>()).ln();
    let mut low = at - width * rng.random::<f64>();
    let mut high = low + width;
    while ln_density(low) > level {
        low -= width;
    }
    while ln_density(high) > level {
        high += width;
    }
    shrunk(at, [low, high], |x| ln_density(x) >= level, rng)
}

/// A step from `at` under a density on an interval.
pub fn slice_within(at: f64, ends: [f64; 2], ln_density: impl Fn(f64) -> f64, rng: &mut Stream) -> f64 {
    let level = ln_density(at) + (1.0 - rng.random::<f64>()).ln();
    shrunk(at, ends, |x| ln_density(x) >= level, rng)
}

/// A point of the slice: those proposed outside of it become ends of the interval.
fn shrunk(at: f64, [mut low, mut high]: [f64; 2], inside: impl Fn(f64) -> bool, rng: &mut Stream) -> f64 {
    loop {
        let proposal = low + (high - low) * rng.random::<f64>();
        if inside(proposal) {
            return proposal;
        }
        if proposal < at {
            low = proposal;
        } else {
            high = proposal;
        }
    }
}
