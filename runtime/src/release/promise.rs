//! What a release promises, as a value.

use std::fmt;

use super::ratio::Ratio;
use super::{Lplp, RatioError};

/// What is promised about one observation (a document: all its counts together) when it is released once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Promise {
    /// Limited-precision local privacy (ICML19): probabilities of any release change by a factor of at most
    /// `exp(epsilon)` between any two observations whose counts differ by at most `n` in all.
    Lplp {
        /// By how much two observations may differ, summed over their counts.
        n: u64,
        /// The loss, exact.
        epsilon: Ratio,
    },
    /// The same but for events of probability `delta`: `P(A) <= exp(epsilon) P'(A) + delta` for every set `A` of releases.
    Approximate {
        /// By how much two observations may differ, summed over their counts.
        n: u64,
        /// The loss, exact.
        epsilon: Ratio,
        /// Probability by which the bound may be exceeded.
        delta: f64,
    },
    /// Nothing.
    None,
}

impl Promise {
    /// The promise as a budget of limited-precision local privacy, if it is one; its `epsilon / n` is rounded up where it
    /// needs more than 64 bits.
    pub fn lplp(&self) -> Option<Lplp> {
        match self {
            Promise::Lplp { n, epsilon } => {
                let denominator = u128::from(epsilon.denominator()) * u128::from(*n);
                let gamma = Ratio::at_least(epsilon.numerator().into(), denominator);
                gamma.ok().and_then(|gamma| Lplp::from_gamma(*n, gamma).ok())
            }
            Promise::Approximate { .. } | Promise::None => None,
        }
    }

    /// Whether nothing is promised.
    pub fn is_none(&self) -> bool {
        *self == Promise::None
    }

    /// What holds of an observation whose counts were released under several promises, a different one each: of two
    /// pure promises the larger loss per count counts (`epsilon = N max ln(1 / alpha)`), stated for the larger `n`; with
    /// an approximate one among them, the larger of all three numbers.
    #[must_use]
    pub fn weakest(self, other: Self) -> Self {
        match (self, other) {
            (Promise::None, _) | (_, Promise::None) => Promise::None,
            (Promise::Lplp { .. }, Promise::Lplp { .. }) => match (self.lplp(), other.lplp()) {
                (Some(a), Some(b)) => Lplp::weakest([&a, &b]).map_or(Promise::None, Promise::from),
                _ => Promise::None,
            },
            _ => match (self.approximate(), other.approximate()) {
                (Some((n, epsilon, delta)), Some((m, other, more))) => Promise::Approximate {
                    n: n.min(m),
                    epsilon: epsilon.max(other),
                    delta: delta.max(more),
                },
                _ => Promise::None,
            },
        }
    }

    /// `(n, epsilon, delta)`.
    pub(super) fn approximate(&self) -> Option<(u64, Ratio, f64)> {
        match *self {
            Promise::Lplp { n, epsilon } => Some((n, epsilon, 0.0)),
            Promise::Approximate { n, epsilon, delta } => Some((n, epsilon, delta)),
            Promise::None => None,
        }
    }
}

/// `epsilon = n gamma`, rounded up where it needs more than 64 bits.
impl From<Lplp> for Promise {
    fn from(budget: Lplp) -> Self {
        let (numerator, denominator) = budget.epsilon_ratio();
        let epsilon = Ratio::at_least(numerator, denominator.into());
        match epsilon {
            Ok(epsilon) => Promise::Lplp { n: budget.n(), epsilon },
            Err(RatioError::NotPositive { .. } | RatioError::NotANumber { .. } | RatioError::TooFine { .. }) => {
                Promise::None
            }
        }
    }
}

/// The promise in words.
impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Promise::Lplp { n, epsilon } => write_lplp(f, *n, epsilon),
            Promise::Approximate { n, epsilon, delta } => write!(
                f,
                "({n}, {epsilon})-limited-precision local privacy but for a probability of {delta:.3e}: any two documents \
                 that differ by at most {n} {} in all lead to any given set of releases with probabilities that \
                 satisfy P <= exp({epsilon}) P' + {delta:.3e}",
                counts(*n)
            ),
            Promise::None => f.write_str("no privacy is promised"),
        }
    }
}

fn counts(n: u64) -> &'static str {
    if n == 1 { "count" } else { "counts" }
}

fn write_lplp(f: &mut fmt::Formatter<'_>, n: u64, epsilon: &Ratio) -> fmt::Result {
    write!(
        f,
        "({n}, {epsilon})-limited-precision local privacy: any two documents that differ by at most {n} {} in all lead to \
         any given release with probabilities within a factor of exp({epsilon}){}, of each other",
        counts(n),
        match epsilon.to_f64().exp() {
            factor if factor < 1e6 => format!(", about {factor:.3}"),
            factor if factor.is_finite() => format!(", about {factor:.1e}"),
            _ => String::new(),
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pure(n: u64, epsilon: (u64, u64)) -> Promise {
        Promise::from(Lplp::new(n, epsilon).unwrap())
    }

    #[test]
    fn a_promise_is_its_budget() {
        let promise = pure(3, (1, 10));
        assert_eq!(
            promise,
            Promise::Lplp {
                n: 3,
                epsilon: Ratio::new(1, 10).unwrap()
            }
        );
        assert_eq!(promise.lplp(), Some(Lplp::new(3, (1, 10)).unwrap()));
        assert_eq!(promise.to_string(), Lplp::new(3, (1, 10)).unwrap().to_string());
        // More than 64 bits: the next ratio above, and never one below.
        let fine = Lplp::kept_by_alpha(1_000_003, 0.3).unwrap();
        let promise = Promise::from(fine);
        let Promise::Lplp { epsilon, .. } = promise else {
            panic!("a budget promises")
        };
        assert!((epsilon.to_f64() / fine.epsilon() - 1.0).abs() < 1e-15);
        let back = promise.lplp().unwrap();
        assert!(back.gamma() >= fine.gamma() && back.epsilon() / fine.epsilon() < 1.0 + 1e-15);
    }

    #[test]
    fn the_weakest_of_several_is_none_of_them() {
        assert_eq!(pure(2, (1, 1)).weakest(pure(5, (1, 1))), pure(5, (5, 2)));
        assert_eq!(pure(2, (1, 1)).weakest(Promise::None), Promise::None);
        let approximate = Promise::Approximate {
            n: 3,
            epsilon: Ratio::new(1, 2).unwrap(),
            delta: 1e-6,
        };
        assert_eq!(
            approximate.weakest(pure(2, (1, 1))),
            Promise::Approximate {
                n: 2,
                epsilon: Ratio::new(1, 1).unwrap(),
                delta: 1e-6
            }
        );
    }
}
