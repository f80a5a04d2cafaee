//! Topics of two corpora: ICML19, figure 4.

use ndarray::s;
use skellam::diagnose::{Doubt, coherence, mean_absolute_error, npmi, poisson_deviance, top_words};
use skellam::prelude::*;
use skellam_plot::{Curves, Figure, Panel};

use crate::Failure;
use crate::claim::Claim;
use crate::corpus::{ENRON_TEXT, part, reuters};
use crate::models::{Method, Topics, TopicsGibbs, TopicsStart, chain};
use crate::numbers::Piece;
use crate::run::{Found, Run};

const LEVELS: [u64; 3] = [3, 2, 1];
/// Words of a topic by which it is judged.
const TOP: usize = 10;
const MEASURES: [&str; 4] = ["error", "deviance", "npmi", "coherence"];
/// Rows whose rates are held at a time.
const ROWS: usize = 500;

/// One corpus, and how much is done with it.
struct Corpus {
    name: &'static str,
    topics: usize,
    sweeps: [usize; 3],
    releases: u64,
    /// Whether chains are too short to find topics from a dispersed start.
    by_cavi: bool,
}

impl Corpus {
    fn counts(&self, run: &Run) -> Result<Option<Counts>, Failure> {
        match self.name {
            "enron_text" => ENRON_TEXT.read(run),
            _ if run.flags.quick => Ok(Some(part(&reuters()?, 80, 250)?)),
            _ => Ok(Some(reuters()?)),
        }
    }
}

fn corpora(run: &Run) -> Vec<Corpus> {
    let of = |name, topics, sweeps, releases, by_cavi| Corpus {
        name,
        topics,
        sweeps,
        releases,
        by_cavi,
    };
    let paper = [2500, 50, 100];
    let mut corpora = vec![run.by_size([
        of("reuters", 8, [100, 10, 5], 1, false),
        of("reuters", 50, [500, 50, 20], 1, false),
        of("reuters", 50, paper, 5, false),
    ])];
    if run.flags.data.is_some() && !run.flags.quick {
        let default = of("enron_text", 50, [100, 10, 10], 1, true);
        corpora.push(run.by_size([
            of("", 0, paper, 0, false),
            default,
            of("enron_text", 50, paper, 5, false),
        ]));
    }
    corpora
}

pub fn run(run: &mut Run) -> Result<Found, Failure> {
    let seed = run.flags.seed;
    for corpus in corpora(run) {
        let name = corpus.name;
        let names = names(&corpus);
        if names.iter().all(|(piece, ..)| run.numbers.has(piece)) {
            continue;
        }
        let Some(counts) = corpus.counts(run)? else { continue };
        let truth = Sensitive::new(counts);
        run.piece(&format!("{name}: reference"), |piece| {
            let counts = truth.as_nonprivate();
            let mean = counts.total() as f64 / counts.num_cells() as f64;
            piece.put("mean count", mean);
            let constant = |_: usize, rows: usize| vec![mean; rows * counts.shape()[1]];
            let [error, deviance] = against(counts, constant)?;
            piece.put("error of a constant", error);
            piece.put("deviance of a constant", deviance);
            Ok(())
        })?;
        for (piece, method, level, release) in names {
            run.piece(&piece, |piece| {
                let model = match method {
                    Method::NonPrivate => Topics::exact(truth.as_nonprivate())?,
                    _ => {
                        let budget = Lplp::new(1, level)?;
                        let released = truth.release_with_seed_for_simulation(&budget, seed + release)?;
                        if method == Method::Ours {
                            Topics::new(&released)?
                        } else {
                            Topics::naive(&released)?
                        }
                    }
                };
                let fit = fitted(&model.topics(corpus.topics), &corpus, seed)?;
                scored(piece, &fit, truth.as_nonprivate())
            })?;
        }
    }
    found(run)
}

/// The pieces of a corpus: name, method, level, release.
fn names(corpus: &Corpus) -> Vec<(String, Method, u64, u64)> {
    let mut names = vec![(format!("{}: non-private", corpus.name), Method::NonPrivate, 0, 0)];
    for level in LEVELS {
        for release in 0..corpus.releases {
            names.extend(Method::PRIVATE.map(|method| {
                let piece = format!("{}: {} at {level} release {release}", corpus.name, method.name());
                (piece, method, level, release)
            }));
        }
    }
    names
}

/// One chain; from a variational fit where it is too short to find topics by itself.
fn fitted(model: &Topics, corpus: &Corpus, seed: u64) -> Result<TopicsGibbs, Failure> {
    let mut settings = chain(corpus.sweeps, seed);
    settings.keep = Keep::default()
        .rates(KeepRates::Nothing)
        .latent("theta", Kept::Draws)
        .latent("phi", Kept::Draws);
    if corpus.by_cavi {
        let fit = model.cavi(&Cavi {
            max_iters: 60,
            anneal_iters: 40,
            num_restarts: 1,
            progress: Progress::Hidden,
            seed,
            ..Cavi::default()
        })?;
        // A fit that has called everything noise is no place to start from.
        if !fit
            .doubts()
            .iter()
            .any(|doubt| matches!(doubt, Doubt::Collapsed { .. }))
        {
            let start = TopicsStart {
                theta: Some(fit.theta.mean()?.into()),
                phi: Some(fit.phi.mean()?.into()),
            };
            settings.starting_values = start.into();
        }
    }
    Ok(model.gibbs(&settings)?)
}

/// Errors of the posterior mean rates, and the quality of the topics of each draw, averaged.
fn scored(piece: &mut Piece, fit: &TopicsGibbs, truth: &Counts) -> Result<(), Failure> {
    let draws = (0..fit.num_draws()).filter_map(|draw| Some((fit.theta.draw(0, draw)?, fit.phi.draw(0, draw)?)));
    let draws: Vec<_> = draws.collect();
    let number = draws.len() as f64;
    let [error, deviance] = against(truth, |first, rows| {
        let mut sum = vec![0.0; rows * truth.shape()[1]];
        for (theta, phi) in &draws {
            let rates = theta.slice(s![first..first + rows, ..]).dot(phi);
            sum.iter_mut().zip(&rates).for_each(|(sum, rate)| *sum += rate / number);
        }
        sum
    })?;
    piece.put("error", error);
    piece.put("deviance", deviance);
    let (mut quality, mean) = ([0.0; 2], |scores: Vec<f64>| {
        scores.iter().sum::<f64>() / scores.len() as f64
    });
    for (_, phi) in &draws {
        let top = top_words(phi, TOP);
        quality[0] += mean(npmi(&top, truth)?) / number;
        quality[1] += mean(coherence(&top, truth)?) / number;
    }
    piece.put("npmi", quality[0]);
    piece.put("coherence", quality[1]);
    Ok(())
}

/// Mean absolute error and deviance of rates that are made some rows at a time: all of 10^8 would take a gigabyte.
fn against(truth: &Counts, rates: impl Fn(usize, usize) -> Vec<f64>) -> Result<[f64; 2], Failure> {
    let &[rows, columns] = truth.shape() else {
        return Err("a corpus has documents and words".into());
    };
    let (mut counts, mut scores) = (truth.iter_nonzero().peekable(), [0.0; 2]);
    for first in (0..rows).step_by(ROWS) {
        let here = ROWS.min(rows - first);
        let mut dense = vec![0.0; here * columns];
        while let Some((cell, count)) = counts.next_if(|(cell, _)| *cell < (first + here) * columns) {
            dense[cell - first * columns] = count as f64;
        }
        let (rates, share) = (rates(first, here), here as f64 / rows as f64);
        scores[0] += share * mean_absolute_error(&rates, &dense)?;
        scores[1] += share * poisson_deviance(&dense, &rates)?;
    }
    Ok(scores)
}

fn found(run: &Run) -> Result<Found, Failure> {
    let (mut claims, mut figure) = (Vec::new(), Figure::new("").width(1280));
    for corpus in corpora(run) {
        let name = corpus.name;
        let reference = format!("{name}: reference");
        let all = |method: Method, level: u64, what: &str| -> Result<Vec<f64>, Failure> {
            let of = |release| format!("{name}: {} at {level} release {release}", method.name());
            (0..corpus.releases)
                .map(|release| run.get(&of(release), what))
                .collect()
        };
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let mut truth = [0.0; 4];
        for (at, what) in MEASURES.iter().enumerate() {
            truth[at] = run.get(&format!("{name}: non-private"), what)?;
        }
        let mut lines = Curves::new(4);
        let mut values = Vec::new();
        for level in LEVELS {
            for method in Method::PRIVATE {
                let mut of = [0.0; 4];
                for (at, what) in MEASURES.iter().enumerate() {
                    of[at] = mean(&all(method, level, what)?);
                }
                values.push((method, level, of));
            }
        }
        let zero = run.get(&reference, "mean count")?;
        let constant = [
            run.get(&reference, "error of a constant")?,
            run.get(&reference, "deviance of a constant")?,
        ];
        for (at, what) in MEASURES.iter().enumerate() {
            let mut panel = Panel::new(&format!("{name}: {what}")).axes("epsilon / N", "");
            panel = panel.curve("non-private", &[[1.0, truth[at]], [3.0, truth[at]]]);
            for method in Method::PRIVATE {
                let points = values.iter().filter(|value| value.0 == method);
                panel = panel.curve(
                    method.name(),
                    &points.map(|value| [value.1 as f64, value.2[at]]).collect::<Vec<_>>(),
                );
            }
            if at == 0 {
                panel = panel.level("all zero", zero);
            }
            if at < 2 {
                panel = panel.level("constant rate", constant[at]);
            }
            lines = lines.panel(panel);
        }
        figure = figure.part(lines);
        // Releases in which ours is better than naive, by measure: errors are to be low, qualities high.
        let (mut better, mut panels) = ([0; 4], 0);
        for level in LEVELS {
            for (at, what) in MEASURES.iter().enumerate() {
                let [ours, naive] = Method::PRIVATE.map(|method| all(method, level, what));
                let pairs = ours?.into_iter().zip(naive?);
                better[at] += pairs
                    .filter(|(ours, naive)| if at < 2 { ours < naive } else { ours > naive })
                    .count();
            }
            panels += corpus.releases as usize;
        }
        let ours = || {
            values
                .iter()
                .filter(|value| value.0 == Method::Ours)
                .map(|value| value.2)
        };
        claims.push(Claim::of(
            format!("{name}: ours has the lower reconstruction error and the lower deviance than naive in every panel (ICML19, figure 4)"),
            better[..2] == [panels; 2],
            format!(
                "The error is lower in {} of {panels} releases, the deviance in {}; its error is below that of predicting zero everywhere, whose \
                 deviance is infinite, at {} of {} levels",
                better[0],
                better[1],
                ours().filter(|scores| scores[0] < zero).count(),
                LEVELS.len()
            ),
        ));
        claims.push(Claim::of(
            format!("{name}: ours has the better topics by NPMI and coherence (ICML19, figure 4)"),
            better[2..] == [panels; 2],
            format!(
                "NPMI is higher in {} of {panels} releases, coherence in {}",
                better[2], better[3]
            ),
        ));
        let coherent = ours().filter(|scores| scores[3] > truth[3]).count();
        claims.push(Claim::of(
            format!("{name}: topics of ours are more coherent than non-private ones (ICML19, section 5.1)"),
            coherent == LEVELS.len(),
            format!("By coherence they are at {coherent} of {} levels", LEVELS.len()),
        ));
    }
    let constants = run.table(&["mean count", "error of a constant", "deviance of a constant"]);
    let mut text = format!("{constants}\n{}", run.table(&MEASURES));
    if run.flags.data.is_none() && !run.flags.quick {
        text += "enron_text is left out: give its folder by --data\n";
    }
    Found::of(figure.draw(), text, claims)
}
