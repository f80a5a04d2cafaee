//! How data come in: the mechanism of each count and, for a model of several counts, structs with a field for each.

/// `TopicsLaw`, the law of what was observed: the one place where a mechanism is named as the user wrote it: a name that is not in scope is one error.
#[doc(hidden)]
#[macro_export]
macro_rules! __mechanisms {
    (
        $vis:vis of $Model:ident {
            $(
                $(#[$attr:meta])*
                $at:literal $COUNT:ident $count:ident[$($set:ident),*] {
                    $(#[$law:meta])*
                    $how:ident $Law:ident $(= $path:path)? $(, $steps:ident $Cell:ident)?
                }
            )*
        }
    ) => {
        $(
            #[doc = ::core::concat!("The law by which `", ::core::stringify!($count), "` is observed.")]
            #[allow(non_camel_case_types, reason = "the declaration says how its names are written")]
            $vis type $Law = $crate::__observed_through!($($path)?);
        )*
    };
}

/// A mechanism, or none.
#[doc(hidden)]
#[macro_export]
macro_rules! __observed_through {
    () => {
        $crate::private::Exact
    };
    ($path:path) => {
        $path
    };
}

/// `GroupsData` and `GroupsCounts`; nothing for a model of one count.
#[doc(hidden)]
#[macro_export]
macro_rules! __data {
    ($vis:vis of $Model:ident []; $counts:tt) => {};
    ($vis:vis of $Model:ident [$Data:ident, $Rates:ident]; $counts:tt) => {
        $crate::__data! { @data $vis $Data of $Model; [] []; $counts }
    };
    ($vis:vis of $Model:ident [$Data:ident, $Counts:ident, $Rates:ident]; $counts:tt) => {
        $crate::__data! { @data $vis $Data of $Model; [] []; $counts }
        $crate::__data! { @counts $vis $Counts of $Model; $counts }
    };
    // A count that is released has the type of its data for a parameter: `new` can then say what to do with a value that is not a release.
    (
        @data $vis:vis $Data:ident of $Model:ident; [$($released:tt)*] [$($field:tt)*]; {
            $(#[$attr:meta])*
            $at:literal $COUNT:ident $count:ident[$($set:ident),*] {
                $(#[$law:meta])*
                released $Law:ident = $path:path $(, $steps:ident $Cell:ident)?
            }
            $($rest:tt)*
        }
    ) => {
        $crate::__data! {
            @data $vis $Data of $Model; [$($released)* ($count $Law)] [
                $($field)*
                $(#[$attr])*
                #[doc = ::core::concat!("`", ::core::stringify!($count), "`, (", ::core::stringify!($($set),*), ").")]
                pub $count: &'a $count,
            ];
            { $($rest)* }
        }
    };
    (
        @data $vis:vis $Data:ident of $Model:ident; [$($released:tt)*] [$($field:tt)*]; {
            $(#[$attr:meta])*
            $at:literal $COUNT:ident $count:ident[$($set:ident),*] {
                $(#[$law:meta])*
                $how:ident $Law:ident $(, $steps:ident $Cell:ident)?
            }
            $($rest:tt)*
        }
    ) => {
        $crate::__data! {
            @data $vis $Data of $Model; [$($released)*] [
                $($field)*
                $(#[$attr])*
                #[doc = ::core::concat!("`", ::core::stringify!($count), "`, (", ::core::stringify!($($set),*), ").")]
                pub $count: &'a $crate::__data!(@counted $how),
            ];
            { $($rest)* }
        }
    };
    (@data $vis:vis $Data:ident of $Model:ident; [$(($released:ident $Law:ident))*] [$($field:tt)*]; {}) => {
        #[doc = ::core::concat!("The data of [`", ::core::stringify!($Model), "`]: for each count what was observed of it.")]
        #[allow(non_snake_case, non_camel_case_types, reason = "the declaration says how its names are written")]
        $vis struct $Data<'a $(, $released = $crate::private::Released<$Law>)*> {
            $($field)*
        }

        #[allow(non_camel_case_types, reason = "the declaration says how its names are written")]
        impl<$($released),*> ::core::clone::Clone for $Data<'_ $(, $released)*> {
            fn clone(&self) -> Self {
                *self
            }
        }

        #[allow(non_camel_case_types, reason = "the declaration says how its names are written")]
        impl<$($released),*> ::core::marker::Copy for $Data<'_ $(, $released)*> {}
    };
    (
        @counts $vis:vis $Counts:ident of $Model:ident; {
            $(
                $(#[$attr:meta])*
                $at:literal $COUNT:ident $count:ident[$($set:ident),*] {
                    $(#[$law:meta])*
                    $how:ident $Law:ident $(= $path:path)? $(, $steps:ident $Cell:ident)?
                }
            )*
        }
    ) => {
        #[doc = ::core::concat!("True counts for [`", ::core::stringify!($Model), "`], for its non-private fit.")]
        #[allow(non_snake_case, non_camel_case_types, reason = "the declaration says how its names are written")]
        #[derive(::core::clone::Clone, ::core::marker::Copy)]
        $vis struct $Counts<'a> {
            $(
                $(#[$attr])*
                #[doc = ::core::concat!("`", ::core::stringify!($count), "`, (", ::core::stringify!($($set),*), ").")]
                pub $count: &'a $crate::__data!(@counted $how),
            )*
        }
    };
    (@counted signed) => { $crate::private::Differences };
    (@counted $how:ident) => { $crate::private::Counts };
}
