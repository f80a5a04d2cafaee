//! Formatted Rust in fewer lines: what fits into one is not broken into several, and each item has an empty line above it.

/// The longest line, in characters.
pub(super) const WIDTH: usize = 120;

/// Lists and calls that fit are joined; a list whose one element is broken has its brackets on the lines of the element.
pub(super) fn joined(source: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    // Lines that end with a bracket that is not closed yet.
    let mut open: Vec<usize> = Vec::new();
    let source = source.lines().flat_map(texts);
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
const OPERATORS: [&str; 4] = ["+ ", "- ", "* ", "/ "];

fn width(line: &str) -> usize {
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
    let inside = &out[begin + 1..];
    let is_list = out[begin].ends_with(['(', '[']) || inside.iter().all(|line| line.ends_with(','));
    let is_flat = inside
        .iter()
        .all(|line| !is_comment(line.trim_start()) && !line.ends_with(';'));
    if is_list && is_flat {
        let words: Vec<&str> = inside.iter().map(|line| line.trim()).collect();
        let words = words.join(" ");
        let space = if out[begin].ends_with('{') { " " } else { "" };
        let one = format!(
            "{}{space}{}{space}{}",
            out[begin],
            words.trim_end_matches(','),
            closing.trim_start()
        );
        if width(&one) <= WIDTH {
            out.truncate(begin);
            out.push(one);
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
