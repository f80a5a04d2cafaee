//! Every complete conditional against the joint density, and users' own draws against the conditional.
//!
//! Given the counts that fell on every monomial of every visited cell, the ratio of the conditional of an entry at two
//! values is the ratio of the joint densities. Counts may be any, so they are drawn here by plain loops; what a cell
//! weighs is asked of its channel.

use rand::{RngExt, SeedableRng};

use skellam::model::family::Family;
use skellam::model::{FormKind, WAYS};
use skellam::private::view::tried_by;
use skellam::{Error, FormError};
use skellam_math::distribution::poisson;
use skellam_math::streams::Stream;

use super::capture::{Capture, Captured, CapturedLine, some_value};
use super::held_out::HeldOut;
use super::instance::Instance;
use super::rates::rates_off;
use super::report::{Check, Row};
use super::setting::ObservedValues;
use super::statistics::KOLMOGOROV_LIMIT;
use super::twin::Twin;
use super::worst::Worst;
use super::{SelfTest, load, values_of};

/// Ratios agree to this fraction of the logarithm of the joint density, or of one.
const TOLERANCE: f64 = 1e-10;
/// Rates agree to this fraction of the largest.
const RATES: f64 = 1e-12;
/// Entries of a part whose ratios are taken: the first, the last and some between.
const ENTRIES: usize = 5;
/// Mean rates of the points at which laws are tried: at the first many cells are exposure alone, at the second few.
pub(super) const LEVELS: [f64; 2] = [1.0, 4.0];
/// How often a user's own draw is tried.
const TRIALS: f64 = 20_000.0;

/// What was found for one latent.
#[derive(Clone, Default)]
struct LatentRatios {
    ratios: Worst,
    own: Option<f64>,
}

/// What was found for all of them.
struct AllFound {
    latents: Vec<LatentRatios>,
    rates: Worst,
}

/// The rows of every latent.
pub(super) fn conditional(instance: &Instance, options: &SelfTest) -> Vec<Row> {
    let latents = instance.twin.spec.latents;
    let mut found = AllFound {
        latents: vec![LatentRatios::default(); latents.len()],
        rates: Worst::default(),
    };
    let mut forms = Vec::new();
    let all_exact = instance.all_exact();
    for (name, form, exact) in [
        ("collapsed", FormKind::Collapsed, false),
        ("augmented", FormKind::Augmented, false),
        ("exact data", FormKind::Collapsed, true),
    ] {
        if exact && all_exact {
            continue;
        }
        match ratios(instance, form, exact, name, options, &mut found) {
            Ok(()) => forms.push(name),
            Err(Error::Form(FormError::Missing { .. })) => {}
            Err(error) => return vec![Row::error(Check::JointRatio, name, &error)],
        }
    }
    let rows = latents.iter().zip(&found.latents).enumerate();
    let rows = rows.map(|(number, (latent, found))| {
        let ratios = &found.ratios;
        if let Some(of) = instance.twin.spec.in_shape(number) {
            let why =
                format!("drawn with `{of}` integrated out, from table counts: the sampler is held to the posterior");
            return Row::skipped(Check::JointRatio, latent.name, &why);
        }
        if ratios.tried == 0 {
            return Row {
                passed: false,
                ..Row::skipped(Check::JointRatio, latent.name, "no update was ever asked for it")
            };
        }
        let tried = format!("{} ratios over {BOTH_WAYS}: {}", ratios.tried, forms.join(", "));
        Row::tried(
            Check::JointRatio,
            latent.name,
            ratios.value,
            TOLERANCE,
            ratios.note(TOLERANCE, tried),
        )
    });
    let mut rows: Vec<Row> = rows.collect();
    let rates = &found.rates;
    let tried = format!("{} updates over {BOTH_WAYS}: {}", rates.tried, forms.join(", "));
    rows.push(Row::tried(
        Check::Rates,
        "all cells",
        rates.value,
        RATES,
        rates.note(RATES, tried),
    ));
    for (latent, found) in latents.iter().zip(&found.latents) {
        if let Some(own) = found.own {
            let note = format!("{} exact draws, updated; false alarms 3e-7", trials(options));
            rows.push(Row::tried(
                Check::CustomUpdate,
                latent.name,
                own,
                KOLMOGOROV_LIMIT,
                note,
            ));
        }
    }
    rows
}

/// Which ways over the cells are tried, [`WAYS`] of them.
pub(super) const BOTH_WAYS: &str = "blocks and stored cells";

/// A way in words; beyond both, stored cells weigh by an index.
pub(super) fn name_of_way(way: usize) -> &'static str {
    ["blocks", "stored cells"]
        .get(way)
        .copied()
        .unwrap_or("stored cells weighed by an index")
}

fn trials(options: &SelfTest) -> usize {
    (TRIALS * options.effort).max(1000.0) as usize
}

fn ratios(
    instance: &Instance,
    form: FormKind,
    exact: bool,
    name: &str,
    options: &SelfTest,
    found: &mut AllFound,
) -> Result<(), Error> {
    let twin = &instance.twin;
    let learns_shape = twin.spec.learns_shape_of().is_some();
    for (round, held_out) in [HeldOut::Some, HeldOut::None].into_iter().enumerate() {
        let mut rng = Stream::seed_from_u64(options.seed ^ (round as u64 + 1) << 32);
        let x = some_point(twin, LEVELS[round], &mut rng);
        let values = instance.observe(&x, exact, &mut rng);
        for way in 0..WAYS + weighed_axes(instance) {
            let setting = instance.setting(values.clone(), exact, held_out);
            let model = instance.assemble(&setting, form, Some(way))?;
            let along = way.checked_sub(WAYS);
            let weighed = Weighed::new(instance, &values, (form, exact), (held_out, along), &x, &mut rng);
            let own_trials = if found.latents.iter().any(|f| f.ratios.tried > 0) {
                0
            } else {
                trials(options)
            };
            // Means that are values are those of coordinate ascent, too, and its conditionals the same.
            for is_ascent in [false, true]
                .into_iter()
                .filter(|is_ascent| !(*is_ascent && learns_shape))
            {
                let trials = if is_ascent { 0 } else { own_trials };
                let (mut factors, mut counts) = (model.factors(), model.factors());
                load(&mut factors, &x);
                load(&mut counts, &weighed.on_entries(twin));
                let mut count_rates = model.count_rates();
                model.set_rates(&factors, &mut count_rates);
                let mut step = Capture::new(is_ascent, options.seed + way as u64, trials);
                model.update(&mut factors, &mut counts, &mut count_rates, &mut step);

                let engine = if is_ascent { "coordinate ascent" } else { "a sweep" };
                let place = format!("{name}, {}, {engine}", name_of_way(way));
                let mut at = x.clone();
                for captured in &step.conditionals {
                    let ratios = &mut found.latents[captured.latent].ratios;
                    check(twin, &weighed, captured, &mut at, ratios, &place, &mut rng);
                }
                for &(latent, statistic) in &step.own {
                    found.latents[latent].own = Some(statistic);
                }
                // An update must leave the values that the step gave, and rates that belong to them.
                let off = match values_of(&factors) == at {
                    true => rates_off(&*model, twin, &mut count_rates, &at),
                    false => f64::INFINITY,
                };
                found.rates.add(off, || place.to_owned());
            }
        }
    }
    Ok(())
}

/// Along how many indices of a count cells that are exposure alone are weighed, one index after another: what is the factor of an index in a
/// closed form is seen by this alone. None where a simplex needs cells of equal weight.
fn weighed_axes(instance: &Instance) -> usize {
    match instance.twin.counts.iter().any(|count| count.simplex) {
        true => 0,
        false => (instance.twin.counts.iter())
            .map(|count| count.shape.len())
            .max()
            .unwrap_or(0),
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
        let mut there = vec![values[0] * rng.random_range(0.3..3.0)];
        if family.invalid(&there).is_some() {
            let [mut one, mut other] = line.parameters.clone();
            family.draw([&mut one, &mut other], 1, &mut there, rng);
        }
        return vec![there];
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

/// Values of ordinary size for every latent, scaled so that the mean rates of the counts have `level` for their geometric
/// mean: laws hold everywhere, and there rounding is small and every kind of cell is to be had.
pub(super) fn some_point(twin: &Twin, level: f64, rng: &mut Stream) -> Vec<Vec<f64>> {
    let mut x = twin.zeros();
    x.iter_mut().flatten().for_each(|x| *x = some_value(rng));
    let mut scaled: Vec<usize> = Vec::new();
    for (latent, x) in x.iter_mut().enumerate() {
        if let Some(along) = twin.spec.latents[latent].prior.along {
            let lines = skellam::model::Lines::new(&twin.shapes[latent], along);
            for line in 0..lines.number() {
                let total: f64 = lines.entries(line).map(|e| x[e]).sum();
                lines.entries(line).for_each(|e| x[e] /= total);
            }
        } else if !twin.spec.latents[latent].prior.family.is_of_a_user() {
            scaled.push(latent);
        }
    }
    // No latent is in the rate of a family of a user's own: its law may be asked for before the others are scaled.
    for latent in 0..x.len() {
        for law in twin
            .laws(latent, &x)
            .into_iter()
            .filter(|law| law.family.is_of_a_user())
        {
            let entry = law.entries[0];
            if law.family.invalid(&[x[latent][entry]]).is_some() {
                let [mut one, mut other] = law.parameters;
                law.family
                    .draw([&mut one, &mut other], 1, &mut x[latent][entry..][..1], rng);
            }
        }
    }
    let times = |factor: f64| {
        let mut x = x.clone();
        for &latent in &scaled {
            x[latent].iter_mut().for_each(|x| *x *= factor);
        }
        x
    };
    // Rates rise with the factor.
    let (mut low, mut high) = (-3.0f64, 3.0f64);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        let ln_means = twin.rates(&times(middle.exp())).into_iter().map(|rates| {
            let positive: Vec<f64> = rates.into_iter().filter(|rate| *rate > 0.0).collect();
            (positive.iter().sum::<f64>() / positive.len().max(1) as f64).ln()
        });
        let mean = ln_means.sum::<f64>() / twin.counts.len() as f64;
        if mean < level.ln() {
            low = middle;
        } else {
            high = middle;
        }
    }
    times(low.exp())
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
        for (number, count) in instance.twin.counts.iter().enumerate() {
            let exposures = match exact {
                true => instance.mechanisms[number]
                    .exactly()
                    .exposures(&values[number], form, count.simplex),
                false => instance.mechanisms[number].exposures(&values[number], form, count.simplex),
            };
            let mask = instance.mask(number, held_out);
            let by = |cell: usize| along.map_or(1.0, |axis| tried_by(count.value_at(cell, axis % count.shape.len())));
            let weigh = |(cell, (monomials, exposure)): (usize, (&Option<Vec<_>>, Option<f64>))| {
                let Some(monomials) = monomials.as_ref().filter(|_| !mask.is_held_out(cell)) else {
                    return (0.0, Vec::new());
                };
                match exposure {
                    Some(weight) => (weight * by(cell), vec![0; monomials.len()]),
                    None => {
                        let parts = monomials.iter().map(|m: &super::twin::Monomial| poisson(m.at(x), rng));
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
