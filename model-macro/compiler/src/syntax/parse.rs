//! The head of a declaration, and its statements: split at `;`, then parsed one by one.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser, Result};
use syn::{Attribute, Ident, Token, Visibility};

use super::ast::*;
use super::attributes::{at_hash, attributes, comment};
use super::bind::name;
use super::channel::is_channel;
use super::clause::{guards, no_where};
use super::foreign::is_of_counts;
use super::shown::until;
use super::statement::{no_prior, statement};
use super::wrong::{STATEMENTS, at_comma, at_statement, comma_for_end, listed, report, skip, word, wrong};
use crate::diagnostics::{Diagnostic, Sink, nearest};

const ONE_MODEL: &str = "`model!` declares one model: a name and, in braces, its statements";

/// Parses a declaration. `None` if not even its head can be read.
pub fn parse(input: TokenStream, sink: &mut Sink) -> Option<Declaration> {
    match (|input: ParseStream| head(input, sink)).parse2(input) {
        Ok((attrs, vis, name, body)) => {
            let statements = split(body);
            let items = statements
                .into_iter()
                .flat_map(|statement| items(statement, sink))
                .collect();
            Some(Declaration {
                attrs,
                vis,
                name,
                items,
            })
        }
        Err(error) => {
            sink.push(Diagnostic::from(error).or(ONE_MODEL, "`pub model Topics { .. }`"));
            None
        }
    }
}

fn head(input: ParseStream, sink: &mut Sink) -> Result<(Vec<Attribute>, Visibility, Ident, TokenStream)> {
    let attrs = attributes(input, sink)?;
    let vis = input.parse()?;
    let (span, form) = (input.span(), "`pub model Topics { .. }`");
    let (what, why) = ("a declaration begins with `model`", ONE_MODEL);
    let keyword = input.call(Ident::parse_any).map_err(|_| wrong(span, what, why, form))?;
    let near = nearest(&keyword.to_string(), ["model"]).is_some();
    if keyword != "model" {
        let help = if near { "did you mean `model`?" } else { form };
        // Of something else that has a name and a body the name is kept.
        let named = input.peek(Ident) && input.peek2(syn::token::Brace);
        if !near && !named {
            return Err(wrong(span, what, why, form));
        }
        sink.push(Diagnostic::new(span, what).why(why).help(help));
    }
    let name = name(input, "the model")?;
    let body;
    syn::braced!(body in input);
    let body: TokenStream = body.parse()?;
    if !input.is_empty() {
        sink.push(
            Diagnostic::new(input.span(), "one `model!` declares one model")
                .why("everything that is generated is named after its model")
                .help("put what follows into a `model!` of its own: `model! { .. }`"),
        );
        skip(input, |_| false);
    }
    // The statements of something else would only be strange.
    let body = if near { body } else { TokenStream::new() };
    Ok((attrs, vis, name, body))
}

/// One statement: its tokens without the `;`, and where the `;` stands or should stand.
struct Statement {
    tokens: TokenStream,
    ended: bool,
    end: Span,
}

/// A block that no keyword of a statement begins ends like one: it is a mistake, and what follows is not.
fn split(body: TokenStream) -> Vec<Statement> {
    let (mut all, mut tokens, mut end) = (Vec::new(), TokenStream::new(), Span::call_site());
    let mut body = body.into_iter().peekable();
    let is_end = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ';');
    while let Some(token) = body.next() {
        end = token.span();
        let ends = is_end(&token);
        let is_strange = is_block(&token) && !declares(&tokens);
        if !ends {
            tokens.extend([token]);
        }
        if is_strange {
            body.next_if(is_end);
        }
        if ends || is_strange {
            let (tokens, ended) = (std::mem::take(&mut tokens), true);
            all.push(Statement { tokens, ended, end });
        }
    }
    if !tokens.is_empty() {
        let ended = false;
        all.push(Statement { tokens, ended, end });
    }
    all
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Whether the keyword of a statement, or one that is near, stands first.
fn declares(tokens: &TokenStream) -> bool {
    let known = STATEMENTS.map(|(keyword, _)| keyword);
    match tokens.clone().into_iter().next() {
        Some(TokenTree::Ident(word)) => nearest(&word.to_string(), known).is_some(),
        other => other.is_some(),
    }
}

/// Whether there is nothing but a comment in the manner of another language, which ends with its line.
fn is_comment(tokens: &TokenStream) -> bool {
    let words: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let begins = |two: &[TokenTree]| match two {
        [TokenTree::Ident(keyword), TokenTree::Ident(_)] => STATEMENTS.iter().any(|(k, _)| keyword == k),
        _ => false,
    };
    matches!(words.first(), Some(TokenTree::Punct(p)) if p.as_char() == '#') && !words.windows(2).any(begins)
}

/// The items of one statement: more than one where a `;` is missing between them.
fn items(statement: Statement, sink: &mut Sink) -> Vec<Item> {
    let Statement { tokens, ended, end } = statement;
    if tokens.is_empty() {
        sink.push(
            Diagnostic::new(end, "empty statement")
                .why("every statement declares something and ends with one `;`")
                .help("remove this `;`"),
        );
        return Vec::new();
    }
    if !ended && !is_comment(&tokens) {
        sink.push(
            Diagnostic::new(end, "the last statement does not end")
                .why("every statement ends with `;`")
                .help("add `;` after this token"),
        );
    }
    // What is missing at the end is reported where the statement ends, not at the whole declaration.
    let mut group = Group::new(Delimiter::Brace, tokens);
    group.set_span(end);
    let (mut all, before) = (Vec::new(), sink.diagnostics().len());
    let mentioned = mentioned(group.stream());
    let mut nameless = false;
    let parser = |input: ParseStream| {
        let inside;
        syn::braced!(inside in input);
        if at_hash(&inside) {
            comment(&inside, sink);
        }
        if !inside.is_empty() {
            nameless |= item(&inside, sink, &mut all);
        }
        while !inside.is_empty() {
            if comma_for_end(&inside) {
                sink.push(
                    Diagnostic::new(inside.span(), "`,` where a statement ends")
                        .why("every statement ends with `;`")
                        .help("`;`"),
                );
                inside.parse::<Token![,]>()?;
                nameless |= item(&inside, sink, &mut all);
            } else if at_statement(&inside) {
                let keyword = word(&inside).map_or(String::new(), |word| word.to_string());
                sink.push(
                    Diagnostic::new(inside.span(), format!("a `;` is missing before `{keyword}`"))
                        .why("every statement ends with `;`")
                        .help(format!("`; {keyword}`")),
                );
                nameless |= item(&inside, sink, &mut all);
            } else {
                rest(&inside, sink, all.last_mut());
            }
        }
        Ok(())
    };
    // What was passed over after a mistake is one more for the parser, and none for the user.
    if let (Err(error), true) = (
        parser.parse2(TokenTree::Group(group).into()),
        sink.diagnostics().len() == before,
    ) {
        report(error, "latent", sink);
    }
    if sink.diagnostics().len() > before {
        all.push(Item::Broken {
            names: mentioned,
            nameless,
        });
    }
    all
}

/// Parses one item into `all`; what is wrong with it is reported here. Whether it declares something without
/// a name.
fn item(input: ParseStream, sink: &mut Sink, all: &mut Vec<Item>) -> bool {
    let (error, keyword, nameless) = match keyword(input, sink) {
        Ok((attrs, keyword)) => match statement(input, keyword, attrs, sink) {
            Ok((item, nameless)) => {
                all.push(item);
                return nameless;
            }
            Err(error) => (error, keyword, true),
        },
        Err(error) => (error, "latent", false),
    };
    report(error, keyword, sink);
    skip(input, at_statement);
    nameless
}

/// Doc comments, and the keyword that was written or meant.
fn keyword(input: ParseStream, sink: &mut Sink) -> Result<(Vec<Attribute>, &'static str)> {
    let attrs = attributes(input, sink)?;
    let known = STATEMENTS.map(|(keyword, _)| keyword);
    let why = format!("a statement begins with one of {}", listed(known));
    let span = input.span();
    let Some(word) = word(input) else {
        let form = format!("`{}`", STATEMENTS[0].1);
        return Err(wrong(span, "a statement is expected here", why, form));
    };
    let found = known.into_iter().find(|keyword| word == keyword);
    if let (None, Some(keyword)) = (found, missing(input)) {
        let form = format!("`{keyword} {};`", until(input, at_statement));
        let mistake = Diagnostic::new(span, format!("`{keyword}` is missing before `{word}`"));
        sink.push(mistake.why(why).help(form));
        return Ok((attrs, keyword));
    }
    input.call(Ident::parse_any)?;
    if let Some(keyword) = found {
        return Ok((attrs, keyword));
    }
    let what = format!("`{word}` is not a statement");
    match nearest(&word.to_string(), known).or_else(|| missing(input)) {
        Some(near) => {
            let help = format!("did you mean `{near}`?");
            sink.push(Diagnostic::new(span, what).why(why).help(help));
            Ok((attrs, near))
        }
        None => {
            let help = "`latent theta[..] ~ ..;` declares what is learned, `hyper` and `data` what is known";
            Err(wrong(span, what, why, help))
        }
    }
}

/// The keyword of a statement that begins with a name instead: what stands behind the name and its brackets tells it.
fn missing(input: ParseStream) -> Option<&'static str> {
    let ahead = input.fork();
    ahead.call(Ident::parse_any).ok()?;
    let is_array = ahead.peek(syn::token::Bracket);
    if is_array {
        ahead.parse::<TokenTree>().ok()?;
    }
    if ahead.peek(Token![where]) {
        return Some("count");
    }
    if ahead.parse::<Token![~]>().is_ok() {
        let law = word(&ahead).map_or(String::new(), |law| law.to_string());
        return Some(if is_of_counts(&law) { "count" } else { "latent" });
    }
    if ahead.peek(Token![=]) && !ahead.peek(Token![==]) {
        return Some("let");
    }
    if ahead.peek(Token![:]) && !ahead.peek(Token![::]) {
        let is_ordered = ahead.parse::<Token![:]>().is_ok() && word(&ahead).is_some_and(|word| word == "ordered");
        return Some(match (is_ordered, is_array) {
            (true, _) => "index",
            (false, true) => "data",
            (false, false) => "hyper",
        });
    }
    let is_release = word(&ahead).is_some_and(|word| word == "by") && !is_array;
    is_release.then(|| {
        let _ = ahead.call(Ident::parse_any);
        let by = word(&ahead).map_or(String::new(), |by| by.to_string());
        if is_channel(&by) { "release" } else { "update" }
    })
}

/// What follows a whole statement.
fn rest(input: ParseStream, sink: &mut Sink, item: Option<&mut Item>) {
    let span = input.span();
    match item {
        _ if at_hash(input) => return comment(input, sink),
        Some(Item::Count(count)) if input.peek(Token![where]) => return where_behind(input, sink, count),
        Some(_) if input.peek(Token![where]) => sink.push(no_where(span)),
        Some(Item::Data(data)) if at_comma(input) => {
            let next = until(input, |_| false);
            sink.push(
                Diagnostic::new(span, format!("`data` declares one array: `{}` ends here", data.name))
                    .why("each known array has a statement of its own")
                    .help(format!("`; data{}`", next.trim_start_matches(','))),
            );
        }
        Some(Item::Data(Data { name, binds, .. })) if input.peek(Token![~]) => {
            sink.push(no_prior(input, name, "data", binds));
        }
        _ => sink.push(
            Diagnostic::new(span, "the statement should end here")
                .why("every statement ends with `;`")
                .help("put `;` before this token, or remove what follows"),
        ),
    }
    skip(input, at_statement);
}

/// A clause behind the law: reported, and read all the same.
fn where_behind(input: ParseStream, sink: &mut Sink, count: &mut Count) {
    let span = input.span();
    let clause = until(input, at_statement);
    let binds = count.binds.iter().map(|bind| format!("{} in {}", bind.var, bind.set));
    let binds: Vec<String> = binds.collect();
    sink.push(
        Diagnostic::new(span, "`where` stands before `~`")
            .why("it says which cells of a count there are")
            .help(format!(
                "`count {}[{}] {clause} ~ Poisson(..);`",
                count.name,
                binds.join(", ")
            )),
    );
    match guards(input, &count.binds, sink) {
        Ok((guards, partial)) => {
            count.guards.extend(guards);
            count.partial |= partial;
        }
        Err(error) => sink.push(error.into()),
    }
}

/// Every name that a statement with a mistake may declare: those outside brackets, up to its law or its body.
fn mentioned(tokens: TokenStream) -> Vec<Ident> {
    let mut names = Vec::new();
    let mut tokens = tokens.into_iter().peekable();
    let definition = matches!(tokens.peek(), Some(TokenTree::Ident(word)) if word == "let");
    for token in tokens {
        match token {
            // Keywords of Rust cannot be names.
            TokenTree::Ident(name) => names.extend(syn::parse2::<Ident>(TokenTree::Ident(name).into()).ok()),
            TokenTree::Punct(p) if p.as_char() == '~' || (definition && p.as_char() == '=') => break,
            _ => {}
        }
    }
    names
}
