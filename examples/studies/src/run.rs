//! One run of a study: what was asked for, and its pieces of work.

use std::path::{Path, PathBuf};
use std::time::Instant;

use skellam_plot::Picture;

use crate::Failure;
use crate::claim::Claim;
use crate::flags::Flags;
use crate::numbers::{Numbers, Piece};

/// A study while it runs.
#[derive(Debug)]
pub struct Run {
    /// What was asked for.
    pub flags: Flags,
    /// Its numbers so far.
    pub numbers: Numbers,
    /// Pieces that were made now, not found in the file.
    pub made: usize,
}

/// What a study has found.
#[derive(Debug)]
pub struct Found {
    /// Its figure.
    pub picture: Picture,
    /// What is printed above the verdicts.
    pub text: String,
    /// The claims, each with its verdict.
    pub claims: Vec<Claim>,
}

impl Found {
    /// A figure, the text below it, and the claims.
    pub fn of(picture: Picture, text: String, claims: Vec<Claim>) -> Result<Self, Failure> {
        Ok(Self { picture, text, claims })
    }
}

impl Run {
    /// The first of three at `--quick`, the last at `--full`.
    pub fn by_size<T>(&self, [quick, default, full]: [T; 3]) -> T {
        match (self.flags.quick, self.flags.full) {
            (true, _) => quick,
            (_, true) => full,
            _ => default,
        }
    }

    /// Makes a piece of work, unless it is in the file.
    ///
    /// # Errors
    /// Those of `make`; the file cannot be written.
    pub fn piece(&mut self, name: &str, make: impl FnOnce(&mut Piece) -> Result<(), Failure>) -> Result<(), Failure> {
        if self.numbers.has(name) {
            return Ok(());
        }
        let start = Instant::now();
        let mut piece = Piece::default();
        make(&mut piece)?;
        let seconds = start.elapsed().as_secs_f64();
        self.made += 1;
        eprintln!("{name}: {seconds:.1} s");
        self.numbers.add(name, piece, seconds)
    }

    /// One number of a finished piece.
    ///
    /// # Errors
    /// There is none.
    pub fn get(&self, piece: &str, quantity: &str) -> Result<f64, Failure> {
        self.numbers.get(piece, quantity)
    }

    /// A table with a row for each piece that has the first of these quantities, in the order in which they were made.
    pub fn table(&self, quantities: &[&str]) -> String {
        let rows = self
            .numbers
            .pieces()
            .filter(|piece| self.get(piece, quantities[0]).is_ok());
        let rows: Vec<&String> = rows.collect();
        let width = rows.iter().map(|piece| piece.len()).max().unwrap_or_default();
        let line = |name: &str, cells: Vec<String>| {
            let cells = cells
                .iter()
                .zip(quantities)
                .map(|(cell, quantity)| format!("  {cell:>0$}", quantity.len().max(9)));
            format!("{name:<width$}{}", cells.collect::<String>())
                .trim_end()
                .to_owned()
                + "\n"
        };
        let number = |piece: &str, quantity: &str| {
            self.get(piece, quantity)
                .map_or_else(|_| String::new(), |value| format!("{value:.4}"))
        };
        let head = line("", quantities.iter().map(ToString::to_string).collect());
        let rows = rows
            .iter()
            .map(|piece| line(piece, quantities.iter().map(|name| number(piece, name)).collect()));
        head + &rows.collect::<String>()
    }

    /// A file below the folder of `--data`, where that is given.
    pub fn data(&self, file: &str) -> Option<PathBuf> {
        self.flags.data.as_deref().map(|folder: &Path| folder.join(file))
    }
}

/// What the machine is, as far as it says.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.to_owned());
    format!("{model}, {cores} processors, {}", std::env::consts::OS)
}
