//! What is charged, to whom, and what is refused.

use super::*;
use crate::release::Delta;

fn promise(n: u64, epsilon: f64) -> Promise {
    Promise::from(Lplp::new(n, epsilon).unwrap())
}

fn charge(account: &mut Account<'_>, epsilon: f64) -> Result<(), LedgerError> {
    account.charge("TwoSidedGeometric", &[promise(2, epsilon)])
}

fn approximate(n: u64, epsilon: (u64, u64), delta: f64) -> Promise {
    Promise::Approximate {
        n,
        epsilon: Ratio::new(epsilon.0, epsilon.1).unwrap(),
        delta: Delta::new(delta).unwrap(),
    }
}

#[test]
fn the_same_rows_add_up_and_others_do_not() {
    let mut ledger = Ledger::new(4, Lplp::new(2, 1).unwrap());
    charge(&mut ledger.rows(&[0, 1]).unwrap(), 0.7).unwrap();
    charge(&mut ledger.rows(&[3, 2]).unwrap(), 0.7).unwrap();
    assert_eq!(ledger.spent().unwrap().to_string(), "0.7");
    let error = charge(&mut ledger.all(), 0.4).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the budget of row 0 is exhausted: of the loss allowed by (2, 1), 0.7 is spent and 0.3 is left; \
         this release would raise the loss to 1.1"
    );
    // Exactly what is left, although doubles do not get the sum 0.7 + 0.3 right in general.
    charge(&mut ledger.all(), 0.3).unwrap();
    assert_eq!(
        (ledger.spent().unwrap().to_string(), ledger.entries().len()),
        ("1".to_owned(), 3)
    );
    assert!(charge(&mut ledger.rows(&[1]).unwrap(), 1e-9).is_err());
}

#[test]
fn rows_of_one_user_share_a_budget() {
    let cap = Lplp::new(2, 1).unwrap();
    let mut ledger = Ledger::new(3, cap).with_users(vec![0, 0, 1]).unwrap();
    // Two rows of one user, one after the other: a difference of two counts meets the larger loss at most.
    charge(&mut ledger.rows(&[0]).unwrap(), 1.0).unwrap();
    charge(&mut ledger.rows(&[1]).unwrap(), 1.0).unwrap();
    let error = charge(&mut ledger.rows(&[1, 2]).unwrap(), 0.1).unwrap_err();
    assert!(
        matches!(error, LedgerError::Exhausted { ref owner, .. } if owner == "user 0"),
        "{error}"
    );
    charge(&mut ledger.rows(&[2]).unwrap(), 1.0).unwrap();
    // Nothing of the refused release was charged to user 1.
    assert_eq!(ledger.entries().len(), 3);
}

#[test]
fn caps_may_differ() {
    let caps = [1.0, 0.5].map(|epsilon| Lplp::new(2, epsilon).unwrap());
    let mut ledger = Ledger::new(2, caps[0]).with_caps(caps.to_vec()).unwrap();
    assert!(charge(&mut ledger.all(), 0.6).is_err());
    let both = [promise(2, 1.0), promise(2, 0.5)];
    ledger.all().charge("TwoSidedGeometric", &both).unwrap();
    assert_eq!(ledger.entries()[0].promise, both[0]);
}

#[test]
fn a_promise_for_another_precision_is_converted() {
    let mut ledger = Ledger::new(1, Lplp::new(4, 2).unwrap());
    // (1, 0.5) is (4, 2).
    ledger.all().charge("TwoSidedGeometric", &[promise(1, 0.5)]).unwrap();
    assert_eq!(ledger.spent().unwrap().to_string(), "2");
}

#[test]
fn approximate_promises_need_a_delta() {
    let quarter = |n| [approximate(n, (1, 4), 1e-6)];
    let ledger = || Ledger::new(2, Lplp::new(2, 1).unwrap());
    let error = ledger().all().charge("Skellam", &quarter(2)).unwrap_err();
    assert!(matches!(error, LedgerError::Delta { .. }), "{error}");
    let mut ledger = ledger().with_delta(2e-6).unwrap().with_users(vec![0, 0]).unwrap();
    let error = ledger.all().charge("Skellam", &quarter(1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the promise is about 1 counts, but the cap of the ledger is about 2: state the promise for at least 2"
    );
    // Two rows of one user in one release are one loss; in two releases, two.
    ledger.all().charge("Skellam", &quarter(2)).unwrap();
    ledger.rows(&[1]).unwrap().charge("Skellam", &quarter(2)).unwrap();
    assert_eq!(ledger.spent().unwrap().to_string(), "0.5");
    assert!(ledger.rows(&[0]).unwrap().charge("Skellam", &quarter(2)).is_err());
}

/// Two rows of one user, released by promises that differ: the larger epsilon and the larger delta count, in
/// whichever order the rows stand.
#[test]
fn a_user_loses_what_the_worst_of_their_rows_does() {
    let each = [approximate(1, (1, 10), 1e-6), approximate(1, (40, 1), 1e-7)];
    for promises in [each, [each[1], each[0]]] {
        let charged = |cap: u64, delta| {
            let ledger = Ledger::new(2, Lplp::new(1, cap).unwrap())
                .with_users(vec![0, 0])
                .unwrap();
            let mut ledger = ledger.with_delta(delta).unwrap();
            ledger.all().charge("Skellam", &promises).map(|()| ledger)
        };
        let refused = charged(1, 1e-3).unwrap_err();
        assert!(matches!(refused, LedgerError::Exhausted { .. }), "{refused}");
        let refused = charged(40, 5e-7).unwrap_err();
        assert!(matches!(refused, LedgerError::Delta { .. }), "{refused}");
        let kept = charged(40, 1e-6).unwrap();
        assert_eq!(
            (kept.spent().unwrap().to_string(), kept.spent_delta()),
            ("40".to_owned(), 1e-6)
        );
    }
}

#[test]
fn what_different_users_lost_is_not_added() {
    let mut ledger = Ledger::new(2, Lplp::new(1, 1).unwrap()).with_delta(1e-6).unwrap();
    let charge = |account: &mut Account<'_>, promise| account.charge("Skellam", &[promise]);
    charge(&mut ledger.rows(&[0]).unwrap(), promise(1, 1.0)).unwrap();
    charge(&mut ledger.rows(&[1]).unwrap(), approximate(1, (1, 2), 1e-6)).unwrap();
    assert_eq!(ledger.spent().unwrap().to_string(), "1");
}

#[track_caller]
fn says<T>(result: Result<T, LedgerError>, expected: &str) {
    match result {
        Err(LedgerError::Terms(message)) => assert!(message.starts_with(expected), "{message}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted, and not: {expected}"),
    }
}

#[test]
fn terms_that_make_no_sense_are_refused() {
    let ledger = || Ledger::new(2, Lplp::new(2, 1).unwrap());
    for delta in [f64::NAN, f64::INFINITY, -1.0, 1.0, 2.0] {
        let refused = ledger().with_delta(delta);
        says(refused, "the delta that users may lose is");
    }
    for user in [2, 1 << 60, usize::MAX] {
        let refused = ledger().with_users(vec![0, user]);
        says(
            refused,
            &format!("row 1 belongs to user {user}, and 2 rows have at most 2 users"),
        );
    }
    let nothing = Ledger::new(0, Lplp::new(2, 1).unwrap())
        .all()
        .charge("TwoSidedGeometric", &[]);
    says(nothing, "0 promises were given for 1 rows");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut ledger = Ledger::new(2, Lplp::new(2, 1).unwrap());
    says(ledger.rows(&[2]), "row 2 is not in the ledger, which has 2 rows");
    says(ledger.rows(&[1, 1]), "row 1 is named twice");
    let none = ledger.all().charge("AtLeastOne", &[Promise::None]);
    assert!(matches!(none, Err(LedgerError::NoPromise { .. })));
    assert!(ledger.clone().with_users(vec![0]).is_err());
    charge(&mut ledger.all(), 0.5).unwrap();
    says(ledger.with_users(vec![0, 0]), "the ledger has 1 releases already");
}

/// 2e-17 is less than half a step of doubles at 0.5: added to nearest it was lost, and 100,000 charges were granted for nothing.
#[test]
fn small_deltas_add_up() {
    let cap = Lplp::new(1, 600).unwrap();
    let small = approximate(1, (1, 1_000_000), 2e-17);
    let mut ledger = Ledger::new(3, cap).with_delta(0.5).unwrap();
    ledger.all().charge("Skellam", &[approximate(1, (1, 2), 0.5)]).unwrap();
    let refused = ledger.all().charge("Skellam", &[small]).unwrap_err();
    assert!(
        matches!(refused, LedgerError::Delta { spent: 0.5, total, cap: 0.5, .. } if total > 0.5),
        "{refused:?}"
    );
    // With room left each of them counts, and for no less than it is.
    let mut ledger = Ledger::new(3, cap).with_delta(0.6).unwrap();
    ledger.all().charge("Skellam", &[approximate(1, (1, 2), 0.5)]).unwrap();
    for turn in 1..=1000 {
        let before = ledger.spent_delta();
        ledger.all().charge("Skellam", &[small]).unwrap();
        assert!(ledger.spent_delta() > before && ledger.spent_delta() >= 0.5 + f64::from(turn) * 2e-17);
    }
}

/// As many rows as a header can state: one run, and not one entry for each.
#[test]
fn rows_are_not_held_one_by_one() {
    for rows in [400_000_000_000, i64::MAX as usize, usize::MAX] {
        let mut ledger = Ledger::new(rows, Lplp::new(2, 1).unwrap()).with_delta(1e-5).unwrap();
        charge(&mut ledger.all(), 0.5).unwrap();
        charge(&mut ledger.rows(&[rows - 1, 7]).unwrap(), 0.5).unwrap();
        ledger
            .all()
            .charge("Skellam", &[approximate(2, (1, 8), 1e-6)])
            .unwrap_err();
        let mut middle = ledger.rows(&[rows / 2]).unwrap();
        middle.charge("Skellam", &[approximate(2, (1, 8), 1e-6)]).unwrap();
        assert_eq!(
            (ledger.num_rows(), ledger.spent().unwrap().to_string()),
            (rows, "1".to_owned())
        );
        assert_eq!(ledger.spent_delta(), 1e-6);
        let refused = charge(&mut ledger.rows(&[3, rows - 1]).unwrap(), 0.1).unwrap_err();
        let last = format!("row {}", rows - 1);
        assert!(
            matches!(&refused, LedgerError::Exhausted { owner, .. } if *owner == last),
            "{refused}"
        );
        charge(&mut ledger.rows(&[8, 6]).unwrap(), 0.5).unwrap();
        assert!(charge(&mut ledger.rows(&[8]).unwrap(), 0.1).is_err());
        charge(&mut ledger.rows(&[9]).unwrap(), 0.5).unwrap();
    }
}

/// Runs against a balance for each row by itself.
#[test]
fn runs_charge_what_rows_one_by_one_would() {
    use rand::{RngExt, SeedableRng};
    let mut rng = chacha20::ChaCha8Rng::seed_from_u64(3);
    for round in 0..200 {
        let users: Option<Vec<usize>> = (round % 2 == 1).then(|| (0..9).map(|row| row / 2).collect());
        let caps: Vec<Lplp> = (0..if users.is_some() { 5 } else { 9 })
            .map(|user| Lplp::new(2, 1 + user as u64 / 3).unwrap())
            .collect();
        let fresh = Ledger::new(9, caps[0]);
        let fresh = match &users {
            None => fresh,
            Some(users) => fresh.with_users(users.clone()).unwrap(),
        };
        let mut ledger = fresh.with_caps(caps.clone()).unwrap();
        let mut tenths = [0u64; 9];
        for _ in 0..40 {
            let rows: Vec<usize> = (0..9).filter(|_| rng.random_bool(0.4)).collect();
            let each: Vec<u64> = rows.iter().map(|_| rng.random_range(1..3)).collect();
            let promises: Vec<Promise> = each
                .iter()
                .map(|&tenth| Promise::from(Lplp::new(2, (tenth, 10)).unwrap()))
                .collect();
            let mut after = tenths;
            rows.iter().zip(&each).for_each(|(&row, &tenth)| after[row] += tenth);
            let allowed = |row: usize| 10 * (1 + users.as_ref().map_or(row, |users| users[row]) as u64 / 3);
            let granted = (0..9).all(|row| after[row] <= allowed(row));
            let charged = ledger.rows(&rows).unwrap().charge("TwoSidedGeometric", &promises);
            // A release of no rows has no promise here, and is refused for that.
            assert_eq!(charged.is_ok(), granted && !rows.is_empty(), "{charged:?}");
            if charged.is_ok() {
                tenths = after;
            }
        }
        let most = tenths.iter().max().unwrap();
        assert_eq!(ledger.spent(), Some(Ratio::new(*most, 10).unwrap()));
    }
}

#[test]
fn promises_about_nothing_are_not_charged() {
    let mut ledger = Ledger::new(2, Lplp::new(2, 1).unwrap()).with_delta(0.1).unwrap();
    let epsilon = Ratio::new(1, 2).unwrap();
    for nothing in [
        Promise::Lplp { n: 0, epsilon },
        Promise::None,
        approximate(0, (1, 2), 1e-6),
    ] {
        let refused = ledger.all().charge("Mine", &[nothing]);
        assert!(
            matches!(refused, Err(LedgerError::NoPromise { mechanism: "Mine" })),
            "{refused:?}"
        );
        let refused = ledger.rows(&[]).unwrap().charge("Mine", &[nothing]);
        assert!(matches!(refused, Err(LedgerError::NoPromise { .. })), "{refused:?}");
    }
    assert!(ledger.entries().is_empty());
}

/// A promise for one cell, charged as one for all: what four counts that differ by one each lose is four times as much.
#[test]
fn a_promise_about_one_cell_is_charged_for_all() {
    let cell = Promise::from(Lplp::new(4, (11, 10)).unwrap());
    let spent = |cap: u64, promise: Promise| {
        let mut ledger = Ledger::new(1, Lplp::new(cap, 100).unwrap());
        ledger.all().charge("Parity", &[promise]).unwrap();
        ledger.spent().unwrap().to_string()
    };
    assert_eq!(
        [1, 4, 8].map(|cap| spent(cap, cell.of_one_cell())),
        ["1.1", "4.4", "8.8"]
    );
    assert_eq!([1, 4, 8].map(|cap| spent(cap, cell)), ["0.275", "1.1", "2.2"]);
}

#[test]
fn names_are_one_for_each_row() {
    let ledger = || Ledger::new(2, Lplp::new(2, 1).unwrap());
    let named = |names: &[&str]| {
        ledger()
            .with_names(names)
            .map(|ledger| ledger.names().unwrap().to_owned())
    };
    assert_eq!(named(&["ann", "bob"]), named(&["ann", "bob"]));
    assert_ne!(named(&["ann", "bob"]), named(&["bob", "ann"]));
    assert_eq!(ledger().names(), None);
    says(named(&["ann"]), "1 names were given for 2 rows");
}
