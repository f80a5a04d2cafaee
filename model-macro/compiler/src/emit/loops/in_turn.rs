//! The conditional of a latent that is several times in a term: some of its indices are taken value by value.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::super::names::door;
use super::super::updates;
use super::words::Words;
use super::{Loops, by_pass, in_line};
use crate::derive::Engine;
use crate::resolve::LatentId;

/// ```ignore
/// fn draw_theta(s: &mut State<'_>) {
///     Self::theta_in_turn(s, |s, i, law| s.draw_at(Self::THETA, &[(0, i)], law));
/// }
/// ```
pub(super) fn conditional(loops: &Loops<'_>, of: LatentId, engine: Engine) -> TokenStream {
    let (model, door, s, law) = (loops.model(), door(), &loops.words.s, &loops.words.law);
    let (latent, update) = (&model.latents[of.0], &loops.derivation.updates[of.0]);
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let letters: Vec<&Ident> = update.sequence.iter().map(|position| &letters[*position]).collect();
    let positions = update.sequence.iter();
    let (at, number) = (quote!(&[#((#positions, #letters)),*]), loops.names.constants.latent(of));
    let (name, doc) = (
        updates::method(engine, latent),
        updates::doc(loops.derivation, update, engine),
    );
    let in_turn = format_ident!("{}_in_turn", loops.latent(of));
    let own = latent.own.as_ref().map(updates::reference);
    let verb = if engine == Engine::Gibbs { "draw" } else { "ascend" };
    let method = format_ident!("{verb}_at{}", if own.is_some() { "_by" } else { "" });
    let own = own.into_iter();
    let call = quote!(#s.#method(#number, #at, #(#own,)* #law));
    let (value, of_type, shown) = match letters[..] {
        [line] => (quote!(#line), quote!(usize), line.to_string()),
        _ => {
            let (several, shown) = (letters.len(), letters.iter().map(ToString::to_string));
            (
                quote!([#(#letters),*]),
                quote!([usize; #several]),
                format!("({})", shown.collect::<Vec<_>>().join(",")),
            )
        }
    };
    // Both engines take the same sums, one of them of means.
    let [shared, same] = Engine::BOTH.map(|engine| match update.is_in_line(model) {
        true => in_line::laws(loops, of, engine),
        false => by_pass::laws(loops, of, engine),
    });
    assert_eq!(
        shared.to_string(),
        same.to_string(),
        "one function computes the laws of lines"
    );
    let shared = (engine == Engine::Gibbs).then(|| {
        let doc = format!(
            "Entries of `{}` meet in a rate, so that each value of `{shown}` in turn has its law at current values of the others. {}",
            latent.name,
            match update.is_in_line(model) {
                true => "Sums over all, `over_..`, are kept current.",
                false => "Every law takes a pass over all cells.",
            }
        );
        quote! {
            #[doc = #doc]
            fn #in_turn(#s: &mut #door::State<'_>, hand_over: fn(&mut #door::State<'_>, #of_type, [Vec<f64>; 2])) {
                #shared
            }
        }
    });
    quote! {
        #shared

        #[doc = #doc]
        fn #name(#s: &mut #door::State<'_>) {
            Self::#in_turn(#s, |#s, #value, #law| #call);
        }
    }
}
