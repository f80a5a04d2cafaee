//! What a Gibbs run keeps of every latent and of the rates.

use serde::{Deserialize, Serialize};

use crate::error::{Error, QueryError};

/// What is kept of one latent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    /// Every draw.
    Draws,
    /// The mean and the variance over the draws of each chain.
    Moments,
    /// The last draw of each chain.
    Last,
    /// Nothing.
    Nothing,
}

/// What is kept of the rates: their means over all draws.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeepRates {
    /// All of them where every count has at most [`KeepRates::SMALL`] cells, else none.
    #[default]
    Auto,
    /// None.
    Nothing,
    /// The rates of the held-out cells.
    HeldOut,
    /// The rates of these cells: each an index from 0 along every axis. For one of several counts, use
    /// [`Keep::rates_of`].
    At(Vec<Vec<usize>>),
    /// All of them.
    All,
}

impl KeepRates {
    /// Up to so many cells of a count the mean rate of every cell is kept by default: 16 MiB for each chain.
    pub const SMALL: usize = 1 << 21;
}

/// A latent of which something is kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct KeptLatent {
    /// Its name.
    pub name: &'static str,
    /// How many numbers it holds; a float, which does not overflow.
    pub number: f64,
    /// Whether it has an entry for every cell of a difference in whose rates it is, as the two sides of a noise have.
    pub per_cell: bool,
}

/// What a Gibbs run keeps. By default the draws of every latent that is small ([`Keep::SMALL`]) or whose draws go to a store
/// ([`Gibbs::draws_in`](super::Gibbs::draws_in)), the mean and variance of the others, and the mean rate of every cell where there are few ([`KeepRates::SMALL`]). For a latent that has an entry for every cell
/// of a difference ([`Skellam(plus = .., minus = ..)`]) only the last draw of each chain: these are the sides of a noise, as large as the
/// data, and for each entry there is one number to learn from.
///
/// [`Skellam(plus = .., minus = ..)`]: crate::model!
///
/// ```
/// use skellam::prelude::*;
/// let keep = Keep::default().rates(KeepRates::HeldOut).latent("phi", Kept::Moments);
/// let keep = keep.rates_of("mail", KeepRates::At(vec![vec![0, 3], vec![2, 2]]));
/// let settings = Gibbs { keep, ..Default::default() };
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Keep {
    rates: KeepRates,
    of_counts: Vec<(String, KeepRates)>,
    latents: Vec<(String, Kept)>,
}

impl Keep {
    /// Draws of a latent take at most so many bytes, over all chains, to be kept in memory by default.
    pub const SMALL: usize = 128 << 20;

    /// Says which rates are kept, of every count that [`Keep::rates_of`] does not name.
    #[must_use]
    pub fn rates(mut self, rates: KeepRates) -> Self {
        self.rates = rates;
        self
    }

    /// Says which rates of one count are kept.
    #[must_use]
    pub fn rates_of(mut self, count: &str, rates: KeepRates) -> Self {
        self.of_counts.retain(|(other, _)| other != count);
        self.of_counts.push((count.to_owned(), rates));
        self
    }

    /// Says what is kept of one latent.
    #[must_use]
    pub fn latent(mut self, name: &str, kept: Kept) -> Self {
        self.latents.retain(|(other, _)| other != name);
        self.latents.push((name.to_owned(), kept));
        self
    }

    /// What is kept of each latent of a model, if `draws` draws of all chains together are held in memory.
    pub(super) fn of_latents(&self, latents: &[KeptLatent], draws: f64) -> Result<Vec<Kept>, Error> {
        for (given, _) in &self.latents {
            QueryError::latent_at(given, latents.iter().map(|of| of.name))?;
        }
        let of = |latent: &KeptLatent| {
            let chosen = self.latents.iter().find(|(name, _)| name == latent.name);
            let bytes = 8.0 * latent.number * draws;
            match chosen {
                Some((_, kept)) => *kept,
                None if latent.per_cell => Kept::Last,
                None if bytes <= Self::SMALL as f64 => Kept::Draws,
                None => Kept::Moments,
            }
        };
        Ok(latents.iter().map(of).collect())
    }

    /// Which rates are kept of each of these counts.
    pub(super) fn of_rates(&self, counts: &[&str]) -> Result<Vec<&KeepRates>, Error> {
        for (given, _) in &self.of_counts {
            QueryError::count_at(given, counts.iter().copied())?;
        }
        let of = |count: &&str| {
            let named = self.of_counts.iter().find(|(name, _)| name == count);
            named.map_or(&self.rates, |(_, rates)| rates)
        };
        Ok(counts.iter().map(of).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_kept_where_they_are_few_and_where_they_are_asked_for() {
        let of = |name, number, per_cell| KeptLatent { name, number, per_cell };
        let latents = [
            of("theta", 1e6, false),
            of("phi", 100.0, false),
            of("plus", 100.0, true),
        ];
        let of = |keep: Keep, draws: f64| keep.of_latents(&latents, draws).unwrap();
        assert_eq!(of(Keep::default(), 1000.0), [Kept::Moments, Kept::Draws, Kept::Last]);
        assert_eq!(of(Keep::default(), 10.0), [Kept::Draws, Kept::Draws, Kept::Last]);
        let chosen = Keep::default().latent("theta", Kept::Draws).latent("phi", Kept::Last);
        let chosen = chosen.latent("plus", Kept::Draws);
        assert_eq!(of(chosen, 1000.0), [Kept::Draws, Kept::Last, Kept::Draws]);
        let error = Keep::default().latent("thetta", Kept::Last).of_latents(&latents, 1.0);
        assert!(matches!(error, Err(Error::Query(QueryError::UnknownLatent { given, .. })) if given == "thetta"));
    }

    #[test]
    fn every_count_may_keep_other_rates() {
        let keep = Keep::default()
            .rates(KeepRates::HeldOut)
            .rates_of("y", KeepRates::All)
            .rates_of("y", KeepRates::Nothing);
        let kept = keep.of_rates(&["x", "y"]).unwrap();
        assert_eq!(kept, [&KeepRates::HeldOut, &KeepRates::Nothing]);
        let error = keep.of_rates(&["x", "z"]);
        assert!(
            matches!(error, Err(Error::Query(QueryError::UnknownCount { given, known })) if given == "y" && known == "x, z")
        );
    }
}
