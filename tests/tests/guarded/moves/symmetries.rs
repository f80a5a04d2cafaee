//! Scale symmetries of the rates, and moves along them.

use skellam::infer::Chain;
use skellam::model::{FormKind, Model, Symmetry};
use skellam::prelude::*;
use skellam_tests::data::arrays;
use skellam_tests::families::*;

use super::kernel::{TRAJECTORIES, set_adapted};
use super::models::*;

/// Whether a symmetry holds for each value of an index, and the latent, axis and power of everything that it scales.
type Powers = (bool, Vec<(usize, usize, i32)>);

/// Powers by latent of each symmetry.
fn powers(model: &dyn Model) -> Vec<Powers> {
    let parts = |s: &Symmetry| s.scaled.iter().map(|p| (p.latent, p.axis, p.power)).collect();
    model.symmetries().iter().map(|s| (s.by_index, parts(s))).collect()
}

#[test]
fn symmetries_are_derived_from_the_rates() {
    assert_eq!(powers(&network()), [(true, vec![(0, 1, 1), (1, 0, -1), (1, 1, -1)])]);
    let matrix = MatrixAt(3, 4, 2).released(&released(&[3, 4]), FormKind::Collapsed, None);
    assert_eq!(powers(&matrix), [(true, vec![(0, 1, 1), (1, 0, -1)])]);
}

/// Moves along symmetries change factors and no rate, also where a latent is used twice.
#[test]
fn scales_leave_every_rate_as_it_is() {
    let model = network();
    let rates = |moves: Moves| {
        let mut chain = Chain::new(&model, 4, 0).with_moves(moves, 0);
        // Scales are due after every sweep beside trajectories, which a first step of zero keeps in place.
        let still = vec![-700.0, -700.0, 0.0, 0.0, 0.0];
        set_adapted(&mut chain, |name, _| (name == "step").then(|| still.clone()));
        chain.advance();
        let mut rates = vec![vec![0.0; 36]];
        chain.add_rates(&mut rates);
        (rates.remove(0), arrays(chain.values()))
    };
    let ((before, still), (after, moved)) = (rates(Moves::Nothing), rates(TRAJECTORIES));
    assert!(
        still[0].iter().zip(&moved[0]).all(|(a, b)| (a / b - 1.0).abs() > 1e-3),
        "nothing moved"
    );
    for (a, b) in before.iter().zip(&after) {
        assert!((a - b).abs() < 1e-9 * a.max(1e-9), "{a} and {b}");
    }
}
