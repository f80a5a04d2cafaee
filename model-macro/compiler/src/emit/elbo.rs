//! The bound that an iteration ascends.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::{Names, door};
use crate::derive::{BoundTerm, DerivedModel};
use crate::show;

/// ```ignore
/// /// What an iteration ascends: `ELBO = Σ_{d,v} L[d,v] − KL(q(θ) ‖ p(θ)) − KL(q(φ) ‖ p(φ))`.
/// fn elbo(of: &ElboParts<'_>) -> f64 {
///     of.cells(&[Self::Y]) - of.divergence(&[Self::THETA, Self::PHI])
/// }
/// ```
pub(super) fn elbo(derivation: &DerivedModel, names: &Names) -> TokenStream {
    let door = door();
    let (mut counts, mut latents) = (Vec::new(), Vec::new());
    for term in &derivation.bound.terms {
        match term {
            BoundTerm::Cells { count, .. } | BoundTerm::Lines { count, .. } => {
                counts.push(names.constants.count(*count));
            }
            BoundTerm::Divergence { of, .. } => latents.push(names.constants.latent(*of)),
        }
    }
    let doc = by_terms(
        "What an iteration ascends: `",
        &show::ascended(derivation),
        "`, where `L` is what `derivation()` prints of a cell.",
    );
    let cells = quote!(of.cells(&[#(#counts),*]));
    // A sum that is broken does not read like its formula.
    let sum = match latents.len() <= MOST_LATENTS {
        true => quote!(#cells - of.divergence(&[#(#latents),*])),
        false => quote! {
            let latents = [#(#latents),*];
            #cells - of.divergence(&latents)
        },
    };
    quote! {
        #[doc = #doc]
        fn elbo(of: &#door::ElboParts<'_>) -> f64 {
            #sum
        }
    }
}

/// So many latents fit the line of their sum.
const MOST_LATENTS: usize = 4;
/// A formula in a comment is broken between its terms where a line would be longer.
const LONGEST_FORMULA: usize = 108;

/// Terms with their signs as one formula, broken between them: after a sign, as a line that begins with `+` would be a list.
fn by_terms(before: &str, terms: &[String], after: &str) -> String {
    let mut lines = vec![before.to_owned()];
    for term in terms {
        let signed = [" + ", " − "].iter().find(|sign| term.starts_with(**sign));
        let (sign, unsigned) = term.split_at(signed.map_or(0, |sign| sign.len()));
        let Some(line) = lines.last_mut() else { continue };
        line.push_str(sign);
        match line.chars().count() + unsigned.chars().count() <= LONGEST_FORMULA {
            true => line.push_str(unsigned),
            false => lines.push(unsigned.to_owned()),
        }
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n") + after
}
