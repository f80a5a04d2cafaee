//! What a private release costs: exact sampler, cryptographic generator seeded by the operating system.

use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Map, Value, json};
use skellam::channel::{Channel, Observation};
use skellam::prelude::*;

use crate::data::Failure;
use crate::flags::{MechanismName, Release};
use crate::meter::Meter;

/// The median of this many releases is reported.
const TRIES: usize = 5;

pub fn measure(flags: &Release) -> Result<Map<String, Value>, Failure> {
    let budget = Lplp::new(flags.n, &flags.epsilon[..])?;
    match flags.mechanism {
        MechanismName::Geometric => timed(flags, &budget),
        MechanismName::Truncated => timed(flags, &Truncated(budget)),
        MechanismName::Laplace => timed(flags, &LatticeLaplace::new(budget, 10)?),
        MechanismName::Skellam => timed(flags, &SkellamNoise::promising(flags.n, &flags.epsilon[..], 1e-6)?),
    }
}

fn timed<M: Mechanism>(flags: &Release, mechanism: &M) -> Result<Map<String, Value>, Failure> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(flags.seed);
    let truth: Vec<i64> = (0..flags.counts).map(|_| rng.random_range(0..10)).collect();
    let counts = Sensitive::new(Counts::dense(vec![flags.counts], truth.clone())?);
    let meter = Meter::start();
    let (mut nanoseconds, mut noise) = (Vec::new(), Vec::new());
    for _ in 0..TRIES {
        let start = Instant::now();
        let released = counts.release(mechanism)?;
        nanoseconds.push(start.elapsed().as_secs_f64() * 1e9 / flags.counts as f64);
        noise.extend(
            released
                .values()?
                .iter()
                .zip(&truth)
                .map(|(c, y)| c.number() - *y as f64),
        );
    }
    nanoseconds.sort_by(f64::total_cmp);
    let n = noise.len() as f64;
    let mean = noise.iter().sum::<f64>() / n;
    let variance = noise.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
    let zeros = noise.iter().filter(|x| **x == 0.0).count() as f64;
    let object = json!({
        "name": "release", "mechanism": <M::Law as Channel>::text().name, "counts": flags.counts,
        "epsilon": flags.epsilon, "n": flags.n, "seed": flags.seed, "threads": 1, "promise": mechanism.promise().to_string(),
        "ns_per_count": nanoseconds[TRIES / 2], "mean": mean, "variance": variance, "p_zero": zeros / n,
    });
    let Value::Object(mut object) = object else {
        unreachable!("an object was written")
    };
    meter.report(&mut object);
    Ok(object)
}
