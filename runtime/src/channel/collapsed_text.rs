//! What a derivation prints of what is summed out: the formulas of [`CollapsedNoise`] and [`SummedOut`], held against the functions that run.

use std::sync::LazyLock;

use skellam_formula::{CellNames, CollapsedNoise, Notation, SummedOut};

use super::{ChannelText, NoiseText};

/// What is drawn and what is expected, a line each, with the places of a channel's text.
pub(super) struct CollapsedText {
    pub impute: Vec<&'static str>,
    pub impute_latex: Vec<&'static str>,
    pub expect: Vec<&'static str>,
    pub expect_latex: Vec<&'static str>,
}

/// The text of geometric noise.
pub(super) fn geometric_text() -> &'static CollapsedText {
    static TEXT: LazyLock<CollapsedText> = LazyLock::new(|| {
        let noise = CollapsedNoise::geometric();
        CollapsedText::new(|notation| {
            let names = CellNames::places();
            [noise.drawn(&names, notation), noise.expected(&names, notation)]
        })
    });
    &TEXT
}

/// The text of a law of which nothing is kept: what the law says in formulas, in the place of channels whose other words are their own.
pub(super) fn summed_out_text(name: &'static str) -> ChannelText {
    static TEXTS: LazyLock<Vec<(SummedOut, CollapsedText)>> = LazyLock::new(|| {
        let names = CellNames::places();
        let text = |of: SummedOut| {
            let text = CollapsedText::new(|notation| [of.drawn(&names, notation), of.expected(&names, notation)]);
            (of, text)
        };
        SummedOut::all().into_iter().map(text).collect()
    });
    let Some((of, said)) = TEXTS.iter().find(|(of, _)| of.name == name) else {
        unreachable!("{name} is a law of which nothing is kept");
    };
    ChannelText {
        name,
        law: of.law,
        law_latex: "",
        linear: Some(of.linear),
        impute: &said.impute,
        impute_latex: &said.impute_latex,
        expect: &said.expect,
        expect_latex: &said.expect_latex,
        noise: NoiseText::Summed,
        source: of.source,
    }
}

impl CollapsedText {
    fn new(lines: impl Fn(Notation) -> [Vec<String>; 2]) -> Self {
        // Leaked once for a process, as the text of a channel is `'static`.
        let lasting = |notation| lines(notation).map(|lines| lines.into_iter().map(|line| &*line.leak()).collect());
        let ([impute, expect], [impute_latex, expect_latex]) = (lasting(Notation::Unicode), lasting(Notation::Latex));
        Self {
            impute,
            impute_latex,
            expect,
            expect_latex,
        }
    }
}

#[cfg(test)]
mod tests {
    use skellam_formula::{Cut, Expr, Mass, Part, Quantity, Statement, collapsed};

    use super::*;
    use crate::channel::{AtLeastOne, Channel, ContinuousLaplace, Laplace, TruncatedGeometric, TwoSidedGeometric};
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
            Cut::At => y == whole,
            Cut::UpTo => y <= whole,
            Cut::From => y >= whole,
            Cut::Above => y > whole,
        };
        let terms = (0..=MOST).filter(|y| is_inside(*y as f64));
        let sum: f64 = terms.map(|y| (y as f64 * poisson.ln() - ln_factorial(y)).exp()).sum();
        alpha.powf(of(&mass.exponent)) * sum
    }

    /// What is printed of a law.
    struct Said {
        masses: [Mass; 2],
        /// The line of the mean.
        mean: CollapsedNoise,
    }

    fn said(law: CollapsedNoise) -> Said {
        Said {
            masses: law.masses(),
            mean: law,
        }
    }

    /// The mean that the last line of a variational step says, with plain sums for the probabilities in it.
    fn mean_of(law: &CollapsedNoise, rate: f64, alpha: f64, c: f64) -> f64 {
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
                Cut::At => *y as f64 == at_value,
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
                    off(total(&said.masses, rate), sum(0));
                    let mean = mean_of(&said.mean, rate, alpha, c);
                    off(mean, sum(1) / sum(0));
                    off(channel.expect(rate, observation), mean);
                    // The constant of the noise is not part of what is printed: two observations of one rate.
                    let other = channel.ln_marginal(2.0 * rate, observation) + 2.0 * rate;
                    let here = channel.ln_marginal(rate, observation) + rate;
                    off(
                        (other - here).exp(),
                        total(&said.masses, 2.0 * rate) / total(&said.masses, rate),
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
        let [whole, broken] = [CollapsedNoise::geometric(), CollapsedNoise::laplace()].map(said);
        let geometric = error(|alpha| TwoSidedGeometric::new(alpha).unwrap(), &[1, 2, 25], &whole);
        let truncated = error(|alpha| TruncatedGeometric::new(alpha).unwrap(), &[1, 2, 25], &whole);
        let scale = |alpha: f64| -1.0 / alpha.ln();
        let laplace = error(
            |alpha| Laplace::new(scale(alpha), 1).unwrap(),
            &[0.5, 1.0, 7.5],
            &broken,
        );
        let continuous = error(
            |alpha| ContinuousLaplace::new(scale(alpha)).unwrap(),
            &[0.3, 2.0, 9.7],
            &broken,
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
        let masses: [fn(Mass) -> Mass; 3] = [
            |mass| Mass {
                exponent: -mass.exponent,
                ..mass
            },
            |mass| Mass {
                rate: mass.rate / Quantity::Alpha.into(),
                ..mass
            },
            |mass| Mass {
                cut: match mass.cut {
                    Cut::UpTo => Cut::Below,
                    _ => Cut::From,
                },
                ..mass
            },
        ];
        let [whole, broken] = [CollapsedNoise::geometric(), CollapsedNoise::laplace()];
        let of_geometric = |said: &Said| error(|alpha| TwoSidedGeometric::new(alpha).unwrap(), &[1, 2, 25], said);
        let of_laplace = |said: &Said| {
            error(
                |alpha| ContinuousLaplace::new(-1.0 / alpha.ln()).unwrap(),
                &[0.3, 2.0, 9.7],
                said,
            )
        };
        let one = || Expr::from(1);
        for (number, change) in masses.into_iter().enumerate() {
            for (law, worst) in [(&whole, &of_geometric as &dyn Fn(&Said) -> f64), (&broken, &of_laplace)] {
                let mutant = Said {
                    masses: law.masses().map(change),
                    ..said(law.clone())
                };
                // Where the two laws meet, either of them may have the count between.
                let is_same = number == 2 && law.at.is_none();
                assert_eq!(
                    worst(&mutant) > 1e-3,
                    !is_same,
                    "mutant {number} of masses: {:e}",
                    worst(&mutant)
                );
            }
        }
        let laws = |law: &CollapsedNoise| {
            [
                CollapsedNoise {
                    above: one(),
                    ..law.clone()
                },
                CollapsedNoise {
                    below: one(),
                    ..law.clone()
                },
            ]
        };
        // Where laws do not meet, and where they are cut.
        let of_broken = [
            CollapsedNoise {
                at: None,
                ..broken.clone()
            },
            CollapsedNoise {
                at: Some(Quantity::Alpha.into()),
                ..broken.clone()
            },
            CollapsedNoise {
                cut: Expr::from(Quantity::Observed).floor() + one(),
                ..broken.clone()
            },
        ];
        let mutants = laws(&whole).map(|law| (law, false)).into_iter();
        let mutants = mutants.chain(laws(&broken).into_iter().chain(of_broken).map(|law| (law, true)));
        for (number, (law, is_broken)) in mutants.enumerate() {
            let right = if is_broken { &broken } else { &whole };
            // Its mean alone.
            let mutant = Said {
                mean: law,
                ..said(right.clone())
            };
            let worst = if is_broken {
                of_laplace(&mutant)
            } else {
                of_geometric(&mutant)
            };
            assert!(worst > 1e-3, "mutant {number} of means: {worst:e}");
        }
    }

    /// A count that is at least one: its mean by plain sums, and a mutant of it.
    #[test]
    fn a_present_count_is_printed_as_it_runs() {
        let law = SummedOut::of_law("AtLeastOne").unwrap();
        let lines = law.cavi();
        let Some(Statement::Equal(_, mean)) = lines.last().map(|line| &line.statement) else {
            panic!("the last line is an equation");
        };
        for rate in [1e-3, 0.4, 7.0, 60.0] {
            for c in [false, true] {
                let values = Bindings::default()
                    .with(Quantity::Observed, f64::from(u8::from(c)))
                    .with(Quantity::Geometric, rate);
                let (printed, runs) = (values.of(mean, Part::Plus), AtLeastOne.expect(rate, c));
                let weight = |y: u64| (y as f64 * f64::ln(rate) - ln_factorial(y)).exp();
                let total: f64 = (1..=MOST).map(weight).sum();
                let sum: f64 = (1..=MOST).map(|y| y as f64 * weight(y)).sum();
                let right = if c { sum / total } else { 0.0 };
                assert!(
                    (printed - right).abs() <= TOLERANCE * right,
                    "{rate}: {printed} and {right}"
                );
                assert!((runs - right).abs() <= TOLERANCE * right, "{rate}: {runs} and {right}");
                let mutant = values.of(&(mean.clone() + Expr::from(1)), Part::Plus);
                assert!((mutant - right).abs() > TOLERANCE * right);
            }
        }
    }
}
