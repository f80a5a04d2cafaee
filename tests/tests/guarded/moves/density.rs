//! The density that moves are made by.

use rand::RngExt;
use skellam::infer::{Chain, LogDensity};
use skellam::model::{Factors, FormKind, Model};
use skellam::prelude::*;
use skellam_tests::cases::{Case, Observed};
use skellam_tests::data::stream;
use skellam_tests::families::*;

use super::models::*;

/// At some point around a dispersed start: differences of the density are those of `ln_joint` of a chain there, and the
/// gradient is that of finite differences.
fn density_holds(model: &dyn Model, name: &str) {
    let latents = model.latents();
    let mut chain = Chain::new(model, 3, 0);
    chain.sweep();
    let mut x = chain.values().clone();
    let mut density = LogDensity::new(model, latents);
    density.set_prior(model, &x);
    let mut here = vec![0.0; density.len()];
    density.logarithms(&x, &mut here);
    let (mut gradient, mut unused) = (vec![0.0; here.len()], vec![0.0; here.len()]);
    let joint =
        |x: &Factors, point: &[f64]| Chain::starting_at(model, x.clone(), 1, 0).ln_joint() + point.iter().sum::<f64>();
    let at_here = density.evaluate(model, &mut x, &here, &mut gradient);
    let constant = at_here - joint(&x, &here);
    let mut rng = stream(5);
    for _ in 0..3 {
        let there: Vec<f64> = here.iter().map(|q| q + rng.random_range(-0.7..0.7)).collect();
        let value = density.evaluate(model, &mut x, &there, &mut unused);
        let gap = value - joint(&x, &there) - constant;
        assert!(
            gap.abs() < 1e-9 * value.abs().max(1.0),
            "{name}: density off by {gap:e}"
        );
    }
    let step = 1e-5;
    for entry in (0..here.len()).step_by((here.len() / 12).max(1)) {
        let mut beside = |by: f64| {
            let mut point = here.clone();
            point[entry] += by;
            density.evaluate(model, &mut x, &point, &mut unused)
        };
        let slope = (beside(step) - beside(-step)) / (2.0 * step);
        // Differences lose eleven digits of the density; the gradient has six.
        let error = (slope - gradient[entry]).abs();
        let limit = 1e-5 * slope.abs().max(1.0) + 1e-9 * at_here.abs() / 1e-2;
        assert!(
            error < limit,
            "{name}, entry {entry}: {slope} by differences, {}",
            gradient[entry]
        );
    }
}

fn density_of<F: HasTwin<Law = TwoSidedGeometric>>(family: &F, name: &str) {
    let twin = family.twin();
    for way in 0..2 {
        for (seed, case) in (1..).zip(Case::all(twin.shape.len())) {
            let observed = Observed::new(case, &twin.shape, seed);
            density_holds(
                &observed.bind(family, Some(way)),
                &format!("{name}, way {way}, {case:?}"),
            );
        }
    }
}

#[test]
fn the_density_is_the_joint_density_and_has_its_derivative() {
    density_of(&MatrixAt(7, 5, 3), "matrix");
    density_of(&Cp3At(5, 4, 6, 2), "cp");
    density_of(&TuckerAt([4, 3, 5], [2, 3, 2]), "tucker");
    density_of(&BackgroundAt(5, 6, 2), "background");
    density_of(&OffsetAt(5, 6, 2), "offset");
    density_of(&BatchAt(4, 5, 3, 2), "batch");
    density_of(&MixedAt(5, 6, 2), "mixed");
    density_of(&PairsAt(4, 5, 3, 2), "pairs");
}

#[test]
fn the_density_holds_with_parents_simplices_several_counts_and_where() {
    let seen = Released::assert_mechanism(
        vec![5],
        vec![true, false, true, true, false],
        Varying::Uniform(AtLeastOne),
    );
    let data = SeveralData {
        y: &released(&[4, 5]),
        z: &seen.unwrap(),
    };
    let model = Several::new(data).unwrap().topics(2).bind(FormKind::Collapsed).unwrap();
    // `level` is in a rate and in a prior, `phi` on a simplex, `xi` in no rate: `theta` and `base` move.
    assert_eq!(LogDensity::new(&model, model.latents()).len(), 4 * 2 + 5);
    density_holds(&model, "several");
    density_holds(&network(), "network");
}
