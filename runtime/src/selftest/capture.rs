//! A step that writes down the conditionals it is handed, and moves on to other values.

use rand::{RngExt, SeedableRng};

use crate::model::{DirichletPrior, GammaPrior, Part, Step, Update};
use crate::streams::Stream;

use super::own;

/// The complete conditional of some entries of a latent, as it was handed over.
pub(super) struct Captured {
    pub latent: usize,
    /// Positions in the latent.
    pub entries: Vec<usize>,
    pub conditional: Conditional,
    /// The values that the entries have from then on.
    pub after: Vec<f64>,
}

/// Laws, entry by entry.
pub(super) enum Conditional {
    Gamma {
        shape: Vec<f64>,
        rate: Vec<f64>,
    },
    Dirichlet {
        concentration: Vec<f64>,
        lines: Vec<Vec<usize>>,
    },
}

/// See the module. Any positive value will do for the next conditional to be held against the joint density, so that
/// nothing is drawn from a conditional that may be wrong.
pub(super) struct Capture {
    pub conditionals: Vec<Captured>,
    /// What was found of users' own updates: the latent and the statistic of [`own`].
    pub own: Vec<(usize, f64)>,
    /// How often an own update is tried; the conditionals of the first slice will do.
    trials: usize,
    rng: Stream,
}

impl Capture {
    pub fn new(seed: u64, trials: usize) -> Self {
        Self {
            conditionals: Vec::new(),
            own: Vec::new(),
            trials,
            rng: Stream::seed_from_u64(seed),
        }
    }

    fn judged(&self, latent: usize) -> bool {
        self.trials == 0 || self.own.iter().any(|(judged, _)| *judged == latent)
    }
}

impl Step for Capture {
    fn gamma(&mut self, part: Part<'_>, prior: &GammaPrior, counts: &[f64], exposure: &[f64], x: &mut [f64]) {
        let (shape, rate) = parameters(prior, counts, exposure);
        x.iter_mut().for_each(|x| *x = some_value(&mut self.rng));
        self.conditionals.push(Captured {
            latent: part.latent,
            entries: match part.slice {
                Some(slice) => slice.entries.to_vec(),
                None => (0..x.len()).collect(),
            },
            conditional: Conditional::Gamma { shape, rate },
            after: x.to_vec(),
        });
    }

    fn dirichlet(&mut self, latent: usize, prior: &DirichletPrior, counts: &[f64], x: &mut [f64]) {
        let lines: Vec<Vec<usize>> = (0..prior.lines.len())
            .map(|l| prior.lines.entries(l).collect())
            .collect();
        for line in &lines {
            let values: Vec<f64> = line.iter().map(|_| some_value(&mut self.rng)).collect();
            let total: f64 = values.iter().sum();
            line.iter().zip(values).for_each(|(&e, value)| x[e] = value / total);
        }
        let concentration = counts.iter().enumerate().map(|(e, n)| prior.concentration.at(e) + n);
        self.conditionals.push(Captured {
            latent,
            entries: (0..x.len()).collect(),
            conditional: Conditional::Dirichlet {
                concentration: concentration.collect(),
                lines,
            },
            after: x.to_vec(),
        });
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
        if !self.judged(part.latent) {
            let (shape, rate) = parameters(prior, counts, exposure);
            let found = own::gamma(update, &shape, &rate, self.trials, &mut self.rng);
            self.own.push((part.latent, found));
        }
        self.gamma(part, prior, counts, exposure, x);
    }

    fn own_dirichlet(
        &mut self,
        update: &dyn Update,
        latent: usize,
        prior: &DirichletPrior,
        counts: &[f64],
        x: &mut [f64],
    ) {
        if !self.judged(latent) {
            let first = prior.lines.entries(0).map(|e| prior.concentration.at(e) + counts[e]);
            let concentration: Vec<f64> = first.collect();
            let found = own::simplex(update, &concentration, self.trials, &mut self.rng);
            self.own.push((latent, found));
        }
        self.dirichlet(latent, prior, counts, x);
    }
}

fn parameters(prior: &GammaPrior, counts: &[f64], exposure: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let shape = counts.iter().enumerate().map(|(i, n)| prior.shape.at(i) + n);
    let rate = exposure.iter().enumerate().map(|(i, e)| prior.rate.at(i) + e);
    (shape.collect(), rate.collect())
}

/// A value of ordinary size.
pub(super) fn some_value(rng: &mut Stream) -> f64 {
    rng.random_range(0.3..2.5)
}
