//! Inner nodes of a count, formed once a pass: sums of products that operands of columns read, and what is read at other times.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::super::names::door;
use super::closed::{Array, Lets, Product};
use super::rate::made as made_of;
use super::summand::Closed;
use super::times::Times;
use super::words::{Words, ident, numbers};
use super::{Loops, ReadFrom, is_read_by, letter};
use crate::derive::{Formed, Leaf, Letter, Node, Occurrence, Operand, Origin, Summand, Told};
use crate::resolve::{Count, Indices, Model, Scalar, Source, Start, VarId};
use crate::show;

/// What nodes are called: as what they are made of, and as nothing else of the model.
pub(super) fn names(model: &Model, formed: &[Formed], words: &Words) -> Vec<Vec<Ident>> {
    let latents = model.latents.iter().map(|latent| latent.name.to_string());
    let arrays = model.data.iter().map(|array| array.name.to_string());
    let sets = model.sets.iter().map(|set| set.name.to_string());
    let hypers = model.hypers.iter().map(|hyper| hyper.name.to_string());
    let mut used: Vec<String> = latents.chain(arrays).chain(sets).chain(hypers).collect();
    let of_count = |formed: &Formed| -> Vec<Ident> {
        let mut all: Vec<String> = Vec::new();
        for node in &formed.nodes {
            let made_of = node.factors.iter().filter_map(|factor| match factor {
                Operand::Buffer(node) => Some(all[*node].clone()),
                leaf => leaf.leaf().map(|(of, _)| model.name_of(of).to_string()),
            });
            let made_of: Vec<String> = made_of.collect();
            let name = match (&made_of[..], node.read()) {
                ([only], Some(Operand::Started(..))) => words.made_of([&format!("{only}_at_first")[..]], &used),
                ([only], Some(_)) => words.made_of([&format!("{only}_before")[..]], &used),
                ([only], None) => words.made_of([&format!("sum_of_{only}")[..]], &used),
                (several, _) => words.made_of(several.iter().map(String::as_str), &used),
            };
            used.push(name.clone());
            all.push(name);
        }
        all.iter().map(|name| ident(name)).collect()
    };
    formed.iter().map(of_count).collect()
}

/// The nodes on which counts fall, with their names.
pub(super) fn counted<'l>(loops: &'l Loops<'_>, number: usize) -> impl Iterator<Item = (&'l Ident, &'l Node)> {
    let formed = &loops.formed[number];
    let all = loops.nodes[number].iter().zip(&formed.nodes).enumerate();
    all.filter(|(at, _)| formed.is_counted(*at)).map(|(_, node)| node)
}

/// `[-1, 0]`: by how much the indices at which an array is read are shifted; `None` if none is.
fn shifts(count: &Count, at: &[VarId]) -> Option<Vec<isize>> {
    let by = |var: &VarId| count.vars.shift(*var).map_or(0, |(_, back)| -(back as isize));
    let all: Vec<isize> = at.iter().map(by).collect();
    all.iter().any(|by| *by != 0).then_some(all)
}

/// For each node its field, and the statement that makes it.
pub(super) fn made(loops: &Loops<'_>, from: &ReadFrom) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let (door, number) = (door(), from.number);
    let (count, formed) = (loops.model().count(number), &loops.formed[number]);
    let nodes = formed.nodes.iter().zip(&loops.nodes[number]).enumerate();
    let all = nodes.map(|(at, (node, name))| {
        let letter = letter(count, &formed.slots[node.slot].sums);
        let (rank, doc) = (
            node.vars.len(),
            format!("`{} = {}`", shown(loops, number, at), sum(loops, number, at)),
        );
        let sizes = node.vars.iter().map(|var| loops.size(&from.x, count.vars[var.0].set));
        let letters = node.vars.iter().map(|var| letter(*var));
        let field = quote!(#[doc = #doc] #name: #door::Entries<#rank>);
        let value = match (node.summed, node.read()) {
            (None, Some(Operand::Started(of, read, start))) => {
                let value = started(loops, from, (*of, read), &letter);
                let (time, until) = (letter(start.var), start.until);
                quote!(f64::from(#time < #until) * #value)
            }
            (None, Some(read)) => {
                let array = loops.array(from, read);
                let by = array.as_ref().and_then(|(_, at)| shifts(count, at)).unwrap_or_default();
                let array = array.map(|(array, _)| array);
                let by = numbers(&by);
                return (field, quote!(let #name = #array.shifted(#by, 0.0).entries();));
            }
            (summed, _) => {
                let factors: Vec<&Operand> = node.factors.iter().collect();
                let value = loops.product(from, &factors, &letter).tokens();
                let over = summed.map(|summed| (letter(summed), loops.size(&from.x, count.vars[summed.0].set)));
                let over = over.map(|(summed, size)| quote!((0..#size).map(|#summed| #value).sum()));
                over.unwrap_or(value)
            }
        };
        (
            field,
            quote!(let #name = #door::Entries::of([#(#sizes),*], |[#(#letters),*]| #value);),
        )
    });
    all.unzip()
}

/// `x.first[[k]]`, what stands at the first times.
fn started(
    loops: &Loops<'_>,
    from: &ReadFrom,
    (of, read): (Source, &[VarId]),
    letter: &dyn Fn(VarId) -> Ident,
) -> TokenStream {
    let plain = match of {
        Source::Latent(of) => Operand::Latent(of, read.to_vec()),
        Source::Data(of) => Operand::Data(of, read.to_vec()),
        Source::Hyper(of) => Operand::Scalar(Scalar::hyper(of)),
    };
    loops.value(from, &plain, letter).tokens()
}

/// `c_core[t,q,p]`
fn shown(loops: &Loops<'_>, number: usize, node: usize) -> String {
    let count = loops.model().count(number);
    let vars = loops.formed[number].nodes[node].vars.iter();
    let vars: Vec<String> = vars.map(|var| count.vars.shown(*var)).collect();
    format!("{}[{}]", loops.nodes[number][node], vars.join(","))
}

/// `Σ_r c[t,r] core[p,q,r]`: a node as a sum of products of leaves.
fn sum(loops: &Loops<'_>, number: usize, node: usize) -> String {
    show::summand(loops.model(), &of_leaves(loops, number, node))
}

/// The same as a value.
fn of_leaves(loops: &Loops<'_>, number: usize, node: usize) -> Summand {
    let formed = &loops.formed[number];
    let node = &formed.nodes[node];
    let mut summed = Vec::from_iter(node.summed);
    let mut open: Vec<&Operand> = node.factors.iter().collect();
    while let Some(operand) = open.pop() {
        if let Operand::Buffer(inner) = operand {
            summed.extend(formed.nodes[*inner].summed);
            open.extend(&formed.nodes[*inner].factors);
        }
    }
    summand(
        loops,
        number,
        (&node.vars, &summed),
        &formed.leaves(&node.factors),
        None,
    )
}

/// A sum of products of leaves over some indices at others, weighed if it is one over cells.
fn summand(
    loops: &Loops<'_>,
    number: usize,
    (own, summed): (&[VarId], &[VarId]),
    leaves: &[&Operand],
    weight: Option<Leaf>,
) -> Summand {
    let count = loops.model().count(number);
    let told = (0..count.vars.len())
        .map(VarId)
        .filter(|var| count.vars.lookup(*var).is_some() && !own.contains(var));
    let order: Vec<VarId> = own.iter().chain(summed).copied().chain(told).collect();
    let place = |var: VarId| order.iter().position(|other| *other == var).unwrap_or_default();
    let letter = |var: &VarId| {
        let index = &count.vars[var.0];
        let is_own = own.contains(var);
        Letter {
            name: if is_own {
                index.name.to_string()
            } else {
                count.vars.shown(*var)
            },
            set: index.set,
            told: Some(*var)
                .filter(|_| !is_own)
                .and_then(|var| Told::of(&count.vars, var, &place)),
        }
    };
    // Where an own index is looked up, that is a condition.
    let found = own.iter().enumerate().filter_map(|(is, var)| {
        let (of, at) = count.vars.looked_up(*var, &place)?;
        Some(Leaf::Found { of, at, is })
    });
    let found: Vec<Leaf> = found.filter(|_| weight.is_some()).collect();
    let factors = leaves.iter().flat_map(|leaf| {
        let first = match leaf {
            Operand::Started(_, _, Start { var, until }) => Some(Leaf::First {
                at: place(*var),
                until: *until,
            }),
            _ => None,
        };
        let places = |at: &[VarId]| at.iter().map(|var| place(*var)).collect();
        let value = match (leaf, leaf.leaf()) {
            (_, Some((Source::Latent(of), at))) => Some(Leaf::Latent(of, places(at))),
            (_, Some((Source::Data(of), at))) => Some(Leaf::Data(of, places(at))),
            (_, Some((Source::Hyper(of), _))) => Some(Leaf::Scalar(Scalar::hyper(of))),
            (Operand::Scalar(of), None) => Some(Leaf::Scalar(of.clone())),
            (_, None) => None,
        };
        first.into_iter().chain(value)
    });
    Summand {
        from: Origin::Prior,
        indices: order.iter().map(letter).collect(),
        own: own.len(),
        summed: summed.len(),
        factors: found.into_iter().chain(weight).chain(factors).collect(),
    }
}

/// The exposure of a node: the weights of cells times what it is multiplied by.
pub(super) fn exposed(loops: &Loops<'_>, number: usize, node: usize) -> Summand {
    let (count, formed) = (loops.model().count(number), &loops.formed[number]);
    let of = &formed.nodes[node];
    let slot = &formed.slots[of.slot];
    let within: Vec<&Operand> = formed.leaves(&of.factors);
    let (left, right) = (formed.leaves(&slot.left), formed.leaves(&slot.right));
    let others: Vec<&Operand> = left
        .into_iter()
        .chain(right)
        .filter(|leaf| !within.contains(leaf))
        .collect();
    let term = &count.terms[slot.term];
    let is_read = |var: &VarId| {
        count.is_free(*var)
            || others
                .iter()
                .any(|leaf| leaf.leaf().is_some_and(|(_, at)| is_read_by(count, at, *var)))
    };
    let summed = count.free_vars().chain(term.summed.iter().copied());
    let summed: Vec<VarId> = summed.filter(|var| !of.vars.contains(var) && is_read(var)).collect();
    let order: Vec<VarId> = of.vars.iter().chain(&summed).copied().collect();
    let place = |var: VarId| order.iter().position(|other| *other == var).unwrap_or_default();
    let weight = Leaf::Weight {
        count: number,
        at: count.free_vars().map(place).collect(),
    };
    summand(loops, number, (&of.vars, &summed), &others, Some(weight))
}

/// `c_core[t,q,p]`, divided over `r`; `theta_before[t,k]`, which is `θ[t-1,k]`.
pub(super) fn divided(loops: &Loops<'_>, number: usize) -> String {
    let (count, formed) = (loops.model().count(number), &loops.formed[number]);
    let nodes = formed.nodes.iter().enumerate().rev();
    let nodes = nodes.filter(|(at, _)| formed.is_counted(*at));
    let each = nodes.map(|(at, node)| match node.summed {
        Some(summed) => format!(
            "divides the numbers of `{}` over `{}`",
            shown(loops, number, at),
            count.vars.shown(summed)
        ),
        None => format!(
            "adds the numbers of `{}` to `{}`",
            shown(loops, number, at),
            sum(loops, number, at)
        ),
    });
    let each: Vec<String> = each.collect();
    super::super::updates::capital(&each.join(", then ")) + "."
}

/// The statement that adds a number to an entry of a factor, whose indices have these letters; nothing for what is known.
pub(super) type Adds<'a> = dyn Fn(&Operand, &dyn Fn(VarId) -> Ident) -> Option<TokenStream> + 'a;

/// The numbers of nodes divided over the summands that make them, each node before those that it is made of:
///
/// ```ignore
/// for t in 0..self.rate.x.times {
///     for q in 0..self.rate.x.qs {
///         for p in 0..self.rate.x.ps {
///             let n = self.c_core[[t, q, p]];
///             ..
/// ```
pub(super) fn finish(loops: &Loops<'_>, from: &ReadFrom, add: &Adds<'_>) -> TokenStream {
    let (number, n, parts) = (from.number, &loops.words.n, &loops.words.parts);
    let (count, formed) = (loops.model().count(number), &loops.formed[number]);
    let nodes = formed.nodes.iter().zip(&loops.nodes[number]).enumerate().rev();
    let nodes = nodes.filter(|(at, _)| formed.is_counted(*at));
    let each = nodes.map(|(_, (node, name))| {
        let letter = letter(count, &formed.slots[node.slot].sums);
        let factors: Vec<&Operand> = node.factors.iter().collect();
        let weight = |factors: &[&Operand]| loops.product(from, factors, &letter).tokens();
        let added = node.factors.iter().filter_map(|factor| add(factor, &letter));
        let entry = super::entry(&quote!(self.#name), node.vars.iter().map(|var| letter(*var)));
        let body = match node.summed {
            Some(summed) => {
                let weight = weight(&factors);
                let (summed, size) = (letter(summed), loops.size(&from.x, count.vars[summed.0].set));
                quote! {
                    let #n = #entry;
                    if #n != 0.0 {
                        let #parts = #parts.of(#n, #size, |#summed| #weight);
                        for (#summed, #n) in #parts.iter().enumerate() {
                            #(#added)*
                        }
                    }
                }
            }
            // A lane of rows has no array for what columns do not reach, and no numbers of it.
            None => quote! {
                let #n = #entry;
                if #n != 0.0 {
                    #(#added)*
                }
            },
        };
        node.vars.iter().rev().fold(body, |body, var| {
            let (letter, size) = (letter(*var), loops.size(&from.x, count.vars[var.0].set));
            let values = times(count, node, *var, &size);
            quote!(for #letter in #values { #body })
        })
    });
    each.collect()
}

/// `0..x.times`; `1..x.times` of what is read one time before, `0..x.times.min(1)` of what is read at the first.
fn times(count: &Count, node: &Node, var: VarId, size: &TokenStream) -> TokenStream {
    let Some((operand, (_, read))) = node.read().and_then(|operand| Some((operand, operand.leaf()?))) else {
        return quote!(0..#size);
    };
    let shift = read
        .iter()
        .filter_map(|read| count.vars.shift(*read))
        .find(|(base, _)| *base == var);
    match (operand, shift) {
        (Operand::Started(_, _, start), _) if start.var == var => {
            let until = start.until;
            quote!(0..#size.min(#until))
        }
        (_, Some((_, back))) => quote!(#back..#size),
        _ => quote!(0..#size),
    }
}

/// `exposure_of_c_core`
pub(super) fn exposure(loops: &Loops<'_>, number: usize, node: usize) -> Ident {
    format_ident!("exposure_of_{}", loops.nodes[number][node])
}

/// The node that a factor of a rate is part of, and that factor.
pub(super) fn of_factor(loops: &Loops<'_>, place: Occurrence) -> Option<(usize, Operand)> {
    let formed = &loops.formed[place.count];
    let slot = formed.slots.iter().position(|slot| slot.term == place.term)?;
    let leaf = Operand::of(&loops.model().count(place.count).terms[place.term].factors[place.factor]);
    leaf.latent()?;
    Some((formed.node_with(slot, &leaf)?, leaf))
}

/// What a node adds to the exposure `part` of one of its factors, which is at `place` in a rate.
pub(super) fn of_latent(loops: &Loops<'_>, part: &Summand, place: Occurrence, lets: &mut Lets) -> Option<Times> {
    let (node, leaf) = of_factor(loops, place)?;
    let count = loops.model().count(place.count);
    let term = &count.terms[place.term];
    let read = &term.factors[place.factor].vars;
    // Indices of the latent stand where it reads them, all others behind its own.
    let others = count.free_vars().chain(term.summed.iter().copied());
    let is_read = |var: VarId, read: VarId| read == var || count.vars.shift(read).is_some_and(|(base, _)| base == var);
    let others: Vec<VarId> = others
        .filter(|var| !read.iter().any(|read| is_read(*var, *read)))
        .collect();
    let at = |var: VarId| {
        let behind = || part.own + others.iter().position(|other| *other == var).unwrap_or_default();
        read.iter().position(|read| is_read(var, *read)).unwrap_or_else(behind)
    };
    Some(through(loops, part, &at, (place.count, node, &leaf), lets))
}

/// What a node adds to the exposure of one that it is made of, and what that exposure is.
pub(super) fn of_node(loops: &Loops<'_>, (number, outer, inner): (usize, usize, usize), lets: &mut Lets) -> Times {
    let formed = &loops.formed[number];
    let (outer_node, inner_node) = (&formed.nodes[outer], &formed.nodes[inner]);
    let others = outer_node.vars.iter().copied().chain(outer_node.summed);
    let others: Vec<VarId> = others.filter(|var| !inner_node.vars.contains(var)).collect();
    let part = summand(loops, number, (&inner_node.vars, &others), &[], None);
    let order: Vec<VarId> = inner_node.vars.iter().chain(&others).copied().collect();
    let at = |var: VarId| order.iter().position(|other| *other == var).unwrap_or_default();
    through(loops, &part, &at, (number, outer, &Operand::Buffer(inner)), lets)
}

/// By how much later than what it reads each index of a node is.
fn later(count: &Count, node: &Node) -> Vec<isize> {
    let read = node.read().and_then(Operand::leaf).map_or(&[][..], |(_, at)| at);
    let shift = |var: &VarId| {
        let mut shifts = read.iter().filter_map(|read| count.vars.shift(*read));
        shifts.find(|(base, _)| base == var)
    };
    let by = |var: &VarId| shift(var).map_or(0, |(_, back)| back as isize);
    node.vars.iter().map(by).collect()
}

/// The exposure of a node times its factors but one, summed over the indices that this one lacks.
fn through(
    loops: &Loops<'_>,
    part: &Summand,
    at: &dyn Fn(VarId) -> usize,
    (number, node, but): (usize, usize, &Operand),
    lets: &mut Lets,
) -> Times {
    let (words, formed) = (&loops.words, &loops.formed[number]);
    let (x, of, w, rate) = (&words.x, &words.of, &words.w, &words.rate);
    let method = exposure(loops, number, node);
    let name = lets.local(words, &format!("of_{}", loops.nodes[number][node]));
    lets.statements.push(quote!(let #name = Self::#method(#of, #w);));
    let node = &formed.nodes[node];
    let places = |vars: &[VarId]| vars.iter().map(|var| at(*var)).collect::<Vec<_>>();
    let closed = Closed::of(loops, part, quote!());
    let mut arrays = vec![Array::made(name.to_string(), &name, places(&node.vars))];
    match node.read() {
        Some(Operand::Started(_, _, start)) => arrays.push(closed.first(at(start.var), start.until)),
        // What is read at `t` was one time before, so that the entry there is found one time later.
        Some(_) => arrays[0].shift(&later(loops.model().count(number), node), 0.0, &closed.letters),
        None => {}
    }
    let from = ReadFrom {
        x: quote!(#x),
        of: Some(quote!(#rate)),
        number,
    };
    for factor in node.factors.iter().filter(|factor| *factor != but) {
        let (Some((array, vars)), Some(field)) = (loops.array(&from, factor), loops.field(number, factor)) else {
            continue;
        };
        if matches!(factor, Operand::Buffer(_)) {
            let made = made_of(loops, number, &quote!(#x));
            lets.statements.push(quote!(let #rate = #made;));
        }
        arrays.push(Array {
            word: field.to_string(),
            from: array,
            at: places(vars),
            entry: None,
        });
    }
    let mut over: Vec<usize> = arrays
        .iter()
        .flat_map(|array| array.at.clone())
        .filter(|at| *at >= part.own)
        .collect();
    over.sort_unstable();
    over.dedup();
    let product = Product {
        arrays,
        over,
        ..Product::default()
    };
    let [_, value] = closed.form(product, lets);
    value
}
