//! `theta[t - 1, k] or first[k]`: what stands at the first times, which have no earlier one.

use proc_macro2::Span;

use super::count::{Access, Source, Term};
use super::model::{Indices, Scalar, Start, VarId};
use super::rate::{Scope, Walk};
use crate::diagnostics::Diagnostic;
use crate::syntax::Factor;

impl Walk<'_> {
    /// Both: two terms of a sum, each zero where the other is read; or two factors of a product, each one there.
    pub(super) fn started(&mut self, access: &Factor, start: &Factor, or: Span, scope: &Scope) -> Vec<Term> {
        let before = self.tainted;
        let [earlier, first] = [access, start].map(|factor| self.factor(factor, scope));
        if self.tainted > before {
            return Vec::new();
        }
        let read = self.shifted_once(&earlier, or).zip(self.starting(&first, or));
        let Some(((var, until), mut stands)) = read else {
            self.tainted += 1;
            return Vec::new();
        };
        if self.vars.lookup(var).is_some() {
            self.sink.push(
                Diagnostic::new(or, "`or` stands in a definition that is used at a shifted index")
                    .why("`or` applies at the first times of the index in the definition, and a shifted index has other first times")
                    .help("write the body of the definition here"),
            );
            self.tainted += 1;
            return Vec::new();
        }
        stands.start = Some(Start { var, until });
        let mut first = Term::one(stands.span);
        first.factors.push(stands);
        match self.is_product {
            false => vec![earlier[0].clone(), first],
            true => {
                let mut both = earlier[0].clone();
                both.factors.extend(first.factors);
                vec![both]
            }
        }
    }

    /// The index of what is read before `or`, and by how much it is shifted.
    fn shifted_once(&mut self, earlier: &[Term], or: Span) -> Option<(VarId, usize)> {
        if let [Term { factors, .. }] = earlier
            && let [one] = &factors[..]
            && let [(_, var, back)] = self.vars.shifts(one)[..]
        {
            return Some((var, back));
        }
        self.sink.push(
            Diagnostic::new(or, "nothing before `or` is at an earlier time")
                .why("`or` names the factor for the first times, which have no earlier time: the factor before it has one shifted index")
                .help("`theta[t - 1, k] or first[k]`"),
        );
        None
    }

    /// What stands behind `or`.
    fn starting(&mut self, first: &[Term], or: Span) -> Option<Access> {
        if let [term] = first
            && term.summed.is_empty()
        {
            match (&term.factors[..], &term.coefficient.hypers[..]) {
                ([one], []) if term.coefficient.is_one() && one.start.is_none() && self.vars.shifts(one).is_empty() => {
                    return Some(one.clone());
                }
                ([], [hyper]) if term.coefficient == Scalar::hyper(*hyper) => {
                    return Some(Access {
                        of: Source::Hyper(*hyper),
                        vars: Vec::new(),
                        start: None,
                        span: term.span,
                        uses: Vec::new(),
                    });
                }
                _ => {}
            }
        }
        self.sink.push(
            Diagnostic::new(
                or,
                "`or` is followed by one latent, array or hyperparameter without a shifted index",
            )
            .why("it takes the place of one factor at the first times")
            .help("`hyper first: positive = 1.0;` and `or first`"),
        );
        None
    }

    /// Without the terms that are zero at every time, as what is read at the first times meets what is not.
    pub(super) fn there(&self, terms: Vec<Term>) -> Vec<Term> {
        let vars: &[super::model::Index] = self.vars;
        let met = |term: &Term| {
            let all = || term.factors.iter();
            all().any(|one| all().any(|other| vars.never_meet(one, other)))
        };
        match self.is_product {
            true => terms,
            false => terms.into_iter().filter(|term| !met(term)).collect(),
        }
    }
}
