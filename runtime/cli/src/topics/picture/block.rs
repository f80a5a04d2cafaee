//! The documents and words that are shown: the largest topics, their top words, the documents most about them.

use super::super::study::Study;

/// Topics shown at most.
pub const TOPICS: usize = 10;
/// Words of each.
const WORDS: usize = 6;
/// Documents of each, at most.
const DOCUMENTS: usize = 10;

/// A part of the matrix, sorted by topic.
pub struct Block {
    /// Rows, from top to bottom.
    pub documents: Vec<usize>,
    /// Columns, from left to right.
    pub words: Vec<usize>,
    /// For each topic shown, the number of rows and columns that are its own.
    pub parts: Vec<[usize; 2]>,
}

impl Block {
    /// Each word and each document belongs to one topic: a word to the first that lists it, a document to
    /// the topic that accounts for most of it.
    pub fn of(study: &Study) -> Self {
        let mut block = Self {
            documents: Vec::new(),
            words: Vec::new(),
            parts: Vec::new(),
        };
        let dominant: Vec<usize> = (0..study.corpus.documents)
            .map(|document| {
                let size = |k: &usize| study.topics[*k].documents[document];
                let topics = 0..study.topics.len();
                topics.max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(0)
            })
            .collect();
        for (k, topic) in study.topics.iter().enumerate().take(TOPICS) {
            let mut own: Vec<usize> = (0..dominant.len()).filter(|&d| dominant[d] == k).collect();
            own.sort_by(|&a, &b| topic.documents[b].total_cmp(&topic.documents[a]));
            own.truncate(DOCUMENTS);
            let listed = topic.words.iter().map(|&(v, _)| v);
            let new: Vec<usize> = listed.filter(|v| !block.words.contains(v)).take(WORDS).collect();
            block.parts.push([own.len(), new.len()]);
            block.documents.extend(own);
            block.words.extend(new);
        }
        block
    }
}
