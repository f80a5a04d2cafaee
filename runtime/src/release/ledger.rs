//! What a data set has lost so far: who was charged by which release, and whether the next one is allowed.

use super::ratio::Ratio;
use super::{LedgerError, Lplp, Promise};

mod file;
#[cfg(test)]
mod tests;
mod text;

pub use file::{LedgerFile, LedgerFileError};

/// The account of one data set, whose rows (documents, senders) are released once or several times.
///
/// Releasing the same row again adds the losses (sequential composition). Releasing other rows does not: a difference
/// of `N` counts that is spread over rows loses, in all, at most `N` times the largest loss per count among them
/// (parallel composition). Where rows belong to users, that holds of all rows of a user together, and what is capped is
/// the loss of each user. Losses of approximate promises are added even for different rows of one user, which is
/// more than is needed, and safe.
///
/// It knows rows. Where a person is a column as well (who is written to), give the ledger users and caps that cover
/// both.
///
/// A charge is made before noise is drawn: whoever stops in between has paid for nothing, which is safe.
#[derive(Clone, Debug, PartialEq)]
pub struct Ledger {
    cap: Lplp,
    delta: f64,
    /// Cap of each user, where they differ.
    caps: Option<Vec<Lplp>>,
    /// The user of each row; row `i` is user `i` where there are none.
    users: Option<Vec<usize>>,
    num_users: usize,
    /// Loss per count of each row so far.
    rows: Vec<Option<Ratio>>,
    /// Losses of approximate promises per user, for the precision of the cap.
    approximate: Vec<(Option<Ratio>, f64)>,
    entries: Vec<Entry>,
}

/// One release in the ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name of the mechanism.
    pub mechanism: String,
    /// The rows released, in the order of the counts; `None` for all.
    pub rows: Option<Vec<usize>>,
    /// What was promised of each, the weakest where they differ.
    pub promise: Promise,
}

/// Some rows of a ledger: those that a release is about, in the order of its counts.
#[derive(Debug)]
pub struct Account<'a> {
    ledger: &'a mut Ledger,
    rows: Option<Vec<usize>>,
}

impl Ledger {
    /// The account of a data set with the given number of rows, none of which may lose more than `cap`.
    pub fn new(rows: usize, cap: Lplp) -> Self {
        Self {
            cap,
            delta: 0.0,
            caps: None,
            users: None,
            num_users: rows,
            rows: vec![None; rows],
            approximate: vec![(None, 0.0); rows],
            entries: Vec::new(),
        }
    }

    /// Allows approximate promises, up to `delta` in all for each user. Without this the ledger refuses them.
    ///
    /// # Errors
    /// No number in `[0, 1)`, or releases were charged already.
    pub fn with_delta(mut self, delta: f64) -> Result<Self, LedgerError> {
        self.unbegun()?;
        if !(0.0..1.0).contains(&delta) {
            return Err(LedgerError::DeltaCap { delta });
        }
        self.delta = delta;
        Ok(self)
    }

    /// Says to whom rows belong: `users[i]` owns row `i`. The cap then holds for each user.
    ///
    /// # Errors
    /// Not one user for each row, a user whose number is not below that of rows, or releases were charged already.
    pub fn with_users(mut self, users: Vec<usize>) -> Result<Self, LedgerError> {
        self.unbegun()?;
        self.length("users", users.len(), self.rows.len())?;
        if let Some((row, &user)) = users.iter().enumerate().find(|(_, user)| **user >= users.len()) {
            return Err(LedgerError::User {
                row,
                user,
                rows: users.len(),
            });
        }
        self.num_users = users.iter().max().map_or(0, |most| most + 1);
        self.approximate = vec![(None, 0.0); self.num_users];
        self.users = Some(users);
        Ok(self)
    }

    /// Gives each user a cap of their own: each row, where rows belong to nobody. All state it for the precision
    /// of the ledger.
    ///
    /// # Errors
    /// Not one cap for each user, or releases were charged already.
    pub fn with_caps(mut self, caps: Vec<Lplp>) -> Result<Self, LedgerError> {
        self.unbegun()?;
        self.length("caps", caps.len(), self.num_users)?;
        self.caps = Some(caps);
        Ok(self)
    }

    /// All rows, in order.
    pub fn all(&mut self) -> Account<'_> {
        Account {
            ledger: self,
            rows: None,
        }
    }

    /// Some rows: row `i` of the counts that are released is row `rows[i]` of the data set.
    ///
    /// # Errors
    /// A row that is not there, or named twice.
    pub fn rows(&mut self, rows: &[usize]) -> Result<Account<'_>, LedgerError> {
        let all = self.rows.len();
        if let Some(&row) = rows.iter().find(|&&row| row >= all) {
            return Err(LedgerError::Row { row, rows: all });
        }
        let mut sorted = rows.to_vec();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(LedgerError::RowTwice { row: pair[0] });
        }
        Ok(Account {
            ledger: self,
            rows: Some(rows.to_vec()),
        })
    }

    /// Number of rows of the data set.
    pub fn num_rows(&self) -> usize {
        self.rows.len()
    }

    /// What each user, or each row, may lose at most.
    pub fn cap(&self) -> Lplp {
        self.cap
    }

    /// The delta that each user may lose at most.
    pub fn delta(&self) -> f64 {
        self.delta
    }

    /// The user of each row, where rows belong to users.
    pub fn users(&self) -> Option<&[usize]> {
        self.users.as_deref()
    }

    /// The cap of each user, where they differ.
    pub fn caps(&self) -> Option<&[Lplp]> {
        self.caps.as_deref()
    }

    /// The releases so far.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The loss so far of the user, or the row, that lost most, for observations that differ by the `n` of the cap;
    /// `None` before the first release.
    pub fn spent(&self) -> Option<Ratio> {
        let users = self.pure(&self.rows).into_iter().zip(&self.approximate);
        // No sum that a charge has made fails now.
        users
            .filter_map(|(gamma, (epsilon, _))| self.total(gamma, *epsilon).ok().flatten())
            .max()
    }

    /// The delta so far of the user, or the row, that lost most of it.
    pub fn spent_delta(&self) -> f64 {
        self.approximate.iter().map(|(_, delta)| *delta).fold(0.0, f64::max)
    }

    fn unbegun(&self) -> Result<(), LedgerError> {
        match self.entries.len() {
            0 => Ok(()),
            entries => Err(LedgerError::Begun { entries }),
        }
    }

    fn length(&self, what: &'static str, found: usize, expected: usize) -> Result<(), LedgerError> {
        if found == expected {
            Ok(())
        } else {
            Err(LedgerError::Length { what, expected, found })
        }
    }

    fn user(&self, row: usize) -> usize {
        self.users.as_ref().map_or(row, |users| users[row])
    }

    fn owner(&self, user: usize) -> String {
        let kind = if self.users.is_some() { "user" } else { "row" };
        format!("{kind} {user}")
    }

    /// The largest pure loss per count among the rows of each user.
    fn pure(&self, rows: &[Option<Ratio>]) -> Vec<Option<Ratio>> {
        let mut most = vec![None; self.num_users];
        for (row, gamma) in rows.iter().enumerate() {
            let user = self.user(row);
            most[user] = most[user].max(*gamma);
        }
        most
    }

    /// The loss of a user, given the largest loss per count among their rows.
    fn total(&self, gamma: Option<Ratio>, approximate: Option<Ratio>) -> Result<Option<Ratio>, LedgerError> {
        let pure = gamma.map(|gamma| loss(gamma, self.cap.n())).transpose()?;
        sum(pure, approximate)
    }
}

impl Account<'_> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.as_ref().map_or(self.ledger.rows.len(), Vec::len)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Charges a release by `mechanism`: `promises` holds one promise for every row, or one that all rows have. Either
    /// the whole charge is made or none of it.
    ///
    /// # Errors
    /// [`LedgerError::Exhausted`] or [`LedgerError::Delta`] where a cap would be passed; a mechanism without a promise,
    /// or with one about fewer counts than the cap.
    pub fn charge(&mut self, mechanism: &'static str, promises: &[Promise]) -> Result<(), LedgerError> {
        let (ledger, len) = (&*self.ledger, self.len());
        if promises.len() != 1 {
            // A release of no rows has a promise all the same.
            ledger.length("promises", promises.len(), len.max(1))?;
        }
        let row_of = |i: usize| self.rows.as_ref().map_or(i, |rows| rows[i]);
        let (mut rows, mut approximate) = (ledger.rows.clone(), ledger.approximate.clone());
        // One release is one loss for a user, however many of their rows are in it: the largest among them.
        let mut owed: Vec<Option<(Ratio, f64)>> = vec![None; ledger.num_users];
        for i in 0..len {
            let (row, promise) = (row_of(i), promises[if promises.len() == 1 { 0 } else { i }]);
            match promise {
                Promise::None => return Err(LedgerError::NoPromise { mechanism }),
                Promise::Lplp { .. } => {
                    let Some(budget) = promise.lplp() else {
                        return Err(LedgerError::NoPromise { mechanism });
                    };
                    rows[row] = sum(rows[row], Some(budget.gamma()))?;
                }
                Promise::Approximate { n, epsilon, delta } => {
                    let user = ledger.user(row);
                    if n < ledger.cap.n() {
                        return Err(LedgerError::Precision {
                            promised: n,
                            cap: ledger.cap.n(),
                        });
                    }
                    owed[user] = Some(match owed[user] {
                        None => (epsilon, delta),
                        Some((most, probability)) => (most.max(epsilon), probability.max(delta)),
                    });
                }
            }
        }
        for (lost, owed) in approximate.iter_mut().zip(owed) {
            if let Some((epsilon, delta)) = owed {
                *lost = (sum(lost.0, Some(epsilon))?, lost.1 + delta);
            }
        }
        self.within_caps(&rows, &approximate)?;
        let promise = promises
            .iter()
            .copied()
            .reduce(Promise::weakest)
            .unwrap_or(Promise::None);
        let entry = Entry {
            mechanism: mechanism.to_owned(),
            rows: self.rows.clone(),
            promise,
        };
        let ledger = &mut *self.ledger;
        (ledger.rows, ledger.approximate) = (rows, approximate);
        ledger.entries.push(entry);
        Ok(())
    }

    fn within_caps(&self, rows: &[Option<Ratio>], approximate: &[(Option<Ratio>, f64)]) -> Result<(), LedgerError> {
        let ledger = &*self.ledger;
        let (before, after) = (ledger.pure(&ledger.rows), ledger.pure(rows));
        for user in 0..ledger.num_users {
            let (spent, delta) = ledger.approximate[user];
            let (now, more) = approximate[user];
            let cap = ledger.caps.as_ref().map_or(ledger.cap, |caps| caps[user]);
            let allowed = loss(cap.gamma(), ledger.cap.n())?;
            let total = ledger.total(after[user], now)?;
            if total > Some(allowed) {
                let spent = ledger.total(before[user], spent)?;
                let spelled = |loss: Option<Ratio>| loss.map_or("0".to_owned(), |loss| loss.to_string());
                return Err(LedgerError::Exhausted {
                    owner: ledger.owner(user),
                    n: ledger.cap.n(),
                    cap: allowed.to_string(),
                    left: spent
                        .map_or(Some(allowed), |spent| allowed.minus(spent))
                        .map_or("nothing".to_owned(), |left| left.to_string()),
                    spent: spelled(spent),
                    total: spelled(total),
                });
            }
            if more > ledger.delta {
                return Err(LedgerError::Delta {
                    owner: ledger.owner(user),
                    spent: delta,
                    total: more,
                    cap: ledger.delta,
                });
            }
        }
        Ok(())
    }
}

/// `n gamma`, rounded up where it needs more than 64 bits.
fn loss(gamma: Ratio, n: u64) -> Result<Ratio, LedgerError> {
    let (numerator, denominator) = gamma.times(n);
    Ok(Ratio::at_least(numerator, denominator.into())?)
}

fn sum(a: Option<Ratio>, b: Option<Ratio>) -> Result<Option<Ratio>, LedgerError> {
    Ok(match (a, b) {
        (Some(a), Some(b)) => Some(a.plus(b)?),
        (a, b) => a.or(b),
    })
}
