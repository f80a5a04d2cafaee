//! Pictures of a real fit, each by one call. They are left in the folder of temporary files of the build, to be looked at.

use std::path::Path;

use skellam::diagnose::HeldOutCurve;
use skellam::prelude::*;
use skellam_plot as plot;

skellam::model! {
    model Topics {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

const WORDS: [&str; 12] = [
    "oil", "crude", "barrel", "opec", "wheat", "grain", "tonnes", "harvest", "bank", "rates", "dollar", "treasury",
];

fn counts() -> Counts {
    let own = |cell: usize| cell / 12 / 8 == cell % 12 / 4;
    let value = |cell: usize| {
        if own(cell) {
            3 + (cell * 7 % 11) as i64
        } else {
            i64::from(cell.is_multiple_of(5))
        }
    };
    let counts = Counts::dense(vec![24, 12], (0..24 * 12).map(value).collect()).unwrap();
    counts.hold_out(&Mask::random(&[24, 12], 0.1, 1).unwrap()).unwrap()
}

fn settings() -> Gibbs {
    Gibbs {
        num_tune: 200,
        num_draws: 100,
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

fn model(k: usize) -> Result<Topics, Error> {
    Topics::new(&counts())?.topics(k).labels(Topics::WORDS, &WORDS)
}

fn fit(k: usize) -> Result<TopicsGibbs, Error> {
    model(k)?.gibbs(&settings())
}

#[test]
fn every_picture_is_one_call() {
    let fit = fit(3).unwrap();
    let saved = fit.saved().unwrap();
    let save = |name: &str, picture: &plot::Picture, marks: &[&str]| {
        for mark in marks {
            assert!(picture.svg().contains(mark), "{name} lacks {mark}");
        }
        picture.save(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)).unwrap();
    };
    save(
        "trace.svg",
        &plot::trace(&saved).unwrap(),
        &["Traces", "ln_joint", "mean of y", "y[", "100 draws of each of 4 chains"],
    );
    save(
        "rank.svg",
        &plot::rank(&saved).unwrap(),
        &["Ranks", "ln_joint", "chain 4"],
    );
    let lines = plot::Interval::of(&fit.phi, |index| {
        format!("{} in topic {}", WORDS[index[1]], index[0] + 1)
    })
    .unwrap();
    assert_eq!(lines.len(), 36);
    save(
        "intervals.svg",
        &plot::intervals("Words of topics", &lines),
        &["Words of topics", "treasury in topic 3"],
    );
    let checks = model(3)
        .unwrap()
        .predictive_check(&fit, &Predictive::default())
        .unwrap();
    save(
        "replicas.svg",
        &plot::replicas(&checks[0]),
        &["Predictive check of y", "totals of words", "p = "],
    );
    let curve = HeldOutCurve::over(&[1, 2, 3, 5], "y", self::fit).unwrap();
    assert_eq!(curve.best().map(|best| best.components >= 3), Some(true), "{curve}");
    save(
        "held_out.svg",
        &plot::held_out(&curve),
        &["Held-out score", "best", "components"],
    );
    let released: Vec<f64> = counts()
        .to_dense()
        .unwrap()
        .iter()
        .enumerate()
        .map(|(i, &y)| y as f64 - (i % 4) as f64)
        .collect();
    let rate: Vec<f64> = fit.rate().unwrap().into_iter().collect();
    let heat = plot::Matrices::new([24, 12])
        .panel("released", "with noise", &released)
        .panel("recovered", "posterior mean rates", &rate)
        .caption("rows: documents; columns: words");
    save(
        "matrices.svg",
        &plot::matrices(&heat),
        &["released", "recovered", "rows: documents"],
    );
    let labels = fit.labels(Topics::WORDS).unwrap();
    let topics = fit.phi.mean_of_chain(0).unwrap();
    save(
        "components.svg",
        &plot::components("Topics", &topics, labels, 6).unwrap(),
        &["Topics", "crude", "wheat", "dollar"],
    );
}
