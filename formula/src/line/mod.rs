//! Counts that add up to a total, as values: their weights, the messages along their line, its draw, its means and its evidence.
//!
//! The cells of a line are `1 .. J`. The sums are ours: the book derives them on its page *The mathematics*, under *Known totals*.

mod expr;
#[cfg(test)]
mod tests;
mod write;

pub use expr::{Function, LineCell, LineExpr, LineQuantity, Variable};
pub use write::LineNames;

use Function::{Backward, Forward, Likelihood, Said, TotalLaw, Weight};
use LineCell::{Before, Here, Last, Start};
use Variable::{Count, Sum};

/// The cells of one line, which add up to a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultinomialLine {
    /// Whether something was observed of its cells.
    pub is_observed: bool,
    /// Whether its cells are the totals of other lines.
    pub is_total: bool,
    /// Whether its total is a number; else it is a count, whose law is found above the line.
    pub is_known: bool,
}

/// A Poisson count that is the total of lines, and that nobody knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoissonTotal {
    /// Whether something was observed of it.
    pub is_observed: bool,
}

/// Two formulas that are equal: the left one is found by the right one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// What is found.
    pub left: LineExpr,
    /// What it is.
    pub right: LineExpr,
}

/// The weights of the cells of a line and of their sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSums {
    /// `w_j(x)`, the weight of a number in a cell.
    pub weight: Equation,
    /// `g(x)`, what a line below says of its total; nothing where there is none below.
    pub said: Option<Equation>,
    /// `F_0(s)`, before any cell.
    pub start: Equation,
    /// `F_j(s)`, the weights of the sums of the cells up to one.
    pub forward: Equation,
}

/// A draw of a line, from its last cell to its first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineDraw {
    /// Weights, of which the numbers are drawn.
    pub sums: LineSums,
    /// What all cells add up to.
    pub from: LineExpr,
    /// The law of the number in a cell, up to a constant, where the cells up to it add up to `s`.
    pub law: LineExpr,
    /// What those before it add up to.
    pub rest: LineExpr,
}

/// The means of the cells of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMeans {
    /// Weights, at the rates of an ascent.
    pub sums: LineSums,
    /// `B_J(s)`, what is known of the sum of all cells.
    pub end: Equation,
    /// `B_{j-1}(s)`, what the cells behind say of the sum of those before.
    pub backward: Equation,
    /// The probability of the number in a cell.
    pub marginal: LineExpr,
}

/// The law of a Poisson count that is a total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalWeights {
    /// `w(x)`, which is its law up to a constant.
    pub weight: Equation,
    /// `g(x)`, what a line below says of it.
    pub said: Equation,
    /// That law.
    pub law: LineExpr,
}

fn x() -> LineExpr {
    Count.into()
}

fn s() -> LineExpr {
    Sum.into()
}

/// `r^x / x!`, times the probability of what was observed, times what every line below says.
fn weight(rate: LineQuantity, is_observed: bool, is_total: bool) -> Equation {
    let mut right = LineExpr::from(rate).power(x()) / x().factorial();
    if is_observed {
        right = right * Likelihood.at(x());
    }
    if is_total {
        right = right * Said.at(x()).over_lines();
    }
    Weight.at(x()).is(right)
}

/// The evidence of a line at a total, `x! F(x)`.
fn said() -> Equation {
    Said.at(x()).is(x().factorial() * Forward(Last).at(x()))
}

impl MultinomialLine {
    fn sums(&self, rate: LineQuantity) -> LineSums {
        LineSums {
            weight: weight(rate, self.is_observed, self.is_total),
            said: self.is_total.then(said),
            start: Forward(Start).at(s()).is(s().equals(0.into())),
            forward: Forward(Here)
                .at(s())
                .is((Weight.at(x()) * Forward(Before).at(s() - x())).summed(Count)),
        }
    }

    /// What a Gibbs step draws.
    pub fn gibbs(&self) -> LineDraw {
        LineDraw {
            sums: self.sums(LineQuantity::Rate),
            from: LineQuantity::Total.into(),
            law: Weight.at(x()) * Forward(Before).at(s() - x()),
            rest: s() - x(),
        }
    }

    /// What a variational step computes.
    pub fn cavi(&self) -> LineMeans {
        let total = || LineExpr::from(LineQuantity::Total);
        // A total that is a count has a law of its own, over which the line is averaged.
        let end = match self.is_known {
            true => s().equals(total()) / Forward(Last).at(total()),
            false => TotalLaw.at(s()) / Forward(Last).at(s()),
        };
        LineMeans {
            sums: self.sums(LineQuantity::Geometric),
            end: Backward(Last).at(s()).is(end),
            backward: Backward(Before)
                .at(s())
                .is((Weight.at(x()) * Backward(Here).at(s() + x())).summed(Count)),
            marginal: Weight.at(x()) * (Forward(Before).at(s()) * Backward(Here).at(s() + x())).summed(Sum),
        }
    }

    /// What the line adds to the bound of [`Self::cavi`]; nothing where its total is a cell of another line, which has this in its weight.
    pub fn bound(&self) -> Option<Equation> {
        let total = || LineExpr::from(LineQuantity::Total);
        let evidence = total().factorial().ln() + Forward(Last).at(total()).ln();
        self.is_known.then(|| LineExpr::from(LineQuantity::Bound).is(evidence))
    }
}

impl LineMeans {
    /// The mean of a cell.
    pub fn mean(&self) -> Equation {
        LineExpr::from(LineQuantity::Mean).is((x() * self.marginal.clone()).summed(Count))
    }
}

impl PoissonTotal {
    fn law(&self, rate: LineQuantity) -> TotalWeights {
        TotalWeights {
            weight: weight(rate, self.is_observed, true),
            said: said(),
            law: Weight.at(x()),
        }
    }

    /// What a Gibbs step draws.
    pub fn gibbs(&self) -> TotalWeights {
        self.law(LineQuantity::Rate)
    }

    /// What a variational step computes.
    pub fn cavi(&self) -> TotalWeights {
        self.law(LineQuantity::Geometric)
    }

    /// What the count and the lines below it add to the bound of [`Self::cavi`].
    pub fn bound(&self) -> Equation {
        let evidence = Weight.at(x()).summed(Count).ln() - LineQuantity::MeanRate.into();
        LineExpr::from(LineQuantity::Bound).is(evidence)
    }
}

impl TotalWeights {
    /// The mean of the count.
    pub fn mean(&self) -> Equation {
        let moment = (x() * self.law.clone()).summed(Count);
        LineExpr::from(LineQuantity::Mean).is(moment / self.law.clone().summed(Count))
    }
}
