//! The laws of the lines of a latent that is several times in a term, each after a pass over all cells: where its lines are told by positions,
//! or are not of the cell.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::closed::Lets;
use super::conditional::{pairs, parameter};
use super::times::sum;
use super::words::{Words, declared, names};
use super::{Loops, entry, exposure};
use crate::derive::Engine;
use crate::resolve::LatentId;

/// ```ignore
/// for i in 0..CrossedRead::from(s.reading()).actors {
///     for a in 0..CrossedRead::from(s.reading()).sites {
///         let exposure = Self::exposure_of_w(s.reading(), &s.weights());
///         let (x, n) = (CrossedRead::from(s.reading()), CrossedRead::from(s.counted()));
///         let law = gammas([], |[]| [x.s + n.w[[i, a]], 1.0 + exposure[[i, a]]]);
///         hand_over(s, [i, a], law);
///     }
/// }
/// ```
pub(super) fn laws(loops: &Loops<'_>, of: LatentId, engine: Engine) -> TokenStream {
    let words = &loops.words;
    let (s, x, n, law, exposed) = (&words.s, &words.x, &words.n, &words.law, &words.exposure);
    let (latent, update) = (&loops.model().latents[of.0], &loops.derivation.updates[of.0]);
    let (read, method) = (&loops.names.read, exposure::method(loops, of));
    let conditional = match engine {
        Engine::Gibbs => &update.conditional,
        Engine::Cavi => &update.posterior,
    };
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let added = {
        let field = declared(&latent.name);
        [
            entry(&quote!(#n.#field), letters.iter()),
            quote!(#exposed[[#(#letters),*]]),
        ]
    };
    let mut lets = Lets::beside(&[exposed, law]);
    let parameters = conditional.law.parameters.iter().zip(added);
    let parameters: Vec<TokenStream> = parameters
        .enumerate()
        .map(|(number, (all, added))| sum(&parameter(loops, (of, number), all, added, &mut lets)))
        .collect();
    let (statements, value) = (lets.statements, quote!([#(#parameters),*]));
    let is_taken = |position: &usize| update.sequence.contains(position);
    let others: Vec<usize> = (0..letters.len()).filter(|position| !is_taken(position)).collect();
    let size = |position: usize| loops.size(&quote!(#x), latent.indices[position].set);
    let shape = others.iter().map(|position| size(*position));
    let entries = others.iter().map(|position| match &letters[*position] {
        letter if names(&value, letter) => quote!(#letter),
        _ => quote!(_),
    });
    let taken: Vec<&Ident> = update.sequence.iter().map(|position| &letters[*position]).collect();
    let at = match taken[..] {
        [line] => quote!(#line),
        _ => quote!([#(#taken),*]),
    };
    let pairs = pairs(&conditional.law.family);
    let values = quote!(#read::from(#s.reading()));
    let body = quote! {
        let #exposed = Self::#method(#s.reading(), &#s.weights());
        let (#x, #n) = (#values, #read::from(#s.counted()));
        #(#statements)*
        let #law = #pairs([#(#shape),*], |[#(#entries),*]| #value);
        hand_over(#s, #at, #law);
    };
    update.sequence.iter().rev().fold(body, |body, position| {
        let (letter, size) = (&letters[*position], loops.size(&values, latent.indices[*position].set));
        quote!(for #letter in 0..#size { #body })
    })
}
