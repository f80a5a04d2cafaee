//! The joint distribution test (Geweke 2004): factors drawn from the prior, against chains that alternate between
//! data given factors and the sampler given data.
//!
//! Each chain starts at a draw from the prior, which is its law from then on if the sampler is right. Where many short
//! chains end is then a sample of independent draws from the prior, however slowly a chain moves, and two samples are
//! compared without a standard error that could be wrong (Gandy and Scott 2020).

use rand::SeedableRng;

use skellam::infer::Chain;
use skellam::model::{FormKind, Model, WAYS};
use skellam::{Error, FormError};
use skellam_math::streams::{Stream, Streams};

use super::held_out::HeldOut;
use super::instance::Instance;
use super::report::{Check, Row};
use super::setting::ObservedValues;
use super::statistics::{Deviation, KOLMOGOROV_LIMIT, Sample, Statistics};
use super::twin::Twin;
use super::{SelfTest, load, prior, values_of};

/// Rounds of the auxiliary variables alone before each sweep of the augmented form.
const ROUNDS: usize = 3;
/// Work of one comparison, in the units of [`Instance::work`], and what an iteration costs besides.
const BUDGET: f64 = 4e7;
const OVERHEAD: f64 = 120.0;
/// Fewest and most iterations.
const ITERATIONS: [f64; 2] = [20_000.0, 200_000.0];

/// Rates above this cannot be tried: counts would leave the range that channels promise.
const WIDEST: f64 = 1e9;
/// What is said where they are.
pub(super) const TOO_WIDE: &str =
    "the numbers in the priors give rates beyond 1e9: declare them as hyperparameters, which are replaced here";

/// Draws of the factors from their priors: the law of the last states of right chains, of these as of those that see no data.
pub(super) fn direct(instance: &Instance, options: &SelfTest) -> Sample {
    let mut rng = Stream::seed_from_u64(options.seed ^ 0x6469_7265);
    let chains = iterations(instance, options).max(prior::sweeps(options)) / LENGTH;
    Sample::of_prior(&Statistics::new(&instance.twin), DIRECT * chains, &mut rng)
}

/// Whether a rate at `x` is above [`WIDEST`].
pub(super) fn too_wide(twin: &Twin, x: &[Vec<f64>]) -> bool {
    twin.rates(x).iter().flatten().any(|rate| *rate > WIDEST)
}

/// The row of one form, held against `direct`.
pub(super) fn geweke(instance: &Instance, form: FormKind, options: &SelfTest, direct: &Sample) -> Vec<Row> {
    let name = match form {
        FormKind::Collapsed => "collapsed",
        FormKind::Augmented => "augmented",
    };
    let iterations = iterations(instance, options);
    vec![match run(instance, form, iterations / LENGTH, options.seed, direct) {
        Ok(Some(deviation)) => row(Check::Geweke, name, &deviation, iterations, "iterations"),
        Ok(None) => Row::skipped(Check::Geweke, name, TOO_WIDE),
        Err(error @ Error::Form(FormError::Missing { .. })) => Row::skipped(Check::Geweke, name, error.to_string()),
        Err(error) => Row::error(Check::Geweke, name, &error),
    }]
}

/// A deviation as a row.
pub(super) fn row(check: Check, of: &str, deviation: &Deviation, draws: usize, what: &str) -> Row {
    let Deviation {
        distance,
        statistic,
        of: all,
    } = deviation;
    let alarms = 1e-7 * *all as f64;
    let note = format!("{statistic}, of {all} over {draws} {what} in chains of {LENGTH}; false alarms {alarms:.0e}");
    Row::tried(check, of, *distance, KOLMOGOROV_LIMIT, note)
}

/// How many iterations there are to be: a number that follows the model, never the clock.
fn iterations(instance: &Instance, options: &SelfTest) -> usize {
    let [least, most] = ITERATIONS;
    let affordable = (BUDGET / (OVERHEAD + instance.work() as f64)).clamp(least, most);
    whole(affordable * options.effort)
}

/// Sweeps of a chain: a wrong sampler has gone most of its way by then.
pub(super) const LENGTH: usize = 8;
/// Sweeps under the same data: more than one, so that what a sweep leaves behind for the next is seen.
const SWEEPS: usize = 2;
/// Draws from the prior for each chain: more would hardly sharpen a comparison with its last states.
const DIRECT: usize = 4;

/// A whole number of chains.
pub(super) fn whole(sweeps: f64) -> usize {
    ((sweeps / LENGTH as f64).round() as usize).max(100) * LENGTH
}

fn run(
    instance: &Instance,
    form: FormKind,
    chains: usize,
    seed: u64,
    direct: &Sample,
) -> Result<Option<Deviation>, Error> {
    let twin = &instance.twin;
    let mut rng = Stream::seed_from_u64(seed ^ 0x0067_6577);
    let statistics = Statistics::new(twin);
    let x = twin.draw(&mut rng);
    if too_wide(twin, &x) {
        return Ok(None);
    }
    // Views by way, from which the auxiliary variables of a chain are known before there are data.
    let values = instance.observe(&x, false, &mut rng);
    let bind = |values: Vec<ObservedValues>, held_out: HeldOut, way: usize| {
        instance.assemble(&instance.setting(values, false, held_out), form, Some(way))
    };
    let templates = match form {
        FormKind::Collapsed => Vec::new(),
        FormKind::Augmented => {
            let ways = 0..WAYS;
            ways.map(|way| bind(values.clone(), HeldOut::None, way))
                .collect::<Result<_, _>>()?
        }
    };
    let mut ends = vec![Vec::with_capacity(chains); statistics.names().len()];
    let data = LENGTH / SWEEPS;
    for chain in 0..chains {
        let mut x = twin.draw(&mut rng);
        for time in 0..data {
            if too_wide(twin, &x) {
                if time == 0 {
                    return Ok(None);
                }
                // A sampler that is right hardly ever leads where draws from the prior were not: the chain ends here.
                break;
            }
            // Every way in turn: a chain of right samplers is one.
            let number = chain * data + time;
            let (key, way) = (number as u64, number % WAYS);
            let values = match templates.get(way) {
                None => instance.observe(&x, false, &mut rng),
                Some(template) => given_auxiliaries(instance, &**template, &x, &Streams::new(seed, key), &mut rng),
            };
            // Whatever is held out, the sampler leaves the law of factors and data as it is.
            let held_out = match form {
                FormKind::Collapsed if number / WAYS % 2 == 1 => HeldOut::Some,
                _ => HeldOut::None,
            };
            let model = bind(values, held_out, way)?;
            let mut start = model.factors();
            load(&mut start, &x);
            let mut state = Chain::starting_at(&*model, start, seed, key);
            if form == FormKind::Augmented {
                state.settle(ROUNDS);
            }
            for _ in 0..SWEEPS {
                state.sweep();
                state.check()?;
            }
            x = values_of(state.values());
        }
        statistics.record(&x, &mut ends);
    }
    Ok(Some(direct.compare(&mut ends)))
}

/// Data given the auxiliary variables that a chain on `streams` starts from. It draws them from their prior, whatever
/// the data: with data that were drawn given the same ones, (factors, auxiliary variables, data) is one exact draw, and
/// any number of rounds of a right sampler leaves it one.
fn given_auxiliaries(
    instance: &Instance,
    template: &dyn Model,
    x: &[Vec<f64>],
    streams: &Streams,
    rng: &mut Stream,
) -> Vec<ObservedValues> {
    let counts = instance.twin.draw_counts(x, rng);
    let views = template
        .views()
        .into_iter()
        .zip(counts)
        .zip(&instance.mechanisms)
        .enumerate();
    views
        .map(|(unit, ((view, y), mechanism))| {
            if view.is_difference() || view.has_total() {
                return mechanism.observe(&y, rng);
            }
            let states = view.start(streams, unit);
            let y: Vec<u64> = y.iter().map(|&[y, _]| y).collect();
            mechanism.values(view.observe(&y, &states, rng))
        })
        .collect()
}
