//! Messages, one or more mistakes a case: their words, the tokens they point at, and what holds for all.
//!
//! `messages/*.txt` has the cases of a topic. A case begins with `## ` and changes the model of [`BASE`]:
//! `theta| ..` puts other statements instead of one of its own, `+| ..` adds statements, `=| ..` is a
//! declaration of its own. `«` and `»` stand around each token that must change. `theta>| ..` is what the help says to type
//! instead: with it the declaration compiles. What follows is what the compiler says: after a change of wording `UPDATE_EXPECT=1 cargo test -p skellam-compiler --test messages`, and
//! read the difference. The page of the book about messages is written from the same cases.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use proc_macro2::TokenStream;
use skellam_compiler::derivation;
use skellam_compiler::diagnostics::{Diagnostic, Sink};

/// The statements that cases change, each with its key.
const BASE: [(&str, &str); 6] = [
    ("index", "index docs, words, topics;"),
    ("hyper", "hyper a: positive = 0.1, b: positive = 1.0;"),
    (
        "theta",
        "latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);",
    ),
    (
        "phi",
        "latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);",
    ),
    (
        "y",
        "count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);",
    ),
    ("+", ""),
];

/// One case: its name, its lines, and its declaration with the marks in it.
struct Case {
    name: String,
    lines: Vec<String>,
    marked: String,
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn topics() -> Vec<PathBuf> {
    let files = fs::read_dir(here("tests/messages")).unwrap();
    let mut all: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    all.sort();
    all
}

fn cases(topic: &Path) -> Vec<Case> {
    let text = fs::read_to_string(topic).unwrap();
    let blocks = text.split("## ").skip(1);
    blocks
        .map(|block| {
            let mut lines = block.lines();
            let name = lines.next().unwrap().to_string();
            let is_input = |line: &&str| {
                line.split_once('|')
                    .is_some_and(|(key, _)| key.len() < 7 && !key.contains(' '))
            };
            let lines: Vec<String> = lines.take_while(is_input).map(str::to_string).collect();
            let marked = declaration(&lines, false);
            Case { name, lines, marked }
        })
        .collect()
}

/// The declaration of a case, as it is or with what the help says to type.
fn declaration(lines: &[String], is_helped: bool) -> String {
    let under = |key: &str| {
        let mine: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.split_once('|'))
            .filter(|(k, _)| *k == key)
            .map(|(_, rest)| rest.trim())
            .collect();
        (!mine.is_empty()).then(|| mine.join("\n        "))
    };
    let of = |key: &str| is_helped.then(|| under(&format!("{key}>"))).flatten().or(under(key));
    for line in lines {
        let key = line.split_once('|').unwrap().0.trim_end_matches('>');
        assert!(
            key == "=" || BASE.iter().any(|(k, _)| *k == key),
            "no statement `{key}`"
        );
    }
    if let Some(whole) = of("=") {
        return whole;
    }
    let statements = BASE.map(|(key, statement)| of(key).unwrap_or(statement.to_string()));
    let statements: Vec<&str> = statements
        .iter()
        .map(String::as_str)
        .filter(|s| !s.is_empty())
        .collect();
    format!("pub model Topics {{\n        {}\n    }}", statements.join("\n        "))
}

/// The heading of a topic and what is said of it.
fn head(topic: &Path) -> String {
    let text = fs::read_to_string(topic).unwrap();
    text.split("## ").next().unwrap().to_string()
}

/// What the compiler says of a case: each message with the bytes it points at, in the order of the text.
fn messages(case: &Case) -> Vec<(std::ops::Range<usize>, Diagnostic)> {
    let source = case.marked.replace(['«', '»'], "");
    let tokens: TokenStream = source.parse().unwrap_or_else(|e| panic!("{}: {e}", case.name));
    let mut sink = Sink::default();
    let outcome = derivation(tokens, &mut sink);
    if let Err(skeleton) = outcome {
        syn::parse2::<syn::File>(skeleton).unwrap_or_else(|e| panic!("{}: the skeleton is not Rust: {e}", case.name));
    }
    let mut all: Vec<_> = sink
        .diagnostics()
        .iter()
        .map(|d| (d.span().byte_range(), d.clone()))
        .collect();
    all.sort_by_key(|(range, _)| (range.start, range.end));
    all
}

/// The marks of a case, as bytes of its text without marks.
fn marks(case: &Case) -> Vec<std::ops::Range<usize>> {
    let (mut all, mut open, mut at) = (Vec::new(), None, 0);
    for letter in case.marked.chars() {
        match letter {
            '«' => open = Some(at),
            '»' => all.push(open.take().expect("a mark that was opened")..at),
            other => at += other.len_utf8(),
        }
    }
    all
}

#[test]
fn words_and_tokens() {
    let mut wrong = String::new();
    for topic in topics() {
        let mut printed = head(&topic);
        for case in cases(&topic) {
            printed.push_str(&format!("## {}\n", case.name));
            case.lines
                .iter()
                .for_each(|line| printed.push_str(&format!("{line}\n")));
            let source = case.marked.replace(['«', '»'], "");
            let (found, marks) = (messages(&case), marks(&case));
            for (range, diagnostic) in &found {
                let token = source.get(range.clone()).unwrap_or("");
                let astray = if marks.contains(range) { "" } else { "ASTRAY " };
                printed.push_str(&format!("{astray}{token} --> {}\n", diagnostic.message()));
            }
            for mark in marks
                .iter()
                .filter(|mark| !found.iter().any(|(range, _)| range == *mark))
            {
                printed.push_str(&format!("SILENT at {}\n", &source[mark.clone()]));
            }
            if found.len() > marks.len() {
                printed.push_str("TOO MANY\n");
            }
            printed.push('\n');
        }
        expect_file![&topic].assert_eq(&printed);
        let blocks = printed.split("## ");
        let is_wrong = |block: &&str| ["ASTRAY", "SILENT", "TOO MANY"].iter().any(|w| block.contains(w));
        blocks.filter(is_wrong).for_each(|block| wrong.push_str(block));
    }
    assert!(wrong.is_empty(), "marks that are not where the messages are:\n{wrong}");
}

#[test]
fn every_message_says_why_and_what_to_type() {
    for case in topics().iter().flat_map(|topic| cases(topic)) {
        let found = messages(&case);
        assert!(!found.is_empty(), "{}: nothing is said", case.name);
        let mut texts: Vec<String> = found.iter().map(|(_, d)| d.message()).collect();
        for text in &texts {
            let lines: Vec<&str> = text.lines().collect();
            let form = lines.len() == 3 && lines[1].starts_with("  why: ") && lines[2].starts_with("  help: ");
            assert!(form, "{}: {text}", case.name);
            assert!(lines[2].contains('`'), "{}: nothing to type: {text}", case.name);
            let capital = |line: &str| line.chars().next().is_some_and(char::is_uppercase);
            let parts = [lines[0], &lines[1][7..], &lines[2][8..]];
            assert!(
                !parts.iter().any(|part| capital(part)),
                "{}: a capital: {text}",
                case.name
            );
            assert!(!text.ends_with('.') || text.ends_with(".."), "{}: {text}", case.name);
        }
        texts.sort();
        let all = texts.len();
        texts.dedup();
        assert_eq!(texts.len(), all, "{}: one message twice: {texts:?}", case.name);
    }
}

/// What is in backticks in a help.
fn to_type(help: &str) -> impl Iterator<Item = &str> {
    help.split('`').skip(1).step_by(2)
}

#[test]
fn what_the_help_says_compiles() {
    let mut tried = 0;
    for case in topics().iter().flat_map(|topic| cases(topic)) {
        if !case
            .lines
            .iter()
            .any(|line| line.split_once('|').unwrap().0.ends_with('>'))
        {
            continue;
        }
        tried += 1;
        let helped = declaration(&case.lines, true).replace(['«', '»'], "");
        for (_, diagnostic) in messages(&case) {
            let text = diagnostic.message();
            let help = text.lines().last().unwrap();
            let typed = |typed: &str| !typed.contains("..") && helped.contains(typed);
            assert!(
                to_type(help).any(typed),
                "{}: nothing of {help} is in {helped}",
                case.name
            );
        }
        let mut sink = Sink::default();
        let derived = derivation(helped.parse::<TokenStream>().unwrap(), &mut sink);
        assert!(derived.is_ok(), "{}: {:?}\n{helped}", case.name, sink.diagnostics());
    }
    assert!(tried >= 30, "{tried} cases");
}

/// A message without the names, numbers and nouns in it.
fn pattern(message: &str) -> String {
    let parts = message.split('`').enumerate();
    let named = parts.map(|(i, part)| if i % 2 == 1 { ".." } else { part });
    let mut plain = named.collect::<String>().replace(|c: char| c.is_ascii_digit(), "");
    let nouns = [
        "an index set",
        "a hyperparameter",
        "a data array",
        "a latent",
        "a count",
        "a definition",
        "no index",
        "indices",
    ];
    nouns.iter().for_each(|noun| plain = plain.replace(noun, "index"));
    plain
}

/// The page of the book: every message of the cases once, with its rule and its help.
#[test]
fn the_book_has_every_message() {
    let mut page = String::from(
        "# Messages of the compiler\n\nA mistake is reported at the token that must change: what is wrong, why it is, and something \
         that can be typed in.\nAll mistakes of a declaration are reported at once, each once, and none of them gives an \
         error where the model is used.\n\n```text\nerror: index `k` runs over `topics`, but `theta` has `docs` here\n\
         \x20        why: index sets are types: an index selects only along its own set\n\
         \x20        help: `theta[d, k]`\n  |\n\
         9 |  count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[k, d] * phi[k, v]);\n\
         \x20 |                                                                  ^\n```\n",
    );
    let mut seen: Vec<String> = Vec::new();
    for topic in [
        "syntax",
        "names",
        "indices",
        "domains",
        "linearity",
        "conjugacy",
        "reuse",
        "time",
        "simplex",
        "totals",
        "release",
        "hyperparameters",
    ] {
        let path = here("tests/messages").join(topic).with_extension("txt");
        page.push_str(&format!(
            "\n#{}| message | why | what to type |\n|---|---|---|\n",
            head(&path)
        ));
        for (_, diagnostic) in cases(&path).iter().flat_map(messages) {
            let text = diagnostic.message();
            let [what, why, help] = text.lines().collect::<Vec<_>>()[..] else {
                panic!("three lines: {text}");
            };
            // One message may have several rules, of which the first words tell.
            let rule: String = pattern(&why[7..]).chars().take(20).collect();
            let known = pattern(what) + &rule;
            if !seen.contains(&known) {
                seen.push(known);
                let row = [what, &why[7..], &help[8..]].map(|cell| cell.replace('|', "\\|"));
                page.push_str(&format!("| {} |\n", row.join(" | ")));
            }
        }
    }
    assert_eq!(topics().len(), 12, "a topic that is not in the book");
    expect_file![here("../../docs/src/errors.md")].assert_eq(&page);
}

/// `Gamma2` is another family than `Gamma`, not a slip.
#[test]
fn a_name_with_a_number_is_a_name_of_its_own() {
    let declaration = "model M { index docs; latent theta[d in docs] ~ Gamma2(shape = 1.0, rate = 1.0); \
                       count y[d in docs] ~ Poisson(theta[d]); }";
    let mut sink = Sink::default();
    let derived = derivation(declaration.parse::<TokenStream>().unwrap(), &mut sink);
    assert!(derived.is_ok_and(|derived| derived.updates[0].conditional.law.family.name == "Gamma2"));
}

/// At the limits of numbers, and at zero where a domain has it, a declaration is accepted.
#[test]
fn numbers_at_their_limits_are_accepted() {
    for (domain, value) in [
        ("positive", "1e150"),
        ("positive", "1e-150"),
        ("nonnegative", "0.0"),
        ("unit", "1.0"),
    ] {
        let declaration = format!(
            "model M {{ index docs; hyper c: {domain} = {value}; latent theta[d in docs] ~ Gamma(shape = 1e-150, rate = 1e150); \
             count y[d in docs] ~ Poisson(c * theta[d]); }}"
        );
        let mut sink = Sink::default();
        let derived = derivation(declaration.parse::<TokenStream>().unwrap(), &mut sink);
        assert!(derived.is_ok(), "{domain} = {value}: {:?}", sink.diagnostics());
    }
}
