//! Noise that is a difference of two Poisson counts, as a declaration, and the forms of inference that follow from it.
//!
//! ICML19 is Schein, Wu, Schofield, Zhou and Wallach (2019), VI18 is Schofield, Schein, Wu and Wallach (2018).

use super::{Expr, Line, LinearText, Part, Quantity, Statement, StepLaw};

use Part::{Either, Minus, Plus};
use Quantity::{Alpha, Any, Argument, Geometric, Known, Minimum, Observed, Rate, Total, Truth};
use Statement::{Declared, Drawn, Equal, Given, Posterior};

/// `c = y + g+ - g-`, where both parts of the noise are Poisson.
///
/// Count and noise that add up are Poisson at the rate `lambda+ + mu`, so that the smaller of the two sides is a Bessel variable,
/// and the larger is known with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoissonDifference {
    /// What is known of the rates of both parts.
    pub level: Level,
}

/// The rates of the two parts of such a noise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Level {
    /// One known number. Nothing is left that a cell would have to keep: these steps are the collapsed form.
    Known,
    /// Each exponential, and so a variable of its cell: these steps are the augmented form.
    Exponential {
        /// One over the mean of both.
        rate: Expr,
        /// `rate + 1`, in its shortest form: what their conditionals have for a rate.
        updated: Expr,
    },
}

/// The source of the law of the smaller side.
const BESSEL: &str = "Yuan and Kalbfleisch 2000";

fn number(n: u32) -> Expr {
    n.into()
}

fn of(quantity: Quantity) -> Expr {
    quantity.into()
}

fn noise(part: Part) -> Expr {
    of(Quantity::Noise(part))
}

/// `max(c, 0)`: by how much the side that adds up is above the smaller of the two.
fn above() -> Expr {
    of(Observed).positive()
}

/// `max(-c, 0)`.
fn below() -> Expr {
    (-of(Observed)).positive()
}

/// Where geometric noise leaves a cell that is exposure alone; elsewhere see [`CollapsedNoise`](super::CollapsedNoise).
pub const LINEAR_GEOMETRIC: LinearText = LinearText {
    at: "{c} ≤ 0",
    weight: "1 − α",
};

impl PoissonDifference {
    /// What the noise of the geometric mechanism is made of: ICML19, theorem 2.
    pub fn geometric() -> Self {
        Self {
            level: Level::Exponential {
                rate: (number(1) - of(Alpha)) / of(Alpha),
                updated: number(1) / of(Alpha),
            },
        }
    }

    /// What Skellam noise of a known level is made of.
    pub fn known() -> Self {
        Self { level: Level::Known }
    }

    /// What the noise behind a law of the prelude is made of, by the name of the law; `None` if it is made of something else. A macro
    /// sees names, not types: a custom law may have one of these names, which the runtime finds out.
    pub fn of_law(name: &str) -> Option<Self> {
        [Self::geometric(), Self::known()]
            .into_iter()
            .find(|noise| noise.law() == name)
    }

    /// The name of the law that has such noise.
    pub fn law(&self) -> &'static str {
        match self.level {
            Level::Known => "Skellam",
            Level::Exponential { .. } => "TwoSidedGeometric",
        }
    }

    /// Whether a chain keeps rates of the noise for every cell.
    pub fn is_augmented(&self) -> bool {
        self.level != Level::Known
    }

    /// The rate of a part of the noise.
    fn level(&self, part: Part) -> Expr {
        match self.level {
            Level::Known => of(Known),
            Level::Exponential { .. } => of(Quantity::Level(part)),
        }
    }

    /// The same as q has it in the exponent.
    fn geometric_level(&self, part: Part) -> Expr {
        match self.level {
            Level::Known => of(Known),
            Level::Exponential { .. } => self.level(part).geometric_mean(),
        }
    }

    /// What is declared.
    pub fn declared(&self) -> Vec<Line> {
        // Noise of a known level is older than the geometric mechanism's.
        let source = match self.level {
            Level::Known => "Skellam 1946",
            Level::Exponential { .. } => "ICML19, eq. 10",
        };
        let mut lines = vec![
            Equal(of(Observed), of(Truth) + noise(Plus) - noise(Minus)).from(source),
            Declared(
                noise(Either),
                StepLaw::Poisson {
                    rate: self.level(Either),
                },
            )
            .from(""),
        ];
        if let Level::Exponential { rate, .. } = &self.level {
            let law = StepLaw::Exponential { rate: rate.clone() };
            lines.push(Declared(self.level(Either), law).from("ICML19, eq. 9, where the mean is printed as the rate"));
        }
        lines
    }

    /// The law of the smaller side where the two have these rates.
    fn smaller(larger: Expr, minus: Expr) -> [Expr; 2] {
        [of(Observed).absolute(), number(2) * (minus * larger).root()]
    }

    /// What a Gibbs step draws, in this order.
    pub fn gibbs(&self) -> Vec<Line> {
        let sum = self.level(Plus) + of(Rate);
        let [order, argument] = Self::smaller(sum.clone(), self.level(Minus));
        let trials = of(Minimum) + above();
        let share = of(Rate) / sum;
        let [first, second, third, fourth] = self.sources([
            "ICML19, eq. 13; VI18, eq. 4",
            "ICML19, eq. 15",
            "ICML19, eq. 14; VI18, eq. 5",
            "ICML19, eq. 14",
        ]);
        let smaller = if self.is_augmented() { first } else { BESSEL };
        let mut lines = vec![
            Drawn(of(Minimum), StepLaw::Bessel { order, argument }).from(smaller),
            Drawn(
                of(Truth),
                StepLaw::Binomial {
                    trials: trials.clone(),
                    share,
                },
            )
            .from(second),
        ];
        if let Level::Exponential { updated, .. } = &self.level {
            lines.push(Equal(noise(Plus), trials - of(Truth)).from(third));
            lines.push(Equal(noise(Minus), of(Minimum) + below()).from(fourth));
            let law = StepLaw::Gamma {
                shape: number(1) + noise(Either),
                rate: updated.clone(),
            };
            lines.push(Drawn(self.level(Either), law).from("ICML19, eq. 16, whose rate α/(1−α) + 1 is a slip"));
        }
        lines
    }

    /// Sources of the papers where the noise is theirs.
    fn sources<const N: usize>(&self, all: [&'static str; N]) -> [&'static str; N] {
        if self.is_augmented() { all } else { [""; N] }
    }

    /// What a variational step computes, in this order, with the exact law of the smaller side.
    pub fn cavi(&self) -> Vec<Line> {
        let [order, argument] = Self::smaller(of(Total), self.geometric_level(Minus));
        let total = of(Minimum).mean() + above();
        let [smaller, split] = self.sources([
            "VI18, eq. 6, with S for the geometric mean of the sum",
            "VI18, eq. 8, given m",
        ]);
        let law = StepLaw::Bessel {
            order,
            argument: of(Argument),
        };
        let mean = law.mean_and_mode().map(|[mean, _]| Equal(of(Minimum).mean(), mean));
        let mut lines = vec![
            Equal(of(Total), self.geometric_level(Plus) + of(Geometric)).from(""),
            Equal(of(Argument), argument).from(""),
            Posterior(of(Minimum), law).from(smaller),
        ];
        lines.extend(mean.map(|mean| mean.from(BESSEL)));
        lines.extend([
            Given(
                of(Truth),
                of(Minimum),
                StepLaw::Binomial {
                    trials: of(Minimum) + above(),
                    share: of(Geometric) / of(Total),
                },
            )
            .from(split),
            Equal(of(Truth).mean(), of(Geometric) * (total.clone() / of(Total))).from(""),
        ]);
        if self.is_augmented() {
            let added = self.geometric_level(Plus) * (total / of(Total));
            lines.push(Equal(noise(Plus).mean(), added).from(""));
            lines.push(Equal(noise(Minus).mean(), of(Minimum).mean() + below()).from(""));
            lines.extend(self.posterior_of_levels());
        }
        lines
    }

    /// `q(lambda)` and its geometric mean.
    fn posterior_of_levels(&self) -> Vec<Line> {
        let Level::Exponential { updated, .. } = &self.level else {
            return Vec::new();
        };
        let shape = number(1) + noise(Either).mean();
        let law = StepLaw::Gamma {
            shape,
            rate: updated.clone(),
        };
        let mean = law.geometric_mean();
        let first = Posterior(self.level(Either), law).from("ICML19, eq. 16, in expectation");
        let then = mean.map(|mean| Equal(self.geometric_level(Either), mean).from(""));
        [first].into_iter().chain(then).collect()
    }

    /// What a cell adds to the bound of [`Self::cavi`], `-E[mu]` included.
    pub fn bound(&self) -> Expr {
        let block = of(Observed).absolute().bessel(of(Argument)).ln()
            + of(Observed) * (of(Total) / self.geometric_level(Minus)).ln() / number(2)
            - of(Rate).mean();
        [Plus, Minus].into_iter().fold(block, |sum, part| {
            sum - self.level(part).mean() - Expr::Divergence(part)
        })
    }

    /// What the step of VI18 computes, in this order; nothing where the rates are known.
    pub fn published(&self) -> Vec<Line> {
        let Level::Exponential { updated, .. } = &self.level else {
            return Vec::new();
        };
        let sum = self.level(Plus) + of(Rate);
        let [order, argument] = Self::smaller(sum.clone().delta(), self.geometric_level(Minus));
        let shape = || number(1) + noise(Plus).mean();
        let moment = |of_one: Expr, power: Expr| (shape() / power).simplified() + of_one;
        let law = StepLaw::Bessel {
            order,
            argument: of(Argument),
        };
        let mode = law
            .mean_and_mode()
            .map(|[_, at]| Posterior(of(Minimum), StepLaw::Point { at }));
        let total = of(Minimum) + above();
        let share = of(Rate).delta() / (of(Rate).delta() + self.geometric_level(Plus));
        let mut lines = vec![
            Equal(sum.clone().mean(), moment(of(Rate).mean(), updated.clone())).from(""),
            Equal(sum.variance(), moment(of(Rate).variance(), updated.clone().square())).from(""),
            Equal(of(Argument), argument).from("VI18, eq. 6"),
        ];
        lines.extend(mode.map(|mode| mode.from("VI18, eq. 7: the mode")));
        lines.extend([
            // Not eq. 8, whose share has the sum of the geometric means of the components.
            Equal(of(Truth).mean(), total.clone() * share).from("VI18, eq. 27"),
            Equal(noise(Plus).mean(), total - of(Truth).mean()).from("VI18, eq. 27"),
            Equal(noise(Minus).mean(), of(Minimum) + below()).from(""),
        ]);
        lines.extend(self.posterior_of_levels());
        lines
    }

    /// `D[x]`, by which the published step replaces `exp(E ln x)` of a sum.
    pub fn delta_method() -> Line {
        let (mean, variance) = (of(Any).mean(), of(Any).variance());
        let right = mean.clone() * (-(variance / (number(2) * mean.square()))).exp();
        Equal(of(Any).delta(), right).from("VI18, eq. 30–33: the delta method for G[x]")
    }
}
