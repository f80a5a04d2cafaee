//! NPMI of topics cut at equal word frequency: why ours is above that of the true counts on one corpus.

use skellam::counts::largest;
use skellam::diagnose::npmi;
use skellam::prelude::*;
use skellam_plot::{Curves, Figure, Panel};

use crate::Failure;
use crate::claim::Claim;
use crate::corpus::{ENRON_TEXT, part, reuters};
use crate::models::{Method, Topics, chain};
use crate::run::{Found, Run};

/// A word is listed if it is in at least this share of the documents.
const CUTS: [f64; 6] = [0.0, 0.01, 0.02, 0.05, 0.1, 0.15];
const TOP: usize = 10;
const METHODS: [Method; 3] = [Method::NonPrivate, Method::Ours, Method::Naive];

fn corpora(run: &Run) -> Vec<&'static str> {
    match run.flags.data.is_some() && !run.flags.quick {
        true => vec!["reuters", "enron_text"],
        false => vec!["reuters"],
    }
}

fn seeds(run: &Run) -> std::ops::Range<u64> {
    run.flags.seed..run.flags.seed + run.by_size([2, 3, 5])
}

pub fn run(run: &mut Run) -> Result<Found, Failure> {
    let (settings, topics) = (
        run.by_size([[100, 8, 5], [500, 25, 10], [500, 25, 20]]),
        run.by_size([8, 20, 20]),
    );
    for corpus in corpora(run) {
        let counts = match corpus {
            "reuters" if run.flags.quick => Some(part(&reuters()?, 80, 250)?),
            "reuters" => Some(reuters()?),
            // A tenth of the e-mails, and their most frequent words: 4 million cells.
            _ => ENRON_TEXT
                .read(run)?
                .map(|counts| part(&counts, 1000, 4000))
                .transpose()?,
        };
        let Some(counts) = counts else { continue };
        let columns = counts.shape()[1];
        let mut documents = vec![0usize; columns];
        counts
            .iter_nonzero()
            .for_each(|(cell, _)| documents[cell % columns] += 1);
        let all = counts.shape()[0] as f64;
        let truth = Sensitive::new(counts);
        for seed in seeds(run) {
            for method in METHODS {
                run.piece(&format!("{corpus}: {} seed {seed}", method.name()), |piece| {
                    let counts = truth.as_nonprivate();
                    let released = truth.release_with_seed_for_simulation(&Lplp::new(1, 2)?, seed)?;
                    let model = match method {
                        Method::NonPrivate => Topics::exact(counts)?,
                        Method::Ours => Topics::new(&released)?,
                        Method::Naive => Topics::naive(&released)?,
                    };
                    let keep = Keep::default().rates(KeepRates::Nothing).latent("phi", Kept::Draws);
                    let keep = keep.latent("theta", Kept::Nothing);
                    let fit = model.topics(topics).gibbs(&Gibbs {
                        keep,
                        ..chain(settings, seed)
                    })?;
                    for (at, cut) in CUTS.into_iter().enumerate() {
                        let is_listed: Vec<bool> = documents.iter().map(|n| *n as f64 >= cut * all).collect();
                        let (mut score, mut frequency, draws) = (0.0, 0.0, fit.num_draws() as f64);
                        for draw in 0..fit.num_draws() {
                            let Some(phi) = fit.phi.draw(0, draw) else { continue };
                            let masked = |row: ndarray::ArrayView1<'_, f64>| {
                                let values = row
                                    .iter()
                                    .zip(&is_listed)
                                    .map(|(x, is)| if *is { *x } else { f64::NEG_INFINITY });
                                largest(&values.collect::<Vec<f64>>(), TOP)
                            };
                            let top: Vec<Vec<usize>> = phi.rows().into_iter().map(masked).collect();
                            score += npmi(&top, counts)?.iter().sum::<f64>() / topics as f64 / draws;
                            let words = top.iter().flatten().map(|&v| documents[v] as f64 / all);
                            frequency += words.sum::<f64>() / (topics * TOP) as f64 / draws;
                        }
                        piece.put(&format!("npmi[{at}]"), score);
                        piece.put(&format!("frequency[{at}]"), frequency);
                    }
                    Ok(())
                })?;
            }
        }
    }
    found(run)
}

/// Mean and standard error of some numbers; of one number the error is 0.
pub fn mean(values: &[f64]) -> [f64; 2] {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    [mean, (squares / (n - 1.0).max(1.0) / n).sqrt()]
}

fn found(run: &Run) -> Result<Found, Failure> {
    let (mut text, mut claims, mut lines) = (String::new(), Vec::new(), Curves::new(4));
    let mut signs = Vec::new();
    for corpus in corpora(run) {
        let list = |method: Method, seed: u64, what: &str| {
            run.numbers
                .list(&format!("{corpus}: {} seed {seed}", method.name()), what)
        };
        text += &format!(
            "{corpus:<14}NPMI of words in at least .. of the documents, and their mean frequency\n              "
        );
        CUTS.iter().for_each(|cut| text += &format!("{:>13.0} %", 100.0 * cut));
        text += "\n";
        let mut panels = ["npmi", "frequency"]
            .map(|what| Panel::new(&format!("{corpus}: {what}")).axes("least share of documents", ""));
        for method in METHODS {
            text += &format!("{:<14}", method.name());
            let mut points = [Vec::new(), Vec::new()];
            for (at, cut) in CUTS.into_iter().enumerate() {
                for (which, what) in ["npmi", "frequency"].into_iter().enumerate() {
                    let of = seeds(run).filter_map(|seed| list(method, seed, what).get(at).copied());
                    points[which].push([cut, mean(&of.collect::<Vec<f64>>())[0]]);
                }
                text += &format!("{:>8.3} {:>5.3} ", points[0][at][1], points[1][at][1]);
            }
            text += "\n";
            panels = [0, 1].map(|which| panels[which].clone().curve(method.name(), &points[which]));
        }
        let gain = |at: usize| {
            let of = |seed| {
                Some(list(Method::Ours, seed, "npmi").get(at)? - list(Method::NonPrivate, seed, "npmi").get(at)?)
            };
            mean(&seeds(run).filter_map(of).collect::<Vec<f64>>())
        };
        for panel in panels {
            lines = lines.panel(panel);
        }
        let (whole, gains): ([f64; 2], Vec<[f64; 2]>) = (gain(0), (0..CUTS.len()).map(gain).collect());
        let told = whole[0].abs() > 2.0 * whole[1];
        signs.push((corpus, whole, told));
        let smallest = gains.iter().map(|gain| gain[0]).fold(f64::INFINITY, f64::min);
        let rows: Vec<String> = gains
            .iter()
            .map(|[gain, error]| format!("{gain:+.3} ({error:.3})"))
            .collect();
        text += &format!(
            "ours less non-private, standard error of {} seeds: {}\n\n",
            seeds(run).count(),
            rows.join("  ")
        );
        claims.push(
            Claim::of(
                format!("{corpus}: privacy improves topics: ours has the higher NPMI than non-private also at equal word frequency"),
                gains.iter().all(|[gain, error]| *gain > 2.0 * error),
                format!("Ours less non-private is {:+.3} without a cut, and {smallest:+.3} at the cut where it is least", whole[0]),
            ),
        );
    }
    if let [(_, first, a), (_, second, b)] = signs[..] {
        claims.push(
            Claim::of(
                "at 20 topics the sign of ours less non-private is that of the corpus, not of the method",
                first[0].signum() != second[0].signum(),
                format!(
                    "It is {:+.3} on Reuters and {:+.3} on enron_text, without a cut",
                    first[0], second[0]
                ),
            )
            .unless_untold(!(a && b)),
        );
    }
    let picture = Figure::new("").width(1280).part(lines).draw();
    Found::of(picture, text, claims)
}
