//! Quality of topics, from the documents in which their top words occur together.

use std::collections::BTreeMap;

use super::{CellValues, DiagnoseError};
use crate::counts::Counts;

/// Normalised pointwise mutual information of each topic: the mean over pairs of its words of
/// `ln(P(i,j) / (P(i) P(j))) / -ln P(i,j)`, where `P` is the share of documents of `reference`
/// (documents x words, best one that the model has not seen) that contain the words (Lau, Newman and
/// Baldwin 2014, with whole documents as windows). From -1 to 1; the customary lists are of ten words.
///
/// A pair that never occurs together scores -1, its limit, be its words frequent or unseen; a pair
/// that occurs in every document scores 1, the limit for words that only occur together. Held-out cells
/// of the reference count as well.
///
/// # Errors
/// The reference does not have two modes; a topic lists a word that the reference lacks, a word twice,
/// or fewer than two words.
pub fn npmi(top: &[Vec<usize>], reference: &Counts) -> Result<Vec<f64>, DiagnoseError> {
    let occurrences = Occurrences::new(top, reference)?;
    let all = occurrences.documents as f64;
    let pair = |a: usize, b: usize| {
        let together = occurrences.together(a, b) as f64;
        if together == 0.0 {
            return -1.0;
        }
        if together == all {
            return 1.0;
        }
        let expected = occurrences.of(a).len() as f64 / all * occurrences.of(b).len() as f64;
        (together / expected).ln() / (all / together).ln()
    };
    Ok(top
        .iter()
        .map(|words| sum_of_pairs(words, pair) / num_pairs(words))
        .collect())
}

/// Coherence of each topic: the sum over pairs of its words, of which `l` ranks above `m`, of
/// `ln((D(m,l) + 1) / D(l))`, where `D` counts the documents of `reference` (documents x words,
/// customarily the training data) that contain the words (Mimno et al. 2011, equation 1). Larger is
/// better; it is comparable between lists of the same length only. `top` lists the best word first.
///
/// Where `l` occurs nowhere the published formula divides by zero; such a pair then takes the lowest
/// value that a pair can have, `ln(1 / documents)`, so that an unseen word is never a gain. Held-out
/// cells of the reference count as well.
///
/// # Errors
/// Those of [`npmi`].
pub fn coherence(top: &[Vec<usize>], reference: &Counts) -> Result<Vec<f64>, DiagnoseError> {
    let occurrences = Occurrences::new(top, reference)?;
    let pair = |higher: usize, lower: usize| match occurrences.of(higher).len() {
        0 => -(occurrences.documents as f64).ln(),
        alone => ((occurrences.together(lower, higher) + 1) as f64 / alone as f64).ln(),
    };
    Ok(top.iter().map(|words| sum_of_pairs(words, pair)).collect())
}

/// Perplexity of words that were not seen: n for a model that is undecided among n equally likely words (document completion: Wallach, Murray, Salakhutdinov and Mimno
/// 2009). It is `exp` of minus the mean of `ln(r[d,v] / sum_v r[d,v])` over these words. `rates` are documents x words, of a fit to the other words of the
/// same documents; a row need not sum to one. A matrix of words x documents has as many cells and is not told from it. Infinite where a word that occurs has the rate zero.
///
/// # Errors
/// `hidden` does not have two modes or holds no word; more or fewer rates than cells; a rate that is negative or not finite; those of [`CellValues::row_major`].
pub fn perplexity(rates: &(impl CellValues + ?Sized), hidden: &Counts) -> Result<f64, DiagnoseError> {
    let rates = rates.row_major()?;
    let &[documents, words] = hidden.shape() else {
        return Err(DiagnoseError::Reference {
            shape: hidden.shape().to_vec(),
        });
    };
    let cells = documents * words;
    if rates.len() != cells {
        return Err(DiagnoseError::Length {
            estimates: rates.len(),
            truths: cells,
        });
    }
    if let Some(position) = rates.iter().position(|rate| !(rate.is_finite() && *rate >= 0.0)) {
        return Err(DiagnoseError::Value {
            what: "rate",
            position,
            value: rates[position],
        });
    }
    let lines: Vec<f64> = rates.chunks(words).map(|line| line.iter().sum()).collect();
    let (mut ln, mut total) = (0.0, 0.0);
    for (cell, count) in hidden.iter_nonzero() {
        if rates[cell] == 0.0 {
            return Ok(f64::INFINITY);
        }
        ln += count as f64 * (rates[cell] / lines[cell / words]).ln();
        total += count as f64;
    }
    if total == 0.0 {
        return Err(DiagnoseError::Empty);
    }
    Ok((-ln / total).exp())
}

/// Sum of `score(earlier, later)` over all pairs of a list.
fn sum_of_pairs(words: &[usize], score: impl Fn(usize, usize) -> f64) -> f64 {
    let pairs = words
        .iter()
        .enumerate()
        .flat_map(|(at, &later)| words[..at].iter().map(move |&e| (e, later)));
    pairs.map(|(earlier, later)| score(earlier, later)).sum()
}

fn num_pairs(words: &[usize]) -> f64 {
    (words.len() * (words.len() - 1) / 2) as f64
}

/// The documents in which each listed word occurs, ascending.
struct Occurrences {
    documents: usize,
    by_word: BTreeMap<usize, Vec<usize>>,
}

impl Occurrences {
    /// Checks the lists and walks the reference once.
    fn new(top: &[Vec<usize>], reference: &Counts) -> Result<Self, DiagnoseError> {
        let &[documents, words] = reference.shape() else {
            return Err(DiagnoseError::Reference {
                shape: reference.shape().to_vec(),
            });
        };
        let mut by_word = BTreeMap::new();
        for (topic, list) in top.iter().enumerate() {
            let refused = |what: String| Err(DiagnoseError::Unfit(format!("topic {topic} lists {what}")));
            if list.len() < 2 {
                let listed = list.len();
                return refused(format!(
                    "{listed} words: quality is a mean over pairs, give at least two"
                ));
            }
            for (at, &word) in list.iter().enumerate() {
                if word >= words {
                    return refused(format!(
                        "word {word}, but the reference has {words} words, numbered from 0: use the vocabulary of the model"
                    ));
                }
                if list[..at].contains(&word) {
                    return refused(format!("word {word} twice: give each word once"));
                }
                by_word.insert(word, Vec::new());
            }
        }
        // By rows, so each list comes out ascending.
        for (cell, _) in reference.iter_nonzero() {
            if let Some(seen) = by_word.get_mut(&(cell % words)) {
                seen.push(cell / words);
            }
        }
        Ok(Self { documents, by_word })
    }

    fn of(&self, word: usize) -> &[usize] {
        self.by_word.get(&word).map_or(&[], Vec::as_slice)
    }

    /// Number of documents with both words: a merge of two ascending lists.
    fn together(&self, a: usize, b: usize) -> usize {
        let (mut a, mut b) = (self.of(a), self.of(b));
        let mut both = 0;
        while let (Some((first_a, rest_a)), Some((first_b, rest_b))) = (a.split_first(), b.split_first()) {
            let order = first_a.cmp(first_b);
            both += usize::from(order.is_eq());
            if order.is_le() {
                a = rest_a;
            }
            if order.is_ge() {
                b = rest_b;
            }
        }
        both
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    /// Four documents; word 0 in three, word 1 in two (one of them with word 0), word 2 in all, word 3
    /// in none, word 4 in the one document that word 1 has to itself.
    fn reference() -> Counts {
        Counts::dense(
            vec![4, 5],
            vec![2, 0, 1, 0, 0, 1, 0, 3, 0, 0, 5, 1, 1, 0, 0, 0, 9, 1, 0, 2],
        )
        .unwrap()
    }

    #[test]
    fn npmi_by_hand() {
        let top = vec![vec![0, 1], vec![0, 2], vec![0, 3], vec![1, 4], vec![0, 1, 4]];
        let scores = npmi(&top, &reference()).unwrap();
        // Together in 1 of 4, expected 3/4 * 2/4: ln(2/3) / ln 4.
        let zero_one = (2.0f64 / 3.0).ln() / 4f64.ln();
        // Word 2 is everywhere, so it tells nothing: ln 1 = 0.
        // Words 1 and 4 together in 1 of 4, expected 2/4 * 1/4: ln 2 / ln 4.
        let expected = [zero_one, 0.0, -1.0, 0.5, (zero_one - 1.0 + 0.5) / 3.0];
        for (score, expected) in scores.iter().zip(expected) {
            assert_relative_eq!(*score, expected, epsilon = 1e-15, max_relative = 1e-14);
        }
    }

    #[test]
    fn a_pair_that_is_everywhere_scores_one() {
        let everywhere = Counts::dense(vec![2, 2], vec![1; 4]).unwrap();
        assert_eq!(npmi(&[vec![0, 1]], &everywhere), Ok(vec![1.0]));
    }

    #[test]
    fn coherence_by_hand() {
        let top = vec![vec![0, 1], vec![1, 0], vec![2, 0, 1], vec![3, 0], vec![0, 3]];
        let scores = coherence(&top, &reference()).unwrap();
        let expected = [
            (2.0f64 / 3.0).ln(),
            // The order counts: divided by the documents of the word that ranks higher.
            0.0,
            // (0 | 2): 4/4, (1 | 2): 3/4, (1 | 0): 2/3.
            (3.0f64 / 4.0).ln() + (2.0f64 / 3.0).ln(),
            // Word 3 is nowhere.
            -(4f64.ln()),
            (1.0f64 / 3.0).ln(),
        ];
        for (score, expected) in scores.iter().zip(expected) {
            assert_relative_eq!(*score, expected, epsilon = 1e-15, max_relative = 1e-14);
        }
    }

    #[test]
    fn perplexity_by_hand() {
        let hidden = Counts::dense(vec![2, 2], vec![1, 3, 0, 2]).unwrap();
        // Shares 1/4, 3/4 and 1/2; rows need not sum to one.
        let value = perplexity(&[1.0, 3.0, 5.0, 5.0], &hidden).unwrap();
        let expected = 4.0f64 * (4.0f64 / 3.0).powi(3) * 4.0;
        assert_relative_eq!(value, expected.powf(1.0 / 6.0), max_relative = 1e-14);
        // Even rates are undecided among all words; a word of rate zero that occurs is a surprise without end.
        assert_relative_eq!(perplexity(&[7.0; 4], &hidden).unwrap(), 2.0, max_relative = 1e-14);
        assert_eq!(perplexity(&[1.0, 0.0, 1.0, 1.0], &hidden), Ok(f64::INFINITY));
        assert_eq!(perplexity(&[0.0, 0.0, 1.0, 1.0], &hidden), Ok(f64::INFINITY));
    }

    #[test]
    fn rates_that_do_not_fit_are_refused() {
        let hidden = Counts::dense(vec![2, 2], vec![1, 3, 0, 2]).unwrap();
        let length = DiagnoseError::Length {
            estimates: 3,
            truths: 4,
        };
        assert_eq!(perplexity(&[1.0; 3], &hidden), Err(length));
        let value = DiagnoseError::Value {
            what: "rate",
            position: 1,
            value: -1.0,
        };
        assert_eq!(perplexity(&[1.0, -1.0, 1.0, 1.0], &hidden), Err(value));
        let none = Counts::dense(vec![1, 2], vec![0; 2]).unwrap();
        assert_eq!(perplexity(&[1.0; 2], &none), Err(DiagnoseError::Empty));
        let flat = Counts::dense(vec![3], vec![1; 3]).unwrap();
        assert_eq!(
            perplexity(&[1.0; 3], &flat),
            Err(DiagnoseError::Reference { shape: vec![3] })
        );
    }

    #[test]
    fn lists_that_do_not_fit_are_refused() {
        for (list, said) in [
            (vec![0, 5], "word 5, but the reference has 5 words"),
            (vec![0], "1 words"),
            (vec![0, 2, 0], "word 0 twice"),
        ] {
            let refused = npmi(&[vec![0, 1], list], &reference()).unwrap_err().to_string();
            assert!(refused.starts_with(&format!("topic 1 lists {said}")), "{refused}");
        }
        let flat = Counts::dense(vec![3], vec![1; 3]).unwrap();
        assert_eq!(coherence(&[], &flat), Err(DiagnoseError::Reference { shape: vec![3] }));
    }
}
