//! Each line that is computed is held to the value that is printed.

use quote::format_ident;
use skellam_formula::Level;

use super::super::hygiene::in_order;
use super::*;

fn text_of(noise: &PoissonDifference) -> String {
    text_with(noise, &CollapsedNoise::geometric())
}

/// With this law where the noise is summed out.
fn text_with(noise: &PoissonDifference, summed: &CollapsedNoise) -> String {
    let cell = format_ident!("TopicsCell");
    let (docs, vis) = (&[], &syn::Visibility::Inherited);
    let items = match noise.is_augmented() {
        true => kept(docs, vis, &cell, noise, summed, true),
        false => known(docs, vis, &cell, noise),
    };
    let file = syn::parse2(in_order(&items)).unwrap();
    // Without its line breaks.
    let words: Vec<String> = prettyplease::unparse(&file)
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    words.join(" ")
}

/// Every formula that the derivation prints stands in the file, and nothing in it is computed without one.
#[test]
fn every_formula_stands_above_its_line() {
    let summed = CollapsedNoise::geometric();
    for (noise, summed) in [
        (PoissonDifference::geometric(), [summed.gibbs(), summed.cavi()].concat()),
        (PoissonDifference::known(), Vec::new()),
    ] {
        let text_of_file = text_of(&noise);
        for line in [noise.gibbs(), noise.cavi(), noise.published(), summed].concat() {
            let formula = text(&per_rate(&line));
            let formula = formula.split("   [").next().unwrap();
            assert!(
                text_of_file.contains(&format!("`{formula}`")),
                "{formula}: {text_of_file}"
            );
        }
    }
}

/// The same of every law of which nothing is kept.
#[test]
fn laws_that_are_summed_out_are_written_out() {
    for law in SummedOut::all() {
        let file = summed_out_text(&law);
        for line in [law.gibbs(), law.cavi()].concat() {
            let formula = text(&per_rate(&line));
            assert!(file.contains(&format!("`{formula}`")), "{formula}: {file}");
        }
    }
}

/// A value of such a law is changed: the line below the formula changes.
#[test]
fn a_changed_law_that_is_summed_out_changes_its_lines() {
    let changed = |name: &str, change: fn(CollapsedNoise) -> CollapsedNoise| {
        let right = SummedOut::of_law(name).unwrap();
        let CountGiven::Noisy(noise) = right.count.clone() else {
            panic!("{name} is noise");
        };
        let wrong = SummedOut {
            count: CountGiven::Noisy(change(noise)),
            ..right.clone()
        };
        [right, wrong].map(|law| summed_out_text(&law))
    };
    let [file, wrong] = changed("TruncatedGeometric", |noise| CollapsedNoise {
        above: 1.into(),
        ..noise
    });
    for (is, becomes) in [
        ("new(mu / alpha, c, mu * alpha)", "new(mu / alpha, c, mu * 1.0)"),
        ("q.below / alpha + alpha * q.from", "q.below / alpha + 1.0 * q.from"),
    ] {
        assert!(file.contains(is) && !wrong.contains(is), "{file}");
        assert!(wrong.contains(becomes) && !file.contains(becomes), "{wrong}");
    }
    // Between the two laws of Laplace noise, as if they met.
    let [file, wrong] = changed("Laplace", |noise| CollapsedNoise {
        at: Some(noise.above.clone()),
        ..noise
    });
    for (is, becomes) in [
        (
            "let ratio = mu * alpha.powf(1.0 - 2.0 * (c - c.floor()));",
            "let ratio = mu * alpha;",
        ),
        (
            "alpha.powf(1.0 - 2.0 * (c - c.floor())) * q.at",
            "alpha * q.at + alpha * q.above",
        ),
    ] {
        assert!(file.contains(is) && !wrong.contains(is), "{file}");
        assert!(wrong.contains(becomes) && !file.contains(becomes), "{wrong}");
    }
}

fn summed_out_text(law: &SummedOut) -> String {
    let items = summed_out(&[], &syn::Visibility::Inherited, &format_ident!("CutCell"), law);
    let file = prettyplease::unparse(&syn::parse2(in_order(&items)).unwrap());
    file.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// One value is changed, the posterior rate as ICML19 misprints it: the formula and the line below it change.
#[test]
fn a_changed_value_changes_the_formula_and_its_line() {
    let right = PoissonDifference::geometric();
    let alpha = || Expr::from(Quantity::Alpha);
    let Level::Exponential { rate, .. } = right.level.clone() else {
        panic!("the rates of geometric noise are exponential");
    };
    let misprinted = PoissonDifference {
        level: Level::Exponential {
            rate,
            updated: alpha() / (Expr::from(1) - alpha()) + Expr::from(1),
        },
    };
    let (right, wrong) = (text_of(&right), text_of(&misprinted));
    assert!(
        right.contains("Gamma(1 + g±, 1/α)") && right.contains("1.0 / alpha, rng"),
        "{right}"
    );
    assert!(
        wrong.contains("Gamma(1 + g±, α/(1 − α) + 1)") && wrong.contains("alpha / (1.0 - alpha) + 1.0"),
        "{wrong}"
    );
    assert!(!wrong.contains("1.0 / alpha, rng"), "{wrong}");
}

/// The same of the law where the noise is summed out: another rate above what was observed.
#[test]
fn a_changed_law_changes_the_formula_and_its_line() {
    let noise = PoissonDifference::geometric();
    let right = CollapsedNoise::geometric();
    let forgotten = CollapsedNoise {
        above: 1.into(),
        ..right.clone()
    };
    let (right, wrong) = (text_with(&noise, &right), text_with(&noise, &forgotten));
    for (right_line, wrong_line) in [
        (
            "Poisson(μ/α) up to c, Poisson(μ α) above",
            "Poisson(μ/α) up to c, Poisson(μ 1) above",
        ),
        ("new(mu / alpha, c, mu * alpha)", "new(mu / alpha, c, mu * 1.0)"),
        ("q(y < c)/α + α q(y ≥ c)", "q(y < c)/α + 1 q(y ≥ c)"),
        ("q.below / alpha + alpha * q.from", "q.below / alpha + 1.0 * q.from"),
    ] {
        assert!(right.contains(right_line) && !right.contains(wrong_line), "{right}");
        assert!(wrong.contains(wrong_line) && !wrong.contains(right_line), "{wrong}");
    }
}

/// Each line of the steps in turn with something added to its formula: either the line of the file changes with it, or there is no such file.
#[test]
fn no_line_says_one_thing_and_computes_another() {
    let (noise, known) = (PoissonDifference::geometric(), PoissonDifference::known());
    let (difference, geometric) = (CountDifference, CollapsedNoise::geometric());
    let [_, laplace, _, present] = SummedOut::all();
    let delta = vec![PoissonDifference::delta_method()];
    let more = |of: &Expr| of.clone() + Expr::from(1);
    for steps in [
        noise.gibbs(),
        noise.cavi(),
        noise.published(),
        delta,
        known.gibbs(),
        known.cavi(),
        difference.gibbs(),
        difference.cavi(),
        geometric.gibbs(),
        geometric.cavi(),
        laplace.gibbs(),
        laplace.cavi(),
        present.gibbs(),
        present.cavi(),
    ] {
        let code = |steps: &[Line]| {
            let tokens = std::panic::catch_unwind(|| lines(steps).to_string());
            // Without documentation.
            tokens
                .ok()
                .map(|text| text.split("# [").map(after_doc).collect::<String>())
        };
        let before = code(&steps);
        assert!(before.is_some());
        for at in 0..steps.len() {
            let mut changed = steps.clone();
            let statement = &mut changed[at].statement;
            *statement = match statement {
                Statement::Equal(of, right) => Statement::Equal(of.clone(), more(right)),
                Statement::Drawn(of, law) => Statement::Drawn(of.clone(), with_more(law)),
                Statement::Posterior(of, law) => Statement::Posterior(of.clone(), with_more(law)),
                // Their means are computed by the next line.
                Statement::Given(..) | Statement::Declared(..) => continue,
            };
            assert_ne!(code(&changed), before, "{:?}", changed[at]);
        }
    }
}

/// What follows an attribute.
fn after_doc(part: &str) -> &str {
    part.strip_prefix("doc")
        .and_then(|rest| rest.split_once("\"]"))
        .map_or(part, |(_, rest)| rest)
}

fn with_more(law: &StepLaw) -> StepLaw {
    let more = |of: &Expr| of.clone() + Expr::from(1);
    match law {
        StepLaw::Poisson { rate } => StepLaw::Poisson { rate: more(rate) },
        StepLaw::Exponential { rate } => StepLaw::Exponential { rate: more(rate) },
        StepLaw::Gamma { shape, rate } => StepLaw::Gamma {
            shape: more(shape),
            rate: rate.clone(),
        },
        StepLaw::Binomial { trials, share } => StepLaw::Binomial {
            trials: more(trials),
            share: share.clone(),
        },
        StepLaw::Bessel { order, argument } => StepLaw::Bessel {
            order: order.clone(),
            argument: more(argument),
        },
        StepLaw::SplicedPoisson { low, cut, at, high } => StepLaw::SplicedPoisson {
            low: low.clone(),
            cut: cut.clone(),
            at: at.clone(),
            high: more(high),
        },
        StepLaw::PresentPoisson { rate } => StepLaw::PresentPoisson { rate: more(rate) },
        StepLaw::Point { at } => StepLaw::Point { at: more(at) },
    }
}
