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
        let lines = svg.lines().map(|line| {
            let line = line.replace(" opacity=\"1\"", "");
            match line.starts_with("<rect") {
                true => line.replace(" stroke=\"none\"", "").replacen(
                    "<rect ",
                    "<rect shape-rendering=\"crispEdges\" ",
                    usize::from(!line.contains("crispEdges")),
                ),
                false => line,
            }
        });
        Self {
            svg: merged(&lines.collect::<Vec<String>>()),
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

/// Filled rectangles of one colour that follow each other become one path, which takes a fifth of the bytes.
fn merged(lines: &[String]) -> String {
    let mut svg = String::new();
    for run in
        lines.chunk_by(|a, b| filled(a).is_some_and(|[.., fill]| filled(b).is_some_and(|[.., other]| fill == other)))
    {
        let rects: Option<Vec<[&str; 5]>> = run.iter().map(|line| filled(line)).collect();
        match rects.as_deref() {
            Some(rects @ [[.., fill], _, ..]) => {
                svg += &format!("<path shape-rendering=\"crispEdges\" fill=\"{fill}\" d=\"");
                // Each begins where the one before began, so many pixels on.
                let mut last = [0, 0];
                for [x, y, width, height, _] in rects {
                    let [x, y] = [x, y].map(|at| at.parse::<i32>().unwrap_or_default());
                    svg += &format!("m{} {}h{width}v{height}h-{width}z", x - last[0], y - last[1]);
                    last = [x, y];
                }
                svg += "\"/>\n";
            }
            _ => run.iter().for_each(|line| svg += &format!("{line}\n")),
        }
    }
    svg
}

/// Place, size and colour of a line that is a filled rectangle and nothing else.
fn filled(line: &str) -> Option<[&str; 5]> {
    let fields = line
        .strip_prefix("<rect shape-rendering=\"crispEdges\" x=\"")?
        .strip_suffix("\"/>")?;
    let (x, rest) = fields.split_once("\" y=\"")?;
    let (y, rest) = rest.split_once("\" width=\"")?;
    let (width, rest) = rest.split_once("\" height=\"")?;
    let (height, fill) = rest.split_once("\" fill=\"")?;
    (!fill.contains('"')).then_some([x, y, width, height, fill])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mutant that merged rectangles across another colour would draw them in another order.
    #[test]
    fn neighbours_of_one_colour_are_one_path() {
        let rect = |x: i32, fill: &str| {
            format!("<rect x=\"{x}\" y=\"0\" width=\"2\" height=\"3\" opacity=\"1\" fill=\"{fill}\" stroke=\"none\"/>")
        };
        let svg = [rect(0, "#A"), rect(2, "#A"), rect(4, "#B"), rect(6, "#A")].join("\n");
        let picture = Picture::new(&svg);
        let lines: Vec<&str> = picture.svg().lines().collect();
        assert_eq!(
            lines[0],
            "<path shape-rendering=\"crispEdges\" fill=\"#A\" d=\"m0 0h2v3h-2zm2 0h2v3h-2z\"/>"
        );
        assert!(
            lines.len() == 3 && lines[1].contains("#B") && lines[2].starts_with("<rect"),
            "{lines:?}"
        );
    }
}
