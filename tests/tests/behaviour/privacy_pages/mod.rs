//! The pages about privacy: every figure in them is computed here, and their code is compiled and run here.
//!
//! A table stands between `<!-- name -->` and `<!-- /name -->`, code and what it prints in blocks of their own kind.
//! `UPDATE_EXPECT=1 cargo test -p skellam-tests --test behaviour privacy_pages` rewrites them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use skellam::channel::Channel;
use skellam::math::distribution::gamma_draw;
use skellam::prelude::*;
use skellam::release::LedgerError;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

mod choosing;
mod mechanisms;
mod mistakes;
mod promise;
mod totals;

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
