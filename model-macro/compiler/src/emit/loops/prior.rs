//! The prior of every latent, a function of its parents: its conditional begins with it, and the engines read it.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::Loops;
use super::closed::Lets;
use super::conditional::parameter_at;
use super::times::sum;
use super::words::{Words, named};
use crate::derive::{Conditional, Origin};
use crate::resolve::LatentId;
use crate::show;

/// ```ignore
/// /// `θ[d,k] ~ Gamma(a, ξ[d])`
/// fn prior_of_theta(x: TopicsRead<'_>) -> impl Fn([usize; 2]) -> [f64; 2] + '_ {
///     move |[d, _]| [x.a, x.xi[[d]]]
/// }
/// ```
///
/// Where a latent is in its own prior, it is that at one time.
pub(in super::super) fn prior(loops: &Loops<'_>, of: LatentId) -> TokenStream {
    let (x, read, name) = (&loops.words.x, &loops.names.read, method(loops, of));
    let (latent, update) = (&loops.model().latents[of.0], &loops.derivation.updates[of.0]);
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let (statements, value) = parameters(loops, of, &update.conditional);
    let code = quote!(#statements #value);
    let read_from = named(&code, x);
    let time = update.in_time.map(|position| {
        let time = named(&code, &letters[position]);
        quote!(, #time: usize)
    });
    let others = (0..letters.len()).filter(|at| Some(*at) != update.in_time);
    let entries: Vec<TokenStream> = others.map(|at| named(&value, &letters[at])).collect();
    let rank = entries.len();
    let values = match update.conditional.law.family.is_simplex() {
        true => quote!(f64),
        false => quote!([f64; 2]),
    };
    let at = update
        .in_time
        .map(|position| format!(", at one `{}`", latent.indices[position].name));
    let doc = format!(
        "`{}`{}",
        show::begins(loops.model(), &update.conditional),
        at.unwrap_or_default()
    );
    quote! {
        #[doc = #doc]
        fn #name(#read_from: #read<'_> #time) -> impl Fn([usize; #rank]) -> #values + '_ {
            #statements
            move |[#(#entries),*]| #value
        }
    }
}

/// `prior_of_theta`
fn method(loops: &Loops<'_>, of: LatentId) -> Ident {
    format_ident!("prior_of_{}", loops.latent(of))
}

/// `Self::prior_of_theta(x)`, at one time where it is that of one.
pub(super) fn call(loops: &Loops<'_>, of: LatentId, time: Option<&Ident>) -> TokenStream {
    let (x, name) = (&loops.words.x, method(loops, of));
    let time = time.map(|time| quote!(, #time));
    quote!(Self::#name(#x #time))
}

/// Statements, and the parameters that they lead to.
fn parameters(loops: &Loops<'_>, of: LatentId, conditional: &Conditional) -> (TokenStream, TokenStream) {
    let time = loops.derivation.updates[of.0].in_time;
    let mut lets = Lets::beside(&[]);
    let all = conditional.law.parameters.iter().enumerate();
    let all: Vec<TokenStream> = all
        .map(|(number, all)| {
            let own: Vec<_> = all.iter().filter(|part| part.from == Origin::Prior).cloned().collect();
            sum(&parameter_at(loops, ((of, number), time), &own, quote!(), &mut lets))
        })
        .collect();
    let statements = lets.statements;
    let value = match &all[..] {
        [only] if conditional.law.family.is_simplex() => only.clone(),
        all => quote!([#(#all),*]),
    };
    (quote!(#(#statements)*), value)
}
