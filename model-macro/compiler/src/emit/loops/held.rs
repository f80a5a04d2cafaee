//! What the struct of tokens in the generated file has fields for: sizes, urns, known arrays and positions.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::super::names::door;
use super::words::declared;
use super::{Loops, words};
use crate::resolve::{Access, DataId, LatentId, SetId, Source, Term};

/// What a struct of tokens has fields for.
pub(super) struct Held {
    /// Sizes of the indices that tokens take.
    sets: Vec<SetId>,
    /// Latents of rates, each with the position of the index whose entries are side by side.
    latents: Vec<(LatentId, usize)>,
    /// Known arrays of rates, likewise.
    factors: Vec<(DataId, usize)>,
    /// Arrays of positions.
    positions: Vec<DataId>,
    /// For each count the field of the numbers of its terms, where these are several.
    pub numbers: Vec<Option<Ident>>,
}

impl Held {
    pub fn of(loops: &Loops<'_>) -> Self {
        let model = loops.model();
        let mut held = Self {
            sets: Vec::new(),
            latents: Vec::new(),
            factors: Vec::new(),
            positions: Vec::new(),
            numbers: Vec::new(),
        };
        let declared_names = || {
            let latents = model.latents.iter().map(|latent| latent.name.to_string());
            let data = model.data.iter().map(|data| data.name.to_string());
            latents
                .chain(data)
                .chain(model.sets.iter().map(|set| set.name.to_string()))
        };
        for count in &model.counts {
            for term in &count.terms {
                for var in &term.summed {
                    let set = count.vars[var.0].set;
                    if !held.sets.contains(&set) {
                        held.sets.push(set);
                    }
                }
                for access in &term.factors {
                    match access.of {
                        Source::Latent(of) => hold(&mut held.latents, of, access, term, model.latents[of.0].along()),
                        Source::Data(of) => hold(&mut held.factors, of, access, term, None),
                        Source::Hyper(_) => {}
                    }
                    for var in &access.vars {
                        let array = count.vars[var.0].lookup.as_ref().and_then(|lookup| lookup.array());
                        if let Some(of) = array.filter(|of| !held.positions.contains(of)) {
                            held.positions.push(of);
                        }
                    }
                }
            }
            let mut name = format!("numbers_of_{}", count.name);
            while declared_names().any(|other| other == name) {
                name.push('_');
            }
            held.numbers.push((count.terms.len() > 1).then(|| words::ident(&name)));
        }
        held.sets.sort_unstable();
        held
    }

    /// The fields, each with its type and its value.
    pub fn fields(&self, loops: &Loops<'_>) -> Vec<(TokenStream, TokenStream)> {
        let (model, door, x) = (loops.model(), door(), &loops.words.x);
        let urns = loops.words.beside(["urns", "of_latents"]);
        let read = quote!(#x);
        let sets = self.sets.iter().map(|set| {
            let name = declared(model.set(*set));
            (quote!(#name: usize), quote!(#name: #x.#name))
        });
        let latents = self.latents.iter().map(|(of, last)| {
            let (name, indices) = (loops.latent(*of), &model.latents[of.0].indices);
            let (rank, shape) = (indices.len(), loops.shape(&read, indices));
            let (bound, number) = (&loops.names.bound, &loops.names.constants.latents[of.0]);
            (
                quote!(#name: #door::Urn<#rank>),
                quote!(#name: #urns.of(#bound::#number, #shape, #last)),
            )
        });
        let factors = self.factors.iter().map(|(of, last)| {
            let (name, rank) = (declared(&model.data[of.0].name), model.data[of.0].indices.len());
            (
                quote!(#name: #door::Urn<#rank>),
                quote!(#name: #urns.known(&#x.#name, #last)),
            )
        });
        let positions = self.positions.iter().map(|of| {
            let (name, rank) = (declared(&model.data[of.0].name), model.data[of.0].indices.len());
            (quote!(#name: #door::Entries<#rank>), quote!(#name: #x.#name.copied()))
        });
        let numbers = self.numbers.iter().zip(&model.counts).filter_map(|(name, count)| {
            let name = name.as_ref()?;
            let all = count
                .terms
                .iter()
                .map(|term| loops.scalar(&read, &term.coefficient).tokens());
            let terms = count.terms.len();
            Some((
                quote!(#name: #door::Urn<1>),
                quote!(#name: #urns.known(&#door::Entries::new([#terms], Vec::from([#(#all),*])), 0)),
            ))
        });
        sets.chain(latents)
            .chain(factors)
            .chain(positions)
            .chain(numbers)
            .collect()
    }

    /// `visit(Some(TopicsModel::THETA), &self.theta)`
    pub fn urns(&self, loops: &Loops<'_>) -> Vec<TokenStream> {
        let latents = self.latents.iter().map(|(of, _)| {
            let (bound, number, name) = (
                &loops.names.bound,
                &loops.names.constants.latents[of.0],
                loops.latent(*of),
            );
            quote!(visit(Some(#bound::#number), &self.#name))
        });
        let factors = self.factors.iter().map(|(of, _)| {
            let name = declared(&loops.model().data[of.0].name);
            quote!(visit(None, &self.#name))
        });
        let numbers = self
            .numbers
            .iter()
            .flatten()
            .map(|name| quote!(visit(None, &self.#name)));
        latents.chain(factors).chain(numbers).collect()
    }
}

/// Holds an array with the position of an index that tokens take, or else of the last one. One along which a simplex sums to one is taken if there is no
/// other: what its lines hold is then a number for all entries that are weighed.
fn hold<I: PartialEq>(held: &mut Vec<(I, usize)>, of: I, access: &Access, term: &Term, along: Option<usize>) {
    let mut taken = (0..access.vars.len()).filter(|position| term.summed.contains(&access.vars[*position]));
    let other = taken.clone().find(|position| Some(*position) != along);
    let last = other.or_else(|| taken.next());
    match held.iter_mut().find(|(held, _)| *held == of) {
        Some((_, held)) => *held = other.filter(|_| Some(*held) == along).unwrap_or(*held),
        None => held.push((of, last.unwrap_or(access.vars.len().saturating_sub(1)))),
    }
}
