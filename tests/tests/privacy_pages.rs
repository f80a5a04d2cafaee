//! The pages about privacy: every figure in them is computed here, and their code is compiled and run here.
//!
//! A table stands between `<!-- name -->` and `<!-- /name -->`, code and what it prints in blocks of their own kind.
//! `UPDATE_EXPECT=1 cargo test -p skellam-tests --test privacy_pages` rewrites them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use skellam::channel::Channel;
use skellam::distribution::gamma_draw;
use skellam::prelude::*;
use skellam::release::LedgerError;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src")
}

/// Tests run side by side, and two may rewrite one page.
static WRITER: Mutex<()> = Mutex::new(());

/// One page. What does not agree is rewritten, or fails the test.
struct Page {
    _alone: MutexGuard<'static, ()>,
    path: PathBuf,
    text: String,
    update: bool,
}

impl Page {
    fn open(name: &str) -> Self {
        let alone = WRITER.lock().unwrap_or_else(PoisonError::into_inner);
        let path = folder().join("privacy").join(name);
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let update = std::env::var("UPDATE_EXPECT").is_ok_and(|v| v != "0");
        Self {
            _alone: alone,
            path,
            text,
            update,
        }
    }

    fn between(&mut self, open: &str, close: &str, found: &str, tolerance: f64) {
        let begin = self.text.find(open).unwrap_or_else(|| panic!("no `{}`", open.trim())) + open.len();
        let end = begin + self.text[begin..].find(close).unwrap();
        if self.update {
            self.text.replace_range(begin..end, found);
            fs::write(&self.path, &self.text).unwrap();
        } else {
            let page = &self.text[begin..end];
            let advice = format!(
                "{}, `{}`: UPDATE_EXPECT=1 rewrites it",
                self.path.display(),
                open.trim()
            );
            assert!(agree(page, found, tolerance), "{advice}\n{page}\n{found}");
        }
    }

    fn table(&mut self, name: &str, table: &Table) {
        self.close_to(name, table, 0.0);
    }

    /// Figures of fits: last bits, and with them draws, differ between processors.
    fn close_to(&mut self, name: &str, table: &Table, tolerance: f64) {
        let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
        self.between(&open, &close, &format!("\n{}\n", table.0), tolerance);
    }

    fn block(&mut self, kind: &str, text: &str) {
        self.between(&format!("```{kind}\n"), "```", text, 0.0);
    }
}

/// Word by word: the same, or two numbers within a relative `tolerance`.
fn agree(page: &str, found: &str, tolerance: f64) -> bool {
    let (mut a, mut b) = (page.split_whitespace(), found.split_whitespace());
    loop {
        match (a.next(), b.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b => {}
            (Some(a), Some(b)) => match (a.parse::<f64>(), b.parse::<f64>()) {
                (Ok(a), Ok(b)) if (a - b).abs() <= tolerance * a.abs().max(b.abs()) => {}
                _ => return false,
            },
            _ => return false,
        }
    }
}

/// A table in Markdown, row by row.
struct Table(String);

impl Table {
    fn of(heads: &[&str]) -> Self {
        let mut table = Self(String::new());
        table.row(heads.iter().map(|head| (*head).to_owned()));
        table.row(heads.iter().map(|_| "---".to_owned()));
        table
    }

    fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        self.0.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
}

/// Three significant digits, and all digits of what is larger.
fn percent(share: f64) -> String {
    let short = short(100.0 * share);
    match short == "100" && share < 1.0 {
        // What is almost sure is not sure.
        true => format!("{:.2} %", (1e4 * share).floor() / 100.0),
        false => format!("{short} %"),
    }
}

/// Three digits.
fn short(x: f64) -> String {
    if x == 0.0 {
        return "0".into();
    }
    let digits = 2 - x.abs().log10().floor() as i32;
    if digits > 6 {
        return format!("{x:.1e}");
    }
    let text = format!("{x:.*}", digits.max(0) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn budget(n: u64, epsilon: f64) -> Lplp {
    Lplp::new(n, epsilon).unwrap()
}

/// `P(noise = x)`.
fn noise(alpha: f64, x: i64) -> f64 {
    (1.0 - alpha) / (1.0 + alpha) * alpha.powi(x.unsigned_abs() as i32)
}

fn variance(alpha: f64) -> f64 {
    2.0 * alpha / (1.0 - alpha).powi(2)
}

const LEVELS: [f64; 6] = [0.1, 0.25, 0.5, 1.0, 2.0, 4.0];

mod promise {
    use super::*;

    const WORDS: [&str; 5] = ["meeting", "budget", "strike", "union", "lunch"];
    const WITH: [i64; 5] = [3, 1, 2, 0, 0];
    const WITHOUT: [i64; 5] = [3, 1, 0, 0, 0];

    #[test]
    fn two_documents() {
        let budget = budget(2, 1.0);
        let counts = Sensitive::new(Counts::dense(vec![1, 5], WITH.to_vec()).unwrap());
        let released = counts.release_with_seed_for_simulation(&budget, 2).unwrap();
        let mut table = Table::of(&[
            "word",
            "letter A",
            "letter B",
            "released",
            "P given A",
            "P given B",
            "ratio",
        ]);
        let mut all = [1.0; 2];
        for (i, word) in WORDS.iter().enumerate() {
            let c = released.values().unwrap()[i];
            let p = [WITH[i], WITHOUT[i]].map(|y| noise(budget.alpha(), c - y));
            all = [all[0] * p[0], all[1] * p[1]];
            let numbers = [WITH[i], WITHOUT[i], c].map(|x| x.to_string());
            table.row(std::iter::once(format!("*{word}*")).chain(numbers).chain([
                short(p[0]),
                short(p[1]),
                short(p[0] / p[1]),
            ]));
        }
        table.row(["the letter", "", "", ""].map(String::from).into_iter().chain([
            short(all[0]),
            short(all[1]),
            short(all[0] / all[1]),
        ]));
        Page::open("promise.md").table("two-letters", &table);

        // The bound, over all releases of the one word in which they differ.
        let mut table = Table::of(&["release of *strike*", "-2", "-1", "0", "1", "2", "3", "4"]);
        let ratio = |c| noise(budget.alpha(), c - 2) / noise(budget.alpha(), c);
        let cells = (-2..=4).map(|c| short(ratio(c)));
        table.row(std::iter::once("P given A / P given B".to_owned()).chain(cells));
        Page::open("promise.md").table("every-release", &table);
        for c in -60..60 {
            assert!(ratio(c) <= 1f64.exp() * (1.0 + 1e-12) && ratio(c) >= (-1f64).exp() * (1.0 - 1e-12));
        }
        assert!((ratio(2) - 1f64.exp()).abs() < 1e-12);
    }

    #[test]
    fn other_n() {
        let budget = budget(2, 1.0);
        let mut table = Table::of(&[
            "N'",
            "epsilon'",
            "largest ratio, exp(epsilon')",
            "from even odds, an adversary is at most this sure",
        ]);
        for n in [1u64, 2, 4, 10, 20, 100] {
            let epsilon = budget.epsilon_for(n);
            let sure = 1.0 / (1.0 + (-epsilon).exp());
            let sure = if sure > 0.9999 {
                "more than 99.99 %".into()
            } else {
                percent(sure)
            };
            let ratio = if epsilon > 9.0 {
                format!("{:.1e}", epsilon.exp())
            } else {
                short(epsilon.exp())
            };
            table.row([n.to_string(), short(epsilon), ratio, sure]);
        }
        Page::open("promise.md").table("other-n", &table);
    }

    #[test]
    fn several_alphas() {
        let budgets = [budget(4, 1.0), budget(4, 2.0), budget(4, 4.0)];
        let mut table = Table::of(&["counts released with", "alpha", "promise at N = 4"]);
        for budget in &budgets {
            table.row([
                format!("epsilon / N = {}", budget.gamma()),
                short(budget.alpha()),
                format!("epsilon = {}", short(budget.epsilon())),
            ]);
        }
        let weakest = Lplp::weakest(&budgets).unwrap();
        table.row([
            "all three in one document".into(),
            "".into(),
            format!("epsilon = {}", short(weakest.epsilon())),
        ]);
        Page::open("promise.md").table("several-alphas", &table);
    }

    #[test]
    fn skellam_noise() {
        let mut table = Table::of(&[
            "N",
            "epsilon",
            "delta",
            "lambda",
            "standard deviation, Skellam",
            "the same, geometric (delta = 0)",
        ]);
        for (n, epsilon) in [(1, 0.5), (1, 1.0), (1, 2.0), (4, 1.0), (4, 4.0)] {
            let asked = 1e-6;
            let noise = SkellamNoise::promising(n, epsilon, asked).unwrap();
            assert!(noise.delta() <= asked);
            let lambda = noise.lambda().to_f64();
            table.row([
                n.to_string(),
                epsilon.to_string(),
                "1e-6".into(),
                noise.lambda().to_string(),
                short((2.0 * lambda).sqrt()),
                short(variance(budget(n, epsilon).alpha()).sqrt()),
            ]);
        }
        Page::open("promise.md").table("skellam", &table);
    }

    // [ledger]
    fn accounts() -> Result<String, Error> {
        let mut said = String::new();
        // Four mailboxes, of which the first two are one person's. Nobody may lose more than epsilon = 2 at N = 4.
        let mail = Counts::dense(vec![4, 3], vec![5, 0, 1, 0, 2, 0, 0, 0, 9, 1, 1, 0])?;
        let mail = Sensitive::new(mail);
        let mut ledger = Ledger::new(4, Lplp::new(4, 2)?).with_users(vec![0, 0, 1, 2])?;

        let quarterly = Varying::Uniform(Lplp::new(4, (3, 4))?);
        for quarter in 1..=3 {
            match mail.release_on_account(&quarterly, ledger.all()) {
                Ok(_) => said += &format!("quarter {quarter}: released\n"),
                Err(error) => said += &format!("quarter {quarter}: {error}\n"),
            }
        }
        if let Some(spent) = ledger.spent() {
            said += &format!("spent: epsilon = {spent} of {}\n", ledger.cap().epsilon());
        }
        Ok(said)
    }
    // [/ledger]

    #[test]
    fn ledger() {
        let source = include_str!("privacy_pages.rs");
        let after = source.split("// [ledger]\n").nth(1).unwrap();
        let code = after.split("    // [/ledger]\n").next().unwrap();
        let cut = |line: &str| line.strip_prefix("    ").unwrap_or(line).to_owned() + "\n";
        let code: String = code.lines().map(cut).collect();
        let mut page = Page::open("promise.md");
        page.block("rust,ledger", &code);
        page.block("text,ledger", &accounts().unwrap());
        let mut ledger = Ledger::new(1, budget(1, 1.0));
        let refused = ledger.all().charge("mine", &[Promise::None]);
        assert!(matches!(refused, Err(LedgerError::NoPromise { .. })));
    }
}

mod choosing {
    use super::*;

    #[test]
    fn levels() {
        let mut table = Table::of(&[
            "epsilon / N",
            "alpha",
            "standard deviation",
            "share of zero noise",
            "cells without counts that are released above zero",
            "factor by which one count can change odds",
        ]);
        for level in LEVELS {
            let alpha = budget(1, level).alpha();
            table.row([
                level.to_string(),
                short(alpha),
                short(variance(alpha).sqrt()),
                format!("{} %", short(100.0 * noise(alpha, 0))),
                format!("{} %", short(100.0 * alpha / (1.0 + alpha))),
                short(level.exp()),
            ]);
        }
        Page::open("choosing.md").table("levels", &table);
        // The formulas against sums.
        for level in LEVELS {
            let alpha = budget(1, level).alpha();
            let sum = |f: &dyn Fn(i64) -> f64| (-2000..=2000).map(|x| f(x) * noise(alpha, x)).sum::<f64>();
            assert!((sum(&|_| 1.0) - 1.0).abs() < 1e-12);
            assert!((sum(&|x| (x * x) as f64) / variance(alpha) - 1.0).abs() < 1e-9);
            assert!((sum(&|x| f64::from(u8::from(x > 0))) - alpha / (1.0 + alpha)).abs() < 1e-12);
        }
    }

    #[test]
    fn documents() {
        let mut table = Table::of(&[
            "what one person wants to hide",
            "N",
            "epsilon at epsilon / N = 0.25",
            "at 1",
            "at 2",
            "at 3",
        ]);
        for (what, n) in [
            ("that a word occurs (it does once)", 1u64),
            ("that a word occurs (four times)", 4),
            ("a paragraph", 60),
            ("a letter of 200 words", 200),
        ] {
            let cells = [0.25, 1.0, 2.0, 3.0].map(|level| short(budget(1, level).epsilon_for(n)));
            table.row([what.to_owned(), n.to_string()].into_iter().chain(cells));
        }
        Page::open("choosing.md").table("documents", &table);
    }

    #[test]
    fn sums() {
        let mut table = Table::of(&[
            "epsilon / N",
            "a sum of 1 cell",
            "of 20",
            "of 400",
            "of 10,000",
            "of 1,000,000",
        ]);
        for level in LEVELS {
            let variance = variance(budget(1, level).alpha());
            let cells = [1.0, 20.0, 400.0, 1e4, 1e6].map(|m: f64| short((m * variance).sqrt()));
            table.row(std::iter::once(level.to_string()).chain(cells));
        }
        Page::open("choosing.md").table("sums", &table);
    }

    skellam::model! {
        /// Topics, as in figure 3 of the paper.
        model Topics {
            index docs, words, topics;
            latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 0.1);
            latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
            release y by TwoSidedGeometric;
        }
    }

    const DOCS: usize = 90;
    const WORDS: usize = 15;
    const SEEDS: u64 = 10;

    /// Errors of mean rates: each document's own level modelled, one level for all, naive, true counts.
    fn errors(mean: f64, seed: u64) -> [f64; 4] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        // Sixty words a document; nine in ten are on its own topic, and nine in ten of a topic on five words.
        let rates: Vec<f64> = (0..DOCS * WORDS)
            .map(|at| {
                let (topic, group) = (at / WORDS / 30, at % WORDS / 5);
                let weight = |k: usize| if k == topic { 0.9 } else { 0.05 };
                let share = |k: usize| if k == group { 0.9 / 5.0 } else { 0.05 / 5.0 };
                60.0 * (0..3).map(|k| weight(k) * share(k)).sum::<f64>()
            })
            .collect();
        let counts: Vec<i64> = rates
            .iter()
            .map(|&rate| skellam::distribution::poisson(rate, &mut rng) as i64)
            .collect();
        let counts = Counts::dense(vec![DOCS, WORDS], counts).unwrap();
        // Beta(10 mean, 10 (1 - mean)), as a share of gammas.
        let budgets: Vec<Lplp> = (0..DOCS)
            .map(|_| {
                let (a, b) = (
                    gamma_draw(10.0 * mean, &mut rng),
                    gamma_draw(10.0 * (1.0 - mean), &mut rng),
                );
                Lplp::to_release_with_alpha(1, (a / (a + b)).clamp(1e-6, 1.0 - 1e-6)).unwrap()
            })
            .collect();
        let hidden = Sensitive::new(counts.clone());
        let released = hidden
            .release_by_slice_with_seed_for_simulation(0, &budgets, seed)
            .unwrap();
        let same = Varying::Uniform(TwoSidedGeometric::new(mean).unwrap());
        let alike = Released::assert_mechanism(vec![DOCS, WORDS], released.values().unwrap().to_vec(), same).unwrap();
        let gibbs = Gibbs {
            seed,
            progress: Progress::Hidden,
            ..Gibbs::default()
        };
        let error = |model: Topics| {
            let fit = model.topics(3).gibbs(&gibbs).unwrap();
            let found: Vec<f64> = fit.rate().transpose().as_slice().to_vec();
            found.iter().zip(&rates).map(|(a, b)| (a - b).abs()).sum::<f64>() / rates.len() as f64
        };
        [
            error(Topics::new(&released).unwrap()),
            error(Topics::new(&alike).unwrap()),
            error(Topics::naive(&released).unwrap()),
            error(Topics::exact(&counts).unwrap()),
        ]
    }

    #[test]
    fn budgets_of_their_own() {
        let mut table = Table::of(&["mean alpha", "own levels", "mean level for all", "naive", "true counts"]);
        for mean in [0.3, 0.6, 0.8] {
            let mut sums = [0.0; 4];
            for seed in 0..SEEDS {
                let found = errors(mean, seed);
                sums.iter_mut().zip(found).for_each(|(sum, x)| *sum += x / SEEDS as f64);
            }
            assert!(
                sums[3] < sums[0] && sums[0] < sums[1] && sums[1] < sums[2],
                "{mean}: {sums:?}"
            );
            table.row(std::iter::once(mean.to_string()).chain(sums.map(|x| format!("{x:.2}"))));
        }
        Page::open("choosing.md").close_to("own-levels", &table, 0.25);
    }
}

mod mechanisms {
    use super::*;

    /// Mean and variance of the release of a count, over all values on multiples of `step` that may come up.
    fn moments(y: i64, step: f64, probability: impl Fn(f64) -> f64) -> (f64, f64) {
        let reach = (4000.0 / step) as i64;
        let values = (-reach..=reach).map(|i| y as f64 + i as f64 * step);
        let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
        for c in values {
            let p = probability(c);
            mass += p;
            mean += p * c;
            square += p * c * c;
        }
        assert!((mass - 1.0).abs() < 1e-9, "{mass}");
        (mean, square - mean * mean)
    }

    /// What a release tells of the rate, as a share of what the count itself tells: Fisher's information is
    /// `E[(E[y | c] / rate - 1)^2]`, that of the count `1 / rate`.
    fn information<C: Channel>(law: &C, rate: f64, values: impl Iterator<Item = C::Value>) -> f64 {
        let (mut mass, mut information) = (0.0, 0.0);
        for c in values {
            let p = law.ln_marginal(rate, c).exp();
            mass += p;
            information += p * (law.slope(rate, c) - 1.0).powi(2);
        }
        assert!((mass - 1.0).abs() < 1e-6, "{mass}");
        information * rate
    }

    /// Below zero the likelihood of a rate is that at zero, so cutting there loses nothing.
    #[test]
    fn truncation_is_sufficient() {
        let budget = budget(1, 0.5);
        let (whole, cut) = (Mechanism::law(&budget).unwrap(), Truncated(budget).law().unwrap());
        for rate in RATES {
            let (a, b) = (information(&whole, rate, -700..2000), information(&cut, rate, 0..2000));
            assert!((a / b - 1.0).abs() < 1e-9, "{rate}: {a} {b}");
        }
    }

    const RATES: [f64; 4] = [0.1, 1.0, 10.0, 100.0];

    fn row(name: &str, shares: [f64; 4]) -> Vec<String> {
        let percent = |x: f64| format!("{} %", short(100.0 * x));
        std::iter::once(name.to_owned()).chain(shares.map(percent)).collect()
    }

    #[test]
    fn what_a_release_tells() {
        let budget = budget(1, 1.0);
        let mut table = Table::of(&[
            "mechanism at N = 1, epsilon = 1",
            "rate 0.1",
            "rate 1",
            "rate 10",
            "rate 100",
        ]);
        let whole = || -700..1000i64;
        let geometric = Mechanism::law(&budget).unwrap();
        table.row(row(
            "two-sided geometric",
            RATES.map(|r| information(&geometric, r, whole())),
        ));
        let truncated = Truncated(budget).law().unwrap();
        table.row(row("truncated", RATES.map(|r| information(&truncated, r, 0..1000))));
        let lattice = LatticeLaplace::new(budget, 4).unwrap().law().unwrap();
        table.row(row(
            "Laplace on a lattice of sixteenths",
            RATES.map(|r| information(&lattice, r, (-700 * 16..1000 * 16).map(|i| f64::from(i) / 16.0))),
        ));
        let skellam = SkellamNoise::promising(1, 1.0, 1e-6).unwrap().law().unwrap();
        table.row(row(
            "Skellam, delta = 1e-6",
            RATES.map(|r| information(&skellam, r, whole())),
        ));
        table.row(row(
            "presence (promises nothing)",
            RATES.map(|r| information(&AtLeastOne, r, [false, true].into_iter())),
        ));
        Page::open("mechanisms.md").table("information", &table);
    }

    #[test]
    fn costs() {
        let budget = budget(1, 1.0);
        let alpha = budget.alpha();
        let mut table = Table::of(&[
            "mechanism at N = 1, epsilon = 1",
            "variance of a release of 0",
            "of 2",
            "of 10",
            "mean of a release of 0",
        ]);
        let counts = [0, 2, 10];
        let mut add = |name: &str, of: &dyn Fn(i64) -> (f64, f64)| {
            let cells = counts.map(|y| short(of(y).1));
            let mean = of(0).0;
            let mean = if mean.abs() < 1e-9 { "0".into() } else { short(mean) };
            table.row(std::iter::once(name.to_owned()).chain(cells).chain([mean]));
        };
        add("two-sided geometric", &|y| {
            moments(y, 1.0, |c| noise(alpha, c as i64 - y))
        });
        add("truncated", &|y| {
            moments(y, 1.0, |c| match c {
                c if c < 0.0 => 0.0,
                0.0 => alpha.powi(y as i32) / (1.0 + alpha),
                c => noise(alpha, c as i64 - y),
            })
        });
        let fine = (-1.0f64 / 16.0).exp();
        add("Laplace on a lattice of sixteenths", &|y| {
            moments(y, 1.0 / 16.0, |c| noise(fine, ((c - y as f64) * 16.0).round() as i64))
        });
        let lambda = SkellamNoise::promising(1, 1.0, 1e-6).unwrap().lambda().to_f64();
        add("Skellam, delta = 1e-6", &|y| {
            moments(y, 1.0, |c| {
                skellam::special::ln_skellam_pmf(c as i64 - y, lambda, lambda).exp()
            })
        });
        Page::open("mechanisms.md").table("costs", &table);
    }
}

mod mistakes {
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
                format!("{} %", short(100.0 * share)),
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
}

/// Every page of the book is in its table of contents, and what it links to is there.
#[test]
fn links_lead_somewhere() {
    let summary = fs::read_to_string(folder().join("SUMMARY.md")).unwrap();
    let mut folders = vec![folder()];
    let mut links = 0;
    while let Some(folder_of_pages) = folders.pop() {
        for entry in fs::read_dir(&folder_of_pages).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|e| e != "md") {
                continue;
            }
            let name = path
                .strip_prefix(folder())
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/");
            assert!(
                name == "SUMMARY.md" || summary.contains(&format!("({name})")),
                "{name} is in no table of contents"
            );
            let text = fs::read_to_string(&path).unwrap();
            let prose: String = text.split("```").step_by(2).collect();
            for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let target = link.split('#').next().unwrap();
                if target.is_empty() || target.contains("://") {
                    continue;
                }
                assert!(path.parent().unwrap().join(target).exists(), "{name}: {link}");
                links += 1;
            }
        }
    }
    assert!(links > 40, "{links}");
}
