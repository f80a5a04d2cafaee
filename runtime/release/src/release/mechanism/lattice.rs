//! Laplace noise on a lattice.

use rand::CryptoRng;
use rand::distr::Distribution;
use serde::{Deserialize, Serialize};

use super::{Mechanism, beyond};
use crate::channel::Laplace;
use crate::distribution::ParameterError;
use crate::release::{BudgetError, DiscreteLaplace, Lplp, Promise, Ratio, ReleaseError};

/// `y + z / 2^bits` with `P(z)` proportional to `exp(-gamma |z| / 2^bits)`: Laplace noise of scale `N / epsilon`, drawn on
/// the multiples of `2^-bits`, where its law is exact.
///
/// The usual Laplace noise in floating point has holes, and which ones tells the count (Mironov 2012). On a lattice that
/// every count lies on, each release is possible for each count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StatedLattice")]
pub struct LatticeLaplace {
    budget: Lplp,
    bits: u32,
    /// `gamma / 2^bits`.
    #[serde(skip_serializing)]
    step: Ratio,
}

/// The mechanism as a file states it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedLattice {
    budget: Lplp,
    bits: u32,
}

impl TryFrom<StatedLattice> for LatticeLaplace {
    type Error = BudgetError;

    fn try_from(StatedLattice { budget, bits }: StatedLattice) -> Result<Self, BudgetError> {
        Self::new(budget, bits)
    }
}

impl LatticeLaplace {
    /// The mechanism of the given budget on multiples of `2^-bits`, 0 to 20 bits.
    ///
    /// # Errors
    /// More bits, or `epsilon / (N 2^bits)` is not a ratio of 64-bit integers.
    pub fn new(budget: Lplp, bits: u32) -> Result<Self, BudgetError> {
        if bits > 20 {
            return Err(BudgetError::Noise(ParameterError::Bits(bits).to_string()));
        }
        let gamma = budget.gamma();
        let step = gamma.divided_by(1 << bits);
        let step = step.ok_or_else(|| BudgetError::too_fine(gamma, 1 << bits))?;
        Ok(Self { budget, bits, step })
    }

    /// The budget.
    pub fn budget(&self) -> Lplp {
        self.budget
    }

    /// Released values are multiples of `2^-bits`.
    pub fn bits(&self) -> u32 {
        self.bits
    }
}

impl Mechanism for LatticeLaplace {
    type Law = Laplace;

    fn law(&self) -> Result<Laplace, ReleaseError> {
        Laplace::new(1.0 / self.budget.gamma().to_f64(), self.bits).map_err(ReleaseError::Law)
    }

    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, rng: &mut R) -> Option<f64> {
        let noise: i128 = DiscreteLaplace::new(self.step).sample(rng);
        let steps = noise.checked_add(i128::from(count) << self.bits)?;
        // Exact as a double, and so is its quotient by a power of two.
        (steps.unsigned_abs() <= 1 << 53).then(|| steps as f64 / f64::from(1u32 << self.bits))
    }

    fn promise(&self) -> Promise {
        Promise::from(self.budget)
    }

    fn overflow(&self) -> f64 {
        beyond(self.step.to_f64(), self.bits)
    }
}
