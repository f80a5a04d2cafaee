//! The data of a count that nobody observed: none.

use std::sync::Arc;

use crate::contract::Grid;
use crate::counts::Mask;
use crate::error::Error;
use crate::model::{CountData, FormKind, Rules};
use crate::streams::Stream;
use crate::total::Likelihood;
use crate::view::{Binding, Guards, Mean, Source, View};

use super::Replicated;

/// A count that is the total of others, and known by what was observed of these.
#[derive(Debug)]
pub struct HiddenCount {
    shape: Vec<usize>,
    mask: Mask,
}

impl HiddenCount {
    /// One of these sizes; of none, where they are not known yet.
    pub fn new(shape: Vec<usize>) -> Self {
        Self {
            shape,
            mask: Mask::none(),
        }
    }
}

impl CountData for HiddenCount {
    fn channel(&self) -> &'static str {
        "none"
    }

    fn supports(&self, form: FormKind) -> bool {
        form == FormKind::Collapsed
    }

    fn check(&self, _: &'static str, _: &Rules<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn bind(&self, _: &'static str, _: Grid, _: FormKind, _: &Rules<'_>) -> Result<View, Error> {
        unreachable!("a hidden count has a total, and tables of it are drawn")
    }

    fn bind_table(&self, name: &'static str, grid: Grid, rules: &Rules<'_>, closed: &Mask) -> Result<View, Error> {
        let guards = Guards::new(&grid, rules.guards);
        let binding = Binding {
            name,
            source: Source::hidden(),
            grid,
            guards,
            mean: Mean::default(),
            augmented: false,
            drawn: true,
        };
        View::of_table(binding, closed, self.channel(), None)
    }

    fn is_hidden(&self) -> bool {
        true
    }

    fn is_fixed(&self) -> bool {
        false
    }

    fn likelihood(&self, _: &'static str) -> Result<Option<Arc<dyn Likelihood>>, Error> {
        Ok(None)
    }

    fn sums_along(&self, _: usize) -> Option<Vec<u64>> {
        None
    }

    fn with_counts(&self, _: &[[u64; 2]], _: &mut Stream) -> Result<Arc<dyn CountData>, Error> {
        unreachable!("nothing of a hidden count is observed")
    }
}

impl Replicated for HiddenCount {
    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn mask(&self) -> &Mask {
        &self.mask
    }

    fn values(&self, _: &[usize]) -> Result<Vec<f64>, Error> {
        unreachable!("nothing of a hidden count is checked")
    }

    fn replicate(&self, _: &[usize], _: [&[f64]; 2], _: &mut Stream, _: &mut Vec<f64>) {
        unreachable!("nothing of a hidden count is checked")
    }

    fn ln_likelihood(&self, _: &[usize], _: [&[f64]; 2], _: &mut Vec<f64>) {
        unreachable!("nothing of a hidden count is observed")
    }
}
