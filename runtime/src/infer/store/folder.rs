//! A store of all chains on disk: a folder in Zarr that others read while a run writes to it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::json;

use super::on_disk::{OnDisk, StoredArray, reading, writing};
use super::{AllDraws, ChainDraws, Growing};
use crate::diagnose::run::Ended;
use crate::file::SavedError;
use crate::infer::checkpoint::Left;
use crate::infer::keep::Kept;
use crate::infer::record::Layout;
use crate::infer::saved::{About, Contents, Texts, cell_labels, coordinates, new_folder, settings_of};
use crate::infer::settings::Gibbs;
use crate::model::Model;

/// Draws are shown at most so often.
const EVERY: Duration = Duration::from_secs(1);
/// A chain spends at most one part in so many on showing them.
const SHARE: u32 = 20;
/// The log joint density.
const LP: &str = "sample_stats/lp";

/// A store that a run writes to.
///
/// Draws are written behind what the texts of the store say is there, and shown once they are on the disk: a reader sees none that has not
/// been made.
#[derive(Debug)]
pub(in crate::infer) struct DrawsFolder {
    path: PathBuf,
    /// The latents whose draws are kept, in the order of declaration.
    latents: Vec<DrawsArray>,
    /// For each count the rates of its monitored cells, and its mean rate.
    rates: Vec<DrawsArray>,
    mean_rates: Vec<DrawsArray>,
    ln_joint: DrawsArray,
    /// Draws of each chain at the beginning.
    begun: Vec<usize>,
    shown: Mutex<Shown>,
}

/// An array with its name and its size at a draw.
#[derive(Debug)]
struct DrawsArray {
    name: String,
    dims: Vec<String>,
    shape: Vec<usize>,
    stored: Arc<StoredArray>,
}

/// What a reader sees.
#[derive(Debug)]
struct Shown {
    texts: Texts,
    /// Draws of each chain that are on the disk.
    drawn: Vec<usize>,
    /// Chains and draws that are shown.
    shape: [usize; 2],
}

impl DrawsFolder {
    /// The store of a run of so many chains. `goes_on` is the checkpoint of a run that is gone on with, and what it holds of each chain. Where there
    /// is none the folder must not exist.
    ///
    /// # Errors
    /// [`SavedError::Exists`], [`SavedError::Write`], [`SavedError::NotItsDraws`], [`SavedError::FewerDraws`].
    pub fn begin(
        path: &Path,
        (model, settings, layout): (&dyn Model, &Gibbs, &Layout),
        goes_on: Option<(&Path, &Left)>,
        chains: usize,
    ) -> Result<Self, SavedError> {
        let about = About::of(model, settings.form.into());
        let mut contents = Contents::new("Gibbs", &about);
        contents.meta["settings"] = settings_of(settings, chains);
        let array = |name: String, dims: Vec<String>, shape: Vec<usize>| DrawsArray {
            stored: Arc::new(StoredArray::new(path.join(&name), &shape)),
            name,
            dims,
            shape,
        };
        let kept = layout.latents.iter().filter(|(_, kept)| *kept == Kept::Draws);
        let latents = kept.map(|(latent, _)| {
            let dims = contents.axes(&latent.indices);
            array(format!("posterior/{}", latent.name), dims, latent.shape.clone())
        });
        let latents = latents.collect();
        let (mut rates, mut mean_rates) = (Vec::new(), Vec::new());
        for count in &layout.counts {
            let (name, dim) = (count.name, format!("{}.cell", count.name));
            contents.coords(&dim, cell_labels(&count.shape, &count.monitored));
            rates.push(array(
                format!("posterior/{name}.rate"),
                vec![dim],
                vec![count.monitored.len()],
            ));
            mean_rates.push(array(format!("posterior/{name}.mean_rate"), Vec::new(), Vec::new()));
        }
        // The log joint density at each draw that a chain has.
        let left = goes_on.iter().flat_map(|(_, left)| left.iter().map(Option::as_ref));
        let densities = left.map(|parts| parts.and_then(|parts| parts.get("ln_joint")));
        let densities: Vec<&[f64]> = densities.map(Option::unwrap_or_default).collect();
        let mut begun: Vec<usize> = densities.iter().map(|chain| chain.len()).collect();
        begun.resize(chains, 0);
        let out = Self {
            path: path.to_owned(),
            latents,
            rates,
            mean_rates,
            ln_joint: array(LP.to_owned(), Vec::new(), Vec::new()),
            shown: Mutex::new(Shown {
                texts: Texts::new(&contents.meta),
                drawn: begun.clone(),
                shape: rectangle(&begun),
            }),
            begun,
        };
        let sizes = [chains, settings.num_draws];
        let most = out.begun.iter().copied().max().unwrap_or(0);
        match goes_on {
            Some((checkpoint, _)) if most > settings.num_draws => {
                return Err(SavedError::FewerDraws {
                    path: checkpoint.to_owned(),
                    asked: settings.num_draws,
                    drawn: most,
                });
            }
            Some((checkpoint, _)) if path.exists() || most > 0 => {
                out.holds(&densities).map_err(|cause| SavedError::NotItsDraws {
                    path: path.to_owned(),
                    checkpoint: checkpoint.to_owned(),
                    cause: Box::new(cause),
                })?;
                let describe = || out.describe(path, &contents, sizes);
                describe().map_err(|source| writing(path, source))?;
                for (chain, &number) in out.begun.iter().enumerate() {
                    out.arrays().try_for_each(|array| array.stored.cut(chain, number))?;
                }
            }
            _ => new_folder(path, |folder| out.describe(folder, &contents, sizes))?,
        }
        Ok(out)
    }

    fn arrays(&self) -> impl Iterator<Item = &DrawsArray> {
        let all = self.latents.iter().chain(&self.rates).chain(&self.mean_rates);
        all.chain([&self.ln_joint])
    }

    /// Whether it is the store of a run with these log joint densities so far, by chain.
    fn holds(&self, densities: &[&[f64]]) -> Result<(), SavedError> {
        let group = self.path.join(".zgroup");
        group.metadata().map_err(|source| reading(&group, source))?;
        for (chain, densities) in densities.iter().enumerate() {
            let number = densities.len();
            self.arrays().try_for_each(|array| array.stored.holds(chain, number))?;
            let mut found = vec![0.0; number];
            let stored = OnDisk::new(Arc::clone(&self.ln_joint.stored), chain, number);
            stored.read(0..number, 0..1, &mut found)?;
            if found.iter().zip(*densities).any(|(a, b)| a.to_bits() != b.to_bits()) {
                let other = io::Error::other(format!("the log joint densities of chain {chain} are others"));
                return Err(reading(&self.path.join(LP), other));
            }
        }
        Ok(())
    }

    /// Writes all texts and coordinates; `sizes` are those of the chains and draws that there may be.
    fn describe(&self, folder: &Path, contents: &Contents<'_>, sizes: [usize; 2]) -> io::Result<()> {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let texts = &mut shown.texts;
        for group in GROUPS {
            let prefix = format!("{group}/");
            texts.group(&prefix);
            let mut axes = BTreeSet::new();
            let arrays = self.arrays().filter(|array| array.name.starts_with(&prefix));
            // An array without entries has no chunk, and nothing to say.
            for array in arrays.filter(|array| !array.shape.contains(&0)) {
                std::fs::create_dir_all(folder.join(&array.name))?;
                let dims = ["chain", "draw"]
                    .into_iter()
                    .chain(array.dims.iter().map(String::as_str));
                let dims: Vec<&str> = dims.collect();
                let shape = [&sizes, &array.shape[..]].concat();
                let per_chunk = StoredArray::per_chunk(array.shape.iter().product());
                let chunks = [&[1, per_chunk], &array.shape[..]].concat();
                texts.array(&array.name, [&shape, &chunks], "<f8", &json!(dims));
                axes.extend(dims.into_iter().map(str::to_owned).zip(shape));
            }
            coordinates(texts, (folder, group), contents, axes)?;
        }
        texts.tidy(folder);
        self.show(&mut shown, folder)
    }

    fn show(&self, shown: &mut Shown, folder: &Path) -> io::Result<()> {
        let Shown { texts, shape, .. } = shown;
        self.arrays().for_each(|array| texts.resize(&array.name, &shape[..]));
        for group in GROUPS {
            texts.resize(&format!("{group}/chain"), &shape[..1]);
            texts.resize(&format!("{group}/draw"), &shape[1..]);
        }
        texts.write(folder)
    }

    /// Where a chain puts its draws: latents whose draws are kept, monitored rates of each count, and all else that is stored.
    pub fn of_chain(&self, chain: usize) -> (Places<'_>, Places<'_>, DrawsWriter<'_>) {
        let number = self.begun[chain];
        let on_disk = |array: &DrawsArray| OnDisk::new(Arc::clone(&array.stored), chain, number);
        let boxed = |arrays: &[DrawsArray]| {
            arrays
                .iter()
                .map(|array| Box::new(on_disk(array)) as Box<dyn Growing>)
                .collect()
        };
        let stream = DrawsWriter {
            folder: self,
            chain,
            mean_rates: self.mean_rates.iter().map(on_disk).collect(),
            ln_joint: on_disk(&self.ln_joint),
            due: Instant::now() + EVERY,
        };
        (boxed(&self.latents), boxed(&self.rates), stream)
    }

    /// The first `draws` draws of these chains: latents, and the monitored rates of each count.
    pub fn kept(&self, chains: &[usize], draws: usize) -> [Vec<AllDraws>; 2] {
        [&self.latents, &self.rates].map(|arrays| {
            let of = |array: &DrawsArray| {
                let width = array.shape.iter().product();
                AllDraws::stored(Arc::clone(&array.stored), width, chains, draws)
            };
            arrays.iter().map(of).collect()
        })
    }

    /// Says in the store why the run has ended.
    pub fn close(&self, ended: Ended) -> Result<(), SavedError> {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.texts.end(&ended.to_string());
        shown
            .texts
            .write(&self.path)
            .map_err(|source| writing(&self.path, source))
    }
}

/// The groups of the store.
const GROUPS: [&str; 2] = ["posterior", "sample_stats"];

/// Where a chain puts draws, a place for each quantity.
pub(in crate::infer) type Places<'a> = Vec<Box<dyn Growing + 'a>>;

/// What a chain tells the store after each draw.
#[derive(Debug)]
pub(in crate::infer) struct DrawsWriter<'f> {
    folder: &'f DrawsFolder,
    chain: usize,
    mean_rates: Vec<OnDisk>,
    ln_joint: OnDisk,
    /// When draws are shown again.
    due: Instant,
}

impl DrawsWriter<'_> {
    /// Adds mean rates and the log joint density of a draw.
    pub fn append(&mut self, mean_rates: impl Iterator<Item = f64>, ln_joint: f64) -> Result<(), SavedError> {
        (self.mean_rates.iter_mut().zip(mean_rates)).try_for_each(|(place, mean)| place.append(&[mean]))?;
        self.ln_joint.append(&[ln_joint])
    }

    /// Whether draws are to be shown.
    pub fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    /// Has what was added on the disk.
    pub fn sync(&mut self) -> Result<(), SavedError> {
        self.mean_rates.iter_mut().try_for_each(Growing::sync)?;
        self.ln_joint.sync()
    }

    /// Shows as many draws as all chains have. Those of this one are on the disk, to which they were written since `begun`.
    pub fn show(&mut self, begun: Instant) -> Result<(), SavedError> {
        let folder = self.folder;
        let mut shown = folder.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.drawn[self.chain] = self.ln_joint.number();
        let shape = rectangle(&shown.drawn);
        if shape != shown.shape {
            shown.shape = shape;
            let written = folder.show(&mut shown, &folder.path);
            written.map_err(|source| writing(&folder.path, source))?;
        }
        self.due = begun + EVERY.max(SHARE * begun.elapsed());
        Ok(())
    }
}

/// The chains and draws that are shown of chains with so many draws: the first chains, as long as none has fewer than half as many draws as
/// another of them, and the draws that all of these have.
fn rectangle(drawn: &[usize]) -> [usize; 2] {
    let (mut least, mut most) = (usize::MAX, 0);
    let mut chains = 0;
    for &number in drawn {
        if chains > 0 && 2 * least.min(number) < most.max(number) {
            break;
        }
        (least, most) = (least.min(number), most.max(number));
        chains += 1;
    }
    [chains, if chains == 0 { 0 } else { least }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_chains_are_shown_with_the_draws_that_all_of_them_have() {
        assert_eq!(rectangle(&[0, 0, 0]), [3, 0]);
        assert_eq!(rectangle(&[5, 0, 0]), [1, 5]);
        assert_eq!(rectangle(&[0, 5]), [1, 0]);
        assert_eq!(rectangle(&[100, 60, 50, 49]), [3, 50]);
        assert_eq!(rectangle(&[100, 30, 100]), [1, 100]);
        assert_eq!(rectangle(&[60, 100, 130]), [2, 60]);
    }
}
