//! Deltas: probabilities by which a promise may be exceeded, and sums of them.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::BudgetError;

/// A probability strictly between 0 and 1 by which the bound of an approximate promise may be exceeded.
///
/// NaN, negative numbers and 1 are not such a probability, so no promise can hold them: a delta of 1 promises nothing, which
/// [`Promise::None`](super::Promise::None) says. A delta prints in decimals that are rounded up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct Delta(f64);

impl Delta {
    /// The largest delta that is released without being asked for: 1e-3. A release that may break its promise more often
    /// is refused unless the mechanism says that its user accepts it
    /// ([`Mechanism::accepted_delta`](super::Mechanism::accepted_delta)).
    pub const ACCEPTED_BY_DEFAULT: Self = Self(1e-3);

    /// The delta of this value.
    ///
    /// # Errors
    /// Not strictly between 0 and 1, or NaN.
    pub fn new(delta: f64) -> Result<Self, BudgetError> {
        let why = "give a probability above 0 and below 1, and a small one, such as 1e-6";
        match delta > 0.0 && delta < 1.0 {
            true => Ok(Self(delta)),
            false => Err(BudgetError::out_of_range("delta", delta, why)),
        }
    }

    /// Its value.
    pub fn get(self) -> f64 {
        self.0
    }

    /// `n` times this, rounded up; `None` from 1 on.
    pub(super) fn times(self, n: u64) -> Option<Self> {
        // Each of the two steps is rounded to nearest, so one number further up is not below.
        let product = (self.0 * (n as f64).next_up()).next_up();
        match n {
            1 => Some(self),
            _ => Self::new(product).ok(),
        }
    }
}

impl Eq for Delta {}

impl PartialOrd for Delta {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A delta is not NaN.
impl Ord for Delta {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl TryFrom<f64> for Delta {
    type Error = BudgetError;

    fn try_from(delta: f64) -> Result<Self, BudgetError> {
        Self::new(delta)
    }
}

/// The sum of two deltas that are not negative, rounded up: adding a positive number always gives more.
pub(super) fn sum_up(a: f64, b: f64) -> f64 {
    let sum = a + b;
    // The rounding error of a sum is a double itself (Knuth, The Art of Computer Programming 2, 4.2.2, theorem B).
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    if error > 0.0 { sum.next_up() } else { sum }
}

/// In decimals, rounded up to three places after the first digit, or to as many as are asked for: `{:.1}`.
impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&rounded_up(self.0, f.precision().unwrap_or(3)))
    }
}

/// A positive number in scientific notation with `places` digits after the point, not below it.
fn rounded_up(number: f64, places: usize) -> String {
    let spelled = |number: f64| format!("{number:.places$e}");
    let nearest = spelled(number);
    if nearest.parse().is_ok_and(|nearest: f64| nearest >= number) {
        return nearest;
    }
    // It is below by half a unit of the last place at most: three quarters more are nearest to the next.
    let exponent = nearest.split_once('e').and_then(|(_, exponent)| exponent.parse().ok());
    let unit = format!("1e{}", exponent.unwrap_or(0) - places as i32).parse();
    spelled(number + 0.75 * unit.unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_probability_of_failure_is_refused_with_its_value() {
        for delta in [f64::NAN, f64::NEG_INFINITY, -1.0, -0.0, 0.0, 1.0, 1.005, f64::INFINITY] {
            match Delta::new(delta) {
                Err(BudgetError::OutOfRange { name, value, .. }) => {
                    assert_eq!((name, value), ("delta", delta.to_string()));
                }
                other => panic!("{delta}: {other:?}"),
            }
        }
        for delta in [f64::MIN_POSITIVE, 1e-300, 1e-6, 1.0f64.next_down()] {
            assert_eq!(Delta::new(delta).unwrap().get(), delta);
        }
    }

    #[test]
    fn words_are_not_below_the_number() {
        let said = |delta| Delta::new(delta).unwrap().to_string();
        assert_eq!(said(1.0004e-6), "1.001e-6");
        assert_eq!(said(1e-6), "1.000e-6");
        assert_eq!(said(0.99999), "1.000e0");
        assert_eq!(said(9.9995e-4), "1.000e-3");
        assert_eq!(said(0.25), "2.500e-1");
        assert_eq!(format!("{:.1}", Delta::new(1.0004e-6).unwrap()), "1.1e-6");
        assert_eq!(format!("{:.0}", Delta::new(1.0004e-6).unwrap()), "2e-6");
    }

    /// One step at least, whatever the sizes: an account must not stand still while it is charged.
    #[test]
    fn a_positive_number_is_never_lost() {
        assert!(sum_up(0.5, 2e-17) > 0.5);
        assert!(sum_up(0.5, f64::from_bits(1)) > 0.5);
        assert_eq!(
            (sum_up(0.0, 1e-6), sum_up(1e-6, 1e-6), sum_up(0.5, 0.25)),
            (1e-6, 2e-6, 0.75)
        );
        assert_eq!(Delta::new(0.5).unwrap().times(2), None);
        assert_eq!(Delta::new(0.25).unwrap().times(1).unwrap().get(), 0.25);
    }

    proptest! {
        #[test]
        fn words_round_up(mantissa in 1.0f64..10.0, exponent in -300i32..-1) {
            let delta = mantissa * 10f64.powi(exponent);
            let said: f64 = Delta::new(delta).unwrap().to_string().parse().unwrap();
            prop_assert!(said >= delta && said <= delta * 1.0011, "{delta:e} {said:e}");
        }

        /// Against integers: doubles over one power of two.
        #[test]
        fn sums_are_not_below_the_exact_one(a in 0u64..1 << 53, b in 0u64..1 << 53, shift in 0u32..60) {
            let (large, small) = ((a as f64) * 2f64.powi(shift as i32), b as f64);
            let sum = sum_up(large, small);
            let exact = (u128::from(a) << shift) + u128::from(b);
            prop_assert!(sum as u128 >= exact);
            prop_assert!(sum <= (large + small).next_up());
        }

        #[test]
        fn products_are_not_below_the_exact_one(a in 1u64..1 << 53, n in 1u64..1 << 20) {
            let delta = Delta::new(a as f64 * 2f64.powi(-80)).unwrap();
            let product = delta.times(n).unwrap().get() * 2f64.powi(80);
            prop_assert!(product as u128 >= u128::from(a) * u128::from(n));
        }
    }
}
