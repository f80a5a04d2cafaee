//! Documents one after the other, whatever they lie in.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use serde_json::Value;
use skellam_release::regular_file;
use walkdir::WalkDir;

use crate::{TextError, TextFormat, TextOptions};

/// First bytes of every gzip member (RFC 1952, section 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// A document.
pub(crate) struct Document {
    /// Its name: the path below the folder, the name or the number of its line.
    pub name: String,
    pub text: String,
}

/// The documents of a folder or of a file, in the order of their paths or lines.
pub(crate) enum Documents<'a> {
    Folder {
        folder: &'a Path,
        files: std::vec::IntoIter<PathBuf>,
    },
    Lines(Box<DocumentLines<'a>>),
}

impl<'a> Documents<'a> {
    pub fn open(path: &'a Path, options: &'a TextOptions) -> Result<Self, TextError> {
        let is_folder = path.metadata().map_err(|source| of_system(path, source))?.is_dir();
        if is_folder {
            let files = files(path)?.into_iter();
            return Ok(Self::Folder { folder: path, files });
        }
        let format = options.format.or_else(|| TextFormat::of_name(path));
        let format = format.ok_or_else(|| TextError::UnknownFormat { path: path.to_owned() })?;
        Ok(Self::Lines(Box::new(DocumentLines {
            path,
            format,
            options,
            reader: decompressed(path)?,
            line: 0,
            byte: 0,
            seen: HashMap::new(),
        })))
    }

    /// How many there are, where that is known before they are read.
    pub fn number(&self) -> Option<usize> {
        match self {
            Self::Folder { files, .. } => Some(files.len()),
            Self::Lines(_) => None,
        }
    }
}

impl Iterator for Documents<'_> {
    type Item = Result<Document, TextError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Folder { folder, files } => files.next().map(|path| whole(folder, &path)),
            Self::Lines(lines) => lines.next().transpose(),
        }
    }
}

/// The files below a folder, whose names begin with no dot.
fn files(folder: &Path) -> Result<Vec<PathBuf>, TextError> {
    let hidden = |entry: &walkdir::DirEntry| entry.depth() > 0 && entry.file_name().to_string_lossy().starts_with('.');
    let entries = WalkDir::new(folder).follow_links(true).sort_by_file_name();
    let mut files = Vec::new();
    for entry in entries.into_iter().filter_entry(|entry| !hidden(entry)) {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(folder).to_owned();
            of_system(&path, error.into())
        })?;
        if !entry.file_type().is_dir() {
            files.push(entry.into_path());
        }
    }
    match files.is_empty() {
        true => Err(TextError::NoFiles {
            path: folder.to_owned(),
        }),
        false => Ok(files),
    }
}

fn whole(folder: &Path, path: &Path) -> Result<Document, TextError> {
    let mut bytes = Vec::new();
    decompressed(path)?
        .read_to_end(&mut bytes)
        .map_err(|source| of_system(path, source))?;
    let name = path.strip_prefix(folder).unwrap_or(path).components();
    let name = name
        .map(|part| part.as_os_str().to_string_lossy())
        .collect::<Vec<_>>()
        .join("/");
    let text = utf8(path, bytes, 0)?;
    Ok(Document { name, text })
}

/// A file with a document a line.
pub(crate) struct DocumentLines<'a> {
    path: &'a Path,
    format: TextFormat,
    options: &'a TextOptions,
    reader: Box<dyn BufRead>,
    /// Lines and bytes so far.
    line: usize,
    byte: u64,
    /// The lines of names.
    seen: HashMap<String, usize>,
}

impl DocumentLines<'_> {
    fn next(&mut self) -> Result<Option<Document>, TextError> {
        let mut bytes = Vec::new();
        let read = self.reader.read_until(b'\n', &mut bytes);
        let read = read.map_err(|source| of_system(self.path, source))?;
        if read == 0 {
            return Ok(None);
        }
        self.line += 1;
        let line = utf8(self.path, bytes, self.byte)?;
        self.byte += read as u64;
        let line = line.trim_end_matches(['\n', '\r']);
        let (name, text) = match self.format {
            TextFormat::Lines => (None, line.to_owned()),
            TextFormat::Tsv => {
                let (name, text) = line
                    .split_once('\t')
                    .ok_or_else(|| self.fault("there is no tab: a line has a name, a tab and a text"))?;
                if text.contains('\t') {
                    return Err(self.fault(
                        "there is a second tab: a line has a name, a tab and a text, in which tabs are blanks",
                    ));
                }
                (Some(name.trim().to_owned()), text.to_owned())
            }
            TextFormat::JsonLines => self.of_json(line)?,
        };
        let name = match name {
            Some(name) => {
                if let Some(before) = self.seen.insert(name.clone(), self.line) {
                    let what = format!(
                        "the name `{}` is that of line {before}, too: give every document its own",
                        skellam_release::quoted(&name)
                    );
                    return Err(self.fault(what));
                }
                name
            }
            None => self.line.to_string(),
        };
        Ok(Some(Document { name, text }))
    }

    fn of_json(&self, line: &str) -> Result<(Option<String>, String), TextError> {
        let object: Value = serde_json::from_str(line).map_err(|error| {
            self.fault(format!(
                "column {} is not JSON: {error}; a line has one object",
                error.column()
            ))
        })?;
        let field = |name: &str| match object.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            Some(_) => Err(self.fault(format!("the field `{name}` is neither a text nor a number"))),
            None => {
                let fields = object
                    .as_object()
                    .map(|object| object.keys().cloned().collect::<Vec<_>>());
                let fields = fields.unwrap_or_default().join(", ");
                Err(self.fault(format!(
                    "there is no field `{name}` (there are: {fields}): name the field"
                )))
            }
        };
        let name = self.options.name_field.as_deref().map(field).transpose()?;
        Ok((name, field(&self.options.text_field)?))
    }

    fn fault(&self, what: impl Into<String>) -> TextError {
        TextError::Line {
            path: self.path.to_owned(),
            line: self.line,
            what: what.into(),
        }
    }
}

fn decompressed(path: &Path) -> Result<Box<dyn BufRead>, TextError> {
    let opened = regular_file::open(path).map_err(io::Error::from);
    let mut reader = BufReader::new(opened.map_err(|source| of_system(path, source))?);
    let first = reader.fill_buf().map_err(|source| of_system(path, source))?;
    let is_gzip = first.starts_with(&GZIP);
    Ok(if is_gzip {
        Box::new(BufReader::new(MultiGzDecoder::<BufReader<File>>::new(reader)))
    } else {
        Box::new(reader)
    })
}

/// A text whose first byte is at `start`, without a byte order mark.
fn utf8(path: &Path, bytes: Vec<u8>, start: u64) -> Result<String, TextError> {
    let text = String::from_utf8(bytes).map_err(|error| TextError::Encoding {
        path: path.to_owned(),
        byte: start + error.utf8_error().valid_up_to() as u64,
    })?;
    match text.strip_prefix('\u{feff}').filter(|_| start == 0) {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}

fn of_system(path: &Path, source: io::Error) -> TextError {
    TextError::Io {
        path: path.to_owned(),
        source,
    }
}
