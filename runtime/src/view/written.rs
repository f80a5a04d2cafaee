//! The steps of a cell that a generated file writes out, as steps of a form. They are compiled with the model; the passes that call them are
//! compiled with the library.

use rand::Rng;

use crate::channel::skellam_bessel::{NoiseCounts, NoiseRates};
use crate::channel::{SkellamBessel, TwoSidedGeometric, draw_each};

use super::form::{Form, Steps};
use super::{GeometricCell, SummedOutCell, WrittenLaw};

/// The steps of a cell of geometric noise in both forms: the noise summed out, and kept.
#[derive(Clone, Copy)]
pub struct GeometricSteps {
    collapsed: Steps<TwoSidedGeometric>,
    augmented: Steps<TwoSidedGeometric, NoiseRates, NoiseCounts>,
}

/// The augmented form of geometric noise.
type NoiseKept = Form<TwoSidedGeometric, NoiseRates, NoiseCounts>;

impl GeometricSteps {
    /// Those that `S` writes out.
    pub fn of<S: GeometricCell>() -> Self {
        Self {
            collapsed: Steps::of::<SummedOut<S>>(),
            augmented: Steps {
                imputes: |channel, rates, values, states, first, rng, give| {
                    let alpha = channel.alpha();
                    draw_each(
                        rates.iter().zip(values).zip(states),
                        rng,
                        |i, y, rng| give(first + i, y, rng),
                        |((&mu, &c), lambda), rng| S::draw_noise(c, mu, alpha, lambda, rng),
                    );
                },
                slopes: |channel, rates, values, factors, into| {
                    let cells = rates.iter().zip(values).zip(factors).zip(into);
                    cells.for_each(|(((&rho, &c), noise), slope)| {
                        *slope = S::ascend_noise(c, rho, channel.alpha(), noise);
                    });
                },
                publish: |channel, rates, values, factors, into| {
                    let cells = rates.iter().zip(values).zip(factors).zip(into);
                    cells.for_each(|(((&mu, &c), noise), expected)| {
                        *expected = S::publish(c, mu, channel.alpha(), noise);
                    });
                },
            },
        }
    }

    /// Both forms by these steps. Starts, simulations and bounds are those of the channel.
    pub fn forms(self) -> (Form<TwoSidedGeometric>, NoiseKept) {
        let augmented = Form::augmented::<SkellamBessel>();
        (Form::collapsed().by(self.collapsed), augmented.by(self.augmented))
    }
}

/// Of the steps of a cell of geometric noise, those with the noise summed out.
struct SummedOut<S>(S);

impl<S: GeometricCell> SummedOutCell<TwoSidedGeometric> for SummedOut<S> {
    fn draw<R: Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        S::draw(c, mu, alpha, rng)
    }

    fn ascend(c: i64, rho: f64, alpha: f64) -> f64 {
        S::ascend(c, rho, alpha)
    }
}

impl<L: WrittenLaw> Steps<L> {
    /// Those that `S` writes out.
    pub fn of<S: SummedOutCell<L>>() -> Self {
        Self {
            imputes: |channel, rates, values, _, first, rng, give| {
                let noise = channel.noise();
                draw_each(
                    rates.iter().zip(values),
                    rng,
                    |i, y, rng| give(first + i, y, rng),
                    |(&mu, &c), rng| S::draw(c, mu, noise, rng),
                );
            },
            slopes: |channel, rates, values, _, into| {
                let noise = channel.noise();
                for ((&rho, &c), slope) in rates.iter().zip(values).zip(into) {
                    *slope = match L::overflows(rho, noise) {
                        true => channel.slope(rho, c),
                        false => S::ascend(c, rho, noise),
                    };
                }
            },
            // VI18 has no step where nothing is kept: beside a count that has one, the expectation is taken at the mean rate.
            publish: |channel, rates, values, _, into| {
                let noise = channel.noise();
                for ((rate, &c), expected) in rates.iter().zip(values).zip(into) {
                    let slope = match L::overflows(rate.mean, noise) {
                        true => channel.slope(rate.mean, c),
                        false => S::ascend(c, rate.mean, noise),
                    };
                    *expected = rate.mean * slope;
                }
            },
        }
    }
}
