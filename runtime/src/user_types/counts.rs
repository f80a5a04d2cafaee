//! How the counts of a declaration are seen, told one by one to anyone who asks: self-tests do.

/// The implementation of [`Declares`](crate::infer::Declares).
#[doc(hidden)]
#[macro_export]
macro_rules! __counts {
    (
        $Model:ident, $Bound:ident {
            $(
                $(#[$attr:meta])*
                $at:literal $COUNT:ident $count:ident[$($set:ident),*] {
                    $(#[$law:meta])*
                    $how:ident $Law:ident $(= $path:path)? $(, $steps:ident $Cell:ident)?
                }
            )*
        }
    ) => {
        impl $crate::private::Declares for $Model {
            type Bound = $Bound;

            fn each_count<V: $crate::private::EachCount>(visitor: &mut V) {
                $($crate::__each_count!(visitor $at $how $Law $($steps $Cell)?);)*
            }
        }
    };
}

/// How one count is seen: by the written steps of its cells, where there are any.
#[doc(hidden)]
#[macro_export]
macro_rules! __each_count {
    ($visitor:ident $at:literal signed $Law:ident cell $Cell:ident) => {
        $visitor.difference::<$Cell>($at)
    };
    ($visitor:ident $at:literal exact $Law:ident) => {
        $visitor.exact($at)
    };
    ($visitor:ident $at:literal $how:ident $Law:ident) => {
        $visitor.channel($at, $crate::private::SeenThrough::<$Law>::by_channel())
    };
    ($visitor:ident $at:literal $how:ident $Law:ident $library:ident $Cell:ident) => {{
        use $crate::private::SeenByCell as _;
        $visitor.channel(
            $at,
            $crate::private::SeenAs::<$crate::private::$library, $Law>::LAW.by($Cell),
        )
    }};
}
