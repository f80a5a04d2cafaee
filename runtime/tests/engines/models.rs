//! Matrix models `y[d, v] ~ Poisson(sum_k theta[d, k] phi[v, k])` with the variations that engines must know of, and models with a
//! conditional that is changed.

use skellam::channel::TwoSidedGeometric;
use skellam::counts::Array;
use skellam::family::{Custom, Family};
use skellam::model::{Bound, Complete, CountRate, ElboParts, Factors, FormKind, Model, Prior, Step, Update};
use skellam::release::Released;
use skellam::streams::Streams;

/// The declarations.
mod declared {
    use skellam::prelude::*;

    skellam::model! {
        pub model Plain {
            index docs, words, topics;
            latent theta[d in docs, k in topics] ~ Gamma(shape = 0.6, rate = 0.8);
            latent phi[v in words, k in topics] ~ Gamma(shape = 0.5, rate = 0.7);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[v, k]);
            release y by TwoSidedGeometric;
        }
    }

    skellam::model! {
        pub model Simplices {
            index docs, words, topics;
            hyper eta[v in words, k in topics]: positive = 0.4;
            latent theta[d in docs, k in topics] ~ Gamma(shape = 0.6, rate = 0.8);
            latent phi[v in words, k in topics] ~ Dirichlet(concentration = eta[v, k], along = v);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[v, k]);
            release y by TwoSidedGeometric;
        }
    }

    skellam::model! {
        pub model Parents {
            index docs, words, topics;
            latent theta[d in docs, k in topics] ~ Gamma(shape = 0.6, rate = xi[d]);
            latent phi[v in words, k in topics] ~ Gamma(shape = 0.5, rate = 0.7);
            latent xi[d in docs] ~ Gamma(shape = 2.0, rate = 1.5);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[v, k]);
            release y by TwoSidedGeometric;
        }
    }

    skellam::model! {
        pub model ParentsAndSimplices {
            index docs, words, topics;
            hyper eta[v in words, k in topics]: positive = 0.4;
            latent theta[d in docs, k in topics] ~ Gamma(shape = 0.6, rate = xi[d]);
            latent phi[v in words, k in topics] ~ Dirichlet(concentration = eta[v, k], along = v);
            latent xi[d in docs] ~ Gamma(shape = 2.0, rate = 1.5);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[v, k]);
            release y by TwoSidedGeometric;
        }
    }

    skellam::model! {
        /// Cells of a network, each pair of actors once.
        pub model Pairs {
            index actors, topics;
            latent theta[i in actors, k in topics] ~ Gamma(shape = 0.6, rate = 0.8);
            latent phi[j in actors, k in topics] ~ Gamma(shape = 0.5, rate = 0.7);
            count y[i in actors, j in actors] where i < j ~ Poisson(sum(k in topics) theta[i, k] * phi[j, k]);
            release y by TwoSidedGeometric;
        }
    }
}

pub use declared::{Pairs, Plain};

/// Which variation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind {
    /// `theta[d, k] ~ Gamma(a, xi[d])`, `xi[d] ~ Gamma(2, 1.5)`; else its rate is a number.
    pub parents: bool,
    /// `phi[., k] ~ Dirichlet(eta)`; else gamma.
    pub simplex: bool,
}

impl Kind {
    /// How many latents there are.
    pub fn latents(self) -> usize {
        if self.parents { 3 } else { 2 }
    }
}

/// Latents, by number; parents are the last.
pub const THETA: usize = 0;
pub const PHI: usize = 1;
pub const XI: usize = 2;

/// The model of some releases with as many topics, of which a latent may be frozen.
pub fn bound(
    kind: Kind,
    (released, topics): (&Released<TwoSidedGeometric>, usize),
    form: FormKind,
    frozen: &[(usize, Vec<f64>)],
) -> Box<dyn Model> {
    let [docs, words] = released.shape() else {
        unreachable!("releases of these tests are matrices")
    };
    let shapes = [vec![*docs, topics], vec![*words, topics], vec![*docs]];
    macro_rules! bound {
        ($Model:ident $(, $eta:ident)?) => {{
            let model = declared::$Model::new(released).unwrap().topics(topics);
            $(
                let eta = (0..words * topics).map(|i| 0.3 + 0.1 * (i % 4) as f64).collect();
                let model = model.$eta(Array::new(vec![*words, topics], eta).unwrap());
            )?
            let mut model = (*model).clone();
            for (latent, values) in frozen {
                let values = Array::new(shapes[*latent].clone(), values.clone()).unwrap();
                model.given().freeze(*latent, values);
            }
            Box::new(model.bind(form).unwrap())
        }};
    }
    match (kind.parents, kind.simplex) {
        (false, false) => bound!(Plain),
        (false, true) => bound!(Simplices, eta),
        (true, false) => bound!(Parents),
        (true, true) => bound!(ParentsAndSimplices, eta),
    }
}

/// A model with one conditional that is changed on its way to the engine.
pub struct Changed<C> {
    pub model: Box<dyn Model>,
    pub latent: usize,
    pub change: C,
}

/// What becomes of a conditional.
pub trait Change: Send + Sync {
    /// Its parameters.
    fn parameters(&self, law: [Vec<f64>; 2]) -> [Vec<f64>; 2] {
        law
    }

    /// The update that takes its place.
    fn update(&self) -> Option<&dyn Update> {
        None
    }
}

impl<C: Change> Model for Changed<C> {
    fn bound(&self) -> &Bound {
        self.model.bound()
    }

    fn prior(&self, latent: usize, x: &Factors) -> Prior {
        self.model.prior(latent, x)
    }

    fn elbo(&self, of: &ElboParts<'_>) -> f64 {
        self.model.elbo(of)
    }

    fn update(&self, x: &mut Factors, counts: &mut Factors, count_rates: &mut [CountRate], step: &mut dyn Step) {
        let mut changing = Changing {
            step,
            latent: self.latent,
            change: &self.change,
        };
        self.model.update(x, counts, count_rates, &mut changing);
    }
}

struct Changing<'a> {
    step: &'a mut dyn Step,
    latent: usize,
    change: &'a dyn Change,
}

impl Step for Changing<'_> {
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
        if of.part.latent != self.latent {
            return self.step.update(of, x);
        }
        let [one, other] = self.change.parameters(of.parameters.map(<[f64]>::to_vec));
        let own = self.change.update().map(|update| Custom {
            family: of.prior,
            update,
        });
        let changed = Complete {
            family: own.as_ref().map_or(of.family, |own| own as &dyn Family),
            parameters: [&one, &other],
            ..*of
        };
        self.step.update(&changed, x);
    }
}
