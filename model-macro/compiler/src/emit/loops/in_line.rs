//! The conditional of a latent that is twice in a term: one line after another, with a sum over the other lines kept current.

use proc_macro2::{TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::Ident;

use super::super::names::door;
use super::super::updates;
use super::closed::{Array, Lets, Product};
use super::conditional::{pairs, parameter};
use super::exposure::{Closed, of_rates};
use super::times::{Times, sum};
use super::words::{Words, declared, names};
use super::{Loops, entry};
use crate::derive::{Engine, Leaf, Origin, Summand};
use crate::resolve::LatentId;

/// ```ignore
/// fn draw_theta(s: &mut State<'_>) {
///     Self::theta_in_turn(s, |s, i, law| s.draw_at(Self::THETA, 0, i, law));
/// }
/// ```
pub(super) fn conditional(loops: &Loops<'_>, of: LatentId, engine: Engine) -> TokenStream {
    let (model, door, s, law) = (loops.model(), door(), &loops.words.s, &loops.words.law);
    let (latent, update) = (&model.latents[of.0], &loops.derivation.updates[of.0]);
    let position = update.sequence[0];
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let (line, number) = (&letters[position], loops.names.constants.latent(of));
    let (name, doc) = (
        updates::method(engine, latent),
        updates::doc(loops.derivation, update, engine),
    );
    let in_turn = format_ident!("{}_in_turn", loops.latent(of));
    let call = match (engine, latent.own.as_ref().map(updates::reference)) {
        (Engine::Gibbs, None) => quote!(#s.draw_at(#number, #position, #line, #law)),
        (Engine::Gibbs, Some(own)) => quote!(#s.draw_at_by(#number, #position, #line, #own, #law)),
        (Engine::Cavi, None) => quote!(#s.ascend_at(#number, #position, #line, #law)),
        (Engine::Cavi, Some(own)) => quote!(#s.ascend_at_by(#number, #position, #line, #own, #law)),
    };
    // Both engines take the same sums, one of them of means.
    let [shared, same] = Engine::BOTH.map(|engine| in_turn_of(loops, of, engine));
    assert_eq!(
        shared.to_string(),
        same.to_string(),
        "one function computes the laws of lines"
    );
    let shared = (engine == Engine::Gibbs).then(|| {
        let doc = format!("Hands over the law of each value of `{line}` in turn, at current values of the others.");
        quote! {
            #[doc = #doc]
            fn #in_turn(#s: &mut #door::State<'_>, hand_over: fn(&mut #door::State<'_>, usize, [Vec<f64>; 2])) {
                #shared
            }
        }
    });
    quote! {
        #shared

        #[doc = #doc]
        fn #name(#s: &mut #door::State<'_>) {
            Self::#in_turn(#s, |#s, #line, #law| #call);
        }
    }
}

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
///     let law = gammas([x.groups], |[c]| [
///         0.5 + n.theta[[i, c]],
///         1.0 + (0..x.groups).map(|e| weighed_j[[e]] * x.pi[[c, e]]).sum::<f64>(),
///     ]);
///     add_multiple(over_j.row_mut([]), -w.at(1, i), x.theta.row([i]));
///     hand_over(s, i, law);
///     let x = BlockRead::from(s.reading());
///     add_multiple(over_j.row_mut([]), w.at(1, i), x.theta.row([i]));
/// }
/// ```
fn in_turn_of(loops: &Loops<'_>, of: LatentId, engine: Engine) -> TokenStream {
    let (model, words) = (loops.model(), &loops.words);
    let (s, x, n, w, law) = (&words.s, &words.x, &words.n, &words.w, &words.law);
    let (latent, update) = (&model.latents[of.0], &loops.derivation.updates[of.0]);
    let read = &loops.names.read;
    let position = update.sequence[0];
    let letters = Words::locals(latent.indices.iter().map(|index| &index.name));
    let line = &letters[position];
    let parts: Vec<&Summand> = of_rates(update).collect();

    let mut lets = Lets::beside(&[w, law]);
    let lines: Vec<Line> = parts
        .iter()
        .map(|part| Line::new(loops, part, (of, position), &mut lets))
        .collect();

    let conditional = match engine {
        Engine::Gibbs => &update.conditional,
        Engine::Cavi => &update.posterior,
    };
    let counted = {
        let field = declared(&latent.name);
        entry(&quote!(#n.#field), letters.iter().cloned())
    };
    let exposed: Vec<Times> = lines.iter().map(|line| line.exposure.clone()).collect();
    let added = [counted, sum(&exposed)];
    let parameters = conditional.law.parameters.iter().zip(added);
    let parameters: Vec<TokenStream> = parameters
        .map(|(all, added)| sum(&parameter(loops, all, added, &mut lets)))
        .collect();
    // Sums over whole arrays in priors stand before the loop.
    let mut before = lets.take();
    before.extend(lines.iter().map(|line| line.over.clone()));
    // So do those that no value of a line is in.
    let mut current: Vec<Ident> = lines.iter().flat_map(|line| line.locals.clone()).collect();
    current.push(line.clone());
    let mut inside: Vec<TokenStream> = Vec::new();
    let mut put = |statement: &TokenStream| match current.iter().any(|local| names(statement, local)) {
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
    let others = || {
        let indices = latent.indices.iter().zip(&letters).enumerate();
        indices.filter(|(at, _)| *at != position).map(|(_, of)| of)
    };
    let shape = others().map(|(index, _)| loops.size(&quote!(#x), index.set));
    let value = quote!([#(#parameters),*]);
    let entries = others().map(|(_, letter)| match names(&value, letter) {
        true => quote!(#letter),
        false => quote!(_),
    });
    let [leave, enter] = [true, false].map(|leaves| {
        lines
            .iter()
            .map(move |line| if leaves { &line.leave } else { &line.enter })
    });
    let size = loops.size(&quote!(#x), latent.indices[position].set);
    let count = parts.iter().find_map(|part| match part.from {
        Origin::Rate(place) => Some(loops.names.constants.count(place.count)),
        Origin::Prior | Origin::Child(_) | Origin::Term { .. } => None,
    });
    let pairs = pairs(&conditional.law.family);
    let values = quote!(#read::from(#s.reading()));
    let counts = quote!(#read::from(#s.counted()));
    quote! {
        let #w = &#s.weights()[#count];
        let #x = #values;
        #(#before)*
        for #line in 0..#size {
            let (#x, #n) = (#values, #counts);
            #(#inside)*
            let #law = #pairs([#(#shape),*], |[#(#entries),*]| #value);
            #(#leave)*
            hand_over(#s, #line, #law);
            let #x = #values;
            #(#enter)*
        }
    }
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

/// What one of the two places of a latent adds to its exposure at a line.
struct Line {
    /// The sum over all lines at the other place: `let mut over_j = ..;`.
    over: TokenStream,
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
    locals: [Ident; 2],
}

impl Line {
    fn new(loops: &Loops<'_>, of: &Summand, (latent, position): (LatentId, usize), lets: &mut Lets) -> Self {
        let (door, words, w) = (door(), &loops.words, &loops.words.w);
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
        let other = of.factors.iter().find_map(|leaf| match leaf {
            Leaf::Latent(id, at) if *id == latent => Some(at[position]),
            _ => None,
        });
        let other = other.unwrap_or_default();
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
        let letter = |index: usize| closed.letters()[index].clone();
        let [over_all, weighed] = ["over", "weighed"].map(|word| {
            let word = format!("{word}_{}", letter(other));
            lets.local(words, &word)
        });

        // The sum over all lines.
        let scope = closed.scope();
        let (with, without): (Vec<Array>, Vec<Array>) =
            at_cells.iter().cloned().partition(|array| array.at.contains(&other));
        let rest = scope.rest(&with, other);
        // Of two ordered indices, one sum loses line after line and the other gains it.
        let is_above = order == Some([position, other]);
        let is_below = order == Some([other, position]);
        let made = match is_below {
            false => scope.made(&with, other, Some(axis_of(other)), &rest),
            true if rest.is_empty() => quote!(0.0),
            true => {
                let sizes = rest.iter().map(|index| &closed.sizes()[*index]);
                let nothing = rest.iter().map(|_| quote!(_));
                quote!(#door::Entries::of([#(#sizes),*], |[#(#nothing),*]| 0.0))
            }
        };
        let over_sum = match rest.is_empty() {
            true => quote!(let mut #over_all: f64 = #made;),
            false => quote!(let mut #over_all = #made;),
        };

        // By the weights of the line.
        let mut indices: Vec<usize> = own.iter().copied().filter(is_cell).collect();
        for index in at_cells.iter().flat_map(|array| &array.at) {
            if !cells.contains(index) && *index != position && !indices.contains(index) {
                indices.push(*index);
            }
        }
        let sums = Array::made(over_all.to_string(), &over_all, rest.clone());
        let is_number = sums.at.is_empty();
        let summed = Product {
            numbers: is_number.then(|| quote!(#over_all)).into_iter().collect(),
            arrays: (!is_number).then_some(sums).into_iter().chain(without).collect(),
            order: None,
            found: Vec::new(),
            weighed: weighed_by
                .iter()
                .copied()
                .filter(|(index, _)| *index != other)
                .collect(),
            over: cells.iter().copied().filter(|index| *index != other).collect(),
        };
        let at_line = Closed::of(loops, of, quote!(#w)).beside(position, indices.clone());
        let base: Times = [quote!(#w.base())].into_iter().collect();
        let [weights, product] = at_line.scope().closed(summed, lets);
        let value = base.and(weights).and(product).tokens();
        let for_weighed = lets.take();
        let sizes =
            |of: &[usize]| -> Vec<TokenStream> { of.iter().map(|index| closed.sizes()[*index].clone()).collect() };
        let named = |of: &[usize], code: &TokenStream| -> Vec<TokenStream> {
            of.iter()
                .map(|index| {
                    let letter = letter(*index);
                    if names(code, &letter) {
                        quote!(#letter)
                    } else {
                        quote!(_)
                    }
                })
                .collect()
        };
        let (shape, entries) = (sizes(&indices), named(&indices, &value));
        let body = scope.added((&weighed, &indices), &cells, &at_cells, &[quote!(#e)], true);
        let cell: Vec<usize> = {
            let mut by_axis = weighed_by.clone();
            by_axis.sort_by_key(|(_, axis)| *axis);
            by_axis.into_iter().map(|(index, _)| index).collect()
        };
        let place = cell.iter().map(|index| match *index == position {
            true => quote!(_),
            false => {
                let letter = letter(*index);
                if names(&body, &letter) {
                    quote!(#letter)
                } else {
                    quote!(_)
                }
            }
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
            found: Vec::new(),
            weighed: Vec::new(),
            order: None,
            over: over.into_iter().filter(|index| !cells.contains(index)).collect(),
        };
        match indices.is_empty() {
            true => exposed.numbers.factors.push(quote!(#weighed[[]])),
            false => exposed
                .arrays
                .insert(0, Array::made(weighed.to_string(), &weighed, indices)),
        }
        let [weights, exposure] = scope.closed(exposed, lets);
        let exposure = weights.and(exposure);
        let for_exposure = lets.take();

        // Arrays at the other place, as they are at the line.
        let at_own: Vec<Array> = with
            .into_iter()
            .map(|array| Array {
                at: array
                    .at
                    .iter()
                    .map(|index| if *index == other { position } else { *index })
                    .collect(),
                ..array
            })
            .collect();
        let axis = axis_of(other);
        let [leave, enter] = [quote!(-#w.at(#axis, #line)), quote!(#w.at(#axis, #line))]
            .map(|by| scope.added((&over_all, &rest), &[position], &at_own, &[by], false));
        Self {
            over: over_sum,
            weighed: weighed_sum,
            for_weighed,
            exposure,
            for_exposure,
            before: is_above.then(|| quote!(#leave;)),
            leave: (!is_above && !is_below).then(|| quote!(#leave;)),
            enter: (!is_above).then(|| quote!(#enter;)),
            locals: [over_all, weighed],
        }
    }
}
