//! How many components? A fit for each of a list of numbers.

use std::ops::Deref;

use crate::diagnose::{HeldOutCurve, HeldOutPoint};
use crate::error::Error;

use super::gibbs_fit::GibbsFit;

impl HeldOutCurve {
    /// Fits once for each number in the list, and scores the held-out cells of `count`.
    ///
    /// # Errors
    /// Those of `fit`; [`Error::UnknownCount`]; [`Error::NotKept`] if no cell of the count is held out whose observation is known.
    pub fn over<G: Deref<Target = GibbsFit>>(
        components: &[usize],
        count: &str,
        mut fit: impl FnMut(usize) -> Result<G, Error>,
    ) -> Result<Self, Error> {
        let mut points = Vec::with_capacity(components.len());
        for &components in components {
            let fit = fit(components)?;
            let Some(score) = fit.held_out_score(count)? else {
                return Err(Error::NotKept {
                    what: format!("the held-out score of `{count}`"),
                    instead: "hold cells out whose observation is known: `counts.hold_out(&Mask::random(..)?)?`"
                        .to_owned(),
                });
            };
            points.push(HeldOutPoint {
                components,
                score,
                error: fit.held_out_error(count)?,
                seconds: fit.seconds(),
            });
        }
        Ok(Self::new(count, points))
    }
}
