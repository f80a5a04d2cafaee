//! Formulas as values. Those about one cell are printed in the letters of a model, written as Rust into the code that is generated for it, and
//! evaluated by tests against the code that runs; those about a [line](mod@line) of cells that add up to a total are printed and evaluated likewise; [`Product`]s over
//! the indices of a model are printed, and read again by the runtime.
//!
//! The runtime prints them and the compiler writes them out, so they stand in a crate that both read; so do the limits of numbers and the symbols of names that both
//! know.

pub mod collapsed;
mod counts;
mod difference;
mod law;
pub mod layout_price;
mod limits;
pub mod line;
mod linear;
mod moments;
mod names;
pub mod product;
mod summed_out;
mod symbol;
mod write;

pub use collapsed::{CollapsedNoise, Cut, Mass};
pub use counts::CountDifference;
pub use difference::{LINEAR_GEOMETRIC, Level, PoissonDifference};
pub use law::{Line, Statement, StepLaw};
pub use limits::{LEAST_HYPER, MOST_HYPER, is_extreme};
pub use linear::LinearText;
pub use moments::Moments;
pub use names::{CellNames, SideNames};
pub use product::Product;
pub use summed_out::{CountGiven, ObservedAs, SummedOut, present_weight};
pub use symbol::{greek, symbol, symbol_in};
pub use write::Notation;

use std::ops::{Add, Div, Mul, Neg, Sub};

/// One of the two parts of a noise, or of the two sides of a difference of counts; or either of them in a line that holds for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What is added.
    Plus,
    /// What it takes away.
    Minus,
    /// Each of the two.
    Either,
}

/// What a formula about a cell is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// The true count `y`.
    Truth,
    /// What was observed, `c`.
    Observed,
    /// The rate `mu`.
    Rate,
    /// The rate at geometric means, `G`: the sum of its products with `exp(E ln x)` for every latent `x`.
    Geometric,
    /// The parameter of geometric noise.
    Alpha,
    /// The rate of a part of the noise, where it is known.
    Known,
    /// The smaller of `y + g+` and `g-`.
    Minimum,
    /// A part of the noise, `g+` or `g-`.
    Noise(Part),
    /// The rate of such a part, `lambda+` or `lambda-`.
    Level(Part),
    /// The Poisson count on a side of a difference, `c+` or `c-`.
    Side(Part),
    /// The rate of such a count, `mu+` or `mu-`.
    SideRate(Part),
    /// The same at geometric means, `rho+` or `rho-`.
    SideGeometric(Part),
    /// The rate of `y + g+` at geometric means.
    Total,
    /// The argument of a Bessel law.
    Argument,
    /// The first parameter of q of an entry: its shape, or its concentration.
    First,
    /// The same, added up over the entries of a simplex.
    FirstInAll,
    /// The second parameter of q of an entry: its rate.
    Second,
    /// Whatever a definition is about.
    Any,
}

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A whole number.
    Number(u32),
    /// A quantity of the cell.
    Of(Quantity),
    /// A sum.
    Sum(Vec<Self>),
    /// The negative of a term.
    Negative(Box<Self>),
    /// A product.
    Product(Vec<Self>),
    /// A quotient.
    Quotient(Box<[Self; 2]>),
    /// A square root.
    Root(Box<Self>),
    /// A square.
    Square(Box<Self>),
    /// A power: base and exponent.
    Power(Box<[Self; 2]>),
    /// A factorial.
    Factorial(Box<Self>),
    /// An absolute value.
    Absolute(Box<Self>),
    /// The larger of a formula and zero.
    Positive(Box<Self>),
    /// The largest whole number that is not above a formula.
    Floor(Box<Self>),
    /// The exponential.
    Exp(Box<Self>),
    /// The natural logarithm.
    Ln(Box<Self>),
    /// The derivative of `ln Gamma`.
    Digamma(Box<Self>),
    /// `I_order(argument)`, the modified Bessel function of the first kind.
    Bessel(Box<[Self; 2]>),
    /// The mean under q.
    Mean(Box<Self>),
    /// The variance under q.
    Variance(Box<Self>),
    /// `exp(E ln x)` under q.
    GeometricMean(Box<Self>),
    /// The same by the delta method.
    Delta(Box<Self>),
    /// The divergence of `q(lambda)` of a part of the noise from its prior.
    Divergence(Part),
    /// A formula where something was observed, zero where nothing was: where `c`, whether there was at least one, is 1 or 0.
    WherePresent(Box<Self>),
    /// `(n + 1) P(n + 1) / P(n)` of the true count, where `P` is its conditional, or q in an ascent.
    Ratio {
        /// At which `n`.
        at: Box<Self>,
        /// Whether a sampler draws the count.
        is_gibbs: bool,
    },
    /// How probable it is under q that the true count is on this side of a number.
    Probability(Cut, Box<Self>),
}

impl Expr {
    /// `sqrt(x)`.
    pub fn root(self) -> Self {
        Self::Root(Box::new(self))
    }

    /// `x^2`.
    pub fn square(self) -> Self {
        Self::Square(Box::new(self))
    }

    /// `self^exponent`.
    pub fn power(self, exponent: Self) -> Self {
        Self::Power(Box::new([self, exponent]))
    }

    /// `x!`.
    pub fn factorial(self) -> Self {
        Self::Factorial(Box::new(self))
    }

    /// `|x|`.
    pub fn absolute(self) -> Self {
        Self::Absolute(Box::new(self))
    }

    /// `max(x, 0)`.
    pub fn positive(self) -> Self {
        Self::Positive(Box::new(self))
    }

    /// The whole part of `x`.
    pub fn floor(self) -> Self {
        Self::Floor(Box::new(self))
    }

    /// `e^x`.
    pub fn exp(self) -> Self {
        Self::Exp(Box::new(self))
    }

    /// `ln x`.
    pub fn ln(self) -> Self {
        Self::Ln(Box::new(self))
    }

    /// `psi(x)`.
    pub fn digamma(self) -> Self {
        Self::Digamma(Box::new(self))
    }

    /// `I_self(argument)`.
    pub fn bessel(self, argument: Self) -> Self {
        Self::Bessel(Box::new([self, argument]))
    }

    /// `E[x]`.
    pub fn mean(self) -> Self {
        Self::Mean(Box::new(self))
    }

    /// `V[x]`.
    pub fn variance(self) -> Self {
        Self::Variance(Box::new(self))
    }

    /// `G[x]`.
    pub fn geometric_mean(self) -> Self {
        Self::GeometricMean(Box::new(self))
    }

    /// `D[x]`.
    pub fn delta(self) -> Self {
        Self::Delta(Box::new(self))
    }

    /// `x` where something was observed, else zero.
    pub fn where_present(self) -> Self {
        Self::WherePresent(Box::new(self))
    }
}

impl Expr {
    /// `x / (1 / a)` as `a x`, and `x / (1 / a)^2` as `a^2 x`.
    #[must_use]
    pub(crate) fn simplified(self) -> Self {
        let Self::Quotient(parts) = self else {
            return self;
        };
        let [of_what, by] = *parts;
        let inverted = |by: &Self| match by {
            Self::Quotient(parts) if parts[0] == Self::from(1) => Some(parts[1].clone()),
            _ => None,
        };
        match &by {
            Self::Square(root) => match inverted(root) {
                Some(a) => a.square() * of_what,
                None => of_what / by,
            },
            _ => match inverted(&by) {
                Some(a) => a * of_what,
                None => of_what / by,
            },
        }
    }
}

impl From<Quantity> for Expr {
    fn from(of: Quantity) -> Self {
        Self::Of(of)
    }
}

impl From<u32> for Expr {
    fn from(number: u32) -> Self {
        Self::Number(number)
    }
}

impl Add for Expr {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        match self {
            Self::Sum(mut all) => {
                all.push(other);
                Self::Sum(all)
            }
            first => Self::Sum(vec![first, other]),
        }
    }
}

impl Neg for Expr {
    type Output = Self;

    fn neg(self) -> Self {
        Self::Negative(Box::new(self))
    }
}

impl Sub for Expr {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Expr {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        match self {
            Self::Product(mut all) => {
                all.push(other);
                Self::Product(all)
            }
            first => Self::Product(vec![first, other]),
        }
    }
}

impl Div for Expr {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        Self::Quotient(Box::new([self, other]))
    }
}
