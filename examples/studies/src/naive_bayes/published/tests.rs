//! The bound rises, lies below the evidence, and the slips of the paper can be seen in it.

use rand::SeedableRng;
use skellam::math::distribution::TwoSidedGeometricNoise;
use skellam::math::streams::Stream;

use super::*;
use crate::naive_bayes::exact::Hidden;
use crate::naive_bayes::model::Model;

/// Releases of several sizes and budgets.
fn releases() -> Vec<Released> {
    let mut rng = Stream::seed_from_u64(17);
    let mut releases = Vec::new();
    for (people, sizes) in [(50, [2, 5, 2]), (100, [3, 2, 4]), (30, [2, 4, 3]), (20, [1, 1, 2])] {
        for (prior, epsilon) in [(1.0, 1e-3), (1.0, 0.1), (0.5, 1.0), (2.0, 10.0)] {
            let model = Model {
                class_prior: prior,
                answer_prior: prior,
                ..Model::new(people, sizes)
            };
            let truth = model.parameters(&mut rng);
            let tables = model.tables(&truth, &mut rng);
            releases.push(model.release(&tables, epsilon, &mut rng).unwrap());
        }
    }
    releases
}

#[test]
fn every_update_raises_the_bound() {
    for released in releases() {
        let mut ascent = Ascent::new(&released);
        let updates: [fn(&mut Ascent<'_>); 5] = [
            |ascent| ascent.update_squares(),
            |ascent| ascent.update_dirichlets(),
            |ascent| ascent.update_answers(),
            |ascent| ascent.update_dirichlets(),
            |ascent| ascent.update_classes(),
        ];
        let mut bound = ascent.bound();
        for (number, update) in updates.iter().cycle().take(1000).enumerate() {
            update(&mut ascent);
            let next = ascent.bound();
            assert!(
                next >= bound - 1e-11 * bound.abs(),
                "update {number}: {bound} to {next}"
            );
            bound = next;
        }
    }
}

#[test]
fn the_bound_lies_below_the_evidence() {
    for released in releases() {
        let evidence = Hidden::integrated(&released).ln_evidence();
        let bound = Ascent::new(&released).climb();
        assert!(bound < evidence, "{bound} for {evidence}");
        // A bound that forgot its constants would be far away on one side or the other. At a large budget it is far away as it
        // stands: every cell of q(x | n) has its binomial deviation, whatever was released.
        let cells = released.values.len() as f64;
        assert!(
            released.noise.alpha() < 0.9 || bound > evidence - 2.0 * cells,
            "{bound} for {evidence}"
        );
    }
}

/// Without the constants that equations 2 and 7 leave out, the logarithm of the noise at 0 for each cell and the normalisers of the
/// priors, what is called the lower bound lies above the evidence wherever noise is strong.
#[test]
fn without_its_constants_it_is_no_bound() {
    let mut strong = 0;
    for released in releases().iter().filter(|released| released.noise.alpha() > 0.9) {
        let model = &released.model;
        let normaliser = |number: usize, prior: f64| ln_gamma(number as f64 * prior) - number as f64 * ln_gamma(prior);
        let lines = model.cells() / model.answers;
        let constants = model.cells() as f64 * released.noise.ln_pmf(0)
            + normaliser(model.classes, model.class_prior)
            + lines as f64 * normaliser(model.answers, model.answer_prior);
        let evidence = Hidden::integrated(released).ln_evidence();
        let printed = Ascent::new(released).climb() - constants;
        assert!(printed > evidence, "{printed} for {evidence}");
        strong += 1;
    }
    assert_eq!(strong, 8);
}

/// The bound is an expectation over all tables, taken one by one: the law of the counts, that of the noise with its square, and
/// the entropy of `q`.
#[test]
fn the_bound_is_an_expectation_over_tables() {
    let released = Released {
        model: Model {
            class_prior: 0.7,
            answer_prior: 1.3,
            ..Model::new(3, [2, 2, 2])
        },
        noise: TwoSidedGeometricNoise::new((-0.4_f64).exp()).unwrap(),
        values: vec![2, -1, 0, 4, 1, 1, 3, -2],
    };
    let mut ascent = Ascent::new(&released);
    // Anywhere but at an optimum, where terms might cancel.
    ascent.squares = (0..8).map(|cell| 0.5 + f64::from(cell)).collect();
    ascent.p = vec![1.1, 2.6];
    ascent.q = vec![0.9, 1.7, 3.0, 0.4, 2.2, 1.2, 0.6, 5.0];
    let binomial = |n: usize, x: usize, share: f64| {
        let ways = [1.0, n as f64, n as f64 * (n as f64 - 1.0) / 2.0, 1.0][if x == n { 0 } else { x }];
        ways * share.powi(x as i32) * (1.0 - share).powi((n - x) as i32)
    };
    let logs = |concentration: &[f64]| -> Vec<f64> { ln_means(concentration) };
    let mut sum = 0.0;
    for first in 0..=3usize {
        let n = [first, 3 - first];
        let of_classes = binomial(3, first, ascent.classes[0]);
        // ln p - ln q of a table: the ways cancel.
        let ratio = |counts: &[usize], shares: &[f64], logs: &[f64]| -> f64 {
            let terms = counts.iter().zip(shares).zip(logs);
            terms.map(|((&x, share), log)| x as f64 * (log - share.ln())).sum()
        };
        sum += of_classes * ratio(&n, &ascent.classes, &logs(&ascent.p));
        for line in 0..4 {
            let total = n[line % 2];
            let (shares, q) = (&ascent.answers[2 * line..][..2], &ascent.q[2 * line..][..2]);
            for x in 0..=total {
                let counts = [x, total - x];
                let mut value = ratio(&counts, shares, &logs(q));
                for (j, &x) in counts.iter().enumerate() {
                    let cell = 2 * line + j;
                    let away = released.values[cell] as f64 - x as f64;
                    value += released.noise.ln_pmf(0);
                    value += minorizer(ascent.squares[cell], away * away, ascent.b);
                }
                sum += of_classes * binomial(total, x, shares[0]) * value;
            }
        }
    }
    sum -= divergence(&ascent.p, 0.7);
    sum -= ascent.q.chunks(2).map(|q| divergence(q, 1.3)).sum::<f64>();
    assert!(
        (ascent.bound() - sum).abs() < 1e-12 * sum.abs(),
        "{} for {sum}",
        ascent.bound()
    );
}

/// The bounds are one, at `alpha = b / E[beta]`; at `alpha = 1 / E[beta]`, as it is printed, they are not. At its best it is `-sqrt(E[d^2]) / b`,
/// which is below `-E|d| / b`, and no other parameter is better.
#[test]
fn quadratic_and_mixture_are_one_bound() {
    // `-|d| <= -(d^2 / alpha + alpha) / 2`, from the concavity of the root.
    let quadratic = |alpha: f64, square: f64, b: f64| -(square / alpha + alpha) / (2.0 * b);
    for (square, mean, b) in [(3.0, 0.7, 2.0), (1e6, 1e-3, 20.0), (0.1, 40.0, 0.2)] {
        let mixture = minorizer(mean, square, b);
        assert!((mixture - quadratic(b / mean, square, b)).abs() < 1e-12 * mixture.abs());
        assert!((mixture - quadratic(1.0 / mean, square, b)).abs() > 1e-2 * mixture.abs());
        let best = best(square, b);
        let bound = minorizer(best, square, b);
        assert!((bound + f64::sqrt(square) / b).abs() < 1e-12 * bound.abs());
        for factor in [0.5, 0.99, 1.01, 2.0] {
            assert!(minorizer(factor * best, square, b) < bound);
        }
    }
}
