//! The engine's draws from complete conditionals: through the distribution function of its conditional each draw is
//! uniform, and independent of all before.
//!
//! The engine itself draws, in a chain that a model watches; what it was handed is judged by
//! [`conditional`](super::conditional).

use std::sync::{Mutex, PoisonError};

use rand::SeedableRng;
use special::{Beta as _, Gamma as _};

use crate::error::Error;
use crate::infer::Chain;
use crate::model::{DirichletPrior, FormKind, GammaPrior, Model, Part, Step, Update};
use crate::streams::Stream;

use super::instance::{HeldOut, Instance};
use super::report::{Law, Row};
use super::statistics::{KOLMOGOROV_LIMIT, kolmogorov};
use super::subject::Watched;
use super::{SelfTest, load};

/// Draws of each latent that are judged, and most sweeps until there are as many.
const DRAWS: f64 = 150_000.0;
const SWEEPS: f64 = 40_000.0;

/// Draws of every latent, each as the value of its distribution function.
#[derive(Debug)]
pub(super) struct Uniforms {
    latents: Vec<Vec<f64>>,
    most: usize,
}

impl Uniforms {
    fn new(latents: usize, most: usize) -> Self {
        Self {
            latents: vec![Vec::new(); latents],
            most,
        }
    }

    fn full(&self) -> bool {
        self.latents.iter().all(|seen| seen.len() >= self.most)
    }

    fn gamma(&mut self, latent: usize, [shape, rate]: [f64; 2], x: f64) {
        let seen = &mut self.latents[latent];
        if seen.len() < self.most {
            seen.push((x * rate).inc_gamma(shape));
        }
    }

    /// One entry of a simplex: its marginal is a beta law. Which one differs from draw to draw, without looking at it.
    fn simplex(&mut self, latent: usize, concentration: &[f64], x: &[f64]) {
        let seen = &mut self.latents[latent];
        if seen.len() < self.most && x.len() > 1 {
            let entry = seen.len() % x.len();
            let a = concentration[entry];
            let b = concentration.iter().sum::<f64>() - a;
            seen.push(x[entry].inc_beta(a, b, a.ln_beta(b)));
        }
    }
}

/// A step that is watched: it does what it did.
pub(super) struct Watch<'a> {
    pub step: &'a mut dyn Step,
    pub seen: &'a Mutex<Uniforms>,
}

impl Watch<'_> {
    fn with(&self, see: impl FnOnce(&mut Uniforms)) {
        see(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Step for Watch<'_> {
    fn is_ascent(&self) -> bool {
        self.step.is_ascent()
    }

    fn wants(&self, latent: usize) -> bool {
        self.step.wants(latent)
    }

    fn gamma(&mut self, part: Part<'_>, prior: &GammaPrior, counts: &[f64], exposure: &[f64], x: &mut [f64]) {
        self.step.gamma(part, prior, counts, exposure, x);
        self.with(|seen| {
            for (i, x) in x.iter().enumerate() {
                let law = [prior.shape.at(i) + counts[i], prior.rate.at(i) + exposure[i]];
                seen.gamma(part.latent, law, *x);
            }
        });
    }

    fn dirichlet(&mut self, latent: usize, prior: &DirichletPrior, counts: &[f64], x: &mut [f64]) {
        self.step.dirichlet(latent, prior, counts, x);
        self.with(|seen| {
            for line in 0..prior.lines.len() {
                let (concentration, point): (Vec<f64>, Vec<f64>) = prior
                    .lines
                    .entries(line)
                    .map(|e| (prior.concentration.at(e) + counts[e], x[e]))
                    .unzip();
                seen.simplex(latent, &concentration, &point);
            }
        });
    }

    // A user's own draw may depend on the value before; it is judged by itself.
    fn own_gamma(
        &mut self,
        update: &dyn Update,
        part: Part<'_>,
        prior: &GammaPrior,
        counts: &[f64],
        exposure: &[f64],
        x: &mut [f64],
    ) {
        self.step.own_gamma(update, part, prior, counts, exposure, x);
    }

    fn own_dirichlet(
        &mut self,
        update: &dyn Update,
        latent: usize,
        prior: &DirichletPrior,
        counts: &[f64],
        x: &mut [f64],
    ) {
        self.step.own_dirichlet(update, latent, prior, counts, x);
    }
}

/// The rows of all latents.
pub(super) fn draws(instance: &Instance, options: &SelfTest) -> Vec<Row> {
    let found: Result<Vec<Vec<Vec<f64>>>, Error> = [HeldOut::Some, HeldOut::All]
        .into_iter()
        .map(|held_out| run(instance, held_out, options))
        .collect();
    let mut found = match found {
        Ok(found) => found,
        Err(error) => return vec![Row::error(Law::Draws, "all", &error)],
    };
    let latents = instance.twin.spec.latents.iter().enumerate();
    let rows = latents.map(|(latent, spec)| {
        // With data and without: shapes are large and small.
        let mut samples = found.iter_mut().map(|latents| &mut latents[latent]);
        let drawn: usize = samples.by_ref().map(|seen| seen.len()).sum();
        if drawn == 0 {
            let why = "its draws are a user's own, or its simplices have one entry";
            return Row::skipped(Law::Draws, spec.name, why);
        }
        let distances = found.iter_mut().map(|latents| match latents[latent].is_empty() {
            true => 0.0,
            false => kolmogorov(&mut latents[latent]),
        });
        let worst = distances.fold(0.0, |most: f64, d| {
            if most.is_nan() || d.is_nan() {
                f64::NAN
            } else {
                most.max(d)
            }
        });
        let note = format!("{drawn} draws of the engine, half of them without data; false alarms 2e-7");
        Row::tried(Law::Draws, spec.name, worst, KOLMOGOROV_LIMIT, note)
    });
    rows.collect()
}

fn run(instance: &Instance, held_out: HeldOut, options: &SelfTest) -> Result<Vec<Vec<f64>>, Error> {
    let twin = &instance.twin;
    let mut rng = Stream::seed_from_u64(options.seed ^ 0x0064_7261);
    let x = twin.draw(&mut rng);
    let values = instance.observe(&x, false, &mut rng);
    let setting = instance.setting(values, false, held_out);
    let most = (DRAWS * options.effort / 2.0).max(2000.0) as usize;
    let seen = Mutex::new(Uniforms::new(twin.shapes.len(), most));
    {
        let model = instance.assemble(&setting, FormKind::Collapsed, None)?;
        let model = Watched {
            model: &*model,
            seen: &seen,
        };
        let mut start = model.factors();
        load(&mut start, &x);
        let mut chain = Chain::starting_at(&model, start, options.seed, 0x6472);
        for sweep in 0..(SWEEPS * options.effort).max(1000.0) as usize {
            chain.sweep();
            chain.check()?;
            let full = || seen.lock().unwrap_or_else(PoisonError::into_inner).full();
            if sweep % 100 == 99 && full() {
                break;
            }
        }
    }
    Ok(seen.into_inner().unwrap_or_else(PoisonError::into_inner).latents)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{dirichlet_draw, gamma_draw};
    use crate::model::{Lines, Values};

    /// Draws with a shape, and concentrations, that are too large by some number.
    struct Larger(f64, Stream);

    impl Step for Larger {
        fn gamma(&mut self, _: Part<'_>, prior: &GammaPrior, counts: &[f64], exposure: &[f64], x: &mut [f64]) {
            for (i, x) in x.iter_mut().enumerate() {
                let shape = prior.shape.at(i) + counts[i] + self.0;
                *x = gamma_draw(shape, &mut self.1) / (prior.rate.at(i) + exposure[i]);
            }
        }

        fn dirichlet(&mut self, _: usize, prior: &DirichletPrior, counts: &[f64], x: &mut [f64]) {
            let all = counts.iter().enumerate();
            let concentration: Vec<f64> = all.map(|(e, n)| prior.concentration.at(e) + n).collect();
            // Of one entry: a common shift leaves means as they are.
            let mut wrong = concentration.clone();
            wrong[0] += self.0;
            dirichlet_draw(&wrong, x, &mut self.1);
        }
    }

    /// Kolmogorov-Smirnov statistics of a gamma and a Dirichlet latent.
    fn distances(larger: f64) -> [f64; 2] {
        let seen = Mutex::new(Uniforms::new(2, 75_000));
        let mut step = Larger(larger, Stream::seed_from_u64(3));
        let gamma = GammaPrior {
            shape: Values::Same(2.0),
            rate: Values::Same(1.5),
        };
        let dirichlet = DirichletPrior {
            concentration: Values::Same(1.2),
            lines: Lines::new(&[3], 0),
        };
        while !seen.lock().unwrap().full() {
            let mut watch = Watch {
                step: &mut step,
                seen: &seen,
            };
            watch.gamma(Part::all(0), &gamma, &[0.0, 1.0], &[0.3, 0.8], &mut [1.0; 2]);
            watch.dirichlet(1, &dirichlet, &[0.0, 2.0, 1.0], &mut [0.2; 3]);
        }
        let latents = seen.into_inner().unwrap().latents;
        let found: Vec<f64> = latents.into_iter().map(|mut seen| kolmogorov(&mut seen)).collect();
        [found[0], found[1]]
    }

    /// A shape that is too large by 0.05 is seen; of three concentrations, of which a draw shows one, one that is too large
    /// by 0.3.
    #[test]
    fn a_shape_that_is_a_little_too_large_is_seen() {
        let right = distances(0.0);
        assert!(right.iter().all(|d| *d > 0.2 && *d < 2.0), "{right:?}");
        assert!(distances(0.05)[0] > KOLMOGOROV_LIMIT);
        assert!(distances(0.3)[1] > KOLMOGOROV_LIMIT);
    }
}
