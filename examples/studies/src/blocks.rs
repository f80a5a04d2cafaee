//! Block structure of a small network: ICML19, figure 1.

use ndarray::Array2;
use skellam::diagnose::{mean_absolute_error, poisson_deviance};
use skellam::model::simulate::Simulation;
use skellam::prelude::*;
use skellam_plot::{Figure, Matrices};

use crate::Failure;
use crate::claim::Claim;
use crate::models::{Blocks, Method, chain};
use crate::run::{Found, Run};

const ACTORS: usize = 20;
const GROUPS: usize = 5;
const EPSILONS: [&str; 3] = ["2.5", "1", "0.75"];
/// Releases of one network: the paper shows one.
const RELEASES: [u64; 3] = [2, 5, 5];

/// Memberships, rates and counts of a network; nobody writes to themselves.
fn network(shape: f64, rate: f64, seed: u64) -> Result<(Array2<f64>, Array2<f64>, Counts), Failure> {
    let mut simulation = Simulation::new(seed);
    let theta = simulation.gamma_matrix([ACTORS, GROUPS], shape, rate)?;
    let pi = simulation.gamma_matrix([GROUPS, GROUPS], shape, rate)?;
    let mut rates = theta.dot(&pi).dot(&theta.t());
    rates.diag_mut().fill(0.0);
    let counts = simulation.counts(&rates)?;
    Ok((theta, rates, counts))
}

fn mean(counts: &Counts) -> f64 {
    counts.total() as f64 / (ACTORS * (ACTORS - 1)) as f64
}

/// Cells off the diagonal, row-major.
fn pairs(all: &[f64]) -> Vec<f64> {
    let off = all
        .iter()
        .enumerate()
        .filter(|(cell, _)| cell / ACTORS != cell % ACTORS);
    off.map(|(_, value)| *value).collect()
}

pub fn run(run: &mut Run) -> Result<Found, Failure> {
    let (networks, seed) = (run.by_size([200, 10_000, 10_000]), run.flags.seed);
    run.piece("printed generator", |piece| {
        let (mut empty, mut alphas) = (0, Vec::new());
        for number in 0..networks {
            let (_, _, counts) = network(0.01, 0.5, seed + number)?;
            match mean(&counts) {
                0.0 => empty += 1,
                n => alphas.push((-0.75 / n).exp()),
            }
        }
        let visible = alphas.iter().filter(|alpha| **alpha >= 1e-3).count();
        piece.put("networks", networks as f64);
        piece.put("share empty", f64::from(empty) / networks as f64);
        piece.put("share with alpha of 1e-3 or more", visible as f64 / networks as f64);
        Ok(())
    })?;
    let used = (seed..).find(|&seed| network(0.1, 0.5, seed).is_ok_and(|(_, _, counts)| mean(&counts) >= 1.0));
    let (used, settings) = (
        used.unwrap_or(seed),
        run.by_size([[300, 60, 5], [1000, 300, 25], [1000, 300, 25]]),
    );
    let (theta, truth, counts) = network(0.1, 0.5, used)?;
    let (truth, n) = (truth.into_iter().collect::<Vec<f64>>(), mean(&counts));
    let seen = crate::corpus::numbers(&counts)?;
    let score = |piece: &mut crate::numbers::Piece, rates: &[f64], shown: bool| -> Result<(), Failure> {
        piece.put("error", mean_absolute_error(&pairs(rates), &pairs(&truth))?);
        piece.put("deviance", poisson_deviance(&pairs(&seen), &pairs(rates))?);
        if shown {
            piece.list("rate", rates);
        }
        Ok(())
    };
    run.piece("truth", |piece| {
        piece.put("seed", used as f64);
        piece.put("N", n);
        piece.list("rate", &truth);
        piece.list("count", &seen);
        Ok(())
    })?;
    run.piece("non-private", |piece| {
        let fit = Blocks::exact(&counts)?.groups(GROUPS).gibbs(&chain(settings, seed))?;
        score(piece, &fit.rate()?.into_iter().collect::<Vec<f64>>(), true)
    })?;
    let (counts, releases) = (Sensitive::new(counts), run.by_size(RELEASES));
    for epsilon in EPSILONS {
        let alpha = (-epsilon.parse::<f64>()? / n).exp();
        for release in 0..releases {
            for method in Method::PRIVATE {
                run.piece(&format!("{} at {epsilon}, release {release}", method.name()), |piece| {
                    let budget = Lplp::to_release_with_alpha(1, alpha)?;
                    let released = counts.release_with_seed_for_simulation(&budget, seed + release)?;
                    let model = match method {
                        Method::Naive => Blocks::naive(&released)?,
                        _ => Blocks::new(&released)?,
                    };
                    let fit = model.groups(GROUPS).gibbs(&chain(settings, seed))?;
                    let shown = release == 0;
                    if shown && method == Method::Ours {
                        let values = released.values()?.iter().map(|c| *c as f64);
                        piece.list("released", &values.collect::<Vec<f64>>());
                    }
                    score(piece, &fit.rate()?.into_iter().collect::<Vec<f64>>(), shown)
                })?;
            }
        }
    }
    found(run, &theta)
}

fn found(run: &Run, theta: &Array2<f64>) -> Result<Found, Failure> {
    let [empty, visible] = ["share empty", "share with alpha of 1e-3 or more"].map(|q| run.get("printed generator", q));
    let (empty, visible) = (empty?, visible?);
    let networks = run.get("printed generator", "networks")?;
    let truth = run.table(&["seed", "N"]);
    let text = format!("{truth}\n{}", run.table(&["error", "deviance"]));
    let (mut better, mut panels, releases) = (0, 0, run.by_size(RELEASES));
    for epsilon in EPSILONS {
        for release in 0..releases {
            let mut of = [[0.0; 2]; 2];
            for (at, method) in Method::PRIVATE.into_iter().enumerate() {
                let piece = format!("{} at {epsilon}, release {release}", method.name());
                of[at] = [run.get(&piece, "error")?, run.get(&piece, "deviance")?];
            }
            panels += 1;
            better += usize::from(of[0][0] < of[1][0] && of[0][1] < of[1][1]);
        }
    }
    let claims = vec![
        Claim::of(
            "the printed generator, Gamma(0.01, 0.5), gives networks on which the levels of noise can be told apart",
            visible > 0.5,
            format!(
                "{:.1} % of {networks} networks are empty, and in {:.2} % alpha is 1e-3 or more at epsilon 0.75, where noise can be seen: shape 0.1 is used \
                 here, with the first seed of mean 1 or more. N, the mean count, is a statistic that is not released",
                100.0 * empty,
                100.0 * visible
            ),
        ),
        Claim::of(
            "block structure is recovered by our method, and not by the naive one (ICML19, figure 1)",
            better == panels,
            format!("Ours has the lower error and the lower deviance in {better} of {panels} releases"),
        ),
    ];
    // Actors by their largest group.
    let group = |i: usize| {
        let row = theta.row(i);
        (0..GROUPS).max_by(|&a, &b| row[a].total_cmp(&row[b])).unwrap_or(0)
    };
    let mut order: Vec<usize> = (0..ACTORS).collect();
    order.sort_by(|&i, &j| {
        group(i)
            .cmp(&group(j))
            .then(theta[[j, group(j)]].total_cmp(&theta[[i, group(i)]]))
    });
    let shown = |method: Method, epsilon: &str, what: &str| {
        run.numbers
            .list(&format!("{} at {epsilon}, release 0", method.name()), what)
    };
    let rows = [
        ("counts", run.numbers.list("truth", "count"), Method::Ours, "released"),
        ("true rates", run.numbers.list("truth", "rate"), Method::Naive, "rate"),
        (
            "non-private",
            run.numbers.list("non-private", "rate"),
            Method::Ours,
            "rate",
        ),
    ];
    let panels: Vec<Vec<Vec<f64>>> = rows
        .iter()
        .map(|row| EPSILONS.map(|epsilon| shown(row.2, epsilon, row.3)).to_vec())
        .collect();
    let mut figure = Figure::new("").width(1000);
    for ((first, values, method, what), others) in rows.iter().zip(&panels) {
        let mut part = Matrices::new([ACTORS; 2])
            .rows(&order)
            .columns(&order)
            .height(210)
            .panel(first, "", values);
        for (epsilon, values) in EPSILONS.iter().zip(others) {
            let what = if *what == "released" { *what } else { method.name() };
            part = part.panel(&format!("{what}, epsilon {epsilon}"), "", values);
        }
        figure = figure.part(part);
    }
    Found::of(figure.draw(), text, claims)
}
