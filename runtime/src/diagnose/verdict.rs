//! What a summary means, in sentences, and what to do.

use std::fmt;

use super::summary::Row;

/// Largest R-hat of chains that agree (Vehtari et al. 2021, section 4).
pub(super) const R_HAT: f64 = 1.01;

/// Effective draws that each chain should have, for the estimate itself and its error to be trusted (the same section).
const ESS_PER_CHAIN: f64 = 100.0;

/// R-hat from which chains are far apart, and R-hat of the halves of a chain up to which it has settled.
const APART: f64 = 1.1;
const SETTLED: f64 = 1.05;

/// A reason not to believe draws yet. Each names how many quantities it concerns and the worst of them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// Fewer draws than any diagnostic needs.
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
    /// R-hat above 1.01.
    NotMixed {
        /// Quantities with such an R-hat.
        quantities: usize,
        /// The worst of them.
        name: String,
        /// Its R-hat.
        r_hat: f64,
    },
    /// An effective sample size below 100 for each chain.
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
/// `Display` writes a sentence or two for each, a line each.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    num_quantities: usize,
    warnings: Vec<Warning>,
}

impl Verdict {
    /// Looks through the rows of a summary.
    pub(super) fn new(num_chains: usize, num_draws: usize, rows: &[Row]) -> Self {
        let mut warnings = Vec::new();
        if num_chains == 1 {
            warnings.push(Warning::OneChain);
        }
        if num_draws < 4 {
            warnings.push(Warning::TooFewDraws { draws: num_draws });
        }
        warnings.extend(not_finite(rows));
        warnings.extend(chains_apart(rows));
        warnings.extend(not_mixed(rows));
        warnings.extend(few_effective_draws(num_chains, rows));
        Self {
            num_quantities: rows.len(),
            warnings,
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

/// Whether each chain agrees with itself and not with the others. Chains that do not move at all have no R-hat within.
fn is_apart(row: &Row) -> bool {
    row.r_hat > APART
        && row
            .r_hat_within
            .is_some_and(|within| within.is_nan() || within <= SETTLED)
}

fn chains_apart(rows: &[Row]) -> Option<Warning> {
    let (quantities, worst) = worst(rows.iter().filter(|row| is_apart(row)), |row| row.r_hat)?;
    Some(Warning::ChainsApart {
        quantities,
        name: worst.name.clone(),
        r_hat: worst.r_hat,
    })
}

fn not_mixed(rows: &[Row]) -> Option<Warning> {
    let found = rows.iter().filter(|row| row.r_hat > R_HAT && !is_apart(row));
    let (quantities, worst) = worst(found, |row| row.r_hat)?;
    Some(Warning::NotMixed {
        quantities,
        name: worst.name.clone(),
        r_hat: worst.r_hat,
    })
}

fn few_effective_draws(num_chains: usize, rows: &[Row]) -> Option<Warning> {
    let needed = ESS_PER_CHAIN * num_chains as f64;
    let smaller = |row: &Row| row.ess_bulk.min(row.ess_tail);
    // Chains that never leave their modes give no more effective draws when they are longer.
    let found = rows.iter().filter(|row| smaller(row) < needed && !is_apart(row));
    let (quantities, worst) = worst(found, |row| -smaller(row))?;
    let ess = smaller(worst);
    Some(Warning::FewEffectiveDraws {
        quantities,
        name: worst.name.clone(),
        ess,
        needed,
        factor: needed / ess,
    })
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

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewDraws { draws } => write!(
                f,
                "each chain has {draws} {}: convergence cannot be judged from fewer than 4; draw longer",
                if *draws == 1 { "draw" } else { "draws" }
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
            } => write!(
                f,
                "{} an R-hat above {R_HAT}; the worst is {name}, with {}: the chains have not reached the same distribution, so means and \
                 intervals are not yet those of the posterior; tune longer, then draw longer",
                having(*quantities),
                // 1.012 would be shown as the limit itself.
                if *r_hat < 1.1 {
                    format!("{r_hat:.3}")
                } else {
                    format!("{r_hat:.2}")
                }
            ),
            Self::FewEffectiveDraws {
                quantities,
                name,
                ess,
                needed,
                factor,
            } => write!(
                f,
                "{} fewer than {needed:.0} effective draws; the worst is {name}, with {ess:.0}: means, intervals and the diagnostics \
                 themselves are unreliable; draw about {:.0} times as long",
                having(*quantities),
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
