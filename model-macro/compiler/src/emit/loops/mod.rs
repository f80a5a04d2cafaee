//! Rates and updates as plain loops over named arrays, for models whose operands are formed where they are read.

mod adjoint;
mod by_pass;
mod closed;
mod conditional;
mod correction;
mod emitted;
mod exposure;
mod handed;
mod held;
mod in_line;
mod in_turn;
mod level;
mod node;
mod over_lines;
mod prior;
mod rate;
mod read;
mod summand;
mod tables;
mod times;
mod tokens;
mod words;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Ident;

use super::as_derived::{assert_formed, assert_handed_down};
use super::hygiene::Item;
use super::names::Names;
use crate::derive::{DerivedModel, Formed, FormedSlot, Operand};
use crate::resolve::{Count, Index, Indices, LatentId, Model, Scalar, SetId, Source, VarId};
use times::Times;
use words::{Words, declared};

pub(super) use conditional::{allocation, conditionals, exposures};
pub(super) use emitted::emitted;
pub(super) use prior::prior;
pub(super) use tables::tables;

/// A model whose operands are formed where they are read, with the names of everything that is generated for it.
pub(super) struct Loops<'a> {
    derivation: &'a DerivedModel,
    names: &'a Names,
    formed: &'a [Formed],
    words: Words,
    /// What the inner nodes of each count are called.
    nodes: Vec<Vec<Ident>>,
}

/// From where code reads: values by the names of the declaration, and the inner nodes of a count.
#[derive(Clone)]
struct ReadFrom {
    /// What has the values.
    x: TokenStream,
    /// What has the nodes; nothing where they are locals.
    of: Option<TokenStream>,
    /// Of which count.
    number: usize,
}

impl<'a> Loops<'a> {
    /// The loops of a model.
    pub fn of(derivation: &'a DerivedModel, names: &'a Names) -> Self {
        let (formed, words) = (&derivation.formed[..], Words::new(&derivation.model));
        Self {
            nodes: node::names(&derivation.model, formed, &words),
            formed,
            words,
            derivation,
            names,
        }
    }

    /// What is read, and for each count its rate and the adjoint.
    pub fn parts(&self) -> Vec<Item> {
        let updates = self.derivation.updates.iter();
        updates.for_each(|update| assert_handed_down(self.derivation, update));
        let mut items = vec![read::read(self)];
        for (count, formed) in self.formed.iter().enumerate() {
            assert_formed(self.derivation, count, formed);
            items.push(rate::rate(self, count));
            items.push(adjoint::adjoint(self, count));
        }
        items.extend(tokens::tokens(self));
        items
    }

    /// What the weights of cells are called.
    pub fn weights(&self) -> &Ident {
        &self.words.w
    }

    fn model(&self) -> &'a Model {
        &self.derivation.model
    }

    /// `x.docs`
    fn size(&self, x: &TokenStream, set: SetId) -> TokenStream {
        let set = declared(self.model().set(set));
        quote!(#x.#set)
    }

    /// `x.topics * x.parts`, how many values some indices have together.
    fn sizes(&self, x: &TokenStream, count: &Count, vars: &[VarId]) -> TokenStream {
        let sizes = vars.iter().map(|var| self.size(x, count.vars[var.0].set));
        sizes.collect::<Times>().tokens()
    }

    /// `[x.docs, x.topics]`
    fn shape(&self, x: &TokenStream, indices: &[Index]) -> TokenStream {
        let sizes = indices.iter().map(|index| self.size(x, index.set));
        quote!([#(#sizes),*])
    }

    /// The name of a latent as a field.
    fn latent(&self, of: LatentId) -> Ident {
        declared(&self.model().latents[of.0].name)
    }

    /// `2.0 * x.a / x.docs as f64`; nothing for one.
    fn scalar(&self, x: &TokenStream, of: &Scalar) -> Times {
        let number = Some(of.number)
            .filter(|number| *number != 1.0)
            .map(|number| quote!(#number));
        let hypers = of.hypers.iter().map(|hyper| {
            let hyper = declared(&self.model().hypers[hyper.0].name);
            quote!(#x.#hyper)
        });
        let sizes = of.per.iter().map(|set| {
            let size = self.size(x, *set);
            quote!(#size as f64)
        });
        Times {
            factors: number.into_iter().chain(hypers).collect(),
            divisors: sizes.collect(),
        }
    }

    /// The array that an operand reads, and the indices at which it does; `None` of a number.
    fn array<'o>(&'o self, from: &ReadFrom, operand: &'o Operand) -> Option<(TokenStream, &'o [VarId])> {
        let ReadFrom { x, of, number } = from;
        let (name, at) = match operand {
            Operand::Buffer(node) => {
                let (name, at) = (&self.nodes[*number][*node], &self.formed[*number].nodes[*node].vars);
                let of = of.iter();
                return Some((quote!(#(#of.)* #name), at));
            }
            Operand::Latent(of, at) => (self.latent(*of), at),
            Operand::Data(of, at) => (declared(&self.model().data[of.0].name), at),
            Operand::Scalar(_) => return None,
            Operand::Started(..) => unreachable!("operands are formed of leaves"),
        };
        Some((quote!(#x.#name), at))
    }

    /// The arrays of two indices that columns read along the first, `phi[k, v]` at each `v` the values of `k`: each is copied once with its
    /// indices in the other order, as entries that are far apart cost a stored cell more than all else.
    fn turned(&self, number: usize) -> Vec<&Operand> {
        let count = self.model().count(number);
        let mut all: Vec<&Operand> = Vec::new();
        for slot in &self.formed[number].slots {
            let [last] = slot.inner[..] else { continue };
            let at = |operand: &Operand| match operand {
                Operand::Latent(_, at) | Operand::Data(_, at) => at.clone(),
                _ => Vec::new(),
            };
            // A product with what does not have that index is written entry by entry.
            let (side, is_read) = (slot.side(true), |operand: &Operand| at(operand).contains(&last));
            if slot.is_sum(true) || !side.iter().all(is_read) {
                continue;
            }
            let is_turned = |operand: &&Operand| matches!(at(operand)[..], [k, v] if k == last && count.is_free(v));
            for operand in side.iter().filter(is_turned) {
                if !all
                    .iter()
                    .any(|other| self.field(number, other) == self.field(number, operand))
                {
                    all.push(operand);
                }
            }
        }
        all
    }

    /// The name of an array as a field.
    fn field(&self, number: usize, operand: &Operand) -> Option<Ident> {
        match operand {
            Operand::Buffer(node) => Some(self.nodes[number][*node].clone()),
            operand => match operand.leaf()?.0 {
                Source::Latent(of) => Some(self.latent(of)),
                Source::Data(of) => Some(declared(&self.model().data[of.0].name)),
                Source::Hyper(of) => Some(declared(&self.model().hypers[of.0].name)),
            },
        }
    }

    /// Whether columns of a count read a latent that is turned.
    fn is_turned(&self, number: usize, of: LatentId) -> bool {
        let mut all = self.turned(number).into_iter();
        all.any(|operand| matches!(operand, Operand::Latent(latent, _) if *latent == of))
    }

    /// Whether columns read an operand of a slot where it is turned.
    fn is_read_turned(&self, number: usize, slot: &FormedSlot, operand: &Operand) -> bool {
        match operand {
            Operand::Latent(of, at) if self.is_turned(number, *of) => {
                !slot.is_sum(true) && at.len() == 2 && slot.inner[..] == at[..1]
            }
            _ => false,
        }
    }

    /// `x.theta[[d, k]]`, or numbers.
    fn value(&self, from: &ReadFrom, operand: &Operand, letter: &dyn Fn(VarId) -> Ident) -> Times {
        match (operand, self.array(from, operand)) {
            (_, Some((array, at))) => {
                let count = self.model().count(from.number);
                [entry(&array, self.places(&from.x, count, at, letter))]
                    .into_iter()
                    .collect()
            }
            (Operand::Scalar(of), None) => self.scalar(&from.x, of),
            (_, None) => Times::default(),
        }
    }

    /// The indices of an entry. One that an index which is summed over tells is looked up where it is read.
    fn places(
        &self,
        x: &TokenStream,
        count: &Count,
        at: &[VarId],
        letter: &dyn Fn(VarId) -> Ident,
    ) -> Vec<TokenStream> {
        let place = |var: &VarId| match count.vars.shift(*var) {
            Some((base, back)) => {
                let base = letter(base);
                Some(quote!(#base - #back))
            }
            None if is_told_by_sum(count, *var) => self.position(x, count, *var, letter),
            None => None,
        };
        at.iter()
            .map(|var| {
                place(var).unwrap_or_else(|| {
                    let letter = letter(*var);
                    quote!(#letter)
                })
            })
            .collect()
    }

    /// `x.author.position([d])`
    fn position(
        &self,
        x: &TokenStream,
        count: &Count,
        var: VarId,
        letter: &dyn Fn(VarId) -> Ident,
    ) -> Option<TokenStream> {
        let (of, at) = count.vars.looked_up(var, &|var| var.0)?;
        let array = declared(&self.model().data[of.0].name);
        let at = at.into_iter().map(|at| letter(VarId(at)));
        Some(quote!(#x.#array.position([#(#at),*])))
    }

    /// The product of several operands, numbers first.
    fn product(&self, from: &ReadFrom, operands: &[&Operand], letter: &dyn Fn(VarId) -> Ident) -> Times {
        let (numbers, arrays): (Vec<&Operand>, Vec<&Operand>) = operands
            .iter()
            .partition(|operand| matches!(operand, Operand::Scalar(_)));
        let all = numbers.into_iter().chain(arrays);
        all.fold(Times::default(), |all, operand| {
            all.and(self.value(from, operand, letter))
        })
    }

    /// `let author = x.author.position([d]);` for every index that those of a cell tell and that some code reads.
    fn looked_up(&self, count: &Count, x: &TokenStream, code: &TokenStream) -> TokenStream {
        let letter = letter(count, &[]);
        let of_cell = looked_up(count).filter(|var| !is_told_by_sum(count, *var));
        let read = of_cell.filter(|var| words::names(code, &letter(*var)));
        let all = read.filter_map(|var| {
            let (name, position) = (letter(var), self.position(x, count, var, &letter)?);
            Some(quote!(let #name = #position;))
        });
        all.collect()
    }

    /// `[_, v, ..]`: the indices of a position that some code reads.
    fn place(&self, count: &Count, code: &TokenStream) -> TokenStream {
        let letters = free_letters(count);
        let Some(last) = letters.iter().rposition(|letter| words::names(code, letter)) else {
            return quote!(_);
        };
        let named = letters[..=last].iter().map(|letter| words::named(code, letter));
        match last + 1 == MOST_INDICES {
            true => quote!([#(#named),*]),
            false => quote!([#(#named,)* ..]),
        }
    }
}

/// How many indices a position has.
const MOST_INDICES: usize = 8;

/// `theta[[d, k]]`; an array without indices is a number.
fn entry<T: ToTokens>(array: &TokenStream, at: impl IntoIterator<Item = T>) -> TokenStream {
    let at: Vec<T> = at.into_iter().collect();
    match at.is_empty() {
        true => quote!(#array),
        false => quote!(#array[[#(#at),*]]),
    }
}

/// The letters of the indices of a cell.
fn free_letters(count: &Count) -> Vec<Ident> {
    let vars: Vec<VarId> = count.free_vars().collect();
    letters_of(count, &vars)
}

fn letters_of(count: &Count, vars: &[VarId]) -> Vec<Ident> {
    let names: Vec<String> = vars.iter().map(|var| count.vars[var.0].name.to_string()).collect();
    Words::letters(names.iter().map(String::as_str))
}

/// Whether an index is looked up at one that a term sums over.
fn is_told_by_sum(count: &Count, var: VarId) -> bool {
    let lookup = count.vars.lookup(var);
    lookup.is_some_and(|lookup| lookup.at.iter().any(|at| !count.is_free(*at)))
}

/// Whether an entry depends on an index: it is one of its own, or tells one.
fn is_read_by(count: &Count, at: &[VarId], var: VarId) -> bool {
    at.iter().any(|own| {
        let lookup = count.vars.lookup(*own);
        *own == var || lookup.is_some_and(|lookup| lookup.at.contains(&var))
    })
}

/// Whether the entries along an index are side by side: it is the last one, and tells none of the others.
fn is_row(count: &Count, at: &[VarId], along: VarId) -> bool {
    let Some((last, others)) = at.split_last() else {
        return false;
    };
    *last == along && !is_read_by(count, others, along)
}

/// The indices of a count that are looked up.
pub(super) fn looked_up(count: &Count) -> impl Iterator<Item = VarId> + '_ {
    let vars = (0..count.vars.len()).map(VarId);
    vars.filter(|var| count.vars.lookup(*var).is_some())
}

/// The letter of an index of a cell, of one that is looked up, or of one that a term sums over.
fn letter(count: &Count, inner: &[VarId]) -> impl Fn(VarId) -> Ident + use<> {
    let vars = count.free_vars().chain(looked_up(count)).chain(inner.iter().copied());
    let vars: Vec<VarId> = vars.collect();
    let letters = letters_of(count, &vars);
    move |var| {
        let at = vars.iter().position(|other| *other == var);
        letters[at.unwrap_or_default()].clone()
    }
}
