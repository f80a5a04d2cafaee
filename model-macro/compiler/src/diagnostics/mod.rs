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

    /// Why and help for one that has none of its own.
    pub fn or(mut self, why: impl Into<String>, help: impl Into<String>) -> Self {
        self.why.get_or_insert_with(|| why.into());
        self.help.get_or_insert_with(|| help.into());
        self
    }

    /// Where it points.
    pub fn span(&self) -> Span {
        self.span
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

/// A parser's mistake, whose message may have the three parts of [`Diagnostic::message`].
impl From<syn::Error> for Diagnostic {
    fn from(error: syn::Error) -> Self {
        let message = error.to_string();
        let (rest, help) = match message.split_once("\n  help: ") {
            Some((rest, help)) => (rest, Some(help.to_string())),
            None => (&message[..], None),
        };
        let (what, why) = match rest.split_once("\n  why: ") {
            Some((what, why)) => (what, Some(why.to_string())),
            None => (rest, None),
        };
        Self {
            span: error.span(),
            what: what.to_string(),
            why,
            help,
        }
    }
}

/// Collects mistakes. Phases push and carry on; the driver looks at barriers.
#[derive(Debug, Default)]
pub struct Sink {
    found: Vec<Diagnostic>,
}

impl Sink {
    /// Takes over what another one was told.
    pub fn append(&mut self, other: Self) {
        other.found.into_iter().for_each(|mistake| self.push(mistake));
    }

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
