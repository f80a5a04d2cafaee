//! Charges: which rows lose what, and whether their caps allow it.

use std::sync::Arc;

use super::runs::{Runs, filled, reserve, zip};
use super::{Entry, Ledger, Lost, one_for_each};
use crate::channel::{Channel, Varying};
use crate::release::delta::sum_up;
use crate::release::promise::{Kind, lost_by};
use crate::release::ratio::Ratio;
use crate::release::sensitive::by_row;
use crate::release::{LedgerError, Mechanism, Promise};

/// Some rows of a ledger: those that a release is about, in the order of its counts.
#[derive(Debug)]
pub struct Account<'a> {
    pub(super) ledger: &'a mut Ledger,
    pub(super) rows: Option<Arc<Vec<usize>>>,
}

impl Account<'_> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.as_ref().map_or(self.ledger.num_rows, |rows| rows.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Charges a release of counts of `shape`, whose first mode are the rows, by `mechanism`. Either the whole charge is made or none of it.
    ///
    /// # Errors
    /// [`LedgerError::Exhausted`] or [`LedgerError::Delta`] where a cap would be passed; a mechanism without a promise,
    /// or with one about fewer counts than the cap; [`LedgerError::OutOfMemory`].
    pub fn charge_for<M: Mechanism>(&mut self, mechanism: &Varying<M>, shape: &[usize]) -> Result<(), LedgerError> {
        self.charge_as(<M::Law as Channel>::text().name, &by_row(mechanism, shape), M::ORDERED)
    }

    /// Charges a release by the mechanism of that name: `promises` holds one promise for every row, or one that all rows have. Approximate
    /// promises that differ are taken to be of unlike mechanisms, whose losses add up for a user with rows of several.
    ///
    /// # Errors
    /// Those of [`Account::charge_for`].
    pub fn charge(&mut self, mechanism: &'static str, promises: &[Promise]) -> Result<(), LedgerError> {
        self.charge_as(mechanism, promises, false)
    }

    fn charge_as(&mut self, mechanism: &'static str, promises: &[Promise], ordered: bool) -> Result<(), LedgerError> {
        let (ledger, len) = (&*self.ledger, self.len());
        if promises.len() != 1 {
            // A release of no rows has a promise all the same.
            one_for_each("promises", promises.len(), len.max(1))?;
        }
        if !promises.iter().all(Promise::holds) {
            return Err(LedgerError::NoPromise { mechanism });
        }
        let cap = ledger.books.cap.n();
        let is_about_fewer = |promise: &&Promise| promise.delta().and(promise.loss()).is_some_and(|(n, _)| n < cap);
        if let Some((promised, _)) = promises.iter().find(is_about_fewer).and_then(Promise::loss) {
            return Err(LedgerError::Terms(format!(
                "the promise is about {promised} counts, but the cap of the ledger is about {cap}: state the promise for at least {cap}"
            )));
        }
        let charged = self.by_row(promises)?;
        let rows = ledger.pure_after(&charged)?;
        let pure = ledger.by_user(&rows, Ratio::max)?;
        let approximate = ledger.approximate_after(&charged, ordered)?;
        ledger.within_caps(&pure, &approximate)?;
        let all = promises.iter().copied();
        let promise = match ordered {
            true => all.reduce(Promise::weakest).unwrap_or(Promise::None),
            false => Promise::together(all),
        };
        if promise.is_none() {
            return Err(LedgerError::NoPromise { mechanism });
        }
        let entry = Entry {
            mechanism: mechanism.to_owned(),
            rows: self.rows.clone(),
            promise,
        };
        let ledger = &mut *self.ledger;
        reserve(&mut ledger.books.entries, 1)?;
        ledger.books.entries.push(entry);
        (ledger.books.rows, ledger.pure, ledger.books.approximate) = (rows, pure, approximate);
        Ok(())
    }

    /// The promise about each row of the data set, `None` for rows that are not released.
    fn by_row(&self, promises: &[Promise]) -> Result<Runs<Option<Promise>>, LedgerError> {
        let promise_of = |i: usize| Some(promises[if promises.len() == 1 { 0 } else { i }]);
        let Some(rows) = &self.rows else {
            return match promises {
                [one] => Ok(Runs::uniform(self.ledger.num_rows, Some(*one))),
                each => Runs::of(each.iter().copied().map(Some)),
            };
        };
        let mut places = Vec::new();
        reserve(&mut places, rows.len())?;
        places.extend(rows.iter().copied().enumerate().map(|(i, row)| (row, i)));
        places.sort_unstable();
        let mut all = Runs::new();
        let mut next = 0;
        for (row, i) in places {
            all.push(row - next, None)?;
            all.push(1, promise_of(i))?;
            next = row + 1;
        }
        all.push(self.ledger.num_rows - next, None)?;
        Ok(all)
    }
}

impl Ledger {
    /// The pure loss per count of each row after the charge.
    fn pure_after(&self, charged: &Runs<Option<Promise>>) -> Result<Runs<Option<Ratio>>, LedgerError> {
        let mut after = Runs::new();
        for (len, (spent, promise)) in zip(self.books.rows.iter(), charged.iter()) {
            let owed = promise.and_then(|promise| promise.lplp()).map(|budget| budget.gamma());
            after.push(len, sum(spent, owed)?)?;
        }
        Ok(after)
    }

    /// The approximate losses of each user after the charge. One release is one loss for a user, however many of their rows are in
    /// it: the largest among them where the mechanism is ordered, else what rows of all kinds lose together.
    fn approximate_after(&self, charged: &Runs<Option<Promise>>, ordered: bool) -> Result<Runs<Lost>, LedgerError> {
        let mut kinds = Runs::new();
        for (len, promise) in charged.iter() {
            kinds.push(len, promise.filter(|promise| promise.delta().is_some()))?;
        }
        let owed = match &self.books.users {
            Some(users) if !ordered => self.together(users, &kinds)?,
            _ => {
                let mut owed = Runs::new();
                for (len, promise) in self.by_user(&kinds, Promise::weakest)?.iter() {
                    owed.push(
                        len,
                        promise.and_then(|promise| Some((promise.loss()?.1, promise.delta()?.get()))),
                    )?;
                }
                owed
            }
        };
        let mut after = Runs::new();
        for (len, ((loss, delta), owed)) in zip(self.books.approximate.iter(), owed.iter()) {
            let lost = match owed {
                None => (loss, delta),
                Some((epsilon, more)) => (sum(loss, Some(epsilon))?, sum_up(delta, more)),
            };
            after.push(len, lost)?;
        }
        Ok(after)
    }

    /// What each user loses by rows of unlike mechanisms. A difference of as many counts as the cap is about lies in rows of as many kinds at
    /// most.
    fn together(
        &self,
        users: &[usize],
        rows: &Runs<Option<Promise>>,
    ) -> Result<Runs<Option<(Ratio, f64)>>, LedgerError> {
        let mut kinds: Vec<(usize, Kind)> = Vec::new();
        let mut row = 0;
        for (len, promise) in rows.iter() {
            let of_user = users[row..row + len].iter().copied();
            if let Some(kind) = promise.and_then(|promise| promise.kind()) {
                reserve(&mut kinds, len)?;
                kinds.extend(of_user.map(|user| (user, kind)));
            }
            row += len;
        }
        kinds.sort_unstable();
        kinds.dedup();
        let mut owed = filled(None, self.num_users)?;
        for of_user in kinds.chunk_by(|a, b| a.0 == b.0) {
            let kinds: Vec<Kind> = of_user.iter().map(|(_, kind)| *kind).collect();
            owed[of_user[0].0] = Some(lost_by(&kinds, self.books.cap.n())?);
        }
        Runs::of(owed)
    }

    fn within_caps(&self, pure: &Runs<Option<Ratio>>, approximate: &Runs<Lost>) -> Result<(), LedgerError> {
        // Runs of caps, and within them of users that have lost the same: the first of each speaks for all.
        let n = self.books.cap.n();
        let one = Runs::uniform(self.num_users, self.books.cap.gamma());
        let caps = self.books.caps.as_ref().unwrap_or(&one);
        let mut user = 0;
        for (len, (cap, (gamma, (epsilon, delta)))) in zip(caps.iter(), zip(pure.iter(), approximate.iter())) {
            let allowed = cap.times_up(n)?;
            let total = self.total(gamma, epsilon)?;
            let (spent, spent_delta) = self.books.approximate.at(user).unwrap_or((None, 0.0));
            if total.is_some_and(|total| total > allowed) {
                let spent = self.total(self.pure.at(user).flatten(), spent)?;
                let left = spent.map_or(Some(allowed), |spent| allowed.minus(spent));
                let spelled = |loss: Option<Ratio>, none: &str| loss.map_or(none.to_owned(), |loss| loss.to_string());
                let (spent, left, total) = (spelled(spent, "0"), spelled(left, "nothing"), spelled(total, "0"));
                return Err(LedgerError::Exhausted {
                    owner: self.owner(user),
                    what: format!(
                        "of the loss allowed by ({n}, {allowed}), {spent} is spent and {left} is left; this release would raise \
                         the loss to {total}"
                    ),
                });
            }
            // Asked so that what cannot be compared is refused.
            let is_within = delta <= self.books.delta;
            if !is_within {
                return Err(LedgerError::Delta {
                    owner: self.owner(user),
                    spent: spent_delta,
                    total: delta,
                    cap: self.books.delta,
                });
            }
            user += len;
        }
        Ok(())
    }

    fn owner(&self, user: usize) -> String {
        let kind = if self.books.users.is_some() { "user" } else { "row" };
        format!("{kind} {user}")
    }

    /// The largest of what each user loses by one of their rows: of each row, where rows belong to nobody.
    pub(super) fn by_user<T: Copy + PartialEq>(
        &self,
        rows: &Runs<Option<T>>,
        larger: fn(T, T) -> T,
    ) -> Result<Runs<Option<T>>, LedgerError> {
        let Some(users) = &self.books.users else {
            return Ok(rows.clone());
        };
        let mut most = filled(None, self.num_users)?;
        let mut row = 0;
        for (len, loss) in rows.iter() {
            for &user in &users[row..row + len] {
                most[user] = [most[user], loss].into_iter().flatten().reduce(larger);
            }
            row += len;
        }
        Runs::of(most)
    }

    /// The loss of a user, given the largest loss per count among their rows.
    pub(super) fn total(&self, gamma: Option<Ratio>, approximate: Option<Ratio>) -> Result<Option<Ratio>, LedgerError> {
        let pure = gamma.map(|gamma| gamma.times_up(self.books.cap.n())).transpose()?;
        sum(pure, approximate)
    }
}

fn sum(a: Option<Ratio>, b: Option<Ratio>) -> Result<Option<Ratio>, LedgerError> {
    Ok(match (a, b) {
        (Some(a), Some(b)) => Some(a.plus(b)?),
        (a, b) => a.or(b),
    })
}
