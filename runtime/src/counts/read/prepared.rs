//! A file whose format and shape are settled, ready to be scanned as often as needed.

use super::super::domain::CountDomain;
use super::super::read_error::{Place, ReadError, ReadFault};
use super::super::shape::check_shape;
use super::super::{delimited, matrix_market, npy};
use super::entries::Entries;
use super::format::recognise;
use super::source::Source;
use super::{Format, ReadOptions};

/// Every scan of it has this format and this shape.
pub(super) struct Prepared {
    pub(super) source: Source,
    pub(super) format: Format,
    pub(super) shape: Vec<usize>,
    pub(super) shape_from_data: bool,
    base: Option<u64>,
    domain: CountDomain,
}

impl Prepared {
    pub(super) fn new(source: Source, options: &ReadOptions, domain: CountDomain) -> Result<Self, ReadError> {
        if let Some(given) = &options.shape {
            let refused = |source| Place::File.fault(ReadFault::Shape, format!("the shape given: {source}"));
            check_shape(given).map_err(refused)?;
        }
        let format = match options.format {
            Some(format) => format,
            None => recognise(&source)?,
        };
        if let (Format::BagOfWords, Some(values)) = (format, domain.values()) {
            return Err(Place::File.format(format!(
                "the format `{format}` holds no {values}: it has no signs and leaves zeros out; write every cell as CSV, \
                 Matrix Market or NumPy"
            )));
        }
        let (shape, shape_from_data) = match (format, &options.shape) {
            (Format::Delimited(_), Some(given)) => (given.clone(), false),
            (Format::Delimited(delimiter), None) => {
                let shape = delimited::extents(source.reader()?, delimiter, options.base.unwrap_or(0), domain)?;
                not_too_large(&shape)?;
                (shape, true)
            }
            (_, given) => (stated(&source, format, given.as_deref(), domain)?, false),
        };
        Ok(Self {
            source,
            format,
            shape,
            shape_from_data,
            base: options.base,
            domain,
        })
    }

    /// After a first scan that found nothing amiss: where indices begin is known, and scans do not ask again.
    pub(super) fn settle_base(&mut self) {
        self.base.get_or_insert(0);
    }

    /// The entries from the first.
    pub(super) fn scan(&self) -> Result<Box<dyn Entries + Send>, ReadError> {
        let entries = open(&self.source, self.format, &self.shape, self.base, self.domain)?;
        if entries.shape() == self.shape {
            Ok(entries)
        } else {
            Err(ReadError::Changed)
        }
    }
}

/// Refuses a shape that nobody gave, and that is more likely a mistake in one index or in the header, where each cell is visited
/// or the shape was read off indices.
pub(super) fn not_too_large(shape: &[usize]) -> Result<(), ReadError> {
    const MOST_CELLS: usize = 1 << 31;
    const MOST_ROWS: usize = 1 << 27;
    let cells: f64 = shape.iter().map(|&size| size as f64).product();
    if cells <= MOST_CELLS as f64 && shape.first().is_none_or(|rows| *rows <= MOST_ROWS) {
        return Ok(());
    }
    let sizes = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let what = format!(
        "the file has shape {shape:?}, of {cells:.1e} cells: more than {MOST_CELLS} cells, or {MOST_ROWS} in the first mode, \
         are a mistake more often than meant; if these are, say so by giving this shape (`ReadOptions::shape`; `--shape {sizes}`)"
    );
    Err(Place::File.fault(ReadFault::TooLarge, what))
}

/// The shape in the header, which the one given must not contradict.
fn stated(
    source: &Source,
    format: Format,
    given: Option<&[usize]>,
    domain: CountDomain,
) -> Result<Vec<usize>, ReadError> {
    let stated = open(source, format, &[], None, domain)?.shape().to_vec();
    let Some(given) = given.filter(|given| *given != stated) else {
        return Ok(stated);
    };
    let what = format!(
        "the file states shape {stated:?}, but shape {given:?} was given: leave the shape to the file or mend it"
    );
    Err(Place::File.fault(ReadFault::Shape, what))
}

/// `shape` and `base` are those of delimited text; the other formats state theirs.
fn open(
    source: &Source,
    format: Format,
    shape: &[usize],
    base: Option<u64>,
    domain: CountDomain,
) -> Result<Box<dyn Entries + Send>, ReadError> {
    let text = source.reader()?;
    Ok(match format {
        Format::MatrixMarket => Box::new(matrix_market::Stated::new(text, domain)?),
        Format::Delimited(delimiter) => Box::new(delimited::CellEntries::new(text, delimiter, shape, base, domain)),
        Format::Npy => Box::new(npy::Elements::new(text, domain)?),
        Format::BagOfWords => Box::new(matrix_market::Stated::bag_of_words(text)?),
    })
}
