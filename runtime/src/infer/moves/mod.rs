//! Joint moves of the factors between Gibbs sweeps, the true counts summed out.
//!
//! A sweep draws every count given the rates and every factor given the counts: where noise is strong the two hold each
//! other, and the chain takes many sweeps to move as far as the posterior is wide. A joint move changes many factors at
//! once under the exact marginal likelihood of the rates. There are three, each of which leaves the posterior as it is:
//! Hamiltonian trajectories of all of them ([`trajectory`]), scales of slices of one latent ([`scalings`]), and scales that the
//! rates do not see ([`scales`]).

mod adapted;
mod cut;
mod density;
mod level;
mod log_concave;
mod plan;
mod rows;
mod scales;
mod scalings;
mod trajectory;

use crate::model::{CountRate, Factors, Latent, Model, Prior};
use crate::streams::{Purpose, Streams};

pub use adapted::Adapted;
pub use density::LogDensity;
pub(super) use plan::{MovesPlan, work};

use scales::Scales;
use scalings::Scalings;
use trajectory::Trajectory;

/// The place of a chain that moves change: factors, and the rates at their values.
pub(super) struct Place<'a> {
    pub model: &'a dyn Model,
    pub x: &'a mut Factors,
    pub count_rates: &'a mut [CountRate],
}

impl Place<'_> {
    /// Gives the rates the present values.
    fn set_rates(&mut self) {
        self.model.set_rates(self.x, self.count_rates);
    }

    /// The prior of a latent that moves: a gamma.
    fn prior(&self, latent: usize) -> Prior {
        self.model.prior(latent, self.x)
    }
}

/// The probability with which Metropolis et al. (1953) accept a gain in log density under a symmetric proposal. What is not a number has left the range of doubles: it is
/// refused.
fn acceptance(gain: f64) -> f64 {
    let ratio = gain.exp();
    if ratio.is_nan() { 0.0 } else { ratio.min(1.0) }
}

/// The moves of one chain.
pub(super) struct Joint {
    plan: MovesPlan,
    adapted: Adapted,
    trajectories: Option<(LogDensity, Trajectory)>,
    scalings: Scalings,
    scales: Scales,
}

impl Joint {
    /// Moves as planned, with what they adapt not adapted yet; `None` where there are none.
    pub fn new(model: &dyn Model, latents: &[Latent], plan: MovesPlan) -> Option<Self> {
        if plan.moves_nothing() {
            return None;
        }
        // Without trajectories nothing is kept for each entry.
        let trajectories = plan.has_trajectories().then(|| {
            let density = LogDensity::new(model, latents);
            let trajectory = Trajectory::new(density.len());
            (density, trajectory)
        });
        let entries = trajectories.as_ref().map_or(0, |(density, _)| density.len());
        let scalings = match plan.has_scalings() {
            true => Scalings::new(model, latents),
            false => Scalings::default(),
        };
        Some(Self {
            adapted: Adapted::new(entries, scalings.sizes()),
            trajectories,
            scalings,
            scales: Scales::new(model, latents),
            plan,
        })
    }

    /// What the moves have adapted so far.
    pub fn adapted(&self) -> &Adapted {
        &self.adapted
    }

    /// The same, to be restored.
    pub fn adapted_mut(&mut self) -> &mut Adapted {
        &mut self.adapted
    }

    /// Adapts anew after the first `sweeps`, from where the round of tuning before has ended.
    pub fn tune_after(&mut self, sweeps: u64) {
        self.plan.tune_after(sweeps);
    }

    /// Forgets how the step size was found, not the step size.
    pub fn restart_step(&mut self) {
        let step = self.adapted.step();
        self.adapted.restart_step(step);
    }

    /// The moves that are due after `sweep`, which left `counts` on the factors.
    pub fn advance(&mut self, mut place: Place<'_>, counts: &Factors, streams: &Streams, sweep: u64) {
        let tuning = self.plan.tuning(sweep);
        if let Some((density, trajectory)) = &mut self.trajectories {
            if self.plan.trajectory_is_due(sweep) || sweep == 1 {
                density.set_prior(place.model, place.x);
            }
            if sweep == 1 && tuning {
                density.spread(counts, self.adapted.inverse_mass_mut());
            }
            if self.plan.trajectory_is_due(sweep) {
                let mut rng = streams.open(Purpose::Moves, 0, 0);
                let steps = self.plan.steps(&mut rng);
                let (mass, step) = (self.adapted.inverse_mass(), self.adapted.step());
                let acceptance = trajectory.run(density, &mut place, mass, step, steps, &mut rng);
                if tuning {
                    self.adapted.learn_step(acceptance);
                }
            }
            if self.plan.collects(sweep) {
                density.logarithms(place.x, trajectory.spare());
                self.adapted.collect(trajectory.spare());
            }
            if self.plan.mass_is_due(sweep) {
                self.adapted.set_mass();
            }
            if self.plan.tuning_ends(sweep) {
                self.adapted.fix_step();
            }
        }
        if self.plan.has_scalings() && sweep == 1 && tuning {
            self.scalings.guess_widths(&place, counts, &mut self.adapted);
        }
        if self.plan.scaling_is_due(sweep) {
            let mut rng = streams.open(Purpose::Moves, 1, 0);
            self.scalings.run(&mut place, &mut self.adapted, tuning, &mut rng);
        }
        if self.plan.scales_are_due(sweep) {
            let mut rng = streams.open(Purpose::Moves, 2, 0);
            self.scales.run(&mut place, &mut rng);
        }
    }
}
