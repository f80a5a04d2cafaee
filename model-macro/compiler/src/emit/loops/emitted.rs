//! By which functions the runtime reaches those of a model.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::super::names::door;
use super::adjoint::reached;
use super::exposure::{self, of_rates};
use super::rate::made;
use super::words::Words;
use super::{Loops, level, prior, tokens};
use crate::derive::FormedSlot;
use crate::resolve::{LatentId, VarId};

/// ```ignore
/// const EMITTED: Emitted = Emitted { rate: |_, of| Box::new(TopicsRateOfY(of.into())), .. };
/// ```
pub(in super::super) fn emitted(loops: &Loops<'_>) -> TokenStream {
    let (door, words, constants) = (door(), &loops.words, &loops.names.constants);
    let (of, n, w, by) = (&words.of, &words.n, &words.w, &words.by);
    let all = loops.formed.len();
    let rate = by_count(loops, all, quote!(#of), |count| {
        let read = &loops.names.read;
        let rate = made(loops, count, &quote!(#read::from(#of)));
        quote!(Box::new(#rate))
    });
    let counts = by_count(loops, all, quote!(#of, #n), |count| {
        let counts = &loops.names.counts_of[count];
        quote!(Box::new(#counts::new(#of.into(), #n)))
    });
    let level = by_count(loops, loops.model().counts.len(), quote!(#of, #by, #w), |count| {
        let level = level::method(loops, count);
        quote!(Self::#level(#of, #by, #w))
    });
    let exposures = loops
        .derivation
        .updates
        .iter()
        .filter(|update| of_rates(update).next().is_some());
    let exposures = exposures.map(|update| {
        let (latent, method) = (constants.latent(update.latent), exposure::method(loops, update.latent));
        quote!(#latent => Self::#method(#of, #w).into_inner())
    });
    let latent = super::words::ident("latent");
    let prior = priors(loops, &latent);
    let tokens = tokens::emitted(loops);
    let sides = (0..loops.formed.len()).map(|count| sides(loops, count));
    quote! {
        /// How the engines reach these functions; which indices of a count, numbered as in `SPEC`, are those of rows,
        /// of columns and of sums; which latents right operands read, and of which these they read a copy by column;
        /// how tokens are drawn.
        const EMITTED: #door::Emitted = #door::Emitted {
            rate: #rate,
            counts: #counts,
            exposure: |#latent, #of, #w| match #latent { #(#exposures,)* _ => Vec::new() },
            level: #level,
            prior: #prior,
            sides: &[#(#sides),*],
            tokens: #tokens,
        };
    }
}

/// `|latent, of| ..`, the prior of one of the latents.
fn priors(loops: &Loops<'_>, latent: &Ident) -> TokenStream {
    let (of, x, read, model) = (&loops.words.of, &loops.words.x, &loops.names.read, loops.model());
    let last = LatentId(model.latents.len() - 1);
    let others = (0..last.0).map(LatentId).map(|of| {
        let (constant, prior) = (loops.names.constants.latent(of), entries_of_prior(loops, of));
        quote!(#constant => #prior)
    });
    let (others, end) = (others.collect::<Vec<_>>(), entries_of_prior(loops, last));
    let reads = quote!(let #x = #read::from(#of););
    match &others[..] {
        [] => quote!(|_, #of| { #reads #end }),
        others => quote!(|#latent, #of| { #reads match #latent { #(#others,)* _ => #end } }),
    }
}

/// `parameters([x.docs, x.topics], Self::prior_of_theta(x))`
fn entries_of_prior(loops: &Loops<'_>, of: LatentId) -> TokenStream {
    let (door, x) = (door(), &loops.words.x);
    let indices = &loops.model().latents[of.0].indices;
    let shape = loops.shape(&quote!(#x), indices);
    match loops.derivation.updates[of.0].in_time {
        None => {
            let prior = prior::call(loops, of, None);
            quote!(#door::parameters(#shape, #prior))
        }
        Some(position) => {
            let time = &Words::locals(indices.iter().map(|index| &index.name))[position];
            let prior = prior::call(loops, of, Some(time));
            quote!(#door::parameters_in_time(#position, #shape, |#time| #prior))
        }
    }
}

/// `|_, of| ..` of the only count, or a choice between several.
fn by_count(
    loops: &Loops<'_>,
    number: usize,
    arguments: TokenStream,
    of: impl Fn(usize) -> TokenStream,
) -> TokenStream {
    let last = number - 1;
    let count: Ident = super::words::ident("count");
    let others = (0..last).map(|number| {
        let (constant, value) = (loops.names.constants.count(number), of(number));
        quote!(#constant => #value)
    });
    let end = of(last);
    match last {
        0 => quote!(|_, #arguments| #end),
        _ => quote!(|#count, #arguments| match #count { #(#others,)* _ => #end }),
    }
}

/// `Sides { rows: &[0], cols: &[1], inner: &[&[2]], right: &[1], ..Sides::PRODUCTS }`
fn sides(loops: &Loops<'_>, number: usize) -> TokenStream {
    let (door, formed) = (door(), &loops.formed[number]);
    let list = |vars: &[VarId]| {
        let vars = vars.iter().map(|var| var.0);
        quote!(&[#(#vars),*])
    };
    let (rows, cols) = (list(&formed.rows), list(&formed.cols));
    let inner = formed.slots.iter().map(|slot| list(&slot.inner));
    let has_sums =
        formed.nodes.iter().any(|node| node.summed.is_some()) || formed.slots.iter().any(FormedSlot::has_sum);
    let below = formed.slots.iter().enumerate().map(|(at, slot)| {
        let of_nodes = formed
            .nodes
            .iter()
            .filter(|node| node.slot == at)
            .filter_map(|node| node.summed);
        let below: Vec<VarId> = slot.below.iter().flatten().copied().chain(of_nodes).collect();
        list(&below)
    });
    let below = has_sums.then(|| quote!(below: &[#(#below),*],));
    let right = reached(loops, number, true).into_iter().map(|of| of.0);
    let is_ordered = formed.order.is_some().then(|| quote!(is_ordered: true,));
    let by_cell = formed.by_cell.then(|| quote!(by_cell: true,));
    quote!(#door::Sides {
        rows: #rows,
        cols: #cols,
        inner: &[#(#inner),*],
        right: &[#(#right),*],
        #below
        #is_ordered
        #by_cell
        ..#door::Sides::PRODUCTS
    })
}
