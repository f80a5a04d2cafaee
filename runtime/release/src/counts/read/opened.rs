//! A file whose format and shape are settled, ready to be scanned as often as needed.

use std::sync::Arc;

use super::super::domain::CountDomain;
use super::super::{Place, ReadError, ReadFault, check_shape};
use super::delimited::delimited;
use super::entries::Entries;
use super::format::recognise;
use super::source::Source;
use super::text::Text;
use super::{Format, ReadOptions, matrix_market, npy, npz};

/// Every scan of it has this format and this shape.
pub(super) struct Opened {
    pub(super) source: Source,
    pub(super) format: Format,
    pub(super) shape: Vec<usize>,
    pub(super) shape_from_data: bool,
    /// Of delimited text, what its lines are.
    text: Option<Arc<Text>>,
    pub(super) add_up: bool,
    domain: CountDomain,
}

impl Opened {
    pub(super) fn new(source: Source, options: &ReadOptions, domain: CountDomain) -> Result<Self, ReadError> {
        if let Some(given) = &options.shape {
            let refused = |source| Place::File.fault(ReadFault::Shape, format!("the shape given: {source}"));
            check_shape(given).map_err(refused)?;
        }
        let format = options.format.map_or_else(|| recognise(&source), Ok)?;
        if let (true, Some(values)) = (options.add_up, domain.values()) {
            let what = format!("{values} are not added up: state each cell once");
            return Err(Place::File.fault(ReadFault::Duplicate, what));
        }
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
            text: None,
            add_up: options.add_up,
            domain,
        };
        if let Format::Delimited(delimiter) = format {
            let mut text = Text::new(opened.source.reader()?, delimiter, options, domain)?;
            let given = options.shape.as_deref();
            if text.is_open(given, opened.source.reader()?)? {
                let found = text.survey(opened.source.reader()?, given.is_some())?;
                // Indices leave room for others, names and rows do not.
                let differs = |mode: usize, size| {
                    let fixed = text.is_table() || text.names(mode).is_some();
                    fixed && found.get(mode) != Some(size)
                };
                match given {
                    Some(given)
                        if given.len() != found.len() || (0..).zip(given).any(|(mode, size)| differs(mode, size)) =>
                    {
                        return Err(other_shape(&found, given));
                    }
                    Some(_) => {}
                    None => {
                        not_too_large(&found)?;
                        opened.shape_from_data = !text.is_table();
                        opened.shape = found;
                    }
                }
            }
            opened.text = Some(Arc::new(text));
            return Ok(opened);
        }
        let stated = opened.entries()?.shape;
        if let Some(given) = options.shape.as_ref().filter(|given| **given != stated) {
            return Err(other_shape(&stated, given));
        }
        opened.shape = stated;
        Ok(opened)
    }

    /// The names of the values of each mode, as far as the file has some.
    pub(super) fn labels(&self) -> Vec<Option<Arc<[String]>>> {
        let names = |mode| self.text.as_ref()?.names(mode).map(|names| names.list().into());
        (0..self.shape.len()).map(names).collect()
    }

    /// Takes it from here on that indices of a text begin at 0, where nobody said: a file that changes is found changed, and not to
    /// count from 1.
    pub(super) fn settle_base(&mut self) {
        if let Some(text) = &mut self.text {
            Arc::make_mut(text).base.get_or_insert(0);
        }
    }

    /// The entries from the first, of a file whose header is still the same.
    pub(super) fn scan(&self) -> Result<Entries, ReadError> {
        let entries = self.entries()?;
        match entries.shape == self.shape {
            true => Ok(entries),
            false => Err(ReadError::Changed),
        }
    }

    fn entries(&self) -> Result<Entries, ReadError> {
        let (source, domain) = (&self.source, self.domain);
        let mut entries = match (self.format, &self.text) {
            (Format::Npz, _) => npz::npz(source, domain),
            (Format::MatrixMarket, _) => matrix_market::matrix_market(source.reader()?, domain),
            (Format::Npy, _) => npy::npy(source.reader()?, domain),
            (Format::Delimited(_), Some(text)) => delimited(source.reader()?, text, self.shape.clone(), domain),
            (Format::BagOfWords, _) => matrix_market::bag_of_words(source.reader()?),
            (Format::Delimited(_), None) => unreachable!("what a text's lines are is found out when it is opened"),
        }?;
        entries.add_up = self.add_up;
        Ok(entries)
    }
}

fn other_shape(stated: &[usize], given: &[usize]) -> ReadError {
    let what = format!(
        "the file states shape {stated:?}, but shape {given:?} was given: leave the shape to the file or correct it"
    );
    Place::File.fault(ReadFault::Shape, what)
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
