//! The data of one count without the type of their mechanism.

use std::fmt;
use std::sync::Arc;

use crate::channel::Channel;
use crate::contract::Grid;
use crate::counts::Mask;
use crate::error::Error;
use crate::model::Replicated;
use crate::streams::Stream;
use crate::total::Likelihood;
use crate::view::View;

use super::{FormKind, Observed, Rules};

/// The data of one count, whatever its mechanism: [`Observed`] without its type.
pub trait CountData: Replicated + Send {
    /// [`Observed::density`].
    fn density(&self) -> f64;

    /// [`Observed::channel`].
    fn channel(&self) -> &'static str;

    /// [`Observed::supports`].
    fn supports(&self, form: FormKind) -> bool;

    /// [`Observed::check`].
    ///
    /// # Errors
    ///
    /// Those of [`Observed::check`].
    fn check(&self, name: &'static str, rules: &Rules<'_>) -> Result<(), Error>;

    /// [`Observed::bind`].
    ///
    /// # Errors
    ///
    /// Those of [`Observed::bind`].
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

impl<M: Channel> Observed<M> {
    /// The data without the type of their mechanism.
    pub fn shared(self) -> Arc<dyn CountData> {
        Arc::new(self)
    }
}

impl<M: Channel> CountData for Observed<M> {
    fn density(&self) -> f64 {
        self.density()
    }

    fn channel(&self) -> &'static str {
        self.channel()
    }

    fn supports(&self, form: FormKind) -> bool {
        self.supports(form)
    }

    fn check(&self, name: &'static str, rules: &Rules<'_>) -> Result<(), Error> {
        self.check(name, rules)
    }

    fn bind(&self, name: &'static str, grid: Grid, form: FormKind, rules: &Rules<'_>) -> Result<View, Error> {
        self.bind(name, grid, form, rules)
    }

    fn bind_table(&self, name: &'static str, grid: Grid, rules: &Rules<'_>, closed: &Mask) -> Result<View, Error> {
        self.table_view(name, grid, rules, closed)
    }

    fn is_fixed(&self) -> bool {
        self.known()
    }

    fn likelihood(&self, name: &'static str) -> Result<Option<Arc<dyn Likelihood>>, Error> {
        self.likelihood_of_cells(name).map(Some)
    }

    fn sums_along(&self, axis: usize) -> Option<Vec<u64>> {
        self.sums(axis)
    }

    fn with_counts(&self, counts: &[[u64; 2]], rng: &mut Stream) -> Result<Arc<dyn CountData>, Error> {
        Ok(self.drawn(counts, rng)?.shared())
    }
}

impl fmt::Debug for dyn CountData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("CountData");
        out.field("channel", &self.channel()).field("shape", &self.shape());
        out.finish_non_exhaustive()
    }
}
