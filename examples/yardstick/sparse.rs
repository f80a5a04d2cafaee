//! Factorization of sparse exact counts: time of a sweep, memory.

use std::time::Instant;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Map, Value, json};
use skellam::counts::{ReadOptions, read_counts};
use skellam::infer::{cavi, gibbs};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;

use crate::data::Failure;
use crate::engine::Factorization;
use crate::flags::{Engine, Sparse};
use crate::meter::Meter;

/// Clusters in drawn data, and how often an index is one of its cluster's.
const CLUSTERS: usize = 20;
const INSIDE: f64 = 0.8;

pub fn measure(flags: &Sparse) -> Result<Map<String, Value>, Failure> {
    let counts = match &flags.data {
        Some(path) => read_counts(path, &ReadOptions::default())?,
        None => draw(flags)?,
    };
    let (shape, nnz) = (counts.shape().to_vec(), counts.num_nonzero());
    let mut object = Map::new();
    object.extend([
        ("name".into(), json!("sparse")),
        ("shape".into(), json!(flags.shape)),
        (
            "engine".into(),
            json!(
                flags
                    .engine
                    .map_or("both".to_owned(), |engine| format!("{engine:?}").to_lowercase())
            ),
        ),
        ("rows".into(), json!(shape[0])),
        ("cols".into(), json!(shape[1])),
        ("k".into(), json!(flags.k)),
        ("nnz".into(), json!(nnz)),
        ("iters".into(), json!(flags.iters)),
        ("seed".into(), json!(flags.seed)),
        ("threads".into(), json!(flags.threads)),
        ("data".into(), json!(flags.data)),
    ]);
    let model = Factorization::exact(&counts)?.components(flags.k).shape(flags.shape);
    drop(counts);
    let model = model.bind(FormKind::Collapsed)?;
    object.insert(
        "stored_mib".into(),
        json!(model.views()[0].bytes() as f64 / f64::from(1 << 20)),
    );
    let engines = match flags.engine {
        None => vec![Engine::Gibbs, Engine::Cavi],
        Some(engine) => vec![engine],
    };
    let meter = Meter::start();
    let mut times = Map::new();
    for engine in engines {
        let mut clock = Clock::default();
        match engine {
            Engine::Gibbs => {
                let settings = Gibbs {
                    num_tune: flags.iters,
                    num_draws: 1,
                    thin: Some(1),
                    num_chains: Some(1),
                    seed: flags.seed,
                    num_threads: Some(flags.threads),
                    ..Gibbs::default()
                };
                gibbs(&model, &settings, |_, _| clock.tick())?;
                times.insert("gibbs".into(), json!(clock.median()));
            }
            Engine::Cavi => {
                let settings = Cavi {
                    max_iters: flags.iters + 1,
                    anneal_iters: flags.iters.min(5),
                    num_restarts: 1,
                    seed: flags.seed,
                    num_threads: Some(flags.threads),
                    ..Cavi::default()
                };
                cavi(&model, &settings, |_, _| clock.tick())?;
                times.insert("cavi".into(), json!(clock.median()));
            }
            _ => return Err("`sparse` measures `--engine gibbs` and `--engine cavi`".into()),
        }
    }
    object.insert("ms_per_sweep".into(), Value::Object(times));
    meter.report(&mut object);
    Ok(object)
}

/// Times from one call to the next.
#[derive(Default)]
struct Clock {
    last: Option<Instant>,
    milliseconds: Vec<f64>,
}

impl Clock {
    fn tick(&mut self) {
        let now = Instant::now();
        if let Some(last) = self.last.replace(now) {
            self.milliseconds.push((now - last).as_secs_f64() * 1e3);
        }
    }

    fn median(&mut self) -> Option<f64> {
        self.milliseconds.sort_by(f64::total_cmp);
        self.milliseconds.get(self.milliseconds.len() / 2).copied()
    }
}

/// A unit count picks a cluster, then along each axis an index of that cluster's twentieth with probability 0.8, else any;
/// equal cells add up. Counts are drawn until so many cells are non-zero.
fn draw(flags: &Sparse) -> Result<Counts, Failure> {
    let cells = (flags.rows as f64) * (flags.cols as f64);
    if flags.rows == 0 || flags.cols == 0 || flags.nnz as f64 > 0.5 * cells {
        return Err(format!(
            "--rows {} --cols {} --nnz {}: at most half of the cells can be non-zero",
            flags.rows, flags.cols, flags.nnz
        )
        .into());
    }
    let mut rng = StdRng::seed_from_u64(flags.seed);
    let mut units: Vec<u64> = Vec::with_capacity(flags.nnz + flags.nnz / 8);
    let mut distinct = 0;
    while distinct < flags.nnz {
        let missing = flags.nnz - distinct;
        for _ in 0..missing {
            let cluster = rng.random_range(0..CLUSTERS);
            let mut index = |size: usize| {
                let (start, end) = (size * cluster / CLUSTERS, size * (cluster + 1) / CLUSTERS);
                if end > start && rng.random::<f64>() < INSIDE {
                    rng.random_range(start..end)
                } else {
                    rng.random_range(0..size)
                }
            };
            let (row, col) = (index(flags.rows), index(flags.cols));
            units.push(row as u64 * flags.cols as u64 + col as u64);
        }
        units.sort_unstable();
        distinct = units.chunk_by(|a, b| a == b).count();
    }
    let entries = units
        .chunk_by(|a, b| a == b)
        .map(|run| (run[0], run.len() as i64))
        .collect();
    Ok(Counts::from_linear(vec![flags.rows, flags.cols], entries)?)
}
