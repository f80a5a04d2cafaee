//! `TopicsCell`: what happens at a cell, by the tables of [`cells`](crate::cells). Each formula is a doc line, and the line below it computes it.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::Ident;

use super::hygiene::Item;
use super::names::{Names, door};
use crate::cells::{CellLaw, Step, Takes};
use crate::derive::{Cell, DerivedModel};
use crate::show;

/// The steps of a cell of every count of which the language knows them.
pub(super) fn cells(derivation: &DerivedModel, names: &Names) -> Vec<Item> {
    let all = derivation.cells.iter().zip(&names.cells).enumerate();
    let each = all.map(|(number, (of, cell))| match of {
        Cell::Of(law) => {
            let functions = match law.takes {
                Takes::Geometric => kept(law, cell, is_published(derivation)),
                Takes::Alone { value, parameter } => alone(law, cell, value, parameter.map(|[name, _]| name)),
                Takes::Difference => difference(law, cell),
            };
            let (docs, vis) = (docs(derivation, number, law), &derivation.model.vis);
            vec![
                Item::Type(quote! {
                    #(#[doc = #docs])*
                    #vis struct #cell;
                }),
                Item::Impl(quote! {
                    #[allow(unused_doc_comments, reason = "each line stands below its formula")]
                    #functions
                }),
            ]
        }
        // Nothing is drawn, the channel draws, or the runtime draws whole lines.
        Cell::Known | Cell::Released | Cell::OfLine => Vec::new(),
    });
    each.flatten().collect()
}

/// What is declared of a cell, and where it is exposure alone.
fn docs(derivation: &DerivedModel, number: usize, law: &CellLaw) -> Vec<String> {
    let count = show::count(derivation, number);
    let letters = "Below, `y` is the count, `μ` its rate";
    let first = match law.takes {
        Takes::Geometric => {
            format!(
                "A cell of `{count}` with its noise. {letters}, `c` what was released of it, and `α` the parameter of the noise:\n"
            )
        }
        Takes::Alone {
            parameter: Some([_, parameter]),
            ..
        } => {
            format!(
                "A cell of `{count}` with its noise. {letters}, `c` what was released of it, and `{parameter}` the parameter of the noise:\n"
            )
        }
        Takes::Alone { parameter: None, .. } => {
            format!("A cell of `{count}`. {letters}, and `c` what was observed of it:\n")
        }
        Takes::Difference => {
            format!("A cell of `{count}`. Below, `c` is the count, and `μ⁺` and `μ⁻` are the rates of its sides:\n")
        }
    };
    let mut docs = vec![first];
    docs.extend(law.declared.iter().map(|step| format!("- {}", quoted(step))));
    docs.push(match law.linear {
        None => "\nBoth engines run these lines at every cell that is not held out.".to_owned(),
        Some(linear) if derivation.weighs_alike(number) && !linear.weighs_one() => {
            "\n`draw` and `ascend` are for every cell: a Dirichlet latent needs cells of equal weight.".to_owned()
        }
        Some(linear) => {
            let line = linear.line().replace("{c}", "c").replace("{mu}", "μ");
            format!("- `{line}`")
        }
    });
    docs
}

/// `TopicsCell` where noise and its rates are variables of a cell, and where they are summed out.
fn kept(law: &CellLaw, cell: &Ident, is_published: bool) -> TokenStream {
    let (door, draw, ascend) = (door(), lines(law.draw), lines(law.ascend));
    let [draw_noise, ascend_noise, publish] = match &law.noise {
        Some(of) => [of.draw, of.ascend, of.publish].map(lines),
        None => Default::default(),
    };
    let publish = is_published.then(|| {
        quote! {
            /// A step of the published CAVI at the mean and the variance of the rate, `E[μ]` and `V[μ]`: `E[y]`.
            fn publish(c: i64, mu: #door::RateMoments, alpha: f64, g: &mut #door::NoiseCounts) -> f64 {
                let #door::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus } = *g;
                #publish
                *g = #door::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus };
                mean_y
            }
        }
    });
    quote! {
        impl #door::GeometricCell for #cell {
            /// A Gibbs step of the cell, collapsed: the true count.
            #[inline]
            fn draw<R: #door::Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
                #draw
                y
            }

            /// A step of CAVI at the rate `ρ` of geometric means, collapsed: `E[y]/ρ`.
            #[inline]
            fn ascend(c: i64, rho: f64, alpha: f64) -> f64 {
                #ascend
                per_rate
            }

            /// The Gibbs step, augmented: `m`, the smaller of `y + g⁺` and `g⁻`, the true count, the noise, and its rates.
            fn draw_noise<R: #door::Rng + ?Sized>(c: i64, mu: f64, alpha: f64, lambda: &mut #door::NoiseRates, rng: &mut R) -> u64 {
                let #door::NoiseRates { plus: lambda_plus, minus: lambda_minus } = *lambda;
                #draw_noise
                *lambda = #door::NoiseRates { plus: lambda_plus, minus: lambda_minus };
                y
            }

            /// The step of CAVI, augmented. `I` is the modified Bessel function.
            fn ascend_noise(c: i64, rho: f64, alpha: f64, g: &mut #door::NoiseCounts) -> f64 {
                let #door::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus } = *g;
                #ascend_noise
                *g = #door::NoiseCounts { plus: mean_g_plus, minus: mean_g_minus };
                per_rate
            }

            #publish
        }
    }
}

/// `TopicsCell` where all but the count is summed out, and in no other form.
fn alone(law: &CellLaw, cell: &Ident, value: &str, parameter: Option<&str>) -> TokenStream {
    let (door, draw, ascend) = (door(), lines(law.draw), lines(law.ascend));
    let (name, value) = (format_ident!("{}", law.name), format_ident!("{value}"));
    let noise = match parameter {
        Some(parameter) => {
            let parameter = format_ident!("{parameter}");
            quote!(#parameter: f64)
        }
        None => quote!(_: ()),
    };
    quote! {
        impl #door::SummedOutCell<#door::#name> for #cell {
            /// A Gibbs step of the cell: the true count.
            #[inline]
            fn draw<R: #door::Rng + ?Sized>(c: #value, mu: f64, #noise, rng: &mut R) -> u64 {
                #draw
                y
            }

            /// A step of CAVI at the rate `ρ` of geometric means: `E[y]/ρ`.
            #[inline]
            fn ascend(c: #value, rho: f64, #noise) -> f64 {
                #ascend
                per_rate
            }
        }
    }
}

/// `BalanceCell`: a cell of a difference of two Poisson counts.
fn difference(law: &CellLaw, cell: &Ident) -> TokenStream {
    let (door, draw, ascend) = (door(), lines(law.draw), lines(law.ascend));
    quote! {
        impl #door::DifferenceCell for #cell {
            /// A Gibbs step of the cell: `m`, the smaller of the two counts, then both.
            #[inline]
            fn draw<R: #door::Rng + ?Sized>(c: i64, mu_plus: f64, mu_minus: f64, rng: &mut R) -> [u64; 2] {
                #draw
                [c_plus, c_minus]
            }

            /// A step of CAVI at the rates `ρ⁺` and `ρ⁻` of geometric means: `E[c⁺]` and `E[c⁻]`.
            /// `I` is the modified Bessel function.
            #[inline]
            fn ascend(c: i64, rho_plus: f64, rho_minus: f64) -> [f64; 2] {
                #ascend
                [mean_c_plus, mean_c_minus]
            }
        }
    }
}

/// Whether the published form runs the model: it refuses Dirichlet latents.
pub(super) fn is_published(derivation: &DerivedModel) -> bool {
    let mut latents = derivation.model.latents.iter();
    latents.all(|latent| latent.along().is_none())
}

/// Formulas, each above the line that computes it; those that no line computes by itself stand above the next that does.
fn lines(steps: &[Step]) -> TokenStream {
    let (mut out, mut waiting) = (TokenStream::new(), Vec::new());
    for step in steps {
        waiting.push(quoted(step));
        let code = through_door((step.code)());
        if !code.is_empty() {
            let docs = waiting.drain(..);
            out.extend(quote!(#(#[doc = #docs])* #code));
        }
    }
    out
}

/// A formula, and behind it where it is from.
fn quoted(step: &Step) -> String {
    let formula = step.formula.trim_start();
    match step.source {
        "" => format!("`{formula}`"),
        source => format!("`{formula}`   [{source}]"),
    }
}

/// The line of a table in generated code, where `rt` is the path of the runtime.
fn through_door(code: TokenStream) -> TokenStream {
    let each = code.into_iter().map(|token| match token {
        TokenTree::Ident(name) if name == "rt" => door(),
        TokenTree::Group(group) => {
            let inside = through_door(group.stream());
            TokenTree::from(Group::new(group.delimiter(), inside)).into()
        }
        other => other.into(),
    });
    each.collect()
}
