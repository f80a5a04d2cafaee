//! Answers that are looked for once: formulas are read when they are first asked for, not at every update.

use std::sync::{PoisonError, RwLock};

/// Answers by what was asked, few enough to be looked through.
#[derive(Debug)]
pub(super) struct Found<K, V>(RwLock<Vec<(K, V)>>);

impl<K, V> Default for Found<K, V> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

/// A clone starts without answers.
impl<K, V> Clone for Found<K, V> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<K: PartialEq, V: Clone> Found<K, V> {
    /// All answers, with what was asked.
    pub fn all(&self) -> Vec<(K, V)>
    where
        K: Clone,
    {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The answer to `asked`, found by `find` the first time.
    pub fn get(&self, asked: K, find: impl FnOnce() -> V) -> V {
        let known = |all: &Vec<(K, V)>| {
            all.iter()
                .find(|(key, _)| *key == asked)
                .map(|(_, answer)| answer.clone())
        };
        let before = known(&self.0.read().unwrap_or_else(PoisonError::into_inner));
        before.unwrap_or_else(|| {
            let answer = find();
            let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
            all.push((asked, answer.clone()));
            answer
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_not_looked_for_again() {
        let found = Found::default();
        assert_eq!(found.get("a", || 1), 1);
        assert_eq!(found.get("b", || 2), 2);
        assert_eq!(found.get("a", || unreachable!("it was found")), 1);
        assert_eq!(found.clone().get("a", || 3), 3);
    }
}
