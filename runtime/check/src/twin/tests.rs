use super::super::cases::{BLOCKS, TOPICS};
use super::prior::LinePrior;
use super::*;
use rand::SeedableRng;
use skellam::model::family::{Dirichlet, Gamma};

fn topics() -> Twin {
    let weights = Array::new(vec![2], vec![1.0, 3.0]).unwrap();
    Twin::new(&TOPICS, &[2, 3, 2], &[0.7, 2.0], &[weights])
}

#[test]
fn rates_are_multiplied_out() {
    let twin = topics();
    assert_eq!(twin.shapes, [vec![2], vec![2, 2], vec![2, 3], vec![3]]);
    let x = [
        vec![1.0, 1.0],
        vec![1.0, 2.0, 3.0, 4.0],
        vec![0.1, 0.2, 0.7, 0.5, 0.3, 0.2],
        vec![5.0, 6.0, 7.0],
    ];
    let cell = twin.counts[0].rates[4].as_ref().unwrap();
    // y[1, 1] = w[1] theta[1, 0] phi[0, 1] + w[1] theta[1, 1] phi[1, 1] + 0.5 * 2 psi[1].
    let expected = [
        (3.0, vec![(1, 2), (2, 1)]),
        (3.0, vec![(1, 3), (2, 4)]),
        (1.0, vec![(3, 1)]),
    ];
    let expected = expected.map(|(coefficient, factors)| Monomial { coefficient, factors });
    assert_eq!(cell[..], expected);
    let rate = 3.0 * 3.0 * 0.2 + 3.0 * 4.0 * 0.3 + 6.0;
    assert!((twin.rates(&x)[0][4] - rate).abs() < 1e-14);
    assert!(twin.counts[0].simplex);
}

#[test]
fn priors_are_those_of_the_declaration() {
    let twin = topics();
    let x = [
        vec![0.5, 2.0],
        vec![1.0, 2.0, 3.0, 4.0],
        vec![0.1, 0.2, 0.7, 0.5, 0.3, 0.2],
        vec![5.0, 6.0, 7.0],
    ];
    // theta[1, 0] ~ Gamma(2, 2 xi[1]); phi[0, .] ~ Dirichlet(0.7); psi ~ Gamma(0.7, 3); xi ~ Gamma(1.5, 1).
    let law = LinePrior {
        family: &Gamma,
        parameters: [vec![2.0], vec![4.0]],
        entries: vec![2],
    };
    assert_eq!(twin.laws(1, &x)[2], law);
    let line = LinePrior {
        family: &Dirichlet,
        parameters: [vec![0.7; 3], vec![1.0; 3]],
        entries: vec![3, 4, 5],
    };
    assert_eq!(twin.laws(2, &x)[1], line);
    let mut expected = 0.0;
    for (xi, theta) in [(0.5, [1.0, 2.0]), (2.0, [3.0, 4.0])] {
        // Gamma(1.5) = sqrt(pi) / 2.
        expected += 0.5 * f64::ln(xi) - xi - (std::f64::consts::PI.sqrt() / 2.0).ln();
        for t in theta {
            expected += 2.0 * f64::ln(2.0 * xi) + f64::ln(t) - 2.0 * xi * t;
        }
    }
    // Gamma(0.7) = 1.298055332647558, Gamma(2.1) = 1.0464858468535607 (`math.gamma` of Python).
    let (small, large) = (1.298_055_332_647_558_f64, 1.046_485_846_853_560_7_f64);
    for line in x[2].chunks(3) {
        expected += large.ln() - 3.0 * small.ln() - 0.3 * line.iter().map(|p| p.ln()).sum::<f64>();
    }
    for psi in [5.0_f64, 6.0, 7.0] {
        expected += 0.7 * 3.0_f64.ln() - small.ln() - 0.3 * psi.ln() - 3.0 * psi;
    }
    assert!(
        (twin.ln_prior(&x) - expected).abs() < 1e-12 * expected.abs(),
        "{}",
        twin.ln_prior(&x) - expected
    );
    assert_eq!(twin.parents(1).collect::<Vec<_>>(), [0]);
    assert_eq!(twin.parents(2).count(), 0);
}

/// Means of 20,000 draws within six standard errors.
#[test]
fn draws_go_from_parents_to_children() {
    // xi before theta.
    let twin = topics();
    let mut rng = Stream::seed_from_u64(7);
    let n = 20_000;
    let (mut product, mut share) = (Vec::new(), Vec::new());
    for _ in 0..n {
        let x = twin.draw(&mut rng);
        // xi theta ~ Gamma(2, 2), of mean 1 and variance 1/2, whatever xi is.
        product.push(x[0][1] * x[1][3]);
        share.push(x[2][4]);
        assert!((x[2][3..].iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let mean = |v: &[f64]| v.iter().sum::<f64>() / n as f64;
    assert!(
        (mean(&product) - 1.0).abs() < 6.0 * (0.5 / n as f64).sqrt(),
        "{}",
        mean(&product)
    );
    // A beta law of parameters 0.7 and 1.4 has variance 2/9/3.1.
    assert!((mean(&share) - 1.0 / 3.0).abs() < 6.0 * (2.0 / 9.0 / 3.1 / n as f64).sqrt());
}

#[test]
fn a_where_leaves_cells_out_and_a_latent_may_occur_twice() {
    let twin = Twin::new(&BLOCKS, &[3, 2], &[], &[]);
    let exists: Vec<bool> = twin.counts[0].rates.iter().map(Option::is_some).collect();
    let cells = [false, true, true, false, false, true, false, false, false];
    assert_eq!(exists, cells);
    let x = [vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], vec![0.1, 0.2, 0.3, 0.4]];
    // y[0, 2] = sum over a, b of h[0, a] w[a, b] h[2, b].
    let rate = 5.0 * 0.1 + 6.0 * 0.2 + 2.0 * (5.0 * 0.3 + 6.0 * 0.4);
    assert!((twin.rates(&x)[0][2] - rate).abs() < 1e-14);
    assert!(!twin.counts[0].simplex);
}
