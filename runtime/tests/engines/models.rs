//! Matrix models `y[d, v] ~ Poisson(sum_k theta[d, k] phi[v, k])` with the variations that engines must know of.

use skellam::channel::TwoSidedGeometric;
use skellam::counts::Array;
use skellam::model::{FormKind, Model};
use skellam::release::Released;

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
}

/// Which variation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind {
    /// `theta[d, k] ~ Gamma(a, xi[d])`, `xi[d] ~ Gamma(2, 1.5)`; else its rate is a number.
    pub parents: bool,
    /// `phi[., k] ~ Dirichlet(eta)`; else gamma.
    pub simplex: bool,
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
