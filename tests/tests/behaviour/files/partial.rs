//! Partial results while a run lasts, and what they can be used for.

use std::sync::{Arc, Mutex};

use skellam::Error;
use skellam::diagnose::Doubt;
use skellam::infer::Ended;
use skellam::prelude::*;
use skellam::private::file::SavedError;

use super::{Scratch, ascending, sampling, topics};

/// Something that a callback fills.
fn slot<T: Default>() -> (Arc<Mutex<T>>, Arc<Mutex<T>>) {
    let slot = Arc::new(Mutex::new(T::default()));
    (slot.clone(), slot)
}

#[test]
fn the_last_partial_result_of_a_chain_is_its_result() {
    let (seen, into) = slot::<Vec<(Vec<f64>, Vec<f64>, usize)>>();
    let callback = Callback::new(move |partial| {
        if partial.chain == 1 {
            let mean = partial.mean("theta").unwrap();
            assert!(partial.mean("tehta").is_none());
            into.lock()
                .unwrap()
                .push((partial.ln_joint.to_vec(), mean, partial.sweep));
        }
    });
    let settings = Gibbs {
        callback: Some(callback),
        ..sampling()
    };
    let fit = topics(6, 5).gibbs(&settings).unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen.iter().map(|(.., sweep)| *sweep).collect::<Vec<_>>(), [5, 7, 9, 11]);
    let (ln_joint, mean, _) = seen.last().unwrap();
    assert_eq!(*ln_joint, fit.ln_joint()[4..8]);
    for (mean, expected) in mean.iter().zip(fit.theta.mean_of_chain(1).unwrap()) {
        assert!((mean / expected - 1.0).abs() < 1e-12);
    }
}

#[test]
fn bounds_are_handed_out_as_they_are_found() {
    let (seen, into) = slot::<Vec<(usize, Vec<f64>)>>();
    let settings = Cavi {
        num_restarts: 1,
        tol: 0.0,
        callback: Some(Callback::new(move |partial| {
            assert_eq!(partial.mean("phi").unwrap().len(), 15);
            into.lock().unwrap().push((partial.sweep, partial.ln_joint.to_vec()));
        })),
        ..ascending()
    };
    let fit = topics(6, 5).cavi(&settings).unwrap();
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), fit.trace.len());
    let (at, bounds) = seen.last().unwrap();
    assert_eq!((*at, bounds.len()), (fit.trace.last().unwrap().0, fit.trace.len()));
    assert_eq!(bounds.last(), fit.trace.last().map(|(_, bound)| bound));
}

#[test]
fn a_callback_can_end_the_run() {
    let settings = |interrupt: Interrupt| {
        let asked = interrupt.clone();
        let callback = Callback::new(move |partial| {
            if partial.chain == 0 && partial.sweep == 7 {
                asked.request();
            }
        });
        Gibbs {
            num_chains: Some(1),
            callback: Some(callback),
            interrupt,
            ..sampling()
        }
    };
    let fit = topics(6, 5).gibbs(&settings(Interrupt::default())).unwrap();
    assert_eq!((fit.ended(), fit.num_draws(), fit.sweeps()), (Ended::Interrupted, 2, 7));
}

/// What exists before the first draw is the place where tuning was.
#[test]
fn a_run_that_is_ended_while_it_is_tuned_returns_where_it_was() {
    let asked = Interrupt::default();
    asked.request();
    let settings = Gibbs {
        num_tune: 1000,
        interrupt: asked,
        ..sampling()
    };
    let fit = topics(6, 5).gibbs(&settings).unwrap();
    assert_eq!(
        (fit.ended(), fit.num_chains(), fit.num_draws()),
        (Ended::Interrupted, 3, 1)
    );
    assert!(fit.theta.draw(2, 0).unwrap().iter().all(|x| *x > 0.0) && fit.ln_joint()[2].is_finite());
    let doubt = &fit.doubts()[0];
    assert!(matches!(doubt, Doubt::InTuning { chains: 3, of: 3, .. }));
    assert!(doubt.to_string().contains("not a draw of the posterior"), "{doubt}");
}

/// Chains that share a thread take turns of 20 sweeps: the first has drawn, and asks for the end, before the second begins.
#[test]
fn a_chain_without_draws_is_left_out_where_another_has_some() {
    let interrupt = Interrupt::default();
    let asked = interrupt.clone();
    let settings = Gibbs {
        num_tune: 3,
        num_chains: Some(2),
        num_threads: Some(1),
        callback: Some(Callback::new(move |partial| {
            if partial.sweep == 7 {
                asked.request();
            }
        })),
        interrupt,
        ..sampling()
    };
    let fit = topics(6, 5).gibbs(&settings).unwrap();
    assert_eq!((fit.num_chains(), fit.num_draws(), fit.tuned().len()), (1, 2, 1));
    assert_eq!(
        (fit.theta.as_slice().unwrap().len(), fit.ln_joint().len()),
        (2 * 6 * 3, 2)
    );
    let rates = fit.rates("y").unwrap();
    assert_eq!(rates.of_chain(0).unwrap().all(), rates.all());
    let doubt = fit.doubts()[0].to_string();
    assert!(
        doubt.contains("1 of 2 chains had no draws yet") && doubt.contains("left out"),
        "{doubt}"
    );
}

/// Chains of the starts end with the run; a checkpoint does not hold what they had, so that a continued run has the starts of one
/// that was never stopped.
#[test]
fn a_start_that_is_sampled_ends_when_it_is_asked_to() {
    let scratch = Scratch::new("sampled");
    let settings = |interrupt: &Interrupt, checkpoint: Option<&str>| Cavi {
        num_restarts: 1,
        start: CaviStart::Sampled { sweeps: 60 },
        interrupt: interrupt.clone(),
        checkpoint: checkpoint.map(|name| Checkpoint::new(scratch.path(name))),
        ..ascending()
    };
    let (never, stopped) = (Interrupt::default(), Interrupt::default());
    stopped.request();
    let model = topics(6, 5);
    let long = Cavi {
        start: CaviStart::Sampled { sweeps: 100_000_000 },
        ..settings(&stopped, None)
    };
    let cut = model.cavi(&long).unwrap();
    assert_eq!((cut.ended(), cut.iterations), (Ended::Interrupted, 1));
    assert!(matches!(cut.doubts()[0], Doubt::Unfinished { .. }));
    let whole = model.cavi(&settings(&never, None)).unwrap();
    let cut = model.cavi(&settings(&stopped, Some("run.ckpt"))).unwrap();
    assert_ne!(cut.theta.shape(), whole.theta.shape());
    let continued = model.cavi(&settings(&never, Some("run.ckpt"))).unwrap();
    assert_eq!(
        (continued.theta.shape(), continued.elbo),
        (whole.theta.shape(), whole.elbo)
    );
}

/// The checkpoint of a run is its own as long as it lasts.
#[test]
fn two_runs_do_not_write_one_checkpoint() {
    let scratch = Scratch::new("in-use");
    let checkpoint = scratch.checkpoint();
    let (seen, into) = slot::<Option<Error>>();
    let rival = Gibbs {
        checkpoint: Some(checkpoint.clone()),
        ..sampling()
    };
    let callback = {
        let rival = rival.clone();
        Callback::new(move |_| *into.lock().unwrap() = topics(6, 5).gibbs(&rival).err())
    };
    let settings = Gibbs {
        checkpoint: Some(checkpoint),
        callback: Some(callback),
        ..sampling()
    };
    let fit = topics(6, 5).gibbs(&settings).unwrap();
    let error = seen.lock().unwrap().take();
    assert!(
        matches!(error, Some(Error::Saved(SavedError::InUse { .. }))),
        "{error:?}"
    );
    // When it has ended the other may go on from it.
    assert_eq!(topics(6, 5).gibbs(&rival).unwrap().ln_joint(), fit.ln_joint());
}
