//! Draws that are written to a store as they are made: those of a run in memory, whatever happens on the way.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use skellam::infer::Ended;
use skellam::prelude::*;
use skellam::private::file::SavedError;
use skellam::{Error, QueryError};

use super::{Scratch, sampling, topics};

/// More draws than a chunk has.
fn streamed(folder: &Path) -> Gibbs {
    Gibbs {
        num_draws: 300,
        thin: Some(1),
        draws_in: Some(folder.to_owned()),
        ..sampling()
    }
}

/// All files of a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn a_fit_with_a_store_is_the_fit_in_memory() {
    let scratch = Scratch::new("streamed");
    let (model, settings) = (topics(6, 5), streamed(&scratch.path("fit.zarr")));
    let stored = model.gibbs(&settings).unwrap();
    let held = model
        .gibbs(&Gibbs {
            draws_in: None,
            ..settings.clone()
        })
        .unwrap();
    assert_eq!(stored.theta.to_vec().unwrap(), held.theta.as_slice().unwrap());
    let error = stored.theta.as_slice().unwrap_err();
    assert!(
        matches!(&error, Error::Query(QueryError::NotKept { .. })) && error.to_string().contains("to_vec"),
        "{error}"
    );
    assert_eq!(
        (stored.ln_joint(), stored.theta.draw(2, 299)),
        (held.ln_joint(), held.theta.draw(2, 299))
    );
    assert_eq!(stored.theta.draw(2, 300), None);
    assert_eq!(stored.phi.last(1), held.phi.last(1));
    assert_eq!(
        stored.theta.most_probable().unwrap(),
        held.theta.most_probable().unwrap()
    );
    assert_eq!(stored.summary().to_string(), held.summary().to_string());
    assert_eq!(stored.rate_at(&[[3, 2]]).unwrap(), held.rate_at(&[[3, 2]]).unwrap());
    let [stored_chain, held_chain] = [&stored, &held].map(|fit| fit.phi.of_chain(1).unwrap());
    assert_eq!(stored_chain.mean().unwrap(), held_chain.mean().unwrap());
    assert_eq!(stored_chain.sd().unwrap(), held_chain.sd().unwrap());
    assert_eq!(stored_chain.quantile(0.3).unwrap(), held_chain.quantile(0.3).unwrap());
    let checks = |fit| format!("{:?}", model.predictive_check(fit, &Predictive::default()).unwrap());
    assert_eq!(checks(&stored), checks(&held));
    let [a, b] = [&stored, &held].map(|fit| fit.aligned("topics").unwrap());
    assert_eq!(a.theta.quantile(0.5).unwrap(), b.theta.quantile(0.5).unwrap());
    for fit in [&stored, &held] {
        fit.save(scratch.path("fit.npz")).unwrap();
        fs::rename(
            scratch.path("fit.npz"),
            scratch.path(&format!("{}.npz", fit.theta.as_slice().is_ok())),
        )
        .unwrap();
    }
    assert!(fs::read(scratch.path("true.npz")).unwrap() == fs::read(scratch.path("false.npz")).unwrap());
    // Without the store what was drawn is gone, and said to be.
    fs::remove_dir_all(scratch.path("fit.zarr")).unwrap();
    assert!(matches!(
        stored_chain.mean(),
        Err(Error::Saved(SavedError::Read { .. }))
    ));
    assert!(stored.theta.draw(0, 0).is_none() && stored.summary().rows().iter().any(|row| row.mean.is_nan()));
}

/// At times the checkpoint of before is put back, so that the store has draws which the checkpoint does not know of.
#[test]
fn a_store_that_was_gone_on_with_is_that_of_one_run() {
    let scratch = Scratch::new("streamed-on");
    let (once, parts, checkpoint) = (
        scratch.path("once.zarr"),
        scratch.path("parts.zarr"),
        scratch.checkpoint(),
    );
    let (model, before) = (topics(6, 5), scratch.path("before.ckpt"));
    model.gibbs(&streamed(&once)).unwrap();
    let run = |draws: usize, num_draws: usize| {
        let settings = Gibbs {
            num_draws,
            checkpoint: Some(Checkpoint::new(checkpoint.path()).every_sweeps(40)),
            ..streamed(&parts)
        };
        let (interrupt, seen) = (settings.interrupt.clone(), AtomicUsize::new(0));
        let stop = move |_: &skellam::infer::Partial<'_>| {
            if seen.fetch_add(1, Ordering::Relaxed) == draws {
                interrupt.request();
            }
        };
        let settings = Gibbs {
            callback: Some(Callback::new(stop)),
            ..settings
        };
        model.gibbs(&settings).map(|fit| fit.ended())
    };
    assert_eq!(run(300, 400).unwrap(), Ended::Interrupted);
    fs::copy(checkpoint.path(), &before).unwrap();
    assert_eq!(run(500, 400).unwrap(), Ended::Interrupted);
    fs::copy(&before, checkpoint.path()).unwrap();
    assert_eq!(run(200, 300).unwrap(), Ended::Interrupted);
    assert_eq!(run(usize::MAX, 300).unwrap(), Ended::Completed);
    let (once, found) = (files(&once), files(&parts));
    assert_eq!(once.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
    once.iter()
        .for_each(|(name, bytes)| assert!(*bytes == found[name], "{}", name.display()));
    // A checkpoint holds no draw: it is smaller than the draws of the smallest latent.
    let size = fs::metadata(checkpoint.path()).unwrap().len();
    assert!(size < 3 * 300 * 15 * 8, "{size}");
}

#[test]
fn another_store_is_refused() {
    let scratch = Scratch::new("streamed-other");
    let (folder, checkpoint) = (scratch.path("fit.zarr"), scratch.checkpoint());
    let model = topics(6, 5);
    let refused = |settings: &Gibbs| match model.gibbs(settings).map(drop) {
        Err(Error::Saved(error)) => error,
        other => panic!("{other:?}"),
    };
    let settings = Gibbs {
        checkpoint: Some(checkpoint.clone()),
        num_draws: 5,
        ..streamed(&folder)
    };
    model.gibbs(&settings).unwrap();
    let error = refused(&Gibbs {
        checkpoint: None,
        ..settings.clone()
    });
    assert!(
        matches!(&error, SavedError::Exists { path } if *path == folder),
        "{error}"
    );
    let other = Gibbs {
        draws_in: Some(scratch.path("other.zarr")),
        ..settings.clone()
    };
    let error = refused(&other);
    assert!(
        matches!(&error, SavedError::OtherRun { what, .. } if what == "draws_in"),
        "{error}"
    );
    assert!(matches!(
        refused(&Gibbs {
            draws_in: None,
            ..settings.clone()
        }),
        SavedError::OtherRun { .. }
    ));
    let fewer = Gibbs {
        num_draws: 4,
        ..settings.clone()
    };
    assert!(matches!(
        refused(&fewer),
        SavedError::FewerDraws { asked: 4, drawn: 5, .. }
    ));
    // Draws of another run, and none.
    fs::rename(&folder, scratch.path("kept")).unwrap();
    model
        .gibbs(&Gibbs {
            seed: 8,
            checkpoint: None,
            ..settings.clone()
        })
        .unwrap();
    for _ in 0..2 {
        let error = refused(&settings);
        assert!(
            matches!(&error, SavedError::NotItsDraws { path, .. } if *path == folder),
            "{error}"
        );
        let _ = fs::remove_dir_all(&folder);
    }
    fs::rename(scratch.path("kept"), &folder).unwrap();
    fs::remove_file(folder.join("posterior/phi/1.0.0.0")).unwrap();
    assert!(refused(&settings).to_string().contains("1.0.0.0"));
    let nowhere = Gibbs {
        draws_in: Some(checkpoint.path().join("fit.zarr")),
        checkpoint: None,
        ..settings
    };
    assert!(matches!(refused(&nowhere), SavedError::Write { .. }));
}
