//! One Gibbs chain: impute, thin, redraw.

use std::path::Path;

use crate::error::Error;
use crate::file::{Parts, fault};
use crate::model::{CountRate, Factors, Latent, Model, Step};

use super::custom::Fault;
use super::moves::{Adapted, Joint, MovesPlan, Place};
use super::prior::ln_prior;
use super::redraw::Redraw;
use super::settings::{Gibbs, GibbsForm, Moves};
use super::start::{dispersed, freeze};
use super::starting_values::StartsAt;
use super::tokens::ChainTokens;
use super::tuning::Tuning;
use crate::streams::Streams;
use crate::view::Auxiliary;

/// The bit that tells the streams of a first draw of latents in a sweep from those of the second.
const BEFORE_OTHERS: u64 = 1 << 63;

/// One chain, advanced sweep by sweep.
pub struct Chain<'m> {
    model: &'m dyn Model,
    x: Factors,
    counts: Factors,
    count_rates: Vec<CountRate>,
    auxiliary: Vec<Auxiliary>,
    streams: Streams,
    sweep: u64,
    frozen: Vec<bool>,
    fault: Option<Fault>,
    latents: Vec<Latent>,
    joint: Option<Joint>,
    tuning: Tuning,
    /// Where the latents of the rates are integrated out.
    tokens: Option<ChainTokens>,
}

impl<'m> Chain<'m> {
    /// A chain at a dispersed start, scaled to the data.
    pub fn new(model: &'m dyn Model, seed: u64, chain: u64) -> Self {
        Self::beginning(model, &StartsAt::default(), seed, chain)
    }

    /// The same, but for the latents that start where a user says.
    pub(super) fn beginning(model: &'m dyn Model, starts_at: &StartsAt, seed: u64, chain: u64) -> Self {
        let mut state = Self::unset(model, model.factors(), seed, chain);
        dispersed(model, starts_at, &mut state.x, &mut state.count_rates, &state.streams);
        state
    }

    /// A chain that starts at `x`; frozen latents have the values that they were given.
    pub fn starting_at(model: &'m dyn Model, x: Factors, seed: u64, chain: u64) -> Self {
        let mut state = Self::unset(model, x, seed, chain);
        freeze(model, &mut state.x);
        model.set_rates(&state.x, &mut state.count_rates);
        state
    }

    /// A chain that goes on where [`Chain::save`] was called; `path` is the file of `parts`.
    pub(super) fn restored(
        model: &'m dyn Model,
        settings: &Gibbs,
        chain: u64,
        parts: &mut Parts,
        path: &Path,
    ) -> Result<Self, Error> {
        let state = Self::unset(model, model.factors(), settings.seed, chain);
        let mut state = state.tuned(settings);
        state.tuning.restore(parts, path)?;
        if let Some(joint) = &mut state.joint {
            joint.tune_after(state.tuning.before());
        }
        [state.sweep] = parts.whole(path, "chain/sweep")?;
        if state.sweep < state.tuning.before() {
            let what = format!("is {}, before the round of tuning that it is in", state.sweep);
            return Err(fault(path, "chain/sweep", what).into());
        }
        for (latent, x) in state.latents.iter().zip(state.x.iter_mut()) {
            parts.fill_values(path, &format!("chain/{}", latent.name), x)?;
        }
        for (view, auxiliary) in model.views().into_iter().zip(&mut state.auxiliary) {
            let name = format!("chain/auxiliary/{}", view.name());
            *auxiliary = (view.restore_states(&parts.take(path, &name)?))
                .ok_or_else(|| fault(path, &name, "has numbers for another number of cells".to_owned()))?;
        }
        if let Some(adapted) = state.adapted_mut() {
            let mut arrays = Vec::new();
            for (name, own) in adapted.arrays() {
                let mut values = vec![0.0; own.len()];
                parts.fill(path, &format!("chain/moves/{name}"), &mut values)?;
                arrays.push((name, values));
            }
            let arrays: Vec<(&str, &[f64])> = arrays.iter().map(|(name, values)| (*name, &values[..])).collect();
            if !adapted.restore(&arrays) {
                unreachable!("each array was read at its own length");
            }
        }
        model.set_rates(&state.x, &mut state.count_rates);
        if settings.form == GibbsForm::Tokens {
            let mut tokens = state.counted()?;
            tokens.restore(parts, path)?;
            tokens.fill(model.bound(), &state.x);
            state.tokens = Some(tokens);
        }
        Ok(state)
    }

    /// All that the next sweep depends on.
    pub(super) fn save(&self, parts: &mut Parts) {
        parts.put("chain/sweep", vec![self.sweep as f64]);
        self.tuning.save(parts);
        if let Some(tokens) = &self.tokens {
            tokens.save(parts);
        }
        for (latent, x) in self.latents.iter().zip(self.x.iter()) {
            parts.put(format!("chain/{}", latent.name), x.to_vec());
        }
        for (view, auxiliary) in self.model.views().into_iter().zip(&self.auxiliary) {
            parts.put(format!("chain/auxiliary/{}", view.name()), view.save_states(auxiliary));
        }
        for (name, values) in self.adapted().into_iter().flat_map(Adapted::arrays) {
            parts.put(format!("chain/moves/{name}"), values.to_vec());
        }
    }

    fn unset(model: &'m dyn Model, x: Factors, seed: u64, chain: u64) -> Self {
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
            count_rates: model.count_rates(),
            auxiliary,
            streams,
            sweep: 0,
            frozen: (0..model.latents().len())
                .map(|latent| model.frozen(latent).is_some())
                .collect(),
            fault: None,
            latents: model.latents().to_vec(),
            joint: None,
            tuning: Tuning::new(0, 0),
            tokens: None,
        }
    }

    /// The same chain with joint moves, which [`Chain::advance`] makes and adapts for `num_tune` sweeps.
    #[must_use]
    pub fn with_moves(mut self, moves: Moves, num_tune: usize) -> Self {
        let plan = MovesPlan::new(moves, &self.latents, &self.model.views(), num_tune);
        self.joint = Joint::new(self.model, &self.latents, plan);
        self.tuning = Tuning::new(num_tune, 0);
        self
    }

    /// The same chain with the joint moves and the tuning of a run.
    pub(super) fn tuned(self, settings: &Gibbs) -> Self {
        let moves = match settings.form {
            GibbsForm::Tokens => Moves::Nothing,
            GibbsForm::Collapsed | GibbsForm::Augmented => settings.moves,
        };
        let mut state = self.with_moves(moves, settings.num_tune);
        state.tuning = Tuning::new(settings.num_tune, settings.max_retunes);
        state
    }

    /// The same chain over tokens, which start in proportion to the rates, if `form` says so.
    ///
    /// # Errors
    /// The model has no such form, or there is no memory for the tokens.
    pub(super) fn in_form(mut self, form: GibbsForm) -> Result<Self, Error> {
        if form == GibbsForm::Tokens {
            let mut tokens = self.counted()?;
            tokens.allocate(self.model.bound(), &self.x, &self.streams);
            tokens.fill(self.model.bound(), &self.x);
            self.tokens = Some(tokens);
        }
        Ok(self)
    }

    /// The tokens of the counts as they are now.
    fn counted(&mut self) -> Result<ChainTokens, Error> {
        let mut tokens = ChainTokens::new(self.model).map_err(Error::Form)?;
        let cells = (&mut self.count_rates[..], &mut self.auxiliary[..]);
        let counted = tokens.count(self.model.bound(), cells, &self.streams);
        counted.map_err(|fault| fault.error(self.model))?;
        Ok(tokens)
    }

    /// Which chain of its run it is, from 0.
    pub fn number(&self) -> usize {
        self.streams.chain() as usize
    }

    /// Sweeps so far, tuning included.
    pub fn sweeps(&self) -> usize {
        self.sweep as usize
    }

    /// Sweeps of tuning, as far as is known now: a chain that still moves at their end is tuned again.
    pub fn tune_sweeps(&self) -> usize {
        self.tuning.sweeps() as usize
    }

    /// Sweeps after the tuning.
    pub fn drawn(&self) -> usize {
        self.sweep.saturating_sub(self.tuning.sweeps()) as usize
    }

    /// Whether the log joint density still moved when tuning ended.
    pub fn still_moving(&self) -> bool {
        self.tuning.moving()
    }

    /// What the joint moves have adapted, if there are any. Moves depend on it, on the factors and on the number of sweeps only.
    pub fn adapted(&self) -> Option<&Adapted> {
        self.joint.as_ref().map(Joint::adapted)
    }

    /// The same, to be restored.
    pub fn adapted_mut(&mut self) -> Option<&mut Adapted> {
        self.joint.as_mut().map(Joint::adapted_mut)
    }

    /// One sweep and the joint moves that are due after it. The last sweep of a tuning that is not long enough begins another.
    pub fn advance(&mut self) {
        self.sweep();
        self.move_jointly();
        if self.tuning.looks(self.sweep) && self.fault.is_none() {
            let ln_joint = self.ln_joint();
            if self.tuning.see(self.sweep, ln_joint)
                && let Some(joint) = &mut self.joint
            {
                joint.tune_after(self.sweep);
                joint.restart_step();
            }
        }
    }

    fn move_jointly(&mut self) {
        // What a fault left behind is not to be multiplied on.
        if let (Some(joint), None) = (&mut self.joint, self.fault) {
            let place = Place {
                model: self.model,
                x: &mut self.x,
                count_rates: &mut self.count_rates,
            };
            joint.advance(place, &self.counts, &self.streams.at_sweep(self.sweep), self.sweep);
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
        if let Some(mut tokens) = self.tokens.take() {
            self.sweep_tokens(&mut tokens);
            self.tokens = Some(tokens);
            return;
        }
        let streams = self.streams.at_sweep(self.sweep);
        let mut step = Redraw {
            streams: &streams,
            frozen: &self.frozen,
            cells: Some((self.model, &mut self.auxiliary)),
            fault: self.fault,
        };
        self.model
            .update(&mut self.x, &mut self.counts, &mut self.count_rates, &mut step);
        self.fault = step.fault;
    }

    /// A sweep over tokens: see [`super::tokens`].
    fn sweep_tokens(&mut self, tokens: &mut ChainTokens) {
        let (bound, streams) = (self.model.bound(), self.streams.at_sweep(self.sweep));
        if tokens.draws_counts() {
            let cells = (&mut self.count_rates[..], &mut self.auxiliary[..]);
            if let Err(fault) = tokens.count(bound, cells, &streams) {
                self.fault.get_or_insert(fault);
                return;
            }
            tokens.allocate(bound, &self.x, &streams);
        }
        if !tokens.is_alone() {
            tokens.fill(bound, &self.x);
        }
        tokens.sweep(&streams);
        if !tokens.is_alone() {
            // What was integrated out, before anything is conditioned on it; streams of its own, as it is drawn once more with all others.
            let others: Vec<bool> = (0..self.frozen.len())
                .map(|latent| !tokens.has(bound, latent))
                .collect();
            self.redraw(tokens, &self.streams.at_sweep(self.sweep | BEFORE_OTHERS), &others);
            self.redraw(tokens, &streams, &self.frozen.clone());
        }
    }

    /// Draws the latents that are not `frozen` given the tokens on their entries.
    fn redraw(&mut self, tokens: &ChainTokens, streams: &Streams, frozen: &[bool]) {
        // Counts on all entries anew: those of tables were added to them as they were drawn.
        tokens.numbers(&mut self.counts);
        let mut step = Redraw {
            streams,
            frozen,
            cells: None,
            fault: self.fault,
        };
        self.model
            .update(&mut self.x, &mut self.counts, &mut self.count_rates, &mut step);
        self.fault = step.fault;
    }

    /// Draws what is integrated out given the tokens, if it is not drawn in every sweep: a draw is about to be kept.
    pub fn refresh(&mut self) {
        let Some(tokens) = self.tokens.take_if(|tokens| tokens.is_alone()) else {
            return;
        };
        self.redraw(&tokens, &self.streams.at_sweep(self.sweep), &self.frozen.clone());
        self.tokens = Some(tokens);
    }

    /// Mean and variance of each entry of a latent given the tokens, if it is integrated out.
    pub(super) fn moments_given_tokens(&self, latent: usize) -> Option<[Vec<f64>; 2]> {
        self.tokens.as_ref()?.moments(self.model.bound(), latent)
    }

    /// The first half of a sweep: counts on every factor, which [`Chain::counts`] then returns.
    fn allocate(&mut self) {
        let streams = self.streams.at_sweep(self.sweep);
        let mut step = Redraw {
            streams: &streams,
            frozen: &self.frozen,
            cells: Some((self.model, &mut self.auxiliary)),
            fault: self.fault,
        };
        for count in 0..self.count_rates.len() {
            step.allocate(count, &self.x, &mut self.count_rates, &mut self.counts);
        }
        self.fault = step.fault;
    }

    /// The first conditional out of the range of doubles, or the first fault of a custom update; later values
    /// mean nothing.
    ///
    /// # Errors
    ///
    /// [`RunError::Overflow`](crate::error::RunError::Overflow), [`RunError::CustomUpdate`](crate::error::RunError::CustomUpdate) and [`RunError::CustomSimplex`](crate::error::RunError::CustomSimplex).
    pub fn check(&self) -> Result<(), Error> {
        self.fault.map_or(Ok(()), |fault| Err(fault.error(self.model)))
    }

    /// Streams of another seed for the present sweep of this chain.
    pub(super) fn streams_of(&self, seed: u64) -> Streams {
        self.streams.of_seed(seed).at_sweep(self.sweep)
    }

    /// The rate of every count, at the current values.
    #[doc(hidden)]
    pub fn count_rates(&self) -> &[CountRate] {
        &self.count_rates
    }

    /// Current values of the factors.
    pub fn values(&self) -> &Factors {
        &self.x
    }

    /// Counts that fell on each entry of the factors in the last sweep.
    pub fn counts(&self) -> &Factors {
        &self.counts
    }

    /// The log joint density of the data and of the current values of the latents, with the auxiliary variables of the channel
    /// integrated out. Of two draws, the one with the larger value is the more probable. Of a chain over tokens alone, that of the tokens on
    /// their entries, with the latents integrated out.
    pub fn ln_joint(&mut self) -> f64 {
        if let Some(tokens) = self.tokens.as_ref().filter(|tokens| tokens.is_alone()) {
            return tokens.ln_joint();
        }
        let counts = self.model.views().into_iter().zip(&mut self.count_rates);
        let likelihood: f64 = counts.map(|(view, count_rate)| count_rate.ln_likelihood(view)).sum();
        let tables = self.model.bound().ln_evidence_of_tables(&self.count_rates);
        likelihood + tables + ln_prior(self.model, &self.latents, &self.x)
    }

    /// Calls `visit` with the current rate at each of some cells of a count, by their rows and columns in its grid; zero where
    /// its `where` clause has no cell.
    pub(super) fn rates_at(&self, count: usize, cells: &[(usize, usize)], visit: impl FnMut(f64)) {
        let (view, count_rate) = (self.model.views()[count], &self.count_rates[count]);
        count_rate.rates_at(view, cells.iter().copied(), visit);
    }

    /// The log probability of what was observed at each held-out cell of a count, at the current rates.
    pub(super) fn score_held_out(&self, count: usize, into: &mut [f64]) {
        self.count_rates[count].score_held_out(self.model.views()[count], into);
    }

    /// Adds the current rate of every cell of one count to `into`.
    pub(super) fn add_rates_of(&mut self, count: usize, into: &mut [f64]) {
        let (view, count_rate) = (self.model.views()[count], &mut self.count_rates[count]);
        count_rate.add_rates(view, into);
    }

    /// Adds the current rate of every cell of each count to `into`.
    pub fn add_rates(&mut self, into: &mut [Vec<f64>]) {
        for ((view, count_rate), into) in self.model.views().into_iter().zip(&mut self.count_rates).zip(into) {
            count_rate.add_rates(view, into);
        }
    }

    /// Mean of the current rates over the cells of each count, held-out cells included.
    pub fn mean_rates(&self) -> Vec<f64> {
        self.model
            .views()
            .iter()
            .zip(&self.count_rates)
            .map(|(view, count_rate)| count_rate.mean_rate(view))
            .collect()
    }
}
