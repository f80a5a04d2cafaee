//! Files and folders that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const PARTIAL: &str = ".partial";
/// A hidden file that nobody has written to for so long may have lost its writer.
const ABANDONED: Duration = Duration::from_secs(60);

/// A file or folder that is being written under a hidden name beside the one wanted, since a rename does not cross file
/// systems. Whoever sees the name wanted sees all of it; what is dropped before it has its name goes away.
pub struct Partial {
    path: PathBuf,
    wanted: PathBuf,
    /// A folder that is locked, where the system locks folders: it tells others that it is not abandoned.
    _held: Option<File>,
}

impl Partial {
    /// An empty folder.
    pub fn folder(wanted: &Path) -> io::Result<Self> {
        let (mut partial, ()) = Self::make(wanted, |path| fs::create_dir(path))?;
        partial._held = File::open(&partial.path)
            .ok()
            .filter(|folder| folder.try_lock().is_ok());
        Ok(partial)
    }

    /// An empty file, opened by `options`.
    pub fn file(wanted: &Path, options: &mut OpenOptions) -> io::Result<(Self, File)> {
        Self::make(wanted, |path| options.create_new(true).open(path))
    }

    /// The name is unique among the writers of this process and, by its id, among processes.
    fn make<T>(wanted: &Path, mut create: impl FnMut(&Path) -> io::Result<T>) -> io::Result<(Self, T)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let turn = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = hidden(wanted, &format!(".{}-{turn}{PARTIAL}", std::process::id()))?;
            match create(&path) {
                // Left by a program that had this id before.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                created => {
                    let wanted = wanted.to_owned();
                    let partial = Self {
                        path,
                        wanted,
                        _held: None,
                    };
                    return created.map(|created| (partial, created));
                }
            }
        }
    }

    /// Where it is for now.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name that it will have.
    pub fn wanted(&self) -> &Path {
        &self.wanted
    }

    /// Gives it the name, which nothing may have: else [`ErrorKind::AlreadyExists`]. Its contents are on the disk already.
    pub fn take_name(self) -> io::Result<()> {
        must_be_free(&self.wanted)?;
        if self.path.is_dir() {
            // Fails where a folder with something in it has taken the name since.
            fs::rename(&self.path, &self.wanted).map_err(|error| match error.kind() {
                ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory => ErrorKind::AlreadyExists.into(),
                _ => error,
            })?;
        } else {
            // A hard link leaves no gap between asking and taking; some file systems have none. The hidden name goes away.
            match fs::hard_link(&self.path, &self.wanted) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
                Err(_) => must_be_free(&self.wanted).and_then(|()| fs::rename(&self.path, &self.wanted))?,
                Ok(()) => {}
            }
        }
        // It is whole under its name; some systems cannot sync a folder.
        let _ = sync_names(&self.wanted);
        Ok(())
    }

    /// Replaces any file of the wanted name. The contents are on the disk already.
    pub fn replace(self) -> io::Result<()> {
        fs::rename(&self.path, &self.wanted)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // Nothing is there once it was renamed. Best effort: the error that led here is the one worth reporting.
        let _ = fs::remove_file(&self.path).or_else(|_| fs::remove_dir_all(&self.path));
    }
}

/// What programs that were stopped have left beside `wanted`, in order of their names.
pub fn leftovers(wanted: &Path) -> Vec<PathBuf> {
    let (Ok(beginning), Ok(entries)) = (hidden(wanted, "."), fs::read_dir(parent(wanted))) else {
        return Vec::new();
    };
    let beginning = beginning.file_name().unwrap_or_default().to_string_lossy().into_owned();
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

/// Removes the hidden files and folders of `wanted` whose writers were stopped, where writers lock what they write: those that are a minute
/// old and that nobody has locked. Best effort: whatever remains is not part of what was saved.
pub fn remove_abandoned(wanted: &Path) {
    for path in leftovers(wanted) {
        let Ok(found) = path.symlink_metadata() else { continue };
        let age = found.modified().ok().and_then(|at| at.elapsed().ok());
        let kind = found.file_type();
        // Whatever else has such a name is not ours, and a pipe would wait for ever.
        if age.is_none_or(|age| age < ABANDONED) || !(kind.is_file() || kind.is_dir()) {
            continue;
        }
        // A lock that is held while it is removed keeps others from it.
        if let Ok(left) = File::open(&path)
            && left.try_lock().is_ok()
        {
            let _ = if kind.is_dir() {
                fs::remove_dir_all(&path)
            } else {
                fs::remove_file(&path)
            };
        }
    }
}

/// `path` with a dot before its name and `end` after it.
pub fn hidden(path: &Path, end: &str) -> io::Result<PathBuf> {
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "the path does not end in a name",
        ));
    };
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(end);
    Ok(path.with_file_name(hidden))
}

/// Has the names in a folder written to the disk, that of `path` among them; Windows has no such call.
pub fn sync_names(path: &Path) -> io::Result<()> {
    match cfg!(windows) {
        true => Ok(()),
        false => File::open(parent(path))?.sync_all(),
    }
}

/// [`ErrorKind::AlreadyExists`] where something has the name.
pub fn must_be_free(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(_) => Err(ErrorKind::AlreadyExists.into()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// The folder that `path` lies in.
pub fn parent(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tempfile::tempdir;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    fn written(path: &Path, text: &str) -> Partial {
        let (partial, mut file) = Partial::file(path, OpenOptions::new().write(true)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        partial
    }

    #[cfg(unix)]
    #[test]
    fn what_a_stopped_writer_left_is_removed() {
        let scratch = tempdir().unwrap();
        let path = scratch.path().join("fit.npz");
        let long_ago = std::time::SystemTime::now() - 2 * ABANDONED;
        let mut kept = Vec::new();
        for (id, is_old, is_locked) in [(1, true, false), (2, false, false), (3, true, true)] {
            let hidden = hidden(&path, &format!(".{id}-0{PARTIAL}")).unwrap();
            let file = File::create(&hidden).unwrap();
            if is_old {
                file.set_modified(long_ago).unwrap();
            }
            if is_locked {
                file.lock().unwrap();
                kept.push(file);
            }
        }
        // Folders, with what is in them, and a pipe.
        for (id, is_locked) in [(4, false), (5, true)] {
            let folder = hidden(&path, &format!(".{id}-0{PARTIAL}")).unwrap();
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("values.bin"), "a part").unwrap();
            let held = File::open(&folder).unwrap();
            held.set_modified(long_ago).unwrap();
            if is_locked {
                held.lock().unwrap();
                kept.push(held);
            }
        }
        let pipe = hidden(&path, &format!(".6-0{PARTIAL}")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|made| made.success()));
        let touched = std::process::Command::new("touch")
            .args(["-d", "2 hours ago"])
            .arg(&pipe)
            .status();
        assert!(touched.is_ok_and(|touched| touched.success()));
        remove_abandoned(&path);
        assert_eq!(
            names(scratch.path()),
            [2, 3, 5, 6].map(|id| format!(".fit.npz.{id}-0.partial"))
        );
    }

    #[test]
    fn a_file_appears_whole_and_is_not_overwritten() {
        let scratch = tempdir().unwrap();
        let path = scratch.path().join("a.txt");
        let (first, second) = (written(&path, "first"), written(&path, "second"));
        assert!(!path.exists() && leftovers(&path).len() == 2);
        first.take_name().unwrap();
        assert_eq!(second.take_name().unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        written(&path, "third").replace().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"third");
        drop(written(&path, "half"));
        assert_eq!(names(scratch.path()), ["a.txt"]);
    }

    #[test]
    fn a_folder_appears_whole_and_is_not_overwritten() {
        let scratch = tempdir().unwrap();
        let path = scratch.path().join("out");
        let make = || {
            let partial = Partial::folder(&path).unwrap();
            fs::write(partial.path().join("x"), "x").unwrap();
            partial
        };
        let (first, second) = (make(), make());
        first.take_name().unwrap();
        assert_eq!(second.take_name().unwrap_err().kind(), ErrorKind::AlreadyExists);
        drop(make());
        assert_eq!(
            (names(scratch.path()), names(&path)),
            (vec!["out".to_owned()], vec!["x".to_owned()])
        );
        assert!(Partial::folder(Path::new("/")).is_err() && Partial::folder(Path::new("/nowhere/a")).is_err());
    }

    #[test]
    fn only_our_own_leftovers_are_found() {
        let scratch = tempdir().unwrap();
        for name in [".a.bin.7-0.partial", ".a.bin.x.partial", ".b.bin.7-0.partial", "a.bin"] {
            fs::write(scratch.path().join(name), "x").unwrap();
        }
        let found = leftovers(&scratch.path().join("a.bin"));
        assert_eq!(found, [scratch.path().join(".a.bin.7-0.partial")]);
    }
}
