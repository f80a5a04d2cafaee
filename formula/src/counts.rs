//! A count that is a difference of two Poisson counts, and the forms of inference that follow from it.

use super::{Expr, Line, Part, Quantity, Statement, StepLaw};

use Part::{Either, Minus, Plus};
use Quantity::{Argument, Minimum, Observed, Side, SideGeometric, SideRate};
use Statement::{Declared, Drawn, Equal, Posterior};

/// `c = c+ - c-`, `c+- ~ Poisson(mu+-)`: Skellam (1946). Given `c` the smaller of the two is a Bessel variable (Yuan and Kalbfleisch
/// 2000), and both are known with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountDifference;

const BESSEL: &str = "Yuan and Kalbfleisch 2000";

fn of(quantity: Quantity) -> Expr {
    quantity.into()
}

/// Law of the smaller count where the two have these rates.
fn smaller(rate: impl Fn(Part) -> Quantity) -> [Expr; 2] {
    let product = of(rate(Plus)) * of(rate(Minus));
    [of(Observed).absolute(), Expr::from(2) * product.root()]
}

/// By how much each count is above the smaller one: `max(c, 0)`, `max(-c, 0)`.
fn above(side: Part) -> Expr {
    match side {
        Minus => (-of(Observed)).positive(),
        Plus | Either => of(Observed).positive(),
    }
}

impl CountDifference {
    /// What is declared.
    pub fn declared(self) -> Vec<Line> {
        let rate = of(SideRate(Either));
        vec![
            Equal(of(Observed), of(Side(Plus)) - of(Side(Minus))).from(""),
            Declared(of(Side(Either)), StepLaw::Poisson { rate }).from("Skellam 1946"),
        ]
    }

    /// What a Gibbs step draws, in this order.
    pub fn gibbs(self) -> Vec<Line> {
        let [order, argument] = smaller(SideRate);
        let side = |side| Equal(of(Side(side)), of(Minimum) + above(side)).from("");
        vec![
            Drawn(of(Minimum), StepLaw::Bessel { order, argument }).from(BESSEL),
            side(Plus),
            side(Minus),
        ]
    }

    /// What a variational step computes, in this order.
    pub fn cavi(self) -> Vec<Line> {
        let [order, argument] = smaller(SideGeometric);
        let law = StepLaw::Bessel {
            order,
            argument: of(Argument),
        };
        let mean = law
            .mean_and_mode()
            .map(|[mean, _]| Equal(of(Minimum).mean(), mean).from(BESSEL));
        let side = |side| Equal(of(Side(side)).mean(), of(Minimum).mean() + above(side)).from("");
        let first = [
            Equal(of(Argument), argument).from(""),
            Posterior(of(Minimum), law).from(""),
        ];
        first.into_iter().chain(mean).chain([side(Plus), side(Minus)]).collect()
    }

    /// What a cell adds to the bound of [`Self::cavi`]: `ln P(c)` at the geometric rates, plus these, less the mean rates.
    pub fn bound(self) -> Expr {
        let ratio = of(SideGeometric(Plus)) / of(SideGeometric(Minus));
        of(Observed).absolute().bessel(of(Argument)).ln() + of(Observed) * ratio.ln() / Expr::from(2)
            - of(SideRate(Plus)).mean()
            - of(SideRate(Minus)).mean()
    }
}
