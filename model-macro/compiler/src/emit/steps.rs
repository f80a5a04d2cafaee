//! One step of a tree as a method, and the three walks as sequences of steps.

use proc_macro2::TokenStream;
use quote::quote;

use super::names::door;
use super::tokens::{Walk, product, scalar_tokens};
use super::walks::Walks;
use crate::derive::{Layout, Operand, Step, Target};
use crate::resolve::{Scalar, VarId};
use crate::show;

impl Walks<'_> {
    /// ```ignore
    /// /// left[d, k] = theta[d, k]
    /// fn y0_step0(&self) -> Pair {
    ///     let s = &self.sizes;
    ///     Pair::new(&[Axis::new(s.docs, s.topics, s.topics, 0), Axis::new(s.topics, 1, 1, 0)])
    /// }
    /// ```
    pub(super) fn step_method(&self, l: usize, layout: &Layout, s: usize) -> TokenStream {
        let (door, name, step) = (door(), self.step_name(l, s), &layout.steps[s]);
        let doc = show::step(&self.derivation.model, self.count, layout, step);
        let axes = step.axes.iter().map(|axis| {
            let size = self.size(axis.var);
            let strides = [
                if axis.out {
                    self.target_stride(layout, step.target, axis.var)
                } else {
                    quote!(0)
                },
                if axis.left {
                    self.operand_stride(layout, &step.left, axis.var)
                } else {
                    quote!(0)
                },
                if axis.right {
                    self.operand_stride(layout, &step.right, axis.var)
                } else {
                    quote!(0)
                },
            ];
            quote!(#door::Axis::new(#size, #(#strides),*))
        });
        let sizes = if step.axes.is_empty() {
            quote!()
        } else {
            quote!(let s = &self.sizes;)
        };
        quote! {
            #[doc = #doc]
            fn #name(&self) -> #door::Pair {
                #sizes
                #door::Pair::new(&[#(#axes),*])
            }
        }
    }

    /// How far apart neighbours along `var` lie in an array with the indices `vars`, whose innermost
    /// entries lie `innermost` apart.
    fn stride(&self, vars: &[VarId], var: VarId) -> Vec<TokenStream> {
        let at = vars.iter().position(|v| *v == var).map_or(vars.len(), |at| at + 1);
        vars[at..].iter().map(|&v| self.size(v)).collect()
    }

    fn target_stride(&self, layout: &Layout, target: Target, var: VarId) -> TokenStream {
        let stored = layout.stored(target);
        match target {
            Target::Left(slot) | Target::Right(slot) => {
                let inner = &layout.slots[slot].inner;
                if inner.contains(&var) {
                    return product(self.stride(inner, var));
                }
                // Terms stand side by side in the inner index: a line is as long as all of them.
                let outer: Vec<VarId> = stored.iter().copied().filter(|v| !inner.contains(v)).collect();
                let mut factors = self.stride(&outer, var);
                let length = self.inner(layout, layout.slots.len());
                let is_sum = layout.slots.len() > 1;
                factors.push(if is_sum && !factors.is_empty() {
                    quote!((#length))
                } else {
                    length
                });
                product(factors)
            }
            Target::Weight(_) | Target::Buffer(_) => product(self.stride(&stored, var)),
        }
    }

    fn operand_stride(&self, layout: &Layout, operand: &Operand, var: VarId) -> TokenStream {
        match operand {
            Operand::Latent(_, vars) | Operand::Data(_, vars) => product(self.stride(vars, var)),
            Operand::Buffer(buffer) => product(self.stride(&layout.buffers[*buffer].vars, var)),
            Operand::Scalar(_) | Operand::One => quote!(0),
        }
    }

    /// Length of the inner index of the first `slots` terms.
    fn inner(&self, layout: &Layout, slots: usize) -> TokenStream {
        let lengths: Vec<TokenStream> = layout.slots[..slots].iter().map(|s| self.volume(&s.inner)).collect();
        match &lengths[..] {
            [] => quote!(0),
            [one] => one.clone(),
            _ => quote!(#(#lengths)+*),
        }
    }

    /// The group of a weighted slot: plain slots share the first one.
    pub(super) fn group(&self, layout: &Layout, slot: usize) -> usize {
        let plain = usize::from(layout.slots.iter().any(|s| !s.weighted));
        plain + layout.slots[..slot].iter().filter(|s| s.weighted).count()
    }

    /// Where a target lies in `root.operands` or `root.seeds`, as a slice expression without borrow.
    pub(super) fn target_place(&self, l: usize, layout: &Layout, target: Target, of: &TokenStream) -> TokenStream {
        let from = |side: TokenStream, slot: usize| {
            let offset = self.inner(layout, slot);
            if slot == 0 {
                quote!(#of.#side[..])
            } else {
                quote!(#of.#side[#offset..])
            }
        };
        match target {
            Target::Left(slot) => from(quote!(left), slot),
            Target::Right(slot) => from(quote!(right), slot),
            Target::Weight(slot) => {
                let group = self.group(layout, slot);
                quote!(#of.weights[#group][..])
            }
            Target::Buffer(buffer) => {
                let node = self.node_name(l, buffer);
                quote!(#node[..])
            }
        }
    }

    /// The values of an operand, as a slice expression.
    pub(super) fn operand_values(&self, operand: &Operand) -> TokenStream {
        let door = door();
        match operand {
            Operand::Latent(id, _) => {
                let latent = self.names.constants.latent(*id);
                quote!(&x[#latent])
            }
            Operand::Data(id, _) => {
                let array = self.names.constants.data(id.0);
                quote!(self.__bound.array(#array))
            }
            Operand::Buffer(node) => quote!(&root.nodes[#node]),
            Operand::Scalar(scalar) => {
                let value = self.scalar(scalar);
                quote!(::std::slice::from_ref(&(#value)))
            }
            Operand::One => quote!(#door::ONE),
        }
    }

    /// `2.0 * self.a`
    pub(super) fn scalar(&self, scalar: &Scalar) -> TokenStream {
        scalar_tokens(&self.derivation.model, scalar)
    }

    /// The body of a walk over all steps of a layout.
    pub(super) fn walk(&self, l: usize, layout: &Layout, walk: Walk) -> TokenStream {
        match walk {
            Walk::Forward => {
                let steps = self.forward_steps(l, layout, &(0..layout.steps.len()).collect::<Vec<_>>());
                let lengths = layout.buffers.iter().map(|node| self.volume(&node.vars));
                let nodes = (!layout.buffers.is_empty()).then(|| quote!(root.nodes.resize(&[#(#lengths),*]);));
                // Lengths of nodes and offsets of slots depend on sizes.
                let sizes = (!layout.buffers.is_empty() || has_offsets(layout)).then(sizes);
                quote! { #sizes #nodes #steps }
            }
            Walk::Adjoint | Walk::Thin => self.down(l, layout, walk),
        }
    }

    /// Forward through some steps, in order.
    pub(super) fn forward_steps(&self, l: usize, layout: &Layout, steps: &[usize]) -> TokenStream {
        steps
            .iter()
            .map(|&i| {
                let name = self.step_name(l, i);
                self.forward_step(l, layout, i, &quote!(self.#name()))
            })
            .collect()
    }

    /// Forward through one step, of which `pair` is the whole or a part.
    pub(super) fn forward_step(&self, l: usize, layout: &Layout, i: usize, pair: &TokenStream) -> TokenStream {
        let step = &layout.steps[i];
        let [left, right] = [&step.left, &step.right].map(|o| self.operand_values(o));
        match step.target {
            // A node is read by later steps from the same struct: take it out while it is written.
            Target::Buffer(at) => quote! {
                let mut node = root.nodes.take(#at);
                #pair.forward(&mut node, #left, #right);
                root.nodes.put(#at, node);
            },
            _ => {
                let place = self.target_place(l, layout, step.target, &quote!(root.operands));
                quote!(#pair.forward(&mut #place, #left, #right);)
            }
        }
    }

    /// Adjoint or thin through all steps, from the root down.
    fn down(&self, l: usize, layout: &Layout, walk: Walk) -> TokenStream {
        let buffers = (0..layout.buffers.len()).map(|b| {
            let node = self.node_name(l, b);
            quote!(let mut #node = vec![0.0; root.nodes[#b].len()];)
        });
        let has_latent = |o: &Operand| matches!(o, Operand::Latent(..) | Operand::Buffer(_));
        let steps = layout
            .steps
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, s)| has_latent(&s.left) || has_latent(&s.right))
            .map(|(i, step)| {
                let name = self.step_name(l, i);
                let seed = self.target_place(l, layout, step.target, &quote!(root.seeds));
                let [left, right] = [&step.left, &step.right].map(|o| self.operand_values(o));
                let [into_left, into_right] = [&step.left, &step.right].map(|o| self.receiver(l, o));
                match walk {
                    Walk::Thin => {
                        let some = |into: Option<TokenStream>| into.map_or(quote!(None), |into| quote!(Some(#into)));
                        let door = door();
                        // Two uses of one latent meet here: its array cannot be lent out twice.
                        let both = match (&step.left, &step.right) {
                            (Operand::Latent(a, _), Operand::Latent(b, _)) => Some((*a, *b)),
                            _ => None,
                        };
                        let (mut declare, mut add) = (None, None);
                        let (into_left, into_right) = match both {
                            Some((a, b)) if a == b => {
                                let latent = self.names.constants.latent(a);
                                declare = Some(quote!(let mut second = vec![0.0; into[#latent].len()];));
                                add = Some(quote! {
                                    into[#latent].iter_mut().zip(&second).for_each(|(n, more)| *n += more);
                                });
                                (some(into_left), quote!(Some(&mut second)))
                            }
                            Some((a, b)) => {
                                let [a, b] = [a, b].map(|latent| self.names.constants.latent(latent));
                                declare = Some(quote!(let [left, right] = into.two_mut(#a, #b);));
                                (quote!(Some(left)), quote!(Some(right)))
                            }
                            None => (some(into_left), some(into_right)),
                        };
                        quote! {
                            let mut rng = streams.open(#door::Purpose::Thin, unit, #i);
                            #declare
                            self.#name().thin(&#seed, #left, #right, #into_left, #into_right, &mut rng);
                            #add
                        }
                    }
                    Walk::Forward | Walk::Adjoint => {
                        let left_step = into_left.map(|into| quote!(self.#name().adjoint_left(#into, &#seed, #right);));
                        let right_step =
                            into_right.map(|into| quote!(self.#name().adjoint_right(#into, #left, &#seed);));
                        quote!(#left_step #right_step)
                    }
                }
            });
        let sizes = has_offsets(layout).then(sizes);
        // The derivative with respect to one operand reads the other one.
        let is_latent = |o: &Operand| matches!(o, Operand::Latent(..));
        let reads =
            |s: &Step| (has_latent(&s.left) && is_latent(&s.right)) || (has_latent(&s.right) && is_latent(&s.left));
        let values = if walk == Walk::Thin || layout.steps.iter().any(reads) {
            quote!()
        } else {
            quote!(let _ = x;)
        };
        quote! { #sizes #values #(#buffers)* #(#steps)* }
    }

    /// What receives the derivatives or counts of an operand; known arrays receive none.
    pub(super) fn receiver(&self, l: usize, operand: &Operand) -> Option<TokenStream> {
        match operand {
            Operand::Latent(id, _) => {
                let latent = self.names.constants.latent(*id);
                Some(quote!(&mut into[#latent]))
            }
            Operand::Buffer(buffer) => {
                let node = self.node_name(l, *buffer);
                Some(quote!(&mut #node))
            }
            Operand::Data(..) | Operand::Scalar(_) | Operand::One => None,
        }
    }
}

/// Sizes in scope.
fn sizes() -> TokenStream {
    quote!(let s = &self.sizes;)
}

/// Whether the places of some slots begin at an offset.
fn has_offsets(layout: &Layout) -> bool {
    layout.slots.iter().rev().skip(1).any(|s| !s.inner.is_empty())
}
