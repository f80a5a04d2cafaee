//! The formulas of lines that are printed, evaluated as they are read, and held against what runs: the messages that a line sends to its total,
//! means, evidence and draws.
//!
//! Every check takes the formulas that are printed, so that one that is changed alone is noticed: the mutants at the end.

mod cases;
mod mutants;
mod value;

use std::collections::HashMap;

use skellam_formula::Notation;
use skellam_formula::line::LineNames;

use cases::{Case, Running, cases};
use mutants::mutants;
use value::{Above, Printed, Tree, replaced};

use super::tables;
use crate::distribution::goodness::discrete_p;
use crate::streams::Streams;
use crate::total::message::Tails;
use crate::total::open::Reach;

/// Sums of some hundred positive terms, and logarithms of such; what runs leaves out what is below 1e-14 of a Poisson count.
const TOLERANCE: f64 = 1e-12;
/// What is changed changes a digit that anybody would see.
const SEEN: f64 = 1e-3;
/// Draws of each tree.
const DRAWS: u64 = 10_000;
/// Tables of larger Poisson counts are counted together.
const NEAR: usize = 8;

fn error(printed: f64, runs: f64) -> f64 {
    let error = (printed - runs).abs() / runs.abs().max(1.0);
    if error.is_nan() { f64::INFINITY } else { error }
}

/// The worst error of the means, the evidence, and what the lines below the first one say of its cells.
fn cavi_error(case: &Case, running: &Running, change: &dyn Fn(&mut Printed)) -> f64 {
    let Running { totals, rates } = running;
    let mut printed = case.solved(false, change);
    let total = case.total.unwrap_or(0);
    let (means, ln_evidence) = totals.expect(rates).unwrap();
    let pairs = printed.means(total, Vec::new()).into_iter().zip(means.concat());
    let mut worst = pairs.fold(0.0f64, |worst, (printed, runs)| worst.max(error(printed, runs)));
    // An ascent takes the mean of a Poisson count off by itself.
    let mean = if case.total.is_none() { case.tree.rates[0] } else { 0.0 };
    let bound = printed.bound(total);
    worst = worst.max(error(bound, totals.ln_evidence(rates)));
    worst = worst.max(error(bound + mean, ln_evidence.iter().sum()));
    for (cell, lines) in printed.said.iter().enumerate() {
        for (said, &line) in lines.iter().zip(&totals.below[0][cell]) {
            let reach = Reach::closed(case.most(), case.most() as f64);
            let message = totals.node(line, reach, Tails::ALL, rates).message().unwrap();
            for (x, said) in said.iter().enumerate() {
                let runs = message.get(x).exp();
                let off = error(*said, runs).max(if runs > 0.0 { (said / runs - 1.0).abs() } else { 0.0 });
                worst = worst.max(off);
            }
        }
    }
    worst
}

/// Every table of a tree whose line adds up to `total`, its cells in the order of the lines.
fn tables_of(tree: &Tree, total: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for own in tables(total, tree.rates.len()) {
        let mut all = vec![own.clone()];
        for (lines, x) in tree.below.iter().zip(own) {
            for line in lines {
                let line = tables_of(line, x);
                let with = |table: &Vec<usize>| -> Vec<Vec<usize>> {
                    line.iter().map(|more| [&table[..], more].concat()).collect()
                };
                all = all.iter().flat_map(with).collect();
            }
        }
        found.extend(all);
    }
    found
}

/// Draws of a tree as they run, by their numbers among its tables.
struct Drawn {
    tables: Vec<Vec<usize>>,
    draws: Vec<u64>,
}

impl Drawn {
    fn new(case: &Case, running: &Running, seed: u64) -> Self {
        let totals = case.total.map_or(0..=NEAR, |total| total..=total);
        let tables: Vec<Vec<usize>> = totals.flat_map(|total| tables_of(&case.tree, total)).collect();
        let numbers: HashMap<&[usize], u64> = tables.iter().map(|table| &table[..]).zip(0..).collect();
        let draw = |sweep| {
            let streams = Streams::new(seed, 0).at_sweep(sweep);
            let drawn = running.totals.draw(&running.rates, &streams).unwrap().concat();
            let drawn: Vec<usize> = drawn.into_iter().map(|x| x as usize).collect();
            // Larger Poisson counts come behind all tables.
            let behind = tables.len() as u64;
            match case.total {
                Some(_) => numbers[&drawn[..]],
                None => numbers.get(&drawn[..]).copied().unwrap_or(behind),
            }
        };
        let draws = (0..DRAWS).map(draw).collect();
        Self { tables, draws }
    }

    /// The probability of a chi-square statistic as large as that of these draws, if tables have the probabilities that are printed.
    fn p(&self, case: &Case, change: &dyn Fn(&mut Printed)) -> f64 {
        let printed = case.solved(true, change);
        let probability = |table: &Vec<usize>| {
            let probability = printed.probability(case.total.unwrap_or(0), &mut &table[..]);
            if probability.is_nan() { 0.0 } else { probability }
        };
        let probabilities: Vec<f64> = self.tables.iter().map(probability).collect();
        // Neighbours are counted together there, possible or not.
        let mut found = self.draws.iter().filter_map(|&draw| probabilities.get(draw as usize));
        if found.any(|probability| *probability == 0.0) {
            return 0.0;
        }
        discrete_p(&self.draws, 0, &probabilities)
    }
}

#[test]
fn means_and_evidence_are_as_printed() {
    for case in cases() {
        for is_concave in [false, true] {
            let worst = cavi_error(&case, &Running::new(&case, is_concave), &|_| {});
            assert!(worst < TOLERANCE, "{}, {is_concave}: {worst:e}", case.name);
        }
    }
}

/// Twenty tests at a level of 1e-5: by chance one of them fails for one seed in 5000.
#[test]
fn draws_are_as_printed() {
    for (at, case) in cases().iter().enumerate() {
        for is_concave in [false, true] {
            let seed = 2 * at as u64 + u64::from(is_concave);
            let p = Drawn::new(case, &Running::new(case, is_concave), seed).p(case, &|_| {});
            assert!(p > 1e-5, "{}, {is_concave}: {p:e}", case.name);
        }
    }
}

/// What is printed of a line, in one string.
fn text(printed: &Printed) -> String {
    let names = LineNames {
        truth: "y",
        observed: "c",
        rate: "μ",
        mean_rate: "E[μ]",
        geometric: "ρ",
        total: "n",
        along: "j",
        bound: "L",
        below: "z",
    };
    let each = |notation| match printed {
        Printed::Line(gibbs, cavi, bound) => {
            let mut lines = [gibbs.sums.write(&names, notation), cavi.sums.write(&names, notation)].concat();
            lines.push(gibbs.write(&names, notation));
            lines.extend(cavi.write(&names, notation));
            lines.extend(bound.as_ref().map(|bound| bound.write(&names, notation)));
            lines
        }
        Printed::Total(gibbs, cavi, bound) => {
            let mut lines = [gibbs.write(&names, notation), cavi.write(&names, notation)].concat();
            lines.push(gibbs.write_draw(&names, notation));
            lines.extend([cavi.mean().write(&names, notation), bound.write(&names, notation)]);
            lines
        }
    };
    [Notation::Unicode, Notation::Latex].map(each).concat().join("\n")
}

/// Each is seen in print, and in every form in which it is printed in what runs.
#[test]
fn wrong_formulas_are_noticed() {
    let with_draws = |case: Case| {
        let running = Running::new(&case, true);
        let drawn = Drawn::new(&case, &running, 7);
        (case, running, drawn)
    };
    let cases: Vec<(Case, Running, Drawn)> = cases().into_iter().map(with_draws).collect();
    for (what, place, from, to) in mutants() {
        let change = |printed: &mut Printed| {
            for formula in place.formulas(printed) {
                *formula = replaced(formula, &from, &to);
            }
        };
        // The trees that have it at their root or below.
        let (mut worst, mut least, mut is_printed) = (0.0f64, 1.0f64, false);
        for (case, running, drawn) in &cases {
            for above in [Above::Number, Above::Count, Above::Nothing] {
                let right = Printed::new(&case.tree, above);
                let mut wrong = right.clone();
                change(&mut wrong);
                let is_changed = wrong != right;
                assert_eq!(text(&wrong) != text(&right), is_changed, "{what}");
                is_printed |= is_changed;
            }
            if place.forms()[0] {
                least = least.min(drawn.p(case, &change));
            }
            if place.forms()[1] {
                worst = worst.max(cavi_error(case, running, &change));
            }
        }
        assert!(is_printed, "{what} stands nowhere");
        assert!(!place.forms()[0] || least < 1e-9, "draws: {what}: {least:e}");
        assert!(
            !place.forms()[1] || worst > SEEN,
            "means and evidence: {what}: {worst:e}"
        );
    }
}
