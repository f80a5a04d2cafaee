//! Median time of one sweep after warm-up.

use std::time::Instant;

use serde_json::{Map, Value, json};
use skellam::infer::{Ascent, Chain};
use skellam::model::Model;
use skellam::prelude::*;

use crate::data::{Data, Failure};
use crate::engine::{bind, cavi_form, gibbs_form};
use crate::flags::Common;
use crate::meter::Meter;

/// Sweeps that are not timed: enough for the chain to leave its start, where rates are not typical.
const WARM_UP: usize = 30;
/// Sweeps that are.
const TIMED: usize = 31;

pub fn measure(flags: &Common) -> Result<Map<String, Value>, Failure> {
    let mut object = flags.describe("sweep");
    let data = Data::of(flags)?;
    let model = bind(flags, &data)?;
    let view = model.views()[0];
    object.insert("cells".into(), json!(view.grid().cells()));
    object.insert("visited_cells".into(), json!(view.visited()));
    let pool = skellam::infer::pool(flags.threads)?;
    let meter = Meter::start();
    let mut times = pool.install(|| {
        let mut times = Vec::new();
        let mut time = |sweep: &mut dyn FnMut()| {
            for i in 0..WARM_UP + TIMED {
                let start = Instant::now();
                sweep();
                if i >= WARM_UP {
                    times.push(start.elapsed().as_secs_f64() * 1e3);
                }
            }
        };
        if gibbs_form(flags.engine).is_some() {
            let mut chain = Chain::new(&model, flags.seed, 0);
            time(&mut || chain.sweep());
        } else if let Some(form) = cavi_form(flags.engine) {
            let mut ascent = Ascent::new(&model, form, CaviStart::Dispersed, flags.seed, 0);
            time(&mut || {
                ascent.iterate(0.0, false);
            });
        }
        times
    });
    meter.report(&mut object);
    times.sort_by(f64::total_cmp);
    object.insert("ms_per_sweep".into(), json!(times[times.len() / 2]));
    object.insert("ms_min".into(), json!(times[0]));
    Ok(object)
}
