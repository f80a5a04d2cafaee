//! Monte Carlo standard errors (Vehtari et al. 2021, section 4.4 and appendix B; Kenney and Keeping 1951 for the sd).

use special::Beta;

use super::workspace::{Sequences, Workspace};
use super::{Chains, effective, spread};

/// `sd / sqrt(ess)`.
pub fn mean(chains: Chains<'_>, workspace: &mut Workspace) -> f64 {
    chains.sd() / effective::mean(chains, workspace).sqrt()
}

/// The error of the variance, over `2 sd`; zero where the draws have no spread.
pub fn sd(chains: Chains<'_>, workspace: &mut Workspace) -> f64 {
    if !chains.can_be_diagnosed() {
        return f64::NAN;
    }
    let mean = chains.mean();
    let squares: Vec<f64> = chains.draws.iter().map(|x| (x - mean).powi(2)).collect();
    let variance = spread::mean(&squares);
    if variance == 0.0 {
        return 0.0;
    }
    let ess = effective::of(&Sequences::halves(&squares, chains.num_chains), workspace);
    let fourth = squares.iter().map(|s| s * s).sum::<f64>() / squares.len() as f64;
    let of_variance = (fourth - variance * variance) / ess;
    (of_variance / variance / 4.0).sqrt()
}

/// The quantile function of the beta law.
pub fn inverse_beta(probability: f64, a: f64, b: f64) -> f64 {
    probability.inv_inc_beta(a, b, a.ln_beta(b))
}
