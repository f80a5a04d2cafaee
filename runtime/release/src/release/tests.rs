//! Chi-square goodness of fit of integer draws to the two-sided geometric law, for tests.

use special::Gamma;

/// Probability of a chi-square statistic at least as large as that of `draws` against
/// `P(x) = tanh(gamma / 2) exp(-gamma |x|)`.
///
/// The line is cut into bins of equal width, symmetric about zero except for the width of one bin, and two
/// open tails; the farthest bin expects a handful of draws, which is asserted.
pub(super) fn p_value(gamma: f64, draws: &[i128]) -> f64 {
    // A fifth of the scale a bin; one integer a bin where the noise is small.
    let width = (10.0 / gamma / 50.0).ceil().max(1.0) as i128;
    let reach = ((draws.len() as f64 / 80.0).ln() / gamma / width as f64).max(1.0) as i128;
    // `P(X >= x)` for x >= 1 is exp(-gamma x) / (1 + exp(-gamma)).
    let tail = |x: i128| (-gamma * x as f64).exp() / (1.0 + (-gamma).exp());
    let at_least = |x: i128| if x >= 1 { tail(x) } else { 1.0 - tail(1 - x) };
    let bin = |x: i128| x.div_euclid(width).clamp(-reach, reach);
    let mut seen = vec![0f64; 2 * reach as usize + 1];
    for &x in draws {
        seen[(bin(x) + reach) as usize] += 1.0;
    }
    let mut statistic = 0.0;
    for (slot, &count) in seen.iter().enumerate() {
        let low = slot as i128 - reach;
        let above = if low == -reach { 1.0 } else { at_least(low * width) };
        let beyond = if low == reach { 0.0 } else { at_least((low + 1) * width) };
        let expected = (above - beyond) * draws.len() as f64;
        assert!(expected > 5.0, "bin {low} of gamma {gamma} expects {expected}");
        statistic += (count - expected).powi(2) / expected;
    }
    let freedom = (seen.len() - 1) as f64;
    1.0 - (statistic / 2.0).inc_gamma(freedom / 2.0)
}

#[test]
fn the_statistic_of_known_values() {
    // With ten degrees of freedom the tail is exp(-x/2) times five terms of the exponential series
    // (Python, `math`), near the tables' five-per-cent point.
    let upper = 1.0 - (18.307f64 / 2.0).inc_gamma(5.0);
    assert!((upper - 0.05000058909139812).abs() < 1e-12);
}
