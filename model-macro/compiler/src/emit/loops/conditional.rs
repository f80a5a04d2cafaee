//! The conditional of every latent, from exposures and counts; and the sweep's steps before it.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::names::door;
use super::super::updates;
use super::Loops;
use super::closed::Lets;
use super::exposure::{self, Closed, of_rates};
use super::times::{Times, sum};
use super::words::{declared, names};
use super::{entry, in_turn, level};
use crate::derive::{Engine, Origin, Summand};
use crate::family::Family;
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
    of_nodes.chain(exposures).chain(levels).collect()
}

/// ```ignore
/// let exposure = Self::exposure_of_theta(s.reading(), &s.weights());
/// let (x, n) = (TopicsRead::from(s.reading()), TopicsRead::from(s.counted()));
/// let law = gammas([x.docs, x.topics], |[d, k]| [x.a + n.theta[[d, k]], x.b + exposure[[d, k]]]);
/// s.draw(Self::THETA, law);
/// ```
pub(in super::super) fn conditionals(loops: &Loops<'_>, of: LatentId, engine: Engine) -> TokenStream {
    if !loops.derivation.updates[of.0].sequence.is_empty() {
        return in_turn::conditional(loops, of, engine);
    }
    let (model, door, words) = (loops.model(), door(), &loops.words);
    let (s, x, n, law) = (&words.s, &words.x, &words.n, &words.law);
    let (latent, update) = (&model.latents[of.0], &loops.derivation.updates[of.0]);
    let (read, number) = (&loops.names.read, loops.names.constants.latent(of));
    let is_exposed = of_rates(update).next().is_some();
    let is_simplex = update.conditional.law.family.is_simplex();
    let conditional = match engine {
        Engine::Gibbs => &update.conditional,
        Engine::Cavi => &update.posterior,
    };
    let mut lets = Lets::beside(&[&words.exposure, law]);
    let letters = super::words::Words::locals(latent.indices.iter().map(|index| &index.name));
    let shape = loops.shape(&quote!(#x), &latent.indices);

    let counted = {
        let field = declared(&latent.name);
        entry(&quote!(#n.#field), letters.iter().cloned())
    };
    let exposed = {
        let exposure = &words.exposure;
        quote!(#exposure[[#(#letters),*]])
    };
    let added = [counted, exposed];
    let parameters = conditional.law.parameters.iter().zip(added);
    let parameters: Vec<TokenStream> = parameters
        .map(|(all, added)| sum(&parameter(loops, all, added, &mut lets)))
        .collect();
    let value = match &parameters[..] {
        [only] if is_simplex => only.clone(),
        all => quote!([#(#all),*]),
    };
    let family = match is_simplex {
        true => quote!(#door::simplices),
        false => pairs(&conditional.law.family),
    };
    let entries = letters.iter().map(|letter| match names(&value, letter) {
        true => quote!(#letter),
        false => quote!(_),
    });
    let statements = lets.statements;
    let found = quote! {
        #(#statements)*
        let #law = #family(#shape, |[#(#entries),*]| #value);
    };
    let exposure = (is_exposed && !is_simplex).then(|| {
        let (local, method) = (&words.exposure, exposure::method(loops, of));
        quote!(let #local = Self::#method(#s.reading(), &#s.weights());)
    });
    let values = quote!(#read::from(#s.reading()));
    let counts = quote!(#read::from(#s.counted()));
    let reads = match (names(&found, x), names(&found, n)) {
        (true, true) => quote!(let (#x, #n) = (#values, #counts);),
        (true, false) => quote!(let #x = #values;),
        (false, true) => quote!(let #n = #counts;),
        (false, false) => quote!(),
    };
    let end = match (engine, latent.own.as_ref().map(updates::reference)) {
        (Engine::Gibbs, None) => quote!(#s.draw(#number, #law);),
        (Engine::Gibbs, Some(own)) => quote!(#s.draw_by(#number, #own, #law);),
        (Engine::Cavi, None) => quote!(#s.ascend(#number, #law);),
        (Engine::Cavi, Some(own)) => quote!(#s.ascend_by(#number, #own, #law);),
    };
    let (name, doc) = (
        updates::method(engine, latent),
        updates::doc(loops.derivation, update, engine),
    );
    quote! {
        #[doc = #doc]
        fn #name(#s: &mut #door::State<'_>) {
            #exposure
            #reads
            #found
            #end
        }
    }
}

/// What makes the two parameters of a law at every entry.
pub(super) fn pairs(of: &Family) -> TokenStream {
    let door = door();
    match of.own {
        None => quote!(#door::gammas),
        Some(_) => quote!(#door::parameters),
    }
}

/// The summands of a parameter: the prior, what rates add, and what the priors of other latents add.
pub(super) fn parameter(loops: &Loops<'_>, all: &[Summand], added: TokenStream, lets: &mut Lets) -> Vec<Times> {
    let is_added = all.iter().any(|part| matches!(part.from, Origin::Rate(_)));
    let mut added = is_added.then(|| [added].into_iter().collect::<Times>());
    let w = quote!();
    let terms = all.iter().filter_map(|part| match part.from {
        // The counts of all rates are added up, and so are the exposures.
        Origin::Rate(_) => added.take(),
        Origin::Prior | Origin::Child(_) | Origin::Term { .. } => {
            let closed = Closed::of(loops, part, w.clone());
            let [_, value] = closed.scope().closed(closed.product(loops), lets);
            Some(value)
        }
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
