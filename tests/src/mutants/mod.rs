//! Models with one thing wrong, for the question whether a self-test sees it.
//!
//! Channels, data and updates go wrong in types of these tests alone, through what is public: any declared model can be had
//! with any of the mistakes, without another build.

mod channel;
mod model;
mod step;
mod symmetry;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

pub use channel::Mutable;
pub use model::Mutant;

macro_rules! mistakes {
    ($($name:ident: $words:literal,)*) => {
        /// What is wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Mistake {
            $(#[doc = $words] $name,)*
        }

        impl Mistake {
            /// All of them; the first is no mistake.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// In words.
            pub fn words(self) -> &'static str {
                match self {
                    $(Self::$name => $words,)*
                }
            }
        }
    };
}

mistakes! {
    None: "nothing",
    WholeWeight: "channel: weight of a non-positive release 1, not 1 - alpha",
    WeightOff: "channel: weight of a non-positive release 5 % too large",
    LinearConstant: "channel: constant of a non-positive release off by 0.05",
    MarginalConstant: "channel: ln_marginal of a positive release off by 0.05",
    MarginalRate: "channel: ln_marginal of a positive release at 1.05 times the rate",
    SlopeOff: "channel: slope 5 % too large",
    ExpectOff: "channel: expect 5 % too large",
    ImputeMore: "channel: impute draws one count too many",
    ImputeOrder: "channel: impute takes c + 1 for c",
    ImputeRate: "channel: impute at 1.05 times the rate",
    ZeroBoundOff: "channel: zero_bound 5 % too small",
    RunSlopes: "channel: in a run of cells the last has the slope of the one before",
    RunMarginals: "channel: in a run of cells the last has the ln_marginal of the one before",
    RunImputes: "channel: in a run of cells every draw is that of the one before",
    TextMore: "channel: text with an observation more that is exposure alone",
    NoiseOff: "mechanism: alpha of the noise 5 % too small",
    PosteriorRate: "augmented: posterior rate as printed in ICML19, eq. 16",
    AugmentedOrder: "augmented: impute takes c + 1 for c",
    HeldOutSeen: "data: held-out cells are seen",
    CellsShifted: "data: every cell has the observation of the next",
    ShapeUp: "update: shape too large by 0.05",
    RateUp: "update: rate 5 % too large",
    CountTooMany: "counts: a count too many on one entry",
    CountsSwapped: "counts: those of two entries exchanged",
    StaleRate: "counts: rates 5 % too large after an update",
    ExpectedOff: "counts: expected ones 5 % too large",
    SymmetryPower: "moves: a scale symmetry with a power that is twice what it should be",
    SymmetryMore: "moves: one latent scaled alone, as if rates did not see it",
    MovesJacobian: "moves: the density of x instead of that of ln x",
    MovesRates: "moves: rates stay those before",
    OwnShape: "custom update: draws with a shape 5 % too large",
    OwnJacobian: "custom update: Metropolis on the logarithm without its Jacobian",
    OwnAstray: "custom update: draws ten thousand times too large",
    OwnAscent: "custom update: ascends to a shape 5 % too large",
}

static PRESENT: AtomicUsize = AtomicUsize::new(0);
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

impl Mistake {
    /// Runs `test` while everything here is wrong in this way; one after another in a process.
    pub fn during<T>(self, test: impl FnOnce() -> T) -> T {
        let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        PRESENT.store(self as usize, Ordering::SeqCst);
        test()
    }

    fn present() -> Self {
        Self::ALL[PRESENT.load(Ordering::SeqCst)]
    }
}
