//! Components of a factorization: bars of their largest entries.

use ndarray::Array2;

use super::canvas::{BAR, Canvas, GREY, INK, Side, shortened, that_fit};
use super::figure::sealed::Drawn;
use super::{Figure, Part, Picture, PlotError};
use skellam::diagnose::top_words;

/// Width that a panel needs.
const PANEL: i32 = 216;
/// Height of a line.
const LINE: i32 = 16;
const HEAD: i32 = 36;
/// Room for labels.
const LABEL: i32 = 104;
/// Room behind the longest bar for its number.
const NUMBER: i32 = 44;

/// Components, each a panel with a bar for each entry.
///
/// ```
/// use skellam_plot::{Component, Components, Figure};
/// let crude = Component::new("1").remark("61 % of all words").entry("oil", 0.7).entry("crude", 0.3);
/// let picture = Figure::new("").part(Components::new("The largest topics").component(crude)).draw();
/// assert!(picture.svg().contains("crude"));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Components {
    title: String,
    remark: String,
    all: Vec<Component>,
}

/// One component with the entries that are drawn of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Component {
    heading: String,
    remark: String,
    entries: Vec<(String, f64)>,
}

impl Component {
    /// A component without entries.
    pub fn new(heading: &str) -> Self {
        Self {
            heading: heading.to_owned(),
            ..Self::default()
        }
    }

    /// Something beside the heading.
    #[must_use]
    pub fn remark(mut self, remark: &str) -> Self {
        remark.clone_into(&mut self.remark);
        self
    }

    /// Adds an entry: its label, and its share of the component from 0 to 1, written in percent.
    #[must_use]
    pub fn entry(mut self, label: &str, share: f64) -> Self {
        self.entries.push((label.to_owned(), share));
        self
    }
}

impl Components {
    /// No component so far.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            ..Self::default()
        }
    }

    /// The same under a title.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Self {
        title.clone_into(&mut self.title);
        self
    }

    /// Something on the right of the title.
    #[must_use]
    pub fn remark(mut self, remark: &str) -> Self {
        remark.clone_into(&mut self.remark);
        self
    }

    /// Adds a component.
    #[must_use]
    pub fn component(mut self, component: Component) -> Self {
        self.all.push(component);
        self
    }

    /// The `n` largest entries of each row of `values` (components x entries), as shares of their row. Without labels, entries are
    /// named by their numbers, from 0.
    ///
    /// # Errors
    /// [`PlotError::Labels`].
    pub fn of(values: &Array2<f64>, given: &[impl AsRef<str>], n: usize) -> Result<Self, PlotError> {
        if !given.is_empty() && given.len() != values.ncols() {
            return Err(PlotError::Labels {
                of: "entries of a component",
                expected: values.ncols(),
                given: given.len(),
            });
        }
        let mut components = Self::new("");
        for (number, entries) in top_words(values, n).into_iter().enumerate() {
            let total: f64 = values.row(number).iter().sum();
            let mut component = Component::new(&(number + 1).to_string());
            for entry in entries {
                let label = given.get(entry).map(|label| label.as_ref().to_owned());
                let label = label.unwrap_or_else(|| entry.to_string());
                component = component.entry(&label, values[(number, entry)] / total);
            }
            components = components.component(component);
        }
        Ok(components)
    }

    /// Panels side by side.
    fn across(&self, width: i32) -> i32 {
        (width / PANEL).min(self.all.len() as i32).max(1)
    }

    fn panel_height(&self) -> i32 {
        let most = self
            .all
            .iter()
            .map(|component| component.entries.len())
            .max()
            .unwrap_or(0);
        HEAD + LINE * most as i32
    }

    fn head(&self) -> i32 {
        if self.title.is_empty() && self.remark.is_empty() {
            0
        } else {
            HEAD
        }
    }
}

/// The `n` largest entries of each component, with their labels: the top words of topics. `values` is components x entries, such as
/// `fit.phi.mean()?`, and `labels` are those of the entries, such as `fit.labels(Topics::WORDS)`.
///
/// # Errors
/// [`PlotError::Labels`].
pub fn components(
    title: &str,
    values: &Array2<f64>,
    labels: &[impl AsRef<str>],
    n: usize,
) -> Result<Picture, PlotError> {
    Ok(Figure::new(title)
        .remark(&format!("the {n} largest entries of each component, in percent of it"))
        .width(1160)
        .part(Components::of(values, labels, n)?)
        .draw())
}

impl Part for Components {}

impl Drawn for Components {
    fn height(&self, width: i32) -> i32 {
        let across = self.across(width);
        self.head() + (self.all.len() as i32 + across - 1) / across * self.panel_height()
    }

    fn draw(&self, canvas: &Canvas<'_>, [left, top]: [i32; 2], width: i32) {
        canvas.bold(&self.title, [left, top + 10], 15.0, Side::Left);
        canvas.text(&self.remark, [left + width, top + 10], 12.0, Side::Right, GREY);
        let (top, across) = (top + self.head() + 8, self.across(width));
        // Few components have wider panels, up to a limit.
        let panel = (width / across).min(PANEL * 3 / 2);
        for (number, component) in (0..).zip(&self.all) {
            let (x, y) = (
                left + number % across * panel,
                top + number / across * self.panel_height(),
            );
            canvas.bold(&component.heading, [x + LABEL - 6, y], 14.0, Side::Right);
            canvas.text(&component.remark, [x + LABEL, y], 12.0, Side::Left, GREY);
            let largest = component.entries.iter().map(|entry| entry.1).fold(0.0, f64::max);
            for (line, (label, share)) in (0..).zip(&component.entries) {
                let y = y + 22 + line * LINE;
                let label = shortened(label, that_fit(LABEL - 10, 12.0));
                canvas.text(&label, [x + LABEL - 6, y], 12.0, Side::Right, INK);
                let longest = f64::from(panel - LABEL - NUMBER);
                let length = if largest > 0.0 {
                    (share / largest * longest).round() as i32
                } else {
                    0
                };
                canvas.rect([x + LABEL, y - 6], [length.max(1), 12], BAR);
                let percent = format!("{:.1}", 100.0 * share);
                canvas.text(&percent, [x + LABEL + length.max(1) + 4, y], 10.0, Side::Left, GREY);
            }
        }
    }
}
