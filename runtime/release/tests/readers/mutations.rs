//! Hostile files: small files of every format, broken in every way. No panic, no hang, no more memory than the file
//! asks for, and both doors take and refuse the same. So does the reader of released values, as far as they are counts.
//!
//! `SKELLAM_MUTATIONS=100000000 cargo test -p skellam-release --test readers mutations` runs more than the usual million.

use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use flate2::Crc;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use skellam_release::counts::{
    CountSlices, Counts, Delimiter, Format, MAX_COUNT, ReadError, ReadFault, ReadOptions, Rows, read_counts_from,
};
use skellam_release::release::read_values_from;

use super::write::{File, Table, gzip};

const MUTANTS: u64 = 1_000_000;
/// Fixed, so that the mutants are the same on every machine.
const WORKERS: u64 = 4;
const LONGEST: Duration = Duration::from_secs(1);
/// Tables up to this many cells are compared cell by cell.
const COMPARED: usize = 1 << 12;

/// Numbers at which something overflows, or that are not numbers.
const EXTREMES: [&str; 18] = [
    "0",
    "1",
    "-1",
    "-0",
    "2147483648",
    "2147483649",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "99999999999999999999999999999999999999999",
    "1e300",
    "2.5",
    "3.0",
    "nan",
    "-inf",
    "",
];

const MARKS: &[u8] = b",;\t\"\n\r %#-+.(){}':0123456789\x00\xff";

struct Dice(Xoshiro256PlusPlus);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end.max(1) as u64) as usize
    }

    fn range(&mut self, bytes: &[u8]) -> std::ops::Range<usize> {
        let start = self.below(bytes.len() + 1);
        start..bytes.len().min(start + self.below(12))
    }
}

fn corpus() -> Vec<File> {
    let tables = [
        Table::new(&[3, 4], &[0, 2, 0, 7, 1, 0, 0, 0, 0, 90, 5, 3]),
        Table::new(&[4], &[1, 0, 0, 1]),
        Table::new(&[2, 1, 3], &[0, 1, 2, 0, 0, 4]),
        Table::new(&[3, 3], &[1, 1, 0, 1, 0, 1, 0, 1, 0]),
        // Every cell is stated, as released values are.
        Table::new(&[2, 3], &[1, 60, 2, 7, 3, 5]),
    ];
    let files = tables
        .iter()
        .flat_map(|table| [table.files(0), table.files(1)])
        .flatten();
    files.filter(|file| !file.name.contains("gz")).collect()
}

fn mutate(dice: &mut Dice, bytes: &mut Vec<u8>, corpus: &[File]) {
    let at = dice.below(bytes.len());
    match dice.below(8) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
        1 if !bytes.is_empty() => bytes[at] = MARKS[dice.below(MARKS.len())],
        2 => drop(bytes.drain(dice.range(bytes))),
        3 => {
            let part = bytes[dice.range(bytes)].to_vec();
            bytes.splice(at..at, part);
        }
        4 => {
            let other = &corpus[dice.below(corpus.len())].bytes;
            let part = other[dice.range(other)].to_vec();
            bytes.splice(dice.range(bytes), part);
        }
        5 => bytes.truncate(at),
        6 => bytes.insert(at, MARKS[dice.below(MARKS.len())]),
        // A number from its first digit to its last.
        _ => {
            let digit = |byte: &u8| byte.is_ascii_digit();
            if let Some(start) = bytes[at..].iter().position(digit).map(|offset| at + offset) {
                let end = bytes[start..]
                    .iter()
                    .position(|byte| !digit(byte))
                    .map_or(bytes.len(), |n| start + n);
                bytes.splice(start..end, EXTREMES[dice.below(EXTREMES.len())].bytes());
            }
        }
    }
}

/// One member that holds the bytes as they are: deflating anew for each mutant would take most of the time.
fn stored(bytes: &[u8]) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(bytes);
    let length = bytes.len() as u16;
    let mut member = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\x01".to_vec();
    member.extend([length.to_le_bytes(), (!length).to_le_bytes()].concat());
    member.extend(bytes);
    member.extend([crc.sum().to_le_bytes(), crc.amount().to_le_bytes()].concat());
    member
}

fn mutant(dice: &mut Dice, corpus: &[File], compressed: &[Vec<u8>]) -> (Vec<u8>, ReadOptions) {
    let mut pick = dice.below(corpus.len());
    if corpus[pick].name.starts_with("npy") {
        // There are many of them, one for each type, and most of their bytes are header.
        pick = dice.below(corpus.len());
    }
    let mut options = corpus[pick].options.clone();
    let inside = dice.below(8);
    let mut bytes = match inside {
        0 => compressed[pick].clone(),
        _ => corpus[pick].bytes.clone(),
    };
    for _ in 0..=dice.below(3) {
        mutate(dice, &mut bytes, corpus);
    }
    if inside == 1 {
        bytes = stored(&bytes);
    }
    match dice.below(9) {
        0 | 1 => options.shape = None,
        2 => options.format = None,
        3 => options = ReadOptions::default(),
        4 => {
            let formats = [
                Format::MatrixMarket,
                Format::Npy,
                Format::Npz,
                Format::BagOfWords,
                Format::Delimited(Delimiter::Comma),
            ];
            options.format = Some(formats[dice.below(formats.len())]);
        }
        5 => {
            options.rows = [Rows::Counts, Rows::NamedCounts, Rows::Events]
                .get(dice.below(4))
                .copied()
        }
        6 => options.base = [Some(1), Some(u64::MAX - 1), Some(u64::MAX)][dice.below(3)],
        _ => {}
    }
    options.block_bytes = [0, 64, 4096][dice.below(3)];
    (bytes, options)
}

/// Reads as released values: what these are, counts are too, where none is negative or too large.
fn read_released(bytes: &[u8], options: &ReadOptions, counts: &Result<Counts, ReadError>) {
    let Ok(released) = read_values_from(bytes, options) else {
        return;
    };
    let cells = released.shape.iter().product::<usize>();
    assert_eq!(released.values.len(), cells);
    let are_counts = released.values.iter().all(|value| (0..=MAX_COUNT).contains(value));
    match counts {
        Ok(counts) => {
            assert_eq!(counts.shape(), released.shape);
            assert_eq!(counts.to_dense().unwrap(), released.values);
        }
        Err(error) => assert!(!are_counts, "only as released values: {error}"),
    }
}

/// Reads through all doors; whether the file was taken as counts.
fn read(bytes: &[u8], options: &ReadOptions) -> bool {
    let whole = read_counts_from(bytes, options);
    let slices = CountSlices::from_bytes(bytes, options);
    read_released(bytes, options, &whole);
    if let Ok(counts) = &whole {
        // A text of n bytes states fewer than n cells, or mirrors them; deflate shrinks by a factor of 1032 at most.
        let most = if bytes.starts_with(b"\x1f\x8b") { 2 * 1032 } else { 2 } * bytes.len();
        assert!(
            counts.num_nonzero() <= most,
            "{} cells from {} bytes",
            counts.num_nonzero(),
            bytes.len()
        );
        assert!(counts.is_sparse() || counts.num_cells() <= most);
    }
    match (whole, slices) {
        (Ok(counts), Ok(mut slices)) => {
            assert_eq!(counts.shape(), slices.shape());
            if counts.num_cells() <= COMPARED {
                let mut dense = Vec::new();
                while let Some(slice) = slices.next().unwrap() {
                    dense.extend_from_slice(slice);
                }
                assert_eq!(dense, counts.to_dense().unwrap());
            } else if counts.shape()[1..].iter().product::<usize>() <= COMPARED {
                for _ in 0..3 {
                    slices.next().unwrap();
                }
            }
            true
        }
        // What is held by its entries may be larger than what is given out cell by cell.
        (
            Ok(_),
            Err(ReadError::Content {
                fault: ReadFault::TooLarge,
                ..
            }),
        ) => true,
        (Err(_), Err(error)) => {
            assert!(!error.to_string().is_empty());
            false
        }
        (Ok(_), Err(error)) => panic!("only by slices: {error}"),
        (Err(error), Ok(_)) => panic!("only as a whole: {error}"),
    }
}

fn work(worker: u64, mutants: u64, corpus: &[File], compressed: &[Vec<u8>]) -> u64 {
    let mut dice = Dice(Xoshiro256PlusPlus::seed_from_u64(worker));
    let mut taken = 0;
    for _ in 0..mutants {
        let (bytes, options) = mutant(&mut dice, corpus, compressed);
        let timed = || {
            let start = Instant::now();
            let read = catch_unwind(|| read(&bytes, &options));
            (read, start.elapsed())
        };
        let (result, mut time) = timed();
        if time > LONGEST {
            // Not the reader, perhaps, but a busy machine.
            time = timed().1;
        }
        let input = || format!("{:?} read by {options:?}", bytes.escape_ascii().to_string());
        assert!(time < LONGEST, "{time:?} for {}", input());
        taken += u64::from(result.unwrap_or_else(|_| panic!("panic on {}", input())));
    }
    taken
}

#[test]
fn no_mutant_panics_hangs_or_is_read_in_two_ways() {
    let asked = std::env::var("SKELLAM_MUTATIONS").ok();
    let mutants: u64 = asked.map_or(MUTANTS, |number| number.parse().expect("SKELLAM_MUTATIONS is a number"));
    let corpus = corpus();
    let compressed: Vec<_> = corpus.iter().map(|file| gzip(&file.bytes)).collect();
    let start = Instant::now();
    let taken: u64 = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|worker| (worker, &corpus, &compressed))
            .map(|(worker, corpus, compressed)| {
                scope.spawn(move || work(worker, mutants / WORKERS, corpus, compressed))
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("see above"))
            .sum()
    });
    println!(
        "{mutants} mutants of {} files, {taken} taken, in {:?}",
        corpus.len(),
        start.elapsed()
    );
    // Mutants that are all refused at the first byte would test little.
    assert!(taken > mutants / 20, "{taken} of {mutants} taken");
    assert!(taken < mutants / 2, "{taken} of {mutants} taken");
}
