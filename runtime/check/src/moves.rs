//! Joint moves leave the posterior as it is: the joint distribution test of chains that make them after every sweep.
//!
//! A move that looks at priors alone leaves the law of the factors as it is, whatever the data: it is seen only where factors
//! and data are looked at together. So the likelihood and the joint density of the last state of a chain are recorded beside
//! factors and rates, under the data that the last sweeps had.
//!
//! What a move leaves beside the factors needs no chance: after every sweep with its moves the operands that the chain keeps
//! are held against those at its factors. The next sweep would use them, and so hide them.

use std::sync::OnceLock;

use rand::SeedableRng;

use skellam::Error;
use skellam::infer::{Adapted, Chain, LogDensity, Moves};
use skellam::model::{Factors, FormKind, Model, WAYS};
use skellam_math::streams::Stream;

use super::geweke::{TOO_WIDE, too_wide};
use super::held_out::HeldOut;
use super::instance::Instance;
use super::rates::rates_kept_off;
use super::report::{Check, Row};
use super::statistics::{KOLMOGOROV_LIMIT, Sample, Statistics};
use super::{SelfTest, load, values_of};

/// The moves of one row: all that a fit may make, a kind at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveKind {
    /// Those of a fit of this size by default: trajectories and scales.
    Default,
    /// Those of a fit that is too large for trajectories: levels, components and rows.
    Levels,
}

impl MoveKind {
    pub const ALL: [Self; 2] = [Self::Default, Self::Levels];

    fn name(self) -> &'static str {
        match self {
            MoveKind::Default => "trajectories, scales",
            MoveKind::Levels => "levels, components, rows",
        }
    }

    fn moves(self) -> Moves {
        match self {
            MoveKind::Default => Moves::default(),
            MoveKind::Levels => Moves::Levels { every: 1 },
        }
    }

    /// Sweeps, each with its moves, under the same data: more than one, so that what a move leaves behind is seen. Levels,
    /// components and rows of all latents take turns, each time from another one on.
    fn sweeps(self) -> usize {
        match self {
            MoveKind::Default => 2,
            MoveKind::Levels => 4,
        }
    }
}

/// Data that a chain sees one after another. Each time all factors move, and most of the way.
const LENGTH: usize = 4;
/// Sweeps over which a chain of its own adapts masses and steps of trajectories.
const TUNE: usize = 300;
/// Steps of trajectories in turn, as multiples of the one that was found: with it most are accepted, with the larger many are
/// refused, and what is wrong with their end shows.
const STEPS: [f64; 3] = [1.0, 1.6, 2.2];
/// Work of one row, in the units of [`Instance::work`], and what an iteration costs besides.
const BUDGET: f64 = 4e6;
const OVERHEAD: f64 = 120.0;
/// Fewest and most data.
const ITERATIONS: [f64; 2] = [8_000.0, 24_000.0];
/// Draws from the prior for each chain.
const DIRECT: usize = 2;

/// Rates have the values of the chain to this fraction of the largest.
const RATES_KEPT: f64 = 1e-12;

/// Why there may be nothing to be tried.
pub(super) const NOTHING_MOVES: &str =
    "joint moves move no latent: simplices, parents and latents with an update of the user's own stay";

/// States at draws from the prior, under data that were drawn given them: what both kinds are held against, drawn by the first. None
/// where no data can be drawn.
pub(super) type Direct = OnceLock<Result<Option<Sample>, Error>>;

/// The rows of one kind of moves.
pub(super) fn moves(instance: &Instance, kind: MoveKind, options: &SelfTest, direct: &Direct) -> Vec<Row> {
    let [least, most] = ITERATIONS;
    let affordable = (BUDGET / (OVERHEAD + instance.work() as f64)).clamp(least, most);
    let chains = ((affordable * options.effort / LENGTH as f64).round() as usize).max(100);
    let rows = run(instance, kind, chains, options.seed, direct);
    rows.unwrap_or_else(|error| vec![Row::error(Check::Moves, kind.name(), &error)])
}

/// Values of all factors, the likelihood and the joint density.
struct MovedState {
    x: Vec<Vec<f64>>,
    ln_likelihood: f64,
    ln_joint: f64,
}

impl MovedState {
    /// Nothing is taken from a chain but its values: what it keeps beside them may belong to others.
    fn of(model: &dyn Model, x: Vec<Vec<f64>>, instance: &Instance) -> Self {
        let ln_joint = Chain::starting_at(model, at(model, &x), 0, 0).ln_joint();
        Self {
            ln_likelihood: ln_joint - instance.twin.ln_prior(&x),
            ln_joint,
            x,
        }
    }

    /// Where no data can be drawn.
    fn lost(x: Vec<Vec<f64>>) -> Self {
        let [ln_likelihood, ln_joint] = [f64::NEG_INFINITY; 2];
        Self {
            x,
            ln_likelihood,
            ln_joint,
        }
    }

    /// Adds every statistic to its own list.
    fn record(&self, statistics: &Statistics<'_>, into: &mut [Vec<f64>]) {
        let [of_factors @ .., likelihoods, joints] = into else {
            unreachable!("two lists more than there are statistics of factors")
        };
        statistics.record(&self.x, of_factors);
        likelihoods.push(self.ln_likelihood);
        joints.push(self.ln_joint);
    }
}

/// The factors of a model at some values.
fn at(model: &dyn Model, x: &[Vec<f64>]) -> Factors {
    let mut factors = model.factors();
    load(&mut factors, x);
    factors
}

/// Masses and the step of trajectories as tuning leaves them. They are used under other data than they were found under, which
/// costs acceptance and nothing else.
fn tuned(model: &dyn Model, start: Factors, seed: u64) -> Result<Option<Adapted>, Error> {
    let mut chain = Chain::starting_at(model, start, seed, 0x7475_6e65).with_moves(MoveKind::Default.moves(), TUNE);
    for _ in 0..TUNE {
        chain.advance();
        chain.check()?;
    }
    Ok(chain.adapted().cloned())
}

/// A model with data drawn at `x`.
fn bind(
    instance: &Instance,
    x: &[Vec<f64>],
    held_out: HeldOut,
    way: usize,
    rng: &mut Stream,
) -> Result<Box<dyn Model>, Error> {
    let values = instance.observe(x, false, rng);
    let setting = instance.setting(values, false, held_out);
    instance.assemble(&setting, FormKind::Collapsed, Some(way))
}

/// The names of what [`MovedState::record`] records.
fn names(statistics: &Statistics<'_>) -> Vec<String> {
    let mut names = statistics.names();
    names.extend(["likelihood", "joint density"].map(String::from));
    names
}

fn drawn(instance: &Instance, draws: usize, seed: u64) -> Result<Option<Sample>, Error> {
    let twin = &instance.twin;
    let mut rng = Stream::seed_from_u64(seed ^ 0x6d6f_7664);
    let statistics = Statistics::new(twin);
    let names = names(&statistics);
    let mut direct = vec![Vec::with_capacity(draws); names.len()];
    for number in 0..draws {
        let x = twin.draw(&mut rng);
        if too_wide(twin, &x) {
            return Ok(None);
        }
        let model = bind(instance, &x, HeldOut::Some, number % WAYS, &mut rng)?;
        MovedState::of(&*model, x, instance).record(&statistics, &mut direct);
    }
    Ok(Some(Sample::new(names, direct)))
}

fn run(instance: &Instance, kind: MoveKind, chains: usize, seed: u64, direct: &Direct) -> Result<Vec<Row>, Error> {
    let skipped = |why| Ok(vec![Row::skipped(Check::Moves, kind.name(), why)]);
    let twin = &instance.twin;
    let mut rng = Stream::seed_from_u64(seed ^ 0x6d6f_7665);
    let some = twin.draw(&mut rng);
    if too_wide(twin, &some) {
        return skipped(TOO_WIDE);
    }
    let model = bind(instance, &some, HeldOut::None, 0, &mut rng)?;
    if LogDensity::new(&*model, model.latents()).is_empty() {
        return skipped(NOTHING_MOVES);
    }
    let direct = match direct.get_or_init(|| drawn(instance, DIRECT * chains, seed)) {
        Ok(Some(direct)) => direct,
        Ok(None) => return skipped(TOO_WIDE),
        Err(error) => return Ok(vec![Row::error(Check::Moves, kind.name(), error)]),
    };
    let tuned = match kind {
        MoveKind::Default => tuned(&*model, at(&*model, &some), seed)?,
        MoveKind::Levels => None,
    };
    let statistics = Statistics::new(twin);
    let mut ends = vec![Vec::with_capacity(chains); names(&statistics).len()];
    let (mut stale, mut advances) = (0.0f64, 0);
    for number in 0..chains {
        let mut x = twin.draw(&mut rng);
        for time in 0..LENGTH {
            if too_wide(twin, &x) {
                if time == 0 {
                    return skipped(TOO_WIDE);
                }
                // Moves that are right hardly ever lead where draws from the prior were not.
                MovedState::lost(std::mem::take(&mut x)).record(&statistics, &mut ends);
                break;
            }
            // The last data of a chain have the cells held out that they have in direct draws.
            let held_out = if (LENGTH - time) % 2 == 1 {
                HeldOut::Some
            } else {
                HeldOut::None
            };
            // Every way in turn: a chain of right samplers is one.
            let model = bind(instance, &x, held_out, (number + time) % WAYS, &mut rng)?;
            let key = (number * LENGTH + time) as u64;
            let chain = Chain::starting_at(&*model, at(&*model, &x), seed ^ kind as u64, key);
            let mut chain = chain.with_moves(kind.moves(), 0);
            if let (Some(adapted), Some(tuned)) = (chain.adapted_mut(), &tuned) {
                adapted.clone_from(tuned);
                adapted.restart_step(tuned.step() * STEPS[(number + time) % STEPS.len()]);
            }
            if let (MoveKind::Levels, Some(adapted)) = (kind, chain.adapted_mut()) {
                adapted.begin_with(number + time * kind.sweeps());
            }
            for _ in 0..kind.sweeps() {
                chain.advance();
                chain.check()?;
                let off = rates_kept_off(&*model, &chain);
                // A NaN is a failure, and stays one.
                if off > stale || off.is_nan() {
                    stale = off;
                }
                advances += 1;
            }
            x = values_of(chain.values());
            if time == LENGTH - 1 {
                MovedState::of(&*model, x.clone(), instance).record(&statistics, &mut ends);
            }
        }
    }
    let deviation = direct.compare(&mut ends);
    let (of, name) = (deviation.of, &deviation.statistic);
    let alarms = 1e-7 * of as f64;
    let note = format!("{name}, of {of} over {chains} chains of {LENGTH} data; false alarms {alarms:.0e}");
    let of_rates = format!("rates after {}", kind.name());
    let tried = format!("after {advances} sweeps with their moves, against those at the factors");
    Ok(vec![
        Row::tried(Check::Moves, kind.name(), deviation.distance, KOLMOGOROV_LIMIT, note),
        Row::tried(Check::Moves, of_rates, stale, RATES_KEPT, tried),
    ])
}
