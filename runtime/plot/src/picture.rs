//! A finished picture.

use std::path::{Path, PathBuf};

skellam_math::plain_debug!(PlotError);

/// A picture that cannot be drawn or was not saved.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The file could not be written.
    #[error("{}: it was not written: {source}; check the path and the permissions", skellam::quoted(path.display()))]
    Io {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file of a fit does not hold what it should.
    #[error(transparent)]
    Fit(#[from] skellam::Error),
    /// More or fewer labels than there are values to be labelled.
    #[error("{given} labels for {expected} {of}: give one for each, or none (`&[\"\"; 0]`)")]
    Labels {
        /// What was to be labelled.
        of: &'static str,
        /// How many of them there are.
        expected: usize,
        /// How many labels were given.
        given: usize,
    },
}

/// A picture as SVG.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    svg: String,
}

impl Picture {
    pub(crate) fn new(svg: &str) -> Self {
        // Sharp edges, or neighbouring cells would show seams when the picture is scaled; and no attributes that have their
        // default value, which take a third of the bytes.
        let lines = svg.lines().map(|line| match line.starts_with("<rect") {
            true => line
                .replace(" opacity=\"1\"", "")
                .replace(" stroke=\"none\"", "")
                .replacen(
                    "<rect ",
                    "<rect shape-rendering=\"crispEdges\" ",
                    usize::from(!line.contains("crispEdges")),
                ),
            false => line.to_owned(),
        });
        Self {
            svg: lines.fold(String::with_capacity(svg.len()), |text, line| text + &line + "\n"),
        }
    }

    /// The text of the SVG.
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// Writes the picture to a file and replaces one that exists.
    ///
    /// # Errors
    /// [`PlotError::Io`].
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), PlotError> {
        write_whole(path.as_ref(), &self.svg)
    }
}

/// Writes a file that appears whole or not at all.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<(), PlotError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let partial = path.with_file_name(format!(".{name}.{}.partial", std::process::id()));
    let written = std::fs::write(&partial, text).and_then(|()| std::fs::rename(&partial, path));
    written.map_err(|source| {
        let _ = std::fs::remove_file(&partial);
        PlotError::Io {
            path: path.to_owned(),
            source,
        }
    })
}
