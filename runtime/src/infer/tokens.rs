//! A Gibbs chain over tokens, with the latents of the rates integrated out (Griffiths and Steyvers 2004).
//!
//! A token is one unit of a count, on one term of the rate of its cell and one value of each index that the term sums over. Tokens are at their cells and
//! on these values; urns hold how many are on each entry of the latents. Tokens move one by one, given where all others are. Latents are drawn
//! given the tokens where somebody looks at them:
//!
//! ```text
//! counts observed as they are      tokens of the last sweep -> moved
//! others, latents in priors        counts of all cells drawn, tokens put on terms (both given the latents) -> moved -> latents of the rates, then an
//!                                  ordinary sweep given the counts on entries
//! ```
//!
//! In the second case the chain is partially collapsed: what is integrated out is drawn again before anything is conditioned on it.

use std::path::Path;

use crate::contract::{Tokens, TokensOf};
use crate::error::FormError;
use crate::file::{Parts, SavedError, fault};
use crate::memory::fits;
use crate::model::{Bound, ByTokens, CountRate, Factors, Model};
use crate::streams::{Purpose, Streams};
use crate::view::Auxiliary;

use super::custom::Fault;

/// The tokens of one chain.
pub(super) struct ChainTokens {
    by: ByTokens,
    /// Whether counts are observed as they are, so that tokens stay from sweep to sweep.
    are_known: bool,
    /// Whether nothing but tokens is drawn: counts are known, and no latent but those of the rates.
    is_alone: bool,
    counts: Vec<(&'static str, TokensOf)>,
    /// The urns with all tokens.
    urns: Box<dyn Tokens>,
}

impl ChainTokens {
    /// No tokens yet.
    ///
    /// # Errors
    /// See [`Bound::by_tokens`].
    pub fn new(model: &dyn Model) -> Result<Self, FormError> {
        let bound = model.bound();
        let by = bound.by_tokens()?;
        let others = (0..model.latents().len()).filter(|latent| !by.integrated.contains(latent));
        let (are_known, others_move) = (
            bound.are_known(),
            others.into_iter().any(|of| bound.frozen(of).is_none()),
        );
        let urns = bound.tokens_at(by, &model.factors());
        let counts = bound.views().into_iter().enumerate().map(|(number, view)| {
            let none = TokensOf::none(view.grid().shape(), &urns.choices(number));
            (view.name(), none)
        });
        Ok(Self {
            by,
            are_known,
            is_alone: are_known && !others_move,
            counts: counts.collect(),
            urns,
        })
    }

    pub fn is_alone(&self) -> bool {
        self.is_alone
    }

    /// Whether counts have to be drawn before tokens move.
    pub fn draws_counts(&self) -> bool {
        !self.are_known
    }

    /// Whether a latent is integrated out.
    pub fn has(&self, bound: &Bound, latent: usize) -> bool {
        bound.is_integrated(self.by, latent)
    }

    /// Draws the counts of all cells at the present rates; tokens are on no values yet.
    ///
    /// # Errors
    /// There is no memory for them, or a total has no law in range.
    pub fn count(
        &mut self,
        bound: &Bound,
        (count_rates, auxiliary): (&mut [CountRate], &mut [Auxiliary]),
        streams: &Streams,
    ) -> Result<(), Fault> {
        (bound.draw_tables(count_rates, auxiliary, streams)).map_err(Fault::Total)?;
        for (number, (name, of)) in self.counts.iter_mut().enumerate() {
            let (mut tokens, width) = (0usize, of.choices().len());
            let (cells, z) = of.parts_mut();
            cells.clear();
            let (view, auxiliary) = (bound.view(number), &mut auxiliary[number]);
            count_rates[number].each_count(view, auxiliary, streams, number, &mut |cell, mut count| {
                tokens = tokens.saturating_add(count as usize);
                while count > 0 {
                    let some = count.min(u64::from(u32::MAX)) as u32;
                    cells.push((cell, some));
                    count -= u64::from(some);
                }
            });
            let numbers = tokens.saturating_mul(width);
            let room = numbers.saturating_sub(z.len());
            if fits(name, numbers as f64 * size_of::<u32>() as f64, "").is_err() || z.try_reserve(room).is_err() {
                return Err(Fault::Tokens { count: number, numbers });
            }
            z.resize(numbers, 0);
        }
        Ok(())
    }

    /// Puts every token on values in proportion to the rates at `x`.
    pub fn allocate(&mut self, bound: &Bound, x: &Factors, streams: &Streams) {
        let at_x = bound.tokens_at(self.by, x);
        for (number, (_, of)) in self.counts.iter_mut().enumerate() {
            at_x.allocate(number, of, &mut streams.open(Purpose::Tokens, number, 0));
        }
    }

    /// Puts all tokens into urns, made at the present values of the latents in priors.
    pub fn fill(&mut self, bound: &Bound, x: &Factors) {
        self.urns = bound.tokens_integrated(self.by, x);
        for (number, (_, of)) in self.counts.iter_mut().enumerate() {
            self.urns.add_all(number, of);
        }
    }

    /// Moves every token given where all others are.
    pub fn sweep(&mut self, streams: &Streams) {
        for (number, (_, of)) in self.counts.iter_mut().enumerate() {
            self.urns
                .advance(number, of, &mut streams.open(Purpose::Tokens, number, 1));
        }
    }

    /// The tokens on the entries of the latents.
    pub fn numbers(&self, into: &mut Factors) {
        into.fill(0.0);
        self.urns.each_urn(&mut |latent, urn| {
            if let Some(latent) = latent {
                urn.numbers(&mut into[latent]);
            }
        });
    }

    /// The log density of all tokens at their cells and on their values, the latents of the rates integrated out.
    pub fn ln_joint(&self) -> f64 {
        let mut sum = 0.0;
        self.urns.each_urn(&mut |_, urn| sum += urn.ln_joint());
        sum
    }

    /// Mean and variance of each entry of a latent given the tokens, if it is integrated out.
    pub fn moments(&self, bound: &Bound, latent: usize) -> Option<[Vec<f64>; 2]> {
        let mut found = None;
        if self.has(bound, latent) {
            self.urns.each_urn(&mut |of, urn| {
                if of == Some(latent) {
                    found = Some(urn.moments());
                }
            });
        }
        found
    }

    pub fn save(&self, parts: &mut Parts) {
        for (name, of) in self.counts.iter().filter(|_| self.are_known) {
            let z = of.numbers().iter().map(|z| f64::from(*z)).collect();
            parts.put(format!("chain/tokens/{name}"), z);
        }
    }

    /// Takes back where tokens were; they are counted already.
    pub fn restore(&mut self, parts: &mut Parts, path: &Path) -> Result<(), SavedError> {
        for (name, of) in self.counts.iter_mut().filter(|_| self.are_known) {
            let name = format!("chain/tokens/{name}");
            let mut saved = vec![0.0; of.numbers().len()];
            parts.fill(path, &name, &mut saved)?;
            let choices: Vec<usize> = of.choices().collect();
            for (number, (z, saved)) in of.parts_mut().1.iter_mut().zip(saved).enumerate() {
                let size = choices[number % choices.len()];
                if !(saved >= 0.0 && saved < size as f64 && saved.fract() == 0.0) {
                    let what = format!("has a token on {saved}, where there are {size} values from 0");
                    return Err(fault(path, &name, what));
                }
                *z = saved as u32;
            }
        }
        Ok(())
    }
}
