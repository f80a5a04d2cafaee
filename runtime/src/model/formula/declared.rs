//! What a declaration says of a latent, as the products that its formulas should be.

use super::{Atom, Moment, Of, Place, Product};
use crate::model::{CountSpec, FactorKind, FactorSpec, Positions, TermSpec};

/// A place where a latent is read, and the indices of the formula about it that are known so far.
pub(in crate::model) struct Declared<'a> {
    /// In what the indices that are looked up stand.
    terms: [&'a TermSpec; 2],
    own: usize,
    /// What the indices of the declaration are in the formula.
    known: Vec<(usize, Place)>,
    others: usize,
    /// What is taken of latents.
    moment: Moment,
    product: Product,
}

/// In which order the factors of a term are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// As they were declared.
    Declared,
    /// Known ones first, as means are written.
    KnownFirst,
    /// The same, with `[t<1]` before its factor.
    KnownFirstWhole,
}

/// What is written of a factor.
#[derive(Clone, Copy)]
enum Part {
    /// `[t<1]`, which is known.
    Start(&'static FactorSpec),
    Factor(&'static FactorSpec),
}

/// As Gibbs sampling has them, and as coordinate ascent has.
const ORDERS: [(Order, Moment); 2] = [(Order::Declared, Moment::Value), (Order::KnownFirst, Moment::Mean)];

impl<'a> Declared<'a> {
    /// Of a latent that is the factor `read` of a term; what else is multiplied is in `other`.
    fn new(term: &'a TermSpec, read: &FactorSpec, other: &'a TermSpec) -> Self {
        let mut all = Self {
            terms: [term, other],
            own: read.vars.len(),
            known: Vec::new(),
            others: 0,
            moment: Moment::Value,
            product: Product::one(),
        };
        for (at, &var) in read.vars.iter().enumerate() {
            all.known.push((var, Place::At(at, 0)));
        }
        for (at, &var) in read.vars.iter().enumerate() {
            // What is read at `t - 1` is the present one: what reads it is at `t + 1`.
            if let Some(back) = all.back(var) {
                all.known.push((back.0, Place::At(at, back.1)));
            }
        }
        all
    }

    /// For an array with that many indices, in a term over these.
    fn own(term: &'a TermSpec, indices: usize) -> Self {
        Self {
            terms: [term, term],
            own: indices,
            known: (0..indices).map(|at| (at, Place::At(at, 0))).collect(),
            others: 0,
            moment: Moment::Value,
            product: Product::one(),
        }
    }

    fn lookup(&self, var: usize) -> Option<(Positions, &'static [usize])> {
        let mut terms = self.terms.iter();
        terms
            .find_map(|term| term.lookup(var))
            .map(|lookup| (lookup.of, lookup.at))
    }

    fn back(&self, var: usize) -> Option<(usize, i64)> {
        match self.lookup(var)? {
            (Positions::Back(back), at) => Some((at[0], back as i64)),
            (Positions::In(_), _) => None,
        }
    }

    /// What an index is in the formula. One that is new is summed over.
    fn place(&mut self, var: usize) -> Place {
        if let Some((_, place)) = self.known.iter().find(|(known, _)| *known == var) {
            return place.clone();
        }
        match self.lookup(var) {
            None => {
                let place = Place::At(self.own + self.others, 0);
                self.others += 1;
                self.known.push((var, place.clone()));
                place
            }
            Some((Positions::Back(back), at)) => self.place(at[0]).moved(-(back as i64)),
            Some((Positions::In(array), at)) => Place::In(array, self.places(at)),
        }
    }

    fn places(&mut self, vars: &[usize]) -> Vec<Place> {
        vars.iter().map(|&var| self.place(var)).collect()
    }

    /// `[author[d]=a]` and `[t<1]` of the latent.
    fn found(&mut self, read: &FactorSpec) {
        for (is, &var) in read.vars.iter().enumerate() {
            if let Some((Positions::In(array), at)) = self.lookup(var) {
                let at = self.places(at);
                self.product.atoms.push(Atom::Found { array, at, is });
            }
        }
        self.start(read);
    }

    fn start(&mut self, read: &FactorSpec) {
        if let Some(start) = read.start {
            let at = self.place(start.var);
            let until = start.until;
            self.product.atoms.push(Atom::First { at, until });
        }
    }

    /// A factor. If it is read at the first times alone, it is left out at others: in a sum `[t<1]` stands before it, and the term is left out.
    fn factor(&mut self, factor: &FactorSpec, is_sum: bool) {
        let at = self.places(factor.vars);
        let of = match factor.of {
            FactorKind::Latent(latent) => Of::Latent(latent),
            FactorKind::Array(array) => Of::Array(array),
            FactorKind::Hyper(hyper) => Of::Hyper(hyper),
        };
        let start = factor.start.filter(|_| !is_sum);
        let at_first = start.map(|start| (self.place(start.var), start.until));
        let moment = self.moment_of(of);
        self.product.multiply(Atom::Entry {
            of,
            at,
            at_first,
            moment,
        });
    }

    fn moment_of(&self, of: Of) -> Moment {
        match of {
            Of::Latent(_) => self.moment,
            Of::Array(_) | Of::Hyper(_) | Of::Cell => Moment::Value,
        }
    }

    /// A term but one of its factors, and but those that are never read where that one is.
    fn term(&mut self, term: &TermSpec, without: Option<usize>, is_sum: bool, order: Order) {
        self.product.number *= term.number;
        for &hyper in term.hypers {
            self.product.multiply(Atom::Entry {
                of: Of::Hyper(hyper),
                at: Vec::new(),
                at_first: None,
                moment: Moment::Value,
            });
        }
        let factors = term.factors;
        let meets = |at: usize| {
            without.is_none_or(|without| at != without && !term.never_meet(&factors[without], &factors[at]))
        };
        let kept = factors.iter().enumerate().filter(|(at, _)| meets(*at));
        let parts = kept.flat_map(|(_, factor)| {
            let is_random = matches!(factor.of, FactorKind::Latent(_));
            let is_whole = order == Order::KnownFirstWhole;
            let start = factor
                .start
                .filter(|_| is_sum)
                .map(|_| (is_random && is_whole, Part::Start(factor)));
            start.into_iter().chain([(is_random, Part::Factor(factor))])
        });
        let (random, known): (Vec<_>, Vec<_>) =
            parts.partition(|(is_random, _)| *is_random && order != Order::Declared);
        for (_, part) in known.into_iter().chain(random) {
            match part {
                Part::Start(factor) => self.start(factor),
                Part::Factor(factor) => self.factor(factor, is_sum),
            }
        }
    }

    fn entry(&mut self, of: Of, vars: &[usize]) {
        let at = self.places(vars);
        let (at_first, moment) = (None, self.moment_of(of));
        self.product.atoms.push(Atom::Entry {
            of,
            at,
            at_first,
            moment,
        });
    }

    /// Summed over `over` too, if that is not in the product yet.
    fn over(mut self, over: impl IntoIterator<Item = usize>) -> Product {
        for var in over {
            self.place(var);
        }
        self.product.summed = self.others;
        self.product
    }

    /// The count on a term of a rate, of which the latent is the factor number `read`: `Σ_v y[d,v,k]`.
    pub fn allocation(count: &CountSpec, term: &TermSpec, read: usize) -> Product {
        let mut all = Declared::new(term, &term.factors[read], term);
        all.found(&term.factors[read]);
        let at: Vec<usize> = (0..count.free).chain(term.summed.iter().copied()).collect();
        all.entry(Of::Cell, &at);
        all.over([])
    }

    /// The exposure from that: `Σ_v w[d,v] φ[k,v]`, with means in the second.
    pub fn exposure(count: &CountSpec, term: &TermSpec, read: usize) -> [Product; 2] {
        ORDERS.map(|(order, moment)| {
            let mut all = Declared::new(term, &term.factors[read], term);
            all.moment = moment;
            all.found(&term.factors[read]);
            let cell: Vec<usize> = (0..count.free).collect();
            all.entry(Of::Cell, &cell);
            all.term(term, Some(read), true, order);
            all.over(term.summed.iter().copied())
        })
    }

    /// The shape of a latent with `indices` indices in whose rate the latent is the factor number `read`: `Σ_k a`. A shape that is learned has several
    /// terms.
    pub fn shape(rate: &TermSpec, read: usize, shape: &TermSpec, indices: usize, is_learned: bool) -> [Product; 2] {
        ORDERS.map(|(order, moment)| {
            let mut all = Declared::new(rate, &rate.factors[read], shape);
            all.moment = moment;
            all.found(&rate.factors[read]);
            all.term(shape, None, is_learned, order);
            all.over((0..indices).chain(shape.summed.iter().copied()))
        })
    }

    /// The values of that latent, number `child`, times the rest of the rate: `Σ_k θ[d,k]`.
    pub fn values(rate: &TermSpec, read: usize, child: usize, indices: usize) -> [Product; 2] {
        ORDERS.map(|(order, moment)| {
            let mut all = Declared::new(rate, &rate.factors[read], rate);
            all.moment = moment;
            all.found(&rate.factors[read]);
            all.term(rate, Some(read), false, order);
            let at: Vec<usize> = (0..indices).collect();
            all.entry(Of::Latent(child), &at);
            all.over([])
        })
    }

    /// A term of a rate, in proportion to what is summed in which a cell is divided: `Σ_k θ[d,k] φ[k,v]`.
    pub fn share(count: &CountSpec, term: &TermSpec) -> [Product; 2] {
        [Moment::Value, Moment::Geometric].map(|moment| {
            let mut all = Declared::own(term, count.free);
            all.moment = moment;
            all.term(term, None, true, Order::KnownFirstWhole);
            all.over(term.summed.iter().copied())
        })
    }

    /// A parameter of the prior of a latent with `indices` indices, or a term of a shape that is learned.
    pub fn parameter(term: &TermSpec, indices: usize, is_learned: bool) -> [Product; 2] {
        ORDERS.map(|(order, moment)| {
            let mut all = Declared::own(term, indices);
            all.moment = moment;
            all.term(term, None, is_learned, order);
            all.over(term.summed.iter().copied())
        })
    }
}
