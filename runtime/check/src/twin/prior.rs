//! The priors of the twin: the law of each line given its parents, and draws of all latents from them.

use std::collections::HashSet;

use super::{Monomial, Twin, indices};
use skellam::model::Lines;
use skellam::model::family::Family;
use skellam_math::streams::Stream;

/// A line of a latent with its prior multiplied out.
#[derive(Clone, Debug)]
pub(crate) struct TwinLine {
    pub latent: usize,
    pub family: &'static dyn Family,
    /// Positions in the latent.
    pub entries: Vec<usize>,
    /// Entry by entry: a sum of products in a shape that is learned, else one product.
    parameters: [Vec<Vec<Monomial>>; 2],
}

impl TwinLine {
    /// Its parameters given its parents.
    pub fn parameters_at(&self, x: &[Vec<f64>]) -> [Vec<f64>; 2] {
        let entry = |parts: &Vec<Monomial>| parts.iter().map(|part| part.at(x)).sum();
        self.parameters.each_ref().map(|of| of.iter().map(entry).collect())
    }

    /// The entries in its prior, each with its latent.
    fn parents(&self) -> impl Iterator<Item = &(usize, usize)> {
        self.parameters
            .iter()
            .flatten()
            .flatten()
            .flat_map(|part| &part.factors)
    }
}

impl Twin {
    /// The lines of all latents, each after the entries in its prior: in the order in which they can be drawn.
    pub(super) fn prior_lines(&self) -> Vec<TwinLine> {
        let mut left: Vec<TwinLine> = (0..self.shapes.len())
            .flat_map(|latent| self.lines_of(latent))
            .collect();
        let (mut lines, mut drawn) = (Vec::new(), HashSet::new());
        while !left.is_empty() {
            let is_ready = |line: &TwinLine| line.parents().all(|parent| drawn.contains(parent));
            let Some(next) = left.iter().position(is_ready) else {
                unreachable!("`model!` refuses priors that go round in a circle")
            };
            let line = left.remove(next);
            drawn.extend(line.entries.iter().map(|&entry| (line.latent, entry)));
            lines.push(line);
        }
        lines
    }

    fn lines_of(&self, latent: usize) -> Vec<TwinLine> {
        let (shape, prior) = (&self.shapes[latent], &self.spec.latents[latent].prior);
        let all = [0, 1].map(|at| {
            let parameter = |mut index: Vec<usize>| match prior.shape {
                Some(tables) if at == 0 => {
                    let sizes: Vec<usize> = tables.vars.iter().map(|&set| self.sizes[set]).collect();
                    index.resize(sizes.len(), 0);
                    self.rate(tables.terms, &sizes, &index)
                }
                _ => Vec::from_iter(self.monomial(&prior.parameters[at], &index, true)),
            };
            indices(shape).map(parameter).collect::<Vec<_>>()
        });
        let lines = Lines::of(shape, prior.along);
        let line = |number: usize| TwinLine {
            latent,
            family: prior.family,
            entries: lines.entries(number).collect(),
            parameters: all
                .each_ref()
                .map(|of| lines.entries(number).map(|entry| of[entry].clone()).collect()),
        };
        (0..lines.number()).map(line).collect()
    }

    /// `ln p(x)` of all latents.
    pub fn ln_prior(&self, x: &[Vec<f64>]) -> f64 {
        let ln_density = |line: &TwinLine| {
            let [one, other] = line.parameters_at(x);
            let values: Vec<f64> = line.entries.iter().map(|&entry| x[line.latent][entry]).collect();
            line.family.ln_density(&values, [&one, &other])
        };
        self.lines.iter().map(ln_density).sum()
    }

    /// A draw of all latents from their priors.
    pub fn draw(&self, rng: &mut Stream) -> Vec<Vec<f64>> {
        let mut x = self.zeros();
        for line in &self.lines {
            let [mut one, mut other] = line.parameters_at(&x);
            let mut values = vec![1.0; line.entries.len()];
            line.family.draw([&mut one, &mut other], values.len(), &mut values, rng);
            for (&entry, value) in line.entries.iter().zip(&values) {
                x[line.latent][entry] = value.min(f64::MAX);
            }
        }
        x
    }
}
