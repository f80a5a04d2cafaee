//! A model with every kind of update goes on where it was stopped.

use skellam::infer::CaviForm;
use skellam_tests::everything::everything;

use super::going_on::goes_on;

/// Slices taken in sequence recompute a part of the rates at a time; what a continued run computes at once has the same bits.
#[test]
fn runs_with_every_kind_of_update_go_on() {
    let model = everything(70, 12);
    goes_on(&model, "everything", CaviForm::Collapsed);
}
