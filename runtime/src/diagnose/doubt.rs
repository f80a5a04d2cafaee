//! Why a fit should not be believed, in sentences: one type for both engines.

use std::fmt;

use super::Switching;
use super::run::{Ended, Tuned};
use crate::model::Unlearned;

/// Draws of a chain below which nothing is said but that they are too few: autocorrelations of its halves are not known from fewer.
pub(super) const FEWEST: usize = 40;

/// Effective draws that each chain should have, for an estimate and its error to be trusted (Vehtari et al. 2021, section 4).
pub(super) const ESS_PER_CHAIN: usize = 100;

/// A reason not to believe a fit, or not to the digits that it shows. What is said of draws names how many quantities it concerns and the worst of them.
///
/// `Display` writes a sentence or two: what is wrong, and what to do.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Doubt {
    /// The noise has explained the releases: the fitted rates are far below what was observed on average.
    Collapsed {
        /// The count.
        count: &'static str,
        /// Mean of the fitted rates over all cells.
        mean_rate: f64,
        /// Mean of the observations.
        mean_observation: f64,
    },
    /// A known array is zero all along some values of an index, and a latent learns nothing there.
    Unlearned(Unlearned),
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
    /// Gibbs: a chain whose log joint density still moved when its tuning ended, and whose draws do not show that it has arrived since.
    StillMoving {
        /// Which chain, from 0.
        chain: usize,
        /// How it was tuned.
        tuned: Tuned,
    },
    /// Gibbs: the run ended while chains were being tuned, or had hardly begun to draw.
    InTuning {
        /// How many chains.
        chains: usize,
        /// Of how many.
        of: usize,
        /// Why the run ended.
        ended: Ended,
    },
    /// Gibbs: components changed places within a chain, before [`GibbsFit::aligned`](crate::infer::GibbsFit::aligned) put every draw in order.
    Switched {
        /// The index set of the components.
        components: String,
        /// How often.
        switching: Switching,
    },
    /// Gibbs: [`GibbsFit::aligned`](crate::infer::GibbsFit::aligned) saw the means of the chains alone, as draws were not kept.
    SwitchingUnseen {
        /// The index set of the components.
        components: String,
    },
    /// The tolerance was not met.
    Unfinished {
        /// Why the run ended.
        ended: Ended,
        /// Iterations that were made.
        iterations: usize,
    },
    /// Noise hides so much of the level of the rates that a variational interval of it is less than half as wide as it should be.
    ///
    /// Given the true counts, the level of a latent with prior shapes that add up to `A` and `N` expected counts has the
    /// information `A + N`, and this is what its variational posterior has. Given what was observed, the information is
    /// `A + (1 - missing) N` (Louis 1982, *Finding the observed information matrix when using the EM algorithm*).
    Narrow {
        /// The share of the information in the counts that the noise hides, from 0 to 1.
        missing: f64,
        /// By which factor the interval of the level is too narrow, at least.
        factor: f64,
    },
    /// A latent follows from earlier times, and no count has observations at the last of them: a variational posterior does not carry a chain on.
    ///
    /// A factorised posterior has each of the later values at its best beside the means of its neighbours. That is not the prior given the time
    /// before, by which a forecast moves on: means stay where they are, and intervals as wide.
    Beyond {
        /// The latent.
        latent: &'static str,
        /// A count whose rate has it.
        count: &'static str,
        /// How many times, of the series that has most of them.
        times: usize,
    },
    /// No second start has reached the bound of the best one.
    StartsApart {
        /// Starts that were made.
        starts: usize,
        /// By how much the bound of the second best is lower.
        gap: f64,
    },
}

impl Doubt {
    /// A fit has collapsed when its mean rate is below this fraction of the mean observation.
    const FRACTION: f64 = 1.0 / 3.0;
    /// A mean observation within this many standard errors of zero says nothing.
    const ERRORS: f64 = 4.0;

    /// Whether the fit of a count has collapsed.
    pub(crate) fn of_collapse(
        count: &'static str,
        mean_rate: f64,
        mean_observation: f64,
        standard_error: f64,
    ) -> Option<Self> {
        let telling = mean_observation > Self::ERRORS * standard_error;
        (telling && mean_rate < Self::FRACTION * mean_observation).then_some(Self::Collapsed {
            count,
            mean_rate,
            mean_observation,
        })
    }

    /// Whether it is about the draws of a Gibbs fit, and not about its model or its run.
    pub fn is_of_draws(&self) -> bool {
        matches!(
            self,
            Self::TooFewDraws { .. }
                | Self::OneChain
                | Self::NotFinite { .. }
                | Self::ChainsApart { .. }
                | Self::NotMixed { .. }
                | Self::FewEffectiveDraws { .. }
        )
    }
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

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collapsed {
                count,
                mean_rate,
                mean_observation,
            } => write!(
                f,
                "the fit of `{count}` has collapsed: its mean rate is {mean_rate:.3e} where the mean release is {mean_observation:.3e}. At this noise, \
             explaining every release as noise scores best, from any start; restarts will not help. Give priors whose rates are as large as \
             the counts; in place of a variational fit try Gibbs, which averages over explanations instead of choosing one; or use a release \
             with a larger epsilon / N"
            ),
            Self::Unlearned(unlearned) => write!(f, "{unlearned}"),
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
            Self::StillMoving { chain, tuned } => write!(f, "chain {} {tuned}", chain + 1),
            Self::InTuning { chains, of, ended } if chains == of => write!(
                f,
                "the run ended ({ended}) while its chains were being tuned: the only draw of each is the place where it was, not \
                 a draw of the posterior; allow more time, or tune for fewer sweeps (`num_tune`; `--tune`)"
            ),
            Self::InTuning { chains, of, ended } => write!(
                f,
                "the run ended ({ended}) when {chains} of {of} chains had no draws yet, or fewer than half of those of another: they were \
                 left out, and the others are numbered anew; allow more time"
            ),
            Self::Switched { components, switching } => write!(
                f,
                "`{components}`, {switching}; here every draw was put in order by itself: read the components of this fit, and of those \
                 that change places often nothing but rates"
            ),
            Self::SwitchingUnseen { components } => write!(
                f,
                "whether components of `{components}` changed places within a chain is not known: draws of their latents were not kept, \
                 and chains were put in order by their means; keep draws (`Kept::Draws`), or read rates alone"
            ),
            Self::Unfinished { ended, iterations } => write!(
                f,
                "the fit was still moving when the run ended after {iterations} iterations ({ended}): {}",
                match ended {
                    Ended::TimeLimit => "allow more time (`time_limit`)",
                    Ended::Interrupted => "run it to its end",
                    _ => "raise `max_iters`",
                }
            ),
            Self::Narrow { missing, factor } => write!(
                f,
                "the noise hides {:.1} % of what the counts would say about the level of the rates, and a variational posterior \
                 does not know it: the interval of the level is at least {factor:.1} times too narrow, and the level itself can be \
                 off by more than that; use Gibbs",
                // Rounded down: all of it is never hidden.
                (missing * 1000.0).floor() / 10.0
            ),
            Self::Beyond { latent, count, times } => write!(
                f,
                "`{latent}` follows from earlier times, and `{count}` has no observations at {}: a variational posterior does not carry a \
                 chain on, so that its predictions there stay near those of the last time that was seen, with intervals that do not \
                 widen; forecast with Gibbs",
                match times {
                    1 => "the last of them".to_owned(),
                    times => format!("the last {times} of them"),
                }
            ),
            Self::StartsApart { starts, gap } => write!(
                f,
                "none of the other {} starts has reached the bound of the best one; the second best is lower by {gap:.1}: the posterior \
                 has several modes, and there may be a better one than this; make more starts (`num_restarts`), some \
                 of them from chains (`CaviStart::Sampled`), or compare with Gibbs",
                starts - 1
            ),
        }
    }
}
