//! What is charged, to whom, and what is refused.

use super::*;

fn promise(n: u64, epsilon: f64) -> Promise {
    Promise::from(Lplp::new(n, epsilon).unwrap())
}

fn charge(account: &mut Account<'_>, epsilon: f64) -> Result<(), LedgerError> {
    account.charge("TwoSidedGeometric", &[promise(2, epsilon)])
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
        "the budget of row 0 is exhausted: of (2, 1) the loss 0.7 is spent, and this release would make it 1.1; \
         0.3 is left"
    );
    // Exactly what is left, although 0.7 + 0.3 is no sum that doubles get right in general.
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
    let approximate = |n| Promise::Approximate {
        n,
        epsilon: Ratio::new(1, 4).unwrap(),
        delta: 1e-6,
    };
    let ledger = || Ledger::new(2, Lplp::new(2, 1).unwrap());
    let error = ledger().all().charge("Skellam", &[approximate(2)]).unwrap_err();
    assert!(matches!(error, LedgerError::Delta { .. }), "{error}");
    let mut ledger = ledger().with_delta(2e-6).unwrap().with_users(vec![0, 0]).unwrap();
    assert!(matches!(
        ledger.all().charge("Skellam", &[approximate(1)]),
        Err(LedgerError::Precision { promised: 1, cap: 2 })
    ));
    // Two rows of one user in one release are one loss; in two releases, two.
    ledger.all().charge("Skellam", &[approximate(2)]).unwrap();
    ledger.rows(&[1]).unwrap().charge("Skellam", &[approximate(2)]).unwrap();
    assert_eq!(ledger.spent().unwrap().to_string(), "0.5");
    assert!(ledger.rows(&[0]).unwrap().charge("Skellam", &[approximate(2)]).is_err());
}

/// Two rows of one user, released by promises that differ: the larger epsilon and the larger delta count, in
/// whichever order the rows stand.
#[test]
fn a_user_loses_what_the_worst_of_their_rows_does() {
    let approximate = |epsilon: (u64, u64), delta| Promise::Approximate {
        n: 1,
        epsilon: Ratio::new(epsilon.0, epsilon.1).unwrap(),
        delta,
    };
    let each = [approximate((1, 10), 1e-6), approximate((40, 1), 1e-7)];
    for promises in [each, [each[1], each[0]]] {
        let ledger = |cap: u64| {
            Ledger::new(2, Lplp::new(1, cap).unwrap())
                .with_users(vec![0, 0])
                .unwrap()
        };
        let refused = ledger(1)
            .with_delta(1e-3)
            .unwrap()
            .all()
            .charge("Skellam", &promises)
            .unwrap_err();
        assert!(matches!(refused, LedgerError::Exhausted { .. }), "{refused}");
        let refused = ledger(40)
            .with_delta(5e-7)
            .unwrap()
            .all()
            .charge("Skellam", &promises)
            .unwrap_err();
        assert!(matches!(refused, LedgerError::Delta { .. }), "{refused}");
        let mut kept = ledger(40).with_delta(1e-6).unwrap();
        kept.all().charge("Skellam", &promises).unwrap();
        assert_eq!(
            (kept.spent().unwrap().to_string(), kept.spent_delta()),
            ("40".to_owned(), 1e-6)
        );
    }
}

#[test]
fn what_different_users_lost_is_not_added() {
    let mut ledger = Ledger::new(2, Lplp::new(1, 1).unwrap()).with_delta(1e-6).unwrap();
    let approximate = Promise::Approximate {
        n: 1,
        epsilon: Ratio::new(1, 2).unwrap(),
        delta: 1e-6,
    };
    ledger
        .rows(&[0])
        .unwrap()
        .charge("TwoSidedGeometric", &[promise(1, 1.0)])
        .unwrap();
    ledger.rows(&[1]).unwrap().charge("Skellam", &[approximate]).unwrap();
    assert_eq!(ledger.spent().unwrap().to_string(), "1");
}

#[test]
fn terms_that_make_no_sense_are_refused() {
    let ledger = || Ledger::new(2, Lplp::new(2, 1).unwrap());
    for delta in [f64::NAN, f64::INFINITY, -1.0, 1.0, 2.0] {
        let refused = ledger().with_delta(delta);
        assert!(matches!(refused, Err(LedgerError::DeltaCap { .. })), "{delta}");
    }
    for user in [2, 1 << 60, usize::MAX] {
        let refused = ledger().with_users(vec![0, user]);
        assert!(
            matches!(refused, Err(LedgerError::User { row: 1, rows: 2, .. })),
            "{user}"
        );
    }
    let nothing = Ledger::new(0, Lplp::new(2, 1).unwrap())
        .all()
        .charge("TwoSidedGeometric", &[]);
    assert!(matches!(nothing, Err(LedgerError::Length { found: 0, .. })));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let mut ledger = Ledger::new(2, Lplp::new(2, 1).unwrap());
    assert!(matches!(ledger.rows(&[2]), Err(LedgerError::Row { row: 2, rows: 2 })));
    assert!(matches!(ledger.rows(&[1, 1]), Err(LedgerError::RowTwice { row: 1 })));
    let none = ledger.all().charge("AtLeastOne", &[Promise::None]);
    assert!(matches!(none, Err(LedgerError::NoPromise { .. })));
    assert!(ledger.clone().with_users(vec![0]).is_err());
    charge(&mut ledger.all(), 0.5).unwrap();
    assert!(matches!(
        ledger.with_users(vec![0, 0]),
        Err(LedgerError::Begun { entries: 1 })
    ));
}
