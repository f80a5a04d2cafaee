//! The priors of the twin: the law of each line given its parents, and draws of all latents from them.

use super::{Monomial, Twin, indices};
use skellam::model::Lines;
use skellam::model::family::Family;
use skellam_math::streams::Stream;

/// The prior of a latent multiplied out.
#[derive(Clone, Debug)]
pub(super) struct TwinPrior {
    family: &'static dyn Family,
    /// Entry by entry: a sum of products in a shape that is learned, else one product.
    parameters: [Vec<Vec<Monomial>>; 2],
    /// The entries of each line.
    lines: Vec<Vec<usize>>,
}

impl TwinPrior {
    /// The parameters of a line given its parents, in place of what is there.
    fn parameters_at(&self, line: usize, x: &[Vec<f64>], into: &mut [Vec<f64>; 2]) {
        for (of, into) in self.parameters.iter().zip(into) {
            let parameter = |&entry: &usize| of[entry].iter().map(|part| part.at(x)).sum::<f64>();
            into.clear();
            into.extend(self.lines[line].iter().map(parameter));
        }
    }
}

/// The law of one line given its parents.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LinePrior {
    pub family: &'static dyn Family,
    pub parameters: [Vec<f64>; 2],
    /// Positions in the latent.
    pub entries: Vec<usize>,
}

impl Twin {
    /// The prior of a latent, multiplied out.
    pub(super) fn prior(&self, latent: usize) -> TwinPrior {
        let (shape, prior) = (&self.shapes[latent], &self.spec.latents[latent].prior);
        let lines = Lines::of(shape, prior.along);
        TwinPrior {
            family: prior.family,
            parameters: [0, 1].map(|at| match prior.shape {
                Some(tables) if at == 0 => {
                    let sizes: Vec<usize> = tables.vars.iter().map(|&set| self.sizes[set]).collect();
                    let entries = indices(shape).map(|mut index| {
                        index.resize(sizes.len(), 0);
                        self.rate(tables.terms, &sizes, &index)
                    });
                    entries.collect()
                }
                _ => {
                    let entries = indices(shape)
                        .map(|index| self.monomial(&prior.parameters[at], &index, true).into_iter().collect());
                    entries.collect()
                }
            }),
            lines: (0..lines.number()).map(|line| lines.entries(line).collect()).collect(),
        }
    }

    /// The laws of a latent given its parents, line by line.
    pub fn laws(&self, latent: usize, x: &[Vec<f64>]) -> Vec<LinePrior> {
        let lines = 0..self.priors[latent].lines.len();
        lines.map(|line| self.law(latent, line, x)).collect()
    }

    fn law(&self, latent: usize, line: usize, x: &[Vec<f64>]) -> LinePrior {
        let prior = &self.priors[latent];
        let mut parameters = Default::default();
        prior.parameters_at(line, x, &mut parameters);
        LinePrior {
            family: prior.family,
            parameters,
            entries: prior.lines[line].clone(),
        }
    }

    /// `ln p(x)` of all latents.
    pub fn ln_prior(&self, x: &[Vec<f64>]) -> f64 {
        let (mut parameters, mut values) = ([Vec::new(), Vec::new()], Vec::new());
        let mut total = 0.0;
        for (prior, x_of) in self.priors.iter().zip(x) {
            for (line, entries) in prior.lines.iter().enumerate() {
                prior.parameters_at(line, x, &mut parameters);
                values.clear();
                values.extend(entries.iter().map(|&entry| x_of[entry]));
                let [one, other] = &parameters;
                total += prior.family.ln_density(&values, [one, other]);
            }
        }
        total
    }

    /// A draw of all latents from their priors.
    pub fn draw(&self, rng: &mut Stream) -> Vec<Vec<f64>> {
        let mut x = self.zeros();
        let (mut parameters, mut values) = ([Vec::new(), Vec::new()], Vec::new());
        for &(latent, line) in &self.order {
            let prior = &self.priors[latent];
            let entries = &prior.lines[line];
            prior.parameters_at(line, &x, &mut parameters);
            values.clear();
            values.resize(entries.len(), 1.0);
            let [one, other] = &mut parameters;
            prior.family.draw([one, other], entries.len(), &mut values, rng);
            for (&entry, value) in entries.iter().zip(&values) {
                x[latent][entry] = value.min(f64::MAX);
            }
        }
        x
    }
}

/// The lines of all latents, each after the entries in its prior; all lines of a latent one after another where that is possible.
pub(super) fn parents_first(priors: &[TwinPrior]) -> Vec<(usize, usize)> {
    let mut drawn: Vec<Vec<bool>> = priors
        .iter()
        .map(|prior| vec![false; prior.lines.iter().map(Vec::len).sum()])
        .collect();
    let mut left: Vec<(usize, usize)> = Vec::new();
    for (latent, prior) in priors.iter().enumerate() {
        left.extend((0..prior.lines.len()).map(|line| (latent, line)));
    }
    let parents = |(latent, line): (usize, usize)| {
        let entries = priors[latent].lines[line].iter();
        let parts = entries.flat_map(move |&e| priors[latent].parameters.iter().flat_map(move |of| &of[e]));
        parts.flat_map(|part| part.factors.iter().copied())
    };
    let mut order = Vec::new();
    while !left.is_empty() {
        let is_ready = |one: &(usize, usize)| parents(*one).all(|(latent, entry)| drawn[latent][entry]);
        let whole = left.iter().map(|(latent, _)| *latent).find(|latent| {
            let mut own = left.iter().filter(|(other, _)| other == latent);
            own.all(is_ready)
        });
        let next: Vec<(usize, usize)> = match whole {
            Some(latent) => left.iter().copied().filter(|(other, _)| *other == latent).collect(),
            None => left.iter().copied().find(is_ready).into_iter().collect(),
        };
        assert!(!next.is_empty(), "`model!` refuses priors that go round in a circle");
        for &(latent, line) in &next {
            priors[latent].lines[line]
                .iter()
                .for_each(|&entry| drawn[latent][entry] = true);
        }
        left.retain(|one| !next.contains(one));
        order.extend(next);
    }
    order
}
