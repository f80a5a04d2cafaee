//! Table counts of a shape that is learned: another count, whose rate is the shape and whose weights are drawn with it.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::door;
use super::super::updates::Tables;
use super::closed::Lets;
use super::conditional::parameter;
use super::exposure::{self, of_rates};
use super::times::{in_product, sum};
use super::words::{Words, declared, names};
use super::{Loops, entry};
use crate::derive::{Origin, Summand};

/// ```ignore
/// /// `l_eps[d,v] | − ~ CRT(y[d,v], r)`
/// /// `zeta_eps[d,v] = ln(1 + (w[d,v] mu[d,v])/b)`
/// fn tables_eps(s: &mut State<'_>) {
///     let exposure = Self::exposure_of_eps(s.reading(), &s.weights());
///     let (x, n) = (LearnedRead::from(s.reading()), LearnedRead::from(s.counted()));
///     let given = gammas([x.docs, x.words], |[d, v]| [n.eps[[d, v]], exposure[[d, v]] / x.b]);
///     s.draw_tables(Self::SHAPE_OF_EPS, given);
/// }
/// ```
pub(in super::super) fn tables(loops: &Loops<'_>, number: usize, of: &Tables) -> TokenStream {
    let (model, door, words) = (loops.model(), door(), &loops.words);
    let (s, x, n, law) = (&words.s, &words.x, &words.n, &words.law);
    let shape = &model.shapes[number];
    let (latent, update) = (&model.latents[shape.of.0], &loops.derivation.updates[shape.of.0]);
    let mut lets = Lets::beside(&[&words.exposure, law]);
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let field = declared(&latent.name);
    let counted = entry(&quote!(#n.#field), letters.iter().cloned());
    let exposed = {
        let exposure = &words.exposure;
        quote!(#exposure[[#(#letters),*]])
    };
    let [counts, rate] = [update.conditional.statistic(), update.conditional.rate()];
    let given = |all: &[Summand], is_prior: bool| -> Vec<Summand> {
        let kept = all.iter().filter(|part| (part.from == Origin::Prior) == is_prior);
        kept.cloned().collect()
    };
    let counts = sum(&parameter(loops, &given(counts, false), counted, &mut lets));
    let [exposures, prior] = [
        in_product(&parameter(loops, &given(rate, false), exposed, &mut lets)),
        in_product(&parameter(loops, &given(rate, true), quote!(), &mut lets)),
    ];
    let relative = match prior.to_string().as_str() {
        "1.0" => exposures,
        product if product.contains(" * ") => quote!(#exposures / (#prior)),
        _ => quote!(#exposures / #prior),
    };
    let value = quote!([#counts, #relative]);
    let entries = letters.iter().map(|letter| match names(&value, letter) {
        true => quote!(#letter),
        false => quote!(_),
    });
    let (read, size, statements) = (
        &loops.names.read,
        loops.shape(&quote!(#x), &latent.indices),
        lets.statements,
    );
    let is_exposed = of_rates(update).next().is_some();
    let exposure = is_exposed.then(|| {
        let (local, method) = (&words.exposure, exposure::method(loops, shape.of));
        quote!(let #local = Self::#method(#s.reading(), &#s.weights());)
    });
    let Tables {
        name,
        doc,
        constant,
        numbered,
        at,
    } = of;
    quote! {
        #[doc = #numbered]
        const #constant: usize = #at;

        #[doc = #doc]
        fn #name(#s: &mut #door::State<'_>) {
            #exposure
            let (#x, #n) = (#read::from(#s.reading()), #read::from(#s.counted()));
            #(#statements)*
            let #law = #door::gammas(#size, |[#(#entries),*]| #value);
            #s.draw_tables(Self::#constant, #law);
        }
    }
}
