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

use skellam::channel::{Channel, Observation};
use skellam::private::view::Forms;
use skellam_math::distribution::poisson;
use skellam_math::special::ln_poisson_pmf;
use skellam_math::streams::Stream;

use super::law::Check;
use super::mechanism::value_of;
use super::report::Row;
use super::statistics::{KOLMOGOROV_LIMIT, MEAN_LIMIT, Mean};
use super::trial::{Found, Trial};
use super::worst::{Table, Worst, larger};

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
/// How far the range of observations reaches beyond the draws: wider until what is added has less than this probability.
const BEYOND: [f64; 6] = [64.0, 128.0, 256.0, 1024.0, 4096.0, 16384.0];
const TAIL: f64 = 1e-13;
/// Stands for the rate zero, as a fraction of the rate.
const NEARLY_ZERO: f64 = 1e-12;
/// Rounds of the auxiliary variables.
const ROUNDS: usize = 3;

/// The rows of every channel of a model.
pub(super) fn channels(trial: &Trial<'_>) -> Found {
    let mut rows = Vec::new();
    let mechanisms = trial.instance.mechanisms(false);
    for (number, mechanism) in mechanisms.iter().enumerate() {
        trial.on_time()?;
        let mut before = mechanisms[..number].iter();
        if !before.any(|other| other.channel() == mechanism.channel()) {
            rows.extend(mechanism.laws(trial.seed, trial.effort));
        }
    }
    Ok(rows)
}

/// The rows of one channel, at its typical parameters.
pub(super) fn laws<M: Channel>(forms: &Forms<M>, seed: u64, effort: f64) -> Vec<Row> {
    let channel = M::typical();
    let mut rng = Stream::seed_from_u64(seed ^ 0x0063_6861);
    let draws = (DRAWS * effort).max(1000.0) as usize;
    let drawn = format!("{} rates, {draws} draws each", DRAWN_AT.len());
    let counts = format!("mean of s^y, {drawn}");
    let sums = "sums over all observations, as multiples of what rounding allows";
    let likelihoods = "observations whose probabilities given a count are said";
    let mut rows = vec![
        ("marginal", 1.0, sums),
        ("observe", KOLMOGOROV_LIMIT, &drawn),
        ("slope", SLOPE, "against the derivative of the marginal"),
        ("log_linear", EXACT, "observations that are exposure alone"),
        ("zero_bound", EXACT, "observations that have such a bound"),
        ("ln_likelihood", EXACT, likelihoods),
        ("runs of cells", EXACT, "against each cell"),
        ("impute", MEAN_LIMIT, &counts),
    ];
    if forms.is_augmented() {
        rows.push(("augmented", MEAN_LIMIT, &counts));
    }
    let mut found = Table::new(&rows);
    let mut seen = Vec::new();
    for rate in DRAWN_AT {
        let y: Vec<u64> = (0..draws).map(|_| poisson(rate, &mut rng)).collect();
        let values: Vec<M::Value> = y.iter().map(|&y| channel.observe(y, &mut rng)).collect();
        hold_marginal(&channel, rate, &values, &mut found);
        let mut after = vec![0; draws];
        let (rates, mut none) = (vec![rate; draws], vec![(); draws]);
        let imputes = forms.collapsed().steps.imputes;
        imputes(&channel, &rates, &values, &mut none, 0, &mut rng, &mut |i, y, _| {
            after[i] = y
        });
        hold_imputed(&channel, rate, &values, &after, found.at("impute"));
        let redrawn = y.iter().map(|&y| forms.redrawn(&channel, rate, y, ROUNDS, &mut rng));
        if let Some(redrawn) = redrawn.collect::<Option<Vec<_>>>() {
            let (values, after): (Vec<M::Value>, Vec<u64>) = redrawn.into_iter().unzip();
            hold_marginal(&channel, rate, &values, &mut found);
            hold_imputed(&channel, rate, &values, &after, found.at("augmented"));
        }
        seen.extend(some_of(values));
    }
    let seen = some_of(seen);
    hold_functions(&channel, &seen, &mut found);
    hold_runs(forms, &channel, &seen, found.at("runs of cells"));
    found.rows(Check::Channel, M::text().name)
}

/// The different observations among some, at most [`VALUES`], spread over all of them.
fn some_of<V: Observation>(mut values: Vec<V>) -> Vec<V> {
    values.sort_by(|a, b| a.number().total_cmp(&b.number()));
    values.dedup();
    let every = values.len().div_ceil(VALUES).max(1);
    values.into_iter().step_by(every).collect()
}

/// The marginal against what is observed: how far its sum over all observations is from one, as a multiple of what it may be, and the
/// Kolmogorov-Smirnov statistic.
fn hold_marginal<M: Channel>(channel: &M, rate: f64, values: &[M::Value], found: &mut Table<'_>) {
    let mut drawn: Vec<f64> = values.iter().map(|value| value.number()).collect();
    drawn.sort_by(f64::total_cmp);
    let place = || format!("rate {rate}");
    let (is_lattice, below) = stated_distribution(channel, rate, &drawn);
    let total = below.last().map_or(f64::NAN, |(_, below)| *below);
    let allowed = if is_lattice { SUM } else { INTEGRAL };
    found.at("marginal").add((total - 1.0).abs() / allowed, place);
    let n = drawn.len() as f64;
    let (mut i, mut largest) = (0, 0.0);
    for (number, below) in below {
        i += drawn[i..].iter().take_while(|drawn| **drawn <= number).count();
        largest = larger(largest, (i as f64 / n - below).abs());
    }
    found.at("observe").add(largest * n.sqrt(), place);
}

/// The distribution function that a marginal states: at every number of a lattice that has all draws, which are sorted, or on a fine grid.
/// And whether it is such a lattice.
fn stated_distribution<M: Channel>(channel: &M, rate: f64, drawn: &[f64]) -> (bool, Vec<(f64, f64)>) {
    let on = |spacing: f64| drawn.iter().all(|x| (x / spacing).fract() == 0.0);
    let spacing = (0..=8).map(|s| 0.5f64.powi(s)).find(|&spacing| on(spacing));
    let step = spacing.unwrap_or(1.0 / INTERVALS);
    let (low, high) = (drawn[0].floor(), drawn[drawn.len() - 1].ceil());
    // The marginal at those numbers that the channel can yield, so far beyond all draws.
    let masses = |beyond: f64| -> Vec<(f64, f64)> {
        let steps = ((high - low + 2.0 * beyond) / step).round() as usize;
        let numbers = (0..=steps).map(|i| low - beyond + i as f64 * step);
        let values = numbers.filter_map(|number| value_of::<M::Value>(number).filter(|&c| channel.admits(c)));
        values
            .map(|c| (c.number(), channel.ln_marginal(rate, c).exp()))
            .collect()
    };
    let (mut all, mut before) = (Vec::new(), 0.0);
    for beyond in BEYOND {
        all = masses(beyond);
        let total: f64 = all.iter().map(|(_, p)| p * step).sum();
        if total.is_nan() || total - before < TAIL {
            break;
        }
        before = total;
    }
    let parts: Vec<(f64, f64)> = match spacing {
        Some(_) => all,
        None => {
            let simpson = |w: &[(f64, f64)]| (w[2].0, step / 3.0 * (w[0].1 + 4.0 * w[1].1 + w[2].1));
            all.windows(3).step_by(2).map(simpson).collect()
        }
    };
    let mut total = 0.0;
    let below = parts.into_iter().map(|(number, mass)| {
        total += mass;
        (number, total)
    });
    (spacing.is_some(), below.collect())
}

/// The functions of a rate against the marginal at some observations: slopes and means, cells that are exposure alone, bounds on the
/// probability of zero, likelihoods of counts.
fn hold_functions<M: Channel>(channel: &M, values: &[M::Value], found: &mut Table<'_>) {
    let text = M::text().linear;
    for &c in values {
        let number = c.number();
        // What the derivation says of the cells that are never visited.
        let said = text.and_then(|text| text.holds_at(number));
        if said.is_some_and(|said| said != channel.log_linear(c).is_some()) {
            let place = || format!("observation {number}, by its text");
            found.at("log_linear").add(f64::INFINITY, place);
        }
        for rate in HELD_AT {
            let place = || format!("observation {number} at rate {rate}");
            let ln = |t: f64| channel.ln_marginal(rate * (1.0 + t * STEP), c);
            let difference = 8.0 * (ln(1.0) - ln(-1.0)) - (ln(2.0) - ln(-2.0));
            let derivative = 1.0 + difference / (12.0 * STEP * rate);
            for slope in [channel.slope(rate, c), channel.expect(rate, c) / rate] {
                found.at("slope").compare(slope, derivative, place);
            }
            let here = channel.ln_marginal(rate, c);
            if channel.ln_likelihood(0, c).is_some() {
                let summed = summed_over_counts(channel, rate, c);
                found.at("ln_likelihood").compare(summed, here, place);
            }
            if let Some(exposure) = channel.log_linear(c) {
                let linear = found.at("log_linear");
                linear.compare(exposure.constant - exposure.weight * rate, here, place);
                let is_weight = (0.0..=1.0).contains(&exposure.weight);
                if !is_weight || text.is_none_or(|text| text.weighs_one() != (exposure.weight == 1.0)) {
                    linear.add(f64::INFINITY, place);
                }
            }
            if let Some(kappa) = channel.zero_bound(c) {
                // How much less probable a zero is than promised.
                let zero = ln_generating(channel, rate, c, NEARLY_ZERO);
                let less = ((-kappa * rate - zero) / zero.abs().max(1.0)).max(0.0);
                found.at("zero_bound").add(less, place);
            }
        }
    }
}

/// Functions of a run of cells, each with a rate of its own, against those of each cell. Their draws are those that are held against the law.
fn hold_runs<M: Channel>(forms: &Forms<M>, channel: &M, values: &[M::Value], worst: &mut Worst) {
    let rates: Vec<f64> = HELD_AT.into_iter().cycle().take(values.len()).collect();
    let [mut slopes, mut marginals] = [(); 2].map(|()| vec![0.0; values.len()]);
    (forms.collapsed().steps.slopes)(channel, &rates, values, &mut vec![(); values.len()], &mut slopes);
    channel.ln_marginals(&rates, values, &mut marginals);
    for (i, (&rate, &c)) in rates.iter().zip(values).enumerate() {
        let place = || format!("observation {} at rate {rate}", c.number());
        worst.compare(slopes[i], channel.slope(rate, c), place);
        worst.compare(marginals[i], channel.ln_marginal(rate, c), place);
    }
}

/// `ln sum_y Poisson(y; rate) P(c | y)`, over counts beyond which nothing is left.
fn summed_over_counts<M: Channel>(channel: &M, rate: f64, c: M::Value) -> f64 {
    let most = (rate + 12.0 * rate.sqrt() + c.number().abs() + 60.0) as u64;
    let said = |y: u64| channel.ln_likelihood(y, c).unwrap_or(f64::NEG_INFINITY);
    let terms: Vec<f64> = (0..=most).map(|y| ln_poisson_pmf(y, rate) + said(y)).collect();
    let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    largest + terms.iter().map(|term| (term - largest).exp()).sum::<f64>().ln()
}

/// `ln E[s^y | rate, c]`, see the module.
fn ln_generating<M: Channel>(channel: &M, rate: f64, c: M::Value, s: f64) -> f64 {
    channel.ln_marginal(rate * s, c) - channel.ln_marginal(rate, c) - rate * (1.0 - s)
}

/// Draws of the counts behind some observations against the generating function.
fn hold_imputed<M: Channel>(channel: &M, rate: f64, values: &[M::Value], after: &[u64], worst: &mut Worst) {
    for s in [NEARLY_ZERO, 0.6, (-1.0 / (1.0 + rate)).exp()] {
        // Few observations differ where they are whole numbers.
        let mut known: HashMap<u64, [f64; 2]> = HashMap::new();
        // By kind of cell: a fault of one must not drown in the others.
        let mut groups = [Mean::default(), Mean::default(), Mean::default()];
        for (&c, &y) in values.iter().zip(after) {
            let number = c.number();
            let group = usize::from(number > 0.0) + usize::from(number > 1.0);
            let moments = || [s, s * s].map(|s| ln_generating(channel, rate, c, s).exp());
            let [first, second] = *known.entry(number.to_bits()).or_insert_with(moments);
            groups[group].add(s.powf(y as f64), first, second);
        }
        for (group, what) in groups.iter().zip(["none", "at most one", "more than one"]) {
            worst.add(group.deviation(), || format!("rate {rate} where {what} is observed"));
        }
    }
}
