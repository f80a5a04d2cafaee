//! The joint-distribution test of Geweke (2004).
//!
//! Draws of (factors, data) come from the prior in two ways: directly, and from a chain that alternates
//! between data given factors and a sweep of the sampler given data. If the sampler leaves the posterior
//! invariant both have the same law; a wrong conditional shifts the second.

use skellam::channel::Varying;
use skellam::infer::pool;
use skellam::model::FormKind;
use skellam::release::Released;

use crate::channels::FromAlpha;
use crate::data::{Stream, counts_at, noise, prior_draw, stream};
use crate::families::HasTwin;
use crate::statistics::{batch_means, moments};
use crate::twin::Twin;

/// Pieces of the chain whose means give its standard error.
const BATCHES: usize = 200;
/// Draws straight from the prior.
const DIRECT: usize = 100_000;

/// A statistic is off if it differs by more standard errors than this: 1.9e-7 by Student's law of 199
/// degrees of freedom, so below 1e-5 for the at most 40 statistics of one comparison.
pub const LIMIT: f64 = 5.4;

/// The largest deviation, in standard errors, and where it was.
#[derive(Clone, Debug)]
pub struct Deviation {
    /// In standard errors.
    pub z: f64,
    /// Of which statistic.
    pub statistic: String,
    /// Among how many.
    pub of: usize,
}

/// How factors follow on others: a kernel that leaves the posterior of the model as it is, or should. The number is that of
/// the iteration.
pub type Kernel<'a, M> = &'a (dyn Fn(&M, &[Vec<f64>], u64) -> Vec<Vec<f64>> + Sync);

/// Compares both ways of drawing over `iterations` of the chain, data being seen through the collapsed form.
pub fn compare_by<F>(family: &F, alpha: f64, iterations: usize, seed: u64, kernel: Kernel<'_, F::Bound>) -> Deviation
where
    F: HasTwin,
    F::Law: FromAlpha,
{
    let twin = family.twin();
    let mut rng = stream(seed);
    let names = statistics(&twin, &prior_draw(&twin, &mut rng), 0.0)
        .into_iter()
        .map(|(name, _)| name);
    let names: Vec<String> = names.collect();
    let mut direct = vec![Vec::with_capacity(DIRECT); names.len()];
    for _ in 0..DIRECT {
        let x = prior_draw(&twin, &mut rng);
        let mut values = counts_at(&twin.rates(&x), &mut rng);
        values.iter_mut().for_each(|v| *v += noise(alpha, &mut rng));
        record(&twin, &x, mean(&values), &mut direct);
    }
    let mut chain = vec![Vec::with_capacity(iterations); names.len()];
    let one = pool(1).unwrap();
    one.install(|| simulate(family, alpha, iterations as u64, kernel, &mut rng, &mut chain));
    let deviations = direct.iter().zip(&chain).zip(&names).map(|((direct, chain), name)| {
        let (expected, variance) = moments(direct);
        let (mean, squared) = batch_means(chain, BATCHES);
        let z = (mean - expected) / (squared + variance / DIRECT as f64).sqrt();
        Deviation {
            z,
            statistic: name.clone(),
            of: names.len(),
        }
    });
    deviations.max_by(|a, b| a.z.abs().total_cmp(&b.z.abs())).unwrap()
}

/// The chain: data given factors, then the sampler given data.
fn simulate<F>(
    family: &F,
    alpha: f64,
    iterations: u64,
    kernel: Kernel<'_, F::Bound>,
    rng: &mut Stream,
    chain: &mut [Vec<f64>],
) where
    F: HasTwin,
    F::Law: FromAlpha,
{
    let twin = family.twin();
    let law = Varying::Uniform(F::Law::at(alpha));
    let bind = |values: Vec<i64>| {
        let released = Released::assert_mechanism(twin.shape.clone(), values, law.clone()).unwrap();
        family.released(&released, FormKind::Collapsed, None)
    };
    let mut x = prior_draw(&twin, rng);
    for iteration in 0..iterations {
        let mut values = counts_at(&twin.rates(&x), rng);
        values.iter_mut().for_each(|v| *v += noise(alpha, rng));
        let observed = mean(&values);
        let model = bind(values);
        x = kernel(&model, &x, iteration);
        record(&twin, &x, observed, chain);
    }
}

fn mean(values: &[i64]) -> f64 {
    values.iter().sum::<i64>() as f64 / values.len() as f64
}

fn record(twin: &Twin, x: &[Vec<f64>], observed: f64, into: &mut [Vec<f64>]) {
    into.iter_mut()
        .zip(statistics(twin, x, observed))
        .for_each(|(into, (_, value))| into.push(value));
}

/// First entry and mean over all entries, of each latent and of the rates, on both scales, and products of
/// neighbouring latents, which see a wrong dependence. One looks at factors and data together: a kernel that ignores the data
/// and leaves the prior as it is would show in no other.
fn statistics(twin: &Twin, x: &[Vec<f64>], observed: f64) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    let rates = twin.rates(x);
    for (l, values) in x.iter().chain([&rates]).enumerate() {
        let of = if l < x.len() {
            format!("latent {l}")
        } else {
            "rates".into()
        };
        let mean = |f: fn(f64) -> f64| values.iter().map(|v| f(*v)).sum::<f64>() / values.len() as f64;
        all.push((format!("mean ln of {of}"), mean(f64::ln)));
        all.push((format!("mean sqrt of {of}"), mean(f64::sqrt)));
        all.push((format!("ln of the first of {of}"), values[0].ln()));
        all.push((format!("sqrt of the first of {of}"), values[0].sqrt()));
        all.push((format!("squared mean ln of {of}"), mean(f64::ln).powi(2)));
    }
    let root = rates.iter().map(|r| r.sqrt()).sum::<f64>() / rates.len() as f64;
    all.push(("mean sqrt of rates times the mean observation".into(), root * observed));
    for l in 1..x.len() {
        all.push((
            format!("sqrt of latents {} and {l}", l - 1),
            (x[l - 1][0] * x[l][0]).sqrt(),
        ));
    }
    all
}
