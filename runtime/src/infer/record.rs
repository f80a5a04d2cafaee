//! What one chain leaves behind, draw by draw. What is held in memory is reserved before the first sweep.

use std::path::Path;
use std::time::Instant;

use crate::error::{Error, QueryError};
use crate::file::{Parts, SavedError};
use crate::memory::{TooLarge, filled};
use crate::model::{Latent, Model};

use super::gibbs::Chain;
use super::identity::of_numbers;
use super::keep::{Keep, KeepRates, Kept};
use super::monitored::monitored;
use super::running::{LogMeans, Moments};
use super::store::{DrawsWriter, Growing, Places};
use crate::view::View;

/// What a chain keeps, and how much: the same for all chains.
pub(super) struct Layout {
    pub draws: usize,
    pub latents: Vec<(Latent, Kept)>,
    pub counts: Vec<CountLayout>,
}

/// What is kept of the rates of one count.
pub(super) struct CountLayout {
    pub name: &'static str,
    pub shape: Vec<usize>,
    pub cells: usize,
    /// Row-major positions whose mean rate is kept; `None` for all.
    pub at: Option<Vec<usize>>,
    /// Rows and columns in the grid of these cells.
    places: Vec<(usize, usize)>,
    /// Row-major positions whose rate is kept at every draw.
    pub monitored: Vec<usize>,
    monitored_places: Vec<(usize, usize)>,
    /// Row-major positions of the held-out cells that are scored.
    pub scored: Vec<usize>,
}

impl CountLayout {
    /// Which rates are kept, in a word.
    pub fn kept(&self) -> String {
        match &self.at {
            None => "all".to_owned(),
            Some(cells) => digest(cells),
        }
    }

    /// Which cells are monitored, in a word.
    pub fn watched(&self) -> String {
        digest(&self.monitored)
    }
}

impl Layout {
    pub fn new(model: &dyn Model, draws: usize, kept: Vec<Kept>, keep: &Keep) -> Result<Self, Error> {
        let views = model.views();
        let names: Vec<&str> = views.iter().map(|view| view.name()).collect();
        let all_small = views.iter().all(|view| view.grid().cells() <= KeepRates::SMALL);
        let of = |(view, rates): (&&View, &KeepRates)| {
            let at = match rates {
                KeepRates::All => None,
                KeepRates::Auto if all_small => None,
                KeepRates::Auto | KeepRates::Nothing => Some(Vec::new()),
                KeepRates::HeldOut => Some(view.held_out()),
                KeepRates::At(cells) => Some(positions(view, cells)?),
            };
            let places = |cells: &[usize]| cells.iter().map(|&cell| view.grid().place(cell)).collect();
            let monitored = monitored(view);
            Ok(CountLayout {
                name: view.name(),
                shape: view.grid().shape(),
                cells: view.grid().cells(),
                places: places(at.as_deref().unwrap_or_default()),
                at,
                monitored_places: places(&monitored),
                monitored,
                scored: view.scored_cells(),
            })
        };
        let counts = views.iter().zip(keep.of_rates(&names)?).map(of);
        Ok(Self {
            draws,
            latents: model.latents().iter().cloned().zip(kept).collect(),
            counts: counts.collect::<Result<_, Error>>()?,
        })
    }
}

fn digest(cells: &[usize]) -> String {
    let cells: Vec<f64> = cells.iter().map(|&cell| cell as f64).collect();
    format!("{} of them with digest {}", cells.len(), of_numbers(&cells))
}

/// Ascending row-major positions of cells, each once.
fn positions(view: &View, cells: &[Vec<usize>]) -> Result<Vec<usize>, Error> {
    let shape = view.grid().shape();
    let position = |index: &Vec<usize>| QueryError::cell_at(view.name(), &shape, index, |_| true);
    let mut out = cells.iter().map(position).collect::<Result<Vec<usize>, _>>()?;
    out.sort_unstable();
    out.dedup();
    Ok(out)
}

/// What is kept of one latent.
#[derive(Debug)]
pub(super) enum LatentRecord<'a> {
    Draws(Box<dyn Growing + 'a>),
    Moments(Moments),
    Last(Vec<f64>),
    Nothing,
}

/// The draw of a chain at which the log joint density is largest.
#[derive(Clone, Debug, Default)]
pub struct BestDraw {
    /// Which it is; the last of equally probable ones.
    pub draw: Option<usize>,
    /// The latents there, in the order of declaration; empty where every draw is kept, and where nothing is.
    pub latents: Vec<Vec<f64>>,
}

/// What one chain leaves behind.
#[derive(Debug)]
pub(super) struct Record<'a> {
    pub latents: Vec<LatentRecord<'a>>,
    /// The most probable draw so far, and the latents there.
    pub best: BestDraw,
    /// For each count, sums of the rates that are kept.
    pub rates: Vec<Vec<f64>>,
    /// For each count the rates at its monitored cells.
    monitored: Places<'a>,
    /// For each count and draw the mean rate over all cells.
    pub mean_rates: Vec<Vec<f64>>,
    /// For each count the scores of its held-out cells.
    pub scores: Vec<LogMeans>,
    /// The log joint density of every draw.
    pub ln_joint: Vec<f64>,
    /// The store on disk, if draws are in one.
    stream: Option<DrawsWriter<'a>>,
    scratch: Vec<f64>,
}

impl<'a> Record<'a> {
    /// A record of one chain. `draws` are the places of the latents whose draws are kept, `monitored` those of the monitored rates of
    /// each count, `stream` what is on disk besides.
    pub fn new(
        layout: &Layout,
        (draws, monitored, stream): (Places<'a>, Places<'a>, Option<DrawsWriter<'a>>),
    ) -> Result<Self, Error> {
        let mut draws = draws.into_iter();
        let latents = layout.latents.iter().map(|(latent, kept)| {
            let size = latent.shape.iter().product();
            Ok(match kept {
                Kept::Draws => match draws.next() {
                    Some(place) => LatentRecord::Draws(place),
                    None => unreachable!("there is a place for each"),
                },
                Kept::Moments => LatentRecord::Moments(Moments::new(latent.name, size)?),
                Kept::Last => LatentRecord::Last(filled(&format!("`{}`", latent.name), size, 0.0)?),
                Kept::Nothing => LatentRecord::Nothing,
            })
        });
        let latents = latents.collect::<Result<_, Error>>()?;
        let best = layout.latents.iter().map(|(latent, kept)| {
            let size = match kept {
                Kept::Draws | Kept::Nothing => 0,
                Kept::Moments | Kept::Last => latent.shape.iter().product(),
            };
            filled(&format!("the most probable draw of `{}`", latent.name), size, 0.0)
        });
        let best = BestDraw {
            draw: None,
            latents: best.collect::<Result<_, TooLarge>>()?,
        };
        let counts = || layout.counts.iter();
        let rates = counts().map(|count| {
            let len = count.at.as_ref().map_or(count.cells, Vec::len);
            filled(&format!("the mean rates of `{}`", count.name), len, 0.0)
        });
        let reserved = |len: usize| {
            let mut values = filled("the mean rates and log joint densities", len, 0.0)?;
            values.clear();
            Ok(values)
        };
        Ok(Self {
            latents,
            best,
            rates: rates.collect::<Result<_, TooLarge>>()?,
            monitored,
            mean_rates: counts().map(|_| reserved(layout.draws)).collect::<Result<_, Error>>()?,
            scores: counts()
                .map(|count| LogMeans::new(count.scored.len()))
                .collect::<Result<_, Error>>()?,
            ln_joint: reserved(layout.draws)?,
            stream,
            scratch: Vec::new(),
        })
    }

    /// Saves what was kept so far; draws in a store on disk stay there.
    pub fn save(&self, layout: &Layout, parts: &mut Parts) -> Result<(), SavedError> {
        let draws = self.draws();
        let all = |place: &dyn Growing, size: usize| {
            let mut values = vec![0.0; draws * size];
            place.read(0..draws, 0..size, &mut values).map(|()| values)
        };
        for ((latent, _), record) in layout.latents.iter().zip(&self.latents) {
            let name = format!("kept/{}", latent.name);
            match record {
                LatentRecord::Draws(_) if self.stream.is_some() => {}
                LatentRecord::Draws(place) => parts.put(name, all(&**place, latent.shape.iter().product())?),
                LatentRecord::Last(last) => parts.put(name, last.clone()),
                LatentRecord::Moments(moments) => {
                    parts.put(format!("{name}/squares"), moments.squares.clone());
                    parts.put(name, moments.mean.clone());
                }
                LatentRecord::Nothing => {}
            }
        }
        for ((latent, _), best) in layout.latents.iter().zip(&self.best.latents) {
            if !best.is_empty() {
                parts.put(format!("best/{}", latent.name), best.clone());
            }
        }
        for (i, count) in layout.counts.iter().enumerate() {
            let name = |what: &str| format!("{what}/{}", count.name);
            parts.put(name("rates"), self.rates[i].clone());
            if self.stream.is_none() {
                parts.put(name("monitored"), all(&*self.monitored[i], count.monitored.len())?);
            }
            parts.put(name("mean_rates"), self.mean_rates[i].clone());
            parts.put(name("scores/largest"), self.scores[i].largest.clone());
            parts.put(name("scores/sum"), self.scores[i].sum.clone());
        }
        parts.put("ln_joint", self.ln_joint.clone());
        Ok(())
    }

    /// Takes back what [`Record::save`] put; `path` is the file of `parts`.
    pub fn restore(&mut self, layout: &Layout, parts: &mut Parts, path: &Path) -> Result<(), SavedError> {
        self.ln_joint.extend(parts.take(path, "ln_joint")?);
        let draws = self.draws();
        if draws > layout.draws {
            return Err(SavedError::FewerDraws {
                path: path.to_owned(),
                asked: layout.draws,
                drawn: draws,
            });
        }
        let fill = |parts: &mut Parts, name: &str, place: &mut dyn Growing, size: usize| {
            let mut values = vec![0.0; draws * size];
            parts.fill(path, name, &mut values)?;
            (0..draws).try_for_each(|draw| place.append(&values[draw * size..][..size]))
        };
        let on_disk = self.stream.is_some();
        for ((latent, _), record) in layout.latents.iter().zip(&mut self.latents) {
            let name = format!("kept/{}", latent.name);
            match record {
                LatentRecord::Draws(_) if on_disk => {}
                LatentRecord::Draws(place) => fill(parts, &name, &mut **place, latent.shape.iter().product())?,
                LatentRecord::Last(last) => parts.fill(path, &name, last)?,
                LatentRecord::Moments(moments) => {
                    parts.fill(path, &format!("{name}/squares"), &mut moments.squares)?;
                    parts.fill(path, &name, &mut moments.mean)?;
                    moments.draws = draws;
                }
                LatentRecord::Nothing => {}
            }
        }
        // Which draw it is follows from the densities.
        let densities = self.ln_joint.iter().enumerate();
        self.best.draw = densities.max_by(|a, b| a.1.total_cmp(b.1)).map(|(draw, _)| draw);
        for ((latent, _), best) in layout.latents.iter().zip(&mut self.best.latents) {
            if !best.is_empty() {
                parts.fill(path, &format!("best/{}", latent.name), best)?;
            }
        }
        for (i, count) in layout.counts.iter().enumerate() {
            let name = |what: &str| format!("{what}/{}", count.name);
            parts.fill(path, &name("rates"), &mut self.rates[i])?;
            if !on_disk {
                fill(
                    parts,
                    &name("monitored"),
                    &mut *self.monitored[i],
                    count.monitored.len(),
                )?;
            }
            self.mean_rates[i].resize(draws, 0.0);
            parts.fill(path, &name("mean_rates"), &mut self.mean_rates[i])?;
            parts.fill(path, &name("scores/largest"), &mut self.scores[i].largest)?;
            parts.fill(path, &name("scores/sum"), &mut self.scores[i].sum)?;
            // Held-out cells are scored at every draw.
            self.scores[i].draws = if count.scored.is_empty() { 0 } else { draws };
        }
        Ok(())
    }

    /// The mean of a latent over the draws so far, if its draws or its moments are kept.
    pub fn mean(&self, layout: &Layout, latent: &str) -> Option<Vec<f64>> {
        let at = layout.latents.iter().position(|(other, _)| other.name == latent)?;
        match &self.latents[at] {
            LatentRecord::Moments(moments) => Some(moments.mean.clone()),
            LatentRecord::Draws(place) => {
                let draws = place.number();
                let mut mean = vec![0.0; layout.latents[at].0.shape.iter().product()];
                let mut one = mean.clone();
                for draw in 0..draws {
                    place.read(draw..draw + 1, 0..one.len(), &mut one).ok()?;
                    mean.iter_mut().zip(&one).for_each(|(sum, x)| *sum += x);
                }
                mean.iter_mut().for_each(|sum| *sum /= draws as f64);
                Some(mean)
            }
            LatentRecord::Last(_) | LatentRecord::Nothing => None,
        }
    }

    /// Number of draws so far.
    pub fn draws(&self) -> usize {
        self.ln_joint.len()
    }

    /// Records the present state of the chain.
    ///
    /// # Errors
    /// The store on disk cannot be written.
    pub fn take(&mut self, layout: &Layout, chain: &mut Chain<'_>) -> Result<(), SavedError> {
        let draw = self.draws();
        chain.refresh();
        for (latent, (record, x)) in self.latents.iter_mut().zip(chain.values().iter()).enumerate() {
            match record {
                LatentRecord::Draws(place) => place.append(x)?,
                LatentRecord::Moments(moments) => match chain.moments_given_tokens(latent) {
                    Some([mean, variance]) => moments.add_law(&mean, &variance),
                    None => moments.add(x),
                },
                LatentRecord::Last(last) => last.copy_from_slice(x),
                LatentRecord::Nothing => {}
            }
        }
        for (i, count) in layout.counts.iter().enumerate() {
            if count.at.is_none() {
                chain.add_rates_of(i, &mut self.rates[i]);
            } else {
                let mut sums = self.rates[i].iter_mut();
                chain.rates_at(i, &count.places, |rate| {
                    if let Some(sum) = sums.next() {
                        *sum += rate;
                    }
                });
            }
            self.scratch.clear();
            chain.rates_at(i, &count.monitored_places, |rate| self.scratch.push(rate));
            self.monitored[i].append(&self.scratch)?;
            if !count.scored.is_empty() {
                self.scratch.resize(count.scored.len(), 0.0);
                chain.score_held_out(i, &mut self.scratch);
                self.scores[i].add(&self.scratch);
            }
        }
        for (kept, mean) in self.mean_rates.iter_mut().zip(chain.mean_rates()) {
            kept.push(mean);
        }
        let ln_joint = chain.ln_joint();
        let best = self.best.draw.map(|draw| self.ln_joint[draw]);
        if best.is_none_or(|best| ln_joint.total_cmp(&best).is_ge()) {
            self.best.draw = Some(draw);
            let latents = self.best.latents.iter_mut().zip(chain.values().iter());
            latents
                .filter(|(best, _)| !best.is_empty())
                .for_each(|(best, x)| best.copy_from_slice(x));
        }
        self.ln_joint.push(ln_joint);
        if let Some(stream) = &mut self.stream {
            let means = self.mean_rates.iter().filter_map(|means| means.last().copied());
            stream.append(means, ln_joint)?;
        }
        match self.stream.as_ref().is_some_and(DrawsWriter::is_due) {
            true => self.show(),
            false => Ok(()),
        }
    }

    /// Has all draws so far on the disk. Nothing happens where draws are in memory.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn sync(&mut self) -> Result<(), SavedError> {
        let latents = self.latents.iter_mut().filter_map(|record| match record {
            LatentRecord::Draws(place) => Some(place),
            _ => None,
        });
        latents.chain(&mut self.monitored).try_for_each(|place| place.sync())?;
        self.stream.as_mut().map_or(Ok(()), DrawsWriter::sync)
    }

    /// The same, and shows them to those who read the store.
    ///
    /// # Errors
    /// The store cannot be written.
    pub fn show(&mut self) -> Result<(), SavedError> {
        let begun = Instant::now();
        self.sync()?;
        self.stream.as_mut().map_or(Ok(()), |stream| stream.show(begun))
    }
}
