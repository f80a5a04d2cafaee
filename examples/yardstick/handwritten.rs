//! The generated sweep or iteration against the same written by hand for one model: plain loops, and the kernels that `skellam` offers.

use std::time::Instant;

use serde_json::{Map, Value, json};
use skellam::infer::{Ascent, Chain};
use skellam::model::{Factors, FormKind, Model};
use skellam::prelude::*;

use crate::clusters;
use crate::data::{Data, Failure};
use crate::engine::bind;
use crate::flags::{ByHand as Which, Handwritten, Plain};
use crate::meter::{Meter, median};
use crate::tensor;

mod cp;
mod kernels;
#[cfg(test)]
mod tests;
mod topics;

/// Sweeps that are not timed: enough to leave the start, where rates are not typical. By hand, as those are alike.
const WARM_UP: usize = 30;
/// Sweeps that are timed of each, by turns.
const TIMED: usize = 20;

/// A model that was written by hand.
trait ByHand: Send {
    /// Gives the latents these values, or means, and geometric means; by latent, as they are declared.
    fn set(&mut self, values: &[Vec<f64>], geometric: &[Vec<f64>]);

    /// Values, or means.
    fn values(&self) -> Vec<Vec<f64>>;

    /// A sweep of Gibbs sampling.
    fn sweep(&mut self);

    /// An iteration of coordinate ascent.
    fn iterate(&mut self);

    /// Units of the counts that the last sweep drew, and how many of them came to the entries of a latent.
    fn units(&self) -> [f64; 2];
}

pub fn measure(flags: &Handwritten) -> Result<Map<String, Value>, Failure> {
    let mut object = Map::new();
    object.extend([
        ("name".into(), json!("handwritten")),
        ("engine".into(), json!(flags.engine.to_string())),
        ("rows".into(), json!(flags.rows)),
        ("cols".into(), json!(flags.cols)),
        ("k".into(), json!(flags.k)),
        ("shape".into(), json!(flags.shape)),
        ("seed".into(), json!(flags.seed)),
        ("threads".into(), json!(flags.threads)),
    ]);
    if !(flags.k > 0 && flags.shape > 0.0 && flags.shape.is_finite()) {
        return Err(format!("--k {} --shape {}: both must be positive", flags.k, flags.shape).into());
    }
    match flags.model {
        Which::Topics => {
            let data = Data::of(&flags.common())?;
            let generated = bind(&flags.common(), &data)?;
            let hyper = [flags.shape, flags.alpha];
            let mut by_hand = topics::Topics::new(&data.released, data.cols, flags.k, hyper, flags.seed, flags.threads);
            object.extend([
                ("model".into(), json!("topics")),
                ("alpha".into(), json!(flags.alpha)),
                ("visited_cells".into(), json!(generated.views()[0].visited())),
            ]);
            drop(data);
            compare(&mut object, flags, &generated, &mut by_hand)?;
        }
        Which::Cp => {
            let sizes = [flags.rows, flags.cols, flags.times];
            if sizes.iter().any(|&size| u32::try_from(size).is_err()) {
                return Err(format!("--rows, --cols, --times: at most {} each", u32::MAX).into());
            }
            let asked = format!(
                "--rows {} --cols {} --times {} --nnz {}",
                flags.rows, flags.cols, flags.times, flags.nnz
            );
            let entries = clusters::draw(&sizes, flags.nnz, flags.seed, &asked)?;
            object.extend([
                ("model".into(), json!("cp")),
                ("times".into(), json!(flags.times)),
                ("nnz".into(), json!(entries.len())),
            ]);
            let counts = Counts::from_linear(sizes.to_vec(), entries.clone())?;
            let generated = tensor::Cp::exact(&counts)?.components(flags.k).shape(flags.shape);
            drop(counts);
            // This refuses sizes that are too large.
            let generated = generated.bind(FormKind::Collapsed)?;
            let mut by_hand = cp::Cp::new(&entries, sizes, flags.k, flags.shape, flags.seed, flags.threads);
            drop(entries);
            compare(&mut object, flags, &generated, &mut by_hand)?;
        }
    }
    Ok(object)
}

/// Times both by turns, in one process and on the same data, from the same values.
fn compare(
    object: &mut Map<String, Value>,
    flags: &Handwritten,
    model: &dyn Model,
    by_hand: &mut dyn ByHand,
) -> Result<(), Failure> {
    let pool = skellam::infer::pool(flags.threads)?;
    let meter = Meter::start();
    let work = || -> Result<_, Error> {
        let start = arrays(Chain::new(model, flags.seed, 0).values());
        by_hand.set(&start, &start);
        match flags.engine {
            Plain::Gibbs => {
                (0..WARM_UP).for_each(|_| by_hand.sweep());
                let mut chain = Chain::starting_at(model, factors(model, &by_hand.values()), flags.seed, 0);
                let times = by_turns(&mut || chain.sweep(), &mut || by_hand.sweep());
                chain.check()?;
                Ok(times)
            }
            Plain::Cavi => {
                (0..WARM_UP).for_each(|_| by_hand.iterate());
                let means = factors(model, &by_hand.values());
                let mut ascent = Ascent::starting_at(model, CaviForm::Collapsed, means);
                let generated = &mut || {
                    ascent.iterate(0.0, false);
                };
                let times = by_turns(generated, &mut || by_hand.iterate());
                ascent.check()?;
                Ok(times)
            }
        }
    };
    let times = pool.install(work)?;
    meter.report(object);
    let [drawn, handed_down] = by_hand.units();
    if flags.engine == Plain::Gibbs && drawn != handed_down {
        return Err(format!("by hand {drawn} units were drawn, and {handed_down} came to entries").into());
    }
    let [generated, by_hand] = times.map(|mut times| median(&mut times).unwrap_or(f64::NAN));
    object.extend([
        ("ratio".into(), json!(generated / by_hand)),
        ("ms_generated".into(), json!(generated)),
        ("ms_handwritten".into(), json!(by_hand)),
    ]);
    Ok(())
}

/// Milliseconds of both, after one time of each that does not count.
fn by_turns(generated: &mut dyn FnMut(), by_hand: &mut dyn FnMut()) -> [Vec<f64>; 2] {
    let mut times = [const { Vec::new() }; 2];
    let mut time = |which: usize, work: &mut dyn FnMut()| {
        let start = Instant::now();
        work();
        times[which].push(start.elapsed().as_secs_f64() * 1e3);
    };
    for _ in 0..TIMED + 1 {
        time(0, generated);
        time(1, by_hand);
    }
    times.map(|times| times[1..].to_vec())
}

fn arrays(of: &Factors) -> Vec<Vec<f64>> {
    of.iter().map(<[f64]>::to_vec).collect()
}

fn factors(model: &dyn Model, values: &[Vec<f64>]) -> Factors {
    let mut factors = model.factors();
    factors
        .iter_mut()
        .zip(values)
        .for_each(|(to, from)| to.copy_from_slice(from));
    factors
}
