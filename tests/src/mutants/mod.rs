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
    ($($(#[doc = $doc:literal])* $name:ident: $words:literal,)*) => {
        /// What is wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Mistake {
            $($(#[doc = $doc])* $name,)*
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
    /// Nothing.
    None: "nothing",
    /// The exposure of releases that are not positive.
    WholeWeight: "channel: weight of a non-positive release 1, not 1 - alpha",
    /// The same, off by 5 %.
    WeightOff: "channel: weight of a non-positive release 5 % too large",
    /// The constant of log-linear cells.
    LinearConstant: "channel: constant of a non-positive release off by 0.05",
    /// The constant of visited cells.
    MarginalConstant: "channel: ln_marginal of a positive release off by 0.05",
    /// The rate in the marginal.
    MarginalRate: "channel: ln_marginal of a positive release at 1.05 times the rate",
    /// The slope.
    SlopeOff: "channel: slope 5 % too large",
    /// The mean.
    ExpectOff: "channel: expect 5 % too large",
    /// A draw.
    ImputeMore: "channel: impute draws one count too many",
    /// The observation in a draw.
    ImputeOrder: "channel: impute takes c + 1 for c",
    /// The rate in a draw.
    ImputeRate: "channel: impute at 1.05 times the rate",
    /// The bound on the probability of zero.
    ZeroBoundOff: "channel: zero_bound 5 % too small",
    /// Slopes of a run of cells.
    RunSlopes: "channel: in a run of cells the last has the slope of the one before",
    /// Marginals of a run of cells.
    RunMarginals: "channel: in a run of cells the last has the ln_marginal of the one before",
    /// Draws of a run of cells.
    RunImputes: "channel: in a run of cells every draw is that of the one before",
    /// What a derivation says of cells that are exposure alone.
    TextMore: "channel: text with an observation more that is exposure alone",
    /// The noise that is added.
    NoiseOff: "mechanism: alpha of the noise 5 % too small",
    /// The posterior rate of ICML19, eq. 16, as printed.
    PosteriorRate: "augmented: posterior rate as printed in ICML19, eq. 16",
    /// The observation in an augmented draw.
    AugmentedOrder: "augmented: impute takes c + 1 for c",
    /// Held-out cells take part.
    HeldOutSeen: "data: held-out cells are seen",
    /// The data of a cell are those of its neighbour.
    CellsShifted: "data: every cell has the observation of the next",
    /// The prior shape, and the concentration of simplices.
    ShapeUp: "update: shape too large by 0.05",
    /// The rate, of the prior and of exposures.
    RateUp: "update: rate 5 % too large",
    /// A count that was not there.
    CountTooMany: "counts: a count too many on one entry",
    /// A count on another entry.
    CountsSwapped: "counts: those of two entries exchanged",
    /// An operand that is not brought up to date.
    StaleRate: "counts: rates 5 % too large after an update",
    /// Expected counts.
    ExpectedOff: "counts: expected ones 5 % too large",
    /// The powers of scale symmetries.
    SymmetryPower: "moves: a scale symmetry with a power that is twice what it should be",
    /// A scale symmetry that does not hold.
    SymmetryMore: "moves: one latent scaled alone, as if rates did not see it",
    /// The prior of moves, which is that of logarithms.
    MovesJacobian: "moves: the density of x instead of that of ln x",
    /// Operands that joint moves leave behind.
    MovesRates: "moves: rates stay those before",
    /// The shape of a user's own draw.
    OwnShape: "custom update: draws with a shape 5 % too large",
    /// A user's own draw that forgets the Jacobian of its proposal.
    OwnJacobian: "custom update: Metropolis on the logarithm without its Jacobian",
    /// A user's own draw, after which no data can be drawn.
    OwnAstray: "custom update: draws ten thousand times too large",
    /// A user's own ascent.
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
