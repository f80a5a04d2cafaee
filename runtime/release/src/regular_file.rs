//! Files that are opened only where they are files: a pipe would wait for ever, a device never end.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Why a file was not opened.
#[derive(Debug)]
pub enum OpenError {
    /// It is something else, which this names.
    NotAFile(&'static str),
    /// What the system says, also about a folder.
    System(io::Error),
}

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// As a message of the system.
impl From<OpenError> for io::Error {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::NotAFile(kind) => io::Error::other(format!("it is {kind}, and no file")),
            OpenError::System(error) => error,
        }
    }
}

/// Opens a file for reading, or a link to one. Whatever else has the name is refused before it is opened, and what has taken its
/// place between the look and the opening is refused before it is read.
pub fn open(path: &Path) -> Result<File, OpenError> {
    open_with(path, OpenOptions::new().read(true))
}

/// The same by options.
pub fn open_with(path: &Path, options: &OpenOptions) -> Result<File, OpenError> {
    let before = path.metadata()?;
    regular(&before)?;
    let file = options.open(path)?;
    let now = file.metadata()?;
    regular(&now)?;
    if same(&before, &now) {
        Ok(file)
    } else {
        let changed = "another file took this name while it was opened: try again when nobody writes to it";
        Err(io::Error::other(changed).into())
    }
}

fn regular(found: &Metadata) -> Result<(), OpenError> {
    let kind = found.file_type();
    if kind.is_file() {
        Ok(())
    } else if kind.is_dir() {
        Err(io::Error::from(ErrorKind::IsADirectory).into())
    } else {
        Err(OpenError::NotAFile(name(kind)))
    }
}

#[cfg(unix)]
fn name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_char_device() || kind.is_block_device() {
        "a device"
    } else {
        "no regular file"
    }
}

#[cfg(not(unix))]
fn name(_: FileType) -> &'static str {
    "no regular file"
}

#[cfg(unix)]
fn same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn same(_: &Metadata, _: &Metadata) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::net::UnixListener;
    use std::process::Command;

    use super::*;
    use tempfile::tempdir;

    #[test]
    fn only_files_and_links_to_files_are_opened() {
        let scratch = tempdir().unwrap();
        let [file, link, pipe, socket] = ["file", "link", "pipe", "socket"].map(|name| scratch.path().join(name));
        std::fs::write(&file, "x").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let _listener = UnixListener::bind(&socket).unwrap();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        open(&file).unwrap();
        open(&link).unwrap();
        let refused = |path: &Path| match open(path) {
            Err(OpenError::NotAFile(kind)) => kind,
            other => panic!("{}: {other:?}", path.display()),
        };
        assert_eq!(refused(&pipe), "a pipe");
        assert_eq!(refused(&socket), "a socket");
        assert_eq!(refused(Path::new("/dev/zero")), "a device");
        assert!(matches!(open(scratch.path()), Err(OpenError::System(e)) if e.kind() == ErrorKind::IsADirectory));
        assert!(matches!(open(Path::new("/nowhere")), Err(OpenError::System(e)) if e.kind() == ErrorKind::NotFound));
    }
}
