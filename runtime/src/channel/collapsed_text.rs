//! What a derivation prints of noise that is summed out: the formulas of [`CollapsedGeometric`] and [`CollapsedLaplace`], held against the functions
//! that run.

use std::sync::LazyLock;

use skellam_formula::{CellNames, CollapsedGeometric, CollapsedLaplace, Notation};

/// What is drawn and what is expected, a line each, with the places of a channel's text.
pub(super) struct CollapsedText {
    pub impute: Vec<&'static str>,
    pub impute_latex: Vec<&'static str>,
    pub expect: Vec<&'static str>,
    pub expect_latex: Vec<&'static str>,
}

/// The text where what is observed is whole, and where it need not be.
pub(super) fn collapsed_text(floored: bool) -> &'static CollapsedText {
    static WHOLE: LazyLock<CollapsedText> = LazyLock::new(|| {
        CollapsedText::new(
            |names, notation| CollapsedGeometric::default().drawn(names, notation),
            |names, notation| CollapsedGeometric::default().expected(names, notation),
        )
    });
    static FLOORED: LazyLock<CollapsedText> = LazyLock::new(|| {
        CollapsedText::new(
            |names, notation| CollapsedLaplace.drawn(names, notation),
            |names, notation| CollapsedLaplace.expected(names, notation),
        )
    });
    if floored { &FLOORED } else { &WHOLE }
}

/// Prints lines in a notation.
type Printer = fn(&CellNames, Notation) -> Vec<String>;

impl CollapsedText {
    fn new(drawn: Printer, expected: Printer) -> Self {
        // Made once for a process, and as lasting as the text of channels that is written down.
        let lasting = |lines: Printer, notation| {
            let lines = lines(&CellNames::places(), notation);
            lines.into_iter().map(|line| &*line.leak()).collect()
        };
        Self {
            impute: lasting(drawn, Notation::Unicode),
            impute_latex: lasting(drawn, Notation::Latex),
            expect: lasting(expected, Notation::Unicode),
            expect_latex: lasting(expected, Notation::Latex),
        }
    }
}

#[cfg(test)]
mod tests {
    use skellam_formula::{Cut, Expr, Mass, Part, Quantity, Statement, collapsed};

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

    /// What is printed of a law.
    struct Said {
        masses: Vec<[Mass; 2]>,
        mean: Mean,
    }

    /// How the mean is said.
    enum Mean {
        /// By a line, in which probabilities stand.
        Line(CollapsedGeometric),
        /// By masses, over those of the law.
        Masses([Mass; 2]),
    }

    fn of_whole_noise(law: CollapsedGeometric) -> Said {
        Said {
            masses: vec![law.masses()],
            mean: Mean::Line(law),
        }
    }

    fn of_noise() -> Said {
        Said {
            masses: [true, false].map(|is_gibbs| CollapsedLaplace.masses(is_gibbs)).into(),
            mean: Mean::Masses(CollapsedLaplace.moments()),
        }
    }

    /// The mean that the last line of a variational step says, with plain sums for the probabilities in it.
    fn mean_of(law: &CollapsedGeometric, rate: f64, alpha: f64, c: f64) -> f64 {
        let lines = law.cavi();
        let Some(Statement::Equal(left, right)) = lines.last().map(|line| &line.statement) else {
            panic!("the last line is an equation");
        };
        assert_eq!(*left, Expr::from(Quantity::Truth).mean());
        let mut values = Bindings::default()
            .with(Quantity::Alpha, alpha)
            .with(Quantity::Observed, c)
            .with(Quantity::Geometric, rate);
        let weight = |y: u64| (y as f64 * rate.ln() - ln_factorial(y) + (c - y as f64).abs() * alpha.ln()).exp();
        let total: f64 = (0..=MOST).map(weight).sum();
        for (cut, at) in probabilities(right) {
            let at_value = values.of(at, Part::Plus);
            let is_inside = |y: &u64| match cut {
                Cut::Below => (*y as f64) < at_value,
                Cut::UpTo => *y as f64 <= at_value,
                Cut::From => *y as f64 >= at_value,
                Cut::Above => *y as f64 > at_value,
            };
            let inside: f64 = (0..=MOST).filter(is_inside).map(weight).sum();
            values = values.with(Expr::Probability(cut, Box::new(at.clone())), inside / total);
        }
        values.of(right, Part::Plus)
    }

    fn probabilities(of: &Expr) -> Vec<(Cut, &Expr)> {
        match of {
            Expr::Probability(cut, at) => vec![(*cut, at)],
            Expr::Sum(all) | Expr::Product(all) => all.iter().flat_map(probabilities).collect(),
            Expr::Quotient(of) => of.iter().flat_map(probabilities).collect(),
            _ => Vec::new(),
        }
    }

    /// The largest relative error of the masses, in a Gibbs step and in an ascent, and of the mean, against plain sums of
    /// `rate^y / y! alpha^|c - y|`; and of the functions of a channel against both.
    fn error<C: Channel>(channel: impl Fn(f64) -> C, observed: &[C::Value], said: &Said) -> f64 {
        let mut worst = 0.0f64;
        let mut off = |found: f64, right: f64| worst = worst.max(((found - right) / right).abs());
        for alpha in [0.1f64, 0.6, 0.9] {
            let channel = channel(alpha);
            for rate in [1e-3, 0.4, 7.0, 60.0] {
                for &observation in observed {
                    let c = crate::counts::Observation::number(observation);
                    // The law of a count, up to a constant, against what the channel says of one observation.
                    let ln_likelihood = |y: u64| channel.ln_likelihood(y, observation).unwrap();
                    for y in [1, 2, 9, 30] {
                        let weight = |y: u64| {
                            let values = Bindings::default()
                                .with(Quantity::Alpha, alpha)
                                .with(Quantity::Observed, c)
                                .with(Quantity::Rate, rate)
                                .with(Quantity::Truth, y as f64);
                            values.of(&collapsed::weight(true), Part::Plus)
                        };
                        let poisson = (y as f64 * rate.ln() - ln_factorial(y)).exp();
                        off(
                            weight(y) / weight(0),
                            poisson * (ln_likelihood(y) - ln_likelihood(0)).exp(),
                        );
                    }
                    let sum = |power: i32| -> f64 {
                        let term = |y: u64| {
                            let ln = y as f64 * f64::ln(rate) - ln_factorial(y) + (c - y as f64).abs() * alpha.ln();
                            ln.exp() * (y as f64).powi(power)
                        };
                        (0..=MOST).map(term).sum()
                    };
                    let total = |masses: &[Mass; 2], rate: f64| -> f64 {
                        masses.iter().map(|mass| value(mass, rate, alpha, c)).sum()
                    };
                    for masses in &said.masses {
                        off(total(masses, rate), sum(0));
                    }
                    let mean = match &said.mean {
                        Mean::Line(law) => mean_of(law, rate, alpha, c),
                        Mean::Masses(moments) => total(moments, rate) / total(&said.masses[0], rate),
                    };
                    off(mean, sum(1) / sum(0));
                    off(channel.expect(rate, observation), mean);
                    // The constant of the noise is not part of what is printed: two observations of one rate.
                    let other = channel.ln_marginal(2.0 * rate, observation) + 2.0 * rate;
                    let here = channel.ln_marginal(rate, observation) + rate;
                    off(
                        (other - here).exp(),
                        total(&said.masses[0], 2.0 * rate) / total(&said.masses[0], rate),
                    );
                }
            }
        }
        worst
    }

    /// Sums of 1500 terms, and exponentials of logarithms of size 1e2.
    const TOLERANCE: f64 = 1e-10;

    #[test]
    fn what_is_printed_is_what_runs() {
        let whole = of_whole_noise(CollapsedGeometric::default());
        let geometric = error(|alpha| TwoSidedGeometric::new(alpha).unwrap(), &[1, 2, 25], &whole);
        let truncated = error(|alpha| TruncatedGeometric::new(alpha).unwrap(), &[1, 2, 25], &whole);
        let scale = |alpha: f64| -1.0 / alpha.ln();
        let laplace = error(
            |alpha| Laplace::new(scale(alpha), 1).unwrap(),
            &[0.5, 1.0, 7.5],
            &of_noise(),
        );
        let continuous = error(
            |alpha| ContinuousLaplace::new(scale(alpha)).unwrap(),
            &[0.3, 2.0, 9.7],
            &of_noise(),
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
        let masses: [fn(Mass) -> Mass; 4] = [
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
        for (number, change) in masses.into_iter().enumerate() {
            let said = of_noise();
            let mutant = Said {
                masses: said.masses.into_iter().map(|masses| masses.map(change)).collect(),
                mean: Mean::Masses(CollapsedLaplace.moments().map(change)),
            };
            let worst = error(
                |alpha| ContinuousLaplace::new(-1.0 / alpha.ln()).unwrap(),
                &[0.3, 2.0, 9.7],
                &mutant,
            );
            assert!(worst > 1e-3, "mutant {number} of masses: {worst:e}");
        }
        let right = CollapsedGeometric::default();
        let laws = [
            CollapsedGeometric {
                above: 1.into(),
                ..right.clone()
            },
            CollapsedGeometric {
                below: 1.into(),
                ..right
            },
        ];
        for (number, law) in laws.into_iter().enumerate() {
            let geometric = |alpha| TwoSidedGeometric::new(alpha).unwrap();
            let worst = error(geometric, &[1, 2, 25], &of_whole_noise(law.clone()));
            assert!(worst > 1e-3, "mutant {number} of laws: {worst:e}");
            // Its mean alone.
            let mutant = Said {
                mean: Mean::Line(law),
                ..of_whole_noise(CollapsedGeometric::default())
            };
            let worst = error(geometric, &[1, 2, 25], &mutant);
            assert!(worst > 1e-3, "mutant {number} of means: {worst:e}");
        }
    }
}
