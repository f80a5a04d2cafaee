//! Geweke's test of both samplers on four families, and of two samplers that are wrong.
//!
//! alpha = 0.6: at 1/2 the misprint of ICML19 cannot be seen, and at little noise the chain hardly moves.
//! False-positive rate below 1e-5 a comparison (see `geweke::LIMIT`), below 1e-4 for the file.

use skellam::model::FormKind;
use skellam_tests::channels::{FromAlpha, Misprinted, Unweighed};
use skellam_tests::families::*;
use skellam_tests::family;
use skellam_tests::geweke::{Deviation, LIMIT, compare};

const ALPHA: f64 = 0.6;

fn passes<F: Family>(family: &F, name: &str, iterations: usize)
where
    F::Mechanism: FromAlpha,
{
    for form in [FormKind::Collapsed, FormKind::Augmented] {
        let Deviation { z, statistic, of } = compare(family, form, ALPHA, iterations, 11);
        println!("{name}, {form:?}: z = {z:.2} of {statistic}, the largest of {of}");
        assert!(z.abs() < LIMIT, "{name}, {form:?}: z = {z:.2} of {statistic}");
    }
}

fn fails<F: Family>(family: &F, name: &str, form: FormKind, iterations: usize)
where
    F::Mechanism: FromAlpha,
{
    let Deviation { z, statistic, of } = compare(family, form, ALPHA, iterations, 11);
    println!("{name}, {form:?}: z = {z:.2} of {statistic}, the largest of {of}");
    assert!(z.abs() > LIMIT, "{name}, {form:?}: z = {z:.2} of {statistic}");
}

#[test]
fn matrix() {
    passes(&MatrixAt(3, 4, 2), "matrix", 100_000);
}

#[test]
fn cp() {
    passes(&Cp3At(2, 3, 2, 2), "cp", 100_000);
}

#[test]
fn tucker() {
    passes(&TuckerAt([2, 3, 2], [2, 2, 2]), "tucker", 100_000);
}

#[test]
fn background() {
    passes(&BackgroundAt(3, 4, 2), "background", 100_000);
}

skellam::model! {
    /// A matrix seen through the misprinted channel.
    model MisprintedMatrix {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by Misprinted;
    }
}

/// Sizes of the misprinted matrix.
struct MisprintedAt(MatrixAt);

family!(
    MisprintedAt,
    Misprinted,
    MisprintedMatrix,
    MisprintedMatrixModel,
    |s: &MisprintedAt| MisprintedMatrixSizes {
        docs: s.0.0,
        words: s.0.1,
        topics: s.0.2
    },
    |s, m| m.topics(s.0.2),
    |s: &MisprintedAt| matrix_twin(&s.0)
);

skellam::model! {
    /// A matrix seen through the channel that weighs every cell as one.
    model UnweighedMatrix {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by Unweighed;
    }
}

/// Sizes of the unweighed matrix.
struct UnweighedAt(MatrixAt);

family!(
    UnweighedAt,
    Unweighed,
    UnweighedMatrix,
    UnweighedMatrixModel,
    |s: &UnweighedAt| UnweighedMatrixSizes {
        docs: s.0.0,
        words: s.0.1,
        topics: s.0.2
    },
    |s, m| m.topics(s.0.2),
    |s: &UnweighedAt| matrix_twin(&s.0)
);

/// ICML19, eq. 16, as printed. Its collapsed form is right, so only the augmented one fails.
#[test]
fn the_misprinted_posterior_rate_fails() {
    let family = MisprintedAt(MatrixAt(3, 4, 2));
    fails(&family, "misprinted", FormKind::Augmented, 100_000);
    let right = compare(&family, FormKind::Collapsed, ALPHA, 20_000, 11);
    assert!(right.z.abs() < LIMIT, "{right:?}");
}

/// Weight 1 where it should be 1 - alpha. Its augmented form visits every cell and is right.
#[test]
fn a_wrong_weight_fails() {
    let family = UnweighedAt(MatrixAt(3, 4, 2));
    fails(&family, "unweighed", FormKind::Collapsed, 20_000);
    let right = compare(&family, FormKind::Augmented, ALPHA, 20_000, 11);
    assert!(right.z.abs() < LIMIT, "{right:?}");
}
