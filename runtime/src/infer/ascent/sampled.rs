//! Starts from a short Gibbs chain, which finds modes that an ascent from anywhere does not reach.

use crate::error::Error;
use crate::infer::gibbs::Chain;
use crate::infer::settings::Moves;
use crate::infer::start::check;
use crate::infer::starting_values::StartsAt;
use crate::model::{Factors, Model};

/// A mean below this is taken to be this: a factor of which every draw is next to zero may grow again.
const LEAST: f64 = 1e-150;

/// The mean of the factors over the second half of a chain of `sweeps`, and whether the chain was cut short: `goes_on` is asked after
/// each sweep. Of a chain that was, it is the mean over what there is of the second half, or the place where the chain was. Such a start
/// belongs in no checkpoint: a continued run samples it anew, and has the starts of one that was never stopped.
///
/// # Errors
///
/// A start that doubles do not hold, data that no factors explain, and those of [`Chain::check`].
pub(in crate::infer) fn sampled(
    model: &dyn Model,
    starts_at: &StartsAt,
    seed: u64,
    restart: u64,
    sweeps: usize,
    mut goes_on: impl FnMut() -> bool,
) -> Result<(Factors, bool), Error> {
    let mut chain = Chain::beginning(model, starts_at, seed, restart).with_moves(Moves::Auto, sweeps);
    // What doubles do not hold would keep samplers from ending.
    check(model, chain.values(), chain.count_rates())?;
    let mut mean = model.factors();
    let mut draws = 0.0;
    let mut is_cut = false;
    for sweep in 1..=sweeps {
        chain.advance();
        chain.check()?;
        is_cut = !goes_on() && sweep < sweeps;
        if sweep > sweeps / 2 {
            draws += 1.0;
            for (mean, values) in mean.iter_mut().zip(chain.values().iter()) {
                mean.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            }
        }
        if is_cut {
            break;
        }
    }
    if draws == 0.0 {
        draws = 1.0;
        mean.iter_mut()
            .zip(chain.values().iter())
            .for_each(|(mean, values)| mean.copy_from_slice(values));
    }
    for values in mean.iter_mut() {
        values.iter_mut().for_each(|sum| *sum = (*sum / draws).max(LEAST));
    }
    Ok((mean, is_cut))
}
