//! The names on the page exist: files, functions, types, crates. So do the types of the glossary, whose bare words name nothing else.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::{read, root};

/// Where the page's paths begin; each is there in one of them.
const FOLDERS: [&str; 3] = ["", "runtime/src", "model-macro/compiler/src"];

/// Words on the page that are of Rust, of the language or of a formula.
const NOT_NAMES: [&str; 10] = ["bool", "d", "f64", "i64", "k", "q", "s", "theta", "v", "where"];

const TYPES: [&str; 4] = ["struct", "enum", "trait", "type"];
const OTHER_ITEMS: [&str; 4] = ["fn", "const", "mod", "macro_rules"];

fn repository() -> PathBuf {
    root().join("../..")
}

/// The words of a line of code.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter(|word| !word.is_empty())
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic()) && words(text).eq([text])
}

/// What a file of Rust names, comments left out: a name in a comment proves nothing.
#[derive(Default)]
struct File {
    path: String,
    words: HashSet<String>,
    /// Functions, constants, modules and macros.
    items: HashSet<String>,
    types: HashSet<String>,
    /// Types that stand at the beginning of a line: not in a trait, a function or a module of tests.
    bare: HashSet<String>,
    /// Whatever an `impl` names.
    implemented: HashSet<String>,
    /// Public fields, and what begins a line as a variant does.
    parts: HashSet<String>,
}

impl File {
    fn new(path: &Path) -> Self {
        let mut file = Self {
            path: path.strip_prefix(repository()).unwrap().display().to_string(),
            ..Self::default()
        };
        for line in read(path).lines().filter(|line| !line.trim_start().starts_with("//")) {
            let all: Vec<&str> = words(line).collect();
            file.words.extend(all.iter().map(ToString::to_string));
            for pair in all.windows(2) {
                let name = pair[1].to_string();
                if TYPES.contains(&pair[0]) {
                    if !line.starts_with(' ') {
                        file.bare.insert(name.clone());
                    }
                    file.types.insert(name);
                } else if OTHER_ITEMS.contains(&pair[0]) {
                    file.items.insert(name);
                } else if pair[0] == "pub" {
                    file.parts.insert(name);
                }
            }
            match all.first() {
                Some(&"impl") => file.implemented.extend(all.iter().map(ToString::to_string)),
                Some(first) if first.starts_with(|c: char| c.is_ascii_uppercase()) => {
                    file.parts.insert(first.to_string());
                }
                _ => {}
            }
        }
        file
    }

    fn has_item(&self, name: &str) -> bool {
        self.items.contains(name) || self.types.contains(name)
    }
}

/// The compiler, the runtime, the formulas and the golden expansions.
static SOURCES: LazyLock<Vec<File>> = LazyLock::new(|| {
    let folders = [
        "runtime/src",
        "runtime/check/src",
        "runtime/math/src",
        "runtime/plot/src",
        "runtime/release/src",
        "model-macro/compiler/src",
        "model-macro/formula/src",
        "model-macro/compiler/tests/cases",
    ];
    let mut folders: Vec<PathBuf> = folders.map(|folder| repository().join(folder)).into();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|of| of == "rs") {
                files.push(File::new(&path));
            }
        }
    }
    files
});

/// What stands in single backticks, outside of blocks of code.
fn spans(page: &str) -> Vec<&str> {
    let prose = page.split("```").step_by(2);
    prose.flat_map(|prose| prose.split('`').skip(1).step_by(2)).collect()
}

/// A method, a field or a variant of a type: both in one file. What a model called `Topics` has is written by `emit`.
fn has_member(of: &str, name: &str) -> bool {
    SOURCES.iter().any(|file| {
        let is_there = match of {
            "Topics" => file.path.starts_with("model-macro/compiler/src/emit/"),
            _ => file.types.contains(of) || file.implemented.contains(of),
        };
        is_there && (file.items.contains(name) || file.parts.contains(name))
    })
}

fn is_crate(name: &str) -> bool {
    let line = format!("name = \"{name}\"");
    let below_runtime = [
        "runtime",
        "runtime/check",
        "runtime/math",
        "runtime/plot",
        "runtime/release",
    ];
    let folders = ["model-macro", "model-macro/compiler", "model-macro/formula"];
    (below_runtime.iter().chain(&folders))
        .any(|folder| read(&repository().join(folder).join("Cargo.toml")).contains(&line))
}

/// Whether a span of the page is what it says it is; `None` if it is a formula or a command.
fn holds(span: &str) -> Option<bool> {
    let span = span.trim_start_matches("&dyn ").trim_end_matches("()");
    let span = span.trim_end_matches('!');
    if span.ends_with(".rs") || span.contains('/') && span.split('/').all(|part| part.is_empty() || is_word(part)) {
        let is_there = |folder: &&&str| repository().join(folder).join(span).exists();
        return Some(FOLDERS.iter().filter(is_there).count() == 1);
    }
    if let Some((of, name)) = span.split_once("::") {
        return Some(has_member(of, name));
    }
    if let Some((of, method)) = span.split_once('.')
        && is_word(of)
        && is_word(method)
    {
        return Some(SOURCES.iter().any(|file| file.items.contains(method)));
    }
    if span.contains('-') && span.split('-').all(is_word) {
        return Some(is_crate(span));
    }
    let is_part = |file: &File| span.starts_with(|c: char| c.is_ascii_uppercase()) && file.parts.contains(span);
    let is_there = |file: &File| file.has_item(span) || is_part(file);
    (is_word(span) && !NOT_NAMES.contains(&span)).then(|| SOURCES.iter().any(is_there))
}

/// The names on a page that do not exist.
fn missing(page: &str) -> Vec<&str> {
    let spans = spans(page).into_iter();
    spans.filter(|span| holds(span) == Some(false)).collect()
}

#[test]
fn every_name_on_the_page_exists() {
    let page = read(&repository().join("docs/src/internals.md"));
    let names = spans(&page).into_iter().filter(|span| holds(span).is_some());
    assert!(names.count() > 120, "names are no longer found on the page");
    assert_eq!(missing(&page), Vec::<&str>::new());
}

/// The test above can fail: names of every kind that are not there are reported.
#[test]
fn a_name_that_does_not_exist_is_reported() {
    let invented = [
        "draw_nothing",
        "nonesuch",
        "Nowhere",
        "Chain::nonesuch",
        "Nowhere::sweep",
        "Topics::nonesuch()",
        "view/nowhere.rs",
        "nowhere.rs",
        "release/nowhere",
        "view.nonesuch",
        "nonesuch!",
        "skellam-nothing",
    ];
    let page = invented.map(|name| format!("`{name}`, `Chain::sweep`, `view/runs.rs`"));
    assert_eq!(missing(&page.join(" ")), invented);
}

/// A mechanism that files can name has its promise checked when a folder is opened, is audited, and its law is fitted in statistical tests.
#[test]
fn every_mechanism_of_files_is_checked_audited_and_fitted() {
    let text = |path: &str| read(&repository().join(path));
    let recorded = text("runtime/release/src/release/files/recorded.rs");
    let reader = text("runtime/release/src/release/files/reader.rs");
    let [audited, fitted] = ["runtime/release/tests/audit.rs", "tests/tests/statistics/mechanisms.rs"].map(text);
    let laws: Vec<&str> = recorded.split("\nimpl RecordedLaw for ").skip(1).collect();
    assert!(laws.len() > 3, "laws are no longer found");
    for law in laws {
        let (law, rest) = law.split_once(" {").unwrap();
        let mechanism = rest
            .split("type Mechanism = ")
            .nth(1)
            .unwrap()
            .split(';')
            .next()
            .unwrap();
        assert!(
            reader.contains(&format!("{mechanism}::NAME => ")),
            "{mechanism} in `check_promise`"
        );
        assert!(
            words(&audited).any(|word| word == mechanism),
            "{mechanism} in the audit"
        );
        assert!(words(&fitted).any(|word| word == law), "{law} in the statistical tests");
    }
}

/// The rows of the table in the glossary: a word, the types that it names, and those that have the other meanings.
fn glossary(page: &str) -> Vec<(&str, Vec<&str>, Vec<&str>)> {
    let section = page.split("## Words of the code").nth(1).unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [word, _, own, others] = cells[..] else {
            panic!("four columns: {line}")
        };
        (word, spans(own), spans(others))
    })
    .collect()
}

/// The files where types with exactly this name are defined.
fn bearers(word: &str) -> Vec<&'static str> {
    let files = SOURCES.iter().filter(|file| file.path.contains("src/"));
    let found = files.filter(|file| file.bare.contains(word));
    found.map(|file| file.path.as_str()).collect()
}

#[test]
fn a_bare_word_is_one_type() {
    let page = read(&repository().join("docs/src/glossary.md"));
    let rows = glossary(&page);
    assert_eq!(rows.len(), 8);
    for (word, own, others) in rows {
        let found = bearers(word);
        assert_eq!(found.len(), own.len(), "types called `{word}`: {found:?}");
        for path in own {
            let (room, name) = path.split_once("::").expect("a room and a type");
            let folder = match room.strip_prefix("skellam_") {
                Some(of_crate) => format!("/{of_crate}/src/"),
                None => format!("/src/{room}"),
            };
            let is_there = found.iter().any(|file| file.contains(&folder));
            assert!(name == word && is_there, "{word}: `{path}` in {found:?}");
        }
        for name in others {
            // What a macro makes, such as `TopicsLaw`, stands in an expansion without its keyword.
            let is_there = holds(name) == Some(true) || SOURCES.iter().any(|file| file.words.contains(name));
            assert!(is_there, "{word}: `{name}`");
        }
    }
    // The whole name counts, and a type of this name has more than one bearer.
    assert_eq!(bearers("Lin"), Vec::<&str>::new());
    assert!(bearers("Latent").len() > 1);
}
