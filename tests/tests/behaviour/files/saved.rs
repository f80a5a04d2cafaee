//! A fit that was saved says what the fit says, without the model.

use skellam::QueryError;
use std::fs;

use ndarray::Array2;
use skellam::Error;
use skellam::diagnose::Doubt;
use skellam::infer::{Draws, Saved};
use skellam::prelude::*;
use skellam::private::file::SavedError;

use super::{Scratch, Topics, ascending, released, sampling, topics};

#[test]
fn a_gibbs_fit_comes_back() {
    let scratch = Scratch::new("gibbs");
    let path = scratch.path("fit.npz");
    let fit = topics(6, 5).gibbs(&sampling()).unwrap();
    fit.save(&path).unwrap();
    let saved = Saved::load(&path).unwrap();
    assert_eq!((saved.model(), saved.engine(), saved.seed()), ("Topics", "Gibbs", 7));
    assert_eq!(
        (saved.version(), saved.ended()),
        (env!("CARGO_PKG_VERSION"), "completed")
    );
    assert_eq!((saved.latents(), saved.counts()), (vec!["theta", "phi"], vec!["y"]));
    assert_eq!(saved.setting("thin").as_deref(), Some("2"));
    assert_eq!(saved.setting("a").as_deref(), Some("0.3"));
    let theta = saved.draws("theta").unwrap();
    assert_eq!(theta.shape(), [3, 4, 6, 3]);
    assert_eq!(theta.as_slice(), fit.theta.as_slice().unwrap());
    // Each chain has its topics in an order of its own.
    assert!(matches!(
        saved.mean("phi"),
        Err(Error::Query(QueryError::NotAligned { chains: 3, .. }))
    ));
    means_of_chains(&saved, "phi", &fit.phi);
    assert_eq!(saved.ln_joint().unwrap(), fit.ln_joint());
    let rates = saved.rates("y").unwrap();
    assert_eq!(rates.to_matrix().unwrap(), fit.rate().unwrap());
    assert_eq!(saved.labels("words").unwrap()[4], "wort-ä4");
    assert!(saved.promise("y").unwrap().contains("nothing is promised"));
    // Of the same numbers the same table; NaN is equal to itself there.
    let [saved_rows, rows] = [saved.summary().unwrap(), fit.summary()].map(|summary| format!("{:?}", summary.rows()));
    assert_eq!(saved_rows, rows);
    let (_, ess) = saved.array("summary/ess_bulk").unwrap();
    assert_eq!(ess.len(), fit.summary().rows().len());
}

/// The means of each chain are those of the fit.
fn means_of_chains(saved: &Saved, latent: &str, of: &Draws<Array2<f64>>) {
    for chain in 0..3 {
        let mean = saved.mean_of_chain(latent, chain).unwrap().to_matrix().unwrap();
        let expected = of.mean_of_chain(chain).unwrap();
        assert!((mean - expected).iter().all(|x| x.abs() < 1e-12), "chain {chain}");
    }
    let error = saved.mean_of_chain(latent, 3).unwrap_err();
    assert!(
        matches!(error, Error::Query(QueryError::NoSuchChain { given: 3, chains: 3 })),
        "{error}"
    );
}

#[test]
fn a_fit_that_is_aligned_is_saved_with_its_means() {
    let scratch = Scratch::new("aligned");
    let path = scratch.path("fit.npz");
    let fit = topics(6, 5).gibbs(&sampling()).unwrap().aligned("topics").unwrap();
    fit.save(&path).unwrap();
    let saved = Saved::load(&path).unwrap();
    let mean = saved.mean("theta").unwrap().to_matrix().unwrap();
    // Rows of components, in the fit and in its file.
    let summary = fit.summary();
    assert!(summary.get("theta[5, 2]").is_some() && summary.get("phi[0, 4]").is_some());
    assert_eq!(saved.summary().unwrap().to_string(), summary.to_string());
    let quantities = saved.labels("quantity").unwrap();
    assert!(quantities.iter().any(|name| name == "theta[5, 2]"), "{quantities:?}");
    assert!((mean - fit.theta.mean().unwrap()).iter().all(|x| x.abs() < 1e-12));
}

/// Of rates of which nothing was kept those of some cells follow from the draws of the latents, whatever their order.
#[test]
fn rates_that_were_not_kept_follow_from_draws() {
    let fit = topics(6, 5).gibbs(&sampling()).unwrap();
    let nothing = Gibbs {
        keep: Keep::default().rates(KeepRates::Nothing),
        ..sampling()
    };
    let drawn = topics(6, 5).gibbs(&nothing).unwrap();
    assert!(drawn.rate().is_err() && drawn.rate_blocks().next().is_none());
    let cells = [[0, 0], [5, 4], [2, 3]];
    let close = |found: Vec<f64>, expected: Vec<f64>| {
        let pairs = found.iter().zip(&expected);
        assert!(
            pairs.clone().count() == 3 && pairs.into_iter().all(|(a, b)| (a / b - 1.0).abs() < 1e-12),
            "{found:?} {expected:?}"
        );
    };
    close(drawn.rate_at(&cells).unwrap(), fit.rate_at(&cells).unwrap());
    let aligned = drawn.aligned("topics").unwrap();
    close(aligned.rate_at(&cells).unwrap(), fit.rate_at(&cells).unwrap());
    let of_chain = |fit: &skellam::infer::GibbsFit| fit.rates("y").unwrap().of_chain(1).unwrap().at(&cells).unwrap();
    close(of_chain(&drawn), of_chain(&fit));
    assert!(matches!(
        drawn.rate_at(&[[6, 0]]),
        Err(Error::Query(QueryError::NoSuchCell { .. }))
    ));
    let moments = Gibbs {
        keep: Keep::default().rates(KeepRates::Nothing).latent("phi", Kept::Moments),
        ..sampling()
    };
    let error = topics(6, 5).gibbs(&moments).unwrap().rate_at(&cells).unwrap_err();
    assert!(
        matches!(&error, Error::Query(QueryError::NotKept { instead, .. }) if instead.contains("Kept::Draws")),
        "{error}"
    );
}

/// Four draws are too few, and a fit says so in its file too.
#[test]
fn doubts_are_saved() {
    let scratch = Scratch::new("doubts");
    let path = scratch.path("fit.npz");
    let said = |doubts: Vec<Doubt>| doubts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let fit = topics(6, 5).gibbs(&sampling()).unwrap();
    fit.save(&path).unwrap();
    let saved = Saved::load(&path).unwrap();
    assert_eq!(saved.warnings(), said(fit.doubts()));
    assert_eq!(saved.warnings().len(), 1, "{:?}", saved.warnings());
    assert_eq!(saved.switching("topics"), None);
    let aligned = fit.aligned("topics").unwrap();
    aligned.save(&path).unwrap();
    let saved = Saved::load(&path).unwrap();
    let sentence = aligned.switching("topics").unwrap().to_string();
    assert_eq!(saved.switching("topics"), Some(&sentence[..]));
    assert_eq!(saved.switching("words"), None);
    // Components of short chains change places within them, which is said of the aligned fit, in its file as well.
    assert!(aligned.switching("topics").unwrap().within_chains() > 0, "{sentence}");
    let is_switched = |doubt: &Doubt| matches!(doubt, Doubt::Switched { components, .. } if components == "topics");
    assert!(!fit.doubts().iter().any(is_switched) && aligned.doubts().iter().any(is_switched));
    assert_eq!(saved.warnings(), said(aligned.doubts()));
    assert!(
        saved.warnings().iter().any(|said| said.contains(&sentence)),
        "{sentence}"
    );
    // Of means alone nobody knows.
    let moments = Keep::default().latent("theta", Kept::Moments);
    let moments = Gibbs {
        keep: moments,
        ..sampling()
    };
    let doubts = topics(6, 5)
        .gibbs(&moments)
        .unwrap()
        .aligned("topics")
        .unwrap()
        .doubts();
    assert!(
        doubts.contains(&Doubt::SwitchingUnseen {
            components: "topics".to_owned()
        }),
        "{doubts:?}"
    );

    // No gain is below a tolerance of zero.
    let unfinished = Cavi {
        tol: 0.0,
        ..ascending()
    };
    let fit = topics(6, 5).cavi(&unfinished).unwrap();
    fit.save(&path).unwrap();
    let saved = Saved::load(&path).unwrap();
    assert_eq!(saved.warnings(), said(fit.doubts()));
    assert!(!saved.warnings().is_empty());
    assert_eq!(saved.switching("topics"), None);
    // A fit of which there is nothing to say: its tolerance is met, and one start has none beside it.
    let settings = Cavi {
        num_restarts: 1,
        max_iters: 5000,
        tol: 1e-3,
        ..ascending()
    };
    let fit = topics(6, 5).cavi(&settings).unwrap();
    fit.save(&path).unwrap();
    let saved = Saved::load(&path).unwrap();
    assert_eq!(
        (saved.warnings().len(), fit.doubts().len()),
        (0, 0),
        "{:?}",
        saved.warnings()
    );
}

#[test]
fn what_was_kept_is_what_is_saved() {
    let scratch = Scratch::new("kept");
    let path = scratch.path("fit.npz");
    let mask = Mask::from_indices(&[6, 5], vec![vec![1, 1], vec![2, 0]]).unwrap();
    let keep = Keep::default().latent("theta", Kept::Moments).latent("phi", Kept::Last);
    let settings = Gibbs {
        keep: keep.rates(KeepRates::HeldOut),
        ..sampling()
    };
    let model = Topics::new(&released(6, 5).hold_out(&mask).unwrap()).unwrap().topics(3);
    let fit = model.gibbs(&settings).unwrap();
    fit.save(&path).unwrap();
    let saved = Saved::load(&path).unwrap();
    means_of_chains(&saved, "theta", &fit.theta);
    let missing = |error: Error| match error {
        Error::Saved(SavedError::Missing { wanted, .. }) => wanted,
        other => panic!("{other}"),
    };
    assert!(missing(saved.mean("phi").unwrap_err()).contains("`phi`"));
    assert!(missing(saved.draws("theta").unwrap_err()).contains("posterior/theta"));
    assert!(missing(saved.rates("y").unwrap_err()).contains("every cell of `y`"));
    assert!(missing(saved.rates("x").unwrap_err()).contains("count `x`"));
    let (shape, kept) = saved.array("rates/y").unwrap();
    assert_eq!(shape, [2]);
    assert_eq!(kept, fit.rate_at(&[[1, 1], [2, 0]]).unwrap());
    let (shape, cells) = saved.integers("cells/y.kept").unwrap();
    assert_eq!((shape, cells), (&[2, 2][..], &[1, 1, 2, 0][..]));
    assert!(missing(saved.integers("rates/y").unwrap_err()).contains("whole numbers `rates/y`"));
    let (_, scores) = saved.array("held_out/y.ln_probability").unwrap();
    let mean = scores.iter().sum::<f64>() / 2.0;
    assert_eq!(Some(mean), fit.held_out_score("y").unwrap());
    let (shape, last) = saved.array("last/phi").unwrap();
    assert_eq!(shape, [3, 3, 5]);
    assert_eq!(last[..15], *fit.phi.last(0).unwrap().as_slice().unwrap());
    // The most probable draw, of which a run that keeps draws has the same.
    let all = Gibbs {
        keep: Keep::default(),
        ..sampling()
    };
    let all = model.gibbs(&all).unwrap();
    let (chain, draw) = all.most_probable();
    let (theta, phi) = (all.theta.draw(chain, draw).unwrap(), all.phi.draw(chain, draw).unwrap());
    assert_eq!(
        (fit.theta.most_probable().unwrap(), fit.phi.most_probable().unwrap()),
        (theta, phi.clone())
    );
    assert_eq!(all.phi.most_probable().unwrap(), phi);
    assert_eq!(saved.most_probable("phi").unwrap().to_matrix().unwrap(), phi);
    all.save(&path).unwrap();
    let saved = Saved::load(&path).unwrap();
    assert_eq!(saved.most_probable("phi").unwrap().to_matrix().unwrap(), phi);
}

#[test]
fn a_variational_fit_comes_back() {
    let scratch = Scratch::new("cavi");
    let path = scratch.path("fit.npz");
    let fit = topics(6, 5).cavi(&ascending()).unwrap();
    fit.save(&path).unwrap();
    let saved = Saved::load(&path).unwrap();
    assert_eq!((saved.engine(), saved.ended()), ("CAVI", &*fit.ended().to_string()));
    assert_eq!(
        saved.mean("theta").unwrap().to_matrix().unwrap(),
        fit.theta.mean().unwrap()
    );
    let (_, shape) = saved.array("variational/phi.shape").unwrap();
    assert_eq!(Some(shape), fit.phi.shape().as_slice());
    assert_eq!(saved.array("bound/reached").unwrap().1, [fit.elbo.unwrap()]);
    assert_eq!(saved.rates("y").unwrap().to_matrix().unwrap(), fit.rate().unwrap());
    assert!(saved.summary().is_err() && saved.ln_joint().is_err());
}

/// The file of a fit of released counts: no bytes of true counts, in any form in which a number is written.
#[test]
fn a_private_fit_holds_no_true_count() {
    let scratch = Scratch::new("private");
    let path = scratch.path("fit.npz");
    // Counts that nothing else is: seven digits each.
    let truth: Vec<i64> = (0..30).map(|cell| 1_234_567 + 70_001 * cell * cell).collect();
    let counts = Counts::dense(vec![6, 5], truth.clone()).unwrap();
    let promise = Lplp::new(3, "1/2").unwrap();
    let released = Sensitive::new(counts).release(&promise).unwrap();
    let values = released.values().unwrap();
    for fit in [true, false] {
        let model = Topics::new(&released).unwrap().topics(3);
        if fit {
            model.gibbs(&sampling()).unwrap().save(&path).unwrap();
        } else {
            model.cavi(&ascending()).unwrap().save(&path).unwrap();
        }
        let bytes = fs::read(&path).unwrap();
        let holds = |needle: &[u8]| bytes.windows(needle.len()).any(|window| window == needle);
        for (truth, value) in truth.iter().zip(values) {
            // Neither the true count nor its release, which could be told apart by nobody if they were equal.
            for number in [truth, value] {
                assert!(!holds(&number.to_le_bytes()) && !holds(&(*number as f64).to_le_bytes()));
                assert!(!holds(number.to_string().as_bytes()));
            }
        }
        // The search is alive, and the promise is there.
        assert!(holds(b"TwoSidedGeometric") || holds(b"two-sided geometric"), "channel");
        let saved = Saved::load(&path).unwrap();
        let said = saved.promise("y").unwrap();
        assert_eq!(said, Promise::from(promise).to_string());
    }
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_one_before() {
    let scratch = Scratch::new("before");
    let path = scratch.path("fit.npz");
    let fit = topics(6, 5).gibbs(&sampling()).unwrap();
    fit.save(&path).unwrap();
    let first = fs::read(&path).unwrap();
    topics(6, 5).cavi(&ascending()).unwrap().save(&path).unwrap();
    assert_ne!(fs::read(&path).unwrap(), first);
    fit.save(&path).unwrap();
    assert_eq!(fs::read(&path).unwrap(), first);
    let error = fit.save(scratch.path("no/such/folder.npz")).unwrap_err();
    assert!(matches!(error, Error::Saved(SavedError::Write { .. })), "{error}");
}
