//! The tokens of counts: by which weights they take their indices, and which entries they are on.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::super::hygiene::Item;
use super::super::names::door;
use super::held::Held;
use super::words::declared;
use super::{Loops, letter, words};
use crate::resolve::{Access, Count, Source, Term, VarId};
use crate::show;

/// ```ignore
/// struct TopicsTokens { topics: usize, theta: Urn<2>, phi: Urn<2> }
///
/// impl Tokens for TopicsTokens {
///     fn weigh(&self, _: usize, [d, v, ..]: At, _: usize, _: &[u32], weights: &mut Weights) {
///         weights.of(&[self.theta.along([d, 0], 1), self.phi.along([0, v], 0)]);
///     }
///
///     fn add(&mut self, _: usize, [d, v, ..]: At, z: &[u32], n: f64) {
///         let [k] = chosen(z);
///         self.theta.add([d, k], n);
///         self.phi.add([k, v], n);
///     }
/// }
/// ```
/// Nothing for a model without tokens.
pub(super) fn tokens(loops: &Loops<'_>) -> Option<Item> {
    let by = loops.derivation.tokens.as_ref().ok()?;
    let (model, door, name) = (loops.model(), door(), &loops.names.tokens);
    let held = Held::of(loops);
    let (read, x, urns) = (
        &loops.names.read,
        &loops.words.x,
        loops.words.beside(["urns", "of_latents"]),
    );
    let fields = held.fields(loops);
    let (field_types, field_values): (Vec<TokenStream>, Vec<TokenStream>) = fields.into_iter().unzip();
    let locals = [["weights", "shares"], ["which", "number_of"], ["z", "taken"]].map(|of| loops.words.beside(of));
    let [weights, which, z] = &locals;
    let n = &loops.words.n;
    let counts = (0..model.counts.len()).map(|number| of_count(loops, &held, number, [weights, which, z]));
    let counts: Vec<OfCount> = counts.collect();
    let sums = |number: usize| model.counts[number].terms[0].summed.len();
    let latents: Vec<String> = by.integrated.iter().map(|latent| show::entry(model, *latent)).collect();
    let means = by
        .integrated
        .iter()
        .map(|latent| format!("- `{}`", show::mean_given_tokens(loops.derivation, *latent)));
    let means: Vec<String> = means.collect();
    let doc = format!(
        "Tokens, with {} integrated out; {}:",
        latents
            .iter()
            .map(|of| format!("`{of}`"))
            .collect::<Vec<_>>()
            .join(", "),
        show::TOKENS_THERE
    );
    let by_count = |call: &dyn Fn(usize) -> TokenStream| {
        let last = model.counts.len() - 1;
        let others = (0..last).map(|count| {
            let (bound, number, call) = (&loops.names.bound, &loops.names.constants.counts[count], call(count));
            quote!(#bound::#number => #call,)
        });
        let (others, end) = (others.collect::<Vec<_>>(), call(last));
        match others.is_empty() {
            true => end,
            false => quote!(match count { #(#others)* _ => #end }),
        }
    };
    let choices = by_count(&|number| {
        let sizes = choices(loops, &held, number);
        quote!(Vec::from([#(#sizes),*]))
    });
    let [which_or_not, z_or_not] = match (0..counts.len()).any(|number| sums(number) > 1) {
        true => [quote!(#which), quote!(#z)],
        false => [quote!(_), quote!(_)],
    };
    let (methods, count, weigh, add) = match &counts[..] {
        [
            OfCount {
                weigh: [at, weigh],
                add: [at_adding, add],
                weights,
                law,
                entries,
            },
        ] => (
            TokenStream::new(),
            quote!(_),
            quote! {
                #(#[doc = #law])*
                fn weigh(&self, _: usize, #at: #door::At, #which_or_not: usize, #z_or_not: &[u32], #weights: &mut #door::Weights) {
                    #weigh
                }
            },
            quote! {
                #[doc = #entries]
                fn add(&mut self, _: usize, #at_adding: #door::At, #z: &[u32], #n: f64) {
                    #add
                }
            },
        ),
        several => {
            let methods = several.iter().enumerate().map(|(number, of)| {
                let OfCount {
                    weigh: [at, weigh],
                    add: [at_adding, add],
                    weights,
                    law,
                    entries,
                } = of;
                let [weigh_method, add_method] = ["weigh", "add"].map(|what| method(what, &model.counts[number]));
                let more = (sums(number) > 1).then(|| quote!(#which: usize, #z: &[u32],));
                quote! {
                    #(#[doc = #law])*
                    fn #weigh_method(&self, #at: #door::At, #more #weights: &mut #door::Weights) {
                        #weigh
                    }

                    #[doc = #entries]
                    fn #add_method(&mut self, #at_adding: #door::At, #z: &[u32], #n: f64) {
                        #add
                    }
                }
            });
            let weigh = by_count(&|number| {
                let method = method("weigh", &model.counts[number]);
                let more = (sums(number) > 1).then(|| quote!(which, z,));
                quote!(self.#method(at, #more weights))
            });
            let add = by_count(&|number| {
                let method = method("add", &model.counts[number]);
                quote!(self.#method(at, z, n))
            });
            let [which, z] = match (0..several.len()).any(|number| sums(number) > 1) {
                true => [quote!(which), quote!(z)],
                false => [quote!(_), quote!(_)],
            };
            (
                methods.collect(),
                quote!(count),
                quote! {
                    fn weigh(&self, count: usize, at: #door::At, #which: usize, #z: &[u32], weights: &mut #door::Weights) {
                        #weigh;
                    }
                },
                quote! {
                    fn add(&mut self, count: usize, at: #door::At, z: &[u32], n: f64) {
                        #add;
                    }
                },
            )
        }
    };
    let urns_of = held.urns(loops);
    Some(Item::Impl(quote! {
        #[doc = #doc]
        #(#[doc = #means])*
        struct #name { #(#field_types),* }

        impl #name {
            fn new(#x: #read<'_>, #urns: &#door::Urns) -> Self {
                Self { #(#field_values),* }
            }

            #methods
        }

        impl #door::Tokens for #name {
            fn choices(&self, #count: usize) -> Vec<usize> {
                #choices
            }

            #weigh

            #add

            fn each_urn(&self, visit: &mut dyn FnMut(Option<usize>, &dyn #door::Counted)) {
                #(#urns_of;)*
            }
        }
    }))
}

/// `Some(ByTokens { integrated: &[Self::THETA, Self::PHI], empty: |of, urns| Box::new(TopicsTokens::new(of.into(), urns)) })`
pub(super) fn emitted(loops: &Loops<'_>) -> TokenStream {
    let (door, name) = (door(), &loops.names.tokens);
    match &loops.derivation.tokens {
        Ok(by) => {
            let integrated = by.integrated.iter().map(|latent| loops.names.constants.latent(*latent));
            quote!(Ok(#door::ByTokens {
                integrated: &[#(#integrated),*],
                empty: |of, urns| Box::new(#name::new(of.into(), urns)),
            }))
        }
        Err(why) => quote!(Err(#why)),
    }
}

fn method(what: &str, count: &Count) -> Ident {
    format_ident!("{what}_{}", declared(&count.name))
}

/// `[self.topics]`, of several terms `[self.topics + self.parts + 1]`.
fn choices(loops: &Loops<'_>, held: &Held, number: usize) -> Vec<TokenStream> {
    let count = &loops.model().counts[number];
    let size = |var: &VarId| {
        let set = declared(loops.model().set(count.vars[var.0].set));
        quote!(self.#set)
    };
    match held.numbers[number] {
        None => count.terms[0].summed.iter().map(size).collect(),
        Some(_) => {
            let sizes = count.terms.iter().map(|term| match term.summed.first() {
                Some(var) => size(var),
                None => quote!(1),
            });
            vec![quote!(#(#sizes)+*)]
        }
    }
}

/// How the tokens of a count are weighed, and added to urns: patterns of where they are, and what is done there.
struct OfCount {
    weigh: [TokenStream; 2],
    add: [TokenStream; 2],
    weights: TokenStream,
    /// The law of a token.
    law: Vec<String>,
    /// Which entries it is on.
    entries: String,
}

fn of_count(loops: &Loops<'_>, held: &Held, number: usize, [weights, which, z]: [&Ident; 3]) -> OfCount {
    let (count, n) = (&loops.model().counts[number], &loops.words.n);
    let (weighing, adding) = match &held.numbers[number] {
        None => (
            of_one_term(loops, count, weights, which, z),
            adding_to_one_term(loops, count, z, n),
        ),
        Some(numbers) => (
            of_several_terms(loops, count, numbers, weights),
            adding_to_several_terms(loops, count, numbers, z, n),
        ),
    };
    let [weigh, add] = [&weighing, &adding].map(|code| {
        let looked_up = loops.looked_up(count, &quote!(self), code);
        let place = loops.place(count, &quote!(#looked_up #code));
        [place, quote!(#looked_up #code)]
    });
    let law = show::token(loops.derivation, number);
    // A rate that nothing is summed over leaves no choice.
    let weights = if weighing.is_empty() {
        quote!(_)
    } else {
        quote!(#weights)
    };
    OfCount {
        weigh,
        add,
        weights,
        law: law.iter().map(|line| format!("`{line}`")).collect(),
        entries: format!("On which entries a token of `{}` is.", show::truth(count)),
    }
}

/// `self.theta.along([d, 0], 1)`; `None` for what does not depend on the index.
fn along(loops: &Loops<'_>, count: &Count, term: &Term, access: &Access, var: VarId) -> Option<TokenStream> {
    let axis = access.vars.iter().position(|own| *own == var)?;
    let name = field(loops, access)?;
    let letter = letter(count, &term.summed);
    let at = access
        .vars
        .iter()
        .enumerate()
        .map(|(position, own)| match position == axis {
            true => quote!(0),
            false => {
                let letter = letter(*own);
                quote!(#letter)
            }
        });
    Some(quote!(self.#name.along([#(#at),*], #axis)))
}

fn field(loops: &Loops<'_>, access: &Access) -> Option<Ident> {
    match access.of {
        Source::Latent(of) => Some(loops.latent(of)),
        Source::Data(of) => Some(declared(&loops.model().data[of.0].name)),
        Source::Hyper(_) => None,
    }
}

fn letters(count: &Count, term: &Term, vars: &[VarId]) -> Vec<Ident> {
    let letter = letter(count, &term.summed);
    vars.iter().map(|var| letter(*var)).collect()
}

fn of_one_term(loops: &Loops<'_>, count: &Count, weights: &Ident, which: &Ident, z: &Ident) -> TokenStream {
    let (door, term) = (door(), &count.terms[0]);
    let of = |var: &VarId| {
        let factors = term
            .factors
            .iter()
            .filter_map(|access| along(loops, count, term, access, *var));
        quote!(#weights.of(&[#(#factors),*]))
    };
    match &term.summed[..] {
        [] => TokenStream::new(),
        [only] => {
            let weigh = of(only);
            quote!(#weigh;)
        }
        several => {
            let last = several.len() - 1;
            let bodies: Vec<TokenStream> = several.iter().map(of).collect();
            let others = (0..last).zip(&bodies).map(|(number, body)| quote!(#number => #body));
            let (end, all) = (&bodies[last], quote!(#(#bodies)*));
            let letters = letters(count, term, several);
            let letters = letters.iter().map(|letter| words::named(&all, letter));
            quote! {
                let [#(#letters),*] = #door::chosen(#z);
                match #which { #(#others,)* _ => #end }
            }
        }
    }
}

/// The values of a term that do not depend on the index that it is summed over.
fn constant(loops: &Loops<'_>, count: &Count, number: usize, numbers: &Ident) -> TokenStream {
    let term = &count.terms[number];
    let constants = term
        .factors
        .iter()
        .filter(|access| !access.vars.iter().any(|var| term.summed.contains(var)));
    let constants = constants.filter_map(|access| {
        let (name, at) = (field(loops, access)?, letters(count, term, &access.vars));
        Some(quote!(self.#name.at([#(#at),*])))
    });
    quote!(self.#numbers.at([#number]) #(* #constants)*)
}

fn of_several_terms(loops: &Loops<'_>, count: &Count, numbers: &Ident, weights: &Ident) -> TokenStream {
    let terms = count.terms.iter().enumerate().map(|(number, term)| {
        let constant = constant(loops, count, number, numbers);
        let factors = term.summed.first().into_iter().flat_map(|var| {
            let of_term = term.factors.iter();
            of_term.filter_map(|access| along(loops, count, term, access, *var))
        });
        let factors: Vec<TokenStream> = factors.collect();
        let size = match term.summed.first() {
            Some(var) => {
                let set = declared(loops.model().set(count.vars[var.0].set));
                quote!(self.#set)
            }
            None => quote!(1),
        };
        quote!(#weights.part(#size, #constant, &[#(#factors),*]);)
    });
    terms.collect()
}

fn adds(loops: &Loops<'_>, count: &Count, term: &Term, n: &Ident) -> TokenStream {
    let all = term.factors.iter().filter_map(|access| {
        let (name, at) = (field(loops, access)?, letters(count, term, &access.vars));
        Some(quote!(self.#name.add([#(#at),*], #n);))
    });
    all.collect()
}

fn adding_to_one_term(loops: &Loops<'_>, count: &Count, z: &Ident, n: &Ident) -> TokenStream {
    let (door, term) = (door(), &count.terms[0]);
    let adds = adds(loops, count, term, n);
    let letters = letters(count, term, &term.summed);
    let letters = letters.iter().map(|letter| words::named(&adds, letter));
    quote! {
        let [#(#letters),*] = #door::chosen(#z);
        #adds
    }
}

fn adding_to_several_terms(loops: &Loops<'_>, count: &Count, numbers: &Ident, z: &Ident, n: &Ident) -> TokenStream {
    let door = door();
    let last = count.terms.len() - 1;
    let terms = count.terms.iter().enumerate().map(|(number, term)| {
        let (adds, letter) = (adds(loops, count, term, n), letters(count, term, &term.summed));
        let set = term
            .summed
            .first()
            .map(|var| declared(loops.model().set(count.vars[var.0].set)));
        let size = match &set {
            Some(set) => quote!(self.#set),
            None => quote!(1),
        };
        let letter = letter.first().filter(|letter| words::names(&adds, letter));
        let taken = letter.map(|letter| quote!(let #letter = #z;));
        let body = quote! {
            #taken
            self.#numbers.add([#number], #n);
            #adds
        };
        match number == last {
            true => body,
            false => quote! {
                if #z < #size {
                    #body
                    return;
                }
                let #z = #z - #size;
            },
        }
    });
    quote! {
        let [#z] = #door::chosen(#z);
        #(#terms)*
    }
}
