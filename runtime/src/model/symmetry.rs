//! Scale symmetries: ways of scaling latents that leave every rate as it is.

/// Some latents times powers of one positive number; every rate stays as it is, whatever the number.
///
/// `theta[d, k] * s` and `phi[k, v] / s` for one `k` is such a symmetry of `sum(k) theta[d, k] * phi[k, v]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// What is scaled, and by which power.
    pub scaled: &'static [Scaled],
    /// Whether there is one such symmetry for each value of an index set; otherwise all entries are scaled alike.
    pub by_index: bool,
}

/// Entries of one latent, times a power of the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaled {
    /// Which latent.
    pub latent: usize,
    /// In a symmetry for each value of an index set: the index of the latent that must have the value; an entry that two of its indices
    /// scale is scaled twice. Otherwise zero, without meaning.
    pub axis: usize,
    /// The power.
    pub power: i32,
}

impl Scaled {
    /// A latent, which index of it has the value, and the power.
    pub const fn new(latent: usize, axis: usize, power: i32) -> Self {
        Self { latent, axis, power }
    }
}

impl Symmetry {
    /// Latents that are scaled together.
    pub const fn new(scaled: &'static [Scaled], by_index: bool) -> Self {
        Self { scaled, by_index }
    }

    /// Largest power of a single factor that is used.
    pub const MOST: i32 = 4;
}
