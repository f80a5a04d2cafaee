//! A file whose format and shape are settled, ready to be scanned as often as needed.

use super::super::domain::CountDomain;
use super::super::{Place, ReadError, ReadFault, check_shape};
use super::delimited::{delimited, extents};
use super::entries::{Entries, Stated};
use super::format::recognise;
use super::source::Source;
use super::{Format, ReadOptions, matrix_market, npy};

/// The entries from the first.
pub(super) type Scan = Entries<Box<dyn Iterator<Item = Stated> + Send>>;

/// Every scan of it has this format and this shape.
pub(super) struct Opened {
    pub(super) source: Source,
    pub(super) format: Format,
    pub(super) shape: Vec<usize>,
    pub(super) shape_from_data: bool,
    /// Of delimited text; the other formats state theirs.
    pub(super) base: Option<u64>,
    domain: CountDomain,
}

impl Opened {
    pub(super) fn new(source: Source, options: &ReadOptions, domain: CountDomain) -> Result<Self, ReadError> {
        if let Some(given) = &options.shape {
            let refused = |source| Place::File.fault(ReadFault::Shape, format!("the shape given: {source}"));
            check_shape(given).map_err(refused)?;
        }
        let format = options.format.map_or_else(|| recognise(&source), Ok)?;
        if let (Format::BagOfWords, Some(values)) = (format, domain.values()) {
            return Err(Place::File.format(format!(
                "the format `{format}` holds no {values}: it has no signs and leaves zeros out; write every cell as CSV, \
                 Matrix Market or NumPy"
            )));
        }
        let mut opened = Self {
            source,
            format,
            shape: options.shape.clone().unwrap_or_default(),
            shape_from_data: false,
            base: options.base,
            domain,
        };
        match format {
            Format::Delimited(_) if options.shape.is_some() => {}
            Format::Delimited(delimiter) => {
                opened.shape = extents(opened.source.reader()?, delimiter, options.base.unwrap_or(0), domain)?;
                opened.shape_from_data = true;
                not_too_large(&opened.shape)?;
            }
            _ => {
                let stated = opened.entries()?.shape;
                if let Some(given) = options.shape.as_ref().filter(|given| **given != stated) {
                    let what = format!(
                        "the file states shape {stated:?}, but shape {given:?} was given: leave the shape to the file or correct it"
                    );
                    return Err(Place::File.fault(ReadFault::Shape, what));
                }
                opened.shape = stated;
            }
        }
        Ok(opened)
    }

    /// The entries from the first, of a file whose header is still the same.
    pub(super) fn scan(&self) -> Result<Scan, ReadError> {
        let entries = self.entries()?;
        match entries.shape == self.shape {
            true => Ok(entries),
            false => Err(ReadError::Changed),
        }
    }

    fn entries(&self) -> Result<Scan, ReadError> {
        let (text, domain) = (self.source.reader()?, self.domain);
        match self.format {
            Format::MatrixMarket => matrix_market::matrix_market(text, domain).map(boxed),
            Format::Delimited(delimiter) => {
                delimited(text, delimiter, self.shape.clone(), self.base, domain).map(boxed)
            }
            Format::Npy => npy::npy(text, domain).map(boxed),
            Format::BagOfWords => matrix_market::bag_of_words(text).map(boxed),
        }
    }
}

fn boxed(entries: Entries<impl Iterator<Item = Stated> + Send + 'static>) -> Scan {
    Entries {
        shape: entries.shape,
        order: entries.order,
        base: entries.base,
        symmetric: entries.symmetric,
        cells: Box::new(entries.cells),
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
