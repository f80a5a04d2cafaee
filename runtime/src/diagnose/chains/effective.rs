//! Effective sample sizes (Vehtari et al. 2021, section 3.2 and 4), by Geyer's initial monotone sequence (Geyer 1992).

use rustfft::algorithm::Radix4;
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, Length};

use super::normal_scores::normal_scores;
use super::workspace::{Sequences, Workspace};
use super::{Chains, spread};

pub fn bulk(chains: Chains<'_>, workspace: &mut Workspace) -> f64 {
    if !chains.can_be_diagnosed() {
        return f64::NAN;
    }
    let mut halves = Sequences::halves(chains.draws, chains.num_chains);
    normal_scores(&mut halves.values, workspace);
    of(&halves, workspace)
}

pub fn tail(chains: Chains<'_>, workspace: &mut Workspace) -> f64 {
    tail_of_sorted(chains, &spread::sorted(chains.draws), workspace)
}

pub fn tail_of_sorted(chains: Chains<'_>, sorted: &[f64], workspace: &mut Workspace) -> f64 {
    let [low, high] = [0.05, 0.95].map(|p| at_quantile(chains, sorted, p, workspace));
    if high < low { high } else { low }
}

/// Of whether a draw lies below the quantile.
fn at_quantile(chains: Chains<'_>, sorted: &[f64], probability: f64, workspace: &mut Workspace) -> f64 {
    if !chains.can_be_diagnosed() {
        return f64::NAN;
    }
    let quantile = spread::quantile(sorted, probability);
    let mut halves = Sequences::halves(chains.draws, chains.num_chains);
    halves
        .values
        .iter_mut()
        .for_each(|x| *x = f64::from(u8::from(*x <= quantile)));
    of(&halves, workspace)
}

pub fn mean(chains: Chains<'_>, workspace: &mut Workspace) -> f64 {
    if !chains.can_be_diagnosed() {
        return f64::NAN;
    }
    of(&Sequences::halves(chains.draws, chains.num_chains), workspace)
}

/// The effective number of draws in several sequences (Vehtari et al. 2021, equation 10 and 11), at most `n log10 n` (ArviZ's
/// limit for antithetic chains). Sequences without any spread count in full.
pub fn of(sequences: &Sequences, workspace: &mut Workspace) -> f64 {
    let total = sequences.values.len() as f64;
    if sequences.values.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let (low, high) = sequences
        .values
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| {
            (low.min(x), high.max(x))
        });
    if high - low < 1e-15 {
        return total;
    }
    let covariances = mean_autocovariances(sequences, workspace);
    let n = sequences.length as f64;
    let within = covariances[0] * n / (n - 1.0);
    let means: Vec<f64> = sequences.iter().map(spread::mean).collect();
    let mut variance = within * (n - 1.0) / n;
    if sequences.count() > 1 {
        variance += spread::variance(&means);
    }
    match integrated_time(&covariances, within, variance) {
        Some(time) => total / time.max(1.0 / total.log10()),
        None => f64::NAN,
    }
}

/// The integrated autocorrelation time of sequences around means of their own, whatever lies between them; `None` where none of them moves.
pub fn own_time(sequences: &Sequences, workspace: &mut Workspace) -> Option<f64> {
    let covariances = mean_autocovariances(sequences, workspace);
    let variance = covariances[0];
    let time = integrated_time(&covariances, variance, variance)?;
    Some(time.max(1.0 / (sequences.values.len() as f64).log10()))
}

/// `-1 + 2 sum rho[t]`, truncated where a sum of two neighbours turns negative and smoothed to be monotone; `None` where an
/// autocorrelation is NaN.
fn integrated_time(covariances: &[f64], within: f64, variance: f64) -> Option<f64> {
    let n = covariances.len();
    let correlation = |lag: usize| 1.0 - (within - covariances[lag]) / variance;
    let mut rho = vec![0.0; n];
    let (mut even, mut odd) = (1.0, correlation(1));
    (rho[0], rho[1]) = (even, odd);
    // Initial positive sequence. `end` is the first lag after the pairs that were looked at.
    let mut end = 2;
    while end + 2 < n && even + odd > 0.0 {
        (even, odd) = (correlation(end), correlation(end + 1));
        if even + odd >= 0.0 {
            (rho[end], rho[end + 1]) = (even, odd);
        }
        end += 2;
    }
    // The last pair was negative, or there was no more: only a positive even lag of it counts, once.
    let last = end - 2;
    if even > 0.0 {
        rho[last] = even;
    }
    // Initial monotone sequence, on the pairs before.
    for at in (2..last.saturating_sub(1)).step_by(2) {
        let before = rho[at - 2] + rho[at - 1];
        if rho[at] + rho[at + 1] > before {
            (rho[at], rho[at + 1]) = (before / 2.0, before / 2.0);
        }
    }
    let time = -1.0 + 2.0 * rho[..last].iter().sum::<f64>() + rho[last];
    (!rho.iter().any(|r| r.is_nan())).then_some(time)
}

/// Autocovariance at every lag, with denominator n, averaged over the sequences: one inverse transform of the mean power
/// spectrum.
///
/// Two sequences go into one transform, as real and imaginary parts. What its power has besides the sum of both spectra is odd, so that it is
/// the imaginary part of the inverse. Of a real spectrum the inverse transform has the real part of the transform itself.
fn mean_autocovariances(sequences: &Sequences, workspace: &mut Workspace) -> Vec<f64> {
    let n = sequences.length;
    // Room for the lags not to wrap around.
    let room = (2 * n).next_power_of_two();
    let zero = Complex::new(0.0, 0.0);
    let transform = match &mut workspace.transform {
        Some(transform) if transform.len() == room => transform,
        other => other.insert(Radix4::new(room, FftDirection::Forward)),
    };
    let (series, power, scratch) = (&mut workspace.series, &mut workspace.power, &mut workspace.scratch);
    scratch.resize(transform.get_inplace_scratch_len(), zero);
    power.clear();
    power.resize(room, zero);
    for pair in sequences.values.chunks(2 * n) {
        series.clear();
        series.resize(room, zero);
        for (part, sequence) in pair.chunks_exact(n).enumerate() {
            let mean = spread::mean(sequence);
            for (to, x) in series.iter_mut().zip(sequence) {
                *(if part == 0 { &mut to.re } else { &mut to.im }) = x - mean;
            }
        }
        transform.process_with_scratch(series, scratch);
        power.iter_mut().zip(&*series).for_each(|(p, s)| p.re += s.norm_sqr());
    }
    transform.process_with_scratch(power, scratch);
    let scale = 1.0 / (room as f64 * n as f64 * sequences.count() as f64);
    power[..n].iter().map(|c| c.re * scale).collect()
}
