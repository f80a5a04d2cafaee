//! Simulation-based calibration: where what was drawn from the prior ranks among the draws of its posterior.

use std::fmt;

use special::Gamma as _;

use crate::counts::Array;
use crate::diagnose::run::Ended;
use crate::error::Error;
use crate::model::{FormKind, Model};

use super::chains::gibbs;
use super::declared::Declaration;
use super::gibbs::Chain;
use super::gibbs_fit::GibbsFit;
use super::prior_draws::PriorDraw;
use super::progress::{Board, Progress, StepsToGo};
use super::settings::Gibbs;

/// Calibration of prior draws among the draws of their posteriors (Talts et al. 2018). Where inference is right, each rank from 0 to [`Calibration::OF`] is as probable as any
/// other, whatever the model.
///
/// The quantities are the log joint density of latents and data (`lp`), the mean rate of every count without a total (`y.mean_rate`), and for every latent whose draws are kept the
/// mean of its entries, or the mean of their squares where they sum to one. No order of components changes any of them. Each rank is among [`Calibration::OF`] draws at equal
/// distances over all chains: a sampler whose draws are still correlated at that distance is told by ranks that crowd at both ends.
///
/// ```no_run
/// # use skellam::prelude::*;
/// # use skellam::infer::Calibration;
/// # model! {
/// #     model Mail {
/// #         index people;
/// #         latent send[i in people] ~ Gamma(shape = 0.5, rate = 0.1);
/// #         count y[i in people, j in people] ~ Poisson(send[i]);
/// #     }
/// # }
/// # let model = Mail::new(&Counts::dense(vec![3, 3], vec![0, 4, 1, 2, 0, 0, 9, 7, 0])?)?;
/// let draws = model.prior_draws(200, 1)?;
/// let ranks = Calibration::of(&draws, &Gibbs::default())?;
/// println!("{ranks}");
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    quantities: Vec<RankedQuantity>,
}

/// The ranks of one quantity, a rank for each prior draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedQuantity {
    /// What it is: `lp`, `y.mean_rate`, `theta`.
    pub name: String,
    /// Draws of the posterior, of [`Calibration::OF`], that are below the prior draw.
    pub ranks: Vec<usize>,
}

/// Bins of a histogram of ranks.
const BINS: usize = 8;

impl RankedQuantity {
    /// How many ranks are in each eighth of their range.
    pub fn histogram(&self) -> [usize; BINS] {
        let mut bins = [0; BINS];
        self.ranks
            .iter()
            .for_each(|rank| bins[rank * BINS / (Calibration::OF + 1)] += 1);
        bins
    }

    /// The probability of a histogram at least as uneven if every rank is as probable as any other: a chi-square test with seven degrees of freedom, good from forty
    /// ranks on.
    pub fn p(&self) -> f64 {
        let expected = self.ranks.len() as f64 / BINS as f64;
        let distance = |n: usize| (n as f64 - expected).powi(2) / expected;
        let statistic: f64 = self.histogram().into_iter().map(distance).sum();
        1.0 - (0.5 * statistic).inc_gamma(0.5 * (BINS - 1) as f64)
    }
}

impl Calibration {
    /// Draws of each posterior among which a prior draw is ranked.
    pub const OF: usize = 63;

    /// Fits the data of every prior draw, and ranks the draw. A fit that is interrupted is the last one, and is left out.
    ///
    /// # Errors
    /// Those of a Gibbs fit.
    pub fn of<M: Declaration>(draws: &[PriorDraw<M>], settings: &Gibbs) -> Result<Self, Error> {
        let board = Board::new(settings.progress);
        let mut bar = board.bar(StepsToGo::All(draws.len()), 0, "calibration, fits".to_owned());
        let mut settings = Gibbs {
            progress: Progress::Hidden,
            checkpoint: None,
            draws_in: None,
            ..settings.clone()
        };
        let mut quantities: Vec<RankedQuantity> = Vec::new();
        for draw in draws {
            let model = draw.model().bind(FormKind::from(settings.form))?;
            let run = gibbs(&model, &settings, |_, _| {})?;
            if run.ended == Ended::Interrupted {
                break;
            }
            let fit = GibbsFit::new(&model, run);
            let drawn = Truth::new(&model, draw);
            for (at, (name, rank)) in drawn.ranks(&model, &fit).into_iter().enumerate() {
                if at == quantities.len() {
                    let ranks = Vec::new();
                    quantities.push(RankedQuantity { name, ranks });
                }
                quantities[at].ranks.push(rank);
            }
            bar.step();
            // Chains of one seed would err in the same way in every fit, and ranks would not be independent.
            settings.seed = settings.seed.wrapping_add(1);
        }
        Ok(Self { quantities })
    }

    /// The quantities: the log joint density, rates, latents.
    pub fn quantities(&self) -> &[RankedQuantity] {
        &self.quantities
    }
}

/// The quantities of a draw from the prior.
struct Truth {
    ln_joint: f64,
    mean_rates: Vec<f64>,
    latents: Vec<f64>,
}

/// The mean of the entries of a latent, or of their squares where the mean is always the same.
fn statistic(values: &[f64], sums_to_one: bool) -> f64 {
    let power = if sums_to_one { 2 } else { 1 };
    values.iter().map(|value| value.powi(power)).sum::<f64>() / values.len() as f64
}

impl Truth {
    fn new<M: Declaration>(model: &dyn Model, draw: &PriorDraw<M>) -> Self {
        let mut x = model.factors();
        for (into, (_, values)) in x.iter_mut().zip(draw.latents()) {
            into.copy_from_slice(values.as_slice());
        }
        let of = |(latent, (_, values)): (usize, (_, &Array))| {
            statistic(values.as_slice(), model.latents()[latent].along.is_some())
        };
        let latents = draw.latents().enumerate().map(of).collect();
        let mut chain = Chain::starting_at(model, x, 0, 0);
        Self {
            ln_joint: chain.ln_joint(),
            mean_rates: chain.mean_rates(),
            latents,
        }
    }

    /// Names of the quantities that the fit has draws of, and their ranks.
    fn ranks(&self, model: &dyn Model, fit: &GibbsFit) -> Vec<(String, usize)> {
        let [chains, draws] = [fit.num_chains(), fit.num_draws()];
        let chosen = || (0..Calibration::OF).map(move |i| i * chains * draws / Calibration::OF);
        let among = |all: &[f64], of: f64| chosen().filter(|&at| all[at] < of).count();
        let mut out = vec![("lp".to_owned(), among(fit.ln_joint(), self.ln_joint))];
        let counts = model.bound().spec().counts.iter();
        // Rates of lines with a total are shares of it, whose mean never changes.
        let free = counts
            .zip(fit.mean_rates().zip(&self.mean_rates))
            .filter(|(count, _)| count.total.is_none());
        for (_, ((count, rates), of)) in free {
            out.push((format!("{count}.mean_rate"), among(rates, *of)));
        }
        for (number, latent) in model.latents().iter().enumerate() {
            let kept = fit.draws::<Array>(number);
            if model.frozen(number).is_some() || kept.draw(0, 0).is_none() {
                continue;
            }
            let sums_to_one = latent.along.is_some();
            let below = chosen().filter(|at| {
                let draw = kept.draw(at / draws, at % draws);
                draw.is_some_and(|draw| statistic(draw.as_slice(), sums_to_one) < self.latents[number])
            });
            out.push((latent.name.to_owned(), below.count()));
        }
        out
    }
}

/// Bars of eight heights.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fits = self.quantities.first().map_or(0, |of| of.ranks.len());
        let name = |of: &RankedQuantity| of.name.chars().count();
        let width = self.quantities.iter().map(name).max().unwrap_or(0);
        writeln!(
            f,
            "ranks of {fits} draws of the prior among {} draws of their posteriors: even histograms are right",
            Self::OF
        )?;
        for of in &self.quantities {
            let bins = of.histogram();
            let most = bins.iter().copied().max().unwrap_or(0).max(1);
            let bars: String = bins
                .iter()
                .map(|n| BARS[(n * BARS.len()).div_ceil(most).max(1) - 1])
                .collect();
            let p = match of.p() {
                p if p < 0.001 => "p < 0.001".to_owned(),
                p => format!("p = {p:.3}"),
            };
            writeln!(f, "  {:<width$}  {bars}  {p}", of.name)?;
        }
        let least = self.quantities.iter().map(RankedQuantity::p).fold(1.0, f64::min);
        let limit = 0.01 / self.quantities.len().max(1) as f64;
        match least < limit {
            true => writeln!(
                f,
                "not even: one of so uneven histograms is less probable than 1 in 100, so inference is wrong, or chains are too short"
            ),
            false => Ok(()),
        }
    }
}
