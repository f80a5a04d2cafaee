//! With every cell held out the posterior is the prior.

use rand::SeedableRng;

use skellam::Error;
use skellam::infer::{Ascent, CaviForm, CaviStart, Chain};
use skellam::model::{FormKind, Model};
use skellam_math::streams::Stream;

use super::geweke::{LENGTH, row, whole};
use super::held_out::HeldOut;
use super::instance::Instance;
use super::report::{Check, Row};
use super::statistics::{Deviation, Sample, Statistics};
use super::{SelfTest, load, values_of};

/// Sweeps of all chains.
const SWEEPS: f64 = 40_000.0;
/// Parameters of the posterior are those of the prior to this fraction: sums of nothing round to nothing.
const TOLERANCE: f64 = 1e-12;

/// How many sweeps there are to be.
pub(super) fn sweeps(options: &SelfTest) -> usize {
    whole(SWEEPS * options.effort)
}

/// The rows of both engines; where chains end is held against `direct`.
pub(super) fn prior(instance: &Instance, options: &SelfTest, direct: &Sample) -> Vec<Row> {
    let sweeps = sweeps(options);
    let mut rows = vec![match sampled(instance, sweeps, options.seed, direct) {
        Ok(deviation) => row(Check::PriorGibbs, "all cells held out", &deviation, sweeps, "sweeps"),
        Err(error) => Row::error(Check::PriorGibbs, "all cells held out", &error),
    }];
    if let Some(of) = instance.twin.spec.learns_shape_of() {
        let why = format!("the shape of `{of}` is learned, and no bound is known");
        rows.push(Row::skipped(Check::PriorCavi, "all", why));
        return rows;
    }
    rows.extend(
        ascended(instance, options.seed)
            .unwrap_or_else(|error| vec![Row::error(Check::PriorCavi, "all cells held out", &error)]),
    );
    rows
}

fn bind(instance: &Instance, rng: &mut Stream) -> Result<Box<dyn Model>, Error> {
    let values = instance.observe(&instance.twin.draw(rng), false, rng);
    let setting = instance.setting(values, false, HeldOut::All);
    instance.assemble(&setting, FormKind::Collapsed, None)
}

fn sampled(instance: &Instance, sweeps: usize, seed: u64, direct: &Sample) -> Result<Deviation, Error> {
    let twin = &instance.twin;
    let mut rng = Stream::seed_from_u64(seed ^ 0x0070_7269);
    let model = bind(instance, &mut rng)?;
    let statistics = Statistics::new(twin);
    let mut ends = vec![Vec::with_capacity(sweeps / LENGTH); statistics.names().len()];
    for number in 0..sweeps / LENGTH {
        // From a draw of the prior a right chain never leaves its law.
        let mut start = model.factors();
        load(&mut start, &twin.draw(&mut rng));
        let mut state = Chain::starting_at(&*model, start, seed, number as u64);
        for _ in 0..LENGTH {
            state.sweep();
            state.check()?;
        }
        statistics.record(&values_of(state.values()), &mut ends);
    }
    Ok(direct.compare(&mut ends))
}

fn ascended(instance: &Instance, seed: u64) -> Result<Vec<Row>, Error> {
    let twin = &instance.twin;
    let mut rng = Stream::seed_from_u64(seed ^ 0x0070_7270);
    let model = bind(instance, &mut rng)?;
    let mut ascent = Ascent::new(&*model, CaviForm::Collapsed, CaviStart::Dispersed, seed, 0);
    for _ in 0..3 {
        ascent.iterate(0.0, false);
    }
    let related = |latent: usize| {
        let child = |l: usize| twin.parents(l).any(|parent| parent == latent);
        twin.parents(latent).next().is_some() || (0..twin.shapes.len()).any(child)
    };
    let rows = twin.spec.latents.iter().enumerate().map(|(latent, spec)| {
        if related(latent) {
            let why = "tied to a latent rate, where mean field is not exact";
            return Row::skipped(Check::PriorCavi, spec.name, why);
        }
        let (shape, rate) = (&ascent.shapes()[latent], &ascent.rates()[latent]);
        let off = |found: f64, expected: f64| (found / expected - 1.0).abs();
        let laws = twin.laws(latent, &[]).into_iter();
        let gaps = laws.flat_map(|law| {
            let [a, b] = law.parameters;
            let entries = law.entries.into_iter().zip(a).zip(b);
            let both = entries.flat_map(|((e, a), b)| [off(shape[e], a), off(rate[e], b)]);
            both.collect::<Vec<_>>()
        });
        let largest = gaps.fold(0.0, |most: f64, gap| if gap.is_nan() { gap } else { most.max(gap) });
        let note = format!("{} entries", shape.len());
        Row::tried(Check::PriorCavi, spec.name, largest, TOLERANCE, note)
    });
    Ok(rows.collect())
}
