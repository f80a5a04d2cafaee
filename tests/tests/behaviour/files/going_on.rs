//! A run that was stopped and gone on with leaves behind what one that was never stopped does, bit by bit.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use skellam::Error;
use skellam::infer::{CaviRun, Ended, GibbsRun, LatentDraws, cavi, gibbs};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;
use skellam_tests::everything::everything;

use super::{Scratch, ascending, sampling};

fn drawn(run: GibbsRun) -> Vec<u64> {
    assert_eq!(run.ended, Ended::Completed);
    // `Debug` prints every digit that tells two doubles apart.
    let moments: Vec<u64> = format!("{:?}{:?}", run.latents[0].1, run.best)
        .bytes()
        .map(u64::from)
        .collect();
    let latents = run.latents.into_iter().flat_map(|(_, kept)| match kept {
        LatentDraws::Draws(all) => all.to_vec().unwrap().into_owned(),
        _ => Vec::new(),
    });
    let rates = run.rates.iter().flat_map(|rates| rates.to_vec().unwrap());
    let monitored = run
        .monitored
        .into_iter()
        .flat_map(|monitored| monitored.rates.to_vec().unwrap().into_owned());
    let scores = run.held_out.into_iter().flat_map(|found| found.ln_probability);
    let numbers = latents.chain(rates).chain(monitored).chain(scores).chain(run.ln_joint);
    let means = run.mean_rates.into_iter().flatten();
    let bits = numbers.chain(means).map(f64::to_bits);
    bits.chain([run.sweeps as u64]).chain(moments).collect()
}

fn ascended(run: CaviRun) -> Vec<u64> {
    let parameters = run.shape.into_iter().chain(run.rate).flatten();
    let rates = run.rates.iter().flat_map(|rates| rates.to_vec().unwrap());
    let bounds = run.restarts.into_iter().chain([run.elbo]).flatten();
    let trace = run.trace.into_iter().flat_map(|(at, bound)| [at as f64, bound]);
    let bits = parameters.chain(rates).chain(bounds).chain(trace).map(f64::to_bits);
    bits.chain([run.iterations as u64]).collect()
}

/// Runs with a checkpoint, stopped again and again by asking for an end. At even times the checkpoint of the moment is put
/// back afterwards, so that the end itself leaves nothing, as after a kill. Every time other threads go on.
fn stopped<T>(
    path: &Path,
    mut run: impl FnMut(usize, &(dyn Fn() -> bool + Sync)) -> Result<(T, Ended), Error>,
) -> (T, usize) {
    let before = path.with_extension("before");
    for time in 0.. {
        let left = Mutex::new(9_usize + 2 * time);
        let stop = || {
            let mut left = left.lock().unwrap();
            *left = left.saturating_sub(1);
            if *left == 1 {
                fs::copy(path, &before).unwrap();
            }
            *left == 0
        };
        match run(1 + time % 3, &stop) {
            Ok((result, Ended::Completed | Ended::Converged | Ended::MaxIters)) => return (result, time),
            Ok((_, Ended::Interrupted)) => {}
            Ok((_, ended)) => panic!("{ended}"),
            Err(error) => panic!("{error}"),
        }
        if time % 2 == 0 {
            fs::rename(&before, path).unwrap();
        }
    }
    unreachable!("a run ends")
}

fn goes_on(model: &dyn Model, name: &str, form: CaviForm) {
    let scratch = Scratch::new(name);
    let keep = Keep::default().latent(model.latents()[0].name, Kept::Moments);
    draws_go_on(model, &scratch, name, &Gibbs { keep, ..sampling() });

    let settings = Cavi { form, ..ascending() };
    let never = ascended(cavi(model, &settings, |_, _| {}).unwrap());
    let (run, times) = stopped(scratch.checkpoint().path(), |threads, stop| {
        let settings = Cavi {
            checkpoint: Some(scratch.checkpoint()),
            num_threads: Some(threads),
            interrupt: Default::default(),
            ..settings.clone()
        };
        let interrupt = settings.interrupt.clone();
        let run = cavi(model, &settings, |_, _| {
            if stop() {
                interrupt.request();
            }
        })?;
        let ended = if interrupt.is_requested() {
            Ended::Interrupted
        } else {
            run.ended
        };
        Ok((run, ended))
    });
    assert!(times > 1, "{name}: stopped {times} times");
    assert!(ascended(run) == never, "{name}: posteriors");
}

fn draws_go_on(model: &dyn Model, scratch: &Scratch, name: &str, settings: &Gibbs) {
    let never = drawn(gibbs(model, settings, |_, _| {}).unwrap());
    let (run, times) = stopped(scratch.checkpoint().path(), |threads, stop| {
        let settings = Gibbs {
            checkpoint: Some(scratch.checkpoint()),
            num_threads: Some(threads),
            interrupt: Default::default(),
            ..settings.clone()
        };
        let interrupt = settings.interrupt.clone();
        let run = gibbs(model, &settings, |_, _| {
            if stop() {
                interrupt.request();
            }
        })?;
        let ended = run.ended;
        Ok((run, ended))
    });
    assert!(times > 1, "{name}: stopped {times} times");
    assert!(drawn(run) == never, "{name}: draws");
    fs::remove_file(scratch.checkpoint().path()).unwrap();
}

#[test]
fn stopped_runs_go_on() {
    let mask = Mask::random(&[70, 30], 0.02, 2).unwrap();
    let data = super::released(70, 30).hold_out(&mask).unwrap();
    let model = super::Topics::new(&data).unwrap().topics(5);
    for form in [CaviForm::Collapsed, CaviForm::Augmented] {
        let model = model.bind(FormKind::from(form)).unwrap();
        goes_on(&model, &format!("going-on-{form:?}"), form);
    }
}

/// Slices taken in sequence recompute a part of the rates at a time; what a continued run computes at once has the same bits.
#[test]
fn runs_with_every_kind_of_update_go_on() {
    goes_on(&everything(70, 12), "everything", CaviForm::Collapsed);
}

skellam::model! {
    /// Topics that can be integrated out, each with a rate of its own.
    model Tokens {
        index docs, words, topics;
        latent level[k in topics] ~ Gamma(shape = 2.0, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = level[k]);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.3, along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Tokens alone, which stay where they are from sweep to sweep, on few topics and on so many that weights are in two parts; tokens beside another latent; and
/// tokens of counts that are drawn.
#[test]
fn tokens_go_on() {
    let counts = Counts::dense(vec![30, 8], (0..240).map(|cell| cell * 7 % 5).collect()).unwrap();
    let settings = Gibbs {
        form: GibbsForm::Tokens,
        ..sampling()
    };
    let keep = || Keep::default().latent("phi", Kept::Moments);
    let exact = Tokens::exact(&counts).unwrap().topics(3);
    let alone = exact.clone().freeze_level(vec![1.0, 2.0, 0.5]);
    let many = Tokens::exact(&counts).unwrap().topics(300);
    let many = many.freeze_level(vec![1.0; 300]).bind(FormKind::Collapsed).unwrap();
    let released = Tokens::new(&super::released(30, 8)).unwrap().topics(3);
    let exact = exact.bind(FormKind::Collapsed).unwrap();
    let alone = alone.bind(FormKind::Collapsed).unwrap();
    let released = released.bind(FormKind::Collapsed).unwrap();
    let models: [(&str, &dyn Model); 4] = [
        ("alone", &alone),
        ("many", &many),
        ("beside", &exact),
        ("released", &released),
    ];
    for (name, model) in models {
        let settings = Gibbs {
            keep: keep(),
            ..settings.clone()
        };
        draws_go_on(model, &Scratch::new(&format!("tokens-{name}")), name, &settings);
    }
}

/// Sweeps alone forget where they began in some 200 sweeps here, so that 40 of them end on the way.
#[test]
fn a_chain_that_is_tuned_again_goes_on() {
    let law = TwoSidedGeometric::new(0.99).unwrap();
    let values = (0..120).map(|cell| 900 + cell * 31 % 100).collect();
    let data = Released::assert_mechanism(vec![12, 10], values, law.into()).unwrap();
    let model = super::Topics::new(&data)
        .unwrap()
        .topics(2)
        .bind(FormKind::Collapsed)
        .unwrap();
    let settings = Gibbs {
        num_tune: 40,
        max_retunes: 2,
        moves: Moves::Nothing,
        ..sampling()
    };
    let run = gibbs(&model, &settings, |_, _| {}).unwrap();
    let tuned: Vec<usize> = run.tuned.iter().map(|tuned| tuned.sweeps).collect();
    println!("{tuned:?}");
    assert!(tuned.iter().any(|sweeps| *sweeps > 40), "{tuned:?}");
    let sweeps: usize = tuned
        .iter()
        .map(|sweeps| sweeps + settings.num_draws * settings.thin_of(&model))
        .sum();
    assert_eq!(run.sweeps, sweeps);
    draws_go_on(&model, &Scratch::new("tuned-again"), "tuned again", &settings);
    let moving = Gibbs {
        moves: Moves::Trajectories { every: 1, steps: 3 },
        ..settings.clone()
    };
    draws_go_on(&model, &Scratch::new("moved-again"), "moved again", &moving);
    // Six scalings take turns and adapt 26 widths.
    let scaled = Gibbs {
        moves: Moves::Levels { every: 1 },
        ..settings
    };
    draws_go_on(&model, &Scratch::new("scaled-again"), "scaled again", &scaled);
}
