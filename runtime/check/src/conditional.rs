//! Every complete conditional against the joint density, and users' own draws against the conditional.
//!
//! Given the counts that fell on every monomial of every visited cell, the ratio of the conditional of an entry at two
//! values is the ratio of the joint densities. Counts may be any, so they are drawn here by plain loops; what a cell
//! weighs is asked of its channel.

use rand::RngExt;

use skellam::model::family::Family;
use skellam::model::{CountRate, Factors, FormKind, Model, WAYS};
use skellam::private::view::tried_by;
use skellam::{Error, FormError};
use skellam_math::distribution::poisson;
use skellam_math::streams::Stream;

use super::capture::{Capture, Captured, CapturedLine};
use super::held_out::HeldOut;
use super::instance::Instance;
use super::law::Check;
use super::point::{LEVELS, make_valid, some_point};
use super::report::Row;
use super::setting::ObservedValues;
use super::statistics::KOLMOGOROV_LIMIT;
use super::trial::{BOTH_WAYS, Found, Stopped, Trial, factors_at, name_of_way, values_of};
use super::twin::{Monomial, Twin};
use super::worst::{Worst, larger};

/// Ratios agree to this fraction of the logarithm of the joint density, or of one.
const TOLERANCE: f64 = 1e-10;
/// Rates that are kept agree with those made anew to this fraction of the largest.
pub(super) const RATES: f64 = 1e-12;
/// Entries of a part whose ratios are taken: the first, the last and some between.
const ENTRIES: usize = 5;
/// How often a user's own draw is tried.
const TRIALS: f64 = 20_000.0;

/// What was found: of each latent its ratios and its custom update, and of all updates the rates that they leave.
struct Conditionals {
    ratios: Vec<Worst>,
    own: Vec<Option<f64>>,
    rates: Worst,
}

/// The rows of every latent.
pub(super) fn conditional(trial: &Trial<'_>) -> Found {
    let spec = trial.instance.twin.spec;
    let mut found = Conditionals {
        ratios: vec![Worst::default(); spec.latents.len()],
        own: vec![None; spec.latents.len()],
        rates: Worst::default(),
    };
    let mut forms = Vec::new();
    for (name, form, exact) in [
        ("collapsed", FormKind::Collapsed, false),
        ("augmented", FormKind::Augmented, false),
        ("exact data", FormKind::Collapsed, true),
    ] {
        if exact && trial.instance.all_exact() {
            continue;
        }
        match ratios(trial, form, exact, name, &mut found) {
            Ok(()) => forms.push(name),
            Err(Stopped::Error(Error::Form(FormError::Missing { .. }))) => {}
            Err(stopped) => return Err(stopped),
        }
    }
    let tried = format!("over {BOTH_WAYS}: {}", forms.join(", "));
    let mut rows = Vec::new();
    for (number, (latent, ratios)) in spec.latents.iter().zip(&found.ratios).enumerate() {
        rows.push(match spec.in_shape(number) {
            Some(of) => {
                let why = format!(
                    "drawn with `{of}` integrated out, from table counts: the sampler is held to the posterior"
                );
                Row::skipped(Check::JointRatio, latent.name, why)
            }
            None if ratios.tried == 0 => Row::untried(Check::JointRatio, latent.name, "no update asked for it"),
            None => {
                let what = format!("{} ratios {tried}", ratios.tried);
                ratios.row(Check::JointRatio, latent.name, TOLERANCE, &what)
            }
        });
    }
    let what = format!("{} updates {tried}", found.rates.tried);
    rows.push(found.rates.row(Check::JointRatio, "rates of cells", RATES, &what));
    for (latent, own) in spec.latents.iter().zip(found.own) {
        let note = format!(
            "{} exact draws, updated; false alarms 3e-7",
            trial.times(TRIALS, 1000.0)
        );
        rows.extend(own.map(|own| Row::tried(Check::CustomUpdate, latent.name, own, KOLMOGOROV_LIMIT, note)));
    }
    Ok(rows)
}

fn ratios(trial: &Trial<'_>, form: FormKind, exact: bool, name: &str, found: &mut Conditionals) -> Result<(), Stopped> {
    let (instance, twin) = (trial.instance, &trial.instance.twin);
    // Means that are values are those of coordinate ascent, too, and its conditionals the same.
    let engines = match twin.spec.learns_shape_of() {
        Some(_) => &[false][..],
        None => &[false, true],
    };
    for (round, held_out) in [HeldOut::Some, HeldOut::None].into_iter().enumerate() {
        let mut rng = trial.rng((round as u64 + 1) << 32);
        let x = some_point(twin, LEVELS[round], &mut rng);
        let values = instance.observe(&x, exact, &mut rng);
        for way in 0..WAYS + weighed_axes(instance) {
            let setting = instance.setting(values.clone(), exact, held_out);
            let model = instance.assemble(&setting, form, Some(way))?;
            let along = way.checked_sub(WAYS);
            let weighed = Weighed::new(instance, &values, (form, exact), (held_out, along), &x, &mut rng);
            for &is_ascent in engines {
                trial.on_time()?;
                let is_first = !is_ascent && found.ratios.iter().all(|ratios| ratios.tried == 0);
                let trials = if is_first { trial.times(TRIALS, 1000.0) } else { 0 };
                let mut factors = factors_at(&*model, &x);
                let mut counts = factors_at(&*model, &weighed.on_entries(twin));
                let mut count_rates = model.count_rates();
                model.set_rates(&factors, &mut count_rates);
                let mut step = Capture::new(is_ascent, trial.seed + way as u64, trials);
                model.update(&mut factors, &mut counts, &mut count_rates, &mut step);

                let engine = if is_ascent { "coordinate ascent" } else { "a sweep" };
                let place = format!("{name}, {}, {engine}", name_of_way(way));
                let mut at = x.clone();
                for captured in &step.conditionals {
                    let ratios = &mut found.ratios[captured.latent];
                    check(twin, &weighed, captured, &mut at, ratios, &place, &mut rng);
                }
                for &(latent, statistic) in &step.own {
                    found.own[latent] = Some(statistic);
                }
                // An update must leave the values that the step gave, and rates that belong to them.
                let off = match values_of(&factors) == at {
                    true => rates_off(&*model, &factors, &count_rates),
                    false => f64::INFINITY,
                };
                found.rates.add(off, || place);
            }
        }
    }
    Ok(())
}

/// How far rates that an update or a move has left are from those made anew at the factors, relative to the largest of each count.
pub(super) fn rates_off(model: &dyn Model, x: &Factors, kept: &[CountRate]) -> f64 {
    let mut anew = model.count_rates();
    model.set_rates(x, &mut anew);
    kept.iter()
        .zip(&anew)
        .map(|(kept, anew)| kept.off(anew))
        .fold(0.0, larger)
}

/// Along how many indices of a count cells that are exposure alone are weighed, one index after another: what is the factor of an index in a
/// closed form is seen by this alone. None where a simplex needs cells of equal weight.
fn weighed_axes(instance: &Instance) -> usize {
    let counts = &instance.twin.counts;
    match counts.iter().any(|count| count.simplex) {
        true => 0,
        false => counts.iter().map(|count| count.shape.len()).max().unwrap_or(0),
    }
}

/// Holds a conditional against the joint density at some entries, then moves on to the values after it.
fn check(
    twin: &Twin,
    weighed: &Weighed,
    captured: &Captured,
    at: &mut [Vec<f64>],
    found: &mut Worst,
    place: &str,
    rng: &mut Stream,
) {
    let latent = captured.latent;
    let before = weighed.ln_joint(twin, at);
    let mut ratio = |ln_conditional: f64, moved: &[Vec<f64>], entry: usize| {
        let joint = weighed.ln_joint(twin, moved) - before;
        let gap = (ln_conditional - joint).abs() / before.abs().max(1.0);
        found.add(gap, || format!("entry {entry}, {place}"));
    };
    for line in some_of(captured.lines.len()).map(|line| &captured.lines[line]) {
        let parameters = line.parameters.each_ref().map(|of| &of[..]);
        let ln = |x: &[Vec<f64>]| {
            let values: Vec<f64> = line.entries.iter().map(|&entry| x[latent][entry]).collect();
            captured.family.ln_density(&values, parameters)
        };
        let here = ln(at);
        for moved in moves(captured.family, line, &at[latent], rng) {
            let mut there = at.to_vec();
            for (&entry, value) in line.entries.iter().zip(moved) {
                there[latent][entry] = value;
            }
            ratio(ln(&there) - here, &there, line.entries[0]);
        }
    }
    for (&entry, &value) in captured.entries.iter().zip(&captured.after) {
        at[latent][entry] = value;
    }
}

/// Other values of a line, where the density is not zero: shares of two entries that are exchanged, from the first entry to the last
/// and between neighbours, or a multiple of the one entry.
fn moves(family: &dyn Family, line: &CapturedLine, x: &[f64], rng: &mut Stream) -> Vec<Vec<f64>> {
    let values: Vec<f64> = line.entries.iter().map(|&entry| x[entry]).collect();
    if !family.has_lines() {
        let mut there = values[0] * rng.random_range(0.3..3.0);
        make_valid(family, line.parameters.clone(), &mut there, rng);
        return vec![vec![there]];
    }
    let pairs = [[0, values.len() - 1], [0, 1 % values.len()]].into_iter();
    let pairs = pairs.filter(|[a, b]| a != b);
    let moved = pairs.map(|[a, b]| {
        let (both, share) = (values[a] + values[b], rng.random_range(0.1..0.9));
        let mut there = values.clone();
        (there[a], there[b]) = (share * both, (1.0 - share) * both);
        there
    });
    moved.collect()
}

/// Some of the numbers below `n`, first and last among them.
fn some_of(n: usize) -> impl Iterator<Item = usize> {
    let tried = n.min(ENTRIES);
    (0..tried).map(move |i| if tried > 1 { i * (n - 1) / (tried - 1) } else { 0 })
}

/// What every cell of every count weighs, and the counts that fell on the monomials of those that are visited.
struct Weighed {
    cells: Vec<Vec<(f64, Vec<u64>)>>,
}

impl Weighed {
    fn new(
        instance: &Instance,
        values: &[ObservedValues],
        (form, exact): (FormKind, bool),
        (held_out, along): (HeldOut, Option<usize>),
        x: &[Vec<f64>],
        rng: &mut Stream,
    ) -> Self {
        let mut cells = Vec::new();
        let counts = instance.twin.counts.iter().zip(instance.exposures(values, exact, form));
        for (number, (count, exposures)) in counts.enumerate() {
            let mask = instance.mask(number, held_out);
            let by = |cell: usize| along.map_or(1.0, |axis| tried_by(count.value_at(cell, axis % count.shape.len())));
            let weigh = |(cell, (monomials, exposure)): (usize, (&Option<Vec<_>>, Option<f64>))| {
                let Some(monomials) = monomials.as_ref().filter(|_| !mask.is_held_out(cell)) else {
                    return (0.0, Vec::new());
                };
                match exposure {
                    Some(weight) => (weight * by(cell), vec![0; monomials.len()]),
                    None => {
                        let parts = monomials.iter().map(|m: &Monomial| poisson(m.at(x), rng));
                        (1.0, parts.collect())
                    }
                }
            };
            cells.push(count.rates.iter().zip(exposures).enumerate().map(weigh).collect());
        }
        Self { cells }
    }

    /// The counts on every entry of every latent.
    fn on_entries(&self, twin: &Twin) -> Vec<Vec<f64>> {
        let mut counts = twin.zeros();
        for (count, weighed) in twin.counts.iter().zip(&self.cells) {
            for (monomials, (_, parts)) in count.rates.iter().zip(weighed) {
                for (monomial, &n) in monomials.iter().flatten().zip(parts) {
                    monomial.factors.iter().for_each(|&(l, e)| counts[l][e] += n as f64);
                }
            }
        }
        counts
    }

    /// `ln p(x, counts, observations)` up to a constant, cells that are not visited integrated out.
    fn ln_joint(&self, twin: &Twin, x: &[Vec<f64>]) -> f64 {
        let mut total = twin.ln_prior(x);
        for (count, weighed) in twin.counts.iter().zip(&self.cells) {
            for (monomials, (weight, parts)) in count.rates.iter().zip(weighed) {
                for (monomial, &n) in monomials.iter().flatten().zip(parts) {
                    let rate = monomial.at(x);
                    total -= weight * rate;
                    // A known array may make a rate zero, where nothing falls.
                    if n > 0 {
                        total += n as f64 * rate.ln();
                    }
                }
            }
        }
        total
    }
}
