//! Scale symmetries with the present mistake.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use skellam::model::{Scaled, Symmetry};

use super::Mistake;

/// Where a list of symmetries stands, the latent that is scaled for no reason, and the mistake.
type Key = (usize, usize, usize);

static MADE: Mutex<BTreeMap<Key, &'static [Symmetry]>> = Mutex::new(BTreeMap::new());

/// The symmetries of a model with `mistake`; `latent` may be scaled, but by itself changes rates. What a model says of itself
/// lives as long as the program: every list is made once.
pub fn altered(right: &'static [Symmetry], latent: usize, mistake: Mistake) -> &'static [Symmetry] {
    if !matches!(mistake, Mistake::SymmetryPower | Mistake::SymmetryMore) {
        return right;
    }
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (right.as_ptr() as usize, latent, mistake as usize);
    made.entry(key).or_insert_with(|| wrong(right, latent, mistake))
}

fn wrong(right: &'static [Symmetry], latent: usize, mistake: Mistake) -> &'static [Symmetry] {
    let mut all: Vec<Symmetry> = right.to_vec();
    if mistake == Mistake::SymmetryMore {
        all.push(Symmetry {
            scaled: vec![Scaled {
                latent,
                axis: 0,
                power: 1,
            }]
            .leak(),
            by_index: false,
        });
    } else {
        for symmetry in &mut all {
            let mut scaled = symmetry.scaled.to_vec();
            if let Some(last) = scaled.last_mut() {
                last.power *= 2;
            }
            symmetry.scaled = scaled.leak();
        }
    }
    all.leak()
}
