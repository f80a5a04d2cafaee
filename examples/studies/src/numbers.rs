//! The numbers of a study: a CSV file to which each finished piece of work adds its rows.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use skellam_release::whole_file::Partial;

use crate::Failure;

/// The last row of a piece: a piece without it was cut short.
pub const LAST: &str = "seconds";
const COLUMNS: &str = "piece,quantity,value";

/// Writes a file that appears whole or not at all, in place of any of its name.
///
/// # Errors
/// It cannot be written.
pub fn write_whole(path: &Path, text: &str) -> Result<(), Failure> {
    let write = || {
        let (partial, mut file) = Partial::file(path, OpenOptions::new().write(true))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        partial.replace()
    };
    write().map_err(|error| format!("{}: {error}", skellam::quoted(path.display())).into())
}

/// A name as it stands in the file, where commas separate fields.
fn field(name: &str) -> String {
    name.replace(',', "")
}

/// The numbers of one piece, by the names of their quantities.
#[derive(Debug, Default)]
pub struct Piece(Vec<(String, f64)>);

impl Piece {
    /// Adds a number.
    pub fn put(&mut self, quantity: &str, value: f64) {
        self.0.push((field(quantity), value));
    }

    /// Adds a list: `quantity[0]`, `quantity[1]`, ..
    pub fn list(&mut self, quantity: &str, values: &[f64]) {
        let named = values.iter().enumerate();
        self.0
            .extend(named.map(|(at, value)| (field(&format!("{quantity}[{at}]")), *value)));
    }
}

/// All pieces that are finished, in memory and in the file.
#[derive(Debug)]
pub struct Numbers {
    path: PathBuf,
    values: HashMap<(String, String), f64>,
    pieces: Vec<String>,
}

impl Numbers {
    /// Opens the file and drops a piece that was cut short, or begins one.
    ///
    /// # Errors
    /// The file is that of another run (`heading` says of which), holds something else, or cannot be written.
    pub fn open(path: &Path, heading: &str) -> Result<Self, Failure> {
        let named = |error: std::io::Error| format!("{}: {error}", skellam::quoted(path.display()));
        let mut numbers = Self {
            path: path.to_owned(),
            values: HashMap::new(),
            pieces: Vec::new(),
        };
        let head = format!("# {heading}\n{COLUMNS}\n");
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                write_whole(path, &head)?;
                return Ok(numbers);
            }
            read => read.map_err(named)?,
        };
        let Some(rows) = text.strip_prefix(&head) else {
            let found = text.lines().next().unwrap_or_default();
            return Err(format!(
                "{} begins with \"{}\", not with \"# {heading}\": choose another folder by --out, or remove the file",
                skellam::quoted(path.display()),
                skellam::quoted(found)
            )
            .into());
        };
        let end = numbers.read(rows)?;
        if end < rows.len() {
            // What is finished must not be lost if this is stopped, too.
            write_whole(path, &format!("{head}{}", &rows[..end]))?;
        }
        Ok(numbers)
    }

    /// Takes in the rows of all pieces that are whole, and says where these end.
    fn read(&mut self, rows: &str) -> Result<usize, Failure> {
        let (mut at, mut end) = (0, 0);
        let mut piece = Vec::new();
        for line in rows.split_inclusive('\n') {
            at += line.len();
            // The last line may have been cut anywhere.
            let Some(row) = line.strip_suffix('\n') else { break };
            let fields: Vec<&str> = row.split(',').collect();
            let path = self.path.display();
            let &[name, quantity, value] = &fields[..] else {
                return Err(format!("{path}: a row \"{row}\" of {} fields", fields.len()).into());
            };
            let value: f64 = value
                .parse()
                .map_err(|_| format!("{path}: \"{row}\" ends in no number"))?;
            piece.push((quantity.to_owned(), value));
            if quantity == LAST {
                self.take(name, piece.drain(..));
                end = at;
            }
        }
        Ok(end)
    }

    fn take(&mut self, name: &str, rows: impl Iterator<Item = (String, f64)>) {
        self.pieces.push(name.to_owned());
        self.values
            .extend(rows.map(|(quantity, value)| ((name.to_owned(), quantity), value)));
    }

    /// Whether a piece is finished.
    pub fn has(&self, piece: &str) -> bool {
        self.pieces.iter().any(|one| *one == field(piece))
    }

    /// The names of all finished pieces.
    pub fn pieces(&self) -> impl Iterator<Item = &String> {
        self.pieces.iter()
    }

    /// Adds a piece to the file, in one write, and to those in memory.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn add(&mut self, name: &str, mut piece: Piece, seconds: f64) -> Result<(), Failure> {
        let name = &field(name);
        piece.put(LAST, seconds);
        let mut rows = String::new();
        for (quantity, value) in &piece.0 {
            writeln!(rows, "{name},{quantity},{value}")?;
        }
        let mut file = OpenOptions::new().append(true).open(&self.path)?;
        file.write_all(rows.as_bytes())?;
        self.take(name, piece.0.into_iter());
        Ok(())
    }

    /// One number.
    ///
    /// # Errors
    /// There is none: the file is of another version of the study.
    pub fn get(&self, piece: &str, quantity: &str) -> Result<f64, Failure> {
        let found = self.values.get(&(field(piece), field(quantity)));
        found.copied().ok_or_else(|| {
            format!(
                "{} has no {quantity} of {piece}: remove it, and run the study again",
                self.path.display()
            )
            .into()
        })
    }

    /// A list of numbers; empty where there is none.
    pub fn list(&self, piece: &str, quantity: &str) -> Vec<f64> {
        let at = |at: usize| self.values.get(&(field(piece), field(&format!("{quantity}[{at}]"))));
        (0..).map_while(at).copied().collect()
    }

    /// Seconds of all pieces.
    pub fn seconds(&self) -> f64 {
        self.values
            .iter()
            .filter(|((_, quantity), _)| quantity == LAST)
            .map(|(_, seconds)| seconds)
            .sum()
    }

    /// What differs from numbers that were frozen: a line for each that is missing or off by more than its tolerance, and how many were compared.
    ///
    /// # Errors
    /// The file cannot be read, or a row is not `piece,quantity,value,tolerance`.
    pub fn against(&self, frozen: &Path) -> Result<(usize, Vec<String>), Failure> {
        let text = fs::read_to_string(frozen).map_err(|error| format!("{}: {error}", frozen.display()))?;
        let (mut compared, mut off) = (0, Vec::new());
        for row in text.lines().skip(1) {
            let fields: Vec<&str> = row.split(',').collect();
            let &[piece, quantity, value, tolerance] = &fields[..] else {
                return Err(format!("{}: \"{row}\" is not piece,quantity,value,tolerance", frozen.display()).into());
            };
            let (value, tolerance): (f64, f64) = (value.parse()?, tolerance.parse()?);
            compared += 1;
            match self.get(piece, quantity) {
                Ok(found) if (found - value).abs() <= tolerance || found == value => {}
                Ok(found) => off.push(format!(
                    "{piece}, {quantity}: {found}, frozen {value}, tolerance {tolerance}"
                )),
                Err(error) => off.push(error.to_string()),
            }
        }
        Ok((compared, off))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mutant that kept the rows of a piece that was cut short would find `b`.
    #[test]
    fn what_was_cut_short_is_done_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let mut numbers = Numbers::open(&path, "a, seed 1").unwrap();
        let mut piece = Piece::default();
        piece.put("error, mean", 0.1 + 0.2);
        piece.list("x", &[1.0, f64::INFINITY]);
        numbers.add("a, b", piece, 2.0).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        for cut in ["b,error,1\n", "b,error,1\nb,seco", "b,error,1\nb,seconds,1"] {
            fs::write(&path, format!("{whole}{cut}")).unwrap();
            let again = Numbers::open(&path, "a, seed 1").unwrap();
            assert!(again.has("a, b") && !again.has("b"), "{cut}");
            assert_eq!(again.get("a, b", "error, mean").unwrap(), 0.1 + 0.2);
            assert_eq!(again.list("a, b", "x"), [1.0, f64::INFINITY]);
            assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        }
        let error = Numbers::open(&path, "a, seed 2").unwrap_err().to_string();
        assert!(error.contains("seed 1") && error.contains("--out"), "{error}");
        let frozen = folder.path().join("frozen.csv");
        fs::write(
            &frozen,
            "piece,quantity,value,tolerance\na b,error mean,0.31,0.02\na b,error mean,0.35,0.02\na b,y,1,1\n",
        )
        .unwrap();
        let (compared, off) = numbers.against(&frozen).unwrap();
        assert_eq!((compared, off.len()), (3, 2), "{off:?}");
    }
}
