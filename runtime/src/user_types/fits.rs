//! `TopicsGibbs` and `TopicsCavi`, what the engines return, and `TopicsStart`, where they start: with one field per latent.

/// These structs.
#[doc(hidden)]
#[macro_export]
macro_rules! __fits {
    (
        $vis:vis $Start:ident, $Gibbs:ident, $Cavi:ident of $Model:ident, $Bound:ident;
        {
            $(
                $(#[$attr:meta])*
                $at:literal $LATENT:ident $latent:ident[$($set:ident),*] $freeze:ident {
                    $(#[$conditional:meta])*
                    draws,
                    $(#[$posterior:meta])*
                    $kind:ident
                }
            )*
        }
    ) => {
        #[doc = ::core::concat!(
            "Where a run of [`", ::core::stringify!($Model), "`] starts, for the latents that it has values of: `starting_values: ",
            ::core::stringify!($Start), " { .. }.into()` in its settings.",
        )]
        #[allow(non_snake_case, non_camel_case_types, reason = "the declaration says how its names are written")]
        #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::default::Default)]
        $vis struct $Start {
            $(
                #[doc = ::core::concat!(
                    "Positive values of `", ::core::stringify!($latent), "`, (", ::core::stringify!($($set),*), ").",
                )]
                pub $latent: ::core::option::Option<$crate::private::Array>,
            )*
        }

        impl ::core::convert::From<$Start> for $crate::private::StartingValues {
            fn from(__start: $Start) -> Self {
                let __values = <Self as ::core::default::Default>::default();
                $(
                    let __values = match __start.$latent {
                        ::core::option::Option::Some(values) => {
                            let spec = <$Bound as $crate::private::Declaration>::SPEC;
                            __values.latent(spec.latents[$at].name, values)
                        },
                        ::core::option::Option::None => __values,
                    };
                )*
                __values
            }
        }

        #[doc = ::core::concat!("A Gibbs fit of [`", ::core::stringify!($Model), "`].")]
        #[allow(non_snake_case, non_camel_case_types, reason = "the declaration says how its names are written")]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        $vis struct $Gibbs {
            $(
                $(#[$attr])*
                #[doc = ::core::concat!(
                    "Kept draws of `", ::core::stringify!($latent), "`, (", ::core::stringify!($($set),*),
                    "), each from its complete conditional",
                )]
                $(#[$conditional])*
                pub $latent: $crate::private::Draws<$crate::__array!($($set)*)>,
            )*
            __fit: $crate::private::GibbsFit,
        }

        impl ::core::convert::From<$crate::private::GibbsFit> for $Gibbs {
            fn from(__fit: $crate::private::GibbsFit) -> Self {
                Self { $($latent: __fit.draws($at),)* __fit }
            }
        }

        impl $Gibbs {
            /// The same fit with the components, which the index set `components` numbers, of all chains and draws in one
            /// order: means of components over several chains are means of this one. Components that a known array or a frozen latent tells
            /// apart have an order, and are left as they are; `switching` says so.
            ///
            /// # Errors
            ///
            /// An index set that no latent has, or whose values are those of data or of time; components for which one order is not enough; a
            /// latent of which neither draws nor moments were kept.
            pub fn aligned(&self, components: &str) -> ::core::result::Result<Self, $crate::private::Error> {
                ::core::result::Result::map(self.__fit.aligned(components), <Self as ::core::convert::From<_>>::from)
            }

            /// The same fit with the latents of one chain, such as that of `most_probable`: what to read where chains have found
            /// different modes. Rates, diagnostics and files stay those of all chains.
            ///
            /// # Errors
            ///
            /// A chain that there is not.
            pub fn of_chain(&self, chain: usize) -> ::core::result::Result<Self, $crate::private::Error> {
                let __fit = ::core::clone::Clone::clone(&self.__fit);
                ::core::result::Result::Ok(Self { $($latent: self.$latent.of_chain(chain)?,)* __fit })
            }
        }

        impl $crate::private::FitOf<$Bound> for $Gibbs {}

        impl ::core::ops::Deref for $Gibbs {
            type Target = $crate::private::GibbsFit;

            fn deref(&self) -> &$crate::private::GibbsFit {
                &self.__fit
            }
        }

        #[doc = ::core::concat!("A variational fit of [`", ::core::stringify!($Model), "`].")]
        #[allow(non_snake_case, non_camel_case_types, reason = "the declaration says how its names are written")]
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        $vis struct $Cavi {
            $(
                $(#[$attr])*
                #[doc = ::core::concat!(
                    "Posterior of `", ::core::stringify!($latent), "`, (", ::core::stringify!($($set),*),
                    "), independent entry by entry:",
                )]
                $(#[$posterior])*
                pub $latent: $crate::__posterior!($kind $($set)*),
            )*
            __fit: $crate::private::CaviFit,
        }

        impl ::core::convert::From<$crate::private::CaviFit> for $Cavi {
            fn from(__fit: $crate::private::CaviFit) -> Self {
                Self { $($latent: __fit.$kind($at),)* __fit }
            }
        }

        impl $crate::private::FitOf<$Bound> for $Cavi {}

        impl ::core::ops::Deref for $Cavi {
            type Target = $crate::private::CaviFit;

            fn deref(&self) -> &$crate::private::CaviFit {
                &self.__fit
            }
        }
    };
}
