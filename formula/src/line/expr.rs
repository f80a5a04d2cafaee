//! What formulas about a line are made of.

use std::ops::{Add, Div, Mul, Sub};

use super::Equation;

/// A number that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// `x`, the number in a cell.
    Count,
    /// `s`, what several cells add up to.
    Sum,
}

/// A number that does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineQuantity {
    /// The rate of a cell.
    Rate,
    /// The same at geometric means.
    Geometric,
    /// Its mean under q.
    MeanRate,
    /// The total of the line.
    Total,
    /// The mean of the count in a cell.
    Mean,
    /// What a line adds to the bound.
    Bound,
}

/// A cell of a line, seen from one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineCell {
    /// None yet: `0`.
    Start,
    /// The one before it: `j - 1`.
    Before,
    /// Itself: `j`.
    Here,
    /// The last of all.
    Last,
}

/// A function of whole numbers, which is zero at negative ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// `w`, the weight of a number in this cell.
    Weight,
    /// `F`, the weights of the sums of the cells up to one.
    Forward(LineCell),
    /// `B`, what is known of these sums from the cells behind it.
    Backward(LineCell),
    /// `g`, what one line below this cell says of its total.
    Said,
    /// `P(c | x)`, the probability of what was observed of this cell.
    Likelihood,
    /// `q(n = s)`, the law of a total that is a count.
    TotalLaw,
}

/// A formula about a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineExpr {
    /// A whole number.
    Number(u32),
    /// A number that runs.
    Runs(Variable),
    /// A number that does not.
    Known(LineQuantity),
    /// The value of a function.
    At(Function, Box<Self>),
    /// A sum.
    Plus(Box<[Self; 2]>),
    /// A difference.
    Minus(Box<[Self; 2]>),
    /// A product.
    Product(Vec<Self>),
    /// A quotient.
    Quotient(Box<[Self; 2]>),
    /// A power.
    Power(Box<[Self; 2]>),
    /// The product of the numbers up to this one.
    Factorial(Box<Self>),
    /// The natural logarithm.
    Ln(Box<Self>),
    /// The sum over every value of a letter.
    Over(Variable, Box<Self>),
    /// The product over every line whose total this cell is.
    OverLines(Box<Self>),
    /// One where two numbers are equal, else zero.
    Equal(Box<[Self; 2]>),
}

impl Function {
    /// Its value.
    pub fn at(self, argument: LineExpr) -> LineExpr {
        LineExpr::At(self, Box::new(argument))
    }
}

impl LineExpr {
    /// `self = right`.
    pub fn is(self, right: Self) -> Equation {
        Equation { left: self, right }
    }

    /// `[self = other]`.
    pub fn equals(self, other: Self) -> Self {
        Self::Equal(Box::new([self, other]))
    }

    /// `self^exponent`.
    pub fn power(self, exponent: Self) -> Self {
        Self::Power(Box::new([self, exponent]))
    }

    /// `self!`.
    pub fn factorial(self) -> Self {
        Self::Factorial(Box::new(self))
    }

    /// `ln self`.
    pub fn ln(self) -> Self {
        Self::Ln(Box::new(self))
    }

    /// Added up over a letter.
    pub fn summed(self, over: Variable) -> Self {
        Self::Over(over, Box::new(self))
    }

    /// Multiplied over all lines below.
    pub fn over_lines(self) -> Self {
        Self::OverLines(Box::new(self))
    }
}

impl From<Variable> for LineExpr {
    fn from(of: Variable) -> Self {
        Self::Runs(of)
    }
}

impl From<LineQuantity> for LineExpr {
    fn from(of: LineQuantity) -> Self {
        Self::Known(of)
    }
}

impl From<u32> for LineExpr {
    fn from(number: u32) -> Self {
        Self::Number(number)
    }
}

impl Add for LineExpr {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::Plus(Box::new([self, other]))
    }
}

impl Sub for LineExpr {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::Minus(Box::new([self, other]))
    }
}

impl Mul for LineExpr {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let factors = |of: Self| match of {
            Self::Product(all) => all,
            one => vec![one],
        };
        Self::Product([factors(self), factors(other)].concat())
    }
}

impl Div for LineExpr {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        Self::Quotient(Box::new([self, other]))
    }
}
