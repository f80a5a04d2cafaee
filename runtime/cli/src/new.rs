//! `skellam new NAME`: a crate with a declaration, a program and a test, to be changed.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use skellam::quoted;

use crate::refused::Refused;

const LIB: &str = include_str!("new/lib.rs.txt");
const MAIN: &str = include_str!("new/main.rs.txt");
const TEST: &str = include_str!("new/declaration.rs.txt");
const COUNTS: &str = include_str!("new/counts.csv");

/// What to make.
#[derive(Clone, Debug, Args)]
pub struct Flags {
    /// The name of the crate, and of its folder, which must not exist.
    pub name: String,
    /// A copy of the repository of skellam to depend on, rather than the published crates.
    #[arg(long, value_name = "FOLDER")]
    pub skellam: Option<PathBuf>,
}

/// Makes the crate.
///
/// # Errors
/// The name is none, the folder exists or cannot be written: then nothing is left.
pub fn run(flags: &Flags) -> Result<String, Refused> {
    let name = &flags.name;
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || !name.chars().all(is_allowed) {
        return Err(Refused::new(format!(
            "{} is no name of a crate: use letters, digits, - and _, a letter first",
            quoted(name)
        )));
    }
    let folder = Path::new(name);
    if folder.exists() {
        return Err(Refused::new(format!(
            "{} exists: give another name, or move it away",
            quoted(folder.display())
        )));
    }
    // Rust writes - as _ in the name of a crate.
    let of_crate = |text: &str| text.replace("CRATE", &name.replace('-', "_"));
    let files = [
        ("Cargo.toml", manifest(name, flags.skellam.as_deref())?),
        ("src/lib.rs", LIB.to_owned()),
        ("src/main.rs", of_crate(MAIN)),
        ("tests/declaration.rs", of_crate(TEST)),
        ("counts.csv", COUNTS.to_owned()),
    ];
    for (file, text) in files {
        let path = folder.join(file);
        if let Err(source) = write(&path, &text) {
            let _ = fs::remove_dir_all(folder);
            return Err(failed(&path, source));
        }
    }
    Ok(format!(
        "{name}/src/lib.rs     the declaration: begin here\n\
         {name}/src/main.rs    fits it to the counts of a file, counts.csv\n\
         {name}/tests          checks what is derived from the declaration, in about ten seconds\n\
         \n\
         cd {name} && cargo run --release\n"
    ))
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}

/// What the system says of a path.
fn failed(path: &Path, source: io::Error) -> Refused {
    Refused::new(format!("{}: {source}", quoted(path.display())))
}

/// The manifest, which depends on published crates or on a copy of the repository.
fn manifest(name: &str, skellam: Option<&Path>) -> Result<String, Refused> {
    let version = env!("CARGO_PKG_VERSION");
    let (library, check) = match skellam {
        None => (format!("\"{version}\""), format!("\"{version}\"")),
        Some(root) => {
            let runtime = root.join("runtime");
            if !runtime.join("Cargo.toml").is_file() {
                return Err(Refused::new(format!(
                    "{} has no runtime/Cargo.toml: give the root of the repository of skellam",
                    quoted(root.display())
                )));
            }
            let absolute = |path: PathBuf| path.canonicalize().map_err(|source| failed(&path, source));
            let (runtime, check) = (absolute(runtime.clone())?, absolute(runtime.join("check"))?);
            // Debug quotes and escapes a path as TOML does.
            (format!("{{ path = {runtime:?} }}"), format!("{{ path = {check:?} }}"))
        }
    };
    Ok(format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nskellam = {library}\n\n\
         [dev-dependencies]\nskellam-check = {check}\n\n# The engines are slow without optimisation.\n[profile.dev]\nopt-level = 2\n"
    ))
}
