//! Gibbs sampling: impute, thin, redraw.

use crate::error::Error;
use crate::model::{Factors, Latent, Model, Root};

use super::own::Fault;
use super::progress::Bar;
use super::redraw::Redraw;
use super::settings::Gibbs;
use super::start::{cells_of, check, dispersed, finite, freeze};
use super::streams::Streams;
use super::view::Auxiliary;

/// One chain, advanced sweep by sweep.
pub struct Chain<'m, M: Model + ?Sized> {
    model: &'m M,
    x: M::Factors,
    counts: M::Factors,
    roots: Vec<Root>,
    buffers: M::Buffers,
    auxiliary: Vec<Auxiliary>,
    streams: Streams,
    sweep: u64,
    frozen: Vec<bool>,
    fault: Option<Fault>,
}

impl<'m, M: Model + ?Sized> Chain<'m, M> {
    /// A chain at a dispersed start, scaled to the data.
    pub fn new(model: &'m M, seed: u64, chain: u64) -> Self {
        let mut state = Self::unset(model, model.factors(), seed, chain);
        dispersed(
            model,
            &mut state.x,
            &mut state.roots,
            &mut state.buffers,
            &state.streams,
        );
        state
    }

    /// A chain that starts at `x`, frozen latents excepted: they have the values that they were given.
    pub fn starting_at(model: &'m M, x: M::Factors, seed: u64, chain: u64) -> Self {
        let mut state = Self::unset(model, x, seed, chain);
        freeze(model, &mut state.x);
        model.forward(&state.x, &mut state.roots, &mut state.buffers);
        state
    }

    fn unset(model: &'m M, x: M::Factors, seed: u64, chain: u64) -> Self {
        let streams = Streams::new(seed, chain);
        let auxiliary = model
            .views()
            .iter()
            .enumerate()
            .map(|(unit, v)| v.start(&streams, unit))
            .collect();
        Self {
            model,
            counts: model.factors(),
            x,
            roots: model.views().into_iter().map(Root::new).collect(),
            buffers: model.buffers(),
            auxiliary,
            streams,
            sweep: 0,
            frozen: (0..model.latents().len())
                .map(|latent| model.frozen(latent).is_some())
                .collect(),
            fault: None,
        }
    }

    /// Advances the channels' auxiliary variables alone, at the current factors. They start at their
    /// prior; some rounds of this bring them to their conditional.
    pub fn settle(&mut self, rounds: usize) {
        for _ in 0..rounds {
            self.sweep += 1;
            self.allocate();
        }
    }

    /// One sweep: every true count at a visited cell, its split, and every latent.
    pub fn sweep(&mut self) {
        self.sweep += 1;
        let streams = self.streams.at_sweep(self.sweep);
        self.allocate();
        let mut step = Redraw {
            streams: &streams,
            frozen: &self.frozen,
            fault: self.fault,
        };
        self.model
            .update(&mut self.x, &self.counts, &mut self.roots, &mut self.buffers, &mut step);
        self.fault = step.fault;
    }

    /// The first half of a sweep: counts on every factor, which [`Chain::counts`] then returns.
    fn allocate(&mut self) {
        let streams = self.streams.at_sweep(self.sweep);
        for (unit, (view, (root, auxiliary))) in self
            .model
            .views()
            .into_iter()
            .zip(self.roots.iter_mut().zip(&mut self.auxiliary))
            .enumerate()
        {
            view.thin(
                &root.operands,
                auxiliary,
                &mut root.seeds,
                &mut root.work,
                &streams,
                unit,
            );
        }
        self.counts.arrays_mut().into_iter().for_each(|n| n.fill(0.0));
        self.model
            .thin(&self.x, &self.roots, &self.buffers, &mut self.counts, &streams);
    }

    /// The first thing that a user's own update got wrong; values from there on mean nothing.
    ///
    /// # Errors
    ///
    /// [`Error::OwnUpdate`] and [`Error::OwnSimplex`].
    pub fn check(&self) -> Result<(), Error> {
        self.fault
            .map_or(Ok(()), |fault| Err(fault.error(&self.model.latents())))
    }

    /// Current values of the factors.
    pub fn values(&self) -> &M::Factors {
        &self.x
    }

    /// Counts that fell on each entry of the factors in the last sweep.
    pub fn counts(&self) -> &M::Factors {
        &self.counts
    }

    /// Adds the current rate of every cell of each count to `into`.
    pub fn add_rates(&mut self, into: &mut [Vec<f64>]) {
        for ((view, root), into) in self.model.views().into_iter().zip(&mut self.roots).zip(into) {
            view.add_rates(&root.operands, into, &mut root.work);
        }
    }

    /// Mean of the current rates over the cells of each count, held-out cells included.
    pub fn mean_rates(&self) -> Vec<f64> {
        self.model
            .views()
            .iter()
            .zip(&self.roots)
            .map(|(v, r)| v.mean_rate(&r.operands))
            .collect()
    }
}

/// What a Gibbs run leaves behind.
#[derive(Debug)]
pub struct GibbsRun {
    /// For each latent its kept draws, (chain, draw, ..), row-major.
    pub draws: Vec<Vec<f64>>,
    /// The latents, in the same order.
    pub latents: Vec<Latent>,
    /// Chains and kept draws per chain.
    pub kept: [usize; 2],
    /// For each count the mean rate of every cell over the kept draws, row-major.
    pub rates: Vec<Vec<f64>>,
    /// For each count and kept draw, the mean rate over all cells.
    pub mean_rates: Vec<Vec<f64>>,
    /// Sweeps run, tuning included, over all chains.
    pub sweeps: usize,
}

/// Runs the chains of `settings` on `model`. `watch` is called after every sweep with the chain and the
/// number of its sweeps so far; it may read the chain but not advance it.
pub fn gibbs<M: Model + ?Sized>(
    model: &M,
    settings: &Gibbs,
    mut watch: impl FnMut(&mut Chain<'_, M>, usize) + Send,
) -> Result<GibbsRun, Error> {
    settings.check()?;
    let latents = model.latents();
    let views = model.views();
    let per_chain = settings.num_draws / settings.thin;
    let mut run = GibbsRun {
        draws: latents.iter().map(|_| Vec::new()).collect(),
        latents,
        kept: [settings.num_chains, per_chain],
        rates: cells_of(model)?,
        mean_rates: views.iter().map(|_| Vec::new()).collect(),
        sweeps: 0,
    };
    in_pool(settings.num_threads, || -> Result<(), Error> {
        let sweeps = settings.num_tune.saturating_add(settings.num_draws);
        for chain in 0..settings.num_chains {
            let bar = Bar::new(settings.progress, sweeps, format!("gibbs, chain {}", chain + 1));
            let mut state = Chain::new(model, settings.seed, chain as u64);
            check(model, &state.x, &state.roots)?;
            for sweep in 1..=sweeps {
                if sweep - 1 == settings.num_tune {
                    bar.say(format!("gibbs, chain {}, drawing", chain + 1));
                }
                state.sweep();
                state.check()?;
                bar.step();
                if sweep > settings.num_tune && (sweep - settings.num_tune).is_multiple_of(settings.thin) {
                    for (kept, array) in run.draws.iter_mut().zip(state.values().arrays()) {
                        kept.extend_from_slice(array);
                    }
                    state.add_rates(&mut run.rates);
                    for (kept, mean) in run.mean_rates.iter_mut().zip(state.mean_rates()) {
                        kept.push(mean);
                    }
                }
                watch(&mut state, sweep);
            }
            run.sweeps += sweeps;
        }
        let kept = (settings.num_chains * per_chain) as f64;
        run.rates.iter_mut().flatten().for_each(|rate| *rate /= kept);
        finite(model, &run.rates, None)
    })??;
    Ok(run)
}

/// Runs `work` on as many threads as asked for.
pub(super) fn in_pool<T: Send>(threads: Option<usize>, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    match threads {
        None => Ok(work()),
        Some(n) => Ok(pool(n)?.install(work)),
    }
}

/// A pool of `threads` threads, for those who advance a chain themselves.
///
/// # Errors
///
/// If the system does not start that many.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| Error::Threads {
        threads,
        reason: e.to_string(),
    })
}
