//! Peak memory of a fit on released data that are drawn in a stream.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Map, Value, json};
use skellam::channel::Varying;
use skellam::infer::gibbs;
use skellam::math::distribution::{gamma_draw, poisson};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;
use skellam::release::files::{ReleasedFolder, ValueWriter};

use crate::data::Failure;
use crate::engine::Factorization;
use crate::flags::Memory;
use crate::meter::Meter;

pub fn measure(flags: &Memory) -> Result<Map<String, Value>, Failure> {
    let mut object = Map::new();
    object.extend([
        ("name".into(), json!("memory")),
        ("rows".into(), json!(flags.rows)),
        ("cols".into(), json!(flags.cols)),
        ("k".into(), json!(flags.k)),
        ("shape".into(), json!(flags.shape)),
        ("alpha".into(), json!(flags.alpha)),
        ("sweeps".into(), json!(flags.sweeps)),
        ("seed".into(), json!(flags.seed)),
        ("threads".into(), json!(flags.threads)),
    ]);
    let released = draw(flags)?;
    let model = Factorization::new(&released)?.components(flags.k).shape(flags.shape);
    drop(released);
    let model = model.bind(FormKind::Collapsed)?;
    let (visited, cells) = (model.views()[0].visited() as f64, flags.rows as f64 * flags.cols as f64);
    let settings = Gibbs {
        num_tune: flags.sweeps.saturating_sub(1),
        num_draws: 1,
        thin: Some(1),
        num_chains: Some(1),
        seed: flags.seed,
        num_threads: Some(flags.threads),
        ..Gibbs::default()
    };
    let meter = Meter::start();
    gibbs(&model, &settings, |_, _| {})?;
    meter.report(&mut object);
    let stored = (8.0 * visited + cells / 8.0) / f64::from(1 << 20);
    let peak = object.get("peak_rss_mib").and_then(Value::as_f64).unwrap_or(f64::NAN);
    object.extend([
        ("visited_cells".into(), json!(visited)),
        ("stored_mib".into(), json!(stored)),
        ("ratio".into(), json!(peak / stored)),
    ]);
    Ok(object)
}

/// Row by row into a folder, of which positive releases and sums of the others are loaded.
fn draw(flags: &Memory) -> Result<Released<TwoSidedGeometric>, Failure> {
    let mut rng = StdRng::seed_from_u64(flags.seed);
    let phi: Vec<f64> = (0..flags.k * flags.cols)
        .map(|_| gamma_draw(flags.shape, &mut rng))
        .collect();
    let ln_alpha = flags.alpha.ln();
    let folder = std::env::temp_dir().join(format!("yardstick-memory-{}", std::process::id()));
    let mechanism = Varying::Uniform(Lplp::kept_by_alpha(1, flags.alpha)?);
    let mut writer = ValueWriter::create(&folder, &[flags.rows, flags.cols], &mechanism)?;
    let (mut theta, mut rates, mut row) = (vec![0.0; flags.k], vec![0.0; flags.cols], Vec::new());
    for _ in 0..flags.rows {
        theta.fill_with(|| gamma_draw(flags.shape, &mut rng));
        rates.fill(0.0);
        for (theta, phi) in theta.iter().zip(phi.chunks_exact(flags.cols)) {
            rates.iter_mut().zip(phi).for_each(|(rate, phi)| *rate += theta * phi);
        }
        row.clear();
        for &rate in &rates {
            let mut geometric = || ((1.0 - rng.random::<f64>()).ln() / ln_alpha).floor() as i64;
            let noise = geometric() - geometric();
            row.push(poisson(rate, &mut rng) as i64 + noise);
        }
        writer.push_slice(&row)?;
    }
    let folder = writer.finish()?;
    let released = ReleasedFolder::open(&folder)?.load();
    std::fs::remove_dir_all(&folder)?;
    Ok(released?)
}
