//! Constants that two crates must agree on: what the compiler refuses in a declaration is what the runtime refuses when a model is built.

/// The largest hyperparameter: squares of it, and of its reciprocal, are doubles.
pub const MOST_HYPER: f64 = 1e150;
/// The smallest that is not zero.
pub const LEAST_HYPER: f64 = 1e-150;

/// Whether a hyperparameter, or a number that stands for one, is so large or so small that what it is multiplied with leaves the range of
/// doubles.
pub fn is_extreme(value: f64) -> bool {
    value != 0.0 && !(LEAST_HYPER..=MOST_HYPER).contains(&value.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_are_accepted_and_what_is_beyond_is_not() {
        for value in [0.0, 1.0, LEAST_HYPER, MOST_HYPER] {
            assert!(!is_extreme(value), "{value:e}");
        }
        for value in [LEAST_HYPER.next_down(), MOST_HYPER.next_up(), f64::INFINITY, f64::NAN] {
            assert!(is_extreme(value), "{value:e}");
        }
        // What they promise: squares of them, and of their reciprocals, are doubles.
        for value in [LEAST_HYPER, MOST_HYPER] {
            assert!((value * value).is_normal() && (1.0 / value / value).is_normal());
        }
    }
}
