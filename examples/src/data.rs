//! Data sets in folders.

use std::path::Path;

use skellam::counts::{ReadError, ReadOptions, read_counts, read_list};
use skellam::prelude::*;

use crate::Failure;

/// The counts of a file. Where its format states no shape and none is given, it is told from the largest indices.
///
/// # Errors
///
/// A file that is missing or broken, a position outside `shape`.
pub fn counts(folder: &Path, file: &str, shape: Option<Vec<usize>>) -> Result<Counts, Failure> {
    let path = folder.join(file);
    let options = ReadOptions {
        shape,
        ..ReadOptions::default()
    };
    read_counts(&path, &options).map_err(|error| named(&path, &error))
}

fn named(path: &Path, error: &ReadError) -> Failure {
    format!("{}: {error}", path.display()).into()
}

/// The lines of a file, such as the names of an index set.
///
/// # Errors
///
/// A file that is missing or broken.
pub fn names(folder: &Path, file: &str) -> Result<Vec<String>, Failure> {
    let path = folder.join(file);
    read_list(&path).map_err(|error| named(&path, &error))
}

/// Events between countries in the files of `icews_yearly`, (sender, receiver, action, year), and the names of countries, actions and
/// years.
///
/// # Errors
///
/// Files that are missing or broken.
pub fn events(folder: &Path) -> Result<(Counts, [Vec<String>; 3]), Failure> {
    let read = |file| names(folder, file);
    let names = [read("tiny_countries.txt")?, read("actions.txt")?, read("years.txt")?];
    let [countries, actions, years] = names.each_ref().map(Vec::len);
    let shape = vec![countries, countries, actions, years];
    Ok((counts(folder, "tiny_tensor.tsv", Some(shape))?, names))
}

/// The same events as a table of years by everything else, what one country did to another in one class of actions; and what they are in words.
///
/// # Errors
///
/// Files that are missing or broken.
pub fn events_by_year(folder: &Path) -> Result<(Counts, String), Failure> {
    let (counts, names) = events(folder)?;
    let [countries, actions, years] = names.map(|names| names.len());
    // The year comes last in the file, and first here.
    let cells = countries * countries * actions;
    let entries = counts.iter_nonzero().map(|(at, y)| (vec![at % years, at / years], y));
    let counts = Counts::sparse(vec![years, cells], entries.collect())?;
    let what =
        format!("{years} years of events between {countries} countries, {actions} classes of them, {cells} cells");
    Ok((counts, what))
}

/// The counts of documents, who wrote each, their rates where they are known, and what they are in words.
pub type Documents = (Counts, Vec<usize>, Option<Vec<f64>>, String);

/// The first e-mails of `enron_text` and their senders.
///
/// # Errors
///
/// Files that are missing or broken.
pub fn emails(folder: &Path) -> Result<Documents, Failure> {
    let counts = counts(folder, "tiny_bow.mtx", None)?;
    let mut senders = names(folder, "doc_user.txt")?;
    senders.truncate(counts.shape()[0]);
    // E-mails are in the order of their senders, who are numbers with gaps: each sender gets a position.
    let mut known = senders.clone();
    known.dedup();
    let position = |sender| known.iter().position(|other| other == sender);
    let author = senders.iter().filter_map(position).collect();
    Ok((counts, author, None, format!("e-mails of {} senders", known.len())))
}

/// Votes of `house_votes_84` by question, party and answer, and the names of questions with their answers.
///
/// # Errors
///
/// Files that are missing or broken.
pub fn votes(folder: &Path) -> Result<(Counts, Vec<String>), Failure> {
    let names = names(folder, "features.txt")?;
    let [questions, parties, answers] = [names.len() / 3, 2, 3];
    // The party comes first in the file.
    let table = counts(folder, "class_vote_answer.tsv", Some(vec![parties, questions, answers]))?;
    let cells = table.iter_nonzero().map(|(at, n)| {
        let (party, question) = (at / answers / questions, at / answers % questions);
        (vec![question, party, at % answers], n)
    });
    let counts = Counts::sparse(vec![questions, parties, answers], cells.collect())?;
    Ok((counts, names))
}
