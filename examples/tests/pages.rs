//! The pages about the examples say what the programs say: declarations are those of the sources, derivations what `derivation_of` gives,
//! outputs what the programs print. `UPDATE_EXPECT=1` rewrites them.
//!
//! Every example is a module here. To run one, this program starts itself with the name of the example in the environment, and calls its `main`.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Termination};
use std::{env, fs};

use skellam::model::Derivation;
use skellam::prelude::EngineForm;

#[path = "pages/book.rs"]
mod book;
#[path = "pages/drawn.rs"]
mod drawn;
#[path = "pages/rounded.rs"]
mod rounded;

#[path = "../families/background.rs"]
mod background;
#[path = "../believe/main.rs"]
mod believe;
#[path = "../families/blocks.rs"]
mod blocks;
#[path = "../families/contingency.rs"]
mod contingency;
#[path = "../families/covariates.rs"]
mod covariates;
#[path = "../families/cp.rs"]
mod cp;
#[path = "../families/custom_update.rs"]
mod custom_update;
#[path = "../families/deep.rs"]
mod deep;
#[path = "../families/difference.rs"]
mod difference;
#[path = "../families/dynamics.rs"]
mod dynamics;
#[path = "../first/main.rs"]
mod first;
#[path = "../families/flows.rs"]
mod flows;
#[path = "../families/foldin.rs"]
mod foldin;
#[path = "../families/groups.rs"]
mod groups;
#[path = "../families/hierarchical.rs"]
mod hierarchical;
#[path = "../families/lda.rs"]
mod lda;
#[path = "../families/naive_bayes.rs"]
mod naive_bayes;
#[path = "../families/negative_binomial.rs"]
mod negative_binomial;
#[path = "../first/own.rs"]
mod own;
#[path = "../families/pairs.rs"]
mod pairs;
#[path = "../families/rounding.rs"]
mod rounding;
#[path = "../families/shrinkage.rs"]
mod shrinkage;
#[path = "../families/simplex.rs"]
mod simplex;
#[path = "../families/tucker.rs"]
mod tucker;
#[path = "../families/views.rs"]
mod views;

/// The variable that names the example to be run.
const PROGRAM: &str = "SKELLAM_EXAMPLE";

/// Runs the `main` of the example of a name.
macro_rules! programs {
    ($($name:ident),*) => {
        fn program(name: &str) -> ExitCode {
            match name {
                $(stringify!($name) => $name::main().report(),)*
                _ => panic!("{name} is no example"),
            }
        }
    };
}

programs!(
    background,
    believe,
    blocks,
    contingency,
    covariates,
    cp,
    custom_update,
    deep,
    difference,
    dynamics,
    first,
    flows,
    foldin,
    groups,
    hierarchical,
    lda,
    naive_bayes,
    negative_binomial,
    own,
    pairs,
    rounding,
    shrinkage,
    simplex,
    tucker,
    views
);

/// What an example prints to standard output and to standard error, run from the root of the repository as a reader does.
fn printed_by(name: &str, arguments: &[&str]) -> (String, String) {
    let mut command = Command::new(env::current_exe().unwrap());
    let command = command.env(PROGRAM, name).args(arguments).current_dir(root());
    let output = command.output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{name}: {}\n{out}{err}", output.status);
    (out, err)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn update() -> bool {
    env::var("UPDATE_EXPECT").is_ok_and(|v| v != "0")
}

/// Compares a page, which is in `docs/src`, with what `new` makes of it, or rewrites it.
fn page(name: &str, new: impl FnOnce(String) -> String) {
    let path = root().join("docs/src").join(name);
    let old = read(&path);
    let new = new(old.clone());
    if new != old {
        fs::write(&path, new).unwrap();
    }
}

/// The first declaration in a source.
fn declaration_in(file: &str) -> String {
    let source = read(&root().join(file));
    let mut lines = source.lines().skip_while(|l| !l.ends_with("model! {")).skip(1);
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

/// The text of each line before its first digit. Last bits, and with them draws, differ between processors: figures are not compared.
fn words(text: &str) -> Vec<&str> {
    let before = |line: &'_ str| line.find(|c: char| c.is_ascii_digit()).unwrap_or(line.len());
    text.lines().map(|line| line[..before(line)].trim()).collect()
}

/// Compares, or rewrites, the block of what an example prints, which is returned.
fn output(page: &str, kind: &str, name: &str, arguments: &[&str]) -> (String, String) {
    let (printed, _) = printed_by(name, arguments);
    if !update() {
        let shown = block(page, kind);
        assert_eq!(words(shown), words(&printed), "{name}: UPDATE_EXPECT=1 rewrites it");
        return (page.to_owned(), printed);
    }
    (check(page, kind, &printed, true), printed)
}

/// Compares, or rewrites, the page of a family: the declaration, the derivation and the output of its example, which is returned.
fn family(name: &str, form: EngineForm, derivation: fn(EngineForm) -> Derivation) -> String {
    let mut printed = String::new();
    page(&format!("families/{name}.md"), |old| {
        assert!(
            old.contains(&format!("cargo run --release --example {name}\n")),
            "{name}.md names its example"
        );
        let source = format!("examples/families/{name}.rs");
        let page = check(&old, "skellam", &declaration_in(&source), update());
        let derived = format!("{}\n", derivation(form).to_string().trim_end());
        let page = check(&page, "derivation", &derived, update());
        let (page, text) = output(&page, "output", name, &[]);
        printed = text;
        page
    });
    printed
}

/// The number that follows some words in what an example prints.
fn number_after(text: &str, words: &str) -> f64 {
    let (_, rest) = text
        .split_once(words)
        .unwrap_or_else(|| panic!("{words}: not in\n{text}"));
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
    rest[..end.unwrap_or(rest.len())].parse().unwrap()
}

/// Asserts that an example has found what its data were simulated with.
fn found(text: &str, words: &str, truth: f64, within: f64) {
    let found = number_after(text, words);
    assert!((found - truth).abs() <= within, "{words}{truth} is true\n{text}");
}

/// The pages of all families.
fn families() {
    use EngineForm::{Cavi, Gibbs};
    family("background", Gibbs, background::Background::derivation_of);
    family("blocks", Cavi, blocks::Blocks::derivation_of);
    family("contingency", Gibbs, contingency::Contingency::derivation_of);
    family("covariates", Gibbs, covariates::Covariates::derivation_of);
    family("cp", Gibbs, cp::Events::derivation_of);
    family("custom_update", Gibbs, custom_update::Sliced::derivation_of);
    family("deep", Gibbs, deep::Deep::derivation_of);
    let difference = family("difference", Gibbs, difference::Declared::derivation_of);
    family("dynamics", Gibbs, dynamics::Dynamics::derivation_of);
    family("foldin", Gibbs, foldin::Foldin::derivation_of);
    family("groups", Gibbs, groups::Groups::derivation_of);
    family("hierarchical", Gibbs, hierarchical::Hierarchical::derivation_of);
    family("lda", Gibbs, lda::Lda::derivation_of);
    let classes = family("naive_bayes", Gibbs, naive_bayes::NaiveBayes::derivation_of);
    let spread = family(
        "negative_binomial",
        Gibbs,
        negative_binomial::NegativeBinomial::derivation_of,
    );
    family("rounding", Gibbs, rounding::Commuters::derivation_of);
    let topics = family("shrinkage", Gibbs, shrinkage::Shrinkage::derivation_of);
    family("simplex", Gibbs, simplex::Simplex::derivation_of);
    family("tucker", Cavi, tucker::Tucker::derivation_of);
    family("views", Gibbs, views::Views::derivation_of);
    found(&difference, "epsilon of the noise: ", 1.0, 0.15);
    found(&classes, "class 1: ", 0.65, 0.1);
    found(&spread, "shape ", 2.0, 0.3);
    found(&topics, " 8 topics hold 95 % of the counts with probability ", 1.0, 0.6);
    // Two examples stand on the page of another.
    page("families/blocks.md", |old| output(&old, "output pairs", "pairs", &[]).0);
    page("families/difference.md", |old| {
        output(&old, "output flows", "flows", &[]).0
    });
    // The study of this model declares it again.
    assert_eq!(
        declaration_in("examples/studies/src/naive_bayes/declared.rs"),
        declaration_in("examples/families/naive_bayes.rs")
    );
}

/// An example of a family is a program of one short file.
fn families_are_short() {
    for entry in fs::read_dir(root().join("examples/families")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let source = read(&path);
            let lines = source.lines().count();
            assert!(lines <= 70, "{}: {lines} lines", path.display());
            assert!(source.contains("fn main"), "{}", path.display());
        }
    }
}

/// The network of `blocks` is drawn where its second argument says.
fn a_network_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blocks.svg");
    printed_by("blocks", &[path.to_str().unwrap()]);
    let svg = read(&path);
    assert!(svg.starts_with("<svg") && svg.contains("recovered"));
}

/// `lda` takes a folder of texts.
fn texts_are_read() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..12 {
        let text = ["wheat ships grain harvest ", "bank rate loan interest "][number % 2].repeat(20);
        fs::write(folder.path().join(format!("{number}.txt")), text).unwrap();
    }
    let (said, _) = printed_by("lda", &[folder.path().to_str().unwrap()]);
    assert!(said.contains("article 1, 80 words") && said.contains("wheat"), "{said}");
}

/// A file that is not there is named.
fn a_missing_file_is_named() {
    let mut command = Command::new(env::current_exe().unwrap());
    // Its data are found from the root of the repository alone.
    let elsewhere = tempfile::tempdir().unwrap();
    let command = command.env(PROGRAM, "background").current_dir(elsewhere.path());
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("background.mtx"), "{said}");
}

fn main() -> ExitCode {
    if let Ok(name) = env::var(PROGRAM) {
        return program(&name);
    }
    let checks: [(&str, fn()); 11] = [
        ("families_are_short", families_are_short),
        ("families", families),
        ("a_network_is_drawn", a_network_is_drawn),
        ("texts_are_read", texts_are_read),
        ("a_missing_file_is_named", a_missing_file_is_named),
        (
            "the_first_chapter_is_two_programs",
            book::the_first_chapter_is_two_programs,
        ),
        (
            "a_fit_that_cannot_be_believed_says_so",
            book::a_fit_that_cannot_be_believed_says_so,
        ),
        ("links_lead_somewhere", book::links_lead_somewhere),
        ("reserved_names_are_listed", book::reserved_names_are_listed),
        (
            "every_stream_of_a_sweep_has_its_line",
            drawn::every_stream_of_a_sweep_has_its_line,
        ),
        ("the_law_of_rounding", rounded::all),
    ];
    let failed = checks.iter().filter(|(name, check)| {
        let ok = catch_unwind(check).is_ok();
        println!("{name} .. {}", if ok { "ok" } else { "FAILED" });
        !ok
    });
    ExitCode::from(u8::from(failed.count() > 0))
}
