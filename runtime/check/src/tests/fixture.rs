//! A declared model, right or with one thing wrong, on which the laws themselves are tested.

use rand::RngExt;

use skellam::Error;
use skellam::model::family::{Custom, Family};
use skellam::model::{
    Bound, Complete, CountRate, ElboParts, Factors, FormKind, Model, Prior, Spec, Step, Symmetry, Update,
};
use skellam_math::distribution::gamma_draw;
use skellam_math::streams::{Stream, Streams};

use super::super::{Setting, Testable, TestedMechanism};

/// The model under test: priors of `theta` have a parent.
mod declared {
    use skellam::prelude::*;

    skellam::model! {
        pub model Gammas {
            index docs, words, topics;
            hyper s: positive = 0.8;
            latent xi[d in docs] ~ Gamma(shape = 1.5, rate = 1.0);
            latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = s * xi[d]);
            latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = s);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
            release y by TwoSidedGeometric;
        }
    }

    skellam::model! {
        pub model Simplices {
            index docs, words, topics;
            hyper s: positive = 0.8;
            latent xi[d in docs] ~ Gamma(shape = 1.5, rate = 1.0);
            latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = s * xi[d]);
            latent phi[k in topics, v in words] ~ Dirichlet(concentration = s, along = v);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
            release y by TwoSidedGeometric;
        }
    }

    skellam::model! {
        pub model ExactGammas {
            index docs, words, topics;
            hyper s: positive = 0.8;
            latent xi[d in docs] ~ Gamma(shape = 1.5, rate = 1.0);
            latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = s * xi[d]);
            latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = s);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        }
    }
}

use declared::{ExactGammas, Gammas, Simplices};

/// What is special about the model, or wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twist {
    /// Gammas, all right.
    Gammas,
    /// A simplex, all right.
    Simplex,
    /// Exact data only, all right.
    Exact,
    /// A user's own draw of theta that is right.
    OwnDraw,
    /// The parent's conditional without the shapes of its children.
    Childless,
    /// A user's own draw of phi that is ten thousand times too large: rates run off.
    Astray,
    /// Rates that take the values at which a chain starts, and not those of joint moves.
    Unmoved,
}

const TWISTS: [Twist; 7] = [
    Twist::Gammas,
    Twist::Simplex,
    Twist::Exact,
    Twist::OwnDraw,
    Twist::Childless,
    Twist::Astray,
    Twist::Unmoved,
];

const XI: usize = 0;
const THETA: usize = 1;
const PHI: usize = 2;

/// The declaration; `TWIST` is the number of a [`Twist`].
pub(super) struct Fixture<const TWIST: usize>;

impl<const TWIST: usize> Testable for Fixture<TWIST> {
    const SPEC: &'static Spec = match TWISTS[TWIST] {
        Twist::Simplex => Simplices::SPEC,
        Twist::Exact => ExactGammas::SPEC,
        _ => Gammas::SPEC,
    };

    fn mechanisms() -> Vec<Box<dyn TestedMechanism>> {
        match TWISTS[TWIST] {
            Twist::Exact => ExactGammas::mechanisms(),
            _ => Gammas::mechanisms(),
        }
    }

    fn assemble(setting: &Setting, form: FormKind, way: Option<usize>) -> Result<Box<dyn Model>, Error> {
        let twist = TWISTS[TWIST];
        let assemble = match twist {
            Twist::Simplex => Simplices::assemble,
            Twist::Exact => ExactGammas::assemble,
            _ => Gammas::assemble,
        };
        let right = assemble(setting, form, way)?;
        Ok(Box::new(Twisted { right, twist }))
    }
}

/// The model with data and its twist.
struct Twisted {
    right: Box<dyn Model>,
    twist: Twist,
}

impl Model for Twisted {
    fn bound(&self) -> &Bound {
        self.right.bound()
    }

    fn elbo(&self, of: &ElboParts<'_>) -> f64 {
        self.right.elbo(of)
    }

    fn prior(&self, latent: usize, x: &Factors) -> Prior {
        self.right.prior(latent, x)
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        self.right.symmetries()
    }

    fn set_rates(&self, x: &Factors, count_rates: &mut [CountRate]) {
        let is_new = count_rates[0].off(&self.right.count_rates()[0]) == 0.0;
        if self.twist != Twist::Unmoved || is_new {
            self.right.set_rates(x, count_rates);
        }
    }

    fn update(&self, x: &mut Factors, counts: &mut Factors, count_rates: &mut [CountRate], step: &mut dyn Step) {
        let twist = self.twist;
        self.right.update(x, counts, count_rates, &mut Twisting { step, twist });
    }
}

/// A step that is handed what is wrong.
struct Twisting<'a> {
    step: &'a mut dyn Step,
    twist: Twist,
}

impl Step for Twisting<'_> {
    fn wants(&self, latent: usize) -> bool {
        self.step.wants(latent)
    }

    fn is_ascent(&self) -> bool {
        self.step.is_ascent()
    }

    fn starts_at_prior(&self) -> bool {
        self.step.starts_at_prior()
    }

    fn streams(&self) -> Option<Streams> {
        self.step.streams()
    }

    fn allocate(&mut self, count: usize, x: &Factors, count_rates: &mut [CountRate], counts: &mut Factors) {
        self.step.allocate(count, x, count_rates, counts);
    }

    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        let (latent, twist) = (of.part.latent, self.twist);
        let mut shape = of.parameters[0].to_vec();
        if (latent, twist) == (XI, Twist::Childless) {
            shape.fill(1.5);
        }
        let own = Custom {
            family: of.prior,
            update: &Mine(twist),
        };
        let family: &dyn Family = match (latent, twist) {
            (THETA, Twist::OwnDraw) | (PHI, Twist::Astray) => &own,
            _ => of.family,
        };
        let parameters = [&shape[..], of.parameters[1]];
        self.step.update(
            &Complete {
                family,
                parameters,
                ..*of
            },
            x,
        );
    }
}

/// Updates of theta, or of phi, as a user might write them.
struct Mine(Twist);

impl Update for Mine {
    fn draw(&self, shape: &[f64], rate: &[f64], x: &mut [f64], rng: &mut Stream) {
        for (i, x) in x.iter_mut().enumerate() {
            if self.0 == Twist::Astray {
                *x = 1e4 * gamma_draw(shape[i], rng) / rate[i];
                continue;
            }
            // Metropolis on the logarithm.
            for _ in 0..5 {
                let there = *x * (2.0 * (rng.random::<f64>() - 0.5)).exp();
                if rng.random::<f64>().ln() < shape[i] * (there / *x).ln() - rate[i] * (there - *x) {
                    *x = there;
                }
            }
        }
    }
}
