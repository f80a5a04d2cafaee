//! What a summary means, in sentences, and what to do.

use std::fmt;

use super::chains::{r_hat_limit, size_limit};
use super::summary::Row;

/// Largest R-hat of chains that agree, if they are long (Vehtari et al. 2021, section 4).
pub(super) const R_HAT: f64 = 1.01;

/// Effective draws that each chain should have, for the estimate itself and its error to be trusted (the same section).
const ESS_PER_CHAIN: usize = 100;

/// Draws of a chain below which nothing is said but that they are too few: autocorrelations of its halves are not known from fewer.
const FEWEST: usize = 40;

/// Probability of an alarm by R-hat where chains agree, over all quantities together; and that of one by effective draws where there are just enough.
const ALARMS: f64 = 0.01;

/// R-hat from which chains are far apart, and R-hat of the halves of a chain up to which it has settled.
const APART: f64 = 1.1;
const SETTLED: f64 = 1.05;

/// Effective draws that all chains together should have.
pub(super) fn needed(num_chains: usize) -> f64 {
    (ESS_PER_CHAIN * num_chains) as f64
}

/// A reason not to believe draws yet. Each names how many quantities it concerns and the worst of them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// Fewer than 40 draws: nothing else is said of them then, whatever the chains look like.
    TooFewDraws {
        /// Draws of each chain.
        draws: usize,
    },
    /// Nothing to compare the chain with.
    OneChain,
    /// Draws that are NaN or infinite.
    NotFinite {
        /// Quantities with such draws.
        quantities: usize,
        /// The first of them.
        name: String,
    },
    /// Each chain has settled, but not where the others have.
    ChainsApart {
        /// Quantities of which that is so.
        quantities: usize,
        /// The worst of them.
        name: String,
        /// Its R-hat.
        r_hat: f64,
    },
    /// R-hat above its limit.
    NotMixed {
        /// Quantities with such an R-hat.
        quantities: usize,
        /// The worst of them.
        name: String,
        /// Its R-hat.
        r_hat: f64,
        /// Its limit.
        limit: f64,
    },
    /// An effective sample size below 100 for each chain, by more than the error of its estimate.
    FewEffectiveDraws {
        /// Quantities with such a size, of bulk or tails.
        quantities: usize,
        /// The worst of them.
        name: String,
        /// Its smaller size.
        ess: f64,
        /// The size that it should have.
        needed: f64,
        /// By which factor more draws are needed at the present rate.
        factor: f64,
    },
}

/// Whether draws can be believed: all warnings of a summary, and what to do about them.
///
/// Of good fits at most one in fifty is warned of: limits allow for the number of draws and for the number of quantities, `q`.
///
/// - R-hat of a quantity may be what it is above with probability 0.01 / 2q in chains that agree and that move as slowly as these do within their halves, once for
///   the draws and once for their distances from the median; at least 1.01. That is 1.018 for each of 400 quantities with 4 x 250 independent draws, 1.057 where these are
///   worth 400, and 1.01 for a single one. The law is the F of Gelman and Rubin (1992), and the book's page on diagnostics has the formula.
/// - Effective draws should be 100 for each chain. A quantity has too few where one of three estimates from the halves alone (draws, lower and upper tail)
///   is below what it is below with probability 0.01 / 3q if there are just enough: 208 of 400 for 400 quantities, 261 for a single one.
/// - Below 40 draws of a chain nothing is said but that they are too few; below 100, effective draws are too few whatever their estimate.
///
/// `Display` writes a sentence or two for each, a line each.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    num_quantities: usize,
    warnings: Vec<Warning>,
    /// Whether chance has taken an R-hat above 1.01, or an effective sample size below 100 for each chain.
    by_chance: bool,
}

impl Verdict {
    /// Looks through the rows of a summary.
    pub(super) fn new(num_chains: usize, num_draws: usize, rows: &[Row]) -> Self {
        let mut warnings = Vec::new();
        if num_chains == 1 {
            warnings.push(Warning::OneChain);
        }
        let few = num_draws < FEWEST;
        if few {
            warnings.push(Warning::TooFewDraws { draws: num_draws });
        }
        warnings.extend(not_finite(rows));
        if !few {
            let limits = VerdictLimits::new(num_chains, num_draws, rows.len());
            warnings.extend(limits.chains_apart(rows));
            warnings.extend(limits.not_mixed(rows));
            warnings.extend(limits.few_effective_draws(rows));
        }
        Self {
            num_quantities: rows.len(),
            warnings,
            by_chance: rows.iter().any(|row| row.own.is_some()),
        }
    }

    /// All reasons for doubt, the graver first.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Whether there is no reason for doubt. It is not a proof: chains may all have missed the same mode.
    pub fn is_good(&self) -> bool {
        self.warnings.is_empty()
    }

    /// Whether chains are in different places, so that a mean over them describes none of them.
    pub fn chains_are_apart(&self) -> bool {
        self.warnings.iter().any(|w| matches!(w, Warning::ChainsApart { .. }))
    }
}

fn not_finite(rows: &[Row]) -> Option<Warning> {
    let found: Vec<&Row> = rows.iter().filter(|row| !row.mean.is_finite()).collect();
    found.first().map(|row| Warning::NotFinite {
        quantities: found.len(),
        name: row.name.clone(),
    })
}

/// What the rows of one summary are compared with.
struct VerdictLimits {
    num_chains: usize,
    num_draws: usize,
    needed: f64,
    /// What an estimate of that many effective draws is below by chance.
    fewest: f64,
    /// Probability that one quantity is above its limit of R-hat.
    chance: f64,
}

impl VerdictLimits {
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

    fn chains_apart(&self, rows: &[Row]) -> Option<Warning> {
        let (quantities, worst) = worst(rows.iter().filter(|row| self.is_apart(row)), |row| row.r_hat)?;
        Some(Warning::ChainsApart {
            quantities,
            name: worst.name.clone(),
            r_hat: worst.r_hat,
        })
    }

    fn not_mixed(&self, rows: &[Row]) -> Option<Warning> {
        let found = rows
            .iter()
            .filter(|row| row.r_hat > self.of(row) && !self.is_apart(row));
        let (quantities, worst) = worst(found, |row| row.r_hat)?;
        Some(Warning::NotMixed {
            quantities,
            name: worst.name.clone(),
            r_hat: worst.r_hat,
            limit: self.of(worst),
        })
    }

    fn few_effective_draws(&self, rows: &[Row]) -> Option<Warning> {
        // Chains that never leave their modes give no more effective draws when they are longer.
        let found = rows.iter().filter(|row| self.has_few(row) && !self.is_apart(row));
        let (quantities, worst) = worst(found, |row| -smaller(row))?;
        let ess = smaller(worst);
        Some(Warning::FewEffectiveDraws {
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

/// `3 quantities have` or `1 quantity has`.
fn having(quantities: usize) -> String {
    match quantities {
        1 => "1 quantity has".into(),
        n => format!("{n} quantities have"),
    }
}

/// A number and a smaller one, with as many digits as tell them apart: three, if they do.
fn told_apart(larger: f64, smaller: f64) -> [String; 2] {
    let shown = |digits: usize| [larger, smaller].map(|x| format!("{x:.digits$}"));
    let mut all = (3..17).map(shown);
    all.find(|[a, b]| a != b).unwrap_or_else(|| shown(17))
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewDraws { draws } => write!(
                f,
                "each chain has {draws} {}: that is too few, and nothing can be said of convergence from fewer than {FEWEST}; {ESS_PER_CHAIN} are \
                 needed, more where they depend on each other; draw {} times as long",
                if *draws == 1 { "draw" } else { "draws" },
                ESS_PER_CHAIN.div_ceil((*draws).max(1))
            ),
            Self::OneChain => write!(
                f,
                "there is one chain: it cannot show that another would end elsewhere; run 4 chains"
            ),
            Self::NotFinite { quantities, name } => write!(
                f,
                "{} draws that are NaN or infinite, first {name}: nothing can be said of them; bring hyperparameters and known arrays \
                 nearer to one",
                having(*quantities)
            ),
            Self::ChainsApart {
                quantities,
                name,
                r_hat,
            } => write!(
                f,
                "{} chains that each settled in a different place; the worst is {name}, with an R-hat of {r_hat:.2}: the chains are in \
                 different modes, so do not average them; look at each chain, align the components if they changed places, tune longer, or \
                 compare the modes by their log joint density",
                having(*quantities)
            ),
            Self::NotMixed {
                quantities,
                name,
                r_hat,
                limit,
            } => {
                let [r_hat, limit] = told_apart(*r_hat, *limit);
                write!(
                    f,
                    "{} an R-hat above what chance explains; the worst is {name}, with {r_hat} where {limit} is the limit: the chains have not \
                     reached the same distribution, so means and intervals are not yet those of the posterior; tune longer, then draw longer",
                    having(*quantities),
                )
            }
            Self::FewEffectiveDraws {
                quantities,
                name,
                ess,
                needed,
                factor,
            } => write!(
                f,
                "{} too few effective draws, where {needed:.0} are needed; the worst is {name}, with {:.0}: means, intervals and the \
                 diagnostics themselves are unreliable; draw about {:.0} times as long",
                having(*quantities),
                ess.floor(),
                factor.ceil().max(2.0)
            ),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.num_quantities == 0 && self.is_good() {
            return writeln!(f, "no quantity was looked at: convergence is unknown");
        }
        if self.is_good() && self.by_chance {
            return writeln!(
                f,
                "no sign of trouble: chains differ by no more than chance explains, and have effective draws enough"
            );
        }
        if self.is_good() {
            return writeln!(
                f,
                "no sign of trouble: every R-hat is at most {R_HAT}, and every chain has at least {ESS_PER_CHAIN} effective draws"
            );
        }
        for warning in &self.warnings {
            writeln!(f, "warning: {warning}")?;
        }
        Ok(())
    }
}
