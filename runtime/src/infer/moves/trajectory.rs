//! Hamiltonian trajectories of the logarithms of the factors.
//!
//! Neal (2011), *MCMC using Hamiltonian dynamics*: a normal momentum for each entry, leapfrog steps along the gradient,
//! acceptance by the change of the total energy. The number of steps is drawn beforehand, from a law that does not look at
//! the state, so each trajectory length leaves the posterior as it is, and so does their mixture.

use rand::RngExt;
use rand_distr::{Distribution, StandardNormal};

use crate::streams::Stream;

use super::Place;
use super::density::LogDensity;

/// Buffers of one trajectory.
pub(super) struct Trajectory {
    point: Vec<f64>,
    momentum: Vec<f64>,
    gradient: Vec<f64>,
    saved: Vec<f64>,
}

impl Trajectory {
    pub fn new(entries: usize) -> Self {
        Self {
            point: vec![0.0; entries],
            momentum: vec![0.0; entries],
            gradient: vec![0.0; entries],
            saved: vec![0.0; entries],
        }
    }

    /// A buffer with a number for each entry, for use between trajectories.
    pub fn spare(&mut self) -> &mut [f64] {
        &mut self.point
    }

    /// Runs one and leaves the factors at its end if that is accepted, with the operands at their values. Returns the
    /// probability with which it was.
    pub fn run(
        &mut self,
        density: &mut LogDensity,
        place: &mut Place<'_>,
        inverse_mass: &[f64],
        step: f64,
        steps: usize,
        rng: &mut Stream,
    ) -> f64 {
        if density.is_empty() {
            return 1.0;
        }
        density.save(place.x, &mut self.saved);
        density.logarithms(place.x, &mut self.point);
        for (p, mass) in self.momentum.iter_mut().zip(inverse_mass) {
            let z: f64 = StandardNormal.sample(rng);
            *p = z / mass.sqrt();
        }
        let before = density.here(place, &mut self.gradient, true) - self.kinetic(inverse_mass);
        let mut after = f64::NEG_INFINITY;
        self.push(0.5 * step);
        for i in 1..=steps {
            for ((q, p), mass) in self.point.iter_mut().zip(&self.momentum).zip(inverse_mass) {
                *q += step * mass * p;
            }
            let last = i == steps;
            after = density.at(place, &self.point, &mut self.gradient, last);
            self.push(if last { 0.5 * step } else { step });
        }
        after -= self.kinetic(inverse_mass);
        // What is not finite has left the range of doubles: it is refused.
        let acceptance = match (after - before).exp() {
            ratio if ratio.is_finite() => ratio.min(1.0),
            ratio if ratio == f64::INFINITY && after.is_finite() => 1.0,
            _ => 0.0,
        };
        let u: f64 = rng.random();
        if u >= acceptance {
            density.load(&self.saved, place.x);
            place.set_rates();
        }
        acceptance
    }

    fn push(&mut self, by: f64) {
        let momenta = self.momentum.iter_mut().zip(&self.gradient);
        momenta.for_each(|(p, gradient)| *p += by * gradient);
    }

    fn kinetic(&self, inverse_mass: &[f64]) -> f64 {
        let momenta = self.momentum.iter().zip(inverse_mass);
        0.5 * momenta.map(|(p, mass)| p * p * mass).sum::<f64>()
    }
}
