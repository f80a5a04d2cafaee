//! What a derivation prints of geometric noise that is summed out: the formulas of [`CollapsedGeometric`], held against the functions that run.

use std::sync::LazyLock;

use skellam_formula::{CellNames, CollapsedGeometric, Notation};

/// What is drawn and what is expected, a line each, with the places of a channel's text.
pub(super) struct CollapsedText {
    pub impute: Vec<&'static str>,
    pub impute_latex: Vec<&'static str>,
    pub expect: Vec<&'static str>,
    pub expect_latex: Vec<&'static str>,
}

/// The text where what is observed is whole, and where it need not be.
pub(super) fn collapsed_text(floored: bool) -> &'static CollapsedText {
    static WHOLE: LazyLock<CollapsedText> = LazyLock::new(|| CollapsedText::new(false));
    static FLOORED: LazyLock<CollapsedText> = LazyLock::new(|| CollapsedText::new(true));
    if floored { &FLOORED } else { &WHOLE }
}

impl CollapsedText {
    fn new(floored: bool) -> Self {
        let (law, places) = (CollapsedGeometric { floored }, CellNames::places());
        // Made once for a process, and as lasting as the text of channels that is written down.
        let lasting = |lines: Vec<String>| lines.into_iter().map(|line| &*line.leak()).collect();
        Self {
            impute: lasting(law.drawn(&places, Notation::Unicode)),
            impute_latex: lasting(law.drawn(&places, Notation::Latex)),
            expect: lasting(law.expected(&places, Notation::Unicode)),
            expect_latex: lasting(law.expected(&places, Notation::Latex)),
        }
    }
}

#[cfg(test)]
mod tests {
    use skellam_formula::{Cut, Expr, Mass, Part, Quantity};

    use super::*;
    use crate::channel::{Channel, ContinuousLaplace, Laplace, TruncatedGeometric, TwoSidedGeometric};
    use crate::special::ln_factorial;
    use crate::special::value::Bindings;

    /// Counts up to which sums are taken: at the rates here nothing is left beyond.
    const MOST: u64 = 1500;

    /// The sum over counts on a side of `cut`: `e^rate P(Poisson(rate) <= cut)` is that of `rate^y / y!`.
    fn value(mass: &Mass, rate: f64, alpha: f64, c: f64) -> f64 {
        let values = Bindings::default()
            .with(Quantity::Alpha, alpha)
            .with(Quantity::Observed, c)
            .with(Quantity::Rate, rate)
            .with(Quantity::Geometric, rate);
        let of = |formula: &Expr| values.of(formula, Part::Plus);
        let (poisson, whole) = (of(&mass.rate), c.floor());
        let is_inside = |y: f64| match mass.cut {
            Cut::Below => y < whole,
            Cut::UpTo => y <= whole,
            Cut::From => y >= whole,
            Cut::Above => y > whole,
        };
        let terms = (0..=MOST).filter(|y| is_inside(*y as f64));
        let sum: f64 = terms.map(|y| (y as f64 * poisson.ln() - ln_factorial(y)).exp()).sum();
        alpha.powf(of(&mass.exponent)) * mass.times.as_ref().map_or(1.0, of) * sum
    }

    /// The largest relative error of the masses, in a Gibbs step and in an ascent, and of the moments, against plain sums of
    /// `rate^y / y! alpha^|c - y|`; and of the functions of a channel against both.
    fn error<C: Channel>(
        channel: impl Fn(f64) -> C,
        floored: bool,
        observed: &[C::Value],
        change: fn(Mass) -> Mass,
    ) -> f64 {
        let law = CollapsedGeometric { floored };
        let mut worst = 0.0f64;
        let mut off = |found: f64, right: f64| worst = worst.max(((found - right) / right).abs());
        for alpha in [0.1f64, 0.6, 0.9] {
            let channel = channel(alpha);
            for rate in [1e-3, 0.4, 7.0, 60.0] {
                for &observation in observed {
                    let c = crate::counts::Observation::number(observation);
                    // The law of a count, up to a constant, against what the channel says of one observation.
                    let said = |y: u64| channel.ln_likelihood(y, observation).unwrap();
                    for y in [1, 2, 9, 30] {
                        let weight = |y: u64| {
                            let values = Bindings::default()
                                .with(Quantity::Alpha, alpha)
                                .with(Quantity::Observed, c)
                                .with(Quantity::Rate, rate)
                                .with(Quantity::Truth, y as f64);
                            values.of(&law.weight(true), Part::Plus)
                        };
                        let poisson = (y as f64 * rate.ln() - ln_factorial(y)).exp();
                        off(weight(y) / weight(0), poisson * (said(y) - said(0)).exp());
                    }
                    let sum = |power: i32| -> f64 {
                        let term = |y: u64| {
                            let ln = y as f64 * f64::ln(rate) - ln_factorial(y) + (c - y as f64).abs() * alpha.ln();
                            ln.exp() * (y as f64).powi(power)
                        };
                        (0..=MOST).map(term).sum()
                    };
                    let total = |masses: [Mass; 2]| {
                        masses
                            .map(|mass| value(&change(mass), rate, alpha, c))
                            .iter()
                            .sum::<f64>()
                    };
                    let [drawn, z, first] = [law.masses(true), law.masses(false), law.moments()].map(total);
                    off(drawn, sum(0));
                    off(z, sum(0));
                    off(first, sum(1));
                    off(channel.expect(rate, observation), first / z);
                    // The constant of the noise is not part of what is printed: two observations of one rate.
                    let other = channel.ln_marginal(2.0 * rate, observation) + 2.0 * rate;
                    let here = channel.ln_marginal(rate, observation) + rate;
                    let twice = law
                        .masses(true)
                        .map(|mass| value(&change(mass), 2.0 * rate, alpha, c))
                        .iter()
                        .sum::<f64>();
                    off((other - here).exp(), twice / drawn);
                }
            }
        }
        worst
    }

    /// Sums of 1500 terms, and exponentials of logarithms of size 1e2.
    const TOLERANCE: f64 = 1e-10;

    #[test]
    fn what_is_printed_is_what_runs() {
        let geometric = error(
            |alpha| TwoSidedGeometric::new(alpha).unwrap(),
            false,
            &[1, 2, 25],
            |mass| mass,
        );
        let truncated = error(
            |alpha| TruncatedGeometric::new(alpha).unwrap(),
            false,
            &[1, 2, 25],
            |mass| mass,
        );
        let scale = |alpha: f64| -1.0 / alpha.ln();
        let laplace = error(
            |alpha| Laplace::new(scale(alpha), 1).unwrap(),
            true,
            &[0.5, 1.0, 7.5],
            |mass| mass,
        );
        let continuous = error(
            |alpha| ContinuousLaplace::new(scale(alpha)).unwrap(),
            true,
            &[0.3, 2.0, 9.7],
            |mass| mass,
        );
        for (name, worst) in [
            ("geometric", geometric),
            ("truncated", truncated),
            ("lattice", laplace),
            ("continuous", continuous),
        ] {
            assert!(worst < TOLERANCE, "{name}: {worst:e}");
        }
    }

    /// A sign, a rate, a factor or a side that is another one is seen.
    #[test]
    fn other_formulas_are_seen() {
        let mutants: [fn(Mass) -> Mass; 4] = [
            |mass| Mass {
                exponent: -mass.exponent,
                ..mass
            },
            |mass| Mass {
                rate: mass.rate / Quantity::Alpha.into(),
                ..mass
            },
            |mass| Mass {
                times: mass.times.map(|_| Quantity::Geometric.into()),
                ..mass
            },
            |mass| Mass {
                cut: match mass.cut {
                    Cut::Below => Cut::UpTo,
                    Cut::UpTo => Cut::Below,
                    Cut::From => Cut::Above,
                    Cut::Above => Cut::From,
                },
                ..mass
            },
        ];
        for (number, mutant) in mutants.into_iter().enumerate() {
            let worst = error(
                |alpha| TwoSidedGeometric::new(alpha).unwrap(),
                false,
                &[1, 2, 25],
                mutant,
            );
            assert!(worst > 1e-3, "mutant {number}: {worst:e}");
        }
    }
}
