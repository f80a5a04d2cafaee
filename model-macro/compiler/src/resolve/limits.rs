//! The message for a number that is refused when a model is built as well.

use proc_macro2::Span;
use skellam_formula::{LEAST_HYPER, MOST_HYPER};

use crate::diagnostics::Diagnostic;

/// That a number, which `which` names, is too large or too small to be computed with.
pub fn extreme(span: Span, which: &str, value: f64) -> Diagnostic {
    let (size, limit) = match value.abs() > MOST_HYPER {
        true => ("large", format!("`{MOST_HYPER:e}` or less")),
        false => ("small", format!("`{LEAST_HYPER:e}` or more")),
    };
    Diagnostic::new(span, format!("{which} is too {size}"))
        .why(format!(
            "sums and products of numbers beyond {LEAST_HYPER:e} and {MOST_HYPER:e} leave the range of doubles"
        ))
        .help(format!("{limit}, in units in which rates are of the size of counts"))
}
