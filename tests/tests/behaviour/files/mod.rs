//! Checkpoints, saved fits, and what happens to both when a program is stopped.

use std::path::PathBuf;

use skellam::infer::Checkpoint;
use skellam::prelude::*;

mod arviz;
mod going_on;
mod partial;
mod processes;
mod refused;
mod saved;
mod streamed;

skellam::model! {
    /// Topics of documents.
    pub model Topics {
        index docs, words, topics;
        hyper a: positive = 0.3, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// A folder of its own for one test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("skellam-files-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint::new(self.path("run.ckpt")).every_sweeps(2)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Counts with some structure, and their release.
fn released(docs: usize, words: usize) -> Released<TwoSidedGeometric> {
    let value = |cell: usize| (cell * cell * 31 + cell / words * 7) % 11;
    let values = (0..docs * words).map(|cell| value(cell) as i64 - 3).collect();
    let law = TwoSidedGeometric::new(0.4).unwrap();
    Released::assert_mechanism(vec![docs, words], values, law.into()).unwrap()
}

fn topics(docs: usize, words: usize) -> Topics {
    let names: Vec<String> = (0..words).map(|v| format!("wort-ä{v}")).collect();
    let topics = Topics::new(&released(docs, words)).unwrap().topics(3);
    topics.labels(Topics::WORDS, &names).unwrap()
}

fn sampling() -> Gibbs {
    Gibbs {
        num_tune: 3,
        num_draws: 4,
        thin: Some(2),
        num_chains: Some(3),
        seed: 7,
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

fn ascending() -> Cavi {
    Cavi {
        max_iters: 14,
        anneal_iters: 4,
        check_every: 2,
        num_restarts: 3,
        seed: 7,
        progress: Progress::Hidden,
        ..Cavi::default()
    }
}
