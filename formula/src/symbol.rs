//! Names as symbols: what is called after a Greek letter is printed as one.

use crate::Notation;

/// Names that have a Greek letter.
const GREEK: [(&str, &str); 23] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("iota", "ι"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("upsilon", "υ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
];

/// The Greek letter that a name is called after, if it is.
pub fn greek(name: &str) -> Option<&'static str> {
    GREEK.iter().find(|(word, _)| *word == name).map(|(_, letter)| *letter)
}

/// A name in plain text: `θ` for `theta`.
pub fn symbol(name: &str) -> &str {
    greek(name).unwrap_or(name)
}

/// A name as a symbol in either notation.
pub fn symbol_in(name: &str, notation: Notation) -> String {
    match notation {
        Notation::Unicode => symbol(name).to_owned(),
        Notation::Latex if greek(name).is_some() => format!("\\{name}"),
        Notation::Latex if name.chars().count() == 1 => name.to_owned(),
        Notation::Latex => format!("\\mathrm{{{}}}", name.replace('_', "\\_")),
    }
}
