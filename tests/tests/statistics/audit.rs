//! Does a self-test see what is wrong? Every mistake of [`Mistake`] in every family.
//!
//! Each self-test ends with the first law that fails. A mistake that no law sees is listed with the reason, and nothing
//! else may go unseen. Where a mistake is in what is derived for a family, self-tests have the iterations of `laws.rs`, 15 %
//! of those by default: what is seen here is seen there. Mistakes of channels and of custom updates have all.
//!
//! ```text
//! cargo test --release -p skellam-tests --test statistics -- --ignored --nocapture audit::
//! ```
//!
//! prints the table of `docs/src/self-test.md`; with `AUDIT=counts` before it, the rows of mistakes whose name holds `counts`. With
//! `taskset -c 0` each self-test has a single thread.

use std::collections::BTreeMap;

use skellam_check::{Check, Report, SelfTest};
use skellam_tests::declared::EFFORT;
use skellam_tests::for_each_family;
use skellam_tests::mutants::{Mistake, Mutable, Mutant};

type Test = fn(&SelfTest) -> Report;

macro_rules! audited {
    ($($name:ident, $released:ident, $exact:ident { $($declaration:tt)* } by { $($release:tt)* })*) => {
        $(skellam::model! { model $released { $($declaration)* $($release)* } })*

        const FAMILIES: &[(&str, Test)] = &[
            $((stringify!($name), |settings| settings.run::<Mutant<$released>>())),*
        ];
    };
}

for_each_family!(audited, Mutable);

macro_rules! audited_later {
    ($($name:ident, $model:ident { $($declaration:tt)* })*) => {
        $(skellam::model! { model $model { $($declaration)* } })*

        /// What the list of families does not have: lookups, shapes that are learned, totals, times.
        const LATER: &[(&str, Test)] = &[
            $((stringify!($name), |settings| settings.run::<Mutant<$model>>())),*
        ];
    };
}

audited_later! {
    lookup, Authors {
        index docs, words, authors, topics;
        data author[d in docs]: authors;
        latent terse[a in authors] ~ Gamma(shape = 2.0, rate = 2.0);
        latent style[a in authors, k in topics] ~ Gamma(shape = 0.7, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.7, rate = terse[author[d]]);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.7, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) (style[author[d], k] + theta[d, k]) * phi[k, v]);
        release y by Mutable;
    }
    learned_shape, Layers {
        index docs, words, topics, themes;
        latent psi[d in docs, j in themes] ~ Gamma(shape = 0.7, rate = 1.0);
        latent w[j in themes, k in topics] ~ Gamma(shape = 0.7, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.2 + sum(j in themes) psi[d, j] * w[j, k], rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.7, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by Mutable;
    }
    known_totals, Lengths {
        index docs, words, topics;
        data length[d in docs]: whole;
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 0.7, along = k);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.7, along = v);
        count y[d in docs, v in words] ~ Multinomial(length[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);
        release y by Mutable;
    }
    times, Times {
        index times: ordered;
        index words, topics;
        hyper b: positive = 1.0;
        latent level[t in times] ~ Gamma(shape = 0.9, rate = 0.9 * z[t - 1] or b);
        latent z[t in times] ~ Gamma(shape = 0.9, rate = 0.9 * level[t]);
        latent theta[t in times, k in topics] ~ Gamma(shape = 0.7, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.7, rate = 1.0);
        count y[t in times, v in words] ~ Poisson(level[t] * sum(k in topics) theta[t, k] * phi[k, v]);
        release y by Mutable;
    }
    shape_in_time, System {
        index times: ordered;
        index words, parts;
        latent pi[j in parts, k in parts] ~ Dirichlet(concentration = 1.0, along = k);
        latent first[k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        latent theta[t in times, k in parts]
            ~ Gamma(shape = 0.2 + 1.5 * sum(j in parts) pi[j, k] * (theta[t - 1, j] or first[j]), rate = 1.5);
        latent phi[k in parts, v in words] ~ Dirichlet(concentration = 0.7, along = v);
        count y[t in times, v in words] ~ Poisson(sum(k in parts) theta[t, k] * phi[k, v]);
        release y by Mutable;
    }
}

/// Mistakes that cannot be seen in a family, each with the reason.
const EXCUSED: &[(Mistake, &str, &str)] = &[
    (Mistake::SymmetryPower, "three_way_apart", NO_SYMMETRY),
    (Mistake::SymmetryPower, "slices_along_two_indices", NO_SYMMETRY),
    (Mistake::SymmetryPower, "ties_with_coefficients", NO_SYMMETRY),
    (Mistake::SymmetryPower, "simplex_along_a_free_index", NO_SYMMETRY),
    (
        Mistake::SymmetryPower,
        "simplices_along_contracted_indices",
        NO_SYMMETRY,
    ),
    (Mistake::SymmetryPower, "several_views", NO_SYMMETRY),
    (Mistake::SymmetryPower, "known_factors", NO_SYMMETRY),
    (Mistake::SymmetryPower, "shape_in_time", NO_SYMMETRY),
    (Mistake::SymmetryPower, "known_totals", NO_SYMMETRY),
    (Mistake::MovesJacobian, "known_totals", NO_MOVES),
    (Mistake::ExpectedOff, "learned_shape", NO_BOUND),
    (Mistake::ExpectedOff, "shape_in_time", NO_BOUND),
    (Mistake::MovesJacobian, "shape_in_time", NO_BOUND),
    (Mistake::MovesRates, "shape_in_time", NO_BOUND),
];
const NO_BOUND: &str = "has no bound, and no joint moves";
const NO_MOVES: &str = "has no joint moves";
const NO_SYMMETRY: &str = "has no symmetry";

fn excuse(mistake: Mistake, family: &str) -> Option<&'static str> {
    let found = EXCUSED.iter().find(|(m, f, _)| *m == mistake && *f == family);
    found.map(|(_, _, why)| *why)
}

/// What was found of one mistake.
struct Line {
    /// By which law, in how many families.
    by: BTreeMap<&'static str, usize>,
    unseen: Vec<String>,
    /// How far the statistic is beyond its limit where it is least so.
    margin: f64,
    slowest: f64,
}

/// Whether a mistake is in what is derived for a family, not in a channel or a custom update.
fn is_of_a_family(mistake: Mistake) -> bool {
    let of_family = ["data:", "update:", "counts:", "moves:"];
    of_family.iter().any(|part| mistake.words().starts_with(part))
}

/// Tries the mistakes that `is_tried` on some families. Returns what went unseen without an excuse, and what was seen in spite of one.
fn audit(families: &[(&str, Test)], is_tried: impl Fn(Mistake) -> bool) -> Vec<String> {
    let mut unexcused = Vec::new();
    println!("| what is wrong | seen in | by | least statistic / limit | slowest |\n|---|---|---|---|---|");
    for &mistake in Mistake::ALL[1..].iter().filter(|mistake| is_tried(**mistake)) {
        let mut line = Line {
            by: BTreeMap::new(),
            unseen: Vec::new(),
            margin: f64::INFINITY,
            slowest: 0.0,
        };
        let settings = SelfTest {
            effort: match is_of_a_family(mistake) {
                true => EFFORT,
                false => 1.0,
            },
            stop_at_failure: true,
            ..SelfTest::default()
        };
        for (family, test) in families {
            let report = mistake.during(|| test(&settings));
            line.slowest = line.slowest.max(report.seconds);
            let why = excuse(mistake, family);
            // The widest margin: laws that were under way when the first had failed are not cut short.
            let margins = report.failures().map(|row| row.statistic / row.limit);
            let margin = margins.fold(0.0, f64::max);
            match report.failures().next() {
                Some(row) => {
                    line.margin = line.margin.min(margin);
                    *line.by.entry(row.check.name()).or_default() += 1;
                    if let Some(why) = why {
                        unexcused.push(format!(
                            "{} in {family} {why}, and yet is seen\n{report}",
                            mistake.words()
                        ));
                    }
                }
                None => {
                    line.unseen.push(format!("{family}: {}", why.unwrap_or("UNSEEN")));
                    if why.is_none() {
                        unexcused.push(format!("{} in {family}\n{report}", mistake.words()));
                    }
                }
            }
        }
        let seen: usize = line.by.values().sum();
        let by: Vec<String> = line.by.iter().map(|(law, n)| format!("{law} ({n})")).collect();
        println!(
            "| {} | {seen} of {} | {} | {:.1} | {:.1} s |",
            mistake.words(),
            families.len(),
            [by, line.unseen].concat().join("; "),
            line.margin,
            line.slowest
        );
    }
    unexcused
}

/// Three families: a matrix, one that uses a factor twice, several counts. What is wrong with a channel is wrong in every family: the matrix tells.
#[test]
fn mistakes_in_three_families_are_seen() {
    let names = ["matrix", "undirected_block_model", "several_views"];
    let some: Vec<(&str, Test)> = FAMILIES
        .iter()
        .filter(|(name, _)| names.contains(name))
        .copied()
        .collect();
    assert_eq!(some.len(), names.len());
    let mut unseen = audit(&some, is_of_a_family);
    unseen.extend(audit(&some[..1], |mistake| !is_of_a_family(mistake)));
    assert!(unseen.is_empty(), "{}", unseen.join("\n\n"));
}

/// The same in the families that came later, but for what is quick to see in any: mistakes of data and counts in one that is drawn cell by cell, and in
/// lines.
#[test]
fn mistakes_in_later_families_are_seen() {
    let names = ["lookup", "known_totals"];
    let some: Vec<(&str, Test)> = (LATER.iter().copied())
        .filter(|(name, _)| names.contains(name))
        .collect();
    assert_eq!(some.len(), names.len());
    let unseen = audit(&some, |mistake| {
        is_of_a_family(mistake) && excuse(mistake, "known_totals").is_none()
    });
    assert!(unseen.is_empty(), "{}", unseen.join("\n\n"));
}

/// Two mistakes that laws of channels see first, by the sampler's row alone: weight 1 instead of 1 - alpha by its collapsed
/// form, the posterior rate as printed by the augmented one. Each leaves the other form as it is.
#[test]
fn samplers_alone_see_a_wrong_weight_and_the_misprint() {
    let settings = SelfTest {
        effort: EFFORT,
        ..SelfTest::default()
    };
    let (_, matrix) = FAMILIES[0];
    for (mistake, form) in [
        (Mistake::WholeWeight, "collapsed"),
        (Mistake::PosteriorRate, "augmented"),
    ] {
        let report = mistake.during(|| matrix(&settings));
        let rows: Vec<_> = report.rows.iter().filter(|row| row.check == Check::Geweke).collect();
        assert_eq!(rows.len(), 2, "{report}");
        for row in rows {
            println!("{}, {}: {:.2} of {}", mistake.words(), row.of, row.statistic, row.limit);
            assert_eq!(row.passed, row.of != form, "{report}");
        }
    }
}

/// Data cannot be drawn where some chains lead, and the next sweep makes the rates anew that moves have left behind: both are failures, and
/// nothing to be left out or overlooked.
#[test]
fn chains_that_go_astray_fail() {
    let (_, matrix) = FAMILIES[0];
    let settings = SelfTest {
        effort: EFFORT,
        laws: Some(vec![Check::Geweke, Check::Moves]),
        ..SelfTest::default()
    };
    let failed = |mistake: Mistake| -> Vec<String> {
        let report = mistake.during(|| matrix(&settings));
        report.failures().map(|row| row.of.clone()).collect()
    };
    let moves = ["trajectories, scales", "levels, components, rows"];
    assert_eq!(
        failed(Mistake::OwnAstray),
        ["collapsed", "augmented", moves[0], moves[1]]
    );
    let rates = moves.map(|moves| format!("rates after {moves}"));
    let failed = failed(Mistake::MovesRates);
    assert!(rates.iter().all(|rates| failed.contains(rates)), "{failed:?}");
    assert!(!failed.contains(&"collapsed".to_owned()), "{failed:?}");
}

/// What makes mistakes makes none by itself. False positives below 1e-4.
#[test]
fn without_a_mistake_all_holds() {
    let (_, matrix) = FAMILIES[0];
    let settings = SelfTest {
        effort: EFFORT,
        ..SelfTest::default()
    };
    let report = Mistake::None.during(|| matrix(&settings));
    assert!(report.passed(), "{report}");
    println!("{report}");
}

#[test]
#[ignore = "every mistake in every family takes two minutes"]
fn mistakes_in_every_family_are_seen() {
    assert_eq!((FAMILIES.len(), LATER.len()), (20, 5));
    let part = std::env::var("AUDIT").unwrap_or_default();
    let mut unseen = audit(FAMILIES, |mistake| mistake.words().contains(&part));
    // The channel is the same as in the others.
    let is_tried = |mistake: Mistake| is_of_a_family(mistake) && mistake.words().contains(&part);
    unseen.extend(audit(LATER, is_tried));
    let settings = SelfTest {
        effort: EFFORT,
        ..SelfTest::default()
    };
    for (family, test) in LATER {
        let report = Mistake::None.during(|| test(&settings));
        assert!(report.passed(), "{family}: {report}");
    }
    assert!(unseen.is_empty(), "{}", unseen.join("\n\n"));
}
