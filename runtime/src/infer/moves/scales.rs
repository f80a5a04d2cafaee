//! Moves along the scale symmetries of a model: rates stay as they are, so that only priors decide.
//!
//! Where `x` has the prior Gamma(a, b) and is multiplied by `s^e`, and `u = ln s`,
//!
//! ```text
//! ln p(u) = p u - sum over powers e of B_e exp(e u)      p = sum of e a,   B_e = sum of b x over entries of power e
//! ```
//!
//! of which `u` is drawn exactly ([`super::log_concave`]): the new scale does not depend on the old one.
//!
//! The move is ours; the book derives it on its page *How it is built*, under *Joint moves*, *Scales*. For powers 1 and -1, `e^u` has a generalised
//! inverse Gaussian law; the rejection sampler is that of Devroye (1986), section VII.2.

use crate::model::{Latent, Model, Prior, Symmetry};
use crate::streams::Stream;

use super::Place;
use super::log_concave::{POWERS, ScaleLaw};

/// The symmetries of a model whose latents are all inferred.
pub(super) struct Scales {
    groups: Vec<ScaleGroup>,
}

/// One symmetry, or one for each value of an index set.
struct ScaleGroup {
    /// Values of the index set; one if there is none.
    values: usize,
    scaled: Vec<ScaledLatent>,
}

/// One latent of a symmetry.
struct ScaledLatent {
    latent: usize,
    /// Axes by their strides, with the power that each contributes; none if all entries are scaled alike.
    axes: Vec<(usize, i32)>,
    /// The power, where all are.
    power: i32,
}

impl ScaledLatent {
    /// The values of the index set by which an entry is scaled, each with its power. One value twice is scaled twice.
    fn of(&self, entry: usize, values: usize) -> impl Iterator<Item = (usize, i32)> + '_ {
        let all = self.axes.is_empty().then_some((0, self.power));
        let axes = self.axes.iter();
        all.into_iter()
            .chain(axes.map(move |&(stride, power)| (entry / stride % values, power)))
    }

    /// The power with which an entry is scaled at one value.
    fn power_at(&self, entry: usize, value: usize, values: usize) -> i32 {
        let here = self.of(entry, values).filter(|(at, _)| *at == value);
        here.map(|(_, power)| power).sum()
    }

    /// Whether no entry belongs to two values.
    fn is_apart(&self) -> bool {
        self.axes.len() <= 1
    }
}

impl Scales {
    pub fn new(model: &dyn Model, latents: &[Latent]) -> Self {
        let groups = model.symmetries().iter().filter_map(|symmetry| {
            let inferred = symmetry.scaled.iter().all(|s| model.frozen(s.latent).is_none());
            inferred.then(|| ScaleGroup::new(symmetry, latents))
        });
        Self {
            groups: groups.collect(),
        }
    }

    /// A draw along every symmetry in turn.
    pub fn run(&self, place: &mut Place<'_>, rng: &mut Stream) {
        if self.groups.is_empty() {
            return;
        }
        for group in &self.groups {
            group.run(place, rng);
        }
        place.set_rates();
    }
}

impl ScaleGroup {
    fn new(symmetry: &Symmetry, latents: &[Latent]) -> Self {
        let (mut scaled, mut values): (Vec<ScaledLatent>, usize) = (Vec::new(), 1);
        for part in symmetry.scaled {
            let shape = &latents[part.latent].shape;
            let axis = symmetry.by_index.then(|| {
                values = shape[part.axis];
                (shape[part.axis + 1..].iter().product::<usize>().max(1), part.power)
            });
            match scaled.iter_mut().find(|s| s.latent == part.latent) {
                Some(known) => known.axes.extend(axis),
                None => scaled.push(ScaledLatent {
                    latent: part.latent,
                    axes: axis.into_iter().collect(),
                    power: part.power,
                }),
            }
        }
        Self { values, scaled }
    }

    fn run(&self, place: &mut Place<'_>, rng: &mut Stream) {
        let priors: Vec<Prior> = self.scaled.iter().map(|s| place.prior(s.latent)).collect();
        let empty = ScaleLaw {
            linear: 0.0,
            sums: [0.0; POWERS],
        };
        let mut laws = vec![empty; self.values];
        // Entries of one value each: all values in one pass.
        for (scaled, prior) in self.scaled.iter().zip(&priors).filter(|(s, _)| s.is_apart()) {
            for (entry, x) in place.x[scaled.latent].iter().enumerate() {
                for (value, power) in scaled.of(entry, self.values) {
                    laws[value].add(power, prior, entry, *x);
                }
            }
        }
        let mut by = vec![0.0; self.values];
        for (value, law) in laws.iter_mut().enumerate() {
            // Entries of two values are scaled by each in turn.
            for (scaled, prior) in self.scaled.iter().zip(&priors).filter(|(s, _)| !s.is_apart()) {
                for (entry, x) in place.x[scaled.latent].iter().enumerate() {
                    law.add(scaled.power_at(entry, value, self.values), prior, entry, *x);
                }
            }
            by[value] = law.draw(rng).unwrap_or(0.0);
            for scaled in self.scaled.iter().filter(|s| !s.is_apart()) {
                for (entry, x) in place.x[scaled.latent].iter_mut().enumerate() {
                    let power = scaled.power_at(entry, value, self.values);
                    multiply(x, power, by[value]);
                }
            }
        }
        for scaled in self.scaled.iter().filter(|s| s.is_apart()) {
            for (entry, x) in place.x[scaled.latent].iter_mut().enumerate() {
                for (value, power) in scaled.of(entry, self.values) {
                    multiply(x, power, by[value]);
                }
            }
        }
    }
}

impl ScaleLaw {
    fn add(&mut self, power: i32, prior: &Prior, entry: usize, x: f64) {
        if power != 0 {
            self.linear += f64::from(power) * prior.shape()[entry];
            self.sums[(power + Symmetry::MOST) as usize] += prior.rate()[entry] * x;
        }
    }
}

/// `x exp(power u)`, in two factors where one would leave the range of doubles.
fn multiply(x: &mut f64, power: i32, u: f64) {
    if power != 0 {
        let half = (0.5 * f64::from(power) * u).exp();
        *x = (*x * half * half).clamp(f64::MIN_POSITIVE, f64::MAX);
    }
}
