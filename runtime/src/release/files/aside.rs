//! A folder that appears whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::FileError;
use super::metadata::{METADATA, NAMES};

const PARTIAL: &str = ".partial";

/// A hidden folder beside the one asked for, which goes away with everything in it unless it is given its name.
pub(super) struct Aside {
    path: PathBuf,
    wanted: PathBuf,
    named: bool,
}

impl Aside {
    /// An empty folder on the file system of `wanted`, which must not exist.
    pub fn create(wanted: &Path) -> Result<Self, FileError> {
        let Some(name) = wanted.file_name() else {
            return Err(FileError::NoName {
                path: wanted.to_owned(),
            });
        };
        free(wanted)?;
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let turn = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut hidden = beginning(name);
        hidden.push(format!("{}-{turn}{PARTIAL}", std::process::id()));
        let path = wanted.with_file_name(hidden);
        fs::create_dir(&path).map_err(|source| FileError::writing(wanted, source))?;
        Ok(Self {
            path,
            wanted: wanted.to_owned(),
            named: false,
        })
    }

    /// Where a file of the folder is for now.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The folder asked for.
    pub fn wanted(&self) -> &Path {
        &self.wanted
    }

    /// Writes the metadata, by which a folder is known to be complete, and gives the folder its name. The other files
    /// are on the disk already.
    pub fn name(mut self, metadata: &str) -> Result<PathBuf, FileError> {
        let failed = |source| FileError::writing(&self.wanted, source);
        // The other files first: no folder that has metadata lacks them, even after a loss of power.
        sync(&self.path).map_err(failed)?;
        let mut file = File::create_new(self.file(METADATA)).map_err(failed)?;
        file.write_all(metadata.as_bytes())
            .and_then(|()| file.sync_all())
            .map_err(failed)?;
        sync(&self.path).map_err(failed)?;
        free(&self.wanted)?;
        // Fails where a folder with something in it has taken the name since.
        fs::rename(&self.path, &self.wanted).map_err(|source| match source.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty | io::ErrorKind::NotADirectory => {
                FileError::Exists {
                    path: self.wanted.clone(),
                }
            }
            _ => failed(source),
        })?;
        self.named = true;
        let parent = self.wanted.parent().filter(|parent| !parent.as_os_str().is_empty());
        // The folder is whole under its name; some systems cannot sync the folder that it is in.
        let _ = sync(parent.unwrap_or(Path::new(".")));
        Ok(std::mem::take(&mut self.wanted))
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if !self.named {
            // Best effort: the error that led here is the one worth reporting.
            for name in NAMES {
                let _ = fs::remove_file(self.path.join(name));
            }
            let _ = fs::remove_dir(&self.path);
        }
    }
}

/// What interrupted runs have left beside `wanted`: folders that hold a part of a release.
///
/// They are no releases, and nothing reads them; but they hold released values, and whoever sees them beside a later
/// release of the same counts sees two releases. Remove them.
pub fn leftovers(wanted: &Path) -> Vec<PathBuf> {
    let parent = wanted.parent().filter(|parent| !parent.as_os_str().is_empty());
    let (Some(name), Ok(entries)) = (wanted.file_name(), fs::read_dir(parent.unwrap_or(Path::new(".")))) else {
        return Vec::new();
    };
    let beginning = beginning(name).to_string_lossy().into_owned();
    let ours = |name: &str| {
        let rest = name
            .strip_prefix(&beginning)
            .and_then(|rest| rest.strip_suffix(PARTIAL));
        rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'))
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| ours(&entry.file_name().to_string_lossy()))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

fn beginning(name: &std::ffi::OsStr) -> OsString {
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".");
    hidden
}

fn free(path: &Path) -> Result<(), FileError> {
    match path.symlink_metadata() {
        Ok(_) => Err(FileError::Exists { path: path.to_owned() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(source) => Err(FileError::writing(path, source)),
    }
}

/// Has the names in a folder written to the disk, where the system can; Windows has no such call.
fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    File::open(folder)?.sync_all()
}
