//! Names as symbols: what is called after a Greek letter is printed as one.

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

/// The name that a Greek letter has in LaTeX.
pub fn greek_name(letter: char) -> Option<&'static str> {
    let is_it = |(_, greek): &&(&str, &str)| greek.chars().eq([letter]);
    GREEK.iter().find(is_it).map(|(word, _)| *word)
}

/// A name in plain text: `θ` for `theta`.
pub fn symbol(name: &str) -> &str {
    greek(name).unwrap_or(name)
}
