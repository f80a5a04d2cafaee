//! The diagnostics against ArviZ, on draws that both make for themselves.

use approx::relative_eq;

use super::*;

const REFERENCES: &str = include_str!("../../../tests/references/diagnostics.tsv");

/// splitmix64; the upper 53 bits, divided by 2^53.
struct Uniform(u64);

impl Uniform {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = self.0;
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / 2f64.powi(53)
    }
}

/// The draws of a case, by the same operations as in `make_diagnostics.py`.
fn draws(kind: &str, chains: usize, num: usize, seed: u64) -> Vec<f64> {
    let mut uniform = Uniform(seed);
    let mut draws = Vec::new();
    for c in 0..chains {
        let mut x = 0.0;
        for t in 0..num {
            let u = uniform.next();
            let e = uniform.next() + uniform.next() + uniform.next() + u - 2.0;
            x = match kind {
                "ar" => 0.9 * x + e,
                "antithetic" => -0.5 * x + e,
                "alternating" => -0.95 * x + e,
                "shifted" => e + 0.25 * c as f64,
                "scaled" => e * (1.0 + c as f64),
                "heavy" => (2.0 * u - 1.0) / (4.0 * u * (1.0 - u)),
                "counts" => (6.0 * u * u).floor(),
                "tenths" => 0.1 * (6.0 * u).floor() + 0.1,
                "mostly_zero" => f64::from(u8::from(u < 0.02)),
                "constant" => 2.5,
                "stuck" => c as f64 + 0.5,
                "tiny" => (e + 3.0) * 2f64.powi(-40),
                "trend" => e + t as f64 / num as f64,
                "iid" | "nan" | "infinite" => e,
                _ => panic!("no draws are called {kind}"),
            };
            draws.push(x);
        }
    }
    match kind {
        "nan" => draws[num + 7] = f64::NAN,
        "infinite" => draws[num + 7] = f64::INFINITY,
        _ => {}
    }
    draws
}

/// A statistic by its name in the file.
fn statistic(name: &str, chains: Chains<'_>) -> f64 {
    let (name, argument) = name.split_once(' ').unwrap_or((name, ""));
    let p = || argument.parse::<f64>().unwrap();
    let row = || Diagnosis::of(chains, &mut Workspace::default());
    match (name, argument) {
        ("summary", "mean") => row().mean,
        ("summary", "sd") => row().sd,
        ("summary", "hdi_3%") => row().hdi[0],
        ("summary", "hdi_97%") => row().hdi[1],
        ("summary", "mcse_mean") => row().mcse_mean,
        ("summary", "mcse_sd") => row().mcse_sd,
        ("summary", "ess_bulk") => row().ess_bulk,
        ("summary", "ess_tail") => row().ess_tail,
        ("summary", "r_hat") => row().r_hat,
        ("r_hat", _) => chains.r_hat(),
        ("ess_bulk", _) => chains.ess_bulk(),
        ("ess_tail", _) => chains.ess_tail(),
        ("ess_mean", _) => chains.ess_mean(),
        ("mcse_mean", _) => chains.mcse_mean(),
        ("mcse_sd", _) => chains.mcse_sd(),
        ("quantile", _) => chains.quantile(p()).unwrap(),
        ("hdi_low", _) => chains.hdi(p()).unwrap()[0],
        ("hdi_high", _) => chains.hdi(p()).unwrap()[1],
        _ => panic!("no statistic is called {name} {argument}"),
    }
}

/// Values to a relative 1e-8; of a NaN draw only what ArviZ calls NaN, for its quantiles and intervals sort a NaN to the end. The error of the
/// standard deviation of a constant is zero here, as is that of its mean; ArviZ divides zero by zero, or has zero where its mean is off by a bit.
#[test]
fn every_value_is_that_of_arviz() {
    let (mut compared, mut failures) = (0, Vec::new());
    for line in REFERENCES.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [kind, chains, num, seed, name, value] = fields[..] else {
            panic!("not six fields: {line}");
        };
        let expected = match (kind, name.ends_with("mcse_sd")) {
            ("constant", true) => 0.0,
            _ => value.parse::<f64>().unwrap(),
        };
        if ["normal", "beta"].contains(&kind) || (kind == "nan" && !expected.is_nan()) {
            continue;
        }
        let chains: usize = chains.parse().unwrap();
        let draws = draws(kind, chains, num.parse().unwrap(), seed.parse().unwrap());
        let found = statistic(name, Chains::new(&draws, chains).unwrap());
        let equal = found == expected
            || (found.is_nan() && expected.is_nan())
            || relative_eq!(found, expected, max_relative = 1e-8, epsilon = 0.0);
        if !equal {
            failures.push(format!("{line}: found {found:e}"));
        }
        compared += 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(compared > 500, "{compared} values were compared");
}

#[test]
fn inverse_laws_are_those_of_scipy() {
    let mut compared = 0;
    for line in REFERENCES.lines() {
        let fields: Vec<&str> = line.split(['\t', ' ']).collect();
        let number = |at: usize| fields[at].parse::<f64>().unwrap();
        let (found, expected) = match fields[0] {
            "normal" => (normal_scores::inverse_normal(number(5)), number(6)),
            // Multiplied by a number of draws it is the place of one: absolute digits count.
            "beta" => (standard_error::inverse_beta(number(5), number(6), number(7)), number(8)),
            _ => continue,
        };
        // The argument 2p - 1 of the inverse error function keeps p = 2.5e-6 to a relative 4e-11, which moves the score by 1e-11.
        approx::assert_abs_diff_eq!(found, expected, epsilon = 1e-11);
        compared += 1;
    }
    assert_eq!(compared, 22);
}

#[test]
fn draws_that_cannot_be_shared_out_are_refused() {
    assert_eq!(Chains::new(&[], 1).unwrap_err(), DiagnoseError::Empty);
    let uneven = |chains| DiagnoseError::Uneven { draws: 5, chains };
    assert_eq!(Chains::new(&[0.0; 5], 2).unwrap_err(), uneven(2));
    assert_eq!(Chains::new(&[0.0; 5], 0).unwrap_err(), uneven(0));
    let chains = Chains::new(&[1.0, 2.0], 1).unwrap();
    for value in [-0.1, 1.5] {
        assert_eq!(chains.quantile(value), Err(DiagnoseError::Probability { value }));
    }
    assert!(chains.hdi(f64::NAN).is_err());
}

#[test]
fn single_draws_and_whole_intervals_have_values() {
    let chains = Chains::new(&[3.0], 1).unwrap();
    assert_eq!(chains.quantile(0.3), Ok(3.0));
    assert_eq!(chains.hdi(0.94), Ok([3.0, 3.0]));
    assert!(chains.sd().is_nan());
    let chains = Chains::new(&[3.0, 1.0, 2.0], 1).unwrap();
    assert_eq!(chains.hdi(1.0), Ok([1.0, 3.0]));
    assert_eq!([0.0, 0.5, 1.0].map(|p| chains.quantile(p).unwrap()), [1.0, 2.0, 3.0]);
}

#[test]
fn a_nan_draw_makes_quantiles_and_intervals_nan() {
    for nan in [f64::NAN, -f64::NAN] {
        let chains = [1.0, nan, 2.0, 3.0];
        let chains = Chains::new(&chains, 1).unwrap();
        assert!(chains.quantile(0.1).unwrap().is_nan());
        assert!(chains.hdi(0.5).unwrap()[0].is_nan());
    }
}

/// A constant whose sum rounds has no spread either.
#[test]
fn a_constant_has_no_spread_whatever_its_last_bit() {
    let draws = [0.1; 40];
    let chains = Chains::new(&draws, 4).unwrap();
    assert_eq!((chains.mean(), chains.sd(), chains.mcse_mean()), (0.1, 0.0, 0.0));
    assert!(chains.mcse_sd() == 0.0 && chains.r_hat().is_nan());
}

/// Chains that have settled in different places disagree with each other, each of them agrees with itself.
#[test]
fn halves_of_one_chain_are_compared_alone() {
    let settled = draws("shifted", 4, 400, 31);
    let settled: Vec<f64> = (0..)
        .zip(settled)
        .map(|(at, x)| x + 5.0 * f64::from(at / 400))
        .collect();
    let chains = Chains::new(&settled, 4).unwrap();
    let within = r_hat_within(chains, &mut Workspace::default());
    assert!(chains.r_hat() > 1.5 && within < 1.05, "{} {within}", chains.r_hat());
    let slow = draws("trend", 4, 400, 32);
    let slow: Vec<f64> = (0..).zip(slow).map(|(at, x)| x + f64::from(at % 400) / 20.0).collect();
    let chains = Chains::new(&slow, 4).unwrap();
    assert!(r_hat_within(chains, &mut Workspace::default()) > 1.5);
}

/// Quantiles of F and of chi-square by bisection of the continued fraction of the incomplete beta function, outside of this repository.
#[test]
fn limits_are_quantiles_of_f_and_of_chi_square() {
    for (sequences, effective, probability, limit) in [
        (8, 1000.0, 0.01 / 800.0, 1.01756645),
        (8, 1000.0, 0.005, 1.00809838),
        (8, 400.0, 0.01 / 800.0, 1.05668959),
        (4, 500.0, 0.01 / 1600.0, 1.03730682),
        (4, 80.0, 0.01 / 800.0, 1.47794406),
        (8, 24.0, 0.01 / 800.0, 12.3218687),
    ] {
        let found = r_hat_limit(sequences, 125, effective, probability);
        approx::assert_relative_eq!(found, limit, max_relative = 1e-6);
    }
    for (size, probability, limit) in [
        (400.0, 0.01 / 1200.0, 207.5642),
        (400.0, 0.01 / 3.0, 260.8473),
        (200.0, 0.01 / 1200.0, 82.6031),
    ] {
        // The cube root is nearly normal, not quite.
        approx::assert_relative_eq!(size_limit(size, probability), limit, max_relative = 5e-3);
    }
}
