//! The engine's draws from complete conditionals: through the distribution function of its conditional each draw is
//! uniform, and independent of all before.
//!
//! The engine itself draws, in a chain that a model watches; what it was handed is judged by
//! [`conditional`](super::conditional).

use std::sync::{Mutex, PoisonError};

use rand::SeedableRng;

use skellam::Error;
use skellam::infer::Chain;
use skellam::model::family::Family;
use skellam::model::{Complete, CountRate, Factors, FormKind, Model, Step};
use skellam_math::streams::{Stream, Streams};

use super::held_out::HeldOut;
use super::instance::Instance;
use super::report::{Check, Row};
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

    /// The entries of one line. Where they depend on each other one is taken; which differs from draw to draw, without looking at it.
    fn line(&mut self, latent: usize, family: &dyn Family, parameters: [&[f64]; 2], x: &[f64]) {
        let seen = &mut self.latents[latent];
        if seen.len() >= self.most {
            return;
        }
        if !family.has_lines() {
            seen.push(family.distribution(parameters, 0, x[0]));
        } else if x.len() > 1 {
            let entry = seen.len() % x.len();
            seen.push(family.distribution(parameters, entry, x[entry]));
        }
    }
}

/// A step that is watched: it does what it did.
pub(super) struct WatchedStep<'a> {
    pub step: &'a mut dyn Step,
    pub seen: &'a Mutex<Uniforms>,
}

impl WatchedStep<'_> {
    fn with(&self, see: impl FnOnce(&mut Uniforms)) {
        see(&mut self.seen.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Step for WatchedStep<'_> {
    fn is_ascent(&self) -> bool {
        self.step.is_ascent()
    }

    fn wants(&self, latent: usize) -> bool {
        self.step.wants(latent)
    }

    fn streams(&self) -> Option<Streams> {
        self.step.streams()
    }

    fn starts_at_prior(&self) -> bool {
        self.step.starts_at_prior()
    }

    fn allocate(&mut self, count: usize, x: &Factors, count_rates: &mut [CountRate], counts: &mut Factors) {
        self.step.allocate(count, x, count_rates, counts);
    }

    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        self.step.update(of, x);
        // A user's own draw may depend on the value before; it is judged by itself.
        if of.family.update().is_some() {
            return;
        }
        let lines = of.lines;
        let [one, other] = of.parameters_of(0, lines.number());
        let x = lines.gather(x);
        self.with(|seen| {
            for line in 0..lines.number() {
                let here = line * lines.size..(line + 1) * lines.size;
                let parameters = [&one[here.clone()], &other[here.clone()]];
                seen.line(of.part.latent, of.family, parameters, &x[here]);
            }
        });
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
        Err(error) => return vec![Row::error(Check::Draws, "all", &error)],
    };
    let latents = instance.twin.spec.latents.iter().enumerate();
    let rows = latents.map(|(latent, spec)| {
        // With data and without: shapes are large and small.
        let mut samples = found.iter_mut().map(|latents| &mut latents[latent]);
        let drawn: usize = samples.by_ref().map(|seen| seen.len()).sum();
        if drawn == 0 {
            let why = "its draws are a user's own, or its simplices have one entry";
            return Row::skipped(Check::Draws, spec.name, why);
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
        Row::tried(Check::Draws, spec.name, worst, KOLMOGOROV_LIMIT, note)
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
    use skellam::model::family::{Dirichlet, Gamma};
    use skellam::model::{Lines, Part};

    /// Draws with a shape, and concentrations, that are too large by some number.
    struct Larger(f64, Stream);

    impl Step for Larger {
        fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
            let [mut one, mut other] = of.parameters_of(0, of.lines.number());
            match of.family.has_lines() {
                // Of one entry: a common shift leaves means as they are.
                true => one[0] += self.0,
                false => one.iter_mut().for_each(|shape| *shape += self.0),
            }
            of.family.draw([&mut one, &mut other], of.lines.size, x, &mut self.1);
        }
    }

    /// Kolmogorov-Smirnov statistics of a gamma and a Dirichlet latent.
    fn distances(larger: f64) -> [f64; 2] {
        let seen = Mutex::new(Uniforms::new(2, 75_000));
        let mut step = Larger(larger, Stream::seed_from_u64(3));
        while !seen.lock().unwrap().full() {
            let mut watch = WatchedStep {
                step: &mut step,
                seen: &seen,
            };
            let gamma = [&[2.0, 3.0][..], &[1.8, 2.3]];
            let conditional = Complete::new(Part::all(0), &Gamma, gamma, Lines::apart(2));
            watch.update(&conditional, &mut [1.0; 2]);
            let dirichlet = [&[1.2, 3.2, 2.2][..], &[1.0; 3]];
            let conditional = Complete::new(Part::all(1), &Dirichlet, dirichlet, Lines::new(&[3], 0));
            watch.update(&conditional, &mut [0.2; 3]);
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
