//! Laws of releases by their names.

use crate::cells::CellLaw;

/// The laws of the prelude: those of observations, and exact counts.
pub(crate) fn channels() -> impl Iterator<Item = &'static str> {
    CellLaw::ALL.into_iter().map(|law| law.name).chain(["Exact"])
}

/// The mechanisms of the runtime and their laws. Only a bare name is known to be one of these; rustc says of any other
/// type whether it is a channel.
pub(crate) const MECHANISMS: [(&str, &str); 6] = [
    ("Lplp", "TwoSidedGeometric"),
    ("Truncated", "TruncatedGeometric"),
    ("LatticeLaplace", "Laplace"),
    ("SkellamNoise", "Skellam"),
    ("Presence", "AtLeastOne"),
    ("Publication", "Exact"),
];

/// Laws of noise that other libraries have, and the prelude has not.
const FOREIGN: [&str; 11] = [
    "Gaussian",
    "Normal",
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Geometric",
    "DoubleGeometric",
    "Exponential",
    "Poisson",
    "Bernoulli",
    "Uniform",
    "RandomizedResponse",
];

/// Whether a name is that of a law of the prelude or of its mechanism.
pub(super) fn is_channel(name: &str) -> bool {
    channels().any(|law| law == name) || MECHANISMS.iter().any(|(mechanism, _)| *mechanism == name)
}

/// Whether a name is that of no law of the prelude, but like one: the law that is meant, if that can be told.
pub(crate) fn not_a_channel(word: &str) -> Option<Option<&'static str>> {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    if channels().any(|law| law == word) {
        return None;
    }
    if let Some(law) = channels().find(|law| plain(law) == plain(word)) {
        return Some(Some(law));
    }
    if matches!(word, "Geometric" | "DiscreteLaplace" | "DoubleGeometric") {
        return Some(Some("TwoSidedGeometric"));
    }
    // Of any other name rustc says whether there is such a type, and which one has a similar name.
    FOREIGN.contains(&word).then_some(None)
}
