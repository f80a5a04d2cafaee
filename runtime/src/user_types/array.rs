//! In which types arrays are handed out.

/// The type of an array over these index sets.
#[doc(hidden)]
#[macro_export]
macro_rules! __array {
    () => { f64 };
    ($one:ident) => { $crate::private::Array1<f64> };
    ($one:ident $two:ident) => { $crate::private::Array2<f64> };
    ($($more:ident)*) => { $crate::private::Array };
}

/// The variational posterior of a latent over these index sets.
#[doc(hidden)]
#[macro_export]
macro_rules! __posterior {
    (posterior $($set:ident)*) => { $crate::private::Posterior<$crate::__array!($($set)*)> };
    (simplex $($set:ident)*) => { $crate::private::Simplex<$crate::__array!($($set)*)> };
}
