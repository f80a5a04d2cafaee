//! The moments of an entry under q, by family.

use super::{CellNames, Expr, Notation, Quantity};

use Notation::{Latex, Unicode};
use Quantity::{Any, First, FirstInAll, Second};

/// The moments of `x` where `q(x)` has the parameters `A` and `B`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moments {
    /// `E[x]`.
    pub mean: Expr,
    /// `G[x] = exp(E[ln x])`.
    pub geometric: Expr,
    /// `E[x^2]`.
    pub second: Expr,
}

impl Moments {
    /// Of a gamma with shape `A` and rate `B`.
    pub fn gamma() -> Self {
        let (shape, rate) = (|| Expr::from(First), || Expr::from(Second));
        Self {
            mean: shape() / rate(),
            geometric: shape().digamma().exp() / rate(),
            second: shape() * (shape() + 1.into()) / rate().square(),
        }
    }

    /// Of an entry of a Dirichlet with concentrations `A`.
    pub fn dirichlet() -> Self {
        let (own, all) = (|| Expr::from(First), || Expr::from(FirstInAll));
        Self {
            mean: own() / all(),
            geometric: (own().digamma() - all().digamma()).exp(),
            second: own() * (own() + 1.into()) / (all() * (all() + 1.into())),
        }
    }

    /// The moments side by side, the second one if it is asked for.
    pub fn write(&self, with_second: bool, notation: Notation) -> String {
        let x = || Expr::from(Any);
        let mut all = vec![(x().mean(), &self.mean), (x().geometric_mean(), &self.geometric)];
        if with_second {
            all.push((x().square().mean(), &self.second));
        }
        let names = CellNames::of_a_cell();
        let equal =
            |(of, is): (Expr, &Expr)| format!("{} = {}", of.write(&names, notation), is.write(&names, notation));
        let all: Vec<String> = all.into_iter().map(equal).collect();
        all.join(match notation {
            Unicode => ",  ",
            Latex => r", \quad ",
        })
    }
}
