//! The data of one count without the type of their mechanism.

use std::fmt;
use std::sync::Arc;

use crate::channel::Channel;
use crate::contract::Grid;
use crate::error::Error;
use crate::model::Replicated;
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
    /// As there.
    fn check(&self, name: &'static str, rules: &Rules<'_>) -> Result<(), Error>;

    /// [`Observed::bind`].
    ///
    /// # Errors
    ///
    /// As there.
    fn bind(&self, name: &'static str, grid: Grid, form: FormKind, rules: &Rules<'_>) -> Result<View, Error>;
}

impl<M: Channel> Observed<M> {
    /// The same without its type.
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
}

impl fmt::Debug for dyn CountData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("CountData");
        out.field("channel", &self.channel()).field("shape", &self.shape());
        out.finish_non_exhaustive()
    }
}
