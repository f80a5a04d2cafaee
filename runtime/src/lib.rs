//! Poisson factorization of private counts: declare a model, read its derivation, run inference.
//!
//! ```text
//! declaration --model!--> Topics --bind--> TopicsModel --gibbs or cavi--> TopicsGibbs, TopicsCavi
//! ```
//!
//! A user names this crate only. [`model!`] derives every complete conditional and coordinate update of
//! a declared model; [`infer`] runs them; [`channel`] is how counts were observed, [`release`] how they
//! are made private, [`counts`] where they come from, [`diagnose`] how well it
//! went; [`math`] has special functions, samplers and streams, for those who write a channel or an update.

mod contract;
pub mod diagnose;
mod error;
mod family;
mod file;
pub mod infer;
pub mod model;
mod parallel;
#[doc(hidden)]
pub mod preamble;
pub mod prelude;
#[doc(hidden)]
pub mod private;
mod simulate;
mod total;
mod user_types;
mod view;

pub use error::{
    Error, FormError, Formless, MaskError, QueryError, RunError, SettingError, SizeError, TotalError, ValueError,
};
pub use skellam_macro::shown;
pub use skellam_math as math;
pub(crate) use skellam_math::plain_debug;
pub(crate) use skellam_math::{distribution, special, streams};
pub use skellam_release::{Quoted, channel, counts, quoted, release};
pub(crate) use skellam_release::{memory, regular_file, whole_file};

/// Declares a Poisson factorization model.
///
/// ```text
/// skellam::model! {
///     /// Topics of documents that were released privately.
///     pub model Topics {
///         index docs, words, topics;
///         hyper a: positive = 0.1, b: positive = 1.0;
///
///         latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
///         latent phi[k in topics, v in words]  ~ Gamma(shape = a, rate = b);
///
///         count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
///
///         release y by TwoSidedGeometric;
///     }
/// }
/// ```
///
/// | statement | meaning |
/// |---|---|
/// | `index docs, words;` | index sets; sizes come from the data, or from `.docs(n)` |
/// | `index times: ordered;` | a set whose values have an order: at `t`, `theta[t - 1, k]` can be read |
/// | `hyper a: positive = 0.1;` | a number with a default, set by `.a(value)`; with indices, an array |
/// | `data x[d in docs]: positive;` | a known array, given by `.x(array)`; also `nonnegative`, `unit` |
/// | `data author[d in docs]: authors;` | positions in an index set, read as in `style[author[d], k]` |
/// | `latent theta[d in docs] ~ Gamma(shape = a, rate = b);` | a factor and its prior; shape and rate may hold other latents |
/// | `latent phi[k in topics, v in words] ~ Dirichlet(concentration = a, along = v);` | a factor that sums to one along an index |
/// | `count y[i in actors, j in actors] where i != j ~ Poisson(rate);` | counts; a rate is a sum of products of factors |
/// | `count c[d in docs, v in words] ~ Skellam(plus = rate, minus = rate);` | a difference of two counts |
/// | `count y[d in docs, v in words] ~ Multinomial(length[d], rate, along = v);` | counts whose total along an index is known |
/// | `hidden n[d in docs] ~ Poisson(rate);` | a total that nobody observes |
/// | `let mu[d in docs] = rate;` | a definition, replaced by its body where it is used |
/// | `release y by TwoSidedGeometric;` | how the count was observed; without it, exactly |
/// | `update theta by Mine;` | your own [`Update`](crate::prelude::Update) instead of the derived one |
///
/// The body of `sum(k in topics) ..` is one term: it runs over `*` and ends at `+`.
///
/// The expansion holds `Topics`, on which data and sizes are set, `TopicsGibbs` and `TopicsCavi`, which
/// its engines return, `TopicsModel`, which they run on, `TopicsStart`, where they start, and `TopicsSizes`; for a model of
/// several counts also `TopicsData`, `TopicsCounts` and `TopicsRates`, with a field for each.
#[macro_export]
macro_rules! model {
    ($($declaration:tt)*) => {
        // The path of this crate goes along: a user may know it by another name.
        $crate::private::declare! { [$crate] $($declaration)* }
    };
}
