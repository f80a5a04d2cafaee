//! Inference engines: Gibbs sampling and coordinate-ascent variational inference.
//!
//! An engine sees a model through [`crate::model::Model`] and its data through [`crate::view::View`]; it decides when
//! to walk, what to keep and when to stop.

mod aligned;
mod ascent;
mod at_prior;
mod callback;
mod cavi;
mod cavi_fit;
mod chains;
mod checkpoint;
mod custom;
mod declared;
mod doubts;
mod drawn_rates;
mod draws;
mod fit;
mod fitted;
mod gibbs;
mod gibbs_fit;
mod gibbs_run;
mod held_out;
mod identity;
mod keep;
mod monitored;
mod moves;
mod needs;
mod plan;
mod posteriors;
mod predictive;
mod prior;
mod progress;
mod rates;
mod record;
mod redraw;
mod saved;
mod seconds;
mod settings;
mod start;
mod stop;
mod store;
mod tuning;

pub use aligned::Aligned;
pub use ascent::Ascent;
pub use callback::{Callback, Partial};
pub use cavi::{CaviRun, cavi};
pub use cavi_fit::CaviFit;
pub use chains::{gibbs, pool};
pub use checkpoint::Checkpoint;
pub use declared::{Declaration, Declared, Declares, EachCount};
pub use draws::Draws;
pub use fit::{FromArray, Posterior, Simplex};
pub use fitted::{FitOf, Fitted, PosteriorDraws, Variational};
pub use gibbs::Chain;
pub use gibbs_fit::GibbsFit;
pub use gibbs_run::{GibbsRun, LatentDraws, Monitored, Tuned};
pub use held_out::HeldOut;
pub use keep::{Keep, KeepRates, Kept};
pub use moves::{Adapted, LogDensity};
pub use plan::{ChannelLoad, CountPlan, Plan, channel_load};
pub use predictive::{Predictive, RunningCheck, checked, draws_at, from_draws, rates_at};
pub use progress::Progress;
pub use rates::{RateBlock, Rates};
pub use record::Moments;
pub use saved::Saved;
pub use settings::{Cavi, CaviForm, CaviStart, Gibbs, GibbsForm, Moves};
pub use stop::{Ended, Interrupt};
pub use store::AllDraws;

pub use crate::memory::Memory;
