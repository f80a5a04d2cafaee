//! The convolutions against every table there is.

use rand::SeedableRng;

use super::*;
use crate::naive_bayes::mean;
use crate::naive_bayes::model::Model;

/// All ways to split `total` over `parts`.
fn splits(total: usize, parts: usize) -> Vec<Vec<usize>> {
    if parts == 1 {
        return vec![vec![total]];
    }
    let first = 0..=total;
    first
        .flat_map(|x| {
            splits(total - x, parts - 1).into_iter().map(move |mut rest| {
                rest.insert(0, x);
                rest
            })
        })
        .collect()
}

/// All tables of a model.
fn all_tables(model: &Model) -> Vec<Tables> {
    let mut tables = Vec::new();
    for n in splits(model.people, model.classes) {
        let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
        for line in 0..model.features * model.classes {
            let choices = splits(n[model.class_of(line)], model.answers);
            rows = rows
                .iter()
                .flat_map(|row| choices.iter().map(move |choice| [row.as_slice(), choice].concat()))
                .collect();
        }
        tables.extend(rows.into_iter().map(|x| Tables { n: n.clone(), x }));
    }
    tables
}

/// `total! / (x1! x2! ..)`, by products alone.
fn coefficient(x: &[usize]) -> f64 {
    let factorial = |n: usize| (1..=n).map(|i| i as f64).product::<f64>();
    factorial(x.iter().sum()) / x.iter().map(|&x| factorial(x)).product::<f64>()
}

/// Multinomial probability with shares of a Dirichlet integrated out, by rising factorials.
fn integrated(x: &[usize], concentration: f64) -> f64 {
    let rising = |a: f64, n: usize| (0..n).map(|i| a + i as f64).product::<f64>();
    let above = x.iter().map(|&x| rising(concentration, x)).product::<f64>();
    coefficient(x) * above / rising(concentration * x.len() as f64, x.iter().sum())
}

/// Every table, with its joint probability with the release.
fn weighed(released: &Released) -> Vec<(Tables, f64)> {
    let (model, alpha) = (&released.model, released.noise.alpha());
    let joint = |tables: &Tables| {
        let noise = released.values.iter().zip(&tables.x).map(|(m, &x)| {
            let away = (m - x as i64).unsigned_abs() as i32;
            (1.0 - alpha) / (1.0 + alpha) * alpha.powi(away)
        });
        let lines = tables.x.chunks(model.answers);
        let lines: f64 = lines.map(|x| integrated(x, model.answer_prior)).product();
        integrated(&tables.n, model.class_prior) * lines * noise.product::<f64>()
    };
    let weighed = |tables: Tables| (tables.clone(), joint(&tables));
    all_tables(model).into_iter().map(weighed).collect()
}

/// Releases of models that are small enough, at little noise and at much.
fn cases() -> Vec<Released> {
    let sizes = [
        (3, [2, 2, 2]),
        (4, [2, 1, 3]),
        (3, [3, 1, 2]),
        (5, [1, 2, 2]),
        (2, [2, 3, 2]),
        (4, [2, 2, 1]),
    ];
    let mut rng = Stream::seed_from_u64(7);
    let mut cases = Vec::new();
    for (people, sizes) in sizes {
        for (a, b, epsilon) in [(1.0, 1.0, 1.0), (0.4, 2.5, 0.05), (3.0, 0.2, 8.0)] {
            let model = Model {
                class_prior: a,
                answer_prior: b,
                ..Model::new(people, sizes)
            };
            let truth = model.parameters(&mut rng);
            let tables = model.tables(&truth, &mut rng);
            cases.push(model.release(&tables, epsilon, &mut rng).unwrap());
        }
    }
    cases
}

fn close(found: f64, expected: f64, what: &str) {
    assert!((found / expected - 1.0).abs() < 1e-12, "{what}: {found} for {expected}");
}

#[test]
fn evidence_means_and_class_counts_are_sums_over_all_tables() {
    for released in cases() {
        let model = released.model;
        let (a, b) = (model.class_prior, model.answer_prior);
        let all = weighed(&released);
        let evidence: f64 = all.iter().map(|(_, weight)| weight).sum();
        let mean = |of: &dyn Fn(&Tables) -> f64| all.iter().map(|(t, weight)| of(t) * weight).sum::<f64>() / evidence;
        let hidden = Hidden::integrated(&released);
        close(hidden.ln_evidence().exp(), evidence, &format!("evidence, {model:?}"));
        let found = means(&released, &hidden);
        for (i, counts) in hidden.class_counts().iter().enumerate() {
            let total = a * model.classes as f64 + model.people as f64;
            let expected = mean(&|t| (a + t.n[i] as f64) / total);
            close(found.p[i], expected, &format!("p {i}, {model:?}"));
            for (s, law) in counts.iter().enumerate() {
                let expected = mean(&|t| f64::from(u8::from(t.n[i] == s)));
                assert!(
                    (law - expected).abs() < 1e-12,
                    "n {i} = {s}, {model:?}: {law} for {expected}"
                );
            }
        }
        for cell in 0..model.cells() {
            let class = model.class_of(cell / model.answers);
            let total = |t: &Tables| b * model.answers as f64 + t.n[class] as f64;
            let expected = mean(&|t| (b + t.x[cell] as f64) / total(t));
            close(found.q[cell], expected, &format!("q {cell}, {model:?}"));
        }
    }
}

/// 20,000 draws of tables; each frequency within 5 standard errors, some 100 tables: false positives below 1e-4.
#[test]
fn draws_follow_the_posterior() {
    let released = cases().swap_remove(0);
    let all = weighed(&released);
    let evidence: f64 = all.iter().map(|(_, weight)| weight).sum();
    let (hidden, mut rng) = (Hidden::integrated(&released), Stream::seed_from_u64(11));
    let draws: Vec<Tables> = (0..20_000).map(|_| hidden.draw(&mut rng)).collect();
    for (table, weight) in &all {
        let law = weight / evidence;
        let share = draws.iter().filter(|draw| *draw == table).count() as f64 / 20_000.0;
        let error = (law * (1.0 - law) / 20_000.0).sqrt().max(1e-5);
        assert!((share - law).abs() <= 5.0 * error, "{table:?}: {share} for {law}");
    }
}

/// Means of 2,000 drawn parameters are the means in closed form, within 5 standard errors, of 500 people at budgets at which weights leave the range of floating-point numbers.
#[test]
fn draws_have_the_closed_means() {
    let mut rng = Stream::seed_from_u64(13);
    for epsilon in [1e-4, 0.3, 10.0] {
        let model = Model::new(500, [2, 3, 3]);
        let truth = model.parameters(&mut rng);
        let tables = model.tables(&truth, &mut rng);
        let released = model.release(&tables, epsilon, &mut rng).unwrap();
        let hidden = Hidden::integrated(&released);
        let closed = means(&released, &hidden);
        let draws: Vec<Parameters> = (0..2000).map(|_| parameters(&released, &hidden, &mut rng)).collect();
        for cell in 0..model.cells() {
            let values: Vec<f64> = draws.iter().map(|draw| draw.q[cell]).collect();
            let [value, error] = mean(&values);
            assert!(
                (value - closed.q[cell]).abs() < 5.0 * error,
                "{epsilon}: {value} for {}",
                closed.q[cell]
            );
        }
    }
}
