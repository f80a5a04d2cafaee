//! What a Gibbs run leaves behind, put together from the records of its chains.

use crate::diagnose::run::{Ended, Tuned};
use crate::model::Latent;

use super::held_out::HeldOut;
use super::keep::Kept;
use super::rates::{Rates, RatesFrom};
use super::record::{BestDraw, CountLayout, LatentRecord, Layout, Record};
use super::running::{LogMeans, Moments};
use super::settings::Gibbs;
use super::store::AllDraws;

/// What a Gibbs run leaves behind.
#[derive(Debug)]
pub struct GibbsRun {
    /// The latents in the order of declaration, each with what was kept of it.
    pub latents: Vec<(Latent, LatentDraws)>,
    /// The most probable draw of each chain. In a run that was ended early it may be one that is not kept, as other chains have fewer.
    pub best: Vec<BestDraw>,
    /// Chains and kept draws per chain.
    pub kept: [usize; 2],
    /// For each count the mean rates over the kept draws.
    pub rates: Vec<Rates>,
    /// For each count the rates of some cells at every draw.
    pub monitored: Vec<Monitored>,
    /// For each count, (chain, draw): the mean rate over all cells.
    pub mean_rates: Vec<Vec<f64>>,
    /// (chain, draw): the log joint density of the data and the latents.
    pub ln_joint: Vec<f64>,
    /// For each count what was found at its held-out cells; the parts are the chains.
    pub held_out: Vec<HeldOut>,
    /// Sweeps run, tuning included, over all chains.
    pub sweeps: usize,
    /// How each chain was tuned.
    pub tuned: Vec<Tuned>,
    /// How many chains were left out: the run ended while they were tuned, or before they had half as many draws as another. If no chain
    /// has a draw, all are left out, and each gives its present state as its only draw.
    pub left_out: usize,
    /// Seconds that the run took.
    pub seconds: f64,
    /// Why it ended.
    pub ended: Ended,
    /// What was asked for, with the number of chains that there are.
    pub settings: Gibbs,
}

/// What was kept of one latent.
#[derive(Clone, Debug)]
pub enum LatentDraws {
    /// Every draw.
    Draws(AllDraws),
    /// Mean and variance of each chain.
    Moments(Vec<Moments>),
    /// The last draw of each chain, (chain, ..).
    Last(Vec<f64>),
    /// Nothing.
    Nothing,
}

impl LatentDraws {
    /// What was kept, in a word.
    pub(super) fn word(&self) -> &'static str {
        match self {
            LatentDraws::Draws(_) => "draws",
            LatentDraws::Moments(_) => "moments",
            LatentDraws::Last(_) => "last",
            LatentDraws::Nothing => "nothing",
        }
    }
}

/// The rates of some cells of a count at every draw.
#[derive(Clone, Debug)]
pub struct Monitored {
    /// Row-major positions of the cells, ascending.
    pub cells: Vec<usize>,
    /// Their rates, (chain, draw, cell).
    pub rates: AllDraws,
}

/// Puts the records of chains together, everything but the draws themselves and the monitored rates.
pub(super) fn collect(
    layout: &Layout,
    records: Vec<Record<'_>>,
    tuned: Vec<Tuned>,
    left_out: usize,
    (sweeps, seconds, ended): (usize, f64, Ended),
    settings: Gibbs,
) -> GibbsRun {
    let draws = records.iter().map(Record::draws).min().unwrap_or(0);
    let none = || AllDraws::in_memory(Vec::new(), [0, 0]);
    let chains = records.len();
    let (mut rates, mut monitored, mut mean_rates, mut held_out) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut records = records;
    for (i, count) in layout.counts.iter().enumerate() {
        let sums = records
            .iter_mut()
            .map(|record| (std::mem::take(&mut record.rates[i]), record.draws()));
        rates.push(rates_of(count, sums.collect()));
        monitored.push(Monitored {
            cells: count.monitored.clone(),
            rates: none(),
        });
        mean_rates.push(joined(
            records.iter_mut().map(|record| &mut record.mean_rates[i]),
            draws,
        ));
        let scores: Vec<LogMeans> = records
            .iter_mut()
            .map(|record| std::mem::take(&mut record.scores[i]))
            .collect();
        held_out.push(HeldOut::of(count.scored.clone(), &scores));
    }
    let ln_joint = joined(records.iter_mut().map(|record| &mut record.ln_joint), draws);
    let mut latents: Vec<(Latent, LatentDraws)> = (layout.latents.iter())
        .map(|(latent, kept)| {
            let empty = match kept {
                Kept::Draws => LatentDraws::Draws(none()),
                Kept::Moments => LatentDraws::Moments(Vec::new()),
                Kept::Last => LatentDraws::Last(Vec::new()),
                Kept::Nothing => LatentDraws::Nothing,
            };
            (latent.clone(), empty)
        })
        .collect();
    let mut best = Vec::with_capacity(chains);
    for record in records {
        best.push(record.best);
        for ((_, into), from) in latents.iter_mut().zip(record.latents) {
            match (into, from) {
                (LatentDraws::Moments(chains), LatentRecord::Moments(moments)) => chains.push(moments),
                (LatentDraws::Last(all), LatentRecord::Last(last)) => all.extend(last),
                _ => {}
            }
        }
    }
    GibbsRun {
        latents,
        best,
        kept: [chains, draws],
        rates,
        monitored,
        mean_rates,
        ln_joint,
        held_out,
        sweeps,
        tuned,
        left_out,
        seconds,
        ended,
        settings,
    }
}

/// The first `draws` numbers of each chain; the numbers of a chain are freed as soon as they are taken.
fn joined<'r>(chains: impl Iterator<Item = &'r mut Vec<f64>>, draws: usize) -> Vec<f64> {
    let mut all = Vec::new();
    for chain in chains {
        let mut values = std::mem::take(chain);
        values.truncate(draws);
        all.append(&mut values);
    }
    all
}

/// The mean rates of a count, of all chains and of each, from the sums over the draws of each chain and their number.
fn rates_of(count: &CountLayout, mut sums: Vec<(Vec<f64>, usize)>) -> Rates {
    let source = |mean: Vec<f64>| match &count.at {
        None => RatesFrom::All(mean),
        Some(cells) if cells.is_empty() => RatesFrom::Nothing,
        Some(cells) => RatesFrom::Some(cells.clone(), mean),
    };
    let divided = |mut sum: Vec<f64>, draws: usize| {
        sum.iter_mut().for_each(|sum| *sum /= draws as f64);
        sum
    };
    let new = |source| Rates::new(count.name, count.shape.clone(), source);
    if sums.len() == 1 {
        let (sum, draws) = sums.remove(0);
        return new(source(divided(sum, draws)));
    }
    let all_draws = sums.iter().map(|(_, draws)| draws).sum();
    let mut all = sums[0].0.clone();
    for (other, _) in &sums[1..] {
        all.iter_mut().zip(other).for_each(|(sum, more)| *sum += more);
    }
    let of_chains = sums.into_iter().map(|(sum, draws)| source(divided(sum, draws)));
    new(source(divided(all, all_draws))).with_chains(of_chains.collect())
}

impl GibbsRun {
    /// The same with the draws of those latents of which they were kept, and the monitored rates of each count.
    pub(super) fn with_draws(mut self, draws: Vec<AllDraws>, monitored: Vec<AllDraws>) -> Self {
        let places = self.latents.iter_mut().filter_map(|(_, place)| match place {
            LatentDraws::Draws(all) => Some(all),
            _ => None,
        });
        places.zip(draws).for_each(|(place, all)| *place = all);
        (self.monitored.iter_mut().zip(monitored)).for_each(|(of, all)| of.rates = all);
        self
    }
}
