//! What `Debug` of an error shows: the sentence of its `Display`.
//!
//! A `main` that returns `Result<(), Box<dyn Error>>` prints the `Debug` of its error, and so does `unwrap`: without this a user
//! reads `Negative { index: [0, 1], value: "-1" }` there, and not what is wrong and what to do.

/// Implements `Debug` of an error by its `Display`.
#[doc(hidden)]
#[macro_export]
macro_rules! plain_debug {
    ($error:ty) => {
        impl ::core::fmt::Debug for $error {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(self, f)
            }
        }
    };
}
