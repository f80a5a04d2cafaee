//! Formatted Rust in fewer lines: what fits into one is not broken into several, and each item has an empty line above it.

use super::chains;

/// The longest line, in characters.
pub(super) const WIDTH: usize = 120;

/// Lists and calls that fit are joined; a list whose one element is broken has its brackets on the lines of the element.
pub(super) fn joined(source: &str) -> String {
    // What was joined inside may let more fit around it.
    once(&once(source))
}

fn once(source: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    // Lines that end with a bracket that is not closed yet.
    let mut open: Vec<usize> = Vec::new();
    let source = chains::joined(source.lines().flat_map(texts).collect());
    for line in source {
        let line = line.as_str();
        let text = line.trim_start();
        if is_comment(text) {
            out.push(line.to_owned());
            continue;
        }
        if text.starts_with([')', ']', '}']) {
            match open.pop() {
                Some(begin) => close(&mut out, begin, line),
                None => out.push(line.to_owned()),
            }
        } else if OPERATORS.iter().any(|operator| text.starts_with(operator)) {
            let fits = out
                .last()
                .filter(|last| !is_comment(last.trim_start()))
                .is_some_and(|last| width(last) + 1 + width(text) <= WIDTH);
            match out.last_mut().filter(|_| fits) {
                Some(last) => *last += &format!(" {text}"),
                None => out.push(line.to_owned()),
            }
        } else {
            out.push(line.to_owned());
        }
        if ends_open(out.last().map_or("", String::as_str)) {
            open.push(out.len() - 1);
        }
    }
    spaced(&out)
}

/// Lines of a text that stand side by side as arguments, one below another.
fn texts(line: &str) -> Vec<String> {
    const BETWEEN: &str = "\\n\", \"";
    if !line.trim_start().starts_with('"') || !line.contains(BETWEEN) {
        return vec![line.to_owned()];
    }
    let inset = " ".repeat(indent(line));
    let parts: Vec<&str> = line.trim_start().split(BETWEEN).collect();
    let last = parts.len() - 1;
    let of = |(i, part): (usize, &&str)| {
        let (open, close) = (if i > 0 { "\"" } else { "" }, if i < last { "\\n\"," } else { "" });
        format!("{inset}{open}{part}{close}")
    };
    parts.iter().enumerate().map(of).collect()
}

/// What a broken expression goes on with.
const OPERATORS: [&str; 5] = ["+ ", "- ", "* ", "/ ", "+= "];

pub(super) fn width(line: &str) -> usize {
    line.chars().count()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_comment(text: &str) -> bool {
    text.starts_with("//")
}

fn ends_open(line: &str) -> bool {
    !is_comment(line.trim_start()) && line.ends_with(['(', '[', '{'])
}

/// Closes the bracket that the line number `begin` ends with, in as few lines as it takes.
fn close(out: &mut Vec<String>, begin: usize, closing: &str) {
    let (open, inside, end) = (&out[begin], &out[begin + 1..], closing.trim_start());
    let of_value = match inside {
        [value] if is_body_of_value(open, value) => {
            let value = value.trim_start();
            Some(match (open.strip_suffix("| {"), open.strip_suffix("=> {")) {
                (Some(closure), _) => format!("{closure}| {value}{}", end.trim_start_matches('}')),
                (_, Some(arm)) => format!("{arm}=> {value},"),
                _ => format!("{open} {value} {end}"),
            })
        }
        _ => None,
    };
    let is_list = open.ends_with(['(', '[']) || inside.iter().all(|line| line.ends_with(','));
    let is_flat = inside
        .iter()
        .all(|line| !is_comment(line.trim_start()) && !line.ends_with(';'));
    let of_list = (is_list && is_flat).then(|| {
        let words: Vec<&str> = inside.iter().map(|line| line.trim()).collect();
        let words = words.join(" ");
        let space = if open.ends_with('{') { " " } else { "" };
        format!("{open}{space}{}{space}{end}", words.trim_end_matches(','))
    });
    let mut whole = of_value.into_iter().chain(of_list);
    if let Some(one) = whole.find(|one| width(one) <= WIDTH) {
        out.truncate(begin);
        out.push(one);
        return;
    }
    if is_list && let Some(last) = ends_in_closure(inside, indent(&out[begin])) {
        let words: Vec<&str> = inside[..=last].iter().map(|line| line.trim()).collect();
        let one = format!("{}{}", out[begin], words.join(" "));
        if width(&one) <= WIDTH {
            let body: Vec<String> = inside[last + 1..]
                .iter()
                .map(|line| line.strip_prefix("    ").map(str::to_owned).unwrap_or_default())
                .collect();
            out.truncate(begin);
            out.push(one);
            out.extend(body);
            if let Some(end) = out.last_mut() {
                *end = format!("{}{}", end.trim_end_matches(','), closing.trim_start());
            }
            return;
        }
    }
    if is_list && holds_one(inside, indent(&out[begin])) {
        let first = out.remove(begin + 1);
        out[begin] += first.trim_start();
        for line in &mut out[begin + 1..] {
            *line = line.strip_prefix("    ").map(str::to_owned).unwrap_or_default();
        }
        if let Some(last) = out.last_mut() {
            *last = format!("{}{}", last.trim_end_matches(','), closing.trim_start());
        }
        return;
    }
    out.push(closing.to_owned());
}

/// Whether a line is the value of a closure, of an arm, or of the `else` of a `let`, that stands in braces only as it was broken.
fn is_body_of_value(open: &str, value: &str) -> bool {
    let is_value = !value.ends_with([';', ',', '{', '}']) && !is_comment(value.trim_start());
    is_value
        && (["| {", "=> {"].iter().any(|end| open.ends_with(end))
            || (open.trim_start().starts_with("let ") && open.ends_with(" else {")))
}

/// Where the last element of a list begins, if it is a closure with a body of several lines, and those before it are one line each.
fn ends_in_closure(inside: &[String], list: usize) -> Option<usize> {
    let last = inside.iter().position(|line| line.ends_with("| {"))?;
    let (before, after) = (&inside[..=last], &inside[last + 1..]);
    let is_flat = before
        .iter()
        .all(|line| indent(line) == list + 4 && !is_comment(line.trim_start()));
    let end = after.iter().position(|line| indent(line) == list + 4)?;
    (is_flat && end + 1 == after.len() && after[end].trim() == "},").then_some(last)
}

/// Whether a list has one element, which is itself broken: nothing but its brackets stands at the depth of the list.
fn holds_one(inside: &[String], list: usize) -> bool {
    let elements = inside.iter().filter(|line| indent(line) == list + 4);
    let [first, last] = [inside.first(), inside.last()].map(|line| line.map_or("", String::as_str));
    ends_open(first) && last.ends_with(',') && elements.count() == 2 && last.trim_start().starts_with(['}', ']', ')'])
}

/// An empty line before every item that does not open a block.
fn spaced(lines: &[String]) -> String {
    let mut out = String::new();
    let mut before = "";
    for line in lines {
        let starts = |word: &str| line.trim_start().starts_with(word);
        let opens = ["///", "#[", "fn ", "pub fn ", "impl", "pub struct"]
            .into_iter()
            .any(starts);
        let follows = before.trim_start().starts_with("///") || before.trim_start().starts_with("#[");
        let first = before.trim_end().ends_with('{') || before.is_empty() || before.ends_with(',');
        if opens && !follows && !first {
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
        before = line;
    }
    out
}
