//! `TopicsSizes`: the size of every index set.

/// The struct, with a field for each index set.
#[doc(hidden)]
#[macro_export]
macro_rules! __sizes {
    ($vis:vis $Sizes:ident of $Model:ident; { $($(#[$attr:meta])* $at:literal $SET:ident $set:ident),* }) => {
        #[doc = ::core::concat!("Sizes of the index sets of [`", ::core::stringify!($Model), "`].")]
        #[allow(non_snake_case, non_camel_case_types, reason = "the declaration says how its names are written")]
        #[derive(
            ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::cmp::Eq,
        )]
        $vis struct $Sizes {
            $(
                $(#[$attr])*
                #[doc = ::core::concat!("Size of `", ::core::stringify!($set), "`.")]
                pub $set: usize,
            )*
        }

        impl $Sizes {
            fn of(sizes: &[usize]) -> Self {
                Self { $($set: sizes[$at]),* }
            }
        }
    };
}
