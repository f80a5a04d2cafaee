//! The laws of the lines of a latent that is several times in a term, with a sum over the other lines kept current where it is there twice.

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::Ident;

use super::super::names::door;
use super::closed::{Array, Lets, Product};
use super::conditional::conjugate;
use super::exposure::of_rates;
use super::over_lines::OverLines;
use super::summand::Closed;
use super::times::{Times, sum};
use super::words::{Words, declared, named, names};
use super::{Loops, entry};
use crate::derive::{Engine, Leaf, Summand};
use crate::resolve::LatentId;
use crate::show;

/// ```ignore
/// let w = &s.weights()[Self::Y];
/// let x = BlockRead::from(s.reading());
/// let mut over_j = x.theta.sum::<1>(0, |j| w.at(1, j));
/// for i in 0..x.actors {
///     let (x, n) = (BlockRead::from(s.reading()), BlockRead::from(s.counted()));
///     let mut weighed_j = Entries::of([x.groups], |[e]| w.base() * w.at(0, i) * over_j[[e]]);
///     w.correct_along(0, i, &mut weighed_j, &|[_, j, ..], excess, weighed_j| {
///         add_multiple(weighed_j.row_mut([]), excess, x.theta.row([j]));
///     });
///     let prior = Self::prior_of_theta(x);
///     let law = conjugate([x.groups], move |[c]| prior([i, c]), |[c]| [
///         n.theta[[i, c]],
///         (0..x.groups).map(|e| weighed_j[[e]] * x.pi[[c, e]]).sum::<f64>(),
///     ]);
///     add_multiple(over_j.row_mut([]), -w.at(1, i), x.theta.row([i]));
///     hand_over(s, i, law);
///     let x = BlockRead::from(s.reading());
///     add_multiple(over_j.row_mut([]), w.at(1, i), x.theta.row([i]));
/// }
/// ```
pub(super) fn laws(loops: &Loops<'_>, of: LatentId, engine: Engine) -> TokenStream {
    let (model, words) = (loops.model(), &loops.words);
    let (s, x, n, w, law) = (&words.s, &words.x, &words.n, &words.w, &words.law);
    let (latent, update) = (&model.latents[of.0], &loops.derivation.updates[of.0]);
    let read = &loops.names.read;
    let position = update.sequence[0];
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let line = &letters[position];
    let parts: Vec<&Summand> = of_rates(update).collect();

    let mut lets = Lets::beside(&[w, law]);
    let weights = weights(loops, &parts, &mut lets);
    let lines: Vec<Line> = parts
        .iter()
        .zip(&weights)
        .map(|(part, (_, w))| Line::new(loops, part, w, (of, position), &mut lets))
        .collect();

    let counted = {
        let field = declared(&latent.name);
        entry(&quote!(#n.#field), letters.iter().cloned())
    };
    let exposed: Vec<Times> = lines.iter().map(|line| line.exposure.clone()).collect();
    let made = conjugate(loops, (of, &[position]), engine, [counted, sum(&exposed)], &mut lets);
    // Sums over whole arrays in priors stand before the loop.
    let mut before = lets.take();
    before.extend(lines.iter().filter_map(|line| line.over.clone()));
    // So do those that no value of a line is in.
    let mut current: Vec<Ident> = lines.iter().flat_map(|line| line.locals.clone()).collect();
    current.push(line.clone());
    let mut inside: Vec<TokenStream> = Vec::new();
    let field = loops.latent(of);
    let changes = |statement: &TokenStream, current: &[Ident]| {
        reads(statement, &field) || current.iter().any(|local| names(statement, local))
    };
    let mut put = |statement: &TokenStream| match changes(statement, &current) {
        false => before.push(statement.clone()),
        true => {
            current.extend(local_of(statement));
            inside.push(statement.clone());
        }
    };
    for line in &lines {
        line.before.iter().chain(&line.for_weighed).for_each(&mut put);
        line.weighed.iter().for_each(&mut put);
    }
    lines.iter().flat_map(|line| &line.for_exposure).for_each(put);
    let [leave, enter] = [true, false].map(|leaves| {
        lines
            .iter()
            .map(move |line| if leaves { &line.leave } else { &line.enter })
    });
    let values = quote!(#read::from(#s.reading()));
    let enter = quote!(#(#enter)*);
    let again = names(&enter, x).then(|| quote!(let #x = #values;));
    let size = loops.size(&quote!(#x), latent.indices[position].set);
    let mut counts_read: Vec<(usize, Ident)> = weights;
    counts_read.sort_by_key(|(count, _)| *count);
    counts_read.dedup();
    let counts_read = counts_read.iter().map(|(count, w)| {
        let count = loops.names.constants.count(*count);
        quote!(let #w = &#s.weights()[#count];)
    });
    let counts = quote!(#read::from(#s.counted()));
    quote! {
        #(#counts_read)*
        let #x = #values;
        #(#before)*
        for #line in 0..#size {
            let (#x, #n) = (#values, #counts);
            #(#inside)*
            #made
            #(#leave)*
            hand_over(#s, #line, #law);
            #again
            #enter
        }
    }
}

/// The count of each part, and what the weights of its cells are called.
fn weights(loops: &Loops<'_>, parts: &[&Summand], lets: &mut Lets) -> Vec<(usize, Ident)> {
    let counts: Vec<usize> = parts.iter().filter_map(|part| Some(part.place()?.count)).collect();
    let is_one = counts.iter().all(|count| *count == counts[0]);
    let mut all: Vec<(usize, Ident)> = Vec::new();
    for count in counts {
        let known = all.iter().find(|(other, _)| *other == count).map(|(_, w)| w.clone());
        let w = known.unwrap_or_else(|| match is_one {
            true => loops.words.w.clone(),
            false => lets.local(&loops.words, &show::weight_of(loops.model(), count)),
        });
        all.push((count, w));
    }
    all
}

/// Whether a statement reads a field.
fn reads(statement: &TokenStream, field: &Ident) -> bool {
    let mut is_behind_dot = false;
    statement.clone().into_iter().any(|token| {
        let is_it = match &token {
            TokenTree::Ident(word) => is_behind_dot && word == field,
            TokenTree::Group(group) => reads(&group.stream(), field),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        };
        is_behind_dot = matches!(&token, TokenTree::Punct(dot) if dot.as_char() == '.');
        is_it
    })
}

/// `name` in `let name = ..`; nothing in other statements.
fn local_of(statement: &TokenStream) -> Option<Ident> {
    let mut words = statement.clone().into_iter().map_while(|token| match token {
        TokenTree::Ident(word) => Some(word),
        _ => None,
    });
    let is_let = words.next().is_some_and(|word| word == "let");
    is_let.then(|| words.last()).flatten()
}

/// What one of the places of a latent adds to its exposure at a line.
struct Line {
    /// The sum over all lines at the only other place in the term: `let mut over_j = ..;`.
    over: Option<TokenStream>,
    /// The same by the weights of the line: `let mut weighed_j = ..;`, and what corrects it.
    weighed: [TokenStream; 2],
    /// What is summed before.
    for_weighed: Vec<TokenStream>,
    /// What the line adds, from the arrays above.
    exposure: Times,
    /// What is summed before.
    for_exposure: Vec<TokenStream>,
    /// Takes the line out of the sum over all before it is read, or before the line is updated, and puts it in again.
    before: Option<TokenStream>,
    leave: Option<TokenStream>,
    enter: Option<TokenStream>,
    locals: Vec<Ident>,
}

impl Line {
    fn new(loops: &Loops<'_>, of: &Summand, w: &Ident, (latent, position): (LatentId, usize), lets: &mut Lets) -> Self {
        let (door, words) = (door(), &loops.words);
        let e = &words.e;
        let own: Vec<usize> = (0..of.own).filter(|index| *index != position).collect();
        let closed = Closed::of(loops, of, quote!(#w)).beside(position, own.clone());
        let Product {
            numbers,
            arrays,
            weighed: weighed_by,
            over,
            order,
            ..
        } = closed.product(loops);
        let others = of.factors.iter().filter_map(|leaf| match leaf {
            Leaf::Latent(id, at) if *id == latent => Some(at[position]),
            _ => None,
        });
        let others: Vec<usize> = others.collect();
        let axis_of = |index: usize| {
            let found = weighed_by.iter().find(|(at, _)| *at == index);
            found.map_or(0, |(_, axis)| *axis)
        };
        let is_cell = |index: &usize| weighed_by.iter().any(|(at, _)| at == index);
        // Indices of the cell that are summed over.
        let cells: Vec<usize> = over.iter().copied().filter(is_cell).collect();
        let (at_cells, beyond): (Vec<Array>, Vec<Array>) = arrays
            .into_iter()
            .partition(|array| array.at.iter().any(|index| cells.contains(index)));
        let letter = |index: usize| closed.letters[index].clone();
        let of_others = match others.first().or(cells.first()) {
            Some(index) => letter(*index).to_string(),
            None => w.to_string(),
        };
        let mut local = |word: &str| lets.local(words, &format!("{word}_{of_others}"));
        // Where it is at one other place, which no array has beside that of the line, a sum over all lines is kept current.
        let is_kept = |other: &usize| {
            let is_of_both = |array: &Array| array.at.contains(other) && array.at.contains(&position);
            !at_cells.iter().any(is_of_both)
        };
        let kept = match others[..] {
            [other] if is_kept(&other) => Some((other, local("over"))),
            _ => None,
        };
        let weighed = local("weighed");

        let over_lines = kept.map(|(other, name)| {
            let place = (other, axis_of(other), order);
            OverLines::new(&closed, place, (position, w), name, &at_cells)
        });

        // By the weights of the line.
        let mut indices: Vec<usize> = own.iter().copied().filter(is_cell).collect();
        for index in at_cells.iter().flat_map(|array| &array.at) {
            if !cells.contains(index) && *index != position && !indices.contains(index) {
                indices.push(*index);
            }
        }
        let mut summed = Product {
            arrays: at_cells.clone(),
            order,
            weighed: weighed_by.clone(),
            over: cells.clone(),
            ..Product::default()
        };
        if let Some(over) = &over_lines {
            over.stand_in(&mut summed);
        }
        let at_line = Closed::of(loops, of, quote!(#w)).beside(position, indices.clone());
        let base = Times::of(quote!(#w.base()));
        let [weights, product] = at_line.form(summed, lets);
        let value = base.and(weights).and(product).tokens();
        let for_weighed = lets.take();
        let entries: Vec<TokenStream> = indices.iter().map(|index| named(&value, &letter(*index))).collect();
        let shape = indices.iter().map(|index| &closed.sizes[*index]);
        // A cell that weighs otherwise has a value of each of its indices, also of those that the latent has.
        let of_cell: Vec<usize> = weighed_by.iter().map(|(index, _)| *index).collect();
        let body = closed.added((&weighed, &indices), &of_cell, &at_cells, &[quote!(#e)], true);
        let place = of_cell.iter().map(|index| match *index == position {
            true => quote!(_),
            false => named(&body, &letter(*index)),
        });
        let axis = axis_of(position);
        let line = letter(position);
        let weighed_sum = [
            quote!(let mut #weighed = #door::Entries::of([#(#shape),*], |[#(#entries),*]| #value);),
            quote!(#w.correct_along(#axis, #line, &mut #weighed, &|[#(#place,)* ..], #e, #weighed| #body);),
        ];

        // What the line adds: the arrays that have no summed index of the cell are multiplied at the end.
        let mut exposed = Product {
            numbers,
            arrays: beyond,
            over: over.into_iter().filter(|index| !cells.contains(index)).collect(),
            ..Product::default()
        };
        match indices.is_empty() {
            true => exposed.numbers.factors.push(quote!(#weighed[[]])),
            false => exposed
                .arrays
                .insert(0, Array::made(weighed.to_string(), &weighed, indices)),
        }
        let [weights, exposure] = closed.form(exposed, lets);
        let exposure = weights.and(exposure);
        let for_exposure = lets.take();

        let locals = over_lines.iter().map(|over| over.name.clone()).chain([weighed]);
        let locals = locals.collect();
        let [over, before, leave, enter] = over_lines.map_or([const { None }; 4], OverLines::statements);
        Self {
            over,
            weighed: weighed_sum,
            for_weighed,
            exposure,
            for_exposure,
            before,
            leave,
            enter,
            locals,
        }
    }
}
