//! Exact positive ratios of 64-bit integers.

use std::cmp::Ordering;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::RatioError;

/// A positive ratio of two integers in lowest terms.
///
/// Privacy budgets are kept as ratios, because an exact sampler needs one and because sums and
/// multiples of budgets should be what they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: u64,
    denominator: u64,
}

impl Ratio {
    /// `numerator / denominator`, reduced.
    ///
    /// # Errors
    /// Either is zero.
    pub fn new(numerator: u64, denominator: u64) -> Result<Self, RatioError> {
        reduced(numerator.into(), denominator.into())
            .ok_or_else(|| RatioError::not_positive(format!("{numerator}/{denominator}")))
    }

    /// The upper integer, in lowest terms.
    pub fn numerator(&self) -> u64 {
        self.numerator
    }

    /// The lower integer, in lowest terms.
    pub fn denominator(&self) -> u64 {
        self.denominator
    }

    /// As a double, to within two units in the last place.
    pub fn to_f64(&self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// The ratio divided by `n >= 1`, if it still is one of 64-bit integers.
    pub(super) fn divided_by(&self, n: u64) -> Option<Self> {
        reduced(self.numerator.into(), u128::from(self.denominator) * u128::from(n))
    }

    /// The ratio times `n`, in lowest terms: the product needs 128 bits.
    pub(super) fn times(&self, n: u64) -> (u128, u64) {
        let product = u128::from(self.numerator) * u128::from(n);
        let divisor = gcd(product, self.denominator.into());
        (product / divisor, self.denominator / divisor as u64)
    }

    /// The ratio times `n`, rounded up where it needs more than 64 bits.
    ///
    /// # Errors
    /// Beyond 2^64.
    pub(super) fn times_up(&self, n: u64) -> Result<Self, RatioError> {
        let (numerator, denominator) = self.times(n);
        Self::at_least(numerator, denominator.into())
    }

    /// The least ratio of 64-bit integers that is found at or above `numerator / denominator`: that one itself in most
    /// cases, else a larger one: by a part in 2^62 for numbers of usual size, by more where the denominator is near 2^64.
    ///
    /// # Errors
    /// Zero, or beyond 2^64.
    pub(super) fn at_least(numerator: u128, denominator: u128) -> Result<Self, RatioError> {
        let given = || format!("{numerator}/{denominator}");
        if numerator == 0 || denominator == 0 {
            return Err(RatioError::not_positive(given()));
        }
        halved(numerator, denominator, |above, below| (above.div_ceil(2), below / 2))
            .ok_or_else(|| RatioError::too_fine(given()))
    }

    /// The sum, rounded up where it needs more than 64 bits.
    ///
    /// # Errors
    /// Beyond 2^64.
    pub fn plus(&self, other: Ratio) -> Result<Self, RatioError> {
        let (left, right, denominator) = self.over_one(&other);
        match left.checked_add(right) {
            Some(sum) => Self::at_least(sum, denominator),
            // Both terms are above 2^127: halves, rounded up, lose nothing that counts.
            None => Self::at_least(left.div_ceil(2) + right.div_ceil(2), denominator / 2),
        }
    }

    /// The difference, rounded down where it needs more than 64 bits; `None` where nothing is left.
    pub(super) fn minus(&self, other: Ratio) -> Option<Self> {
        let (left, right, denominator) = self.over_one(&other);
        halved(left.checked_sub(right)?, denominator, |above, below| {
            (above / 2, below.div_ceil(2))
        })
    }

    /// Both numerators over the product of the denominators, which is the third.
    fn over_one(&self, other: &Ratio) -> (u128, u128, u128) {
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        (
            product(self.numerator, other.denominator),
            product(other.numerator, self.denominator),
            product(self.denominator, other.denominator),
        )
    }
}

/// The ratio in lowest terms; `None` where that takes more than 64 bits, or where either integer is zero.
fn reduced(numerator: u128, denominator: u128) -> Option<Ratio> {
    let divisor = gcd(numerator, denominator);
    let narrow = |wide: u128| u64::try_from(wide.checked_div(divisor)?).ok().filter(|part| *part > 0);
    Some(Ratio {
        numerator: narrow(numerator)?,
        denominator: narrow(denominator)?,
    })
}

/// The ratio in lowest terms, both integers halved by `halve` until they have 64 bits; `None` where either becomes zero.
fn halved(numerator: u128, denominator: u128, halve: fn(u128, u128) -> (u128, u128)) -> Option<Ratio> {
    let divisor = gcd(numerator, denominator);
    let (mut above, mut below) = (numerator / divisor, denominator / divisor);
    while above > u64::MAX.into() || below > u64::MAX.into() {
        (above, below) = halve(above, below);
    }
    Ratio::new(above as u64, below as u64).ok()
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let (left, right, _) = self.over_one(other);
        left.cmp(&right)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Exactly: as a short decimal where there is one, else as `1/3`.
impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SCALE: u64 = 1_000_000;
        if !SCALE.is_multiple_of(self.denominator) {
            return write!(f, "{}/{}", self.numerator, self.denominator);
        }
        let (whole, rest) = (self.numerator / self.denominator, self.numerator % self.denominator);
        let decimals = format!("{:06}", rest * (SCALE / self.denominator));
        match decimals.trim_end_matches('0') {
            "" => write!(f, "{whole}"),
            decimals => write!(f, "{whole}.{decimals}"),
        }
    }
}

/// As it prints, which is exact.
impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.as_str().into_ratio().map_err(D::Error::custom)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// What can be read as an exact ratio.
pub trait IntoRatio {
    /// The ratio.
    ///
    /// # Errors
    /// Not positive, not finite, not a number, or finer than 64-bit integers.
    fn into_ratio(self) -> Result<Ratio, RatioError>;
}

impl IntoRatio for Ratio {
    fn into_ratio(self) -> Result<Ratio, RatioError> {
        Ok(self)
    }
}

impl IntoRatio for u64 {
    fn into_ratio(self) -> Result<Ratio, RatioError> {
        Ratio::new(self, 1)
    }
}

/// Numerator and denominator.
impl IntoRatio for (u64, u64) {
    fn into_ratio(self) -> Result<Ratio, RatioError> {
        Ratio::new(self.0, self.1)
    }
}

/// The decimal number that was written: 0.1 is one tenth, not the double nearest to it.
impl IntoRatio for f64 {
    fn into_ratio(self) -> Result<Ratio, RatioError> {
        if !(self > 0.0 && self.is_finite()) {
            return Err(RatioError::not_positive(self));
        }
        // The shortest digits that identify the double, which are those that a person wrote.
        let spelled = format!("{self:e}");
        let given = self.to_string();
        (spelled.as_str().into_ratio()).map_err(|error| RatioError { given, ..error })
    }
}

/// A decimal number (`0.5`, `2e-3`) or two integers (`1/3`).
impl IntoRatio for &str {
    fn into_ratio(self) -> Result<Ratio, RatioError> {
        let spelled = self.trim();
        let not_a_number = || RatioError::not_a_number(spelled);
        if let Some((numerator, denominator)) = spelled.split_once('/') {
            let parse = |text: &str| text.trim().parse::<u64>().map_err(|_| not_a_number());
            return Ratio::new(parse(numerator)?, parse(denominator)?);
        }
        // What the standard parser accepts and is neither NaN nor infinite is made of digits, at most
        // one point and at most one exponent.
        let value: f64 = spelled.parse().map_err(|_| not_a_number())?;
        if !value.is_finite() || spelled.starts_with('-') {
            return Err(RatioError::not_positive(spelled));
        }
        match decimal(spelled.trim_start_matches('+')) {
            Some((0, _)) => Err(RatioError::not_positive(spelled)),
            parts => parts
                .and_then(|(numerator, denominator)| reduced(numerator, denominator))
                .ok_or_else(|| RatioError::too_fine(spelled)),
        }
    }
}

/// Numerator and denominator of an unsigned decimal number; `None` beyond 128 bits.
fn decimal(text: &str) -> Option<(u128, u128)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, decimals) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let decimals = decimals.trim_end_matches('0');
    let mut numerator = 0u128;
    for digit in whole.bytes().chain(decimals.bytes()) {
        numerator = numerator.checked_mul(10)?.checked_add(u128::from(digit - b'0'))?;
    }
    if numerator == 0 {
        return Some((0, 1));
    }
    let exponent = exponent.checked_sub(decimals.len() as i64)?;
    let power = 10u128.checked_pow(u32::try_from(exponent.unsigned_abs()).ok()?)?;
    match exponent < 0 {
        true => Some((numerator, power)),
        false => Some((numerator.checked_mul(power)?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(given: impl IntoRatio) -> (u64, u64) {
        let ratio = given.into_ratio().unwrap();
        (ratio.numerator, ratio.denominator)
    }

    #[test]
    fn decimals_are_read_as_written() {
        assert_eq!(parts(0.1), (1, 10));
        assert_eq!(parts(0.5), (1, 2));
        assert_eq!(parts(3.0), (3, 1));
        assert_eq!(parts(1e19), (10_000_000_000_000_000_000, 1));
        // Seventeen digits, the most that a double needs.
        assert_eq!(parts(0.30000000000000004), (7500000000000001, 25000000000000000));
        assert_eq!(parts("1/3"), (1, 3));
        assert_eq!(parts(" 6 / 4 "), (3, 2));
        assert_eq!(parts("2.50e-1"), (1, 4));
        assert_eq!(parts("+.5"), (1, 2));
        assert_eq!(parts((14, 6)), (7, 3));
        assert_eq!(parts(2), (2, 1));
    }

    #[test]
    fn what_is_no_budget_is_refused_with_its_value() {
        for bad in [0.0, -0.0, -1.5, f64::NAN, f64::INFINITY] {
            assert_eq!(bad.into_ratio(), Err(RatioError::not_positive(bad)));
        }
        for bad in ["0", "-1", "inf", "nan", "0e5", "0/3", "3/0", "-0.0"] {
            assert_eq!(bad.into_ratio(), Err(RatioError::not_positive(bad)));
        }
        for bad in ["", "one", "1/", "1/2/3", "1.5/2", "-1/2", "1e", "1,5"] {
            assert_eq!(bad.into_ratio(), Err(RatioError::not_a_number(bad)));
        }
        assert_eq!(1e-30.into_ratio(), Err(RatioError::too_fine(1e-30)));
        for bad in ["1e-40", "1e300", "1e-99999999999999999999", "0.00012345678901234567"] {
            assert!(bad.into_ratio().is_err(), "{bad}");
        }
    }

    #[test]
    fn sums_are_exact_or_above() {
        let ratio = |a, b| Ratio::new(a, b).unwrap();
        assert_eq!(ratio(1, 3).plus(ratio(1, 6)).unwrap(), ratio(1, 2));
        let (fine, finer) = (ratio(1, u64::MAX), ratio(1, u64::MAX - 1));
        let sum = fine.plus(finer).unwrap();
        assert!(sum >= ratio(2, u64::MAX) && sum.to_f64() < 2.0000001 / u64::MAX as f64);
        assert_eq!(ratio(1, 2).minus(ratio(1, 6)), Some(ratio(1, 3)));
        assert_eq!(
            (ratio(1, 2).minus(ratio(1, 2)), ratio(1, 2).minus(ratio(1, 1))),
            (None, None)
        );
        // What is left is not said to be more than it is: here 2^-80, finer than 64-bit integers say.
        assert_eq!(ratio(1, 1 << 40).minus(ratio(1, (1 << 40) + 1)), None);
        let left = ratio(1, 3).minus(ratio(1, u64::MAX - 1)).unwrap();
        assert!(left < ratio(1, 3) && left.to_f64() > 0.3333333333333333 - 1e-15);
        assert!(ratio(u64::MAX, 1).plus(ratio(1, 1)).is_err());
        let large = ratio(u64::MAX, 2).plus(ratio(u64::MAX, 3)).unwrap();
        assert!(large.to_f64() >= u64::MAX as f64 * (5.0 / 6.0));
        assert!(Ratio::at_least(0, 1).is_err() && Ratio::at_least(u128::MAX, 1).is_err());
    }

    #[test]
    fn ratios_are_compared_and_spelled_exactly() {
        let (a, b) = (
            Ratio::new(u64::MAX, u64::MAX - 1).unwrap(),
            Ratio::new(u64::MAX - 1, u64::MAX - 2).unwrap(),
        );
        assert!(a < b);
        assert_eq!(Ratio::new(1, 3).unwrap().to_string(), "1/3");
        assert_eq!(Ratio::new(3, 2).unwrap().to_string(), "1.5");
        assert_eq!(Ratio::new(4, 2).unwrap().to_string(), "2");
        assert_eq!(Ratio::new(1, 1000).unwrap().to_string(), "0.001");
        assert_eq!(
            Ratio::new(5, 3).unwrap().divided_by(10).unwrap(),
            Ratio::new(1, 6).unwrap()
        );
        assert_eq!(Ratio::new(1, 6).unwrap().times(10), (5, 3));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[-+0-9./eE inf]{0,24}") {
            let _ = text.as_str().into_ratio();
        }

        #[test]
        fn a_double_and_its_ratio_agree(value in 1e-3f64..1e15) {
            if let Ok(ratio) = value.into_ratio() {
                prop_assert!((ratio.to_f64() / value - 1.0).abs() < 1e-15);
            }
        }
    }
}
