//! Why a fit should not be believed, in sentences.

use std::fmt;

use super::ascent::{Beyond, Hidden};
use super::cavi_fit::CaviFit;
use super::fit::Collapse;
use super::gibbs_fit::GibbsFit;
use super::gibbs_run::Tuned;
use super::saved::About;
use super::stop::Ended;
use crate::diagnose::{Switching, Warning};
use crate::model::Unlearned;

/// A reason not to believe a fit, or not to the digits that it shows.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Doubt {
    /// The noise has explained the releases.
    Collapsed(Collapse),
    /// A known array is zero all along some values of an index, and a latent learns nothing there.
    Unlearned(Unlearned),
    /// Gibbs: what the draws themselves say.
    Draws(Warning),
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
    /// Gibbs: components changed places within a chain, before [`GibbsFit::aligned`] put every draw in order.
    Switched {
        /// The index set of the components.
        components: String,
        /// How often.
        switching: Switching,
    },
    /// Gibbs: [`GibbsFit::aligned`] saw the means of the chains alone, as draws were not kept.
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
    /// Noise hides so much of the level of the rates that its interval is less than half as wide as it should be.
    Narrow(Hidden),
    /// A chain of latents in time goes on beyond the data, and a variational posterior does not carry it on.
    Beyond(Beyond),
    /// No second start has reached the bound of the best one.
    StartsApart {
        /// Starts that were made.
        starts: usize,
        /// By how much the bound of the second best is lower.
        gap: f64,
    },
}

/// An interval that is too narrow by this factor is not to be used.
const NARROW: f64 = 2.0;
/// Starts whose bounds differ by less than this have found the same optimum: a factor of `e` in evidence decides nothing.
const SAME: f64 = 1.0;

impl Doubt {
    /// Whether it says that chains are not in the same place: a mean over them then describes none of them, and components have no common order.
    pub fn chains_differ(&self) -> bool {
        matches!(
            self,
            Doubt::Draws(Warning::ChainsApart { .. } | Warning::NotMixed { .. })
        )
    }

    pub(super) fn of_draws(fit: &GibbsFit) -> Vec<Self> {
        let in_tuning = (fit.left_out > 0).then(|| Self::InTuning {
            chains: fit.left_out,
            of: fit.settings.num_chains.unwrap_or(fit.left_out),
            ended: fit.ended(),
        });
        let verdict = fit.summary().verdict();
        let draws = verdict.warnings().iter().cloned().map(Self::Draws);
        // A chain that was on its way when its tuning ended may have arrived since: draws that are good show it.
        let moving = |tuned: &Tuned| tuned.still_moving && !verdict.is_good();
        let moving = fit.tuned().iter().enumerate().filter(|(_, tuned)| moving(tuned));
        let moving = moving.map(|(chain, &tuned)| Self::StillMoving { chain, tuned });
        let switched = fit.switching.iter().filter_map(|(components, switching)| {
            let components = components.clone();
            if switching.told_apart() == switching.moved().len() {
                return None;
            }
            if switching.num_draws() < fit.num_chains() * fit.num_draws() {
                return Some(Self::SwitchingUnseen { components });
            }
            // Between chains the order is another in almost every fit, and one order for all of them repairs that.
            let switching = (switching.within_chains() > 0).then(|| switching.clone())?;
            Some(Self::Switched { components, switching })
        });
        let collapsed = fit.collapse().map(Self::Collapsed);
        // What draws say of a collapsed fit, or of chains that never drew, follows from that.
        in_tuning
            .into_iter()
            .chain(collapsed)
            .chain(unlearned(&fit.about))
            .chain(draws)
            .chain(switched)
            .chain(moving)
            .collect()
    }

    pub(super) fn of(fit: &CaviFit) -> Vec<Self> {
        let collapsed = fit.collapse().map(Self::Collapsed);
        let unfinished = (!fit.converged()).then(|| Self::Unfinished {
            ended: fit.ended(),
            iterations: fit.iterations,
        });
        let narrow = fit.hidden().filter(|hidden| hidden.factor >= NARROW).map(Self::Narrow);
        let apart = gap(&fit.restarts)
            .filter(|gap| *gap >= SAME)
            .map(|gap| Self::StartsApart {
                starts: fit.restarts.len(),
                gap,
            });
        let beyond = fit.beyond.map(Self::Beyond);
        let others = [unfinished, narrow, beyond, apart].into_iter().flatten();
        collapsed
            .into_iter()
            .chain(unlearned(&fit.about))
            .chain(others)
            .collect()
    }
}

fn unlearned(about: &About) -> impl Iterator<Item = Doubt> {
    about.unlearned.iter().cloned().map(Doubt::Unlearned)
}

/// By how much the second best of some bounds is lower than the best.
fn gap(bounds: &[Option<f64>]) -> Option<f64> {
    let mut known: Vec<f64> = bounds.iter().copied().collect::<Option<_>>()?;
    known.sort_by(|a, b| b.total_cmp(a));
    Some(known.first()? - known.get(1)?)
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Collapsed(collapse) => write!(f, "{collapse}"),
            Self::Unlearned(unlearned) => write!(f, "{unlearned}"),
            Self::Draws(warning) => write!(f, "{warning}"),
            Self::StillMoving { chain, tuned } => write!(f, "chain {} {tuned}", chain + 1),
            Self::InTuning { chains, of, ended } if chains == of => write!(
                f,
                "the run ended ({ended}) while its chains were being tuned: the only draw of each is the place where it was, not \
                 a draw of the posterior; allow more time, or tune for fewer sweeps (`num_tune`)"
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
            Self::Narrow(Hidden { missing, factor }) => write!(
                f,
                "the noise hides {:.1} % of what the counts would say about the level of the rates, and a variational posterior \
                 does not know it: the interval of the level is at least {factor:.1} times too narrow, and the level itself can be \
                 off by more than that; use Gibbs",
                // Rounded down: all of it is never hidden.
                (missing * 1000.0).floor() / 10.0
            ),
            Self::Beyond(Beyond { latent, count, times }) => write!(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_best_bound_is_found() {
        assert_eq!(gap(&[Some(-5.0), Some(-2.0), Some(-2.5)]), Some(0.5));
        assert_eq!(gap(&[Some(-5.0)]), None);
        assert_eq!(gap(&[None]), None);
    }
}
