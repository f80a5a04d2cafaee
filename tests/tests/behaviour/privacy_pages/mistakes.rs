//! The numbers of the page on mistakes.

use super::*;

#[test]
fn a_small_n() {
    let mut table = Table::of(&["one person contributes", "epsilon of that person", "largest ratio"]);
    let budget = budget(1, 0.5);
    for (what, n) in [
        ("1 message", 1u64),
        ("a conversation of 12 messages", 12),
        ("250 messages a year", 250),
    ] {
        let epsilon = budget.epsilon_for(n);
        let ratio = if epsilon > 4.0 {
            format!("{:.1e}", epsilon.exp())
        } else {
            short(epsilon.exp())
        };
        table.row([what.to_owned(), short(epsilon), ratio]);
    }
    Page::open("mistakes.md").table("small-n", &table);
}

/// Law of the sum of as many draws of noise, from `-reach` to `reach`.
fn sum_of(times: usize, alpha: f64) -> Vec<f64> {
    let reach = 60 + 12 * times as i64;
    let single: Vec<f64> = (-60..=60).map(|x| noise(alpha, x)).collect();
    let mut law = vec![0.0; (2 * reach + 1) as usize];
    law[reach as usize] = 1.0;
    for _ in 0..times {
        let mut next = vec![0.0; law.len()];
        for (i, p) in law.iter().enumerate().filter(|(_, p)| **p > 1e-18) {
            for (j, q) in single.iter().enumerate() {
                if let Some(at) = (i + j).checked_sub(60).filter(|at| *at < next.len()) {
                    next[at] += p * q;
                }
            }
        }
        law = next;
    }
    assert!((law.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    law
}

/// The mean of several releases, rounded, is the count itself where the noise is less than a half on average.
#[test]
fn twice() {
    let budget = budget(1, 1.0);
    let mut table = Table::of(&[
        "releases",
        "epsilon for one count",
        "their rounded mean is the true count",
    ]);
    for times in [1usize, 3, 9, 31, 101] {
        let law = sum_of(times, budget.alpha());
        let middle = (law.len() / 2) as i64;
        let hits = law.iter().enumerate();
        let hits = hits.filter(|(i, _)| 2 * (*i as i64 - middle).unsigned_abs() < times as u64);
        let share: f64 = hits.map(|(_, p)| p).sum();
        table.row([
            times.to_string(),
            short(times as f64 * budget.epsilon()),
            percent(share),
        ]);
    }
    Page::open("mistakes.md").table("twice", &table);
}

/// What is made of cells whose true count is zero.
#[test]
fn clipped() {
    let mut table = Table::of(&[
        "epsilon / N",
        "mean as released",
        "negatives set to zero",
        "only what is above zero kept",
        "spurious counts in a million empty cells",
    ]);
    for level in LEVELS {
        let alpha = budget(1, level).alpha();
        let sum = |f: &dyn Fn(i64) -> f64| (-2000..=2000).map(|x| f(x) * noise(alpha, x)).sum::<f64>();
        let clipped = sum(&|x| x.max(0) as f64);
        let share = sum(&|x| f64::from(u8::from(x > 0)));
        assert!((clipped - alpha / (1.0 - alpha * alpha)).abs() < 1e-9 * clipped);
        let kept = clipped / share;
        table.row([
            level.to_string(),
            "0".into(),
            short(clipped),
            short(kept),
            format!("{:.0}", 1e6 * clipped),
        ]);
    }
    Page::open("mistakes.md").table("clipped", &table);
}
