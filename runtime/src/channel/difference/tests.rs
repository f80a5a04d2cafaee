//! What is printed is evaluated, by the definitions of its symbols, and held against the functions that run.
//!
//! Every check takes the lines that are printed, so that a line that is changed alone is noticed: the mutants at the end.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use skellam_formula::{Expr, Line, Part, Quantity, Statement, StepLaw};

use Part::{Either, Minus, Plus};
use Quantity::{Alpha, Any, Geometric, Known, Minimum, Observed, Rate, Truth};
use Statement::{Declared, Drawn, Equal, Given, Posterior};

use super::*;
use crate::channel::skellam_bessel::{NoiseCounts, NoiseRates};
use crate::channel::{Augmentation, Channel, RateMoments, Skellam, SkellamBessel, TwoSidedGeometric};
use crate::distribution::{bessel_draw, binomial, gamma_draw};
use crate::special::value::Bindings;
use crate::special::{digamma, ln_gamma};

type Bessel = SkellamBessel;

fn number(n: u32) -> Expr {
    n.into()
}

fn of(quantity: Quantity) -> Expr {
    quantity.into()
}

fn noise(part: Part) -> Expr {
    of(Quantity::Noise(part))
}

/// `max(c, 0)`
fn above() -> Expr {
    of(Observed).positive()
}

/// `max(-c, 0)`
fn below() -> Expr {
    (-of(Observed)).positive()
}

/// Cells: alpha, the rate (or G of it), the observation, and counts of the noise in q.
fn cells() -> Vec<(f64, f64, i64, NoiseCounts)> {
    let mut all = Vec::new();
    for alpha in [0.1, 0.6, 0.9] {
        for rate in [1e-3, 0.4, 7.0, 60.0] {
            for c in [-40, -3, -1, 0, 1, 2, 25] {
                for [plus, minus] in [[0.2, 1.5], [4.0, 0.01]] {
                    all.push((alpha, rate, c, NoiseCounts { plus, minus }));
                }
            }
        }
    }
    all
}

fn error(printed: f64, runs: f64) -> f64 {
    let error = (printed - runs).abs() / runs.abs().max(1.0);
    if error.is_nan() { f64::INFINITY } else { error }
}

/// Takes every equation of `lines` in order, for both parts where it is about either.
fn solved(lines: &[Line], mut values: Bindings) -> Bindings {
    for line in lines {
        if let Equal(left, right) = &line.statement {
            let parts: &[Part] = if *left == on(left, Plus) {
                &[Plus]
            } else {
                &[Plus, Minus]
            };
            for part in parts {
                let value = values.of(right, *part);
                values = values.with(on(left, *part), value);
            }
        }
    }
    values
}

/// The left side of an equation, read for one part.
fn on(left: &Expr, part: Part) -> Expr {
    match left {
        Expr::Of(Quantity::Level(Either)) => of(Quantity::Level(part)),
        Expr::Of(Quantity::Noise(Either)) => noise(part),
        Expr::Mean(inside) => on(inside, part).mean(),
        Expr::GeometricMean(inside) => on(inside, part).geometric_mean(),
        other => other.clone(),
    }
}

/// What is known of a cell before a variational step: the channel, the observation, and q(lambda) of the step before.
fn before(lines: &[Line], alpha: f64, c: i64, factor: &NoiseCounts) -> Bindings {
    let values = Bindings::default()
        .with(Alpha, alpha)
        .with(Observed, c as f64)
        .with(noise(Plus).mean(), factor.plus)
        .with(noise(Minus).mean(), factor.minus);
    // G[lambda] is printed after the noise that it is used for: a step begins with that of the step before.
    let last = lines.last().map(std::slice::from_ref).unwrap_or_default();
    let known = solved(last, values);
    let [plus, minus] = [Plus, Minus].map(|part| {
        let level = of(Quantity::Level(part)).geometric_mean();
        (level.clone(), known.of(&level, part))
    });
    Bindings::default()
        .with(Alpha, alpha)
        .with(Observed, c as f64)
        .with(plus.0, plus.1)
        .with(minus.0, minus.1)
}

fn law_of(lines: &[Line], variable: &Expr) -> StepLaw {
    let found = lines.iter().find_map(|line| match &line.statement {
        Drawn(of, law) | Posterior(of, law) if of == variable => Some(law.clone()),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("no law of {variable:?}"))
}

/// The worst error of `E[y]` and the noise counts of a variational step.
fn cavi_error(lines: &[Line]) -> f64 {
    let mut worst = 0.0f64;
    for (alpha, rate, c, factor) in cells() {
        let channel = TwoSidedGeometric::new(alpha).unwrap();
        let values = solved(lines, before(lines, alpha, c, &factor).with(Geometric, rate));
        let mut runs = factor;
        let y = rate * Bessel::expect(&channel, rate, c, &mut runs);
        for (printed, runs) in [
            (of(Truth).mean(), y),
            (noise(Plus).mean(), runs.plus),
            (noise(Minus).mean(), runs.minus),
        ] {
            worst = worst.max(error(values.of(&printed, Plus), runs));
        }
        // The law whose mean is printed is the one that is printed.
        let StepLaw::Bessel { order, argument } = law_of(lines, &of(Minimum)) else {
            panic!("q(m) is a Bessel law")
        };
        let mean = crate::special::bessel_mean(values.of(&order, Plus) as u64, values.of(&argument, Plus));
        worst = worst.max(error(values.of(&of(Minimum).mean(), Plus), mean));
    }
    worst
}

/// The worst error of the bound of a cell.
fn bound_error(noise_of: &PoissonDifference) -> f64 {
    let lines = noise_of.cavi();
    let mut worst = 0.0f64;
    for (alpha, rate, c, factor) in cells() {
        let channel = TwoSidedGeometric::new(alpha).unwrap();
        let mut values = before(&lines, alpha, c, &factor).with(Geometric, rate);
        for (part, count) in [(Plus, factor.plus), (Minus, factor.minus)] {
            // q is Gamma(1 + E[g], 1/alpha), the prior Gamma(1, (1 - alpha)/alpha); the divergence of two gammas.
            let (a, b, prior_rate) = (1.0 + count, 1.0 / alpha, (1.0 - alpha) / alpha);
            let divergence = (a - 1.0) * digamma(a) - ln_gamma(a) + (b / prior_rate).ln() + a * (prior_rate - b) / b;
            values = values
                .with(Expr::Divergence(part), divergence)
                .with(of(Quantity::Level(part)).mean(), a / b);
        }
        // S and z at this q, then the bound.
        let values = solved(&lines[..2], values).with(of(Rate).mean(), 0.0);
        let runs = Bessel::bound(&channel, rate, c, &factor);
        worst = worst.max(error(values.of(&noise_of.bound(), Plus), runs));
    }
    worst
}

/// The worst error of the published step.
fn published_error(lines: &[Line], method: &Line) -> f64 {
    let Equal(_, delta) = &method.statement else {
        panic!("the delta method is an equation")
    };
    let by_delta = |mean: f64, variance: f64| {
        let values = Bindings::default().with(of(Any).mean(), mean);
        values.with(of(Any).variance(), variance).of(delta, Plus)
    };
    let sum = of(Quantity::Level(Plus)) + of(Rate);
    let mut worst = 0.0f64;
    for (alpha, mean, c, factor) in cells() {
        let channel = TwoSidedGeometric::new(alpha).unwrap();
        let rate = RateMoments {
            mean,
            variance: 0.7 * mean * mean,
        };
        let values = before(lines, alpha, c, &factor)
            .with(of(Rate).mean(), rate.mean)
            .with(of(Rate).variance(), rate.variance)
            .with(of(Rate).delta(), by_delta(rate.mean, rate.variance));
        // E[lambda+] in the moments of the sum is that of the step before.
        let moments = solved(&lines[..2], values.clone().with(noise(Plus).mean(), factor.plus));
        let sum_by_delta = by_delta(
            moments.of(&sum.clone().mean(), Plus),
            moments.of(&sum.clone().variance(), Plus),
        );
        let values = solved(&lines[2..3], values.with(sum.clone().delta(), sum_by_delta));
        let StepLaw::Point { at } = law_of(lines, &of(Minimum)) else {
            panic!("q(m) is a point")
        };
        let m = values.of(&at, Plus);
        let values = solved(&lines[4..], values.with(Minimum, m));
        let mut runs = factor;
        let y = Bessel::published(&channel, rate, c, &mut runs);
        for (printed, runs) in [
            (of(Truth).mean(), y),
            (noise(Plus).mean(), runs.plus),
            (noise(Minus).mean(), runs.minus),
        ] {
            worst = worst.max(error(values.of(&printed, Plus), runs));
        }
    }
    worst
}

/// How many cells differ between the Gibbs step that runs and one that draws what is printed, with the same random numbers.
fn gibbs_differences(lines: &[Line]) -> usize {
    let mut differences = 0;
    for (seed, (alpha, rate, c, state)) in cells().into_iter().enumerate() {
        let channel = TwoSidedGeometric::new(alpha).unwrap();
        let state = NoiseRates {
            plus: state.plus,
            minus: state.minus,
        };
        let [mut printed, mut running] = [(); 2].map(|()| Xoshiro256PlusPlus::seed_from_u64(seed as u64));
        let mut runs = state;
        let y = Bessel::impute(&channel, rate, c, &mut runs, &mut running);
        let values = Bindings::default()
            .with(Alpha, alpha)
            .with(Observed, c as f64)
            .with(Rate, rate)
            .with(Quantity::Level(Plus), state.plus)
            .with(Quantity::Level(Minus), state.minus);
        let values = drawn(lines, values, &mut printed);
        let same = values.of(&of(Truth), Plus) == y as f64
            && [(Plus, runs.plus), (Minus, runs.minus)].iter().all(|(part, level)| {
                // Draws are the same; their scale is rounded in another order.
                let redrawn = gamma_of(lines, &values, *part, &mut printed);
                (redrawn - level).abs() <= 1e-12 * level
            });
        differences += usize::from(!same);
    }
    differences
}

/// `m`, `y` and both parts of the noise, as printed.
fn drawn<R: Rng>(lines: &[Line], values: Bindings, rng: &mut R) -> Bindings {
    let StepLaw::Bessel { order, argument } = law_of(lines, &of(Minimum)) else {
        panic!("m is a Bessel variable")
    };
    let m = bessel_draw(values.of(&order, Plus) as u64, values.of(&argument, Plus), rng);
    let values = values.with(Minimum, m as f64);
    let StepLaw::Binomial { trials, share } = law_of(lines, &of(Truth)) else {
        panic!("y is binomial")
    };
    let y = binomial(values.of(&trials, Plus) as u64, values.of(&share, Plus), rng);
    solved(lines, values.with(Truth, y as f64))
}

fn gamma_of<R: Rng>(lines: &[Line], values: &Bindings, part: Part, rng: &mut R) -> f64 {
    let StepLaw::Gamma { shape, rate } = law_of(lines, &of(Quantity::Level(Either))) else {
        panic!("rates of the noise are gamma")
    };
    gamma_draw(values.of(&shape, part), rng) / values.of(&rate, part)
}

/// Tolerances: `I(n + 1, z) / I(n, z)` is a quotient of exponentials of logarithms of size 1e2 at 1e-13 each.
const TOLERANCE: f64 = 1e-10;

#[test]
fn the_variational_step_is_as_printed() {
    let worst = cavi_error(&PoissonDifference::geometric().cavi());
    assert!(worst < TOLERANCE, "{worst:e}");
}

#[test]
fn the_bound_is_as_printed() {
    let worst = bound_error(&PoissonDifference::geometric());
    assert!(worst < TOLERANCE, "{worst:e}");
}

#[test]
fn the_published_step_is_as_printed() {
    let worst = published_error(
        &PoissonDifference::geometric().published(),
        &PoissonDifference::delta_method(),
    );
    assert!(worst < TOLERANCE, "{worst:e}");
}

#[test]
fn the_gibbs_step_is_as_printed() {
    assert_eq!(gibbs_differences(&PoissonDifference::geometric().gibbs()), 0);
}

/// What is added to the rate of the exponential law by a Poisson count is one.
#[test]
fn the_posterior_rate_is_the_prior_rate_and_one() {
    let Level::Exponential { rate, updated } = PoissonDifference::geometric().level else {
        panic!("the rates are exponential")
    };
    for alpha in [0.01, 0.3, 0.99] {
        let values = Bindings::default().with(Alpha, alpha);
        assert!(error(values.of(&updated, Plus), values.of(&rate, Plus) + 1.0) < 1e-14);
    }
}

/// Where the rates of the noise are known, the same lines are the collapsed form.
#[test]
fn known_rates_are_the_channel_of_skellam_noise() {
    let noise_of = PoissonDifference { level: Level::Known };
    assert!(noise_of.published().is_empty() && !noise_of.is_augmented());
    for (seed, (level, rate, c, _)) in cells().into_iter().enumerate() {
        let channel = Skellam::new(level).unwrap();
        let values = Bindings::default().with(Known, level).with(Observed, c as f64);
        let solved = solved(&noise_of.cavi(), values.clone().with(Geometric, rate));
        assert!(error(solved.of(&of(Truth).mean(), Plus), channel.expect(rate, c)) < TOLERANCE);
        let [mut printed, mut running] = [(); 2].map(|()| Xoshiro256PlusPlus::seed_from_u64(seed as u64));
        let y = channel.impute(rate, c, &mut running);
        let values = drawn(&noise_of.gibbs(), values.with(Rate, rate), &mut printed);
        assert_eq!(values.of(&of(Truth), Plus), y as f64, "{level} {rate} {c}");
    }
}

/// Every place of a formula where `from` stands, changed into `to`.
fn changed(formula: &Expr, from: &Expr, to: &Expr) -> Expr {
    if formula == from {
        return to.clone();
    }
    let again = |of: &Expr| changed(of, from, to);
    let boxed = |of: &Expr| Box::new(again(of));
    let both = |of: &[Expr; 2]| Box::new([again(&of[0]), again(&of[1])]);
    match formula {
        Expr::Sum(all) => Expr::Sum(all.iter().map(again).collect()),
        Expr::Product(all) => Expr::Product(all.iter().map(again).collect()),
        Expr::Negative(of) => Expr::Negative(boxed(of)),
        Expr::Quotient(of) => Expr::Quotient(both(of)),
        Expr::Bessel(of) => Expr::Bessel(both(of)),
        Expr::Root(of) => Expr::Root(boxed(of)),
        Expr::Positive(of) => Expr::Positive(boxed(of)),
        Expr::Floor(of) => Expr::Floor(boxed(of)),
        Expr::Exp(of) => Expr::Exp(boxed(of)),
        Expr::Digamma(of) => Expr::Digamma(boxed(of)),
        Expr::Square(of) => Expr::Square(boxed(of)),
        other => other.clone(),
    }
}

/// The lines with `from` changed into `to` on the right sides.
fn mutant(lines: &[Line], from: &Expr, to: &Expr) -> Vec<Line> {
    let change = |of: &Expr| changed(of, from, to);
    let law = |law: &StepLaw| match law {
        StepLaw::Poisson { rate } => StepLaw::Poisson { rate: change(rate) },
        StepLaw::Exponential { rate } => StepLaw::Exponential { rate: change(rate) },
        StepLaw::Gamma { shape, rate } => StepLaw::Gamma {
            shape: change(shape),
            rate: change(rate),
        },
        StepLaw::Binomial { trials, share } => StepLaw::Binomial {
            trials: change(trials),
            share: change(share),
        },
        StepLaw::Bessel { order, argument } => StepLaw::Bessel {
            order: change(order),
            argument: change(argument),
        },
        StepLaw::SplicedPoisson { .. } | StepLaw::PresentPoisson { .. } => {
            unreachable!("no step of a difference has such a law")
        }
        StepLaw::Point { at } => StepLaw::Point { at: change(at) },
    };
    let all: Vec<Line> = lines
        .iter()
        .map(|line| Line {
            statement: match &line.statement {
                Declared(of, l) => Declared(of.clone(), law(l)),
                Drawn(of, l) => Drawn(of.clone(), law(l)),
                Posterior(of, l) => Posterior(of.clone(), law(l)),
                Given(of, known, l) => Given(of.clone(), known.clone(), law(l)),
                Equal(left, right) => Equal(left.clone(), change(right)),
            },
            source: line.source,
        })
        .collect();
    assert_ne!(all, lines, "{from:?} stands nowhere");
    all
}

/// What is easily got wrong, one at a time: each is noticed in every form in which it is printed.
#[test]
fn wrong_formulas_are_noticed() {
    let right = PoissonDifference::geometric();
    let order = of(Observed).absolute();
    let misprint = of(Alpha) / (number(1) - of(Alpha)) + number(1);
    let geometric = |part| of(Quantity::Level(part)).geometric_mean();
    let level = |part| of(Quantity::Level(part));

    let gibbs = [
        ("order of the Bessel law", order.clone(), order.clone() + number(1)),
        ("posterior rate of ICML19", number(1) / of(Alpha), misprint.clone()),
        ("noise of the wrong side in the argument", level(Minus), level(Plus)),
        ("the observation left out of the trials", above(), number(0)),
        ("the observation left out of the noise", below(), number(0)),
    ];
    for (what, from, to) in gibbs {
        let differences = gibbs_differences(&mutant(&right.gibbs(), &from, &to));
        assert!(differences > 0, "Gibbs: {what}");
    }
    let cavi = [
        ("order of the Bessel law", order.clone(), order.clone() + number(1)),
        (
            "noise of the wrong side in the argument",
            geometric(Minus),
            geometric(Plus),
        ),
        ("the observation left out of the total", above(), number(0)),
        ("the observation left out of the noise", below(), number(0)),
        (
            "shape without one",
            number(1) + noise(Either).mean(),
            noise(Either).mean(),
        ),
        (
            "G of the noise as its mean",
            (number(1) + noise(Either).mean()).digamma().exp(),
            number(1) + noise(Either).mean(),
        ),
    ];
    for (what, from, to) in cavi {
        let worst = cavi_error(&mutant(&right.cavi(), &from, &to));
        assert!(worst > 1e-3, "CAVI: {what}: {worst:e}");
    }
    let published = [
        ("order of the Bessel law", order.clone(), order + number(1)),
        (
            "noise of the wrong side in the argument",
            geometric(Minus),
            geometric(Plus),
        ),
        ("the observation left out of the total", above(), number(0)),
        ("a variance that is a mean", of(Alpha).square(), of(Alpha)),
        ("G of the rate as its mean", of(Rate).delta(), of(Rate).mean()),
    ];
    let method = PoissonDifference::delta_method();
    for (what, from, to) in published {
        let worst = published_error(&mutant(&right.published(), &from, &to), &method);
        assert!(worst > 1e-3, "published: {what}: {worst:e}");
    }
    let without_half = &mutant(std::slice::from_ref(&method), &number(2), &number(1))[0];
    let worst = published_error(&right.published(), without_half);
    assert!(worst > 1e-3, "delta method without its half: {worst:e}");

    let mut misprinted = right.clone();
    misprinted.level = Level::Exponential {
        rate: (number(1) - of(Alpha)) / of(Alpha),
        updated: misprint,
    };
    assert!(cavi_error(&misprinted.cavi()) > 1e-3, "CAVI: posterior rate of ICML19");
    assert!(bound_error(&misprinted) > 1e-3, "bound: posterior rate of ICML19");
}
