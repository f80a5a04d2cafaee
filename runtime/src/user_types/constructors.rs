//! `new`, `exact` and, where something is released, `naive`.

/// How a model is made of data: one count or several, all of them exact or some released.
#[doc(hidden)]
#[macro_export]
macro_rules! __constructors {
    // One count, observed as it is.
    ($Model:ident [] {
        $(#[$attr:meta])*
        $at:literal $COUNT:ident $count:ident[$($set:ident),*] { $(#[$law:meta])* exact $Law:ident }
    }) => {
        $crate::__constructors! { @exact $Model; data: &$crate::private::Counts, [(exact $Law; data)] }
    };
    // One count, a difference that is observed as it is.
    ($Model:ident [] {
        $(#[$attr:meta])*
        $at:literal $COUNT:ident $count:ident[$($set:ident),*] { $(#[$law:meta])* signed $Law:ident, $steps:ident $Cell:ident }
    }) => {
        $crate::__constructors! { @exact $Model; data: &$crate::private::Differences, [(signed $Law $steps $Cell; data)] }
    };
    // One count, released. A bound instead of a type says what to do with a value that is not a release.
    ($Model:ident [] {
        $(#[$attr:meta])*
        $at:literal $COUNT:ident $count:ident[$($set:ident),*] {
            $(#[$law:meta])*
            released $Law:ident = $path:path $(, $steps:ident $Cell:ident)?
        }
    }) => {
        $crate::__constructors! {
            @released $Model;
            data: impl $crate::private::ReleasedBy<$Law>, [$crate::__seen!(released $Law $($steps $Cell)?; data.released())];
            counts: &$crate::private::Counts, [(exact $Law; counts)];
            data: &$crate::private::Released<$Law>, [(naive released $Law; data)];
        }
    };
    // Several, all of them observed as they are.
    ($Model:ident [$Data:ident, $Rates:ident] {
        $(
            $(#[$attr:meta])*
            $at:literal $COUNT:ident $count:ident[$($set:ident),*] {
                $(#[$law:meta])*
                $how:ident $Law:ident $(, $steps:ident $Cell:ident)?
            }
        )*
    }) => {
        $crate::__constructors! { @exact $Model; data: $Data<'_>, [$(($how $Law $($steps $Cell)?; data.$count))*] }
    };
    // Several, of which some are released.
    ($Model:ident [$Data:ident, $Counts:ident, $Rates:ident] {
        $(
            $(#[$attr:meta])*
            $at:literal $COUNT:ident $count:ident[$($set:ident),*] {
                $(#[$law:meta])*
                $how:ident $Law:ident $(= $path:path)? $(, $steps:ident $Cell:ident)?
            }
        )*
    }) => {
        $crate::__data_of! { $Model, $Data; [] [$(($how $Law; $count))*] [$(($how $Law $($steps $Cell)?; $count))*] }
        $crate::__constructors! {
            @released $Model;
            data: impl $crate::private::DataOf<$Model>, $crate::private::DataOf::<$Model>::observed(data)?;
            counts: $Counts<'_>, [$((counted $how $Law $($steps $Cell)?; counts.$count))*];
            data: $Data<'_>, [$((naive $how $Law $($steps $Cell)?; data.$count))*];
        }
    };
    (@exact $Model:ident; $data:ident: $Data:ty, [$($seen:tt)*]) => {
        impl $Model {
            /// The model of exactly observed counts.
            ///
            /// # Errors
            ///
            /// If the data have another number of indices than the declaration, or two sizes for one index set.
            pub fn new($data: $Data) -> ::core::result::Result<Self, $crate::private::Error> {
                Self::with_data([$($crate::__seen! $seen),*])
            }

            /// The same as `new`: these counts are observed exactly.
            ///
            /// # Errors
            ///
            /// As `new`.
            pub fn exact(counts: $Data) -> ::core::result::Result<Self, $crate::private::Error> {
                Self::new(counts)
            }
        }
        $crate::__constructors! { @with_data $Model }
    };
    (
        @released $Model:ident;
        $data:ident: $Data:ty, $observed:expr;
        $counts:ident: $Counts:ty, [$($exact:tt)*];
        $releases:ident: $Releases:ty, [$($naive:tt)*];
    ) => {
        impl $Model {
            /// The model of counts released by the declared mechanism, and by no other.
            ///
            /// # Errors
            ///
            /// If the data have another number of indices than the declaration, or two sizes for one index set.
            pub fn new($data: $Data) -> ::core::result::Result<Self, $crate::private::Error> {
                Self::with_data($observed)
            }

            /// The non-private fit of the same declaration: true counts, observed exactly.
            ///
            /// # Errors
            ///
            /// If the data have another number of indices than the declaration, or two sizes for one index set.
            pub fn exact($counts: $Counts) -> ::core::result::Result<Self, $crate::private::Error> {
                Self::with_data([$($crate::__seen! $exact),*])
            }

            /// The naive fit of the same declaration: releases are taken for counts, negative ones for
            /// zero. The reference of ICML19, not a model of the data.
            ///
            /// # Errors
            ///
            /// If the data have another number of indices than the declaration, or two sizes for one index set.
            pub fn naive($releases: $Releases) -> ::core::result::Result<Self, $crate::private::Error> {
                Self::with_data([$($crate::__seen! $naive),*])
            }
        }
        $crate::__constructors! { @with_data $Model }
    };
    (@with_data $Model:ident) => {
        impl $Model {
            fn with_data(
                counts: impl ::core::convert::Into<::std::vec::Vec<::std::sync::Arc<dyn $crate::private::CountData>>>,
            ) -> ::core::result::Result<Self, $crate::private::Error> {
                let counts = ::core::convert::Into::into(counts);
                // A printed source explains nothing: there, the function is that of the trait.
                #[allow(unused_imports, reason = "where the macro has written the derivation, its own function is called")]
                use $crate::private::Unexplained as _;
                let mut __given = $crate::private::Declared::with_data(Self::__DECLARED, counts)?;
                __given.given().explain(Self::__written);
                ::core::result::Result::Ok(Self { __given })
            }
        }
    };
}

/// What `new` takes where several counts are declared, and some to be released: their data, of which those that are released are
/// releases by the declared mechanisms. A bound instead of a type, as of one count.
#[doc(hidden)]
#[macro_export]
macro_rules! __data_of {
    ($Model:ident, $Data:ident; [$($released:tt)*] [(released $Law:ident; $count:ident) $($rest:tt)*] $seen:tt) => {
        $crate::__data_of! { $Model, $Data; [$($released)* ($count $Law)] [$($rest)*] $seen }
    };
    ($Model:ident, $Data:ident; $released:tt [$exact:tt $($rest:tt)*] $seen:tt) => {
        $crate::__data_of! { $Model, $Data; $released [$($rest)*] $seen }
    };
    (
        $Model:ident, $Data:ident; [$(($released:ident $Of:ident))*] []
        [$(($how:ident $Law:ident $($steps:ident $Cell:ident)?; $count:ident))*]
    ) => {
        #[allow(non_camel_case_types, reason = "the declaration says how its names are written")]
        impl<'a $(, $released)*> $crate::private::DataOf<$Model> for $Data<'a $(, $released)*>
        where
            $(&'a $released: $crate::private::ReleasedBy<$Of>,)*
        {
            fn observed(
                self,
            ) -> ::core::result::Result<
                ::std::vec::Vec<::std::sync::Arc<dyn $crate::private::CountData>>,
                $crate::private::Error,
            > {
                ::core::result::Result::Ok(::core::convert::Into::into([
                    $($crate::__seen!(given $how $Law $($steps $Cell)?; self.$count)),*
                ]))
            }
        }
    };
}

/// How one count is seen.
#[doc(hidden)]
#[macro_export]
macro_rules! __seen {
    (exact $Law:ident; $value:expr) => { $crate::private::exact($value)? };
    (signed $Law:ident $steps:ident $Cell:ident; $value:expr) => { $crate::private::SeenDifferences::<$Cell>::new($value).shared() };
    (given released $Law:ident $($steps:ident $Cell:ident)?; $value:expr) => {
        $crate::__seen!(released $Law $($steps $Cell)?; $crate::private::ReleasedBy::<$Law>::released(&$value))
    };
    (given $how:ident $Law:ident $($steps:ident $Cell:ident)?; $value:expr) => { $crate::__seen!($how $Law $($steps $Cell)?; $value) };
    (counted signed $Law:ident $steps:ident $Cell:ident; $value:expr) => { $crate::__seen!(signed $Law $steps $Cell; $value) };
    (counted $how:ident $Law:ident $($steps:ident $Cell:ident)?; $value:expr) => { $crate::__seen!(exact $Law; $value) };
    (naive signed $Law:ident $steps:ident $Cell:ident; $value:expr) => { $crate::__seen!(signed $Law $steps $Cell; $value) };
    (released $Law:ident; $value:expr) => { $crate::private::Observed::<$Law>::released($value).shared() };
    (released $Law:ident $library:ident $Cell:ident; $value:expr) => {{
        use $crate::private::SeenByCell as _;
        ($crate::private::SeenAs::<$crate::private::$library, $Law>::LAW.by($Cell).data)($value)
    }};
    (naive exact $Law:ident; $value:expr) => { $crate::__seen!(exact $Law; $value) };
    (naive released $Law:ident $($steps:ident $Cell:ident)?; $value:expr) => {
        $crate::private::naive::<$Law>($value)?
    };
}
