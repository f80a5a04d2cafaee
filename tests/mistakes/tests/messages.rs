//! Messages of the compiler as `cargo` shows them, in the token that must change, and no error besides: several at once, and those that
//! only rustc can give. The compiler has cases of its own for all of its messages, word for
//! word and token by token (`model-macro/compiler/tests/messages`). Rewrite these after a change of wording with
//! `TRYBUILD=overwrite cargo test -p skellam-mistakes --test messages`.

use std::env;
use std::process::Command;

/// Flags of the compiler that come before all others.
const FLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";

#[test]
fn messages() {
    // The library under test is checked with one set of flags and the cases with another, which adds the width of messages: everything
    // that they depend on would be checked twice. So the test runs itself with flags that hold for both.
    if env::var_os(FLAGS).is_none() {
        let mut again = Command::new(env::current_exe().unwrap());
        again.args(["messages", "--exact", "--nocapture"]);
        let status = again.env(FLAGS, "--diagnostic-width=140").status().unwrap();
        assert!(status.success(), "see above");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*/*.rs");
}
