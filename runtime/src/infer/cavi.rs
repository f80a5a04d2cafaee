//! Variational runs: starts side by side, of which the best is returned.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::diagnose::Doubt;
use crate::diagnose::run::Ended;
use crate::error::{Error, FormError};
use crate::file::{Parts, SavedError, fault, whole};
use crate::model::{Latent, Model};

use super::ascent::{Ascent, sampled};
use super::callback::Partial;
use super::chains::by_workers;
use super::checkpoint::{Checkpoint, Due, Keeper, Left};
use super::fitted::{SCORED, Variational, scored};
use super::held_out::HeldOut;
use super::identity::Identity;
use super::needs::Load;
use super::progress::{Board, StepsToGo};
use super::rates::Rates;
use super::settings::{Cavi, CaviForm, CaviStart};
use super::start::{check, finite};
use super::starting_values::StartsAt;
use super::stop::Limits;

/// What a variational run leaves behind.
#[derive(Debug)]
pub struct CaviRun {
    /// For each latent the shapes of its posterior (the concentrations of a simplex), row-major.
    /// Infinite where it is frozen.
    pub shape: Vec<Vec<f64>>,
    /// For each latent the rates of its posterior (one for a simplex). Infinite where it is frozen.
    pub rate: Vec<Vec<f64>>,
    /// The latents, in the same order.
    pub latents: Vec<Latent>,
    /// For each count `E[mu]`, as a function of the factors.
    pub rates: Vec<Rates>,
    /// The bound that the returned start reached; `None` for the published algorithm, which has none.
    pub elbo: Option<f64>,
    /// The log joint density of the data and of the latents at their posterior means.
    pub ln_joint: f64,
    /// (iteration, bound) of the returned start, from the end of annealing on.
    pub trace: Vec<(usize, f64)>,
    /// The final bound of every start.
    pub restarts: Vec<Option<f64>>,
    /// Iterations of the returned start.
    pub iterations: usize,
    /// Why the returned start ended.
    pub ended: Ended,
    /// What was asked for.
    pub settings: Cavi,
    /// Seconds that the run took.
    pub seconds: f64,
    /// For each count, whether the noise has explained the releases.
    pub collapse: Vec<Option<Doubt>>,
    /// How much of the level of the rates the noise hides; `None` where the form or the model does not say.
    pub narrow: Option<Doubt>,
    /// The first latent whose chain in time goes on beyond the data.
    pub beyond: Option<Doubt>,
    /// For each count what was found at its held-out cells.
    pub held_out: Vec<HeldOut>,
}

impl CaviRun {
    fn variational<'a>(&'a self, model: &'a dyn Model) -> Variational<'a> {
        let parameters = self.shape.iter().zip(&self.rate);
        Variational {
            latents: &self.latents,
            parameters: parameters.map(|(shape, rate)| [&shape[..], &rate[..]]).collect(),
            frozen: (0..self.latents.len()).map(|latent| model.frozen(latent)).collect(),
            seed: self.settings.seed,
        }
    }

    /// A NaN bound is worse than any other.
    fn value(&self) -> f64 {
        self.elbo.filter(|bound| !bound.is_nan()).unwrap_or(f64::NEG_INFINITY)
    }
}

/// Runs every start of `settings`, side by side on as many threads as there are, and returns the best. `watch` is called
/// after every iteration with the start and the number of its iterations so far, from one thread at a time.
///
/// # Errors
///
/// Settings that make no sense; a run that does not fit in memory, before the first iteration; data that no factors
/// explain; numbers that leave the range of doubles.
pub fn cavi(
    model: &dyn Model,
    settings: &Cavi,
    mut watch: impl FnMut(&mut Ascent<'_>, usize) + Send,
) -> Result<CaviRun, Error> {
    watched(model, settings, &mut watch)
}

/// Called after every iteration with the start and the number of its iterations.
type WatchAscent<'w> = dyn FnMut(&mut Ascent<'_>, usize) + Send + 'w;

fn watched(model: &dyn Model, settings: &Cavi, watch: &mut WatchAscent<'_>) -> Result<CaviRun, Error> {
    settings.check()?;
    if let Some(latent) = model.bound().learns_shape_of() {
        return Err(Error::Form(FormError::NoBound { latent }));
    }
    let published = settings.form == CaviForm::Published;
    if published {
        let simplex = model.latents().iter().find(|latent| latent.along.is_some());
        if let Some(latent) = simplex {
            return Err(Error::Form(FormError::PublishedSimplex { latent: latent.name }));
        }
    }
    // Without a bound there is nothing to choose by.
    let starts = if published { 1 } else { settings.num_restarts };
    let starts_at = settings.starting_values.of(model)?;
    let threads = settings.num_threads.unwrap_or_else(rayon::current_num_threads);
    let workers = affordable(&Load::of(model), settings, threads.min(starts))?;
    let opened = settings.checkpoint.as_ref().map(Checkpoint::open).transpose()?;
    let begun = opened.map(|opened| opened.begin(identity(model, settings, &starts_at, starts), starts));
    let (keeper, left) = begun.transpose()?.unzip();
    let run = SharedByStarts {
        keeper: keeper.as_ref(),
        left: Mutex::new(left.unwrap_or_default()),
        model,
        settings,
        starts,
        starts_at,
        limits: Limits::new(settings.time_limit, &settings.interrupt),
        board: Board::new(settings.progress),
        watch: Mutex::new(watch),
    };
    let of_workers = by_workers(settings.num_threads, threads, (0..workers).collect(), |worker| {
        run.of_worker(worker, workers)
    });
    let outcomes = of_workers.into_iter().collect::<Result<Vec<_>, Error>>()?;
    let mut outcomes: Vec<EndedStart> = outcomes.into_iter().flatten().collect();
    if let Some(keeper) = &keeper {
        keeper.close()?;
    }
    outcomes.sort_by_key(|(start, ..)| *start);
    let restarts = outcomes.iter().map(|(_, bound, _)| *bound).collect();
    // The first of equal ones, so that the choice does not depend on which worker had which start.
    let best = outcomes
        .into_iter()
        .filter_map(|(.., run)| run)
        .reduce(|best, run| if run.value() > best.value() { run } else { best });
    let Some(mut best) = best else {
        unreachable!("settings were checked: there is a start")
    };
    best.restarts = restarts;
    // Who has asked for an end does not wait for all of these draws.
    let draws = match run.limits.reached() {
        None => SCORED,
        Some(_) => SCORED / 10,
    };
    best.held_out = scored(model, best.variational(model), draws)?;
    best.seconds = keeper.as_ref().map_or_else(|| run.limits.seconds(), Keeper::seconds);
    Ok(best)
}

/// What a start has come to: `cavi, start 2 of 4: bound -1234.567 after 80 iterations, converged`.
fn reached(title: &str, bound: Option<f64>, iterations: usize, ended: Ended) -> String {
    let bound = bound.map_or_else(|| "no bound".into(), |bound| format!("bound {bound:.3}"));
    format!("{title}: {bound} after {iterations} iterations, {ended}")
}

/// As many starts at a time as fit in memory, at most `wanted`.
fn affordable(load: &Load, settings: &Cavi, wanted: usize) -> Result<usize, Error> {
    let of = |workers: usize| load.cavi(settings, workers).afford("this variational run");
    match (2..=wanted).rev().find(|&workers| of(workers).is_ok()) {
        Some(workers) => Ok(workers),
        None => Ok(of(1).map(|()| 1)?),
    }
}

/// What all starts of a run share.
struct SharedByStarts<'r, 'w> {
    model: &'r dyn Model,
    settings: &'r Cavi,
    starts: usize,
    starts_at: StartsAt,
    limits: Limits,
    board: Board,
    keeper: Option<&'r Keeper<'r>>,
    left: Mutex<Left>,
    watch: Mutex<&'w mut WatchAscent<'w>>,
}

/// Number of a start, its bound, and what it left behind if it is the best of its worker.
type EndedStart = (usize, Option<f64>, Option<CaviRun>);

impl SharedByStarts<'_, '_> {
    /// Every `workers`-th start.
    fn of_worker(&self, worker: usize, workers: usize) -> Result<Vec<EndedStart>, Error> {
        let (mut outcomes, mut best): (Vec<EndedStart>, Option<(usize, CaviRun)>) = (Vec::new(), None);
        for start in (worker..self.starts).step_by(workers) {
            // One start is always made, so that there is something to return.
            if start > worker && self.limits.reached().is_some() {
                break;
            }
            let run = self.ascend(start)?;
            outcomes.push((start, run.elbo, None));
            if best.as_ref().is_none_or(|(_, best)| run.value() > best.value()) {
                best = Some((outcomes.len() - 1, run));
            }
        }
        if let Some((at, run)) = best {
            outcomes[at].2 = Some(run);
        }
        Ok(outcomes)
    }

    fn ascend(&self, start: usize) -> Result<CaviRun, Error> {
        let (model, settings) = (self.model, self.settings);
        let title = format!("cavi, start {} of {}", start + 1, self.starts);
        let left = self.left(start);
        let kind = settings.start.of(start);
        let (mut state, is_cut) = match kind {
            CaviStart::Sampled { sweeps } if left.is_none() => self.sample(start, sweeps)?,
            // What is left of a start that was sampled replaces this one.
            other => (
                Ascent::beginning(
                    model,
                    &self.starts_at,
                    settings.form,
                    other,
                    settings.seed,
                    start as u64,
                ),
                false,
            ),
        };
        let keeper = self.keeper.filter(|_| !is_cut);
        let mut way = StartState::default();
        if let (Some(mut parts), Some(keeper)) = (left, keeper) {
            state.restore(&mut parts, keeper.path())?;
            way = StartState::restored(&mut parts, keeper.path())?;
        }
        if let Some(keeper) = keeper {
            keeper.begin(start);
        }
        let mut bar = self
            .board
            .bar(StepsToGo::AtMost(settings.max_iters), way.iterations, title.clone());
        let mut due = Due::since(way.iterations);
        check(model, state.means(), state.count_rates())?;
        let anneal = settings.annealed(kind);
        let compared: Vec<Vec<usize>> = model.views().iter().map(|view| spread(view.grid().cells())).collect();
        let mut ended = if way.converged {
            Ended::Converged
        } else {
            Ended::MaxIters
        };
        let first = if way.converged {
            settings.max_iters
        } else {
            way.iterations
        };
        for iteration in first + 1..=settings.max_iters {
            let warmth = warmth(iteration, anneal);
            let check = iteration > anneal + 1 && iteration.is_multiple_of(settings.check_every);
            let bound = state.iterate(warmth, check);
            state.check()?;
            way.iterations = iteration;
            bar.step();
            self.watched(&mut state, iteration);
            if let Some(bound) = bound {
                if let Some(&(before, last)) = way.trace.last() {
                    let gain: f64 = bound - last;
                    let least = settings.tol * bound.abs().max(LEAST_BOUND) * (iteration - before) as f64;
                    // The bound may be flat because iterations are short; where a leap finds more, the ascent goes on.
                    let may_leap = gain.abs() < least || way.is_slow(gain);
                    let leapt = may_leap && state.leap(least);
                    way.converged = gain.abs() < least && !leapt;
                }
                way.trace.push((iteration, bound));
                self.call_back(&state, &way, start);
            } else if check {
                // No bound: the published algorithm stops when E[mu] does.
                let rates = state.rates_at(&compared);
                way.converged =
                    (way.last_rates.as_ref()).is_some_and(|last| relative_change(last, &rates) < PUBLISHED_TOL);
                way.last_rates = Some(rates);
            }
            if way.converged {
                ended = Ended::Converged;
                break;
            }
            if let Some(reason) = self.limits.reached() {
                ended = reason;
                break;
            }
            if let Some(keeper) = keeper
                && keeper.due(&mut due, iteration)
            {
                keeper.keep(start, way.parts(&state))?;
            }
        }
        if let Some(keeper) = keeper {
            keeper.end(start, way.parts(&state));
        }
        // The bound of the posterior that is returned, not of the one before its last update.
        let elbo = state.bound();
        drop(bar);
        if self.starts > 1 {
            self.board.say(&reached(&title, elbo, way.iterations, ended));
        }
        let ln_joint = state.ln_joint();
        let (collapse, narrow, beyond) = (state.collapse(), state.narrow(), state.beyond());
        let counts = model.views().into_iter().zip(state.count_rates());
        let means: Vec<Vec<f64>> = counts
            .map(|(view, count_rate)| vec![count_rate.mean_rate(view)])
            .collect();
        let ([shape, rate], rates) = state.into_parts();
        finite(model, &means, &rates, elbo)?;
        Ok(CaviRun {
            shape,
            rate,
            latents: model.latents().to_vec(),
            rates,
            elbo,
            ln_joint,
            trace: way.trace,
            restarts: Vec::new(),
            iterations: way.iterations,
            ended,
            settings: settings.clone(),
            seconds: 0.0,
            collapse,
            narrow,
            beyond,
            held_out: Vec::new(),
        })
    }

    /// A start from a chain, and whether the chain was stopped early.
    fn sample(&self, start: usize, sweeps: usize) -> Result<(Ascent<'_>, bool), Error> {
        let (model, settings) = (self.model, self.settings);
        let title = format!("cavi, start {} of {}, sampling", start + 1, self.starts);
        let mut bar = self.board.bar(StepsToGo::All(sweeps), 0, title);
        let (mean, is_cut) = sampled(model, &self.starts_at, settings.seed, start as u64, sweeps, || {
            bar.step();
            self.limits.reached().is_none()
        })?;
        Ok((Ascent::starting_at(model, settings.form, mean), is_cut))
    }

    /// What is left of a start from a run that was stopped.
    fn left(&self, start: usize) -> Option<Parts> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.get_mut(start).and_then(Option::take)
    }

    fn call_back(&self, state: &Ascent<'_>, way: &StartState, start: usize) {
        let Some(callback) = &self.settings.callback else {
            return;
        };
        let bounds: Vec<f64> = way.trace.iter().map(|(_, bound)| *bound).collect();
        let one_at_a_time = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        callback.call(&Partial {
            chain: start,
            sweep: way.iterations,
            sweeps: self.settings.max_iters,
            ln_joint: &bounds,
            mean: &|latent| state.mean_of(latent),
        });
        drop(one_at_a_time);
    }

    fn watched(&self, state: &mut Ascent<'_>, iteration: usize) {
        let mut watch = match self.watch.lock() {
            Ok(watch) => watch,
            // It panicked on another thread, which is about to end the run.
            Err(poisoned) => poisoned.into_inner(),
        };
        watch(state, iteration);
    }
}

/// How far a start has got.
#[derive(Debug, Default)]
struct StartState {
    iterations: usize,
    converged: bool,
    /// (iteration, bound)
    trace: Vec<(usize, f64)>,
    /// The published form: the rates at the last check.
    last_rates: Option<Vec<f64>>,
}

impl StartState {
    /// Whether the ascent is slow: the next gain, `gain`, is hardly below the last one. Asked at every fifth check only, so that
    /// leaps stay a small part of the time.
    fn is_slow(&self, gain: f64) -> bool {
        let [.., (_, before), (_, last)] = self.trace[..] else {
            return false;
        };
        self.trace.len().is_multiple_of(LEAP_EVERY) && last > before && gain > SLOW * (last - before)
    }

    fn restored(parts: &mut Parts, path: &Path) -> Result<Self, SavedError> {
        let [iterations, converged] = parts.whole(path, "sweep")?;
        let name = "trace/iterations";
        let (at, bounds) = (parts.take(path, name)?, parts.take(path, "trace/bounds")?);
        // Each after the one before, and none after the last iteration.
        let rises = at.windows(2).all(|pair| pair[0] < pair[1]);
        let at: Option<Vec<u64>> = at.into_iter().map(whole).collect();
        let ends = |at: &Vec<u64>| at.last().is_none_or(|&last| last <= iterations);
        let at = at.filter(|at| rises && at.len() == bounds.len() && ends(at));
        let at = at.ok_or_else(|| {
            fault(
                path,
                name,
                "are no iterations up to the last, one for each bound".to_owned(),
            )
        })?;
        let last_rates = parts.take(path, "last_rates")?;
        Ok(Self {
            iterations: iterations as usize,
            converged: converged == 1,
            trace: at.into_iter().map(|at| at as usize).zip(bounds).collect(),
            last_rates: (!last_rates.is_empty()).then_some(last_rates),
        })
    }

    /// All that the start needs to go on.
    fn parts(&self, state: &Ascent<'_>) -> Parts {
        let (iterations, bounds) = self.trace.iter().map(|&(at, bound)| (at as f64, bound)).unzip();
        let mut parts = Parts::default();
        parts.put(
            "sweep",
            vec![self.iterations as f64, f64::from(u8::from(self.converged))],
        );
        parts.put("trace/iterations", iterations);
        parts.put("trace/bounds", bounds);
        parts.put("last_rates", self.last_rates.clone().unwrap_or_default());
        state.save(&mut parts);
        parts
    }
}

/// Everything on which the result of a run depends, except the time that it may take.
fn identity(model: &dyn Model, settings: &Cavi, starts_at: &StartsAt, starts: usize) -> Identity {
    let mut out = Identity::of("CAVI", model, starts_at);
    out.add("tol", settings.tol);
    out.add("num_restarts", starts);
    out.add("anneal_iters", settings.anneal_iters);
    out.add("check_every", settings.check_every);
    out.add("the start", format!("{:?}", settings.start));
    out.add("the seed", settings.seed);
    out.add("the form", format!("{:?}", settings.form));
    out
}

/// An ascent is slow, in many short iterations, if a gain exceeds this share of the one before.
const SLOW: f64 = 0.9;
/// Checks from one leap of a slow ascent to the next.
const LEAP_EVERY: usize = 5;

/// The tolerance is a fraction of the bound, or of this where that is smaller: a bound of zero has no fractions. Log probabilities are compared in units of one.
const LEAST_BOUND: f64 = 1.0;

/// The published algorithm compares the rates of at most so many cells of a count.
const COMPARED: usize = 1 << 14;

/// Row-major positions of cells at equal distances.
fn spread(cells: usize) -> Vec<usize> {
    let number = cells.min(COMPARED);
    (0..number)
        .map(|i| (i as u128 * cells as u128 / number as u128) as usize)
        .collect()
}

/// How far expected allocations are from geometric means: from one to zero in `anneal` iterations, along
/// a square root. The time near one is what matters: at 1000 x 1000, K = 50, alpha = 1/e and 150
/// iterations the error was 0.25 with the root, 0.27 with a straight line, 0.30 with a square.
fn warmth(iteration: usize, anneal: usize) -> f64 {
    if iteration < anneal {
        (1.0 - iteration as f64 / anneal as f64).sqrt()
    } else {
        0.0
    }
}

/// The published algorithm has converged when mean |change of E[mu]| between checks falls below this
/// fraction of mean E[mu].
const PUBLISHED_TOL: f64 = 1e-4;

fn relative_change(before: &[f64], after: &[f64]) -> f64 {
    let pairs = before.iter().zip(after);
    let (change, size) = pairs.fold((0.0, 0.0), |(c, s), (b, a)| (c + (a - b).abs(), s + a.abs()));
    change / f64::max(size, f64::MIN_POSITIVE)
}
