//! Rank-normalised split R-hat (Vehtari et al. 2021, section 3 and 4).

use super::normal_scores::normal_scores;
use super::workspace::{Sequences, Workspace};
use super::{Chains, effective, spread};

/// The larger of bulk and folded R-hat. The draws are folded around the median of the halves.
pub fn rank_normalised(chains: Chains<'_>, workspace: &mut Workspace) -> f64 {
    if chains.num_chains < 2 || !chains.can_be_diagnosed() {
        return f64::NAN;
    }
    between_halves(chains, workspace)
}

/// The same, also of one chain.
pub fn between_halves(chains: Chains<'_>, workspace: &mut Workspace) -> f64 {
    if !chains.can_be_diagnosed() {
        return f64::NAN;
    }
    let mut halves = Sequences::halves(chains.draws, chains.num_chains);
    let median = spread::median(&spread::sorted(&halves.values));
    let folded = folded(chains, median, workspace);
    normal_scores(&mut halves.values, workspace);
    split(&halves).max(folded)
}

/// The bulk effective sample size and R-hat, which share the normal scores. The draws are folded around `median`.
pub fn with_bulk(chains: Chains<'_>, median: f64, workspace: &mut Workspace) -> (f64, f64) {
    if !chains.can_be_diagnosed() {
        return (f64::NAN, f64::NAN);
    }
    let mut halves = Sequences::halves(chains.draws, chains.num_chains);
    normal_scores(&mut halves.values, workspace);
    let ess = effective::of(&halves, workspace);
    if chains.num_chains < 2 {
        return (ess, f64::NAN);
    }
    (ess, split(&halves).max(folded(chains, median, workspace)))
}

/// R-hat of the distances from the median, which sees chains that differ in width alone. NaN for a quantity of two equally frequent values:
/// then the bulk decides.
fn folded(chains: Chains<'_>, median: f64, workspace: &mut Workspace) -> f64 {
    let mut halves = Sequences::halves(chains.draws, chains.num_chains);
    halves.values.iter_mut().for_each(|x| *x = (*x - median).abs());
    normal_scores(&mut halves.values, workspace);
    split(&halves)
}

/// `sqrt((B / W + n - 1) / n)` of sequences of length n: B is n times the variance of their means, W the mean of their
/// variances (Vehtari et al. 2021, equations 1 to 4).
fn split(sequences: &Sequences) -> f64 {
    let n = sequences.length as f64;
    let means: Vec<f64> = sequences.iter().map(spread::mean).collect();
    let variances: Vec<f64> = sequences.iter().map(spread::variance).collect();
    let between = n * spread::variance(&means);
    ((between / spread::mean(&variances) + n - 1.0) / n).sqrt()
}
