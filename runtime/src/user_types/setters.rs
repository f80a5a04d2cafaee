//! Methods that set sizes, hyperparameters, known arrays, frozen latents and labels.

/// One setter for each name, and one `freeze_` for each latent.
#[doc(hidden)]
#[macro_export]
macro_rules! __setters {
    (
        $Model:ident
        { $($(#[$set_attr:meta])* $set_at:literal $SET:ident $set:ident),* }
        { $($(#[$hyper_attr:meta])* $hyper_at:literal $hyper:ident: $hyper_domain:ident),* }
        {
            $(
                $(#[$array_attr:meta])*
                $array_at:literal $ARRAY:ident $array:ident[$($array_set:ident),*]: $domain:ident $noun:literal
            ),*
        }
        {
            $(
                $(#[$latent_attr:meta])*
                $latent_at:literal $LATENT:ident $latent:ident[$($latent_set:ident),*] $freeze:ident { $($conditional:tt)* }
            )*
        }
    ) => {
        #[allow(non_snake_case, reason = "the declaration says how its names are written")]
        impl $Model {
            $(
                #[doc = ::core::concat!(
                    "Sets the size of `", ::core::stringify!($set),
                    "`. A size that contradicts the data is an error when the model is bound.",
                )]
                pub fn $set(mut self, size: usize) -> Self {
                    self.__given.given().set_size($set_at, size);
                    self
                }
            )*

            $(
                $(#[$hyper_attr])*
                #[doc = ::core::concat!(
                    "Sets the hyperparameter `", ::core::stringify!($hyper),
                    "`, which must be ", ::core::stringify!($hyper_domain), ".",
                )]
                pub fn $hyper(mut self, value: $crate::__number!($hyper_domain)) -> Self {
                    self.__given.given().set_hyper($hyper_at, value as f64);
                    self
                }
            )*

            $(
                $(#[$array_attr])*
                #[doc = ::core::concat!(
                    "Gives the ", $noun, " `", ::core::stringify!($array), "`, (", ::core::stringify!($($array_set),*),
                    "), whose entries must be ", ::core::stringify!($domain), ".",
                )]
                pub fn $array(mut self, array: impl ::core::convert::Into<$crate::private::Array>) -> Self {
                    self.__given.given().set_array($array_at, array.into());
                    self
                }
            )*

            $(
                #[doc = ::core::concat!(
                    "Fixes `", ::core::stringify!($latent), "`, (", ::core::stringify!($($latent_set),*),
                    "), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. ",
                    "New rows are projected on fixed factors in this way.",
                )]
                pub fn $freeze(mut self, values: impl ::core::convert::Into<$crate::private::Array>) -> Self {
                    self.__given.given().freeze($latent_at, values.into());
                    self
                }
            )*

            /// Names the values of an index set. Fits hand the labels on, and what draws or saves a fit can write them.
            ///
            /// # Errors
            ///
            /// If `index` is a constant of another model, whatever its name. Their number is compared with the size when the model
            /// is bound.
            pub fn labels(
                mut self,
                index: $crate::private::Index,
                labels: &[impl ::core::convert::AsRef<str>],
            ) -> ::core::result::Result<Self, $crate::private::Error> {
                self.__given.given().label(index, labels)?;
                ::core::result::Result::Ok(self)
            }
        }
    };
}

/// In which type a scalar of a domain is given.
#[doc(hidden)]
#[macro_export]
macro_rules! __number {
    (whole) => {
        u64
    };
    ($domain:ident) => {
        f64
    };
}
