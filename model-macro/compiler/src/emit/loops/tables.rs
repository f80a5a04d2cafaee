//! Table counts of a shape that is learned: another count, whose rate is the shape and whose weights are drawn with it.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::door;
use super::super::updates;
use super::closed::Lets;
use super::conditional::{added, beside_prior, exposed as exposed_of, over, parameter_at, reads};
use super::exposure;
use super::times::{Times, sum};
use super::words::Words;
use super::{Loops, prior};

/// ```ignore
/// /// `l_eps[d,v] | − ~ CRT(y[d,v], r)`
/// /// `zeta_eps[d,v] = ln(1 + (w[d,v] mu[d,v])/b)`
/// fn tables_eps(s: &mut State<'_>) {
///     let exposure = Self::exposure_of_eps(s.reading(), &s.weights());
///     let (x, n) = (LearnedRead::from(s.reading()), LearnedRead::from(s.counted()));
///     let given = over_rates([x.docs, x.words], Self::prior_of_eps(x), |[d, v]| [n.eps[[d, v]], exposure[[d, v]]]);
///     s.draw_tables(Self::SHAPE_OF_EPS, given);
/// }
/// ```
pub(in super::super) fn tables(loops: &Loops<'_>, number: usize) -> TokenStream {
    let (model, door, words) = (loops.model(), door(), &loops.words);
    let (s, x, n, law) = (&words.s, &words.x, &words.n, &words.law);
    let shape = &model.shapes[number];
    let (latent, update) = (&model.latents[shape.of.0], &loops.derivation.updates[shape.of.0]);
    let time = model.in_turn_along(shape.of);
    let mut lets = Lets::beside(&[&words.exposure, law]);
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let [counted, exposed] = added(loops, shape.of, &letters);
    let [counts, rate] = [update.conditional.statistic(), update.conditional.rate()];
    let of_rates = [(counts, counted), (rate, exposed)].into_iter().enumerate();
    let of_rates = of_rates.map(|(number, (all, added))| {
        parameter_at(loops, ((shape.of, number), time), &beside_prior(all), added, &mut lets)
    });
    let of_rates: Vec<Vec<Times>> = of_rates.collect();
    let (counts, exposures) = (sum(&of_rates[0]), sum(&of_rates[1]));
    let value = quote!([#counts, #exposures]);
    let others = (0..letters.len()).filter(|at| Some(*at) != time);
    let entries = others.clone().map(|at| &letters[at]);
    let statements = lets.statements;
    let size = others.map(|at| loops.size(&quote!(#x), latent.indices[at].set));
    let (name, doc) = (
        updates::tables_method(model, number),
        updates::tables_doc(loops.derivation, number),
    );
    let (constant, at) = (&loops.names.constants.shapes[number], model.counts.len() + number);
    let numbered = format!(
        "Where the shape of `{}` stands among the rates: after the counts.",
        latent.name
    );
    let of_prior = prior::call(loops, shape.of, time.map(|position| &letters[position]));
    let given = quote! {
        #(#statements)*
        let #law = #door::over_rates([#(#size),*], #of_prior, |[#(#entries),*]| #value);
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
