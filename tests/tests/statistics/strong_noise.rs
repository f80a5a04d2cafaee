//! Where noise is as strong as the prior is wide, fits at their defaults find the level of the rates.
//!
//! A sweep alone forgets a level in about `1 / (1 - alpha + b)` sweeps, starts at what was released, and had not arrived by the
//! end of its tuning.

use skellam::channel::{Channel, TwoSidedGeometric, Varying};
use skellam::diagnose::Chains;
use skellam::diagnose::Doubt;
use skellam::infer::{Ascent, CaviForm, CaviStart, gibbs};
use skellam::model::FormKind;
use skellam::prelude::*;
use special::Gamma as _;

skellam::model! {
    /// A rate of its own for every cell.
    model Levels {
        index cells;
        latent x[i in cells] ~ Gamma(shape = 1.0, rate = 0.001);
        count y[i in cells] ~ Poisson(x[i]);
        release y by TwoSidedGeometric;
    }
}

const CELLS: usize = 32;

/// The posterior mean of a rate, by sums over its logarithm.
fn exact(law: &TwoSidedGeometric, c: i64) -> f64 {
    let (mut weights, mut sum) = (0.0, 0.0);
    for i in 0..20_000 {
        let u = -10.0 + 22.0 * f64::from(i) / 20_000.0;
        let x = u.exp();
        let weight = (law.ln_marginal(x, c) + u - 0.001 * x - law.ln_marginal(1.0, c)).exp();
        weights += weight;
        sum += weight * x;
    }
    sum / weights
}

fn released(law: TwoSidedGeometric, c: i64) -> Released<TwoSidedGeometric> {
    Released::assert_mechanism(vec![CELLS], vec![c; CELLS], Varying::Uniform(law)).unwrap()
}

/// How many standard errors the mean over draws and cells lies from the exact mean.
fn distance(alpha: f64, c: i64, moves: Moves) -> f64 {
    let law = TwoSidedGeometric::new(alpha).unwrap();
    let exact = exact(&law, c);
    let data = released(law, c);
    let model = Levels::new(&data).unwrap().bind(Default::default()).unwrap();
    let settings = Gibbs {
        moves,
        // Sweeps alone arrive in the end: at their default length they would be half way.
        thin: (moves == Moves::Nothing).then_some(2),
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let run = gibbs(&model, &settings, |_, _| {}).unwrap();
    let draws = &run.mean_rates[0];
    let mean = draws.iter().sum::<f64>() / draws.len() as f64;
    let chains = Chains::new(draws, run.kept[0]).unwrap();
    let z = (mean - exact) / chains.mcse_mean();
    println!(
        "alpha {alpha}, {moves:?}: {mean:.1}, exact {exact:.1}: {z:.2} standard errors; R-hat {:.3}",
        chains.r_hat()
    );
    z
}

/// Two comparisons at 4 standard errors: false positives 1e-4. Sweeps alone are the mutant.
#[test]
fn the_level_is_found() {
    assert!((exact(&TwoSidedGeometric::new(0.9999).unwrap(), 20_000) - 1111.0).abs() < 1.0);
    assert!((exact(&TwoSidedGeometric::new(0.999).unwrap(), 3000) - 1786.0).abs() < 1.0);
    for (alpha, c) in [(0.999, 3000), (0.9999, 20_000)] {
        let z = distance(alpha, c, Moves::default());
        assert!(z.abs() < 4.0, "{z} standard errors from the exact mean");
    }
    let z = distance(0.9999, 20_000, Moves::Nothing);
    assert!(z.abs() > 4.0, "sweeps alone: {z}");
}

/// Sweeps alone at strong noise stay where they began, at a level that is nine times too high, and the fit says so.
#[test]
fn a_level_that_is_nine_times_too_high_is_doubted() {
    let data = released(TwoSidedGeometric::new(0.9999).unwrap(), 20_000);
    let settings = Gibbs {
        moves: Moves::Nothing,
        max_retunes: 0,
        thin: Some(2),
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let doubts = Levels::new(&data).unwrap().gibbs(&settings).unwrap().doubts();
    assert!(doubts.iter().any(Doubt::is_of_draws), "{doubts:?}");
}

skellam::model! {
    /// A table that is a sum of products.
    model Table {
        index rows, cols, parts;
        latent theta[i in rows, k in parts] ~ Gamma(shape = 0.1, rate = 1.0);
        latent phi[k in parts, j in cols] ~ Gamma(shape = 0.1, rate = 1.0);
        count y[i in rows, j in cols] ~ Poisson(sum(k in parts) theta[i, k] * phi[k, j]);
        release y by TwoSidedGeometric;
    }
}

/// At epsilon / N = 1e-5 noise is a hundred thousand counts wide: a cell changes the log likelihood of a rate of one by 1e-5, all 3,600 with
/// their signs by 6e-4. So the posterior is the prior, whose mean rate is 3 x 0.1 x 0.1. Default settings; one comparison at 4 standard
/// errors, false positives 6e-5.
#[test]
fn where_nothing_is_said_the_prior_is_left() {
    let counts = Sensitive::new(Counts::dense(vec![60, 60], vec![0; 3600]).unwrap());
    let budget = Lplp::new(100_000, 1).unwrap();
    let data = counts.release_with_seed_for_simulation(&budget, 1).unwrap();
    let fit = Table::new(&data).unwrap().parts(3);
    let settings = Gibbs {
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let fit = fit.gibbs(&settings).unwrap();
    let (_, draws) = fit.mean_rates().next().unwrap();
    let mean = draws.iter().sum::<f64>() / draws.len() as f64;
    let chains = Chains::new(draws, fit.num_chains()).unwrap();
    let error = chains.mcse_mean();
    println!("{mean:.4} +- {error:.4}, R-hat {:.3}", chains.r_hat());
    assert!((mean - 0.03).abs() < 4.0 * error, "{mean} +- {error}");
}

/// The mean of a cell's variational posterior: where `shape = 1 + E[y]` and the expected count at the geometric mean of that
/// posterior agree, by bisection.
fn stationary(law: &TwoSidedGeometric, c: i64) -> f64 {
    let excess = |shape: f64| 1.0 + law.expect(shape.digamma().exp() / 1.001, c) - shape;
    let (mut low, mut high) = (1.0, 1e6);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if excess(middle) > 0.0 {
            low = middle
        } else {
            high = middle
        }
    }
    low / 1.001
}

/// Variational fits end at the top of their bound, not where their tolerance is met on the way, and say that this top is
/// narrow: at alpha 0.9999 the exact posterior is as wide as its mean, 1111, and the variational one 31 times narrower. The
/// mutant is the same number of iterations without leaps.
#[test]
fn a_variational_fit_finds_the_top_of_its_bound_and_says_that_it_is_narrow() {
    for (alpha, c) in [(0.999, 3000), (0.9999, 20_000)] {
        let law = TwoSidedGeometric::new(alpha).unwrap();
        let (top, data) = (stationary(&law, c), released(law, c));
        let settings = Cavi {
            progress: Progress::Hidden,
            ..Cavi::default()
        };
        let fit = Levels::new(&data).unwrap().cavi(&settings).unwrap();
        let cells: Vec<[usize; 1]> = (0..CELLS).map(|cell| [cell]).collect();
        let mean = fit.rate_at(&cells).unwrap().iter().sum::<f64>() / CELLS as f64;
        println!(
            "alpha {alpha}: {mean:.1} after {} iterations, the top is at {top:.1}",
            fit.iterations
        );
        assert!((mean / top - 1.0).abs() < 0.02, "alpha {alpha}: {mean} {top}");
        assert!(
            fit.trace.is_sorted_by(|a, b| b.1 > a.1 - 1e-11 * a.1.abs()),
            "the bound fell: {:?}",
            fit.trace
        );
        let doubts = fit.doubts();
        let is_narrow = |doubt: &Doubt| matches!(doubt, Doubt::Narrow { factor, .. } if *factor > 5.0);
        assert!(doubts.iter().any(is_narrow), "{doubts:?}");
        assert!(
            doubts.iter().any(|doubt| doubt.to_string().contains("use Gibbs")),
            "{doubts:?}"
        );

        let model = Levels::new(&data).unwrap().bind(FormKind::Collapsed).unwrap();
        let mut mutant = Ascent::new(&model, CaviForm::Collapsed, CaviStart::Dispersed, 1, 0);
        for _ in 0..fit.iterations {
            mutant.iterate(0.0, false);
        }
        let mut rates = vec![vec![0.0; CELLS]];
        mutant.add_rates(&mut rates);
        let mean = rates[0].iter().sum::<f64>() / CELLS as f64;
        assert!((mean / top - 1.0).abs() > 0.05, "iterations alone: {mean} {top}");
    }
}

/// Where counts are seen almost as they are, nothing is hidden, and nothing is doubted.
#[test]
fn a_variational_fit_of_clear_data_is_not_doubted() {
    let data = released(TwoSidedGeometric::new(0.1).unwrap(), 3000);
    let fit = Levels::new(&data).unwrap().cavi(&Cavi::default()).unwrap();
    assert_eq!(fit.doubts(), []);
}
