//! The steps of a cell that a generated file writes out, as steps of a form. They are compiled with the model; the passes that call them are
//! compiled with the library.

use crate::channel::skellam_bessel::{NoiseCounts, NoiseRates};
use rand::Rng;

use crate::channel::{
    Channel, GeometricCell, Skellam, SkellamBessel, SkellamCell, TruncatedCell, TruncatedGeometric, TwoSidedGeometric,
    draw_each,
};

use super::form::{Form, Steps};

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
            collapsed: Steps::summed_out::<Whole<S>>(),
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

/// Steps of a cell with geometric noise summed out, for a law of a type of its own.
trait SummedOut {
    /// The law.
    type Law: Channel<Value = i64>;

    fn alpha(law: &Self::Law) -> f64;
    fn draw<R: Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64;
    fn ascend(c: i64, rho: f64, alpha: f64) -> f64;
}

/// Noise on both sides.
struct Whole<S>(S);

impl<S: GeometricCell> SummedOut for Whole<S> {
    type Law = TwoSidedGeometric;

    fn alpha(law: &TwoSidedGeometric) -> f64 {
        law.alpha()
    }

    fn draw<R: Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        S::draw(c, mu, alpha, rng)
    }

    fn ascend(c: i64, rho: f64, alpha: f64) -> f64 {
        S::ascend(c, rho, alpha)
    }
}

/// Noise of which what is negative was set to zero.
struct CutAtZero<S>(S);

impl<S: TruncatedCell> SummedOut for CutAtZero<S> {
    type Law = TruncatedGeometric;

    fn alpha(law: &TruncatedGeometric) -> f64 {
        law.alpha()
    }

    fn draw<R: Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        S::draw(c, mu, alpha, rng)
    }

    fn ascend(c: i64, rho: f64, alpha: f64) -> f64 {
        S::ascend(c, rho, alpha)
    }
}

impl<C: Channel<Value = i64>> Steps<C> {
    fn summed_out<S: SummedOut<Law = C>>() -> Self {
        Self {
            imputes: |channel, rates, values, _, first, rng, give| {
                let alpha = S::alpha(channel);
                draw_each(
                    rates.iter().zip(values),
                    rng,
                    |i, y, rng| give(first + i, y, rng),
                    |(&mu, &c), rng| S::draw(c, mu, alpha, rng),
                );
            },
            slopes: |channel, rates, values, _, into| {
                let alpha = S::alpha(channel);
                for ((&rho, &c), slope) in rates.iter().zip(values).zip(into) {
                    // Only where there is as good as no noise, epsilon / N beyond 640: the count is what was released.
                    let bare = c > 0 && (rho / alpha).is_infinite();
                    *slope = if bare { c as f64 / rho } else { S::ascend(c, rho, alpha) };
                }
            },
            ..Self::collapsed()
        }
    }
}

impl Steps<TruncatedGeometric> {
    /// Those that `S` writes out.
    pub fn of<S: TruncatedCell>() -> Self {
        Self::summed_out::<CutAtZero<S>>()
    }
}

impl Steps<Skellam> {
    /// Those that `S` writes out.
    pub fn of<S: SkellamCell>() -> Self {
        Self {
            imputes: |channel, rates, values, _, first, rng, give| {
                draw_each(
                    rates.iter().zip(values),
                    rng,
                    |i, y, rng| give(first + i, y, rng),
                    |(&mu, &c), rng| S::draw(c, mu, channel.lambda(), rng),
                );
            },
            slopes: |channel, rates, values, _, into| {
                let cells = rates.iter().zip(values).zip(into);
                cells.for_each(|((&rho, &c), slope)| *slope = S::ascend(c, rho, channel.lambda()));
            },
            ..Self::collapsed()
        }
    }
}
