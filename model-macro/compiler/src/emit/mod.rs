//! The derivation to Rust. Nothing is decided here: every function formats what `derive` decided.
//!
//! After this phase there are tokens, and they compile: the model has passed every check.

mod as_derived;
mod cells;
mod chains;
mod constants;
mod derived;
mod elbo;
mod heading;
mod hygiene;
mod inspect;
mod lines;
mod loops;
mod names;
mod rows;
mod skeleton;
mod source;
mod spec;
mod table;
mod tidy;
mod updates;

use proc_macro2::TokenStream;
use quote::quote;

use crate::derive::DerivedModel;

use hygiene::Item;
use loops::Loops;

pub use hygiene::rooted;
pub use names::Names;
pub use skeleton::skeleton;

/// The expansion of a declaration.
pub fn emit(derivation: &DerivedModel) -> TokenStream {
    let (mut items, table) = body(derivation);
    let source = source::printed(&hygiene::in_order(&items), &table, derivation);
    items.push(inspect::methods(derivation, &source));
    let code = hygiene::enclose(&items);
    // Documentation shows what a user calls first.
    tidy::tidy(quote!(#table #code))
}

/// What `generated()` prints: the source that runs, without the methods that print it.
pub fn source(derivation: &DerivedModel) -> String {
    let (items, table) = body(derivation);
    source::printed(&hygiene::in_order(&items), &table, derivation)
}

/// Everything but the printing methods: first the parts for readers (rates, cells, conditionals), then the declaration as data; and the table
/// from which the runtime makes what is the same for every model.
fn body(derivation: &DerivedModel) -> (Vec<Item>, TokenStream) {
    let names = Names::new(&derivation.model);
    let loops = Loops::of(derivation, &names);
    let mut items = loops.parts();
    items.extend(cells::cells(derivation, &names));
    items.push(updates::model(derivation, &names, &loops));
    items.push(derived::declared(derivation, &names));
    (items, table::table(derivation, &names))
}
