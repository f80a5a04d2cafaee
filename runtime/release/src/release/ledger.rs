//! What a data set has lost so far: who was charged by which release, and whether the next one is allowed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::files::sealed::sha256_of_each;
use super::ratio::Ratio;
use super::{LedgerError, Lplp, Promise};

mod account;
mod file;
mod lock;
mod runs;
#[cfg(test)]
mod tests;
mod text;

use runs::{Runs, copied, zip};

pub use account::Account;
pub use file::{LedgerFile, LedgerFileError};

/// The account of one data set, whose rows (documents, senders) are released once or several times.
///
/// Releasing the same row again adds the losses (sequential composition). Releasing other rows does not: a difference
/// of `N` counts that is spread over rows loses, in all, at most `N` times the largest loss per count among them
/// (parallel composition). Where rows belong to users, that holds of all rows of a user together, and what is capped is
/// the loss of each user.
///
/// Approximate promises cannot be scaled, so their losses are added up: from release to release even for different rows of one user, which
/// may be more than is needed, and is safe; and within a release over the unlike mechanisms by which rows of one user were released
/// ([`Promise::together`]), unless the mechanism is [`ORDERED`](super::Mechanism::ORDERED). Where rows belong to nobody, each row is charged
/// what it loses on its own, and nothing is said of a difference that is spread over several rows.
///
/// It knows rows, and it knows them by their position: row 3 is the same person in every release, or the wrong one is
/// charged. Where rows have names, [`Ledger::with_names`] has a ledger in a file refuse others, or the same in another order.
/// Where a person is a column as well (who is written to), give the ledger users and caps that cover both.
///
/// Rows that have lost the same are kept as one run, so that a data set may have any number of them.
///
/// A charge is made before noise is drawn: whoever stops in between has paid for nothing, which is safe.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    books: Books,
    num_rows: usize,
    num_users: usize,
    /// The largest loss per count among the rows of each user.
    pure: Runs<Option<Ratio>>,
}

/// What a ledger is begun with and what it has come to, as its file states it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Books {
    cap: Lplp,
    delta: f64,
    /// Loss per count allowed to each user, where they differ.
    caps: Option<Runs<Ratio>>,
    /// The user of each row; row `i` is user `i` where there are none.
    users: Option<Arc<Vec<usize>>>,
    /// Digest of the names of rows, where they have some.
    names: Option<String>,
    /// Loss per count of each row so far.
    rows: Runs<Option<Ratio>>,
    /// Losses of approximate promises per user, for the precision of the cap.
    approximate: Runs<Lost>,
    entries: Vec<Entry>,
}

/// Epsilon and delta, of approximate promises. The delta is a sum, and 0 before the first.
type Lost = (Option<Ratio>, f64);

/// One release in the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Name of the mechanism.
    pub mechanism: String,
    /// The rows released, in the order of the counts; `None` for all.
    pub rows: Option<Arc<Vec<usize>>>,
    /// What was promised of each row; where rows differ, what holds of all together.
    pub promise: Promise,
}

impl Ledger {
    /// The account of a data set with the given number of rows, none of which may lose more than `cap`.
    pub fn new(rows: usize, cap: Lplp) -> Self {
        let books = Books {
            cap,
            delta: 0.0,
            caps: None,
            users: None,
            names: None,
            rows: Runs::uniform(rows, None),
            approximate: Runs::uniform(rows, (None, 0.0)),
            entries: Vec::new(),
        };
        Self {
            pure: books.rows.clone(),
            books,
            num_rows: rows,
            num_users: rows,
        }
    }

    /// Allows approximate promises, up to `delta` in all for each user. Without this the ledger refuses them.
    ///
    /// # Errors
    /// No number in `[0, 1)`, or releases were charged already.
    pub fn with_delta(mut self, delta: f64) -> Result<Self, LedgerError> {
        self.unbegun()?;
        if !(0.0..1.0).contains(&delta) {
            return Err(LedgerError::Terms(format!(
                "the delta that users may lose is {delta:e}: give a number from 0 up to, and without, 1"
            )));
        }
        self.books.delta = delta;
        Ok(self)
    }

    /// Says to whom rows belong: `users[i]` owns row `i`. The cap then holds for each user.
    ///
    /// # Errors
    /// Not one user for each row, a user whose number is not below that of rows, or releases were charged already.
    pub fn with_users(mut self, users: Vec<usize>) -> Result<Self, LedgerError> {
        self.unbegun()?;
        one_for_each("users", users.len(), self.num_rows)?;
        if let Some((row, &user)) = users.iter().enumerate().find(|(_, user)| **user >= users.len()) {
            let rows = users.len();
            return Err(LedgerError::Terms(format!(
                "row {row} belongs to user {user}, and {rows} rows have at most {rows} users: number them from 0, without gaps"
            )));
        }
        self.num_users = users.iter().max().map_or(0, |most| most + 1);
        self.pure = Runs::uniform(self.num_users, None);
        self.books.approximate = Runs::uniform(self.num_users, (None, 0.0));
        self.books.users = Some(Arc::new(users));
        Ok(self)
    }

    /// Says what rows are called, in order: names of people, of documents, or of the user that each row belongs to. A digest of
    /// them goes into the ledger, and [`LedgerFile::open`] refuses a data set whose rows have other names or stand in another
    /// order: it would charge other people.
    ///
    /// # Errors
    /// Not one name for each row, or releases were charged already.
    pub fn with_names(mut self, names: &[impl AsRef<str>]) -> Result<Self, LedgerError> {
        self.unbegun()?;
        one_for_each("names", names.len(), self.num_rows)?;
        self.books.names = Some(sha256_of_each(names));
        Ok(self)
    }

    /// Gives each user a cap of their own: each row, where rows belong to nobody. All state it for the precision
    /// of the ledger.
    ///
    /// # Errors
    /// Not one cap for each user, or releases were charged already.
    pub fn with_caps(mut self, caps: Vec<Lplp>) -> Result<Self, LedgerError> {
        self.unbegun()?;
        one_for_each("caps", caps.len(), self.num_users)?;
        self.books.caps = Some(Runs::of(caps.iter().map(Lplp::gamma))?);
        Ok(self)
    }

    /// All rows, in order.
    pub fn all(&mut self) -> Account<'_> {
        let (ledger, rows) = (self, None);
        Account { ledger, rows }
    }

    /// Some rows: row `i` of the counts that are released is row `rows[i]` of the data set.
    ///
    /// # Errors
    /// A row that is not there, or named twice.
    pub fn rows(&mut self, rows: &[usize]) -> Result<Account<'_>, LedgerError> {
        let all = self.num_rows;
        if let Some(&row) = rows.iter().find(|&&row| row >= all) {
            let what = format!("row {row} is not in the ledger, which has {all} rows, numbered from 0");
            return Err(LedgerError::Terms(what));
        }
        let mut sorted = copied(rows)?;
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let what = format!("row {} is named twice in one release: name each row once", pair[0]);
            return Err(LedgerError::Terms(what));
        }
        let rows = Some(Arc::new(copied(rows)?));
        Ok(Account { ledger: self, rows })
    }

    /// Number of rows of the data set.
    pub fn num_rows(&self) -> usize {
        self.num_rows
    }

    /// What each user, or each row, may lose at most.
    pub fn cap(&self) -> Lplp {
        self.books.cap
    }

    /// The delta that each user may lose at most.
    pub fn delta(&self) -> f64 {
        self.books.delta
    }

    /// The user of each row, where rows belong to users.
    pub fn users(&self) -> Option<&[usize]> {
        self.books.users.as_deref().map(Vec::as_slice)
    }

    /// The digest of the names of rows, where they have some.
    pub fn names(&self) -> Option<&str> {
        self.books.names.as_deref()
    }

    /// The releases so far.
    pub fn entries(&self) -> &[Entry] {
        &self.books.entries
    }

    /// The loss so far of the user, or the row, that lost most, for observations that differ by the `n` of the cap;
    /// `None` before the first release.
    pub fn spent(&self) -> Option<Ratio> {
        let users = zip(self.pure.iter(), self.books.approximate.iter());
        // No sum that a charge has made fails now.
        let spent = users.filter_map(|(_, (gamma, (epsilon, _)))| self.total(gamma, epsilon).ok().flatten());
        spent.max()
    }

    /// The delta so far of the user, or the row, that lost most of it.
    pub fn spent_delta(&self) -> f64 {
        let deltas = self.books.approximate.iter().map(|(_, (_, delta))| delta);
        deltas.fold(0.0, f64::max)
    }

    fn unbegun(&self) -> Result<(), LedgerError> {
        match self.books.entries.len() {
            0 => Ok(()),
            entries => Err(LedgerError::Terms(format!(
                "the ledger has {entries} releases already: say to whom rows belong, and what is allowed, before the first"
            ))),
        }
    }
}

/// Refuses another number of `what` than there are rows or users.
pub(super) fn one_for_each(what: &str, found: usize, expected: usize) -> Result<(), LedgerError> {
    match found == expected {
        true => Ok(()),
        false => Err(LedgerError::Terms(format!(
            "{found} {what} were given for {expected} rows: give one for each"
        ))),
    }
}
