//! The naive twin of a model: its declaration multiplied out by plain loops.
//!
//! Nothing here is shared with the trees, exposures and updates that are derived from the declaration: the rate of
//! every cell is a list of monomials, and the prior of every entry is evaluated where it is needed.

mod prior;

use skellam::counts::{Array, index_at};
use skellam::model::{FactorKind, Positions, Spec, Start, TermSpec};
use skellam_math::distribution::poisson;
use skellam_math::streams::Stream;

use prior::TwinLine;

/// A coefficient times entries of latents.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Monomial {
    /// Numbers, hyperparameters and known arrays.
    pub coefficient: f64,
    /// The entries that are multiplied: (latent, entry).
    pub factors: Vec<(usize, usize)>,
}

impl Monomial {
    /// Its value at `x`.
    pub fn at(&self, x: &[Vec<f64>]) -> f64 {
        self.factors.iter().map(|&(l, e)| x[l][e]).product::<f64>() * self.coefficient
    }

    /// How often an entry is a factor.
    pub fn power_of(&self, latent: usize, entry: usize) -> i32 {
        self.factors.iter().filter(|factor| **factor == (latent, entry)).count() as i32
    }
}

/// A count multiplied out.
#[derive(Clone, Debug)]
pub(super) struct CountCells {
    /// Size of each of its indices.
    pub shape: Vec<usize>,
    /// The rate of every cell, row-major; none for a cell that does not belong to the count. For a difference, the monomials of both rates,
    /// those of the plus side first.
    pub rates: Vec<Option<Vec<Monomial>>>,
    /// How many monomials of a cell are of the plus side: all of them, except for a difference.
    pub plus: usize,
    /// Whether a simplex is in its rate, so that every exposure must be one.
    pub simplex: bool,
}

impl CountCells {
    /// The value of an index at a cell.
    pub fn value_at(&self, cell: usize, axis: usize) -> usize {
        cell / self.shape[axis + 1..].iter().product::<usize>() % self.shape[axis]
    }
}

/// A model multiplied out.
#[derive(Clone, Debug)]
pub(super) struct Twin {
    pub spec: &'static Spec,
    /// Shape of each latent.
    pub shapes: Vec<Vec<usize>>,
    /// Its counts.
    pub counts: Vec<CountCells>,
    /// The lines of all latents, parents before children: line by line where latents depend on each other through time.
    pub lines: Vec<TwinLine>,
    pub sizes: Vec<usize>,
    pub hypers: Vec<f64>,
    pub arrays: Vec<Array>,
}

impl Twin {
    pub fn new(spec: &'static Spec, sizes: Vec<usize>, hypers: Vec<f64>, arrays: Vec<Array>) -> Self {
        let all_sizes = sizes.clone();
        let size_of = |sets: &[usize]| -> Vec<usize> { sets.iter().map(|&s| all_sizes[s]).collect() };
        let mut twin = Self {
            spec,
            shapes: spec.latents.iter().map(|l| size_of(l.sets)).collect(),
            counts: Vec::new(),
            lines: Vec::new(),
            sizes,
            hypers,
            arrays,
        };
        for count in spec.counts {
            let (all, shape) = (size_of(count.vars), size_of(&count.vars[..count.free]));
            let rates = indices(&shape).map(|cell| {
                let mut index = cell;
                index.resize(all.len(), 0);
                let exists = count.guards.iter().all(|guard| guard.holds(&index));
                exists.then(|| twin.rate(count.terms, &all, &index))
            });
            let rates = rates.collect();
            let simplex = latents_of(count.terms).any(|l| spec.latents[l].prior.family.has_lines());
            let monomials = |term: &TermSpec| term.summed.iter().map(|&v| all[v]).product::<usize>();
            let plus = count.terms.iter().filter(|term| !term.minus).map(monomials).sum();
            twin.counts.push(CountCells {
                shape,
                rates,
                plus,
                simplex,
            });
        }
        twin.lines = twin.prior_lines();
        twin
    }

    fn rate(&self, terms: &[TermSpec], sizes: &[usize], index: &[usize]) -> Vec<Monomial> {
        let mut all = Vec::new();
        for term in terms {
            let summed: Vec<usize> = term.summed.iter().map(|&v| sizes[v]).collect();
            for inner in indices(&summed) {
                let mut index = index.to_vec();
                term.summed.iter().zip(inner).for_each(|(&v, i)| index[v] = i);
                all.extend(self.monomial(term, &index, false));
            }
        }
        all
    }

    /// A term at one value of its indices. What is read at no time leaves its factor out of a product, and its term, all of it, out of
    /// a sum.
    fn monomial(&self, term: &TermSpec, index: &[usize], is_product: bool) -> Option<Monomial> {
        let mut coefficient = term.number;
        coefficient *= term.hypers.iter().map(|&h| self.hypers[h]).product::<f64>();
        let mut factors = Vec::new();
        let mut index: Vec<Option<usize>> = index.iter().copied().map(Some).collect();
        for lookup in term.lookups {
            let at: Vec<usize> = lookup.at.iter().filter_map(|&v| index[v]).collect();
            let found = match lookup.of {
                Positions::In(array) => {
                    let array = &self.arrays[array];
                    Some(array.as_slice()[position(array.shape(), &at)] as usize)
                }
                Positions::Back(back) => at[0].checked_sub(back),
            };
            index.resize(index.len().max(lookup.var + 1), Some(0));
            index[lookup.var] = found;
        }
        for factor in term.factors {
            let at: Option<Vec<usize>> = factor.vars.iter().map(|&v| index[v]).collect();
            let is_over = |start: Start| index[start.var].is_some_and(|time| time >= start.until);
            let Some(at) = at.filter(|_| !factor.start.is_some_and(is_over)) else {
                if is_product {
                    continue;
                }
                return None;
            };
            match factor.of {
                FactorKind::Latent(l) => factors.push((l, position(&self.shapes[l], &at))),
                FactorKind::Array(a) => {
                    coefficient *= self.arrays[a].as_slice()[position(self.arrays[a].shape(), &at)];
                }
                FactorKind::Hyper(h) => coefficient *= self.hypers[h],
            }
        }
        Some(Monomial { coefficient, factors })
    }

    /// Arrays of the right lengths.
    pub fn zeros(&self) -> Vec<Vec<f64>> {
        self.shapes.iter().map(|s| vec![0.0; s.iter().product()]).collect()
    }

    /// The rates of both sides of every cell of every count, the minus side of a difference alone has one; zero where there is no cell.
    pub fn sides(&self, x: &[Vec<f64>]) -> Vec<Vec<[f64; 2]>> {
        self.sides_by(|monomial| monomial.at(x))
    }

    /// The same with another value of each monomial.
    pub fn sides_by(&self, value: impl Fn(&Monomial) -> f64) -> Vec<Vec<[f64; 2]>> {
        let rates = |count: &CountCells, cell: &Option<Vec<Monomial>>| {
            let monomials = cell.as_deref().unwrap_or_default();
            let (plus, minus) = monomials.split_at(count.plus.min(monomials.len()));
            [plus, minus].map(|side| side.iter().map(&value).sum())
        };
        let counts = self.counts.iter();
        counts
            .map(|count| count.rates.iter().map(|cell| rates(count, cell)).collect())
            .collect()
    }

    /// The rate of every cell of every count, both sides of a difference together; zero where there is no cell.
    pub fn rates(&self, x: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let total = |cells: Vec<[f64; 2]>| cells.into_iter().map(|[plus, minus]| plus + minus).collect();
        self.sides(x).into_iter().map(total).collect()
    }

    /// True counts at the rates of `x`, those of both sides of a difference.
    pub fn draw_counts(&self, x: &[Vec<f64>], rng: &mut Stream) -> Vec<Vec<[u64; 2]>> {
        let mut drawn = Vec::with_capacity(self.counts.len());
        for (count, (spec, rates)) in self.spec.counts.iter().zip(self.sides(x)).enumerate() {
            if let Some(total) = spec.total {
                let table = self.draw_lines(count, total, &rates, &drawn, rng);
                drawn.push(table);
                continue;
            }
            let mut draw = |[plus, minus]: [f64; 2]| match spec.is_difference() {
                true => [poisson(plus, rng), poisson(minus, rng)],
                false => [poisson(plus, rng), 0],
            };
            drawn.push(rates.into_iter().map(&mut draw).collect());
        }
        drawn
    }
}

/// Every index of an array of `shape`, row-major.
pub(super) fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let shape = shape.to_vec();
    (0..shape.iter().product()).map(move |at| index_at(&shape, at))
}

/// Row-major position of `index`.
pub(super) fn position(shape: &[usize], index: &[usize]) -> usize {
    shape.iter().zip(index).fold(0, |at, (size, i)| at * size + i)
}

/// The latents in some terms, each as often as it occurs.
fn latents_of(terms: &[TermSpec]) -> impl Iterator<Item = usize> {
    let factors = terms.iter().flat_map(|term| term.factors);
    factors.filter_map(|factor| match factor.of {
        FactorKind::Latent(l) => Some(l),
        FactorKind::Array(_) | FactorKind::Hyper(_) => None,
    })
}
