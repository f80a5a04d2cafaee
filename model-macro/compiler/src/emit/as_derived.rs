//! Assertions that generated code computes what the derivation says: what is printed is what runs.

use super::loops::looked_up;
use crate::derive::{Conditional, DerivedModel, Formed, Leaf, Operand, Origin, Sum, Summand, Update};
use crate::resolve::{Count, Indices, Scalar, Source, Start, VarId};

/// A product, whatever the order of its factors: numbers, and arrays with their indices and the times at which alone they are read.
#[derive(Debug, PartialEq)]
struct Multiplied {
    numbers: Scalar,
    arrays: Vec<(Source, Vec<String>, Option<usize>)>,
}

impl Multiplied {
    fn one() -> Self {
        Self {
            numbers: Scalar::one(),
            arrays: Vec::new(),
        }
    }

    fn number(&mut self, more: &Scalar, until: Option<usize>) {
        match (until, &more.hypers[..]) {
            (Some(_), [of]) => self.arrays.push((Source::Hyper(*of), Vec::new(), until)),
            _ => self.numbers.multiply(more),
        }
    }

    /// One form for all equal products.
    fn sorted(mut self) -> Self {
        self.arrays.sort_by_cached_key(|array| format!("{array:?}"));
        self
    }

    /// What is multiplied for a term.
    fn by(count: &Count, operands: &[&Operand]) -> Self {
        let mut all = Self::one();
        for operand in operands {
            let until = match operand {
                Operand::Started(_, _, start) => Some(start.until),
                _ => None,
            };
            if let Operand::Scalar(more) = operand {
                all.number(more, until);
            }
            let Some((of, at)) = operand.leaf() else { continue };
            let at = at.iter().map(|var| count.vars.shown(*var)).collect();
            all.arrays.push((of, at, until));
        }
        all.sorted()
    }

    /// The product that a term of a rate states; `plain` finds the factor of a moment.
    fn said(term: &Summand, plain: Plain) -> Option<Self> {
        let mut all = Self::one();
        for leaf in &term.factors {
            all.multiply(term, plain(leaf)?, None)?;
        }
        Some(all.sorted())
    }

    fn multiply(&mut self, term: &Summand, leaf: &Leaf, until: Option<usize>) -> Option<()> {
        let (of, at) = match leaf {
            Leaf::Latent(id, at) => (Source::Latent(*id), at),
            Leaf::Data(id, at) => (Source::Data(*id), at),
            Leaf::Scalar(more) => {
                self.number(more, until);
                return Some(());
            }
            Leaf::OnlyAtFirst { of, until, .. } => return self.multiply(term, of, Some(*until)),
            _ => return None,
        };
        let at = at.iter().map(|&at| term.indices[at].name.clone()).collect();
        self.arrays.push((of, at, until));
        Some(())
    }
}

/// The factor that a leaf is, or whose moment it is; `None` if it is another moment.
type Plain = fn(&Leaf) -> Option<&Leaf>;

fn itself(leaf: &Leaf) -> Option<&Leaf> {
    Some(leaf)
}

fn geometric(leaf: &Leaf) -> Option<&Leaf> {
    match leaf {
        Leaf::Geometric(of) => of.first().filter(|_| of.len() == 1),
        leaf => Some(leaf).filter(|leaf| !leaf.is_random()),
    }
}

fn mean(leaf: &Leaf) -> Option<&Leaf> {
    match leaf {
        Leaf::Mean(of) => of.first().filter(|_| of.len() == 1),
        leaf => Some(leaf).filter(|leaf| !leaf.is_random()),
    }
}

/// Panics unless the operands of a count, as they are formed, multiply to its rate, the shares of its parts, its mean and its variance: each takes every latent
/// as it is, at its geometric mean, at its mean, or at the mean of its square.
pub(super) fn assert_formed(derivation: &DerivedModel, number: usize, formed: &Formed) {
    let by_loop = |term: usize| {
        let slot = formed.slots.iter().find(|slot| slot.term == term)?;
        Some([&slot.left, &slot.right].map(|side| formed.leaves(side)).concat())
    };
    let count = derivation.model.count(number);
    for of in derivation.divisions_of(number) {
        assert!(of.has_variance_of_terms(count), "no loop computes {:?}", of.variance);
        let sums: [(&Sum, Plain); 4] = [
            (&of.rate, itself),
            (&of.sampled, itself),
            (&of.expected, geometric),
            (&of.mean, mean),
        ];
        for (sum, plain) in sums {
            let terms = count.terms_of(of.side);
            assert_eq!(sum.len(), terms.len(), "there is a slot for every term");
            for (term, part) in terms.zip(sum) {
                let is_summed = part.own == count.free && part.summed == count.terms[term].summed.len();
                let by_loop = by_loop(term).map(|operands| Multiplied::by(count, &operands));
                let is_computed = is_summed && by_loop.is_some() && by_loop == Multiplied::said(part, plain);
                assert!(is_computed, "no loop computes {part:?}");
            }
        }
    }
}

/// Panics unless the counts that a latent adds are those that the adjoints of rates hand down to it, and both engines have its prior and its
/// exposure in common, one of them with means. A shape that is learned has one engine.
pub(super) fn assert_handed_down(derivation: &DerivedModel, update: &Update) {
    let [gibbs, cavi] = [&update.conditional, &update.posterior];
    let of_term = |part: &Summand| of_term(derivation, part).map(|leaves| leaves.map(|leaves| multiplied(&leaves)));
    for part in gibbs.statistic().iter().chain(cavi.statistic()) {
        let is_handed_down = || of_term(part).is_some_and(|[counts, _]| counts == multiplied(&at_means(part).factors));
        assert!(
            part.place().is_none() || is_handed_down(),
            "no counts are handed down for {part:?}"
        );
    }
    let means = |of: &[Summand], is_kept: fn(&&Summand) -> bool| -> Vec<Summand> {
        of.iter().filter(is_kept).map(at_means).collect()
    };
    let of_rates = |rate: &[Summand]| means(rate, |part| matches!(part.from, Origin::Rate(_)));
    let of_prior = |of: &Conditional| -> Vec<Vec<Summand>> {
        let parameters = of.law.parameters.iter();
        parameters
            .map(|of| means(of, |part| part.from == Origin::Prior))
            .collect()
    };
    if derivation.model.shapes.is_empty() {
        assert_eq!(
            of_prior(gibbs),
            of_prior(cavi),
            "one function computes a prior, of values and of means"
        );
    }
    assert_eq!(
        of_rates(gibbs.rate()),
        of_rates(cavi.rate()),
        "one function computes an exposure, of values and of means"
    );
    for part in of_rates(gibbs.rate()) {
        let is_rest = of_term(&part).is_some_and(|[_, rest]| rest == multiplied(&part.factors));
        assert!(is_rest, "no correction computes the exposure {part:?}");
    }
}

/// What the term of a summand adds to the counts of an entry, which adjoints hand down, and to its exposure: the weight of a cell times the rest of the term.
/// `None` if some index has no position.
fn of_term(derivation: &DerivedModel, part: &Summand) -> Option<[Vec<Leaf>; 2]> {
    let place = part.place()?;
    let of = derivation.model.count(place.count);
    let term = &of.terms[place.term];
    let access = &term.factors[place.factor];
    let read = &access.vars;
    let mut others: Vec<VarId> = of.free_vars().chain(term.summed.iter().copied()).collect();
    others.retain(|var| !of.vars.fixes(access, *var));
    // What a shifted index was shifted from is told by it.
    others.extend(of.vars.shifts(access).into_iter().map(|(_, base, _)| base));
    others.extend(looked_up(of).filter(|var| !read.contains(var)));
    // Indices of the latent stand where it reads them, all others behind its own.
    let position = |var: &VarId| {
        let behind = || others.iter().position(|other| other == var).map(|at| part.own + at);
        read.iter().position(|read| read == var).or_else(behind)
    };
    let at = |vars: &[VarId]| vars.iter().map(position).collect::<Option<Vec<usize>>>();
    let mut of_cell: Vec<VarId> = of.free_vars().collect();
    let (mut counts, mut rest) = (Vec::new(), Vec::new());
    rest.push(Leaf::Weight {
        count: place.count,
        at: at(&of_cell)?,
    });
    of_cell.extend(&term.summed);
    counts.push(Leaf::Allocation {
        count: place.count,
        term: place.term,
        at: at(&of_cell)?,
    });
    rest.push(Leaf::Scalar(term.coefficient.clone()));
    for leaf in found_at(of, read, &|var| position(&var))? {
        counts.push(leaf.clone());
        rest.push(leaf);
    }
    // What is never read together with the latent is no factor of its exposure.
    for factor in term.factors.iter().filter(|factor| !of.vars.never_meet(access, factor)) {
        let is_own = std::ptr::eq(factor, access);
        if let Some(Start { var, until }) = factor.start {
            let at = position(&var)?;
            counts.extend(is_own.then_some(Leaf::First { at, until }));
            rest.push(Leaf::First { at, until });
        }
        rest.extend(match factor.of {
            _ if is_own => None,
            Source::Latent(of) => Some(Leaf::Latent(of, at(&factor.vars)?)),
            Source::Data(of) => Some(Leaf::Data(of, at(&factor.vars)?)),
            Source::Hyper(of) => Some(Leaf::Scalar(Scalar::hyper(of))),
        });
    }
    Some([counts, rest])
}

/// One form for all equal products: their numbers, and the other factors in order.
fn multiplied(leaves: &[Leaf]) -> (Scalar, Vec<String>) {
    let (mut numbers, mut others) = (Scalar::one(), Vec::new());
    for leaf in leaves {
        match leaf {
            Leaf::Scalar(more) => numbers.multiply(more),
            other => others.push(format!("{other:?}")),
        }
    }
    numbers.hypers.sort_unstable();
    numbers.per.sort_unstable();
    others.sort_unstable();
    (numbers, others)
}

/// Where arrays of positions hold an index of what reads them; `None` if some index has no position.
fn found_at(count: &Count, read: &[VarId], position: &dyn Fn(VarId) -> Option<usize>) -> Option<Vec<Leaf>> {
    let looked_up = read.iter().enumerate().filter_map(|(is, var)| {
        let lookup = count.vars.lookup(*var)?;
        Some((is, lookup.array()?, &lookup.at))
    });
    let found = looked_up.map(|(is, of, at)| {
        let at = at.iter().map(|var| position(*var)).collect::<Option<_>>()?;
        Some(Leaf::Found { of, at, is })
    });
    found.collect()
}

/// A summand with the means of products as the products of means that they are, what is known first.
fn at_means(of: &Summand) -> Summand {
    let factors = of.factors.iter().flat_map(|leaf| match leaf {
        Leaf::Mean(of) => of.clone(),
        leaf => vec![leaf.clone()],
    });
    let (random, mut factors): (Vec<Leaf>, Vec<Leaf>) = factors.partition(Leaf::is_random);
    factors.extend(random);
    Summand { factors, ..of.clone() }
}
