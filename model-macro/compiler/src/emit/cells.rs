//! `TopicsCell`: what happens at a cell with its noise. Each formula of the derivation is a doc line, and the line below it computes it:
//! both are written from one value.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use skellam_formula::{
    CellNames, CollapsedNoise, CountDifference, CountGiven, Expr, LINEAR_GEOMETRIC, Line, LinearText, Notation,
    ObservedAs, Part, PoissonDifference, Quantity, Statement, StepLaw, SummedOut, collapsed, present_weight,
};
use syn::Ident;

use super::hygiene::Item;
use super::names::{Names, door};
use crate::derive::{Cell, DerivedModel};
use crate::show;

mod formula;

use formula::{on, real, variable, whole};

/// The steps of a cell of every count of which the language knows them.
pub(super) fn cells(derivation: &DerivedModel, names: &Names) -> Vec<Item> {
    let vis = &derivation.model.vis;
    let all = derivation.cells.iter().zip(&names.cells).enumerate();
    let each = all.map(|(number, (of, cell))| {
        let law = show::count(derivation, number);
        let letters = "Below, `y` is the count, `μ` its rate, `c` what was released of it, and";
        match of {
            Cell::Difference(of) => difference(&law, vis, cell, of),
            Cell::Noise { made_of, summed: None } => {
                let docs = [
                    format!("A cell of `{law}` with its noise. {letters} `λ` the known level of the noise:\n"),
                    listed(&made_of.declared()),
                    "\nBoth engines run the steps below at every cell that is not held out; nothing of the noise is kept.".to_owned(),
                ];
                known(&docs, vis, cell, made_of)
            }
            Cell::Noise {
                made_of,
                summed: Some(summed),
            } => {
                let docs = [
                    format!("A cell of `{law}` with its noise. {letters} `α` the parameter of the noise:\n"),
                    listed(&made_of.declared()),
                    "\nWith the noise summed out, as `draw` and `ascend` have it:".to_owned(),
                    noise_summed_out(derivation.weighs_alike(number), &LINEAR_GEOMETRIC, "two truncated Poisson laws that meet at `c`"),
                ];
                kept(&docs, vis, cell, made_of, summed, is_published(derivation))
            }
            Cell::SummedOut(of) => {
                let names = CellNames::of_a_cell();
                let declared = format!("- `{}`   [{}]", names.fill(of.law), of.source);
                let docs = match &of.count {
                    CountGiven::Noisy(noise) => {
                        let laws = match noise.at {
                            None => "two truncated Poisson laws that meet at `c`",
                            Some(_) => "two truncated Poisson laws, up to `⌊c⌋` and above",
                        };
                        vec![
                            format!("A cell of `{law}` with its noise. {letters} `α` the parameter of the noise:\n"),
                            declared,
                            "\nWith the noise summed out:".to_owned(),
                            noise_summed_out(derivation.weighs_alike(number), &of.linear, laws),
                        ]
                    }
                    CountGiven::Present => vec![
                        format!("A cell of `{law}`. Below, `y` is the count, `μ` its rate, and `c` what was observed of it:\n"),
                        declared,
                        format!("- `{}`", names.fill(&of.linear.line())),
                        format!("- `c = 1:  P(y) ∝ {},  y ≥ 1`", present_weight().write(&names, Notation::Unicode)),
                    ],
                };
                summed_out(&docs, vis, cell, of)
            }
            // Nothing is drawn, the channel draws, or the runtime draws whole lines.
            Cell::Known | Cell::Released | Cell::OfLine => Vec::new(),
        }
    });
    each.flatten().collect()
}

/// A type without fields, and its implementation.
fn written(docs: &[String], vis: &syn::Visibility, cell: &Ident, implementation: TokenStream) -> Vec<Item> {
    vec![
        Item::Type(quote! {
            #(#[doc = #docs])*
            #vis struct #cell;
        }),
        Item::Impl(quote! {
            #[allow(unused_doc_comments, reason = "each line stands below its formula")]
            #implementation
        }),
    ]
}

/// `BalanceCell`: a cell of a difference of two Poisson counts.
fn difference(law: &str, vis: &syn::Visibility, cell: &Ident, of: &CountDifference) -> Vec<Item> {
    let door = door();
    let docs = [
        format!("A cell of `{law}`. Below, `c` is the count, and `μ⁺` and `μ⁻` are the rates of its sides:\n"),
        listed(&of.declared()),
        "\nBoth engines run these lines at every cell that is not held out.".to_owned(),
    ];
    let (draw, ascend) = (lines(&of.gibbs()), lines(&of.cavi()));
    let implementation = quote! {
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
    };
    written(&docs, vis, cell, implementation)
}

/// `TopicsCell` where the level of the noise is known, and nothing of it is kept.
fn known(docs: &[String], vis: &syn::Visibility, cell: &Ident, noise: &PoissonDifference) -> Vec<Item> {
    let door = door();
    let (draw, ascend) = (lines(&noise.gibbs()), lines(&noise.cavi()));
    let law = format_ident!("{}", noise.law());
    let implementation = quote! {
        impl #door::SummedOutCell<#door::#law> for #cell {
            /// A Gibbs step of the cell: `m`, the smaller of `y + g⁺` and `g⁻`, then the true count.
            #[inline]
            fn draw<R: #door::Rng + ?Sized>(c: i64, mu: f64, lambda: f64, rng: &mut R) -> u64 {
                #draw
                y
            }

            /// A step of CAVI at the rate `ρ` of geometric means: `E[y]/ρ`.
            /// `I` is the modified Bessel function.
            #[inline]
            fn ascend(c: i64, rho: f64, lambda: f64) -> f64 {
                #ascend
                per_rate
            }
        }
    };
    written(docs, vis, cell, implementation)
}

/// `TopicsCell` where all but the count is summed out, and in no other form.
fn summed_out(docs: &[String], vis: &syn::Visibility, cell: &Ident, of: &SummedOut) -> Vec<Item> {
    let door = door();
    let (draw, ascend) = (lines(&of.gibbs()), lines(&of.cavi()));
    let law = format_ident!("{}", of.name);
    let value = match of.value {
        ObservedAs::Integer => quote!(i64),
        ObservedAs::Real => quote!(f64),
        ObservedAs::Bool => quote!(bool),
    };
    let noise = match of.count {
        CountGiven::Noisy(_) => quote!(alpha: f64),
        CountGiven::Present => quote!(_: ()),
    };
    let implementation = quote! {
        impl #door::SummedOutCell<#door::#law> for #cell {
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
    };
    written(docs, vis, cell, implementation)
}

/// `TopicsCell` where the noise and its rates are variables of a cell, and where they are summed out.
fn kept(
    docs: &[String],
    vis: &syn::Visibility,
    cell: &Ident,
    noise: &PoissonDifference,
    summed: &CollapsedNoise,
    is_published: bool,
) -> Vec<Item> {
    let door = door();
    let (draw, ascend) = (lines(&summed.gibbs()), lines(&summed.cavi()));
    let (levels, steps) = posterior_first(noise.cavi());
    let draw_noise = lines(&noise.gibbs());
    let ascend_noise = lines(&[levels.clone(), steps].concat());
    let published = noise.published();
    let published = posterior_first(published).1;
    let publish = lines(&[levels, vec![PoissonDifference::delta_method()], published].concat());
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
    let implementation = quote! {
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
    };
    written(docs, vis, cell, implementation)
}

/// Whether the published form runs the model: it refuses Dirichlet latents.
pub(super) fn is_published(derivation: &DerivedModel) -> bool {
    let mut latents = derivation.model.latents.iter();
    latents.all(|latent| latent.along().is_none())
}

/// What is drawn where the noise is summed out, a line each. Beside a simplex all cells must weigh the same: then each is drawn.
fn noise_summed_out(is_drawn: bool, linear: &LinearText, laws: &str) -> String {
    let names = CellNames::of_a_cell();
    if is_drawn {
        let weight = collapsed::weight(true).write(&names, Notation::Unicode);
        return format!("- `P(y) ∝ {weight}`, at every cell: a Dirichlet latent needs cells of equal weight");
    }
    let linear = names.fill(&linear.line());
    let law = collapsed::law(true, &names, Notation::Unicode);
    format!("- `{linear}`\n- `{law}`, {laws}")
}

/// Formulas, a line each.
fn listed(lines: &[Line]) -> String {
    let lines: Vec<String> = lines.iter().map(|line| format!("- {}", quoted(line))).collect();
    lines.join("\n")
}

/// A formula, and behind it where it is from.
fn quoted(line: &Line) -> String {
    let formula = text(&line.statement.clone().from(""));
    match line.source {
        "" => format!("`{formula}`"),
        source => format!("`{formula}`   [{source}]"),
    }
}

/// A line in letters without indices.
fn text(line: &Line) -> String {
    line.write(&CellNames::of_a_cell(), Notation::Unicode)
}

/// The last printed line, q of the noise rates, comes first in a step: it is q after the step before.
fn posterior_first(all: Vec<Line>) -> (Vec<Line>, Vec<Line>) {
    let is_level = |line: &Line| match &line.statement {
        Statement::Posterior(of, _) => is_rate(of),
        Statement::Equal(Expr::GeometricMean(of), _) => is_rate(of),
        _ => false,
    };
    all.into_iter().partition(is_level)
}

fn is_rate(of: &Expr) -> bool {
    matches!(of, Expr::Of(Quantity::Level(_)))
}

/// A step of CAVI returns the expected count per rate, which a rate of zero has too: it computes `E[y]/ρ` from `E[y] = ρ ..`.
fn per_rate(line: &Line) -> Line {
    match &line.statement {
        Statement::Equal(mean @ Expr::Mean(inside), right) if **inside == Expr::Of(Quantity::Truth) => {
            match without_rate(right) {
                Some(rest) => Statement::Equal(mean.clone() / Expr::Of(Quantity::Geometric), rest).from(line.source),
                None => line.clone(),
            }
        }
        _ => line.clone(),
    }
}

/// A formula over `ρ`, where that is its first factor.
fn without_rate(of: &Expr) -> Option<Expr> {
    match of {
        Expr::Product(factors) if factors[0] == Expr::Of(Quantity::Geometric) => Some(match &factors[1..] {
            [only] => only.clone(),
            several => Expr::Product(several.to_vec()),
        }),
        Expr::Quotient(parts) if parts[0] == Expr::Of(Quantity::Geometric) => Some(Expr::from(1) / parts[1].clone()),
        Expr::WherePresent(of) => Some(without_rate(of)?.where_present()),
        _ => None,
    }
}

/// Formulas and the lines that compute them, in this order.
fn lines(all: &[Line]) -> TokenStream {
    let present = all.iter().find_map(|line| match &line.statement {
        Statement::Posterior(_, law) => law.mean_of_present(),
        _ => None,
    });
    for line in all {
        if let (Statement::Equal(_, right), Some(mean)) = (&line.statement, &present) {
            assert_eq!(right, mean, "the mean is that of a count that is at least one");
        }
    }
    let all: Vec<Line> = all.iter().map(per_rate).collect();
    let argument = all.iter().find_map(|line| match &line.statement {
        Statement::Equal(Expr::Of(Quantity::Argument), _) => Some(Expr::Of(Quantity::Argument)),
        _ => None,
    });
    // The law of the smaller side, by whose mean or mode what follows is computed.
    let law = StepLaw::Bessel {
        order: Expr::Of(Quantity::Observed).absolute(),
        argument: argument.unwrap_or(Expr::Of(Quantity::Any)),
    };
    let level = all.iter().find_map(|line| match &line.statement {
        Statement::Posterior(of, law) if is_rate(of) => law.geometric_mean(),
        _ => None,
    });
    let spliced = all.iter().find_map(|line| match &line.statement {
        Statement::Posterior(_, StepLaw::SplicedPoisson { cut, .. }) => Some(cut),
        _ => None,
    });
    let mut out = TokenStream::new();
    // Formulas that nothing computes by itself stand above the next line that does.
    let mut waiting: Vec<String> = Vec::new();
    for line in &all {
        waiting.push(quoted(line));
        if let Statement::Equal(_, right) = &line.statement {
            let is_known = |cut: &Expr| Some(cut) == spliced;
            assert!(
                cuts(right).into_iter().all(is_known),
                "sides are those of the spliced law"
            );
        }
        if let Statement::Equal(Expr::GeometricMean(of), right) = &line.statement
            && is_rate(of)
        {
            assert_eq!(
                Some(right),
                level.as_ref(),
                "the geometric mean is that of the gamma law"
            );
        }
        let code = computed(line, &law);
        if !code.is_empty() {
            let docs = waiting.drain(..);
            out.extend(quote!(#(#[doc = #docs])* #code));
        }
    }
    out
}

/// The numbers on whose sides a formula asks how probable counts are.
fn cuts(of: &Expr) -> Vec<&Expr> {
    match of {
        Expr::Probability(_, cut) => vec![cut],
        Expr::Sum(all) | Expr::Product(all) => all.iter().flat_map(cuts).collect(),
        Expr::Quotient(of) => of.iter().flat_map(cuts).collect(),
        _ => Vec::new(),
    }
}

/// The line that computes a formula; nothing where the formula says a law whose mean is computed by the next one.
///
/// # Panics
///
/// If the runtime has no function for it: the mean and the mode of the law of the smaller side are functions, and so is the delta method.
fn computed(line: &Line, smaller: &StepLaw) -> TokenStream {
    let door = door();
    let [mean, mode] = smaller
        .mean_and_mode()
        .unwrap_or_else(|| unreachable!("it is a Bessel law"));
    match &line.statement {
        Statement::Drawn(of, law) => of_parts(of, |of, part| {
            let (variable, drawn) = (variable(of), drawn(law, part));
            quote!(let #variable = #drawn;)
        }),
        Statement::Posterior(of, StepLaw::Point { at }) => {
            assert_eq!(*at, mode, "the point is the mode of the Bessel law");
            let variable = variable(of);
            quote!(let #variable = #door::bessel_mode(c.unsigned_abs(), z) as f64;)
        }
        Statement::Posterior(_, law @ StepLaw::SplicedPoisson { .. }) => {
            let law = spliced(law);
            quote!(let q = #law.sides();)
        }
        Statement::Equal(Expr::Delta(_), _) => {
            let delta_method = PoissonDifference::delta_method().statement;
            assert_eq!(line.statement, delta_method, "the delta method is that of VI18");
            quote!(let delta_mu = #door::delta_method(mu.mean, mu.variance);)
        }
        Statement::Equal(Expr::Mean(inside), right) if **inside == Expr::Of(Quantity::Minimum) => {
            assert_eq!(*right, mean, "the mean of the smaller side is that of its Bessel law");
            quote!(let mean_m = #door::bessel_mean(c.unsigned_abs(), z);)
        }
        Statement::Posterior(of, law) if *of == Expr::Of(Quantity::Minimum) => {
            assert_eq!(law, smaller, "the smaller side has a Bessel law");
            TokenStream::new()
        }
        Statement::Equal(Expr::Quotient(of), right) if of[0] == Expr::Of(Quantity::Truth).mean() => {
            let per_rate = real(right, Part::Either).tokens;
            quote!(let per_rate = #per_rate;)
        }
        Statement::Equal(of @ Expr::Of(Quantity::Noise(_) | Quantity::Side(_)), right) => {
            let (variable, right) = (variable(of), whole(right));
            quote!(let #variable = #right;)
        }
        Statement::Equal(of, right) => equal(of, right),
        Statement::Posterior(..) | Statement::Given(..) | Statement::Declared(..) => TokenStream::new(),
    }
}

fn equal(of: &Expr, right: &Expr) -> TokenStream {
    of_parts(of, |of, part| {
        let (variable, right) = (variable(of), real(right, part).tokens);
        quote!(let #variable = #right;)
    })
}

/// The line for a quantity; one line for each part of the noise, if the quantity is about either.
fn of_parts(of: &Expr, line: impl Fn(&Expr, Part) -> TokenStream) -> TokenStream {
    if on(of, Part::Plus) == *of {
        return line(of, Part::Either);
    }
    let each = [Part::Plus, Part::Minus].map(|part| line(&on(of, part), part));
    quote!(#(#each)*)
}

fn drawn(law: &StepLaw, part: Part) -> TokenStream {
    let door = door();
    let number = |of: &Expr| real(of, part).tokens;
    match law {
        StepLaw::Bessel { order, argument } => {
            let (order, argument) = (whole(order), number(argument));
            quote!(#door::bessel(#order, #argument, rng))
        }
        StepLaw::Binomial { trials, share } => {
            let (trials, share) = (whole(trials), number(share));
            quote!(#door::binomial(#trials, #share, rng))
        }
        StepLaw::Gamma { shape, rate } => {
            let (shape, rate) = (number(shape), number(rate));
            quote!(#door::gamma(#shape, #rate, rng))
        }
        StepLaw::SplicedPoisson { .. } => {
            let law = spliced(law);
            quote!(#law.draw(rng))
        }
        StepLaw::PresentPoisson { rate } => {
            let rate = number(rate);
            quote!(if c { #door::poisson_more_than(#rate, 0, rng) } else { 0 })
        }
        other => unreachable!("no step draws from {other:?}"),
    }
}

fn spliced(law: &StepLaw) -> TokenStream {
    let StepLaw::SplicedPoisson { low, cut, at, high } = law else {
        unreachable!("asked of such a law alone");
    };
    let (door, cut) = (door(), whole(cut));
    let [low, high] = [low, high].map(|rate| real(rate, Part::Either).tokens);
    match at.as_ref().map(|at| real(at, Part::Either).tokens) {
        None => quote!(#door::SplicedPoisson::new(#low, #cut, #high)),
        Some(at) => quote!(#door::BrokenPoisson::new(#low, #cut, #at, #high)),
    }
}

#[cfg(test)]
mod tests;
