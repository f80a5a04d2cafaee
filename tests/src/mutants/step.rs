//! Updates with the present mistake, on their way to the engine.

use rand::RngExt;
use skellam::math::distribution::gamma_draw;
use skellam::math::streams::{Stream, Streams};
use skellam::model::family::{Custom, Update};
use skellam::model::{Complete, CountRate, Factors, Step};

use super::Mistake;

/// A step that is handed something wrong.
pub struct Altered<'a> {
    pub step: &'a mut dyn Step,
    pub mistake: Mistake,
    /// The first latent with several entries that is in a rate.
    pub first: usize,
}

impl Altered<'_> {
    /// The parameters of a conditional with the mistake.
    fn law(&self, [a, b]: [&[f64]; 2]) -> [Vec<f64>; 2] {
        let more = if self.mistake == Mistake::ShapeUp { 0.05 } else { 0.0 };
        let times = if self.mistake == Mistake::RateUp { 1.05 } else { 1.0 };
        [
            a.iter().map(|a| a + more).collect(),
            b.iter().map(|b| b * times).collect(),
        ]
    }
}

impl Step for Altered<'_> {
    fn is_ascent(&self) -> bool {
        self.step.is_ascent()
    }

    fn wants(&self, latent: usize) -> bool {
        self.step.wants(latent)
    }

    fn starts_at_prior(&self) -> bool {
        self.step.starts_at_prior()
    }

    fn streams(&self) -> Option<Streams> {
        self.step.streams()
    }

    fn allocate(&mut self, count: usize, x: &Factors, count_rates: &mut [CountRate], counts: &mut Factors) {
        self.step.allocate(count, x, count_rates, counts);
        if count + 1 < count_rates.len() {
            return;
        }
        match self.mistake {
            Mistake::CountTooMany => counts[self.first][0] += 1.0,
            Mistake::CountsSwapped => {
                let counts = &mut counts[self.first];
                let last = counts.len() - 1;
                counts.swap(0, last);
            }
            Mistake::ExpectedOff if self.step.is_ascent() => counts.iter_mut().flatten().for_each(|n| *n *= 1.05),
            _ => {}
        }
    }

    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        let [a, b] = self.law(of.parameters);
        let altered = Complete {
            parameters: [&a, &b],
            ..*of
        };
        let wrong = matches!(
            self.mistake,
            Mistake::OwnShape | Mistake::OwnJacobian | Mistake::OwnAstray | Mistake::OwnAscent
        );
        if !wrong || of.family.has_lines() || of.family.update().is_some() {
            return self.step.update(&altered, x);
        }
        let own = Custom {
            family: of.family,
            update: &Wrong(self.mistake),
        };
        self.step.update(
            &Complete {
                family: &own,
                ..altered
            },
            x,
        );
    }
}

/// A custom update that is wrong.
struct Wrong(Mistake);

impl Update for Wrong {
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
                    let larger = if mistake == Mistake::OwnAstray { 1e4 } else { 1.0 };
                    *x = (larger * gamma_draw(shape * times, rng) / rate).max(f64::MIN_POSITIVE);
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
