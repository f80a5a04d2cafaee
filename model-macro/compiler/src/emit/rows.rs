//! The table of a declaration, formatted: a row on a line, its documentation above it.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

use super::lines::WIDTH;

/// The invocation as text.
pub(super) fn printed(table: TokenStream) -> String {
    let mut rows = Rows {
        out: String::new(),
        line: String::new(),
        indent: 0,
    };
    rows.print(table);
    rows.end();
    rows.out
}

struct Rows {
    out: String,
    /// The current line so far.
    line: String,
    indent: usize,
}

impl Rows {
    fn print(&mut self, tokens: TokenStream) {
        let mut trees = tokens.into_iter().peekable();
        while let Some(tree) = trees.next() {
            match tree {
                TokenTree::Punct(hash) if hash.as_char() == '#' => {
                    let Some(TokenTree::Group(attribute)) = trees.next() else {
                        unreachable!("an attribute has brackets")
                    };
                    self.end();
                    self.line = attribute_line(&attribute);
                    self.end();
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => self.block(&group),
                TokenTree::Punct(end) if end.as_char() == ';' || (end.as_char() == ',' && self.indent > 4) => {
                    self.line.push(end.as_char());
                    self.end();
                }
                tree => push(&mut self.line, &tree),
            }
        }
    }

    /// A section or a row with parts: on one line where it has no documentation and fits.
    fn block(&mut self, group: &Group) {
        let flat = flat(group.stream());
        let fits = |flat: &String| self.indent + self.line.chars().count() + 5 + flat.chars().count() <= WIDTH;
        match flat.filter(fits) {
            Some(empty) if empty.is_empty() => self.line.push_str(" {}"),
            Some(flat) => self.line.push_str(&format!(" {{ {flat} }}")),
            None => {
                self.line.push_str(" {");
                self.end();
                self.indent += 4;
                self.print(group.stream());
                self.end();
                self.indent -= 4;
                self.line.push('}');
            }
        }
        self.end();
    }

    fn end(&mut self) {
        if !self.line.is_empty() {
            self.out.push_str(&" ".repeat(self.indent));
            self.out.push_str(&self.line);
            self.out.push('\n');
            self.line.clear();
        }
    }
}

/// Tokens on one line; `None` where there is documentation or a block among them.
fn flat(tokens: TokenStream) -> Option<String> {
    let mut line = String::new();
    for tree in tokens {
        match &tree {
            TokenTree::Punct(hash) if hash.as_char() == '#' => return None,
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return None,
            tree => push(&mut line, tree),
        }
    }
    Some(line)
}

/// Appends a token, with a space where one is written.
fn push(line: &mut String, tree: &TokenTree) {
    let text = match tree {
        TokenTree::Group(group) => {
            let (open, close) = match group.delimiter() {
                Delimiter::Parenthesis => ("(", ")"),
                Delimiter::Bracket => ("[", "]"),
                Delimiter::Brace => ("{ ", " }"),
                Delimiter::None => ("", ""),
            };
            let mut inside = String::new();
            group.stream().into_iter().for_each(|tree| push(&mut inside, &tree));
            format!("{open}{inside}{close}")
        }
        other => other.to_string(),
    };
    let tight = match tree {
        TokenTree::Punct(punct) => ",;:!<>".contains(punct.as_char()),
        TokenTree::Group(group) => matches!(group.delimiter(), Delimiter::Bracket | Delimiter::Parenthesis),
        _ => false,
    };
    let in_path = line.ends_with("::") || line.ends_with('<');
    if !line.is_empty() && !tight && !in_path {
        line.push(' ');
    }
    line.push_str(&text);
}

/// `/// text`, or the attribute as it is.
fn attribute_line(attribute: &Group) -> String {
    let documentation: Option<syn::MetaNameValue> = syn::parse2(attribute.stream()).ok();
    let text = documentation
        .as_ref()
        .filter(|name| name.path.is_ident("doc"))
        .map(|name| &name.value);
    match text {
        Some(syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        })) if !text.value().contains('\n') => format!("///{}", text.value()),
        _ => format!("#[{}]", attribute.stream()),
    }
}
