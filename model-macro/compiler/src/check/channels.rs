//! A release is by the law of its mechanism, not by what draws it.

use syn::spanned::Spanned;

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Channel, Model};

/// The laws of the prelude.
const CHANNELS: [&str; 7] = [
    "TwoSidedGeometric",
    "TruncatedGeometric",
    "Laplace",
    "ContinuousLaplace",
    "Skellam",
    "AtLeastOne",
    "Exact",
];

/// The mechanisms of the runtime and their laws. Only a bare name is known to be one of these; rustc says of any other
/// type whether it is a channel.
const LAWS: [(&str, &str); 6] = [
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
pub(crate) fn is_channel(name: &str) -> bool {
    CHANNELS.contains(&name) || LAWS.iter().any(|(mechanism, _)| *mechanism == name)
}

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for count in &model.counts {
        let Channel::Released(path) = &count.channel else {
            continue;
        };
        // A path is the way to a law of the user's own, whatever its last word is.
        let Some(word) = path.get_ident().map(ToString::to_string) else {
            continue;
        };
        if let Some((mechanism, law)) = LAWS.iter().find(|(mechanism, _)| word == *mechanism) {
            sink.push(
                Diagnostic::new(
                    path.span(),
                    format!("`{mechanism}` is a mechanism: a declaration names the law of its releases"),
                )
                .why("inference uses the law of a release alone, not the mechanism that drew it")
                .help(format!("`release {} by {law};`", count.name)),
            );
        } else if let Some(nearest) = not_a_channel(&word) {
            let list: Vec<String> = CHANNELS.iter().map(|law| format!("`{law}`")).collect();
            let own = format!("`self::{word}` if `{word}` is your own `Channel`");
            let known = match nearest {
                Some(law) => format!("`release {} by {law};`", count.name),
                None => format!("one of {}", list.join(", ")),
            };
            sink.push(
                Diagnostic::new(path.span(), format!("`{word}` is not a law of releases"))
                    .why("a release is read by the law of its noise, which is one of the prelude or your own")
                    .help(format!("{known}, or {own}")),
            );
        }
    }
}

/// Whether a name is that of no law of the prelude, but like one: the law that is meant, if that can be told.
fn not_a_channel(word: &str) -> Option<Option<&'static str>> {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    if CHANNELS.contains(&word) {
        return None;
    }
    if let Some(law) = CHANNELS.into_iter().find(|law| plain(law) == plain(word)) {
        return Some(Some(law));
    }
    if matches!(word, "Geometric" | "DiscreteLaplace" | "DoubleGeometric") {
        return Some(Some("TwoSidedGeometric"));
    }
    // Of any other name rustc says whether there is such a type, and which one has a similar name.
    FOREIGN.contains(&word).then_some(None)
}
