//! How well a fit predicts what it has not seen, from the log likelihood of what it has: WAIC and leave-one-out.

use std::fmt;

use super::Chains;
use super::psis::{ln_sum_exp, smoothed};

/// The log likelihood of some observations of one count at every kept draw, through its channel, the true counts summed out. An observation is a cell, or a whole
/// line where the counts of a line have a known total.
///
/// `Declared::log_likelihood` makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLikelihood {
    count: &'static str,
    /// The index of each observation; that of a line is the one of its first cell.
    units: Vec<Vec<usize>>,
    num_chains: usize,
    /// (chain, draw, observation), row-major.
    values: Vec<f64>,
}

impl LogLikelihood {
    /// All observations of a count are given where they take at most so many bytes.
    pub const MOST: usize = 128 << 20;

    pub(crate) fn new(count: &'static str, units: Vec<Vec<usize>>, num_chains: usize, values: Vec<f64>) -> Self {
        Self {
            count,
            units,
            num_chains,
            values,
        }
    }

    /// The count.
    pub fn count(&self) -> &'static str {
        self.count
    }

    /// The index of each observation; that of a line is the one of its first cell.
    pub fn units(&self) -> &[Vec<usize>] {
        &self.units
    }

    /// Number of chains.
    pub fn num_chains(&self) -> usize {
        self.num_chains
    }

    /// Draws of each chain.
    pub fn num_draws(&self) -> usize {
        self.values.len() / (self.num_chains * self.units.len()).max(1)
    }

    /// All values, (chain, draw, observation), row-major.
    pub fn as_slice(&self) -> &[f64] {
        &self.values
    }

    /// The values of one observation, (chain, draw).
    pub fn of(&self, unit: usize) -> Vec<f64> {
        self.values
            .iter()
            .skip(unit)
            .step_by(self.units.len())
            .copied()
            .collect()
    }

    /// The widely applicable information criterion of these observations (Watanabe 2010).
    pub fn waic(&self) -> Waic {
        let mut moments = RunningWaic::new(self.units.len());
        self.values
            .chunks_exact(self.units.len().max(1))
            .for_each(|draw| moments.add(draw));
        moments.finish()
    }

    /// Leave-one-out prediction of each of these observations by Pareto-smoothed importance sampling (Vehtari, Gelman and Gabry 2017). `relative_efficiency` is what a draw
    /// is worth, by which the tail is chosen that is smoothed; `None` takes that of the likelihood of each observation.
    pub fn loo(&self, relative_efficiency: Option<f64>) -> Loo {
        let draws = self.num_chains * self.num_draws();
        let mut out = Loo {
            elpd: Vec::with_capacity(self.units.len()),
            pareto_k: Vec::with_capacity(self.units.len()),
            lppd: 0.0,
            draws,
        };
        for unit in 0..self.units.len() {
            let ln = self.of(unit);
            let efficiency = relative_efficiency.unwrap_or_else(|| self.relative_efficiency(&ln));
            let (mut weights, k) = smoothed(ln.iter().map(|x| -x).collect(), efficiency);
            weights.iter_mut().zip(&ln).for_each(|(weight, ln)| *weight += ln);
            out.elpd.push(ln_sum_exp(&weights));
            out.pareto_k.push(k);
            out.lppd += ln_sum_exp(&ln) - (draws as f64).ln();
        }
        out
    }

    /// What a draw is worth for the mean of a likelihood, at most one; one where that is not known.
    fn relative_efficiency(&self, ln: &[f64]) -> f64 {
        let largest = ln.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let likelihood: Vec<f64> = ln.iter().map(|x| (x - largest).exp()).collect();
        let worth = Chains::new(&likelihood, self.num_chains).map_or(f64::NAN, |chains| chains.ess_mean());
        match worth / ln.len() as f64 {
            share if share > 0.0 => share.min(1.0),
            _ => 1.0,
        }
    }
}

/// Moments of log likelihoods over draws: a few numbers for each observation, however many draws there are.
#[derive(Clone, Debug)]
pub(crate) struct RunningWaic {
    draws: f64,
    /// The largest log likelihood so far, and the sum of all likelihoods over it.
    largest: Vec<f64>,
    sum: Vec<f64>,
    /// Mean, and sum of squared deviations, of the log likelihoods.
    mean: Vec<f64>,
    squares: Vec<f64>,
}

impl RunningWaic {
    /// No draw so far, of so many observations.
    pub(crate) fn new(units: usize) -> Self {
        Self {
            draws: 0.0,
            largest: vec![f64::NEG_INFINITY; units],
            sum: vec![0.0; units],
            mean: vec![0.0; units],
            squares: vec![0.0; units],
        }
    }

    /// Adds the log likelihoods at one draw.
    pub(crate) fn add(&mut self, draw: &[f64]) {
        self.draws += 1.0;
        for (i, &ln) in draw.iter().enumerate() {
            if ln > self.largest[i] {
                self.sum[i] = self.sum[i] * (self.largest[i] - ln).exp() + 1.0;
                self.largest[i] = ln;
            } else if ln > f64::NEG_INFINITY {
                self.sum[i] += (ln - self.largest[i]).exp();
            }
            let off = ln - self.mean[i];
            self.mean[i] += off / self.draws;
            self.squares[i] += off * (ln - self.mean[i]);
        }
    }

    /// The criterion.
    pub(crate) fn finish(self) -> Waic {
        let of = |i: usize| {
            let ln_mean = self.largest[i] + (self.sum[i] / self.draws).ln();
            [ln_mean, self.squares[i] / self.draws]
        };
        let units: Vec<[f64; 2]> = (0..self.mean.len()).map(of).collect();
        Waic {
            elpd: units.iter().map(|[ln_mean, variance]| ln_mean - variance).collect(),
            p: units.iter().map(|[_, variance]| *variance).collect(),
        }
    }
}

/// A score that is a sum over observations.
pub trait Elpd {
    /// What each observation adds.
    fn pointwise(&self) -> &[f64];

    /// The expected log predictive density of new data of the same size, on the scale of log probabilities: the larger the better.
    fn elpd(&self) -> f64 {
        self.pointwise().iter().sum()
    }

    /// The standard error of [`Elpd::elpd`] over observations.
    fn standard_error(&self) -> f64 {
        error_of_sum(self.pointwise().iter().copied())
    }

    /// How much more it is than that of another fit of the same observations, and the standard error of the difference; `None` where their numbers differ.
    fn difference(&self, other: &Self) -> Option<[f64; 2]> {
        let (own, others) = (self.pointwise(), other.pointwise());
        let pairs = || own.iter().zip(others).map(|(a, b)| a - b);
        (own.len() == others.len()).then(|| [pairs().sum(), error_of_sum(pairs())])
    }
}

fn error_of_sum(values: impl ExactSizeIterator<Item = f64> + Clone) -> f64 {
    let n = values.len() as f64;
    let mean = values.clone().sum::<f64>() / n;
    values.map(|x| (x - mean).powi(2)).sum::<f64>().sqrt()
}

/// The widely applicable information criterion: the log of the mean likelihood of each observation, less the variance of its log likelihood.
#[derive(Clone, Debug, PartialEq)]
pub struct Waic {
    elpd: Vec<f64>,
    p: Vec<f64>,
}

impl Elpd for Waic {
    fn pointwise(&self) -> &[f64] {
        &self.elpd
    }
}

impl Waic {
    /// The effective number of parameters.
    pub fn p(&self) -> f64 {
        self.p.iter().sum()
    }

    /// Observations whose log likelihood has a variance above 0.4, of which the criterion says little (Vehtari, Gelman and Gabry 2017).
    pub fn uncertain(&self) -> usize {
        self.p.iter().filter(|p| **p > 0.4).count()
    }
}

impl fmt::Display for Waic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (elpd, error) = (self.elpd(), self.standard_error());
        write!(
            f,
            "WAIC: elpd {elpd:.1} (standard error {error:.1}), {:.1} effective parameters, {} observations",
            self.p(),
            self.elpd.len()
        )?;
        match self.uncertain() {
            0 => Ok(()),
            few => write!(
                f,
                "\n  {few} of them have a variance above 0.4, where WAIC is too good: ask for `loo` at these, or hold cells out"
            ),
        }
    }
}

/// Leave-one-out prediction: the log predictive density of each observation given all others.
#[derive(Clone, Debug, PartialEq)]
pub struct Loo {
    elpd: Vec<f64>,
    pareto_k: Vec<f64>,
    lppd: f64,
    draws: usize,
}

impl Elpd for Loo {
    fn pointwise(&self) -> &[f64] {
        &self.elpd
    }
}

impl Loo {
    /// The effective number of parameters.
    pub fn p(&self) -> f64 {
        self.lppd - self.elpd()
    }

    /// The shape of the tail of the importance weights of each observation.
    pub fn pareto_k(&self) -> &[f64] {
        &self.pareto_k
    }

    /// A shape beyond this one makes an estimate by so many draws unreliable: `1 - 1 / log10(draws)`, at most 0.7 (Vehtari et al. 2024).
    pub fn good_k(&self) -> f64 {
        (1.0 - 1.0 / (self.draws as f64).log10()).min(0.7)
    }

    /// Observations whose estimate is unreliable, by position.
    pub fn unreliable(&self) -> Vec<usize> {
        let bad = |k: f64| k.is_nan() || k > self.good_k();
        (0..self.pareto_k.len()).filter(|&i| bad(self.pareto_k[i])).collect()
    }
}

impl fmt::Display for Loo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (elpd, error) = (self.elpd(), self.standard_error());
        write!(
            f,
            "leave-one-out: elpd {elpd:.1} (standard error {error:.1}), {:.1} effective parameters, {} observations",
            self.p(),
            self.elpd.len()
        )?;
        match self.unreliable().len() {
            0 => Ok(()),
            few => write!(
                f,
                "\n  {few} of them have a Pareto k above {:.2}, where the estimate is unreliable: hold these cells out and fit again",
                self.good_k()
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two observations whose log likelihoods are known numbers.
    fn example() -> LogLikelihood {
        let values = (0..40)
            .flat_map(|i| [-1.0 - 0.1 * f64::from(i % 7), -2.0 + 0.01 * f64::from(i)])
            .collect();
        LogLikelihood::new("y", vec![vec![0, 0], vec![0, 1]], 2, values)
    }

    #[test]
    fn waic_is_the_mean_likelihood_less_the_variance() {
        let ln = example();
        assert_eq!((ln.num_chains(), ln.num_draws()), (2, 20));
        let waic = ln.waic();
        for (unit, found) in waic.pointwise().iter().enumerate() {
            let values = ln.of(unit);
            let n = values.len() as f64;
            let mean = values.iter().sum::<f64>() / n;
            let variance = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
            let likelihood = values.iter().map(|x| x.exp()).sum::<f64>() / n;
            assert!((found - (likelihood.ln() - variance)).abs() < 1e-12);
        }
        assert_eq!(waic.difference(&waic), Some([0.0, 0.0]));
        assert_eq!(waic.uncertain(), 0);
    }

    /// Far from any draw, importance weights have no tail: leaving out an observation that says nothing changes nothing.
    #[test]
    fn leaving_out_what_says_nothing_changes_nothing() {
        let even = LogLikelihood::new("y", vec![vec![0]], 1, vec![-3.0; 100]);
        let loo = even.loo(Some(1.0));
        assert!((loo.elpd() + 3.0).abs() < 1e-12 && loo.p().abs() < 1e-12);
        assert!(loo.unreliable().is_empty());
    }
}
