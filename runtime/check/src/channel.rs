//! A channel by itself: what it says of one cell against its own marginal, and that against what it draws.
//!
//! `ln_marginal` is held against frequencies of observations, and sums to one over all of them. Everything else follows
//! from it. With `M(r)` the marginal at the rate `r`, the law of the count behind an observation has the generating function
//!
//! ```text
//! E[s^y | r, c] = exp(s r) M(s r) / (exp(r) M(r))
//! ```
//!
//! so that its mean is `r (1 + d ln M / dr)`, its probability of zero the limit at `s = 0`, and the mean of `s^y` over draws
//! is known without another word from the channel.

use std::collections::HashMap;

use rand::SeedableRng;

use skellam_math::distribution::poisson;
use skellam_math::special::ln_poisson_pmf;
use skellam_math::streams::Stream;

use super::SelfTest;
use super::difference;
use super::instance::Instance;
use super::mechanism::{ChannelProbe, Probe, TestedMechanism};
use super::report::{Check, Row};
use super::setting::ObservedValues;
use super::statistics::{KOLMOGOROV_LIMIT, MEAN_LIMIT, Mean};

/// Rates at which observations are drawn.
const DRAWN_AT: [f64; 4] = [0.05, 0.6, 3.0, 12.0];
/// Rates at which the functions are held against each other.
const HELD_AT: [f64; 6] = [0.01, 0.05, 0.6, 3.0, 12.0, 80.0];
/// Observations drawn at each rate.
const DRAWS: f64 = 20_000.0;
/// Different observations at which functions are held against each other.
const VALUES: usize = 60;
/// Differences of fourth order with this relative step err by its fourth power.
const STEP: f64 = 0.02;
/// Slopes agree with the derivative of the marginal to this fraction, or to this where they are below one.
const SLOPE: f64 = 1e-5;
/// What is exact agrees to this fraction, or to this where it is below one.
const EXACT: f64 = 1e-9;
/// Probabilities of all observations add up to one to this.
const SUM: f64 = 1e-8;
/// Integrals of a density are as exact as Simpson's rule with this many intervals in a unit.
const INTEGRAL: f64 = 1e-6;
const INTERVALS: f64 = 64.0;
/// Stands for the rate zero, as a fraction of the rate.
const NEARLY_ZERO: f64 = 1e-12;
/// Rounds of the auxiliary variables.
const ROUNDS: usize = 3;

/// The rows of every channel of a model.
pub(super) fn channels(instance: &Instance, options: &SelfTest) -> Vec<Row> {
    let mut rows = Vec::new();
    for (number, mechanism) in instance.mechanisms.iter().enumerate() {
        let mut before = instance.mechanisms[..number].iter();
        if !before.any(|other| other.channel() == mechanism.channel()) {
            rows.extend(match mechanism.steps() {
                Some(steps) => difference::steps(&**mechanism, steps, options),
                None => of_channel(&**mechanism, options),
            });
        }
    }
    rows
}

fn of_channel(mechanism: &dyn TestedMechanism, options: &SelfTest) -> Vec<Row> {
    let mut rng = Stream::seed_from_u64(options.seed ^ 0x0063_6861);
    let draws = (DRAWS * options.effort).max(1000.0) as usize;
    let name = mechanism.name();
    let (mut seen, mut law, mut imputed) = (Vec::new(), Marginal::default(), Imputed::default());
    let mut augmented = mechanism.augmented().then(Imputed::default);
    for rate in DRAWN_AT {
        let y: Vec<u64> = (0..draws).map(|_| poisson(rate, &mut rng)).collect();
        let pairs: Vec<[u64; 2]> = y.iter().map(|&y| [y, 0]).collect();
        let values = mechanism.observe(&pairs, &mut rng);
        let probe = channel_probe(mechanism, &values);
        let numbers: Vec<f64> = (0..draws).map(|i| probe.number(i)).collect();
        law.hold(mechanism, rate, &numbers);
        let after = probe.imputes(rate, &mut rng);
        imputed.hold(&*probe as &dyn Probe, rate, &after);
        if let Some((values, after)) = mechanism.augmented_draws(rate, &y, ROUNDS, &mut rng)
            && let Some(augmented) = &mut augmented
        {
            let probe = mechanism.probe(&values);
            let numbers: Vec<f64> = (0..draws).map(|i| probe.number(i)).collect();
            law.hold(mechanism, rate, &numbers);
            augmented.hold(&*probe, rate, &after);
        }
        seen.extend(some_of(numbers));
    }
    let probe = channel_probe(mechanism, &mechanism.at_numbers(&some_of(seen)));
    let mut rows = law.rows(name, draws);
    rows.extend(functions(&*probe, name));
    rows.push(imputed.row(format!("{name}, impute"), draws));
    rows.extend(augmented.map(|found| found.row(format!("{name}, augmented"), draws)));
    rows
}

fn channel_probe(mechanism: &dyn TestedMechanism, values: &ObservedValues) -> Box<dyn ChannelProbe> {
    match mechanism.channel_probe(values) {
        Some(probe) => probe,
        None => unreachable!("the laws of a difference are its own"),
    }
}

/// The different numbers among some, at most [`VALUES`], spread over all of them.
fn some_of(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    let every = numbers.len().div_ceil(VALUES).max(1);
    numbers.into_iter().step_by(every).collect()
}

/// The marginal against what is observed.
#[derive(Default)]
struct Marginal {
    /// Largest distance of the sum over all observations from one, and what it may be.
    sum: Largest,
    sum_limit: f64,
    /// Largest Kolmogorov-Smirnov statistic.
    distance: Largest,
}

impl Marginal {
    fn hold(&mut self, mechanism: &dyn TestedMechanism, rate: f64, numbers: &[f64]) {
        let grid = StatedDistribution::of(mechanism, rate, numbers);
        let place = || format!("rate {rate}");
        self.sum_limit = if grid.lattice { SUM } else { INTEGRAL };
        let total = grid.below.last().map_or(f64::NAN, |(_, below)| *below);
        self.sum.add((total - 1.0).abs(), place);
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (n, mut i, mut largest) = (sorted.len() as f64, 0, 0.0f64);
        for (number, below) in &grid.below {
            while i < sorted.len() && sorted[i] <= *number {
                i += 1;
            }
            let gap = (i as f64 / n - below).abs();
            largest = if gap.is_nan() { gap } else { largest.max(gap) };
        }
        self.distance.add(largest * n.sqrt(), place);
    }

    fn rows(self, name: &str, draws: usize) -> Vec<Row> {
        let rates = DRAWN_AT.len();
        let sum = format!("{rates} rates; worst at {}", self.sum.place);
        let note = format!("{rates} rates, {draws} draws each; worst at {}", self.distance.place);
        vec![
            Row::tried(
                Check::Channel,
                format!("{name}, marginal"),
                self.sum.value,
                self.sum_limit,
                sum,
            ),
            Row::tried(
                Check::Channel,
                format!("{name}, observe"),
                self.distance.value,
                KOLMOGOROV_LIMIT,
                note,
            ),
        ]
    }
}

/// The distribution function that a marginal states: at every number of a lattice that has all draws, or on a fine
/// grid.
struct StatedDistribution {
    lattice: bool,
    below: Vec<(f64, f64)>,
}

impl StatedDistribution {
    fn of(mechanism: &dyn TestedMechanism, rate: f64, drawn: &[f64]) -> Self {
        let on = |spacing: f64| drawn.iter().all(|x| (x / spacing).fract() == 0.0);
        let spacing = (0..=8).map(|s| 0.5f64.powi(s)).find(|&spacing| on(spacing));
        let step = spacing.unwrap_or(1.0 / INTERVALS);
        let low = drawn.iter().copied().fold(f64::INFINITY, f64::min).floor();
        let high = drawn.iter().copied().fold(f64::NEG_INFINITY, f64::max).ceil();
        // Far enough for the tails that no draw has reached.
        let (mut low, mut high) = (low, high);
        let mut masses = masses(mechanism, rate, low, high, step);
        for (up, width) in [(true, 64.0), (false, 64.0)] {
            for _ in 0..200 {
                let more = if up {
                    self::masses(mechanism, rate, high + step, high + width, step)
                } else {
                    self::masses(mechanism, rate, low - width, low - step, step)
                };
                let mass: f64 = more.iter().map(|(_, p)| p * step).sum();
                (low, high) = if up { (low, high + width) } else { (low - width, high) };
                masses.extend(more);
                if mass.is_nan() || mass < 1e-13 {
                    break;
                }
            }
        }
        masses.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut total = 0.0;
        let below = if spacing.is_some() {
            let sums = masses.into_iter().map(|(number, mass)| {
                total += mass;
                (number, total)
            });
            sums.collect()
        } else {
            let pairs = masses.windows(3).step_by(2).map(|w| {
                total += step / 3.0 * (w[0].1 + 4.0 * w[1].1 + w[2].1);
                (w[2].0, total)
            });
            pairs.collect()
        };
        Self {
            lattice: spacing.is_some(),
            below,
        }
    }
}

/// The marginal at those numbers from `low` to `high` that the channel can yield.
fn masses(mechanism: &dyn TestedMechanism, rate: f64, low: f64, high: f64, step: f64) -> Vec<(f64, f64)> {
    let steps = ((high - low) / step).round() as usize;
    let numbers: Vec<f64> = (0..=steps).map(|i| low + i as f64 * step).collect();
    let probe = mechanism.probe(&mechanism.at_numbers(&numbers));
    let masses = (0..probe.len()).map(|i| (probe.number(i), probe.ln_marginal([rate, 0.0], i).exp()));
    masses.collect()
}

/// The functions of a rate against the marginal, at some observations.
fn functions(probe: &dyn ChannelProbe, name: &str) -> Vec<Row> {
    let mut slope = Largest::default();
    let (mut linear, mut bound) = (Largest::default(), Largest::default());
    let mut likelihood = Largest::default();
    for i in 0..probe.len() {
        // What the derivation says of the cells that are never visited.
        let said = probe.linear_text().and_then(|text| text.holds_at(probe.number(i)));
        if said.is_some_and(|said| said != probe.log_linear(i).is_some()) {
            linear.add(f64::INFINITY, || {
                format!("observation {}, by its text", probe.number(i))
            });
        }
        for rate in HELD_AT {
            let place = || format!("observation {} at rate {rate}", probe.number(i));
            let ln = |t: f64| probe.ln_marginal([rate * (1.0 + t * STEP), 0.0], i);
            let difference = 8.0 * (ln(1.0) - ln(-1.0)) - (ln(2.0) - ln(-2.0));
            let derivative = 1.0 + difference / (12.0 * STEP * rate);
            for found in [probe.slope(rate, i), probe.expect([rate, 0.0], i)[0] / rate] {
                slope.add((found - derivative).abs() / derivative.abs().max(1.0), place);
            }
            let here = probe.ln_marginal([rate, 0.0], i);
            if probe.has_likelihood() {
                let summed = summed_over_counts(probe, rate, i);
                likelihood.add((summed - here).abs() / here.abs().max(1.0), place);
            }
            if let Some(exposure) = probe.log_linear(i) {
                let stated = exposure.constant - exposure.weight * rate;
                let off = (stated - here).abs() / here.abs().max(1.0);
                let is_weight = (0.0..=1.0).contains(&exposure.weight);
                let is_said = probe
                    .linear_text()
                    .is_some_and(|text| text.weighs_one() == (exposure.weight == 1.0));
                linear.add(if is_weight && is_said { off } else { f64::INFINITY }, place);
            }
            if let Some(kappa) = probe.zero_bound(i) {
                // How much less probable a zero is than promised.
                let zero = ln_generating(probe, [rate, 0.0], i, [NEARLY_ZERO, 1.0]);
                bound.add((-kappa * rate - zero) / zero.abs().max(1.0), place);
            }
        }
    }
    let tried = |what: &str, found: Largest, limit: f64, none: &str| {
        let of = format!("{name}, {what}");
        match found.tried {
            0 => Row::skipped(Check::Channel, of, none),
            n => {
                let note = format!("{n} comparisons; worst for {}", found.place);
                Row::tried(Check::Channel, of, found.value.max(0.0), limit, note)
            }
        }
    };
    vec![
        tried("slope", slope, SLOPE, "no observation was drawn"),
        tried("log_linear", linear, EXACT, "no observation is exposure alone"),
        tried("zero_bound", bound, EXACT, "no observation has such a bound"),
        tried("ln_likelihood", likelihood, EXACT, "the channel does not say it"),
        tried("runs of cells", runs(probe), EXACT, "no observation was drawn"),
    ]
}

/// What the channel says of a run of cells against what it says of each of them: `slopes` and `ln_marginals`. Its draws of a run are those that
/// are held against the law.
fn runs(probe: &dyn ChannelProbe) -> Largest {
    let mut off = Largest::default();
    // A rate of its own for each cell.
    let rates: Vec<f64> = (0..probe.len()).map(|i| HELD_AT[i % HELD_AT.len()]).collect();
    let (slopes, marginals) = (probe.slopes(&rates), probe.ln_marginals(&rates));
    for (i, &rate) in rates.iter().enumerate() {
        let place = || format!("observation {} at rate {rate}", probe.number(i));
        let (slope, marginal) = (probe.slope(rate, i), probe.ln_marginal([rate, 0.0], i));
        off.add((slopes[i] - slope).abs() / slope.abs().max(1.0), place);
        off.add((marginals[i] - marginal).abs() / marginal.abs().max(1.0), place);
    }
    off
}

/// `ln sum_y Poisson(y; rate) P(c | y)`, over counts beyond which nothing is left.
fn summed_over_counts(probe: &dyn ChannelProbe, rate: f64, i: usize) -> f64 {
    let most = (rate + 12.0 * rate.sqrt() + probe.number(i).abs() + 60.0) as u64;
    let terms = (0..=most).map(|y| ln_poisson_pmf(y, rate) + probe.ln_likelihood(y, i));
    let terms: Vec<f64> = terms.collect();
    let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + terms.iter().map(|term| (term - largest).exp()).sum::<f64>().ln()
}

/// `ln E[s^y | rate, c]`, see the module; for a difference, whose sides have an `s` each, that of the product over both counts.
pub(super) fn ln_generating(probe: &dyn Probe, rates: [f64; 2], i: usize, s: [f64; 2]) -> f64 {
    let lower = [rates[0] * s[0], rates[1] * s[1]];
    let fallen = rates[0] * (1.0 - s[0]) + rates[1] * (1.0 - s[1]);
    probe.ln_marginal(lower, i) - probe.ln_marginal(rates, i) - fallen
}

/// Draws of counts given observations against the generating function.
#[derive(Default)]
struct Imputed {
    worst: Largest,
}

impl Imputed {
    /// `after` are draws of the counts behind the observations of `probe`.
    fn hold(&mut self, probe: &dyn Probe, rate: f64, after: &[u64]) {
        for s in [NEARLY_ZERO, 0.6, (-1.0 / (1.0 + rate)).exp()] {
            // Few observations differ where they are whole numbers.
            let mut known: HashMap<u64, [f64; 2]> = HashMap::new();
            // By kind of cell: a fault of one must not drown in the others.
            let mut groups = [Mean::default(), Mean::default(), Mean::default()];
            for (i, &y) in after.iter().enumerate() {
                let number = probe.number(i);
                let group = usize::from(number > 0.0) + usize::from(number > 1.0);
                let moments = || [s, s * s].map(|s| ln_generating(probe, [rate, 0.0], i, [s, 1.0]).exp());
                let [first, second] = *known.entry(number.to_bits()).or_insert_with(moments);
                groups[group].add(s.powf(y as f64), first, second);
            }
            for (group, what) in groups.iter().zip(["none", "at most one", "more than one"]) {
                self.worst
                    .add(group.deviation(), || format!("rate {rate} where {what} is observed"));
            }
        }
    }

    fn row(self, of: String, draws: usize) -> Row {
        let note = format!(
            "mean of s^y, {} rates, {draws} draws each; worst at {}",
            DRAWN_AT.len(),
            self.worst.place
        );
        Row::tried(Check::Channel, of, self.worst.value, MEAN_LIMIT, note)
    }
}

/// The largest of some numbers, a NaN above all, and where it was.
#[derive(Default)]
struct Largest {
    value: f64,
    place: String,
    tried: usize,
}

impl Largest {
    fn add(&mut self, value: f64, place: impl Fn() -> String) {
        let first = self.tried == 0;
        self.tried += 1;
        if !self.value.is_nan() && (first || value > self.value || value.is_nan()) {
            (self.value, self.place) = (value, place());
        }
    }
}

/// The channel of every count beside what was observed of it.
pub(super) fn probes(mechanisms: &[Box<dyn TestedMechanism>], values: &[ObservedValues]) -> Vec<Box<dyn Probe>> {
    let pairs = mechanisms.iter().zip(values);
    pairs.map(|(mechanism, values)| mechanism.probe(values)).collect()
}

#[cfg(test)]
mod tests;
