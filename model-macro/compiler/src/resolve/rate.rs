//! Rates into normal form: definitions inlined, brackets multiplied out.

use std::cell::Cell;

use syn::Ident;

use super::model::*;
use super::names::{Meaning, Names};
use crate::diagnostics::{Diagnostic, Sink, nearest};
use crate::syntax::{self, Bind, Domain, Factor, Let, Rate};

/// A rate with more terms than this is refused: brackets multiply out.
const MOST_TERMS: usize = 64;

/// The definitions of a model.
pub(super) struct Definitions {
    all: Vec<Definition>,
}

struct Definition {
    name: Ident,
    indices: Vec<Index>,
    rate: Rate,
    /// Set while the definition is being inlined: meeting it again is a cycle.
    open: Cell<bool>,
}

impl Definitions {
    pub fn new(lets: Vec<Let>, names: &Names, sink: &mut Sink) -> Self {
        let all = lets
            .into_iter()
            .map(|l| Definition {
                name: l.name,
                indices: names.binds(&l.binds, sink),
                rate: l.rate,
                open: Cell::new(false),
            })
            .collect();
        Self { all }
    }
}

/// Resolves a count.
pub(super) fn count(count: syntax::Count, names: &Names, lets: &Definitions, sink: &mut Sink) -> Count {
    let mut vars = names.binds(&count.binds, sink);
    let free = vars.len();
    let scope: Vec<(Ident, VarId)> = vars
        .iter()
        .enumerate()
        .map(|(i, v)| (v.name.clone(), VarId(i)))
        .collect();
    let guards = count.guards.iter().filter_map(|g| guard(g, &scope, sink)).collect();
    let mut walk = Walk {
        names,
        lets,
        vars: &mut vars,
        sink,
        place: "a rate",
        ended: Vec::new(),
    };
    let terms = walk.rate(&count.rate, &scope);
    Count {
        attrs: count.attrs,
        name: count.name,
        vars,
        free,
        guards,
        terms,
        channel: Channel::Exact,
    }
}

/// A clause of `where`, whose indices must be those of the count.
fn guard(guard: &syntax::Guard, scope: &Scope, sink: &mut Sink) -> Option<Guard> {
    let mut find = |index: &Ident| {
        let found = scope.iter().find(|(known, _)| known == index).map(|(_, var)| *var);
        if found.is_none() {
            let known: Vec<String> = scope.iter().map(|(v, _)| format!("`{v}`")).collect();
            sink.push(
                Diagnostic::new(index.span(), format!("`{index}` is no index of this count"))
                    .why("`where` says which cells there are, and a cell is named by the indices in the count's brackets")
                    .help(format!("use one of {}", known.join(", "))),
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

/// A parameter of a prior: a product over the indices of the latent.
pub(super) fn parameter(
    term: &syntax::Term,
    place: &'static str,
    indices: &[Index],
    names: &Names,
    lets: &Definitions,
    sink: &mut Sink,
) -> Term {
    let mut vars = indices.to_vec();
    let scope: Vec<(Ident, VarId)> = vars
        .iter()
        .enumerate()
        .map(|(i, v)| (v.name.clone(), VarId(i)))
        .collect();
    let mut walk = Walk {
        names,
        lets,
        vars: &mut vars,
        sink,
        place,
        ended: Vec::new(),
    };
    let terms = walk.term(term, &scope);
    let sums = terms.iter().any(|t| !t.summed.is_empty());
    match &terms[..] {
        [one] if !sums => one.clone(),
        [] => Term::one(term.span),
        _ => {
            sink.push(
                Diagnostic::new(term.span, format!("{place} is a product, not a sum"))
                    .why("a sum in a prior has no conjugate update; a product of numbers, hyperparameters and latents has")
                    .help("put the sum into a latent of its own, or use a hyperparameter"),
            );
            Term::one(term.span)
        }
    }
}

struct Walk<'a> {
    names: &'a Names,
    lets: &'a Definitions,
    vars: &'a mut Vec<Index>,
    sink: &'a mut Sink,
    /// What is being resolved, for messages.
    place: &'static str,
    /// Indices of sums that have ended: a use of one outside is a sum cut short by a `+`.
    ended: Vec<Ident>,
}

type Scope = [(Ident, VarId)];

impl Walk<'_> {
    fn rate(&mut self, rate: &Rate, scope: &Scope) -> Vec<Term> {
        rate.terms.iter().flat_map(|term| self.term(term, scope)).collect()
    }

    /// A product: the terms of its factors, multiplied out.
    fn term(&mut self, term: &syntax::Term, scope: &Scope) -> Vec<Term> {
        let mut product = vec![Term::one(term.span)];
        for factor in &term.factors {
            let terms = self.factor(factor, scope);
            if product.len() * terms.len() > MOST_TERMS {
                self.sink.push(
                    Diagnostic::new(
                        term.span,
                        format!("this product has more than {MOST_TERMS} terms when it is multiplied out"),
                    )
                    .help("split it over index sets: `sum(k in set) ..` in the place of a written sum"),
                );
                return product;
            }
            product = product.iter().flat_map(|p| terms.iter().map(|t| times(p, t))).collect();
        }
        product
    }

    fn factor(&mut self, factor: &Factor, scope: &Scope) -> Vec<Term> {
        match factor {
            Factor::Group(rate) => self.rate(rate, scope),
            Factor::Number(number) => {
                if !Domain::Positive.contains(number.value) {
                    self.sink.push(
                        Diagnostic::new(number.span, format!("the number {} in {}", number.value, self.place))
                            .why("rates and the parameters of priors are made of positive numbers")
                            .help("make it positive, or leave it out"),
                    );
                }
                let coefficient = Scalar {
                    number: number.value,
                    hypers: Vec::new(),
                };
                vec![Term {
                    coefficient,
                    factors: Vec::new(),
                    summed: Vec::new(),
                    span: number.span,
                }]
            }
            Factor::Sum { binds, body } => self.sum(binds, body, scope),
            Factor::Access { name, indices } => self.access(name, indices, scope),
        }
    }

    fn sum(&mut self, binds: &[Bind], body: &syntax::Term, scope: &Scope) -> Vec<Term> {
        let mut inner = scope.to_vec();
        let mut bound = Vec::new();
        for bind in binds {
            if inner.iter().any(|(known, _)| *known == bind.var) {
                self.sink.push(
                    Diagnostic::new(bind.var.span(), format!("index `{}` is bound already", bind.var))
                        .why("an index that shadows another is easily misread")
                        .help(format!(
                            "give this one another name, such as `{0}2 in {1}`",
                            bind.var, bind.set
                        )),
                );
            }
            let set = self.names.set(&bind.set, self.sink).unwrap_or(SetId::UNKNOWN);
            let var = VarId(self.vars.len());
            self.vars.push(Index {
                name: bind.var.clone(),
                set,
            });
            inner.push((bind.var.clone(), var));
            bound.push((var, bind));
        }
        let mut terms = self.term(body, &inner);
        self.ended.extend(binds.iter().map(|b| b.var.clone()));
        for term in &mut terms {
            for (var, bind) in &bound {
                if term.factors.iter().any(|f| f.vars.contains(var)) {
                    term.summed.push(*var);
                } else if self.sink.is_clean() {
                    self.sink.push(
                        Diagnostic::new(
                            bind.var.span(),
                            format!("no factor carries `{}`, which is summed over", bind.var),
                        )
                        .why("the sum would only multiply by the size of the set, which scales into the factors")
                        .help(format!("remove `{} in {}`", bind.var, bind.set)),
                    );
                }
            }
        }
        terms
    }

    fn access(&mut self, name: &Ident, indices: &[Ident], scope: &Scope) -> Vec<Term> {
        let Some(meaning) = self.names.get(name).cloned() else {
            self.sink.push(match scope.iter().any(|(var, _)| var == name) {
                true => Diagnostic::new(
                    name.span(),
                    format!("`{name}` is an index: it selects entries, it is no number"),
                ),
                false => self.names.unknown(name),
            });
            return Vec::new();
        };
        let plain = |coefficient, factors| {
            vec![Term {
                coefficient,
                factors,
                summed: Vec::new(),
                span: name.span(),
            }]
        };
        match meaning {
            Meaning::Hyper(id) => {
                if let Some(index) = indices.first() {
                    self.sink.push(
                        Diagnostic::new(index.span(), format!("hyperparameter `{name}` has no indices"))
                            .help(format!("`{name}`")),
                    );
                }
                plain(
                    Scalar {
                        number: 1.0,
                        hypers: vec![id],
                    },
                    Vec::new(),
                )
            }
            Meaning::Latent(id) => {
                let declared = self.names.latent_binds[id.0].clone();
                let vars = self.indices(name, indices, &declared, scope);
                vars.map_or(Vec::new(), |vars| {
                    plain(
                        Scalar::one(),
                        vec![Access {
                            of: Source::Latent(id),
                            vars,
                            span: name.span(),
                        }],
                    )
                })
            }
            Meaning::Data(id) => {
                let declared = self.names.data_binds[id.0].clone();
                let vars = self.indices(name, indices, &declared, scope);
                vars.map_or(Vec::new(), |vars| {
                    plain(
                        Scalar::one(),
                        vec![Access {
                            of: Source::Data(id),
                            vars,
                            span: name.span(),
                        }],
                    )
                })
            }
            Meaning::Let(id) => self.inline(id, name, indices, scope),
            Meaning::Broken => Vec::new(),
            Meaning::Set(_) | Meaning::Count => {
                self.sink.push(self.names.not_a_factor(name, &meaning, name.span()));
                Vec::new()
            }
        }
    }

    /// Looks the indices of an access up and holds their sets against the declaration.
    fn indices(&mut self, name: &Ident, indices: &[Ident], declared: &[Bind], scope: &Scope) -> Option<Vec<VarId>> {
        let form = declared
            .iter()
            .map(|b| b.var.to_string())
            .collect::<Vec<_>>()
            .join(", ");
        if indices.len() != declared.len() {
            let help = if declared.is_empty() {
                format!("`{name}`")
            } else {
                format!("`{name}[{form}]`")
            };
            self.sink.push(
                Diagnostic::new(
                    name.span(),
                    format!(
                        "`{name}` has {} here, and {} in its declaration",
                        plural(indices.len()),
                        plural(declared.len())
                    ),
                )
                .help(help),
            );
            return None;
        }
        let mut vars = Vec::new();
        for (index, bind) in indices.iter().zip(declared) {
            let Some((_, var)) = scope.iter().rev().find(|(known, _)| known == index) else {
                let known: Vec<String> = scope.iter().map(|(v, _)| v.to_string()).collect();
                if let Some(noun) = self.names.noun(index) {
                    self.sink.push(
                        Diagnostic::new(index.span(), format!("`{index}` is {noun}, not an index"))
                            .why("brackets select entries by indices, which are bound by the statement's own brackets or by a `sum`")
                            .help(format!("`{name}[{form}]`")),
                    );
                    return None;
                }
                let found = Diagnostic::new(index.span(), format!("index `{index}` is not in scope"));
                let near = nearest(&index.to_string(), known.iter().map(String::as_str));
                let bound = "an index is bound by the brackets of the statement or by a `sum`";
                self.sink.push(if self.ended.contains(index) {
                    found
                        .why(format!(
                            "the body of `sum({index} in {}) ..` is one term: it ended at a `+`",
                            bind.set
                        ))
                        .help(format!(
                            "put brackets around the body: `sum({index} in {}) (.. + ..)`",
                            bind.set
                        ))
                } else if let (Some(near), true) = (near, index.to_string().len() > 1) {
                    found.why(bound).help(format!("did you mean `{near}`?"))
                } else if self.place != "a rate" {
                    let list: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
                    found
                        .why("the parameters of a prior have the indices of their latent, and no others")
                        .help(format!(
                            "use {}",
                            if list.is_empty() {
                                "no index".into()
                            } else {
                                list.join(", ")
                            }
                        ))
                } else {
                    found.why(bound).help(format!("`sum({index} in {}) ..`", bind.set))
                });
                return None;
            };
            let (expected, set) = (self.names.set(&bind.set, self.sink)?, self.vars[var.0].set);
            if set != expected && set != SetId::UNKNOWN {
                let of = |id: SetId| self.set_name(id);
                let fitting: Vec<String> = scope
                    .iter()
                    .filter(|(_, v)| self.vars[v.0].set == expected)
                    .map(|(i, _)| format!("`{i}`"))
                    .collect();
                let mut found = Diagnostic::new(
                    index.span(),
                    format!(
                        "index `{index}` runs over `{}`, but `{name}` has `{}` here",
                        of(set),
                        of(expected)
                    ),
                )
                .why("index sets are types: an index selects only along its own set");
                if !fitting.is_empty() {
                    found = found.help(format!("{} runs over `{}`", fitting.join(" or "), of(expected)));
                }
                self.sink.push(found);
                return None;
            }
            vars.push(*var);
        }
        Some(vars)
    }

    fn set_name(&self, id: SetId) -> String {
        self.names.set_name(id)
    }

    /// The body of a definition with its indices replaced by those of the use.
    fn inline(&mut self, id: usize, name: &Ident, indices: &[Ident], scope: &Scope) -> Vec<Term> {
        let definition = &self.lets.all[id];
        if definition.open.get() {
            self.sink.push(
                Diagnostic::new(
                    name.span(),
                    format!("the definition of `{}` uses itself", definition.name),
                )
                .why("a definition is replaced by its body wherever it is used"),
            );
            return Vec::new();
        }
        if definition.indices.iter().any(|i| i.set == SetId::UNKNOWN) {
            return Vec::new();
        }
        let declared: Vec<Bind> = definition
            .indices
            .iter()
            .map(|i| Bind {
                var: i.name.clone(),
                set: Ident::new(&self.set_name(i.set), i.name.span()),
            })
            .collect();
        let Some(vars) = self.indices(name, indices, &declared, scope) else {
            return Vec::new();
        };
        let inner: Vec<(Ident, VarId)> = definition.indices.iter().map(|i| i.name.clone()).zip(vars).collect();
        definition.open.set(true);
        let terms = self.rate(&definition.rate, &inner);
        definition.open.set(false);
        terms
    }
}

impl Term {
    /// The empty product.
    fn one(span: proc_macro2::Span) -> Self {
        Self {
            coefficient: Scalar::one(),
            factors: Vec::new(),
            summed: Vec::new(),
            span,
        }
    }
}

fn times(a: &Term, b: &Term) -> Term {
    let join = |x: &[HyperId], y: &[HyperId]| x.iter().chain(y).copied().collect();
    Term {
        coefficient: Scalar {
            number: a.coefficient.number * b.coefficient.number,
            hypers: join(&a.coefficient.hypers, &b.coefficient.hypers),
        },
        factors: a.factors.iter().chain(&b.factors).cloned().collect(),
        summed: a.summed.iter().chain(&b.summed).copied().collect(),
        span: a.span,
    }
}

fn plural(n: usize) -> String {
    match n {
        0 => "no index".into(),
        1 => "1 index".into(),
        n => format!("{n} indices"),
    }
}
