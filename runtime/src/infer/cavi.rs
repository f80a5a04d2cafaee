//! Coordinate-ascent variational inference: expect, pull back, update.

use crate::error::Error;
use crate::model::{Factors, Latent, Model, Root};

use super::at_prior::AtPrior;
use super::fit::Collapse;
use super::gibbs::in_pool;
use super::posteriors::Posteriors;
use super::progress::Bar;
use super::settings::{Cavi, CaviForm, CaviStart};
use super::start::{cells_of, check, dispersed, finite};
use super::streams::Streams;
use super::view::Auxiliary;

/// One variational start, advanced iteration by iteration.
pub struct Ascent<'m, M: Model + ?Sized> {
    model: &'m M,
    form: CaviForm,
    latents: Vec<Latent>,
    posterior: Posteriors,
    mean: M::Factors,
    counts: M::Factors,
    used: M::Factors,
    roots: Vec<Root>,
    buffers: M::Buffers,
    geometric: Vec<Root>,
    geometric_buffers: M::Buffers,
    moments: Vec<[Root; 2]>,
    auxiliary: Vec<Auxiliary>,
}

impl<'m, M: Model + ?Sized> Ascent<'m, M> {
    /// A start. `restart` keys its random numbers.
    pub fn new(model: &'m M, form: CaviForm, start: CaviStart, seed: u64, restart: u64) -> Self {
        let streams = Streams::new(seed, restart);
        let mut mean = model.factors();
        let mut buffers = model.buffers();
        let mut roots: Vec<Root> = model.views().into_iter().map(Root::new).collect();
        dispersed(model, &mut mean, &mut roots, &mut buffers, &streams);
        let latents = model.latents();
        let mut posterior = Posteriors::around(model, &latents, &mean);
        if start == CaviStart::PriorMean {
            let nothing = model.factors();
            let mut step = AtPrior {
                posterior: &mut posterior,
                streams: &streams,
            };
            model.update(&mut mean, &nothing, &mut roots, &mut buffers, &mut step);
        }
        let moments = match form {
            CaviForm::Published => model
                .views()
                .into_iter()
                .map(|v| [Root::new(v), Root::new(v)])
                .collect(),
            CaviForm::Collapsed | CaviForm::Augmented => Vec::new(),
        };
        Self {
            form,
            latents,
            posterior,
            counts: model.factors(),
            used: model.factors(),
            roots,
            buffers,
            geometric: model.views().into_iter().map(Root::new).collect(),
            geometric_buffers: model.buffers(),
            moments,
            auxiliary: model.views().iter().map(|v| v.start_factors()).collect(),
            mean,
            model,
        }
    }

    /// One iteration: expected allocations at `G^(1-warmth) E^warmth`, then every latent. If `score`,
    /// returns the bound at the posterior *before* the iteration's updates of the factors, which is one
    /// only if `warmth` is zero; `None` in the first iteration, whose start is no posterior.
    pub fn iterate(&mut self, warmth: f64, score: bool) -> Option<f64> {
        self.set_used(warmth);
        self.model
            .forward(&self.used, &mut self.geometric, &mut self.geometric_buffers);
        let bound = match self.form {
            CaviForm::Published => {
                self.publish();
                None
            }
            CaviForm::Collapsed | CaviForm::Augmented => self.expect(score),
        };
        self.counts.arrays_mut().into_iter().for_each(|n| n.fill(0.0));
        self.model
            .adjoint(&self.used, &self.geometric, &self.geometric_buffers, &mut self.counts);
        // An expected count is the entry times the derivative with respect to it.
        for (n, used) in self.counts.arrays_mut().into_iter().zip(self.used.arrays()) {
            n.iter_mut().zip(used).for_each(|(n, x)| *n *= x);
        }
        self.model.update(
            &mut self.mean,
            &self.counts,
            &mut self.roots,
            &mut self.buffers,
            &mut self.posterior,
        );
        bound
    }

    fn set_used(&mut self, warmth: f64) {
        let used = self.used.arrays_mut().into_iter();
        let means = used.zip(&self.posterior.geometric).zip(self.mean.arrays());
        for (latent, ((used, geometric), mean)) in means.enumerate() {
            if warmth == 0.0 || self.posterior.is_frozen(latent) {
                used.copy_from_slice(geometric);
            } else {
                for ((u, g), e) in used.iter_mut().zip(geometric).zip(mean) {
                    *u = g.powf(1.0 - warmth) * e.powf(warmth);
                }
            }
        }
    }

    fn expect(&mut self, score: bool) -> Option<f64> {
        let mut bound = 0.0;
        let geometric = self.geometric.iter_mut().zip(&mut self.auxiliary).zip(&mut self.roots);
        for (view, ((root, auxiliary), mean)) in self.model.views().into_iter().zip(geometric) {
            bound += view.expect(&root.operands, auxiliary, &mut root.seeds, &mut root.work, score);
            if score {
                mean.exposure_left(view);
                let weighed: f64 = mean
                    .operands
                    .left
                    .iter()
                    .zip(&mean.seeds.left)
                    .map(|(l, e)| l * e)
                    .sum();
                bound -= weighed;
            }
        }
        if score { Some(bound - self.divergence()?) } else { None }
    }

    /// What the latents take off the bound; `None` before the first update.
    fn divergence(&self) -> Option<f64> {
        if !self.posterior.is_set() {
            return None;
        }
        let mut geometric: Option<M::Factors> = None;
        let mut total = 0.0;
        for ((i, latent), mean) in self.latents.iter().enumerate().zip(self.mean.arrays()) {
            if self.posterior.is_frozen(i) && !latent.has_parents {
                continue;
            }
            // Now, not when the latent was updated: parents have moved since.
            let at_mean = self.model.prior(i, &self.mean);
            total += if latent.has_parents {
                let parents = geometric.get_or_insert_with(|| self.geometric_means());
                let at_geometric = self.model.prior(i, parents);
                self.posterior.divergence(i, [&at_mean, &at_geometric], mean)
            } else {
                self.posterior.divergence(i, [&at_mean, &at_mean], mean)
            };
        }
        Some(total)
    }

    fn geometric_means(&self) -> M::Factors {
        let mut out = self.model.factors();
        for (to, from) in out.arrays_mut().into_iter().zip(&self.posterior.geometric) {
            to.copy_from_slice(from);
        }
        out
    }

    fn publish(&mut self) {
        let mut second = self.model.factors();
        let mut squared = self.model.factors();
        let arrays = second.arrays_mut().into_iter().zip(squared.arrays_mut());
        for (latent, ((second, squared), mean)) in arrays.zip(self.mean.arrays()).enumerate() {
            self.posterior.squares(latent, mean, second, squared);
        }
        let mut buffers = self.model.buffers();
        for (values, which) in [(&second, 0), (&squared, 1)] {
            // The walk needs its roots side by side: lend them out for its duration.
            let lent = |pair: &mut [Root; 2]| std::mem::replace(&mut pair[which], Root::empty());
            let mut roots: Vec<Root> = self.moments.iter_mut().map(lent).collect();
            self.model.forward(values, &mut roots, &mut buffers);
            for (pair, root) in self.moments.iter_mut().zip(roots) {
                pair[which] = root;
            }
        }
        for (i, view) in self.model.views().into_iter().enumerate() {
            let moments = [
                &self.roots[i].operands,
                &self.moments[i][0].operands,
                &self.moments[i][1].operands,
            ];
            let root = &mut self.geometric[i];
            view.publish(
                &root.operands,
                moments,
                &mut self.auxiliary[i],
                &mut root.seeds,
                &mut root.work,
            );
        }
    }

    /// Posterior means of the factors.
    pub fn means(&self) -> &M::Factors {
        &self.mean
    }

    /// The first thing that a user's own update got wrong; posteriors from there on mean nothing.
    ///
    /// # Errors
    ///
    /// [`Error::OwnUpdate`].
    pub fn check(&self) -> Result<(), Error> {
        let fault = self.posterior.fault;
        fault.map_or(Ok(()), |fault| Err(fault.error(&self.latents)))
    }

    /// Posterior shapes of each latent, concentrations of one on simplices; infinite where it is frozen.
    pub fn shapes(&self) -> &[Vec<f64>] {
        &self.posterior.shape
    }

    /// Posterior rates of each latent, one where it is on simplices; infinite where it is frozen.
    pub fn rates(&self) -> &[Vec<f64>] {
        &self.posterior.rate
    }

    /// `E[mu]` of every cell of each count is added to `into`.
    pub fn add_rates(&mut self, into: &mut [Vec<f64>]) {
        for ((view, root), into) in self.model.views().into_iter().zip(&mut self.roots).zip(into) {
            view.add_rates(&root.operands, into, &mut root.work);
        }
    }

    /// The bound as a function of the posterior's parameters, the auxiliary variables left as they are:
    /// overwrites `shape` and `rate` of every latent that is not frozen (on simplices `shape` is the
    /// concentration, and `rate` is ignored) and returns the bound there, for tests of its derivative.
    #[doc(hidden)]
    pub fn bound_at(&mut self, shape: &[Vec<f64>], rate: &[Vec<f64>]) -> Option<f64> {
        for (latent, mean) in self.mean.arrays_mut().into_iter().enumerate() {
            self.posterior.set(latent, &shape[latent], &rate[latent], mean);
        }
        self.model.forward(&self.mean, &mut self.roots, &mut self.buffers);
        self.roots.iter_mut().for_each(Root::forget_exposures);
        self.set_used(0.0);
        self.model
            .forward(&self.used, &mut self.geometric, &mut self.geometric_buffers);
        let views = self.model.views().into_iter().zip(&self.auxiliary);
        let kept: Vec<Auxiliary> = views.map(|(view, auxiliary)| view.copy_factors(auxiliary)).collect();
        let bound = self.expect(true);
        self.auxiliary = kept;
        bound
    }
}

/// What a variational run leaves behind.
#[derive(Debug)]
pub struct CaviRun {
    /// For each latent the shapes of its posterior, row-major; of one on simplices the concentrations.
    /// Infinite where it is frozen.
    pub shape: Vec<Vec<f64>>,
    /// For each latent the rates of its posterior; of one on simplices ones. Infinite where it is frozen.
    pub rate: Vec<Vec<f64>>,
    /// The latents, in the same order.
    pub latents: Vec<Latent>,
    /// For each count `E[mu]` of every cell, row-major.
    pub rates: Vec<Vec<f64>>,
    /// The bound that the returned start reached; `None` for the published algorithm, which has none.
    pub elbo: Option<f64>,
    /// (iteration, bound) of the returned start, from the end of annealing on.
    pub trace: Vec<(usize, f64)>,
    /// The final bound of every start.
    pub restarts: Vec<Option<f64>>,
    /// Iterations of the returned start.
    pub iterations: usize,
    /// Whether it met the tolerance within `max_iters`.
    pub converged: bool,
    /// For each count, whether the noise has explained the releases.
    pub collapse: Vec<Option<Collapse>>,
}

/// Runs every start of `settings` and returns the best. `watch` is called after every iteration with the
/// start and the number of its iterations so far.
pub fn cavi<M: Model + ?Sized>(
    model: &M,
    settings: &Cavi,
    mut watch: impl FnMut(&mut Ascent<'_, M>, usize) + Send,
) -> Result<CaviRun, Error> {
    settings.check()?;
    if settings.form == CaviForm::Published {
        let simplex = model.latents().into_iter().find(|latent| latent.along.is_some());
        if let Some(latent) = simplex {
            return Err(Error::PublishedSimplex { latent: latent.name });
        }
    }
    in_pool(settings.num_threads, || {
        let mut best: Option<CaviRun> = None;
        let mut restarts = Vec::new();
        // Without a bound there is nothing to choose by.
        let starts = if settings.form == CaviForm::Published {
            1
        } else {
            settings.num_restarts
        };
        for restart in 0..starts {
            let (mut run, mut state) = ascend(model, settings, restart, &mut watch)?;
            restarts.push(run.elbo);
            // A bound that is no number is worse than any.
            let value = |run: &CaviRun| run.elbo.filter(|bound| !bound.is_nan()).unwrap_or(f64::NEG_INFINITY);
            if best.as_ref().is_none_or(|best| value(&run) > value(best)) {
                run.rates = cells_of(model)?;
                state.add_rates(&mut run.rates);
                best = Some(run);
            }
        }
        let Some(mut best) = best else {
            unreachable!("settings were checked: there is a start")
        };
        best.restarts = restarts;
        finite(model, &best.rates, best.elbo)?;
        Ok(best)
    })?
}

fn ascend<'m, M: Model + ?Sized>(
    model: &'m M,
    settings: &Cavi,
    restart: usize,
    watch: &mut (impl FnMut(&mut Ascent<'_, M>, usize) + Send),
) -> Result<(CaviRun, Ascent<'m, M>), Error> {
    let title = format!("cavi, start {} of {}", restart + 1, settings.num_restarts);
    let bar = Bar::new(settings.progress, settings.max_iters, title);
    let mut state = Ascent::new(model, settings.form, settings.start, settings.seed, restart as u64);
    check(model, &state.mean, &state.roots)?;
    let views = model.views();
    let anneal = match settings.form {
        // VI18 does not anneal, and the comparison is with what was published.
        CaviForm::Published => 0,
        CaviForm::Collapsed | CaviForm::Augmented => settings.anneal_iters.min(settings.max_iters),
    };
    let (mut trace, mut converged, mut iterations) = (Vec::new(), false, 0);
    let mut last_rates: Option<Vec<Vec<f64>>> = None;
    for iteration in 1..=settings.max_iters {
        let warmth = warmth(iteration, anneal);
        let check = iteration > anneal + 1 && iteration.is_multiple_of(settings.check_every);
        let bound = state.iterate(warmth, check);
        state.check()?;
        iterations = iteration;
        bar.step();
        watch(&mut state, iteration);
        if let Some(bound) = bound {
            if let Some(&(before, last)) = trace.last() {
                let gain: f64 = bound - last;
                converged = gain.abs() < settings.tol * bound.abs() * (iteration - before) as f64;
            }
            trace.push((iteration, bound));
        } else if check {
            // No bound: the published algorithm stops when E[mu] does.
            let mut rates = cells_of(model)?;
            state.add_rates(&mut rates);
            if let Some(last) = &last_rates {
                converged = relative_change(last, &rates) < PUBLISHED_TOL;
            }
            last_rates = Some(rates);
        }
        if converged {
            break;
        }
    }
    // The bound of the posterior that is returned, not of the one before its last update.
    let elbo = match settings.form {
        CaviForm::Published => None,
        CaviForm::Collapsed | CaviForm::Augmented => {
            state.set_used(0.0);
            model.forward(&state.used, &mut state.geometric, &mut state.geometric_buffers);
            state.expect(true)
        }
    };
    let collapse = views
        .iter()
        .zip(&state.roots)
        .map(|(v, root)| {
            Collapse::detect(
                v.name(),
                v.mean_rate(&root.operands),
                v.mean_observation(),
                v.standard_error(),
            )
        })
        .collect();
    let run = CaviRun {
        shape: std::mem::take(&mut state.posterior.shape),
        rate: std::mem::take(&mut state.posterior.rate),
        latents: model.latents(),
        rates: Vec::new(),
        elbo,
        trace,
        restarts: Vec::new(),
        iterations,
        converged,
        collapse,
    };
    Ok((run, state))
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

fn relative_change(before: &[Vec<f64>], after: &[Vec<f64>]) -> f64 {
    let pairs = before.iter().flatten().zip(after.iter().flatten());
    let (change, size) = pairs.fold((0.0, 0.0), |(c, s), (b, a)| (c + (a - b).abs(), s + a.abs()));
    change / f64::max(size, f64::MIN_POSITIVE)
}
