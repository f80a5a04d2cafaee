//! What is said above the conditionals: the laws of the counts, what weighs, and notes.

use syn::Ident;

use super::updates::capital;
use crate::derive::DerivedModel;
use crate::show;

/// The rate of every count, with which the conditionals begin.
pub(super) fn laws(derivation: &DerivedModel, w: &Ident) -> String {
    let model = &derivation.model;
    let laws: Vec<String> = (0..model.counts.len())
        .map(|count| format!("`{}`", show::count(derivation, count)))
        .collect();
    let laws = match &laws[..] {
        [law] => format!("Conditionals of the latents in {law}."),
        several => format!("Conditionals of the latents in\n- {}", several.join("\n- ")),
    };
    let notes = show::notes(derivation).into_iter();
    let notes = notes.map(|note| format!("\n\n{}.", capital(note)));
    laws + &weights(derivation, w) + &notes.collect::<String>()
}

/// What weights are, and how exposures are summed by them.
fn weights(derivation: &DerivedModel, w: &Ident) -> String {
    let counts = 0..derivation.model.counts.len();
    let said = counts.map(|count| {
        let cell = show::weight(&derivation.model, count);
        format!(
            "\n- `{cell}` is the weight of a cell: {}.",
            show::weight_in_words(derivation, count)
        )
    });
    let said: String = said.collect();
    format!(
        "\n{said}\n\nMost cells weigh `{w}.base()` times `{w}.at(axis, value)` for each of their indices, so that exposures are sums in closed form; \
         then they are corrected at the cells that weigh otherwise. In dense data with noise the base is zero, and corrections are \
         everything. Cells that are held out, or whose count is summed out, have no parts."
    )
}
