//! The joint distribution test (Geweke 2004): factors drawn from the prior, against chains that alternate between
//! data given factors and the sampler given data.
//!
//! Each chain starts at a draw from the prior, which is its law from then on if the sampler is right. Where many short
//! chains end is then a sample of independent draws from the prior, however slowly a chain moves, and two samples are
//! compared without a standard error that could be wrong (Gandy and Scott 2020). Without data, with every cell held out, chains stay at
//! the prior by themselves.
//!
//! A joint move that looks at priors alone leaves the law of the factors as it is, whatever the data: it is seen only where factors
//! and data are looked at together. So the likelihood and the joint density of the last state of a chain with moves are recorded beside
//! factors and rates, under the data that the last sweeps had. What a move leaves beside the factors needs no chance: after every sweep
//! with its moves the rates that the chain keeps are held against those at its factors. The next sweep would use them, and so hide them.

use std::sync::Arc;

use skellam::infer::{Adapted, Chain, LogDensity, Moves};
use skellam::model::{FormKind, Model, WAYS};
use skellam_math::streams::{Stream, Streams};

use super::conditional::{RATES, rates_off};
use super::density::NOTHING_MOVES;
use super::held_out::HeldOut;
use super::law::Check;
use super::setting::ObservedValues;
use super::statistics::{KOLMOGOROV_LIMIT, Statistics};
use super::trial::{Found, Stopped, Trial, factors_at, values_of};
use super::twin::Twin;
use super::worst::Worst;

/// How chains are made.
pub(super) struct ChainKind {
    pub laws: &'static [Check],
    pub name: &'static str,
    pub form: FormKind,
    moves: Option<Moves>,
    /// Data that a chain sees one after another, and sweeps under each: more than one, so that what a sweep leaves behind for the next is seen.
    lengths: [usize; 2],
    /// The held-out cells of one data of a chain, in turn: whatever is held out, the sampler leaves the law of factors and data as it is. The
    /// last have the first, which are those of direct draws.
    held_out: [HeldOut; 2],
    /// Work of all chains, in the units of [`Instance::work`](super::instance::Instance::work), and fewest and most chains.
    budget: (f64, [f64; 2]),
}

const COLLAPSED: ChainKind = ChainKind {
    laws: &[Check::Geweke],
    name: "collapsed",
    form: FormKind::Collapsed,
    moves: None,
    lengths: [4, 2],
    held_out: [HeldOut::Some, HeldOut::None],
    budget: (5e6, [2_500.0, 25_000.0]),
};

pub(super) const KINDS: [ChainKind; 5] = [
    COLLAPSED,
    ChainKind {
        name: "augmented",
        form: FormKind::Augmented,
        held_out: [HeldOut::None; 2],
        ..COLLAPSED
    },
    // The moves of a fit of this size by default.
    ChainKind {
        laws: &[Check::Moves],
        name: "trajectories, scales",
        moves: Some(Moves::Auto),
        budget: (1e6, [2_000.0, 6_000.0]),
        ..COLLAPSED
    },
    // Those of a fit that is too large for trajectories, for all latents in turn.
    ChainKind {
        laws: &[Check::Moves],
        name: "levels, components, rows",
        moves: Some(Moves::Levels { every: 1 }),
        lengths: [4, 4],
        budget: (1e6, [2_000.0, 6_000.0]),
        ..COLLAPSED
    },
    ChainKind {
        laws: &[Check::Prior],
        name: "all cells held out",
        lengths: [1, 8],
        held_out: [HeldOut::All; 2],
        budget: (5e6, [5_000.0, 5_000.0]),
        ..COLLAPSED
    },
];

impl ChainKind {
    /// How many chains there are to be: a number that follows the model, never the clock.
    fn chains(&self, trial: &Trial<'_>) -> usize {
        let (budget, [least, most]) = self.budget;
        let affordable: f64 = budget / (OVERHEAD + trial.instance.work() as f64);
        trial.times(affordable.clamp(least, most), 100.0)
    }
}

/// What an iteration costs besides.
const OVERHEAD: f64 = 120.0;
/// Rounds of the auxiliary variables alone before each sweep of the augmented form.
const ROUNDS: usize = 3;
/// Sweeps over which a chain of its own adapts masses and steps of trajectories.
const TUNE: usize = 300;
/// Steps of trajectories in turn, as multiples of the one that was found: with it most are accepted, with the larger many are
/// refused, and what is wrong with their end shows.
const STEPS: [f64; 3] = [1.0, 1.6, 2.2];
/// Rates above this cannot be tried: counts would leave the range that channels promise.
const WIDEST: f64 = 1e9;
/// What is said where they are.
const TOO_WIDE: &str =
    "the numbers in the priors give rates beyond 1e9: declare them as hyperparameters, which are replaced here";

/// Draws of the factors from their priors, with data given them if there are moves: several for each chain. More would hardly sharpen a
/// comparison.
fn drawn(trial: &Trial<'_>, kind: &ChainKind, statistics: &Statistics<'_>) -> Result<Vec<Vec<f64>>, Stopped> {
    let draws = kind.chains(trial) * if kind.moves.is_some() { 2 } else { 4 };
    let (instance, twin) = (trial.instance, &trial.instance.twin);
    let mut rng = trial.rng(0x6469_7265);
    let mut direct = Vec::with_capacity(draws);
    for number in 0..draws {
        if number % 100 == 0 {
            trial.on_time()?;
        }
        let x = twin.draw(&mut rng);
        let mut densities = None;
        if kind.moves.is_some() {
            in_range(twin, &x)?;
            let values = instance.observe(&x, false, &mut rng);
            let model = instance.bind(&values, (false, kind.held_out[0]), kind.form, Some(number % WAYS))?;
            densities = Some(densities_of(trial, &*model, &x));
        }
        direct.push(statistics.of(&x, densities));
    }
    Ok(direct)
}

/// Whether data can be drawn.
fn is_in_range(twin: &Twin, x: &[Vec<f64>]) -> bool {
    twin.rates(x).iter().flatten().all(|rate| *rate <= WIDEST)
}

fn in_range(twin: &Twin, x: &[Vec<f64>]) -> Result<(), Stopped> {
    let too_wide = || Stopped::LeftOut(TOO_WIDE.to_owned());
    is_in_range(twin, x).then_some(()).ok_or_else(too_wide)
}

/// The likelihood and the joint density. Nothing is taken from a chain but its values: what it keeps beside them may belong to others.
fn densities_of(trial: &Trial<'_>, model: &dyn Model, x: &[Vec<f64>]) -> [f64; 2] {
    let ln_joint = trial.chain(model, x, 0).ln_joint();
    [ln_joint - trial.instance.twin.ln_prior(x), ln_joint]
}

/// The rows of one kind of chains, held against draws from the prior.
pub(super) fn joint_test(trial: &Trial<'_>, kind: &ChainKind) -> Found {
    let (instance, twin) = (trial.instance, &trial.instance.twin);
    let mut rng = trial.rng(0x0067_6577);
    let some = twin.draw(&mut rng);
    in_range(twin, &some)?;
    let values = instance.observe(&some, false, &mut rng);
    let bind = |way: usize| instance.bind(&values, (false, HeldOut::None), kind.form, Some(way));
    // Views by way, from which the auxiliary variables of a chain are known before there are data.
    let templates: Vec<Box<dyn Model>> = match kind.form {
        FormKind::Augmented => (0..WAYS).map(bind).collect::<Result<_, _>>()?,
        FormKind::Collapsed => Vec::new(),
    };
    let mut adapted = None;
    if kind.moves.is_some() {
        let model = bind(0)?;
        if LogDensity::new(&*model, model.latents()).is_empty() {
            return Err(Stopped::LeftOut(NOTHING_MOVES.to_owned()));
        }
        if matches!(kind.moves, Some(Moves::Auto)) {
            adapted = tuned(trial, &*model, &some)?;
        }
    }
    let statistics = Statistics::new(twin, kind.moves.is_some());
    let direct = drawn(trial, kind, &statistics)?;
    let [data, sweeps] = kind.lengths;
    let (chains, mut ends, mut stale) = (kind.chains(trial), Vec::new(), Worst::default());
    for number in 0..chains {
        trial.on_time()?;
        let mut x = twin.draw(&mut rng);
        in_range(twin, &x)?;
        let mut densities = kind.moves.map(|_| [f64::NEG_INFINITY; 2]);
        for time in 0..data {
            // A sampler that is right hardly ever leads where draws from the prior were not, and where no data can be drawn: the chain
            // ends here.
            if !is_in_range(twin, &x) {
                break;
            }
            // Every way in turn: a chain of right samplers is one.
            let (key, way) = ((number * data + time) as u64, (number + time) % WAYS);
            let values = match templates.get(way) {
                None => instance.observe(&x, false, &mut rng),
                Some(template) => given_auxiliaries(trial, &**template, &x, &Streams::new(trial.seed, key), &mut rng),
            };
            let model = instance.bind(
                &values,
                (false, kind.held_out[(data - 1 - time) % 2]),
                kind.form,
                Some(way),
            )?;
            let mut chain = trial.chain(&*model, &x, key);
            if kind.form == FormKind::Augmented {
                chain.settle(ROUNDS);
            }
            if let Some(moves) = kind.moves {
                chain = with_moves(chain, moves, &adapted, number, time * sweeps);
            }
            for _ in 0..sweeps {
                match kind.moves {
                    Some(_) => chain.advance(),
                    None => chain.sweep(),
                }
                chain.check()?;
                if kind.moves.is_some() {
                    stale.raise(rates_off(&*model, chain.values(), chain.count_rates()));
                }
            }
            x = values_of(chain.values());
            if time == data - 1 && densities.is_some() {
                densities = Some(densities_of(trial, &*model, &x));
            }
        }
        ends.push(statistics.of(&x, densities));
    }
    let deviation = statistics.compare(&direct, &ends);
    let (of, alarms) = (deviation.tried, 1e-7 * deviation.tried as f64);
    let what =
        format!("{of} statistics over {chains} chains of {data} data with {sweeps} sweeps; false alarms {alarms:.0e}");
    let mut rows = vec![deviation.row(kind.laws[0], kind.name, KOLMOGOROV_LIMIT, &what)];
    if kind.moves.is_some() {
        let what = format!(
            "after {} sweeps with their moves, against those at the factors",
            stale.tried
        );
        rows.push(stale.row(kind.laws[0], format!("rates after {}", kind.name), RATES, &what));
    }
    Ok(rows)
}

/// A chain that makes moves, of a kind that takes turns from another one on for each of its data.
fn with_moves<'m>(chain: Chain<'m>, moves: Moves, tuned: &Option<Adapted>, number: usize, sweep: usize) -> Chain<'m> {
    let mut chain = chain.with_moves(moves, 0);
    if let Some(adapted) = chain.adapted_mut() {
        match tuned {
            Some(tuned) => {
                adapted.clone_from(tuned);
                adapted.restart_step(tuned.step() * STEPS[(number + sweep) % STEPS.len()]);
            }
            None => adapted.begin_with(number + sweep),
        }
    }
    chain
}

/// Masses and the step of trajectories as tuning leaves them. They are used under other data than they were found under, which
/// costs acceptance and nothing else.
fn tuned(trial: &Trial<'_>, model: &dyn Model, x: &[Vec<f64>]) -> Result<Option<Adapted>, Stopped> {
    let chain = Chain::starting_at(model, factors_at(model, x), trial.seed, 0x7475_6e65);
    let mut chain = chain.with_moves(Moves::default(), TUNE);
    for _ in 0..TUNE {
        chain.advance();
        chain.check()?;
    }
    Ok(chain.adapted().cloned())
}

/// Data given the auxiliary variables that a chain on `streams` starts from. It draws them from their prior, whatever
/// the data: with data that were drawn given the same ones, (factors, auxiliary variables, data) is one exact draw, and
/// any number of rounds of a right sampler leaves it one.
fn given_auxiliaries(
    trial: &Trial<'_>,
    template: &dyn Model,
    x: &[Vec<f64>],
    streams: &Streams,
    rng: &mut Stream,
) -> Vec<ObservedValues> {
    let counts = trial.instance.twin.draw_counts(x, rng);
    let views = template
        .views()
        .into_iter()
        .zip(counts)
        .zip(trial.instance.mechanisms(false));
    let values = views.enumerate().map(|(unit, ((view, y), mechanism))| {
        if view.is_difference() || view.has_total() {
            return mechanism.observe(&y, rng);
        }
        let states = view.start(streams, unit);
        let y: Vec<u64> = y.iter().map(|&[y, _]| y).collect();
        Arc::from(view.observe(&y, &states, rng))
    });
    values.collect()
}
