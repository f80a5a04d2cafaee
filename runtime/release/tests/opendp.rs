//! Our noise against that of OpenDP, where its Python package is installed; skipped with a word where it is not.
//!
//! `pip install opendp`, and `SKELLAM_PYTHON` for an interpreter other than `python3`.

use std::process::Command;

use chacha20::ChaCha8Rng;
use rand::SeedableRng;
use skellam_release::release::{Lplp, Mechanism, Truncated};
use special::Gamma;

/// Two-sided geometric noise of scale `argv[1]` on zeros, `argv[2]` of them, one a line.
const PROGRAM: &str = "
import sys
import opendp.prelude as dp
dp.enable_features('contrib')
space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
noise = dp.m.make_laplace(*space, scale=float(sys.argv[1]))
print('\\n'.join(map(str, noise([0] * int(sys.argv[2])))))
";

fn python() -> String {
    std::env::var("SKELLAM_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

fn installed() -> bool {
    let answer = Command::new(python()).args(["-c", "import opendp"]).output();
    answer.is_ok_and(|answer| answer.status.success())
}

fn theirs(scale: f64, draws: usize) -> Vec<i64> {
    let output = Command::new(python())
        .args(["-c", PROGRAM, &scale.to_string(), &draws.to_string()])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

fn ours<M: Mechanism>(mechanism: &M, draws: usize) -> Vec<<M::Law as skellam_release::channel::Channel>::Value> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    (0..draws).map(|_| mechanism.randomise(0, &mut rng).unwrap()).collect()
}

/// p-value of the chi-square statistic of two samples of one size.
fn same(a: &[i64], b: &[i64]) -> f64 {
    let mut seen = std::collections::BTreeMap::<i64, [f64; 2]>::new();
    for (sample, values) in [a, b].into_iter().enumerate() {
        values.iter().for_each(|x| seen.entry(*x).or_default()[sample] += 1.0);
    }
    let (mut statistic, mut bins, mut rest) = (0.0, 0.0, [0.0; 2]);
    let mut add = |[x, y]: [f64; 2]| {
        statistic += (x - y) * (x - y) / (x + y);
        bins += 1.0;
    };
    for pair in seen.into_values() {
        if pair[0] + pair[1] > 40.0 {
            add(pair);
        } else {
            rest = [rest[0] + pair[0], rest[1] + pair[1]];
        }
    }
    if rest[0] + rest[1] > 40.0 {
        add(rest);
    }
    // The sizes are equal by design: one degree less.
    1.0 - (statistic / 2.0f64).inc_gamma((bins - 1.0) / 2.0)
}

/// Level 1e-6, three times; a scale that is off by three per cent fails.
#[test]
fn our_noise_and_theirs_have_one_law() {
    if !installed() {
        println!("skipped: the Python package `opendp` is not installed");
        return;
    }
    let draws = 400_000;
    for (n, scale) in [(1, 1.0), (2, 2.0), (10, 10.0)] {
        let theirs = theirs(scale, draws);
        let budget = Lplp::new(n, 1).unwrap();
        let p = same(&ours(&budget, draws), &theirs);
        println!("scale {scale}: p = {p:.3}");
        assert!(p > 1e-6, "scale {scale}: {p:e}");
        let off = Lplp::new(100 * n, 103).unwrap();
        assert!(
            same(&ours(&off, draws), &theirs) < 1e-6,
            "scale {scale}: a law off by three per cent passes"
        );
        let cut: Vec<i64> = theirs.iter().map(|x| *x.max(&0)).collect();
        let p = same(&ours(&Truncated(budget), draws), &cut);
        assert!(p > 1e-6, "scale {scale}, cut at zero: {p:e}");
    }
}
