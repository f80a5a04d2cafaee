//! A folder of results that appears whole or not at all, and never replaces somebody else's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use skellam::quoted;

use super::files::{File, MARKER, NAMES};
use crate::refused::Refused;

/// Where results go when nothing is said.
const DEFAULT: &str = "out/topics";

/// A place for results that was free, or ours to replace, when it was claimed.
pub struct Folder {
    path: PathBuf,
    force: bool,
}

/// Settles where results will go and tries whether they can be written, before anything is fitted. What
/// was tried leaves no trace.
pub fn claim(out: Option<&Path>, force: bool) -> Result<Folder, Refused> {
    let path = match out {
        Some(path) => path.to_owned(),
        None if force => PathBuf::from(DEFAULT),
        None => first_free(),
    };
    let folder = Folder { path, force };
    folder.check()?;
    let made = folder.stage().map_err(|e| folder.io(e))?;
    drop(made);
    Ok(folder)
}

/// `out/topics`, `out/topics-2`, ..
fn first_free() -> PathBuf {
    let numbered = (2u64..).map(|n| PathBuf::from(format!("{DEFAULT}-{n}")));
    std::iter::once(PathBuf::from(DEFAULT))
        .chain(numbered)
        .find(|path| path.symlink_metadata().is_err())
        .unwrap_or_else(|| unreachable!("numbers do not run out"))
}

impl Folder {
    /// Refuses a name that is taken, unless its folder may be replaced.
    fn check(&self) -> Result<(), Refused> {
        if self.path.file_name().is_none() {
            return Err(self.refused("does not end in the name of a folder"));
        }
        match self.path.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(self.io(error)),
            Ok(_) if !self.force => {
                Err(self.refused("exists: give another name, or --force to replace the results in it"))
            }
            Ok(found) if !found.is_dir() => Err(self.not_ours()),
            Ok(_) => self.check_ours(),
        }
    }

    /// Refuses a folder without marker, or with anything that is not a result.
    fn check_ours(&self) -> Result<(), Refused> {
        let entries = fs::read_dir(&self.path)
            .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
            .map_err(|e| self.io(e))?;
        if !entries.iter().any(|entry| entry.file_name() == MARKER) {
            return Err(self.not_ours());
        }
        let ours = |entry: &fs::DirEntry| NAMES.iter().any(|name| entry.file_name() == *name);
        match entries.iter().find(|entry| !ours(entry)) {
            None => Ok(()),
            Some(entry) => Err(self.refused(&format!(
                "also holds `{}`, which this program did not write: move it away first",
                entry.file_name().to_string_lossy()
            ))),
        }
    }

    /// Writes all files beside the folder, then gives them its name. Returns the name.
    pub fn fill(self, files: &[File]) -> Result<PathBuf, Refused> {
        // Minutes may have passed since the claim.
        self.check()?;
        self.write(files).map_err(|e| self.io(e))?;
        Ok(self.path)
    }

    fn write(&self, files: &[File]) -> io::Result<()> {
        let staged = self.stage()?;
        for file in files {
            let path = staged.path.join(file.name);
            fs::write(&path, &file.text)?;
            fs::File::open(&path)?.sync_all()?;
        }
        if self.path.symlink_metadata().is_ok() {
            self.swap(&staged.path)?;
        } else {
            fs::rename(&staged.path, &self.path)?;
        }
        staged.keep();
        Ok(())
    }

    /// Replaces the old folder by the new one; the old one comes back if that fails.
    fn swap(&self, staged: &Path) -> io::Result<()> {
        let old = self.beside("old");
        fs::rename(&self.path, &old)?;
        if let Err(error) = fs::rename(staged, &self.path) {
            fs::rename(&old, &self.path)?;
            return Err(error);
        }
        // Results by name and then the empty folder: what is not ours cannot be swept along.
        for name in NAMES {
            let _ = fs::remove_file(old.join(name));
        }
        let _ = fs::remove_dir(&old);
        Ok(())
    }

    /// An empty folder beside the one asked for, since a rename does not cross file systems.
    fn stage(&self) -> io::Result<Staged> {
        let mut staged = Staged {
            path: self.beside("partial"),
            parents: Vec::new(),
            kept: false,
        };
        let missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let mut parents: Vec<&Path> = self.path.ancestors().skip(1).take_while(missing).collect();
        parents.reverse();
        for parent in parents {
            fs::create_dir(parent)?;
            staged.parents.push(parent.to_owned());
        }
        fs::create_dir(&staged.path)?;
        Ok(staged)
    }

    fn beside(&self, what: &str) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.path
            .with_file_name(format!(".{name}.{}.{what}", std::process::id()))
    }

    fn refused(&self, why: &str) -> Refused {
        Refused::new(format!("--out {} {why}", quoted(self.path.display())))
    }

    fn not_ours(&self) -> Refused {
        self.refused(&format!(
            "is not a folder that this program wrote (it has no `{MARKER}`), so even --force leaves it alone: give another name"
        ))
    }

    fn io(&self, source: io::Error) -> Refused {
        Refused::new(format!(
            "cannot write results to {}: {source}",
            quoted(self.path.display())
        ))
    }
}

/// A folder that goes away with everything in it, and with the parents made for it, unless it is kept.
struct Staged {
    path: PathBuf,
    parents: Vec<PathBuf>,
    kept: bool,
}

impl Staged {
    fn keep(mut self) {
        self.kept = true;
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if self.kept {
            return;
        }
        // Best effort: the error that led here is the one worth reporting.
        for name in NAMES {
            let _ = fs::remove_file(self.path.join(name));
        }
        let _ = fs::remove_dir(&self.path);
        for parent in self.parents.iter().rev() {
            let _ = fs::remove_dir(parent);
        }
    }
}
