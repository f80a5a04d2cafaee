//! The declaration as data, and what was derived from its rates.

use quote::quote;

use super::hygiene::Item;
use super::names::{Names, door};
use super::{derived, spec};
use crate::derive::DerivedModel;

/// ```ignore
/// impl Declaration for TopicsModel {
///     const SPEC: &'static Spec = &Spec { .. };
///     const DERIVED: Derived = Derived { .. };
/// }
/// ```
pub(super) fn declared(derivation: &DerivedModel, names: &Names) -> Item {
    let (door, bound, gibbs, cavi) = (door(), &names.bound, &names.gibbs, &names.cavi);
    let (spec, derived) = (spec::spec(derivation), derived::derived(derivation, names));
    Item::Impl(quote! {
        impl #door::Declaration for #bound {
            type Gibbs = #gibbs;
            type Cavi = #cavi;
            const SPEC: &'static #door::Spec = &#spec;
            const DERIVED: #door::Derived = #derived;
            const EMITTED: &'static #door::Emitted = &Self::EMITTED;
        }
    })
}
