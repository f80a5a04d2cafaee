//! Arithmetic on literal numbers, worked out for messages: a declaration has none.

/// The value of numbers joined by `+`, `-`, `*` and `/`, with spaces between; none if there is anything else in `text`.
pub(super) fn value(text: &str) -> Option<f64> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (mut sum, mut sign, mut product, mut divides) = (0.0, 1.0, 1.0, false);
    for (at, word) in words.iter().enumerate() {
        if at % 2 == 0 {
            let number: f64 = word.replace('_', "").parse().ok()?;
            product = if divides { product / number } else { product * number };
            continue;
        }
        divides = *word == "/";
        match *word {
            "*" | "/" => {}
            "+" | "-" => {
                sum += sign * product;
                (sign, product) = (if *word == "-" { -1.0 } else { 1.0 }, 1.0);
            }
            _ => return None,
        }
    }
    let value: f64 = sum + sign * product;
    (words.len() % 2 == 1 && value.is_finite()).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn literals_are_worked_out_and_nothing_else() {
        assert_eq!(value("1.0 + 1.0"), Some(2.0));
        assert_eq!(value("1.0 / 4 - 2 * 0.5"), Some(-0.75));
        assert_eq!(value("1.0 / b"), None);
        assert_eq!(value("1.0 +"), None);
        assert_eq!(value("1 / 0"), None);
    }
}
