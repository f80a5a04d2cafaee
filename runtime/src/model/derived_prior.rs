//! Priors at values of their parents, and what children add to the conditionals of their parents.

use std::borrow::Cow;

use super::lookup::{Gather, Looked, Positions, earlier, first_of};
use super::{Bound, FactorKind, FactorSpec, Factors, Lines, Monomial, Prior, TermSpec, Values};

/// Strides of an array with the indices `vars` over the indices of a latent of `shape`; zero for an index that it lacks.
fn strides(shape: &[usize], vars: &[usize]) -> Vec<usize> {
    let stride = |index: usize| match vars.iter().position(|var| *var == index) {
        Some(at) => vars[at + 1..].iter().map(|&var| shape[var]).product(),
        None => 0,
    };
    (0..shape.len()).map(stride).collect()
}

/// A product of a number, hyperparameters and arrays over the entries of a latent.
struct Product<'a> {
    shape: &'a [usize],
    coefficient: f64,
    factors: Vec<(Cow<'a, [f64]>, Vec<usize>)>,
}

/// How a factor of a prior is read over the entries of a latent.
struct Read {
    /// The gather, if an index is looked up.
    gather: Option<Gather>,
    /// Strides of the array, or of the gathered one, over the indices of the latent.
    strides: Vec<usize>,
}

impl Product<'_> {
    fn with<R>(&self, run: impl FnOnce(Monomial<'_>) -> R) -> R {
        let mut monomial = Monomial::new(self.shape, self.coefficient);
        for (values, strides) in &self.factors {
            monomial = monomial.times(values, strides);
        }
        run(monomial)
    }
}

impl Bound {
    /// The prior of a latent where its parents have the values `x`.
    ///
    /// # Panics
    ///
    /// If the model was written by hand: nothing was derived then.
    pub fn prior(&self, latent: usize, x: &Factors) -> Prior {
        let spec = &self.priors[latent];
        Prior {
            family: spec.family,
            parameters: [0, 1].map(|at| self.declared_parameter(latent, at, x)),
            lines: spec.along.map(|along| Lines::new(&self.latents[latent].shape, along)),
        }
    }

    /// A parameter of the declared prior of a latent.
    pub(super) fn declared_parameter(&self, latent: usize, at: usize, x: &Factors) -> Values {
        match self.learned(latent) {
            Some(learned) if at == 0 => self.shape_values(learned, x),
            _ => {
                let term = &self.priors[latent].parameters[at];
                let product = self.product(&self.latents[latent].shape, term, None, x);
                product.with(|monomial| monomial.values())
            }
        }
    }

    /// A term of a prior of a latent of `shape`, without one of its factors.
    fn product<'a>(
        &'a self,
        shape: &'a [usize],
        term: &TermSpec,
        without: Option<usize>,
        x: &'a Factors,
    ) -> Product<'a> {
        let factors = term.factors.iter().enumerate().filter(|(i, _)| Some(*i) != without);
        let factors = factors.map(|(_, factor)| {
            let values = match factor.of {
                FactorKind::Latent(latent) => &x[latent],
                FactorKind::Array(array) => self.array(array),
                FactorKind::Hyper(hyper) => &self.known.hypers[hyper..=hyper],
            };
            let Read { gather, strides } = self.how(shape, term, factor);
            let values = match gather {
                None => Cow::Borrowed(values),
                Some(gather) => {
                    let mut gathered = vec![0.0; gather.len()];
                    // A factor that is read at no time is left out there.
                    gather.forward(&mut gathered, values, 1.0);
                    Cow::Owned(gathered)
                }
            };
            (values, strides)
        });
        Product {
            shape,
            coefficient: term
                .hypers
                .iter()
                .fold(term.number, |p, &hyper| p * self.known.hypers[hyper]),
            factors: factors.collect(),
        }
    }

    /// How a factor of a term of a prior is read over the entries of a latent of `shape`.
    fn how(&self, shape: &[usize], term: &TermSpec, factor: &FactorSpec) -> Read {
        let looked_up = || {
            factor
                .vars
                .iter()
                .enumerate()
                .filter_map(|(at, &var)| Some((at, term.lookup(var)?)))
        };
        let mut outer: Vec<usize> = Vec::new();
        let start = factor.start.iter().map(|start| &start.var);
        for &var in looked_up().flat_map(|(_, lookup)| lookup.at).chain(start) {
            if !outer.contains(&var) {
                outer.push(var);
            }
        }
        if outer.is_empty() {
            return Read {
                gather: None,
                strides: strides(shape, factor.vars),
            };
        }
        let read = match factor.of {
            FactorKind::Latent(latent) => &self.latents[latent].shape[..],
            FactorKind::Array(array) => self.arrays()[array].shape(),
            FactorKind::Hyper(_) => &[],
        };
        let stride = |at: usize| read[at + 1..].iter().product::<usize>();
        let plain = |var: usize| factor.vars.iter().position(|v| *v == var).map_or(0, stride);
        let axis = |&var: &usize| [shape[var], plain(var)];
        let inner = factor
            .vars
            .iter()
            .copied()
            .filter(|var| *var < shape.len() && !outer.contains(var));
        let inner: Vec<usize> = inner.collect();
        let by = |strides: &[usize]| outer.iter().map(|&var| strides[var]).collect();
        let looked = looked_up().map(|(at, lookup)| Looked {
            stride: stride(at),
            table: match lookup.of {
                Positions::In(array) => Cow::Borrowed(self.array(array)),
                Positions::Back(back) => Cow::Owned(earlier(shape[lookup.at[0]], back)),
            },
            strides: by(&strides(shape, lookup.at)),
        });
        let start = factor.start.iter().map(|start| Looked {
            stride: 0,
            table: Cow::Owned(first_of(shape[start.var], start.until)),
            strides: by(&strides(shape, &[start.var])),
        });
        let looked: Vec<Looked<'_>> = looked.chain(start).collect();
        let [outer_axes, inner_axes] = [&outer, &inner].map(|vars| vars.iter().map(axis).collect::<Vec<_>>());
        let gather = Gather::new(&outer_axes, &inner_axes, &looked);
        Read {
            gather: Some(gather),
            strides: strides(shape, &[outer, inner].concat()),
        }
    }
}
