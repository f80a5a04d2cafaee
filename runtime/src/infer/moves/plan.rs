//! Which joint moves a chain makes, and when.

use rand::RngExt;

use crate::infer::settings::Moves;
use crate::model::Latent;
use crate::streams::Stream;
use crate::view::View;

/// Steps of a trajectory, on average, where a step takes a tenth of the time of a sweep. At 20 x 20, K = 3, the worst rate had 495
/// effective samples a second with 16, 582 with 32, 543 with 64.
const CHEAP_STEPS: u64 = 32;
/// The same where it takes a third to a half of it.
const STEPS: u64 = 16;
/// Multiplications of one gradient up to which a trajectory follows every sweep.
const SMALL: f64 = 1e5;
/// Sweeps between trajectories beyond which none are made: tuning would see too few to adapt them.
const SELDOM: f64 = 32.0;
/// Sweeps between level moves where they are most of what a chain moves by: where noise leaves less of a count than
/// [`STRONG_NOISE`].
///
/// 1000 x 500 cells, K = 10, shape 1, mean rate 10, alpha 0.99; a sweep takes 54 ms, a move 44 ms. Effective samples a second of
/// the median row's level, of the level of all rates, of the median rate and of the median component's level:
///
/// | | row | all | rate | component |
/// |---|---|---|---|---|
/// | sweeps alone | 0.11 | 0.03 | 0.08 | 0.09 |
/// | levels of whole latents every eighth sweep | 0.10 | 0.25 | 0.10 | |
/// | all kinds every eighth | 0.18 | 0.31 | 0.17 | 0.07 |
/// | all kinds every second | 0.31 | 0.53 | 0.23 | 0.09 |
/// | all kinds after every sweep | 0.42 | 0.65 | 0.20 | |
/// | rows alone after every sweep | 1.05 | 1.25 | 0.26 | 0.03 |
/// | components alone after every sweep | 0.09 | 0.29 | 0.11 | 0.20 |
///
/// At alpha 0.9, where a weight of 0.1 is left, 0.71, 0.79, 0.16, 0.12 by sweeps alone, 0.71, 0.79, 0.17, 0.09 with all kinds every
/// eighth and 0.66, 1.13, 0.21, 0.14 with all kinds every second. One run each of 40 to 60 processor seconds, some of chains that
/// are too short to tell 0.03 from 0.1.
const LEVEL_OFTEN: u64 = 2;
/// Sweeps between level moves elsewhere.
const LEVEL_EVERY: u64 = 8;
/// Exposure weight of cells that are not visited, `1 - alpha` of a two-sided geometric, below which sweeps forget a level too
/// slowly.
const STRONG_NOISE: f64 = 0.05;
/// Sweeps between moves along scale symmetries where there are no trajectories.
const SCALES_EVERY: u64 = 8;

/// Which moves are made after which sweep: a function of the model's sizes and the settings alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::infer) struct MovesPlan {
    /// Sweeps from one trajectory to the next and its steps, on average.
    trajectories: Option<[u64; 2]>,
    /// Sweeps from one level move to the next.
    levels: Option<u64>,
    scales: bool,
    /// Sweeps before the present round of tuning, and sweeps of that round.
    before: u64,
    num_tune: u64,
}

impl MovesPlan {
    /// The plan of `moves` for a chain that is tuned for `num_tune` sweeps.
    pub fn new(moves: Moves, latents: &[Latent], views: &[&View], num_tune: usize) -> Self {
        let nothing = Self {
            trajectories: None,
            levels: None,
            scales: false,
            before: 0,
            num_tune: num_tune as u64,
        };
        // Auxiliary variables belong to the state of a chain: rates may not move without them.
        let augmented = views.iter().any(|view| view.keeps_state());
        let moved = latents.iter().any(is_moved);
        match moves {
            Moves::Nothing => nothing,
            _ if augmented || !moved => Self {
                scales: moves != Moves::Nothing,
                ..nothing
            },
            Moves::Trajectories { every, steps } => Self {
                trajectories: Some([every as u64, steps as u64]),
                scales: true,
                ..nothing
            },
            Moves::Levels { every } => Self {
                levels: Some(every as u64),
                scales: true,
                ..nothing
            },
            Moves::Auto => {
                let every = every(work(views));
                let often = every <= SELDOM;
                let cheap = views.iter().all(|view| view.has_cheap_derivative());
                let steps = if cheap { CHEAP_STEPS } else { STEPS };
                Self {
                    trajectories: often.then_some([every as u64, steps]),
                    levels: (!often).then(|| level_every(views)),
                    scales: true,
                    ..nothing
                }
            }
        }
    }

    pub fn moves_nothing(&self) -> bool {
        self.trajectories.is_none() && self.levels.is_none() && !self.scales
    }

    pub fn has_trajectories(&self) -> bool {
        self.trajectories.is_some()
    }

    pub fn trajectory_is_due(&self, sweep: u64) -> bool {
        self.trajectories.is_some_and(|[every, _]| sweep.is_multiple_of(every))
    }

    pub fn has_scalings(&self) -> bool {
        self.levels.is_some()
    }

    pub fn scaling_is_due(&self, sweep: u64) -> bool {
        self.levels.is_some_and(|every| sweep.is_multiple_of(every))
    }

    pub fn scales_are_due(&self, sweep: u64) -> bool {
        self.scales && (self.has_trajectories() || sweep.is_multiple_of(SCALES_EVERY))
    }

    /// The same plan with a round of tuning after the first `sweeps`.
    pub fn tune_after(&mut self, sweeps: u64) {
        self.before = sweeps;
    }

    /// Whether the chain still adapts in `sweep`, counted from one.
    pub fn tuning(&self, sweep: u64) -> bool {
        sweep <= self.before + self.num_tune
    }

    pub fn tuning_ends(&self, sweep: u64) -> bool {
        sweep == self.before + self.num_tune
    }

    /// Windows from a tenth to a fifth of the tuning, to two fifths and to nine tenths of it, as each finds masses by which the
    /// next one moves better; the last tenth is for the step size alone.
    pub fn collects(&self, sweep: u64) -> bool {
        let sweep = sweep.saturating_sub(self.before);
        10 * sweep > self.num_tune && 10 * sweep <= 9 * self.num_tune
    }

    pub fn mass_is_due(&self, sweep: u64) -> bool {
        let sweep = sweep.saturating_sub(self.before);
        [2, 4, 9].iter().any(|tenths| sweep == tenths * self.num_tune / 10)
    }

    /// Steps of one trajectory: uniform, so that none is a multiple of a period of the posterior.
    pub fn steps(&self, rng: &mut Stream) -> usize {
        let [_, steps] = self.trajectories.unwrap_or([1, 1]);
        rng.random_range(1..2 * steps.max(1)) as usize
    }
}

/// Whether a latent takes part in moves under the likelihood: it is in a rate and in no other latent's prior, and its
/// conditional is a gamma. Frozen ones are left out besides, and those under whole lines of counts, of which passes over cells know no
/// likelihood.
pub(super) fn is_moved(latent: &Latent) -> bool {
    latent.uses > 0 && latent.family.has_scale() && !latent.is_parent && !latent.custom_update && !latent.in_open_total
}

/// Multiplications of one product of all rates that are visited.
pub(in crate::infer) fn work(views: &[&View]) -> f64 {
    let of = |view: &&View| {
        let grid = view.grid();
        let cells = if view.is_dense() { grid.cells() } else { view.visited() };
        cells as f64 * grid.inner as f64
    };
    views.iter().map(of).sum()
}

/// Sweeps from one trajectory to the next, where a product of the rates has `work` multiplications.
fn every(work: f64) -> f64 {
    (work / SMALL).ceil().max(1.0)
}

/// Sweeps from one level move to the next: by the count of which noise leaves least.
fn level_every(views: &[&View]) -> u64 {
    let weights = views.iter().map(|view| view.exposure_weight());
    match weights.fold(1.0, f64::min) < STRONG_NOISE {
        true => LEVEL_OFTEN,
        false => LEVEL_EVERY,
    }
}
