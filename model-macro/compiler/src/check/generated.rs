//! Names that are made of declared names are distinct: constants for index sets, types for the mechanisms of several counts.

use proc_macro2::Span;
use syn::ext::IdentExt;

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::Model;

/// A generated name with the declared names that it is made of.
#[derive(Debug)]
pub struct Generated {
    /// What is generated.
    pub name: String,
    /// The declared names, the last declared one last.
    pub from: Vec<(String, Span)>,
}

pub(super) fn check(model: &Model, sink: &mut Sink) {
    let spaces = [
        (
            constants(model),
            "each index set gets a constant, named in capitals, with `_INDEX` added where that name is taken",
        ),
        (
            laws(model),
            "in a model with several counts each count gets a type for its law, named without underscores",
        ),
    ];
    // Once for each pair of declared names, however many generated ones collide.
    let mut reported: Vec<String> = Vec::new();
    for (names, why) in spaces {
        for (at, name) in names.iter().enumerate() {
            let Some(other) = names[..at].iter().find(|other| other.name == name.name) else {
                continue;
            };
            let differs = |one: &Generated, two: &Generated| {
                let new = one.from.iter().find(|(n, _)| !two.from.iter().any(|(m, _)| m == n));
                new.cloned()
            };
            // Names that are declared twice were reported.
            let (Some((mine, span)), Some((theirs, _))) = (differs(name, other), differs(other, name)) else {
                continue;
            };
            if reported.contains(&mine) {
                continue;
            }
            reported.push(mine.clone());
            sink.push(
                Diagnostic::new(span, format!("`{theirs}` and `{mine}` both generate `{}`", name.name))
                    .why(why)
                    .help(format!("rename one of the two: `{mine}2`")),
            );
        }
    }
}

fn one(name: &syn::Ident) -> (String, Span) {
    (name.to_string(), name.span())
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
fn setters(model: &Model) -> Vec<&syn::Ident> {
    let (hypers, data) = (model.hypers.iter().map(|h| &h.name), model.data.iter().map(|d| &d.name));
    model.sets.iter().map(|s| &s.name).chain(hypers).chain(data).collect()
}

/// `Topics::WORDS`, one for each index set.
pub fn labels(model: &Model) -> Vec<String> {
    let setters: Vec<String> = setters(model).iter().map(ToString::to_string).collect();
    let each = model.sets.iter().map(|set| label(&set.name.to_string(), &setters));
    each.collect()
}

/// The constants, and the setters among which they stand.
fn constants(model: &Model) -> Vec<Generated> {
    let of = |name: String, from: &syn::Ident| Generated {
        name,
        from: vec![one(from)],
    };
    let setters = setters(model).into_iter().map(|s| of(s.to_string(), s));
    let labels = labels(model).into_iter().zip(&model.sets);
    setters.chain(labels.map(|(label, set)| of(label, &set.name))).collect()
}

/// `GroupsMailLaw`
fn laws(model: &Model) -> Vec<Generated> {
    if model.counts.len() < 2 {
        return Vec::new();
    }
    let each = model.counts.iter().map(|count| Generated {
        name: format!("{}{}Law", model.name, camel(&count.name.to_string())),
        from: vec![one(&count.name)],
    });
    each.collect()
}

/// Constants of the model with its data, by which latents, then known arrays, then counts are numbered: `THETA` for `theta`, and
/// the name as it is where another one has the same capitals.
pub fn numbers(model: &Model) -> Vec<Generated> {
    let latents = model.latents.iter().map(|l| &l.name);
    let all = latents
        .chain(model.data.iter().map(|d| &d.name))
        .chain(model.counts.iter().map(|c| &c.name));
    let capitals = |name: &syn::Ident| name.unraw().to_string().to_uppercase();
    let each = all.clone().map(|name| {
        let alone = all.clone().filter(|other| capitals(other) == capitals(name)).count() == 1;
        Generated {
            name: if alone { capitals(name) } else { name.to_string() },
            from: vec![one(name)],
        }
    });
    each.collect()
}

/// `mail_log` as `MailLog`, as types are named.
fn camel(word: &str) -> String {
    let capital = |part: &str| {
        let mut letters = part.chars();
        let first = letters.next().map(|first| first.to_uppercase().collect::<String>());
        first.map_or_else(String::new, |first| first + letters.as_str())
    };
    word.split('_').map(capital).collect()
}
