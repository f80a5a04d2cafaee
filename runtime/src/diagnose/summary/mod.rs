//! A table of what chains say of many quantities, with ArviZ's columns.

mod display;
#[cfg(test)]
mod tests;

use super::DiagnoseError;
use super::chains::{Chains, Diagnosis, Own, Workspace, r_hat_within};
use super::doubt::Doubt;
use super::of_draws::{R_HAT, doubts, needed, verdict};

/// What the chains say of one quantity. Not rounded.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// The quantity.
    pub name: String,
    /// Mean over all chains and draws.
    pub mean: f64,
    /// Standard deviation over all chains and draws.
    pub sd: f64,
    /// Highest-density interval, `[low, high]`.
    pub hdi: [f64; 2],
    /// Monte Carlo standard error of the mean.
    pub mcse_mean: f64,
    /// Monte Carlo standard error of the standard deviation.
    pub mcse_sd: f64,
    /// Effective sample size of the bulk.
    pub ess_bulk: f64,
    /// Effective sample size of the tails.
    pub ess_tail: f64,
    /// Rank-normalised split R-hat. NaN for one chain and where all draws are equal.
    pub r_hat: f64,
    /// Where R-hat is above 1.01: the largest R-hat between the two halves of one chain. Near 1 it says that each chain has settled, and in
    /// different places.
    pub r_hat_within: Option<f64>,
    /// Where R-hat or an effective sample size misses its target: what the draws are worth by the autocorrelations of halves alone.
    pub(super) own: Option<Own>,
}

/// A table of means, intervals and convergence, a row for each quantity, in the order in which they were added. The columns are those of
/// `az.summary` of ArviZ 0.23, and so are the values, to a relative 1e-8; `Display` rounds as ArviZ does (effective sample sizes to whole numbers, R-hat
/// to two decimals, the rest to three).
///
/// ```
/// use skellam::diagnose::Summary;
///
/// // Two chains of four draws of each quantity.
/// let quantities = [
///     ("level", [0.3, 1.2, 0.8, 0.1, 0.5, 0.4, 0.9, 1.1]),
///     ("spread", [2.3, 2.2, 1.8, 2.1, 1.5, 2.4, 1.9, 2.2]),
/// ];
/// let summary = Summary::of(2, 4, quantities)?;
/// assert!(summary.get("spread").is_some_and(|row| (row.mean - 2.05).abs() < 1e-12));
/// println!("{summary}{}", summary.verdict());
/// # Ok::<(), skellam::diagnose::DiagnoseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Summary {
    num_chains: usize,
    num_draws: usize,
    most_shown: Option<usize>,
    rows: Vec<Row>,
}

impl Summary {
    /// A table without rows, for quantities with `num_draws` draws of each of `num_chains` chains, and 94 % intervals.
    ///
    /// # Errors
    /// There are no chains or no draws.
    pub fn new(num_chains: usize, num_draws: usize) -> Result<Self, DiagnoseError> {
        if num_chains == 0 || num_draws == 0 {
            return Err(DiagnoseError::NoDraws {
                chains: num_chains,
                draws: num_draws,
            });
        }
        Ok(Self {
            num_chains,
            num_draws,
            most_shown: None,
            rows: Vec::new(),
        })
    }

    /// The rows of named quantities, whose draws are `(chain, draw)`, row-major.
    ///
    /// # Errors
    /// There are no chains or no draws, or a quantity has another number of them.
    pub fn of<N: Into<String>, D: AsRef<[f64]>>(
        num_chains: usize,
        num_draws: usize,
        quantities: impl IntoIterator<Item = (N, D)>,
    ) -> Result<Self, DiagnoseError> {
        let mut summary = Self::new(num_chains, num_draws)?;
        let mut workspace = Workspace::default();
        for (name, draws) in quantities {
            summary.add(name.into(), draws.as_ref(), &mut workspace)?;
        }
        Ok(summary)
    }

    /// Adds a row.
    ///
    /// # Errors
    /// The draws are not as many as the chains and draws of the table.
    pub fn push(&mut self, name: impl Into<String>, draws: &[f64]) -> Result<(), DiagnoseError> {
        self.add(name.into(), draws, &mut Workspace::default())
    }

    /// Adds rows of quantities whose draws lie scattered, as those of one entry of a latent do. `fill(i, buffer)` writes the draws of the quantity with name i
    /// into the buffer, `(chain, draw)`, row-major. There is one buffer for all; a draw that is not written is NaN.
    ///
    /// # Errors
    /// None: the buffer has the size of the table.
    pub fn fill<N: Into<String>>(
        &mut self,
        names: impl IntoIterator<Item = N>,
        mut fill: impl FnMut(usize, &mut [f64]),
    ) -> Result<(), DiagnoseError> {
        let mut workspace = Workspace::default();
        let mut buffer = vec![0.0; self.num_chains * self.num_draws];
        for (i, name) in names.into_iter().enumerate() {
            buffer.fill(f64::NAN);
            fill(i, &mut buffer);
            self.add(name.into(), &buffer, &mut workspace)?;
        }
        Ok(())
    }

    /// Shows at most so many rows, the first ones. A line below says how many there are besides, and which of them is the worst.
    pub fn show_at_most(mut self, rows: usize) -> Self {
        self.most_shown = Some(rows);
        self
    }

    /// All rows, in the order in which they were added.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The first row of that name.
    pub fn get(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// The row of the largest R-hat; where no row has one, that of the smallest effective sample size. `None` where no row has either.
    pub fn worst(&self) -> Option<&Row> {
        worst(&self.rows)
    }

    /// Number of chains.
    pub fn num_chains(&self) -> usize {
        self.num_chains
    }

    /// Draws of each chain.
    pub fn num_draws(&self) -> usize {
        self.num_draws
    }

    /// All reasons not to believe the draws yet, the graver first. That there are none is no proof: chains may all have missed the same mode.
    pub fn doubts(&self) -> Vec<Doubt> {
        doubts(self.num_chains, self.num_draws, &self.rows)
    }

    /// What the table means for its reader: its doubts, each with what to do, or that there are none; a line each.
    pub fn verdict(&self) -> String {
        verdict(&self.doubts(), &self.rows)
    }

    fn add(&mut self, name: String, draws: &[f64], workspace: &mut Workspace) -> Result<(), DiagnoseError> {
        if draws.len() != self.num_chains * self.num_draws {
            let (given, chains, num_draws) = (draws.len(), self.num_chains, self.num_draws);
            return Err(DiagnoseError::Unfit(format!(
                "`{name}` has {given} draws: give {}, {num_draws} of each of {chains} chains",
                chains * num_draws
            )));
        }
        let chains = Chains::new(draws, self.num_chains)?;
        let Diagnosis {
            mean,
            sd,
            hdi,
            mcse_mean,
            mcse_sd,
            ess_bulk,
            ess_tail,
            r_hat,
        } = Diagnosis::of(chains, workspace);
        // Seldom the case where all is well: more transforms, by which the verdict tells chance from trouble.
        let misses = r_hat > R_HAT || ess_bulk.min(ess_tail) < needed(self.num_chains);
        self.rows.push(Row {
            name,
            mean,
            sd,
            hdi,
            mcse_mean,
            mcse_sd,
            ess_bulk,
            ess_tail,
            r_hat,
            r_hat_within: (r_hat > R_HAT).then(|| r_hat_within(chains, workspace)),
            own: misses.then(|| Own::of(chains, workspace)),
        });
        Ok(())
    }
}

/// Largest R-hat, else smallest effective sample size.
fn worst(rows: &[Row]) -> Option<&Row> {
    let with = |value: fn(&Row) -> f64| rows.iter().filter(move |row| !value(row).is_nan());
    let by_r_hat = with(|row| row.r_hat).max_by(|a, b| a.r_hat.total_cmp(&b.r_hat));
    by_r_hat.or_else(|| with(|row| row.ess_bulk).min_by(|a, b| a.ess_bulk.total_cmp(&b.ess_bulk)))
}
