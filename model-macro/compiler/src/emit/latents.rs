//! For each latent and count: its exposure, and what follows from a change of it; whole, or a slice at a time
//! for latents that a term uses more than once.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::lower::walked;
use super::names::door;
use super::walks::Walks;
use crate::derive::{Layout, Operand, Origin, Path, Target, Update};
use crate::resolve::VarId;
use crate::show;

/// What the body of a method turned out to read.
#[derive(Default)]
struct Reads {
    values: bool,
    sizes: bool,
}

/// One step of a path, taken from the root towards a latent.
struct Down {
    /// Its number.
    step: usize,
    /// The node that it writes; none for the latent itself.
    node: Option<usize>,
    /// Whether it writes the left operand.
    is_left: bool,
    /// What comes from above.
    seed: TokenStream,
    /// The node that it is; none for a part of the root.
    seed_node: Option<usize>,
    /// The operand that it reads.
    other: TokenStream,
}

impl Walks<'_> {
    /// ```ignore
    /// /// theta[d, k] | - ~ Gamma(..)
    /// fn y_exposure_theta(&self, x: &Factors, root: &mut Root, into: &mut [f64])
    /// fn y_changed_theta(&self, x: &Factors, root: &mut Root)
    /// ```
    ///
    /// For the terms that use the latent more than once there is another pair, `y_exposure_theta_at` and
    /// `y_changed_theta_at`, which do the same for one slice of it.
    pub(super) fn latent(&self, update: &Update) -> TokenStream {
        let repeats = |term: usize| update.repeats(self.number, term);
        let terms: Vec<usize> = update
            .occurrences()
            .filter(|o| o.count == self.number)
            .map(|o| o.term)
            .collect();
        let whole = terms.iter().any(|&t| !repeats(t)).then(|| self.whole(update));
        let sliced = terms.iter().any(|&t| repeats(t)).then(|| self.sliced(update));
        quote! { #whole #sliced }
    }

    fn whole(&self, update: &Update) -> TokenStream {
        let door = door();
        let model = &self.derivation.model;
        let latent = &model.latents[update.latent.0];
        let name = &latent.name;
        let exposure_name = self.method(&format!("exposure_{name}"));
        let changed_name = self.method(&format!("changed_{name}"));
        let changed = self.dispatch(&quote!(x, root), |l, layout| {
            self.changed(l, layout, &self.paths(layout, update, false))
        });
        let count = &self.count.name;
        let changed_doc = format!("Forward along the paths from `{name}` to the root of `{count}`.");
        // The exposure of a simplex drops out of its conditional.
        let exposure = latent.along().is_none().then(|| {
            let body = self.dispatch(&quote!(x, root, into), |l, layout| {
                self.exposure(l, layout, &self.exposed(layout, update, false))
            });
            let doc = format!(
                "Adds the exposure of every entry of `{name}` to `into`: the adjoint of the rates of `{count}` at the weights of its cells.\n\n`{}`",
                show::conditional(model, update)
            );
            quote! {
                #[doc = #doc]
                fn #exposure_name(&self, x: &#door::Factors, root: &mut #door::Root, into: &mut [f64]) {
                    #body
                }
            }
        });
        quote! {
            #exposure

            #[doc = #changed_doc]
            fn #changed_name(&self, x: &#door::Factors, root: &mut #door::Root) {
                #changed
            }
        }
    }

    fn sliced(&self, update: &Update) -> TokenStream {
        let door = door();
        let model = &self.derivation.model;
        let latent = &model.latents[update.latent.0].name;
        let exposure_name = self.method(&format!("exposure_{latent}_at"));
        let changed_name = self.method(&format!("changed_{latent}_at"));
        let exposure = self.dispatch(&quote!(at, x, root, nodes, into), |l, layout| {
            self.exposure_at(l, layout, update)
        });
        let changed = self.dispatch(&quote!(at, x, root), |l, layout| self.changed_at(l, layout, update));
        let count = &self.count.name;
        let fixed: Vec<String> = update
            .sequence
            .iter()
            .map(|&p| model.latents[update.latent.0].indices[p].name.to_string())
            .collect();
        let fixed = fixed.join(", ");
        let exposure_doc = format!(
            "Adds the exposures of the entries of `{latent}` at one value of {fixed} to `into`, current in all others: the terms of `{count}` that use `{latent}` more than once.\n\n`{}`",
            show::conditional(model, update)
        );
        let changed_doc =
            format!("Forward from the entries of `{latent}` at one value of {fixed} to the root of `{count}`.");
        quote! {
            #[doc = #exposure_doc]
            fn #exposure_name(
                &self,
                at: &[usize],
                x: &#door::Factors,
                root: &mut #door::Root,
                nodes: &mut #door::Nodes,
                into: &mut [f64],
            ) {
                #exposure
            }

            #[doc = #changed_doc]
            fn #changed_name(&self, at: &[usize], x: &#door::Factors, root: &mut #door::Root) {
                #changed
            }
        }
    }

    /// The paths of a latent through the terms that use it more than once, or through the others.
    fn paths(&self, layout: &Layout, update: &Update, repeated: bool) -> Vec<Path> {
        let mut paths = layout.paths(update.latent);
        paths.retain(|p| update.repeats(self.number, p.term) == repeated);
        paths
    }

    /// Those of them along which the derivation has an exposure.
    fn exposed(&self, layout: &Layout, update: &Update, repeated: bool) -> Vec<Path> {
        let model = &self.derivation.model;
        let mut paths = self.paths(layout, update, repeated);
        paths.retain(|path| {
            update.conditional.rate().iter().any(|part| {
                let Origin::Rate(place) = part.from else { return false };
                if place.count != self.number || place.term != path.term {
                    return false;
                }
                let here = self.count.terms[place.term].factors[place.factor].vars == path.vars;
                assert!(!here || walked(model, part), "no walk computes {part:?}");
                here
            })
        });
        paths
    }

    /// From the root's exposures down every path to the latent.
    fn exposure(&self, l: usize, layout: &Layout, paths: &[Path]) -> TokenStream {
        let view = self.view();
        let mut reads = Reads::default();
        let bodies: Vec<TokenStream> = paths
            .iter()
            .map(|path| {
                let call = match path.root {
                    Target::Left(_) => quote!(root.exposure_left(#view);),
                    Target::Right(_) => quote!(root.exposure_right(#view);),
                    Target::Weight(_) => quote!(root.exposure_weights(#view);),
                    Target::Buffer(_) => unreachable!("a path ends at the root"),
                };
                reads.sizes |= self.offset(layout, path.root);
                let steps = self.down_path(l, layout, path, &mut reads, |down| {
                    let name = self.step_name(l, down.step);
                    let declare = down.node.map(|at| {
                        let node = self.node_name(l, at);
                        quote!(let mut #node = vec![0.0; root.nodes[#at].len()];)
                    });
                    let into = down.node.map_or(quote!(into), |at| {
                        let node = self.node_name(l, at);
                        quote!(&mut #node)
                    });
                    let (seed, other) = (&down.seed, &down.other);
                    match down.is_left {
                        true => quote!(#declare self.#name().adjoint_left(#into, &#seed, #other);),
                        false => quote!(#declare self.#name().adjoint_right(#into, #other, &#seed);),
                    }
                });
                quote! { #call #steps }
            })
            .collect();
        let head = reads.head();
        quote! { #head #(#bodies)* }
    }

    /// The same for the entries at one value of the indices taken in sequence.
    fn exposure_at(&self, l: usize, layout: &Layout, update: &Update) -> TokenStream {
        let (door, view) = (door(), self.view());
        let mut reads = Reads::default();
        let mut nodes_used = false;
        let paths = self.exposed(layout, update, true);
        let bodies: Vec<TokenStream> = paths
            .iter()
            .map(|path| {
                let side = match path.root {
                    Target::Left(_) => quote!(Left),
                    Target::Right(_) => quote!(Right),
                    Target::Weight(_) => quote!(Weights),
                    Target::Buffer(_) => unreachable!("a path ends at the root"),
                };
                let fixed = self.fixed(update, path);
                let axes = fixed.iter().map(|(i, var)| {
                    let axis = var.0;
                    quote!((#axis, at[#i]))
                });
                let call = quote!(root.exposure_slice(#door::Side::#side, &[#(#axes),*], #view););
                reads.sizes |= self.offset(layout, path.root);
                let steps = self.down_path(l, layout, path, &mut reads, |down| {
                    let pair = self.pair_at(l, layout, down.step, &fixed);
                    let clear = if down.is_left {
                        quote!(clear_left)
                    } else {
                        quote!(clear_right)
                    };
                    // A node is read by later steps from the same place: take it out while it is written.
                    let (prepare, into, put) = match down.node {
                        Some(at) => {
                            nodes_used = true;
                            let prepare = quote! {
                                let mut node = nodes.take(#at);
                                pair.#clear(&mut node);
                            };
                            (prepare, quote!(&mut node), quote!(nodes.put(#at, node);))
                        }
                        None => (quote!(), quote!(into), quote!()),
                    };
                    // A seed that is a node lies in `nodes` here.
                    let (seed, other) = (&down.seed, &down.other);
                    let seed = match down.seed_node {
                        Some(at) => quote!(&nodes[#at]),
                        None => quote!(&#seed),
                    };
                    let run = match down.is_left {
                        true => quote!(pair.adjoint_left(#into, #seed, #other);),
                        false => quote!(pair.adjoint_right(#into, #other, #seed);),
                    };
                    quote!(let pair = #pair; #prepare #run #put)
                });
                quote! { #call #steps }
            })
            .collect();
        let head = reads.head();
        let unused = (!nodes_used).then(|| quote!(let _ = nodes;));
        quote! { #head #unused #(#bodies)* }
    }

    /// The steps of a path from the root down, each as `emit` writes it.
    fn down_path(
        &self,
        l: usize,
        layout: &Layout,
        path: &Path,
        reads: &mut Reads,
        mut emit: impl FnMut(Down) -> TokenStream,
    ) -> TokenStream {
        (0..path.steps.len())
            .rev()
            .map(|p| {
                let (number, is_left) = path.steps[p];
                let step = &layout.steps[number];
                let node = p.checked_sub(1).map(|q| match layout.steps[path.steps[q].0].target {
                    Target::Buffer(at) => at,
                    _ => unreachable!("only the last step of a path writes to the root"),
                });
                let other = if is_left { &step.right } else { &step.left };
                reads.values |= matches!(other, Operand::Latent(..));
                emit(Down {
                    step: number,
                    node,
                    is_left,
                    seed: self.target_place(l, layout, step.target, &quote!(root.seeds)),
                    seed_node: match step.target {
                        Target::Buffer(at) => Some(at),
                        Target::Left(_) | Target::Right(_) | Target::Weight(_) => None,
                    },
                    other: self.operand_values(other),
                })
            })
            .collect()
    }

    /// The indices of a path that are fixed in a slice: their place in `at`, and which.
    fn fixed(&self, update: &Update, path: &Path) -> Vec<(usize, VarId)> {
        let vars = update.sequence.iter().map(|&p| path.vars[p]).enumerate();
        // A contracted index is not fixed at the root: all of its values are computed, and those of the slice used.
        vars.filter(|(_, var)| self.count.is_free(*var)).collect()
    }

    /// `self.y0_step0().at(0, at[0])`
    fn pair_at(&self, l: usize, layout: &Layout, step: usize, fixed: &[(usize, VarId)]) -> TokenStream {
        let name = self.step_name(l, step);
        let calls = fixed.iter().map(|(i, var)| {
            let Some(axis) = layout.steps[step].axes.iter().position(|a| a.var == *var) else {
                unreachable!("a free index of a factor is carried all the way to the root")
            };
            quote!(.at(#axis, at[#i]))
        });
        quote!(self.#name()#(#calls)*)
    }

    /// Whether a target starts at an offset that depends on sizes.
    fn offset(&self, layout: &Layout, target: Target) -> bool {
        match target {
            Target::Left(slot) | Target::Right(slot) => layout.slots[..slot].iter().any(|s| !s.inner.is_empty()),
            Target::Weight(_) | Target::Buffer(_) => false,
        }
    }

    /// Recomputes what depends on the latent, and marks exposures that no longer hold.
    fn changed(&self, l: usize, layout: &Layout, paths: &[Path]) -> TokenStream {
        let mut steps: Vec<usize> = paths.iter().flat_map(|p| &p.steps).map(|(step, _)| *step).collect();
        steps.sort();
        steps.dedup();
        let forward = self.forward_steps(l, layout, &steps);
        let marks = self.marks(paths);
        let head = self.forward_head(layout, &steps);
        quote! { #head #forward #marks }
    }

    /// The same for the entries at one value of the indices taken in sequence.
    fn changed_at(&self, l: usize, layout: &Layout, update: &Update) -> TokenStream {
        let paths = self.paths(layout, update, true);
        let mut steps: Vec<usize> = Vec::new();
        let forward: TokenStream = paths
            .iter()
            .map(|path| {
                let fixed = self.fixed(update, path);
                let along = path.steps.iter().map(|&(step, _)| {
                    steps.push(step);
                    self.forward_step(l, layout, step, &self.pair_at(l, layout, step, &fixed))
                });
                along.collect::<TokenStream>()
            })
            .collect();
        let marks = self.marks(&paths);
        let head = self.forward_head(layout, &steps);
        quote! { #head #forward #marks }
    }

    /// What forward steps need in scope.
    fn forward_head(&self, layout: &Layout, steps: &[usize]) -> TokenStream {
        let offset = steps.iter().any(|&i| self.offset(layout, layout.steps[i].target));
        let sizes = offset.then(|| quote!(let s = &self.sizes;));
        quote!(#sizes)
    }

    fn marks(&self, paths: &[Path]) -> TokenStream {
        let mut marks: Vec<&str> = paths
            .iter()
            .map(|p| match p.root {
                Target::Left(_) => "left_changed",
                Target::Right(_) => "right_changed",
                Target::Weight(_) => "weights_changed",
                Target::Buffer(_) => unreachable!("a path ends at the root"),
            })
            .collect();
        marks.sort();
        marks.dedup();
        let marks = marks.into_iter().map(|m| {
            let mark = format_ident!("{m}");
            quote!(root.#mark();)
        });
        quote! { #(#marks)* }
    }
}

impl Reads {
    /// Declarations for what is read, and excuses for what is not.
    fn head(&self) -> TokenStream {
        let sizes = self.sizes.then(|| quote!(let s = &self.sizes;));
        let values = (!self.values).then(|| quote!(let _ = x;));
        quote! { #sizes #values }
    }
}
