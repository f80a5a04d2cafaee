//! Rates into normal form: definitions inlined, brackets multiplied out.

use proc_macro2::Span;
use skellam_formula::is_extreme;
use syn::Ident;

use super::count::*;
use super::definitions::Definitions;
use super::limits::extreme;
use super::model::*;
use super::names::{Meaning, Names};
use super::totals;
use crate::diagnostics::{Diagnostic, Sink};
use crate::syntax::{self, Bind, Domain, Factor, Number, Place, Rate};

/// A rate with more terms than this is refused: brackets multiply out.
const MOST_TERMS: usize = 64;

/// The indices that can be used somewhere, each with what it stands for.
pub(super) type Scope = [(Ident, VarId)];

/// Indices as a scope.
pub(super) fn scope(vars: &[Index]) -> Vec<(Ident, VarId)> {
    let each = vars.iter().enumerate();
    each.map(|(i, v)| (v.name.clone(), VarId(i))).collect()
}

/// Whether an index could not be read: one that is not found may be that.
pub(super) fn open(scope: &Scope) -> bool {
    scope.iter().any(|(index, _)| index == "_")
}

/// Resolves a count.
pub(super) fn count(count: syntax::Count, names: &Names, lets: &Definitions, sink: &mut Sink) -> Count {
    let mut vars = names.binds(&count.binds, sink);
    let free = vars.len();
    let mut scope = scope(&vars);
    if vars.is_empty() {
        // That it has no index is a mistake of its own.
        scope.push((Ident::new("_", count.name.span()), VarId(usize::MAX)));
    }
    let guards: Vec<Option<Guard>> = count.guards.iter().map(|g| guard(g, &scope, sink)).collect();
    let unknown = |v: &Index| v.set == SetId::UNKNOWN;
    let partial = count.partial || guards.iter().any(Option::is_none) || vars.iter().any(unknown);
    let mut terms_of = |rate: &Rate| Walk::new(names, lets, &mut vars, "a rate", sink).rate(rate, &scope);
    let mut total = None;
    let (law, terms) = match &count.law {
        syntax::CountLaw::Poisson(rate) => (CountLaw::Poisson, terms_of(rate)),
        syntax::CountLaw::Skellam { plus, minus } => {
            let mut terms = terms_of(plus);
            let law = CountLaw::Skellam { plus: terms.len() };
            terms.extend(terms_of(minus));
            (law, terms)
        }
        syntax::CountLaw::Multinomial { total: of, rate, along } => {
            let terms = terms_of(rate);
            total = totals::total(of, along, &count.name, &vars[..free], names, sink);
            (CountLaw::Poisson, terms)
        }
    };
    Count {
        attrs: count.attrs,
        name: count.name,
        vars,
        free,
        guards: guards.into_iter().flatten().collect(),
        partial,
        law,
        terms,
        total,
        channel: if count.hidden { Channel::Hidden } else { Channel::Exact },
    }
}

/// A clause of `where`, whose indices must be those of the count.
fn guard(guard: &syntax::Guard, scope: &Scope, sink: &mut Sink) -> Option<Guard> {
    let mut find = |index: &Ident| {
        let found = scope.iter().find(|(known, _)| known == index).map(|(_, var)| *var);
        if found.is_none() && !open(scope) {
            let known: Vec<String> = scope.iter().map(|(v, _)| format!("`{v}`")).collect();
            sink.push_once(
                Diagnostic::new(index.span(), format!("`{index}` is not an index of this count"))
                    .why("`where` says which cells there are, and a cell is named by the indices in the count's brackets")
                    .help(match &known[..] {
                        [] => format!("bind it in the brackets of the count: `[{index} in docs]`"),
                        known => format!("use {}", known.join(" or ")),
                    }),
            );
        }
        found
    };
    let (left, right) = (find(&guard.left), find(&guard.right));
    Some(Guard {
        left: left?,
        right: right?,
        less: guard.less,
        span: guard.left.span(),
    })
}

/// A walk over one rate or one parameter of a prior.
pub(super) struct Walk<'a> {
    pub names: &'a Names,
    pub lets: &'a Definitions,
    pub vars: &'a mut Vec<Index>,
    pub sink: &'a mut Sink,
    /// What is being resolved, for messages.
    pub place: &'a str,
    /// Indices of sums that have ended: a use of one outside is a sum cut short by a `+`.
    pub ended: Vec<Ident>,
    /// Indices that were reported to be out of scope.
    pub missing: Vec<Ident>,
    /// How often something with a mistake was left out.
    pub tainted: usize,
    /// Whether it is one product: what is read at no time leaves out its factor there, and in a sum its term.
    pub is_product: bool,
}

impl<'a> Walk<'a> {
    pub fn new(
        names: &'a Names,
        lets: &'a Definitions,
        vars: &'a mut Vec<Index>,
        place: &'a str,
        sink: &'a mut Sink,
    ) -> Self {
        Self {
            names,
            lets,
            vars,
            sink,
            place,
            ended: Vec::new(),
            missing: Vec::new(),
            tainted: 0,
            is_product: false,
        }
    }

    pub fn rate(&mut self, rate: &Rate, scope: &Scope) -> Vec<Term> {
        let terms: Vec<Term> = rate.terms.iter().flat_map(|term| self.term(term, scope)).collect();
        self.there(terms)
    }

    /// A product: the terms of its factors, multiplied out.
    pub(super) fn term(&mut self, term: &syntax::Term, scope: &Scope) -> Vec<Term> {
        let mut product = vec![Term::one(term.span)];
        for factor in &term.factors {
            let terms = match factor {
                Factor::Divided { by, sign, otherwise } => {
                    self.divided(term, by, *sign, otherwise, scope);
                    Vec::new()
                }
                factor => self.factor(factor, scope),
            };
            if product.len() * terms.len() > MOST_TERMS {
                self.sink.push(
                    Diagnostic::new(
                        term.span,
                        format!("this product has more than {MOST_TERMS} terms when it is multiplied out"),
                    )
                    .why("every term has allocations of its own, which are derived and compiled one by one")
                    .help("sum over an index set instead of a written sum: `sum(k in topics) ..`"),
                );
                self.tainted += 1;
                return Vec::new();
            }
            product = product.iter().flat_map(|p| terms.iter().map(|t| times(p, t))).collect();
        }
        product
    }

    pub(super) fn factor(&mut self, factor: &Factor, scope: &Scope) -> Vec<Term> {
        match factor {
            Factor::Group(rate) => self.rate(rate, scope),
            Factor::Number(number) => self.number(number),
            Factor::PerSize(set) => {
                let Some(id) = self.names.set(set, self.sink) else {
                    self.tainted += 1;
                    return Vec::new();
                };
                let coefficient = Scalar {
                    per: vec![id],
                    ..Scalar::one()
                };
                vec![Term {
                    coefficient,
                    ..Term::one(set.span())
                }]
            }
            Factor::Sum { binds, body } => self.sum(binds, body, scope),
            Factor::Access { name, indices } => self.access(name, indices, scope),
            Factor::Started { access, start, span } => self.started(access, start, *span, scope),
            Factor::Poisoned(rate) => {
                self.rate(rate, scope);
                self.tainted += 1;
                Vec::new()
            }
            Factor::Divided { .. } => unreachable!("a sign of division stands in a term"),
        }
    }

    fn number(&mut self, number: &Number) -> Vec<Term> {
        let mistake = if !Domain::Positive.contains(number.value) {
            let what = format!("the number {} in {}", number.value, self.place);
            let why = "rates and the parameters of priors are made of positive, finite numbers";
            Some(
                Diagnostic::new(number.span, what)
                    .why(why)
                    .help("`1.0`, or leave the term out"),
            )
        } else if is_extreme(number.value) {
            let what = format!("the number {:?} in {}", number.value, self.place);
            Some(extreme(number.span, &what, number.value))
        } else {
            None
        };
        let coefficient = Scalar {
            // Its product with others is not a second mistake.
            number: if mistake.is_some() { 1.0 } else { number.value },
            ..Scalar::one()
        };
        mistake.into_iter().for_each(|mistake| self.sink.push(mistake));
        vec![Term {
            coefficient,
            ..Term::one(number.span)
        }]
    }

    fn sum(&mut self, binds: &[Bind], body: &syntax::Term, scope: &Scope) -> Vec<Term> {
        let mut inner = scope.to_vec();
        let mut bound = Vec::new();
        let before = self.tainted;
        for bind in binds {
            let shadows = bind.var != "_" && inner.iter().any(|(known, _)| *known == bind.var);
            if shadows {
                self.sink.push(
                    Diagnostic::new(bind.var.span(), format!("index `{}` is bound already", bind.var))
                        .why("an index that shadows another is easily misread")
                        .help(format!(
                            "give this one another name, such as `{0}2 in {1}`",
                            bind.var,
                            if bind.is_untold() {
                                "..".to_owned()
                            } else {
                                bind.set.to_string()
                            }
                        )),
                );
            }
            if bind.is_untold() {
                let carried = self.carried_by(&body.factors, &bind.var);
                self.sink.push(untold(&bind.var, carried));
            }
            // Which of the two a use means is not known.
            let set = match self.names.set(&bind.set, self.sink) {
                Some(set) if !shadows => set,
                _ => SetId::UNKNOWN,
            };
            self.tainted += usize::from(set == SetId::UNKNOWN);
            let var = VarId(self.vars.len());
            self.vars.push(Index::new(bind.var.clone(), set));
            inner.push((bind.var.clone(), var));
            bound.push((var, bind));
        }
        let mut terms = self.term(body, &inner);
        self.ended.extend(binds.iter().map(|b| b.var.clone()));
        for (var, bind) in &bound {
            let vars: &[Index] = self.vars;
            let carries = |t: &Term| t.factors.iter().any(|f| vars.depends(f, *var));
            let carrying = terms.iter().filter(|t| carries(t)).count();
            if carrying < terms.len() && self.tainted == before {
                self.sink.push(in_vain(bind, carrying > 0));
            }
            terms
                .iter_mut()
                .filter(|t| carries(t))
                .for_each(|t| t.summed.push(*var));
        }
        terms
    }

    /// The set of an index by the first factor that carries it, with the name of that factor.
    fn carried_by(&self, factors: &[Factor], var: &Ident) -> Option<(Ident, Ident)> {
        let in_terms = |rate: &Rate| rate.terms.iter().find_map(|term| self.carried_by(&term.factors, var));
        factors.iter().find_map(|factor| match factor {
            Factor::Group(rate) | Factor::Poisoned(rate) => in_terms(rate),
            Factor::Sum { body, .. } => self.carried_by(&body.factors, var),
            Factor::Access { name, indices } => {
                let at = indices.iter().position(|place| place.index() == Some(var))?;
                let declared = match self.names.get(name)? {
                    Meaning::Latent(id) => self.names.latent_binds.get(id.0)?,
                    Meaning::Data(id, _) => self.names.data_binds.get(id.0)?,
                    _ => return None,
                };
                let bind = declared.get(at).filter(|bind| bind.set != "_")?;
                Some((name.clone(), bind.set.clone()))
            }
            Factor::Started { access: one, .. } | Factor::Divided { by: one, .. } => {
                self.carried_by(std::slice::from_ref(&**one), var)
            }
            Factor::Number(_) | Factor::PerSize(_) => None,
        })
    }

    fn access(&mut self, name: &Ident, indices: &[Place], scope: &Scope) -> Vec<Term> {
        let of = |of: Source, vars: Vec<VarId>| {
            let span = name.span();
            let factors = vec![Access {
                of,
                vars,
                start: None,
                span,
                uses: Vec::new(),
            }];
            vec![Term {
                factors,
                ..Term::one(span)
            }]
        };
        match self.names.get(name).cloned() {
            Some(Meaning::Hyper(id)) => {
                if let Some(index) = indices.first().map(Place::name) {
                    let sets = scope.iter().find(|(v, _)| v == index);
                    let bind = self.bound(index, sets.map_or(SetId::UNKNOWN, |(_, v)| self.vars[v.0].set));
                    self.sink.push(
                        Diagnostic::new(index.span(), format!("hyperparameter `{name}` has no indices"))
                            .why("its declaration has no brackets: it is one number")
                            .help(format!("`{name}`, or declare `hyper {name}[{bind}]: positive;`")),
                    );
                }
                vec![Term {
                    coefficient: Scalar::hyper(id),
                    ..Term::one(name.span())
                }]
            }
            Some(Meaning::Latent(id)) => {
                let declared = self.names.latent_binds[id.0].clone();
                let vars = self.indices(name, indices, &declared, scope);
                vars.map_or(Vec::new(), |vars| of(Source::Latent(id), vars))
            }
            Some(Meaning::Data(id, _)) if self.names.holds_positions(id) => {
                self.positions_as_factor(name, indices);
                self.tainted += 1;
                Vec::new()
            }
            Some(Meaning::Data(id, _)) => {
                let declared = self.names.data_binds[id.0].clone();
                let vars = self.indices(name, indices, &declared, scope);
                vars.map_or(Vec::new(), |vars| of(Source::Data(id), vars))
            }
            Some(Meaning::Let(id)) => self.inline(id, name, indices, scope),
            other => {
                match other {
                    Some(Meaning::Broken) => {}
                    Some(meaning) => self
                        .sink
                        .push(self.names.not_a_factor(name, &meaning, indices, self.place)),
                    None => match scope.iter().find(|(var, _)| var == name) {
                        Some((_, var)) => self.index_as_factor(name, *var),
                        None => self
                            .names
                            .unknown(name, self.place)
                            .into_iter()
                            .for_each(|m| self.sink.push_once(m)),
                    },
                }
                self.tainted += 1;
                Vec::new()
            }
        }
    }

    fn positions_as_factor(&mut self, name: &Ident, indices: &[Place]) {
        let at: Vec<String> = indices.iter().map(ToString::to_string).collect();
        let entry = format!("{name}[{}]", at.join(", "));
        self.sink.push(
            Diagnostic::new(
                name.span(),
                format!("`{entry}` is a position: it selects entries and is not a number"),
            )
            .why("the values of an index set have no order and no arithmetic")
            .help(format!(
                "`theta[{entry}]`, with a latent or an array that is declared over the same index set"
            )),
        );
    }

    fn index_as_factor(&mut self, name: &Ident, var: VarId) {
        let bind = self.bound(name, self.vars[var.0].set);
        self.sink.push(
            Diagnostic::new(
                name.span(),
                format!("`{name}` is an index: it selects entries and is not a number"),
            )
            .why("the values of an index set have no order and no arithmetic")
            .help(format!("declare `data x[{bind}]: positive;` and write `x[{name}]`")),
        );
    }
}

/// The message for an index of a sum without a set, which a factor that carries it may tell.
fn untold(var: &Ident, carried: Option<(Ident, Ident)>) -> Diagnostic {
    let found = Diagnostic::new(var.span(), format!("which index set does `{var}` run over?"));
    match carried {
        Some((factor, set)) => found
            .why(format!(
                "a sum binds its indices, each to its set by `in`; `{factor}` has `{set}` there"
            ))
            .help(format!("`sum({var} in {set}) ..`")),
        None => found
            .why("a sum binds its indices, each to its set by `in`")
            .help(format!("`sum({var} in ..) ..`, with an index set")),
    }
}

/// The message for an index that a sum runs over and a term does not carry; whether another term does.
fn in_vain(bind: &Bind, by_others: bool) -> Diagnostic {
    let Bind { var, set } = bind;
    let why = "the sum would only multiply by the size of the set, a constant that the factors absorb";
    if by_others {
        Diagnostic::new(var.span(), format!("a term of this sum does not carry `{var}`"))
            .why(why)
            .help(format!("end the sum before that term: `sum({var} in {set}) .. + ..`"))
    } else {
        Diagnostic::new(var.span(), format!("no factor carries `{var}`, which is summed over"))
            .why(why)
            .help(format!("remove `{var} in {set}`"))
    }
}

impl Term {
    /// The empty product.
    pub(super) fn one(span: Span) -> Self {
        Self {
            coefficient: Scalar::one(),
            factors: Vec::new(),
            summed: Vec::new(),
            span,
        }
    }
}

fn times(a: &Term, b: &Term) -> Term {
    let (one, other) = (&a.coefficient, &b.coefficient);
    Term {
        coefficient: Scalar {
            number: one.number * other.number,
            hypers: one.hypers.iter().chain(&other.hypers).copied().collect(),
            per: one.per.iter().chain(&other.per).copied().collect(),
        },
        factors: a.factors.iter().chain(&b.factors).cloned().collect(),
        summed: a.summed.iter().chain(&b.summed).copied().collect(),
        span: a.span,
    }
}
