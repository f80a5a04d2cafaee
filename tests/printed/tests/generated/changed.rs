//! What is written is what runs: one conditional of a derivation is changed, and the formula, the line below it and the run change with it. The
//! self-test, which knows the declaration alone, objects.

use skellam::prelude::*;
use skellam_check::{Check, Report, SelfTest, Testable};
use skellam_printed::{CHANGED, RIGHT, TEXTS};
use skellam_printed::{
    forgotten_count, forgotten_divergence, less_exposure, misprinted_noise, one_sided_noise, one_where_present,
    other_family, other_line, smaller_side, twice_the_children, twice_the_shape,
};

/// The documentation of what draws and updates a latent, and the calls below it.
fn about<'a>(text: &'a str, latent: &str) -> [Vec<&'a str>; 2] {
    let symbol = match latent {
        "theta" => "θ",
        "xi" => "ξ",
        other => other,
    };
    let is_about = |line: &&str| {
        line.contains(&format!("/// `{symbol}[")) && line.contains("| −") || line.contains(&format!("`q({symbol}["))
    };
    let calls = ["prior_of", "exposure_of", "draw", "ascend"]
        .into_iter()
        .flat_map(|verb| {
            let function = format!("fn {verb}_{latent}(");
            let from = text.lines().skip_while(move |line| !line.contains(&function));
            from.take_while(|line| *line != "    }")
        });
    [text.lines().filter(is_about).collect(), calls.collect()]
}

fn text<'a>(all: &'a [(&str, &'a str)], module: &str) -> &'a str {
    let found = all.iter().find(|(name, _)| *name == module);
    found.expect("it is printed").1
}

/// The report of a model that differs from the printed `model` in some lines, each given as it was and as it is. It ends with the first law that fails.
fn objection<T: Testable>(module: &str, model: &str, lines: [[&str; 2]; 2]) -> Report {
    let (right, wrong) = (text(TEXTS, model), text(CHANGED, module));
    for [right_line, wrong_line] in lines {
        assert!(right.contains(right_line) && !right.contains(wrong_line));
        assert!(wrong.contains(wrong_line) && !wrong.contains(right_line));
    }
    let test = SelfTest {
        stop_at_failure: true,
        ..SelfTest::default()
    };
    test.run::<T>()
}

/// The report of a model that differs from the printed `model` in the conditional of `latent`. It ends with the first law that fails: conditionals are
/// among the first.
fn changed<T: Testable>(module: &str, model: &str, latent: &str) -> Report {
    let (whole, other) = (text(TEXTS, model), text(CHANGED, module));
    for (before, after) in about(whole, latent).iter().zip(&about(other, latent)) {
        assert_ne!(before, after, "{module}");
    }
    let test = SelfTest {
        stop_at_failure: true,
        ..SelfTest::default()
    };
    test.run::<T>()
}

/// One row of the table of a law is changed, what draws noise, counts, expects counts or both of a difference in turn: the formula and the line below it
/// change, and the self-test, which knows the law of what is observed alone, objects to what runs.
#[test]
fn a_changed_row_changes_the_formula_and_the_run() {
    macro_rules! reports {
        ($($module:ident: $model:ident),*) => {
            [$((stringify!($module), SelfTest { stop_at_failure: true, ..SelfTest::default() }.run::<$module::$model>())),*]
        };
    }
    let reports = reports!(
        misprinted_noise: Matrix,
        one_sided_noise: Matrix,
        one_where_present: Matrix,
        smaller_side: Noisy
    );
    for (module, report) in &reports {
        assert!(!report.passed(), "{module}: {report}");
        // A formula and one line of Rust, or one for either part of the noise.
        let [right, wrong] = [RIGHT, CHANGED].map(|all| text(all, module).lines());
        let changed: Vec<[&str; 2]> = right.zip(wrong).filter(|(a, b)| a != b).map(|(a, b)| [a, b]).collect();
        let formulas = changed.iter().filter(|[_, wrong]| wrong.contains("/// `")).count();
        assert!(
            formulas == 1 && (2..=3).contains(&changed.len()),
            "{module}: {changed:#?}"
        );
    }
}

/// A bound that forgets how far `q(phi)` is from its prior, and one that forgets a count: an ascent does not end where it is flat.
#[test]
fn a_changed_bound_changes_the_formula_and_the_run() {
    let is_objection = |row: &skellam_check::Row| matches!(row.check, Check::Ascent | Check::Flat);
    let report = objection::<forgotten_divergence::Matrix>(
        "forgotten_divergence",
        "matrix",
        [
            [" − KL(q(θ) ‖ p(θ)) − KL(q(φ) ‖ p(φ))`", " − KL(q(θ) ‖ p(θ))`"],
            [
                "of.divergence(&[Self::THETA, Self::PHI])",
                "of.divergence(&[Self::THETA])",
            ],
        ],
    );
    assert!(report.failures().any(is_objection), "{report}");
    let report = objection::<forgotten_count::Answers>(
        "forgotten_count",
        "answers",
        [
            ["+ Σ_{i,j} L_rated[i,j]", "+ Σ_{i,j} L_liked[i,j] − KL"],
            [
                "of.cells(&[Self::BOUGHT, Self::LIKED, Self::RATED])",
                "of.cells(&[Self::BOUGHT, Self::LIKED])",
            ],
        ],
    );
    assert!(report.failures().any(is_objection), "{report}");
}

#[test]
fn a_changed_value_changes_the_formula_and_the_run() {
    macro_rules! reports {
        ($($module:ident: $model:ident . $latent:ident),*) => {
            [$((
                stringify!($module),
                stringify!($latent),
                changed::<$module::$model>(stringify!($module), &stringify!($model).to_lowercase(), stringify!($latent)),
            )),*]
        };
    }
    let reports = reports!(
        less_exposure: Matrix.theta,
        other_family: Matrix.theta,
        twice_the_children: Hierarchy.xi
    );
    for (name, latent, report) in &reports {
        let is_objection = |row: &&skellam_check::Row| row.check == Check::JointRatio && row.of == *latent;
        assert!(report.failures().find(is_objection).is_some(), "{name}: {report}");
    }
}

/// A latent in its own shape is drawn with itself integrated out, so that its conditional is held to the posterior by draws.
#[test]
fn a_changed_shape_in_time_changes_the_formula_and_the_run() {
    let report = changed::<twice_the_shape::Dynamic>("twice_the_shape", "dynamic", "theta");
    let is_objection = |row: &skellam_check::Row| row.check == Check::Geweke;
    assert!(report.failures().any(is_objection), "{report}");
}

/// What the tutorial shows: a line of a copy is changed, the copy runs, and the self-test, which knows the declaration at its end, says which conditional is another.
#[test]
fn a_line_that_is_changed_by_hand_runs_and_is_found() {
    let counts = Counts::dense(vec![3, 4], vec![0, 2, 1, 0, 3, 0, 0, 1, 0, 4, 0, 2]).unwrap();
    let gibbs = Gibbs {
        num_tune: 20,
        num_draws: 20,
        seed: 3,
        ..Gibbs::default()
    };
    let theta = |fit: &[f64]| fit.iter().sum::<f64>();
    let other = other_line::Matrix::exact(&counts)
        .unwrap()
        .topics(2)
        .gibbs(&gibbs)
        .unwrap();
    let right = skellam_printed::matrix::Matrix::exact(&counts)
        .unwrap()
        .topics(2)
        .gibbs(&gibbs)
        .unwrap();
    assert_ne!(
        theta(other.theta.as_slice().unwrap()),
        theta(right.theta.as_slice().unwrap())
    );
    let test = SelfTest {
        stop_at_failure: true,
        ..SelfTest::default()
    };
    let report = test.run::<other_line::Matrix>();
    let is_of_theta = |row: &skellam_check::Row| row.check == Check::JointRatio && row.of == "theta";
    assert!(
        report.failures().count() == 1 && report.failures().all(is_of_theta),
        "{report}"
    );
}
