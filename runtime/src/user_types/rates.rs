//! `fit.rate()`: an array, or `GroupsRates` with an array for each of several counts.

/// The methods of both fits.
#[doc(hidden)]
#[macro_export]
macro_rules! __rates {
    ($vis:vis $Gibbs:ident, $Cavi:ident of $Model:ident [] {
        $(#[$attr:meta])*
        $at:literal $COUNT:ident $count:ident[$($set:ident),*] { $($seen:tt)* }
    }) => {
        $crate::__rates! {
            @methods $Gibbs, $Cavi;
            ::core::concat!("`", ::core::stringify!($count), "`, (", ::core::stringify!($($set),*), ")");
            fit: $crate::__array!($($set)*), fit.rate_array($at)
        }
    };
    ($vis:vis $Gibbs:ident, $Cavi:ident of $Model:ident [$Data:ident, $Rates:ident] $counts:tt) => {
        $crate::__rates! { @several $vis $Gibbs, $Cavi of $Model $Rates $counts }
    };
    ($vis:vis $Gibbs:ident, $Cavi:ident of $Model:ident [$Data:ident, $Counts:ident, $Rates:ident] $counts:tt) => {
        $crate::__rates! { @several $vis $Gibbs, $Cavi of $Model $Rates $counts }
    };
    (@several $vis:vis $Gibbs:ident, $Cavi:ident of $Model:ident $Rates:ident {
        $(
            $(#[$attr:meta])*
            $at:literal $COUNT:ident $count:ident[$($set:ident),*] { $($seen:tt)* }
        )*
    }) => {
        #[doc = ::core::concat!("Mean rates of every count of [`", ::core::stringify!($Model), "`].")]
        #[allow(non_snake_case, non_camel_case_types, reason = "the declaration says how its names are written")]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        $vis struct $Rates {
            $(
                #[doc = ::core::concat!("Of `", ::core::stringify!($count), "`, (", ::core::stringify!($($set),*), ").")]
                pub $count: $crate::__array!($($set)*),
            )*
        }

        $crate::__rates! {
            @methods $Gibbs, $Cavi;
            "each count";
            fit: $Rates, ::core::result::Result::Ok($Rates { $($count: fit.rate_array($at)?),* })
        }
    };
    (@methods $Gibbs:ident, $Cavi:ident; $what:expr; $fit:ident: $Rate:ty, $rate:expr) => {
        impl $Gibbs {
            #[doc = ::core::concat!(
                "Posterior mean of the rate of every cell of ", $what, ": the mean of the rate, not the rate of the means.",
            )]
            ///
            /// # Errors
            ///
            /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
            ///
            /// It is the mean over all chains. Where `doubts()` says that chains are in different modes, read those of one:
            /// `rates(count)?.of_chain(chain)?`.
            pub fn rate(&self) -> ::core::result::Result<$Rate, $crate::private::Error> {
                let $fit = &self.__fit;
                $rate
            }
        }

        impl $Cavi {
            #[doc = ::core::concat!(
                "Posterior mean of the rate of every cell of ", $what, ": the mean of the rate, not the rate of the means.",
            )]
            ///
            /// # Errors
            ///
            /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
            pub fn rate(&self) -> ::core::result::Result<$Rate, $crate::private::Error> {
                let $fit = &self.__fit;
                $rate
            }
        }
    };
}
