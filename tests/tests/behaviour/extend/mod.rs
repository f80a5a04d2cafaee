//! The walk-throughs of `docs/src/extend.md`: their code is the code below, it runs, it is right, and what is wrong is told.

mod family;

use std::fs;
use std::path::{Path, PathBuf};

use rand::{CryptoRng, Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::channel::{Channel, ChannelText, LinearText, LogLinear, Unaugmented, Varying};
use skellam::math::distribution::{binomial, gamma_draw, poisson};
use skellam::math::special::{ln_factorial, ln_gamma, ln_poisson_pmf};
use skellam::prelude::*;
use skellam::release::ReleaseError;

// [channel]
/// Every count was detected with probability `p`, independently: `c ~ Binomial(y, p)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detected {
    p: f64,
}

#[skellam::shown]
impl Channel for Detected {
    type Value = i64;
    type Augmentation = Unaugmented;

    // Data that hold a negative number are refused.
    fn admits(&self, c: i64) -> bool {
        c >= 0
    }

    // E[c | y] = p y.
    fn estimate(&self, c: i64) -> f64 {
        c as f64 / self.p
    }

    // Detected and missed counts are independent Poisson variables of rates p r and (1 - p) r.
    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        match u64::try_from(c) {
            Ok(c) => ln_poisson_pmf(c, self.p * rate),
            Err(_) => f64::NEG_INFINITY,
        }
    }

    fn expect(&self, rate: f64, c: i64) -> f64 {
        c as f64 + (1.0 - self.p) * rate
    }

    fn slope(&self, rate: f64, c: i64) -> f64 {
        (c as f64 / rate).min(f64::MAX) + 1.0 - self.p
    }

    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: i64, rng: &mut R) -> u64 {
        c as u64 + poisson((1.0 - self.p) * rate, rng)
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> i64 {
        binomial(y, self.p, rng) as i64
    }

    fn typical() -> Self {
        Self { p: 0.6 }
    }

    // ln P(0 | r) = -p r: nothing detected is exposure p.
    fn log_linear(&self, c: i64) -> Option<LogLinear> {
        let (weight, constant) = (self.p, 0.0);
        (c == 0).then_some(LogLinear { weight, constant })
    }

    // P(y = 0 | r, 0) = exp(-(1 - p) r), and y = 0 is impossible where something was detected.
    fn zero_bound(&self, c: i64) -> Option<f64> {
        (c == 0).then_some(1.0 - self.p)
    }

    fn text() -> ChannelText {
        ChannelText {
            name: "Detected",
            law: "{c} ~ Binomial({y}, p)",
            linear: Some(LinearText {
                at: "{c} = 0",
                weight: "p",
            }),
            impute: &["{y} - {c} ~ Poisson((1 - p) {mu})"],
            expect: &["E[{y}] = {c} + (1 - p) {g}"],
            augmented: None,
            source: "Poisson thinning",
        }
    }
}
// [/channel]

// [use]
skellam::model! {
    /// Animals of some kinds at some sites, each seen with a known probability.
    pub model Survey {
        index sites, kinds, habitats;
        latent theta[i in sites, k in habitats] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in habitats, j in kinds]   ~ Gamma(shape = 0.5, rate = 0.1);
        count y[i in sites, j in kinds] ~ Poisson(sum(k in habitats) theta[i, k] * phi[k, j]);
        release y by Detected;
    }
}
// [/use]

// [mechanism]
/// A sample: each unit that is counted is kept with probability `keep / of`, independently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampled {
    keep: u64,
    of: u64,
}

impl Mechanism for Sampled {
    type Law = Detected;

    fn law(&self) -> Result<Detected, ReleaseError> {
        let p = self.keep as f64 / self.of as f64;
        Ok(Detected { p })
    }

    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, rng: &mut R) -> Option<i64> {
        let kept = (0..count).filter(|_| below(self.of, rng) < self.keep);
        i64::try_from(kept.count()).ok()
    }

    // A release of c says for certain that the count is c or more: no epsilon bounds that.
    fn promise(&self) -> Promise {
        Promise::None
    }
}

/// Uniform on `0..n`. The remainder of a division alone would favour small values, as `n` seldom divides 2^64.
fn below<R: Rng + ?Sized>(n: u64, rng: &mut R) -> u64 {
    let whole = u64::MAX - u64::MAX % n;
    loop {
        let bits = rng.next_u64();
        if bits < whole {
            return bits % n;
        }
    }
}
// [/mechanism]

#[test]
fn the_self_test_accepts_the_channel() {
    let report = skellam_check::check::<Survey>();
    assert!(report.passed(), "{report}");
}

/// 3 of 10 of 400,000 units, to six standard errors: a false positive in 5e8. The mechanism and its law draw alike, and it
/// is not taken for private.
#[test]
fn the_mechanism_draws_from_its_law() {
    let (sampled, counts) = (Sampled { keep: 3, of: 10 }, vec![1000i64; 400]);
    let counts = Sensitive::new(Counts::dense(vec![20, 20], counts).unwrap());
    let refused = counts.release(&sampled);
    assert!(
        matches!(refused, Err(ReleaseError::NoPromise { mechanism: "Detected" })),
        "{refused:?}"
    );
    let released = counts.release_without_privacy(&sampled).unwrap();
    assert_eq!(released.promise(), Promise::None);
    assert_eq!(released.law(), &Varying::Uniform(Detected { p: 0.3 }));
    let total: i64 = released.values().unwrap().iter().sum();
    assert!(
        (total as f64 - 120_000.0).abs() < 6.0 * (4e5f64 * 0.21).sqrt(),
        "{total}"
    );
    let whole = Sensitive::new(Counts::dense(vec![2], vec![7, 0]).unwrap());
    let all = whole.release_without_privacy(&Sampled { keep: 1, of: 1 }).unwrap();
    assert_eq!(all.values().unwrap(), [7, 0]);
    let negative = Released::assert_mechanism(vec![1], vec![-1], Varying::Uniform(Detected { p: 0.3 }));
    assert!(matches!(negative, Err(ReleaseError::Impossible { .. })), "{negative:?}");
}

#[test]
fn the_derivation_says_what_the_channel_says() {
    let words = Survey::derivation().to_string();
    assert!(words.contains("Channel Detected"), "{words}");
    assert!(words.contains("c[i,j] ~ Binomial(y[i,j], p)"), "{words}");
    assert!(words.contains("y[i,j] - c[i,j] ~ Poisson((1 - p) μ[i,j])"), "{words}");
}

/// The functions of a channel of one's own stand in the generated file as they are written; the file compiles still.
#[test]
fn the_generated_file_shows_the_channel() {
    let source = Survey::generated();
    for line in [
        "// impl Channel for Detected {",
        "//     // Detected and missed counts are independent Poisson variables of rates p r and (1 - p) r.",
        "//         c as u64 + poisson((1.0 - self.p) * rate, rng)",
    ] {
        assert!(source.lines().any(|found| found == line), "{line}\n{source}");
    }
    let code = source
        .lines()
        .skip_while(|line| !line.starts_with("// A channel of your own"));
    assert!(code.clone().count() > 50 && code.clone().all(|line| line.starts_with("//")));
}

// [distribution]
/// A draw of the negative binomial law: Poisson at a gamma rate of the given `shape` and (1 - p) / p.
///
/// `shape` must be positive and finite, `p` between zero and one.
pub fn negative_binomial<R: Rng + ?Sized>(shape: f64, p: f64, rng: &mut R) -> u64 {
    poisson(gamma_draw(shape, rng) * p / (1.0 - p), rng)
}

/// Pearson's statistic of 200,000 draws over the values 0 to 9 and the rest, against `P(n) = G(n + a) / (G(a) n!) p^n (1 - p)^a`.
fn distance(drawn: [f64; 2], law: [f64; 2], seed: u64) -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let draws = 200_000;
    let mut cells = [0.0; 11];
    for _ in 0..draws {
        cells[negative_binomial(drawn[0], drawn[1], &mut rng).min(10) as usize] += 1.0;
    }
    let [a, p] = law;
    let ln_pmf =
        |n: u64| ln_gamma(n as f64 + a) - ln_gamma(a) - ln_factorial(n) + n as f64 * p.ln() + a * (1.0 - p).ln();
    let mut expected: Vec<f64> = (0..10).map(|n| ln_pmf(n).exp()).collect();
    expected.push(1.0 - expected.iter().sum::<f64>());
    let terms = cells
        .iter()
        .zip(expected)
        .map(|(o, e)| (o - e * f64::from(draws)).powi(2) / (e * f64::from(draws)));
    terms.sum()
}

/// Ten degrees of freedom: above 45 once in 500,000 tests. The mutant's shape is a tenth larger.
#[test]
fn negative_binomial_draws_follow_their_law() {
    for (seed, law) in [[0.5, 0.7], [2.0, 0.5], [6.0, 0.4]].into_iter().enumerate() {
        let right = distance(law, law, seed as u64);
        assert!(right < 45.0, "{law:?}: {right}");
        let wrong = distance([1.1 * law[0], law[1]], law, seed as u64);
        assert!(wrong > 45.0, "{law:?}, mutant: {wrong}");
    }
}
// [/distribution]

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn page() -> String {
    fs::read_to_string(root().join("docs/src/extend.md")).unwrap()
}

/// The code of the page is that of this file, between the marks. `UPDATE_EXPECT=1` copies it there.
#[test]
fn the_page_shows_the_code_that_runs() {
    let source = [include_str!("mod.rs"), include_str!("family.rs")].concat();
    let update = std::env::var("UPDATE_EXPECT").is_ok_and(|v| v != "0");
    let mut page = page();
    for mark in ["channel", "use", "mechanism", "distribution", "family", "family-use"] {
        let after = source.split(&format!("// [{mark}]\n")).nth(1).unwrap();
        let code = after.split(&format!("// [/{mark}]\n")).next().unwrap();
        let open = format!("```rust,{mark}\n");
        let begin = page.find(&open).unwrap_or_else(|| panic!("no block `{mark}`")) + open.len();
        let end = begin + page[begin..].find("```").unwrap();
        if update {
            page.replace_range(begin..end, code);
        } else {
            assert_eq!(&page[begin..end], code, "block `{mark}`: UPDATE_EXPECT=1 rewrites it");
        }
    }
    if update {
        fs::write(root().join("docs/src/extend.md"), page).unwrap();
    }
}

/// What stands in single backticks outside of blocks of code.
fn spans(text: &str) -> Vec<String> {
    let prose: String = text.split("```").step_by(2).collect();
    prose.split('`').skip(1).step_by(2).map(str::to_string).collect()
}

/// A path of this repository.
fn is_path(span: &str) -> bool {
    ["model-macro/", "runtime/", "tests/", "docs/"]
        .iter()
        .any(|room| span.starts_with(room))
}

#[test]
fn every_file_that_the_page_names_exists() {
    let page = page();
    let paths: Vec<String> = spans(&page).into_iter().filter(|s| is_path(s)).collect();
    assert!(paths.len() > 5, "{paths:?}");
    for path in paths {
        assert!(root().join(&path).exists(), "{path}");
    }
}
