//! Tests of counts: what is refused, and that storage does not show.

use proptest::prelude::*;

use super::*;
use crate::memory::TooLarge;

fn from_f64(shape: &[usize], values: &[f64]) -> Result<Counts, CountsError> {
    Counts::try_from(&Array::new(shape.to_vec(), values.to_vec()).unwrap())
}

fn both(shape: &[usize], values: &[i64]) -> [Counts; 2] {
    let entries = values
        .iter()
        .enumerate()
        .map(|(at, &value)| (at as u64, value))
        .rev()
        .collect();
    [
        Counts::dense(shape.to_vec(), values.to_vec()).unwrap(),
        Counts::from_linear(shape.to_vec(), entries).unwrap(),
    ]
}

proptest! {
    #[test]
    fn dense_and_sparse_answer_alike(rows in 1usize..6, columns in 1usize..6, seed in prop::collection::vec(0i64..4, 25)) {
        let values = &seed[..rows * columns];
        for counts in both(&[rows, columns], values) {
            prop_assert_eq!(counts.to_dense().unwrap(), values);
            prop_assert_eq!(counts.total(), values.iter().sum::<i64>() as u64);
            prop_assert_eq!(counts.max(), *values.iter().max().unwrap());
            let nonzero: Vec<_> = values.iter().copied().enumerate().filter(|&(_, v)| v > 0).collect();
            prop_assert_eq!(counts.num_nonzero(), nonzero.len());
            prop_assert_eq!(counts.iter_nonzero().collect::<Vec<_>>(), nonzero);
            for row in 0..rows {
                for column in 0..columns {
                    prop_assert_eq!(counts.get(&[row, column]), Some(values[row * columns + column]));
                }
            }
            prop_assert_eq!(counts.get(&[rows, 0]), None);
            prop_assert_eq!(counts.num_cells(), values.len());
        }
    }

    #[test]
    fn no_number_panics(value in any::<f64>()) {
        let counts = from_f64(&[1], &[value]);
        let good = value >= 0.0 && value <= MAX_COUNT as f64 && value.fract() == 0.0;
        prop_assert_eq!(counts.is_ok(), good);
    }
}

#[test]
fn numbers_that_are_no_counts_are_refused_with_place_and_value() {
    let at = vec![1, 0];
    let no_count = |error: CountsError| match error {
        CountsError::Value { index, value, why } if index == at => (value, why),
        other => panic!("{other}"),
    };
    let refuse = |value: f64| no_count(from_f64(&[2, 2], &[0.0, 1.0, value, 3.0]).unwrap_err());
    for (value, why) in [
        (-2.0, "true counts are not negative"),
        (0.5, "counts are whole numbers"),
        (2147483649.0, "counts above 2147483648 (2^31) are not supported"),
        (f64::INFINITY, "counts are finite"),
        (f64::NAN, "counts are finite"),
    ] {
        let refused = refuse(value);
        assert_eq!(refused.0, value.to_string());
        assert!(refused.1.starts_with(why), "{refused:?}");
    }
    let negative = no_count(Counts::dense(vec![2, 2], vec![0, 0, -1, 0]).unwrap_err());
    assert_eq!(negative.0, "-1");
    // Every digit, which a double would not have.
    let large = no_count(Counts::from_linear(vec![2, 2], vec![(2, i64::MAX)]).unwrap_err());
    assert_eq!(large.0, "9223372036854775807");
    assert_eq!(from_f64(&[1], &[2147483648.0]).unwrap().max(), MAX_COUNT);
    assert_eq!(from_f64(&[1], &[-0.0]).unwrap().total(), 0);
}

#[test]
fn entries_outside_the_shape_and_duplicates_are_refused() {
    let shape = vec![2, 3];
    let outside = |result: Result<Counts, CountsError>, expected: &str| match result {
        Err(CountsError::Shape(ShapeError::Index(what))) => assert!(what.starts_with(expected), "{what}"),
        other => panic!("{other:?}"),
    };
    outside(
        Counts::sparse(shape.clone(), vec![(vec![0, 3], 1)]),
        "index [0, 3] lies outside shape [2, 3]",
    );
    outside(
        Counts::from_linear(shape.clone(), vec![(u64::MAX, 1)]),
        "row-major position 18446744073709551615 lies outside shape [2, 3], which has 6 cells",
    );
    // A stated zero does not hide that the cell comes twice.
    assert_eq!(
        Counts::sparse(shape.clone(), vec![(vec![1, 1], 5), (vec![0, 0], 1), (vec![1, 1], 0)]),
        Err(CountsError::Duplicate { index: vec![1, 1] })
    );
    assert!(matches!(
        Counts::dense(shape, vec![0; 5]),
        Err(CountsError::Shape(ShapeError::Mismatch(what))) if what.contains("but 5 values were given")
    ));
    assert!(matches!(
        Counts::dense(vec![], vec![]),
        Err(CountsError::Shape(ShapeError::Shape(_)))
    ));
}

#[test]
fn a_huge_sparse_shape_costs_only_its_entries() {
    let counts = Counts::sparse(vec![1 << 31, 1 << 31], vec![(vec![5, 6], 7)]).unwrap();
    assert_eq!(
        (counts.num_cells(), counts.total(), counts.get(&[5, 6])),
        (1 << 62, 7, Some(7))
    );
    let error = counts.to_dense().unwrap_err();
    assert!(
        matches!(&error, CountsError::OutOfMemory(TooLarge { bytes, .. }) if *bytes == 2f64.powi(65)),
        "{error}"
    );
}

#[test]
fn a_mask_must_fit_and_is_set_once() {
    let counts = Counts::dense(vec![2, 2], vec![1, 2, 3, 4]).unwrap();
    let mask = Mask::from_indices(&[2, 2], vec![vec![1, 1]]).unwrap();
    let held = counts.clone().hold_out(&mask).unwrap();
    assert!(held.mask().is_held_out(3));
    assert_eq!(held.get(&[1, 1]), Some(4));
    let twice = held.hold_out(&mask).unwrap_err();
    assert!(
        matches!(&twice, CountsError::Mask(what) if what.starts_with("1 cells are held out already")),
        "{twice}"
    );
    let other = Mask::all(&[4]).unwrap();
    assert_eq!(
        counts.hold_out(&other).unwrap_err().to_string(),
        "shape [4] does not match shape [2, 2] of the counts: build it with the same shape"
    );
}

#[test]
fn positions_of_a_mode_are_selected_in_their_order() {
    let values: Vec<i64> = (0..12).collect();
    for counts in both(&[2, 3, 2], &values) {
        let selected = counts.select(1, &[2, 0]).unwrap();
        assert_eq!(
            (selected.shape(), selected.is_sparse()),
            (&[2, 2, 2][..], counts.is_sparse())
        );
        assert_eq!(selected.to_dense().unwrap(), [4, 5, 0, 1, 10, 11, 6, 7]);
        assert_eq!(counts.select(0, &[1]).unwrap().to_dense().unwrap(), values[6..]);
        assert_eq!(counts.select(2, &[0, 1]).unwrap(), counts);
        assert_eq!(counts.margins(1).unwrap(), [14.0, 22.0, 30.0]);
        assert!(counts.margins(3).is_err());
    }
}

#[test]
fn positions_that_cannot_be_selected_are_named() {
    let counts = Counts::dense(vec![2, 3], vec![1; 6]).unwrap();
    let refused = |mode, positions: &[usize]| counts.select(mode, positions).unwrap_err().to_string();
    assert!(refused(2, &[0]).starts_with("there is no mode 2"));
    let outside = "position 3 of mode 1: give positions below 3, and each of them once";
    assert_eq!(refused(1, &[0, 3]), outside);
    assert!(refused(1, &[2, 1, 2]).starts_with("position 2 of mode 1: give"));
    assert!(refused(0, &[]).starts_with("mode 0 of shape [0, 3] has size 0"));
    let mask = Mask::from_indices(&[2, 3], vec![vec![0, 0]]).unwrap();
    let held = counts.clone().hold_out(&mask).unwrap();
    assert!(matches!(held.select(0, &[0]), Err(CountsError::Mask(_))));
}
