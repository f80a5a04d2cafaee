//! Long formulas on several lines.

/// Columns of a line, before it is indented.
const WIDTH: usize = 94;

/// How far lines after the first are indented.
pub(super) const INDENT: &str = "    ";

/// Whether a line, which may be indented, is short enough.
pub(super) fn fits(line: &str) -> bool {
    line.chars().count() <= WIDTH - INDENT.len()
}

/// The formula on lines that fit: the parameters of a law on lines of their own where they do not fit on one, and then a new line
/// before a `+` or `−`. Nothing is broken in inner brackets.
pub(super) fn wrapped(formula: &str) -> Vec<String> {
    let parameters = match fits(formula) {
        true => vec![formula],
        false => pieces(formula, |at| formula[..at].ends_with(", ")),
    };
    broken(&parameters)
}

/// A sum on lines that fit, with a new line before a `+` or `−` alone.
pub(super) fn wrapped_sum(formula: &str) -> Vec<String> {
    broken(&[formula])
}

/// Each part on a line of its own, or on several.
fn broken(parts: &[&str]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        let mut line = String::new();
        let is_break = |at: usize| [" + ", " − "].iter().any(|sign| part[at..].starts_with(sign));
        for piece in pieces(part, is_break) {
            if !line.is_empty() && !fits(&format!("{line}{}", piece.trim_end())) {
                lines.push(std::mem::take(&mut line));
                line.push_str(piece.trim_start());
            } else {
                line.push_str(piece);
            }
        }
        lines.push(line);
    }
    let indented = lines.iter().enumerate().map(|(i, line)| match i {
        0 => line.trim_end().to_owned(),
        _ => format!("{INDENT}{}", line.trim()),
    });
    indented.collect()
}

/// The text, cut at the places outside of inner brackets that `is_break` names.
fn pieces(text: &str, is_break: impl Fn(usize) -> bool) -> Vec<&str> {
    // A part may end in the bracket of another one.
    let depth = |before: &str| {
        let [opened, closed] = [['(', '[', '{'], [')', ']', '}']].map(|of| before.matches(of).count());
        opened.saturating_sub(closed)
    };
    let (mut all, mut from) = (Vec::new(), 0);
    for (at, _) in text.char_indices().skip(1) {
        if is_break(at) && depth(&text[..at]) <= 1 {
            all.push(&text[from..at]);
            from = at;
        }
    }
    all.push(&text[from..]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_formulas_stay_as_they_are() {
        assert_eq!(wrapped("a = b + c"), ["a = b + c"]);
    }

    #[test]
    fn breaks_are_outside_of_inner_brackets_and_lose_nothing() {
        let term = "Σ_{i',c'} w[i',i] E[θ[i',c'] π[c',c]]";
        let formula = format!("q(θ[i,c]) = Gamma(0.5 + {term} + {term}, 1 + {term} + {term})");
        let lines = wrapped(&formula);
        assert!(
            lines.len() > 1 && lines.iter().all(|l| l.chars().count() <= WIDTH),
            "{lines:#?}"
        );
        let trimmed: Vec<&str> = lines.iter().map(|l| l.trim()).collect();
        assert_eq!(trimmed.join(" "), formula);
    }
}
