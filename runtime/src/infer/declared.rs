//! A declaration with its data and settings, and all that can be done with it.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::{
    Cavi, CaviFit, FitOf, Gibbs, GibbsFit, LeastError, Predictive, StartingValues, cavi, checked, draws_at, from_draws,
    gibbs, log_likelihood, power, rates_at, waic,
};
use crate::channel::Channel;
use crate::diagnose::{LogLikelihood, PredictiveCheck, Waic};
use crate::error::Error;
use crate::model::{Bound, CountData, Derived, Emitted, FormKind, Given, Model, Origin, SeenThrough, Spec};
use crate::view::DifferenceCell;

/// What the macro makes of a declaration: the model with its data, and the fits, whose fields have the names of its latents.
pub trait Declaration: Model + From<Bound> {
    /// The declaration as data.
    const SPEC: &'static Spec;
    /// What was derived from it.
    const DERIVED: Derived;
    /// What was generated of its rates and updates.
    const EMITTED: &'static Emitted;
    /// What Gibbs sampling returns.
    type Gibbs: From<GibbsFit> + FitOf<Self>;
    /// What variational inference returns.
    type Cavi: From<CaviFit> + FitOf<Self>;
}

/// A declaration, by the type that has its name. Implemented by `model!`.
pub trait Declares {
    /// The model with its data.
    type Bound: Declaration + 'static;

    /// Tells how every count is seen, the hidden ones too. What asks is generic, so that nothing is compiled for those who do not ask.
    fn each_count<V: EachCount>(visitor: &mut V);
}

/// What is told of the counts of a declaration, each by its number.
pub trait EachCount {
    /// Observed as it is.
    fn exact(&mut self, count: usize);

    /// Released by the law `M`.
    fn channel<M: Channel>(&mut self, count: usize, seen: SeenThrough<M>);

    /// A difference of two counts, whose cells take the steps `S`.
    fn difference<S: DifferenceCell>(&mut self, count: usize);
}

/// A declared model with its data and settings, ready to be fitted.
pub struct Declared<M> {
    given: Given,
    model: PhantomData<fn() -> M>,
}

impl<M> Clone for Declared<M> {
    fn clone(&self) -> Self {
        Self::from(self.given.clone())
    }
}

impl<M> fmt::Debug for Declared<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.given.fmt(f)
    }
}

impl<M> From<Given> for Declared<M> {
    fn from(given: Given) -> Self {
        let model = PhantomData;
        Self { given, model }
    }
}

impl<M: Declaration> Declared<M> {
    /// A declaration with its data.
    ///
    /// # Errors
    ///
    /// Those of [`Given::new`].
    #[doc(hidden)]
    pub fn with_data(origin: Origin, counts: Vec<Arc<dyn CountData>>) -> Result<Self, Error> {
        Ok(Self::from(Given::new(M::SPEC, origin, counts)?))
    }

    /// What was given so far.
    pub(super) fn as_given(&self) -> &Given {
        &self.given
    }

    /// What is set by the methods of the model.
    #[doc(hidden)]
    pub fn given(&mut self) -> &mut Given {
        &mut self.given
    }

    /// Binds the data: settles sizes, checks every value, chooses a way over the cells of each count and sorts its
    /// cells. `gibbs` and `cavi` do this themselves; it is public for those who advance a chain
    /// sweep by sweep.
    ///
    /// # Errors
    ///
    /// Whatever is missing, contradictory or outside its domain, with the offending value.
    pub fn bind(&self, form: FormKind) -> Result<M, Error> {
        self.bind_with(form, None)
    }

    /// `bind` with a given way over cells, 0 for blocks and 1 for stored cells, so that tests reach both
    /// at any size.
    ///
    /// # Errors
    ///
    /// Those of `bind`.
    #[doc(hidden)]
    pub fn bind_with(&self, form: FormKind, way: Option<usize>) -> Result<M, Error> {
        Ok(M::from(self.given.bind(form, way, &M::DERIVED, M::EMITTED)?))
    }

    /// Samples the posterior.
    ///
    /// # Errors
    ///
    /// Those of `bind`; settings that make no sense; a run that does not fit in memory; a checkpoint or a store of draws (`draws_in`) that is of another
    /// run, or cannot be read or written ([`Error::Saved`]).
    pub fn gibbs(&self, settings: &Gibbs) -> Result<M::Gibbs, Error> {
        let model = self.bind(settings.form.into())?;
        let run = gibbs(&model, settings, |_, _| {})?;
        Ok(GibbsFit::new(&model, run).into())
    }

    /// Samples the posterior, and makes the checks of [`Self::predictive_check`] while the chains run: nothing of a draw need be kept.
    ///
    /// # Errors
    ///
    /// Those of `gibbs` and of `predictive_check`.
    pub fn gibbs_with_checks(
        &self,
        settings: &Gibbs,
        predictive: &Predictive,
    ) -> Result<(M::Gibbs, Vec<PredictiveCheck>), Error> {
        let model = self.bind(settings.form.into())?;
        let (run, checks) = checked(&model, settings, &self.given.targets(), predictive)?;
        let fit = GibbsFit::new(&model, run);
        Ok((fit.into(), checks))
    }

    /// Compares each count with replicas of it: data drawn through the count's channel at the kept draws of `fit`, or at draws of
    /// its posterior where it is a variational one.
    ///
    /// # Errors
    ///
    /// Those of `bind`; draws that were not kept; a fit of other sizes; releases that are known by their sums alone.
    pub fn predictive_check(
        &self,
        fit: &impl FitOf<M>,
        predictive: &Predictive,
    ) -> Result<Vec<PredictiveCheck>, Error> {
        let model = self.bind(FormKind::default())?;
        from_draws(&model, &**fit, &self.given.targets(), predictive)
    }

    /// Draws of what might be observed at some cells of a count, through its channel: (draw, cell), chain by chain. For a variational
    /// fit there are [`CaviFit::DRAWS`].
    ///
    /// # Errors
    ///
    /// Those of `predictive_check`; an unknown count; a cell that it does not have.
    pub fn predictive_draws(
        &self,
        fit: &impl FitOf<M>,
        count: &str,
        cells: &[impl AsRef<[usize]>],
        seed: u64,
    ) -> Result<Vec<Vec<f64>>, Error> {
        let model = self.bind(FormKind::default())?;
        draws_at(&model, &**fit, &self.given.targets(), count, cells, seed)
    }

    /// Draws of the rates of some cells of a count: (draw, cell), chain by chain. Each is the rate of the plus side and that of the minus
    /// side; the latter is zero for a count that is not a difference. The mean rates of all cells, the plus side less the minus side, are
    /// those of the fit, and need no draws.
    ///
    /// # Errors
    ///
    /// Those of `predictive_draws`.
    pub fn rate_draws(
        &self,
        fit: &impl FitOf<M>,
        count: &str,
        cells: &[impl AsRef<[usize]>],
    ) -> Result<Vec<Vec<[f64; 2]>>, Error> {
        let model = self.bind(FormKind::default())?;
        rates_at(&model, &**fit, &self.given.targets(), count, cells)
    }

    /// The log likelihood of what was observed at some cells of a count, at every kept draw of `fit`: what leave-one-out prediction is made of,
    /// [`LogLikelihood::loo`]. Where the counts of a line have a known total, an observation is the line that a cell is in. Without `cells` it is that of all
    /// that inference saw, where it takes [`LogLikelihood::MOST`] bytes at most.
    ///
    /// # Errors
    ///
    /// Those of `predictive_draws`; a cell that is held out; a count whose lines are observed through noise.
    pub fn log_likelihood(
        &self,
        fit: &impl FitOf<M>,
        count: &str,
        cells: Option<&[&[usize]]>,
    ) -> Result<LogLikelihood, Error> {
        let model = self.bind(FormKind::default())?;
        log_likelihood(&model, &**fit, &self.given.targets(), count, cells)
    }

    /// How far estimates of some entries of a latent are off at least, from counts that are released by `law`, everything else known: before anything is
    /// released. `at` has values of all latents, those of a fit, of a draw of the prior, or guesses; the data of the model are not looked at, and
    /// `exact` counts that are all zero give it its sizes.
    ///
    /// ```
    /// # use skellam::prelude::*;
    /// # model! {
    /// #     model Topics {
    /// #         index docs, words, topics;
    /// #         latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
    /// #         latent phi[k in topics, v in words] ~ Gamma(shape = 0.3, rate = 1.0);
    /// #         count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    /// #     }
    /// # }
    /// let none = Counts::sparse(vec![1000, 200], vec![])?;
    /// let guess = TopicsStart {
    ///     theta: Some(Array::new(vec![1000, 1], vec![1.0; 1000])?),
    ///     phi: Some(Array::new(vec![1, 200], vec![0.01; 200])?),
    /// };
    /// let law = Lplp::new(1, 1)?.law()?;
    /// let least = Topics::exact(&none)?.topics(1).power(&guess.into(), &law, "phi", &[[0, 7]])?;
    /// // A word that occurs once in a hundred documents, in a thousand of them: 0.01 with an error of 0.003, and ten times that behind noise.
    /// assert!((least[0].exact - 0.0032).abs() < 1e-4 && (least[0].released - 0.0307).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`QueryError::NoPower`](crate::error::QueryError::NoPower) for models with several counts, differences and totals, and for latents that are simplices, frozen, or in priors of others;
    /// [`QueryError::NoValue`](crate::error::QueryError::NoValue); an entry that there is not; those of `bind` and of [`Channel::information`].
    pub fn power<C: Channel>(
        &self,
        at: &StartingValues,
        law: &C,
        latent: &str,
        entries: &[impl AsRef<[usize]>],
    ) -> Result<Vec<LeastError>, Error> {
        power::least_errors(&self.bind(FormKind::default())?, at, law, latent, entries)
    }

    /// The widely applicable information criterion of a count, over all cells that inference saw.
    ///
    /// # Errors
    ///
    /// Those of `log_likelihood`.
    pub fn waic(&self, fit: &impl FitOf<M>, count: &str) -> Result<Waic, Error> {
        let model = self.bind(FormKind::default())?;
        waic(&model, &**fit, &self.given.targets(), count)
    }

    /// Approximates the posterior by independent gammas (and Dirichlets, for simplex factors).
    ///
    /// # Errors
    ///
    /// Those of `bind`; settings that make no sense; a run that does not fit in memory.
    pub fn cavi(&self, settings: &Cavi) -> Result<M::Cavi, Error> {
        let model = self.bind(settings.form.into())?;
        let run = cavi(&model, settings, |_, _| {})?;
        Ok(CaviFit::new(&model, run).into())
    }
}
