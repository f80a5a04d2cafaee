//! Names of what is generated. Each is made here and nowhere else.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::constants::Constants;
use crate::check::camel;
use crate::resolve::Model;

/// Names of the generated types of one model.
#[derive(Debug)]
pub struct Names {
    /// The declaration itself, on which data are set: `Topics`.
    pub model: Ident,
    /// Sizes of its index sets: `TopicsSizes`.
    pub sizes: Ident,
    /// The model with its data: `TopicsModel`.
    pub bound: Ident,
    /// Where a run starts: `TopicsStart`.
    pub start: Ident,
    /// What Gibbs returns: `TopicsGibbs`.
    pub gibbs: Ident,
    /// What CAVI returns: `TopicsCavi`.
    pub cavi: Ident,
    /// The law by which each count is observed: `TopicsLaw`, or `GroupsMailLaw` for
    /// each of several counts.
    pub laws: Vec<Ident>,
    /// What happens at a cell of each count: `TopicsCell`, or `GroupsMailCell`.
    pub cells: Vec<Ident>,
    /// What a sweep reads: `TopicsRead`.
    pub read: Ident,
    /// The rate of each count, those of tables among them: `TopicsRateOfY`.
    pub rates_of: Vec<Ident>,
    /// The counts on the parts of each: `TopicsCountsOfY`.
    pub counts_of: Vec<Ident>,
    /// The tokens of all counts: `TopicsTokens`.
    pub tokens: Ident,
    /// The data of several counts: `GroupsData`.
    pub data: Ident,
    /// True counts for several counts: `GroupsCounts`.
    pub counts: Ident,
    /// Mean rates of several counts: `GroupsRates`.
    pub rates: Ident,
    /// The numbers of latents, known arrays and counts: `TopicsModel::THETA`.
    pub constants: Constants,
}

impl Names {
    /// Names derived from that of the model.
    pub fn new(model: &Model) -> Self {
        let name = &model.name;
        let with = |suffix: &str| format_ident!("{name}{suffix}");
        let of_counts = |suffix: &str| match &model.counts[..] {
            [_] => vec![with(suffix)],
            several => several
                .iter()
                .map(|c| format_ident!("{name}{}{suffix}", camel(&c.name.to_string())))
                .collect(),
        };
        let of_each = |infix: &str| -> Vec<Ident> {
            let counts = model.all_counts().map(|(_, count)| camel(&count.name.to_string()));
            counts.map(|count| format_ident!("{name}{infix}{count}")).collect()
        };
        Self {
            model: name.clone(),
            sizes: with("Sizes"),
            bound: with("Model"),
            start: with("Start"),
            gibbs: with("Gibbs"),
            cavi: with("Cavi"),
            laws: of_counts("Law"),
            cells: of_counts("Cell"),
            read: with("Read"),
            rates_of: of_each("RateOf"),
            counts_of: of_each("CountsOf"),
            tokens: with("Tokens"),
            data: with("Data"),
            counts: with("Counts"),
            rates: with("Rates"),
            constants: Constants::new(model),
        }
    }
}

/// The one door to the runtime.
pub(super) fn door() -> TokenStream {
    quote!(::skellam::private)
}

/// The type in which an array of `rank` indices is handed out.
pub(super) fn array_type(rank: usize) -> TokenStream {
    let door = door();
    match rank {
        0 => quote!(f64),
        1 => quote!(#door::Array1<f64>),
        2 => quote!(#door::Array2<f64>),
        _ => quote!(#door::Array),
    }
}
