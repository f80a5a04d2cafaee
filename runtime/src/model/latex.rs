//! Plain mathematics as LaTeX, by a table of symbols.
//!
//! A line of a derivation is written once, in Unicode. Here `θ[d,k]` becomes `\theta_{d,k}`, `Σ_{d,v}` a sum with indices below, `√(x)` a root, `x^(a b)`
//! a power; words stay words, and what stands in brackets at the end is where the formula is from.

use skellam_formula::{greek, greek_name};

/// Whether a line says that something is equal to, has the law of, or is in proportion to something else.
pub(super) fn is_formula(line: &str) -> bool {
    [" = ", " ~ ", " ∝ ", " := "].iter().any(|sign| line.contains(sign))
}

/// A line of mathematics, with its source behind it.
pub(super) fn formula(line: &str) -> String {
    let source = line
        .strip_suffix(']')
        .and_then(|line| line.rsplit_once(" ["))
        // Not the indices of an entry, beside which there is no room.
        .filter(|(before, _)| before.ends_with(' ') || before.ends_with(')'));
    match source {
        Some((line, source)) => {
            format!(r"{} \qquad \text{{[{}]}}", mathematics(line.trim_end()), words(source))
        }
        None => mathematics(line),
    }
}

/// A sentence in which some words are formulas. What stands in brackets is one of these, or words.
pub(super) fn words(line: &str) -> String {
    let is_word = |word: &str| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || ".,;:()[]'`–-?!%".contains(c);
        let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
        // Indices and arguments stand right behind a name.
        let is_applied = letters.contains(['(', '[']);
        let is_short = letters.len() == 1 && !matches!(letters, "a" | "A" | "I") && letters.parse::<u8>().is_err();
        word.chars().all(is_plain) && !is_applied && !is_short && !word.starts_with("-")
    };
    let mut parts: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in line.split(' ') {
        match parts.last_mut().filter(|_| is_open) {
            Some(part) => *part += &format!(" {word}"),
            None => parts.push(word.to_owned()),
        }
        let part = parts.last().map_or("", |part| part);
        let [opened, closed] = [['(', '['], [')', ']']].map(|of| part.matches(of).count());
        is_open = opened > closed;
    }
    let each = parts.iter().map(|part| {
        let inside = part.trim_end_matches([',', ';', ':', '.']);
        match part.split(' ').all(is_word) {
            true => escaped(part),
            false => format!("${}${}", mathematics(inside), &part[inside.len()..]),
        }
    });
    each.collect::<Vec<_>>().join(" ")
}

/// Plain words.
pub(super) fn escaped(words: &str) -> String {
    let each = words.chars().map(|c| match c {
        '_' | '%' | '&' | '#' | '$' | '{' | '}' => format!("\\{c}"),
        '–' => "--".into(),
        '—' => "---".into(),
        c if c.is_ascii() => c.to_string(),
        c => format!("${}$", sign(c)),
    });
    each.collect()
}

fn mathematics(text: &str) -> String {
    let mut of = Reader { rest: text };
    let mut out = String::new();
    of.read(&mut out, |_| false);
    out
}

/// What is left to read.
struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// The characters at the beginning of which this holds.
    fn take(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let (found, rest) = self
            .rest
            .split_at(self.rest.find(|c| !is(c)).unwrap_or(self.rest.len()));
        self.rest = rest;
        found
    }

    fn skip(&mut self, what: &str) -> bool {
        let rest = self.rest.strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Everything up to a character at which this holds, or to the end.
    fn read(&mut self, out: &mut String, is_end: impl Fn(char) -> bool + Copy) {
        while let Some(c) = self.peek().filter(|c| !is_end(*c)) {
            if c.is_alphabetic() && !"Σ√Π".contains(c) || c == '_' {
                self.name(out);
            } else if c.is_ascii_digit() {
                out.push_str(self.take(|c| c.is_ascii_digit() || c == '.'));
            } else if c == ' ' {
                self.space(out);
            } else {
                self.rest = &self.rest[c.len_utf8()..];
                match c {
                    'Σ' | 'Π' => {
                        out.push_str(if c == 'Σ' { r"\sum" } else { r"\prod" });
                        self.below(out);
                        self.skip(" ");
                    }
                    '√' => {
                        out.push_str(r"\sqrt");
                        self.grouped(out);
                    }
                    '^' => {
                        out.push('^');
                        self.power(out);
                    }
                    '(' => {
                        out.push_str(r"\left(");
                        self.inside(out, ')');
                        out.push_str(r"\right)");
                    }
                    '[' => {
                        out.push('[');
                        self.inside(out, ']');
                        out.push(']');
                    }
                    '|' if out.ends_with(' ') && self.rest.starts_with(' ') => out.push_str(r"\mid"),
                    c => out.push_str(&sign(c)),
                }
            }
        }
    }

    /// Up to the bracket that closes, which is taken.
    fn inside(&mut self, out: &mut String, close: char) {
        self.read(out, |c| c == close);
        self.rest = self.rest.strip_prefix(close).unwrap_or(self.rest);
    }

    /// What stands in parentheses, in braces.
    fn grouped(&mut self, out: &mut String) {
        out.push('{');
        if self.skip("(") {
            self.inside(out, ')');
        }
        out.push('}');
    }

    /// `_k`, `_{d,v}`
    fn below(&mut self, out: &mut String) {
        if !self.skip("_") {
            return;
        }
        out.push_str("_{");
        match self.skip("{") {
            true => self.inside(out, '}'),
            false => {
                let word = self.take(char::is_alphanumeric);
                out.push_str(&symbol(word));
                // `A_i`, and `Σ_c⁺`.
                self.signs(out);
            }
        }
        out.push('}');
    }

    fn power(&mut self, out: &mut String) {
        match self.peek() {
            Some('(') => self.grouped(out),
            Some('[') => {
                self.skip("[");
                out.push_str("{[");
                self.inside(out, ']');
                out.push_str("]}");
            }
            Some('|') => {
                self.skip("|");
                out.push_str("{|");
                self.read(out, |c| c == '|');
                self.skip("|");
                out.push_str("|}");
            }
            _ => {
                out.push('{');
                if self.skip("−") {
                    out.push('-');
                }
                match self.peek() {
                    Some(c) if c.is_alphabetic() => self.name(out),
                    _ => out.push_str(self.take(|c| c.is_ascii_digit() || c == '.')),
                }
                out.push('}');
            }
        }
    }

    /// `⁺`, `±`, `₁`, which stand above a letter.
    fn signs(&mut self, out: &mut String) {
        let signs = self.take(|c| "⁺⁻±₀₁₂₃₄₅₆₇₈₉".contains(c));
        if signs.is_empty() || signs == "±" && self.rest.starts_with(' ') && out.ends_with(' ') {
            return;
        }
        let digit = |c: char| (c as u32).checked_sub('₀' as u32).filter(|digit| *digit < 10);
        let mut above = String::new();
        for c in signs.chars() {
            match c {
                '⁺' => above.push('+'),
                '⁻' => above.push('-'),
                '±' => above.push_str(r"\pm"),
                _ => {}
            }
        }
        let number: String = signs.chars().filter_map(digit).map(|digit| digit.to_string()).collect();
        if !number.is_empty() {
            above.push_str(&format!("({number})"));
        }
        out.push_str(&format!("^{{{above}}}"));
    }

    /// A letter or a word, with its indices; words side by side are words.
    fn name(&mut self, out: &mut String) {
        let word = self.take(|c| (c.is_alphanumeric() && !"₀₁₂₃₄₅₆₇₈₉".contains(c)) || c == '_');
        let is_index = self.rest.starts_with('[');
        match word {
            "E" | "G" | "V" | "D" | "q" | "P" | "KL" if is_index || self.rest.starts_with('(') => {
                out.push_str(&match word {
                    "E" | "G" | "V" | "D" if is_index => format!(r"\mathbb{{{word}}}"),
                    "KL" => r"\mathrm{KL}".into(),
                    word => word.into(),
                });
                return;
            }
            "ln" | "exp" | "max" => out.push_str(&format!(r"\{word}")),
            // A law with an index below: `Dirichlet_v`.
            word if self.rest.starts_with('(') && word.starts_with(char::is_uppercase) && word.contains('_') => {
                let (law, index) = word.split_once('_').unwrap_or((word, ""));
                out.push_str(&format!(r"\mathrm{{{law}}}_{{{}}}", symbol(index)));
            }
            // A sum over the cells before one has braces: `F_{j−1}`.
            word if word.ends_with('_') && self.rest.starts_with('{') => {
                out.push_str(&symbol(word.trim_end_matches('_')));
                out.push_str("_{");
                self.skip("{");
                self.inside(out, '}');
                out.push('}');
            }
            // Words of a sentence, between two spaces: a name in a formula has no room before it and indices, or stands between signs.
            word if is_said(word) => {
                let mut said = vec![word];
                while let Some(rest) = self.rest.strip_prefix(' ') {
                    let next = Reader { rest }.take(|c| c.is_ascii_lowercase());
                    let after = &rest[next.len()..];
                    if !is_said(next) && next.len() < 2 || after.starts_with(['[', '_', '(', '\'']) {
                        break;
                    }
                    said.push(next);
                    self.rest = after;
                }
                let room = if self.rest.starts_with(' ') { " " } else { "" };
                self.skip(" ");
                out.truncate(out.trim_end_matches([' ', ';', '\\']).len());
                out.push_str(&format!(r" \text{{ {}{room}}}", said.join(" ")));
                if !room.is_empty() {
                    out.push(' ');
                }
                return;
            }
            word => out.push_str(&symbol(word)),
        }
        let primes = self.take(|c| c == '\'');
        out.push_str(primes);
        self.signs(out);
        if self.skip("[") {
            out.push_str("_{");
            self.inside(out, ']');
            out.push('}');
        }
    }

    /// Room between what stands side by side.
    fn space(&mut self, out: &mut String) {
        let wide = self.take(|c| c == ' ').len() > 1;
        // After a sign, such as `\sim`, LaTeX makes its own room.
        let is_after = |name: &str| out.ends_with(name);
        let after_sign = [r"\sim", r"\propto", r"\mid", r"\ln", " "].into_iter().any(is_after);
        let is_atom = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "Σ√([)]}!".contains(c));
        out.push_str(match wide {
            true => r" \quad ",
            false if !after_sign && is_atom(out.chars().last()) && is_atom(self.peek()) => r" \; ",
            false if out.ends_with(' ') => "",
            false => " ",
        });
    }
}

/// Words that lines say beside formulas.
fn is_said(word: &str) -> bool {
    const WORDS: [&str; 37] = [
        "up",
        "to",
        "above",
        "given",
        "if",
        "else",
        "at",
        "for",
        "with",
        "where",
        "then",
        "of",
        "is",
        "and",
        "as",
        "two",
        "point",
        "mass",
        "one",
        "over",
        "never",
        "visited",
        "laws",
        "that",
        "meet",
        "cut",
        "in",
        "proportion",
        "truncated",
        "noise",
        "density",
        "parts",
        "the",
        "backwards",
        "every",
        "known",
        "scaled",
    ];
    WORDS.contains(&word)
}

/// A letter, a Greek letter, a letter with an index, or a word.
fn symbol(name: &str) -> String {
    let letter = |name: &str| {
        let first = name.chars().next().filter(|c| name.len() == c.len_utf8())?;
        match first.is_ascii() {
            true => Some(first.to_string()),
            false => greek_name(first).map(|name| format!("\\{name}")),
        }
    };
    if greek(name).is_some() {
        return format!("\\{name}");
    }
    if let Some(letter) = letter(name) {
        return letter;
    }
    match name.split_once('_').map(|(head, index)| (letter(head), index)) {
        // Braces, as indices may follow, and a second subscript is an error.
        Some((Some(letter), index)) if !index.is_empty() && !index.contains('_') => {
            format!("{{{letter}_{{{}}}}}", symbol(index))
        }
        _ if name.is_ascii() => format!(r"\mathrm{{{}}}", name.replace('_', r"\_")),
        _ => name.chars().map(sign).collect(),
    }
}

/// A sign, or a letter that stands alone.
fn sign(c: char) -> String {
    match c {
        '~' => r"\sim".into(),
        '−' => "-".into(),
        '–' => "--".into(),
        '·' => r"\cdot ".into(),
        '∝' => r"\propto".into(),
        '≤' => r"\le ".into(),
        '≥' => r"\ge ".into(),
        '≠' => r"\ne ".into(),
        '‖' => r"\,\|\,".into(),
        '⌊' => r"\lfloor ".into(),
        '⌋' => r"\rfloor ".into(),
        '²' => "^2".into(),
        '¹' => "^{1}".into(),
        'ˢ' => "^{s}".into(),
        '⁺' => "^{+}".into(),
        '⁻' => "^{-}".into(),
        '±' => r"\pm ".into(),
        '½' => r"\tfrac{1}{2}".into(),
        '∞' => r"\infty ".into(),
        'Γ' => r"\Gamma ".into(),
        '{' | '}' | '%' | '&' | '#' | '$' => format!("\\{c}"),
        '`' => String::new(),
        c if c.is_ascii() => c.to_string(),
        c => greek_name(c).map_or_else(|| format!("\\text{{?{:x}}}", c as u32), |name| format!("\\{name} ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_set_by_a_table_of_symbols() {
        for (line, latex) in [
            (
                "θ[d,k] | − ~ Gamma(a + Σ_v y[d,v,k], b + Σ_{v,j} w_y[d,v] φ[k,v'])",
                r"\theta_{d,k} \mid - \sim \mathrm{Gamma}\left(a + \sum_{v}y_{d,v,k}, b + \sum_{v,j}{w_{y}}_{d,v} \; \phi_{k,v'}\right)",
            ),
            (
                "c > 0:  P(y[d]) ∝ μ[d]^y[d] / y[d]! · α^|c − y[d]|",
                r"c > 0: \quad P\left(y_{d}\right) \propto \mu_{d}^{y_{d}} / y_{d}! \cdot \alpha^{|c - y_{d}|}",
            ),
            (
                "c⁺₂[author[d]] = 2 √(λ⁻ (λ⁺ + μ))   [ICML19, eq. 13–16]",
                r"c^{+(2)}_{\mathrm{author}_{d}} = 2 \; \sqrt{\lambda^{-} \; \left(\lambda^{+} + \mu\right)} \qquad \text{[ICML19, eq. 13--16]}",
            ),
            (
                "F_{j−1}(s) = E[x]^[t<1] exp(−G[x])",
                r"F_{j-1}\left(s\right) = \mathbb{E}[x]^{[t<1]} \; \exp\left(-\mathbb{G}[x]\right)",
            ),
            (
                "φ[k,v] ~ Dirichlet_v(rate_of_all)",
                r"\phi_{k,v} \sim \mathrm{Dirichlet}_{v}\left(\mathrm{rate\_of\_all}\right)",
            ),
            (
                "y ~ Poisson(μ/α) up to ⌊c⌋, Poisson(μ α) above",
                r"y \sim \mathrm{Poisson}\left(\mu/\alpha\right) \text{ up to } \lfloor c\rfloor , \mathrm{Poisson}\left(\mu \; \alpha\right) \text{ above}",
            ),
        ] {
            assert_eq!(formula(line), latex, "{line}");
        }
    }

    #[test]
    fn sentences_hold_formulas() {
        assert_eq!(
            words("given l_eps, the shape has the exposure ζ[d,v]: 100% of it"),
            r"given ${l_{\mathrm{eps}}}$, the shape has the exposure $\zeta_{d,v}$: 100\% of it"
        );
        // What is in brackets is not cut.
        assert_eq!(
            words("of all of them [Neal 2011] (in CAVI: means), ln P(c | μ) is linear in e^(μ α)"),
            r"of all of them [Neal 2011] (in CAVI: means), ln $P\left(c \mid \mu\right)$ is linear in $e^{\mu \; \alpha}$"
        );
    }
}
