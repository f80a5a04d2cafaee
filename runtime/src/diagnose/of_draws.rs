//! What the rows of a summary give to doubt.

use super::chains::{r_hat_limit, size_limit};
use super::doubt::{Doubt, ESS_PER_CHAIN, FEWEST};
use super::summary::Row;

/// Largest R-hat of chains that agree, if they are long (Vehtari et al. 2021, section 4).
pub(super) const R_HAT: f64 = 1.01;

/// Probability of an alarm by R-hat where chains agree, over all quantities together; and that of one by effective draws where there are just enough.
const ALARMS: f64 = 0.01;

/// R-hat from which chains are far apart, and R-hat of the halves of a chain up to which it has settled.
const APART: f64 = 1.1;
const SETTLED: f64 = 1.05;

/// Effective draws that all chains together should have.
pub(super) fn needed(num_chains: usize) -> f64 {
    (ESS_PER_CHAIN * num_chains) as f64
}

/// All reasons to doubt the rows of a summary, the graver first.
///
/// Of good fits at most one in fifty is doubted: limits allow for the number of draws and for the number of quantities, `q`.
///
/// - R-hat of a quantity may be what it is above with probability 0.01 / 2q in chains that agree and that move as slowly as these do within their halves, once for
///   the draws and once for their distances from the median; at least 1.01. That is 1.018 for each of 400 quantities with 4 x 250 independent draws, 1.057 where these are
///   worth 400, and 1.01 for a single one. The law is the F of Gelman and Rubin (1992), and the book's page on diagnostics has the formula.
/// - Effective draws should be 100 for each chain. A quantity has too few where one of three estimates from the halves alone (draws, lower and upper tail)
///   is below what it is below with probability 0.01 / 3q if there are just enough: 208 of 400 for 400 quantities, 261 for a single one.
/// - Below 40 draws of a chain nothing is said but that they are too few; below 100, effective draws are too few whatever their estimate.
pub(super) fn doubts(num_chains: usize, num_draws: usize, rows: &[Row]) -> Vec<Doubt> {
    let mut doubts = Vec::new();
    if num_chains == 1 {
        doubts.push(Doubt::OneChain);
    }
    let few = num_draws < FEWEST;
    if few {
        doubts.push(Doubt::TooFewDraws { draws: num_draws });
    }
    doubts.extend(not_finite(rows));
    if !few {
        let limits = DrawLimits::new(num_chains, num_draws, rows.len());
        doubts.extend(limits.chains_apart(rows));
        doubts.extend(limits.not_mixed(rows));
        doubts.extend(limits.few_effective_draws(rows));
    }
    doubts
}

/// Doubts, or that there are none, a line each.
pub(super) fn verdict(doubts: &[Doubt], rows: &[Row]) -> String {
    if !doubts.is_empty() {
        return doubts.iter().map(|doubt| format!("warning: {doubt}\n")).collect();
    }
    // Whether chance has taken an R-hat above 1.01, or an effective sample size below 100 for each chain.
    let by_chance = rows.iter().any(|row| row.own.is_some());
    match (rows.is_empty(), by_chance) {
        (true, _) => "no quantity was looked at: convergence is unknown\n".to_owned(),
        (false, true) => {
            "no sign of trouble: chains differ by no more than chance explains, and have effective draws enough\n"
                .to_owned()
        }
        (false, false) => format!(
            "no sign of trouble: every R-hat is at most {R_HAT}, and every quantity has at least {ESS_PER_CHAIN} times as many effective draws as there are chains\n"
        ),
    }
}

fn not_finite(rows: &[Row]) -> Option<Doubt> {
    let found: Vec<&Row> = rows.iter().filter(|row| !row.mean.is_finite()).collect();
    found.first().map(|row| Doubt::NotFinite {
        quantities: found.len(),
        name: row.name.clone(),
    })
}

/// What the rows of one summary are compared with.
struct DrawLimits {
    num_chains: usize,
    num_draws: usize,
    needed: f64,
    /// What an estimate of that many effective draws is below by chance.
    fewest: f64,
    /// Probability that one quantity is above its limit of R-hat.
    chance: f64,
}

impl DrawLimits {
    fn new(num_chains: usize, num_draws: usize, quantities: usize) -> Self {
        let needed = needed(num_chains);
        let each = ALARMS / quantities.max(1) as f64;
        Self {
            num_chains,
            num_draws,
            needed,
            fewest: size_limit(needed, each / 3.0),
            chance: each / 2.0,
        }
    }

    /// What R-hat of draws that are worth so many may be.
    fn by_chance(&self, effective: f64) -> f64 {
        r_hat_limit(2 * self.num_chains, self.num_draws / 2, effective, self.chance).max(R_HAT)
    }

    /// What R-hat of a row may be. Of chains that are too slow to be judged by their own draws, chance explains everything: there it may be that of fast ones,
    /// or that of chains which are not far apart.
    fn of(&self, row: &Row) -> f64 {
        let Some(own) = row.own else {
            return R_HAT;
        };
        let limit = self.by_chance(own.scores);
        if own.fewest < self.fewest {
            let independent = (self.num_chains * self.num_draws) as f64;
            limit.min(self.by_chance(independent).max(APART))
        } else {
            limit
        }
    }

    /// Whether each chain agrees with itself and not with the others, beyond chance. Chains that do not move at all have no R-hat within.
    fn is_apart(&self, row: &Row) -> bool {
        row.r_hat > APART
            && row.own.is_some_and(|own| row.r_hat > self.by_chance(own.scores))
            && row
                .r_hat_within
                .is_some_and(|within| within.is_nan() || within <= SETTLED)
    }

    fn has_few(&self, row: &Row) -> bool {
        smaller(row) < self.needed
            && (self.num_draws < ESS_PER_CHAIN || row.own.is_some_and(|own| own.fewest < self.fewest))
    }

    fn chains_apart(&self, rows: &[Row]) -> Option<Doubt> {
        let (quantities, worst) = worst(rows.iter().filter(|row| self.is_apart(row)), |row| row.r_hat)?;
        Some(Doubt::ChainsApart {
            quantities,
            name: worst.name.clone(),
            r_hat: worst.r_hat,
        })
    }

    fn not_mixed(&self, rows: &[Row]) -> Option<Doubt> {
        let found = rows
            .iter()
            .filter(|row| row.r_hat > self.of(row) && !self.is_apart(row));
        let (quantities, worst) = worst(found, |row| row.r_hat)?;
        Some(Doubt::NotMixed {
            quantities,
            name: worst.name.clone(),
            r_hat: worst.r_hat,
            limit: self.of(worst),
        })
    }

    fn few_effective_draws(&self, rows: &[Row]) -> Option<Doubt> {
        // Chains that never leave their modes give no more effective draws when they are longer.
        let found = rows.iter().filter(|row| self.has_few(row) && !self.is_apart(row));
        let (quantities, worst) = worst(found, |row| -smaller(row))?;
        let ess = smaller(worst);
        Some(Doubt::FewEffectiveDraws {
            quantities,
            name: worst.name.clone(),
            ess,
            needed: self.needed,
            factor: self.needed / ess,
        })
    }
}

fn smaller(row: &Row) -> f64 {
    row.ess_bulk.min(row.ess_tail)
}

/// How many rows, and which has the largest badness.
fn worst<'a>(rows: impl Iterator<Item = &'a Row>, badness: impl Fn(&Row) -> f64) -> Option<(usize, &'a Row)> {
    let rows: Vec<&Row> = rows.collect();
    let worst = rows.iter().max_by(|a, b| badness(a).total_cmp(&badness(b)))?;
    Some((rows.len(), worst))
}
