//! An expansion as a file of its own: what `generated()` prints.

use proc_macro2::TokenStream;
use quote::quote;

use super::{lines, rows, tidy};
use crate::derive::DerivedModel;
use crate::resolve::{Count, Index, Indices, VarId};

/// The code, formatted, and below it the table.
pub(super) fn printed(code: &TokenStream, table: &TokenStream, derivation: &DerivedModel) -> String {
    let name = &derivation.model.name;
    let head = format!(
        "//! Generated from the declaration of `{name}`.\n//!\n//! This file compiles against the crate `skellam` alone and \
         makes the same draws as the macro.\n{LETTERS}{}{READ}{}{}{PRIORS}\n{}",
        if derivation.model.shapes.is_empty() {
            MOMENTS
        } else {
            ""
        },
        of_sums(derivation),
        [
            (derivation.model.counts.iter().any(Count::is_difference), SIDES),
            (has_times(derivation), TIMES),
            (!derivation.model.shapes.is_empty(), TABLES),
        ]
        .iter()
        .filter(|(is_there, _)| *is_there)
        .map(|(_, text)| *text)
        .collect::<String>(),
        if plain(derivation) { "" } else { ALLOWED }
    );
    let [code, table] = [code, table].map(|tokens| tidy::abbreviate(tidy::tidy(tokens.clone())));
    let file = quote! {
        #[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
        use ::skellam::prelude::*;
        use ::skellam::private as rt;
        #code
    };
    match syn::parse2::<syn::File>(file) {
        Ok(file) => format!(
            "{head}{}\n{}",
            lines::joined(&prettyplease::unparse(&file)),
            rows::printed(table)
        ),
        Err(error) => unreachable!("the expansion is Rust: {error}"),
    }
}

/// At the head of every printed source: what its formulas are written in.
const LETTERS: &str = "//! Gamma is (shape, rate). `| −` is given all else; at a cell, given what stands above.
";

/// Where there is a variational posterior.
const MOMENTS: &str = "//! `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.
";

/// How to read the source of a model of loops.
const READ: &str = "//!
//! - `x` reads what is known and the latents: their values; in an iteration of CAVI their means, or geometric means
//!   where counts are divided. `n` reads the counts that fell on the entries of the latents.
//! - `s.allocate_cells` goes over the visited cells, in the library: it multiplies both operands, draws the count,
//!   splits it over `k` in proportion to `left[k] right[k]`, and hands the parts to `Adjoint`.
//! - A rate is `Σ_k left[k] right[k]`: `Rate` forms `left` at a row of cells and `right` at a column.
//! - `Adjoint` takes the counts of a row or a column, `n[k]` for some `k`, to the entries that its operand is made of.
//! - `exposure_of_..` is computed as if all weights were products over indices. `correct_..` then adds what differs:
//!   `e[k]`, for each row or column, is the sum over its cells of `(w − base)` times the other operand.
";

/// How sums are read, of the first array of two indices or more.
fn of_sums(derivation: &DerivedModel) -> String {
    let latents = derivation.model.latents.iter();
    let several = latents
        .map(|latent| (&latent.name, &latent.indices))
        .find(|(_, indices)| indices.len() > 1);
    several.map_or_else(String::new, |(name, indices)| {
        format!(
            "//! - `x.{name}.sum::<{}>(1, |{}| ..)` sums `{name}` over its second index, with weights; the others are left.\n",
            indices.len() - 1,
            indices[1].name
        )
    })
}

/// Where priors stand.
const PRIORS: &str = "//! - `rt::conjugate` adds counts and exposures to the parameters of the prior, entry by entry. Joint moves, starts and
//!   the bound read `prior_of_..`, too. The self-test compares all functions with `SPEC`.
";

/// Besides, where shapes are learned.
const TABLES: &str = "//! - Where a conditional has table counts, the latent whose shape is learned is integrated out, and the self-test compares
//!   draws. Their exposure `zeta`, or `ζ`, is the weight of their cells: zero before `s.draw_tables` computes it.
//! - A learned shape stands twice: in `prior_of_..`, and as the rate of its table counts.
";

/// Besides, where a count is a difference.
const SIDES: &str = "//! - Of the entries of an operand of a difference, the first `plus()` are of its plus side.
";

/// Besides, where something is read at an earlier time.
const TIMES: &str =
    "//! - `x.theta.shifted([-1, 0], 0.0)` is `theta` one value of its first index earlier, and 0 where there is none.
";

/// Whether something is read at an earlier time.
fn has_times(derivation: &DerivedModel) -> bool {
    let model = &derivation.model;
    let is_shifted = |vars: &[Index]| (0..vars.len()).any(|var| vars.shift(VarId(var)).is_some());
    let mut counts = model.all_counts();
    counts.any(|(_, count)| is_shifted(&count.vars))
        || model.latents.iter().any(|latent| is_shifted(&latent.prior.vars))
}

/// At the head of the printed source of a model whose names are not in small letters.
const ALLOWED: &str = "#![allow(non_snake_case, non_upper_case_globals, reason = \"the declaration says how its names are written\")]\n\n";

/// Whether the declared names, and those that are made of them, are written as Rust writes them.
fn plain(derivation: &DerivedModel) -> bool {
    let model = &derivation.model;
    let fixed = model
        .sets
        .iter()
        .map(|s| &s.name)
        .chain(model.hypers.iter().map(|h| &h.name));
    let free = model
        .data
        .iter()
        .map(|d| &d.name)
        .chain(model.latents.iter().map(|l| &l.name));
    let mut all = fixed.chain(free).chain(model.counts.iter().map(|c| &c.name));
    all.all(|name| {
        let name = name.to_string();
        name == name.to_lowercase() && !name.contains("__") && !name.ends_with('_')
    })
}
