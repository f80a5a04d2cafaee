//! How far chains that agree stray by chance: what R-hat and effective sample sizes are compared with.
//!
//! Let `m` sequences of `n` draws, the halves of all chains, have one stationary law, and let `tau` be the integrated autocorrelation time of their
//! normal scores, so that a sequence is worth `e = n / tau` independent draws. Its mean then has the variance `s^2 / e`, where `s^2` is that of
//! a draw, and `B / W` of R-hat (Vehtari et al. 2021, equations 1 to 4) is `tau` times a ratio of two estimates of one variance: `F` with `m - 1` degrees
//! of freedom above, as Gelman and Rubin (1992) have it. Below stand those of the estimate of `tau`, whose relative variance is `(4 w + 2) / (m n)` if
//! `w` autocorrelations are added up (Madras and Sokal 1988, appendix C); about `3 tau` of them are, so it is that of a chi-square over its
//! `m e / 6` degrees of freedom. Since `R-hat^2 = 1 + (B / W - 1) / n`, chains that agree have with probability `1 - p` an
//!
//! ```text
//! R-hat^2 < 1 + F(1 - p; m - 1, m e / 6) / e - 1 / n
//! ```
//!
//! `tau` is estimated from the autocorrelations *within* sequences: were it taken from [`bulk`](super::effective::bulk), which counts distances between
//! chains as autocorrelation, chains that are apart would explain themselves. Distances are those from the mean of a sequence, which makes an estimate too
//! small by a factor of about `1 + 4 tau / n`, and it is multiplied by that. Of 60,000 sets of autoregressive chains each (4 x 250, 4 x 1000, 4 x 100 and 2 x 250 draws, `e` from 6
//! to 125) a share of 0.5 to 1.1 of `p` was above the limit at `p` of 0.01 and 0.001, and at most `p` at 0.0001.

use super::normal_scores::{inverse_normal, normal_scores};
use super::standard_error::inverse_beta;
use super::workspace::{Sequences, Workspace};
use super::{Chains, effective, spread};

/// What draws are worth by the autocorrelations within the halves of chains alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Own {
    /// Effective draws of all halves: the fewer of the normal scores and of those of the distances from the median.
    pub scores: f64,
    /// The fewest of these and of whether a draw is below the 5 % and below the 95 % quantile.
    pub fewest: f64,
}

impl Own {
    pub fn of(chains: Chains<'_>, workspace: &mut Workspace) -> Self {
        let sorted = spread::sorted(chains.draws);
        let median = spread::median(&sorted);
        let mut size = |scored: bool, of: &dyn Fn(f64) -> f64| {
            let mut halves = Sequences::halves(chains.draws, chains.num_chains);
            halves.values.iter_mut().for_each(|x| *x = of(*x));
            if scored {
                normal_scores(&mut halves.values, workspace);
            }
            size(&halves, workspace)
        };
        let scores = size(true, &|x| x).min(size(true, &|x| (x - median).abs()));
        let tails = [0.05, 0.95].map(|p| {
            let quantile = spread::quantile(&sorted, p);
            size(false, &|x| f64::from(u8::from(x <= quantile)))
        });
        Self {
            scores,
            fewest: tails.into_iter().fold(scores, f64::min),
        }
    }
}

/// Effective draws of all sequences by their own autocorrelations. Sequences that do not move count in full.
fn size(sequences: &Sequences, workspace: &mut Workspace) -> f64 {
    let (total, n) = (sequences.values.len() as f64, sequences.length as f64);
    match effective::own_time(sequences, workspace) {
        Some(time) => total / (time * (1.0 + 4.0 * time / n)),
        None => total,
    }
}

/// Degrees of freedom of an estimated autocorrelation time.
fn freedom(effective: f64) -> f64 {
    (effective / 6.0).max(1.0)
}

/// What R-hat of chains that agree is above with this probability: of `sequences` of `length` draws that are worth `effective` draws all together.
pub fn r_hat_limit(sequences: usize, length: usize, effective: f64, probability: f64) -> f64 {
    let (above, below) = (sequences as f64 - 1.0, freedom(effective));
    let beta = inverse_beta(probability, below / 2.0, above / 2.0);
    let f = below / above * (1.0 - beta) / beta;
    (1.0 + f * sequences as f64 / effective - 1.0 / length as f64).sqrt()
}

/// What the estimate of an effective size of `size` is below with this probability: `size` over a chi-square over its degrees of freedom, by the cube root that is nearly
/// normal (Wilson and Hilferty 1931).
pub fn size_limit(size: f64, probability: f64) -> f64 {
    let variance = 2.0 / (9.0 * freedom(size));
    let root = 1.0 - variance - inverse_normal(probability) * variance.sqrt();
    size / root.powi(3)
}
