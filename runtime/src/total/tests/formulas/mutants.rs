//! What is easily got wrong in a formula, one at a time.

use skellam_formula::line::{Function, LineCell, LineExpr, LineQuantity, Variable};

use super::value::Printed;

/// A place of what is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    Weight,
    Said,
    Start,
    Forward,
    From,
    Law,
    Rest,
    End,
    Backward,
    Marginal,
    Bound,
}

impl Place {
    /// Whether it is printed of Gibbs sampling, and of coordinate ascent.
    pub fn forms(self) -> [bool; 2] {
        match self {
            Self::Weight | Self::Said | Self::Start | Self::Forward => [true, true],
            Self::From | Self::Law | Self::Rest => [true, false],
            Self::End | Self::Backward | Self::Marginal | Self::Bound => [false, true],
        }
    }

    /// The formulas that stand there.
    pub fn formulas(self, printed: &mut Printed) -> Vec<&mut LineExpr> {
        match printed {
            Printed::Line(gibbs, cavi, bound) => match self {
                Self::Weight => vec![&mut gibbs.sums.weight.right, &mut cavi.sums.weight.right],
                Self::Said => {
                    let said = [&mut gibbs.sums.said, &mut cavi.sums.said];
                    said.into_iter().flatten().map(|said| &mut said.right).collect()
                }
                Self::Start => vec![&mut gibbs.sums.start.right, &mut cavi.sums.start.right],
                Self::Forward => vec![&mut gibbs.sums.forward.right, &mut cavi.sums.forward.right],
                Self::From => vec![&mut gibbs.from],
                Self::Law => vec![&mut gibbs.law],
                Self::Rest => vec![&mut gibbs.rest],
                Self::End => vec![&mut cavi.end.right],
                Self::Backward => vec![&mut cavi.backward.right],
                Self::Marginal => vec![&mut cavi.marginal],
                Self::Bound => bound.iter_mut().map(|bound| &mut bound.right).collect(),
            },
            // Its law is its weights.
            Printed::Total(gibbs, cavi, bound) => match self {
                Self::Weight => vec![&mut gibbs.weight.right, &mut cavi.weight.right],
                Self::Said => vec![&mut gibbs.said.right, &mut cavi.said.right],
                Self::Bound => vec![&mut bound.right],
                _ => Vec::new(),
            },
        }
    }
}

fn x() -> LineExpr {
    Variable::Count.into()
}

fn s() -> LineExpr {
    Variable::Sum.into()
}

fn n() -> LineExpr {
    LineQuantity::Total.into()
}

fn one() -> LineExpr {
    1.into()
}

/// What is easily got wrong: what it is, where it is changed, and what into what.
pub fn mutants() -> Vec<(&'static str, Place, LineExpr, LineExpr)> {
    let before = |at: LineExpr| Function::Forward(LineCell::Before).at(at);
    let here = |at: LineExpr| Function::Forward(LineCell::Here).at(at);
    let whole = |at: LineExpr| Function::Forward(LineCell::Last).at(at);
    let behind = |at: LineExpr| Function::Backward(LineCell::Here).at(at);
    let weight = || Function::Weight.at(x());
    let said = || Function::Said.at(x());
    vec![
        ("a weight without x!", Place::Weight, x().factorial(), one()),
        (
            "a weight without what was observed",
            Place::Weight,
            Function::Likelihood.at(x()),
            one(),
        ),
        ("g forgotten", Place::Weight, said().over_lines(), one()),
        (
            "g shifted by one",
            Place::Weight,
            said(),
            Function::Said.at(x() + one()),
        ),
        ("g without x!", Place::Said, x().factorial(), one()),
        ("g at the next number", Place::Said, whole(x()), whole(x() + one())),
        ("sums that begin at one", Place::Start, 0.into(), one()),
        ("a message shifted by one", Place::Forward, s() - x(), s() - x() - one()),
        (
            "a message of the same cell's weight alone",
            Place::Forward,
            before(s() - x()),
            one(),
        ),
        ("a draw from another total", Place::From, n(), n() + one()),
        (
            "a draw that forgets the cells before",
            Place::Law,
            before(s() - x()),
            one(),
        ),
        (
            "a draw that counts its own cell twice",
            Place::Law,
            before(s() - x()),
            here(s() - x()),
        ),
        ("a draw without weights", Place::Law, weight(), one()),
        ("a draw that leaves the sum as it is", Place::Rest, s() - x(), s()),
        ("a total ignored", Place::End, s().equals(n()), one()),
        (
            "a total that is a count ignored",
            Place::End,
            Function::TotalLaw.at(s()),
            one(),
        ),
        (
            "messages from behind that are not normalized",
            Place::End,
            whole(n()),
            one(),
        ),
        ("the same below a count", Place::End, whole(s()), one()),
        (
            "a message from behind shifted by one",
            Place::Backward,
            s() + x(),
            s() + x() + one(),
        ),
        (
            "a message from behind without weights",
            Place::Backward,
            weight(),
            one(),
        ),
        (
            "a mean without what is behind",
            Place::Marginal,
            behind(s() + x()),
            one(),
        ),
        ("a mean without what is before", Place::Marginal, before(s()), one()),
        (
            "a mean that counts its own cell twice",
            Place::Marginal,
            before(s()),
            here(s()),
        ),
        ("a bound without n!", Place::Bound, n().factorial().ln(), 0.into()),
        ("a bound at another total", Place::Bound, whole(n()), whole(n() - one())),
        (
            "a bound without the mean rate",
            Place::Bound,
            LineQuantity::MeanRate.into(),
            0.into(),
        ),
    ]
}
