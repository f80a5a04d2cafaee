//! Indices of a factor: looked up, and their sets held against the declaration.

use syn::Ident;

use super::model::{DataId, Index, Indices, Lookup, Positions, SetId, VarId};
use super::names::Meaning;
use super::rate::{Scope, Walk, open};
use crate::diagnostics::{Diagnostic, nearest};
use crate::syntax::{Bind, Place};

const BOUND: &str = "an index is bound by the brackets of its statement or by a `sum`";

impl Walk<'_> {
    /// The indices of a use of `name`; none if one of them has a mistake.
    pub(super) fn indices(
        &mut self,
        name: &Ident,
        indices: &[Place],
        declared: &[Bind],
        scope: &Scope,
    ) -> Option<Vec<VarId>> {
        let form = form(name, declared);
        if indices.iter().any(Place::is_unread) || declared.iter().any(|bind| bind.var == "_") {
            // How many there are is not known.
            self.tainted += 1;
            let places = indices.iter().zip(declared);
            places.for_each(|(place, bind)| {
                self.place(name, &form, place, bind, scope);
            });
            return None;
        }
        if indices.len() != declared.len() {
            self.sink.push(
                Diagnostic::new(
                    name.span(),
                    format!(
                        "`{name}` has {} here, and {} in its declaration",
                        plural(indices.len()),
                        plural(declared.len())
                    ),
                )
                .why("every use names one entry, by an index for each of its index sets")
                .help(format!("`{form}`")),
            );
            self.tainted += 1;
            return None;
        }
        if let Some(order) = self.swapped(indices, declared, scope) {
            let (index, bind) = order.first;
            self.sink.push(
                Diagnostic::new(
                    index.span(),
                    format!(
                        "index `{index}` runs over `{}`, but `{name}` has `{}` here",
                        order.set, bind.set
                    ),
                )
                .why("index sets are types: an index selects only along its own set")
                .help(format!("`{name}[{}]`", order.right.join(", "))),
            );
            self.tainted += 1;
            return None;
        }
        let found: Vec<Option<VarId>> = indices
            .iter()
            .zip(declared)
            .map(|(place, bind)| self.place(name, &form, place, bind, scope))
            .collect();
        let found: Option<Vec<VarId>> = found.into_iter().collect();
        self.tainted += usize::from(found.is_none());
        found
    }

    /// Whether the indices are right except for their order, which is one mistake.
    fn swapped<'i>(&self, indices: &'i [Place], declared: &'i [Bind], scope: &Scope) -> Option<Swapped<'i>> {
        let set_of = |index: &Ident| {
            let (_, var) = scope.iter().rev().find(|(known, _)| known == index)?;
            let set = self.vars[var.0].set;
            (set != SetId::UNKNOWN).then(|| self.names.set_name(set))
        };
        let indices: Vec<&Ident> = indices.iter().map(Place::index).collect::<Option<_>>()?;
        let sets: Vec<String> = indices.iter().copied().map(set_of).collect::<Option<_>>()?;
        let first = sets.iter().zip(declared).position(|(set, bind)| bind.set != set)?;
        let mut rest: Vec<(&Ident, &String)> = indices.iter().copied().zip(&sets).collect();
        let mut right = Vec::new();
        for bind in declared {
            let at = rest.iter().position(|(_, set)| bind.set == set)?;
            right.push(rest.remove(at).0.to_string());
        }
        Some(Swapped {
            first: (indices[first], &declared[first]),
            set: sets[first].clone(),
            right,
        })
    }

    fn place(&mut self, name: &Ident, form: &str, place: &Place, bind: &Bind, scope: &Scope) -> Option<VarId> {
        match place {
            Place::Index(index) => self.index(name, form, index, bind, scope),
            Place::Lookup {
                array,
                through,
                indices,
            } => match &through[..] {
                [] => self.lookup(name, array, indices, bind, scope),
                through => self.nested(array, through, indices, bind, scope),
            },
            Place::Shift { index, back } => {
                let base = self.index(name, form, index, bind, scope)?;
                self.shift(index, base, *back)
            }
        }
    }

    /// The index `base`, shifted back.
    fn shift(&mut self, index: &Ident, base: VarId, back: usize) -> Option<VarId> {
        let Index { set, lookup, name } = self.vars[base.0].clone();
        if !self.names.ordered[set.0] {
            let set = self.names.set_name(set);
            self.sink.push(
                Diagnostic::new(index.span(), format!("`{index}` is shifted, and `{set}` has no order"))
                    .why("only the values of an ordered set come before or after each other")
                    .help(format!("`index {set}: ordered;`")),
            );
            return None;
        }
        let lookup = match lookup {
            None => Lookup {
                of: Positions::Back(back),
                at: vec![base],
            },
            // By a definition that is used at a shifted index.
            Some(Lookup {
                of: Positions::Back(more),
                at,
            }) => Lookup {
                of: Positions::Back(back + more),
                at,
            },
            Some(_) => {
                self.sink.push(
                    Diagnostic::new(index.span(), format!("`{index}` is looked up here, and shifted"))
                        .why("the position before a looked-up one is not known when the model is compiled")
                        .help(format!(
                            "an array of positions of its own: `data before[..]: {};`",
                            self.names.set_name(set)
                        )),
                );
                return None;
            }
        };
        Some(self.told(name, set, lookup))
    }

    /// `d in docs`, `d in ..` where the set is not known.
    pub(super) fn bound(&self, index: &Ident, set: SetId) -> String {
        match set {
            SetId::UNKNOWN => format!("{index} in .."),
            set => format!("{index} in {}", self.names.set_name(set)),
        }
    }

    /// The index that is told so, one for all of its uses.
    fn told(&mut self, name: Ident, set: SetId, lookup: Lookup) -> VarId {
        let lookup = Some(lookup);
        let known = self.vars.iter().position(|var| var.lookup == lookup);
        VarId(known.unwrap_or_else(|| {
            self.vars.push(Index { name, set, lookup });
            self.vars.len() - 1
        }))
    }

    /// The index that is looked up in `array`, one for all of its uses.
    fn lookup(&mut self, name: &Ident, array: &Ident, indices: &[Ident], bind: &Bind, scope: &Scope) -> Option<VarId> {
        let (of, set) = self.positions(name, array, indices, bind)?;
        let expected = self.names.set(&bind.set, self.sink)?;
        if set != expected {
            let [held, wanted] = [set, expected].map(|set| self.names.set_name(set));
            self.sink.push(
                Diagnostic::new(
                    array.span(),
                    format!("`{array}` holds positions in `{held}`, but `{name}` has `{wanted}` here"),
                )
                .why("index sets are types: a position selects only along its own set")
                .help(format!(
                    "an array of positions in `{wanted}`: `data {array}2[..]: {wanted};`"
                )),
            );
            return None;
        }
        let places: Vec<Place> = indices.iter().cloned().map(Place::Index).collect();
        let declared = self.names.data_binds[of.0].clone();
        let at = self.indices(array, &places, &declared, scope)?;
        if let Some(twice) = (1..at.len()).find(|&i| at[..i].contains(&at[i])) {
            let index = &indices[twice];
            self.sink.push(
                Diagnostic::new(index.span(), format!("index `{index}` is used twice in one lookup"))
                    .why("a diagonal of an array is not supported: its other entries would never be used")
                    .help(format!(
                        "an array with one index: `data diagonal[{index} in ..]: {};`",
                        bind.set
                    )),
            );
            return None;
        }
        if let Some(&shifted) = at.iter().find(|at| self.vars[at.0].lookup.is_some()) {
            let shown = self.vars.shown(shifted);
            self.sink.push(
                Diagnostic::new(array.span(), format!("`{array}` is looked up at `{shown}`"))
                    .why("an index is looked up at indices that run over their sets")
                    .help(format!(
                        "an array of positions with the indices of this statement: `data {array}2[..]: {};`",
                        bind.set
                    )),
            );
            return None;
        }
        let of = Positions::In(of);
        Some(self.told(array.clone(), set, Lookup { of, at }))
    }

    /// `region[city[d]]`, reported: one array that holds the positions of both.
    fn nested(
        &mut self,
        array: &Ident,
        through: &[Ident],
        indices: &[Ident],
        bind: &Bind,
        scope: &Scope,
    ) -> Option<VarId> {
        let over = |index: &Ident| {
            let var = scope.iter().rev().find(|(known, _)| known == index);
            self.bound(index, var.map_or(SetId::UNKNOWN, |(_, var)| self.vars[var.0].set))
        };
        let (at, over): (Vec<String>, Vec<String>) = indices.iter().map(|i| (i.to_string(), over(i))).unzip();
        let arrays: Vec<String> = through.iter().rev().chain([array]).map(ToString::to_string).collect();
        let composed = arrays.join("_");
        self.sink.push(
            Diagnostic::new(
                array.span(),
                format!("`{array}` is looked up in `{}`: lookups do not nest", through[0]),
            )
            .why("an array of positions is read at indices that run over their sets")
            .help(format!(
                "compose the arrays: `data {composed}[{}]: {};` instead of both, and `{composed}[{}]` here",
                over.join(", "),
                bind.set,
                at.join(", ")
            )),
        );
        None
    }

    /// The array of positions with this name, and the index set that they are positions in; `None`, reported, if there is no such array.
    fn positions(&mut self, name: &Ident, array: &Ident, indices: &[Ident], bind: &Bind) -> Option<(DataId, SetId)> {
        let wanted = &bind.set;
        let at: Vec<String> = indices.iter().map(ToString::to_string).collect();
        let form = format!("`data {array}[{} in ..]: {wanted};`", at.join(" in .., "));
        let why = "an index is looked up in an array of positions, which is known";
        let mistake = |what: String| Diagnostic::new(array.span(), what).why(why);
        match self.names.get(array).cloned() {
            Some(Meaning::Data(id, false)) => {
                if let Some(set) = self.names.data_positions[id.0].clone() {
                    // What is not an index set was reported where it is declared.
                    let Some(Meaning::Set(set)) = self.names.get(&set) else {
                        return None;
                    };
                    return Some((id, *set));
                }
                self.sink.push(
                    mistake(format!("`{array}` holds numbers, not positions in `{wanted}`"))
                        .help(format!("{form}, with an index set for its domain")),
                );
            }
            Some(Meaning::Broken) => {}
            Some(meaning) => self.sink.push(
                mistake(format!(
                    "an index of `{name}` cannot be looked up in `{array}`, {}",
                    meaning.noun()
                ))
                .help(form.replacen(&format!("data {array}["), &format!("data {array}2["), 1)),
            ),
            None => {
                let known: Vec<String> = self.names.arrays_of_positions();
                let unknown = mistake(format!("unknown array `{array}`")).help(format!("declare it: {form}"));
                self.sink
                    .push_once(unknown.suggest(&array.to_string(), known.iter().map(String::as_str)));
            }
        }
        None
    }

    fn index(&mut self, name: &Ident, form: &str, index: &Ident, bind: &Bind, scope: &Scope) -> Option<VarId> {
        if index == "_" {
            return None;
        }
        let Some((_, var)) = scope.iter().rev().find(|(known, _)| known == index) else {
            self.not_in_scope(form, index, bind, scope);
            return None;
        };
        let (expected, set) = (self.names.set(&bind.set, self.sink)?, self.vars[var.0].set);
        if set == SetId::UNKNOWN {
            return None;
        }
        if set != expected {
            let of = |id: SetId| self.names.set_name(id);
            let fitting: Vec<String> = scope
                .iter()
                .filter(|(_, v)| self.vars[v.0].set == expected)
                .map(|(i, _)| format!("`{i}`"))
                .collect();
            let help = match &fitting[..] {
                [] => format!("bind an index over it: `{} in {}`", bind.var, bind.set),
                fitting => format!("{} runs over `{}`", fitting.join(" or "), of(expected)),
            };
            self.sink.push(
                Diagnostic::new(
                    index.span(),
                    format!(
                        "index `{index}` runs over `{}`, but `{name}` has `{}` here",
                        of(set),
                        of(expected)
                    ),
                )
                .why("index sets are types: an index selects only along its own set")
                .help(help),
            );
            return None;
        }
        Some(*var)
    }

    /// Once in a statement: an index that is missing is missing at all of its uses.
    fn not_in_scope(&mut self, form: &str, index: &Ident, bind: &Bind, scope: &Scope) {
        if self.missing.contains(index) {
            return;
        }
        self.missing.push(index.clone());
        let known: Vec<String> = scope.iter().map(|(v, _)| v.to_string()).collect();
        if let Some(noun) = self.names.noun(index) {
            let of_set = scope.iter().find(|(_, v)| {
                let set = self.vars[v.0].set;
                set != SetId::UNKNOWN && *index == self.names.set_name(set)
            });
            let help = match of_set {
                Some((var, _)) => format!("`{var}` runs over `{index}`"),
                None => format!("`{form}`"),
            };
            self.sink.push(
                Diagnostic::new(index.span(), format!("`{index}` is {noun}, not an index"))
                    .why(format!("brackets select entries by indices; {BOUND}"))
                    .help(help),
            );
            return;
        }
        let found = Diagnostic::new(index.span(), format!("index `{index}` is not in scope"));
        let near = nearest(&index.to_string(), known.iter().map(String::as_str));
        if open(scope) && near.is_none_or(|near| near.len() < 2) {
            return;
        }
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
            found.why(BOUND).help(format!("did you mean `{near}`?"))
        } else if self.place != "a rate" {
            let over = |var: &VarId| {
                let set = self.vars[var.0].set;
                set != SetId::UNKNOWN && bind.set == self.names.set_name(set)
            };
            let fitting = scope.iter().filter(|(_, var)| over(var));
            let list: Vec<String> = fitting.map(|(index, _)| format!("`{index}`")).collect();
            let why = "the parameters of a prior have the indices of their latent, and no others";
            found.why(why).help(match &list[..] {
                [] => format!(
                    "`{index} in {}` among the indices of the latent, or a factor without `{}`",
                    bind.set, bind.set
                ),
                list => format!("use {}", list.join(" or ")),
            })
        } else {
            found.why(BOUND).help(format!("`sum({index} in {}) ..`", bind.set))
        });
    }
}

/// Indices in another order than the declaration's.
struct Swapped<'i> {
    /// The first that is out of place, with what should stand there.
    first: (&'i Ident, &'i Bind),
    /// The set of that index.
    set: String,
    /// The right order.
    right: Vec<String>,
}

/// A use of `name` with the indices of its declaration.
fn form(name: &Ident, declared: &[Bind]) -> String {
    let vars: Vec<String> = declared.iter().map(|b| b.var.to_string()).collect();
    match &vars[..] {
        [] => name.to_string(),
        vars => format!("{name}[{}]", vars.join(", ")),
    }
}

fn plural(n: usize) -> String {
    match n {
        0 => "no index".into(),
        1 => "1 index".into(),
        n => format!("{n} indices"),
    }
}
