//! The bound rises, lies below the evidence, and the slips of the paper can be seen in it.

use rand::SeedableRng;
use skellam::math::streams::Stream;

use super::*;
use crate::draw;
use crate::exact::Hidden;
use crate::model::Model;

/// Releases of several sizes and budgets.
fn releases() -> Vec<Released> {
    let mut rng = Stream::seed_from_u64(17);
    let mut releases = Vec::new();
    for (people, sizes) in [(50, [2, 5, 2]), (100, [3, 2, 4]), (30, [2, 4, 3]), (20, [1, 1, 2])] {
        for (prior, epsilon) in [(1.0, 1e-3), (1.0, 0.1), (0.5, 1.0), (2.0, 10.0)] {
            let model = Model {
                class_prior: prior,
                answer_prior: prior,
                ..Model::new(people, sizes).unwrap()
            };
            let truth = draw::parameters(&model, &mut rng);
            let tables = draw::tables(&model, &truth, &mut rng);
            releases.push(draw::release(&model, &tables, epsilon, &mut rng).unwrap());
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

/// Epsilon is that of one table: two data sets that differ by one person differ by a step in two cells of each table, and the
/// likelihoods of a release of `K` tables by a factor of `exp(K epsilon)`.
#[test]
fn a_release_costs_as_many_epsilon_as_it_has_tables() {
    let (tables, epsilon) = (5, 0.1);
    let noise = Released::noise(epsilon).unwrap();
    let ln_likelihood = |person: [i64; 2]| -> f64 {
        // Where every table was released far away, on the side of the one person.
        let of_table: f64 = [9, -9].iter().zip(person).map(|(m, x)| noise.ln_pmf(m - x)).sum();
        f64::from(tables) * of_table
    };
    let ratio = ln_likelihood([1, 0]) - ln_likelihood([0, 1]);
    assert!((ratio - f64::from(tables) * epsilon).abs() < 1e-12, "{ratio}");
}

/// The bound is an expectation over all tables, taken one by one: the law of the counts, that of the noise with its square, and
/// the entropy of `q`.
#[test]
fn the_bound_is_an_expectation_over_tables() {
    let released = Released {
        model: Model {
            class_prior: 0.7,
            answer_prior: 1.3,
            ..Model::new(3, [2, 2, 2]).unwrap()
        },
        noise: Released::noise(0.8).unwrap(),
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

/// Of Beta(3, 2) from Beta(2, 2), whose ratio is `2 x`, and of Beta(2, 2) from the uniform law: both by hand.
#[test]
fn divergences_are_those_of_beta_laws() {
    // E[ln 2x] under Beta(3, 2) is ln 2 + psi(3) - psi(5) = ln 2 - 1/3 - 1/4.
    assert!((divergence(&[3.0, 2.0], 2.0) - (2f64.ln() - 7.0 / 12.0)).abs() < 1e-12);
    // E[ln 6x(1 - x)] under Beta(2, 2) is ln 6 + 2 (psi(2) - psi(4)) = ln 6 - 5/3.
    assert!((divergence(&[2.0, 2.0], 1.0) - (6f64.ln() - 5.0 / 3.0)).abs() < 1e-12);
    assert_eq!(divergence(&[1.3; 4], 1.3), 0.0);
}

/// An `a_i` of 1, to which the missing `- 1` of equations 2 and 7 leads, lowers the bound.
#[test]
fn one_more_count_in_the_dirichlets_is_worse() {
    for released in releases() {
        let mut ascent = Ascent::new(&released);
        ascent.climb();
        ascent.update_dirichlets();
        let bound = ascent.bound();
        let mut classes = ascent.clone();
        classes.p.iter_mut().for_each(|a| *a += 1.0);
        assert!(released.model.classes == 1 || classes.bound() < bound - 1e-6);
        ascent.q.iter_mut().for_each(|a| *a += 1.0);
        assert!(ascent.bound() < bound - 1e-6);
    }
}

/// Where the release says next to nothing, the bound is higher with an empty class than with even ones, although the exact
/// posterior is the prior: a class that is used pays for the lines of all features, and an empty one for none. What the
/// algorithm says of `p` is then near a corner of the simplex, and sure of it.
#[test]
fn the_bound_prefers_an_empty_class() {
    let mut rng = Stream::seed_from_u64(19);
    let mut climbed = |people: usize| {
        let model = Model::new(people, [2, 5, 3]).unwrap();
        let truth = draw::parameters(&model, &mut rng);
        let tables = draw::tables(&model, &truth, &mut rng);
        let released = draw::release(&model, &tables, 1e-4, &mut rng).unwrap();
        let exact = Hidden::integrated(&released).class_counts();
        let mean = |law: &Vec<f64>| law.iter().enumerate().map(|(n, w)| n as f64 * w).sum::<f64>();
        let off = exact.iter().map(|law| (mean(law) / people as f64 - 0.5).abs());
        assert!(
            off.fold(0.0, f64::max) < 0.02,
            "the exact posterior of a class count is that of the prior"
        );
        [0.5, 0.999].map(|share| {
            let mut ascent = Ascent::new(&released);
            ascent.classes = vec![share, 1.0 - share];
            ascent.answers = vec![1.0 / 3.0; model.cells()];
            ascent.update_squares();
            ascent.update_dirichlets();
            (ascent.climb(), ascent.classes.iter().copied().fold(1.0, f64::min))
        })
    };
    // 50 people: even classes are a stationary point, and a bad one.
    let [even, empty] = climbed(50);
    assert!(even.1 > 0.49 && empty.1 < 0.01, "{even:?} {empty:?}");
    assert!(empty.0 > even.0 + 5.0, "{even:?} {empty:?}");
    // 200 people: even classes are not a stationary point.
    let [even, _] = climbed(200);
    assert!(even.1 < 0.01, "{even:?}");
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

/// `E[ln p(d, beta)] - E[ln q(beta)]` by integration, against the closed form: the sign and the logarithm that
/// equation 7 lacks. As printed, with `+ E[q(beta)]`, it is another number.
#[test]
fn the_entropy_is_that_of_the_inverse_gaussian() {
    let (square, mean, b) = (3.0f64, 0.7f64, 2.0f64);
    let tau = std::f64::consts::TAU;
    let [mut right, mut printed, mut mass] = [0.0; 3];
    // Over ln beta, by rectangles: the integrand vanishes with all its derivatives at both ends.
    let step = 1e-3;
    for i in -20_000..20_000 {
        let beta = (f64::from(i) * step).exp();
        let ln_q = -0.5 * tau.ln() - 1.5 * beta.ln() - (beta - mean).powi(2) / (2.0 * mean * mean * beta);
        // The law of d given beta is normal of variance b^2 / beta, and 1 / beta is exponential of mean 2.
        let ln_normal = -0.5 * tau.ln() - b.ln() + 0.5 * beta.ln() - beta * square / (2.0 * b * b);
        let ln_joint = ln_normal - 2f64.ln() - 2.0 * beta.ln() - 1.0 / (2.0 * beta);
        let q = ln_q.exp();
        mass += q * beta * step;
        right += q * (ln_joint - ln_q) * beta * step;
        printed += q * (ln_joint + q) * beta * step;
    }
    let closed = minorizer(mean, square, b) - (2.0 * b).ln();
    assert!((mass - 1.0).abs() < 1e-9);
    assert!((right - closed).abs() < 1e-9, "{right} for {closed}");
    assert!((printed - closed).abs() > 0.1, "{printed} for {closed}");
}

/// As a Rayleigh variable, `beta` is the standard deviation `s` of the normal law that is mixed. Given `d`, the mean of what
/// the updates compute, `b / |d|`, is that of `b^2 / s^2`. That of `s` grows with `|d|`.
#[test]
fn the_updates_are_those_of_an_inverse_variance() {
    let b = 2.0f64;
    let means = |d: f64| {
        let [mut mass, mut inverse, mut deviation] = [0.0; 3];
        // Over ln s, by rectangles.
        for i in -10_000..10_000 {
            let s = (f64::from(i) * 1e-3).exp();
            let weight = (-d * d / (2.0 * s * s) - s * s / (2.0 * b * b)).exp() * s / (b * b);
            mass += weight;
            inverse += weight * b * b / (s * s);
            deviation += weight * s;
        }
        [inverse / mass, deviation / mass]
    };
    let [near, far] = [means(0.5), means(3.0)];
    for (d, [inverse, _]) in [(0.5, near), (3.0, far)] {
        assert!((inverse - best(d * d, b)).abs() < 1e-9, "{inverse} at {d}");
    }
    assert!(far[1] > near[1] && far[0] < near[0], "{near:?} {far:?}");
}
