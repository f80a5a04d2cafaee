//! Components have an order where values give them one, and no other: `mean()` over chains is right or refused, before and after alignment, and
//! in files.

use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::{Array1, Array2, arr2};
use skellam::QueryError;
use skellam::infer::{GibbsFit, Saved};
use skellam::prelude::*;

skellam::model! {
    /// Topics of known lengths, with a concentration for each topic.
    model Alphas {
        index docs, words, topics;
        hyper alpha[k in topics]: positive = 0.5;
        data length[d in docs]: whole;
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = alpha[k], along = k);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.1, along = v);
        count y[d in docs, v in words] ~ Multinomial(length[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);
    }
}

skellam::model! {
    /// Topics with weights, and what is known of their words.
    model Weighted {
        index docs, words, topics;
        hyper seeds[k in topics, v in words]: positive = 0.3;
        latent weight[k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = seeds[k, v], rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) weight[k] * theta[d, k] * phi[k, v]);
    }
}

skellam::model! {
    /// Topics.
    model Topics {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

skellam::model! {
    /// Two counts that share a factor; some rows of the second are known to be of one topic.
    model Views {
        index docs, words, notes, topics;
        data label[e in notes]: topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.3, rate = 1.0);
        latent level[e in notes] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        count z[e in notes, v in words] ~ Poisson(level[e] * phi[label[e], v]);
    }
}

skellam::model! {
    /// Groups of nodes.
    model Blocks {
        index nodes, groups;
        hyper ties[c in groups, e in groups]: positive = 0.3;
        latent theta[i in nodes, c in groups] ~ Gamma(shape = 0.3, rate = 1.0);
        latent pi[c in groups, e in groups] ~ Gamma(shape = ties[c, e], rate = 1.0);
        count y[i in nodes, j in nodes] where i != j ~ Poisson(sum(c in groups, e in groups) theta[i, c] * pi[c, e] * theta[j, e]);
    }
}

skellam::model! {
    /// One index set for both sides, whose components have nothing to do with each other.
    model Sides {
        index docs, words, parts;
        latent left[d in docs, a in parts] ~ Gamma(shape = 0.5, rate = 1.0);
        latent core[a in parts, b in parts] ~ Gamma(shape = 0.5, rate = 1.0);
        latent right[b in parts, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(a in parts, b in parts) left[d, a] * core[a, b] * right[b, v]);
    }
}

skellam::model! {
    /// Components of two kinds, and a core.
    model Tucker {
        index docs, words, groups, kinds;
        latent left[d in docs, a in groups] ~ Gamma(shape = 0.5, rate = 1.0);
        latent core[a in groups, b in kinds] ~ Gamma(shape = 0.5, rate = 1.0);
        latent right[b in kinds, v in words] ~ Gamma(shape = 0.3, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(a in groups, b in kinds) left[d, a] * core[a, b] * right[b, v]);
    }
}

skellam::model! {
    /// Every topic has kinds of its own.
    model Nested {
        index docs, words, topics, kinds;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
        latent part[k in topics, s in kinds] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[k in topics, s in kinds, v in words] ~ Gamma(shape = 0.3, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics, s in kinds) theta[d, k] * part[k, s] * phi[k, s, v]);
    }
}

skellam::model! {
    /// Topics along time.
    model Times {
        index times: ordered;
        index words, topics;
        latent theta[t in times, k in topics] ~ Gamma(shape = 2.0, rate = theta[t - 1, k]);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.3, along = v);
        count y[t in times, v in words] ~ Poisson(sum(k in topics) theta[t, k] * phi[k, v]);
    }
}

skellam::model! {
    /// Known features, with coefficients for each document.
    model Slopes {
        index docs, words, features;
        data x[d in docs, f in features]: positive;
        latent beta[d in docs, f in features, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(f in features) x[d, f] * beta[d, f, v]);
    }
}

fn sampling(num_draws: usize) -> Gibbs {
    Gibbs {
        num_tune: 200,
        max_retunes: 0,
        num_draws,
        thin: Some(1),
        num_chains: Some(4),
        seed: 3,
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

/// Documents of two kinds, and some of both.
fn counts() -> Counts {
    let kinds = [[4i64, 3, 0, 0, 2, 0], [0, 0, 5, 2, 0, 2], [2, 2, 2, 2, 1, 1]];
    Counts::dense(vec![30, 6], (0..30).flat_map(|d| kinds[d % 3]).collect()).unwrap()
}

/// Whether `mean()` of each latent is given, in the fit and in its file alike. Every mean that is given is that of each chain too, but for the
/// Monte Carlo error of a few hundred draws: a mean over switched chains lies far from all of them.
fn means(fit: &GibbsFit, latents: &[&str]) -> Vec<bool> {
    // Tests run side by side.
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let (process, number) = (std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(format!("skellam-components-{process}-{number}.npz"));
    fit.save(&path).unwrap();
    let saved = Saved::load(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let given = latents.iter().enumerate().map(|(number, latent)| {
        let draws = fit.draws::<Array>(number);
        let (mean, in_file) = (draws.mean(), saved.mean(latent));
        let said = |result: &Result<Array, Error>| result.as_ref().err().map(ToString::to_string);
        assert_eq!(said(&mean), said(&in_file), "{latent}");
        assert_eq!(
            mean.is_ok(),
            draws.sd().is_ok() && draws.interval(0.9).is_ok(),
            "{latent}"
        );
        let Ok(mean) = mean else {
            assert!(matches!(
                mean,
                Err(Error::Query(QueryError::NotAligned { chains: 4, .. }))
            ));
            return false;
        };
        let most = mean.as_slice().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for chain in 0..4 {
            let of_chain = draws.mean_of_chain(chain).unwrap();
            let apart = mean.as_slice().iter().zip(of_chain.as_slice());
            let apart = apart.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(
                apart < 0.25 * most,
                "{latent} of chain {chain}: {of_chain:?}, over all {mean:?}"
            );
        }
        true
    });
    given.collect()
}

/// What `aligned` says where it refuses.
fn refused(fit: &GibbsFit, set: &str) -> String {
    match fit.aligned(set).unwrap_err() {
        Error::Query(QueryError::NotAlignable { given, why }) => {
            assert_eq!(given, set);
            why
        }
        other => panic!("{other}"),
    }
}

#[test]
fn arrays_of_equal_entries_tell_nothing_apart() {
    let y = counts();
    let model = || Alphas::new(&y).unwrap().length(y.margins(0).unwrap());
    for alpha in [None, Some(vec![0.5, 0.5])] {
        let model = alpha
            .into_iter()
            .fold(model().topics(2), |model, alpha: Vec<f64>| model.alpha(alpha));
        let fit = model.gibbs(&sampling(200)).unwrap();
        assert_eq!(means(&fit, &["theta", "phi"]), [false, false]);
        let aligned = fit.aligned("topics").unwrap();
        assert_eq!(means(&aligned, &["theta", "phi"]), [true, true]);
        // The topics as an independent sampler finds them, in one order or the other.
        let phi = aligned.phi.mean().unwrap();
        let truth = arr2(&[[0.43, 0.36, 0.0, 0.0, 0.21, 0.0], [0.0, 0.0, 0.5, 0.28, 0.0, 0.21]]);
        let first = usize::from(phi[(0, 0)] < phi[(1, 0)]);
        let found = Array2::from_shape_fn([2, 6], |(k, v)| phi[((k + first) % 2, v)]);
        assert!((&found - &truth).iter().all(|x| x.abs() < 0.03), "{phi:.3}");
    }
    // Two of three topics are alike: these change places, and the third has its own.
    let fit = model()
        .topics(3)
        .alpha(vec![0.5, 0.5, 0.01])
        .gibbs(&sampling(200))
        .unwrap();
    assert_eq!(means(&fit, &["theta", "phi"]), [false, false]);
    let aligned = fit.align("topics").unwrap();
    for (chain, draw) in (0..4).flat_map(|chain| (0..200).map(move |draw| (chain, draw))) {
        assert_eq!(aligned.alignment().order(chain, draw).unwrap()[2], 2);
    }
    let said = aligned.switching().to_string();
    assert!(
        said.starts_with("1 of 3 components are told apart by known values"),
        "{said}"
    );
    assert!(fit.aligned("topics").unwrap().phi.mean().is_ok());
    // Different entries are an order.
    let fit = model()
        .topics(3)
        .alpha(vec![0.5, 0.4, 0.01])
        .gibbs(&sampling(20))
        .unwrap();
    assert!(fit.phi.mean().is_ok());
    let aligned = fit.aligned("topics").unwrap();
    assert_eq!(aligned.phi.mean().unwrap(), fit.phi.mean().unwrap());
    assert!(refused(&fit, "docs").contains("data `y`"), "{}", refused(&fit, "docs"));
    assert!(refused(&fit, "words").contains("data `y`"));
    assert!(matches!(
        fit.aligned("topic").map(|_| ()),
        Err(Error::Query(QueryError::UnknownComponents { .. }))
    ));
}

#[test]
fn frozen_latents_tell_apart_by_their_values() {
    let y = counts();
    let model = || Weighted::new(&y).unwrap().topics(2);
    let fit = model().freeze_weight(vec![1.0, 1.0]).gibbs(&sampling(300)).unwrap();
    assert_eq!(means(&fit, &["weight", "theta", "phi"]), [true, false, false]);
    let aligned = fit.aligned("topics").unwrap();
    assert_eq!(means(&aligned, &["weight", "theta", "phi"]), [true; 3]);
    assert_eq!(aligned.weight.mean().unwrap(), Array1::from_elem(2, 1.0));
    // Words that are known to be of a topic, which hold the chains in one order.
    let seeds = Array2::from_shape_fn(
        [2, 6],
        |(k, v)| if [0, 1, 4].contains(&v) == (k == 0) { 9.0 } else { 0.01 },
    );
    let fit = model()
        .freeze_weight(vec![1.0, 1.0])
        .seeds(&seeds)
        .gibbs(&sampling(300))
        .unwrap();
    assert_eq!(means(&fit, &["weight", "theta", "phi"]), [true; 3]);
    let seeds = Array2::from_shape_fn([2, 6], |(_, v)| v as f64 + 1.0);
    let fit = model().seeds(&seeds).gibbs(&sampling(20)).unwrap();
    assert_eq!(means(&fit, &["weight", "theta", "phi"]), [false; 3]);
    // Of theta at equal values each word divides its counts as it likes: no one order for all of them.
    let fit = Topics::new(&y).unwrap().freeze_theta(Array2::from_elem([30, 2], 1.0));
    let fit = fit.gibbs(&sampling(20)).unwrap();
    assert_eq!(means(&fit, &["theta", "phi"]), [true, false]);
    assert!(
        refused(&fit, "topics").contains("at each value of `words`"),
        "{}",
        refused(&fit, "topics")
    );
    let error = fit.phi.mean().unwrap_err().to_string();
    assert!(
        error.contains("mean_of_chain") && !error.contains("aligned("),
        "{error}"
    );
}

/// Exact means by quadrature. Aligned, they were .56 and .82.
#[test]
fn a_frozen_partner_gives_an_order_that_is_left_as_it_is() {
    let y = Counts::dense(vec![2, 3], vec![3, 1, 0, 0, 1, 2]).unwrap();
    let theta = arr2(&[[1.0, 0.9], [0.9, 1.0]]);
    let fit = Topics::new(&y)
        .unwrap()
        .freeze_theta(&theta)
        .gibbs(&sampling(5000))
        .unwrap();
    let aligned = fit.aligned("topics").unwrap();
    let exact = arr2(&[[0.744, 0.517, 0.490], [0.635, 0.517, 0.544]]);
    // Standard deviations are below 0.8, and 20,000 draws are worth at least 2,000: four standard errors are 0.07.
    assert!(
        (aligned.phi.mean().unwrap() - exact).iter().all(|x| x.abs() < 0.07),
        "{}",
        aligned.phi.mean().unwrap()
    );
    assert_eq!(aligned.phi.as_slice().unwrap(), fit.phi.as_slice().unwrap());
    let said = aligned.switching("topics").unwrap().to_string();
    assert_eq!(
        said,
        "nothing to align: known values tell the 2 components apart, which were left as they are"
    );
    assert!(
        aligned
            .doubts()
            .iter()
            .all(|doubt| !doubt.to_string().contains("places"))
    );
    assert!(refused(&fit, "docs").contains("data `y`") && refused(&fit, "words").contains("data `y`"));
}

#[test]
fn factors_that_counts_share_and_positions_in_components() {
    let y = counts();
    let z = Counts::dense(vec![2, 6], vec![9, 7, 0, 0, 4, 0, 8, 7, 0, 0, 4, 0]).unwrap();
    let views = |topics: usize| {
        let data = ViewsData { y: &y, z: &z };
        Views::new(data).unwrap().topics(topics).label(vec![0.0, 0.0])
    };
    // One topic has notes, and so has the other a place.
    let fit = views(2).gibbs(&sampling(300)).unwrap();
    assert_eq!(means(&fit, &["theta", "phi", "level"]), [true; 3]);
    // Two topics have none.
    let fit = views(3).gibbs(&sampling(20)).unwrap();
    let names = ["theta", "phi"];
    assert_eq!(means(&fit, &names), [false, false]);
    assert!(fit.level.mean().is_ok());
    let aligned = fit.align("topics").unwrap();
    assert_eq!(aligned.switching().told_apart(), 1);
    assert!(refused(&fit, "notes").contains("data `z`"));
}

/// A square array over components may differ on its diagonal: it is the same in any order.
#[test]
fn components_along_two_indices() {
    let group = |i: usize| i % 2;
    let values = (0..12).flat_map(|i| (0..12).map(move |j| if group(i) == group(j) { 6 } else { 0 }));
    let y = Counts::dense(vec![12, 12], values.collect()).unwrap();
    let model = || Blocks::new(&y).unwrap().groups(2);
    let ties = |entries: [f64; 4]| Array2::from_shape_vec([2, 2], entries.to_vec()).unwrap();
    let fit = model().ties(ties([2.0, 0.1, 0.1, 2.0])).gibbs(&sampling(200)).unwrap();
    assert_eq!(means(&fit, &["theta", "pi"]), [false, false]);
    assert!(fit.aligned("groups").unwrap().pi.mean().is_ok());
    let fit = model().ties(ties([2.0, 0.1, 0.2, 2.0])).gibbs(&sampling(20)).unwrap();
    assert!(fit.theta.mean().is_ok() && fit.pi.mean().is_ok());
    // A ring of three is the same turned round, though no two can be exchanged.
    let ring = Array2::from_shape_fn([3, 3], |(c, e)| [1.0, 2.0, 3.0][(3 + e - c) % 3]);
    let fit = Blocks::new(&y)
        .unwrap()
        .groups(3)
        .ties(&ring)
        .gibbs(&sampling(20))
        .unwrap();
    assert_eq!(means(&fit, &["theta", "pi"]), [false, false]);
    assert!(refused(&fit, "groups").contains("only together"));
    assert!(refused(&fit, "nodes").contains("data `y`"));
}

#[test]
fn components_of_two_kinds() {
    let y = counts();
    let model = || Tucker::new(&y).unwrap().groups(2).kinds(2);
    let fit = model().gibbs(&sampling(20)).unwrap();
    let names = ["left", "core", "right"];
    assert_eq!(means(&fit, &names), [false; 3]);
    // The core has kinds in another order still.
    let groups = fit.aligned("groups").unwrap();
    assert!(groups.left.mean().is_ok() && groups.core.mean().is_err() && groups.right.mean().is_err());
    let one = fit.align("groups").unwrap();
    assert!(one.mean::<Array2<f64>>("core").is_err() && one.mean::<Array2<f64>>("left").is_ok());
    assert!(one.summary().unwrap().get("core[0, 0]").is_none());
    let both = groups.aligned("kinds").unwrap();
    assert!(both.core.mean().is_ok() && both.right.mean().is_ok());
    // Both kinds exchanged leave this core as it is, and one alone does not.
    let core = arr2(&[[2.0, 0.1], [0.1, 2.0]]);
    let fit = model().freeze_core(&core).gibbs(&sampling(20)).unwrap();
    assert_eq!(means(&fit, &names), [false, true, false]);
    assert!(refused(&fit, "groups").contains("one chain") && refused(&fit, "kinds").contains("one chain"));
    let core = arr2(&[[2.0, 0.1], [0.2, 1.0]]);
    let fit = model().freeze_core(&core).gibbs(&sampling(20)).unwrap();
    assert!(fit.left.mean().is_ok() && fit.right.mean().is_ok());
    // One index set on both sides.
    let fit = Sides::new(&y).unwrap().parts(2).gibbs(&sampling(20)).unwrap();
    assert_eq!(means(&fit, &names), [false; 3]);
    assert!(refused(&fit, "parts").contains("declare an index set for each"));
}

#[test]
fn components_within_components() {
    let y = counts();
    let model = Nested::new(&y).unwrap().topics(2).kinds(2);
    let fit = model.clone().gibbs(&sampling(20)).unwrap();
    assert_eq!(means(&fit, &["theta", "part", "phi"]), [false; 3]);
    assert!(refused(&fit, "kinds").contains("at each value of `topics`"));
    let aligned = fit.aligned("topics").unwrap();
    assert!(aligned.theta.mean().is_ok() && aligned.part.mean().is_err() && aligned.phi.mean().is_err());
    // A known part that is even in one topic leaves the kinds of that one in no order.
    let frozen = |entries: [f64; 4]| {
        let part = Array2::from_shape_vec([2, 2], entries.to_vec()).unwrap();
        let fit = model.clone().freeze_part(&part).gibbs(&sampling(20)).unwrap();
        [fit.theta.mean().is_ok(), fit.phi.mean().is_ok()]
    };
    assert_eq!(frozen([1.0, 1.0, 1.0, 2.0]), [true, false]);
    assert_eq!(frozen([1.0, 3.0, 1.0, 2.0]), [true, true]);
    let features = |x: [f64; 2]| {
        let x = Array2::from_shape_fn([30, 2], |(_, f)| x[f]);
        let fit = Slopes::new(&y).unwrap().x(&x).gibbs(&sampling(20)).unwrap();
        assert!(refused(&fit, "docs").contains("data `y`"));
        fit.beta.mean().is_ok()
    };
    assert!(features([1.0, 2.0]) && !features([1.0, 1.0]));
}

#[test]
fn times_have_an_order_and_their_topics_have_none() {
    let fit = Times::new(&counts()).unwrap().topics(2).gibbs(&sampling(200)).unwrap();
    assert_eq!(means(&fit, &["theta", "phi"]), [false, false]);
    assert!(refused(&fit, "times").contains("read the fit as it is"));
    let aligned = fit.aligned("topics").unwrap();
    assert!(aligned.phi.mean().is_ok() && aligned.theta.mean().is_ok());
    assert!(refused(&aligned, "words").contains("data `y`"));
}
