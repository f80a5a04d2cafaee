//! Messages of the compiler, one mistake a file. They freeze our own wording; rewrite them after a change of
//! it with `TRYBUILD=overwrite cargo test -p skellam-tests --test ui`.

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    for topic in ["syntax", "names", "indices", "rules", "uses"] {
        cases.compile_fail(format!("ui/{topic}/*.rs"));
    }
}
