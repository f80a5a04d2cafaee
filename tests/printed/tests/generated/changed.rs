//! What is written is what runs: one value of a derivation is changed, and the formula, the line below it and the run change with it. The
//! self-test, which knows the declaration alone, objects.

use skellam::selftest::SelfTest;
use skellam_printed::{CHANGED, TEXTS};
use skellam_printed::{less_exposure, other_order, other_rate, other_shape, squared_loading, twice_the_exposure};

/// The two doc lines of `theta` in a generated file, and its calls.
fn of_theta(text: &str) -> Vec<&str> {
    let is_about = |line: &&str| line.contains("`θ[d,k] | − ~") || line.contains("`q(θ[d,k]) =");
    let calls = text.lines().skip_while(|line| !line.contains("fn draw_theta"));
    let docs = text.lines().filter(is_about);
    docs.chain(calls.take(6)).map(str::trim).collect()
}

macro_rules! run {
    ($($module:ident),*) => {{
        // The conditional that was changed is among the first laws that are tried.
        let test = SelfTest { stop_at_failure: true, ..SelfTest::default() };
        [$((stringify!($module), test.run::<$module::Matrix>())),*]
    }};
}

#[test]
fn a_changed_value_changes_the_formula_and_the_run() {
    let whole = TEXTS.iter().find(|(name, _)| *name == "matrix").expect("it is printed");
    let reports = run!(
        less_exposure,
        twice_the_exposure,
        squared_loading,
        other_shape,
        other_rate
    );
    for (name, report) in &reports {
        let (_, text) = CHANGED
            .iter()
            .find(|(module, _)| module == name)
            .expect("it is printed");
        assert_ne!(of_theta(text), of_theta(whole.1), "{name}");
        assert!(
            report.failures().any(|row| row.of.contains("theta")),
            "{name}: {report}"
        );
    }
}

/// Factors in another order are no walk of the tree: plain loops compute them, and every law holds.
#[test]
fn what_no_walk_computes_is_computed_by_loops() {
    let (_, text) = CHANGED
        .iter()
        .find(|(module, _)| *module == "other_order")
        .expect("it is printed");
    assert!(text.contains("Σ_v φ[k,v] w[d,v]"), "{text}");
    let report = SelfTest::default().run::<other_order::Matrix>();
    assert!(report.passed(), "{report}");
}
