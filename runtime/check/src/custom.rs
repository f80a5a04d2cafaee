//! A user's own draw, taken alone: does it leave the complete conditional as it is?
//!
//! From an exact draw of the conditional the update must lead to another exact draw, whatever it does in between.
//! Distribution functions of independent trials are held against the uniform law.

use skellam::model::family::{Custom, Family};
use skellam_math::streams::Stream;

use super::statistics::kolmogorov;

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
    largest(seen)
}

fn largest(seen: [Vec<f64>; 3]) -> f64 {
    let seen = seen.into_iter().filter(|uniform| !uniform.is_empty());
    let distances = seen.map(|mut uniform| kolmogorov(&mut uniform));
    // `max` drops a NaN, which is to be kept.
    let larger = |most: f64, d: f64| {
        if most.is_nan() || d.is_nan() {
            f64::NAN
        } else {
            most.max(d)
        }
    };
    distances.fold(0.0, larger)
}

#[cfg(test)]
mod tests {
    use super::super::statistics::KOLMOGOROV_LIMIT;
    use super::*;
    use rand::{RngExt, SeedableRng};
    use skellam::model::family::{Dirichlet, Gamma, Update};
    use skellam_math::distribution::gamma_draw;

    fn gamma(update: &dyn Update, shape: &[f64], rate: &[f64], trials: usize, rng: &mut Stream) -> f64 {
        let own = Custom { family: &Gamma, update };
        judge(&own, [shape.to_vec(), rate.to_vec()], 1, trials, rng)
    }

    fn simplex(update: &dyn Update, concentration: &[f64], trials: usize, rng: &mut Stream) -> f64 {
        let own = Custom {
            family: &Dirichlet,
            update,
        };
        let one = vec![1.0; concentration.len()];
        judge(&own, [concentration.to_vec(), one], concentration.len(), trials, rng)
    }

    struct Conjugate;
    impl Update for Conjugate {}

    /// The rate taken for a scale.
    struct Scaled;
    impl Update for Scaled {
        fn draw(&self, shape: &[f64], rate: &[f64], x: &mut [f64], rng: &mut Stream) {
            for (i, x) in x.iter_mut().enumerate() {
                *x = gamma_draw(shape[i], rng) * rate[i];
            }
        }
    }

    /// A Metropolis step on the logarithm, right unless `jacobian` is forgotten.
    struct Metropolis {
        jacobian: f64,
    }
    impl Update for Metropolis {
        fn draw(&self, shape: &[f64], rate: &[f64], x: &mut [f64], rng: &mut Stream) {
            for (i, x) in x.iter_mut().enumerate() {
                let there = *x * (rng.random::<f64>() - 0.5).exp();
                let ln = (shape[i] - 1.0 + self.jacobian) * (there / *x).ln() - rate[i] * (there - *x);
                if rng.random::<f64>().ln() < ln {
                    *x = there;
                }
            }
        }

        fn draw_simplex(&self, _: &[f64], x: &mut [f64], _: &mut Stream) {
            x.swap(0, 1);
        }
    }

    /// A shape that is 5 % too large.
    struct Larger;
    impl Update for Larger {
        fn draw(&self, shape: &[f64], rate: &[f64], x: &mut [f64], rng: &mut Stream) {
            for (i, x) in x.iter_mut().enumerate() {
                *x = gamma_draw(1.05 * shape[i], rng) / rate[i];
            }
        }
    }

    /// Five per cent of a small shape are little of its spread: no entry alone shows them in so many trials.
    #[test]
    fn entries_are_seen_together() {
        let mut rng = Stream::seed_from_u64(9);
        let (shape, rate) = ([0.6; 6], [1.3; 6]);
        assert!(gamma(&Larger, &shape, &rate, 20_000, &mut rng) > KOLMOGOROV_LIMIT);
        assert!(gamma(&Conjugate, &shape, &rate, 20_000, &mut rng) < KOLMOGOROV_LIMIT);
    }

    #[test]
    fn right_updates_pass_and_wrong_ones_fail() {
        let mut rng = Stream::seed_from_u64(8);
        let (shape, rate) = ([2.5, 1.2, 4.0], [1.3, 2.0, 0.7]);
        let mut found = |update: &dyn Update| gamma(update, &shape, &rate, 8000, &mut rng);
        let seen = [found(&Conjugate), found(&Metropolis { jacobian: 1.0 })];
        assert!(seen.iter().all(|s| *s > 0.2 && *s < KOLMOGOROV_LIMIT), "{seen:?}");
        let seen = [found(&Scaled), found(&Metropolis { jacobian: 0.0 })];
        assert!(seen.iter().all(|s| *s > KOLMOGOROV_LIMIT), "{seen:?}");
        let mut found = |update: &dyn Update| simplex(update, &[2.0, 0.8, 3.0], 8000, &mut rng);
        assert!(found(&Conjugate) < KOLMOGOROV_LIMIT);
        assert!(found(&Metropolis { jacobian: 1.0 }) > KOLMOGOROV_LIMIT);
    }
}
