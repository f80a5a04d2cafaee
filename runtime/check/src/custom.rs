//! A user's own draw, taken alone: does it leave the complete conditional as it is?
//!
//! From an exact draw of the conditional the update must lead to another exact draw, whatever it does in between.
//! Distribution functions of independent trials are held against the uniform law.

use skellam::model::family::{Custom, Family};
use skellam_math::streams::Stream;

use super::statistics::kolmogorov;
use super::worst::larger;

/// Updates in a row. One of a wrong sampler that takes small steps is hardly off; many add up. An odd number, so that
/// one that goes to and fro is caught away from where it began.
const REPEATS: usize = 11;

/// The largest Kolmogorov-Smirnov statistic of the first entry, of the last, and where entries are independent of all together:
/// from an exact draw a right update leads to entries that are independent, too.
pub(super) fn judge(own: &Custom<'_>, parameters: [Vec<f64>; 2], size: usize, trials: usize, rng: &mut Stream) -> f64 {
    let (family, entries) = (own.family, parameters[0].len());
    let Some(last) = entries.checked_sub(1) else {
        return f64::NAN;
    };
    let mut seen = [const { Vec::new() }; 3];
    let mut x = vec![0.0; entries];
    let draw = |family: &dyn Family, x: &mut [f64], rng: &mut Stream| {
        let [mut one, mut other] = parameters.clone();
        family.draw([&mut one, &mut other], size, x, rng);
    };
    for _ in 0..trials {
        draw(family, &mut x, rng);
        for _ in 0..REPEATS {
            draw(own, &mut x, rng);
        }
        for (line, values) in x.chunks_exact(size).enumerate() {
            let of_line = parameters.each_ref().map(|all| &all[line * size..(line + 1) * size]);
            let is_valid = family.invalid(values).is_none();
            for (i, &value) in values.iter().enumerate() {
                let uniform = match is_valid {
                    true => family.distribution(of_line, i, value),
                    false => f64::NAN,
                };
                let entry = line * size + i;
                let judged = [entry == 0, entry == last, !family.has_lines()];
                let seen = seen.iter_mut().zip(judged).filter(|(_, judged)| *judged);
                seen.for_each(|(seen, _)| seen.push(uniform));
            }
        }
    }
    let seen = seen.into_iter().filter(|uniform| !uniform.is_empty());
    seen.map(|mut uniform| kolmogorov(&mut uniform)).fold(0.0, larger)
}
