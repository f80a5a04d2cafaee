//! The model that is measured, bound to the data of a measurement.

use skellam::model::FormKind;
use skellam::prelude::*;

use crate::data::{Data, Failure};
use crate::flags::{Channel, Common, Engine};

skellam::model! {
    /// Matrix factorization with gamma priors, the model of ICML19 and VI18.
    pub model Factorization {
        index rows, cols, components;
        hyper shape: positive = 0.1, scale: positive = 1.0;

        latent theta[i in rows, k in components] ~ Gamma(shape = shape, rate = scale);
        latent phi[k in components, j in cols]   ~ Gamma(shape = shape, rate = scale);

        count y[i in rows, j in cols] ~ Poisson(sum(k in components) theta[i, k] * phi[k, j]);

        release y by TwoSidedGeometric;
    }
}

/// The model through the channel that was asked for.
pub fn bind(flags: &Common, data: &Data) -> Result<FactorizationModel, Failure> {
    let model = match flags.channel {
        Channel::Geometric => Factorization::new(&data.release(flags.alpha)?)?,
        Channel::Exact => Factorization::exact(&data.exact()?)?,
        Channel::Naive => Factorization::naive(&data.release(flags.alpha)?)?,
    };
    let form = match flags.engine {
        Engine::Gibbs | Engine::Cavi => FormKind::Collapsed,
        Engine::GibbsAugmented | Engine::CaviAugmented | Engine::CaviPublished => FormKind::Augmented,
        Engine::GibbsTokens => {
            return Err("`--engine gibbs-tokens` is measured by `sparse`: this model has no tokens".into());
        }
        Engine::GibbsLazy => return Err("`--engine gibbs-lazy` is not there yet: use `gibbs`".into()),
    };
    Ok(model.components(flags.k).shape(flags.shape).bind(form)?)
}

/// How an engine is called in the settings.
pub fn gibbs_form(engine: Engine) -> Option<GibbsForm> {
    match engine {
        Engine::Gibbs => Some(GibbsForm::Collapsed),
        Engine::GibbsAugmented => Some(GibbsForm::Augmented),
        _ => None,
    }
}

/// How an engine is called in the settings.
pub fn cavi_form(engine: Engine) -> Option<CaviForm> {
    match engine {
        Engine::Cavi => Some(CaviForm::Collapsed),
        Engine::CaviAugmented => Some(CaviForm::Augmented),
        Engine::CaviPublished => Some(CaviForm::Published),
        _ => None,
    }
}
