//! A checkpoint of another run is refused with what differs, and a damaged one by its name; the file stays as it is.

use skellam::SettingError;
use std::fs;
use std::path::Path;

use skellam::Error;
use skellam::counts::Array;
use skellam::prelude::*;
use skellam::private::file::SavedError;

use super::{Scratch, ascending, released, sampling, topics};

fn with(checkpoint: &Checkpoint, settings: Gibbs) -> Gibbs {
    Gibbs {
        checkpoint: Some(checkpoint.clone()),
        ..settings
    }
}

/// What differs, and what both were.
fn difference<T>(result: Result<T, Error>) -> [String; 3] {
    match result.map(|_| ()) {
        Err(Error::Saved(SavedError::OtherRun { what, saved, now, .. })) => [what, saved, now],
        other => panic!("{other:?}"),
    }
}

#[test]
fn another_run_is_refused_with_the_difference() {
    let scratch = Scratch::new("difference");
    let checkpoint = scratch.checkpoint();
    let model = topics(6, 5);
    model.gibbs(&with(&checkpoint, sampling())).unwrap();
    let before = fs::read(checkpoint.path()).unwrap();
    let run = |model: &Topics, settings: Gibbs| difference(model.gibbs(&with(&checkpoint, settings)));
    use super::Topics;
    assert_eq!(
        run(&model.clone().a(0.4), sampling()),
        ["hyperparameter `a`", "0.3", "0.4"]
    );
    assert_eq!(run(&model, Gibbs { seed: 8, ..sampling() }), ["the seed", "7", "8"]);
    assert_eq!(
        run(
            &model,
            Gibbs {
                thin: Some(1),
                ..sampling()
            }
        ),
        ["thin", "2", "1"]
    );
    assert_eq!(
        run(
            &model,
            Gibbs {
                num_tune: 9,
                ..sampling()
            }
        ),
        ["num_tune", "3", "9"]
    );
    let fewer = Gibbs {
        num_chains: Some(2),
        ..sampling()
    };
    assert_eq!(run(&model, fewer), ["num_chains", "3", "2"]);
    let augmented = Gibbs {
        form: GibbsForm::Augmented,
        ..sampling()
    };
    // The augmented form visits other cells.
    assert_eq!(run(&model, augmented)[0], "the data of `y`");
    let keep = Keep::default().latent("phi", Kept::Moments);
    assert_eq!(
        run(&model, Gibbs { keep, ..sampling() }),
        ["what is kept of `phi`", "Draws", "Moments"]
    );
    let keep = Keep::default().rates(KeepRates::Nothing);
    assert_eq!(run(&model, Gibbs { keep, ..sampling() })[0], "the kept rates of `y`");
    assert_eq!(
        run(&model.clone().topics(4), sampling()),
        ["the shape of `theta`", "[6, 3]", "[6, 4]"]
    );
    let frozen = Array::new(vec![3, 5], vec![0.5; 15]).unwrap();
    assert_eq!(
        run(&model.clone().freeze_phi(&frozen), sampling())[..2],
        ["the values at which `phi` is frozen", "not frozen"]
    );
    // One value of the data.
    let mut values = released(6, 5).values().unwrap().to_vec();
    values[17] += 1;
    let law = TwoSidedGeometric::new(0.4).unwrap();
    let other = Released::assert_mechanism(vec![6, 5], values, law.into()).unwrap();
    assert_eq!(
        run(&Topics::new(&other).unwrap().topics(3), sampling())[0],
        "the data of `y`"
    );
    // One parameter of their law.
    let law = TwoSidedGeometric::new(0.41).unwrap();
    let other = Released::assert_mechanism(vec![6, 5], released(6, 5).values().unwrap().to_vec(), law.into()).unwrap();
    assert_eq!(
        run(&Topics::new(&other).unwrap().topics(3), sampling())[0],
        "the data of `y`"
    );
    // What is held out.
    let mask = Mask::from_indices(&[6, 5], vec![vec![1, 1]]).unwrap();
    let other = released(6, 5).hold_out(&mask).unwrap();
    assert_eq!(
        run(&Topics::new(&other).unwrap().topics(3), sampling())[0],
        "the data of `y`"
    );
    assert_eq!(
        run(&Topics::naive(&released(6, 5)).unwrap().topics(3), sampling())[0],
        "the channel of `y`"
    );
    let variational = Cavi {
        checkpoint: Some(checkpoint.clone()),
        ..ascending()
    };
    assert_eq!(difference(model.cavi(&variational)), ["the engine", "Gibbs", "CAVI"]);
    assert_eq!(fs::read(checkpoint.path()).unwrap(), before);
}

#[test]
fn a_finished_run_goes_on_to_more_draws_and_not_to_fewer() {
    let scratch = Scratch::new("longer");
    let checkpoint = scratch.checkpoint();
    let model = topics(6, 5);
    let longer = Gibbs {
        num_draws: 9,
        ..sampling()
    };
    let never = model.gibbs(&longer).unwrap();
    model.gibbs(&with(&checkpoint, sampling())).unwrap();
    let gone_on = model.gibbs(&with(&checkpoint, longer)).unwrap();
    assert_eq!(gone_on.theta.as_slice().unwrap(), never.theta.as_slice().unwrap());
    assert_eq!(gone_on.ln_joint(), never.ln_joint());
    let error = model.gibbs(&with(&checkpoint, sampling())).unwrap_err();
    assert!(
        matches!(error, Error::Saved(SavedError::FewerDraws { asked: 4, drawn: 9, .. })),
        "{error}"
    );
    // Nobody asked for a number of chains: there are as many as before.
    let unasked = Gibbs {
        num_draws: 9,
        num_chains: None,
        ..sampling()
    };
    assert_eq!(model.gibbs(&with(&checkpoint, unasked)).unwrap().num_chains(), 3);
    // A variational run that reached its limit goes on to a higher one.
    let checkpoint = Some(Checkpoint::new(scratch.path("cavi.ckpt")));
    let cavi = |max_iters, checkpoint| {
        let settings = Cavi {
            max_iters,
            checkpoint,
            tol: 0.0,
            ..ascending()
        };
        let fit = model.cavi(&settings).unwrap();
        (fit.iterations, fit.elbo, fit.theta.mean().unwrap())
    };
    cavi(10, checkpoint.clone());
    assert_eq!(cavi(20, checkpoint), cavi(20, None));
}

#[test]
fn a_damaged_checkpoint_is_named_and_left_alone() {
    let scratch = Scratch::new("damaged");
    let checkpoint = scratch.checkpoint();
    let model = topics(6, 5);
    let settings = with(&checkpoint, sampling());
    model.gibbs(&settings).unwrap();
    let whole = fs::read(checkpoint.path()).unwrap();
    let refused = |bytes: &[u8]| {
        fs::write(checkpoint.path(), bytes).unwrap();
        let error = match model.gibbs(&settings) {
            Err(Error::Saved(error)) => error,
            other => panic!("{other:?}"),
        };
        assert_eq!(fs::read(checkpoint.path()).unwrap(), bytes);
        assert!(error.to_string().contains("run.ckpt"), "{error}");
        error
    };
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    assert!(matches!(refused(&flipped), SavedError::Damaged { .. }));
    assert!(matches!(refused(&whole[..whole.len() - 1]), SavedError::Cut { .. }));
    assert!(matches!(refused(b""), SavedError::Cut { .. }));
    let fit = model.gibbs(&sampling()).unwrap();
    fit.save(checkpoint.path()).unwrap();
    let fit = fs::read(checkpoint.path()).unwrap();
    assert!(matches!(refused(&fit), SavedError::Kind { .. }));
    fs::write(checkpoint.path(), &whole).unwrap();
    model.gibbs(&settings).unwrap();
}

#[test]
fn what_cannot_be_written_is_found_before_the_first_sweep() {
    let scratch = Scratch::new("unwritable");
    let model = topics(6, 5);
    let begun = Interrupt::default();
    let seen = begun.clone();
    let run = |path: &Path| {
        let settings = Gibbs {
            checkpoint: Some(Checkpoint::new(path)),
            callback: Some(Callback::new({
                let seen = seen.clone();
                move |_| seen.request()
            })),
            ..sampling()
        };
        model.gibbs(&settings).map(|_| ()).unwrap_err()
    };
    for path in [scratch.path("no/such/folder/run.ckpt"), scratch.path(".."), "/".into()] {
        let error = run(&path);
        assert!(
            matches!(error, Error::Saved(SavedError::Write { .. })),
            "{}: {error}",
            path.display()
        );
    }
    fs::create_dir(scratch.path("folder")).unwrap();
    let error = run(&scratch.path("folder"));
    assert!(matches!(error, Error::Saved(SavedError::Read { .. })), "{error}");
    assert!(!begun.is_requested());
    let error = model
        .gibbs(&with(&Checkpoint::new(scratch.path("x")).every_sweeps(0), sampling()))
        .unwrap_err();
    assert!(matches!(error, Error::Setting(SettingError::Zero { .. })), "{error}");
}
