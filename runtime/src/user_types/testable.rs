//! What the self-test needs of a model: the declaration as data, and how a tiny instance is put together.

/// The method, and the implementation behind it.
#[doc(hidden)]
#[macro_export]
macro_rules! __testable {
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
        impl $Model {
            /// Checks everything that was derived, on a tiny instance of this model with simulated data:
            /// conditionals against the joint density, both samplers by the test of Geweke (2004), the laws of
            /// the variational bound, and that data that say nothing leave the prior. Takes some seconds in a
            /// release build.
            pub fn self_test() -> $crate::private::Report {
                $crate::private::self_test::<Self>()
            }
        }

        impl $crate::private::Testable for $Model {
            const SPEC: &'static $crate::private::Spec = <$Bound as $crate::private::Declaration>::SPEC;

            fn mechanisms() -> ::std::vec::Vec<::std::boxed::Box<dyn $crate::private::TestedMechanism>> {
                $crate::private::in_order(::std::vec![$(($at, $crate::__tested!($how $Law $($steps $Cell)?))),*])
            }

            fn assemble(
                setting: &$crate::private::Setting,
                form: $crate::private::FormKind,
                way: ::core::option::Option<usize>,
            ) -> ::core::result::Result<::std::boxed::Box<dyn $crate::private::Model>, $crate::private::Error> {
                let mechanisms = <Self as $crate::private::Testable>::mechanisms();
                let given =
                    $crate::private::Given::simulated(<Self as $crate::private::Testable>::SPEC, &mechanisms, setting)?;
                let declared = <$crate::private::Declared<$Bound> as ::core::convert::From<_>>::from(given);
                ::core::result::Result::Ok(::std::boxed::Box::new(declared.bind_with(form, way)?))
            }
        }
    };
}

/// A mechanism as the self-test takes it: with the written steps of its cells, where there are any.
#[doc(hidden)]
#[macro_export]
macro_rules! __tested {
    (signed $Law:ident cell $Cell:ident) => {
        $crate::private::tested_difference::<$Cell>()
    };
    (exact $Law:ident) => {
        $crate::private::exactly()
    };
    ($how:ident $Law:ident) => {
        $crate::private::mechanism::<$Law>()
    };
    ($how:ident $Law:ident $library:ident $Cell:ident) => {{
        use $crate::private::TestedByCell as _;
        $crate::private::Named::<$crate::private::$library, $Law>::NAME.by($Cell)
    }};
}
