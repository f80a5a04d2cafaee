//! The laws of a cell as tables: beside each formula stands the line of Rust that computes it. `emit` writes both into the generated file, and `show` prints the
//! formulas in the letters of a model, so that a row that is changed changes what is printed and what runs.
//!
//! Formulas are in the letters of one cell:
//!
//! | letter | in Rust | |
//! |---|---|---|
//! | `c` | `c` | what was observed |
//! | `y` | `y` | the count, where that is another number |
//! | `μ`, `ρ` | `mu`, `rho` | its rate; the rate at geometric means `G[x] = exp(E[ln x])` |
//! | `g⁺`, `g⁻` | `g_plus`, `g_minus` | what noise adds and takes away |
//! | `λ⁺`, `λ⁻` | `lambda_plus`, `lambda_minus` | their rates |
//! | `c⁺`, `c⁻` | `c_plus`, `c_minus` | the two counts of a difference, with the rates `μ⁺` and `μ⁻` |
//! | `m`, `S`, `z` | `m`, `s`, `z` | the smaller of two Poisson counts; the rate of those that add up; the argument of a Bessel law |
//! | `L` | | what a cell adds to a bound |

mod at_least_one;
mod collapsed;
mod difference;
mod laplace;
mod skellam;
mod two_sided_geometric;

use proc_macro2::TokenStream;
use skellam_formula::LinearText;

pub use difference::DIFFERENCE;

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// What is drawn or computed.
    pub formula: &'static str,
    /// Paper and equation; empty if it is in no paper.
    pub source: &'static str,
    /// The line that does so, of which `rt` is the door of the runtime; nothing where a formula is a step on the way to the next.
    pub code: fn() -> TokenStream,
}

/// What a law says of a cell.
#[derive(Clone, Copy, Debug)]
pub struct CellLaw {
    /// Its name, as a declaration writes it.
    pub name: &'static str,
    /// What the functions of a cell take.
    pub takes: Takes,
    /// How observation, count and noise are declared.
    pub declared: &'static [Step],
    /// Where a cell is exposure alone.
    pub linear: Option<LinearText>,
    /// A Gibbs step: the count, or both counts of a difference.
    pub draw: &'static [Step],
    /// A step of CAVI: the count expected, over the rate; of a difference both counts.
    pub ascend: &'static [Step],
    /// What the cell adds to the bound of these steps; empty where it is the log likelihood, as for any channel.
    pub bound: &'static str,
    /// The steps of the augmented forms, where noise is a variable of the cell.
    pub noise: Option<NoiseSteps>,
}

/// The steps that keep the noise of a cell.
#[derive(Clone, Copy, Debug)]
pub struct NoiseSteps {
    /// A Gibbs step.
    pub draw: &'static [Step],
    /// A step of CAVI.
    pub ascend: &'static [Step],
    /// A step of CAVI as it was published.
    pub publish: &'static [Step],
    /// What the cell adds to the bound of `ascend`.
    pub bound: &'static str,
}

/// What the functions of a cell take besides what was observed and the rate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// `alpha`, and variables of the noise in the augmented forms.
    Geometric,
    /// A value of this type, and a parameter of this name; of none there is no parameter.
    Alone {
        /// The type of an observation.
        value: &'static str,
        /// The parameter of the noise, and its letter in words.
        parameter: Option<[&'static str; 2]>,
    },
    /// Two rates.
    Difference,
}

/// Laws are told apart by their names.
impl PartialEq for CellLaw {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for CellLaw {}

impl CellLaw {
    /// All laws of observations.
    pub const ALL: [Self; 6] = [
        two_sided_geometric::LAW,
        collapsed::TRUNCATED,
        laplace::ON_A_LATTICE,
        laplace::CONTINUOUS,
        skellam::LAW,
        at_least_one::LAW,
    ];

    /// The law of the prelude that has this name. A macro sees names, not types: a law of a user's own may be called so, which the runtime finds out.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|law| law.name == name)
    }
}

/// Rows of a table: a formula, its source in brackets, and the line.
macro_rules! steps {
    ($($formula:literal $([$source:literal])? $(=> { $($code:tt)* })?)*) => {
        &[$($crate::cells::Step {
            formula: $formula,
            source: concat!($($source)?),
            code: || ::quote::quote!($($($code)*)?),
        }),*]
    };
}

use steps;
