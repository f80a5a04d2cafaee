//! Tables and verdicts.

use expect_test::expect;

use super::*;
use crate::diagnose::Warning;

/// Noise of variance one, uncorrelated, in (-sqrt 3, sqrt 3).
fn noise(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / 2f64.powi(53)
    };
    (0..n).map(|_| (next() - 0.5) * 12f64.sqrt()).collect()
}

/// Chains of 500, each from noise, its number and the number of the draw.
fn chains(chains: usize, seed: u64, at: impl Fn(f64, usize, usize) -> f64) -> Vec<f64> {
    let noise = noise(chains * 500, seed).into_iter().enumerate();
    noise.map(|(i, e)| at(e, i / 500, i % 500)).collect()
}

fn verdict(num_chains: usize, draws: &[f64]) -> Verdict {
    let summary = Summary::of(num_chains, draws.len() / num_chains, [("x", draws)]).unwrap();
    summary.verdict()
}

#[test]
fn a_table_is_aligned_and_rounded_as_arviz_does() {
    let rows = [
        ("theta[0, 1]", chains(4, 1, |e, _, _| 12.0 + e)),
        ("b", chains(4, 2, |e, c, _| 0.01 * e + c as f64)),
        ("constant", vec![2.0; 2000]),
        ("c", chains(4, 3, |e, c, _| e + 0.3 * c as f64)),
    ];
    let summary = Summary::of(4, 500, rows).unwrap();
    expect![[r#"
                       mean     sd  hdi_3%  hdi_97%  mcse_mean  mcse_sd  ess_bulk  ess_tail  r_hat
        theta[0, 1]  12.017  1.003  10.364   13.621      0.022    0.010      2019      2000   1.00
        b             1.500  1.118  -0.009    3.017      0.555    0.222         5        31   2.84
        constant      2.000  0.000   2.000    2.000      0.000    0.000      2000      2000    NaN
        c             0.459  1.044  -1.355    2.233      0.134    0.012        43       103   1.07
    "#]]
    .assert_eq(&summary.to_string());
    expect![[r#"
                       mean     sd  hdi_3%  hdi_97%  mcse_mean  mcse_sd  ess_bulk  ess_tail  r_hat
        theta[0, 1]  12.017  1.003  10.364   13.621      0.022    0.010      2019      2000   1.00
        b             1.500  1.118  -0.009    3.017      0.555    0.222         5        31   2.84
        2 more rows are not shown; the largest R-hat among them is 1.07, of c
    "#]]
    .assert_eq(&summary.clone().show_at_most(2).to_string());
    assert_eq!(summary.worst().unwrap().name, "b");
    assert_eq!(summary.get("constant").unwrap().mean, 2.0);
    assert!(summary.get("theta").is_none());
    let all: Vec<&str> = summary.rows().iter().map(|row| row.name.as_str()).collect();
    assert_eq!(all, ["theta[0, 1]", "b", "constant", "c"]);
}

/// The same rows, whether draws are given or written into the buffer of the table.
#[test]
fn a_filled_table_is_that_of_the_draws() {
    let draws = [chains(2, 4, |e, _, _| e), chains(2, 5, |e, _, _| e)];
    let given = Summary::of(2, 500, [("a", &draws[0]), ("b", &draws[1])]).unwrap();
    let mut filled = Summary::new(2, 500).unwrap();
    filled
        .fill(["a", "b"], |i, buffer| buffer.copy_from_slice(&draws[i]))
        .unwrap();
    assert_eq!(given.rows(), filled.rows());
    filled.fill(["forgotten"], |_, buffer| buffer[0] = 1.0).unwrap();
    assert!(filled.get("forgotten").unwrap().mean.is_nan());
    let mut pushed = Summary::new(2, 500).unwrap();
    pushed.push("a", &draws[0]).unwrap();
    assert_eq!(pushed.rows(), &given.rows()[..1]);
}

#[test]
fn tables_without_draws_and_rows_of_another_length_are_refused() {
    assert!(matches!(
        Summary::new(0, 5),
        Err(DiagnoseError::NoDraws { chains: 0, draws: 5 })
    ));
    assert!(Summary::new(5, 0).is_err());
    assert!(Summary::with_interval(5, 5, 1.2).is_err());
    let error = Summary::new(4, 10).unwrap().push("x", &[0.0; 39]).unwrap_err();
    expect!["`x` has 39 draws: give 40, 10 of each of 4 chains"].assert_eq(&error.to_string());
}

#[test]
fn columns_are_named_after_the_interval() {
    let summary = Summary::with_interval(1, 4, 0.89).unwrap();
    assert_eq!(
        summary.to_string(),
        "  mean  sd  hdi_5.5%  hdi_94.5%  mcse_mean  mcse_sd  ess_bulk  ess_tail  r_hat\n"
    );
}

#[test]
fn good_chains_give_no_warning() {
    let verdict = verdict(4, &chains(4, 1, |e, _, _| e));
    assert!(verdict.is_good() && !verdict.chains_are_apart());
    expect!["no sign of trouble: every R-hat is at most 1.01, and every chain has at least 100 effective draws\n"]
        .assert_eq(&verdict.to_string());
}

/// Chains that each stay where they are, chains that all still move, and chains that are only a little apart.
#[test]
fn modes_are_told_from_drift() {
    let modes = verdict(4, &chains(4, 6, |e, c, _| e + 6.0 * c as f64));
    assert!(modes.chains_are_apart());
    expect![[r#"
        warning: 1 quantity has chains that each settled in a different place; the worst is x, with an R-hat of 2.84: the chains are in different modes, so do not average them; look at each chain, align the components if they changed places, tune longer, or compare the modes by their log joint density
    "#]]
    .assert_eq(&modes.to_string());
    let stuck = verdict(3, &chains(3, 6, |_, c, _| c as f64));
    assert!(stuck.chains_are_apart(), "{stuck}");
    let drift = verdict(4, &chains(4, 7, |e, c, t| e + (t as f64 / 50.0) * (1.0 + c as f64)));
    assert!(!drift.chains_are_apart());
    assert!(matches!(drift.warnings()[0], Warning::NotMixed { quantities: 1, .. }));
    let close = verdict(4, &chains(4, 8, |e, c, _| e + 0.25 * c as f64));
    expect![[r#"
        warning: 1 quantity has an R-hat above 1.01; the worst is x, with 1.073: the chains have not reached the same distribution, so means and intervals are not yet those of the posterior; tune longer, then draw longer
        warning: 1 quantity has fewer than 400 effective draws; the worst is x, with 37: means, intervals and the diagnostics themselves are unreliable; draw about 11 times as long
    "#]]
    .assert_eq(&close.to_string());
}

#[test]
fn what_cannot_be_judged_is_said() {
    expect![[r#"
        warning: there is one chain: it cannot show that another would end elsewhere; run 4 chains
        warning: each chain has 3 draws: convergence cannot be judged from fewer than 4; draw longer
    "#]]
    .assert_eq(&verdict(1, &noise(3, 1)).to_string());
    let mut draws = chains(4, 9, |e, _, _| e);
    draws[7] = f64::NAN;
    assert!(matches!(
        verdict(4, &draws).warnings(),
        [Warning::NotFinite { quantities: 1, .. }]
    ));
    let none = Summary::new(4, 500).unwrap().verdict();
    expect!["no quantity was looked at: convergence is unknown\n"].assert_eq(&none.to_string());
}

/// Of 4 x 500 independent draws R-hat is above 1.01 where a chi-square of 7 degrees of freedom is above 42: with probability 5e-7,
/// as much again when folded, so 1e-4 for one of these hundred. With a limit of 1.001 one in six is doubted.
#[test]
fn independent_draws_are_not_doubted() {
    for seed in 0..100 {
        let verdict = verdict(4, &chains(4, 1000 + seed, |e, _, _| e));
        assert!(verdict.is_good(), "seed {seed}: {verdict}");
    }
}
