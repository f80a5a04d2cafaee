//! Files that appear whole or not at all.

use crate::quoted;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

crate::plain_debug!(WriteError);

/// A file that was not written. Nothing is left under its name or beside it.
#[derive(thiserror::Error)]
pub enum WriteError {
    /// The name is taken.
    #[error("{} exists already: nothing was overwritten; choose another name or remove it", quoted(path.display()))]
    Exists {
        /// The path as given.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot write {}: {source}; nothing was left behind", quoted(path.display()))]
    Io {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Matrix Market holds two modes.
    #[error("counts of shape {shape:?} have {} modes, but a Matrix Market file holds two", shape.len())]
    NotMatrix {
        /// The shape of the counts.
        shape: Vec<usize>,
    },
}

/// Writes a new file at `path`: beside it first, then to the disk, then under its name. A reader of
/// `path` sees the whole file or none, and a file that is there stays as it is.
pub(crate) fn write_new(
    path: &Path,
    fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), WriteError> {
    if path.symlink_metadata().is_ok() {
        return Err(WriteError::Exists { path: path.to_owned() });
    }
    let aside = aside(path);
    let written = write_synced(&aside, fill).and_then(|()| take_name(&aside, path));
    if written.is_err() {
        // Best effort: the first error is the one worth reporting.
        let _ = fs::remove_file(&aside);
    }
    written.map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => WriteError::Exists { path: path.to_owned() },
        _ => WriteError::Io {
            path: path.to_owned(),
            source,
        },
    })
}

/// Writes a file at `path` in the place of whatever file has the name: beside it first, then to the disk, then under its
/// name. Whatever happens in between, `path` holds the old file or the new one, whole.
pub(crate) fn replace(path: &Path, fill: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let aside = aside(path);
    let write = || {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&aside)?;
        fill(&mut file)?;
        file.sync_all()?;
        fs::rename(&aside, path)
    };
    let written = write();
    match written {
        Ok(()) => sync_folder(path),
        // Best effort: the first error is the one worth reporting.
        Err(_) => drop(fs::remove_file(&aside)),
    }
    written
}

/// Writes a new folder at `path`: beside it first, then under its name. `fill` writes the files, and has each on the disk.
pub(crate) fn new_folder(path: &Path, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    if path.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let aside = aside(path);
    fs::create_dir(&aside)?;
    // A rename fails where a folder with something in it has taken the name since.
    let written = fill(&aside).and_then(|()| fs::rename(&aside, path));
    match written {
        Ok(()) => sync_folder(path),
        // Best effort: the first error is the one worth reporting.
        Err(_) => drop(fs::remove_dir_all(&aside)),
    }
    written
}

/// Removes what programs that were stopped while they wrote `path` have left beside it. Nobody else may be writing it.
pub(crate) fn remove_leftovers(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else {
        return;
    };
    let beginning = format!(".{}.", path.file_name().unwrap_or_default().to_string_lossy());
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let rest = name
            .strip_prefix(&beginning)
            .and_then(|rest| rest.strip_suffix(".partial"));
        if rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A name in the same folder, since a rename does not cross file systems; unique among the writers of
/// this process and, by its id, among processes.
fn aside(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let turn = NEXT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{name}.{}-{turn}.partial", std::process::id()))
}

fn write_synced(aside: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::new(OpenOptions::new().write(true).create_new(true).open(aside)?);
    fill(&mut writer)?;
    writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

/// Gives the finished file its name. A hard link fails where the name is taken, without a gap between
/// asking and taking; file systems that have none fall back on a rename after asking once more.
fn take_name(aside: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(aside, path) {
        // The file has its name; a second name that cannot be removed takes nothing from it.
        Ok(()) => fs::remove_file(aside).unwrap_or(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
        Err(_) if path.symlink_metadata().is_ok() => return Err(io::ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(aside, path)?,
    }
    sync_folder(path);
    Ok(())
}

/// The name itself must survive a crash; some systems cannot sync a folder, and the file is whole.
fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;

    use super::*;

    /// A folder of its own for one test, removed at the end.
    pub(crate) struct Scratch(pub(crate) PathBuf);

    impl Scratch {
        pub(crate) fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("skellam-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[test]
    fn a_file_appears_whole_and_is_not_overwritten() {
        let scratch = Scratch::new("whole");
        let path = scratch.0.join("a.txt");
        write_new(&path, |out| out.write_all(b"first")).unwrap();
        assert!(matches!(
            write_new(&path, |out| out.write_all(b"second")),
            Err(WriteError::Exists { .. })
        ));
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(names(&scratch.0), ["a.txt"]);
    }

    #[test]
    fn a_name_taken_while_writing_is_respected() {
        let scratch = Scratch::new("race");
        let path = scratch.0.join("a.txt");
        let result = write_new(&path, |out| {
            fs::write(&path, b"rival")?;
            out.write_all(b"mine")
        });
        assert!(matches!(result, Err(WriteError::Exists { .. })));
        assert_eq!(fs::read(&path).unwrap(), b"rival");
        assert_eq!(names(&scratch.0), ["a.txt"]);
    }

    #[test]
    fn a_file_is_replaced_whole_or_stays() {
        let scratch = Scratch::new("replace");
        let path = scratch.0.join("a.bin");
        replace(&path, |out| out.write_all(b"first")).unwrap();
        let failed = replace(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("disk gone"))
        });
        assert_eq!(failed.unwrap_err().to_string(), "disk gone");
        assert_eq!(fs::read(&path).unwrap(), b"first");
        replace(&path, |out| out.write_all(b"second")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        for name in [".a.bin.7-0.partial", ".a.bin.x.partial", ".b.bin.7-0.partial"] {
            fs::write(scratch.0.join(name), "x").unwrap();
        }
        remove_leftovers(&path);
        let mut left = names(&scratch.0);
        left.sort();
        assert_eq!(left, [".a.bin.x.partial", ".b.bin.7-0.partial", "a.bin"]);
    }

    #[test]
    fn a_failure_halfway_leaves_nothing() {
        let scratch = Scratch::new("halfway");
        let path = scratch.0.join("a.txt");
        let result = write_new(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("disk gone"))
        });
        assert!(matches!(result, Err(WriteError::Io { .. })));
        assert!(names(&scratch.0).is_empty());
        assert!(matches!(
            write_new(Path::new("/nowhere/a.txt"), |_| Ok(())),
            Err(WriteError::Io { .. })
        ));
    }
}
