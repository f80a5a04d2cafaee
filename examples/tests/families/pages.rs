//! The pages of the families say what the program says: declarations are those of the examples, derivations what
//! `derivation()` prints of the example's own engine, outputs what the examples print. `UPDATE_EXPECT=1` rewrites them. The first chapter likewise.

use std::fs;
use std::path::{Path, PathBuf};

use skellam::prelude::EngineForm;
use skellam_check::SelfTest;
use skellam_examples::Example;

use super::examples::{
    background, blocks, contingency, covariates, cp, custom_update, deep, difference, dynamics, first, foldin, groups,
    hierarchical, lda, naive_bayes, negative_binomial, own, rounding, shrinkage, simplex, tucker, views,
};
use super::studies::fit;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The declaration of the example's own model, the first in its source, without the indentation of `model!`.
fn declaration(name: &str) -> String {
    declaration_in(&format!("examples/families/{name}.rs"))
}

/// The first declaration in a source.
fn declaration_in(file: &str) -> String {
    let source = read(&root().join(file));
    let mut lines = source.lines().skip_while(|l| *l != "skellam::model! {").skip(1);
    let body: Vec<&str> = lines.by_ref().take_while(|l| *l != "}").collect();
    let cut = |line: &&str| line.strip_prefix("    ").unwrap_or(line).trim_end().to_string();
    body.iter().map(cut).collect::<Vec<_>>().join("\n") + "\n"
}

/// Replaces the contents of the only block that begins with "```kind" by `text`, or compares them.
fn check(page: &str, kind: &str, text: &str, update: bool) -> String {
    let old = block(page, kind);
    if !update {
        assert_eq!(old, text, "a block of kind `{kind}`: UPDATE_EXPECT=1 rewrites it");
    }
    page.replace(&format!("```{kind}\n{old}```"), &format!("```{kind}\n{text}```"))
}

/// The contents of the only block that begins with "```kind".
fn block<'a>(page: &'a str, kind: &str) -> &'a str {
    let open = format!("```{kind}\n");
    let found: Vec<&str> = page.split(&open).skip(1).collect();
    assert_eq!(found.len(), 1, "blocks of kind `{kind}` in a page");
    found[0].split("```").next().unwrap()
}

/// Compares, or rewrites, the page of one example.
fn page<E: Example>(name: &str) {
    page_of::<E>(name, EngineForm::Gibbs);
}

/// The same for an example whose own engine is another one.
fn page_of<E: Example>(name: &str, form: EngineForm) {
    let path = root().join(format!("docs/src/families/{name}.md"));
    let update = std::env::var("UPDATE_EXPECT").is_ok_and(|v| v != "0");
    let old = read(&path);
    assert!(
        old.contains(&format!("cargo run --release --example {name}")),
        "{name}.md names its example"
    );
    assert!(
        old.contains(&format!("--example {name} -- --engine {form} --derivation")),
        "{name}.md names the form that it prints"
    );
    let page = check(&old, "skellam", &declaration(name), update);
    let page = check(
        &page,
        "derivation",
        &format!("{}\n", E::derivation(Some(form)).to_string().trim_end()),
        update,
    );
    let page = output::<E>(name, &page, "output", "", update);
    if page != old {
        fs::write(&path, page).unwrap();
    }
}

/// Compares, or rewrites, what the page of one example shows of the news articles.
fn articles<E: Example>(name: &str) {
    let path = root().join(format!("docs/src/families/{name}.md"));
    let update = std::env::var("UPDATE_EXPECT").is_ok_and(|v| v != "0");
    let old = read(&path);
    assert!(
        old.contains(&format!("cargo run --release --example {name} -- --reuters")),
        "{name}.md names the flag"
    );
    let page = output::<E>(name, &old, "output reuters", "--reuters", update);
    if page != old {
        fs::write(&path, page).unwrap();
    }
}

/// Compares, or rewrites, the block of what the example prints with some flags.
fn output<E: Example>(name: &str, page: &str, kind: &str, flags: &str, update: bool) -> String {
    // Figures are not compared, so the run that is compared with the page is a short one.
    let short = if update { "" } else { "--tune 20 --draws 20 --chains 2" };
    let study = fit::<E>(format!("{flags} {short}").trim());
    if update {
        return check(page, kind, &study.text, update);
    }
    // Last bits, and with them draws, differ between processors: the data and the rows are compared, not the figures.
    let shown = block(page, kind);
    let rows = study.numbers.iter().map(|(name, _)| name.as_str());
    let rows = rows.filter(|name| study.text.contains(&format!("\n{name} ")));
    for line in study.text.lines().take(1).chain(rows) {
        assert!(shown.contains(line), "{name}.md: {line}: UPDATE_EXPECT=1 rewrites it");
    }
    page.into()
}

#[test]
fn background_page() {
    page::<background::Arguments>("background");
}

#[test]
fn groups_page() {
    page::<groups::Arguments>("groups");
}

#[test]
fn negative_binomial_page() {
    page::<negative_binomial::Arguments>("negative_binomial");
    articles::<negative_binomial::Arguments>("negative_binomial");
}

#[test]
fn shrinkage_page() {
    page::<shrinkage::Arguments>("shrinkage");
    articles::<shrinkage::Arguments>("shrinkage");
}

#[test]
fn deep_page() {
    page::<deep::Arguments>("deep");
    articles::<deep::Arguments>("deep");
}

#[test]
fn lda_page() {
    page::<lda::Arguments>("lda");
}

#[test]
fn contingency_page() {
    page::<contingency::Arguments>("contingency");
}

/// The declaration stands in two examples: the one of this page, and the study whose page compares estimators of the same model. The output of
/// the study is compared by a test of its own, in `one.rs`.
#[test]
fn naive_bayes_page() {
    page::<naive_bayes::Arguments>("naive_bayes");
    assert_eq!(
        declaration_in("examples/karwa16/declared.rs"),
        declaration("naive_bayes")
    );
}

#[test]
fn dynamics_page() {
    page::<dynamics::Arguments>("dynamics");
}

#[test]
fn hierarchical_page() {
    page::<hierarchical::Arguments>("hierarchical");
}

#[test]
fn blocks_page() {
    page_of::<blocks::Arguments>("blocks", EngineForm::Cavi);
}

#[test]
fn cp_page() {
    page::<cp::Arguments>("cp");
}

#[test]
fn tucker_page() {
    page_of::<tucker::Arguments>("tucker", EngineForm::Cavi);
}

#[test]
fn views_page() {
    page::<views::Arguments>("views");
}

#[test]
fn difference_page() {
    page::<difference::Arguments>("difference");
}

#[test]
fn simplex_page() {
    page::<simplex::Arguments>("simplex");
}

#[test]
fn covariates_page() {
    page::<covariates::Arguments>("covariates");
}

#[test]
fn foldin_page() {
    page::<foldin::Arguments>("foldin");
}

#[test]
fn custom_update_page() {
    page::<custom_update::Arguments>("custom_update");
}

/// Every link of the book leads somewhere, and every page is in its table of contents.
#[test]
fn links_lead_somewhere() {
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
#[test]
fn reserved_names_are_listed() {
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

#[test]
fn rounding_page() {
    page::<rounding::Arguments>("rounding");
}

/// What an example prints, to standard output and to standard error.
fn printed_by(name: &str, flags: &[&str]) -> (String, String) {
    let test = std::env::current_exe().unwrap();
    let program = test.parent().unwrap().parent().unwrap().join("examples").join(name);
    let program = program.with_extension(std::env::consts::EXE_EXTENSION);
    let output = std::process::Command::new(&program).args(flags).output();
    let output = output.unwrap_or_else(|e| panic!("{}, which `cargo test` builds: {e}", program.display()));
    assert!(output.status.success(), "{output:?}");
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (out, err)
}

/// The first chapter is the program `first`, what it prints and what was derived for its model, and the program `own` with a model of the
/// reader's own.
#[test]
fn the_first_chapter_is_two_programs() {
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
    // What follows, the memory of both engines part by part, depends on how many threads the machine has.
    let plan = first::Tastes::plan(sizes).to_string();
    let (plan, _) = plan.split_once("  at most, memory of").unwrap();
    let shown = [
        ("text plan", format!("{plan}  ..")),
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

/// An example of a family is one file, and a short one, and the page of all families says how long. One has a mechanism besides.
#[test]
fn an_example_of_a_family_is_one_file() {
    let (mut longest, mut with_mechanism) = (0, 0);
    for entry in fs::read_dir(root().join("examples/families")).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.is_file(), "{} is a folder", path.display());
        let source = read(&path);
        let lines = source.lines().count();
        for line in source.lines() {
            let other = line.contains("mod ") && line.ends_with(';') || line.contains("include!");
            assert!(!other, "{}: {line}", path.display());
        }
        match path.file_stem().unwrap().to_str() {
            Some("rounding") => with_mechanism = lines,
            _ => longest = longest.max(lines),
        }
    }
    assert!(longest <= 149, "{longest} lines");
    assert!(with_mechanism <= 185, "{with_mechanism} lines with a mechanism");
    let page = read(&root().join("docs/src/families/index.md"));
    assert!(page.contains(&format!("the longest of {longest}:")), "{longest} lines");
    let shared = fs::read_dir(root().join("examples/src")).unwrap();
    let shared: Vec<usize> = shared
        .map(|entry| read(&entry.unwrap().path()).lines().count())
        .collect();
    assert_eq!(shared.len(), 3, "files in examples/src");
    for said in [
        format!("`rounding` has {with_mechanism} lines"),
        format!("`examples/src`, {} lines in three files", shared.iter().sum::<usize>()),
    ] {
        assert!(page.contains(&said), "{said}");
    }
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
#[test]
fn a_fit_that_cannot_be_believed_says_so() {
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
