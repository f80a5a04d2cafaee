//! Which words are counted.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::{LeftOut, TextOptions};

/// A word and how often it occurs.
#[derive(Debug)]
pub(crate) struct Word {
    pub word: String,
    pub documents: usize,
    pub occurrences: u64,
}

/// The words so far, by number.
#[derive(Debug, Default)]
pub(crate) struct Words {
    numbers: HashMap<String, u32>,
    pub all: Vec<Word>,
}

impl Words {
    /// The number of a word.
    pub fn number(&mut self, word: String) -> u32 {
        if let Some(&number) = self.numbers.get(&word) {
            return number;
        }
        let number = self.all.len() as u32;
        self.numbers.insert(word.clone(), number);
        self.all.push(Word {
            word,
            documents: 0,
            occurrences: 0,
        });
        number
    }

    /// The words that are counted, in the order of their columns, and the column of every word.
    pub fn select(
        self,
        options: &TextOptions,
        documents: usize,
        left_out: &mut LeftOut,
    ) -> (Vec<String>, Vec<Option<usize>>) {
        if let Some(vocabulary) = &options.vocabulary {
            let columns: HashMap<&String, usize> = vocabulary.iter().zip(0..).collect();
            let columns = self.all.iter().map(|word| {
                let column = columns.get(&word.word).copied();
                left_out.unknown += column.map_or(word.occurrences, |_| 0);
                column
            });
            return (vocabulary.clone(), columns.collect());
        }
        let most = options.max_share * documents as f64;
        let mut kept: Vec<usize> = Vec::new();
        for (number, word) in self.all.iter().enumerate() {
            match () {
                () if word.documents < options.min_documents => left_out.rare += word.occurrences,
                () if word.documents as f64 > most => left_out.frequent += word.occurrences,
                () => kept.push(number),
            }
        }
        if let Some(most) = options.max_words.filter(|most| *most < kept.len()) {
            kept.sort_by_key(|&number| (Reverse(self.all[number].occurrences), &self.all[number].word));
            left_out.beyond += kept[most..]
                .iter()
                .map(|&number| self.all[number].occurrences)
                .sum::<u64>();
            kept.truncate(most);
        }
        kept.sort_by_key(|&number| &self.all[number].word);
        let mut columns = vec![None; self.all.len()];
        kept.iter()
            .zip(0..)
            .for_each(|(&number, column)| columns[number] = Some(column));
        (
            kept.iter().map(|&number| self.all[number].word.clone()).collect(),
            columns,
        )
    }
}
