//! Communities of a network, reconstructed and held out: ICML19, figure 5 and appendix figure 1.

use std::collections::BTreeSet;

use skellam::channel::Channel;
use skellam::counts::largest;
use skellam::diagnose::{mean_absolute_error, poisson_deviance};
use skellam::model::simulate::Simulation;
use skellam::prelude::*;
use skellam_plot::{Curves, Figure, Panel};

use crate::Failure;
use crate::claim::Claim;
use crate::corpus::{ENRON_NETWORK, numbers};
use crate::models::{Blocks, Method, chain};
use crate::numbers::Piece;
use crate::run::{Found, Run};

const LEVELS: [u64; 3] = [3, 2, 1];
/// What inference does not see.
const DESIGNS: [&str; 4] = [
    "reconstruction",
    "all cells of the top fifty",
    "a random tenth",
    "cells among the top fifty",
];

/// A rate below which a count is a surprise.
const SMALL: f64 = 0.1;

/// The cells off the diagonal that are scored, as rows and columns.
type Cells = Vec<[usize; 2]>;

/// The network, and how much is done with it.
struct Study {
    counts: Sensitive<Counts>,
    communities: Vec<usize>,
    sweeps: [usize; 3],
    top: usize,
    seed: u64,
}

impl Study {
    fn new(run: &Run) -> Result<Self, Failure> {
        let seed = run.flags.seed;
        let counts = if run.flags.quick {
            let mut simulation = Simulation::new(seed);
            let (theta, pi) = (
                simulation.gamma_matrix([24, 3], 0.3, 0.5)?,
                simulation.gamma_matrix([3, 3], 0.3, 0.5)?,
            );
            let mut rates = theta.dot(&pi).dot(&theta.t());
            rates.diag_mut().fill(0.0);
            simulation.counts(&rates)?
        } else {
            let missing = || {
                format!(
                    "this study reads {}: give its folder by --data, or take --quick",
                    ENRON_NETWORK.file
                )
            };
            ENRON_NETWORK.read(run)?.ok_or_else(missing)?
        };
        Ok(Self {
            counts: Sensitive::new(counts),
            communities: communities(run),
            sweeps: run.by_size([[100, 20, 2], [500, 50, 20], [2500, 50, 100]]),
            top: if run.flags.quick { 8 } else { 50 },
            seed,
        })
    }

    fn actors(&self) -> usize {
        self.counts.as_nonprivate().shape()[0]
    }

    /// The cells that a design scores; all but those of the reconstruction are held out.
    fn cells(&self, design: &str) -> Result<Cells, Failure> {
        let counts = self.counts.as_nonprivate();
        let (sent, received) = (counts.margins(0)?, counts.margins(1)?);
        let both: Vec<f64> = sent.iter().zip(&received).map(|(a, b)| a + b).collect();
        let top: BTreeSet<usize> = largest(&both, self.top).into_iter().collect();
        let n = self.actors();
        let tenth = Mask::random(&[n, n], 0.1, self.seed)?;
        let is_scored = |[i, j]: [usize; 2]| match design {
            "all cells of the top fifty" => top.contains(&i) || top.contains(&j),
            "cells among the top fifty" => top.contains(&i) && top.contains(&j),
            "a random tenth" => tenth.is_held_out(i * n + j),
            _ => true,
        };
        let all = (0..n).flat_map(|i| (0..n).map(move |j| [i, j]));
        Ok(all.filter(|&[i, j]| i != j && is_scored([i, j])).collect())
    }

    fn mask(&self, design: &str, cells: &Cells) -> Result<Mask, Failure> {
        let n = self.actors();
        match design {
            "reconstruction" => Ok(Mask::none()),
            _ => Ok(Mask::from_indices(
                &[n, n],
                cells.iter().map(|cell| cell.to_vec()).collect(),
            )?),
        }
    }

    fn released(&self, level: u64) -> Result<Released<TwoSidedGeometric>, Failure> {
        Ok(self
            .counts
            .release_with_seed_for_simulation(&Lplp::new(1, level)?, self.seed)?)
    }

    /// Fits, and scores the posterior mean rates by the true counts of the cells; where these were held out, the draws of the rates also
    /// by what was released of them, through the channel.
    fn piece(&self, piece: &mut Piece, design: &str, groups: usize, method: Method, level: u64) -> Result<(), Failure> {
        let cells = self.cells(design)?;
        let mask = self.mask(design, &cells)?;
        let counts = self.counts.as_nonprivate();
        let model = match method {
            Method::NonPrivate => Blocks::exact(&counts.clone().hold_out(&mask)?)?,
            Method::Ours => Blocks::new(&self.released(level)?.hold_out(&mask)?)?,
            Method::Naive => Blocks::naive(&self.released(level)?.hold_out(&mask)?)?,
        };
        let model = model.groups(groups);
        let fit = model.gibbs(&chain(self.sweeps, self.seed))?;
        let (n, rates) = (self.actors(), fit.rate()?);
        let truth = numbers(counts)?;
        let truth: Vec<f64> = cells.iter().map(|[i, j]| truth[i * n + j]).collect();
        let means: Vec<f64> = cells.iter().map(|&cell| rates[cell]).collect();
        piece.put("error", mean_absolute_error(&means, &truth)?);
        piece.put("deviance", poisson_deviance(&truth, &means)?);
        if design == "reconstruction" {
            // Where nothing is expected, and something was counted.
            let small: Vec<usize> = (0..cells.len()).filter(|&at| means[at] < SMALL).collect();
            let pick = |all: &[f64]| small.iter().map(|&at| all[at]).collect::<Vec<f64>>();
            let of_small = if small.is_empty() {
                0.0
            } else {
                poisson_deviance(&pick(&truth), &pick(&means))?
            };
            piece.put(
                "deviance at small rates",
                of_small * small.len() as f64 / cells.len() as f64,
            );
            return Ok(());
        }
        let draws = model.rate_draws(&fit, "y", &cells)?;
        let levels = if method == Method::NonPrivate {
            LEVELS.to_vec()
        } else {
            vec![level]
        };
        for level in levels {
            let released = self.released(level)?;
            let channel = TwoSidedGeometric::new((-(level as f64)).exp())?;
            let (values, mut sum) = (released.values()?, 0.0);
            for (at, [i, j]) in cells.iter().enumerate() {
                let likelihoods = draws
                    .iter()
                    .map(|draw| channel.ln_marginal(draw[at][0], values[i * n + j]));
                sum += ln_mean_exp(&likelihoods.collect::<Vec<f64>>());
            }
            piece.put(&format!("log predictive at {level}"), sum / cells.len() as f64);
        }
        Ok(())
    }

    /// What needs no fit: predicting zero, and the mean of the cells that are seen.
    fn reference(&self, piece: &mut Piece, design: &str) -> Result<(), Failure> {
        let (n, cells) = (self.actors(), self.cells(design)?);
        let truth = numbers(self.counts.as_nonprivate())?;
        let total: f64 = truth.iter().sum();
        let scored: Vec<f64> = cells.iter().map(|[i, j]| truth[i * n + j]).collect();
        let (of_scored, others) = (scored.iter().sum::<f64>(), (n * (n - 1) - cells.len()) as f64);
        let mean = if others > 0.0 {
            (total - of_scored) / others
        } else {
            total / (n * (n - 1)) as f64
        };
        let constant = vec![mean; cells.len()];
        piece.put("cells", cells.len() as f64);
        piece.put("error of zero", of_scored / cells.len() as f64);
        piece.put("error of the mean", mean_absolute_error(&constant, &scored)?);
        piece.put("deviance of the mean", poisson_deviance(&scored, &constant)?);
        // Actors of whom nothing is left to learn from.
        let held: BTreeSet<[usize; 2]> = cells.iter().copied().collect();
        let is_empty = |&i: &usize| (0..n).all(|j| j == i || (held.contains(&[i, j]) && held.contains(&[j, i])));
        let empty = if design == DESIGNS[0] {
            0
        } else {
            (0..n).filter(is_empty).count()
        };
        piece.put("actors without a datum", empty as f64);
        Ok(())
    }
}

/// `ln` of the mean of exponentials.
pub fn ln_mean_exp(values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    most + (values.iter().map(|value| (value - most).exp()).sum::<f64>() / values.len() as f64).ln()
}

fn communities(run: &Run) -> Vec<usize> {
    run.by_size([vec![3], vec![5, 10, 20], vec![5, 10, 20]])
}

fn name(design: &str, groups: usize, method: Method, level: u64) -> String {
    match method {
        Method::NonPrivate => format!("{design}: C {groups}: non-private"),
        _ => format!("{design}: C {groups}: {} at {level}", method.name()),
    }
}

pub fn run(run: &mut Run) -> Result<Found, Failure> {
    let study = Study::new(run)?;
    for design in DESIGNS {
        run.piece(&format!("{design}: reference"), |piece| study.reference(piece, design))?;
        for &groups in &study.communities {
            let private = LEVELS
                .iter()
                .flat_map(|&level| Method::PRIVATE.map(|method| (method, level)));
            for (method, level) in [(Method::NonPrivate, 0)].into_iter().chain(private) {
                run.piece(&name(design, groups, method, level), |piece| {
                    study.piece(piece, design, groups, method, level)
                })?;
            }
        }
    }
    found(run)
}

fn found(run: &Run) -> Result<Found, Failure> {
    let (mut claims, mut figure) = (Vec::new(), Figure::new("").width(1280));
    for design in DESIGNS {
        let reference = |what: &str| run.get(&format!("{design}: reference"), what);
        let [zero, mean] = [reference("error of zero")?, reference("error of the mean")?];
        let is_held_out = design != DESIGNS[0];
        // Panels in which ours has the lower error, the lower deviance, and predicts better; private fits that beat both constants.
        let (mut lower, mut skill, mut fits, mut panels) = ([0; 3], 0, 0, 0);
        let (mut small, mut exceptions) = ([0.0; 2], Vec::new());
        let (mut below, mut lines) = (0, Curves::new(4));
        for groups in communities(run) {
            let get = |method: Method, level: u64, what: &str| run.get(&name(design, groups, method, level), what);
            let exact = get(Method::NonPrivate, 0, "error")?;
            let mut curves = [vec![], vec![], vec![]];
            for level in LEVELS {
                let mut of = [[0.0; 3]; 2];
                let predictive = format!("log predictive at {level}");
                for (at, method) in Method::PRIVATE.into_iter().enumerate() {
                    of[at][0] = get(method, level, "error")?;
                    of[at][1] = get(method, level, "deviance")?;
                    if is_held_out {
                        of[at][2] = get(method, level, &predictive)?;
                    } else {
                        small[at] += get(method, level, "deviance at small rates")?;
                    }
                    fits += 1;
                    skill += usize::from(of[at][0] < zero.min(mean));
                    curves[at + 1].push([level as f64, of[at][0]]);
                }
                curves[0].push([level as f64, exact]);
                panels += 1;
                below += usize::from(of[0][0] < exact);
                let better = [of[0][0] < of[1][0], of[0][1] < of[1][1], of[0][2] > of[1][2]];
                (0..3).for_each(|which| lower[which] += usize::from(better[which]));
                if !better[0] {
                    exceptions.push(format!("C {groups} at {level}"));
                }
            }
            let mut panel = Panel::new(&format!("{design}, C = {groups}"))
                .axes("epsilon / N", "mean absolute error")
                .by_powers(false, true);
            for (curve, method) in curves.iter().zip([Method::NonPrivate, Method::Ours, Method::Naive]) {
                panel = panel.curve(method.name(), curve);
            }
            lines = lines.panel(panel.level("zero", zero).level("mean of the others", mean));
        }
        figure = figure.part(lines);
        let except = if exceptions.is_empty() {
            String::new()
        } else {
            format!(" (not C, epsilon / N: {})", exceptions.join(", "))
        };
        let mut reason = format!(
            "The error is lower in {} of {panels} panels{except}, the deviance in {}",
            lower[0], lower[1]
        );
        if is_held_out {
            reason += &format!(
                ". By log predictive through the channel ours is better in {}. {skill} of {fits} private fits have a lower error than predicting zero \
                 or the mean of the cells that are seen",
                lower[2]
            );
        } else {
            reason += &format!(
                ". Cells with rates below {SMALL} add {:.1} to the deviance of ours on average, {:.1} to that of naive: ours takes small counts for \
                 noise, and naive takes noise for a rate that is nowhere small",
                small[0] / panels as f64,
                small[1] / panels as f64
            );
        }
        let all = lower[0] == panels && lower[1] == panels && (!is_held_out || lower[2] == panels);
        if !is_held_out {
            claims.push(Claim::of(
                "ours has the lower reconstruction error than the fit of the true counts (ICML19, section 5.2)",
                below == panels,
                format!("It has in {below} of {panels} panels"),
            ));
        }
        let what = format!(
            "{design}: ours has the lower error and the lower deviance than naive in every panel (ICML19, figure 5)"
        );
        // Where no fit predicts better than a constant, none has found anything by which methods could be told apart.
        claims.push(Claim::of(what, all, reason).unless_untold(is_held_out && skill == 0));
    }
    let constants = run.table(&[
        "cells",
        "actors without a datum",
        "error of zero",
        "error of the mean",
        "deviance of the mean",
    ]);
    let predictive = LEVELS.map(|level| format!("log predictive at {level}"));
    let fits = run.table(&["error", "deviance", &predictive[0], &predictive[1], &predictive[2]]);
    Found::of(figure.draw(), format!("{constants}\n{fits}"), claims)
}
