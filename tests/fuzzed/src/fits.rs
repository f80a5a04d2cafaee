//! What is asked of every saved fit and every checkpoint, however it was forged: no panic, no more memory than the file is long, and errors in
//! one line.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use skellam::infer::Saved;
use skellam::prelude::*;

use super::archive::resealed;
use super::forgery::{in_one_line, write_new};

skellam::model! {
    /// A table of two latents.
    pub model Small {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.5, along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Writes the fit, its sums and digest put right, and reads it by every door. Says whether it was accepted by all.
pub fn read_fit(path: &Path, bytes: &[u8]) -> bool {
    write_new(path, &resealed(bytes));
    let fit = match Saved::load(path) {
        Ok(fit) => fit,
        Err(error) => {
            in_one_line(&error.to_string());
            return false;
        }
    };
    let mut accepted = true;
    let mut see = |said: Option<String>| {
        accepted &= said.is_none();
        said.iter().for_each(|said| in_one_line(said));
    };
    let error = |error: Error| error.to_string();
    for latent in fit.latents() {
        see(fit.mean(latent).err().map(error));
        see(fit.mean_of_chain(latent, 0).err().map(error));
        let _ = (fit.draws(latent), fit.most_probable(latent));
    }
    for count in fit.counts() {
        see(fit.promise(count).err().map(error));
        let _ = fit.rates(count);
    }
    for name in fit.arrays() {
        let (shape, values) = fit.array(name).expect("it is listed");
        assert_eq!(shape.iter().product::<usize>(), values.len(), "{name}");
    }
    let _ = (
        fit.model(),
        fit.engine(),
        fit.seed(),
        fit.warnings(),
        fit.labels("words"),
        fit.ln_joint(),
    );
    see(fit.summary().map(|summary| summary.to_string()).err().map(error));
    accepted
}

/// The settings of a run of four draws by two chains.
fn settings(path: &Path) -> Gibbs {
    Gibbs {
        num_tune: 4,
        max_retunes: 0,
        num_draws: 4,
        thin: Some(1),
        num_chains: Some(2),
        num_threads: Some(1),
        seed: 3,
        checkpoint: Some(Checkpoint::new(path)),
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

/// Goes on from the checkpoint, to one draw more of each chain.
///
/// # Errors
/// The sentence of the error.
pub fn go_on(path: &Path) -> Result<(), String> {
    let law = TwoSidedGeometric::new(0.4).expect("a ratio");
    let released = Released::assert_mechanism(vec![3, 2], vec![3, -1, 0, 4, 1, 2], law.into()).expect("six values");
    let model = Small::new(&released).expect("a model").topics(2);
    let longer = Gibbs {
        num_draws: 5,
        ..settings(path)
    };
    let settings = if path.exists() { longer } else { settings(path) };
    model.gibbs(&settings).map(|_| ()).map_err(|error| error.to_string())
}

/// Writes a checkpoint in which the numbers of one array are others, its name and these numbers being the words of a text, and goes on from
/// it. Says whether it was accepted.
pub fn read_checkpoint(path: &Path, text: &[u8]) -> bool {
    static RIGHT: OnceLock<Vec<u8>> = OnceLock::new();
    let right = RIGHT.get_or_init(|| {
        let _ = fs::remove_file(path);
        go_on(path).expect("a run of four draws");
        fs::read(path).expect("its checkpoint")
    });
    let text = String::from_utf8_lossy(text);
    let mut words = text.split_whitespace();
    let name = format!("{}.npy", words.next().unwrap_or_default());
    let numbers = words
        .map_while(|word| word.parse::<f64>().ok())
        .flat_map(f64::to_le_bytes);
    let mut bytes = right.clone();
    // The local header comes first; behind it stand the header of the array, of 128 bytes, and the numbers. The directory, which comes last,
    // has the size.
    let is_name = |window: &[u8]| window == name.as_bytes();
    let mut windows = bytes.windows(name.len());
    if let (Some(at), Some(listed)) = (windows.clone().position(is_name), windows.rposition(is_name)) {
        let start = at + name.len() + 128;
        let size = u32::from_le_bytes(std::array::from_fn(|byte| bytes[listed - 22 + byte])) as usize;
        // Half a name finds something else, which may be anything.
        let all = start..(start + size).saturating_sub(128);
        let old = bytes.get_mut(all).into_iter().flatten();
        old.zip(numbers).for_each(|(byte, new)| *byte = new);
    }
    write_new(path, &resealed(&bytes));
    match go_on(path) {
        Ok(()) => true,
        Err(error) => {
            in_one_line(&error);
            false
        }
    }
}
