//! What `Debug` of an error shows: the sentence of its `Display`.
//!
//! A `main` that returns `Result<(), Box<dyn Error>>` prints the `Debug` of its error, and so does `unwrap`: without this a user
//! reads `Negative { index: [0, 1], value: "-1" }` there, and not what is wrong and what to do.

/// Implements `Debug` of an error by its `Display`.
macro_rules! plain_debug {
    ($error:ty) => {
        impl ::core::fmt::Debug for $error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    };
}

pub(crate) use plain_debug;

#[cfg(test)]
mod tests {
    use std::error::Error as StdError;

    use crate::counts::{Counts, CountsError, ReadOptions, read_counts_from};
    use crate::error::Error;

    /// As `main` shows it.
    fn shown(error: Box<dyn StdError>) -> String {
        format!("Error: {error:?}")
    }

    #[test]
    fn main_shows_the_sentence() {
        let Err(negative) = Counts::dense(vec![1, 2], vec![0, -1]) else {
            panic!("a count of -1 was taken")
        };
        assert!(matches!(negative, CountsError::Value { .. }));
        let sentence = "Error: the count at [0, 1] is -1: true counts are not negative";
        assert!(shown(negative.clone().into()).starts_with(sentence));
        assert!(shown(Error::from(negative).into()).starts_with(sentence));
        let Err(read) = read_counts_from(*b"i,j,n\n0,0,x\n", &ReadOptions::default()) else {
            panic!("an x was taken for a count")
        };
        let shown = shown(read.into());
        assert!(shown.contains("line 2") && !shown.contains('{'), "{shown}");
    }
}
