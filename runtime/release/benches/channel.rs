//! Nanoseconds per call of what inference calls once per cell and iteration. Run with
//! `cargo bench -p skellam-release --bench channel`; each figure is the best of five repetitions.

use std::hint::black_box;
use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam_math::distribution::{bessel_draw, binomial, gamma_draw, ln_gamma_draw, poisson, thin};
use skellam_math::special::{
    bessel_i_ratio, digamma, digamma_in_place, exp_in_place, ln_bessel_i, ln_factorial, ln_gamma, ln_in_place,
    ln_poisson_cdf, ln_poisson_pmf,
};
use skellam_release::channel::{Augmentation, Channel, RateMoments, SkellamBessel, TwoSidedGeometric};

const INPUTS: usize = 1 << 12;
const ROUNDS: usize = 100;

/// Prints the time of `f` per input.
fn time<T, S>(name: &str, inputs: &[T], mut f: impl FnMut(&T) -> S) {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        for _ in 0..ROUNDS {
            for input in inputs {
                black_box(f(black_box(input)));
            }
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / (ROUNDS * inputs.len()) as f64);
    }
    println!("{name:<58} {best:8.2} ns");
}

fn log_uniform(rng: &mut Xoshiro256PlusPlus, low: f64, high: f64) -> f64 {
    (low.ln() + rng.random::<f64>() * (high / low).ln()).exp()
}

fn main() {
    let rng = &mut Xoshiro256PlusPlus::seed_from_u64(7);
    special_functions(rng);
    draws(rng);
    for alpha in [0.05, 0.37, 0.72] {
        channel(alpha, rng);
    }
}

fn special_functions(rng: &mut Xoshiro256PlusPlus) {
    let shapes: Vec<f64> = (0..INPUTS).map(|_| log_uniform(rng, 0.05, 50.0)).collect();
    time("digamma, x in 0.05..50", &shapes, |&x| digamma(x));
    time("digamma of the `special` crate", &shapes, |&x| {
        special::Gamma::digamma(x)
    });
    time("ln_gamma", &shapes, |&x| ln_gamma(x));
    let counts: Vec<u64> = shapes.iter().map(|x| (x * 20.0) as u64).collect();
    time("ln_factorial, n to 1000", &counts, |&n| ln_factorial(n));
    time("ln_poisson_pmf, k to 1000", &counts, |&k| ln_poisson_pmf(k, 30.0));
    let arguments: Vec<f64> = (0..INPUTS).map(|_| log_uniform(rng, 0.3, 4.0)).collect();
    time("ln_bessel_i, order 1, argument 0.3..4", &arguments, |&a| {
        ln_bessel_i(1, a)
    });
    time("bessel_i_ratio, order 1, argument 0.3..4", &arguments, |&a| {
        bessel_i_ratio(1, a)
    });
    time("bessel_i_ratio, order 1, argument 1e4", &arguments, |&a| {
        bessel_i_ratio(1, 1e4 * a)
    });
    time("ln_poisson_cdf, c 1000, rate 1000", &arguments, |&a| {
        ln_poisson_cdf(1000, 1000.0 + a)
    });
    time("ln_poisson_cdf, c 2^31, rate 2^31", &arguments, |&a| {
        ln_poisson_cdf(1 << 31, 2.0_f64.powi(31) + a)
    });
    let mut values = vec![0.0; INPUTS];
    let slices = [shapes.clone()];
    let elements = INPUTS as f64;
    for (name, f) in [
        ("exp_in_place", exp_in_place as fn(&mut [f64])),
        ("ln_in_place", ln_in_place),
        ("digamma_in_place", digamma_in_place),
    ] {
        let mut best = f64::INFINITY;
        for _ in 0..400 {
            values.copy_from_slice(&slices[0]);
            let start = Instant::now();
            f(black_box(&mut values));
            best = best.min(start.elapsed().as_secs_f64() * 1e9 / elements);
        }
        println!("{:<58} {best:8.2} ns", format!("{name}, per element of {INPUTS}"));
    }
    time("exp of std", &shapes, |x| x.exp());
}

fn draws(rng: &mut Xoshiro256PlusPlus) {
    let once = [(); INPUTS];
    time("uniform", &once, |_| rng.random::<f64>());
    for shape in [0.1, 1.0, 2.3] {
        time(&format!("gamma_draw, shape {shape}"), &once, |_| gamma_draw(shape, rng));
        time(&format!("ln_gamma_draw, shape {shape}"), &once, |_| {
            ln_gamma_draw(shape, rng)
        });
    }
    let arguments: Vec<f64> = (0..INPUTS).map(|_| log_uniform(rng, 0.3, 4.0)).collect();
    time("bessel_draw, order 0, argument 0.3..4", &arguments, |&a| {
        bessel_draw(0, a, rng)
    });
    time("bessel_draw, order 1, argument 0.3..4", &arguments, |&a| {
        bessel_draw(1, a, rng)
    });
    time("bessel_draw, order 3, argument 100", &once, |_| {
        bessel_draw(3, 100.0, rng)
    });
    time("poisson, rate 0.2", &once, |_| poisson(0.2, rng));
    time("binomial, n 3, p 0.3", &once, |_| binomial(3, 0.3, rng));
    time("binomial, n 2^33, p 0.3", &once, |_| binomial(1 << 33, 0.3, rng));
    let weights: Vec<f64> = (0..50).map(|_| rng.random()).collect();
    let total = weights.iter().sum();
    let mut parts = vec![0; 50];
    time("thin, count 2 over 50 weights", &once, |_| {
        thin(2, &weights, total, rng, |k, n| parts[k] += n)
    });
    time("thin, count 1e6 over 50 weights", &once[..40], |_| {
        thin(1_000_000, &weights, total, rng, |k, n| parts[k] += n)
    });
}

fn channel(alpha: f64, rng: &mut Xoshiro256PlusPlus) {
    println!("alpha {alpha}");
    let Ok(channel) = TwoSidedGeometric::new(alpha) else {
        return;
    };
    let typical: Vec<(f64, i64)> = (0..INPUTS)
        .map(|_| (log_uniform(rng, 1e-3, 5.0), 1 + (rng.random::<f64>() * 5.0) as i64))
        .collect();
    let sparse: Vec<(f64, i64)> = (0..INPUTS)
        .map(|_| (log_uniform(rng, 1e-2, 0.5), 1 + (-rng.random::<f64>().ln()) as i64))
        .collect();
    for (name, cells) in [
        ("c 1..5, rate 1e-3..5", &typical),
        ("c mostly 1, rate 0.01..0.5", &sparse),
    ] {
        time(&format!("slope, {name}"), cells, |&(r, c)| channel.slope(r, c));
        time(&format!("impute, {name}"), cells, |&(r, c)| channel.impute(r, c, rng));
        time(&format!("ln_marginal, {name}"), cells, |&(r, c)| {
            channel.ln_marginal(r, c)
        });
        // The factor of one cell is handed to the next: no digamma can be hoisted out of the loop.
        let mut factor = SkellamBessel::start_factor(&channel, 1);
        time(&format!("augmented expect, {name}"), cells, |&(r, c)| {
            SkellamBessel::expect(&channel, r, c, &mut factor)
        });
        time(&format!("published, {name}"), cells, |&(r, c)| {
            let moments = RateMoments {
                mean: r,
                variance: 0.1 * r,
            };
            SkellamBessel::published(&channel, moments, c, &mut factor)
        });
        let mut state = SkellamBessel::start(&channel, 1, rng);
        time(&format!("augmented Gibbs, {name}"), cells, |&(r, c)| {
            SkellamBessel::impute(&channel, r, c, &mut state, rng)
        });
    }
    let large: Vec<(f64, i64)> = (0..256)
        .map(|_| (log_uniform(rng, 1e3, 1e8), log_uniform(rng, 1.0, 2e9) as i64))
        .collect();
    time("slope, c to 2^31, rate 1e3..1e8", &large[..64], |&(r, c)| {
        channel.slope(r, c)
    });
    time("impute, c to 2^31, rate 1e3..1e8", &large[..64], |&(r, c)| {
        channel.impute(r, c, rng)
    });
}
