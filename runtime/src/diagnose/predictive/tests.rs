//! Tests of predictive checks.

use expect_test::expect;

use super::*;

fn tally(values: &[f64]) -> Tally {
    let cells: Vec<usize> = (0..6).collect();
    Tally::new("y", &["docs", "words"], &[2, 3], &cells, values, 6)
}

fn of(values: &[f64]) -> Statistics {
    Statistics::new(&[2, 3], &[0, 1, 2, 3, 4, 5], values)
}

#[test]
fn statistics_by_hand() {
    let mut tally = tally(&[0.0, 0.0, 3.0, 1.0, 0.0, 2.0]);
    tally.add(&of(&[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
    tally.add(&of(&[0.0, 0.0, 4.0, 2.0, 0.0, 0.0]));
    let check = tally.finish();
    let zeros = check.get("zeros").unwrap();
    assert_eq!((zeros.observed, &zeros.replicated[..]), (0.5, &[0.0, 4.0 / 6.0][..]));
    assert_eq!(zeros.p_value(), 0.5);
    // Mean 1, deviations 1, 1, 2, 0, 1, 1: 8 over 6.
    let dispersion = check.get("dispersion").unwrap();
    assert!((dispersion.observed - 8.0 / 6.0).abs() < 1e-12);
    assert_eq!(dispersion.replicated[0], 0.0);
    // Row totals 3 and 3, and in the second replica 4 and 2; column totals 1, 0, 5.
    let rows = check.get("totals of docs").unwrap();
    assert_eq!(
        (rows.observed, &rows.replicated[..], rows.p_value()),
        (0.0, &[0.0, 1.0][..], 0.75)
    );
    let columns = &check.totals()[1];
    assert_eq!(columns.observed, [1.0, 0.0, 5.0]);
    // Replicas have 2, 2, 2 and 2, 0, 4.
    assert_eq!(columns.p_values, [1.0, 0.75, 0.0]);
    assert_eq!(columns.surprising(), [0, 2]);
}

#[test]
fn slices_without_a_cell_take_no_part() {
    let mut tally = Tally::new("y", &["docs", "words"], &[3, 2], &[0, 1], &[1.0, 2.0], 2);
    tally.add(&Statistics::new(&[3, 2], &[0, 1], &[4.0, 0.0]));
    let check = tally.finish();
    assert!(check.totals()[0].p_values[1].is_nan() && check.totals()[0].surprising() == [0]);
    assert_eq!(check.get("totals of docs").unwrap().observed, 0.0);
}

/// Senders and receivers are of one set.
#[test]
fn modes_of_one_set_have_names_of_their_own() {
    let mut tally = Tally::new(
        "y",
        &["actors", "actors"],
        &[2, 2],
        &[0, 1, 2, 3],
        &[1.0, 2.0, 1.0, 2.0],
        4,
    );
    tally.add(&Statistics::new(&[2, 2], &[0, 1, 2, 3], &[0.0, 0.0, 2.0, 2.0]));
    let check = tally.finish();
    let spread = |mode: usize| check.get(&check.totals()[mode].name).unwrap().observed;
    assert_eq!([spread(0), spread(1)], [0.0, 1.0]);
}

#[test]
fn the_table_marks_what_is_surprising() {
    let mut tally = tally(&[0.0, 0.0, 30.0, 1.0, 0.0, 2.0]);
    (0..40).for_each(|i| tally.add(&of(&[1.0, 2.0, f64::from(i % 7), 0.0, 1.0, 3.0])));
    expect![[r#"
        predictive check of `y`: 40 replicas of 6 cells
                              observed          95 % of the replicas       p
        zeros                   0.5000         0.1667 ..      0.3333   0.000  surprising
        dispersion               21.92         0.6111 ..       1.756   0.000  surprising
        totals of docs           13.50              0 ..       2.500   0.000  surprising
        totals of words          14.85         0.9428 ..       3.399   0.000  surprising
        totals of docs: 2 of 2 outside of 95 % of their replicas
        totals of words: 2 of 3 outside of 95 % of their replicas
    "#]]
    .assert_eq(&tally.finish().to_string());
}
