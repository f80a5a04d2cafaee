//! Auxiliary variables as numbers: what a checkpoint holds of them.

/// A value that is a fixed number of doubles. Auxiliary variables of an [`Augmentation`](super::Augmentation) are, so that a
/// checkpoint can hold them; every bit must come back.
///
/// ```
/// use skellam_release::channel::Numbers;
///
/// #[derive(Clone, Copy)]
/// struct Rates { plus: f64, minus: f64 }
///
/// impl Numbers for Rates {
///     const LEN: usize = 2;
///     fn put(&self, into: &mut Vec<f64>) {
///         into.extend([self.plus, self.minus]);
///     }
///     fn take(from: &[f64]) -> Self {
///         Self { plus: from[0], minus: from[1] }
///     }
/// }
/// ```
pub trait Numbers: Sized {
    /// How many doubles.
    const LEN: usize;

    /// Appends them.
    fn put(&self, into: &mut Vec<f64>);

    /// The value of `LEN` of them.
    fn take(from: &[f64]) -> Self;
}

/// What is kept for one visited cell: a value that is copied, and shared between threads.
pub trait CellState: Numbers + Copy + Send + Sync + 'static {}

impl<T: Numbers + Copy + Send + Sync + 'static> CellState for T {}

impl Numbers for () {
    const LEN: usize = 0;

    fn put(&self, _: &mut Vec<f64>) {}

    fn take(_: &[f64]) -> Self {}
}

impl Numbers for f64 {
    const LEN: usize = 1;

    fn put(&self, into: &mut Vec<f64>) {
        into.push(*self);
    }

    fn take(from: &[f64]) -> Self {
        from[0]
    }
}
