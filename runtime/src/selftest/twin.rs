//! The naive twin of a model: its declaration multiplied out by plain loops.
//!
//! Nothing here is shared with the trees, exposures and updates that are derived from the declaration: the rate of
//! every cell is a list of monomials, and the prior of every entry is evaluated where it is needed.

use crate::counts::Array;
use crate::distribution::poisson;
use crate::family::Family;
use crate::model::{FactorKind, Lines, Positions, PriorSpec, Spec, Start, TermSpec};
use crate::streams::Stream;

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
    /// The monomials of a cell, side by side.
    pub fn sides<'a>(&self, monomials: &'a [Monomial]) -> [&'a [Monomial]; 2] {
        let (plus, minus) = monomials.split_at(self.plus.min(monomials.len()));
        [plus, minus]
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
    /// The prior of each latent multiplied out: it is asked for with every draw.
    priors: Vec<TwinPrior>,
    sizes: Vec<usize>,
    hypers: Vec<f64>,
    arrays: Vec<Array>,
    /// The lines of all latents, parents before children: line by line where latents depend on each other through time.
    order: Vec<(usize, usize)>,
}

/// The prior of a latent multiplied out.
#[derive(Clone, Debug)]
struct TwinPrior {
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
pub(super) struct LinePrior {
    pub family: &'static dyn Family,
    pub parameters: [Vec<f64>; 2],
    /// Positions in the latent.
    pub entries: Vec<usize>,
}

impl Twin {
    pub fn new(spec: &'static Spec, sizes: &[usize], hypers: &[f64], arrays: &[Array]) -> Self {
        let size_of = |sets: &[usize]| -> Vec<usize> { sets.iter().map(|&s| sizes[s]).collect() };
        let mut twin = Self {
            spec,
            shapes: spec.latents.iter().map(|l| size_of(l.sets)).collect(),
            counts: Vec::new(),
            priors: Vec::new(),
            sizes: sizes.to_vec(),
            hypers: hypers.to_vec(),
            arrays: arrays.to_vec(),
            order: Vec::new(),
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
        twin.priors = (0..spec.latents.len()).map(|latent| twin.prior(latent)).collect();
        twin.order = parents_first(&twin.priors);
        twin
    }

    fn prior(&self, latent: usize) -> TwinPrior {
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

    /// A scalar hyperparameter.
    pub(super) fn hyper(&self, hyper: usize) -> f64 {
        self.hypers[hyper]
    }

    /// A known array.
    pub(super) fn array(&self, array: usize) -> &Array {
        &self.arrays[array]
    }

    /// Arrays of the right lengths.
    pub fn zeros(&self) -> Vec<Vec<f64>> {
        self.shapes.iter().map(|s| vec![0.0; s.iter().product()]).collect()
    }

    /// The rates of both sides of every cell of every count, the minus side of a difference alone has one; zero where there is no cell.
    pub fn sides(&self, x: &[Vec<f64>]) -> Vec<Vec<[f64; 2]>> {
        let rates = |count: &CountCells, cell: &Option<Vec<Monomial>>| {
            let [plus, minus] = count.sides(cell.as_deref().unwrap_or_default());
            [plus, minus].map(|side| side.iter().map(|m| m.at(x)).sum())
        };
        let counts = self.counts.iter();
        counts
            .map(|count| count.rates.iter().map(|cell| rates(count, cell)).collect())
            .collect()
    }

    /// The rate of every cell of every count, both sides of a difference together; zero where there is no cell.
    pub fn rates(&self, x: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let rate = |cell: &Option<Vec<Monomial>>| cell.iter().flatten().map(|m| m.at(x)).sum();
        let counts = self.counts.iter();
        counts.map(|count| count.rates.iter().map(rate).collect()).collect()
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

    /// The latents in the prior of a latent.
    pub fn parents(&self, latent: usize) -> impl Iterator<Item = usize> + use<> {
        prior_latents(&self.spec.latents[latent].prior)
    }
}

/// Every index of an array of `shape`, row-major.
pub(super) fn indices(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + use<> {
    let shape = shape.to_vec();
    (0..shape.iter().product()).map(move |mut rest: usize| {
        let mut index = shape.clone();
        for axis in index.iter_mut().rev() {
            let size = *axis;
            (*axis, rest) = (rest % size, rest / size);
        }
        index
    })
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

/// The latents in a prior.
fn prior_latents(prior: &'static PriorSpec) -> impl Iterator<Item = usize> {
    prior.terms().flat_map(|term| latents_of(std::slice::from_ref(term)))
}

/// The lines of all latents, each after the entries in its prior; all lines of a latent one after another where that is possible.
fn parents_first(priors: &[TwinPrior]) -> Vec<(usize, usize)> {
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

#[cfg(test)]
mod tests {
    use super::super::cases::{BLOCKS, TOPICS};
    use super::*;
    use crate::family::{Dirichlet, Gamma};
    use rand::SeedableRng;

    fn topics() -> Twin {
        let weights = Array::new(vec![2], vec![1.0, 3.0]).unwrap();
        Twin::new(&TOPICS, &[2, 3, 2], &[0.7, 2.0], &[weights])
    }

    #[test]
    fn rates_are_multiplied_out() {
        let twin = topics();
        assert_eq!(twin.shapes, [vec![2], vec![2, 2], vec![2, 3], vec![3]]);
        let x = [
            vec![1.0, 1.0],
            vec![1.0, 2.0, 3.0, 4.0],
            vec![0.1, 0.2, 0.7, 0.5, 0.3, 0.2],
            vec![5.0, 6.0, 7.0],
        ];
        let cell = twin.counts[0].rates[4].as_ref().unwrap();
        // y[1, 1] = w[1] theta[1, 0] phi[0, 1] + w[1] theta[1, 1] phi[1, 1] + 0.5 * 2 psi[1].
        let expected = [
            (3.0, vec![(1, 2), (2, 1)]),
            (3.0, vec![(1, 3), (2, 4)]),
            (1.0, vec![(3, 1)]),
        ];
        let expected = expected.map(|(coefficient, factors)| Monomial { coefficient, factors });
        assert_eq!(cell[..], expected);
        let rate = 3.0 * 3.0 * 0.2 + 3.0 * 4.0 * 0.3 + 6.0;
        assert!((twin.rates(&x)[0][4] - rate).abs() < 1e-14);
        assert!(twin.counts[0].simplex);
    }

    #[test]
    fn priors_are_those_of_the_declaration() {
        let twin = topics();
        let x = [
            vec![0.5, 2.0],
            vec![1.0, 2.0, 3.0, 4.0],
            vec![0.1, 0.2, 0.7, 0.5, 0.3, 0.2],
            vec![5.0, 6.0, 7.0],
        ];
        // theta[1, 0] ~ Gamma(2, 2 xi[1]); phi[0, .] ~ Dirichlet(0.7); psi ~ Gamma(0.7, 3); xi ~ Gamma(1.5, 1).
        let law = LinePrior {
            family: &Gamma,
            parameters: [vec![2.0], vec![4.0]],
            entries: vec![2],
        };
        assert_eq!(twin.laws(1, &x)[2], law);
        let line = LinePrior {
            family: &Dirichlet,
            parameters: [vec![0.7; 3], vec![1.0; 3]],
            entries: vec![3, 4, 5],
        };
        assert_eq!(twin.laws(2, &x)[1], line);
        let mut expected = 0.0;
        for (xi, theta) in [(0.5, [1.0, 2.0]), (2.0, [3.0, 4.0])] {
            // Gamma(1.5) = sqrt(pi) / 2.
            expected += 0.5 * f64::ln(xi) - xi - (std::f64::consts::PI.sqrt() / 2.0).ln();
            for t in theta {
                expected += 2.0 * f64::ln(2.0 * xi) + f64::ln(t) - 2.0 * xi * t;
            }
        }
        // Gamma(0.7) = 1.298055332647558, Gamma(2.1) = 1.0464858468535607 (`math.gamma` of Python).
        let (small, large) = (1.298_055_332_647_558_f64, 1.046_485_846_853_560_7_f64);
        for line in x[2].chunks(3) {
            expected += large.ln() - 3.0 * small.ln() - 0.3 * line.iter().map(|p| p.ln()).sum::<f64>();
        }
        for psi in [5.0_f64, 6.0, 7.0] {
            expected += 0.7 * 3.0_f64.ln() - small.ln() - 0.3 * psi.ln() - 3.0 * psi;
        }
        assert!(
            (twin.ln_prior(&x) - expected).abs() < 1e-12 * expected.abs(),
            "{}",
            twin.ln_prior(&x) - expected
        );
        assert_eq!(twin.parents(1).collect::<Vec<_>>(), [0]);
        assert_eq!(twin.parents(2).count(), 0);
    }

    /// Means of 20,000 draws within six standard errors.
    #[test]
    fn draws_go_from_parents_to_children() {
        // xi before theta.
        let twin = topics();
        let mut rng = Stream::seed_from_u64(7);
        let n = 20_000;
        let (mut product, mut share) = (Vec::new(), Vec::new());
        for _ in 0..n {
            let x = twin.draw(&mut rng);
            // xi theta ~ Gamma(2, 2), of mean 1 and variance 1/2, whatever xi is.
            product.push(x[0][1] * x[1][3]);
            share.push(x[2][4]);
            assert!((x[2][3..].iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let mean = |v: &[f64]| v.iter().sum::<f64>() / n as f64;
        assert!(
            (mean(&product) - 1.0).abs() < 6.0 * (0.5 / n as f64).sqrt(),
            "{}",
            mean(&product)
        );
        // A beta law of parameters 0.7 and 1.4 has variance 2/9/3.1.
        assert!((mean(&share) - 1.0 / 3.0).abs() < 6.0 * (2.0 / 9.0 / 3.1 / n as f64).sqrt());
    }

    #[test]
    fn a_where_leaves_cells_out_and_a_latent_may_occur_twice() {
        let twin = Twin::new(&BLOCKS, &[3, 2], &[], &[]);
        let exists: Vec<bool> = twin.counts[0].rates.iter().map(Option::is_some).collect();
        let cells = [false, true, true, false, false, true, false, false, false];
        assert_eq!(exists, cells);
        let x = [vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], vec![0.1, 0.2, 0.3, 0.4]];
        // y[0, 2] = sum over a, b of h[0, a] w[a, b] h[2, b].
        let rate = 5.0 * 0.1 + 6.0 * 0.2 + 2.0 * (5.0 * 0.3 + 6.0 * 0.4);
        assert!((twin.rates(&x)[0][2] - rate).abs() < 1e-14);
        assert!(!twin.counts[0].simplex);
    }
}
