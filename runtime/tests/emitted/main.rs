//! Models of generated functions beside the same models whose rates are walks over trees.

mod compare;
mod emitted_cp;
mod emitted_topics;
mod twins;
mod walked_cp;
mod walked_topics;

#[test]
fn generated_topics_pass_the_self_test() {
    let report = emitted_topics::Topics::self_test();
    assert!(report.passed(), "{report}");
}

#[test]
fn a_generated_tensor_passes_the_self_test() {
    let report = emitted_cp::Cp::self_test();
    assert!(report.passed(), "{report}");
}
