//! What is the same for every model, as one macro: generated code invokes it once, with a table of the declaration.
//!
//! A struct of the runtime cannot have fields and methods with a user's names, and a macro can. Each of the parts has a file; the
//! table is cut into its sections here. Names of the standard library stand with their full paths, as declarations stand anywhere.

mod array;
mod bound;
mod builder;
mod constructors;
mod counts;
mod data;
mod fits;
mod rates;
mod setters;
mod sizes;

/// The types that a user of a model sees: the declaration on which data are set, sizes, fits, and the model that engines run on.
///
/// ```text
/// user_types! {
///     /// Topics of documents.
///     pub model Topics: TopicsModel, TopicsSizes, TopicsStart, TopicsGibbs, TopicsCavi;
///     index { 0 DOCS docs, 1 WORDS words, 2 TOPICS topics }
///     hyper { 0 a: positive }
///     array { 0 LENGTH length[docs]: positive "known array" }
///     latent {
///         0 THETA theta[docs, topics] freeze_theta {
///             /// Its complete conditional.
///             draws,
///             /// Its variational posterior.
///             posterior
///         }
///     }
///     count {
///         0 Y y[docs, words] {
///             /// Its law.
///             released TopicsLaw = TwoSidedGeometric, augmented TopicsCell
///         }
///     }
/// }
/// ```
///
/// A number is a position in the declaration, what follows it the constant of that number. A latent with a Dirichlet prior has a `simplex` in
/// the place of its `posterior`; a count that is observed as it is has `exact TopicsLaw`, and one that is a difference of counts
/// `signed TopicsLaw, cell TopicsCell`. What is released has the form whose steps `TopicsCell` writes out, if there is such a type: noise of a known
/// level is summed out by them, `released TopicsLaw = Skellam, collapsed TopicsCell`. Counts that nobody observed come last, in `hidden { 0 N n[classes] { /// .. hidden VotesNLaw } }`. After the first line of a model of several counts stands
/// `several GroupsData, GroupsCounts, GroupsRates;`, without the second where all of them are exact.
#[doc(hidden)]
#[macro_export]
macro_rules! __user_types {
    (
        $(#[$attr:meta])*
        $vis:vis model $Model:ident: $Bound:ident, $Sizes:ident, $Start:ident, $Gibbs:ident, $Cavi:ident;
        $(several $($Several:ident),*;)?
        index { $($index:tt)* }
        hyper { $($hyper:tt)* }
        array { $($array:tt)* }
        latent { $($latent:tt)* }
        count { $($count:tt)* }
        $(hidden { $($hidden:tt)* })?
    ) => {
        $crate::__bound! { $vis $Bound, $Sizes of $Model; { $($latent)* } { $($array)* } { $($count)* $($($hidden)*)? } }
        $crate::__sizes! { $vis $Sizes of $Model; { $($index)* } }
        $crate::__mechanisms! { $vis of $Model { $($count)* $($($hidden)*)? } }
        $crate::__builder! { $(#[$attr])* $vis $Model of $Bound; { $($index)* } }
        $crate::__data! { $vis of $Model [$($($Several),*)?]; { $($count)* } }
        $crate::__constructors! { $Model [$($($Several),*)?] { $($count)* } }
        $crate::__setters! { $Model { $($index)* } { $($hyper)* } { $($array)* } { $($latent)* } }
        $crate::__fits! { $vis $Start, $Gibbs, $Cavi of $Model, $Bound; { $($latent)* } }
        $crate::__rates! { $vis $Gibbs, $Cavi of $Model [$($($Several),*)?] { $($count)* } }
        $crate::__counts! { $Model, $Bound { $($count)* $($($hidden)*)? } }
    };
}
