//! Updates with the present mistake, on their way to the engine.

use rand::RngExt;
use skellam::distribution::gamma_draw;
use skellam::model::{DirichletPrior, GammaPrior, Part, Step, Update, Values};
use skellam::streams::Stream;

use super::Mistake;

/// A step that is handed something wrong.
pub struct Altered<'a> {
    pub step: &'a mut dyn Step,
    pub mistake: Mistake,
}

pub fn changed(values: &Values, change: impl Fn(f64) -> f64) -> Values {
    match values {
        Values::Same(value) => Values::Same(change(*value)),
        Values::Each(values) => Values::Each(values.iter().map(|value| change(*value)).collect()),
    }
}

impl Altered<'_> {
    fn prior(&self, prior: &GammaPrior) -> GammaPrior {
        let (more, times) = match self.mistake {
            Mistake::ShapeUp => (0.05, 1.0),
            Mistake::RateUp => (0.0, 1.05),
            _ => (0.0, 1.0),
        };
        GammaPrior {
            shape: changed(&prior.shape, |shape| shape + more),
            rate: changed(&prior.rate, |rate| rate * times),
        }
    }

    fn exposure(&self, exposure: &[f64]) -> Vec<f64> {
        let times = if self.mistake == Mistake::ExposureUp { 1.05 } else { 1.0 };
        exposure.iter().map(|exposure| exposure * times).collect()
    }

    fn simplex(&self, prior: &DirichletPrior) -> DirichletPrior {
        let more = if self.mistake == Mistake::ShapeUp { 0.05 } else { 0.0 };
        DirichletPrior {
            concentration: changed(&prior.concentration, |concentration| concentration + more),
            lines: prior.lines,
        }
    }
}

impl Step for Altered<'_> {
    fn is_ascent(&self) -> bool {
        self.step.is_ascent()
    }

    fn wants(&self, latent: usize) -> bool {
        self.step.wants(latent)
    }

    fn gamma(&mut self, part: Part<'_>, prior: &GammaPrior, counts: &[f64], exposure: &[f64], x: &mut [f64]) {
        let (prior, exposure) = (self.prior(prior), self.exposure(exposure));
        match self.mistake {
            Mistake::OwnShape | Mistake::OwnJacobian | Mistake::OwnAscent => {
                let own = Own(self.mistake);
                self.step.own_gamma(&own, part, &prior, counts, &exposure, x);
            }
            _ => self.step.gamma(part, &prior, counts, &exposure, x),
        }
    }

    fn dirichlet(&mut self, latent: usize, prior: &DirichletPrior, counts: &[f64], x: &mut [f64]) {
        let prior = self.simplex(prior);
        self.step.dirichlet(latent, &prior, counts, x);
    }

    fn own_gamma(
        &mut self,
        update: &dyn Update,
        part: Part<'_>,
        prior: &GammaPrior,
        counts: &[f64],
        exposure: &[f64],
        x: &mut [f64],
    ) {
        let (prior, exposure) = (self.prior(prior), self.exposure(exposure));
        self.step.own_gamma(update, part, &prior, counts, &exposure, x);
    }

    fn own_dirichlet(
        &mut self,
        update: &dyn Update,
        latent: usize,
        prior: &DirichletPrior,
        counts: &[f64],
        x: &mut [f64],
    ) {
        let prior = self.simplex(prior);
        self.step.own_dirichlet(update, latent, &prior, counts, x);
    }
}

/// A user's own update that is wrong.
struct Own(Mistake);

impl Update for Own {
    fn draw(&self, shape: &[f64], rate: &[f64], x: &mut [f64], rng: &mut Stream) {
        for ((x, &shape), &rate) in x.iter_mut().zip(shape).zip(rate) {
            match self.0 {
                Mistake::OwnJacobian => {
                    for _ in 0..3 {
                        let there = *x * (2.0 * (rng.random::<f64>() - 0.5)).exp();
                        let ln = (shape - 1.0) * (there / *x).ln() - rate * (there - *x);
                        if rng.random::<f64>().ln() < ln {
                            *x = there.clamp(1e-100, 1e100);
                        }
                    }
                }
                mistake => {
                    let times = if mistake == Mistake::OwnShape { 1.05 } else { 1.0 };
                    *x = (gamma_draw(shape * times, rng) / rate).max(f64::MIN_POSITIVE);
                }
            }
        }
    }

    fn ascend(&self, shape: &mut [f64], _: &mut [f64]) {
        if self.0 == Mistake::OwnAscent {
            shape.iter_mut().for_each(|shape| *shape *= 1.05);
        }
    }
}
