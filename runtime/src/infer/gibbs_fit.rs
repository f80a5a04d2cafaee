//! A Gibbs fit without the names of its latents: what every model's fit has in common.

use std::sync::Arc;

use crate::counts::index_at;
use crate::diagnose::run::{Ended, Tuned};
use crate::diagnose::{DiagnoseError, Doubt, Summary, Switching};
use crate::error::{Error, QueryError};
use crate::model::{Index, Labels, Model, Order, Orders};

use super::aligned::Aligned;
use super::doubts::of_gibbs;
use super::drawn_rates::DrawnRates;
use super::draws::{Best, Draws, LatentStore};
use super::fit::FromArray;
use super::gibbs_run::{GibbsRun, LatentDraws, Monitored};
use super::held_out::HeldOut;
use super::monitored::judged;
use super::rates::{RateBlock, Rates};
use super::saved::{About, cell_labels};
use super::settings::Gibbs;
use super::store::AllDraws;

/// Rows that a summary prints; the summary itself has all rows.
pub(super) const SHOWN: usize = 12;

/// The quantities by which convergence is judged.
pub(super) struct Quantities<'a> {
    /// Chains and draws.
    pub kept: [usize; 2],
    pub ln_joint: &'a [f64],
    pub counts: Vec<OfCount<'a>>,
    /// Latents that mean the same in every chain, those with the fewest entries first.
    pub latents: Vec<OfLatent<'a>>,
}

/// What is judged of one latent.
pub(super) struct OfLatent<'a> {
    pub name: &'a str,
    pub shape: &'a [usize],
    /// Row-major positions of the entries.
    pub entries: Vec<usize>,
    /// The draws of each of them.
    pub draws: ReadColumn<'a>,
}

/// Copies the draws of an entry, given by its place in a list, (chain, draw), row-major. What cannot be read is left as it is.
pub(super) type ReadColumn<'a> = Box<dyn FnMut(usize, &mut [f64]) + 'a>;

fn columns<'a>(draws: &'a AllDraws, entries: Vec<usize>) -> ReadColumn<'a> {
    let mut columns = draws.columns(entries);
    Box::new(move |at, into| {
        // Left as it was: a summary says of it that it is no number.
        let _ = columns.read(at, into);
    })
}

/// What is judged of one count.
pub(super) struct OfCount<'a> {
    pub name: &'a str,
    /// Its mean rates, (chain, draw).
    pub means: &'a [f64],
    /// Indices of its monitored cells.
    pub cells: Vec<String>,
    /// Their rates.
    pub rates: ReadColumn<'a>,
}

impl Quantities<'_> {
    /// A row for each.
    pub fn summary(self) -> Result<Summary, DiagnoseError> {
        let [chains, draws] = self.kept;
        let mut summary = Summary::new(chains, draws)?;
        summary.push("ln_joint", self.ln_joint)?;
        for count in &self.counts {
            summary.push(format!("mean of {}", count.name), count.means)?;
        }
        for latent in self.latents {
            let names = latent.entries.iter().map(|&entry| {
                let index: Vec<String> = index_at(latent.shape, entry).iter().map(ToString::to_string).collect();
                match index.is_empty() {
                    true => latent.name.to_owned(),
                    false => format!("{}[{}]", latent.name, index.join(", ")),
                }
            });
            summary.fill(names, latent.draws)?;
        }
        for OfCount { name, cells, rates, .. } in self.counts {
            summary.fill(cells.iter().map(|cell| format!("{name}[{cell}]")), rates)?;
        }
        Ok(summary)
    }
}

/// What a Gibbs fit of any model offers. The fit that `model!` declares adds a field for each latent and `rate()`, and
/// gives all of this through `Deref`.
#[derive(Clone, Debug)]
pub struct GibbsFit {
    pub(super) kept: [usize; 2],
    pub(super) latents: Vec<Arc<LatentStore>>,
    pub(super) rates: Vec<Rates>,
    pub(super) monitored: Vec<Monitored>,
    pub(super) mean_rates: Vec<Vec<f64>>,
    pub(super) ln_joint: Vec<f64>,
    pub(super) held_out: Vec<HeldOut>,
    pub(super) sweeps: usize,
    pub(super) tuned: Vec<Tuned>,
    pub(super) left_out: usize,
    pub(super) switching: Vec<(String, Switching)>,
    pub(super) seconds: f64,
    pub(super) ended: Ended,
    pub(super) collapse: Option<Doubt>,
    pub(super) labels: Labels,
    pub(super) settings: Gibbs,
    pub(super) about: About,
}

impl GibbsFit {
    /// What `run`, a run of `model`, left behind.
    pub fn new(model: &dyn Model, run: GibbsRun) -> Self {
        // A difference has no noise that could explain it; with a known total, neither can it.
        let collapse = model.views().iter().zip(&run.mean_rates).find_map(|(view, means)| {
            if view.is_difference() || !view.has_level() {
                return None;
            }
            let mean = means.iter().sum::<f64>() / means.len().max(1) as f64;
            Doubt::of_collapse(view.name(), mean, view.mean_observation(), view.standard_error())
        });
        let kept = run.kept;
        let orders = Arc::new(Orders::of(model.bound()));
        let (chain, draw) = most_probable(&run.ln_joint, kept);
        // A chain that has more draws than others may have found a more probable one that is not kept, and have copied that.
        let copied = run.best.into_iter().nth(chain).filter(|best| best.draw == Some(draw));
        let mut copies = copied.map(|best| best.latents);
        let stored = |(at, (latent, draws)): (usize, (_, LatentDraws))| {
            let values = match draws {
                LatentDraws::Draws(_) => Some(None),
                LatentDraws::Nothing => None,
                LatentDraws::Moments(_) | LatentDraws::Last(_) => {
                    copies.as_mut().map(|copies| Some(std::mem::take(&mut copies[at])))
                }
            };
            let best = values.map(|values| Best {
                at: [chain, draw],
                values,
            });
            let store = LatentStore::new(latent, kept, draws).with_orders(at, &orders);
            Arc::new(store.with_best(best))
        };
        let latents: Vec<Arc<LatentStore>> = run.latents.into_iter().enumerate().map(stored).collect();
        let with_drawn = |(count, rates): (usize, Rates)| {
            let (function, used) = (model.bound().rate_function(count), model.bound().latents_in(count));
            rates.with_drawn(DrawnRates::new(function, used, &latents))
        };
        let fit = Self {
            kept,
            rates: run.rates.into_iter().enumerate().map(with_drawn).collect(),
            latents,
            monitored: run.monitored,
            mean_rates: run.mean_rates,
            ln_joint: run.ln_joint,
            held_out: run.held_out,
            sweeps: run.sweeps,
            tuned: run.tuned,
            left_out: run.left_out,
            switching: Vec::new(),
            seconds: run.seconds,
            ended: run.ended,
            collapse,
            about: About::of(model, run.settings.form.into()),
            settings: run.settings,
            labels: model.bound().labels().clone(),
        };
        let doubts = || fit.doubts().iter().map(|doubt| format!("warning: {doubt}\n")).collect();
        fit.settings.progress.warn(doubts);
        fit
    }

    /// All reasons not to believe the fit, the graver first. Each prints as a sentence that says what to do. Where progress is
    /// shown, they are printed at the end of the run.
    pub fn doubts(&self) -> Vec<Doubt> {
        of_gibbs(self)
    }

    /// Number of chains.
    pub fn num_chains(&self) -> usize {
        self.kept[0]
    }

    /// Kept draws of each chain: if the run was ended early, as many as every chain that was drawing has.
    pub fn num_draws(&self) -> usize {
        self.kept[1]
    }

    /// Sweeps run, tuning included, over all chains.
    pub fn sweeps(&self) -> usize {
        self.sweeps
    }

    /// How each chain was tuned: for how long, and whether its log joint density still moved at the end.
    pub fn tuned(&self) -> &[Tuned] {
        &self.tuned
    }

    /// Seconds that the run took.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Why the run ended.
    pub fn ended(&self) -> Ended {
        self.ended
    }

    /// The log joint density of the data and the latents at every draw, (chain, draw). The sample of highest joint
    /// probability is the draw at which it is largest.
    pub fn ln_joint(&self) -> &[f64] {
        &self.ln_joint
    }

    /// Chain and draw at which the log joint density is largest: the "sample of highest joint probability" of ICML19. Its
    /// factors are `fit.theta.most_probable()?`, whether draws were kept or not.
    pub fn most_probable(&self) -> (usize, usize) {
        most_probable(&self.ln_joint, self.kept)
    }

    /// The rates of some cells of each count at every draw, by which convergence is judged: 400 of the model, spread over all
    /// its indices, or all where there are fewer.
    pub fn monitored(&self) -> &[Monitored] {
        &self.monitored
    }

    /// Convergence: a row for the log joint density, one for the mean rate of each count, rows of latents, and one for each monitored rate.
    /// None of them depends on the order of components, so chains in which components have other places can be compared. Latents without
    /// such components (shapes, levels, rates of rates) have at most 100 rows each, spread over their entries, if their draws were kept; those with the fewest
    /// entries come first. The summary of [`GibbsFit::aligned`] has rows of the components as well.
    /// What it prints has the columns of ArviZ; [`Summary::verdict`] says in sentences whether the fit can be believed. Rows of draws that are
    /// in a store which can no longer be read (`draws_in`) are no numbers.
    ///
    /// ```text
    /// let summary = fit.summary();
    /// println!("{summary}{}", summary.verdict());
    /// ```
    pub fn summary(&self) -> Summary {
        let counts = self.rates.iter().zip(&self.monitored).zip(&self.mean_rates);
        let quantities = Quantities {
            kept: self.kept,
            ln_joint: &self.ln_joint,
            latents: self.judged().collect(),
            counts: counts
                .map(|((of, monitored), means)| OfCount {
                    name: of.count(),
                    means,
                    cells: cell_labels(of.shape(), &monitored.cells),
                    rates: columns(&monitored.rates, (0..monitored.cells.len()).collect()),
                })
                .collect(),
        };
        match quantities.summary() {
            Ok(summary) => summary.show_at_most(SHOWN),
            Err(error) => unreachable!("every quantity has a value for each draw, and there is one: {error}"),
        }
    }

    /// The latents that mean the same in every chain, with the entries that are judged: those of which draws were kept, without components that
    /// may have another order in another chain. Small ones come first: shapes, levels and what else all the others hang on. Those
    /// that are frozen do not vary and are left out.
    pub(super) fn judged(&self) -> impl Iterator<Item = OfLatent<'_>> {
        let stores = self.latents.iter();
        let latents = stores.filter_map(|store| match &store.kept {
            LatentDraws::Draws(draws) if store.unordered.is_empty() && varies(draws) => {
                let entries = judged(&store.latent.shape);
                Some(OfLatent {
                    name: store.latent.name,
                    shape: &store.latent.shape,
                    draws: columns(draws, entries.clone()),
                    entries,
                })
            }
            _ => None,
        });
        let mut latents: Vec<OfLatent<'_>> = latents.collect();
        latents.sort_by_key(|latent| latent.shape.iter().product::<usize>());
        latents.into_iter()
    }

    /// The components of all chains and draws, which the index set `components` numbers, in the order of the most probable draw. Tables
    /// and pictures of the components of several chains are made from these.
    ///
    /// Only components that can be exchanged change places: those that a known array or a frozen latent tells apart are left where they are, and
    /// [`Switching`] says so.
    ///
    /// # Errors
    /// [`QueryError::UnknownComponents`]; [`QueryError::NotAlignable`] for an index set that numbers no components, or components that no one
    /// order is enough for; [`QueryError::NotKept`] where neither draws nor moments were kept of a latent that has them;
    /// [`Error::Diagnose`] where no latent tells them apart.
    pub fn align(&self, components: &str) -> Result<Aligned, Error> {
        let latents = self.latents.iter().map(|store| &**store);
        let order = latents.clone().find_map(|store| store.orders.get(components));
        let given = || components.to_owned();
        let classes = match order {
            Some(Order::Within(classes)) => classes,
            Some(Order::Refused(why)) => {
                let (given, why) = (given(), why.clone());
                return Err(Error::Query(QueryError::NotAlignable { given, why }));
            }
            None => {
                let mut known: Vec<&str> = latents.flat_map(|store| store.latent.indices.clone()).collect();
                known.sort_unstable();
                known.dedup();
                return Err(Error::Query(QueryError::UnknownComponents {
                    given: given(),
                    known: known.join(", "),
                }));
            }
        };
        Aligned::new(latents, (components, classes), self.kept, self.most_probable())
    }

    /// The same fit with its components in one order; see [`GibbsFit::align`]. A fit that `model!` declares has a method of this
    /// name that returns a fit of its own type.
    ///
    /// # Errors
    /// Those of [`GibbsFit::align`].
    pub fn aligned(&self, components: &str) -> Result<Self, Error> {
        let aligned = self.align(components)?;
        let latents = self.latents.iter().map(|store| aligned.reordered(store));
        let latents = latents.collect::<Result<Vec<_>, _>>()?;
        let rates = self.rates.iter().cloned();
        let others = self.switching.iter().filter(|(set, _)| set != components);
        let switching = others.cloned().chain([(components.to_owned(), aligned.switching())]);
        Ok(Self {
            rates: rates.map(|rates| rates.with_latents(&latents)).collect(),
            latents,
            switching: switching.collect(),
            ..self.clone()
        })
    }

    /// How often components had changed places, between chains and within them, before [`GibbsFit::aligned`] put them in one order;
    /// `None` where it did not. Its `Display` is a sentence.
    pub fn switching(&self, components: &str) -> Option<&Switching> {
        let found = self.switching.iter().find(|(set, _)| set == components);
        found.map(|(_, switching)| switching)
    }

    /// The mean log predictive probability of what was observed at the held-out cells of a count, through the channel by
    /// which it was observed: `ln` of the mean over the draws of `P(observation | rate)`, averaged over the cells. `None`
    /// where no cell is held out, where what was observed there is not known, or where the fit took releases for counts.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`].
    pub fn held_out_score(&self, count: &str) -> Result<Option<f64>, Error> {
        Ok(self.held_out[self.position(count)?].score())
    }

    /// The Monte Carlo error of [`GibbsFit::held_out_score`]: the standard error of the mean of the scores of the chains. `None` for a
    /// single chain, and where there is no score.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`].
    pub fn held_out_error(&self, count: &str) -> Result<Option<f64>, Error> {
        Ok(self.held_out[self.position(count)?].error())
    }

    /// The mean rate of each count over all its cells at every draw, (chain, draw), with the count's name.
    pub fn mean_rates(&self) -> impl Iterator<Item = (&'static str, &[f64])> {
        (self.rates.iter().zip(&self.mean_rates)).map(|(of, means)| (of.count(), &means[..]))
    }

    /// What was kept of every latent, in the order of declaration.
    pub(super) fn stores(&self) -> &[Arc<LatentStore>] {
        &self.latents
    }

    /// What was kept of the mean rates of a count, over all chains; [`Rates::of_chain`] has those of each.
    ///
    /// # Errors
    /// [`QueryError::UnknownCount`].
    pub fn rates(&self, count: &str) -> Result<&Rates, Error> {
        Ok(&self.rates[self.position(count)?])
    }

    /// The mean rates at some cells of the first count, each given by its index along every axis, kept or computed from draws that were
    /// kept; see [`Rates::at`]. They are means over all
    /// chains, also of chains that disagree: [`Self::doubts`] says whether they do.
    ///
    /// # Errors
    /// Those of [`Rates::at`].
    pub fn rate_at(&self, cells: &[impl AsRef<[usize]>]) -> Result<Vec<f64>, Error> {
        self.rates[0].at(cells)
    }

    /// The mean rates of the first count that were kept, block by block; see [`Rates::blocks`].
    pub fn rate_blocks(&self) -> Box<dyn Iterator<Item = RateBlock> + '_> {
        self.rates[0].blocks()
    }

    /// The labels of an index set, if it was given any; `None` for an index set of another model.
    pub fn labels(&self, index: Index) -> Option<&[String]> {
        self.labels.get(index)
    }

    /// What was kept of a latent, by its position in the declaration.
    #[doc(hidden)]
    pub fn draws<T: FromArray>(&self, latent: usize) -> Draws<T> {
        Draws::of(self.latents[latent].clone())
    }

    /// The mean rate of every cell of a count, by its position in the declaration.
    #[doc(hidden)]
    pub fn rate_array<T: FromArray>(&self, count: usize) -> Result<T, Error> {
        rate_array(&self.rates[count])
    }

    fn position(&self, count: &str) -> Result<usize, Error> {
        position(&self.rates, count)
    }
}

/// Whether any of the draws is another than the first, or they cannot be read.
fn varies(draws: &AllDraws) -> bool {
    let (mut first, mut varies) = (None, false);
    let read = draws.each(0..draws.chains, |draw| {
        varies = first.get_or_insert_with(|| draw.to_vec()) != draw;
        !varies
    });
    varies || read.is_err()
}

/// Chain and draw of the largest of some densities; the last one of equal densities.
fn most_probable(ln_joint: &[f64], [_, draws]: [usize; 2]) -> (usize, usize) {
    let all = ln_joint.iter().enumerate();
    let at = all.max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(at, _)| at);
    (at / draws.max(1), at % draws.max(1))
}

pub(super) fn rate_array<T: FromArray>(rates: &Rates) -> Result<T, Error> {
    Ok(match rates.all() {
        Some(all) => T::from_array(rates.shape(), all),
        None => T::from_array(rates.shape(), &rates.to_vec()?),
    })
}

pub(super) fn position(rates: &[Rates], count: &str) -> Result<usize, Error> {
    Ok(QueryError::count_at(count, rates.iter().map(Rates::count))?)
}
