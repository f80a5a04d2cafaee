//! Ledgers of the command.

use super::*;

#[test]
fn a_ledger_pays_once() {
    let scratch = Scratch::new();
    let ledger = scratch.path("ledger.json").display().to_string();
    let users: String = (0..80).map(|row| format!("user {}\n", row / 2)).collect();
    let users = scratch.write("users.txt", &users);
    let account = format!("--ledger {ledger} --cap 1.5 --users {users}");
    // Not begun unless by its word.
    let error = refused(&scratch, &format!("{TINY} --n 4 --epsilon 1 {account}"));
    assert!(
        error.contains("is not there: a ledger is begun by a word of its own"),
        "{error}"
    );
    let begin = format!("{TINY} --n 4 --epsilon 1 {account} --begin-ledger");
    run(&begin, &scratch.path("first")).unwrap();
    let error = refused(&scratch, &begin);
    assert!(error.contains("exists already: open it"), "{error}");
    // A name that is taken costs nothing.
    let before = fs::read(&ledger).unwrap();
    let taken = run(&format!("{TINY} --n 4 --epsilon 0.1 {account}"), &scratch.path("first"));
    assert!(
        taken
            .unwrap_err()
            .to_string()
            .contains("exists already: nothing was overwritten")
    );
    assert_eq!(fs::read(&ledger).unwrap(), before);
    let error = refused(&scratch, &format!("{TINY} --n 4 --epsilon 1 {account}"));
    assert!(error.contains("the budget of user 0 is exhausted"), "{error}");
    run(
        &format!("{TINY} --n 4 --epsilon 0.5 {account}"),
        &scratch.path("second"),
    )
    .unwrap();
    let error = refused(
        &scratch,
        &format!("{TINY} --n 4 --epsilon 0.5 {account} --data-set other"),
    );
    assert!(error.contains("is the ledger of"), "{error}");
    let error = refused(
        &scratch,
        &format!("{TINY} --n 4 --epsilon 0.5 --ledger {ledger} --cap 9"),
    );
    assert!(error.contains("was begun with the cap"), "{error}");
}

/// The rows of the table in another order, and the list of users with them: everybody would be charged for somebody else.
#[test]
fn users_in_another_order_are_refused() {
    let scratch = Scratch::new();
    let ledger = scratch.path("ledger.json").display().to_string();
    let names: Vec<String> = (0..80).map(|row| format!("user {row}\n")).collect();
    let sorted = scratch.write("sorted.txt", &names.concat());
    let reversed: String = names.iter().rev().map(String::as_str).collect();
    let reversed = scratch.write("reversed.txt", &reversed);
    let release = format!("{TINY} --n 4 --epsilon 0.5 --ledger {ledger} --cap 1.5 --users");
    run(&format!("{release} {sorted} --begin-ledger"), &scratch.path("first")).unwrap();
    let error = refused(&scratch, &format!("{release} {reversed}"));
    assert!(error.contains("was begun with names of rows"), "{error}");
    run(&format!("{release} {sorted}"), &scratch.path("second")).unwrap();
}

/// Noise that passes 2^53 in some of 16,000 cells: it was charged, and then refused. What is refused follows from sizes and noise alone.
#[test]
fn a_release_that_is_known_to_fail_is_not_charged() {
    let scratch = Scratch::new();
    let ledger = scratch.path("ledger.json");
    let account = format!("--ledger {} --cap 1", ledger.display());
    run(
        &format!("{TINY} --n 1 --epsilon 0.5 {account} --begin-ledger"),
        &scratch.path("first"),
    )
    .unwrap();
    let before = fs::read(&ledger).unwrap();
    for noise in [
        "1e-15",
        "1e-15 --mechanism truncated",
        "1e-9 --mechanism laplace --bits 20",
    ] {
        let error = refused(&scratch, &format!("{TINY} --n 1 {account} --epsilon {noise}"));
        assert!(error.contains("are expected beyond 2^53 in size"), "{noise}: {error}");
        assert!(!error.contains("had been charged"), "{noise}");
    }
    assert_eq!(fs::read(&ledger).unwrap(), before);
    run(
        &format!("{TINY} --n 1 {account} --epsilon 1e-13"),
        &scratch.path("second"),
    )
    .unwrap();
}

/// Terms that no account can have, and a ledger instead of the release: refused before anything is charged.
#[test]
fn an_account_that_makes_no_sense_is_refused() {
    let scratch = Scratch::new();
    let ledger = scratch.path("ledger.json");
    let with = |flags: &str| {
        let error = refused(
            &scratch,
            &format!(
                "{TINY} --n 1 --epsilon 1 --begin-ledger --ledger {} {flags}",
                ledger.display()
            ),
        );
        assert!(!ledger.exists(), "{flags}");
        error
    };
    for delta in ["nan", "inf", "2", "-1"] {
        let error = with(&format!("--cap 5 --cap-delta {delta}"));
        assert!(
            error.starts_with("the delta that users may lose is"),
            "{delta}: {error}"
        );
    }
    let error = with("--cap 0");
    assert!(error.starts_with("--cap: "), "{error}");
    let out = scratch.path("same");
    let error = run(
        &format!(
            "{TINY} --n 1 --epsilon 1 --cap 5 --begin-ledger --ledger {}",
            out.display()
        ),
        &out,
    )
    .unwrap_err();
    assert!(
        error.to_string().starts_with("--ledger and --out have one name") && !out.exists(),
        "{error}"
    );
}
