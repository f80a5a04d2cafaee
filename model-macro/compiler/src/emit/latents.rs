//! For each latent and count: its exposure, and what follows from a change of it.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::names::door;
use super::walks::Walks;
use crate::derive::{Layout, Operand, Target, Update};
use crate::resolve::LatentId;
use crate::show;

impl Walks<'_> {
    /// ```ignore
    /// /// theta[d, k] | - ~ Gamma(..)
    /// fn y_exposure_theta(&self, x: &TopicsFactors, root: &mut Root, buffers: &TopicsBuffers, into: &mut [f64])
    /// fn y_changed_theta(&self, x: &TopicsFactors, root: &mut Root, buffers: &mut TopicsBuffers)
    /// ```
    pub(super) fn latent(&self, update: &Update) -> TokenStream {
        let door = door();
        let (factors, buffers) = (&self.names.factors, &self.names.buffers);
        let model = &self.derivation.model;
        let latent = &model.latents[update.latent.0].name;
        let (exposure_name, changed_name) = (
            self.method(&format!("exposure_{latent}")),
            self.method(&format!("changed_{latent}")),
        );
        let exposure = self.dispatch(&quote!(x, root, buffers, into), |l, layout| {
            self.exposure(l, layout, update.latent)
        });
        let changed = self.dispatch(&quote!(x, root, buffers), |l, layout| {
            self.changed(l, layout, update.latent)
        });
        let count = &self.count.name;
        let exposure_doc = format!(
            "Adds the exposure of every entry of `{latent}` to `into`: the adjoint of the rates of `{count}` at the weights of its cells.\n\n`{}`",
            show::conditional(model, update)
        );
        let changed_doc = format!("Forward along the paths from `{latent}` to the root of `{count}`.");
        quote! {
            #[doc = #exposure_doc]
            fn #exposure_name(&self, x: &#factors, root: &mut #door::Root, buffers: &#buffers, into: &mut [f64]) {
                #exposure
            }

            #[doc = #changed_doc]
            fn #changed_name(&self, x: &#factors, root: &mut #door::Root, buffers: &mut #buffers) {
                #changed
            }
        }
    }

    /// From the root's exposures down every path to the latent.
    fn exposure(&self, l: usize, layout: &Layout, latent: LatentId) -> TokenStream {
        let count = &self.count.name;
        let is_leaf = |o: &Operand| matches!(o, Operand::Latent(id, _) if *id == latent);
        let paths = layout.paths(latent);
        let mut reads_values = false;
        let mut reads_buffers = false;
        let bodies: Vec<TokenStream> = paths
            .iter()
            .map(|path| {
                let root = Self::root_target(layout, path);
                let call = match root {
                    Target::Left(_) => quote!(root.exposure_left(&*self.#count);),
                    Target::Right(_) => quote!(root.exposure_right(&*self.#count);),
                    Target::Weight(_) => quote!(root.exposure_weights(&*self.#count);),
                    Target::Buffer(_) => unreachable!("a path ends at the root"),
                };
                let steps: Vec<TokenStream> = (0..path.len())
                    .rev()
                    .map(|p| {
                        let step = &layout.steps[path[p]];
                        let name = self.step_name(l, path[p]);
                        let previous = p.checked_sub(1).map(|q| &layout.steps[path[q]]);
                        let left = Self::reads_left(step, previous, is_leaf);
                        let place = self.target_place(l, layout, step.target, &quote!(root.seeds));
                        let into = match previous.map(|s| s.target) {
                            Some(Target::Buffer(b)) => {
                                let node = self.node_name(l, b);
                                (
                                    quote!(let mut #node = vec![0.0; buffers.#node.len()];),
                                    quote!(&mut #node),
                                )
                            }
                            _ => (quote!(), quote!(into)),
                        };
                        reads_buffers |= previous.is_some();
                        let (declare, into) = into;
                        let other = if left { &step.right } else { &step.left };
                        reads_values |= matches!(other, Operand::Latent(..));
                        reads_buffers |= matches!(other, Operand::Buffer(_));
                        let other = self.operand_values(l, other);
                        if left {
                            quote!(#declare self.#name().adjoint_left(#into, &#place, #other);)
                        } else {
                            quote!(#declare self.#name().adjoint_right(#into, #other, &#place);)
                        }
                    })
                    .collect();
                quote! { #call #(#steps)* }
            })
            .collect();
        let sizes = if paths.iter().any(|p| self.offset(layout, Self::root_target(layout, p))) {
            quote!(let s = &self.sizes;)
        } else {
            quote!()
        };
        let values = if reads_values { quote!() } else { quote!(let _ = x;) };
        let nodes = if reads_buffers {
            quote!()
        } else {
            quote!(let _ = buffers;)
        };
        quote! { #sizes #values #nodes #(#bodies)* }
    }

    /// Whether a target starts at an offset that depends on sizes.
    fn offset(&self, layout: &Layout, target: Target) -> bool {
        match target {
            Target::Left(slot) | Target::Right(slot) => layout.slots[..slot].iter().any(|s| !s.inner.is_empty()),
            Target::Weight(_) | Target::Buffer(_) => false,
        }
    }

    /// Recomputes what depends on the latent, and marks exposures that no longer hold.
    fn changed(&self, l: usize, layout: &Layout, latent: LatentId) -> TokenStream {
        let paths = layout.paths(latent);
        let mut steps: Vec<usize> = paths.iter().flatten().copied().collect();
        steps.sort();
        steps.dedup();
        let forward = self.forward_steps(l, layout, &steps);
        let mut marks: Vec<&str> = paths
            .iter()
            .map(|p| match Self::root_target(layout, p) {
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
        let offset = steps.iter().any(|&i| self.offset(layout, layout.steps[i].target));
        let sizes = if offset { quote!(let s = &self.sizes;) } else { quote!() };
        let nodes = if steps.iter().any(|&i| self.touches_buffer(layout, i)) {
            quote!()
        } else {
            quote!(let _ = buffers;)
        };
        quote! { #sizes #nodes #forward #(#marks)* }
    }

    fn touches_buffer(&self, layout: &Layout, step: usize) -> bool {
        let step = &layout.steps[step];
        matches!(step.target, Target::Buffer(_))
            || matches!(step.left, Operand::Buffer(_))
            || matches!(step.right, Operand::Buffer(_))
    }
}
