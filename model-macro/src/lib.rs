//! The macro of [skellam](https://docs.rs/skellam). Use it from there: `skellam::model!`.

use proc_macro::TokenStream;

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
/// | `hyper a: positive = 0.1;` | a number with a default, set by `.a(value)` |
/// | `data x[d in docs]: positive;` | a known array, given by `.x(array)`; also `nonnegative`, `unit` |
/// | `latent theta[d in docs] ~ Gamma(shape = a, rate = b);` | a factor and its prior |
/// | `count y[d in docs] ~ Poisson(rate);` | the counts; a rate is a sum of products of factors |
/// | `let mu[d in docs] = rate;` | a definition, replaced by its body where it is used |
/// | `release y by TwoSidedGeometric;` | how the count was observed; without it, exactly |
///
/// The body of `sum(k in topics) ..` is one term: it runs over `*` and ends at `+`.
///
/// The expansion holds `Topics`, on which data and sizes are set, `TopicsGibbs` and `TopicsCavi`, which
/// its engines return, `TopicsModel`, which they run on, `TopicsFactors` and `TopicsSizes`.
#[proc_macro]
pub fn model(input: TokenStream) -> TokenStream {
    skellam_compiler::expand(input.into()).into()
}
