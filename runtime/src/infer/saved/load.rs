//! A fit that was saved.

use std::ops::Range;
use std::path::Path;

use serde_json::Value;

use super::contents::KIND;
use crate::counts::Array;
use crate::diagnose::Summary;
use crate::error::{Error, QueryError};
use crate::file::{Archive, ArrayValues, Entry, SavedError};
use crate::infer::gibbs_fit::{OfCount, OfLatent, Quantities, ReadColumn, SHOWN};
use crate::memory::{filled, with_room};
use crate::model::Derivation;

/// A fit that was saved by either engine, read without its model and its data.
///
/// ```no_run
/// use skellam::infer::Saved;
///
/// let fit = Saved::load("fit.npz")?;
/// println!("{} by {}, seed {}", fit.model(), fit.engine(), fit.seed());
/// println!("{}", fit.summary()?);
/// let topics = fit.mean_of_chain("phi", 0)?;
/// # Ok::<(), skellam::Error>(())
/// ```
#[derive(Debug)]
pub struct Saved {
    archive: Archive,
}

impl Saved {
    /// Reads a file that [`GibbsFit::save`](crate::infer::GibbsFit::save) or [`CaviFit::save`](crate::infer::CaviFit::save)
    /// wrote.
    ///
    /// # Errors
    /// It cannot be read, was cut or damaged, or is something else.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let archive = Archive::read(path.as_ref(), KIND)?;
        Ok(Self { archive })
    }

    pub(super) fn in_memory(archive: Archive) -> Self {
        Self { archive }
    }

    /// Name of the model.
    pub fn model(&self) -> &str {
        self.text("model")
    }

    /// `Gibbs` or `CAVI`.
    pub fn engine(&self) -> &str {
        self.text("engine")
    }

    /// Version of the library that wrote the file.
    pub fn version(&self) -> &str {
        self.text("skellam")
    }

    /// Why the fit ended, as [`Ended`](crate::infer::Ended) prints it.
    pub fn ended(&self) -> &str {
        self.text("ended")
    }

    /// What spoke against the fit when it was saved, a sentence each: [`GibbsFit::doubts`](crate::infer::GibbsFit::doubts) or
    /// [`CaviFit::doubts`](crate::infer::CaviFit::doubts), the gravest first.
    pub fn warnings(&self) -> Vec<&str> {
        let lines = self.text("warning").lines();
        lines
            .map(|line| line.strip_prefix("warning: ").unwrap_or(line))
            .collect()
    }

    /// How often components had changed places before [`GibbsFit::aligned`](crate::infer::GibbsFit::aligned) put them in one order,
    /// as a sentence; `None` where it did not.
    pub fn switching(&self, components: &str) -> Option<&str> {
        self.archive.meta["switching"].get(components)?.as_str()
    }

    /// The seed of the fit.
    pub fn seed(&self) -> u64 {
        self.archive.meta["settings"]["seed"].as_u64().unwrap_or(0)
    }

    /// A setting or a hyperparameter as it is written in the file.
    pub fn setting(&self, name: &str) -> Option<String> {
        let places = ["settings", "hyperparameters"];
        let found = places.iter().find_map(|place| self.archive.meta[*place].get(name))?;
        Some(found.as_str().map_or_else(|| found.to_string(), str::to_owned))
    }

    /// All settings and hyperparameters, each with its name, as they are written in the file.
    pub fn settings(&self) -> Vec<(String, String)> {
        let meta = &self.archive.meta;
        let all = ["settings", "hyperparameters"]
            .map(|place| meta[place].as_object())
            .into_iter()
            .flatten()
            .flatten();
        let said = all.map(|(name, value)| {
            (
                name.clone(),
                value.as_str().map_or_else(|| value.to_string(), str::to_owned),
            )
        });
        said.collect()
    }

    /// Every conditional and update of the form that ran; `None` where the declaration was compiled from a printed source.
    pub fn derivation(&self) -> Option<Derivation> {
        Derivation::from_data(&self.archive.meta["derivation"])
    }

    /// What was promised about the data of a count.
    ///
    /// # Errors
    /// There is no such count.
    pub fn promise(&self, count: &str) -> Result<&str, Error> {
        Ok(self.named("counts", "count", count)?["promise"]
            .as_str()
            .unwrap_or_default())
    }

    /// The axes of a latent or of a count: the index set of each, told apart where one is there twice, and its size.
    ///
    /// # Errors
    /// There is no latent or count of that name.
    pub fn axes(&self, name: &str) -> Result<Vec<(String, usize)>, Error> {
        let of = self.named("latents", "latent", name);
        let of = of.or_else(|_| self.named("counts", "latent or count", name))?;
        let texts = of["dims"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let sizes = of["shape"].as_array().into_iter().flatten().filter_map(Value::as_u64);
        let axes = texts.zip(sizes).map(|(set, size)| (set.to_owned(), size as usize));
        Ok(axes.collect())
    }

    /// Through which channel a count was seen.
    ///
    /// # Errors
    /// There is no such count.
    pub fn channel(&self, count: &str) -> Result<&str, Error> {
        Ok(self.named("counts", "count", count)?["channel"]
            .as_str()
            .unwrap_or_default())
    }

    /// Names of the latents.
    pub fn latents(&self) -> Vec<&str> {
        self.names("latents")
    }

    /// Names of the counts.
    pub fn counts(&self) -> Vec<&str> {
        self.names("counts")
    }

    /// Names of all arrays of real numbers in the file.
    pub fn arrays(&self) -> Vec<&str> {
        let numbers = |entry: &&Entry<'_>| matches!(entry.values, ArrayValues::Doubles(_));
        self.archive
            .entries
            .iter()
            .filter(numbers)
            .map(|entry| &entry.name[..])
            .collect()
    }

    /// An array of real numbers by its name in the file: its shape, and its values, row-major.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn array(&self, name: &str) -> Result<(&[usize], &[f64]), Error> {
        match self.archive.get(name) {
            Some(Entry {
                shape,
                values: ArrayValues::Doubles(values),
                ..
            }) => Ok((shape, values)),
            _ => Err(self.missing(format!("array `{name}`"), &self.arrays())),
        }
    }

    /// An array of whole numbers by its name in the file, such as `cells/y.kept`, the indices of the cells of `y` whose rates were kept:
    /// its shape, and its values, row-major.
    ///
    /// # Errors
    /// There is none of that name; the error lists those that there are.
    pub fn integers(&self, name: &str) -> Result<(&[usize], &[i64]), Error> {
        match self.archive.get(name) {
            Some(Entry {
                shape,
                values: ArrayValues::Integers(values),
                ..
            }) => Ok((shape, values)),
            _ => {
                let entries = self.archive.entries.iter();
                let integers = entries.filter(|entry| matches!(entry.values, ArrayValues::Integers(_)));
                let names: Vec<&str> = integers.map(|entry| &entry.name[..]).collect();
                Err(self.missing(format!("array of whole numbers `{name}`"), &names))
            }
        }
    }

    /// The draws of a latent, (chain, draw, ..).
    ///
    /// # Errors
    /// They were not kept.
    pub fn draws(&self, latent: &str) -> Result<Array, Error> {
        let (shape, values) = self.array(&format!("posterior/{latent}"))?;
        copied(shape, values)
    }

    /// A latent at the draw of highest log joint density: one of the draws, or the copy that was kept where draws were not.
    ///
    /// # Errors
    /// Nothing was kept of the latent; the fit is a variational one; see also [`Draws::most_probable`](crate::infer::Draws::most_probable).
    pub fn most_probable(&self, latent: &str) -> Result<Array, Error> {
        if self.named("latents", "latent", latent)?["kept"] != "draws" {
            let (shape, values) = self.array(&format!("most_probable/{latent}"))?;
            return copied(shape, values);
        }
        let (shape, values) = self.array(&format!("posterior/{latent}"))?;
        let ln_joint = self.ln_joint()?;
        let all = ln_joint.iter().enumerate();
        let at = all.max_by(|a, b| a.1.total_cmp(b.1)).map_or(0, |(at, _)| at);
        let size = values.len() / ln_joint.len().max(1);
        copied(shape.get(2..).unwrap_or_default(), &values[at * size..][..size])
    }

    /// Posterior means of a latent: over all chains and draws, or of its variational posterior.
    ///
    /// # Errors
    /// Neither draws nor moments were kept; [`QueryError::NotAligned`] where there are several chains and the latent has components: save
    /// `fit.aligned(..)` to have means of components.
    pub fn mean(&self, latent: &str) -> Result<Array, Error> {
        let chains = self.archive.meta["num_chains"].as_u64().unwrap_or(1) as usize;
        let mean = self.mean_over(latent, 0..chains)?;
        match self.named("latents", "latent", latent)?["unordered"][0].as_str() {
            Some(components) if chains > 1 => {
                let why = self.archive.meta["not_alignable"][components].as_str();
                Err(QueryError::not_aligned(latent, components, chains, why).into())
            }
            _ => Ok(mean),
        }
    }

    /// Posterior means of a latent over the draws of one chain.
    ///
    /// # Errors
    /// Neither draws nor moments were kept; [`QueryError::NoSuchChain`].
    pub fn mean_of_chain(&self, latent: &str, chain: usize) -> Result<Array, Error> {
        let chains = self.archive.meta["num_chains"].as_u64().unwrap_or(1) as usize;
        QueryError::chain(chain, chains)?;
        self.mean_over(latent, chain..chain + 1)
    }

    /// Means over the draws of some chains; a variational posterior counts for one.
    fn mean_over(&self, latent: &str, chains: Range<usize>) -> Result<Array, Error> {
        let described = self.named("latents", "latent", latent)?;
        let at = |what: &str| match what {
            "draws" => Some((format!("posterior/{latent}"), 2)),
            "moments" => Some((format!("moments/{latent}.mean"), 1)),
            "posterior" | "frozen" => Some((format!("variational/{latent}.mean"), 0)),
            _ => None,
        };
        let Some((name, outer)) = described["kept"].as_str().and_then(at) else {
            let missing = format!("mean of `{latent}`, of which neither draws nor moments were kept");
            return Err(self.missing(missing, &self.arrays()));
        };
        let (shape, values) = self.array(&name)?;
        let Some((outer, inner)) = shape.split_at_checked(outer) else {
            return Err(self.archive.fault(&name, "has no chains and draws").into());
        };
        // Chains have equally many draws. Sizes follow from the values: where there are none, a shape may say what it likes.
        let of_chain = values.len() / outer.first().map_or(1, |&chains| chains.max(1));
        let size = of_chain / outer.get(1).map_or(1, |&draws| draws.max(1));
        let values = values.get(chains.start.saturating_mul(of_chain)..chains.end.saturating_mul(of_chain));
        let Some(values) = values.filter(|values| !values.is_empty()) else {
            return Err(self.archive.fault(&name, "does not hold a draw of every chain").into());
        };
        let mut mean = filled(&name, size, 0.0)?;
        let times = (values.len() / size) as f64;
        for one in values.chunks_exact(size) {
            mean.iter_mut().zip(one).for_each(|(sum, x)| *sum += x);
        }
        mean.iter_mut().for_each(|sum| *sum /= times);
        Ok(Array::new(inner.to_vec(), mean)?)
    }

    /// The mean rates of all cells of a count.
    ///
    /// # Errors
    /// They were not kept; those of some cells are the array `rates/..`, and the cells the integers `cells/...kept` ([`Saved::integers`]).
    pub fn rates(&self, count: &str) -> Result<Array, Error> {
        let shape = &self.named("counts", "count", count)?["shape"];
        let (found, values) = self.array(&format!("rates/{count}"))?;
        if *shape != serde_json::json!(found) {
            return Err(self.missing(format!("mean rate of every cell of `{count}`"), &self.arrays()));
        }
        copied(found, values)
    }

    /// The log joint density of every draw, (chain, draw).
    ///
    /// # Errors
    /// The fit is a variational one.
    pub fn ln_joint(&self) -> Result<&[f64], Error> {
        Ok(self.array("sample_stats/lp")?.1)
    }

    /// Labels of an index set, if it was given any.
    pub fn labels(&self, set: &str) -> Option<&[String]> {
        match &self.archive.get(&format!("coords/{set}"))?.values {
            ArrayValues::Text(labels) => Some(labels),
            _ => None,
        }
    }

    /// The summary of a Gibbs fit, as [`GibbsFit::summary`](crate::infer::GibbsFit::summary) makes it.
    ///
    /// # Errors
    /// The fit is a variational one.
    pub fn summary(&self) -> Result<Summary, Error> {
        let (shape, ln_joint) = self.array("sample_stats/lp")?;
        let &[chains, draws] = shape else {
            return Err(self.archive.fault("sample_stats/lp", "has no chains and draws").into());
        };
        let mut counts = Vec::new();
        for name in self.counts() {
            let means = self.array(&format!("posterior/{name}.mean_rate"))?.1;
            let rates = self.array(&format!("posterior/{name}.rate"))?.1;
            let cells = self.labels(&format!("{name}.cell")).unwrap_or_default();
            counts.push(OfCount {
                name,
                means,
                cells: cells.to_vec(),
                rates: columns(rates, cells.len(), (0..cells.len()).collect()),
            });
        }
        let mut latents = Vec::new();
        for name in self.latents() {
            let Some(entries) = self.archive.meta["judged"][name].as_array() else {
                continue;
            };
            let (shape, values) = self.array(&format!("posterior/{name}"))?;
            let shape = shape.get(2..).unwrap_or_default();
            let size: usize = shape.iter().product();
            let entries = entries.iter().filter_map(|entry| usize::try_from(entry.as_u64()?).ok());
            let entries: Vec<usize> = entries.filter(|entry| *entry < size).collect();
            latents.push(OfLatent {
                name,
                shape,
                draws: columns(values, size, entries.clone()),
                entries,
            });
        }
        latents.sort_by_key(|latent| latent.shape.iter().product::<usize>());
        let quantities = Quantities {
            kept: [chains, draws],
            ln_joint,
            counts,
            latents,
        };
        let summary = quantities.summary();
        Ok((summary.map_err(|error| self.archive.fault("posterior", error.to_string()))?).show_at_most(SHOWN))
    }

    fn text(&self, key: &str) -> &str {
        self.archive.meta[key].as_str().unwrap_or_default()
    }

    fn names(&self, list: &str) -> Vec<&str> {
        let all = self.archive.meta[list].as_array();
        all.into_iter()
            .flatten()
            .filter_map(|one| one["name"].as_str())
            .collect()
    }

    fn named(&self, list: &str, what: &str, name: &str) -> Result<&Value, Error> {
        let mut all = self.archive.meta[list].as_array().into_iter().flatten();
        all.find(|one| one["name"] == name)
            .ok_or_else(|| self.missing(format!("{what} `{name}`"), &self.names(list)))
    }

    fn missing(&self, wanted: String, known: &[&str]) -> Error {
        let error = SavedError::Missing {
            path: self.archive.path.clone(),
            wanted,
            known: match known {
                [] => "none".to_owned(),
                known => known.join(", "),
            },
        };
        error.into()
    }
}

/// Entries of an array of draws of `size` numbers. Too few draws leave values that are not written.
fn columns(values: &[f64], size: usize, entries: Vec<usize>) -> ReadColumn<'_> {
    Box::new(move |at, into| {
        let draws = into.iter_mut().zip(values.chunks_exact(size.max(1)));
        draws.for_each(|(value, draw)| *value = draw[entries[at]]);
    })
}

/// An array in memory that was asked for.
fn copied(shape: &[usize], values: &[f64]) -> Result<Array, Error> {
    let mut all = with_room(values.len(), "an array of the fit", "read it on a larger machine")?;
    all.extend_from_slice(values);
    Ok(Array::new(shape.to_vec(), all)?)
}
