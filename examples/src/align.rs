//! Components of a fit, matched with those that were to be recovered.

use nalgebra::DMatrix;

/// For each row of `truth` the row of `found` that is matched with it, and their cosine. Pairs are made from the
/// most alike on; no row is used twice.
pub fn matched(truth: &DMatrix<f64>, found: &DMatrix<f64>) -> Vec<(usize, f64)> {
    let cosine = |t: usize, f: usize| {
        let (a, b) = (truth.row(t), found.row(f));
        a.dot(&b) / (a.norm() * b.norm()).max(f64::MIN_POSITIVE)
    };
    let rows = 0..truth.nrows();
    let mut pairs: Vec<(usize, usize, f64)> = rows
        .flat_map(|t| (0..found.nrows()).map(move |f| (t, f)))
        .map(|(t, f)| (t, f, cosine(t, f)))
        .collect();
    pairs.sort_by(|a, b| b.2.total_cmp(&a.2));
    let mut of = vec![None; truth.nrows()];
    let mut used = vec![false; found.nrows()];
    for (t, f, cosine) in pairs {
        if of[t].is_none() && !used[f] {
            (of[t], used[f]) = (Some((f, cosine)), true);
        }
    }
    of.into_iter().flatten().collect()
}

/// Mean cosine of matched components.
pub fn likeness(truth: &DMatrix<f64>, found: &DMatrix<f64>) -> f64 {
    let pairs = matched(truth, found);
    pairs.iter().map(|(_, cosine)| cosine).sum::<f64>() / pairs.len() as f64
}
