//! Mechanisms that files can name.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::channel::{Channel, Laplace, Skellam, TruncatedGeometric, TwoSidedGeometric};
use crate::counts::{LARGEST_RELEASED, Unstored};
use crate::release::{LatticeLaplace, Lplp, Mechanism, SkellamNoise, Truncated};

/// What was released in the cells of one mechanism that are not positive, in units of [`Recorded::to_integer`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rest {
    /// How many cells.
    pub cells: u64,
    /// Sum of magnitudes.
    pub sum: u128,
    /// Sum of their squares, in double precision.
    pub squares: f64,
}

impl Rest {
    /// Takes in one value.
    pub(super) fn take(&mut self, integer: i64) {
        let magnitude = integer.unsigned_abs();
        self.cells += 1;
        // Below 2^53 each, and fewer than 2^64 of them.
        self.sum += u128::from(magnitude);
        self.squares += (magnitude as f64).powi(2);
    }
}

/// A mechanism with a name and parameters that can be written down, and values that can be written as integers.
///
/// Its parameters are what [`serde`] writes of it, in JSON: exact ones, integers and ratios ([`Ratio`](crate::release::Ratio)),
/// never decimals that were rounded. What is read must be written again as it stood, or the file is refused.
///
/// A custom mechanism that implements this, with [`RecordedLaw`] for its law, is written and read like ours.
pub trait Recorded: Mechanism + Serialize + DeserializeOwned {
    /// The name in the metadata: that of the law, as models declare it.
    const NAME: &'static str;

    /// A released value as an integer of the same sign, at most 2^53 in size; `None` where this
    /// mechanism does not yield it.
    fn to_integer(&self, value: <Self::Law as Channel>::Value) -> Option<i64>;

    /// The released value that an integer stands for; `None` where this mechanism does not yield it.
    fn value_of(&self, integer: i64) -> Option<<Self::Law as Channel>::Value>;

    /// About how many terms are added up to know the promise; 0, the default, where it is known at once.
    ///
    /// Whoever opens a folder does these sums once for each of its mechanisms that differ, so folders with more than 2^21 terms in all are
    /// neither written nor read.
    fn terms(&self) -> u64 {
        0
    }

    /// What inference needs of the cells that are not positive, if their log marginals are linear in the rate and the
    /// sums are enough. `None`, the default, where each value is needed: such releases are loaded whole.
    fn unstored(&self, _rest: &Rest) -> Option<Unstored> {
        None
    }

    /// Standard deviation of the noise of a cell, in counts, before anything is cut off; `None`, the default, where it is not known.
    fn noise_sd(&self) -> Option<f64> {
        None
    }
}

/// The least and the greatest standard deviation of the noise of a cell.
pub(super) fn noise_sds<M: Recorded>(all: &[M]) -> Option<[f64; 2]> {
    let sds = all.iter().map(M::noise_sd).collect::<Option<Vec<f64>>>()?;
    let least = sds.iter().copied().reduce(f64::min)?;
    Some([least, sds.into_iter().fold(least, f64::max)])
}

/// Of two-sided geometric noise `P(tau)` proportional to `exp(-gamma |tau|)`.
fn geometric_sd(gamma: f64) -> f64 {
    std::f64::consts::FRAC_1_SQRT_2 / (0.5 * gamma).sinh()
}

/// The law of a mechanism that files can name.
pub trait RecordedLaw: Channel {
    /// The mechanism of which this is the law.
    type Mechanism: Recorded<Law = Self>;
}

impl Recorded for Lplp {
    const NAME: &'static str = "TwoSidedGeometric";

    fn to_integer(&self, value: i64) -> Option<i64> {
        Some(value)
    }

    fn value_of(&self, integer: i64) -> Option<i64> {
        Some(integer)
    }

    fn unstored(&self, rest: &Rest) -> Option<Unstored> {
        // The constant as the channel has it, from alpha, so that a whole release gives the same bound.
        Some(Unstored {
            sum: -(rest.sum as f64),
            squares: rest.squares,
            constant: rest.sum as f64 * self.alpha().ln(),
        })
    }

    fn noise_sd(&self) -> Option<f64> {
        Some(geometric_sd(self.gamma().to_f64()))
    }
}

impl RecordedLaw for TwoSidedGeometric {
    type Mechanism = Lplp;
}

impl Recorded for Truncated {
    const NAME: &'static str = "TruncatedGeometric";

    fn to_integer(&self, value: i64) -> Option<i64> {
        (value >= 0).then_some(value)
    }

    fn value_of(&self, integer: i64) -> Option<i64> {
        self.to_integer(integer)
    }

    fn unstored(&self, rest: &Rest) -> Option<Unstored> {
        let zero = self.law().ok()?.estimate(0);
        Some(Unstored {
            sum: rest.cells as f64 * zero,
            squares: rest.cells as f64 * zero * zero,
            constant: 0.0,
        })
    }

    fn noise_sd(&self) -> Option<f64> {
        self.0.noise_sd()
    }
}

impl RecordedLaw for TruncatedGeometric {
    type Mechanism = Truncated;
}

impl Recorded for LatticeLaplace {
    const NAME: &'static str = "Laplace";

    fn to_integer(&self, value: f64) -> Option<i64> {
        // A product with a power of two is exact.
        let steps = value * f64::from(1u32 << self.bits());
        (steps.fract() == 0.0 && steps.abs() <= LARGEST_RELEASED as f64).then_some(steps as i64)
    }

    fn value_of(&self, integer: i64) -> Option<f64> {
        Some(integer as f64 / f64::from(1u32 << self.bits()))
    }

    fn unstored(&self, rest: &Rest) -> Option<Unstored> {
        let unit = 1.0 / f64::from(1u32 << self.bits());
        let law = self.law().ok()?;
        let sum = rest.sum as f64 * unit;
        Some(Unstored {
            sum: -sum,
            squares: rest.squares * unit * unit,
            constant: -sum / law.scale(),
        })
    }

    fn noise_sd(&self) -> Option<f64> {
        let unit = 1.0 / f64::from(1u32 << self.bits());
        Some(unit * geometric_sd(unit * self.budget().gamma().to_f64()))
    }
}

impl RecordedLaw for Laplace {
    type Mechanism = LatticeLaplace;
}

/// No log marginal of Skellam noise is linear in the rate: every value is needed.
impl Recorded for SkellamNoise {
    const NAME: &'static str = "Skellam";

    fn to_integer(&self, value: i64) -> Option<i64> {
        Some(value)
    }

    fn value_of(&self, integer: i64) -> Option<i64> {
        Some(integer)
    }

    fn noise_sd(&self) -> Option<f64> {
        Some((2.0 * self.lambda().to_f64()).sqrt())
    }

    fn terms(&self) -> u64 {
        SkellamNoise::terms(self)
    }
}

impl RecordedLaw for Skellam {
    type Mechanism = SkellamNoise;
}

/// The mechanisms of a folder whose promise is a sum, by their parameters, and the terms of these sums.
pub(super) struct Sums<'t, M> {
    known: BTreeMap<&'t str, M>,
    terms: u64,
}

impl<'t, M: Recorded> Sums<'t, M> {
    pub fn new() -> Self {
        let (known, terms) = (BTreeMap::new(), 0);
        Self { known, terms }
    }

    /// The mechanism of these parameters, which `make` makes where it has not been made.
    ///
    /// # Errors
    /// That of `make`, and that of `refused` where there is too much to add up.
    pub fn get<E>(
        &mut self,
        parameters: &'t str,
        make: impl FnOnce() -> Result<M, E>,
        refused: impl FnOnce(&'static str) -> E,
    ) -> Result<M, E> {
        const MOST: u64 = 1 << 21;
        if let Some(known) = self.known.get(parameters) {
            return Ok(known.clone());
        }
        let mechanism = make()?;
        if mechanism.terms() > 0 {
            self.terms = self.terms.saturating_add(mechanism.terms());
            if self.terms > MOST {
                return Err(refused(
                    "so many mechanisms that differ take too long to verify: release by fewer, as with epsilons of two digits",
                ));
            }
            self.known.insert(parameters, mechanism.clone());
        }
        Ok(mechanism)
    }
}
