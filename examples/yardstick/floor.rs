//! What no implementation can avoid: the dense products of a sweep and one `exp` per visited cell.

use std::time::Instant;

use ndarray::Array2;
use ndarray::linalg::general_mat_mul;
use serde_json::{Map, Value, json};
use skellam::math::special::exp_in_place;
use skellam::model::Model;

use crate::data::{Data, Failure};
use crate::engine::{bind, cavi_form};
use crate::flags::Common;
use crate::meter::Meter;

/// The fastest of this many is the floor.
const TRIES: usize = 20;

pub fn measure(flags: &Common) -> Result<Map<String, Value>, Failure> {
    let mut object = flags.describe("floor");
    let data = Data::of(flags)?;
    let visited = bind(flags, &data)?.views()[0].visited();
    let meter = Meter::start();
    let left = Array2::from_shape_fn([flags.rows, flags.k], |(i, k)| ((i * 7 + k * 13) % 101) as f64 / 101.0);
    let right = Array2::from_shape_fn([flags.k, flags.cols], |(k, j)| ((j * 11 + k * 5) % 97) as f64 / 97.0);
    let mut product = Array2::zeros([flags.rows, flags.cols]);
    let fastest = best(|| general_mat_mul(1.0, &left, &right, 0.0, &mut product));
    // Two statistics or masked exposures have the same number of multiplications as the rate.
    let products = if cavi_form(flags.engine).is_some() { 5.0 } else { 3.0 };
    let mut values: Vec<f64> = (0..visited).map(|i| -((i % 1000) as f64) / 250.0).collect();
    let exp = best(|| {
        exp_in_place(&mut values);
        values.iter_mut().for_each(|v| *v = -*v);
    });
    meter.report(&mut object);
    let flops = 2.0 * (flags.rows * flags.cols * flags.k) as f64;
    object.insert("ms".into(), json!(products * fastest + exp));
    object.insert("ms_product".into(), json!(fastest));
    object.insert("ms_exp".into(), json!(exp));
    object.insert("gflops".into(), json!(flops / fastest / 1e6));
    object.insert("visited_cells".into(), json!(visited));
    Ok(object)
}

/// Milliseconds of the fastest try.
fn best(mut work: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..TRIES).map(time).fold(f64::INFINITY, f64::min)
}
