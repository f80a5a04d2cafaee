//! A release is by the law of its mechanism, not by what draws it.

use syn::spanned::Spanned;

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Channel, Model};
use crate::syntax::{MECHANISMS, channels, not_a_channel};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for count in &model.counts {
        let Channel::Released(path) = &count.channel else {
            continue;
        };
        // A path is the way to a law of the user's own, whatever its last word is.
        let Some(word) = path.get_ident().map(ToString::to_string) else {
            continue;
        };
        if let Some((mechanism, law)) = MECHANISMS.iter().find(|(mechanism, _)| word == *mechanism) {
            sink.push(
                Diagnostic::new(
                    path.span(),
                    format!("`{mechanism}` is a mechanism: a declaration names the law of its releases"),
                )
                .why("inference uses the law of a release alone, not the mechanism that drew it")
                .help(format!("`release {} by {law};`", count.name)),
            );
        } else if let Some(nearest) = not_a_channel(&word) {
            let list: Vec<String> = channels().map(|law| format!("`{law}`")).collect();
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
