//! Fits, and compares `E[rate]` with the true rates.

use serde_json::{Map, Value, json};
use skellam::diagnose::{mean_absolute_error, poisson_deviance};
use skellam::infer::{Ended, cavi, gibbs};
use skellam::prelude::*;

use crate::data::{Data, Failure};
use crate::engine::{bind, cavi_form, gibbs_form};
use crate::flags::Accuracy;
use crate::meter::Meter;

/// Points of the trace lie this many sweeps apart.
const TRACE_EVERY: usize = 25;

pub fn measure(flags: &Accuracy) -> Result<Map<String, Value>, Failure> {
    let common = &flags.common;
    let mut object = common.describe("accuracy");
    let data = Data::of(common)?;
    let model = bind(common, &data)?;
    let truth = &data.rates;
    let meter = Meter::start();
    let mut trace = Vec::new();
    let cells = truth.len();
    let rates: Vec<f64>;
    let sweeps;
    if let Some(form) = gibbs_form(common.engine) {
        let settings = Gibbs {
            num_tune: flags.tune,
            max_retunes: 0,
            num_draws: flags.draws.div_ceil(5),
            thin: Some(5.min(flags.draws.max(1))),
            num_chains: Some(1),
            keep: Keep::default().rates(KeepRates::All),
            seed: common.seed,
            form,
            num_threads: Some(common.threads),
            ..Gibbs::default()
        };
        object.extend([
            ("tune".into(), json!(flags.tune)),
            ("draws".into(), json!(flags.draws)),
            ("thin".into(), json!(settings.thin)),
        ]);
        let mut sum = vec![vec![0.0; cells]];
        let mut summed = 0;
        let run = gibbs(&model, &settings, |chain, sweep| {
            let tuning = sweep <= flags.tune;
            // While tuning the estimate is the current rate; afterwards the mean so far.
            if !sweep.is_multiple_of(if tuning { TRACE_EVERY } else { 5 }) {
                return;
            }
            if sweep <= flags.tune + 5 {
                sum[0].fill(0.0);
                summed = 0;
            }
            chain.add_rates(&mut sum);
            summed += 1;
            if sweep.is_multiple_of(TRACE_EVERY) {
                let mean: Vec<f64> = sum[0].iter().map(|s| s / summed as f64).collect();
                trace.push((meter.cpu_seconds(), error(&mean, truth)));
            }
        })?;
        sweeps = run.sweeps;
        rates = run.rates[0].to_vec()?;
    } else if let Some(form) = cavi_form(common.engine) {
        let settings = Cavi {
            max_iters: flags.iters,
            num_restarts: flags.restarts,
            anneal_iters: flags
                .anneal
                .unwrap_or(Cavi::default().anneal_iters.min(flags.iters * 3 / 4)),
            seed: common.seed,
            form,
            num_threads: Some(common.threads),
            ..Cavi::default()
        };
        object.extend([
            ("iters".into(), json!(flags.iters)),
            ("restarts".into(), json!(flags.restarts)),
        ]);
        let run = cavi(&model, &settings, |ascent, iteration| {
            if iteration.is_multiple_of(TRACE_EVERY) {
                let mut mean = vec![vec![0.0; cells]];
                ascent.add_rates(&mut mean);
                trace.push((meter.cpu_seconds(), error(&mean[0], truth)));
            }
        })?;
        sweeps = run.iterations;
        object.insert("elbo".into(), json!(run.elbo));
        object.insert("converged".into(), json!(run.ended == Ended::Converged));
        rates = run.rates[0].to_vec()?;
    } else {
        return Err("this engine cannot be measured".into());
    }
    meter.report(&mut object);
    object.insert("mae".into(), json!(mean_absolute_error(&rates, truth)?));
    if let Some(counts) = &data.counts {
        let counts: Vec<f64> = counts.iter().map(|&y| y as f64).collect();
        let mean = counts.iter().sum::<f64>() / cells as f64;
        object.insert("deviance".into(), json!(poisson_deviance(&counts, &rates)?));
        object.insert(
            "deviance_constant".into(),
            json!(poisson_deviance(&counts, &vec![mean; cells])?),
        );
    }
    object.insert("sweeps".into(), json!(sweeps));
    object.insert("trace".into(), json!(trace));
    Ok(object)
}

/// For the trace: the rates of a fit have as many cells as the truth, so there is nothing to report.
fn error(estimate: &[f64], truth: &[f64]) -> f64 {
    mean_absolute_error(estimate, truth).unwrap_or(f64::NAN)
}
