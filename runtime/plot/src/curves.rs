//! Curves over a quantity, in panels side by side.

use super::axes::Scale;
use super::canvas::{CHAINS, Canvas, FAINT, GREY, INK, Paint, STRONG, Side, that_fit};
use super::figure::sealed::Drawn;
use super::{Figure, Part, Picture};

const LEFT: i32 = 58;
const HEAD: i32 = 26;
const PLOT: i32 = 220;
const BELOW: i32 = 50;
const GAP: i32 = 18;
/// Height of a line of the legend, and the width of one of its entries.
const LEGEND: i32 = 22;
const ENTRY: i32 = 110;

/// Panels with curves, side by side. A curve has one colour, that of its name, in all of them.
///
/// ```
/// use skellam_plot::{Curves, Panel, curves};
/// let panel = Panel::new("error").axes("epsilon / N", "mean absolute error");
/// let panel = panel.curve("modelled", &[[1.0, 0.3], [2.0, 0.2]]).level("all zero", 0.4);
/// assert!(curves(&Curves::new(3).panel(panel)).svg().contains("modelled"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Curves {
    across: usize,
    panels: Vec<Panel>,
}

/// One panel: curves, and levels to compare them with.
#[derive(Clone, Debug, Default)]
pub struct Panel {
    title: String,
    labels: [String; 2],
    log: [bool; 2],
    curves: Vec<(String, Vec<[f64; 2]>)>,
    levels: Vec<(String, f64)>,
}

impl Panel {
    /// A panel without curves.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            ..Self::default()
        }
    }

    /// What is along the horizontal and the vertical axis.
    #[must_use]
    pub fn axes(mut self, x: &str, y: &str) -> Self {
        self.labels = [x.to_owned(), y.to_owned()];
        self
    }

    /// Which axes go by powers of ten. Values that are not positive have no place on such an axis and are left out.
    #[must_use]
    pub fn by_powers(mut self, x: bool, y: bool) -> Self {
        self.log = [x, y];
        self
    }

    /// Adds a curve through points `[x, y]`. Points that are not finite are left out.
    #[must_use]
    pub fn curve(mut self, name: &str, points: &[[f64; 2]]) -> Self {
        self.curves.push((name.to_owned(), points.to_vec()));
        self
    }

    /// Adds a horizontal line at `value`, with its name on it.
    #[must_use]
    pub fn level(mut self, name: &str, value: f64) -> Self {
        self.levels.push((name.to_owned(), value));
        self
    }

    /// The coordinates that have a place along an axis.
    fn values(&self, axis: usize) -> impl Iterator<Item = f64> {
        let levels = self.levels.iter().map(|(_, value)| *value).filter(move |_| axis == 1);
        let points = self.curves.iter().flat_map(|(_, points)| points);
        points.map(move |point| point[axis]).chain(levels)
    }

    fn draw(&self, canvas: &Canvas<'_>, [left, top]: [i32; 2], width: i32, colour: impl Fn(&str) -> Paint) {
        let (x, y) = ([left + LEFT, left + width], [top + HEAD + PLOT, top + HEAD]);
        let across = Axis::of(self.values(0), x, self.log[0]);
        let up = Axis::of(self.values(1), y, self.log[1]);
        canvas.bold(&self.title, [x[0], top + 8], 14.0, Side::Left);
        for (value, text) in across.ticks(5) {
            let at = across.at(value);
            canvas.line(&[[at, y[0]], [at, y[0] + 4]], GREY, 1);
            canvas.text(&text, [at, y[0] + 13], 11.0, Side::Middle, GREY);
        }
        for (value, text) in up.ticks(5) {
            let at = up.at(value);
            canvas.line(&[[x[0], at], [x[1], at]], FAINT, 1);
            canvas.text(&text, [x[0] - 5, at], 11.0, Side::Right, GREY);
        }
        canvas.frame([x[0], y[1]], [x[1] - x[0], PLOT]);
        let mut named: Vec<i32> = Vec::new();
        for (name, value) in &self.levels {
            if up.has(*value) {
                let at = up.at(*value);
                canvas.line(&[[x[0], at], [x[1], at]], INK, 1);
                // A name beside one that is as high stands at the other end.
                let is_near = named.iter().any(|other| (at - other).abs() < 12);
                let (end, side) = if is_near {
                    (x[0] + 4, Side::Left)
                } else {
                    (x[1] - 4, Side::Right)
                };
                canvas.text(name, [end, at - 8], 11.0, side, GREY);
                named.push(at);
            }
        }
        for (name, points) in &self.curves {
            let place = |&[a, b]: &[f64; 2]| (across.has(a) && up.has(b)).then(|| [across.at(a), up.at(b)]);
            let placed: Vec<[i32; 2]> = points.iter().filter_map(place).collect();
            canvas.line(&placed, colour(name), 2);
            // More would hide the line.
            if placed.len() <= 12 {
                placed.iter().for_each(|&at| canvas.dot(at, 3, colour(name)));
            }
        }
        let [across, up] = &self.labels;
        canvas.text(across, [(x[0] + x[1]) / 2, y[0] + 32], 12.0, Side::Middle, GREY);
        // Beside the title where there is room for both.
        let room = width - LEFT - self.title.chars().count() as i32 * 9;
        if up.chars().count() <= that_fit(room, 12.0) {
            canvas.text(up, [x[1], top + 8], 12.0, Side::Right, GREY);
        }
    }
}

impl Curves {
    /// No panel so far; at most so many will be side by side.
    pub fn new(across: usize) -> Self {
        Self {
            across: across.clamp(1, 8),
            panels: Vec::new(),
        }
    }

    /// Adds a panel.
    #[must_use]
    pub fn panel(mut self, panel: Panel) -> Self {
        self.panels.push(panel);
        self
    }

    /// The names of all curves, in the order in which they first appear.
    fn names(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for (name, _) in self.panels.iter().flat_map(|panel| &panel.curves) {
            if !names.contains(&name.as_str()) {
                names.push(name.as_str());
            }
        }
        names
    }

    /// The width of an entry of the legend.
    fn entry(&self) -> i32 {
        let longest = self.names().iter().map(|name| name.chars().count()).max();
        ENTRY.max(longest.unwrap_or(0) as i32 * 8 + 44)
    }

    fn legend_rows(&self, width: i32) -> i32 {
        let across = (width / self.entry()).max(1);
        (self.names().len() as i32 + across - 1) / across
    }
}

/// Curves; see [`Curves`].
pub fn curves(part: &Curves) -> Picture {
    Figure::new("").part(part).draw()
}

impl Part for Curves {}

impl Drawn for Curves {
    fn height(&self, width: i32) -> i32 {
        let rows = self.panels.len().div_ceil(self.across.max(1)) as i32;
        rows * (HEAD + PLOT + BELOW) + self.legend_rows(width) * LEGEND
    }

    fn draw(&self, canvas: &Canvas<'_>, [left, top]: [i32; 2], width: i32) {
        let (names, across) = (self.names(), self.across.min(self.panels.len()).max(1) as i32);
        let colour = |name: &str| match names.iter().position(|other| *other == name) {
            Some(at) => CHAINS[at % CHAINS.len()],
            None => STRONG,
        };
        let panel = (width + GAP) / across - GAP;
        for (number, one) in (0..).zip(&self.panels) {
            let at = [
                left + number % across * (panel + GAP),
                top + number / across * (HEAD + PLOT + BELOW),
            ];
            one.draw(canvas, at, panel, colour);
        }
        let top = top + self.height(width) - self.legend_rows(width) * LEGEND;
        let entries = (width / self.entry()).max(1);
        for (number, name) in (0..).zip(&names) {
            let (x, y) = (
                left + number % entries * self.entry(),
                top + 8 + number / entries * LEGEND,
            );
            canvas.line(&[[x, y], [x + 22, y]], colour(name), 3);
            canvas.text(name, [x + 28, y], 12.0, Side::Left, INK);
        }
    }
}

/// An axis by values or by their powers of ten.
struct Axis {
    scale: Scale,
    log: bool,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64>, pixels: [i32; 2], log: bool) -> Self {
        let placed = values.map(|value| if log { value.log10() } else { value });
        Self {
            scale: Scale::of(placed, pixels),
            log,
        }
    }

    fn has(&self, value: f64) -> bool {
        value.is_finite() && (!self.log || value > 0.0)
    }

    fn at(&self, value: f64) -> i32 {
        self.scale.at(if self.log { value.log10() } else { value })
    }

    fn ticks(&self, about: usize) -> Vec<(f64, String)> {
        if !self.log {
            return self.scale.ticks(about);
        }
        let [low, high] = self.scale.ends();
        let powers = (low.floor() as i32..=high.ceil() as i32).map(|power| 10f64.powi(power));
        // Within two decades there are too few powers of ten alone.
        let steps: &[f64] = if high - low < 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let all = powers.flat_map(|power| steps.iter().map(move |step| step * power));
        let inside = all.filter(|value| (low..=high).contains(&value.log10()));
        let written = |value: f64| match value.log10().abs() < 4.0 {
            true => format!("{value}"),
            false => format!("{value:e}"),
        };
        let ticks: Vec<(f64, String)> = inside
            .map(|value| (value, written((value * 1e12).round() / 1e12)))
            .collect();
        match ticks.len() {
            // Within a fraction of a decade: round numbers.
            0 | 1 => Scale::of([low, high].into_iter().map(|end| 10f64.powf(end)), [0, 1]).ticks(about),
            _ => ticks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_have_their_ticks_and_zero_has_no_place() {
        let texts = |values: [f64; 2]| -> Vec<String> {
            let axis = Axis::of(values.into_iter(), [0, 100], true);
            axis.ticks(5).into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(texts([0.9, 11.0]), ["1", "2", "5", "10"]);
        assert_eq!(texts([0.02, 300.0]), ["0.1", "1", "10", "100"]);
        let axis = Axis::of([1.0, 100.0].into_iter(), [0, 100], true);
        assert!(!axis.has(0.0) && !axis.has(f64::INFINITY) && axis.at(10.0) == 50);
    }

    #[test]
    fn a_curve_has_one_colour_in_all_panels() {
        let panel = |name: &str| Panel::new("").curve(name, &[[0.0, 1.0], [1.0, 2.0]]);
        let both = Curves::new(2)
            .panel(panel("ours").curve("naive", &[[0.0, 2.0]]))
            .panel(panel("naive"));
        assert_eq!(both.names(), ["ours", "naive"]);
        let svg = curves(&both).svg().to_owned();
        // Its line and its dots in both panels, and its entry in the legend.
        assert!(svg.matches("#E69F00").count() >= 5, "{svg}");
    }
}
