//! The block door: what passes ask of the visited cells of a count, one run of cells at a time.
//!
//! Before it stand the passes, which know neither channel nor form and are compiled once; behind it the observations, their laws and the
//! auxiliary variables ([`super::seen`]). One dynamic call answers for a run of cells, so that it costs next to nothing.

use std::any::Any;
use std::ops::Range;

use crate::channel::RateMoments;
use crate::contract::Grid;
use crate::streams::Stream;

use super::Cells;

/// State that a channel keeps for each visited cell; only the view that made it can read it.
pub type Auxiliary = Box<dyn Any + Send>;

/// Visited cells of one row, ascending.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// The number of the first one among all visited cells; the others follow.
    pub first: usize,
    /// Their row, over all batches.
    pub row: usize,
    /// Their columns.
    pub cols: &'a [u32],
}

/// The receiver of a true count: the place of its cell in the run, the count, and the stream that drew it.
pub type Give<'a> = &'a mut dyn FnMut(usize, u64, &mut Stream);

/// The visited cells of one lane in a Gibbs chain.
pub trait Impute: Send {
    /// Draws the true count of every cell of `run` at its rate, with the auxiliary variables, and gives away those that are positive.
    fn impute(&mut self, run: Run<'_>, rates: &[f64], rng: &mut Stream, give: Give<'_>);
}

/// The visited cells of one lane in a variational run.
pub trait Expect: Send {
    /// `slopes[i] = E[y] / rate` at the geometric rate of every cell, after a step of its auxiliary variables. What the cells add to the
    /// bound before that step, everything but `-E[mu]`, is added to `bound` if it is asked for.
    fn expect(&mut self, run: Run<'_>, rates: &[f64], slopes: &mut [f64], bound: Option<&mut f64>);

    /// The published step of VI18 instead: `expected[i] = E[y]`.
    fn publish(&mut self, run: Run<'_>, moments: &[RateMoments], expected: &mut [f64]);
}

/// What is observed at some cells, whatever its law.
pub trait Kept: Send + Sync {
    /// Name of the channel.
    fn channel(&self) -> &'static str;

    /// Whether data arise by this law: [`crate::channel::Channel::IS_LAW_OF_DATA`].
    fn is_law_of_data(&self) -> bool;

    /// Bytes held for values and laws.
    fn bytes(&self) -> usize;

    /// Bytes of the auxiliary variables of one chain, and of the variational parameters of one start.
    fn auxiliary_bytes(&self) -> [usize; 2];

    /// Whether a chain keeps auxiliary variables from sweep to sweep.
    fn keeps_state(&self) -> bool {
        self.auxiliary_bytes()[0] > 0
    }

    /// The observation at cell `i` as a number.
    fn number(&self, i: usize) -> f64;

    /// The observation at cell `i` as a message quotes it.
    fn text(&self, i: usize) -> String;

    /// Auxiliary variables of a new Gibbs chain.
    fn start(&self, cells: &Cells, rng: &mut Stream) -> Auxiliary;

    /// Variational parameters of the auxiliary variables.
    fn start_factors(&self, cells: &Cells) -> Auxiliary;

    /// A copy of such parameters.
    fn copy_factors(&self, auxiliary: &Auxiliary) -> Auxiliary;

    /// Auxiliary variables of a chain as numbers, and back; `None` if there are too many or too few.
    fn save_states(&self, auxiliary: &Auxiliary) -> Vec<f64>;

    /// See [`Kept::save_states`].
    fn restore_states(&self, numbers: &[f64]) -> Option<Auxiliary>;

    /// Variational parameters as numbers, and back; `None` if there are too many or too few.
    fn save_factors(&self, auxiliary: &Auxiliary) -> Vec<f64>;

    /// See [`Kept::save_factors`].
    fn restore_factors(&self, numbers: &[f64]) -> Option<Auxiliary>;

    /// Says every observation, then what tells the laws apart: `ln P(c | rate)` at the rates of `probes`.
    fn tell(&self, probes: &[f64], say: &mut dyn FnMut(f64));
}

/// The observations at some cells with their laws and one form of their channel.
pub trait Door: Kept {
    /// Whether every slope is asked of the law; if not, tables are made: [`crate::channel::Channel::HAS_CHEAP_SLOPE`].
    fn has_cheap_slope(&self) -> bool;

    /// Whether all cells have one law.
    fn is_uniform(&self) -> bool;

    /// Whether counts are observed as they are: draws of them ignore rates.
    fn is_exact(&self) -> bool;

    /// `E[y | rate, c] / rate` at cell `i`, where all cells have one law.
    fn slope_of_uniform(&self, i: usize, rate: f64) -> f64;

    /// `into[i] = ln P(c | rate)`.
    fn ln_marginals(&self, run: Run<'_>, rates: &[f64], into: &mut [f64]);

    /// `into[i] = E[y | rate, c] / rate`, roughly, wherever `into[i]` is NaN.
    fn rough_slopes(&self, run: Run<'_>, rates: &[f64], into: &mut [f64]);

    /// See [`super::View::observe`].
    fn observe(
        &self,
        cells: &Cells,
        grid: &Grid,
        y: &[u64],
        auxiliary: &Auxiliary,
        rng: &mut Stream,
    ) -> Box<dyn Any + Send + Sync>;

    /// For each lane of visited cells, what imputes them.
    fn imputers<'a>(&'a self, auxiliary: &'a mut Auxiliary, lanes: &[Range<usize>]) -> Vec<Box<dyn Impute + 'a>>;

    /// For each lane of visited cells, what steps through them.
    fn expecters<'a>(&'a self, auxiliary: &'a mut Auxiliary, lanes: &[Range<usize>]) -> Vec<Box<dyn Expect + 'a>>;
}

/// The receiver of the two counts of a difference: the place of its cell in the run, the counts, and the stream that drew them.
pub type GiveBoth<'a> = &'a mut dyn FnMut(usize, [u64; 2], &mut Stream);

/// The observations at some cells of a difference of two Poisson counts. Rates, slopes and counts are those of the plus side, then
/// those of the minus side.
pub trait DifferenceDoor: Kept {
    /// Draws both counts of every cell of `run` at their rates.
    fn impute(&self, run: Run<'_>, rates: [&[f64]; 2], rng: &mut Stream, give: GiveBoth<'_>);

    /// `slopes[side][i] = E[count of the side] / rate` at the rates of the sides.
    fn slopes(&self, run: Run<'_>, rates: [&[f64]; 2], slopes: [&mut [f64]; 2]);

    /// `into[i] = ln P(c | rates)`.
    fn ln_marginals(&self, run: Run<'_>, rates: [&[f64]; 2], into: &mut [f64]);
}

/// A door to cells with one rate each, or with one on each side.
pub enum AnyDoor {
    /// Counts with one rate.
    One(Box<dyn Door>),
    /// Differences of two counts.
    Two(Box<dyn DifferenceDoor>),
}

impl AnyDoor {
    /// What is observed.
    pub fn kept(&self) -> &dyn Kept {
        match self {
            Self::One(door) => &**door,
            Self::Two(door) => &**door,
        }
    }

    /// The door of cells with one rate each, to which the passes for such cells go.
    ///
    /// # Panics
    ///
    /// If there are two: a view sends differences to passes of their own.
    pub fn one(&self) -> &dyn Door {
        match self {
            Self::One(door) => &**door,
            Self::Two(_) => unreachable!("differences have passes of their own"),
        }
    }

    /// The door of differences; `None` where cells have one rate.
    pub fn two(&self) -> Option<&dyn DifferenceDoor> {
        match self {
            Self::One(_) => None,
            Self::Two(door) => Some(&**door),
        }
    }
}
