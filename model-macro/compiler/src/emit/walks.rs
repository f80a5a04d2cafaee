//! `TopicsModel`: the three walks, the updates, and the layouts they run on.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;

use super::names::{Names, door};
use super::tokens::{Walk, float_product, product};
use crate::derive::{Cost, Derivation, Layout, Update};
use crate::resolve::{Count, SetId, VarId};
use crate::show;

/// The struct and its implementation of the runtime's `Model`.
pub(super) fn model(derivation: &Derivation, names: &Names) -> TokenStream {
    let model = &derivation.model;
    let (vis, bound, sizes, door) = (&model.vis, &names.bound, &names.sizes, door());
    let hypers: Vec<_> = model.hypers.iter().map(|h| &h.name).collect();
    let constants = names.constants.declared(model);
    let derived = derived(derivation);
    let doc = format!(
        "[`{}`] with its data, sizes and layout: what the engines run on.",
        model.name
    );
    let per_count: TokenStream = (0..model.counts.len())
        .map(|c| Walks::new(derivation, names, c).methods())
        .collect();
    quote! {
        #[doc = #doc]
        #vis struct #bound {
            sizes: #sizes,
            #(#hypers: f64,)*
            __bound: #door::Bound,
        }

        impl #bound {
            #constants
            #derived

            /// Sizes of the index sets.
            pub fn sizes(&self) -> &#sizes {
                &self.sizes
            }

            #per_count
        }

    }
}

/// ```ignore
/// const __DERIVED: Derived = Derived {
///     symmetries: &[Symmetry::new(&[Scaled::new(0, 1, 1), ..], true)],
///     counts: &[DerivedCount { costs: Self::y_costs, grid: Self::y_grid, constant: &[] }],
/// };
/// ```
fn derived(derivation: &Derivation) -> TokenStream {
    let (model, door) = (&derivation.model, door());
    let symmetries = derivation.symmetries.iter().map(|symmetry| {
        let by_index = symmetry.set.is_some();
        let scaled = symmetry.scaled.iter().map(|scaled| {
            let (latent, axis, power) = (scaled.latent.0, scaled.axis, Literal::i64_unsuffixed(scaled.power));
            quote!(#door::Scaled::new(#latent, #axis, #power))
        });
        quote!(#door::Symmetry::new(&[#(#scaled),*], #by_index))
    });
    let counts = model.counts.iter().zip(&derivation.constant).map(|(count, constant)| {
        let [costs, grid] = ["costs", "grid"].map(|what| format_ident!("{}_{what}", count.name));
        let constant = constant.iter().map(|(var, latent)| {
            let index = model.set(count.vars[var.0].set).to_string();
            let (axis, position, latent) = (var.0, latent.0, model.latents[latent.0].name.to_string());
            quote!(#door::Constant { index: #index, axis: #axis, latent: #latent, position: #position })
        });
        quote!(#door::DerivedCount { costs: Self::#costs, grid: Self::#grid, constant: &[#(#constant),*] })
    });
    quote! {
        const __DERIVED: #door::Derived = #door::Derived {
            symmetries: &[#(#symmetries),*],
            counts: &[#(#counts),*],
        };
    }
}

/// Everything that is emitted for one count.
pub(super) struct Walks<'a> {
    pub derivation: &'a Derivation,
    pub names: &'a Names,
    /// Which count.
    pub number: usize,
    pub count: &'a Count,
    pub layouts: &'a [Layout],
}

impl<'a> Walks<'a> {
    fn new(derivation: &'a Derivation, names: &'a Names, count: usize) -> Self {
        Self {
            derivation,
            names,
            number: count,
            count: &derivation.model.counts[count],
            layouts: &derivation.layouts[count],
        }
    }

    fn methods(&self) -> TokenStream {
        let door = door();
        let grid = self.grid();
        let costs = self.costs();
        let steps = self.each_layout(|l, layout| {
            (0..layout.steps.len())
                .map(|s| self.step_method(l, layout, s))
                .collect()
        });
        let forward = self.dispatch(&quote!(x, root), |l, layout| self.walk(l, layout, Walk::Forward));
        let adjoint = self.dispatch(&quote!(x, root, into), |l, layout| self.walk(l, layout, Walk::Adjoint));
        let thin = self.dispatch(&quote!(x, root, into, streams, unit), |l, layout| {
            self.walk(l, layout, Walk::Thin)
        });
        let [forward_name, adjoint_name, thin_name] = ["forward", "adjoint", "thin"].map(|w| self.method(w));
        let count = &self.count.name;
        let docs = [
            format!(
                "Forward walk of `{count}`: inner nodes and both sides of the product from the factors. Rule: a rate is multilinear, so its sums may be taken in any order."
            ),
            format!(
                "Adjoint walk of `{count}`: derivatives with respect to the sides, handed down to the factors. Rule: the expected count on an entry is the entry times the derivative with respect to it."
            ),
            format!(
                "Thin walk of `{count}`: counts on the sides, handed down to the factors. Rule: given their total, Poisson counts are multinomial."
            ),
        ];
        let [forward_doc, adjoint_doc, thin_doc] = &docs;
        let per_latent: TokenStream = self
            .derivation
            .updates
            .iter()
            .filter(|u| self.informs(u))
            .map(|u| self.latent(u))
            .collect();
        quote! {
            #grid
            #costs
            #steps

            #[doc = #forward_doc]
            fn #forward_name(&self, x: &#door::Factors, root: &mut #door::Root) {
                #forward
            }

            #[doc = #adjoint_doc]
            fn #adjoint_name(&self, x: &#door::Factors, root: &#door::Root, into: &mut #door::Factors) {
                #adjoint
            }

            #[doc = #thin_doc]
            fn #thin_name(
                &self,
                x: &#door::Factors,
                root: &#door::Root,
                into: &mut #door::Factors,
                streams: &#door::Streams,
                unit: usize,
            ) {
                #thin
            }

            #per_latent
        }
    }

    pub(super) fn method(&self, what: &str) -> Ident {
        format_ident!("{}_{}", self.count.name, what)
    }

    /// `y0_s1`: step 1 of layout 0 of `y`.
    pub(super) fn step_name(&self, layout: usize, step: usize) -> Ident {
        format_ident!("{}{}_step{}", self.count.name, layout, step)
    }

    pub(super) fn node_name(&self, layout: usize, buffer: usize) -> Ident {
        format_ident!("{}{}_node{}", self.count.name, layout, buffer)
    }

    /// `Self::Y`
    pub(super) fn constant(&self) -> TokenStream {
        self.names.constants.count(self.number)
    }

    /// `self.__bound.view(Self::Y)`
    pub(super) fn view(&self) -> TokenStream {
        let count = self.constant();
        quote!(self.__bound.view(#count))
    }

    fn informs(&self, update: &Update) -> bool {
        update.occurrences().any(|o| o.count == self.number)
    }

    fn each_layout(&self, f: impl Fn(usize, &Layout) -> TokenStream) -> TokenStream {
        self.layouts
            .iter()
            .enumerate()
            .map(|(l, layout)| f(l, layout))
            .collect()
    }

    /// `match self.__bound.layout(Self::Y) { 0 => .., _ => .. }`, or the one body there is.
    pub(super) fn dispatch(
        &self,
        arguments: &TokenStream,
        body: impl Fn(usize, &Layout) -> TokenStream,
    ) -> TokenStream {
        let unused = quote! { let _ = (#arguments); };
        let count = self.constant();
        if let [only] = self.layouts {
            let body = body(0, only);
            return if body.is_empty() { unused } else { body };
        }
        let last = self.layouts.len() - 1;
        let arms = self.layouts.iter().enumerate().map(|(l, layout)| {
            let pattern = if l == last { quote!(_) } else { quote!(#l) };
            let body = body(l, layout);
            quote! { #pattern => { #body } }
        });
        quote! { match self.__bound.layout(#count) { #(#arms)* } }
    }

    /// ```ignore
    /// fn y_grid(sizes: &[usize], layout: usize) -> Grid {
    ///     let s = TopicsSizes::of(sizes);
    ///     match layout { _ => Grid::new(&[s.docs, s.words], &[], &[0], &[1], &[(s.topics, false)]) }
    /// }
    /// ```
    fn grid(&self) -> TokenStream {
        let (door, sizes, name) = (door(), &self.names.sizes, self.method("grid"));
        let shape = self.count.free_vars().map(|v| self.size(v));
        let shape = quote!(&[#(#shape),*]);
        let grids = self.layouts.iter().map(|layout| {
            let axes = |vars: &[VarId]| {
                let axes = vars.iter().map(|v| v.0);
                quote!(&[#(#axes),*])
            };
            let (batch, rows, cols) = (axes(&layout.batch), axes(&layout.rows), axes(&layout.cols));
            let plain: Vec<TokenStream> = layout
                .slots
                .iter()
                .filter(|s| !s.weighted)
                .map(|s| self.volume(&s.inner))
                .collect();
            let mut groups = Vec::new();
            if !plain.is_empty() {
                groups.push(quote!((#(#plain)+*, false)));
            }
            for slot in layout.slots.iter().filter(|s| s.weighted) {
                let length = self.volume(&slot.inner);
                groups.push(quote!((#length, true)));
            }
            quote!(#door::Grid::new(#shape, #batch, #rows, #cols, &[#(#groups),*]))
        });
        let grids: Vec<TokenStream> = grids.collect();
        let body = match &grids[..] {
            [only] => quote! { let _ = layout; #only },
            [first @ .., last] => {
                let numbers = 0..first.len();
                quote! { match layout { #(#numbers => #first,)* _ => #last } }
            }
            [] => unreachable!("every count has a layout"),
        };
        let doc = format!("How the cells of `{}` are cut in rows and columns.", self.count.name);
        quote! {
            #[doc = #doc]
            fn #name(sizes: &[usize], layout: usize) -> #door::Grid {
                let s = #sizes::of(sizes);
                #body
            }
        }
    }

    fn costs(&self) -> TokenStream {
        let (door, sizes, name) = (door(), &self.names.sizes, self.method("costs"));
        let all = self.layouts.iter().map(|layout| {
            let [root, below, memory] = [&layout.root, &layout.below, &layout.memory].map(|c| self.polynomial(c));
            let tree = show::layout(&self.derivation.model, self.count, layout);
            let [batch, rows, cols] = [&layout.batch, &layout.rows, &layout.cols].map(|vars| self.volume_f64(vars));
            let inner = layout.slots.iter().map(|s| self.volume_f64(&s.inner));
            quote! {
                #door::LayoutCost {
                    tree: #tree,
                    product: [#batch, #rows, #cols, (#(#inner)+*)],
                    root: #root,
                    below: #below,
                    memory: #memory,
                }
            }
        });
        let doc = format!(
            "The layouts of `{}` and what each costs at given sizes.",
            self.count.name
        );
        quote! {
            #[doc = #doc]
            fn #name(sizes: &[usize]) -> Vec<#door::LayoutCost> {
                let s = #sizes::of(sizes);
                Vec::from([#(#all),*])
            }
        }
    }

    fn polynomial(&self, cost: &Cost) -> TokenStream {
        if cost.is_zero() {
            return quote!(0.0);
        }
        let terms = cost.terms().map(|(coefficient, sets)| {
            let sizes = sets.iter().map(|&set| {
                let set = self.set(set);
                quote!(s.#set as f64)
            });
            quote!(#coefficient #(* #sizes)*)
        });
        quote!(#(#terms)+*)
    }

    pub(super) fn set(&self, set: SetId) -> &Ident {
        self.derivation.model.set(set)
    }

    /// `s.topics`
    pub(super) fn size(&self, var: VarId) -> TokenStream {
        let set = self.set(self.count.vars[var.0].set);
        quote!(s.#set)
    }

    /// Product of the sizes of some indices; `1` if there are none.
    pub(super) fn volume(&self, vars: &[VarId]) -> TokenStream {
        product(vars.iter().map(|&v| self.size(v)).collect())
    }

    /// The same as a float, which does not overflow: sizes have not been checked where costs are compared.
    fn volume_f64(&self, vars: &[VarId]) -> TokenStream {
        float_product(vars.iter().map(|&v| self.size(v)))
    }
}
