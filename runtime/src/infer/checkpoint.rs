//! Checkpoints: what a run must remember to go on, kept in a file while it lasts.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::error::{Error, SettingError};
use crate::file::{Archive, ArrayValues, Entry, Lock, Parts, SavedError};
use crate::memory::fits;
use crate::whole_file::leftovers;

use super::identity::Identity;

/// The kind that the file of a checkpoint states.
const KIND: &str = "a checkpoint";

/// Where a run keeps its checkpoint, and how often.
///
/// If the file exists, the run goes on from it: the results are those of a run that was never stopped, byte for byte and on
/// any number of threads. A checkpoint of another model, of other data or of other settings is refused, and the error says what
/// differs. `num_draws` may have grown (of a variational run `max_iters`), so that a finished run can be made longer.
///
/// Writes are atomic: a run that is killed while it writes leaves the checkpoint before. The last one, which is written when the
/// run ends, stays: the same program run again returns its results without a sweep.
///
/// A checkpoint stays with the data. It holds the state of the chains, which for a fit of true counts is made of them, and digests of the
/// data and of known arrays, without a salt: whoever has a guess of the counts can confirm it.
///
/// ```no_run
/// use std::time::Duration;
/// use skellam::prelude::*;
///
/// // Every hundred sweeps of each chain, and at the latest after five minutes.
/// let checkpoint = Checkpoint::new("run.ckpt").every_sweeps(100).every(Duration::from_secs(300));
/// let settings = Gibbs { checkpoint: Some(checkpoint), ..Default::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    path: PathBuf,
    #[serde(default)]
    sweeps: Option<usize>,
    #[serde(default = "Checkpoint::ten_minutes", with = "super::seconds::whole")]
    time: Duration,
}

impl Checkpoint {
    fn ten_minutes() -> Duration {
        Duration::from_secs(600)
    }

    /// A checkpoint every ten minutes.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            sweeps: None,
            time: Self::ten_minutes(),
        }
    }

    /// A checkpoint every so many sweeps of each chain, or iterations of each start, and when the time is up.
    #[must_use]
    pub fn every_sweeps(mut self, sweeps: usize) -> Self {
        self.sweeps = Some(sweeps);
        self
    }

    /// A checkpoint whenever so much time has passed.
    #[must_use]
    pub fn every(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        match self.sweeps {
            Some(0) => Err(Error::Setting(SettingError::Zero {
                setting: "every_sweeps",
            })),
            _ => Ok(()),
        }
    }

    /// The file, locked, and what it holds if it exists.
    pub(super) fn open(&self) -> Result<OpenCheckpoint<'_>, SavedError> {
        let lock = Lock::acquire(&self.path)?;
        // Nobody else is writing it, and what cannot be removed does no harm.
        for left in leftovers(&self.path) {
            let _ = std::fs::remove_file(left);
        }
        let archive = match self.path.symlink_metadata() {
            Ok(_) => Some(Archive::read(&self.path, KIND)?),
            Err(_) => None,
        };
        Ok(OpenCheckpoint {
            checkpoint: self,
            lock,
            archive,
        })
    }
}

/// A checkpoint that is about to be used.
pub(super) struct OpenCheckpoint<'c> {
    checkpoint: &'c Checkpoint,
    lock: Lock,
    archive: Option<Archive>,
}

/// The saved state of each chain or start; `None` for one that had not begun.
pub(super) type Left = Vec<Option<Parts>>;

impl<'c> OpenCheckpoint<'c> {
    /// The number of chains of the run that was stopped.
    pub fn slots(&self) -> Option<usize> {
        let slots = self.archive.as_ref()?.meta["slots"].as_u64()?;
        usize::try_from(slots).ok().filter(|slots| *slots > 0)
    }

    /// Whether there is a run to go on with.
    pub fn goes_on(&self) -> bool {
        self.archive.is_some()
    }

    /// Checks the run against the one that was stopped. If there is none, writes an empty checkpoint, so that a file that cannot be
    /// written is an error before the first sweep.
    pub fn begin(self, identity: Identity, slots: usize) -> Result<(Keeper<'c>, Left), SavedError> {
        let mut left: Left = (0..slots).map(|_| None).collect();
        let (mut before, fresh) = (0.0, self.archive.is_none());
        if let Some(archive) = self.archive {
            let Some(saved) = Identity::from_json(&archive.meta["identity"]) else {
                return Err(archive.fault("meta", "does not say of which run the checkpoint is"));
            };
            if let Some(difference) = identity.difference(&saved) {
                return Err(SavedError::OtherRun {
                    path: archive.path,
                    what: difference.what,
                    saved: difference.saved,
                    now: difference.now,
                });
            }
            before = archive.meta["seconds"].as_f64().unwrap_or(0.0);
            // The state is held twice: as it is in the file, and by the chains that go on from it.
            let numbers = archive.entries.iter().map(|entry| match &entry.values {
                ArrayValues::Doubles(values) => values.len() as f64,
                _ => 0.0,
            });
            let bytes = size_of::<f64>() as f64 * numbers.sum::<f64>();
            fits(
                "the state of the run",
                bytes,
                "keep less (`Keep`), or go on with it on a larger machine",
            )
            .map_err(|error| archive.fault("the archive", format!("is too large: {error}")))?;
            for Entry { name, values, .. } in archive.entries {
                let place = name.split_once('/');
                let slot = place.and_then(|(slot, rest)| Some((slot.parse::<usize>().ok()?, rest)));
                if let (Some((slot, rest)), ArrayValues::Doubles(values)) = (slot, values)
                    && let Some(parts) = left.get_mut(slot)
                {
                    parts.get_or_insert_default().put(rest, values.into_owned());
                }
            }
        }
        let slots = left.iter().map(|parts| Slot {
            parts: parts.clone(),
            ..Slot::default()
        });
        let keeper = Keeper {
            slots: Mutex::new(slots.collect()),
            checkpoint: self.checkpoint,
            identity,
            before,
            begun: Instant::now(),
            _lock: self.lock,
        };
        if fresh {
            keeper.close()?;
        }
        Ok((keeper, left))
    }
}

/// Keeps the checkpoint of a run up to date. Chains hand in their states independently of each other; the file is written when
/// every chain that is on its way has handed in a new one.
pub(super) struct Keeper<'c> {
    checkpoint: &'c Checkpoint,
    identity: Identity,
    before: f64,
    begun: Instant,
    slots: Mutex<Vec<Slot>>,
    _lock: Lock,
}

#[derive(Default)]
struct Slot {
    /// The last state.
    parts: Option<Parts>,
    /// Whether the chain is on its way.
    running: bool,
    /// Whether the state is newer than the file.
    fresh: bool,
}

/// When one chain handed in its last state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    sweep: usize,
    time: Instant,
}

impl Due {
    pub fn since(sweep: usize) -> Self {
        Self {
            sweep,
            time: Instant::now(),
        }
    }
}

impl Keeper<'_> {
    pub fn path(&self) -> &Path {
        &self.checkpoint.path
    }

    /// Seconds that the run has taken, those before it was stopped included.
    pub fn seconds(&self) -> f64 {
        self.before + self.begun.elapsed().as_secs_f64()
    }

    /// A chain is on its way: the next file waits for it.
    pub fn begin(&self, slot: usize) {
        self.slots()[slot].running = true;
    }

    /// Whether a chain is to hand in its state; if so, it is asked again in a while.
    pub fn due(&self, due: &mut Due, sweep: usize) -> bool {
        let sweeps = self.checkpoint.sweeps.is_some_and(|every| sweep - due.sweep >= every);
        let is_due = sweeps || due.time.elapsed() >= self.checkpoint.time;
        if is_due {
            *due = Due::since(sweep);
        }
        is_due
    }

    /// Takes the state of a chain in, and writes the file if it waits for no other.
    pub fn keep(&self, slot: usize, parts: Parts) -> Result<(), SavedError> {
        let mut slots = self.slots();
        slots[slot] = Slot {
            parts: Some(parts),
            running: true,
            fresh: true,
        };
        if slots.iter().any(|slot| slot.running && !slot.fresh) {
            return Ok(());
        }
        slots.iter_mut().for_each(|slot| slot.fresh = false);
        self.write(&slots)
    }

    /// Takes the last state of a chain in, for the next file or for [`Keeper::close`].
    pub fn end(&self, slot: usize, parts: Parts) {
        self.slots()[slot] = Slot {
            parts: Some(parts),
            running: false,
            fresh: true,
        };
    }

    /// Writes the file with what there is.
    pub fn close(&self) -> Result<(), SavedError> {
        self.write(&self.slots())
    }

    fn slots(&self) -> MutexGuard<'_, Vec<Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, slots: &[Slot]) -> Result<(), SavedError> {
        let meta = json!({
            "identity": self.identity.to_json(),
            "slots": slots.len(),
            "seconds": self.seconds(),
        });
        let mut entries = Vec::new();
        for (number, slot) in slots.iter().enumerate() {
            for (name, values) in slot.parts.iter().flat_map(Parts::iter) {
                entries.push(Entry::doubles(format!("{number}/{name}"), vec![values.len()], values));
            }
        }
        Archive::write(&self.checkpoint.path, KIND, meta, &entries)
    }
}
