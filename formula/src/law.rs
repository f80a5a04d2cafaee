//! Laws with formulas for parameters, and what is said with them.

use super::{CellNames, Expr, Notation, Quantity};

/// A law of one variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepLaw {
    /// Poisson.
    Poisson {
        /// Its mean.
        rate: Expr,
    },
    /// Exponential.
    Exponential {
        /// One over its mean.
        rate: Expr,
    },
    /// Gamma by shape and rate.
    Gamma {
        /// Shape.
        shape: Expr,
        /// Rate.
        rate: Expr,
    },
    /// Binomial.
    Binomial {
        /// How many trials.
        trials: Expr,
        /// The probability of each.
        share: Expr,
    },
    /// `P(n)` in proportion to `(argument / 2)^(2n + order) / (n! (n + order)!)`.
    Bessel {
        /// Order.
        order: Expr,
        /// Argument.
        argument: Expr,
    },
    /// A Poisson law up to a number, and another one above: `(n + 1) P(n + 1) / P(n)` is `low` below the cut and `high` above it.
    SplicedPoisson {
        /// The rate up to the number.
        low: Expr,
        /// The number.
        cut: Expr,
        /// The ratio at the cut, stated on a line of its own; `None` if it is `high`.
        at: Option<Expr>,
        /// The rate above it.
        high: Expr,
    },
    /// Poisson, and at least one, where something was observed; zero where nothing was.
    PresentPoisson {
        /// The rate.
        rate: Expr,
    },
    /// One value.
    Point {
        /// Which.
        at: Expr,
    },
}

impl StepLaw {
    /// The geometric mean of a gamma law, `exp(psi(shape)) / rate`; none of any other.
    pub fn geometric_mean(&self) -> Option<Expr> {
        match self {
            Self::Gamma { shape, rate } => Some((shape.clone().digamma().exp() / rate.clone()).simplified()),
            _ => None,
        }
    }

    /// The mean of a Poisson law given that it is at least one, `rate / (1 - e^-rate)`; none of any other law.
    pub fn mean_of_present(&self) -> Option<Expr> {
        match self {
            Self::PresentPoisson { rate } => {
                let present = Expr::from(1) - (-rate.clone()).exp();
                Some((rate.clone() / present).where_present())
            }
            _ => None,
        }
    }

    /// The mean and the mode of a Bessel law: `z I(order + 1, z) / (2 I(order, z))` and the whole part of `(sqrt(z^2 + order^2) - order) / 2`
    /// (Yuan and Kalbfleisch 2000); none of any other law.
    pub fn mean_and_mode(&self) -> Option<[Expr; 2]> {
        let Self::Bessel { order, argument } = self else {
            return None;
        };
        let bessel = |order: Expr| order.bessel(argument.clone());
        let mean = argument.clone() * bessel(order.clone() + Expr::from(1)) / (Expr::from(2) * bessel(order.clone()));
        // The square of an absolute value is that of the number.
        let square = match order {
            Expr::Absolute(of) => (**of).clone().square(),
            of => of.clone().square(),
        };
        let root = (argument.clone().square() + square).root();
        Some([mean, ((root - order.clone()) / Expr::from(2)).floor()])
    }
}

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// `of ~ law`, as the noise is declared.
    Declared(Expr, StepLaw),
    /// `of | - ~ law`: a Gibbs step draws it.
    Drawn(Expr, StepLaw),
    /// `q(of) = law`: a variational posterior.
    Posterior(Expr, StepLaw),
    /// `q(of | given) = law`.
    Given(Expr, Expr, StepLaw),
    /// Two formulas are equal.
    Equal(Expr, Expr),
}

/// A statement with the place where it is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it says.
    pub statement: Statement,
    /// Paper and equation; empty if it is in no paper.
    pub source: &'static str,
}

impl Line {
    /// The line in the letters of a model.
    pub fn write(&self, names: &CellNames, notation: Notation) -> String {
        let said = self.statement.write(names, notation);
        match (self.source, notation) {
            ("", _) => said,
            (source, Notation::Unicode) => format!("{said}   [{source}]"),
            (source, Notation::Latex) => {
                let source = source.replace('–', "--").replace('−', "-").replace('α', r"$\alpha$");
                format!(r"{said} \qquad \text{{[{source}]}}")
            }
        }
    }
}

impl Statement {
    /// The statement with its place in a paper.
    pub fn from(self, source: &'static str) -> Line {
        Line {
            statement: self,
            source,
        }
    }

    fn write(&self, names: &CellNames, notation: Notation) -> String {
        let expr = |of: &Expr| of.write(names, notation);
        let q = |of: &str| match notation {
            Notation::Unicode => format!("q({of})"),
            Notation::Latex => format!(r"q\bigl({of}\bigr)"),
        };
        let [tilde, given, bar] = match notation {
            Notation::Unicode => ["~", "| − ~", "|"],
            Notation::Latex => [r"\sim", r"\mid - \sim", r"\mid"],
        };
        match self {
            Self::Declared(of, law) => format!("{} {tilde} {}", expr(of), law.write(names, notation)),
            Self::Drawn(of, law) => format!("{} {given} {}", expr(of), law.write(names, notation)),
            Self::Posterior(of, law) => format!("{} = {}", q(&expr(of)), law.write(names, notation)),
            Self::Given(of, known, law) => {
                let of = format!("{} {bar} {}", expr(of), expr(known));
                format!("{} = {}", q(&of), law.write(names, notation))
            }
            Self::Equal(left, right) => format!("{} = {}", expr(left), expr(right)),
        }
    }
}

impl StepLaw {
    fn write(&self, names: &CellNames, notation: Notation) -> String {
        let (name, parameters): (&str, Vec<&Expr>) = match self {
            Self::SplicedPoisson { low, cut, high, .. } => {
                let [low, high] = [low, high].map(|rate| Self::Poisson { rate: rate.clone() }.write(names, notation));
                let cut = cut.write(names, notation);
                return match notation {
                    Notation::Unicode => format!("{low} up to {cut}, {high} above"),
                    Notation::Latex => format!(r"{low} \text{{ up to }} {cut}, \; {high} \text{{ above}}"),
                };
            }
            Self::PresentPoisson { rate } => {
                let law = Self::Poisson { rate: rate.clone() }.write(names, notation);
                let [y, c] = [Quantity::Truth, Quantity::Observed].map(|of| Expr::from(of).write(names, notation));
                return match notation {
                    Notation::Unicode => format!("{law} given {y} ≥ 1 if {c} = 1, else 0"),
                    Notation::Latex => format!(r"{law} \mid {y} \ge 1 \text{{ if }} {c} = 1 \text{{, else }} 0"),
                };
            }
            Self::Poisson { rate } => ("Poisson", vec![rate]),
            Self::Exponential { rate } => ("Exponential", vec![rate]),
            Self::Gamma { shape, rate } => ("Gamma", vec![shape, rate]),
            Self::Binomial { trials, share } => ("Binomial", vec![trials, share]),
            Self::Bessel { order, argument } => ("Bessel", vec![order, argument]),
            Self::Point { at } => ("point mass at ", vec![at]),
        };
        let all: Vec<String> = parameters.iter().map(|p| p.write(names, notation)).collect();
        let all = all.join(", ");
        match (self, notation) {
            (Self::Point { .. }, Notation::Unicode) => format!("{name}{all}"),
            (Self::Point { .. }, Notation::Latex) => format!(r"\text{{{name}}}{all}"),
            // The other convention has the mean there.
            (Self::Exponential { .. }, Notation::Unicode) => format!("Exponential(rate {all})"),
            (Self::Exponential { .. }, Notation::Latex) => {
                format!(r"\mathrm{{Exponential}}\left(\text{{rate }} {all}\right)")
            }
            (_, Notation::Unicode) => format!("{name}({all})"),
            (_, Notation::Latex) => format!(r"\mathrm{{{name}}}\left({all}\right)"),
        }
    }
}
