//! What loops call their locals: indices by the letters of the declaration, everything else so that it hides none of them.

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use quote::quote;
use syn::Ident;

use crate::resolve::Model;
use crate::show;

/// Names of locals that are the same in every function of a model.
#[derive(Debug)]
pub(super) struct Words {
    /// What is read: `x`.
    pub x: Ident,
    /// Counts: `n`.
    pub n: Ident,
    /// The weights of cells: `w`.
    pub w: Ident,
    /// What exposures are corrected by: `e`.
    pub e: Ident,
    /// The state of an engine: `s`.
    pub s: Ident,
    /// Whose values are read: `of`.
    pub of: Ident,
    /// By which index: `by`.
    pub by: Ident,
    /// `left` and `right`.
    pub sides: [Ident; 2],
    /// `exposure`
    pub exposure: Ident,
    /// An exposure by column: `turned`.
    pub turned: Ident,
    /// `law`
    pub law: Ident,
    /// The prior of a latent: `prior`.
    pub prior: Ident,
    /// `level`
    pub level: Ident,
    /// A rate: `rate`.
    pub rate: Ident,
    /// The field of an adjoint with the values that its sums are made of: `x`.
    pub read: Ident,
    /// The field of an adjoint with the rate, where it has inner nodes: `rate`.
    pub held: Ident,
    /// What divides numbers: `parts`.
    pub parts: Ident,
    /// One of several parts, where it has no letter: `part`.
    pub part: Ident,
    /// A range of the inner index, where it has no letter: `entries`.
    pub entries: Ident,
    /// All letters and all of the above.
    taken: Vec<String>,
}

impl Words {
    /// Names that no index of the model has.
    pub fn new(model: &Model) -> Self {
        let of_latents = model.latents.iter().flat_map(|latent| &latent.indices);
        let of_data = model.data.iter().flat_map(|data| &data.indices);
        let letters = model.vars().chain(of_latents).chain(of_data);
        let mut taken: Vec<String> = letters.map(|index| plain(&index.name.to_string())).collect();
        let mut free = |[first, second]: [&str; 2]| {
            let numbered = (2..).map(|number| format!("{second}_{number}"));
            let mut candidates = [first, second].map(str::to_owned).into_iter().chain(numbered);
            let word = candidates.find(|word| !taken.contains(word));
            let word = word.unwrap_or_else(|| first.to_owned());
            taken.push(word.clone());
            ident(&word)
        };
        let weights = show::weight_of(model, 0);
        let weights = if model.counts.len() == 1 { &weights[..] } else { "w" };
        let fields = model.latents.iter().map(|latent| latent.name.to_string());
        let fields: Vec<String> = fields
            .chain(model.sets.iter().map(|set| set.name.to_string()))
            .collect();
        let field = |[first, second]: [&'static str; 2]| {
            if fields.iter().any(|field| field == first) {
                second
            } else {
                first
            }
        };
        let (read, held) = (field(["x", "values"]), field(["rate", "rate_of_cells"]));
        Self {
            read: ident(read),
            held: ident(held),
            x: free(["x", "read"]),
            n: free(["n", "counted"]),
            w: free([weights, "weights"]),
            e: free(["e", "excess"]),
            s: free(["s", "state"]),
            of: free(["of", "reading"]),
            by: free(["by", "axis"]),
            sides: [free(["left", "left_side"]), free(["right", "right_side"])],
            exposure: free(["exposure", "exposed"]),
            turned: free(["turned", "by_column"]),
            law: free(["law", "laws"]),
            prior: free(["prior", "prior_of_entries"]),
            level: free(["level", "levels"]),
            rate: free(["rate", "rate_of_cells"]),
            entries: free(["entries", "range"]),
            parts: free(["parts", "divider"]),
            part: free(["part", "number"]),
            taken,
        }
    }

    /// The first of these words that is neither a letter nor one of the other names.
    pub fn beside(&self, [first, second]: [&str; 2]) -> Ident {
        let numbered = (2..).map(|number| format!("{second}_{number}"));
        let mut candidates = [first, second].map(str::to_owned).into_iter().chain(numbered);
        let word = candidates.find(|word| !self.taken.contains(word));
        ident(&word.unwrap_or_default())
    }

    /// Indices by their letters, each another one.
    pub fn letters<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<Ident> {
        let mut all: Vec<String> = Vec::new();
        for name in names {
            let mut word = plain(name);
            while all.contains(&word) {
                word.push('_');
            }
            all.push(word);
        }
        all.iter().map(|word| ident(word)).collect()
    }

    /// Locals called as `names` are declared where no other of them has the name in small letters.
    pub fn locals<'n>(names: impl IntoIterator<Item = &'n Ident>) -> Vec<Ident> {
        let names: Vec<String> = names.into_iter().map(ToString::to_string).collect();
        Self::letters(names.iter().map(String::as_str))
    }

    /// A name for an array that is made of others, which hides no index, no other local and none of `used`.
    pub fn made_of<'n>(&self, arrays: impl IntoIterator<Item = &'n str>, used: &[String]) -> String {
        let words: Vec<String> = arrays.into_iter().map(plain).collect();
        let word = words.join("_");
        let word = if self.taken.contains(&word) {
            format!("sum_of_{word}")
        } else {
            word
        };
        let numbered = (2..).map(|number| format!("{word}_{number}"));
        let mut candidates = std::iter::once(word.clone()).chain(numbered);
        let is_free = |word: &String| !self.taken.contains(word) && !used.contains(word);
        candidates.find(is_free).unwrap_or_else(|| word.clone())
    }
}

/// An identifier of generated code.
pub(super) fn ident(word: &str) -> Ident {
    match word.strip_prefix("r#") {
        Some(word) => Ident::new_raw(word, Span::call_site()),
        None => Ident::new(word, Span::call_site()),
    }
}

/// A declared name as generated code has it: it is found where all generated names are.
pub(super) fn declared(name: &Ident) -> Ident {
    ident(&name.to_string())
}

/// A word that a local can have. It is in small letters: a pattern in capitals could be a constant of the user's. `i'` is `i2`.
fn plain(name: &str) -> String {
    let bare = name.trim_end_matches('\'');
    let mut word = bare.trim_start_matches("r#").to_lowercase();
    if let primes @ 1.. = name.len() - bare.len() {
        word += &(primes + 1).to_string();
    }
    if syn::parse_str::<Ident>(&word).is_err() {
        word.push('_');
    }
    word
}

/// `[-1, 0]`
pub(super) fn numbers(of: &[isize]) -> TokenStream {
    let of = of.iter().map(|number| Literal::isize_unsuffixed(*number));
    quote!([#(#of),*])
}

/// A letter as a pattern; `_` where some code does not name it.
pub(super) fn named(code: &TokenStream, letter: &Ident) -> TokenStream {
    match names(code, letter) {
        true => quote!(#letter),
        false => quote!(_),
    }
}

/// Whether some tokens name a local.
pub(super) fn names(tokens: &TokenStream, local: &Ident) -> bool {
    // Behind one dot stands a field or a method, behind two the end of a range.
    let mut dots = 0;
    tokens.clone().into_iter().any(|token| {
        let is_it = match &token {
            TokenTree::Ident(word) => word == local && dots != 1,
            TokenTree::Group(group) => names(&group.stream(), local),
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        };
        dots = match &token {
            TokenTree::Punct(dot) if dot.as_char() == '.' => dots + 1,
            _ => 0,
        };
        is_it
    })
}
