//! Variational posteriors of every latent: how they are updated, and how far they are from their priors.

use crate::model::{DirichletPrior, Factors, GammaPrior, Latent, Lines, Model, Part, Prior, Step, Update};
use crate::special::digamma;

use super::gammas::{Gammas, Reference};
use super::own::Fault;
use super::simplices::{Simplices, divergence};

/// Entries of a latent that are updated together.
pub(super) const BLOCK: usize = 2048;

/// The posteriors, latent by latent. Of a simplex `shape` is the concentration and `rate` one; of a frozen
/// latent both are infinite.
#[derive(Clone, Debug, Default)]
pub(super) struct Posteriors {
    pub shape: Vec<Vec<f64>>,
    pub rate: Vec<Vec<f64>>,
    /// `exp(E ln x)`.
    pub geometric: Vec<Vec<f64>>,
    kinds: Vec<Kind>,
    /// Whether it has been updated: what a start puts there is no posterior.
    updated: Vec<bool>,
    /// The first conditional that doubles do not hold, or the first thing that a user's own update got wrong.
    pub fault: Option<Fault>,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Gamma,
    Simplex(Lines),
    Frozen,
}

impl Posteriors {
    /// Posteriors of shape one around `mean`; frozen latents at their values.
    pub fn around(model: &dyn Model, latents: &[Latent], mean: &Factors) -> Self {
        let mut out = Self::default();
        let geometric_of_one = (digamma(1.0)).exp();
        for ((i, latent), mean) in latents.iter().enumerate().zip(mean.iter()) {
            let kind = match (model.frozen(i), latent.along) {
                (Some(_), _) => Kind::Frozen,
                (None, Some(along)) => Kind::Simplex(Lines::new(&latent.shape, along)),
                (None, None) => Kind::Gamma,
            };
            let (shape, rate) = match kind {
                Kind::Gamma => (vec![1.0; mean.len()], mean.iter().map(|m| 1.0 / m).collect()),
                Kind::Simplex(lines) => {
                    let concentration = mean.iter().map(|m| m * lines.size as f64).collect();
                    (concentration, vec![1.0; mean.len()])
                }
                Kind::Frozen => (vec![f64::INFINITY; mean.len()], vec![f64::INFINITY; mean.len()]),
            };
            out.geometric.push(match kind {
                Kind::Gamma => mean.iter().map(|m| m * geometric_of_one).collect(),
                Kind::Simplex(_) | Kind::Frozen => mean.to_vec(),
            });
            out.shape.push(shape);
            out.rate.push(rate);
            out.kinds.push(kind);
            out.updated.push(false);
            if let Kind::Simplex(_) = kind {
                out.refresh(i, &mut mean.to_vec());
            }
        }
        out
    }

    /// Whether the latent keeps the values that it was given.
    pub fn is_frozen(&self, latent: usize) -> bool {
        matches!(self.kinds[latent], Kind::Frozen)
    }

    /// Whether every latent has been updated, and so has a bound.
    pub fn is_set(&self) -> bool {
        (0..self.kinds.len()).all(|latent| self.updated[latent] || self.is_frozen(latent))
    }

    /// Shape, rate and geometric mean of every entry of a latent, by name.
    pub fn parameters(&self, latent: usize) -> [(&'static str, &[f64]); 3] {
        [
            ("shape", &self.shape[latent]),
            ("rate", &self.rate[latent]),
            ("geometric", &self.geometric[latent]),
        ]
    }

    /// The same, to be written.
    pub fn parameters_mut(&mut self, latent: usize) -> [(&'static str, &mut [f64]); 3] {
        [
            ("shape", &mut self.shape[latent]),
            ("rate", &mut self.rate[latent]),
            ("geometric", &mut self.geometric[latent]),
        ]
    }

    /// What was written are posteriors, not a start.
    pub fn all_updated(&mut self) {
        self.updated.fill(true);
    }

    /// Overwrites the parameters of a latent's posterior; means go to `x`. A frozen latent has none.
    pub fn set(&mut self, latent: usize, shape: &[f64], rate: &[f64], x: &mut [f64]) {
        if self.is_frozen(latent) {
            return;
        }
        self.shape[latent].copy_from_slice(shape);
        if let Kind::Gamma = self.kinds[latent] {
            self.rate[latent].copy_from_slice(rate);
        }
        self.updated[latent] = true;
        self.refresh(latent, x);
    }

    /// `E x^2` and `(E x)^2` of every entry of a latent whose means are `mean`.
    pub fn squares(&self, latent: usize, mean: &[f64], second: &mut [f64], squared: &mut [f64]) {
        for (i, m) in mean.iter().enumerate() {
            let (s, r) = (self.shape[latent][i], self.rate[latent][i]);
            (second[i], squared[i]) = match self.kinds[latent] {
                Kind::Frozen => (m * m, m * m),
                Kind::Gamma | Kind::Simplex(_) => (s * (s + 1.0) / (r * r), s * s / (r * r)),
            };
        }
    }

    /// What a latent takes off the bound: `-E ln p - H(q)`. `priors` are its prior at the means of its
    /// parents and at their geometric means; `mean` is its own.
    pub fn divergence(&self, latent: usize, priors: [&Prior; 2], mean: &[f64]) -> f64 {
        match (self.kinds[latent], priors) {
            (Kind::Frozen, [Prior::Gamma(at_mean), Prior::Gamma(geometric)]) => Reference {
                mean: at_mean,
                geometric,
            }
            .surprise(mean),
            (Kind::Gamma, [Prior::Gamma(at_mean), Prior::Gamma(geometric)]) => Reference {
                mean: at_mean,
                geometric,
            }
            .divergence(&self.shape[latent], &self.rate[latent]),
            (Kind::Simplex(_), [Prior::Dirichlet(prior), _]) => divergence(&self.shape[latent], prior),
            // A concentration has no latents in it: it is a constant.
            (Kind::Frozen, _) => 0.0,
            (Kind::Gamma | Kind::Simplex(_), _) => unreachable!("a latent has the prior that it was declared with"),
        }
    }

    /// Means, to `x`, and geometric means from the parameters.
    fn refresh(&mut self, latent: usize, x: &mut [f64]) {
        match self.kinds[latent] {
            Kind::Gamma => self.gammas(latent).refresh(x),
            Kind::Simplex(lines) => self.simplices(latent, lines).refresh(x),
            Kind::Frozen => {}
        }
    }

    fn gammas(&mut self, latent: usize) -> Gammas<'_> {
        Gammas {
            shape: &mut self.shape[latent],
            rate: &mut self.rate[latent],
            geometric: &mut self.geometric[latent],
        }
    }

    fn simplices(&mut self, latent: usize, lines: Lines) -> Simplices<'_> {
        Simplices {
            lines,
            concentration: &mut self.shape[latent],
            geometric: &mut self.geometric[latent],
        }
    }

    /// Runs `update` on the gammas of a part: those of a slice are copied out and put back.
    fn with_gammas(&mut self, part: Part<'_>, update: impl FnOnce(&mut Gammas<'_>)) {
        let latent = part.latent;
        self.updated[latent] = true;
        let Some(slice) = part.slice else {
            update(&mut self.gammas(latent));
            return;
        };
        let n = slice.entries.len();
        let (mut shape, mut rate, mut geometric) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        update(&mut Gammas {
            shape: &mut shape,
            rate: &mut rate,
            geometric: &mut geometric,
        });
        for (i, &entry) in slice.entries.iter().enumerate() {
            self.shape[latent][entry] = shape[i];
            self.rate[latent][entry] = rate[i];
            self.geometric[latent][entry] = geometric[i];
        }
    }
}

impl Step for Posteriors {
    fn is_ascent(&self) -> bool {
        true
    }

    fn wants(&self, latent: usize) -> bool {
        !self.is_frozen(latent)
    }

    fn gamma(&mut self, part: Part<'_>, prior: &GammaPrior, counts: &[f64], exposure: &[f64], x: &mut [f64]) {
        if self.wants(part.latent) {
            self.with_gammas(part, |gammas| gammas.update(prior, counts, exposure, x));
            self.fault = self.fault.or_else(|| Fault::in_means(part, 0, x.iter().copied()));
        }
    }

    fn dirichlet(&mut self, latent: usize, prior: &DirichletPrior, counts: &[f64], x: &mut [f64]) {
        if self.wants(latent) {
            self.updated[latent] = true;
            let mut simplices = self.simplices(latent, prior.lines);
            simplices.conjugate(prior, counts);
            simplices.refresh(x);
        }
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
        if !self.wants(part.latent) {
            return;
        }
        let mut fault = None;
        self.with_gammas(part, |gammas| {
            gammas.conjugate(prior, counts, exposure, x);
            update.ascend(gammas.shape, gammas.rate);
            let in_shape = Fault::in_entries(part, gammas.shape);
            fault = in_shape.or(Fault::in_entries(part, gammas.rate));
            gammas.refresh(x);
        });
        self.fault = self.fault.or(fault);
    }

    fn own_dirichlet(
        &mut self,
        update: &dyn Update,
        latent: usize,
        prior: &DirichletPrior,
        counts: &[f64],
        x: &mut [f64],
    ) {
        if !self.wants(latent) {
            return;
        }
        self.updated[latent] = true;
        let mut simplices = self.simplices(latent, prior.lines);
        simplices.conjugate(prior, counts);
        simplices.each_line(|concentration| update.ascend_simplex(concentration));
        let fault = Fault::in_entries(Part::all(latent), simplices.concentration);
        simplices.refresh(x);
        self.fault = self.fault.or(fault);
    }
}
