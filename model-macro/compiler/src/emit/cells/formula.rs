//! Formulas of a cell as Rust.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use skellam_formula::{Cut, Expr, Part, Quantity};
use syn::Ident;

use super::super::names::door;

/// A quantity about either part of the noise, read for one.
pub(super) fn on(of: &Expr, part: Part) -> Expr {
    match of {
        Expr::Of(Quantity::Noise(Part::Either)) => Expr::Of(Quantity::Noise(part)),
        Expr::Of(Quantity::Level(Part::Either)) => Expr::Of(Quantity::Level(part)),
        Expr::Mean(of) => on(of, part).mean(),
        Expr::GeometricMean(of) => on(of, part).geometric_mean(),
        other => other.clone(),
    }
}

/// The name of a quantity in the generated file.
pub(super) fn variable(of: &Expr) -> Ident {
    let part = |part: &Part| match part {
        Part::Plus => "plus",
        Part::Minus => "minus",
        Part::Either => unreachable!("a line about either is written for each"),
    };
    match of {
        Expr::Of(Quantity::Truth) => format_ident!("y"),
        Expr::Of(Quantity::Observed) => format_ident!("c"),
        Expr::Of(Quantity::Rate) => format_ident!("mu"),
        Expr::Of(Quantity::Geometric) => format_ident!("rho"),
        Expr::Of(Quantity::Alpha) => format_ident!("alpha"),
        Expr::Of(Quantity::Known) => format_ident!("lambda"),
        Expr::Of(Quantity::Minimum) => format_ident!("m"),
        Expr::Of(Quantity::Total) => format_ident!("s"),
        Expr::Of(Quantity::Argument) => format_ident!("z"),
        Expr::Of(Quantity::Noise(of)) => format_ident!("g_{}", part(of)),
        Expr::Of(Quantity::Level(of)) => format_ident!("lambda_{}", part(of)),
        Expr::Of(Quantity::Side(of)) => format_ident!("c_{}", part(of)),
        Expr::Of(Quantity::SideRate(of)) => format_ident!("mu_{}", part(of)),
        Expr::Of(Quantity::SideGeometric(of)) => format_ident!("rho_{}", part(of)),
        Expr::Ratio { .. } => format_ident!("ratio"),
        Expr::GeometricMean(of) => format_ident!("geometric_{}", variable(of)),
        Expr::Mean(of) => format_ident!("mean_{}", variable(of)),
        Expr::Variance(of) => format_ident!("variance_{}", variable(of)),
        // `λ⁺ + μ`, the one sum that has moments of its own.
        Expr::Sum(_) => format_ident!("sum"),
        other => unreachable!("{other:?} has no name"),
    }
}

/// A formula as a 64-bit integer.
pub(super) fn whole(of: &Expr) -> TokenStream {
    let door = door();
    match of {
        Expr::Absolute(_) => quote!(c.unsigned_abs()),
        Expr::Positive(of) if matches!(**of, Expr::Negative(_)) => quote!(#door::below(c)),
        Expr::Positive(_) => quote!(#door::above(c)),
        // Saturates: no count is as large.
        Expr::Floor(of) => {
            let of = real(of, Part::Either).at_least(Binding::Atom);
            quote!(#of.floor() as i64)
        }
        Expr::Sum(all) => all
            .iter()
            .enumerate()
            .fold(TokenStream::new(), |sum, (i, term)| match (i, term) {
                (0, term) => whole(term),
                (_, Expr::Negative(of)) => {
                    let of = whole(of);
                    quote!(#sum - #of)
                }
                (_, term) => {
                    let term = whole(term);
                    quote!(#sum + #term)
                }
            }),
        of => {
            let variable = variable(of);
            quote!(#variable)
        }
    }
}

/// The exponent of `1 - e^x`.
fn one_minus_exp(terms: &[Expr]) -> Option<&Expr> {
    match terms {
        [Expr::Number(1), Expr::Negative(of)] => match &**of {
            Expr::Exp(exponent) => Some(exponent),
            _ => None,
        },
        _ => None,
    }
}

/// Operator precedence of an expression.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Atom,
}

pub(super) struct Written {
    pub tokens: TokenStream,
    binding: Binding,
}

impl Written {
    fn at_least(self, least: Binding) -> TokenStream {
        let tokens = self.tokens;
        if self.binding < least {
            quote!((#tokens))
        } else {
            tokens
        }
    }
}

/// A formula as a double; `part` is the part of the noise that a line about either is read for.
pub(super) fn real(of: &Expr, part: Part) -> Written {
    let (door, of) = (door(), on(of, part));
    let atom = |tokens: TokenStream| Written {
        tokens,
        binding: Binding::Atom,
    };
    match &of {
        Expr::Number(n) => {
            let n = Literal::f64_unsuffixed(f64::from(*n));
            atom(quote!(#n))
        }
        // Counts of a Gibbs step are whole.
        Expr::Of(Quantity::Noise(_)) => {
            let count = variable(&of);
            Written {
                tokens: quote!(#count as f64),
                binding: Binding::Product,
            }
        }
        Expr::Positive(_) => {
            let count = whole(&of);
            Written {
                tokens: quote!(#count as f64),
                binding: Binding::Product,
            }
        }
        // The difference itself would lose its digits at a small rate.
        Expr::Sum(all) if let Some(exponent) = one_minus_exp(all) => {
            let exponent = real(exponent, part).at_least(Binding::Atom);
            atom(quote!((-#exponent.exp_m1())))
        }
        Expr::Sum(all) => {
            let terms = all.iter().enumerate();
            let tokens = terms.fold(TokenStream::new(), |sum, (i, term)| match (i, term) {
                (0, term) => real(term, part).at_least(Binding::Sum),
                (_, Expr::Negative(of)) => {
                    let of = real(of, part).at_least(Binding::Product);
                    quote!(#sum - #of)
                }
                (_, term) => {
                    let term = real(term, part).at_least(Binding::Product);
                    quote!(#sum + #term)
                }
            });
            Written {
                tokens,
                binding: Binding::Sum,
            }
        }
        Expr::Product(all) => {
            let factors = all.iter().enumerate().map(|(i, factor)| {
                // A product is taken from the left: what stands on the right of it keeps its parentheses.
                real(factor, part).at_least(if i == 0 { Binding::Product } else { Binding::Atom })
            });
            let tokens = factors.reduce(|product, factor| quote!(#product * #factor));
            Written {
                tokens: tokens.unwrap_or_default(),
                binding: Binding::Product,
            }
        }
        Expr::Quotient(of) => {
            let [above, below] = &**of;
            let above = real(above, part).at_least(Binding::Product);
            let below = real(below, part).at_least(Binding::Atom);
            Written {
                tokens: quote!(#above / #below),
                binding: Binding::Product,
            }
        }
        Expr::Square(of) => {
            let of = real(of, part).at_least(Binding::Atom);
            Written {
                tokens: quote!(#of * #of),
                binding: Binding::Product,
            }
        }
        Expr::Root(of) => {
            let of = real(of, part).at_least(Binding::Atom);
            atom(quote!(#of.sqrt()))
        }
        Expr::Exp(of) => {
            let of = real(of, part).at_least(Binding::Atom);
            atom(quote!(#of.exp()))
        }
        Expr::Digamma(of) => {
            let of = real(of, part).tokens;
            atom(quote!(#door::digamma(#of)))
        }
        Expr::Power(of) => {
            let base = real(&of[0], part).at_least(Binding::Atom);
            let exponent = real(&of[1], part).tokens;
            atom(quote!(#base.powf(#exponent)))
        }
        Expr::Floor(of) => {
            let of = real(of, part).at_least(Binding::Atom);
            atom(quote!(#of.floor()))
        }
        Expr::Negative(of) => {
            let of = real(of, part).at_least(Binding::Atom);
            atom(quote!((-#of)))
        }
        Expr::WherePresent(of) => {
            let of = real(of, part).tokens;
            Written {
                tokens: quote!(if c { #of } else { 0.0 }),
                binding: Binding::Sum,
            }
        }
        Expr::Probability(Cut::Below, _) => atom(quote!(q.below)),
        Expr::Probability(Cut::At, _) => atom(quote!(q.at)),
        Expr::Probability(Cut::Above, _) => atom(quote!(q.above)),
        Expr::Probability(Cut::From, _) => atom(quote!(q.from)),
        Expr::Mean(inside) if **inside == Expr::Of(Quantity::Rate) => atom(quote!(mu.mean)),
        Expr::Variance(inside) if **inside == Expr::Of(Quantity::Rate) => atom(quote!(mu.variance)),
        Expr::Delta(inside) if **inside == Expr::Of(Quantity::Rate) => atom(quote!(delta_mu)),
        Expr::Delta(_) => atom(quote!(#door::delta_method(mean_sum, variance_sum))),
        of => {
            let variable = variable(of);
            atom(quote!(#variable))
        }
    }
}
