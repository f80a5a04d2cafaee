//! The words of a text.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use unicode_segmentation::UnicodeSegmentation;

/// The words of a text by the boundaries of Unicode, in lower case. Letters are composed (NFC), and both apostrophes are one, so that a
/// word that looks the same is the same.
pub(crate) fn words(text: &str) -> Vec<String> {
    let text = match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    };
    text.unicode_words()
        .map(|word| word.to_lowercase().replace('\u{2019}', "'"))
        .collect()
}

/// Whether it has no letter.
pub(crate) fn is_number(word: &str) -> bool {
    !word.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_look_the_same_are_the_same() {
        assert_eq!(words("Don\u{2019}t, DON'T!"), ["don't", "don't"]);
        assert_eq!(words("caf\u{e9} cafe\u{301}"), ["caf\u{e9}", "caf\u{e9}"]);
        assert_eq!(
            words("ΟΔΟΣ; 3.5 km_h — e.g."),
            ["οδος".replace('σ', "ς"), "3.5".into(), "km_h".into(), "e.g".into()]
        );
        assert!(words(" ,.\n").is_empty());
        assert!(is_number("3.5") && !is_number("b2b"));
    }
}
