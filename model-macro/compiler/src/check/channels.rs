//! A release is by the law of its mechanism, not by what draws it.

use syn::spanned::Spanned;

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Channel, Model};

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

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for count in &model.counts {
        let Channel::Released(path) = &count.channel else {
            continue;
        };
        let Some((mechanism, law)) = LAWS.iter().find(|(mechanism, _)| path.is_ident(mechanism)) else {
            continue;
        };
        sink.push(
            Diagnostic::new(
                path.span(),
                format!("`{mechanism}` is a mechanism: a declaration names the law of its releases"),
            )
            .why("inference uses the law of a release alone, not the mechanism that drew it")
            .help(format!("`release {} by {law};`", count.name)),
        );
    }
}
