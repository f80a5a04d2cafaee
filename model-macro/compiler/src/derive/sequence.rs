//! Which entries of a latent must be updated one after another.
//!
//! Entries that meet in a term are not independent given the rest. If two uses of a latent in a term always
//! differ in some index, entries that agree in that index never meet, and can be updated together.

use crate::resolve::{LatentId, Model, Source};

/// Positions of the indices whose values are taken in sequence: the fewest, and among those the first, that
/// keep apart every two uses of `latent` in one term. None if no term uses it twice.
pub(super) fn positions(model: &Model, latent: LatentId) -> Vec<usize> {
    let mut pairs: Vec<Vec<usize>> = Vec::new();
    for (_, count) in model.all_counts() {
        for term in &count.terms {
            let uses: Vec<_> = term.factors.iter().filter(|f| f.of == Source::Latent(latent)).collect();
            for (j, second) in uses.iter().enumerate() {
                for first in &uses[..j] {
                    let both = first.vars.iter().zip(&second.vars).enumerate();
                    pairs.push(
                        both.filter(|(_, (a, b))| count.separates(**a, **b))
                            .map(|(p, _)| p)
                            .collect(),
                    );
                }
            }
        }
    }
    let rank = model.latents[latent.0].indices.len();
    let mut chosen: Vec<usize> = Vec::new();
    // Almost always one position keeps all pairs apart; if not, take those that do most, one by one.
    loop {
        let open: Vec<&Vec<usize>> = pairs
            .iter()
            .filter(|p| !p.iter().any(|at| chosen.contains(at)))
            .collect();
        if open.is_empty() {
            chosen.sort_unstable();
            return chosen;
        }
        let does = |at: usize| open.iter().filter(|p| p.contains(&at)).count();
        match (0..rank).max_by_key(|&at| (does(at), std::cmp::Reverse(at))) {
            Some(best) if does(best) > 0 => chosen.push(best),
            _ => unreachable!("uses that nothing keeps apart were refused"),
        }
    }
}
