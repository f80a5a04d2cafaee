//! Mistakes in a declaration: collected in one place, worded in one voice.

mod suggest;

use proc_macro2::{Span, TokenStream};

pub use suggest::nearest;

/// One mistake, at the token that must change.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    span: Span,
    what: String,
    why: Option<String>,
    help: Option<String>,
}

impl Diagnostic {
    /// What is wrong, in lower case, names in backticks.
    pub fn new(span: Span, what: impl Into<String>) -> Self {
        Self {
            span,
            what: what.into(),
            why: None,
            help: None,
        }
    }

    /// The rule that is broken.
    pub fn why(mut self, why: impl Into<String>) -> Self {
        self.why = Some(why.into());
        self
    }

    /// Something that can be typed in.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// `help` with the nearest of `known`, if one is near.
    pub fn suggest<'a>(self, wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(wrong, known) {
            Some(name) => self.help(format!("did you mean `{name}`?")),
            None => self,
        }
    }

    /// The whole message, a line for each part.
    pub fn message(&self) -> String {
        let mut message = self.what.clone();
        if let Some(why) = &self.why {
            message.push_str(&format!("\n  why: {why}"));
        }
        if let Some(help) = &self.help {
            message.push_str(&format!("\n  help: {help}"));
        }
        message
    }
}

impl From<syn::Error> for Diagnostic {
    fn from(error: syn::Error) -> Self {
        Diagnostic::new(error.span(), error.to_string())
    }
}

/// Collects mistakes. Phases push and carry on; the driver looks at barriers.
#[derive(Debug, Default)]
pub struct Sink {
    found: Vec<Diagnostic>,
}

impl Sink {
    /// Adds a mistake, unless one with the same words stands at the same token already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let same =
            |d: &Diagnostic| d.what == diagnostic.what && format!("{:?}", d.span) == format!("{:?}", diagnostic.span);
        if !self.found.iter().any(same) {
            self.found.push(diagnostic);
        }
    }

    /// Adds a mistake, unless one with the same words stands anywhere: a name that is unknown is unknown
    /// at all of its uses.
    pub fn push_once(&mut self, diagnostic: Diagnostic) {
        if !self.found.iter().any(|d| d.what == diagnostic.what) {
            self.found.push(diagnostic);
        }
    }

    /// Whether nothing was found so far.
    pub fn is_clean(&self) -> bool {
        self.found.is_empty()
    }

    /// What was found.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.found
    }

    /// One `compile_error!` for each mistake.
    pub fn into_tokens(self) -> TokenStream {
        self.found
            .iter()
            .map(|d| syn::Error::new(d.span, d.message()).to_compile_error())
            .collect()
    }
}
