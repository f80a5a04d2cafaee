//! Starts from a short Gibbs chain, which finds modes that an ascent from anywhere does not reach.

use crate::error::Error;
use crate::infer::gibbs::Chain;
use crate::infer::settings::Moves;
use crate::infer::start::check;
use crate::model::{Factors, Model};

/// A mean below this is taken to be this: a factor of which every draw is next to zero may grow again.
const LEAST: f64 = 1e-150;

/// The mean of the factors over the second half of a chain of `sweeps`; `step` is called after each. It is not cut short: a run that is
/// stopped and gone on with has the same starts as one that was not.
///
/// # Errors
///
/// A start that doubles do not hold, data that no factors explain, and those of [`Chain::check`].
pub(in crate::infer) fn sampled(
    model: &dyn Model,
    seed: u64,
    restart: u64,
    sweeps: usize,
    mut step: impl FnMut(),
) -> Result<Factors, Error> {
    let mut chain = Chain::new(model, seed, restart).with_moves(Moves::Auto, sweeps);
    // What doubles do not hold would keep samplers from ending.
    check(model, chain.values(), chain.roots())?;
    let mut mean = model.factors();
    let mut draws = 0.0;
    for sweep in 1..=sweeps {
        chain.advance();
        chain.check()?;
        step();
        if sweep > sweeps / 2 {
            draws += 1.0;
            for (mean, values) in mean.iter_mut().zip(chain.values().iter()) {
                mean.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
        }
    }
    for values in mean.iter_mut() {
        values.iter_mut().for_each(|sum| *sum = (*sum / draws).max(LEAST));
    }
    Ok(mean)
}
