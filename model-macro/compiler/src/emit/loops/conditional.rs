//! The conditional of every latent, from exposures and counts; and the sweep's steps before it.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::super::names::door;
use super::super::updates;
use super::closed::Lets;
use super::exposure::{self, of_rates};
use super::summand::Closed;
use super::times::{Times, sum};
use super::words::{Words, named, names};
use super::{Loops, entry, in_turn, level, prior};
use crate::derive::{Engine, Origin, Summand};
use crate::resolve::LatentId;

/// The exposures of the latents and the levels of the counts.
pub(in super::super) fn exposures(loops: &Loops<'_>) -> TokenStream {
    let derivation = loops.derivation;
    let exposures = derivation
        .updates
        .iter()
        .filter_map(|update| exposure::exposure(loops, update));
    let of_nodes = loops.formed.iter().enumerate().flat_map(|(count, formed)| {
        let nodes = 0..formed.nodes.len();
        nodes.map(move |node| exposure::of_node(loops, count, node))
    });
    let levels = (0..loops.model().counts.len()).map(|count| level::level(loops, count));
    let messages = derivation
        .updates
        .iter()
        .filter_map(|update| exposure::of_messages(loops, update));
    of_nodes.chain(exposures).chain(messages).chain(levels).collect()
}

/// ```ignore
/// let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
/// let (x, n) = (TopicsRead::from(s.reading()), TopicsRead::from(s.counted()));
/// let law = conjugate([x.docs, x.topics], Self::prior_of_theta(x), |[d, k]| [n.theta[[d, k]], exposure[[d, k]]]);
/// s.draw(Self::THETA, law);
/// ```
///
/// A latent that is in its own prior is taken one time after another, each given the values of the others:
///
/// ```ignore
/// for t in 0..exposure.shape()[0] {
///     ..
///     s.draw_at(Self::THETA, &[(0, t)], law);
/// }
/// ```
pub(in super::super) fn conditionals(loops: &Loops<'_>, of: LatentId, engine: Engine) -> TokenStream {
    let (model, door, s) = (loops.model(), door(), &loops.words.s);
    let (latent, update) = (&model.latents[of.0], &loops.derivation.updates[of.0]);
    let time = update.in_time;
    if !update.sequence.is_empty() && time.is_none() {
        return in_turn::conditional(loops, of, engine);
    }
    let number = loops.names.constants.latent(of);
    let (exposure, local) = (exposed(loops, of), &loops.words.law);
    let mut lets = Lets::beside(&[&loops.words.exposure, local]);
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let taken: Vec<usize> = time.into_iter().collect();
    let law = conjugate(loops, (of, &taken), engine, added(loops, of, &letters), &mut lets);
    let statements = lets.statements;
    let found = quote!(#(#statements)* #law);
    let reads = reads(loops, &found, (&loops.words.x, &loops.words.n));
    let found = quote!(#reads #found);
    let verb = if engine == Engine::Gibbs { "draw" } else { "ascend" };
    let own = latent.own.as_ref().map(updates::reference);
    let by = if own.is_some() { "_by" } else { "" };
    let own = own.into_iter();
    let body = match time {
        None => {
            let method = format_ident!("{verb}{by}");
            quote!(#exposure #found #s.#method(#number, #(#own,)* #local);)
        }
        Some(position) => {
            let method = format_ident!("{verb}_at{by}");
            let (time, size) = (&letters[position], over(loops, of, position));
            let each = quote!(#found #s.#method(#number, &[(#position, #time)], #(#own,)* #local););
            match update.sequence.is_empty() {
                true => quote!(#exposure for #time in #size { #each }),
                // What meets it in a rate changes from time to time.
                false => quote!(for #time in #size { #exposure #each }),
            }
        }
    };
    let (name, doc) = (
        updates::method(engine, latent),
        updates::doc(loops.derivation, update, engine),
    );
    quote! {
        #[doc = #doc]
        fn #name(#s: &mut #door::State<'_>) {
            #body
        }
    }
}

/// `let exposure = Self::exposure_of_theta(s.reading(), &s.weights());`, if the law has one.
pub(super) fn exposed(loops: &Loops<'_>, of: LatentId) -> Option<TokenStream> {
    let (update, s, local) = (&loops.derivation.updates[of.0], &loops.words.s, &loops.words.exposure);
    let is_exposed = of_rates(update).next().is_some() && !update.conditional.law.family.is_simplex();
    let method = exposure::method(loops, of);
    is_exposed.then(|| quote!(let #local = Self::#method(#s.reading(), &#s.weights());))
}

/// `0..TopicsRead::from(s.reading()).times`, the values of an index of a latent.
pub(super) fn over(loops: &Loops<'_>, of: LatentId, position: usize) -> TokenStream {
    let (read, s) = (&loops.names.read, &loops.words.s);
    let size = loops.size(
        &quote!(#read::from(#s.reading())),
        loops.model().latents[of.0].indices[position].set,
    );
    quote!(0..#size)
}

/// ```ignore
/// let law = conjugate([x.docs, x.topics], Self::prior_of_theta(x), |[d, k]| [n.theta[[d, k]], exposure[[d, k]]]);
/// ```
///
/// Indices at the positions `taken` have values where it stands. `added` are the counts and the exposures of an entry, where it has any.
pub(super) fn conjugate(
    loops: &Loops<'_>,
    (of, taken): (LatentId, &[usize]),
    engine: Engine,
    added: [TokenStream; 2],
    lets: &mut Lets,
) -> TokenStream {
    let (model, door, words) = (loops.model(), door(), &loops.words);
    let (x, law, prior) = (&words.x, &words.law, &words.prior);
    let (latent, update) = (&model.latents[of.0], &loops.derivation.updates[of.0]);
    let (time, conditional) = (update.in_time, update.conditional_in(engine));
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let parameters = conditional.law.parameters.iter().zip(added).enumerate();
    let parameters: Vec<Vec<Times>> = parameters
        .map(|(number, (all, added))| parameter_at(loops, ((of, number), time), &beside_prior(all), added, lets))
        .collect();
    let values = parameters.iter().map(|all| match &all[..] {
        [] => quote!(0.0),
        all => sum(all),
    });
    let values: Vec<TokenStream> = values.collect();
    let value = match &values[..] {
        [only] if conditional.law.family.is_simplex() => only.clone(),
        all => quote!([#(#all),*]),
    };
    let others: Vec<usize> = (0..letters.len()).filter(|at| !taken.contains(at)).collect();
    let sizes = others.iter().map(|at| loops.size(&quote!(#x), latent.indices[*at].set));
    let shape = quote!([#(#sizes),*]);
    let of_prior = prior::call(loops, of, time.map(|position| &letters[position]));
    let (before, of_prior) = match taken.iter().all(|at| Some(*at) == time) {
        true => (None, of_prior),
        // Made once for all entries of the line.
        false => {
            let entries = others.iter().map(|at| &letters[*at]);
            (
                Some(quote!(let #prior = #of_prior;)),
                quote!(move |[#(#entries),*]| #prior([#(#letters),*])),
            )
        }
    };
    if parameters.iter().all(Vec::is_empty) {
        return quote!(#before let #law = #door::parameters(#shape, #of_prior););
    }
    let entries = others.iter().map(|at| named(&value, &letters[*at]));
    quote!(#before let #law = #door::conjugate(#shape, #of_prior, |[#(#entries),*]| #value);)
}

/// `n.theta[[d, k]]` and `exposure[[d, k]]`
pub(super) fn added(loops: &Loops<'_>, of: LatentId, letters: &[Ident]) -> [TokenStream; 2] {
    let (n, exposure, field) = (&loops.words.n, &loops.words.exposure, loops.latent(of));
    [
        entry(&quote!(#n.#field), letters.iter()),
        quote!(#exposure[[#(#letters),*]]),
    ]
}

/// `let (x, n) = (TopicsRead::from(s.reading()), TopicsRead::from(s.counted()));`, what some code reads of these.
pub(super) fn reads(loops: &Loops<'_>, code: &TokenStream, (x, n): (&Ident, &Ident)) -> TokenStream {
    let (read, s) = (&loops.names.read, &loops.words.s);
    let values = quote!(#read::from(#s.reading()));
    let counts = quote!(#read::from(#s.counted()));
    match (names(code, x), names(code, n)) {
        (true, true) => quote!(let (#x, #n) = (#values, #counts);),
        (true, false) => quote!(let #x = #values;),
        (false, true) => quote!(let #n = #counts;),
        (false, false) => quote!(),
    }
}

/// The summands of a parameter without those of the prior.
pub(super) fn beside_prior(all: &[Summand]) -> Vec<Summand> {
    all.iter().filter(|part| part.from != Origin::Prior).cloned().collect()
}

/// The summands of a parameter, numbered, of the law of a latent: the prior, what rates add, and what the priors of other latents add. An
/// index of the latent, by its position, may have one value.
pub(super) fn parameter_at(
    loops: &Loops<'_>,
    ((of, number), fixed): ((LatentId, usize), Option<usize>),
    all: &[Summand],
    added: TokenStream,
    lets: &mut Lets,
) -> Vec<Times> {
    let is_added = all.iter().any(|part| matches!(part.from, Origin::Rate(_)));
    let mut added = is_added.then(|| [added].into_iter().collect::<Times>());
    // A learned shape is a sum, every other parameter of a prior a product.
    let is_sum = |of: LatentId| number == 0 && loops.model().shape_of(of).is_some();
    let terms = all.iter().filter_map(|part| {
        let whose = match part.from {
            // The counts of all rates are added up, and so are the exposures.
            Origin::Rate(_) => return added.take(),
            Origin::Child(child) => child,
            Origin::Prior | Origin::Term { .. } => of,
        };
        let outside = if is_sum(whose) { 0.0 } else { 1.0 };
        let closed = Closed::of(loops, part, quote!()).outside(outside);
        let closed = match fixed {
            Some(fixed) => closed.beside(fixed, (0..part.own).filter(|own| *own != fixed).collect()),
            None => closed,
        };
        // The values of a child are zero beyond the last time, its shapes are not.
        let product = match (part.from, number) {
            (Origin::Child(_), 0) => closed.product_of_child(loops),
            _ => closed.product(loops),
        };
        let [_, value] = closed.form(product, lets);
        Some(value)
    });
    terms.collect()
}

/// `s.allocate_cells(Self::Y);`
pub(in super::super) fn allocation(loops: &Loops<'_>, number: usize, engine: Engine) -> TokenStream {
    let (door, s, count) = (door(), &loops.words.s, loops.names.constants.count(number));
    let name = updates::allocate(engine, &loops.model().count(number).name);
    let doc = updates::allocated(loops.derivation, loops.names, number, engine)
        + &updates::by_line(loops.model(), number, engine);
    let verb = quote::format_ident!(
        "{}",
        if engine == Engine::Gibbs {
            "allocate_cells"
        } else {
            "expect_cells"
        }
    );
    quote! {
        #[doc = #doc]
        fn #name(#s: &mut #door::State<'_>) {
            #s.#verb(#count);
        }
    }
}
