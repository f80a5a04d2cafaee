//! Convergence of chains: R-hat, effective sample sizes and Monte Carlo errors of one quantity.

mod chance;
mod effective;
mod normal_scores;
mod r_hat;
mod spread;
mod standard_error;
#[cfg(test)]
mod tests;
mod workspace;

pub(super) use chance::{Own, r_hat_limit, size_limit};
pub(super) use workspace::Workspace;

use super::DiagnoseError;

/// Draws of one scalar quantity by several chains: `(chain, draw)`, row-major.
///
/// The diagnostics are those of Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021, *Bayesian Analysis* 16(2)), computed in the
/// steps of ArviZ 0.23, whose values they reproduce to a relative 1e-8. They are NaN for fewer than four draws of a chain and where a draw
/// is NaN; [`r_hat`](Self::r_hat) also for one chain and for draws that are all equal. Standard errors of such draws are zero, where ArviZ has
/// zero or NaN for [`mcse_sd`](Self::mcse_sd) as its mean rounds.
///
/// ```
/// use skellam::diagnose::Chains;
///
/// // Two chains of four draws.
/// let draws = [0.3, -1.2, 0.8, 0.1, 0.5, -0.4, -0.9, 1.1];
/// let chains = Chains::new(&draws, 2)?;
/// assert!(chains.r_hat() < 1.1);
/// assert!((chains.mean() - 0.0375).abs() < 1e-12);
/// # Ok::<(), skellam::diagnose::DiagnoseError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Chains<'a> {
    draws: &'a [f64],
    num_chains: usize,
}

impl<'a> Chains<'a> {
    /// Draws of `num_chains` chains, one chain after the other, each of the same length.
    ///
    /// # Errors
    /// There are no draws, or they cannot be divided evenly among the chains.
    pub fn new(draws: &'a [f64], num_chains: usize) -> Result<Self, DiagnoseError> {
        if draws.is_empty() {
            return Err(DiagnoseError::Empty);
        }
        if num_chains == 0 || !draws.len().is_multiple_of(num_chains) {
            return Err(DiagnoseError::Uneven {
                draws: draws.len(),
                chains: num_chains,
            });
        }
        Ok(Self { draws, num_chains })
    }

    /// Number of chains.
    pub fn num_chains(&self) -> usize {
        self.num_chains
    }

    /// Draws of each chain.
    pub fn num_draws(&self) -> usize {
        self.draws.len() / self.num_chains
    }

    /// All draws, row-major.
    pub fn as_slice(&self) -> &'a [f64] {
        self.draws
    }

    /// Rank-normalised split R-hat: the larger of the values for the bulk and for the folded draws. Near 1 where the chains agree.
    /// How far above it chance may take it depends on the number of draws and of quantities: [`Summary::doubts`](super::Summary::doubts) allows for both.
    pub fn r_hat(&self) -> f64 {
        r_hat::rank_normalised(*self, &mut Workspace::default())
    }

    /// Effective sample size of the bulk: of the rank-normalised draws, by which the mean can be trusted.
    pub fn ess_bulk(&self) -> f64 {
        effective::bulk(*self, &mut Workspace::default())
    }

    /// Effective sample size of the tails: the smaller of those of the 5 % and the 95 % quantile, by which intervals can be trusted.
    pub fn ess_tail(&self) -> f64 {
        effective::tail(*self, &mut Workspace::default())
    }

    /// Effective sample size of the mean of the draws as they are.
    pub fn ess_mean(&self) -> f64 {
        effective::mean(*self, &mut Workspace::default())
    }

    /// Monte Carlo standard error of [`mean`](Self::mean).
    pub fn mcse_mean(&self) -> f64 {
        standard_error::mean(*self, &mut Workspace::default())
    }

    /// Monte Carlo standard error of [`sd`](Self::sd).
    pub fn mcse_sd(&self) -> f64 {
        standard_error::sd(*self, &mut Workspace::default())
    }

    /// Mean over all chains and draws.
    pub fn mean(&self) -> f64 {
        spread::mean(self.draws)
    }

    /// Standard deviation over all chains and draws, with denominator n - 1; NaN of a single draw.
    pub fn sd(&self) -> f64 {
        spread::sd(self.draws)
    }

    /// Quantile over all chains and draws, by linear interpolation (type 7 of Hyndman and Fan 1996). NaN where a draw is.
    ///
    /// # Errors
    /// The probability is not between 0 and 1.
    pub fn quantile(&self, probability: f64) -> Result<f64, DiagnoseError> {
        let probability = checked(probability)?;
        Ok(spread::quantile(&spread::sorted(self.draws), probability))
    }

    /// Highest-density interval `[low, high]` over all chains and draws: of the intervals between two draws that hold a share of
    /// `probability`, the shortest (the lowest of equally short ones). NaN where a draw is.
    ///
    /// # Errors
    /// The probability is not between 0 and 1.
    pub fn hdi(&self, probability: f64) -> Result<[f64; 2], DiagnoseError> {
        let probability = checked(probability)?;
        Ok(spread::hdi(&spread::sorted(self.draws), probability))
    }

    /// Whether the diagnostics exist.
    fn can_be_diagnosed(&self) -> bool {
        self.num_draws() >= 4 && !self.draws.iter().any(|x| x.is_nan())
    }

    /// One chain alone.
    pub(super) fn chain(&self, chain: usize) -> Self {
        let num = self.num_draws();
        Self {
            draws: &self.draws[chain * num..][..num],
            num_chains: 1,
        }
    }
}

/// A probability as the caller gave it, if it is one.
fn checked(probability: f64) -> Result<f64, DiagnoseError> {
    if (0.0..=1.0).contains(&probability) {
        Ok(probability)
    } else {
        Err(DiagnoseError::Probability { value: probability })
    }
}

/// Probability of the intervals of a summary.
const INTERVAL: f64 = 0.94;

/// A row of a summary, from as few passes over the draws as will do.
pub(super) struct Diagnosis {
    pub mean: f64,
    pub sd: f64,
    pub hdi: [f64; 2],
    pub mcse_mean: f64,
    pub mcse_sd: f64,
    pub ess_bulk: f64,
    pub ess_tail: f64,
    pub r_hat: f64,
}

impl Diagnosis {
    /// All that a summary shows. R-hat is folded around the median of all draws here, as in ArviZ's `summary`; [`Chains::r_hat`] leaves out the
    /// middle draw of an odd number, as ArviZ's `rhat` does.
    pub fn of(chains: Chains<'_>, workspace: &mut Workspace) -> Self {
        let sorted = spread::sorted(chains.draws);
        let (ess_bulk, r_hat) = r_hat::with_bulk(chains, spread::median(&sorted), workspace);
        Self {
            mean: chains.mean(),
            sd: chains.sd(),
            hdi: spread::hdi(&sorted, INTERVAL),
            mcse_mean: standard_error::mean(chains, workspace),
            mcse_sd: standard_error::sd(chains, workspace),
            ess_bulk,
            ess_tail: effective::tail_of_sorted(chains, &sorted, workspace),
            r_hat,
        }
    }
}

/// The largest R-hat between the two halves of one chain: far below that of all chains where each has settled, but elsewhere.
pub(super) fn r_hat_within(chains: Chains<'_>, workspace: &mut Workspace) -> f64 {
    (0..chains.num_chains)
        .map(|chain| r_hat::between_halves(chains.chain(chain), workspace))
        .fold(f64::NAN, f64::max)
}
