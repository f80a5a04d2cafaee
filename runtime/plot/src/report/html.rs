//! A page as it grows.

use std::fmt::Write as _;

use pulldown_latex::{Parser, RenderConfig, Storage, config::DisplayMode, push_mathml};

use crate::Picture;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The text of a page.
pub(super) struct Page {
    text: String,
}

/// Text between tags and in attributes.
pub(super) fn escaped(text: &str) -> String {
    let each = text.chars().map(|c| match c {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        c => c.to_string(),
    });
    each.collect()
}

impl Page {
    /// With its head. The policy forbids all requests; style, script and pictures are in the page.
    pub fn new(title: &str) -> Self {
        let title = escaped(title);
        let text = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        Self { text }
    }

    pub fn heading(&mut self, text: &str) {
        self.element("h2", "", text);
    }

    pub fn subheading(&mut self, text: &str) {
        self.element("h3", "", text);
    }

    pub fn paragraph(&mut self, text: &str) {
        self.element("p", "", text);
    }

    pub fn remark(&mut self, text: &str) {
        self.element("p", " class=\"remark\"", text);
    }

    fn element(&mut self, name: &str, attributes: &str, text: &str) {
        let _ = writeln!(self.text, "<{name}{attributes}>{}</{name}>", escaped(text));
    }

    /// What was put together elsewhere.
    pub fn raw(&mut self, html: &str) {
        self.text.push_str(html);
    }

    pub fn warnings(&mut self, warnings: &[&str]) {
        if !warnings.is_empty() {
            self.raw("<ul class=\"warnings\">\n");
            warnings.iter().for_each(|warning| self.element("li", "", warning));
            self.raw("</ul>\n");
        }
    }

    pub fn table(&mut self, heads: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        self.raw("<div class=\"wide\"><table>\n");
        self.row("th", heads.iter().map(|head| (*head).to_owned()));
        rows.into_iter().for_each(|row| self.row("td", row.into_iter()));
        self.raw("</table></div>\n");
    }

    fn row(&mut self, cell: &str, texts: impl Iterator<Item = String>) {
        self.raw("<tr>");
        texts.for_each(|text| {
            let _ = write!(self.text, "<{cell}>{}</{cell}>", escaped(&text));
        });
        self.raw("</tr>\n");
    }

    /// A picture, with what it shows for those who do not see it.
    pub fn picture(&mut self, picture: &Picture, shows: &str) {
        let svg = picture.svg().replacen(
            "<svg ",
            &format!("<svg role=\"img\" aria-label=\"{}\" ", escaped(shows)),
            1,
        );
        let _ = writeln!(self.text, "<div class=\"wide\">{svg}</div>");
    }

    /// A picture that is shown if it is asked for, and printed.
    pub fn folded(&mut self, shows: &str, picture: &Picture) {
        let _ = writeln!(self.text, "<details><summary>{}</summary>", escaped(shows));
        self.picture(picture, shows);
        self.raw("</details>\n");
    }

    /// A line of a derivation: as mathematics if it is a formula that can be set, else as it is written.
    pub fn line(&mut self, plain: &str, latex: Option<&str>) {
        let (latex, source) = match latex.map(|latex| latex.split_once(r" \qquad \text{[")) {
            Some(Some((formula, source))) => (Some(formula), Some(source.trim_end_matches("]}"))),
            _ => (latex, None),
        };
        match latex.and_then(mathml) {
            Some(math) => {
                let source = source.map_or_else(String::new, |source| {
                    format!("<span class=\"source\">{}</span>", escaped(source))
                });
                let _ = writeln!(self.text, "<div class=\"formula\">{math}{source}</div>");
            }
            None => self.paragraph(plain),
        }
    }

    /// The whole text.
    pub fn finish(mut self) -> String {
        let _ = write!(self.text, "<script>\n{SCRIPT}</script>\n</body>\n</html>\n");
        self.text
    }
}

/// LaTeX as MathML; `None` where it is not understood.
fn mathml(latex: &str) -> Option<String> {
    let storage = Storage::new();
    let events: Vec<_> = Parser::new(latex, &storage).collect();
    if events.iter().any(Result::is_err) {
        return None;
    }
    let config = RenderConfig {
        display_mode: DisplayMode::Block,
        ..RenderConfig::default()
    };
    let mut out = String::new();
    push_mathml(&mut out, events.into_iter(), config).ok()?;
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_formulas_are_set() {
        let mut page = Page::new("<b> & \"c\"");
        page.line(
            r"a = b",
            Some(r"\theta_{d,k} \sim \mathrm{Gamma}\left(a, b\right) \qquad \text{[VI18, eq. 1]}"),
        );
        page.line("a ~ <i>", Some(r"\frac{"));
        let text = page.finish();
        assert!(text.contains("<title>&lt;b&gt; &amp; &quot;c&quot;</title>"));
        assert!(
            text.contains("<math") && text.contains("<span class=\"source\">VI18, eq. 1</span>"),
            "{text}"
        );
        assert!(text.contains("<p>a ~ &lt;i&gt;</p>"));
        assert!(
            !text.contains("http://") || text.matches("http://").count() == text.matches("http://www.w3.org/").count()
        );
    }
}
