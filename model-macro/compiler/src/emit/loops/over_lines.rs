//! The sum over all lines of a latent at another place in a term, kept current while one line after another changes.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::quote;
use syn::Ident;

use super::super::names::door;
use super::closed::{Array, Product};
use super::summand::Closed;

/// The sum over all lines at another place of a latent, from which a line is taken out when it is updated. Of two ordered indices, one
/// sum loses line after line and the other gains it.
pub(super) struct OverLines {
    /// What it is called.
    pub name: Ident,
    /// The index that is summed over.
    other: usize,
    /// The indices of the sum.
    rest: Vec<usize>,
    /// Of which arrays it is not made.
    without: Vec<Array>,
    made: TokenStream,
    leave: TokenStream,
    enter: TokenStream,
    is_above: bool,
    is_below: bool,
}

impl OverLines {
    pub fn new(
        closed: &Closed<'_>,
        (other, axis, order): (usize, usize, Option<[usize; 2]>),
        (position, w): (usize, &Ident),
        name: Ident,
        at_cells: &[Array],
    ) -> Self {
        let door = door();
        let (with, without): (Vec<Array>, Vec<Array>) =
            at_cells.iter().cloned().partition(|array| array.at.contains(&other));
        let rest = closed.rest(&with, other);
        let is_above = order == Some([position, other]);
        let is_below = order == Some([other, position]);
        let made = match is_below {
            false => closed.made(&with, other, Some(axis), &rest),
            true if rest.is_empty() => quote!(0.0),
            true => {
                let sizes = rest.iter().map(|index| &closed.sizes[*index]);
                quote!(#door::Entries::zeros([#(#sizes),*]))
            }
        };
        // Arrays at the other place, as they are at the line.
        let at_own = with.into_iter().map(|array| Array {
            at: array
                .at
                .iter()
                .map(|index| if *index == other { position } else { *index })
                .collect(),
            entry: array
                .entry
                .map(|entry| renamed(entry, [other, position].map(|index| &closed.letters[index]))),
            ..array
        });
        let at_own: Vec<Array> = at_own.collect();
        let line = &closed.letters[position];
        let [leave, enter] = [quote!(-#w.at(#axis, #line)), quote!(#w.at(#axis, #line))]
            .map(|by| closed.added((&name, &rest), &[position], &at_own, &[by], false));
        Self {
            name,
            other,
            rest,
            without,
            made,
            leave,
            enter,
            is_above,
            is_below,
        }
    }

    /// Puts the sum in the place of what it is made of.
    pub fn stand_in(&self, of: &mut Product) {
        let name = &self.name;
        of.arrays = self.without.clone();
        match self.rest.is_empty() {
            true => of.numbers.factors.push(quote!(#name)),
            false => of
                .arrays
                .insert(0, Array::made(name.to_string(), name, self.rest.clone())),
        }
        of.order = None;
        of.weighed.retain(|(index, _)| *index != self.other);
        of.over.retain(|index| *index != self.other);
    }

    /// Makes it; takes a line out before it is read, or before the line is updated, and puts it in again.
    pub fn statements(self) -> [Option<TokenStream>; 4] {
        let Self {
            name,
            rest,
            made,
            leave,
            enter,
            is_above,
            is_below,
            ..
        } = self;
        let of_type = rest.is_empty().then(|| quote!(: f64));
        [
            Some(quote!(let mut #name #of_type = #made;)),
            is_above.then(|| quote!(#leave;)),
            (!is_above && !is_below).then(|| quote!(#leave;)),
            (!is_above).then(|| quote!(#enter;)),
        ]
    }
}

/// Some tokens with another letter in the place of one.
fn renamed(tokens: TokenStream, [from, to]: [&Ident; 2]) -> TokenStream {
    let all = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(word) if word == *from => TokenTree::Ident(to.clone()),
        TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), renamed(group.stream(), [from, to]))),
        other => other,
    });
    all.collect()
}
