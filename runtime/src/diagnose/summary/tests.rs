//! Tables and verdicts.

use expect_test::expect;

use super::*;
use crate::diagnose::Doubt;

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

fn is_apart(summary: &Summary) -> bool {
    summary
        .doubts()
        .iter()
        .any(|doubt| matches!(doubt, Doubt::ChainsApart { .. }))
}

fn judged(num_chains: usize, draws: &[f64]) -> Summary {
    Summary::of(num_chains, draws.len() / num_chains, [("x", draws)]).unwrap()
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
    let error = Summary::new(4, 10).unwrap().push("x", &[0.0; 39]).unwrap_err();
    expect!["`x` has 39 draws: give 40, 10 of each of 4 chains"].assert_eq(&error.to_string());
}

#[test]
fn good_chains_give_no_warning() {
    let good = judged(4, &chains(4, 1, |e, _, _| e));
    assert_eq!(good.doubts(), []);
    expect!["no sign of trouble: every R-hat is at most 1.01, and every quantity has at least 100 times as many effective draws as there are chains\n"]
        .assert_eq(&good.verdict());
}

/// Chains that each stay where they are, chains that all still move, and chains that are only a little apart.
#[test]
fn modes_are_told_from_drift() {
    let modes = judged(4, &chains(4, 6, |e, c, _| e + 6.0 * c as f64));
    assert!(is_apart(&modes));
    expect![[r#"
        warning: 1 quantity has chains that each settled in a different place; the worst is x, with an R-hat of 2.84: the chains are in different modes, so do not average them; look at each chain, align the components if they changed places, tune longer, or compare the modes by their log joint density
    "#]]
    .assert_eq(&modes.verdict());
    let stuck = judged(3, &chains(3, 6, |_, c, _| c as f64));
    assert!(is_apart(&stuck), "{}", stuck.verdict());
    let drift = judged(4, &chains(4, 7, |e, c, t| e + (t as f64 / 50.0) * (1.0 + c as f64)));
    assert!(!is_apart(&drift));
    assert!(matches!(drift.doubts()[0], Doubt::NotMixed { quantities: 1, .. }));
    let close = judged(4, &chains(4, 8, |e, c, _| e + 0.25 * c as f64));
    expect![[r#"
        warning: 1 quantity has an R-hat above what chance explains; the worst is x, with 1.073 where 1.010 is the limit: the chains have not reached the same distribution, so means and intervals are not yet those of the posterior; tune longer, then draw longer
    "#]]
    .assert_eq(&close.verdict());
    // A chain that is too slow to say where it would end.
    let slow = judged(4, &slow(4, 500, 0.98, 11));
    expect![[r#"
        warning: 1 quantity has an R-hat above what chance explains; the worst is x, with 1.226 where 1.100 is the limit: the chains have not reached the same distribution, so means and intervals are not yet those of the posterior; tune longer, then draw longer
        warning: 1 quantity has too few effective draws, where 400 are needed; the worst is x, with 16: means, intervals and the diagnostics themselves are unreliable; draw about 25 times as long
    "#]]
    .assert_eq(&slow.verdict());
}

#[test]
fn what_cannot_be_judged_is_said() {
    expect![[r#"
        warning: there is one chain: it cannot show that another would end elsewhere; run 4 chains
        warning: each chain has 3 draws: that is too few, and nothing can be said of convergence from fewer than 40; 100 are needed, more where they depend on each other; draw 34 times as long
    "#]]
    .assert_eq(&judged(1, &noise(3, 1)).verdict());
    let mut draws = chains(4, 9, |e, _, _| e);
    draws[7] = f64::NAN;
    assert!(matches!(
        judged(4, &draws).doubts()[..],
        [Doubt::NotFinite { quantities: 1, .. }]
    ));
    let none = Summary::new(4, 500).unwrap().verdict();
    expect!["no quantity was looked at: convergence is unknown\n"].assert_eq(&none.to_string());
}

/// Draws of a stationary autoregression of variance one.
fn slow(chains: usize, num: usize, phi: f64, seed: u64) -> Vec<f64> {
    let mut draws = noise(chains * num, seed);
    for chain in draws.chunks_exact_mut(num) {
        for t in 1..num {
            chain[t] = phi * chain[t - 1] + (1.0 - phi * phi).sqrt() * chain[t];
        }
    }
    draws
}

/// A table of 400 quantities.
fn of_many(num_chains: usize, num: usize, of: impl Fn(u64) -> Vec<f64>) -> Summary {
    let quantities = (0..400).map(|seed| (format!("x[{seed}]"), of(seed)));
    Summary::of(num_chains, num, quantities).unwrap()
}

/// Of 20 tables of 400 quantities whose chains agree more than 3 are warned of with probability 6e-4, were it one in fifty. With the limit of 1.01, the mutant, half
/// of those with independent draws are.
#[test]
fn chains_that_agree_are_not_doubted() {
    let (mut doubted, mut mutant) = (0, 0);
    for table in 0..20 {
        let seed = |quantity| 1000 * table + quantity;
        // The others are worth 333 draws of 1000, and 111 of 250.
        let summary = match table % 3 {
            0 => of_many(4, 250, |q| noise(1000, seed(q))),
            1 => of_many(4, 500, |q| slow(4, 500, 0.6, seed(q))),
            _ => of_many(2, 250, |q| slow(2, 250, 0.3, seed(q))),
        };
        doubted += usize::from(!summary.doubts().is_empty());
        mutant += usize::from(summary.rows().iter().any(|row| row.r_hat > 1.01));
        if !summary.doubts().is_empty() {
            println!("table {table}: {}", summary.verdict());
        }
    }
    println!("{doubted} of 20 doubted, {mutant} by a limit of 1.01");
    assert!(doubted <= 3 && mutant >= 10, "{doubted} {mutant}");
}

/// Values of which many are equal: constants, rare events, small counts, and chains that stay at one value for long.
#[test]
fn ties_are_no_alarms() {
    let summary = of_many(4, 250, |seed| {
        let draws = noise(1000, 7000 + seed).into_iter();
        match seed % 4 {
            0 => vec![1.5; 1000],
            1 => draws.map(|e| f64::from(u8::from(e > 1.67))).collect(),
            2 => draws.map(|e| (e + 2.0).floor()).collect(),
            _ => draws.map(|e| if e > -1.0 { 0.0 } else { e }).collect(),
        }
    });
    assert_eq!(summary.doubts(), []);
}

/// Of short chains nothing is said but that they are short, whether they agree or not.
#[test]
fn of_few_draws_only_their_number_is_said() {
    for (num_chains, num) in [(2, 10), (4, 10), (2, 39)] {
        let far = |seed: u64| {
            let draws = noise(num_chains * num, seed).into_iter().enumerate();
            draws.map(|(i, e)| e + (seed % 2) as f64 * (i / num) as f64).collect()
        };
        let summary = of_many(num_chains, num, far);
        assert!(
            matches!(summary.doubts()[..], [Doubt::TooFewDraws { .. }]),
            "{}",
            summary.verdict()
        );
    }
    // From 40 draws on what is missing is said, and nothing of chains that agree.
    for (num_chains, num) in [(2, 40), (4, 50), (4, 99)] {
        let summary = of_many(num_chains, num, |seed| noise(num_chains * num, 50 + seed));
        assert!(
            matches!(summary.doubts()[..], [Doubt::FewEffectiveDraws { .. }]),
            "{num_chains} x {num}: {}",
            summary.verdict()
        );
    }
}

/// One quantity of 400 is bad, in twelve ways; and the way is said.
#[test]
fn what_is_bad_is_found_among_many() {
    type Bad = (&'static str, Box<dyn Fn(f64, usize, usize) -> f64>, &'static str);
    let bad: [Bad; 12] = [
        (
            "two modes",
            Box::new(|e, c, _| e + 4.0 * (c / 2) as f64),
            "different modes",
        ),
        (
            "one chain elsewhere",
            Box::new(|e, c, _| e + 3.0 * (c / 3) as f64),
            "different modes",
        ),
        (
            "level wrong by a factor of nine",
            Box::new(|e, c, _| (20.0 + 3.0 * e) * if c == 2 { 9.0 } else { 1.0 }),
            "different modes",
        ),
        ("every chain stuck", Box::new(|_, c, _| c as f64), "different modes"),
        (
            "one chain stuck",
            Box::new(|e, c, _| if c == 0 { 0.3 } else { e }),
            "R-hat",
        ),
        (
            "one chain wider",
            Box::new(|e, c, _| e * if c == 1 { 2.0 } else { 1.0 }),
            "R-hat",
        ),
        ("chains a little apart", Box::new(|e, c, _| e + 0.4 * c as f64), "R-hat"),
        ("every chain drifts", Box::new(|e, _, t| e + t as f64 / 100.0), "R-hat"),
        (
            "one chain drifts",
            Box::new(|e, c, t| e + if c == 3 { t as f64 / 80.0 } else { 0.0 }),
            "R-hat",
        ),
        (
            "tuned too shortly",
            Box::new(|e, c, t| e - if t < 50 { 3.0 + c as f64 } else { 0.0 }),
            "effective draws",
        ),
        (
            "one chain in another mode for long",
            Box::new(|e, c, t| e + if c == 1 && t > 170 { 5.0 } else { 0.0 }),
            "R-hat",
        ),
        (
            "slow waves",
            Box::new(|e, c, t| (0.2 * e + (t as f64 / 40.0 + c as f64).sin()) * 2.0),
            "effective draws",
        ),
    ];
    for (at, (what, of, said)) in bad.iter().enumerate() {
        let summary = of_many(4, 250, |seed| {
            let draws = noise(1000, 1000 * at as u64 + seed);
            if seed != 123 {
                return draws;
            }
            let draws = draws.into_iter().enumerate();
            draws.map(|(i, e)| of(e, i / 250, i % 250)).collect()
        });
        let found = summary.verdict();
        println!("{what}: {found}");
        assert!(found.contains(said) && found.contains("x[123]"), "{what}: {found}");
    }
}

/// A number that is shown beside its limit is above it as it is shown.
#[test]
fn numbers_are_told_from_their_limits() {
    for add in [1e-2, 1e-4, 1e-7] {
        let doubt = Doubt::NotMixed {
            quantities: 1,
            name: "x".into(),
            r_hat: 1.01 + add,
            limit: 1.01,
        };
        let said = doubt.to_string();
        let numbers: Vec<f64> = said
            .split_whitespace()
            .filter_map(|word| word.trim_end_matches(':').parse().ok())
            .collect();
        assert!(matches!(numbers[..], [_, r_hat, limit] if r_hat > limit), "{said}");
    }
}
