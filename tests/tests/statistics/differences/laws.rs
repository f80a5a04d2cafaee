//! The laws of self-tests.

use skellam_check::Report;
use skellam_tests::declared::shortened;

use super::{Both, Flows, Net, Noisy, Shares};

fn reports() -> Vec<(&'static str, Report)> {
    vec![
        ("noisy", shortened::<Noisy>()),
        ("net", shortened::<Net>()),
        ("flows", shortened::<Flows>()),
        ("shares", shortened::<Shares>()),
        ("both", shortened::<Both>()),
    ]
}

/// Each statistical row states a false-positive rate below 1e-5: below 1e-3 for this test.
#[test]
fn every_law_holds() {
    for (name, report) in reports() {
        println!("{name}: {report}");
        assert!(report.passed(), "{name}: {report}");
    }
}

skellam::model! {
    /// Noise of a known level, another one in every cell, and a known background.
    pub model Known {
        index docs, words, topics;
        hyper b: positive = 0.4;
        data lambda[d in docs, v in words]: positive;
        data more[v in words]: nonnegative;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.2, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.1, rate = 1.0);
        count c[d in docs, v in words] ~ Skellam(
            plus = lambda[d, v] + 0.5 * more[v] + sum(k in topics) theta[d, k] * phi[k, v],
            minus = lambda[d, v] + b,
        );
    }
}

#[test]
fn differences_with_known_noise_pass_their_self_test() {
    let report = shortened::<Known>();
    assert!(report.passed(), "{report}");
}
