//! The laws of the lines of a latent that is several times in a term, each after a pass over all cells: where its lines are told by positions,
//! or are not of the cell.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::closed::Lets;
use super::conditional::{added, conjugate};
use super::words::Words;
use super::{Loops, exposure};
use crate::derive::Engine;
use crate::resolve::LatentId;

/// ```ignore
/// for i in 0..CrossedRead::from(s.reading()).actors {
///     for a in 0..CrossedRead::from(s.reading()).sites {
///         let exposure = Self::exposure_of_w(s.reading(), &s.weights());
///         let (x, n) = (CrossedRead::from(s.reading()), CrossedRead::from(s.counted()));
///         let prior = Self::prior_of_w(x);
///         let law = conjugate([], move |[]| prior([i, a]), |[]| [n.w[[i, a]], exposure[[i, a]]]);
///         hand_over(s, [i, a], law);
///     }
/// }
/// ```
pub(super) fn laws(loops: &Loops<'_>, of: LatentId, engine: Engine) -> TokenStream {
    let words = &loops.words;
    let (s, x, n, law, exposed) = (&words.s, &words.x, &words.n, &words.law, &words.exposure);
    let (latent, update) = (&loops.model().latents[of.0], &loops.derivation.updates[of.0]);
    let (read, method) = (&loops.names.read, exposure::method(loops, of));
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let mut lets = Lets::beside(&[exposed, law]);
    let made = conjugate(
        loops,
        (of, &update.sequence),
        engine,
        added(loops, of, &letters),
        &mut lets,
    );
    let statements = lets.statements;
    let taken: Vec<&Ident> = update.sequence.iter().map(|position| &letters[*position]).collect();
    let at = match taken[..] {
        [line] => quote!(#line),
        _ => quote!([#(#taken),*]),
    };
    let values = quote!(#read::from(#s.reading()));
    let body = quote! {
        let #exposed = Self::#method(#s.reading(), &#s.weights());
        let (#x, #n) = (#values, #read::from(#s.counted()));
        #(#statements)*
        #made
        hand_over(#s, #at, #law);
    };
    update.sequence.iter().rev().fold(body, |body, position| {
        let (letter, size) = (&letters[*position], loops.size(&values, latent.indices[*position].set));
        quote!(for #letter in 0..#size { #body })
    })
}
