//! Ranks of draws, turned into quantiles of the standard normal law.

use special::Error;

use super::workspace::Workspace;

/// Replaces values by `Phi^-1((rank - 3/8) / (n + 1/4))` (Blom 1958; Vehtari et al. 2021, equation 14), with the mean rank
/// for ties. A NaN makes all scores NaN.
pub fn normal_scores(values: &mut [f64], workspace: &mut Workspace) {
    let n = values.len();
    if values.iter().any(|x| x.is_nan()) {
        values.fill(f64::NAN);
        return;
    }
    let Workspace { order, scores, .. } = workspace;
    order.clear();
    order.extend(values.iter().copied().zip(0..));
    order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    // By twice the rank, which is whole.
    let scores = scores.entry(n).or_insert_with(|| vec![f64::NAN; 2 * n + 1]);
    let mut before = 0;
    for ties in order.chunk_by(|a, b| a.0 == b.0) {
        let twice_rank = 2 * before + ties.len() + 1;
        if scores[twice_rank].is_nan() {
            scores[twice_rank] = inverse_normal((twice_rank as f64 / 2.0 - 0.375) / (n as f64 + 0.25));
        }
        ties.iter().for_each(|&(_, at)| values[at] = scores[twice_rank]);
        before += ties.len();
    }
}

/// The quantile function of the standard normal law.
pub fn inverse_normal(probability: f64) -> f64 {
    std::f64::consts::SQRT_2 * (2.0 * probability - 1.0).inv_error()
}
