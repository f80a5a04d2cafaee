//! What a model or a fit is asked for.

use thiserror::Error;

use crate::quoted;

crate::plain_debug!(QueryError);

/// What was asked for by a name or a position that there is not, or that was not kept.
#[derive(Error)]
#[non_exhaustive]
pub enum QueryError {
    /// An unknown latent.
    #[error("`{given}` is not a latent of this model, which has {known}", given = quoted(given), known = quoted(known))]
    UnknownLatent {
        /// What was given.
        given: String,
        /// The latents.
        known: String,
    },
    /// An unknown count.
    #[error("`{given}` is not a count of this model, which has {known}")]
    UnknownCount {
        /// What was given.
        given: String,
        /// The counts.
        known: String,
    },
    /// An index set that no latent of a fit has.
    #[error("no latent of this fit has the index set `{given}`: its latents have {known}", given = quoted(given))]
    UnknownComponents {
        /// What was given.
        given: String,
        /// The index sets of the latents.
        known: String,
    },
    /// A cell that a count does not have.
    #[error("`{count}` has no cell {cell:?}: its shape is {shape:?}, and indices start at 0")]
    NoSuchCell {
        /// The count.
        count: &'static str,
        /// What was given.
        cell: Vec<usize>,
        /// Size of each index of the count.
        shape: Vec<usize>,
    },
    /// A cell whose log likelihood was asked for, and that inference did not see.
    #[error(
        "cell {cell:?} of `{count}` is held out, so what a fit says of it is a prediction already: take the held-out score of the fit, and leave the cell out"
    )]
    HeldOut {
        /// The count.
        count: &'static str,
        /// The cell.
        cell: Vec<usize>,
    },
    /// A chain that a fit does not have.
    #[error("there is no chain {given}: the fit has {chains}, counted from 0")]
    NoSuchChain {
        /// What was given.
        given: usize,
        /// Chains of the fit.
        chains: usize,
    },
    /// A summary over chains whose components stand in different orders.
    #[error(
        "each of the {chains} chains has the `{components}` of `{latent}` in an order of its own, so a mean over chains mixes \
         different components: {instead}"
    )]
    NotAligned {
        /// The latent.
        latent: String,
        /// The index set of the components.
        components: String,
        /// How many chains there are.
        chains: usize,
        /// What to do instead.
        instead: String,
    },
    /// An index set that cannot be brought into one order: its values are those of data or of time, or change places in more ways than one.
    #[error("`{given}` cannot be brought into one order: {why}")]
    NotAlignable {
        /// The index set.
        given: String,
        /// Why, and what to do instead.
        why: String,
    },
    /// A latent of which no least error can be stated.
    #[error("no least error of `{latent}` can be stated: {why}")]
    NoPower {
        /// The latent.
        latent: String,
        /// Why.
        why: &'static str,
    },
    /// A latent without values.
    #[error("`{latent}` has no values: give those of all latents, of a fit, a draw of the prior or a guess")]
    NoValue {
        /// The latent.
        latent: String,
    },
    /// Something that a run did not keep.
    #[error("{what} was not kept: {instead}")]
    NotKept {
        /// What was asked for.
        what: String,
        /// What to ask for instead.
        instead: String,
    },
}

impl QueryError {
    /// The position of a latent, by its name.
    pub(crate) fn latent_at<'a>(given: &str, names: impl Iterator<Item = &'a str> + Clone) -> Result<usize, Self> {
        names
            .clone()
            .position(|name| name == given)
            .ok_or_else(|| Self::UnknownLatent {
                given: given.to_owned(),
                known: names.collect::<Vec<_>>().join(", "),
            })
    }

    /// The position of a count, by its name.
    pub(crate) fn count_at<'a>(given: &str, names: impl Iterator<Item = &'a str> + Clone) -> Result<usize, Self> {
        names
            .clone()
            .position(|name| name == given)
            .ok_or_else(|| Self::UnknownCount {
                given: given.to_owned(),
                known: names.collect::<Vec<_>>().join(", "),
            })
    }

    /// The row-major position of a cell of a count of this shape, if it is one of those that the count has.
    pub(crate) fn cell_at(
        count: &'static str,
        shape: &[usize],
        index: &[usize],
        has: impl FnOnce(usize) -> bool,
    ) -> Result<usize, Self> {
        let fits = index.len() == shape.len() && index.iter().zip(shape).all(|(i, size)| i < size);
        let cell = index.iter().zip(shape).fold(0, |at, (i, size)| at * size + i);
        match fits && has(cell) {
            true => Ok(cell),
            false => Err(Self::NoSuchCell {
                count,
                cell: index.to_vec(),
                shape: shape.to_vec(),
            }),
        }
    }

    /// Refuses a chain that there is not.
    pub(crate) fn chain(given: usize, chains: usize) -> Result<(), Self> {
        match given < chains {
            true => Ok(()),
            false => Err(Self::NoSuchChain { given, chains }),
        }
    }

    /// Components of several chains that are in no common order; `why` they cannot be brought into one, where they cannot.
    pub(crate) fn not_aligned(latent: &str, components: &str, chains: usize, why: Option<&str>) -> Self {
        Self::NotAligned {
            latent: latent.to_owned(),
            components: components.to_owned(),
            chains,
            instead: match why {
                None => format!("take it from `fit.aligned(\"{components}\")?`, or from one chain (`mean_of_chain`)"),
                Some(why) => format!("take it from one chain (`mean_of_chain`); no order is common to all, as {why}"),
            },
        }
    }
}
