//! Names that are made of declared names are distinct: constants for index sets, types for the mechanisms of several counts.

use syn::Ident;
use syn::ext::IdentExt;

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::Model;

pub(super) fn check(model: &Model, sink: &mut Sink) {
    let spaces = [
        (
            &constants(model),
            "each index set gets a constant, named in capitals, with `_INDEX` added where that name is taken",
        ),
        (
            &laws(model),
            "in a model with several counts each count gets a type for its law, named without underscores",
        ),
    ];
    // Once for each pair of declared names, however many generated ones collide.
    let mut reported: Vec<&Ident> = Vec::new();
    for (names, why) in spaces {
        for (at, (name, mine)) in names.iter().enumerate() {
            let Some((_, theirs)) = names[..at].iter().find(|(other, _)| other == name) else {
                continue;
            };
            // Names that are declared twice were reported.
            if mine == theirs || reported.contains(mine) {
                continue;
            }
            reported.push(mine);
            sink.push(
                Diagnostic::new(mine.span(), format!("`{theirs}` and `{mine}` both generate `{name}`"))
                    .why(why)
                    .help(format!("rename one of the two: `{mine}2`")),
            );
        }
    }
}

/// The constant by which an index set is labelled: `WORDS` for `words`. Sizes, hyperparameters and data are set by
/// methods of their names, the `setters`; beside a method `N` the constant is `N_INDEX`.
pub fn label(set: &str, setters: &[String]) -> String {
    let capitals = set.to_uppercase();
    if setters.contains(&capitals) {
        capitals + "_INDEX"
    } else {
        capitals
    }
}

/// The methods of a model that set what it declares.
fn setters(model: &Model) -> Vec<&Ident> {
    let (hypers, data) = (model.hypers.iter().map(|h| &h.name), model.data.iter().map(|d| &d.name));
    model.sets.iter().map(|s| &s.name).chain(hypers).chain(data).collect()
}

/// `Topics::WORDS`, one for each index set.
pub fn labels(model: &Model) -> Vec<String> {
    let setters: Vec<String> = setters(model).iter().map(ToString::to_string).collect();
    let each = model.sets.iter().map(|set| label(&set.name.to_string(), &setters));
    each.collect()
}

/// The constants, and the setters among which they stand, each with what it is called after.
fn constants(model: &Model) -> Vec<(String, &Ident)> {
    let setters = setters(model).into_iter().map(|setter| (setter.to_string(), setter));
    let sets = model.sets.iter().map(|set| &set.name);
    setters.chain(labels(model).into_iter().zip(sets)).collect()
}

/// `GroupsMailLaw`, with the name of the count.
fn laws(model: &Model) -> Vec<(String, &Ident)> {
    let several = model.counts.iter().filter(|_| model.counts.len() > 1);
    let law = |name: &Ident| format!("{}{}Law", model.name, camel(&name.to_string()));
    several.map(|count| (law(&count.name), &count.name)).collect()
}

/// Constants of the model with its data, by which latents, then known arrays, then counts are numbered: `THETA` for `theta`, and
/// the name as it is where another one has the same capitals.
pub fn numbers(model: &Model) -> Vec<String> {
    let latents = model.latents.iter().map(|l| &l.name);
    let all = latents
        .chain(model.data.iter().map(|d| &d.name))
        .chain(model.counts.iter().map(|c| &c.name));
    let capitals = |name: &Ident| name.unraw().to_string().to_uppercase();
    let each = all.clone().map(|name| {
        let alone = all.clone().filter(|other| capitals(other) == capitals(name)).count() == 1;
        if alone { capitals(name) } else { name.to_string() }
    });
    each.collect()
}

/// `mail_log` as `MailLog`, as types are named.
pub(crate) fn camel(word: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        let first = letters.next().map(|first| first.to_uppercase().collect::<String>());
        first.map_or_else(String::new, |first| first + letters.as_str())
    };
    word.split('_').map(capital).collect()
}
