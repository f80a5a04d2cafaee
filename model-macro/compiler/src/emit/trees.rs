//! What was derived from the rates, as data: trees in index letters, scale symmetries.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::hygiene::Item;
use super::names::{Names, door};
use super::walked::assert_walked;
use crate::derive::{DerivedModel, Layout, Operand, Step, Target};
use crate::resolve::{Count, Indices, Model, Positions, Side, VarId};
use crate::show;

/// The rate of every count, and of the table counts of every shape:
/// ```ignore
/// /// `y[d,v] ~ Poisson(sum_k theta[d,k] phi[k,v])`
/// const RATE_OF_Y: DerivedCount = DerivedCount { letters: "dvk", weight: "w", trees: &[..], constant: &[] };
/// ```
pub(super) fn rates(derivation: &DerivedModel, names: &Names) -> Item {
    let (model, door, bound) = (&derivation.model, door(), &names.bound);
    let all = model.all_counts().zip(&derivation.layouts);
    let rates = all.map(|((number, count), layouts)| {
        let letters = Letters::new(count);
        let constant = constant(derivation, number);
        let trees = layouts
            .iter()
            .inspect(|layout| assert_walked(derivation, number, layout))
            .map(|layout| tree(derivation, names, count, &letters, layout));
        let (name, letters) = (names.constants.of_rate(number), &letters.all);
        let weight = show::weight_of(model, number);
        let cell = show::weight(model, number);
        let doc = match number.checked_sub(model.counts.len()) {
            None => format!(
                "The rate of `{}`.\n`{cell}` is the weight of a cell: {}.",
                show::count(derivation, number),
                show::weight_in_words(derivation, number)
            ),
            Some(shape) => format!(
                "The shape of `{}`: the rate of its table counts, whose weight is `{cell}`.",
                model.latents[model.shapes[shape].of.0].name
            ),
        };
        let doc = match &layouts[..] {
            [_] => doc,
            _ => format!("{doc} Of the orders in which it can be multiplied, the cheapest runs."),
        };
        quote! {
            #[doc = #doc]
            const #name: #door::DerivedCount =
                #door::DerivedCount { letters: #letters, weight: #weight, trees: &[#(#trees),*], constant: #constant };
        }
    });
    let rates: Vec<TokenStream> = rates.collect();
    Item::Impl(quote! {
        /// Rates.
        impl #bound {
            #(#rates)*
        }
    })
}

/// ```ignore
/// Derived { symmetries: &[Symmetry::new(&[Scaled::new(0, 1, 1), ..], true)], counts: &[Self::RATE_OF_Y], shapes: &[] }
/// ```
pub(super) fn derived(derivation: &DerivedModel, names: &Names) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let symmetries = derivation.symmetries.iter().map(|symmetry| {
        let by_index = symmetry.set.is_some();
        let scaled = symmetry.scaled.iter().map(|scaled| {
            let (latent, axis, power) = (names.constants.latent(scaled.latent), scaled.axis, scaled.power);
            let power = Literal::i64_unsuffixed(power);
            quote!(#door::Scaled::new(#latent, #axis, #power))
        });
        quote!(#door::Symmetry::new(&[#(#scaled),*], #by_index))
    });
    let mut all = model.all_counts().map(|(number, _)| match &derivation.formed {
        // Rates that are formed in place have no trees.
        Some(_) => {
            let constant = constant(derivation, number);
            quote!(#door::DerivedCount { letters: "", weight: "", trees: &[], constant: #constant })
        }
        None => {
            let rate = names.constants.of_rate(number);
            quote!(Self::#rate)
        }
    });
    let counts: Vec<TokenStream> = all.by_ref().take(model.counts.len()).collect();
    let shapes: Vec<TokenStream> = all.collect();
    quote! {
        #door::Derived {
            symmetries: &[#(#symmetries),*],
            counts: &[#(#counts),*],
            shapes: &[#(#shapes),*],
        }
    }
}

/// The indices along which the weights of cells must be constant, each with the latent that needs it.
fn constant(derivation: &DerivedModel, number: usize) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let constant = derivation.constant.get(number).into_iter().flatten();
    let constant = constant.map(|(var, latent)| {
        let index = model.set(model.count(number).vars[var.0].set).to_string();
        let (axis, position, latent) = (var.0, latent.0, model.latents[latent.0].name.to_string());
        quote!(#door::Constant { index: #index, axis: #axis, latent: #latent, position: #position })
    });
    quote!(&[#(#constant),*])
}

/// A letter for each index of a count: its own name where that is one letter, else one that is free.
struct Letters {
    letters: Vec<char>,
    all: String,
}

impl Letters {
    fn new(count: &Count) -> Self {
        let names: Vec<String> = count.vars.iter().map(|var| var.name.to_string()).collect();
        let mut letters: Vec<Option<char>> = Vec::new();
        for name in &names {
            let mut chars = name.chars();
            let only = chars.next().filter(|_| chars.next().is_none());
            letters.push(only.filter(|letter| !letters.contains(&Some(*letter))));
        }
        for (at, name) in names.iter().enumerate() {
            if letters[at].is_none() {
                let candidates = name.chars().filter(|letter| letter.is_alphabetic());
                let mut candidates = candidates
                    .chain('a'..='z')
                    .chain('A'..='Z')
                    .chain('α'..='ω')
                    .chain('一'..);
                letters[at] = candidates.find(|letter| !letters.contains(&Some(*letter)));
            }
        }
        let letters: Vec<char> = letters.into_iter().flatten().collect();
        let all = letters.iter().collect();
        Self { letters, all }
    }

    fn of(&self, vars: &[VarId]) -> String {
        vars.iter().map(|var| self.letters[var.0]).collect()
    }
}

fn tree(derivation: &DerivedModel, names: &Names, count: &Count, letters: &Letters, layout: &Layout) -> TokenStream {
    let door = door();
    let text = show::layout(&derivation.model, count, layout);
    let text = text.split_inclusive('\n');
    let [batch, rows, cols] = [&layout.batch, &layout.rows, &layout.cols].map(|vars| letters.of(vars));
    let slots = layout.slots.iter().map(|slot| {
        let (term, inner) = (slot.term, letters.of(&slot.inner));
        let weighted = slot.weighted.then(|| quote!(.weighted()));
        let minus = (count.side(slot.term) == Side::Minus).then(|| quote!(.minus()));
        quote!(#door::Slot::new(#term, #inner)#weighted #minus)
    });
    let nodes = layout.buffers.iter().map(|node| letters.of(&node.vars));
    let steps = layout
        .steps
        .iter()
        .map(|step| contraction((&derivation.model, names), count, letters, layout, step));
    quote! {
        #door::Tree {
            text: ::core::concat!(#(#text),*),
            batch: #batch,
            rows: #rows,
            cols: #cols,
            slots: &[#(#slots),*],
            nodes: &[#(#nodes),*],
            steps: &[#(#steps),*],
        }
    }
}

/// `Contraction::new("ie = ic, ce", Left(0), latent(Self::THETA), latent(Self::PI))`
fn contraction(
    (model, names): (&Model, &Names),
    count: &Count,
    letters: &Letters,
    layout: &Layout,
    step: &Step,
) -> TokenStream {
    let (door, out) = (door(), letters.of(&layout.stored(step.target)));
    let [left, right] = [&step.left, &step.right].map(|operand| match operand {
        Operand::Latent(_, vars) | Operand::Data(_, vars) => letters.of(vars),
        Operand::Buffer(node) => letters.of(&layout.buffers[*node].vars),
        Operand::Scalar(_) | Operand::One => String::new(),
        Operand::Started(..) => unreachable!("{IN_BUFFER}"),
    });
    let into = match step.target {
        Target::Left(slot) => quote!(#door::Left(#slot)),
        Target::Right(slot) => quote!(#door::Right(#slot)),
        Target::Weight(slot) => quote!(#door::Weight(#slot)),
        Target::Buffer(node) => quote!(#door::Node(#node)),
    };
    let leaf = |operand: &Operand| match operand {
        Operand::Latent(id, _) => {
            let latent = names.constants.latent(*id);
            quote!(#door::latent(#latent))
        }
        Operand::Data(id, _) => {
            let array = names.constants.data(id.0);
            quote!(#door::array(#array))
        }
        Operand::Buffer(node) => quote!(#door::node(#node)),
        Operand::Scalar(scalar) => {
            let (number, hypers) = (scalar.number, model.hyper_numbers(scalar));
            quote!(#door::Leaf::Scalar(#number, &[#(#hypers),*]))
        }
        Operand::One => quote!(#door::Leaf::One),
        Operand::Started(..) => unreachable!("{IN_BUFFER}"),
    };
    let first = leaf(&step.left);
    let [looked_up, shifted] = lookups(names, letters, count, &step.left);
    if !looked_up.is_empty() || !shifted.is_empty() || step.start.is_some() {
        let text = format!("{out} = {left}");
        let shifts = (!shifted.is_empty()).then(|| quote!(.shifted(&[#(#shifted),*])));
        let start = step.start.map(|start| {
            let (letter, until) = (letters.letters[start.var.0], start.until);
            quote!(.at_first(#letter, #until))
        });
        return quote!(#door::Contraction::lookup(#text, #into, #first, &[#(#looked_up),*]) #shifts #start);
    }
    if step.right == Operand::One {
        let text = format!("{out} = {left}");
        return quote!(#door::Contraction::copy(#text, #into, #first));
    }
    // A number has no index, and no comma before it.
    let separator = if right.is_empty() { "" } else { ", " };
    let (text, second) = (format!("{out} = {left}{separator}{right}"), leaf(&step.right));
    quote!(#door::Contraction::new(#text, #into, #first, #second))
}

/// `("a", Self::AUTHOR, "d")`, what is looked up of an operand, in which array and where; and `('s', 1, 't')`, what is shifted, by how
/// much, and of which index.
fn lookups(names: &Names, letters: &Letters, count: &Count, operand: &Operand) -> [Vec<TokenStream>; 2] {
    let (mut looked_up, mut shifted) = (Vec::new(), Vec::new());
    let (Operand::Latent(_, vars) | Operand::Data(_, vars)) = operand else {
        return [looked_up, shifted];
    };
    for (var, lookup) in vars.iter().filter_map(|var| Some((var, count.vars.lookup(*var)?))) {
        let letter = letters.letters[var.0];
        match lookup.of {
            Positions::In(array) => {
                let (array, at) = (names.constants.data(array.0), letters.of(&lookup.at));
                looked_up.push(quote!((#letter, #array, #at)));
            }
            Positions::Back(back) => {
                let base = letters.letters[lookup.at[0].0];
                shifted.push(quote!((#letter, #back, #base)));
            }
        }
    }
    [looked_up, shifted]
}

const IN_BUFFER: &str = "what is read at the first times alone is read into a buffer";
