//! The laws that everything derived from a declaration must obey.

use std::str::FromStr;

/// The laws, each with its name, what its statistic is, and what to do where it fails.
macro_rules! laws {
    ($(#[doc = $doc:literal] $law:ident: $name:literal, $statistic:literal, $advice:literal;)*) => {
        /// A law. Its [name](Check::name) is that of the table in the documentation of the [crate](crate); a law is also parsed from it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Check {
            $(#[doc = $doc] $law,)*
        }

        impl Check {
            /// All of them, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$law),*];

            /// Its name in the table.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$law => $name,)*
                }
            }

            /// What the statistic is.
            pub(super) fn statistic(self) -> &'static str {
                match self {
                    $(Self::$law => $statistic,)*
                }
            }

            /// What a failure means, and what to do.
            pub(super) fn advice(self) -> &'static str {
                match self {
                    $(Self::$law => $advice,)*
                }
            }
        }
    };
}

laws! {
    /// What a family of priors says of itself: draws, density, moments and distances belong together.
    Family:
        "prior family",
        "Kolmogorov-Smirnov distance, deviation of a mean in standard errors, or relative error",
        "the family contradicts itself. `draws`: `distribution` should be the distribution function of what `draw` draws; \
         `moments`, `density`, `divergence`: these should be those of the draws; `conjugacy`: `ln_density` with n counts \
         and an exposure of e more should differ by n ln x - e x and a constant";
    /// What a channel says of one cell follows from its own marginal, and that from what it draws.
    Channel:
        "channel",
        "relative error, Kolmogorov-Smirnov distance or deviation of a mean, scaled",
        "the channel contradicts itself. `marginal`: probabilities of all observations should add up to one; \
         `observe`: its draws should have the probabilities of `ln_marginal`; `slope`: `expect` / rate should be \
         1 + d ln_marginal / d rate; `log_linear`: `ln_marginal` should be constant - weight * rate, and `text` should say so in `linear`; `zero_bound`: \
         P(y = 0) should not be below exp(-kappa * rate); `impute` and `augmented`: draws should have the law that \
         `ln_marginal` implies";
    /// Ratios of complete conditionals are ratios of joint densities, and rates are up to date after an update.
    JointRatio:
        "conditionals",
        "ratio of conditionals against ratio of joints; rates after an update against those made anew",
        "the complete conditional is not that of the declared model. Where a generated file was changed, the \
         function that draws the latent and `SPEC` disagree; else please report it, with \
         the declaration";
    /// A custom update leaves the complete conditional as it is.
    CustomUpdate:
        "custom update",
        "Kolmogorov-Smirnov against the conditional",
        "the draw of `update .. by ..` does not leave the complete conditional invariant: compare its `draw` \
         with Gamma(shape, rate), or `draw_simplex` with Dirichlet(concentration); `rate` is the reciprocal of a scale";
    /// Scaling factors along a symmetry changes no rate.
    Symmetries:
        "symmetries",
        "rates after a scaling against rates before, relative to the largest",
        "a scaling of factors that is said to change no rate changes some: please report it, with the declaration";
    /// The density that joint moves go by is the joint density, true counts summed out, and its gradient is its derivative.
    Density:
        "density",
        "differences of the density against plain loops, of its gradient against differences",
        "joint moves go by another density than that of the declared model. If a `channel` fails as well, start there: \
         `ln_marginal` and `slope` belong together; else please report it, with the declaration";
    /// Counts on the factors have the law of the declaration, given factors and data.
    Allocations:
        "allocations",
        "deviation of a mean, scaled",
        "counts given factors and data do not have the law of the declared model. If `impute` of a channel fails \
         as well, start there; else please report it, with the declaration";
    /// Draws of the engine have the law of their conditional.
    Draws:
        "draws",
        "Kolmogorov-Smirnov against the conditional",
        "the engine does not draw from the conditional that it was handed: please report it, with the declaration";
    /// The bound of CAVI never falls.
    Ascent:
        "bound rises",
        "largest fall, relative to the bound",
        "an update lowers the bound that it should raise: look at the `ascend` of an `update .. by ..` first, \
         then report it with the declaration";
    /// The bound is flat where CAVI ends.
    Flat:
        "bound is flat",
        "largest derivative of the bound",
        "CAVI stops where the bound still has a slope, so the updates and the bound are not of one model: look \
         at the `ascend` of an `update .. by ..` first, then report it with the declaration";
    /// The joint distribution test of the samplers (Geweke 2004).
    Geweke:
        "sampler",
        "Kolmogorov-Smirnov distance of two samples, scaled",
        "the sampler does not draw from the posterior of the declared model. If a `custom update` fails as well, \
         start there; if all conditionals hold, suspect the channel, then report it with the declaration";
    /// The joint distribution test of chains that make joint moves.
    Moves:
        "moves",
        "Kolmogorov-Smirnov distance of two samples, scaled; of operands, relative to the largest",
        "joint moves do not leave the posterior as it is. If `symmetries` or `density` fails as well, start there; until \
         it is corrected, `Gibbs { moves: Moves::Nothing, .. }` does without them: please report it, with the declaration";
    /// With every cell held out the sampler draws from the prior.
    Prior:
        "prior",
        "Kolmogorov-Smirnov distance of two samples, scaled",
        "without data the sampler should return to the prior: look at `custom update` first, then report it with \
         the declaration";
    /// Every law can be tried: none ends with a panic.
    Tried:
        "tried",
        "laws that ended with a panic",
        "a run ended with a panic. If it is from an update, a family or a mechanism of yours, correct that; otherwise please report \
         it, with the declaration";
}

/// There is no law of that name to be chosen. [`Check::Tried`] is not: it is tried with every other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no law `{name}`: the laws are {}", Check::choices().map(|law| format!("`{}`", law.name())).collect::<Vec<_>>().join(", "))]
pub struct UnknownLaw {
    /// What was asked for.
    pub name: String,
}

impl Check {
    pub(super) fn choices() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|law| *law != Self::Tried)
    }
}

impl FromStr for Check {
    type Err = UnknownLaw;

    fn from_str(name: &str) -> Result<Self, UnknownLaw> {
        let unknown = || UnknownLaw { name: name.to_owned() };
        Self::choices().find(|law| law.name() == name).ok_or_else(unknown)
    }
}
