//! An update of the user's own changes how the conditional is handed over, and nothing else.

use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::{derivation, emit, show};

fn declaration(case: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(case);
    std::fs::read_to_string(path.with_extension("model")).unwrap()
}

/// The source that runs, token by token.
fn source(declaration: &str) -> Vec<String> {
    let derivation = derivation(declaration.parse().unwrap(), &mut Sink::default()).unwrap();
    let mut tokens = Vec::new();
    flatten(emit::source(&derivation).parse().unwrap(), &mut tokens);
    tokens
}

fn flatten(tokens: TokenStream, into: &mut Vec<String>) {
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    _ => ("{", "}"),
                };
                into.push(open.into());
                flatten(group.stream(), into);
                // A call that is broken into lines ends with a comma.
                into.pop_if(|last| last == ",");
                into.push(close.into());
            }
            other => into.push(other.to_string()),
        }
    }
}

fn with_update(case: &str, latent: &str) -> String {
    let text = declaration(case);
    let end = text.rfind('}').unwrap();
    format!("{}    update {latent} by mine::Slice;\n}}\n", &text[..end])
}

/// Source without what keeps joint moves away from a latent with an update of the user's own: the list of such latents, and the symmetries in
/// which it would take part.
fn apart_from_moves(mut words: Vec<String>) -> Vec<String> {
    for list in ["symmetries", "custom_updates"] {
        let start = (words.windows(4)).position(|at| at[0] == list && at[1] == ":" && at[2] == "&" && at[3] == "[");
        let start = start.unwrap_or_else(|| panic!("`{list}` is emitted")) + 4;
        let mut depth = 1;
        let length = words[start..].iter().position(|word| {
            depth += i32::from(word == "[") - i32::from(word == "]");
            depth == 0
        });
        words.drain(start..start + length.unwrap());
    }
    words
}

#[test]
fn the_last_call_differs() {
    let cases = [("tucker", "a"), ("matrix", "phi"), ("block", "theta")];
    for (case, latent) in cases {
        let [plain, own] = [declaration(case), with_update(case, latent)].map(|text| apart_from_moves(source(&text)));
        // Once in the sweep and once in the iteration.
        let own = own.join(" ");
        assert_eq!(own.matches("& mine : : Slice , ").count(), 2, "{case}: {own}");
        let mut own = own.replace("& mine : : Slice , ", "");
        for verb in ["draw", "ascend"] {
            for verb in [verb.to_owned(), format!("{verb}_at")] {
                own = own.replace(&format!("{verb}_by ("), &format!("{verb} ("));
            }
        }
        let plain = plain.join(" ");
        let same = own.chars().zip(plain.chars()).take_while(|(a, b)| a == b).count();
        let ends = [&own, &plain].map(|text| text.chars().skip(same.saturating_sub(40)).take(80).collect::<String>());
        assert!(own == plain, "{case}: {ends:?}");
    }
}

/// What is shown says whose update runs.
#[test]
fn the_derivation_names_it() {
    let text = with_update("matrix", "theta");
    let derivation = derivation(text.parse().unwrap(), &mut Sink::default()).unwrap();
    let forms = show::printed(&derivation).forms;
    let trusted = forms[2].bound.lines.iter();
    assert!(
        trusted
            .last()
            .is_some_and(|line| line.ends_with("if mine::Slice never lowers it"))
    );
    for form in forms {
        let named = form
            .latents
            .lines
            .iter()
            .filter(|line| line.contains("updated by mine::Slice"));
        assert_eq!(named.count(), 1, "{:?}", form.latents.lines);
    }
}
