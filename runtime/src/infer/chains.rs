//! Gibbs runs: chains side by side, and what they leave behind.

use std::path::PathBuf;
use std::slice::ChunksExactMut;
use std::sync::Mutex;

use crate::diagnose::run::{Ended, Tuned};
use crate::error::{Error, SettingError};
use crate::file::{Parts, SavedError, fault};
use crate::memory::filled;
use crate::model::Model;

use super::callback::Partial;
use super::checkpoint::{Checkpoint, Due, Keeper, Left, OpenCheckpoint};
use super::gibbs::Chain;
use super::gibbs_run::{GibbsRun, collect};
use super::identity::Identity;
use super::keep::Kept;
use super::needs::Load;
use super::progress::{Bar, Board, StepsToGo};
use super::record::{CountLayout, Layout, Record};
use super::settings::{Gibbs, GibbsForm};
use super::start::{check, finite};
use super::starting_values::StartsAt;
use super::stop::Limits;
use super::store::{AllDraws, DrawsFolder, Growing, InMemory, Places};

/// Chains that share a thread take turns of so many sweeps, so that all have got equally far when a run is ended early.
const TURN: usize = 20;

/// One chain on its way.
struct Running<'m, 'a> {
    number: usize,
    chain: Chain<'m>,
    record: Record<'a>,
    bar: Bar,
    due: Due,
}

/// Runs the chains of `settings` on `model`, side by side on as many threads as there are. `watch` is called after every
/// sweep with the chain and the number of its sweeps so far, from one thread at a time and in no set order between chains;
/// it may read the chain but not advance it.
///
/// # Errors
///
/// Settings that make no sense; a run that does not fit in memory, before the first sweep; data that no factors explain;
/// numbers that leave the range of doubles; [`Error::Saved`], of a checkpoint and of a store of draws.
pub fn gibbs(
    model: &dyn Model,
    settings: &Gibbs,
    mut watch: impl FnMut(&mut Chain<'_>, usize) + Send,
) -> Result<GibbsRun, Error> {
    watched(model, settings, &mut watch)
}

/// Called after every sweep with the chain and the number of its sweeps.
type WatchChain<'w> = dyn FnMut(&mut Chain<'_>, usize) + Send + 'w;

fn watched(model: &dyn Model, settings: &Gibbs, watch: &mut WatchChain<'_>) -> Result<GibbsRun, Error> {
    settings.check()?;
    if settings.form == GibbsForm::Tokens {
        model.bound().by_tokens().map_err(Error::Form)?;
    }
    let settings = &settings.resolved(model);
    let starts_at = settings.starting_values.of(model)?;
    let opened = settings.checkpoint.as_ref().map(Checkpoint::open).transpose()?;
    let wanted = settings.num_chains.or(opened.as_ref().and_then(OpenCheckpoint::slots));
    let (layout, chains) = fitting(model, settings, wanted)?;
    let resumed = opened.as_ref().is_some_and(OpenCheckpoint::goes_on);
    let taken = |path: &&PathBuf| !resumed && path.symlink_metadata().is_ok();
    if let Some(path) = settings.draws_in.as_ref().filter(taken) {
        return Err(SavedError::Exists { path: path.clone() }.into());
    }
    let (keeper, mut left) = match opened {
        Some(opened) => {
            let (keeper, left) = opened.begin(identity(model, settings, &starts_at, &layout, chains), chains)?;
            (Some(keeper), left)
        }
        None => (None, Left::new()),
    };
    let goes_on = keeper.as_ref().filter(|_| resumed).map(|keeper| (keeper.path(), &left));
    let begin = |path: &PathBuf| DrawsFolder::begin(path, (model, settings, &layout), goes_on, chains);
    let folder = settings.draws_in.as_ref().map(begin).transpose()?;
    let reserved = if folder.is_some() { 0 } else { chains };
    let (mut draws, mut monitored) = (reserve(&layout, reserved)?, reserve_monitored(&layout, reserved)?);
    let board = Board::new(settings.progress);
    if wanted.is_none() && chains < Gibbs::CHAINS {
        board.say(&fewer_chains(chains));
    }
    let limits = Limits::new(settings.time_limit, &settings.interrupt);
    let run = SharedByChains {
        model,
        settings,
        layout: &layout,
        starts_at: &starts_at,
        limits: &limits,
        board: &board,
        keeper: keeper.as_ref(),
        watch: Mutex::new(watch),
    };
    let threads = settings.num_threads.unwrap_or_else(rayon::current_num_threads);
    let workers = threads.min(chains);
    let mut groups: Vec<Vec<Begun<'_>>> = (0..workers).map(|_| Vec::new()).collect();
    let (mut places, mut watched) = (
        in_chains(&mut draws, layout.draws),
        in_chains(&mut monitored, layout.draws),
    );
    for chain in 0..chains {
        let places = match &folder {
            Some(folder) => {
                let (latents, rates, stream) = folder.of_chain(chain);
                (latents, rates, Some(stream))
            }
            None => (of_chain(&mut places), of_chain(&mut watched), None),
        };
        let record = Record::new(&layout, places)?;
        let parts = left.get_mut(chain).and_then(Option::take);
        groups[chain % workers].push((chain, record, parts));
    }
    drop((places, watched));
    let mut finished: Vec<Done<'_, '_>> = Vec::new();
    let mut ended = Ended::Completed;
    for group in by_workers(settings.num_threads, threads, groups, |group| run.advance(group)) {
        let (records, reason) = group?;
        finished.extend(records);
        // Whatever ended one worker early ended the run.
        if reason != Ended::Completed {
            ended = reason;
        }
    }
    finished.sort_by_key(|done| done.number);
    let sweeps = finished.iter().map(|done| done.sweeps).sum();
    // All chains have as many draws as the one with the fewest: one that the end found tuning, or hardly beyond it, is left out rather
    // than the draws of the others.
    let most = finished.iter().map(|done| done.record.draws()).max().unwrap_or(0);
    let left_out = if most == 0 {
        finished.iter_mut().try_for_each(|done| done.take_as_it_is(&layout))?;
        chains
    } else {
        finished.retain(|done| 2 * done.record.draws() >= most);
        chains - finished.len()
    };
    let tuned = finished.iter().map(|done| done.tuned).collect();
    let with_draws: Vec<usize> = finished.iter().map(|done| done.number).collect();
    let records = finished.into_iter().map(|done| done.record).collect();
    if let Some(keeper) = &keeper {
        keeper.close()?;
    }
    if let Some(folder) = &folder {
        folder.close(ended)?;
    }
    let seconds = keeper.as_ref().map_or_else(|| limits.seconds(), Keeper::seconds);
    let settings = Gibbs {
        num_chains: Some(chains),
        ..settings.clone()
    };
    let run = collect(&layout, records, tuned, left_out, (sweeps, seconds, ended), settings);
    let kept = run.kept;
    let [draws, monitored] = match &folder {
        Some(folder) => folder.kept(&with_draws, kept[1]),
        None => [draws, monitored].map(|all| {
            all.into_iter()
                .map(|of| counted(of, chains, &with_draws, kept[1]))
                .collect()
        }),
    };
    let run = run.with_draws(draws, monitored);
    finite(model, &run.mean_rates, &run.rates, None)?;
    Ok(run)
}

/// Everything on which the draws of a run depend, except their number.
fn identity(model: &dyn Model, settings: &Gibbs, starts_at: &StartsAt, layout: &Layout, chains: usize) -> Identity {
    let mut out = Identity::of("Gibbs", model, starts_at);
    out.add("num_tune", settings.num_tune);
    out.add("max_retunes", settings.max_retunes);
    out.add("moves", format!("{:?}", settings.moves));
    out.add("thin", settings.spacing());
    out.add("num_chains", chains);
    out.add("the seed", settings.seed);
    out.add("the form", format!("{:?}", settings.form));
    let in_memory = || "memory".to_owned();
    out.add(
        "draws_in",
        settings
            .draws_in
            .as_ref()
            .map_or_else(in_memory, |path| path.display().to_string()),
    );
    for (latent, kept) in &layout.latents {
        out.add(format!("what is kept of `{}`", latent.name), format!("{kept:?}"));
    }
    for count in &layout.counts {
        out.add(format!("the kept rates of `{}`", count.name), count.kept());
        out.add(format!("the monitored cells of `{}`", count.name), count.watched());
    }
    out
}

/// The layout of the records, and the number of chains: the wanted one, or as many as fit in memory.
fn fitting(model: &dyn Model, settings: &Gibbs, wanted: Option<usize>) -> Result<(Layout, usize), Error> {
    let load = Load::of(model);
    let of = |chains: usize| -> Result<(Layout, usize), Error> {
        load.gibbs(settings, chains)?.afford("this Gibbs run")?;
        let kept = settings.keep.of_latents(&load.latents, settings.in_memory(chains))?;
        let layout = Layout::new(model, settings.num_draws, kept, &settings.keep)?;
        Ok((layout, chains))
    };
    if let Some(chains) = wanted {
        return of(chains);
    }
    let mut refused = None;
    for chains in (1..=Gibbs::CHAINS).rev() {
        match of(chains) {
            Err(error @ Error::TooLarge(_)) => refused = Some(error),
            other => return other,
        }
    }
    match refused {
        Some(error) => Err(error),
        None => unreachable!("one chain was tried"),
    }
}

/// The message where memory does not hold all chains: a single chain has no other to be compared with.
fn fewer_chains(chains: usize) -> String {
    format!(
        "gibbs: {chains} of {} chains, as there is no memory for more: write draws to a store (`draws_in`), keep less (`Keep`), or ask for a number (`num_chains`)",
        Gibbs::CHAINS
    )
}

/// Buffers for the draws of the latents whose draws are kept, each with the size of one draw.
fn reserve(layout: &Layout, chains: usize) -> Result<Vec<(usize, Vec<f64>)>, Error> {
    let kept = layout.latents.iter().filter(|(_, kept)| *kept == Kept::Draws);
    kept.map(|(latent, _)| {
        let size: usize = latent.shape.iter().product();
        reserve_of(format!("draws of `{}`", latent.name), [size, layout.draws, chains])
    })
    .collect()
}

/// Buffers for the rates of the monitored cells of each count, each with the number of these cells.
fn reserve_monitored(layout: &Layout, chains: usize) -> Result<Vec<(usize, Vec<f64>)>, Error> {
    let of = |count: &CountLayout| {
        let what = format!("monitored rates of `{}`", count.name);
        reserve_of(what, [count.monitored.len(), layout.draws, chains])
    };
    layout.counts.iter().map(of).collect()
}

fn reserve_of(what: String, [size, draws, chains]: [usize; 3]) -> Result<(usize, Vec<f64>), Error> {
    let numbers = size.checked_mul(draws).and_then(|n| n.checked_mul(chains));
    Ok((size, filled(&what, numbers.unwrap_or(usize::MAX), 0.0)?))
}

/// A place for each chain in each of some buffers.
fn in_chains(buffers: &mut [(usize, Vec<f64>)], draws: usize) -> Vec<(usize, ChunksExactMut<'_, f64>)> {
    // A count without cells has no place, and needs none.
    (buffers.iter_mut())
        .map(|(size, values)| (*size, values.chunks_exact_mut((draws * *size).max(1))))
        .collect()
}

/// The places of the next chain.
fn of_chain<'b>(places: &mut [(usize, ChunksExactMut<'b, f64>)]) -> Places<'b> {
    let next = places.iter_mut().map(|(size, places)| {
        let place = InMemory::new(places.next().unwrap_or_default(), *size, 0);
        Box::new(place) as Box<dyn Growing>
    });
    next.collect()
}

/// The first `kept` draws of each of these chains out of a buffer for `reserved` of them.
fn counted((size, mut values): (usize, Vec<f64>), reserved: usize, chains: &[usize], kept: usize) -> AllDraws {
    let each = values.len() / reserved;
    // Within the reserved places: a copy would be held beside them.
    for (to, from) in chains.iter().enumerate() {
        values.copy_within(from * each..from * each + kept * size, to * kept * size);
    }
    values.truncate(chains.len() * kept * size);
    AllDraws::in_memory(values, [chains.len(), kept])
}

/// What all chains of a run share.
struct SharedByChains<'r, 'w> {
    model: &'r dyn Model,
    settings: &'r Gibbs,
    layout: &'r Layout,
    starts_at: &'r StartsAt,
    limits: &'r Limits,
    board: &'r Board,
    keeper: Option<&'r Keeper<'r>>,
    watch: Mutex<&'w mut WatchChain<'w>>,
}

/// A chain to be run: its number, its record, and its saved state if the run was stopped before.
type Begun<'a> = (usize, Record<'a>, Option<Parts>);
type Finished<'m, 'a> = (Vec<Done<'m, 'a>>, Ended);

/// A chain that has ended.
struct Done<'m, 'a> {
    number: usize,
    chain: Chain<'m>,
    record: Record<'a>,
    sweeps: usize,
    tuned: Tuned,
}

impl Done<'_, '_> {
    /// Takes the state in which tuning was ended as a draw. The checkpoint, which was written before, does not have it.
    fn take_as_it_is(&mut self, layout: &Layout) -> Result<(), Error> {
        if self.sweeps == 0 {
            self.chain.advance();
            self.chain.check()?;
        }
        self.record.take(layout, &mut self.chain)?;
        Ok(self.record.show()?)
    }
}

impl Running<'_, '_> {
    /// Sweeps that the chain makes, as far as is known now.
    fn total(&self, settings: &Gibbs) -> usize {
        self.chain.tune_sweeps().saturating_add(settings.drawing())
    }
}

impl<'r> SharedByChains<'r, '_> {
    /// Runs some chains in turns to their end.
    fn advance<'a>(&self, group: Vec<Begun<'a>>) -> Result<Finished<'r, 'a>, Error> {
        let settings = self.settings;
        let mut running = Vec::with_capacity(group.len());
        for (number, mut record, left) in group {
            let chain = match (left, self.keeper) {
                (Some(mut parts), Some(keeper)) => {
                    let path = keeper.path();
                    record.restore(self.layout, &mut parts, path)?;
                    let chain = Chain::restored(self.model, settings, number as u64, &mut parts, path)?;
                    let (due, found) = (chain.drawn() / settings.spacing(), record.draws());
                    if due != found {
                        let what = format!("is {}, at which there are {due} draws and not {found}", chain.sweeps());
                        return Err(fault(path, "chain/sweep", what).into());
                    }
                    chain
                }
                _ => Chain::beginning(self.model, self.starts_at, settings.seed, number as u64)
                    .tuned(settings)
                    .in_form(settings.form)?,
            };
            check(self.model, chain.values(), chain.count_rates())?;
            let (sweep, tune) = (chain.sweeps(), chain.tune_sweeps());
            let total = tune.saturating_add(settings.drawing());
            let phase = if sweep < tune { "tuning" } else { "drawing" };
            let title = format!("gibbs, chain {}, {phase}", number + 1);
            if let Some(keeper) = self.keeper {
                keeper.begin(number);
            }
            running.push(Running {
                number,
                chain,
                record,
                bar: self.board.bar(StepsToGo::All(total), sweep, title),
                due: Due::since(sweep),
            });
        }
        let mut ended = Ended::Completed;
        'run: while running.iter().any(|one| one.chain.sweeps() < one.total(settings)) {
            for one in &mut running {
                for _ in 0..TURN.min(one.total(settings).saturating_sub(one.chain.sweeps())) {
                    if let Some(reason) = self.limits.reached() {
                        ended = reason;
                        break 'run;
                    }
                    self.sweep(one).inspect_err(|_| {
                        // What was drawn before is there to be read; the first error is the one worth reporting.
                        let _ = one.record.show();
                    })?;
                }
            }
        }
        for one in &mut running {
            one.record.show()?;
            if let Some(keeper) = self.keeper {
                keeper.end(one.number, self.parts(one)?);
            }
        }
        let finished = running.into_iter().map(|one| Done {
            number: one.number,
            sweeps: one.chain.sweeps(),
            tuned: Tuned {
                sweeps: one.chain.tune_sweeps(),
                still_moving: one.chain.still_moving(),
            },
            record: one.record,
            chain: one.chain,
        });
        Ok((finished.collect(), ended))
    }

    fn sweep(&self, one: &mut Running<'_, '_>) -> Result<(), Error> {
        let settings = self.settings;
        one.chain.advance();
        one.chain.check()?;
        one.bar.step();
        let (sweep, drawn) = (one.chain.sweeps(), one.chain.drawn());
        if sweep == one.chain.tune_sweeps() {
            one.bar.say(format!("gibbs, chain {}, drawing", one.number + 1));
        }
        one.bar.lengthen(one.total(settings));
        let draws = drawn > 0 && drawn.is_multiple_of(settings.spacing());
        if draws {
            one.record.take(self.layout, &mut one.chain)?;
        }
        let mut watch = match self.watch.lock() {
            Ok(watch) => watch,
            // It panicked on another thread, which is about to end the run.
            Err(poisoned) => poisoned.into_inner(),
        };
        watch(&mut one.chain, sweep);
        if let Some(callback) = settings.callback.as_ref().filter(|_| draws) {
            callback.call(&Partial {
                chain: one.number,
                sweep,
                sweeps: one.total(settings),
                ln_joint: &one.record.ln_joint,
                mean: &|latent| one.record.mean(self.layout, latent),
            });
        }
        drop(watch);
        match self.keeper {
            Some(keeper) if keeper.due(&mut one.due, sweep) => {
                // What the checkpoint counts on is on the disk before it.
                one.record.sync()?;
                Ok(keeper.keep(one.number, self.parts(one)?)?)
            }
            _ => Ok(()),
        }
    }

    /// All that the chain needs to go on.
    fn parts(&self, one: &Running<'_, '_>) -> Result<Parts, SavedError> {
        let mut parts = Parts::default();
        one.chain.save(&mut parts);
        one.record.save(self.layout, &mut parts)?;
        Ok(parts)
    }
}

/// Runs `work` on as many threads as asked for.
fn in_pool<T: Send>(threads: Option<usize>, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    match threads {
        None => Ok(work()),
        Some(n) => Ok(pool(n)?.install(work)),
    }
}

/// Does the work of every group on a thread of its own, with its share of `threads` for the passes of what it runs.
///
/// Each has a pool of its own: in a common one, a thread that waits in the middle of a sweep would take up another
/// chain's run, and not come back before that ends.
pub(super) fn by_workers<G: Send, T: Send>(
    num_threads: Option<usize>,
    threads: usize,
    groups: Vec<G>,
    work: impl Fn(G) -> Result<T, Error> + Sync,
) -> Vec<Result<T, Error>> {
    let (workers, work) = (groups.len(), &work);
    if workers <= 1 {
        let alone = |group| in_pool(num_threads, || work(group)).and_then(|done| done);
        return groups.into_iter().map(alone).collect();
    }
    std::thread::scope(|scope| {
        let running: Vec<_> = (groups.into_iter().enumerate())
            .map(|(worker, group)| {
                let share = threads / workers + usize::from(worker < threads % workers);
                scope.spawn(move || pool(share)?.install(|| work(group)))
            })
            .collect();
        let joined = running.into_iter().map(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        joined.collect()
    })
}

/// A pool of `threads` threads, for those who advance a chain themselves.
///
/// # Errors
///
/// If the system does not start that many.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|e| {
        Error::Setting(SettingError::Threads {
            threads,
            reason: e.to_string(),
        })
    })
}
