//! Mechanisms that files can name.

use std::collections::BTreeMap;

use crate::channel::{Channel, Laplace, Skellam, TruncatedGeometric, TwoSidedGeometric};
use crate::counts::Unstored;
use crate::release::{BudgetError, IntoRatio, LatticeLaplace, Lplp, Mechanism, Ratio, SkellamNoise, Truncated};

/// Parameters of a mechanism by name, spelled exactly: integers and ratios, never decimals that were rounded.
pub type Parameters = BTreeMap<String, String>;

/// What was released in the cells of one mechanism that are not positive: their number and two sums, in units of
/// [`Recorded::to_integer`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rest {
    /// How many cells.
    pub cells: u64,
    /// Sum of magnitudes.
    pub sum: u128,
    /// Sum of their squares.
    pub squares: u128,
}

/// A mechanism with a name and parameters that can be written down, and values that can be written as integers.
///
/// A mechanism of your own that implements this, with [`RecordedLaw`] for its law, is written and read like ours.
pub trait Recorded: Mechanism {
    /// The name in the metadata: that of the law, as models declare it.
    const NAME: &'static str;

    /// The parameters, from which [`Recorded::from_parameters`] makes the same mechanism.
    fn parameters(&self) -> Parameters;

    /// The mechanism with these parameters.
    ///
    /// # Errors
    /// A parameter that is missing, not known, or not one that the mechanism takes.
    fn from_parameters(parameters: &Parameters) -> Result<Self, ParameterFault>;

    /// A released value as an integer of the same sign, at most 2^53 in size; `None` where it is none that this
    /// mechanism yields.
    fn to_integer(&self, value: <Self::Law as Channel>::Value) -> Option<i64>;

    /// The released value that an integer stands for; `None` where it is none that this mechanism yields.
    fn value_of(&self, integer: i64) -> Option<<Self::Law as Channel>::Value>;

    /// What inference needs of the cells that are not positive, if their log marginals are linear in the rate and the
    /// sums are enough. `None`, the default, where each value is needed: such releases are loaded whole.
    fn unstored(&self, rest: &Rest) -> Option<Unstored> {
        let _ = rest;
        None
    }
}

/// The law of a mechanism that files can name.
pub trait RecordedLaw: Channel {
    /// The mechanism of which this is the law.
    type Mechanism: Recorded<Law = Self>;
}

/// A parameter that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterFault {
    /// Which one.
    pub name: String,
    /// Its value.
    pub value: String,
    /// What is wrong with it.
    pub reason: String,
}

impl ParameterFault {
    /// A fault of the parameter `name`.
    pub fn new(name: &str, value: impl Into<String>, reason: impl ToString) -> Self {
        Self {
            name: name.to_owned(),
            value: value.into(),
            reason: reason.to_string(),
        }
    }
}

impl Recorded for Lplp {
    const NAME: &'static str = "TwoSidedGeometric";

    fn parameters(&self) -> Parameters {
        budget_parameters(self)
    }

    fn from_parameters(parameters: &Parameters) -> Result<Self, ParameterFault> {
        let [n, gamma] = exactly(parameters, ["n", "gamma"])?;
        budget(n, gamma)
    }

    fn to_integer(&self, value: i64) -> Option<i64> {
        Some(value)
    }

    fn value_of(&self, integer: i64) -> Option<i64> {
        Some(integer)
    }

    fn unstored(&self, rest: &Rest) -> Option<Unstored> {
        // The constant as the channel has it, from alpha, so that a whole release gives the same bound.
        Some(Unstored {
            sum: -(rest.sum as f64),
            squares: rest.squares as f64,
            constant: rest.sum as f64 * self.alpha().ln(),
        })
    }
}

impl RecordedLaw for TwoSidedGeometric {
    type Mechanism = Lplp;
}

impl Recorded for Truncated {
    const NAME: &'static str = "TruncatedGeometric";

    fn parameters(&self) -> Parameters {
        budget_parameters(&self.0)
    }

    fn from_parameters(parameters: &Parameters) -> Result<Self, ParameterFault> {
        Lplp::from_parameters(parameters).map(Truncated)
    }

    fn to_integer(&self, value: i64) -> Option<i64> {
        (value >= 0).then_some(value)
    }

    fn value_of(&self, integer: i64) -> Option<i64> {
        self.to_integer(integer)
    }

    fn unstored(&self, rest: &Rest) -> Option<Unstored> {
        let zero = self.law().ok()?.estimate(0);
        Some(Unstored {
            sum: rest.cells as f64 * zero,
            squares: rest.cells as f64 * zero * zero,
            constant: 0.0,
        })
    }
}

impl RecordedLaw for TruncatedGeometric {
    type Mechanism = Truncated;
}

impl Recorded for LatticeLaplace {
    const NAME: &'static str = "Laplace";

    fn parameters(&self) -> Parameters {
        let mut parameters = budget_parameters(&self.budget());
        parameters.insert("bits".to_owned(), self.bits().to_string());
        parameters
    }

    fn from_parameters(parameters: &Parameters) -> Result<Self, ParameterFault> {
        let [n, gamma, bits] = exactly(parameters, ["n", "gamma", "bits"])?;
        let number = integer("bits", bits)?;
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        LatticeLaplace::new(budget(n, gamma)?, number).map_err(|error| ParameterFault::new("bits", bits, error))
    }

    fn to_integer(&self, value: f64) -> Option<i64> {
        // A product with a power of two is exact.
        let steps = value * f64::from(1u32 << self.bits());
        (steps.fract() == 0.0 && steps.abs() <= super::LARGEST as f64).then_some(steps as i64)
    }

    fn value_of(&self, integer: i64) -> Option<f64> {
        Some(integer as f64 / f64::from(1u32 << self.bits()))
    }

    fn unstored(&self, rest: &Rest) -> Option<Unstored> {
        let unit = 1.0 / f64::from(1u32 << self.bits());
        let law = self.law().ok()?;
        let sum = rest.sum as f64 * unit;
        Some(Unstored {
            sum: -sum,
            squares: rest.squares as f64 * unit * unit,
            constant: -sum / law.scale(),
        })
    }
}

impl RecordedLaw for Laplace {
    type Mechanism = LatticeLaplace;
}

/// No log marginal of Skellam noise is linear in the rate: every value is needed.
impl Recorded for SkellamNoise {
    const NAME: &'static str = "Skellam";

    fn parameters(&self) -> Parameters {
        let (n, epsilon) = self.stated();
        named([
            ("lambda", exact(self.lambda())),
            ("n", n.to_string()),
            ("epsilon", exact(epsilon)),
        ])
    }

    fn from_parameters(parameters: &Parameters) -> Result<Self, ParameterFault> {
        let [lambda, n, epsilon] = exactly(parameters, ["lambda", "n", "epsilon"])?;
        let (rate, loss) = (ratio("lambda", lambda)?, ratio("epsilon", epsilon)?);
        SkellamNoise::new(rate, integer("n", n)?, loss).map_err(|error| match error {
            BudgetError::OutOfRange { name: "N", .. } => ParameterFault::new("n", n, error),
            error => ParameterFault::new("lambda", lambda, error),
        })
    }

    fn to_integer(&self, value: i64) -> Option<i64> {
        Some(value)
    }

    fn value_of(&self, integer: i64) -> Option<i64> {
        Some(integer)
    }
}

impl RecordedLaw for Skellam {
    type Mechanism = SkellamNoise;
}

fn budget_parameters(budget: &Lplp) -> Parameters {
    named([("n", budget.n().to_string()), ("gamma", exact(budget.gamma()))])
}

fn named<const K: usize>(parameters: [(&str, String); K]) -> Parameters {
    let parameters = parameters.into_iter();
    parameters.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A ratio as two integers, whatever its value.
pub(in crate::release) fn exact(ratio: Ratio) -> String {
    format!("{}/{}", ratio.numerator(), ratio.denominator())
}

/// The values of the parameters of these names, and refuses others.
fn exactly<'a, const K: usize>(parameters: &'a Parameters, names: [&str; K]) -> Result<[&'a str; K], ParameterFault> {
    if let Some((name, value)) = parameters.iter().find(|(name, _)| !names.contains(&name.as_str())) {
        return Err(ParameterFault::new(name, value, "there is no such parameter"));
    }
    let mut values = [""; K];
    for (value, name) in values.iter_mut().zip(names) {
        let found = parameters.get(name);
        *value = found.ok_or_else(|| ParameterFault::new(name, "missing", "it is needed"))?;
    }
    Ok(values)
}

fn budget(n: &str, gamma: &str) -> Result<Lplp, ParameterFault> {
    Lplp::from_gamma(integer("n", n)?, ratio("gamma", gamma)?)
        .map_err(|error| ParameterFault::new("gamma", gamma, error))
}

fn integer(name: &str, value: &str) -> Result<u64, ParameterFault> {
    match value.parse() {
        Ok(0) if name == "n" => Err(ParameterFault::new(name, value, BudgetError::no_precision())),
        Ok(number) => Ok(number),
        Err(_) => Err(ParameterFault::new(name, value, "it must be a whole number")),
    }
}

fn ratio(name: &str, value: &str) -> Result<Ratio, ParameterFault> {
    value
        .into_ratio()
        .map_err(|error| ParameterFault::new(name, value, error))
}
