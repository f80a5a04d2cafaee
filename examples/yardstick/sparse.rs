//! Factorization of sparse exact counts: time of a sweep, memory.

use clap::ValueEnum;
use serde_json::{Map, Value, json};
use skellam::counts::read_counts;
use skellam::infer::{cavi, gibbs};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;

use crate::clusters;
use crate::data::Failure;
use crate::engine::Factorization;
use crate::flags::{Engine, Sparse};
use crate::meter::{Clock, Meter};

skellam::model! {
    /// The same, with components that sum to one, so that tokens can be drawn.
    model Topics {
        index rows, cols, components;
        hyper shape: positive = 0.1;

        latent theta[i in rows, k in components] ~ Gamma(shape = shape, rate = 1.0);
        latent phi[k in components, j in cols]   ~ Dirichlet(concentration = shape, along = j);

        count y[i in rows, j in cols] ~ Poisson(sum(k in components) theta[i, k] * phi[k, j]);
    }
}

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
                    .and_then(|engine| engine.to_possible_value())
                    .map_or("both".to_owned(), |of| of.get_name().to_owned())
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
    let form = FormKind::Collapsed;
    let model: Box<dyn Model> = match flags.engine {
        Some(Engine::GibbsTokens) => {
            let topics = Topics::exact(&counts)?.components(flags.k).shape(flags.shape);
            Box::new(topics.bind(form)?)
        }
        _ => {
            let factorization = Factorization::exact(&counts)?.components(flags.k).shape(flags.shape);
            Box::new(factorization.bind(form)?)
        }
    };
    drop(counts);
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
            Engine::Gibbs | Engine::GibbsTokens => {
                let (form, name) = match engine {
                    Engine::Gibbs => (GibbsForm::Collapsed, "gibbs"),
                    _ => (GibbsForm::Tokens, "gibbs-tokens"),
                };
                let settings = Gibbs {
                    form,
                    num_tune: flags.iters,
                    num_draws: 1,
                    thin: Some(1),
                    num_chains: Some(1),
                    seed: flags.seed,
                    num_threads: Some(flags.threads),
                    ..Gibbs::default()
                };
                gibbs(&*model, &settings, |_, _| clock.tick())?;
                times.insert(name.into(), json!(clock.median()));
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
                cavi(&*model, &settings, |_, _| clock.tick())?;
                times.insert("cavi".into(), json!(clock.median()));
            }
            _ => return Err("`sparse` measures `--engine gibbs`, `--engine cavi` and `--engine gibbs-tokens`".into()),
        }
    }
    object.insert("ms_per_sweep".into(), Value::Object(times));
    meter.report(&mut object);
    Ok(object)
}
