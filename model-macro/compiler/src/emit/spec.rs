//! The declaration as plain data, for the self-test: what it checks the derivation against.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;
use syn::spanned::Spanned;

use super::names::door;
use crate::check::camel;
use crate::derive::DerivedModel;
use crate::resolve::{
    Access, Count, DataId, Guard, HyperId, Index, Indices, Latent, Model, Positions, SetId, Side, Source, Term,
    TotalOf, VarId,
};
use crate::syntax::Domain;

/// A `Spec` as a constant expression.
pub(super) fn spec(derivation: &DerivedModel) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let name = model.name.to_string();
    let sets = model.sets.iter().map(|s| s.name.to_string());
    let hypers = model.hypers.iter().map(|h| {
        let (name, domain, default) = (h.name.to_string(), domain(h.domain), option(h.default.map(|n| n.value)));
        quote!(#door::HyperSpec::new(#name, #door::Domain::#domain, #default))
    });
    let per = model.per_sets().into_iter().map(|set| {
        let (name, set) = (format!("1/size({})", model.set(set)), set.0);
        quote!(#door::HyperSpec::per_size(#name, #set))
    });
    let hypers = hypers.chain(per);
    let arrays = model.data.iter().map(|d| {
        let (name, domain, default) = (d.name.to_string(), domain(d.domain), option(d.default.map(|n| n.value)));
        let sets = d.indices.iter().map(|i| i.set.0);
        if let Some(SetId(set)) = d.positions {
            return quote!(#door::ArraySpec::data(#name, &[#(#sets),*], #door::Domain::PositionIn(#set)));
        }
        match d.hyper {
            true => quote!(#door::ArraySpec::hyper(#name, &[#(#sets),*], #door::Domain::#domain, #default)),
            false => quote!(#door::ArraySpec::data(#name, &[#(#sets),*], #door::Domain::#domain)),
        }
    });
    let latents = model.latents.iter().enumerate().map(|(id, of)| {
        let shape = model.shapes.iter().position(|shape| shape.of.0 == id);
        let learned = shape.map(|shape| {
            let tables = count(model, &model.shapes[shape].tables);
            quote!(.with_shape(&#tables))
        });
        let latent = latent(model, of);
        quote!(#latent #learned)
    });
    let custom_updates = (model.latents.iter().enumerate()).filter_map(|(i, l)| l.own.as_ref().map(|_| i));
    // Loops go over blocks of cells or over stored cells.
    let counts = model.counts.iter().map(|of| count(model, of));
    quote! {
        #door::Spec {
            name: #name,
            sets: &[#(#sets),*],
            hypers: &[#(#hypers),*],
            arrays: &[#(#arrays),*],
            latents: &[#(#latents),*],
            custom_updates: &[#(#custom_updates),*],
            counts: &[#(#counts),*],
        }
    }
}

fn option(value: Option<f64>) -> TokenStream {
    match value {
        Some(value) => quote!(Some(#value)),
        None => quote!(None),
    }
}

fn latent(model: &Model, latent: &Latent) -> TokenStream {
    let (door, name) = (door(), latent.name.to_string());
    let sets = latent.indices.iter().map(|i| i.set.0);
    let (family, sets) = (&latent.prior.family, quote!(&[#(#sets),*]));
    let along = latent.along().map(|along| quote!(#along));
    let terms = latent.prior.terms.iter();
    let arguments = terms.map(|of| term(model, &latent.prior.vars, of)).chain(along);
    let constructor = format_ident!("{}", family.constructor);
    // What is not a family is reported at its token.
    let written = &family.name;
    let own = family
        .own
        .as_ref()
        .map(|own| quote_spanned!(own.span()=> #written, &#own,));
    quote!(#door::LatentSpec::#constructor(#name, #sets, #own #(#arguments),*))
}

fn count(model: &Model, count: &Count) -> TokenStream {
    let (door, name, free) = (door(), count.name.to_string(), count.free);
    let vars = count.vars.iter().map(|v| v.set.0);
    let guards = count.guards.iter().map(guard);
    let terms = count.terms.iter().enumerate().map(|(at, of)| {
        let term = term(model, &count.vars, of);
        let minus = (count.side(at) == Side::Minus).then(|| quote!(.minus()));
        quote!(#term #minus)
    });
    let (total, hidden) = (total(count), count.is_hidden());
    quote! {
        #door::CountSpec {
            name: #name,
            vars: &[#(#vars),*],
            free: #free,
            guards: &[#(#guards),*],
            terms: &[#(#terms),*],
            total: #total,
            is_hidden: #hidden,
        }
    }
}

/// `Some(TotalSpec { of: TotalKind::Array(0), vars: &[0], along: 1 })`, or `None`.
fn total(count: &Count) -> TokenStream {
    let Some(total) = &count.total else {
        return quote!(None);
    };
    let door = door();
    let of = match total.of {
        TotalOf::Hyper(HyperId(at)) => quote!(Hyper(#at)),
        TotalOf::Data(DataId(at)) => quote!(Array(#at)),
        TotalOf::Count(at) => quote!(Count(#at)),
    };
    let (vars, along) = (list(&total.vars), total.along.0);
    quote!(Some(#door::TotalSpec { of: #door::TotalKind::#of, vars: #vars, along: #along }))
}

/// A term over `vars`.
fn term(model: &Model, vars: &[Index], term: &Term) -> TokenStream {
    let (door, number) = (door(), term.coefficient.number);
    let hypers = model.hyper_numbers(&term.coefficient);
    if term.factors.is_empty() && term.summed.is_empty() {
        return quote!(#door::Term::number(#number, &[#(#hypers),*]));
    }
    let factors = term.factors.iter().map(factor);
    let summed = list(&term.summed);
    let lookups = lookups(vars, term);
    quote!(#door::Term::new(#number, &[#(#hypers),*], &[#(#factors),*], #summed) #lookups)
}

/// `.looking_up(&[Lookup::new(3, 0, &[0]), Lookup::back(4, 1, &[0])])`: which indices of a term are entries of arrays of positions, or are
/// shifted; nothing if none is.
fn lookups(vars: &[Index], term: &Term) -> TokenStream {
    let (door, mut known) = (door(), Vec::new());
    for var in term.factors.iter().flat_map(|factor| &factor.vars) {
        if !known.contains(var) {
            known.push(*var);
        }
    }
    let each = known.iter().filter_map(|var| {
        let lookup = vars.lookup(*var)?;
        let (var, at) = (var.0, list(&lookup.at));
        Some(match lookup.of {
            Positions::In(DataId(array)) => quote!(#door::Lookup::new(#var, #array, #at)),
            Positions::Back(back) => quote!(#door::Lookup::back(#var, #back, #at)),
        })
    });
    match each.collect::<Vec<_>>() {
        none if none.is_empty() => quote!(),
        each => quote!(.looking_up(&[#(#each),*])),
    }
}

fn factor(factor: &Access) -> TokenStream {
    let (door, vars) = (door(), list(&factor.vars));
    let plain = match factor.of {
        Source::Latent(id) => {
            let at = id.0;
            quote!(#door::Factor::latent(#at, #vars))
        }
        Source::Data(id) => {
            let at = id.0;
            quote!(#door::Factor::array(#at, #vars))
        }
        Source::Hyper(id) => {
            let at = id.0;
            quote!(#door::Factor::hyper(#at))
        }
    };
    let start = factor.start.map(|start| {
        let (var, until) = (start.var.0, start.until);
        quote!(.at_first(#var, #until))
    });
    quote!(#plain #start)
}

fn list(vars: &[VarId]) -> TokenStream {
    let vars = vars.iter().map(|v| v.0);
    quote!(&[#(#vars),*])
}

/// A clause of `where`, between two axes of the data.
fn guard(guard: &Guard) -> TokenStream {
    let (door, left, right, less) = (door(), guard.left.0, guard.right.0, guard.less);
    quote!(#door::Guard { left: #left, right: #right, less: #less })
}

/// `Positive`
fn domain(domain: Domain) -> Ident {
    format_ident!("{}", camel(domain.keyword()))
}
