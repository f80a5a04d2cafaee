//! The other pages of the book: the first chapter and the one on belief show what their programs print, links lead somewhere, and the reference
//! lists the reserved names.

use std::fs;

use skellam::prelude::EngineForm;
use skellam_check::SelfTest;

use super::{block, check, first, own, printed_by, read, root};

/// The first chapter is the program `first`, what it prints and what was derived for its model, and the program `own` with a model of the
/// reader's own.
pub fn the_first_chapter_is_two_programs() {
    let path = root().join("docs/src/tutorial.md");
    let update = std::env::var("UPDATE_EXPECT").is_ok_and(|v| v != "0");
    let old = read(&path);
    let source = read(&root().join("examples/first/main.rs"));
    let (printed, _) = printed_by("first", &[]);
    let new = check(&old, "rust first", &source, update);
    let new = check(&new, "text first", &printed, update);
    let derivation = first::Tastes::derivation_of(EngineForm::Gibbs).to_string();
    let new = check(&new, "text derivation", &format!("{}\n", derivation.trim_end()), update);
    let generated = first::Tastes::generated();
    let method = |begins: &str| {
        let begin = generated.find(begins).unwrap();
        &generated[begin..begin + generated[begin..].find("\n\n").unwrap() + 1]
    };
    let prior = method("    /// `θ[i,k] ~");
    let both = format!("{prior}\n{}", method("    /// `θ[i,k] | − ~"));
    let new = check(&new, "text generated", &both, update);
    // The line that the page changes.
    let lines = prior.lines().map(str::trim);
    let line = lines.filter(|line| line.starts_with("move")).collect::<String>();
    let changed = line.replacen("0.5", "0.25", 1);
    assert!(changed != line && new.contains(&changed), "{changed}");
    let sizes = first::TastesSizes {
        readers: 12,
        genres: 6,
        tastes: 2,
    };
    let shown = [
        ("text plan", first::Tastes::plan(sizes).to_string()),
        ("text graph", first::Tastes::graph().to_owned()),
    ];
    let new = shown.iter().fold(new, |page, (kind, text)| {
        check(&page, kind, &format!("{}\n", text.trim_end()), update)
    });
    let new = readers_own_model(&new, update);
    if new != old {
        fs::write(&path, new).unwrap();
    }
}

/// The end of the first chapter: what of `first` is changed in `own`, what `own` prints, and some rows of the self-test of its model.
fn readers_own_model(page: &str, update: bool) -> String {
    let [first, own] = ["main", "own"].map(|name| read(&root().join(format!("examples/first/{name}.rs"))));
    let difference = block(page, "diff own");
    assert_eq!(changed(&below_the_title(&first), difference), below_the_title(&own));
    let page = check(page, "text own", &printed_by("own", &[]).0, update);

    // Figures are not compared, so the run that is compared with the page is a short one.
    let settings = SelfTest {
        effort: if update { 1.0 } else { 0.02 },
        ..SelfTest::default()
    };
    let report = settings.run::<own::Tastes>().to_string();
    // The law of a row, and what it is about. The verdict, in the last line, is followed by the seconds that it took.
    let name = |line: &str| -> String {
        let columns = line.split(" (").next().unwrap_or_default().trim().split("   ");
        columns
            .map(str::trim)
            .filter(|column| !column.is_empty())
            .take(2)
            .collect()
    };
    let rows = block(&page, "text report").lines().map(|line| {
        if matches!(line, "" | "  ..") {
            return line.to_owned();
        }
        let row = report.lines().find(|row| name(row) == name(line));
        let row = row.unwrap_or_else(|| panic!("{line}: not in\n{report}"));
        match update {
            true if row.starts_with(' ') => row.to_owned(),
            true => name(row),
            false => line.to_owned(),
        }
    });
    let rows: String = rows.map(|row| row + "\n").collect();
    check(&page, "text report", &rows, true)
}

/// The lines of a program below the comment about its file.
fn below_the_title(source: &str) -> Vec<&str> {
    source.lines().skip_while(|line| line.starts_with("//!")).collect()
}

/// What a program becomes by a block of kind `diff`, in which every line that stays or goes is the next that reads so.
fn changed<'a>(mut program: &[&'a str], difference: &'a str) -> Vec<&'a str> {
    let mut new = Vec::new();
    for change in difference.lines() {
        let (sign, text) = change.split_at_checked(1).unwrap_or((" ", ""));
        if sign != "+" {
            let at = program.iter().position(|line| *line == text);
            let at = at.unwrap_or_else(|| panic!("no such line below the last: {text}"));
            new.extend(&program[..at]);
            program = &program[at + 1..];
        }
        if sign != "-" {
            new.push(text);
        }
    }
    new.extend(program);
    new
}

/// The first fit of the page on belief, which cannot be believed, is what the program prints.
pub fn a_fit_that_cannot_be_believed_says_so() {
    let path = root().join("docs/src/believe.md");
    let update = std::env::var("UPDATE_EXPECT").is_ok_and(|v| v != "0");
    let old = read(&path);
    let (printed, said) = printed_by("believe", &["--tune", "20", "--draws", "50", "--thin", "2"]);
    let quoted = old.replace('\n', " ");
    for warning in said.lines().filter(|line| line.starts_with("warning")) {
        assert!(quoted.contains(warning), "{warning}");
    }
    let new = check(&old, "text believe", &printed, update);
    if new != old {
        fs::write(&path, new).unwrap();
    }
}

/// Every link of the book leads somewhere, and every page is in its table of contents.
pub fn links_lead_somewhere() {
    let book = root().join("docs/src");
    let summary = read(&book.join("SUMMARY.md"));
    let mut folders = vec![book.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|e| e != "md") {
                continue;
            }
            let name = path.strip_prefix(&book).unwrap().to_str().unwrap().to_string();
            assert!(
                name == "SUMMARY.md" || summary.contains(&format!("({name})")),
                "{name} is in no table of contents"
            );
            for link in links(&read(&path)) {
                let file = link.split('#').next().unwrap_or_default();
                let elsewhere = link.contains("://") || file.is_empty();
                assert!(
                    elsewhere || folder.join(file).exists() || is_written_elsewhere(file),
                    "{name}: {link}"
                );
            }
        }
    }
}

/// The list of messages is generated beside the compiler's tests.
fn is_written_elsewhere(file: &str) -> bool {
    file.ends_with("errors.md")
}

/// What stands in `](..)` outside of code.
fn links(page: &str) -> Vec<String> {
    let prose: String = page.split("```").step_by(2).collect();
    let prose: String = prose.split('`').step_by(2).collect();
    let after = prose.split("](").skip(1);
    after
        .filter_map(|rest| Some(rest.split(')').next()?.to_string()))
        .collect()
}

/// The reference lists every name that the compiler refuses.
pub fn reserved_names_are_listed() {
    let source = read(&root().join("model-macro/compiler/src/resolve/names.rs"));
    let list = source
        .split("const RESERVED")
        .nth(1)
        .unwrap()
        .split(';')
        .nth(1)
        .unwrap();
    let page = read(&root().join("docs/src/language.md"));
    let names: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert!(names.len() > 20, "{names:?}");
    for name in names {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
}
