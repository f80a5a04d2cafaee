//! `Topics`: the declaration, on which data, sizes and hyperparameters are set.

/// The struct, which is a `Declared` with methods of the user's names, and the constants of its index sets.
#[doc(hidden)]
#[macro_export]
macro_rules! __builder {
    (
        $(#[$attr:meta])*
        $vis:vis $Model:ident of $Bound:ident;
        { $($(#[$set_attr:meta])* $at:literal $SET:ident $set:ident),* }
    ) => {
        $(#[$attr])*
        #[allow(non_snake_case, reason = "the declaration says how its names are written")]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        $vis struct $Model {
            __given: $crate::private::Declared<$Bound>,
        }

        impl ::core::ops::Deref for $Model {
            type Target = $crate::private::Declared<$Bound>;

            fn deref(&self) -> &Self::Target {
                &self.__given
            }
        }

        #[allow(non_upper_case_globals, reason = "the declaration says how its names are written")]
        impl $Model {
            // The path, line and column tell the model from every other.
            const __DECLARED: $crate::private::Origin = $crate::private::Origin::new(
                ::core::concat!(::core::module_path!(), "::", ::core::stringify!($Model)),
                ::core::line!(),
                ::core::column!(),
            );

            $(
                #[doc = ::core::concat!("The index set `", ::core::stringify!($set), "`, to be labelled.")]
                pub const $SET: $crate::private::Index =
                    $crate::private::Index::new(Self::__DECLARED, ::core::stringify!($set), $at);
            )*
        }
    };
}
