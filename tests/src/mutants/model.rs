//! A declared model with the present mistake in its data, its counts or its updates.

use std::marker::PhantomData;
use std::sync::Arc;

use skellam::Error;
use skellam::counts::Mask;
use skellam::model::{Bound, CountRate, ElboParts, Factors, FormKind, Latent, Model, Prior, Spec, Step, Symmetry};
use skellam_check::{Setting, Testable, TestedMechanism};

use super::Mistake;
use super::step::Altered;
use super::symmetry::altered;

/// `T` with the mistake that is [present](Mistake::during) when its self-test runs.
pub struct Mutant<T>(PhantomData<T>);

/// A model with a mistake.
struct MutantModel {
    model: Box<dyn Model>,
    mistake: Mistake,
}

impl<T: Testable> Testable for Mutant<T> {
    const SPEC: &'static Spec = T::SPEC;

    fn mechanisms() -> Vec<Box<dyn TestedMechanism>> {
        T::mechanisms()
    }

    fn assemble(setting: &Setting, form: FormKind, way: Option<usize>) -> Result<Box<dyn Model>, Error> {
        let mistake = Mistake::present();
        let mut setting = setting.clone();
        for count in &mut setting.counts {
            match mistake {
                Mistake::HeldOutSeen => count.held_out = Mask::none(),
                Mistake::CellsShifted => {
                    if let Some(values) = count.values.downcast_ref::<Vec<i64>>() {
                        let mut values = values.clone();
                        values.rotate_left(1);
                        count.values = Arc::new(values);
                    }
                }
                _ => {}
            }
        }
        let model = T::assemble(&setting, form, way)?;
        Ok(Box::new(MutantModel { model, mistake }))
    }
}

impl MutantModel {
    /// The first latent with several entries that is in a rate.
    fn first(&self) -> usize {
        let latents = self.model.latents();
        let several = |latent: &Latent| latent.uses > 0 && latent.shape.iter().product::<usize>() > 1;
        latents.iter().position(several).unwrap_or(0)
    }

    /// The first latent that joint moves may scale.
    fn scalable(&self) -> usize {
        let latents = self.model.latents();
        let moved =
            |latent: &Latent| latent.uses > 0 && latent.along.is_none() && !latent.is_parent && !latent.custom_update;
        latents.iter().position(moved).unwrap_or(0)
    }
}

impl Model for MutantModel {
    fn bound(&self) -> &Bound {
        self.model.bound()
    }

    fn elbo(&self, of: &ElboParts<'_>) -> f64 {
        self.model.elbo(of)
    }

    fn prior(&self, latent: usize, x: &Factors) -> Prior {
        let mut prior = self.model.prior(latent, x);
        if self.mistake == Mistake::MovesJacobian && prior.family.has_scale() {
            prior.parameters[0].iter_mut().for_each(|shape| *shape -= 1.0);
        }
        prior
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        altered(self.model.symmetries(), self.scalable(), self.mistake)
    }

    fn set_rates(&self, x: &Factors, count_rates: &mut [CountRate]) {
        // The first time they are set they are right.
        let is_new = || count_rates[0].off(&self.model.count_rates()[0]) == 0.0;
        if self.mistake != Mistake::MovesRates || is_new() {
            self.model.set_rates(x, count_rates);
        }
    }

    fn update(&self, x: &mut Factors, counts: &mut Factors, count_rates: &mut [CountRate], step: &mut dyn Step) {
        let mistake = self.mistake;
        let first = self.first();
        self.model
            .update(x, counts, count_rates, &mut Altered { step, mistake, first });
        if mistake == Mistake::StaleRate {
            count_rates[0].raise(1.05);
        }
    }
}
