//! Messages of the compiler as `cargo` shows them, in the token that must change, and no error besides: one of each topic,
//! several at once, and those that only rustc can give. The compiler has cases of its own for all of its messages, word for
//! word and token by token (`model-macro/compiler/tests/messages`). Rewrite these after a change of wording with
//! `TRYBUILD=overwrite cargo test -p skellam-tests --test messages`.

/// The folders of `ui`.
const TOPICS: [&str; 11] = [
    "syntax",
    "names",
    "indices",
    "domains",
    "linearity",
    "conjugacy",
    "reuse",
    "simplex",
    "release",
    "hyperparameters",
    "uses",
];

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    for topic in TOPICS {
        cases.compile_fail(format!("ui/{topic}/*.rs"));
    }
}
