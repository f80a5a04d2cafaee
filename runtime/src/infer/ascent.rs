//! One variational start: expect, pull back, update.

use std::path::Path;

use crate::diagnose::Doubt;
use crate::error::Error;
use crate::file::{Parts, SavedError, fault};
use crate::model::{CountPart, CountRate, ElboParts, Factors, Latent, Model, RateFunction};

use super::at_prior::AtPrior;
use super::posteriors::Posteriors;
use super::prior::ln_prior;
use super::rates::{Rates, RatesFrom};
use super::settings::{CaviForm, CaviStart};
use super::start::{dispersed, freeze};
use super::starting_values::StartsAt;
use crate::streams::Streams;
use crate::view::{Auxiliary, View};

mod beyond;
mod expecting;
mod leap;
mod narrow;
mod sampled;

use expecting::Expecting;
pub(super) use sampled::sampled;

/// One variational start, advanced iteration by iteration.
pub struct Ascent<'m> {
    model: &'m dyn Model,
    form: CaviForm,
    latents: Vec<Latent>,
    posterior: Posteriors,
    mean: Factors,
    counts: Factors,
    used: Factors,
    count_rates: Vec<CountRate>,
    geometric: Vec<CountRate>,
    moments: Vec<[CountRate; 2]>,
    auxiliary: Vec<Auxiliary>,
}

/// What an iteration changes, and its step.
struct Ascending<'a> {
    mean: &'a mut Factors,
    counts: &'a mut Factors,
    count_rates: &'a mut [CountRate],
    expecting: Expecting<'a>,
}

impl<'m> Ascent<'m> {
    /// A dispersed start, or one near the prior. `restart` keys its random numbers. A start that a chain is to make is dispersed
    /// here; [`Ascent::starting_at`] takes the result of the chain.
    pub fn new(model: &'m dyn Model, form: CaviForm, start: CaviStart, seed: u64, restart: u64) -> Self {
        Self::beginning(model, &StartsAt::default(), form, start, seed, restart)
    }

    /// The same, but for the latents that start where a user says.
    pub(super) fn beginning(
        model: &'m dyn Model,
        starts_at: &StartsAt,
        form: CaviForm,
        start: CaviStart,
        seed: u64,
        restart: u64,
    ) -> Self {
        let streams = Streams::new(seed, restart);
        let mut mean = model.factors();
        let mut count_rates = model.count_rates();
        dispersed(model, starts_at, &mut mean, &mut count_rates, &streams);
        let mut state = Self::around(model, form, mean, count_rates);
        if start == CaviStart::PriorMean {
            let mut step = AtPrior {
                posterior: &mut state.posterior,
                starts_at,
                streams: &streams,
            };
            model.update(&mut state.mean, &mut state.counts, &mut state.count_rates, &mut step);
        }
        state
    }

    /// A start around `mean`; frozen latents have the values that they were given.
    pub fn starting_at(model: &'m dyn Model, form: CaviForm, mut mean: Factors) -> Self {
        freeze(model, &mut mean);
        let mut count_rates = model.count_rates();
        model.set_rates(&mean, &mut count_rates);
        Self::around(model, form, mean, count_rates)
    }

    /// A start around `mean`, which the rates have taken.
    fn around(model: &'m dyn Model, form: CaviForm, mean: Factors, count_rates: Vec<CountRate>) -> Self {
        let latents = model.latents().to_vec();
        let posterior = Posteriors::around(model, &latents, &mean);
        let moments = match form {
            CaviForm::Published => {
                let both = model.count_rates().into_iter().zip(model.count_rates());
                both.map(|(second, squared)| [second, squared]).collect()
            }
            CaviForm::Collapsed | CaviForm::Augmented => Vec::new(),
        };
        Self {
            form,
            latents,
            posterior,
            counts: model.factors(),
            used: model.factors(),
            count_rates,
            geometric: model.count_rates(),
            moments,
            auxiliary: model.views().iter().map(|v| v.start_factors()).collect(),
            mean,
            model,
        }
    }

    /// Goes on where [`Ascent::save`] was called; `path` is the file of `parts`.
    pub(super) fn restore(&mut self, parts: &mut Parts, path: &Path) -> Result<(), SavedError> {
        for (i, (latent, mean)) in self.latents.iter().zip(self.mean.iter_mut()).enumerate() {
            parts.fill_values(path, &format!("mean/{}", latent.name), mean)?;
            for (what, values) in self.posterior.parameters_mut(i) {
                parts.fill_values(path, &format!("{what}/{}", latent.name), values)?;
            }
        }
        self.posterior.all_updated();
        for (view, auxiliary) in self.model.views().into_iter().zip(&mut self.auxiliary) {
            let name = format!("auxiliary/{}", view.name());
            *auxiliary = (view.restore_factors(&parts.take(path, &name)?))
                .ok_or_else(|| fault(path, &name, "has numbers for another number of cells".to_owned()))?;
        }
        self.model.set_rates(&self.mean, &mut self.count_rates);
        Ok(())
    }

    /// All that the next iteration depends on, after the first one.
    pub(super) fn save(&self, parts: &mut Parts) {
        for (i, (latent, mean)) in self.latents.iter().zip(self.mean.iter()).enumerate() {
            parts.put(format!("mean/{}", latent.name), mean.to_vec());
            for (what, values) in self.posterior.parameters(i) {
                parts.put(format!("{what}/{}", latent.name), values.to_vec());
            }
        }
        for (view, auxiliary) in self.model.views().into_iter().zip(&self.auxiliary) {
            parts.put(format!("auxiliary/{}", view.name()), view.save_factors(auxiliary));
        }
    }

    /// The log joint density of the data and of the latents at their posterior means.
    pub(super) fn ln_joint(&mut self) -> f64 {
        let counts = self.model.views().into_iter().zip(&mut self.count_rates);
        let likelihood: f64 = counts.map(|(view, count_rate)| count_rate.ln_likelihood(view)).sum();
        let tables = self.model.bound().ln_evidence_of_tables(&self.count_rates);
        likelihood + tables + ln_prior(self.model, &self.latents, &self.mean)
    }

    /// The posterior means of a latent, by its name.
    pub(super) fn mean_of(&self, latent: &str) -> Option<Vec<f64>> {
        let at = self.latents.iter().position(|other| other.name == latent)?;
        Some(self.mean[at].to_vec())
    }

    /// One iteration: expected allocations at `G^(1-warmth) E^warmth`, then every latent. If `score`,
    /// returns the bound at the posterior *before* the iteration's updates of the factors, which is a bound
    /// only if `warmth` is zero; `None` in the first iteration, whose start is not a posterior.
    pub fn iterate(&mut self, warmth: f64, score: bool) -> Option<f64> {
        self.set_used(warmth);
        self.model.set_rates(&self.used, &mut self.geometric);
        let is_published = self.form == CaviForm::Published;
        if is_published {
            self.square();
        }
        let divergences = if score && !is_published {
            self.divergences()
        } else {
            None
        };
        let (model, mut ascending) = (self.model, self.ascending(score));
        model.update(
            ascending.mean,
            ascending.counts,
            ascending.count_rates,
            &mut ascending.expecting,
        );
        let parts = ElboParts::new(model.bound(), &ascending.expecting.added, divergences.as_ref()?);
        Some(model.elbo(&parts))
    }

    fn ascending(&mut self, score: bool) -> Ascending<'_> {
        let expecting = Expecting {
            model: self.model,
            form: self.form,
            posterior: &mut self.posterior,
            geometric: &mut self.geometric,
            moments: &self.moments,
            auxiliary: &mut self.auxiliary,
            score,
            added: vec![CountPart::default(); self.count_rates.len()],
        };
        Ascending {
            mean: &mut self.mean,
            counts: &mut self.counts,
            count_rates: &mut self.count_rates,
            expecting,
        }
    }

    fn set_used(&mut self, warmth: f64) {
        let used = self.used.iter_mut();
        let means = used.zip(&self.posterior.geometric).zip(self.mean.iter());
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

    /// The bound at the rates as they are, after the means of all cells.
    fn expect(&mut self) -> Option<f64> {
        let mut ascending = self.ascending(true);
        for count in 0..ascending.count_rates.len() {
            ascending.expecting.pass(count, ascending.count_rates, ascending.counts);
        }
        let added = std::mem::take(&mut ascending.expecting.added);
        let divergences = self.divergences()?;
        let parts = ElboParts::new(self.model.bound(), &added, &divergences);
        Some(self.model.elbo(&parts))
    }

    /// The divergence of every latent from its prior; `None` before the first update.
    fn divergences(&self) -> Option<Vec<f64>> {
        if !self.posterior.is_set() {
            return None;
        }
        let mut geometric: Option<Factors> = None;
        let mut all = vec![0.0; self.latents.len()];
        for ((i, latent), mean) in self.latents.iter().enumerate().zip(self.mean.iter()) {
            if self.posterior.is_frozen(i) && !latent.has_parents {
                continue;
            }
            // Now, not when the latent was updated: parents have moved since.
            let at_mean = self.model.prior(i, &self.mean);
            all[i] = if latent.has_parents {
                let parents = geometric.get_or_insert_with(|| self.geometric_means());
                let at_geometric = self.model.prior(i, parents);
                self.posterior.divergence(i, [&at_mean, &at_geometric], mean)
            } else {
                self.posterior.divergence(i, [&at_mean, &at_mean], mean)
            };
        }
        Some(all)
    }

    fn geometric_means(&self) -> Factors {
        let mut out = self.model.factors();
        for (to, from) in out.iter_mut().zip(&self.posterior.geometric) {
            to.copy_from_slice(from);
        }
        out
    }

    /// What the published form needs of the rates beyond their means: those at second moments and at squared means.
    fn square(&mut self) {
        let mut second = self.model.factors();
        let mut squared = self.model.factors();
        let arrays = second.iter_mut().zip(squared.iter_mut());
        for (latent, ((second, squared), mean)) in arrays.zip(self.mean.iter()).enumerate() {
            self.posterior.squares(latent, mean, second, squared);
        }
        for (values, which) in [(&second, 0), (&squared, 1)] {
            let moments = self.moments.iter_mut();
            moments.for_each(|pair| pair[which].set_squares(values));
        }
    }

    /// Posterior means of the factors.
    pub fn means(&self) -> &Factors {
        &self.mean
    }

    /// The first conditional out of the range of doubles, or the first fault of a custom update; later posteriors
    /// mean nothing.
    ///
    /// # Errors
    ///
    /// [`RunError::Overflow`](crate::error::RunError::Overflow) and [`RunError::CustomUpdate`](crate::error::RunError::CustomUpdate).
    pub fn check(&self) -> Result<(), Error> {
        let fault = self.posterior.fault;
        fault.map_or(Ok(()), |fault| Err(fault.error(self.model)))
    }

    /// Posterior shapes of each latent (concentrations of a simplex); infinite where it is frozen.
    pub fn shapes(&self) -> &[Vec<f64>] {
        &self.posterior.shape
    }

    /// Posterior rates of each latent (one for a simplex); infinite where it is frozen.
    pub fn rates(&self) -> &[Vec<f64>] {
        &self.posterior.rate
    }

    /// `E[mu]` of every cell of each count is added to `into`.
    pub fn add_rates(&mut self, into: &mut [Vec<f64>]) {
        for ((view, count_rate), into) in self.model.views().into_iter().zip(&mut self.count_rates).zip(into) {
            count_rate.add_rates(view, into);
        }
    }

    /// The rates at the means.
    #[doc(hidden)]
    pub fn count_rates(&self) -> &[CountRate] {
        &self.count_rates
    }

    /// `E[mu]` of some cells of each count, by their row-major positions.
    pub(super) fn rates_at(&self, cells: &[Vec<usize>]) -> Vec<f64> {
        let counts = self.model.views().into_iter().zip(&self.count_rates).zip(cells);
        let of = |((view, count_rate), cells): ((&View, &CountRate), &Vec<usize>)| -> Vec<f64> {
            let mut rates = Vec::with_capacity(cells.len());
            let places = cells.iter().map(|cell| view.grid().place(*cell));
            count_rate.rates_at(view, places, |rate| rates.push(rate));
            rates
        };
        counts.flat_map(of).collect()
    }

    /// The bound at the present posterior; `None` for the published form, which has none.
    pub(super) fn bound(&mut self) -> Option<f64> {
        if self.form == CaviForm::Published {
            return None;
        }
        self.set_used(0.0);
        self.model.set_rates(&self.used, &mut self.geometric);
        self.expect()
    }

    /// For each count, whether the noise has explained the releases.
    pub(super) fn collapse(&self) -> Vec<Option<Doubt>> {
        let counts = self.model.views().into_iter().zip(&self.count_rates);
        // A difference has no noise that could explain it; with a known total, neither can it.
        let of = |(view, count_rate): (&View, &CountRate)| {
            if view.is_difference() || !view.has_level() {
                return None;
            }
            let mean_rate = count_rate.mean_rate(view);
            Doubt::of_collapse(view.name(), mean_rate, view.mean_observation(), view.standard_error())
        };
        counts.map(of).collect()
    }

    /// Shapes and rates of the posteriors, and for each count its mean rates as a function of the factors.
    pub(super) fn into_parts(self) -> ([Vec<Vec<f64>>; 2], Vec<Rates>) {
        let counts = self.model.views().into_iter().zip(self.count_rates);
        let rates = counts.map(|(view, count_rate)| {
            let function = RateFunction::new(count_rate, view);
            Rates::new(view.name(), view.grid().shape(), RatesFrom::Factors(Box::new(function)))
        });
        let rates = rates.collect();
        ([self.posterior.shape, self.posterior.rate], rates)
    }

    /// The bound as a function of the posterior's parameters, the auxiliary variables left as they are:
    /// overwrites `shape` and `rate` of every latent that is not frozen (on simplices `shape` is the
    /// concentration, and `rate` is ignored) and returns the bound there, for tests of its derivative.
    #[doc(hidden)]
    pub fn bound_at(&mut self, shape: &[Vec<f64>], rate: &[Vec<f64>]) -> Option<f64> {
        for (latent, mean) in self.mean.iter_mut().enumerate() {
            self.posterior.set(latent, &shape[latent], &rate[latent], mean);
        }
        self.model.set_rates(&self.mean, &mut self.count_rates);
        self.set_used(0.0);
        self.model.set_rates(&self.used, &mut self.geometric);
        let views = self.model.views().into_iter().zip(&self.auxiliary);
        let kept: Vec<Auxiliary> = views.map(|(view, auxiliary)| view.copy_factors(auxiliary)).collect();
        let bound = self.expect();
        self.auxiliary = kept;
        bound
    }
}
