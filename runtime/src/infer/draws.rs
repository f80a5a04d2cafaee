//! What a Gibbs fit gives of one latent.

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::error::{Error, QueryError, SettingError};
use crate::model::{Latent, Order, Orders};

use super::fit::FromArray;
use super::gibbs_run::LatentDraws;
use super::keep::Kept;
use super::running::Moments;
use super::store::AllDraws;

/// The draws of one latent, or whatever was kept of them. `T` is what one draw looks like.
///
/// Means, standard deviations and quantiles are entry by entry and over all chains. Components of a factorization have another
/// order in every chain unless known values tell them apart, so that they are refused for several chains until `fit.aligned("topics")` has brought the components
/// into one order; [`Draws::mean_of_chain`] needs none.
#[derive(Clone, Debug)]
pub struct Draws<T> {
    store: Arc<LatentStore>,
    kind: PhantomData<T>,
}

/// What was kept of one latent, whatever a draw looks like.
#[derive(Clone, Debug)]
pub(super) struct LatentStore {
    pub latent: Latent,
    pub chains: usize,
    pub draws: usize,
    pub kept: LatentDraws,
    /// Index sets of components whose order may differ from chain to chain. Empty: it can be averaged over chains as it stands.
    pub unordered: Vec<&'static str>,
    /// Which components of the model can be brought into one order.
    pub orders: Arc<Orders>,
    /// The draw of highest log joint density, if it is known and was kept.
    pub best: Option<Best>,
}

/// The draw of highest log joint density.
#[derive(Clone, Debug)]
pub(super) struct Best {
    /// Chain and draw.
    pub at: [usize; 2],
    /// The latent there; `None` where it is one of the draws that were kept.
    pub values: Option<Vec<f64>>,
}

impl LatentStore {
    pub fn new(latent: Latent, [chains, draws]: [usize; 2], kept: LatentDraws) -> Self {
        Self {
            latent,
            chains,
            draws,
            kept,
            unordered: Vec::new(),
            orders: Arc::default(),
            best: None,
        }
    }

    /// The same with the draw of highest log joint density.
    pub fn with_best(mut self, best: Option<Best>) -> Self {
        self.best = best;
        self
    }

    /// Marks the components that can be exchanged in the latent of this number as unordered.
    pub fn with_orders(mut self, latent: usize, orders: &Arc<Orders>) -> Self {
        self.unordered = orders.exchanged_in(latent).to_vec();
        self.orders = Arc::clone(orders);
        self
    }

    /// Refuses to mix components of several chains that have different orders.
    pub fn in_one_order(&self) -> Result<(), Error> {
        let Some(components) = self.unordered.first().filter(|_| self.chains > 1) else {
            return Ok(());
        };
        let why = match self.orders.get(components) {
            Some(Order::Refused(why)) => Some(&why[..]),
            _ => None,
        };
        let error = QueryError::not_aligned(self.latent.name, components, self.chains, why);
        Err(Error::Query(error))
    }
}

impl<T: FromArray> Draws<T> {
    pub(super) fn of(store: Arc<LatentStore>) -> Self {
        Self {
            store,
            kind: PhantomData,
        }
    }

    /// Number of chains.
    pub fn num_chains(&self) -> usize {
        self.store.chains
    }

    /// Kept draws of each chain.
    pub fn num_draws(&self) -> usize {
        self.store.draws
    }

    /// Size of each index of the latent.
    pub fn shape(&self) -> &[usize] {
        &self.store.latent.shape
    }

    /// What was kept.
    pub fn kept(&self) -> Kept {
        match self.store.kept {
            LatentDraws::Draws(_) => Kept::Draws,
            LatentDraws::Moments(_) => Kept::Moments,
            LatentDraws::Last(_) => Kept::Last,
            LatentDraws::Nothing => Kept::Nothing,
        }
    }

    /// All draws in memory, (chain, draw, ..), row-major.
    ///
    /// # Errors
    /// [`QueryError::NotKept`], also where they are in a store on disk (`draws_in`), whose draws may not fit in memory: [`Draws::to_vec`] reads
    /// them.
    pub fn as_slice(&self) -> Result<&[f64], Error> {
        self.all()?.as_slice().ok_or_else(|| {
            Error::Query(QueryError::NotKept {
                what: format!("the draws of `{}` in memory", self.store.latent.name),
                instead: "take `draw(chain, draw)`, `mean()`, `sd()` or `quantile(p)`, which read the store in parts, or read all of it by \
                          `to_vec()`"
                    .to_owned(),
            })
        })
    }

    /// All draws, (chain, draw, ..), row-major: in memory, or read from the store on disk.
    ///
    /// # Errors
    /// [`QueryError::NotKept`]; [`Error::TooLarge`]; the store cannot be read.
    pub fn to_vec(&self) -> Result<Cow<'_, [f64]>, Error> {
        self.all()?.to_vec()
    }

    fn all(&self) -> Result<&AllDraws, Error> {
        match &self.store.kept {
            LatentDraws::Draws(all) => Ok(all),
            _ => Err(self.missing("the draws", "Draws")),
        }
    }

    /// One draw; `None` if there is no such chain or draw, if draws were not kept, or if they are in a store on disk that can no longer be read.
    pub fn draw(&self, chain: usize, draw: usize) -> Option<T> {
        let exists = chain < self.store.chains && draw < self.store.draws;
        match &self.store.kept {
            LatentDraws::Draws(all) if exists => {
                let mut one = vec![0.0; self.size()];
                all.put([chain, draw], &mut one).ok()?;
                Some(T::from_array(&self.store.latent.shape, &one))
            }
            _ => None,
        }
    }

    /// The latent at the draw of highest log joint density, [`GibbsFit::most_probable`](super::GibbsFit::most_probable): a copy of it is kept
    /// where draws are not. All latents of a model are from the same draw.
    ///
    /// # Errors
    /// [`QueryError::NotKept`] where nothing was kept, where these are the draws of another chain (`of_chain`), and where a run ended early and this
    /// draw was left out because other chains had fewer.
    pub fn most_probable(&self) -> Result<T, Error> {
        let drawn = |at: &[usize; 2]| self.draw(at[0], at[1]);
        let found = match &self.store.best {
            Some(Best { values: Some(x), .. }) => Some(T::from_array(&self.store.latent.shape, x)),
            Some(Best { at, values: None }) => drawn(at),
            None => None,
        };
        found.ok_or_else(|| match self.store.kept {
            LatentDraws::Nothing => self.missing("the most probable draw", "Last"),
            _ => Error::Query(QueryError::NotKept {
                what: format!("the most probable draw of `{}`", self.store.latent.name),
                instead:
                    "take it from the fit of all chains; of a run that ended early, let it come to its end, or keep \
                          draws (`Kept::Draws`) and take `draw(chain, draw)` at `fit.most_probable()`"
                        .to_owned(),
            }),
        })
    }

    /// The last draw of a chain; `None` if there is no such chain, or if neither draws nor the last one were kept.
    pub fn last(&self, chain: usize) -> Option<T> {
        let size = self.size();
        match &self.store.kept {
            LatentDraws::Last(all) if chain < self.store.chains => {
                Some(T::from_array(&self.store.latent.shape, &all[chain * size..][..size]))
            }
            LatentDraws::Draws(_) => self.draw(chain, self.store.draws.checked_sub(1)?),
            _ => None,
        }
    }

    /// Means.
    ///
    /// # Errors
    /// [`QueryError::NotAligned`]; [`QueryError::NotKept`] where neither draws nor moments were kept.
    pub fn mean(&self) -> Result<T, Error> {
        self.store.in_one_order()?;
        Ok(T::from_array(
            &self.store.latent.shape,
            &self.moments(0..self.store.chains)?.mean,
        ))
    }

    /// Means over the draws of one chain.
    ///
    /// # Errors
    /// [`QueryError::NotKept`] where neither draws nor moments were kept; [`QueryError::NoSuchChain`].
    pub fn mean_of_chain(&self, chain: usize) -> Result<T, Error> {
        QueryError::chain(chain, self.store.chains)?;
        Ok(T::from_array(
            &self.store.latent.shape,
            &self.moments(chain..chain + 1)?.mean,
        ))
    }

    /// What was kept of one chain alone: what to read where chains have found different modes.
    ///
    /// # Errors
    /// [`QueryError::NoSuchChain`].
    pub fn of_chain(&self, chain: usize) -> Result<Self, Error> {
        QueryError::chain(chain, self.store.chains)?;
        let size = self.size();
        let of_chain = |all: &[f64], each: usize| all[chain * each..][..each].to_vec();
        let kept = match &self.store.kept {
            LatentDraws::Draws(all) => LatentDraws::Draws(all.of_chain(chain)),
            LatentDraws::Moments(of) => LatentDraws::Moments(vec![of[chain].clone()]),
            LatentDraws::Last(all) => LatentDraws::Last(of_chain(all, size)),
            LatentDraws::Nothing => LatentDraws::Nothing,
        };
        let of_chain = |best: &&Best| best.at[0] == chain;
        let best = self.store.best.as_ref().filter(of_chain).map(|best| Best {
            at: [0, best.at[1]],
            ..best.clone()
        });
        let store = LatentStore::new(self.store.latent.clone(), [1, self.store.draws], kept).with_best(best);
        Ok(Self::of(Arc::new(store)))
    }

    /// Standard deviations, with `n - 1` in the denominator; zero where there is one draw.
    ///
    /// # Errors
    /// [`QueryError::NotAligned`]; [`QueryError::NotKept`] where neither draws nor moments were kept.
    pub fn sd(&self) -> Result<T, Error> {
        self.store.in_one_order()?;
        let moments = self.moments(0..self.store.chains)?;
        let freedom = (moments.draws as f64 - 1.0).max(1.0);
        let sd: Vec<f64> = moments.squares.iter().map(|s| (s / freedom).sqrt()).collect();
        Ok(T::from_array(&self.store.latent.shape, &sd))
    }

    /// Quantiles at `p` in `[0, 1]`, interpolated linearly between draws.
    ///
    /// # Errors
    /// [`QueryError::NotAligned`]; [`QueryError::NotKept`] where draws were not kept; [`SettingError::Probability`].
    pub fn quantile(&self, p: f64) -> Result<T, Error> {
        self.store.in_one_order()?;
        if !(0.0..=1.0).contains(&p) {
            return Err(Error::Setting(SettingError::Probability { value: p }));
        }
        let quantiles = self.entries(|values| {
            values.sort_unstable_by(f64::total_cmp);
            let at = p * (values.len() - 1) as f64;
            let (low, high) = (values[at.floor() as usize], values[at.ceil() as usize]);
            low + (high - low) * at.fract()
        })?;
        Ok(T::from_array(&self.store.latent.shape, &quantiles))
    }

    /// What `of` makes of the draws of each entry, (chain, draw): a list in the order of the entries, row-major. Of draws in a store some
    /// entries are read at a time.
    ///
    /// # Errors
    /// [`QueryError::NotKept`] where draws were not kept; the store cannot be read.
    pub fn entries<R>(&self, of: impl FnMut(&mut [f64]) -> R) -> Result<Vec<R>, Error> {
        self.all()?.entries((0..self.size()).collect(), of)
    }

    /// The central interval that holds `mass` of the draws: its lower and its upper ends.
    ///
    /// # Errors
    /// Those of [`Draws::quantile`].
    pub fn interval(&self, mass: f64) -> Result<(T, T), Error> {
        if !(0.0..=1.0).contains(&mass) {
            return Err(Error::Setting(SettingError::Probability { value: mass }));
        }
        let tail = (1.0 - mass) / 2.0;
        Ok((self.quantile(tail)?, self.quantile(1.0 - tail)?))
    }

    fn size(&self) -> usize {
        self.store.latent.shape.iter().product()
    }

    /// The moments over some chains.
    fn moments(&self, chains: std::ops::Range<usize>) -> Result<Moments, Error> {
        let size = self.size();
        match &self.store.kept {
            LatentDraws::Draws(all) => {
                let mut moments = Moments::new(self.store.latent.name, size)?;
                all.each(chains, |draw| {
                    moments.add(draw);
                    true
                })?;
                Ok(moments)
            }
            LatentDraws::Moments(of) => {
                let mut moments = of[chains.start].clone();
                of[chains.start + 1..chains.end]
                    .iter()
                    .for_each(|other| moments.merge(other));
                Ok(moments)
            }
            LatentDraws::Last(_) | LatentDraws::Nothing => Err(self.missing("the moments", "Moments")),
        }
    }

    fn missing(&self, what: &str, kept: &str) -> Error {
        Error::Query(QueryError::NotKept {
            what: format!("{what} of `{}`", self.store.latent.name),
            instead: format!(
                "fit with `keep: Keep::default().latent(\"{}\", Kept::{kept})`",
                self.store.latent.name
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array1;

    use super::*;

    fn latent() -> Latent {
        Latent::gamma("theta", &["docs"], &[2])
    }

    const DRAWS: [f64; 12] = [1.0, 10.0, 2.0, 20.0, 3.0, 30.0, 4.0, 40.0, 5.0, 50.0, 9.0, 60.0];

    fn kept() -> LatentDraws {
        LatentDraws::Draws(AllDraws::in_memory(DRAWS.to_vec(), [2, 3]))
    }

    fn draws(kept: LatentDraws) -> Draws<Array1<f64>> {
        Draws::of(Arc::new(LatentStore::new(latent(), [2, 3], kept)))
    }

    #[test]
    fn summaries_are_over_all_draws_entry_by_entry() {
        let fit = draws(kept());
        assert_eq!(fit.mean().unwrap().to_vec(), [4.0, 35.0]);
        assert_eq!(fit.mean_of_chain(1).unwrap().to_vec(), [6.0, 50.0]);
        assert!(matches!(
            fit.mean_of_chain(2),
            Err(Error::Query(QueryError::NoSuchChain { .. }))
        ));
        // Deviations of 1, 2, 3, 4, 5, 9 from 4: 9 + 4 + 1 + 0 + 1 + 25 = 40, over 5.
        assert!((fit.sd().unwrap()[0] - 8f64.sqrt()).abs() < 1e-12);
        assert_eq!(fit.quantile(0.5).unwrap().to_vec(), [3.5, 35.0]);
        let (low, high) = fit.interval(1.0).unwrap();
        assert_eq!((low[0], high[0]), (1.0, 9.0));
        assert!(matches!(
            fit.quantile(1.5),
            Err(Error::Setting(SettingError::Probability { .. }))
        ));
        assert!(matches!(
            fit.interval(f64::NAN),
            Err(Error::Setting(SettingError::Probability { .. }))
        ));
        assert_eq!(fit.last(1).unwrap().to_vec(), [9.0, 60.0]);
        let second = fit.of_chain(1).unwrap();
        assert_eq!((second.num_chains(), second.num_draws()), (1, 3));
        assert_eq!(second.mean().unwrap(), fit.mean_of_chain(1).unwrap());
        assert_eq!(second.draw(0, 2).unwrap().to_vec(), [9.0, 60.0]);
        assert!(matches!(
            fit.of_chain(2),
            Err(Error::Query(QueryError::NoSuchChain { given: 2, chains: 2 }))
        ));
    }

    #[test]
    fn the_most_probable_draw_is_there_whatever_was_kept() {
        let of = |kept: LatentDraws, values: Option<Vec<f64>>| {
            let best = Some(Best { at: [1, 1], values });
            let store = LatentStore::new(latent(), [2, 3], kept).with_best(best);
            Draws::<Array1<f64>>::of(Arc::new(store))
        };
        let copy = Some(vec![5.0, 50.0]);
        let moments = || {
            LatentDraws::Moments(vec![
                Moments::new("theta", 2).unwrap(),
                Moments::new("theta", 2).unwrap(),
            ])
        };
        for fit in [of(kept(), None), of(moments(), copy)] {
            assert_eq!(fit.most_probable().unwrap().to_vec(), [5.0, 50.0]);
            assert_eq!(fit.of_chain(1).unwrap().most_probable().unwrap().to_vec(), [5.0, 50.0]);
            let error = fit.of_chain(0).unwrap().most_probable().unwrap_err().to_string();
            assert!(error.contains("the fit of all chains"), "{error}");
        }
        let error = draws(LatentDraws::Nothing).most_probable().unwrap_err().to_string();
        assert!(error.contains("Kept::Last"), "{error}");
        assert!(matches!(
            draws(moments()).most_probable(),
            Err(Error::Query(QueryError::NotKept { .. }))
        ));
    }

    /// Components of several chains are not averaged as they stand; those of one chain are.
    #[test]
    fn components_in_no_order_are_not_averaged_over_chains() {
        let of = |chains: usize, unordered: &[&'static str]| {
            let kept = LatentDraws::Draws(AllDraws::in_memory(vec![1.0; 12], [chains, 6 / chains]));
            let store = LatentStore {
                unordered: unordered.to_vec(),
                ..LatentStore::new(latent(), [chains, 6 / chains], kept)
            };
            Draws::<Array1<f64>>::of(Arc::new(store))
        };
        let fit = of(2, &["docs"]);
        let error = fit.mean().unwrap_err().to_string();
        assert!(
            error.contains("`theta`") && error.contains("aligned(\"docs\")"),
            "{error}"
        );
        assert!(fit.sd().is_err() && fit.quantile(0.5).is_err() && fit.interval(0.5).is_err());
        assert!(fit.mean_of_chain(1).is_ok() && fit.draw(0, 0).is_some());
        assert!(of(1, &["docs"]).mean().is_ok() && of(2, &[]).mean().is_ok());
    }

    #[test]
    fn what_was_not_kept_is_an_error_that_says_what_to_ask_for() {
        let last = draws(LatentDraws::Last(vec![1.0, 2.0, 3.0, 4.0]));
        assert_eq!(last.last(1).unwrap().to_vec(), [3.0, 4.0]);
        let error = last.mean().unwrap_err().to_string();
        assert!(error.contains("latent(\"theta\", Kept::Moments)"), "{error}");
        let nothing = draws(LatentDraws::Nothing);
        assert!(nothing.as_slice().is_err() && nothing.draw(0, 0).is_none() && nothing.last(0).is_none());
    }

    #[test]
    fn moments_give_the_same_as_draws() {
        let mut chains = vec![Moments::new("theta", 2).unwrap(), Moments::new("theta", 2).unwrap()];
        (DRAWS.chunks(2).enumerate()).for_each(|(draw, x)| chains[draw / 3].add(x));
        let (moments, draws) = (draws(LatentDraws::Moments(chains)), draws(kept()));
        assert!(
            (moments.mean().unwrap() - draws.mean().unwrap())
                .iter()
                .all(|x| x.abs() < 1e-12)
        );
        assert!(
            (moments.sd().unwrap() - draws.sd().unwrap())
                .iter()
                .all(|x| x.abs() < 1e-12)
        );
        assert_eq!(moments.mean_of_chain(1).unwrap().to_vec(), [6.0, 50.0]);
        assert_eq!(moments.of_chain(1).unwrap().mean().unwrap().to_vec(), [6.0, 50.0]);
    }
}
