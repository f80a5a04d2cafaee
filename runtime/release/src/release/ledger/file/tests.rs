//! Ledgers in files: what is kept, who is let in, and what is refused.

use std::fs;

use super::*;
use crate::release::{Delta, Lplp, Promise, Ratio};
use tempfile::tempdir;

fn cap() -> Lplp {
    Lplp::new(2, 1).unwrap()
}

/// The ledger, begun where there is none.
fn kept(path: impl AsRef<Path>, data: &str, terms: Ledger) -> Result<LedgerFile, LedgerFileError> {
    match LedgerFile::open(&path, data, &terms) {
        Err(LedgerFileError::Missing { .. }) => LedgerFile::begin(&path, data, terms),
        opened => opened,
    }
}

fn pay(file: &mut LedgerFile, epsilon: f64) -> Result<(), LedgerFileError> {
    let promise = Promise::from(Lplp::new(2, epsilon).unwrap());
    file.charge(|account| account.charge("TwoSidedGeometric", &[promise]))
}

fn pay_approximately(file: &mut LedgerFile) {
    let promise = Promise::Approximate {
        n: 2,
        epsilon: Ratio::new(1, 4).unwrap(),
        delta: Delta::new(1e-6).unwrap(),
    };
    file.charge(|account| account.charge("Skellam", &[promise])).unwrap();
}

#[track_caller]
fn unfit<T>(result: Result<T, LedgerFileError>, expected: &str) {
    match result {
        Err(error @ LedgerFileError::File(FileError::Damaged { .. })) => {
            assert!(error.to_string().contains(expected), "{error}")
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("accepted, and not: {expected}"),
    }
}

#[test]
fn losses_are_kept_between_releases() {
    let scratch = tempdir().unwrap();
    let path = scratch.path().join("ledger.json");
    let fresh = || Ledger::new(3, cap()).with_users(vec![0, 1, 1]).unwrap();
    let open = || kept(&path, "letters", fresh());
    let mut first = open().unwrap();
    pay(&mut first, 0.6).unwrap();
    // One at a time.
    assert!(matches!(open(), Err(LedgerFileError::InUse { .. })));
    drop(first);
    let before = fs::read(&path).unwrap();
    let mut second = open().unwrap();
    let error = pay(&mut second, 0.5).unwrap_err();
    assert!(
        matches!(
            &error,
            LedgerFileError::Refused {
                source: LedgerError::Exhausted { .. },
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(fs::read(&path).unwrap(), before);
    pay(&mut second, 0.4).unwrap();
    drop(second);
    let (data, ledger) = Ledger::read(&path).unwrap();
    assert_eq!((data.as_str(), ledger.entries().len()), ("letters", 2));
    assert_eq!(ledger.spent().unwrap().to_string(), "1");
    assert!(pay(&mut open().unwrap(), 1e-9).is_err());
}

#[test]
fn every_part_of_a_ledger_comes_back() {
    let scratch = tempdir().unwrap();
    let path = scratch.path().join("ledger.json");
    let caps = [1.0, 0.5].map(|epsilon| Lplp::new(2, epsilon).unwrap()).to_vec();
    let fresh = Ledger::new(3, cap())
        .with_delta(1e-5)
        .unwrap()
        .with_users(vec![0, 1, 0])
        .unwrap();
    let mut file = kept(&path, "x", fresh.with_caps(caps).unwrap()).unwrap();
    pay_approximately(&mut file);
    let each = [0.5, 0.25, 0.5].map(|epsilon| Promise::from(Lplp::new(2, epsilon).unwrap()));
    file.charge(|account| account.charge("TwoSidedGeometric", &each))
        .unwrap();
    assert_eq!(&Ledger::read(&path).unwrap().1, file.ledger());
}

/// By whichever name: one account, one lock.
#[cfg(unix)]
#[test]
fn a_link_to_a_ledger_is_that_ledger() {
    let scratch = tempdir().unwrap();
    let (path, link) = (scratch.path().join("ledger.json"), scratch.path().join("link.json"));
    let open = |path: &Path| kept(path, "letters", Ledger::new(3, cap()));
    pay(&mut open(&path).unwrap(), 0.5).unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let mut held = open(&link).unwrap();
    assert!(matches!(open(&path), Err(LedgerFileError::InUse { .. })));
    pay(&mut held, 0.5).unwrap();
    drop(held);
    assert!(link.symlink_metadata().unwrap().is_symlink());
    let error = pay(&mut open(&path).unwrap(), 0.5).unwrap_err();
    assert!(matches!(error, LedgerFileError::Refused { .. }), "{error}");
    assert_eq!(Ledger::read(&link).unwrap().1.spent().unwrap().to_string(), "1");
    // A second name that is not a link cannot be followed back.
    fs::hard_link(&path, scratch.path().join("hard.json")).unwrap();
    unfit(open(&path), "has 2 names (hard links)");
    unfit(open(scratch.path()), "is not a file");
    use std::os::unix::fs::PermissionsExt;
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn other_data_and_other_terms_are_refused() {
    let scratch = tempdir().unwrap();
    let path = scratch.path().join("ledger.json");
    pay(&mut kept(&path, "letters", Ledger::new(3, cap())).unwrap(), 0.1).unwrap();
    let open = |data: &str, fresh| kept(&path, data, fresh).map(|_| ());
    let fresh = || Ledger::new(3, cap());
    let refused = open("mail", fresh()).unwrap_err().to_string();
    assert!(
        refused.contains("is the ledger of `letters`, not of `mail`"),
        "{refused}"
    );
    let terms = [
        Ledger::new(4, cap()),
        Ledger::new(3, Lplp::new(2, 5).unwrap()),
        fresh().with_delta(0.1).unwrap(),
        fresh().with_users(vec![0, 1, 2]).unwrap(),
    ];
    for other in terms {
        let refused = open("letters", other).unwrap_err();
        assert!(matches!(refused, LedgerFileError::Other { .. }), "{refused}");
        assert!(refused.to_string().contains("was begun with"), "{refused}");
    }
    open("letters", fresh()).unwrap();
}

#[test]
fn an_altered_ledger_is_refused() {
    let scratch = tempdir().unwrap();
    let path = scratch.path().join("ledger.json");
    pay(&mut kept(&path, "letters", Ledger::new(3, cap())).unwrap(), 0.6).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    for at in 0..text.len() - 1 {
        fs::write(&path, &text[..at]).unwrap();
        assert!(Ledger::read(&path).is_err(), "{at}");
    }
    fs::write(&path, text.replacen("\"0.3\"", "\"0.1\"", 1)).unwrap();
    let altered = Ledger::read(&path).unwrap_err();
    assert!(
        matches!(
            &altered,
            LedgerFileError::Damaged {
                source: FileError::Altered { .. }
            }
        ),
        "{altered}"
    );
}

/// A is let in, the lock goes away, B is let in by a new one: three charges of 0.5 were granted under a cap of 1.
#[test]
fn a_lock_that_was_removed_protects_nothing_and_grants_nothing() {
    let scratch = tempdir().unwrap();
    for begun in [false, true] {
        let path = scratch.path().join(format!("{begun}.json"));
        let open = || kept(&path, "letters", Ledger::new(3, cap())).unwrap();
        if begun {
            pay(&mut open(), 0.25).unwrap();
        }
        let mut a = open();
        fs::remove_file(scratch.path().join(format!(".{begun}.json.lock"))).unwrap();
        let mut b = open();
        pay(&mut b, 0.5).unwrap();
        let after = fs::read(&path).unwrap();
        let refused = pay(&mut a, 0.5).unwrap_err();
        assert!(matches!(refused, LedgerFileError::LockLost { .. }), "{refused}");
        // Nothing is charged, and nothing left beside.
        assert_eq!(fs::read(&path).unwrap(), after);
        assert!(a.ledger().spent() < b.ledger().spent());
        let partial = fs::read_dir(scratch.path()).unwrap().filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().ends_with(".partial")
        });
        assert_eq!(partial.count(), 0);
        // B goes on, as often as its cap allows.
        pay(&mut b, 0.125).unwrap();
        drop((a, b));
        // Removed and not made again: nobody else was let in, but somebody might have been.
        let mut alone = open();
        fs::remove_file(scratch.path().join(format!(".{begun}.json.lock"))).unwrap();
        assert!(matches!(pay(&mut alone, 1e-3), Err(LedgerFileError::LockLost { .. })));
    }
}

/// Whatever changed the file, and whether or not the lock was asked.
#[test]
fn a_ledger_that_changed_after_it_was_read_is_not_replaced() {
    let scratch = tempdir().unwrap();
    let path = scratch.path().join("ledger.json");
    let open = || kept(&path, "letters", Ledger::new(3, cap())).unwrap();
    let mut held = open();
    // Begun by somebody else after it was found absent.
    fs::write(&path, "{}").unwrap();
    assert!(matches!(pay(&mut held, 0.5), Err(LedgerFileError::Changed { .. })));
    fs::remove_file(&path).unwrap();
    pay(&mut held, 0.25).unwrap();
    let old = fs::read(&path).unwrap();
    pay(&mut held, 0.25).unwrap();
    let new = fs::read(&path).unwrap();
    // A copy from before is put back, or the file is gone.
    fs::write(&path, &old).unwrap();
    assert!(matches!(pay(&mut held, 0.25), Err(LedgerFileError::Changed { .. })));
    fs::remove_file(&path).unwrap();
    assert!(matches!(pay(&mut held, 0.25), Err(LedgerFileError::Changed { .. })));
    fs::write(&path, &new).unwrap();
    pay(&mut held, 0.25).unwrap();
    assert_eq!(Ledger::read(&path).unwrap().1.spent().unwrap().to_string(), "0.75");
}

/// A table of any number of rows has an account that is written, read again and charged again.
#[test]
fn what_is_written_can_be_read() {
    let scratch = tempdir().unwrap();
    for rows in [1 << 28, 400_000_000_000, i64::MAX as usize, usize::MAX] {
        let path = scratch.path().join(format!("{rows}.json"));
        let fresh = || Ledger::new(rows, cap());
        pay(&mut kept(&path, "letters", fresh()).unwrap(), 0.5).unwrap();
        let mut again = kept(&path, "letters", fresh()).unwrap();
        pay(&mut again, 0.5).unwrap();
        assert!(matches!(pay(&mut again, 0.5), Err(LedgerFileError::Refused { .. })));
        assert_eq!(&Ledger::read(&path).unwrap().1, again.ledger());
        assert!(path.metadata().unwrap().len() < 2000);
    }
    // Users take room; where they take more than is read again, nothing is charged.
    let rows = 9_000_000;
    let path = scratch.path().join("users.json");
    let users = Ledger::new(rows, cap()).with_users((0..rows).collect()).unwrap();
    let mut file = kept(&path, "letters", users).unwrap();
    unfit(pay(&mut file, 0.5), "would have more than the 67108864 bytes");
    assert!(!path.exists() && file.ledger().spent().is_none());
}

/// It was begun again, with an account of nothing, by the next release.
#[test]
fn a_ledger_that_is_gone_is_not_begun_anew() {
    let scratch = tempdir().unwrap();
    let path = scratch.path().join("ledger.json");
    let begin = || LedgerFile::begin(&path, "letters", Ledger::new(3, cap()));
    let open = || LedgerFile::open(&path, "letters", &Ledger::new(3, cap()));
    let names = || fs::read_dir(scratch.path()).unwrap().count();
    assert!(matches!(open(), Err(LedgerFileError::Missing { .. })));
    assert_eq!(names(), 0, "a ledger that is not there has no lock");
    // Begun, and never charged: nothing is left, and it can be begun again.
    assert!(pay(&mut begin().unwrap(), 5.0).is_err());
    assert_eq!(names(), 0);
    let mut held = begin().unwrap();
    assert!(matches!(begin(), Err(LedgerFileError::InUse { .. })));
    pay(&mut held, 0.5).unwrap();
    drop(held);
    assert!(matches!(begin(), Err(LedgerFileError::Exists { .. })));
    let text = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    for gone in [open(), begin()] {
        let error = gone.map(|_| ()).unwrap_err();
        assert!(matches!(error, LedgerFileError::Gone { .. }), "{error}");
        assert!(
            error.to_string().contains(".ledger.json.lock. Put the ledger back"),
            "{error}"
        );
    }
    assert_eq!(names(), 1, "the lock stays");
    fs::write(&path, text).unwrap();
    assert_eq!(open().unwrap().ledger().spent().unwrap().to_string(), "0.5");
    fs::remove_file(&path).unwrap();
    fs::remove_file(scratch.path().join(".ledger.json.lock")).unwrap();
    begin().unwrap();
}

/// The file sorted otherwise: everybody would be charged for somebody else.
#[test]
fn rows_in_another_order_are_refused() {
    let scratch = tempdir().unwrap();
    let path = scratch.path().join("ledger.json");
    let open = |names: Option<[&str; 3]>| {
        let fresh = Ledger::new(3, cap());
        let fresh = match names {
            None => fresh,
            Some(names) => fresh.with_names(&names).unwrap(),
        };
        kept(&path, "letters", fresh)
    };
    let sorted = Some(["ann", "bob", "cleo"]);
    pay(&mut open(sorted).unwrap(), 0.5).unwrap();
    for other in [Some(["bob", "ann", "cleo"]), Some(["ann", "bob", "dan"]), None] {
        let refused = open(other).map(|_| ()).unwrap_err();
        assert!(
            refused.to_string().contains("was begun with names of rows"),
            "{refused}"
        );
    }
    pay(&mut open(sorted).unwrap(), 0.5).unwrap();
    // The names themselves are not in the file.
    assert!(!fs::read_to_string(&path).unwrap().contains("cleo"));
}

/// Files with a digest that fits and numbers that do not.
#[test]
fn numbers_that_no_account_has_are_refused() {
    use crate::release::files::tests::forged;
    use serde_json::{Value, json};

    let scratch = tempdir().unwrap();
    let path = scratch.path().join("ledger.json");
    let fresh = Ledger::new(4, cap())
        .with_delta(1e-3)
        .unwrap()
        .with_users(vec![0, 0, 1, 1]);
    let mut file = kept(&path, "letters", fresh.unwrap()).unwrap();
    pay_approximately(&mut file);
    let text = fs::read_to_string(&path).unwrap();
    let with = |pointer: &str, value: &Value| {
        fs::write(&path, forged(&text, pointer, value.clone())).unwrap();
        Ledger::read(&path)
    };
    assert!(with("/contents/data", &json!("mail")).is_ok());
    for (field, value) in [
        ("delta", json!("NaN")),
        ("delta", json!(null)),
        ("delta", json!(-1.0)),
        ("delta", json!(1.0)),
        ("approximate", json!([[2, ["1/4", null]]])),
        ("approximate", json!([[2, ["1/4", -1e-6]]])),
        ("approximate", json!([[2, ["1/4", 1.0]]])),
        ("approximate", json!([[2, ["1/4"]]])),
        ("approximate", json!([[2, ["-1/4", 1e-6]]])),
        ("approximate", json!([[3, ["1/4", 1e-6]]])),
        ("approximate", json!([[0, ["1/4", 1e-6]]])),
        ("approximate", json!([[1, ["1/4", 1e-6]], [1, ["1/4", 1e-6]]])),
        ("rows", json!([[4, "1/4", 0]])),
        ("rows", json!([[4, "0"]])),
        ("rows", json!([[u64::MAX, null], [u64::MAX, "1/4"]])),
        ("rows", json!([[400_000_000_000u64, null]])),
        ("rows", json!("many")),
        ("users", json!([0, 0, 1])),
        ("users", json!([0, 0, 1, 400_000_000_000u64])),
        ("users", json!([0, 0, 1, u64::MAX])),
        ("users", json!([0, 0, 1, -1])),
        ("names", json!("ann")),
        ("caps", json!([[3, "1/4"]])),
        ("caps", json!([[2, "0"]])),
        ("cap/n", json!(0)),
        ("cap/gamma", json!("1000")),
        ("entries/0/promise", json!("none")),
        ("entries/0/promise/approximate/delta", json!("NaN")),
        ("entries/0/promise/approximate/delta", json!(1.0)),
        ("entries/0/promise/approximate/delta", json!(1.005)),
        ("entries/0/promise/approximate/delta", json!(-1.0)),
        ("entries/0/rows", json!([0, "x"])),
    ] {
        let refused = with(&format!("/contents/ledger/{field}"), &value).map(|_| ());
        assert!(
            matches!(refused, Err(LedgerFileError::Damaged { .. })),
            "{field} {value}: {refused:?}"
        );
    }
    // Short texts that ask for much memory: brackets by the million, and users beyond their rows.
    fs::write(&path, format!("[{}]", "[1],".repeat(600_000))).unwrap();
    assert!(matches!(Ledger::read(&path), Err(LedgerFileError::Damaged { .. })));
    let old = text.replacen("\"version\": 3", "\"version\": 2", 1);
    fs::write(&path, old).unwrap();
    let error = Ledger::read(&path).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("is of version 2, and this program reads version 3"),
        "{error}"
    );
    // No end, and no text.
    for device in ["/dev/zero", "/dev/null"]
        .iter()
        .map(Path::new)
        .filter(|path| path.exists())
    {
        unfit(Ledger::read(device), "is a device");
    }
}
