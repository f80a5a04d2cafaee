//! The derivation to Rust. Nothing is decided here: every function formats what `derive` decided.
//!
//! After this phase there are tokens, and they compile: the model has passed every check.

mod cells;
mod constants;
mod declared;
mod hygiene;
mod inspect;
mod lines;
mod names;
mod rows;
mod skeleton;
mod source;
mod spec;
mod table;
mod tidy;
mod trees;
mod updates;
mod walked;

use proc_macro2::TokenStream;
use quote::quote;

use crate::derive::DerivedModel;

pub use names::Names;
pub use skeleton::skeleton;

/// The expansion of a declaration.
pub fn emit(derivation: &DerivedModel) -> TokenStream {
    let (code, table) = body(derivation);
    let inspect = inspect::methods(derivation, &source::printed(&code, &table, derivation));
    let code = hygiene::enclose(quote!(#code #inspect));
    // Documentation shows what a user calls first.
    tidy::tidy(quote!(#table #code))
}

/// An expansion with paths to the runtime that begin at `root` instead of `::skellam`.
pub fn rooted(expansion: TokenStream, root: &TokenStream) -> TokenStream {
    hygiene::rooted(expansion, root)
}

/// What `generated()` prints: the source that runs, without the methods that print it.
pub fn source(derivation: &DerivedModel) -> String {
    let (code, table) = body(derivation);
    source::printed(&code, &table, derivation)
}

/// Everything but the printing methods: first the parts for readers (rates, cells, conditionals), then the declaration as data; and the table
/// from which the runtime makes what is the same for every model.
fn body(derivation: &DerivedModel) -> (TokenStream, TokenStream) {
    let names = Names::new(&derivation.model);
    let parts = [
        trees::rates(derivation, &names),
        cells::cells(derivation, &names),
        updates::model(derivation, &names),
        declared::declared(derivation, &names),
    ];
    (parts.into_iter().collect(), table::table(derivation, &names))
}
