//! The data of one count without the type of their mechanism.

use std::fmt;
use std::sync::Arc;

use crate::contract::Grid;
use crate::counts::Mask;
use crate::error::Error;
use crate::model::Replicated;
use crate::streams::Stream;
use crate::total::Likelihood;
use crate::view::View;

use super::{FormKind, Rules};

/// The data of one count, whatever its mechanism: [`Observed`](super::Observed) without its type.
pub trait CountData: Replicated + Send {
    /// Name of the channel through which the count is seen.
    fn channel(&self) -> &'static str;

    /// Whether the channel has this form of its own; a count whose channel has none runs the collapsed form
    /// beside other counts.
    fn supports(&self, form: FormKind) -> bool;

    /// Checks the data against what the declaration says of their cells, as soon as they come in; [`CountData::bind`]
    /// does so again. The mask is checked then, as it depends on which latents are frozen.
    ///
    /// # Errors
    ///
    /// If no cell is left, or if all counts lie outside of `where`.
    fn check(&self, name: &'static str, rules: &Rules<'_>) -> Result<(), Error>;

    /// Sorts the cells of the count called `name` for a grid, a form of the channel and the rules of its
    /// declaration. A channel without an augmented form runs the collapsed one; see [`supported`](super::supported).
    ///
    /// # Errors
    ///
    /// If the grid is too wide, the rules leave no cell or none of the positive counts, or the mask varies
    /// along an index of a Dirichlet latent.
    fn bind(&self, name: &'static str, grid: Grid, form: FormKind, rules: &Rules<'_>) -> Result<View, Error>;

    /// The view of a count with a known total, of which whole tables are drawn; the cells of `closed` take no part.
    ///
    /// # Errors
    ///
    /// Those of [`CountData::bind`]; a channel without `ln_likelihood`.
    fn bind_table(&self, name: &'static str, grid: Grid, rules: &Rules<'_>, closed: &Mask) -> Result<View, Error>;

    /// Whether the count is hidden.
    fn is_hidden(&self) -> bool {
        false
    }

    /// Whether its true counts are known, or taken to be.
    fn is_fixed(&self) -> bool;

    /// The likelihood of any true count at each cell; `None` if nothing was observed.
    ///
    /// # Errors
    ///
    /// The channel has no `ln_likelihood`, or is not the law of the data.
    fn likelihood(&self, name: &'static str) -> Result<Option<Arc<dyn Likelihood>>, Error>;

    /// Sums of true counts along an index, for each line; `None` where they are not known.
    fn sums_along(&self, axis: usize) -> Option<Vec<u64>>;

    /// Data like these, drawn through the channel given the true count of every cell: the plus side and the minus side of a difference, none of the latter for
    /// any other count.
    ///
    /// # Errors
    ///
    /// Values of which only the sum is known; no memory for the new ones.
    fn with_counts(&self, counts: &[[u64; 2]], rng: &mut Stream) -> Result<Arc<dyn CountData>, Error>;
}

impl fmt::Debug for dyn CountData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("CountData");
        out.field("channel", &self.channel()).field("shape", &self.shape());
        out.finish_non_exhaustive()
    }
}
