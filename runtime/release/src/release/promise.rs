//! What a release promises, as a value.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::delta::sum_up;
use super::ratio::Ratio;
use super::{Delta, Lplp, RatioError};

/// What is promised about one observation (a document: all its counts together) when it is released once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Promise {
    /// Limited-precision local privacy (ICML19): probabilities of any release change by a factor of at most
    /// `exp(epsilon)` between any two observations whose counts differ by at most `n` in all, over however many cells the
    /// difference is spread.
    ///
    /// It is scaled: a [`Ledger`](super::Ledger) with a cap for `m` counts charges `m epsilon / n`. That follows where cells
    /// are released independently and alike, and there are `n` of them: a difference of one in each of `n` cells loses `n`
    /// times as much as one in a single cell, so a single count loses at most `epsilon / n`, and `m` counts `m` times that.
    /// A promise that was found for one cell alone goes through [`Promise::of_one_cell`] first.
    Lplp {
        /// By how much two observations may differ, summed over their counts.
        #[serde(deserialize_with = "at_least_one")]
        n: u64,
        /// The loss, exact.
        epsilon: Ratio,
    },
    /// The same but for events of probability `delta`: `P(A) <= exp(epsilon) P'(A) + delta` for every set `A` of releases,
    /// again over however many cells the difference of `n` is spread. It is never scaled.
    Approximate {
        /// By how much two observations may differ, summed over their counts.
        #[serde(deserialize_with = "at_least_one")]
        n: u64,
        /// The loss, exact.
        epsilon: Ratio,
        /// Probability by which the bound may be exceeded.
        delta: Delta,
    },
    /// Nothing.
    #[default]
    None,
}

impl Promise {
    /// The promise as a budget of limited-precision local privacy, if it is one; its `epsilon / n` is rounded up where it
    /// needs more than 64 bits.
    pub fn lplp(&self) -> Option<Lplp> {
        let Promise::Lplp { n, epsilon } = *self else {
            return None;
        };
        let denominator = u128::from(epsilon.denominator()) * u128::from(n);
        let gamma = Ratio::at_least(epsilon.numerator().into(), denominator);
        Lplp::from_gamma(n, gamma.ok()?).ok()
    }

    /// How many answers of a person the promise covers where the totals of lines are public: each that changes moves one count from a cell
    /// to another, which are two of the counts by which observations may differ. See [`Lplp::moving`].
    ///
    /// ```
    /// use skellam_release::release::{Lplp, Promise};
    /// assert_eq!(Promise::from(Lplp::moving(3, 1)?).answers(), 3);
    /// // A promise about one count says nothing of an answer that moves.
    /// assert_eq!(Promise::from(Lplp::new(1, 1)?).answers(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answers(&self) -> u64 {
        self.loss().map_or(0, |(n, _)| n / 2)
    }

    /// Whether nothing is promised.
    pub fn is_none(&self) -> bool {
        *self == Promise::None
    }

    /// The promise of an observation, made of one that holds for a difference of up to `n` counts *in a single cell* and
    /// says nothing of differences that are spread: `(n, n epsilon, n delta)`.
    ///
    /// A difference of at most `n` counts lies in at most `n` cells, in each of which it is at most `n`. Where cells are
    /// released independently their losses add, and so do their deltas: `n epsilon` and `n delta` at most. Of a pure promise
    /// this can be scaled: a cell whose count differs by `d` is at most `d` counts away, so every count loses `epsilon` at most.
    /// [`Promise::None`] where `n delta` is 1 or more, or `n epsilon` beyond 2^64.
    ///
    /// ```
    /// use skellam_release::release::{Lplp, Promise};
    /// // Says by randomised response whether a count is odd: any two counts can be told apart by a factor of 3 at most,
    /// // but four counts that differ by one each, by a factor of 81.
    /// let cell = Promise::from(Lplp::new(4, "1.0986123")?);
    /// assert_eq!(cell.of_one_cell(), Promise::from(Lplp::new(4, "4.3944492")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn of_one_cell(self) -> Self {
        let Some((n, epsilon)) = self.loss() else {
            return Promise::None;
        };
        let delta = self.delta().map(|delta| delta.times(n));
        match (epsilon.times_up(n), delta) {
            (Ok(epsilon), None) => Promise::Lplp { n, epsilon },
            (Ok(epsilon), Some(Some(delta))) => Promise::Approximate { n, epsilon, delta },
            _ => Promise::None,
        }
    }

    /// The delta, of an approximate promise.
    pub fn delta(&self) -> Option<Delta> {
        self.kind().map(|(.., delta)| delta)
    }

    /// Whether this is a promise that can be relied on: about one count at least, and with a loss that can be scaled.
    pub(super) fn holds(&self) -> bool {
        match self {
            Promise::Lplp { .. } => self.lplp().is_some(),
            Promise::Approximate { n, .. } => *n > 0,
            Promise::None => false,
        }
    }

    /// What holds of an observation whose counts were released under several promises, each count under one of them, all independently.
    ///
    /// Two observations differ by at most `n` counts in all; let `d_j` of them lie in counts that were released under promise `j`.
    ///
    /// - *Pure promises* `(n_j, epsilon_j)` lose `d_j epsilon_j / n_j` each, together `n max(epsilon_j / n_j)` at most (the paper's
    ///   `epsilon = N max ln(1 / alpha)`); it is stated for the largest `n_j`.
    /// - *Approximate promises* cannot be scaled, and the largest of them is not enough. Promise `j` holds of its own counts, by whichever split,
    ///   as `d_j <= n <= n_j` where `n` is the least `n_j`; but a difference that is split over two promises is covered by neither. As the
    ///   parts are released independently, `P(A) <= exp(epsilon_j) P'(A) + delta_j` for each of them gives
    ///   `exp(sum epsilon_j) P'(A) + sum delta_j` for all of them together (sequential composition), where the sums run over the promises
    ///   with `d_j > 0`. These are `n` at most, so the `n` largest epsilons are added up, and the `n` largest deltas.
    /// - *Both kinds*: the pure ones lose `n max(epsilon_j / n_j)` besides.
    ///
    /// An example, which a test adds up: a mechanism says by randomised response whether a count is odd, at a loss of 1, but only with
    /// probability 0.01, another one at a loss of 1/2, and always. Two counts by either lose 1 at most, but for a delta of 3.4e-5 and of 0. A
    /// difference of one in a count of each loses 1.5 with probability 0.0045, and exceeds a loss of 1 by a delta of 1.8e-3, 53 times the larger.
    ///
    /// Equal promises count once: see [`Mechanism::promise`](super::Mechanism::promise) for what that asks of a mechanism. Where a
    /// mechanism is [`ORDERED`](super::Mechanism::ORDERED), its releases promise more than this. [`Promise::None`] of none, where one
    /// promises nothing, and where the sums pass 1 or 64 bits.
    pub fn together(promises: impl IntoIterator<Item = Self>) -> Self {
        let (mut pure, mut kinds): (Option<Lplp>, BTreeSet<Kind>) = (None, BTreeSet::new());
        for promise in promises {
            match (promise.kind(), promise.lplp()) {
                (Some((0, ..)), _) => return Promise::None,
                (Some(kind), _) => drop(kinds.insert(kind)),
                (None, Some(budget)) => pure = Lplp::weakest(pure.iter().chain([&budget])),
                (None, None) => return Promise::None,
            }
        }
        let Some(&(n, ..)) = kinds.first() else {
            return pure.map_or(Promise::None, Promise::from);
        };
        let kinds: Vec<Kind> = kinds.into_iter().collect();
        let all = || -> Result<_, RatioError> {
            let (mut epsilon, delta) = lost_by(&kinds, n)?;
            if let Some(pure) = pure {
                epsilon = epsilon.plus(pure.gamma().times_up(n)?)?;
            }
            Ok((epsilon, delta))
        };
        match all().map(|(epsilon, delta)| (epsilon, Delta::new(delta))) {
            Ok((epsilon, Ok(delta))) => Promise::Approximate { n, epsilon, delta },
            _ => Promise::None,
        }
    }

    /// What holds where of any two of the mechanisms one is the other with further noise, so that the one with the least noise, by itself
    /// everywhere, would lose no less than all of them: the least `n`, and the larger of epsilons and deltas.
    pub(super) fn weakest(self, other: Self) -> Self {
        match (self.kind(), other.kind()) {
            (Some((n, epsilon, delta)), Some((m, more, likelier))) => Promise::Approximate {
                n: n.min(m),
                epsilon: epsilon.max(more),
                delta: delta.max(likelier),
            },
            _ => Self::together([self, other]),
        }
    }

    /// All three numbers, of an approximate promise.
    pub(super) fn kind(&self) -> Option<Kind> {
        match *self {
            Promise::Approximate { n, epsilon, delta } => Some((n, epsilon, delta)),
            Promise::Lplp { .. } | Promise::None => None,
        }
    }

    /// `(n, epsilon)`.
    pub(super) fn loss(&self) -> Option<(u64, Ratio)> {
        match *self {
            Promise::Lplp { n, epsilon } | Promise::Approximate { n, epsilon, .. } => Some((n, epsilon)),
            Promise::None => None,
        }
    }
}

/// The n, epsilon and delta of an approximate promise.
pub(super) type Kind = (u64, Ratio, Delta);

/// What `n` counts lose that may lie among counts of all these promises: the `n` largest epsilons and the `n` largest deltas, added up.
/// There is at least one promise.
pub(super) fn lost_by(kinds: &[Kind], n: u64) -> Result<(Ratio, f64), RatioError> {
    let most = usize::try_from(n).unwrap_or(usize::MAX);
    let mut epsilons: Vec<Ratio> = kinds.iter().map(|kind| kind.1).collect();
    let mut deltas: Vec<Delta> = kinds.iter().map(|kind| kind.2).collect();
    epsilons.sort_unstable_by(|a, b| b.cmp(a));
    deltas.sort_unstable_by(|a, b| b.cmp(a));
    let more = epsilons[1..].iter().take(most - 1);
    let epsilon = more.copied().try_fold(epsilons[0], |sum, epsilon| sum.plus(epsilon))?;
    let delta = deltas
        .iter()
        .take(most)
        .fold(0.0, |sum, delta| sum_up(sum, delta.get()));
    Ok((epsilon, delta))
}

/// `epsilon = n gamma`, rounded up where it needs more than 64 bits.
impl From<Lplp> for Promise {
    fn from(budget: Lplp) -> Self {
        let epsilon = budget.gamma().times_up(budget.n());
        epsilon.map_or(Promise::None, |epsilon| Promise::Lplp { n: budget.n(), epsilon })
    }
}

/// A file does not state a promise about a difference of zero.
fn at_least_one<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    match u64::deserialize(from)? {
        0 => Err(D::Error::custom("a promise has the `n` 0; expected at least 1")),
        n => Ok(n),
    }
}

/// The promise in words.
impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((n, epsilon)) = self.loss() else {
            return f.write_str("no privacy is promised");
        };
        let counts = if n == 1 { "count" } else { "counts" };
        if let Some(delta) = self.delta() {
            return write!(
                f,
                "({n}, {epsilon})-limited-precision local privacy except with probability {delta}: any two rows \
                 that differ by at most {n} {counts} in all lead to any given set of releases with probabilities that \
                 satisfy P <= exp({epsilon}) P' + {delta}"
            );
        }
        let about = match epsilon.to_f64().exp() {
            factor if factor < 1e6 => format!(", about {factor:.3}"),
            factor if factor.is_finite() => format!(", about {factor:.1e}"),
            _ => String::new(),
        };
        write!(
            f,
            "({n}, {epsilon})-limited-precision local privacy: any two rows that differ by at most {n} {counts} in all lead to \
             any given release with probabilities within a factor of exp({epsilon}){about}, of each other"
        )
    }
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

    fn approximate(n: u64, epsilon: (u64, u64), delta: f64) -> Promise {
        Promise::Approximate {
            n,
            epsilon: Ratio::new(epsilon.0, epsilon.1).unwrap(),
            delta: Delta::new(delta).unwrap(),
        }
    }

    #[test]
    fn what_holds_of_several_is_none_of_them() {
        assert_eq!(Promise::together([pure(2, (1, 1)), pure(5, (1, 1))]), pure(5, (5, 2)));
        assert_eq!(Promise::together([pure(2, (1, 1)), Promise::None]), Promise::None);
        assert_eq!(Promise::together([]), Promise::None);
        let one = approximate(3, (1, 2), 1e-6);
        assert!(one.to_string().contains("except with probability 1.000e-6: "));
        assert_eq!(Promise::together([one, one]), one);
        assert_eq!(Promise::together([one, pure(2, (1, 1))]), approximate(3, (2, 1), 1e-6));
        let other = approximate(2, (1, 3), 2f64.powi(-20));
        assert_eq!(
            Promise::together([other, one]),
            approximate(2, (5, 6), sum_up(1e-6, 2f64.powi(-20)))
        );
        assert_eq!(other.weakest(one), approximate(2, (1, 2), 1e-6));
        // A difference of one lies in one count, and of two in two.
        let many = |n| Promise::together((1..=9).map(|k| approximate(n, (k, 1), k as f64 / 1024.0)));
        assert_eq!(many(1), approximate(1, (9, 1), 9.0 / 1024.0));
        assert_eq!(many(2), approximate(2, (17, 1), 17.0 / 1024.0));
        assert_eq!(
            Promise::together([1, 2].map(|k| approximate(2, (k, 1), 0.5))),
            Promise::None
        );
    }

    /// The example of [`Promise::together`], by enumeration of what two counts release.
    #[test]
    fn the_larger_delta_does_not_hold_of_two_kinds_of_noise() {
        // Of a count that differs by one: probabilities of no answer, of the true one, of the other.
        let kind = |often: f64, loss: f64| {
            let right = often / (1.0 + (-loss).exp());
            [
                (1.0 - often, 1.0 - often),
                (right, often - right),
                (often - right, right),
            ]
        };
        let hockey_stick = |[a, b]: [[(f64, f64); 3]; 2], epsilon: f64| -> f64 {
            let pairs = a.iter().flat_map(|(p, q)| b.iter().map(move |(r, s)| (p * r, q * s)));
            pairs.map(|(p, q)| (p - epsilon.exp() * q).max(0.0)).sum()
        };
        let (rare, always) = (kind(0.01, 1.0), kind(1.0, 0.5));
        // One count that differs by two is as odd as before; of two that differ by one each:
        let deltas = [rare, always].map(|kind| hockey_stick([kind; 2], 1.0));
        assert!((deltas[0] - 3.4e-5).abs() < 1e-6 && deltas[1] < 1e-15, "{deltas:?}");
        let both = hockey_stick([rare, always], 1.0);
        assert!((both - 1.8e-3).abs() < 1e-4 && both > 50.0 * deltas[0], "{both}");
        let promises = [approximate(2, (1, 1), deltas[0] * 1.001), approximate(2, (1, 1), 1e-15)];
        let Some((2, epsilon, delta)) = Promise::together(promises).kind() else {
            panic!("two small deltas are a promise")
        };
        assert!(hockey_stick([rare, always], epsilon.to_f64()) <= delta.get());
        // The mutant: the larger of the two.
        let Some((2, epsilon, delta)) = promises[0].weakest(promises[1]).kind() else {
            panic!("either is a promise")
        };
        assert!(hockey_stick([rare, always], epsilon.to_f64()) > 50.0 * delta.get());
    }

    /// Two promises of nothing that are not called so.
    #[test]
    fn a_promise_about_no_counts_is_none() {
        let epsilon = Ratio::new(1, 2).unwrap();
        let delta = Delta::new(1e-6).unwrap();
        assert!(!Promise::Lplp { n: 0, epsilon }.holds());
        assert!(!Promise::Approximate { n: 0, epsilon, delta }.holds());
        assert!(!Promise::None.holds());
        assert!(pure(1, (1, 2)).holds() && Promise::Approximate { n: 1, epsilon, delta }.holds());
    }

    /// Says of each of four counts by randomised response whether it is odd: right with probability 3/4. Any two counts lose
    /// `ln 3` at most in one cell, and four of them that differ by one each lose four times that.
    #[test]
    fn a_promise_about_one_cell_does_not_hold_of_several() {
        const CELLS: usize = 4;
        // Largest log ratio over the sixteen releases; `odd[i]` says whether cell i differs by an odd number.
        let loss = |odd: [bool; CELLS]| {
            let releases = 0..1u32 << CELLS;
            let ratio = |release: u32| {
                let cell = |i: usize| match (odd[i], release >> i & 1) {
                    (false, _) => 0.0,
                    (true, 1) => 3f64.ln(),
                    (true, _) => -3f64.ln(),
                };
                (0..CELLS).map(cell).sum::<f64>()
            };
            releases.map(ratio).fold(0.0, f64::max)
        };
        // Every way to spread up to eight counts.
        let mut worst = [0f64; 9];
        for code in 0..9usize.pow(CELLS as u32) {
            let differences: [usize; CELLS] = std::array::from_fn(|i| code / 9usize.pow(i as u32) % 9);
            let all: usize = differences.iter().sum();
            if all <= 8 {
                worst[all] = worst[all].max(loss(differences.map(|d| d % 2 == 1)));
            }
        }
        let cell = Promise::from(Lplp::new(4, "1.0986123").unwrap());
        let states = |promise: Promise, n: u64| promise.lplp().unwrap().epsilon_for(n);
        for n in 1..=8 {
            assert!(worst[n as usize] <= states(cell.of_one_cell(), n), "{n}");
        }
        assert!((worst[4] - 4.0 * 3f64.ln()).abs() < 1e-12);
        // The mutant: the promise about one cell as one about all of them.
        assert!(worst[4] > 3.9 * states(cell, 4) && worst[1] > 3.9 * states(cell, 1));
    }

    /// The same, but with probability `q` the release says that it is right. By enumeration of three cells.
    #[test]
    fn a_delta_about_one_cell_adds_up() {
        let q = 0.01;
        // Right and said so, right, wrong: given an even count, and given an odd one.
        let cell = [
            (q, 0.0),
            (0.0, q),
            ((1.0 - q) * 0.75, (1.0 - q) * 0.25),
            ((1.0 - q) * 0.25, (1.0 - q) * 0.75),
        ];
        let hockey_stick = |cells: usize, epsilon: f64| {
            let mut releases = vec![(1.0, 1.0)];
            for _ in 0..cells {
                let with = |&(a, b): &(f64, f64)| cell.map(|(p, r)| (a * p, b * r));
                releases = releases.iter().flat_map(with).collect();
            }
            releases
                .iter()
                .map(|(a, b)| (a - epsilon.exp() * b).max(0.0))
                .sum::<f64>()
        };
        let one = Promise::Approximate {
            n: 3,
            epsilon: Ratio::new(10_986_123, 10_000_000).unwrap(),
            delta: Delta::new(q).unwrap(),
        };
        let Promise::Approximate { n: 3, epsilon, delta } = one.of_one_cell() else {
            panic!("{one} of one cell")
        };
        let loss = 1.0986123;
        assert!(hockey_stick(1, loss) <= q && epsilon.to_string() == "32958369/10000000");
        assert!((delta.get() - 0.03).abs() < 1e-15);
        assert!(hockey_stick(3, epsilon.to_f64()) <= delta.get());
        // Mutants: the delta of one cell, and the epsilon of one cell.
        assert!(hockey_stick(3, epsilon.to_f64()) > 2.9 * q);
        assert!(hockey_stick(3, loss) > 10.0 * delta.get());
        let often = Promise::Approximate {
            n: 3,
            epsilon,
            delta: Delta::new(0.34).unwrap(),
        };
        assert_eq!(
            (often.of_one_cell(), Promise::None.of_one_cell()),
            (Promise::None, Promise::None)
        );
        let vast = Promise::Lplp { n: u64::MAX, epsilon };
        assert_eq!(vast.of_one_cell(), Promise::None);
    }
}
