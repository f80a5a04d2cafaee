//! The components of a Gibbs fit, brought into one order.

use std::sync::Arc;

use crate::counts::index_at;
use crate::diagnose::{Alignment, ComponentDraws, DiagnoseError, Summary, Switching};
use crate::error::{Error, QueryError};
use crate::model::Latent;

use super::draws::LatentStore;
use super::fit::FromArray;
use super::gibbs_run::LatentDraws;
use super::running::Moments;
use super::store::AllDraws;

/// Rows that a summary prints; the summary itself has all rows.
const SHOWN: usize = 12;

/// The latents that carry the components of a fit, with the components of every draw in the order of the most probable one.
///
/// The order of components has no meaning, and differs from chain to chain. Means over several chains, R-hat and intervals of
/// single components are taken from here; [`Aligned::switching`] says how often components had changed places.
///
/// If only the moments of a latent were kept, its components are put in order chain by chain, by their means, and switching within
/// a chain is not seen.
#[derive(Clone, Debug)]
pub struct Aligned {
    components: String,
    alignment: Alignment,
    latents: Vec<Carrier>,
    by_chain: bool,
}

/// A latent with the components.
#[derive(Clone, Debug)]
struct Carrier {
    /// As it is once its components are in one order, which those along other index sets of it need not be.
    store: LatentStore,
    /// Its draws, or the means of each chain.
    draws: Vec<f64>,
}

impl Aligned {
    /// Aligns the latents among `latents` that carry the index set `components`, each value of which changes places within its class only;
    /// `most_probable` is a chain and a draw.
    pub(super) fn new<'a>(
        latents: impl Iterator<Item = &'a LatentStore>,
        (components, classes): (&str, &[Vec<usize>]),
        [chains, draws]: [usize; 2],
        most_probable: (usize, usize),
    ) -> Result<Self, Error> {
        let carrying = latents.filter(|store| store.latent.indices.contains(&components));
        let carrying: Vec<&LatentStore> = carrying.collect();
        let by_chain = !carrying.iter().all(|store| matches!(store.kept, LatentDraws::Draws(_)));
        let carriers = carrying.into_iter().map(|store| {
            let draws = values(store, by_chain)?;
            let mut store = LatentStore {
                kept: LatentDraws::Nothing,
                ..store.clone()
            };
            store.unordered.retain(|set| *set != components);
            Ok(Carrier { store, draws })
        });
        let mut carriers: Vec<Carrier> = carriers.collect::<Result<_, Error>>()?;
        let axes: Vec<Vec<usize>> = carriers
            .iter()
            .map(|of| axes_of(&of.store.latent, components))
            .collect();
        let factors = carriers.iter().zip(&axes).map(|(of, axes)| ComponentDraws {
            draws: &of.draws,
            shape: &of.store.latent.shape,
            axes,
        });
        let factors: Vec<ComponentDraws<'_>> = factors.collect();
        let alignment = if classes.len() > 1 && classes.iter().all(|class| class.len() == 1) {
            Alignment::unchanged([chains, if by_chain { 1 } else { draws }], classes.len())
        } else {
            // What has other components besides, in no order, compares different ones.
            let (compared, others): (Vec<_>, Vec<_>) = factors
                .iter()
                .zip(&carriers)
                .partition(|(_, of)| of.store.unordered.is_empty());
            let compared: Vec<ComponentDraws<'_>> = compared.into_iter().map(|(factor, _)| *factor).collect();
            let (chain, draw) = most_probable;
            let reference = if by_chain {
                [chain, 0]
            } else {
                [chain, draw.min(draws.saturating_sub(1))]
            };
            match (
                Alignment::to_draw(chains, &compared, reference, classes),
                others.first(),
            ) {
                (Err(DiagnoseError::Indistinct), Some((_, other))) => {
                    let sets = &other.store.unordered;
                    return Err(Error::Query(QueryError::NotAlignable {
                        given: components.to_owned(),
                        why: format!(
                            "`{}` tells its values apart only once `{}` is in one order: align that first",
                            other.store.latent.name, sets[0],
                        ),
                    }));
                }
                (alignment, _) => alignment?,
            }
        };
        let aligned = factors.iter().map(|factor| alignment.aligned(factor));
        let aligned: Vec<Vec<f64>> = aligned.collect();
        for (of, aligned) in carriers.iter_mut().zip(aligned) {
            of.draws = aligned;
        }
        Ok(Self {
            components: components.to_owned(),
            alignment,
            latents: carriers,
            by_chain,
        })
    }

    /// The index set of the components.
    pub fn components(&self) -> &str {
        &self.components
    }

    /// The order of the components in each draw, or in each chain where draws were not kept.
    pub fn alignment(&self) -> &Alignment {
        &self.alignment
    }

    /// How often components have changed places, between chains and within them.
    pub fn switching(&self) -> Switching {
        self.alignment.switching()
    }

    /// The draws of a latent, (chain, draw, ..), row-major; the means of each chain, (chain, ..), where draws were not kept.
    ///
    /// # Errors
    /// [`QueryError::UnknownLatent`], also for a latent that has none of the components.
    pub fn draws(&self, latent: &str) -> Result<&[f64], Error> {
        Ok(&self.of(latent)?.draws)
    }

    /// The mean of a latent over all chains and draws.
    ///
    /// # Errors
    /// Those of [`Aligned::draws`]; [`QueryError::NotAligned`] where the latent has components along another index set too.
    pub fn mean<T: FromArray>(&self, latent: &str) -> Result<T, Error> {
        let Carrier { store, draws } = self.of(latent)?;
        store.in_one_order()?;
        let latent = &store.latent;
        let size: usize = latent.shape.iter().product();
        let mut mean = vec![0.0; size];
        let number = (draws.len() / size.max(1)).max(1) as f64;
        for draw in draws.chunks_exact(size.max(1)) {
            mean.iter_mut().zip(draw).for_each(|(mean, x)| *mean += x / number);
        }
        Ok(T::from_array(&latent.shape, &mean))
    }

    /// Convergence of the components: a row for each entry of each latent that carries them and has no components in another order besides.
    ///
    /// # Errors
    /// [`QueryError::NotKept`] where draws were not kept.
    pub fn summary(&self) -> Result<Summary, Error> {
        if self.by_chain {
            let names: Vec<&str> = self.latents.iter().map(|of| of.store.latent.name).collect();
            return Err(Error::Query(QueryError::NotKept {
                what: format!("every draw of {}", names.join(", ")),
                instead: "fit with `keep: Keep::default().latent(name, Kept::Draws)` for each of them".to_owned(),
            }));
        }
        let mut summary = Summary::new(self.alignment.num_chains(), self.alignment.num_draws())?;
        for Carrier { store, draws } in self.latents.iter().filter(|of| of.store.unordered.is_empty()) {
            let latent = &store.latent;
            let size: usize = latent.shape.iter().product();
            let names = (0..size).map(|entry| {
                let index: Vec<String> = index_at(&latent.shape, entry).iter().map(ToString::to_string).collect();
                format!("{}[{}]", latent.name, index.join(", "))
            });
            summary.fill(names, |entry, into| {
                (into.iter_mut().enumerate()).for_each(|(draw, value)| *value = draws[draw * size + entry]);
            })?;
        }
        Ok(summary.show_at_most(SHOWN))
    }

    /// What was kept of a latent, with its components in the common order; unchanged if it has none of them.
    pub(super) fn reordered(&self, store: &Arc<LatentStore>) -> Result<Arc<LatentStore>, Error> {
        let latent = &store.latent;
        let axes = axes_of(latent, &self.components);
        if axes.is_empty() {
            return Ok(Arc::clone(store));
        }
        let array = |draws: &[f64]| {
            let factor = ComponentDraws {
                draws,
                shape: &latent.shape,
                axes: &axes,
            };
            self.alignment.aligned(&factor)
        };
        let in_memory = |all| LatentDraws::Draws(AllDraws::in_memory(all, [store.chains, store.draws]));
        let kept = match &store.kept {
            LatentDraws::Draws(all) if !self.by_chain => in_memory(array(&all.to_vec()?)),
            LatentDraws::Draws(all) => {
                // Every draw of a chain in the order of the chain: draw by draw, one of each chain at a time.
                let size: usize = latent.shape.iter().product();
                let all = all.to_vec()?;
                let mut ordered = all.to_vec();
                for draw in 0..store.draws {
                    let at = |chain: usize| (chain * store.draws + draw) * size;
                    let one: Vec<f64> = (0..store.chains)
                        .flat_map(|chain| all[at(chain)..][..size].to_vec())
                        .collect();
                    for (chain, aligned) in array(&one).chunks_exact(size.max(1)).enumerate() {
                        ordered[at(chain)..][..size].copy_from_slice(aligned);
                    }
                }
                in_memory(ordered)
            }
            LatentDraws::Moments(of) => {
                let all = |part: fn(&Moments) -> &Vec<f64>| of.iter().flat_map(|m| part(m).clone()).collect::<Vec<_>>();
                let (mean, squares) = (array(&all(|m| &m.mean)), array(&all(|m| &m.squares)));
                let size = mean.len() / of.len().max(1);
                let moments = of.iter().enumerate().map(|(chain, moments)| Moments {
                    draws: moments.draws,
                    mean: mean[chain * size..][..size].to_vec(),
                    squares: squares[chain * size..][..size].to_vec(),
                });
                LatentDraws::Moments(moments.collect())
            }
            kept => kept.clone(),
        };
        let unordered = store.unordered.iter().copied();
        Ok(Arc::new(LatentStore {
            unordered: unordered.filter(|set| *set != self.components).collect(),
            // Its chain, or the draw itself, is the one in whose order all others are put.
            best: store.best.clone(),
            orders: Arc::clone(&store.orders),
            ..LatentStore::new(latent.clone(), [store.chains, store.draws], kept)
        }))
    }

    fn of(&self, name: &str) -> Result<&Carrier, Error> {
        let names = self.latents.iter().map(|of| of.store.latent.name);
        Ok(&self.latents[QueryError::latent_at(name, names)?])
    }
}

/// The axes of a latent along the index set `components`.
fn axes_of(latent: &Latent, components: &str) -> Vec<usize> {
    let axes = latent.indices.iter().enumerate();
    axes.filter(|(_, index)| **index == components)
        .map(|(axis, _)| axis)
        .collect()
}

/// The draws of a latent, or the means of each chain.
fn values(store: &LatentStore, by_chain: bool) -> Result<Vec<f64>, Error> {
    match &store.kept {
        LatentDraws::Draws(all) if !by_chain => Ok(all.to_vec()?.into_owned()),
        LatentDraws::Draws(all) => {
            let size: usize = store.latent.shape.iter().product();
            let mut means = vec![0.0; store.chains * size];
            for (chain, mean) in means.chunks_exact_mut(size.max(1)).enumerate() {
                all.each(chain..chain + 1, |draw| {
                    mean.iter_mut().zip(draw).for_each(|(sum, x)| *sum += x);
                    true
                })?;
                mean.iter_mut().for_each(|sum| *sum /= store.draws as f64);
            }
            Ok(means)
        }
        LatentDraws::Moments(of) => Ok(of.iter().flat_map(|moments| moments.mean.iter().copied()).collect()),
        LatentDraws::Last(_) | LatentDraws::Nothing => Err(Error::Query(QueryError::NotKept {
            what: format!("the draws of `{}`", store.latent.name),
            instead: format!(
                "fit with `keep: Keep::default().latent(\"{}\", Kept::Draws)`",
                store.latent.name
            ),
        })),
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, arr2};

    use super::*;

    /// Two chains of four draws; in the second one the two components have changed places, and in one draw of the first.
    fn stores(moments: bool) -> Vec<LatentStore> {
        let theta = [[9.0, 1.0, 8.0, 2.0, 9.5, 1.5], [1.0, 9.0, 2.0, 8.0, 1.5, 9.5]];
        let weight = [[5.0, 6.0], [6.0, 5.0]];
        let switched = |chain: usize, draw: usize| usize::from(chain == 1 || draw == 2 && !moments);
        let all = |of: [&[f64]; 2]| -> Vec<f64> {
            let places = (0..2).flat_map(|chain| (0..4).map(move |draw| switched(chain, draw)));
            places.flat_map(|at| of[at].to_vec()).collect()
        };
        let kept = |draws: Vec<f64>, size: usize| {
            if !moments {
                return LatentDraws::Draws(AllDraws::in_memory(draws, [2, 4]));
            }
            let of_chain = |chain: &[f64]| {
                let mut moments = Moments::new("", size).unwrap();
                chain.chunks_exact(size).for_each(|draw| moments.add(draw));
                moments
            };
            LatentDraws::Moments(draws.chunks_exact(4 * size).map(of_chain).collect())
        };
        let store = |latent, draws, size| LatentStore::new(latent, [2, 4], kept(draws, size));
        vec![
            store(
                Latent::gamma("theta", &["docs", "parts"], &[3, 2]),
                all([&theta[0], &theta[1]]),
                6,
            ),
            store(
                Latent::gamma("weight", &["parts"], &[2]),
                all([&weight[0], &weight[1]]),
                2,
            ),
            store(Latent::gamma("level", &["docs"], &[3]), vec![1.0; 24], 3),
        ]
    }

    fn aligned(moments: bool) -> Aligned {
        let stores = stores(moments);
        Aligned::new(stores.iter(), ("parts", &[vec![0, 1]]), [2, 4], (0, 1)).unwrap()
    }

    #[test]
    fn components_of_all_chains_stand_in_one_order() {
        let aligned = aligned(false);
        let theta: Array2<f64> = aligned.mean("theta").unwrap();
        assert_eq!(theta, arr2(&[[9.0, 1.0], [8.0, 2.0], [9.5, 1.5]]));
        // A latent that cannot tell components apart follows the others.
        let draws = aligned.draws("weight").unwrap();
        assert!(draws.chunks_exact(2).all(|draw| draw == [5.0, 6.0]), "{draws:?}");
        let switching = aligned.switching();
        assert_eq!((switching.between_chains(), switching.within_chains()), (1, 1));
        assert_eq!(aligned.summary().unwrap().rows().len(), 8);
    }

    #[test]
    fn what_was_kept_is_put_in_order() {
        for moments in [false, true] {
            let aligned = aligned(moments);
            for store in stores(moments) {
                let store = Arc::new(store);
                let ordered = aligned.reordered(&store).unwrap();
                let means = values(&ordered, true).unwrap();
                let (first, second) = means.split_at(means.len() / 2);
                let close = first.iter().zip(second).all(|(a, b)| (a - b).abs() < 1e-12);
                assert!(close, "{}: {means:?}", store.latent.name);
            }
        }
    }

    #[test]
    fn chains_are_put_in_order_by_their_means_where_draws_were_not_kept() {
        let aligned = aligned(true);
        assert!(aligned.by_chain);
        let theta: Array2<f64> = aligned.mean("theta").unwrap();
        assert!(
            (theta[(0, 0)] - 9.0).abs() < 1e-12 && (theta[(2, 1)] - 1.5).abs() < 1e-12,
            "{theta}"
        );
        assert!(matches!(
            aligned.summary(),
            Err(Error::Query(QueryError::NotKept { .. }))
        ));
    }

    #[test]
    fn what_has_no_components_is_refused_by_name() {
        let error = aligned(false).mean::<f64>("level").unwrap_err();
        assert!(
            matches!(error, Error::Query(QueryError::UnknownLatent { .. })),
            "{error}"
        );
    }

    /// Components that known values tell apart stay where they are, also where draws would come closer in another order.
    #[test]
    fn components_change_places_within_their_class_only() {
        let stores = stores(false);
        let aligned = Aligned::new(stores.iter(), ("parts", &[vec![0], vec![1]]), [2, 4], (0, 1)).unwrap();
        assert_eq!(aligned.draws("theta").unwrap(), values(&stores[0], false).unwrap());
        let said = aligned.switching().to_string();
        assert!(said.contains("known values tell the 2 components apart"), "{said}");
    }

    /// A latent with components of another kind in no order compares components with the wrong ones, and is not averaged.
    #[test]
    fn what_has_other_components_too_waits_for_them() {
        let mut stores = stores(false);
        stores[0].unordered = vec!["docs", "parts"];
        let of = |stores: &[LatentStore]| Aligned::new(stores.iter(), ("parts", &[vec![0, 1]]), [2, 4], (0, 1));
        let error = of(&stores).unwrap_err().to_string();
        assert!(
            error.contains("align that first") && error.contains("`docs`"),
            "{error}"
        );
        stores[2] = LatentStore::new(Latent::gamma("level", &["parts", "words"], &[2, 3]), [2, 4], {
            let level = [1.0, 2.0, 9.0, 5.0, 1.0, 1.0];
            LatentDraws::Draws(AllDraws::in_memory((0..8).flat_map(|_| level).collect(), [2, 4]))
        });
        let aligned = of(&stores).unwrap();
        assert!(matches!(
            aligned.mean::<Array2<f64>>("theta"),
            Err(Error::Query(QueryError::NotAligned { .. }))
        ));
        assert!(aligned.mean::<Array2<f64>>("level").is_ok());
    }
}
