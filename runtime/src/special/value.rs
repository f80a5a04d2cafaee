//! The value of a formula, for tests: by the textbook definitions, not by the functions that run.

use skellam_formula::{Expr, Part, Quantity};

use super::{digamma, ln_bessel_i, ln_factorial};

/// What some formulas are worth at a cell; others follow from them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings(Vec<(Expr, f64)>);

impl Bindings {
    /// With one more.
    pub fn with(mut self, of: impl Into<Expr>, value: f64) -> Self {
        self.0.push((of.into(), value));
        self
    }

    /// The value of a formula; `part` is the one that lines about either are read for.
    pub fn of(&self, formula: &Expr, part: Part) -> f64 {
        let on_part = on(formula, part);
        if let Some((_, value)) = self.0.iter().find(|(known, _)| *known == on_part) {
            return *value;
        }
        let at = |of: &Expr| self.of(of, part);
        match &on_part {
            Expr::Number(n) => f64::from(*n),
            Expr::Sum(all) => all.iter().map(at).sum(),
            Expr::Negative(of) => -at(of),
            Expr::Product(all) => all.iter().map(at).product(),
            Expr::Quotient(of) => at(&of[0]) / at(&of[1]),
            Expr::Root(of) => at(of).sqrt(),
            Expr::Square(of) => at(of).powi(2),
            Expr::Power(of) => at(&of[0]).powf(at(&of[1])),
            Expr::Factorial(of) => ln_factorial(at(of) as u64).exp(),
            Expr::Absolute(of) => at(of).abs(),
            Expr::Positive(of) => at(of).max(0.0),
            Expr::Floor(of) => at(of).floor(),
            Expr::Exp(of) => at(of).exp(),
            Expr::Ln(of) => at(of).ln(),
            Expr::Digamma(of) => digamma(at(of)),
            Expr::WherePresent(of) => match at(&Expr::Of(Quantity::Observed)) {
                0.0 => 0.0,
                _ => at(of),
            },
            Expr::Bessel(of) => ln_bessel_i(at(&of[0]) as u64, at(&of[1])).exp(),
            other => panic!("{other:?} has no value here"),
        }
    }
}

/// The formula with `Either` read as one part, at its top.
fn on(formula: &Expr, part: Part) -> Expr {
    match formula {
        Expr::Of(Quantity::Noise(Part::Either)) => Expr::Of(Quantity::Noise(part)),
        Expr::Of(Quantity::Level(Part::Either)) => Expr::Of(Quantity::Level(part)),
        Expr::Mean(of) => on(of, part).mean(),
        Expr::GeometricMean(of) => on(of, part).geometric_mean(),
        other => other.clone(),
    }
}
