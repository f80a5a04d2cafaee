//! Factorization of sparse exact counts: time of a sweep, memory.

use serde_json::{Map, Value, json};
use skellam::counts::{ReadOptions, read_counts};
use skellam::infer::{cavi, gibbs};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;

use crate::clusters;
use crate::data::Failure;
use crate::engine::Factorization;
use crate::flags::{Engine, Sparse};
use crate::meter::{Clock, Meter};

pub fn measure(flags: &Sparse) -> Result<Map<String, Value>, Failure> {
    let counts = match &flags.data {
        Some(path) => read_counts(path, &ReadOptions::default())?,
        None => {
            let shape = vec![flags.rows, flags.cols];
            let asked = format!("--rows {} --cols {} --nnz {}", flags.rows, flags.cols, flags.nnz);
            let entries = clusters::draw(&shape, flags.nnz, flags.seed, &asked)?;
            Counts::from_linear(shape, entries)?
        }
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
