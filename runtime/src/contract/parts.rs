//! How a number of an inner node is divided over the summands that make it.

use crate::distribution::{thin, thin_ln};
use crate::streams::Stream;

/// Divides numbers in proportion to weights: drawn counts multinomially, means and derivatives as they are.
#[derive(Debug)]
pub struct Parts {
    rng: Option<Stream>,
    weights: Vec<f64>,
    parts: Vec<f64>,
}

impl Parts {
    /// Divides counts that were drawn.
    pub fn drawn(rng: Stream) -> Self {
        Self {
            rng: Some(rng),
            ..Self::expected()
        }
    }

    /// Divides means, or derivatives.
    pub fn expected() -> Self {
        Self {
            rng: None,
            weights: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// The parts of `n` in proportion to `weight`, of which there are `length`.
    pub fn of(&mut self, n: f64, length: usize, weight: impl Fn(usize) -> f64) -> &[f64] {
        let Self { rng, weights, parts } = self;
        weights.clear();
        weights.extend((0..length).map(&weight));
        parts.clear();
        parts.resize(length, 0.0);
        let total: f64 = weights.iter().sum();
        match rng {
            None if total > 0.0 => {
                let by = n / total;
                parts
                    .iter_mut()
                    .zip(&*weights)
                    .for_each(|(part, weight)| *part = by * weight);
            }
            None => {}
            Some(rng) => {
                let is_divided = thin(n as u64, weights, total, rng, |part, n| parts[part] += n as f64).is_ok();
                if !is_divided {
                    // Every product underflowed although a count was seen: compare them on the log scale. If they vanish there
                    // too, a known array says that nothing can be here.
                    weights.iter_mut().for_each(|weight| *weight = weight.ln());
                    let _ = thin_ln(n as u64, weights, rng, |part, n| parts[part] += n as f64);
                }
            }
        }
        parts
    }
}
