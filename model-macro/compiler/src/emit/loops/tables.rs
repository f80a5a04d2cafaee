//! Table counts of a shape that is learned: another count, whose rate is the shape and whose weights are drawn with it.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::door;
use super::super::updates::Tables;
use super::Loops;
use super::closed::Lets;
use super::conditional::{added, exposed as exposed_of, over, parameter_at, reads};
use super::exposure;
use super::times::{in_product, sum};
use super::words::{Words, names};
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
    let time = model.in_turn_along(shape.of);
    let mut lets = Lets::beside(&[&words.exposure, law]);
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let [counted, exposed] = added(loops, shape.of, &letters);
    let [counts, rate] = [update.conditional.statistic(), update.conditional.rate()];
    let given = |all: &[Summand], is_prior: bool| -> Vec<Summand> {
        let kept = all.iter().filter(|part| (part.from == Origin::Prior) == is_prior);
        kept.cloned().collect()
    };
    let counts = sum(&parameter_at(
        loops,
        ((shape.of, 0), time),
        &given(counts, false),
        counted,
        &mut lets,
    ));
    let [exposures, prior] = [
        in_product(&parameter_at(
            loops,
            ((shape.of, 1), time),
            &given(rate, false),
            exposed,
            &mut lets,
        )),
        in_product(&parameter_at(
            loops,
            ((shape.of, 1), time),
            &given(rate, true),
            quote!(),
            &mut lets,
        )),
    ];
    let relative = match prior.to_string().as_str() {
        "1.0" => exposures,
        product if product.contains(" * ") => quote!(#exposures / (#prior)),
        _ => quote!(#exposures / #prior),
    };
    let value = quote!([#counts, #relative]);
    let others = (0..letters.len()).filter(|at| Some(*at) != time);
    let entries = others.clone().map(|at| match &letters[at] {
        letter if names(&value, letter) => quote!(#letter),
        _ => quote!(_),
    });
    let statements = lets.statements;
    let size = others.map(|at| loops.size(&quote!(#x), latent.indices[at].set));
    let Tables {
        name,
        doc,
        constant,
        numbered,
        at,
    } = of;
    let given = quote! {
        #(#statements)*
        let #law = #door::gammas([#(#size),*], |[#(#entries),*]| #value);
    };
    let reads = reads(loops, &given, (x, n));
    let given = quote!(#reads #given);
    let exposure = exposed_of(loops, shape.of);
    let body = match time {
        None => quote!(#exposure #given #s.draw_tables(Self::#constant, #law);),
        Some(position) => {
            let (time, times, exposed) = (&letters[position], over(loops, shape.of, position), &words.exposure);
            let (method, messages) = (exposure::method(loops, shape.of), exposure::messages(loops, shape.of));
            quote! {
                let mut #exposed = Self::#method(#s.reading(), &#s.weights());
                for #time in (#times).rev() {
                    #given
                    let #law = #s.draw_tables_at(Self::#constant, (#position, #time), #law);
                    #door::add(#exposed.inner_mut(), &Self::#messages(#s.reading(), &#law.weights()).into_inner());
                }
            }
        }
    };
    quote! {
        #[doc = #numbered]
        const #constant: usize = #at;

        #[doc = #doc]
        fn #name(#s: &mut #door::State<'_>) {
            #body
        }
    }
}
