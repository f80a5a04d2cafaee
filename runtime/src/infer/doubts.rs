//! What a fit gives to doubt.

use super::cavi_fit::CaviFit;
use super::gibbs_fit::GibbsFit;
use super::saved::About;
use crate::diagnose::Doubt;
use crate::diagnose::run::Tuned;

/// An interval that is too narrow by this factor is not to be used.
const NARROW: f64 = 2.0;
/// Starts whose bounds differ by less than this have found the same optimum: a factor of `e` in evidence decides nothing.
const SAME: f64 = 1.0;

/// Those of a Gibbs fit, the graver first.
pub(super) fn of_gibbs(fit: &GibbsFit) -> Vec<Doubt> {
    let in_tuning = (fit.left_out > 0).then(|| Doubt::InTuning {
        chains: fit.left_out,
        of: fit.settings.num_chains.unwrap_or(fit.left_out),
        ended: fit.ended(),
    });
    let draws = fit.summary().doubts();
    let is_good = draws.is_empty();
    // A chain that was on its way when its tuning ended may have arrived since: draws that are good show it.
    let moving = |tuned: &Tuned| tuned.still_moving && !is_good;
    let moving = fit.tuned().iter().enumerate().filter(|(_, tuned)| moving(tuned));
    let moving = moving.map(|(chain, &tuned)| Doubt::StillMoving { chain, tuned });
    let switched = fit.switching.iter().filter_map(|(components, switching)| {
        let components = components.clone();
        if switching.told_apart() == switching.moved().len() {
            return None;
        }
        if switching.num_draws() < fit.num_chains() * fit.num_draws() {
            return Some(Doubt::SwitchingUnseen { components });
        }
        // Between chains the order is another in almost every fit, and one order for all of them repairs that.
        let switching = (switching.within_chains() > 0).then(|| switching.clone())?;
        Some(Doubt::Switched { components, switching })
    });
    let collapsed = fit.collapse.clone();
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

/// Those of a variational fit, the graver first.
pub(super) fn of_cavi(fit: &CaviFit) -> Vec<Doubt> {
    let collapsed = fit.collapse.clone();
    let unfinished = (!fit.converged()).then(|| Doubt::Unfinished {
        ended: fit.ended(),
        iterations: fit.iterations,
    });
    let narrow = fit.narrow.clone();
    let narrow = narrow.filter(|doubt| matches!(doubt, Doubt::Narrow { factor, .. } if *factor >= NARROW));
    let apart = gap(&fit.restarts)
        .filter(|gap| *gap >= SAME)
        .map(|gap| Doubt::StartsApart {
            starts: fit.restarts.len(),
            gap,
        });
    let beyond = fit.beyond.clone();
    let others = [unfinished, narrow, beyond, apart].into_iter().flatten();
    collapsed
        .into_iter()
        .chain(unlearned(&fit.about))
        .chain(others)
        .collect()
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
