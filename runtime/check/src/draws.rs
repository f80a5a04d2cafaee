//! The engine's draws from complete conditionals: through the distribution function of its conditional each draw is
//! uniform, and independent of all before.
//!
//! The engine itself draws, in a chain that a model watches; what it was handed is judged by
//! [`conditional`](super::conditional).

use std::sync::{Mutex, MutexGuard, PoisonError};

use skellam::model::{Bound, Complete, CountRate, ElboParts, Factors, FormKind, Model, Step};
use skellam_math::streams::Streams;

use super::held_out::HeldOut;
use super::law::Check;
use super::report::Row;
use super::statistics::{KOLMOGOROV_LIMIT, kolmogorov};
use super::trial::{Found, Stopped, Trial};
use super::worst::larger;

/// Draws of each latent that are judged, and most sweeps until there are as many.
const DRAWS: f64 = 150_000.0;
const SWEEPS: f64 = 40_000.0;

/// The rows of all latents, with data and without: shapes are large and small.
pub(super) fn draws(trial: &Trial<'_>) -> Found {
    let mut samples = [run(trial, HeldOut::Some)?, run(trial, HeldOut::All)?];
    let latents = trial.instance.twin.spec.latents.iter().enumerate();
    let rows = latents.map(|(latent, spec)| {
        let seen = samples.iter_mut().map(|latents| &mut latents[latent]);
        let mut seen: Vec<&mut Vec<f64>> = seen.filter(|seen| !seen.is_empty()).collect();
        if seen.is_empty() {
            let why = "its draws are a user's own, or its simplices have one entry";
            return Row::skipped(Check::Draws, spec.name, why);
        }
        let drawn: usize = seen.iter().map(|seen| seen.len()).sum();
        let worst = seen.iter_mut().map(|seen| kolmogorov(seen)).fold(0.0, larger);
        let note = format!("{drawn} draws of the engine, half of them without data; false alarms 2e-7");
        Row::tried(Check::Draws, spec.name, worst, KOLMOGOROV_LIMIT, note)
    });
    Ok(rows.collect())
}

/// The draws of every latent in one chain.
fn run(trial: &Trial<'_>, held_out: HeldOut) -> Result<Vec<Vec<f64>>, Stopped> {
    let (instance, twin) = (trial.instance, &trial.instance.twin);
    let mut rng = trial.rng(0x0064_7261);
    let x = twin.draw(&mut rng);
    let values = instance.observe(&x, false, &mut rng);
    let model = Watched {
        model: instance.bind(&values, (false, held_out), FormKind::Collapsed, None)?,
        most: trial.times(DRAWS / 2.0, 2000.0),
        seen: Mutex::new(vec![Vec::new(); twin.shapes.len()]),
    };
    let mut chain = trial.chain(&model, &x, 0x6472);
    for sweep in 0..trial.times(SWEEPS, 1000.0) {
        chain.sweep();
        chain.check()?;
        if sweep % 100 == 99 {
            trial.on_time()?;
            if model.seen().iter().all(|seen| seen.len() >= model.most) {
                break;
            }
        }
    }
    let latents = model.seen().clone();
    Ok(latents)
}

/// A model with all that its updates draw written down, each draw as the value of its distribution function.
struct Watched {
    model: Box<dyn Model>,
    /// Draws of a latent that are enough.
    most: usize,
    seen: Mutex<Vec<Vec<f64>>>,
}

impl Watched {
    /// The draws of every latent, through a lock that no panic leaves in disorder.
    fn seen(&self) -> MutexGuard<'_, Vec<Vec<f64>>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Model for Watched {
    fn bound(&self) -> &Bound {
        self.model.bound()
    }

    fn elbo(&self, of: &ElboParts<'_>) -> f64 {
        self.model.elbo(of)
    }

    fn update(&self, x: &mut Factors, counts: &mut Factors, count_rates: &mut [CountRate], step: &mut dyn Step) {
        let step = &mut WatchedStep { step, watched: self };
        self.model.update(x, counts, count_rates, step);
    }
}

/// A step of a sweep that is watched: it does what it did.
struct WatchedStep<'a> {
    step: &'a mut dyn Step,
    watched: &'a Watched,
}

impl Step for WatchedStep<'_> {
    fn wants(&self, latent: usize) -> bool {
        self.step.wants(latent)
    }

    fn streams(&self) -> Option<Streams> {
        self.step.streams()
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
        let seen = &mut self.watched.seen()[of.part.latent];
        for first in (0..x.len()).step_by(lines.size) {
            let line = first..first + lines.size;
            // Where the entries of a line depend on each other one is taken; which differs from draw to draw, without looking at it.
            let entry = seen.len() % lines.size;
            if seen.len() < self.watched.most && !(of.family.has_lines() && lines.size == 1) {
                let parameters = [&one[line.clone()], &other[line]];
                seen.push(of.family.distribution(parameters, entry, x[first + entry]));
            }
        }
    }
}
