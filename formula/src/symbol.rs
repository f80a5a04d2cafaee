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

/// The name that a Greek letter has in LaTeX.
pub(super) fn greek_name(letter: char) -> Option<&'static str> {
    let is_it = |(_, greek): &&(&str, &str)| greek.chars().eq([letter]);
    GREEK.iter().find(is_it).map(|(word, _)| *word)
}

/// A name in plain text: `θ` for `theta`.
pub fn symbol(name: &str) -> &str {
    greek(name).unwrap_or(name)
}

/// Whether a name is a letter, or is called after one.
fn is_letter(name: &str) -> bool {
    name.chars().count() == 1 || greek(name).is_some()
}

/// A name as a symbol in either notation: a letter with an index for `w_y`. An index may have a shift or primes after it, as in `t-1` and `k'`.
pub fn symbol_in(name: &str, notation: Notation) -> String {
    if notation == Notation::Unicode {
        return symbol(name).to_owned();
    }
    if let Some(after) = name.find(['\'', '+', '-']).filter(|after| *after > 0) {
        let (name, after) = name.split_at(after);
        return symbol_in(name, notation) + after;
    }
    if greek(name).is_some() {
        return format!("\\{name}");
    }
    if is_letter(name) {
        return name.to_owned();
    }
    match name.split_once('_') {
        // Braces, as indices may follow, and a second subscript is an error.
        Some((letter, index)) if is_letter(letter) && !index.is_empty() && !index.contains('_') => {
            format!("{{{}_{{{}}}}}", symbol_in(letter, notation), symbol_in(index, notation))
        }
        _ => format!("\\mathrm{{{}}}", name.replace('_', "\\_")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_their_indices_are_symbols() {
        let latex = |name| symbol_in(name, Notation::Latex);
        let names = [
            "w",
            "theta",
            "level",
            "w_y",
            "theta_2",
            "w_first",
            "my_own_name",
            "_",
            "t-1",
            "k'",
            "day+1",
        ];
        let expected = [
            "w",
            r"\theta",
            r"\mathrm{level}",
            "{w_{y}}",
            r"{\theta_{2}}",
            r"{w_{\mathrm{first}}}",
            r"\mathrm{my\_own\_name}",
            "_",
            "t-1",
            "k'",
            r"\mathrm{day}+1",
        ];
        assert_eq!(names.map(latex), expected);
    }
}
