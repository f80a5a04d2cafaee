//! Declarations with one token left out or doubled: nothing panics, every message has its three parts, and what
//! is expanded is Rust.

use std::fs;
use std::path::Path;

use proc_macro2::{Group, TokenStream, TokenTree};
use skellam_compiler::derivation;
use skellam_compiler::diagnostics::Sink;

/// How a token is changed.
#[derive(Clone, Copy, Debug)]
enum Change {
    LeftOut,
    Doubled,
}

/// The tokens with number `at` changed, counted through all groups; what was changed.
fn changed(tokens: TokenStream, at: &mut usize, change: Change) -> (TokenStream, Option<String>) {
    let (mut out, mut what) = (TokenStream::new(), None);
    for token in tokens {
        let here = *at == 0;
        *at = at.wrapping_sub(1);
        if here {
            what = Some(token.to_string());
        }
        let token = match token {
            TokenTree::Group(group) if !here => {
                let (inside, found) = changed(group.stream(), at, change);
                what = what.or(found);
                let mut new = Group::new(group.delimiter(), inside);
                new.set_span(group.span());
                TokenTree::Group(new)
            }
            other => other,
        };
        match (here, change) {
            (true, Change::LeftOut) => {}
            (true, Change::Doubled) => out.extend([token.clone(), token]),
            (false, _) => out.extend([token]),
        }
    }
    (out, what)
}

#[test]
fn every_token_left_out_or_doubled() {
    let changes = [Change::LeftOut, Change::Doubled];
    let tried = std::thread::scope(|scope| {
        let each = changes.map(|change| scope.spawn(move || every_token(change)));
        each.map(|one| one.join().unwrap())
    });
    let [tried, said] = [0, 1].map(|of| tried.iter().map(|both| both[of]).sum::<usize>());
    println!("{tried} declarations, {said} messages");
    assert!(said < tried * 21 / 20, "{said} messages for {tried} mistakes at most");
}

/// How many declarations were tried, and how many messages there were.
fn every_token(change: Change) -> [usize; 2] {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let models = fs::read_dir(cases).unwrap().map(|file| file.unwrap().path());
    let (mut tried, mut said) = (0, 0);
    for path in models.filter(|path| path.extension().is_some_and(|e| e == "model")) {
        let text = fs::read_to_string(&path).unwrap();
        for at in 0.. {
            let mut count = at;
            let (tokens, Some(what)) = changed(text.parse().unwrap(), &mut count, change) else {
                break;
            };
            let place = format!("{}: `{what}` (token {at}) {change:?}", path.display());
            let mut sink = Sink::default();
            let outcome = derivation(tokens, &mut sink);
            assert_eq!(outcome.is_ok(), sink.is_clean(), "{place}");
            if let Err(skeleton) = outcome {
                syn::parse2::<syn::File>(skeleton).unwrap_or_else(|e| panic!("{place}: {e}"));
            }
            tried += 1;
            said += sink.diagnostics().len();
            for diagnostic in sink.diagnostics() {
                let message = diagnostic.message();
                assert_eq!(message.lines().count(), 3, "{place}: {message}");
            }
        }
    }
    [tried, said]
}
