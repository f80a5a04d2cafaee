//! Laws of the prelude of which nothing is kept: how a count is observed, and the law of the count with the rest summed out.

use super::{
    CellNames, CollapsedNoise, Expr, LINEAR_GEOMETRIC, Line, LinearText, Notation, Quantity, Statement, StepLaw,
};

use Quantity::{Geometric, Rate, Truth};
use Statement::{Drawn, Equal, Posterior};

/// How a count is observed by a law of which nothing is kept, and what follows at a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummedOut {
    /// The name of the law.
    pub name: &'static str,
    /// What an observation is.
    pub value: ObservedAs,
    /// How it comes from the count; places as in [`CellNames::fill`].
    pub law: &'static str,
    /// Where the law is from.
    pub source: &'static str,
    /// Which observations leave a cell that is exposure alone.
    pub linear: LinearText,
    /// The law of the count behind the others.
    pub count: CountGiven,
}

/// What an observation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObservedAs {
    /// A whole number.
    Integer,
    /// A number.
    Real,
    /// Whether there was anything.
    Bool,
}

/// The law of a count, given what was observed of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CountGiven {
    /// Behind noise.
    Noisy(CollapsedNoise),
    /// At least one.
    Present,
}

impl SummedOut {
    /// All of them.
    pub fn all() -> [Self; 4] {
        [
            Self {
                name: "TruncatedGeometric",
                value: ObservedAs::Integer,
                law: "{c} = max(0, {y} + τ),  P(τ) = (1−α)/(1+α) · α^|τ|",
                source: "the geometric mechanism of Ghosh, Roughgarden and Sundararajan 2012, cut at zero, which is post-processing",
                linear: LinearText {
                    at: "{c} = 0",
                    weight: "1 − α",
                },
                count: CountGiven::Noisy(CollapsedNoise::geometric()),
            },
            Self {
                name: "Laplace",
                value: ObservedAs::Real,
                law: "{c} = {y} + z/2ˢ,  P(z) ∝ e^(−|z|/(2ˢ b)):  scale b, s bits;  α = e^(−1/b)",
                source: "the discrete Laplace sampler of Canonne, Kamath and Steinke 2020, scaled",
                linear: LINEAR_GEOMETRIC,
                count: CountGiven::Noisy(CollapsedNoise::laplace()),
            },
            Self {
                name: "ContinuousLaplace",
                value: ObservedAs::Real,
                law: "{c} − {y} ~ Laplace(b),  density e^(−|x|/b)/(2b),  α = e^(−1/b)",
                source: "the Laplace mechanism of Dwork, McSherry, Nissim and Smith 2006",
                linear: LINEAR_GEOMETRIC,
                count: CountGiven::Noisy(CollapsedNoise::laplace()),
            },
            Self {
                name: "AtLeastOne",
                value: ObservedAs::Bool,
                law: "{c} = 1({y} ≥ 1)",
                source: "the Bernoulli–Poisson link: Zhou 2015",
                linear: LinearText {
                    at: "{c} = 0",
                    weight: "1",
                },
                count: CountGiven::Present,
            },
        ]
    }

    /// That of a law of the prelude, by its name; `None` for others. As with [`PoissonDifference::of_law`](super::PoissonDifference::of_law), a custom
    /// law may have that name.
    pub fn of_law(name: &str) -> Option<Self> {
        Self::all().into_iter().find(|law| law.name == name)
    }

    /// What a Gibbs step draws.
    pub fn gibbs(&self) -> Vec<Line> {
        match &self.count {
            CountGiven::Noisy(noise) => noise.gibbs(),
            CountGiven::Present => vec![Drawn(Truth.into(), present(Rate)).from("")],
        }
    }

    /// What a variational step computes.
    pub fn cavi(&self) -> Vec<Line> {
        match &self.count {
            CountGiven::Noisy(noise) => noise.cavi(),
            CountGiven::Present => {
                let law = present(Geometric);
                let mean = law.mean_of_present();
                let mean = mean.map(|mean| Equal(Expr::from(Truth).mean(), mean).from(""));
                [Posterior(Truth.into(), law).from("")]
                    .into_iter()
                    .chain(mean)
                    .collect()
            }
        }
    }

    /// What a Gibbs step draws of, a line each.
    pub fn drawn(&self, names: &CellNames, notation: Notation) -> Vec<String> {
        match &self.count {
            CountGiven::Noisy(noise) => noise.drawn(names, notation),
            CountGiven::Present => self.gibbs().iter().map(|line| line.write(names, notation)).collect(),
        }
    }

    /// What a variational step computes, likewise.
    pub fn expected(&self, names: &CellNames, notation: Notation) -> Vec<String> {
        match &self.count {
            CountGiven::Noisy(noise) => noise.expected(names, notation),
            CountGiven::Present => self.cavi().iter().map(|line| line.write(names, notation)).collect(),
        }
    }
}

/// What the probability of a count is in proportion to where it is at least one, and nothing more is known of it.
pub fn present_weight() -> Expr {
    let y = || Expr::from(Truth);
    Expr::from(Rate).power(y()) / y().factorial()
}

fn present(rate: Quantity) -> StepLaw {
    StepLaw::PresentPoisson { rate: rate.into() }
}
