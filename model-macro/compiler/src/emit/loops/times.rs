//! Products as they are written.

use proc_macro2::TokenStream;
use quote::quote;

/// Factors and divisors in the order in which they are written.
#[derive(Clone, Debug, Default)]
pub(super) struct Times {
    /// What is multiplied.
    pub factors: Vec<TokenStream>,
    /// What it is divided by.
    pub divisors: Vec<TokenStream>,
}

impl Times {
    /// One factor.
    pub fn of(factor: TokenStream) -> Self {
        [factor].into_iter().collect()
    }

    /// Whether it is the empty product.
    pub fn is_one(&self) -> bool {
        self.factors.is_empty() && self.divisors.is_empty()
    }

    /// This product with more behind it.
    pub fn and(mut self, more: Self) -> Self {
        self.factors.extend(more.factors);
        self.divisors.extend(more.divisors);
        self
    }

    /// `a * b / c`; the empty product is `1.0`.
    pub fn tokens(&self) -> TokenStream {
        let Self { factors, divisors } = self;
        match &factors[..] {
            [] => quote!(1.0 #(/ #divisors)*),
            [first, others @ ..] => quote!(#first #(* #others)* #(/ #divisors)*),
        }
    }
}

impl FromIterator<TokenStream> for Times {
    fn from_iter<T: IntoIterator<Item = TokenStream>>(factors: T) -> Self {
        Self {
            factors: factors.into_iter().collect(),
            divisors: Vec::new(),
        }
    }
}

/// `a + b`
pub(super) fn sum(terms: &[Times]) -> TokenStream {
    let terms = terms.iter().map(Times::tokens);
    quote!(#(#terms)+*)
}

/// A sum as a factor: in parentheses, if it has several terms.
pub(super) fn in_product(terms: &[Times]) -> TokenStream {
    let all = sum(terms);
    match terms {
        [_] => all,
        _ => quote!((#all)),
    }
}
