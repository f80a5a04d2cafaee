//! The type of a model hides nothing that its own implementation uses.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::Model;

/// What is in scope in generated implementations: the names of the runtime's `preamble`.
pub const PREAMBLE: [&str; 26] = [
    "AsRef",
    "Box",
    "Clone",
    "Default",
    "Drop",
    "Eq",
    "Err",
    "Fn",
    "FnMut",
    "From",
    "Into",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Sized",
    "Some",
    "String",
    "ToOwned",
    "ToString",
    "Vec",
];

/// Types of the language that stand in generated code.
const PRIMITIVE: [&str; 5] = ["bool", "f64", "str", "u32", "usize"];

pub(super) fn check(model: &Model, sink: &mut Sink) {
    let name = model.name.to_string();
    if PREAMBLE.contains(&name.as_str()) || PRIMITIVE.contains(&name.as_str()) {
        sink.push(
            Diagnostic::new(model.name.span(), format!("`{name}` cannot name a model"))
                .why("the generated code uses this name for an item of the standard library")
                .help(format!("`My{name}`")),
        );
    }
}
