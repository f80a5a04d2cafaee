//! Topics and concentrations, checked and laid out by word.

use ndarray::Array2;

use crate::counts::Counts;
use crate::diagnose::DiagnoseError;
use crate::memory::with_room;

/// Topics are gone over so many at a time.
pub(super) const LANES: usize = 8;

/// The probabilities of each word side by side. Topics of concentration and probability zero fill the last lanes.
pub(super) struct Topics {
    by_word: Vec<f64>,
    words: usize,
    pub(super) alpha: Vec<f64>,
    /// The sum of `alpha`.
    pub(super) concentration: f64,
}

impl Topics {
    pub(super) fn new(phi: &Array2<f64>, alpha: &[f64]) -> Result<Self, DiagnoseError> {
        let (topics, words) = phi.dim();
        if alpha.len() != topics || topics == 0 {
            let given = alpha.len();
            return Err(DiagnoseError::Unfit(format!(
                "{given} concentrations for {topics} topics: give one for each, and `phi` as topics x words"
            )));
        }
        if let Some(topic) = alpha.iter().position(|alpha| !(*alpha > 0.0 && *alpha <= 1e12)) {
            let value = alpha[topic];
            return Err(DiagnoseError::Concentration { topic, value });
        }
        let width = topics.next_multiple_of(LANES);
        let mut by_word = with_room(width * words, "topics by word", "take fewer words or topics")?;
        by_word.resize(width * words, 0.0);
        for (topic, row) in phi.rows().into_iter().enumerate() {
            for (word, &value) in row.iter().enumerate() {
                if !(value.is_finite() && value >= 0.0) {
                    return Err(DiagnoseError::Value {
                        what: "probability of a word",
                        position: topic * words + word,
                        value,
                    });
                }
                by_word[word * width + topic] = value;
            }
            let sum: f64 = row.iter().sum();
            if (sum - 1.0).abs() > 1e-6 {
                return Err(DiagnoseError::TopicSum { topic, sum });
            }
        }
        let concentration = alpha.iter().sum();
        let mut alpha = alpha.to_vec();
        alpha.resize(width, 0.0);
        Ok(Self {
            by_word,
            words,
            alpha,
            concentration,
        })
    }

    /// The probability of a word under each topic.
    pub(super) fn of_word(&self, word: u32) -> &[f64] {
        &self.by_word[word as usize * self.alpha.len()..][..self.alpha.len()]
    }

    /// The words of each document, one for each token. Every one of them has a positive probability under some topic.
    pub(super) fn tokens(&self, counts: &Counts) -> Result<Vec<Vec<u32>>, DiagnoseError> {
        let &[documents, words] = counts.shape() else {
            return Err(DiagnoseError::Reference {
                shape: counts.shape().to_vec(),
            });
        };
        if words != self.words {
            return Err(DiagnoseError::Unfit(format!(
                "counts of {words} words, but topics over {}: use the vocabulary of the topics",
                self.words
            )));
        }
        let mut tokens = vec![Vec::new(); documents];
        for (cell, count) in counts.iter_nonzero() {
            let (document, word) = (cell / words, cell % words);
            let of_word = self.of_word(word as u32);
            // Weights at no counts are the smallest; they may underflow to zero.
            if of_word.iter().zip(&self.alpha).all(|(p, alpha)| p * alpha == 0.0) {
                return Err(DiagnoseError::ImpossibleWord { document, word });
            }
            let of_document: &mut Vec<u32> = &mut tokens[document];
            let needed = of_document.len() + count as usize;
            crate::memory::fits("the tokens of a document", 4.0 * needed as f64, "split the document")?;
            of_document.extend(std::iter::repeat_n(word as u32, count as usize));
        }
        Ok(tokens)
    }
}
