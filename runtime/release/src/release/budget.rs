//! Limited-precision local privacy: what is promised, as exact numbers.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::ratio::{IntoRatio, Ratio};
use super::{BudgetError, Promise};

/// Four units in the last place: `ln` is good to one, the product adds a half.
const SLACK: f64 = 4.0 * f64::EPSILON;

/// `(N, epsilon)`-limited-precision local privacy (ICML19: Schein et al. 2019).
///
/// Whatever is released about a row (one observation, such as a document: all its counts together), its probability
/// changes by a factor of at most `exp(epsilon)` between any two rows whose counts differ by at
/// most `N` in all. Two-sided geometric noise with `alpha = exp(-epsilon / N)` on every count keeps
/// that promise, and with it `(n, n epsilon / N)` for every other `n`.
///
/// What is stored is `N` and `gamma = epsilon / N` as an exact ratio. The noise is drawn for that very
/// ratio, so nothing is lost between the promise and the noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "StatedBudget")]
pub struct Lplp {
    n: u64,
    gamma: Ratio,
}

/// A budget as a file states it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedBudget {
    n: u64,
    gamma: Ratio,
}

impl TryFrom<StatedBudget> for Lplp {
    type Error = BudgetError;

    fn try_from(stated: StatedBudget) -> Result<Self, BudgetError> {
        Self::from_gamma(stated.n, stated.gamma)
    }
}

impl Lplp {
    /// The promise `(n, epsilon)`. Epsilon is an integer, a pair `(1, 3)`, a text (`"1/3"`) or a double,
    /// which stands for its shortest decimal form: 0.1 is one tenth.
    ///
    /// # Errors
    /// `n` is 0; epsilon is not positive and finite, or `epsilon / n` is not a ratio of 64-bit integers or
    /// outside `[1e-15, 700]`.
    pub fn new(n: u64, epsilon: impl IntoRatio) -> Result<Self, BudgetError> {
        let epsilon = epsilon.into_ratio()?;
        if n == 0 {
            return Err(BudgetError::no_precision());
        }
        let gamma = epsilon.divided_by(n);
        Self::from_gamma(n, gamma.ok_or_else(|| BudgetError::too_fine(epsilon, n))?)
    }

    /// The promise for tables whose lines have public totals, as far as `answers` answers of a person go: a changed answer moves
    /// one count from a cell to another, so that two cells differ by one each, and `n` is twice their number. A person who answers in
    /// each of `K` tables and of whom nothing at all is to be told has `K` answers; one whose class changes, which every table counts
    /// by, moves the count of every answer as well: the same `K`.
    ///
    /// A public total is not a secret: that a person is in the data at all is not protected.
    ///
    /// ```
    /// use skellam_release::release::Lplp;
    /// // Sixteen votes of each member, and a loss of one for all of them together.
    /// assert_eq!(Lplp::moving(16, 1)?, Lplp::new(32, 1)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`Lplp::new`], with twice the number of answers for `n`.
    pub fn moving(answers: u64, epsilon: impl IntoRatio) -> Result<Self, BudgetError> {
        Self::new(answers.saturating_mul(2), epsilon)
    }

    /// The budget for releasing with noise of (at least) `alpha`: `epsilon / n` is `ln(1 / alpha)`
    /// rounded down, so the noise that will be drawn is not less than that of `alpha`.
    ///
    /// # Errors
    /// `n` is 0, or `alpha` is not strictly between 0 and 1 or too close to either.
    pub fn to_release_with_alpha(n: u64, alpha: f64) -> Result<Self, BudgetError> {
        Self::from_alpha(n, alpha, 1.0 - SLACK, f64::floor)
    }

    /// The promise that counts already released with noise of `alpha` keep: `epsilon / n` is
    /// `ln(1 / alpha)` rounded up, so that the epsilon stated is not smaller than the true one.
    ///
    /// # Errors
    /// Those of [`Lplp::to_release_with_alpha`].
    pub fn kept_by_alpha(n: u64, alpha: f64) -> Result<Self, BudgetError> {
        Self::from_alpha(n, alpha, 1.0 + SLACK, f64::ceil)
    }

    /// `ln(1 / alpha)` with some slack, rounded to a ratio in the direction of the slack.
    fn from_alpha(n: u64, alpha: f64, slack: f64, round: fn(f64) -> f64) -> Result<Self, BudgetError> {
        if !(alpha > 0.0 && alpha < 1.0) {
            let why = "a two-sided geometric law needs 0 < alpha < 1";
            return Err(BudgetError::out_of_range("alpha", alpha, why));
        }
        let gamma = -alpha.ln();
        in_scale(gamma)?;
        let gamma = gamma * slack;
        // A double is a ratio over a power of two. Below 2^-11 the power is held at 2^63, and what does
        // not fit is rounded in the same direction.
        let power = (52 - gamma.log2().floor() as i32).min(63);
        let numerator = round(gamma * 2f64.powi(power));
        let gamma = Ratio::new(numerator as u64, 1 << power)?;
        Self::from_gamma(n, gamma)
    }

    pub(super) fn from_gamma(n: u64, gamma: Ratio) -> Result<Self, BudgetError> {
        if n == 0 {
            return Err(BudgetError::no_precision());
        }
        in_scale(gamma.to_f64())?;
        Ok(Self { n, gamma })
    }

    /// The weakest of several promises that hold together: the largest `epsilon / N`, stated for the
    /// largest `N`. `None` of none. (With several alphas in one observation,
    /// `epsilon = N max ln(1 / alpha)`.)
    pub fn weakest<'a>(budgets: impl IntoIterator<Item = &'a Lplp>) -> Option<Self> {
        budgets.into_iter().copied().reduce(|a, b| Self {
            n: a.n.max(b.n),
            gamma: a.gamma.max(b.gamma),
        })
    }

    /// `N`: by how much two rows may differ, summed over their counts.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// `gamma = epsilon / N`, exact.
    pub fn gamma(&self) -> Ratio {
        self.gamma
    }

    /// `alpha = exp(-epsilon / N)`, strictly between 0 and 1: the parameter of the noise, for inference.
    /// The noise itself is drawn from [`Lplp::gamma`].
    pub fn alpha(&self) -> f64 {
        (-self.gamma.to_f64()).exp()
    }

    /// Epsilon in double precision.
    pub fn epsilon(&self) -> f64 {
        self.epsilon_for(self.n)
    }

    /// The epsilon that the same noise promises for rows that differ by at most `n` counts.
    pub fn epsilon_for(&self, n: u64) -> f64 {
        let (numerator, denominator) = self.gamma.times(n);
        numerator as f64 / denominator as f64
    }
}

fn in_scale(gamma: f64) -> Result<(), BudgetError> {
    if (1e-15..=700.0).contains(&gamma) {
        return Ok(());
    }
    let why = "it must lie between 1e-15 and 700, or `alpha = exp(-epsilon / N)` rounds to 1 or 0";
    Err(BudgetError::out_of_range("epsilon / N", gamma, why))
}

/// The promise in words.
impl fmt::Display for Lplp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Promise::from(*self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    #[test]
    fn a_budget_is_exact_and_scales() {
        let budget = Lplp::new(3, 0.1).unwrap();
        assert_eq!(budget.gamma(), Ratio::new(1, 30).unwrap());
        assert_eq!(budget.gamma().times(budget.n()), (1, 10));
        assert_eq!(budget.epsilon(), 0.1);
        assert_eq!(budget.epsilon_for(30), 1.0);
        assert_eq!(Lplp::new(0, 1), Err(BudgetError::no_precision()));
        assert_eq!(Lplp::new(1, 1).unwrap().alpha(), (-1f64).exp());
        assert_eq!(Lplp::new(4, (2, 3)).unwrap(), Lplp::new(4, "2/3").unwrap());
    }

    #[test]
    fn a_promise_reads_as_words() {
        assert_eq!(
            Lplp::new(3, "1.5").unwrap().to_string(),
            "(3, 1.5)-limited-precision local privacy: any two rows that differ by at most 3 counts in all lead \
             to any given release with probabilities within a factor of exp(1.5), about 4.482, of each other"
        );
    }

    #[test]
    fn budgets_without_meaning_are_refused() {
        assert_eq!(Lplp::new(0, 1.0), Err(BudgetError::no_precision()));
        assert!(matches!(Lplp::new(1, -1.0), Err(BudgetError::Epsilon(_))));
        let third = Ratio::new(1, 3).unwrap();
        assert_eq!(Lplp::new(u64::MAX, third), Err(BudgetError::too_fine(third, u64::MAX)));
        let refused = |budget: Result<Lplp, BudgetError>| match budget {
            Err(BudgetError::OutOfRange { name, value, .. }) => (name, value),
            other => panic!("{other:?}"),
        };
        assert_eq!(refused(Lplp::new(1, 701)), ("epsilon / N", "701".to_owned()));
        assert_eq!(refused(Lplp::new(1 << 60, 1)).0, "epsilon / N");
        for alpha in [0.0, 1.0, -0.5, 2.0, f64::INFINITY, f64::NAN] {
            assert_eq!(refused(Lplp::kept_by_alpha(1, alpha)), ("alpha", alpha.to_string()));
        }
        assert!(Lplp::kept_by_alpha(1, f64::MIN_POSITIVE).is_err());
        assert!(Lplp::to_release_with_alpha(0, 0.5).is_err());
    }

    /// Alphas that are doubles exactly, with `ln(1 / alpha)` as an integer over a power of ten, cut off
    /// (Python, `decimal` with 40 digits: `-Decimal(alpha).ln()`).
    const LOGS: [(f64, u128, u32); 5] = [
        (0.5, 693147180559945309, 18),
        (0.75, 287682072451780927, 18),
        (0.125, 2079441541679835928, 18),
        (0.9375, 64538521137571171, 18),
        (1.0 - 1.0 / 1048576.0, 953674771153890007, 24),
    ];

    #[test]
    fn a_float_alpha_rounds_to_the_safe_side() {
        for (alpha, digits, decimals) in LOGS {
            let against = |ratio: Ratio, digits: u128| {
                let scaled = u128::from(ratio.numerator()) * 10u128.pow(decimals);
                scaled.cmp(&(u128::from(ratio.denominator()) * digits))
            };
            let kept = Lplp::kept_by_alpha(2, alpha).unwrap();
            let used = Lplp::to_release_with_alpha(2, alpha).unwrap();
            // Not below the cut-off digits plus one: strictly above the true logarithm.
            assert_ne!(against(kept.gamma(), digits + 1), Ordering::Less, "{alpha}");
            assert_ne!(against(used.gamma(), digits), Ordering::Greater, "{alpha}");
            assert!(
                (kept.gamma().to_f64() / used.gamma().to_f64() - 1.0).abs() < 1e-11,
                "{alpha}"
            );
        }
    }

    #[test]
    fn the_weakest_promise_covers_all() {
        let budgets = [Lplp::new(2, 1).unwrap(), Lplp::new(5, 1).unwrap()];
        assert_eq!(Lplp::weakest(&budgets), Some(Lplp::new(5, 2.5).unwrap()));
        assert_eq!(Lplp::weakest(&[]), None);
    }
}
