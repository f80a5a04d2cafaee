//! Forms of inference that a model does not have.

use std::fmt;

use thiserror::Error;

use crate::quoted;

crate::plain_debug!(FormError);

/// An engine, or a form of it, that a model does not have, or no model has.
#[derive(Error)]
#[non_exhaustive]
pub enum FormError {
    /// A name that no form has.
    #[error("`{given}` is not the name of an engine in one of its forms, which are {}", known.join(", "), given = quoted(given))]
    Unknown {
        /// What was given.
        given: String,
        /// The names.
        known: Vec<&'static str>,
    },
    /// The form that was asked for does not exist for this channel.
    #[error("{of} no {form} form: use the collapsed one")]
    Missing {
        /// What has none.
        of: Formless,
        /// The form.
        form: &'static str,
    },
    /// Tokens where not every latent of the rates can be integrated out.
    #[error("{why}, so that the latents of the rates cannot be integrated out: use the collapsed form")]
    NoTokens {
        /// Why.
        why: &'static str,
    },
    /// Tokens of counts that are not known, in a rate with a sum over several indices.
    #[error(
        "`{count}` is not observed as it is, and its rate sums over several indices: its tokens would have to take all of these at once; use the collapsed form"
    )]
    TokensOfSums {
        /// The count.
        count: &'static str,
    },
    /// Coordinate ascent where a shape is learned.
    #[error(
        "the shape of `{latent}` is learned, and no bound is known for coordinate ascent (CAVI) on a learned shape: use `gibbs`, or give the shape a number"
    )]
    NoBound {
        /// The latent.
        latent: &'static str,
    },
    /// The published form for a model with a Dirichlet latent.
    #[error(
        "the published form is defined for gamma factors; `{latent}` is a simplex: use the collapsed or the augmented form"
    )]
    PublishedSimplex {
        /// The latent.
        latent: &'static str,
    },
}

/// What has one form of inference, the collapsed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Formless {
    /// A channel without auxiliary variables.
    Channel(&'static str),
    /// Counts with a total.
    Total,
    /// Differences, which are observed as they are.
    Difference,
}

impl fmt::Display for Formless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Channel(name) => write!(f, "channel {name} has"),
            Self::Total => {
                f.write_str("counts with a total are drawn by whole lines with the noise summed out, so they have")
            }
            Self::Difference => f.write_str("Skellam counts are observed as they are, so they have"),
        }
    }
}
