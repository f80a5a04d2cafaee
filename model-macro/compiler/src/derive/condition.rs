//! The conditional of a latent from the declaration: what the prior, the rates that it is a factor of, and the priors that it is
//! in say of it.

use crate::resolve::{
    Access, Count, Index, Indices, LatentId, Model, Positions, Scalar, SetId, Source, Start, Term, VarId,
};

use super::conditional::{Conditional, ConditionalLaw, Contraction, Leaf, Letter, Origin, Sum};
use super::update::Occurrence;

/// Whether a conditional is that of Gibbs sampling, or the posterior of coordinate ascent: the same with random factors in
/// their mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Sampled,
    Expected,
}

/// The conditional of `latent`.
pub(super) fn conditional(model: &Model, latent: LatentId, form: Form) -> Conditional {
    let declared = &model.latents[latent.0];
    let vars = &declared.prior.vars;
    let letter = |at: usize| Letter {
        name: vars.shown(VarId(at)),
        set: vars[at].set,
    };
    let own = |term: &Term| Contraction {
        from: Origin::Prior,
        indices: (0..vars.len()).map(letter).collect(),
        own: declared.indices.len(),
        summed: 0,
        factors: product(term, Of::Prior, (vars, None), &|var| var.0, form),
    };
    let (mut counts, mut exposures) = additions(model, latent, form);
    let added = [&mut counts, &mut exposures];
    let prior = &declared.prior;
    let law = ConditionalLaw {
        family: prior.family.clone(),
        along: prior.along,
        parameters: prior
            .terms
            .iter()
            .zip(added)
            .enumerate()
            .map(|(at, (term, more))| match model.shape_of(latent) {
                Some(learned) if at == 0 => {
                    let mut all = shape(&learned.tables, declared.indices.len(), form);
                    all.append(more);
                    all
                }
                _ => sum(own(term), more),
            })
            .collect(),
    };
    Conditional { of: latent, law }
}

/// A shape that is learned, term by term.
fn shape(tables: &Count, own: usize, form: Form) -> Sum {
    let terms = tables.terms.iter().map(|term| {
        let mut order: Vec<VarId> = (0..own).map(VarId).collect();
        order.extend(&term.summed);
        let looked_up = (0..tables.vars.len())
            .map(VarId)
            .filter(|var| tables.vars.lookup(*var).is_some());
        order.extend(looked_up);
        let place = |var: VarId| order.iter().position(|v| *v == var).unwrap_or_default();
        Contraction {
            from: Origin::Prior,
            indices: order
                .iter()
                .map(|&var| Letter {
                    name: tables.vars.shown(var),
                    set: tables.vars[var.0].set,
                })
                .collect(),
            own,
            summed: term.summed.len(),
            factors: product(term, Of::Sum, (&tables.vars, None), &place, form),
        }
    });
    terms.collect()
}

fn sum(first: Contraction, more: &mut Sum) -> Sum {
    let mut all = vec![first];
    all.append(more);
    all
}

/// What rates and the priors of other latents add to the statistic and to the exposure.
///
/// The exposure of a simplex is here too: it is constant along the simplex and drops out of the law.
pub(super) fn additions(model: &Model, latent: LatentId, form: Form) -> (Sum, Sum) {
    let (mut counts, mut exposures) = (Vec::new(), Vec::new());
    for occurrence in occurrences(model, latent) {
        let [count, exposure] = of_rate(model, latent, occurrence, form);
        counts.push(count);
        exposures.push(exposure);
    }
    for (child, access) in model.children(latent) {
        let (shape, exposure) = of_child(model, latent, child, &access, form);
        counts.extend(shape);
        exposures.push(exposure);
    }
    (counts, exposures)
}

/// The places where a latent occurs in rates.
pub(super) fn occurrences(model: &Model, latent: LatentId) -> Vec<Occurrence> {
    let mut all = Vec::new();
    for (count, c) in model.all_counts() {
        for (term, t) in c.terms.iter().enumerate() {
            let uses = t
                .factors
                .iter()
                .enumerate()
                .filter(|(_, f)| f.of == Source::Latent(latent));
            all.extend(uses.map(|(factor, _)| Occurrence { count, term, factor }));
        }
    }
    all
}

/// Poisson allocations and gamma prior: the counts on the entry, and what the rest of the term multiplies it by in every cell
/// (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
fn of_rate(model: &Model, latent: LatentId, occurrence: Occurrence, form: Form) -> [Contraction; 2] {
    let count = model.count(occurrence.count);
    let term = &count.terms[occurrence.term];
    let access = &term.factors[occurrence.factor];
    let over: Vec<VarId> = free_and_summed(count, term)
        .filter(|v| !count.vars.fixes(access, *v))
        .collect();
    let indices = Places::new(model, latent, &count.vars, access, &over);
    let allocation = Leaf::Allocation {
        count: occurrence.count,
        term: occurrence.term,
        at: free_and_summed(count, term).map(|v| indices.at(v)).collect(),
    };
    let weight = Leaf::Weight {
        count: occurrence.count,
        at: count.free_vars().map(|v| indices.at(v)).collect(),
    };
    let mut exposed = indices.found(&count.vars, access);
    let mut counted = exposed.clone();
    counted.push(in_form(allocation, form));
    exposed.push(weight);
    let others = (&count.vars[..], Some(occurrence.factor));
    exposed.extend(product(term, Of::Sum, others, &|v| indices.at(v), form));
    let from = Origin::Rate(occurrence);
    [indices.contraction(from, counted), indices.contraction(from, exposed)]
}

/// The rate of gamma latents: their shapes, and their values times the rest of their rate (Gopalan, Hofman and Blei 2015).
fn of_child(model: &Model, latent: LatentId, child: LatentId, access: &Access, form: Form) -> (Sum, Contraction) {
    let of = &model.latents[child.0];
    let [shape, rate] = &of.prior.terms[..] else {
        unreachable!("only gamma priors have parents")
    };
    let all = || (0..of.indices.len()).map(VarId);
    let vars = &of.prior.vars[..];
    let over: Vec<VarId> = all().filter(|v| !vars.fixes(access, *v)).collect();
    let indices = Places::new(model, latent, vars, access, &over);
    let at = |v: VarId| indices.at(v);
    let mut exposed = indices.found(vars, access);
    let found = exposed.clone();
    let without = rate.factors.iter().position(|f| f.of == Source::Latent(latent));
    exposed.extend(product(rate, Of::Prior, (vars, without), &at, form));
    exposed.push(in_form(Leaf::Latent(child, all().map(at).collect()), form));
    let from = Origin::Child(child);
    let exposed = indices.contraction(from, exposed);
    let Some(learned) = model.shape_of(child) else {
        let mut counted = found;
        counted.extend(product(shape, Of::Prior, (vars, None), &at, form));
        return (vec![indices.contraction(from, counted)], exposed);
    };
    let tables = &learned.tables;
    let terms = tables.terms.iter().map(|term| {
        let over: Vec<VarId> = all()
            .filter(|v| !vars.fixes(access, *v))
            .chain(term.summed.iter().copied())
            .collect();
        let indices = Places::new(model, latent, vars, access, &over);
        let mut counted = found.clone();
        counted.extend(product(term, Of::Sum, (vars, None), &|v| indices.at(v), form));
        indices.contraction(from, counted)
    });
    (terms.collect(), exposed)
}

fn free_and_summed<'a>(count: &Count, term: &'a Term) -> impl Iterator<Item = VarId> + 'a {
    count.free_vars().chain(term.summed.iter().copied())
}

/// A random leaf as it is, or its mean.
fn in_form(leaf: Leaf, form: Form) -> Leaf {
    match form {
        Form::Sampled => leaf,
        Form::Expected => Leaf::Mean(vec![leaf]),
    }
}

/// What a product is a term of: where a factor is read at no time, a sum has no term, and a product not that factor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Sum,
    Prior,
}

/// Coefficient and factors of a term but the one that is asked about: those that are random in one mean where means are taken, after the
/// known ones. What is never read where that one is makes no factor.
fn product(
    term: &Term,
    of: Of,
    (vars, without): (&[Index], Option<usize>),
    at: &dyn Fn(VarId) -> usize,
    form: Form,
) -> Vec<Leaf> {
    let mut all = Vec::new();
    if !term.coefficient.is_one() {
        all.push(Leaf::Scalar(term.coefficient.clone()));
    }
    let kept = term.factors.iter().enumerate().filter(|(i, factor)| {
        without.is_none_or(|without| *i != without && !vars.never_meet(&term.factors[without], factor))
    });
    let leaves = kept.flat_map(|(_, factor)| {
        let places = factor.vars.iter().map(|v| at(*v)).collect();
        let leaf = match factor.of {
            Source::Latent(id) => Leaf::Latent(id, places),
            Source::Data(id) => Leaf::Data(id, places),
            Source::Hyper(id) => Leaf::Scalar(Scalar {
                hypers: vec![id],
                ..Scalar::one()
            }),
        };
        match (factor.start, of) {
            (None, _) => vec![leaf],
            (Some(start), Of::Sum) => vec![first(start, at), leaf],
            (Some(start), Of::Prior) => vec![Leaf::AtFirst {
                of: Box::new(leaf),
                at: at(start.var),
                until: start.until,
            }],
        }
    });
    match form {
        Form::Sampled => all.extend(leaves),
        Form::Expected => {
            let (random, known): (Vec<Leaf>, Vec<Leaf>) = leaves.partition(is_random);
            all.extend(known);
            if !random.is_empty() {
                all.push(Leaf::Mean(random));
            }
        }
    }
    all
}

fn first(start: Start, at: &dyn Fn(VarId) -> usize) -> Leaf {
    Leaf::First {
        at: at(start.var),
        until: start.until,
    }
}

fn is_random(leaf: &Leaf) -> bool {
    match leaf {
        Leaf::Latent(..) => true,
        Leaf::AtFirst { of, .. } => is_random(of),
        _ => false,
    }
}

/// `t+1`, `back` values before: `t`, or `t-1` two before.
fn shifted(name: &str, back: usize) -> String {
    let (base, by) = match name.split_once('+') {
        Some((base, ahead)) => (base, ahead.parse::<usize>().unwrap_or_default() as i64 - back as i64),
        None => (name, -(back as i64)),
    };
    match by {
        0 => base.to_owned(),
        _ => format!("{base}{by:+}"),
    }
}

fn letter(index: &Index) -> Letter {
    Letter {
        name: index.name.to_string(),
        set: index.set,
    }
}

/// The indices of a formula about a latent, and where each index of a count, or of a child, stands among them.
struct Places {
    letters: Vec<Letter>,
    own: usize,
    summed: usize,
    places: Vec<(VarId, usize)>,
}

impl Places {
    /// The latent is read at `access`, whose indices are written as the latent declares them; `over` is summed over, and makes way
    /// where it has a letter of the latent.
    fn new(model: &Model, latent: LatentId, vars: &[Index], access: &Access, over: &[VarId]) -> Self {
        let declared = &model.latents[latent.0].indices;
        let mut letters: Vec<Letter> = declared.iter().map(letter).collect();
        let mut places: Vec<(VarId, usize)> = access.vars.iter().enumerate().map(|(at, v)| (*v, at)).collect();
        for &var in over {
            let mut summed = letter(&vars[var.0]);
            if declared.iter().any(|index| index.name == summed.name) {
                summed.name.push('\'');
            }
            places.push((var, letters.len()));
            letters.push(summed);
        }
        let own = declared.len();
        let mut all = Self {
            summed: letters.len() - own,
            letters,
            own,
            places,
        };
        // What is read at `t - 1` is the present one: what reads it is at `t + 1`.
        for (at, base, back) in vars.shifts(access) {
            let name = format!("{}+{back}", all.letters[at].name);
            all.add(base, name, vars[base.0].set);
        }
        for (var, index) in vars.iter().enumerate() {
            let (var, Some(lookup)) = (VarId(var), &index.lookup) else {
                continue;
            };
            let at: Option<Vec<usize>> = lookup.at.iter().map(|at| all.find(*at)).collect();
            // What is looked up elsewhere has indices that this formula lacks.
            let (None, Some(at)) = (all.find(var), at) else {
                continue;
            };
            let at: Vec<&str> = at.iter().map(|&at| &all.letters[at].name[..]).collect();
            let name = match lookup.of {
                Positions::In(_) => format!("{}[{}]", index.name, at.join(",")),
                Positions::Back(back) => shifted(at[0], back),
            };
            all.add(var, name, index.set);
        }
        all
    }

    /// An index that others tell.
    fn add(&mut self, var: VarId, name: String, set: SetId) {
        self.places.push((var, self.letters.len()));
        self.letters.push(Letter { name, set });
    }

    /// That the indices of the latent are those that its indices in `access` are looked up to be, and that it is read there.
    fn found(&self, vars: &[Index], access: &Access) -> Vec<Leaf> {
        let looked_up = access.vars.iter().enumerate();
        let found = looked_up.filter_map(|(is, var)| {
            let lookup = vars.lookup(*var)?;
            Some(Leaf::Found {
                of: lookup.array()?,
                at: lookup.at.iter().map(|at| self.at(*at)).collect(),
                is,
            })
        });
        let start = access.start.map(|start| first(start, &|var| self.at(var)));
        found.chain(start).collect()
    }

    fn find(&self, var: VarId) -> Option<usize> {
        let place = self.places.iter().find(|(known, _)| *known == var);
        place.map(|(_, at)| *at)
    }

    fn at(&self, var: VarId) -> usize {
        match self.find(var) {
            Some(at) => at,
            None => unreachable!("an index is the latent's, summed over or looked up at such"),
        }
    }

    fn contraction(&self, from: Origin, factors: Vec<Leaf>) -> Contraction {
        Contraction {
            from,
            indices: self.letters.clone(),
            own: self.own,
            summed: self.summed,
            factors,
        }
    }
}
