//! `TopicsModel`: the model with its data, which engines take as a `Model`.

/// The struct, the numbers of what is declared, and how engines reach the conditionals.
#[doc(hidden)]
#[macro_export]
macro_rules! __bound {
    (
        $vis:vis $Bound:ident, $Sizes:ident of $Model:ident;
        {
            $(
                $(#[$latent_attr:meta])*
                $latent_at:literal $LATENT:ident $latent:ident[$($latent_set:ident),*] $freeze:ident { $($conditional:tt)* }
            )*
        }
        {
            $(
                $(#[$array_attr:meta])*
                $array_at:literal $ARRAY:ident $array:ident[$($array_set:ident),*]: $domain:ident $noun:literal
            ),*
        }
        {
            $(
                $(#[$count_attr:meta])*
                $count_at:literal $COUNT:ident $count:ident[$($count_set:ident),*] {
                    $(#[$law:meta])*
                    $how:ident $($seen:tt)*
                }
            )*
        }
    ) => {
        #[doc = ::core::concat!("[`", ::core::stringify!($Model), "`] with its data, sizes and layout: what the engines run on.")]
        #[allow(non_camel_case_types, reason = "the declaration says how its names are written")]
        $vis struct $Bound {
            __bound: $crate::private::Bound,
        }

        #[allow(non_upper_case_globals, reason = "the declaration says how its names are written")]
        impl $Bound {
            $(
                #[doc = ::core::concat!(
                    "The latent `", ::core::stringify!($latent), "`, (", ::core::stringify!($($latent_set),*), ").",
                )]
                pub const $LATENT: usize = $latent_at;
            )*
            $(
                #[doc = ::core::concat!(
                    "The known array `", ::core::stringify!($array), "`, (", ::core::stringify!($($array_set),*), ").",
                )]
                pub const $ARRAY: usize = $array_at;
            )*
            $(
                #[doc = ::core::concat!(
                    "The count `", ::core::stringify!($count), "`, (", ::core::stringify!($($count_set),*), "):",
                )]
                $(#[$law])*
                pub const $COUNT: usize = $count_at;
            )*

            /// Sizes of the index sets.
            pub fn sizes(&self) -> $Sizes {
                $Sizes::of(self.__bound.sizes())
            }
        }

        impl ::core::convert::From<$crate::private::Bound> for $Bound {
            fn from(__bound: $crate::private::Bound) -> Self {
                Self { __bound }
            }
        }

        impl $crate::private::Model for $Bound {
            fn bound(&self) -> &$crate::private::Bound {
                &self.__bound
            }

            fn update(
                &self,
                x: &mut $crate::private::Factors,
                counts: &mut $crate::private::Factors,
                count_rates: &mut [$crate::private::CountRate],
                step: &mut dyn $crate::private::Step,
            ) {
                let drawn = self.__bound.undrawn_tables();
                let mut s = $crate::private::State::new(&self.__bound, x, counts, count_rates, step, &drawn);
                if s.is_ascent() { Self::iterate(&mut s) } else { Self::sweep(&mut s) }
            }

            fn elbo(&self, of: &$crate::private::ElboParts<'_>) -> f64 {
                Self::elbo(of)
            }
        }
    };
}
