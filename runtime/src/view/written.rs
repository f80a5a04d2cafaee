//! The steps of a cell that a generated file writes out, as steps of a form. They are compiled with the model; the passes that call them are
//! compiled with the library.

use std::marker::PhantomData;

use rand::Rng;

use crate::channel::skellam_bessel::{NoiseCounts, NoiseRates};
use crate::channel::{
    Channel, GeometricCell, SkellamBessel, SummedOutCell, TwoSidedGeometric, WrittenLaw, as_good_as_no_noise, draw_each,
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
            collapsed: Steps::summed::<Geometric<S>>(),
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

/// Steps of a cell of which nothing is kept but the count.
trait Summed {
    /// How the count was observed.
    type Law: Channel;
    /// What the steps know of the noise.
    type Noise: Copy;

    fn noise(law: &Self::Law) -> Self::Noise;
    fn overflows(rho: f64, noise: Self::Noise) -> bool;
    fn draw<R: Rng + ?Sized>(c: Value<Self>, mu: f64, noise: Self::Noise, rng: &mut R) -> u64;
    fn ascend(c: Value<Self>, rho: f64, noise: Self::Noise) -> f64;
}

type Value<S> = <<S as Summed>::Law as Channel>::Value;

/// Those of geometric noise that could be kept.
struct Geometric<S>(S);

impl<S: GeometricCell> Summed for Geometric<S> {
    type Law = TwoSidedGeometric;
    type Noise = f64;

    fn noise(law: &TwoSidedGeometric) -> f64 {
        law.alpha()
    }

    fn overflows(rho: f64, alpha: f64) -> bool {
        as_good_as_no_noise(rho, alpha)
    }

    fn draw<R: Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        S::draw(c, mu, alpha, rng)
    }

    fn ascend(c: i64, rho: f64, alpha: f64) -> f64 {
        S::ascend(c, rho, alpha)
    }
}

/// Those of a law of which nothing can be kept.
struct Of<L, S>(PhantomData<(L, S)>);

impl<L: WrittenLaw, S: SummedOutCell<L>> Summed for Of<L, S> {
    type Law = L;
    type Noise = L::Noise;

    fn noise(law: &L) -> L::Noise {
        law.noise()
    }

    fn overflows(rho: f64, noise: L::Noise) -> bool {
        L::overflows(rho, noise)
    }

    fn draw<R: Rng + ?Sized>(c: L::Value, mu: f64, noise: L::Noise, rng: &mut R) -> u64 {
        S::draw(c, mu, noise, rng)
    }

    fn ascend(c: L::Value, rho: f64, noise: L::Noise) -> f64 {
        S::ascend(c, rho, noise)
    }
}

impl<L: WrittenLaw> Steps<L> {
    /// Those that `S` writes out.
    pub fn of<S: SummedOutCell<L>>() -> Self {
        Self::summed::<Of<L, S>>()
    }
}

impl<C: Channel> Steps<C> {
    fn summed<S: Summed<Law = C>>() -> Self {
        Self {
            imputes: |channel, rates, values, _, first, rng, give| {
                let noise = S::noise(channel);
                draw_each(
                    rates.iter().zip(values),
                    rng,
                    |i, y, rng| give(first + i, y, rng),
                    |(&mu, &c), rng| S::draw(c, mu, noise, rng),
                );
            },
            slopes: |channel, rates, values, _, into| {
                let noise = S::noise(channel);
                for ((&rho, &c), slope) in rates.iter().zip(values).zip(into) {
                    *slope = match S::overflows(rho, noise) {
                        true => channel.slope(rho, c),
                        false => S::ascend(c, rho, noise),
                    };
                }
            },
            // VI18 has no step where nothing is kept: beside a count that has one, the expectation is taken at the mean rate.
            publish: |channel, rates, values, _, into| {
                let noise = S::noise(channel);
                for ((rate, &c), expected) in rates.iter().zip(values).zip(into) {
                    let slope = match S::overflows(rate.mean, noise) {
                        true => channel.slope(rate.mean, c),
                        false => S::ascend(c, rate.mean, noise),
                    };
                    *expected = rate.mean * slope;
                }
            },
        }
    }
}
