//! Patterns and sums over ranges that the formatter breaks where a person would not.

use super::lines::{WIDTH, width};

/// The lines with such patterns and sums joined where they fit.
pub(super) fn joined(lines: Vec<String>) -> Vec<String> {
    chains(patterns(lines))
}

/// `[d,`, `..,` and `]: rt::At,` as the one line that they are.
fn patterns(lines: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in lines {
        let text = line.trim_start();
        if let Some(last) = out.last_mut().filter(|_| is_open) {
            match text.strip_prefix(']') {
                Some(rest) => {
                    *last = format!("{}]{rest}", last.trim_end_matches(','));
                    is_open = false;
                }
                None => *last += &format!(" {text}"),
            }
            continue;
        }
        is_open = text.starts_with('[') && text.ends_with(',') && !text.contains(']');
        out.push(line);
    }
    out
}

/// `(0..x.docs)`, `.map(..)` and `.sum()` as one line, if all of it fits, and `w`, `.correct_left(` in any case.
fn chains(lines: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut rest = lines.into_iter().peekable();
    while let Some(line) = rest.next() {
        let is_code = !line.trim_start().starts_with("//");
        let is_name = line.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_range = line.contains("(0..") && line.ends_with(')');
        let begins = is_code && (is_name || is_range);
        let mut links = Vec::new();
        while let Some(link) = rest.next_if(|next| begins && next.trim_start().starts_with('.')) {
            links.push(link);
        }
        let whole = links.iter().fold(line.clone(), |whole, link| whole + link.trim_start());
        let is_open = whole.ends_with(['(', '{', '[']);
        match &links[..] {
            // The arguments of the only method follow.
            [link] if is_name && is_open => {
                let depth = link.len() - link.trim_start().len();
                out.push(whole);
                for inside in rest.by_ref() {
                    let is_end = inside.len() - inside.trim_start().len() == depth;
                    out.push(inside.get(INDENT..).unwrap_or_default().to_owned());
                    if is_end {
                        break;
                    }
                }
            }
            // A link with a body of several lines is followed by them.
            _ if width(&whole) <= WIDTH && !is_open => out.push(whole),
            _ => {
                out.push(line);
                out.extend(links);
            }
        }
    }
    out
}

/// By how much a link of a chain is indented.
const INDENT: usize = 4;
