//! NumPy archives: a sparse matrix as `scipy.sparse.save_npz` writes it, or a single array.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, SeekFrom};

use flate2::CrcReader;
use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipArchive};

use super::super::CountsError;
use super::super::domain::CountDomain;
use super::super::read_error::{Place, ReadError, ReadFault, shortened};
use super::super::shape::check_shape;
use super::entries::{CellOrder, Entries, Entry, push};
use super::npy::{Npy, npy, text};
use super::source::Source;
use crate::memory::fits;
use crate::quoted;

/// First bytes of a zip archive.
pub(super) const MAGIC: &[u8] = b"PK\x03\x04";
/// Deflate makes at most 1,032 bytes of one: what states more is not there.
const MOST_INFLATED: u64 = 1032;
/// What a header takes beside its values, and the end of a stream.
const HEADER: u64 = 1 << 17;

/// The archive: where the bytes of each array are.
struct ArchivedArrays<'a> {
    source: &'a Source,
    arrays: Vec<ArchivedArray>,
}

/// An array in the archive.
struct ArchivedArray {
    name: String,
    start: u64,
    /// In the file, and how they are kept.
    bytes: u64,
    method: CompressionMethod,
    crc: u32,
}

/// The counts of an archive.
pub(super) fn npz(source: &Source, domain: CountDomain) -> Result<Entries, ReadError> {
    let archive = ArchivedArrays::open(source)?;
    if archive.find("format").is_some() {
        return archive.sparse(domain);
    }
    let [only] = &*archive.arrays else {
        let names = archive
            .arrays
            .iter()
            .take(12)
            .map(|array| quoted(shortened(&array.name)).to_string());
        return Err(Place::File.format(format!(
            "the archive holds {} arrays ({}) and not one array, nor a sparse matrix: save the counts alone, \
             `numpy.save('counts.npy', array)`, or by `scipy.sparse.save_npz`",
            archive.arrays.len(),
            names.collect::<Vec<_>>().join(", ")
        )));
    };
    let of_it = |error| only.fault(error);
    // What it states has to fit into what is there.
    only.limit(&Npy::new(archive.reader(only)?).map_err(of_it)?)?;
    let Entries {
        shape, order, cells, ..
    } = npy(archive.reader(only)?, domain).map_err(of_it)?;
    let name = only.name.clone();
    let cells = cells.map(move |stated| stated.map_err(|error| within(&name, error)));
    Ok(Entries::new(shape, order, cells))
}

impl<'a> ArchivedArrays<'a> {
    fn open(source: &'a Source) -> Result<Self, ReadError> {
        let damaged = |error: rawzip::Error| {
            Place::File.format(format!(
                "the archive is damaged or cut short ({error}); fetch the file again, or write it with `numpy.savez`"
            ))
        };
        if source.is_gzip()? {
            return Err(Place::File.format("the file is a zip archive within gzip: decompress it (`gunzip`)"));
        }
        let [mut ends, mut records] = [(); 2].map(|()| vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE]);
        let zip = ZipArchive::from_seekable(source.raw(), &mut ends).map_err(damaged)?;
        let mut directory = zip.entries(&mut records);
        let (mut arrays, mut others) = (Vec::new(), Vec::new());
        while let Some(record) = directory.next_entry().map_err(damaged)? {
            let name = String::from_utf8_lossy(record.file_path().as_bytes()).into_owned();
            let place = zip.get_entry(record.wayfinder()).map_err(damaged)?;
            match name.strip_suffix(".npy") {
                Some(name) => arrays.push(ArchivedArray {
                    name: name.to_owned(),
                    start: place.compressed_data_range().0,
                    bytes: record.compressed_size_hint(),
                    method: record.compression_method(),
                    crc: record.crc32(),
                }),
                None => others.push(name),
            }
        }
        if arrays.is_empty() {
            let holds = |part: &str| others.iter().any(|name| name.starts_with(part));
            let what = match () {
                () if holds("xl/") => "an Excel workbook: save the sheet as CSV",
                () if holds("content.xml") => "an OpenDocument file: save the sheet as CSV",
                () => "a zip archive without arrays of NumPy: name the file that is in it",
            };
            return Err(Place::File.format(format!("the file is {what}")));
        }
        Ok(Self { source, arrays })
    }

    fn find(&self, name: &str) -> Option<&ArchivedArray> {
        self.arrays.iter().find(|array| array.name == name)
    }

    fn part(&self, name: &str) -> Result<&ArchivedArray, ReadError> {
        self.find(name).ok_or_else(|| {
            let what =
                format!("the archive has no `{name}`: it is not one of `scipy.sparse.save_npz`, or lacks a part");
            Place::File.format(what)
        })
    }

    /// The content of an array from its start, inflated.
    fn reader(&self, array: &ArchivedArray) -> Result<Box<dyn BufRead + Send>, ReadError> {
        let mut raw = self.source.raw();
        raw.seek(SeekFrom::Start(array.start))
            .map_err(Place::Byte(array.start).io())?;
        let raw = BufReader::new(raw.take(array.bytes));
        let crc = array.crc;
        Ok(match array.method {
            CompressionMethod::STORE => Box::new(BufReader::new(Whole(CrcReader::new(raw), crc))),
            CompressionMethod::DEFLATE => {
                Box::new(BufReader::new(Whole(CrcReader::new(DeflateDecoder::new(raw)), crc)))
            }
            other => {
                let what = format!(": compressed by {other}, which NumPy does not write; write it with `numpy.savez`");
                return Err(array.fault(Place::File.format(what)));
            }
        })
    }

    /// All values of an array of indices.
    fn indices(&self, name: &str) -> Result<(Vec<usize>, Vec<u64>), ReadError> {
        let stored = self.part(name)?;
        let of_it = |error| stored.fault(error);
        let mut array = Npy::new(self.reader(stored)?).map_err(of_it)?;
        stored.limit(&array)?;
        let mut all = Vec::new();
        while let Some(index) = array.next(|kind, bits| kind.index(bits)).map_err(of_it)? {
            push(&mut all, index)?;
        }
        Ok((array.shape, all))
    }

    /// The matrix that `format` says.
    fn sparse(&self, domain: CountDomain) -> Result<Entries, ReadError> {
        let format = self.part("format")?;
        let format = text(self.reader(format)?).map_err(|error| format.fault(error))?;
        let (_, sizes) = self.indices("shape")?;
        let size = |size: &u64| usize::try_from(*size).unwrap_or(usize::MAX);
        let shape: Vec<usize> = sizes.iter().map(size).collect();
        check_shape(&shape).map_err(|error| Place::File.fault(ReadFault::Shape, format!("`shape`: {error}")))?;
        // The index of each entry along each mode.
        let modes = match (&*format, shape.len()) {
            ("csr", 2) => {
                let (rows, columns) = self.compressed(shape[0])?;
                vec![rows, columns]
            }
            ("csc", 2) => {
                let (columns, rows) = self.compressed(shape[1])?;
                vec![rows, columns]
            }
            ("coo", 2) if self.find("coords").is_none() => vec![self.indices("row")?.1, self.indices("col")?.1],
            ("coo", modes) => {
                let (stated, all) = self.indices("coords")?;
                if stated.first() != Some(&modes) || stated.len() != 2 {
                    return Err(lengths("coords", &format!("one row for each of {modes} modes")));
                }
                all.chunks(stated[1]).map(<[u64]>::to_vec).collect()
            }
            _ => {
                let (found, modes) = (quoted(shortened(&format)), shape.len());
                return Err(Place::File.format(format!(
                    "sparse matrices of format `{found}` and {modes} modes are not read: save `matrix.tocsr()`"
                )));
            }
        };
        let stored = self.part("data")?;
        let mut data = Npy::new(self.reader(stored)?).map_err(|error| stored.fault(error))?;
        stored.limit(&data)?;
        if modes.iter().any(|indices| indices.len() != data.all) || data.shape.len() != 1 {
            return Err(lengths("data", "one value for each index"));
        }
        let (name, sizes, mut found) = (stored.name.clone(), shape.clone(), 0);
        let mut next = move || {
            let value = data
                .next(|kind, bits| kind.value(bits, domain))
                .map_err(|error| within(&name, error))?;
            let Some(value) = value else { return Ok(None) };
            let mut at = 0;
            for (mode, (indices, &size)) in modes.iter().zip(&sizes).enumerate() {
                let index = indices[found];
                if index >= size as u64 {
                    let what =
                        format!("entry {found} has the index {index} along mode {mode}, which has the size {size}");
                    return Err(Place::File.fault(ReadFault::Shape, what));
                }
                at = at * size + index as usize;
            }
            found += 1;
            Ok(Some(Entry { at, value, line: 0 }))
        };
        let cells = std::iter::from_fn(move || next().transpose());
        Ok(Entries::new(shape, CellOrder::Any, cells))
    }

    /// The indices of a matrix that is compressed along a mode of `size`: along this mode, and along the other.
    fn compressed(&self, size: usize) -> Result<(Vec<u64>, Vec<u64>), ReadError> {
        let (_, ends) = self.indices("indptr")?;
        let (_, minor) = self.indices("indices")?;
        let ascends = ends.is_sorted() && ends.first() == Some(&0) && ends.last() == Some(&(minor.len() as u64));
        if !ascends || ends.len() - 1 != size {
            return Err(lengths(
                "indptr",
                "where each of the rows or columns ends among the indices",
            ));
        }
        let mut major = Vec::new();
        for (at, run) in ends.array_windows().enumerate() {
            let [from, to] = run;
            for _ in *from..*to {
                push(&mut major, at as u64)?;
            }
        }
        Ok((major, minor))
    }
}

fn lengths(name: &str, expected: &str) -> ReadError {
    let what =
        format!("`{name}` does not go with the other arrays: it has {expected}; write it with `scipy.sparse.save_npz`");
    Place::File.fault(ReadFault::Length, what)
}

impl ArchivedArray {
    /// Refuses an array that states more values than can be in its bytes, or than fit in memory.
    fn limit<R: BufRead>(&self, array: &Npy<R>) -> Result<(), ReadError> {
        let most = match self.method {
            CompressionMethod::STORE => self.bytes,
            _ => self.bytes.saturating_mul(MOST_INFLATED).saturating_add(HEADER),
        };
        let stated = array.bytes().unwrap_or(u64::MAX);
        if stated > most {
            let what = format!(
                "states {} values, and {} bytes do not hold as many: it is damaged; fetch the file again",
                array.all, self.bytes
            );
            return Err(within(&self.name, Place::File.fault(ReadFault::Length, what)));
        }
        let what = format!("the array `{}`", quoted(shortened(&self.name)));
        fits(&what, stated as f64, "split the matrix").map_err(|error| CountsError::from(error).into())
    }

    /// An error of this array, which it names.
    fn fault(&self, error: ReadError) -> ReadError {
        within(&self.name, error)
    }
}

fn within(name: &str, error: ReadError) -> ReadError {
    let name = quoted(shortened(name)).to_string();
    match error {
        ReadError::Content { fault, at, what } => {
            let place = if at == Place::File {
                " ".to_owned()
            } else {
                format!(", {at}")
            };
            Place::File.fault(fault, format!("`{name}`{place}{what}"))
        }
        ReadError::Token { at, token, what } => {
            let what = format!("of `{name}` {what}");
            ReadError::Token { at, token, what }
        }
        other => other,
    }
}

/// Says of bytes that are not those that were written that they are damaged.
struct Whole<R>(CrcReader<R>, u32);

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let damaged = |what: &str| {
            let what = format!("the archive is damaged or cut short ({what}); fetch the file again");
            io::Error::new(ErrorKind::InvalidData, what)
        };
        let read = self.0.read(to).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::InvalidInput => damaged(&error.to_string()),
            _ => error,
        })?;
        match read == 0 && !to.is_empty() && self.0.crc().sum() != self.1 {
            true => Err(damaged("its checksum differs")),
            false => Ok(read),
        }
    }
}
