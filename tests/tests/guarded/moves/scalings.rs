//! Which scalings a model has, and by which cells they are accepted.

use skellam::infer::Chain;
use skellam::model::{FormKind, Model};
use skellam::prelude::*;
use skellam_tests::families::*;
use skellam_tests::geweke::LIMIT;

use super::kernel::*;
use super::models::*;

/// How many scalings a model has, and how many widths these.
fn scalings(model: &dyn Model) -> [usize; 2] {
    let chain = Chain::new(model, 1, 0).with_moves(LEVELS, 0);
    let adapted = chain.adapted().unwrap().arrays();
    let len = |name: &str| adapted.iter().find(|(n, _)| *n == name).map_or(0, |(_, v)| v.len());
    [len("turns"), len("widths")]
}

/// A level for each latent that moves, one width for the components along each index that is summed, and one for each row.
#[test]
fn scalings_follow_from_the_rates() {
    let bind = |shape: &[usize]| released(shape);
    let matrix = MatrixAt(3, 4, 2).released(&bind(&[3, 4]), FormKind::Collapsed, None);
    assert_eq!(scalings(&matrix), [6, 4 + 3 + 4]);
    let cp = Cp3At(5, 4, 6, 2).released(&bind(&[5, 4, 6]), FormKind::Collapsed, None);
    assert_eq!(scalings(&cp), [9, 6 + 5 + 4 + 6]);
    // Actors meet in every cell: two levels, components of `theta`, and of `pi` twice.
    assert_eq!(scalings(&network()), [5, 5]);
    // `theta` and `base` move: `phi` is a simplex, `xi` a parent, `level` both in a rate and in a prior.
    let seen = vec![true, false, true, true, false];
    let seen = Released::assert_mechanism(vec![5], seen, Varying::Uniform(AtLeastOne)).unwrap();
    let data = SeveralData {
        y: &released(&[4, 5]),
        z: &seen,
    };
    let model = Several::new(data).unwrap().topics(2).bind(FormKind::Collapsed).unwrap();
    assert_eq!(scalings(&model), [5, 1 + 4 + 1 + 1 + 5]);
    // Trajectories move all that scalings would.
    let chain = Chain::new(&matrix, 1, 0).with_moves(TRAJECTORIES, 0);
    let adapted = chain.adapted().unwrap().arrays();
    assert!(
        adapted
            .iter()
            .all(|(name, values)| *name != "turns" || values.is_empty())
    );
}

skellam::model! {
    /// A latent that two counts have, at other places of their data.
    model TwoViews {
        index docs, words;
        latent theta[d in docs] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs] ~ Poisson(theta[d]);
        count z[v in words, d in docs] ~ Poisson(theta[d]);
    }
}

/// True counts are known, so that each sweep draws the rows from their gammas, and a move after it must leave them there: means of
/// four rows over 20 000 draws that are independent of each other, in standard errors, with a limit whose false positives are 3e-7.
/// Where the first count alone accepts, the first row is off by 113.
#[test]
fn rows_are_accepted_by_the_cells_of_every_count() {
    let (y, z) = ([3, 0, 7, 1], [5, 2, 9, 0, 4, 0, 6, 1, 8, 1, 12, 2]);
    let counts = |shape: &[usize], values: &[i64]| Counts::dense(shape.to_vec(), values.to_vec()).unwrap();
    let data = TwoViewsData {
        y: &counts(&[4], &y),
        z: &counts(&[3, 4], &z),
    };
    let model = TwoViews::new(data).unwrap().bind(FormKind::Collapsed).unwrap();
    assert_eq!(scalings(&model), [2, 1 + 4]);
    let draws = 20_000;
    let mut sums = [0.0; 4];
    let mut chain = Chain::new(&model, 5, 0).with_moves(LEVELS, 0);
    set_adapted(&mut chain, |name, _| (name == "turns").then(|| vec![1e9, 0.0]));
    for _ in 0..draws {
        chain.advance();
        sums.iter_mut().zip(&chain.values()[0]).for_each(|(sum, x)| *sum += x);
    }
    for d in 0..4 {
        let counted = y[d] + z.iter().skip(d).step_by(4).sum::<i64>();
        let (shape, rate) = (2.0 + counted as f64, 1.0 + 1.0 + 3.0);
        let off = (sums[d] / draws as f64 - shape / rate) / (shape / (rate * rate) / draws as f64).sqrt();
        println!("row {d}: {off:.2} standard errors");
        assert!(off.abs() < LIMIT, "row {d}: {off} standard errors");
    }
}

/// By what noise leaves of a count moves of levels are made more or less often.
#[test]
fn what_noise_leaves_of_a_count_is_known() {
    let weight = |values: Vec<i64>, mask: Mask| {
        let law = Varying::Slice {
            axis: 0,
            laws: [0.9, 0.7].map(|alpha| TwoSidedGeometric::new(alpha).unwrap()).to_vec(),
        };
        let data = Released::assert_mechanism(vec![2, 4], values, law).unwrap();
        let data = data.hold_out(&mask).unwrap();
        let model = MatrixAt(2, 4, 2).released(&data, FormKind::Collapsed, None);
        model.views()[0].exposure_weight()
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} and {b}");
    // Half of the cells are exposure alone, by 0.1 and by 0.3.
    close(weight(vec![1, 0, -3, 5, 0, 2, 7, -1], Mask::none()), 0.2);
    close(
        weight(vec![1, 0, -3, 5, 0, 2, 7, -1], Mask::random(&[2, 4], 0.25, 1).unwrap()),
        0.2,
    );
    // One in eight is: rates are far above the noise.
    close(weight(vec![1, 1, 3, 5, 0, 2, 7, 1], Mask::none()), 1.0);
    let exact = Counts::dense(vec![2, 4], vec![0, 0, 1, 0, 2, 0, 0, 0]).unwrap();
    let exact = MatrixAt(2, 4, 2).exact(&exact, None);
    close(exact.views()[0].exposure_weight(), 1.0);
}
