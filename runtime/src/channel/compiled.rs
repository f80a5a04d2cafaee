//! Passes over cells that are compiled with this crate.

/// [`Channel::view`](super::Channel::view) of a channel of this crate. The text is that of the trait; but a body that
/// the implementation of one type has of its own is compiled where that type is, and the provided one where it is
/// used, which is the crate of every model. Passes are most of what a model would have to compile.
macro_rules! compiled_here {
    () => {
        #[doc(hidden)]
        #[inline(never)]
        fn view(
            observed: &$crate::infer::Observations<Self>,
            binding: $crate::infer::Binding,
        ) -> Result<Box<dyn $crate::infer::View>, $crate::error::Error> {
            binding.of(observed)
        }
    };
}

pub(super) use compiled_here;
