//! Definitions: inlined wherever they are used, and read once on their own for mistakes that no use shows.

use std::cell::Cell;

use syn::Ident;

use super::count::Term;
use super::model::{Index, SetId, VarId};
use super::names::Names;
use super::rate::{Scope, Walk, scope};
use crate::diagnostics::{Diagnostic, Sink};
use crate::syntax::{Bind, Let, Place, Rate};

/// The definitions of a model.
pub(super) struct Definitions {
    all: Vec<Definition>,
}

struct Definition {
    name: Ident,
    indices: Vec<Index>,
    rate: Rate,
    /// Set while the definition is being inlined: meeting it again is a circle.
    open: Cell<bool>,
    /// Set once it was reported to be in a circle.
    circular: Cell<bool>,
    used: Cell<bool>,
}

impl Definitions {
    /// Every definition, its body looked at.
    pub fn new(lets: Vec<Let>, names: &Names, sink: &mut Sink) -> Self {
        let all = lets.into_iter().map(|l| Definition {
            name: l.name,
            indices: names.binds(&l.binds, sink),
            rate: l.rate,
            open: Cell::new(false),
            circular: Cell::new(false),
            used: Cell::new(false),
        });
        let lets = Self { all: all.collect() };
        for definition in &lets.all {
            let mut vars = definition.indices.clone();
            let scope = scope(&vars);
            let mut walk = Walk::new(names, &lets, &mut vars, "a rate", sink);
            definition.open.set(true);
            walk.rate(&definition.rate, &scope);
            definition.open.set(false);
        }
        lets
    }

    /// The definitions that nothing uses.
    pub fn unused(&self) -> Vec<Ident> {
        let unused = self.all.iter().filter(|d| !d.used.get());
        unused.map(|d| d.name.clone()).collect()
    }
}

impl Walk<'_> {
    /// The body of a definition with its indices replaced by those of the use.
    pub(super) fn inline(&mut self, id: usize, name: &Ident, indices: &[Place], scope: &Scope) -> Vec<Term> {
        let definition = &self.lets.all[id];
        definition.used.set(true);
        if definition.open.get() && !definition.circular.get() {
            let open = self.lets.all.iter().filter(|d| d.open.get());
            open.for_each(|d| d.circular.set(true));
            self.sink.push(
                Diagnostic::new(
                    name.span(),
                    format!("the definition of `{}` uses itself", definition.name),
                )
                .why("a definition is replaced by its body wherever it is used, which here would never end")
                .help(format!("write a latent instead of `{name}`, or leave it out")),
            );
        }
        if definition.circular.get() || definition.indices.iter().any(|i| i.set == SetId::UNKNOWN) {
            self.tainted += 1;
            return Vec::new();
        }
        let declared: Vec<Bind> = definition
            .indices
            .iter()
            .map(|i| Bind {
                var: i.name.clone(),
                set: Ident::new(&self.names.set_name(i.set), i.name.span()),
            })
            .collect();
        let Some(vars) = self.indices(name, indices, &declared, scope) else {
            return Vec::new();
        };
        let inner: Vec<(Ident, VarId)> = definition.indices.iter().map(|i| i.name.clone()).zip(vars).collect();
        definition.open.set(true);
        let mut terms = self.rate(&definition.rate, &inner);
        definition.open.set(false);
        let factors = terms.iter_mut().flat_map(|term| &mut term.factors);
        factors.for_each(|factor| factor.uses.insert(0, name.span()));
        terms
    }
}
