//! Matrices side by side in one scale, zero in white.

use super::canvas::{Canvas, FAINT, GREY, INK, Paint, Side, shortened, that_fit};
use super::figure::sealed::Drawn;
use super::{Figure, Part, Picture};

const TITLE: i32 = 28;
const GAP: i32 = 24;
const BELOW: i32 = 44;
/// Room for what is written beside groups of rows.
const NAMES: i32 = 108;
/// Shades of each colour.
const SHADES: i32 = 14;
const RED: [u8; 3] = [178, 24, 43];
const BLUE: [u8; 3] = [33, 102, 172];

/// Matrices of one shape, each with a title, drawn side by side: positive values in red, negative ones in blue, by the square root
/// of their size, so that small counts can be told apart. One value in fifty is beyond the darkest shade.
///
/// ```
/// use skellam_plot::{Group, Matrices, matrices};
/// let rates = [0.5, 2.0, 1.0, 0.1];
/// let part = Matrices::new([2, 2])
///     .panel("rates", "posterior means", &rates)
///     .rows(&[1, 0])
///     .groups(vec![Group::new(1, &["later"]), Group::new(1, &["earlier"])]);
/// let svg = matrices(&part).svg().to_owned();
/// assert!(svg.contains("later") && svg.contains("posterior means"));
/// ```
#[derive(Clone, Debug)]
pub struct Matrices<'a> {
    shape: [usize; 2],
    panels: Vec<Panel<'a>>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    groups: Vec<Group>,
    caption: String,
    height: i32,
}

#[derive(Clone, Debug)]
struct Panel<'a> {
    title: String,
    remark: String,
    values: &'a [f64],
}

/// Rows that belong together, with what is written beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    rows: usize,
    number: String,
    lines: Vec<String>,
}

impl Group {
    /// The next so many rows. Beside few rows fewer lines are written, or none.
    pub fn new(rows: usize, lines: &[impl AsRef<str>]) -> Self {
        Self {
            rows,
            number: String::new(),
            lines: lines.iter().map(|line| line.as_ref().to_owned()).collect(),
        }
    }

    /// Something short and heavy before the lines: a number.
    #[must_use]
    pub fn numbered(mut self, number: usize) -> Self {
        self.number = number.to_string();
        self
    }
}

impl<'a> Matrices<'a> {
    /// No matrix so far; all will have this shape.
    pub fn new(shape: [usize; 2]) -> Self {
        Self {
            shape,
            panels: Vec::new(),
            rows: (0..shape[0]).collect(),
            columns: (0..shape[1]).collect(),
            groups: Vec::new(),
            caption: String::new(),
            height: 360,
        }
    }

    /// Adds a matrix, row-major, with a title above it on the left and a remark on the right. Entries that are not there are taken
    /// for zero.
    #[must_use]
    pub fn panel(mut self, title: &str, remark: &str, values: &'a [f64]) -> Self {
        self.panels.push(Panel {
            title: title.to_owned(),
            remark: remark.to_owned(),
            values,
        });
        self
    }

    /// Draws these rows, in this order. Rows that the matrices do not have are left out.
    #[must_use]
    pub fn rows(mut self, rows: &[usize]) -> Self {
        self.rows = rows.iter().copied().filter(|&row| row < self.shape[0]).collect();
        self
    }

    /// Draws these columns, in this order. Columns that the matrices do not have are left out.
    #[must_use]
    pub fn columns(mut self, columns: &[usize]) -> Self {
        self.columns = columns
            .iter()
            .copied()
            .filter(|&column| column < self.shape[1])
            .collect();
        self
    }

    /// Groups of the rows that are drawn, from top to bottom.
    #[must_use]
    pub fn groups(mut self, groups: Vec<Group>) -> Self {
        self.groups = groups;
        self
    }

    /// A line below, beside the legend.
    #[must_use]
    pub fn caption(mut self, caption: &str) -> Self {
        caption.clone_into(&mut self.caption);
        self
    }

    /// The height of the matrices in pixels, 360 by default, from 40 to 4,000.
    #[must_use]
    pub fn height(mut self, pixels: u32) -> Self {
        self.height = pixels.clamp(40, 4000) as i32;
        self
    }

    fn names(&self) -> i32 {
        if self.groups.is_empty() { 0 } else { NAMES }
    }

    fn value(&self, panel: &Panel<'_>, row: usize, column: usize) -> f64 {
        let value = panel.values.get(row * self.shape[1] + column).copied().unwrap_or(0.0);
        if value.is_nan() { 0.0 } else { value }
    }

    /// The value of the darkest shade: one in fifty is beyond it.
    fn cap(&self) -> f64 {
        let cells = || {
            self.rows
                .iter()
                .flat_map(|&row| self.columns.iter().map(move |&column| (row, column)))
        };
        let sizes = self
            .panels
            .iter()
            .flat_map(|panel| cells().map(|(row, column)| self.value(panel, row, column).abs()));
        let mut sizes: Vec<f64> = sizes.filter(|size| size.is_finite() && *size > 0.0).collect();
        sizes.sort_unstable_by(f64::total_cmp);
        sizes.get(sizes.len() * 49 / 50).copied().unwrap_or(1.0)
    }
}

/// Matrices side by side; see [`Matrices`].
pub fn matrices(part: &Matrices<'_>) -> Picture {
    Figure::new("").part(part).draw()
}

impl Part for Matrices<'_> {}

impl Drawn for Matrices<'_> {
    fn height(&self, _: i32) -> i32 {
        TITLE + self.height + BELOW
    }

    fn draw(&self, canvas: &Canvas<'_>, [left, top]: [i32; 2], width: i32) {
        let (cap, names) = (self.cap(), self.names());
        let panel = (width - names + GAP) / self.panels.len().max(1) as i32 - GAP;
        let top = top + TITLE;
        for (number, one) in (0..).zip(&self.panels) {
            let from = left + names + number * (panel + GAP);
            canvas.bold(&one.title, [from, top - 14], 15.0, Side::Left);
            canvas.text(&one.remark, [from + panel, top - 14], 12.0, Side::Right, GREY);
            self.cells(canvas, one, cap, [from, top, panel]);
        }
        self.write_groups(canvas, [left, top]);
        let below = top + self.height + 22;
        canvas.text(&self.caption, [left + names, below], 12.0, Side::Left, GREY);
        legend(canvas, cap, [left + width, below]);
    }
}

impl Matrices<'_> {
    /// Neighbours of one shade in a row are one rectangle, and so are equal ones below each other; all of one shade follow each other, so that the
    /// file has one path for them.
    fn cells(&self, canvas: &Canvas<'_>, panel: &Panel<'_>, cap: f64, [left, top, width]: [i32; 3]) {
        let mut rects: Vec<(i32, [i32; 2], [i32; 2])> = Vec::new();
        for (number, &row) in self.rows.iter().enumerate() {
            let (y, next) = (
                edge(number, self.rows.len(), self.height),
                edge(number + 1, self.rows.len(), self.height),
            );
            let shade = |&column: &usize| shade(self.value(panel, row, column), cap);
            let shades: Vec<i32> = self.columns.iter().map(shade).collect();
            let (mut from, begun) = (0, rects.len());
            for run in shades.chunk_by(|a, b| a == b) {
                let to = from + run.len();
                if run[0] != 0 {
                    let (x, end) = (edge(from, shades.len(), width), edge(to, shades.len(), width));
                    let (at, size) = ([left + x, top + y], [end - x, next - y]);
                    let grows = |(shade, [x, y], [width, height]): &(i32, [i32; 2], [i32; 2])| {
                        (*shade, *x, *width, y + height) == (run[0], at[0], size[0], at[1])
                    };
                    match rects[..begun].iter().rposition(grows) {
                        Some(same) => rects[same].2[1] += size[1],
                        None => rects.push((run[0], at, size)),
                    }
                }
                from = to;
            }
        }
        rects.sort_by_key(|(shade, ..)| *shade);
        rects
            .iter()
            .for_each(|&(shade, at, size)| canvas.rect(at, size, color(shade)));
        canvas.frame([left, top], [width, self.height]);
    }

    fn write_groups(&self, canvas: &Canvas<'_>, [left, top]: [i32; 2]) {
        let count = self.rows.len();
        let mut row = 0;
        for (number, group) in self.groups.iter().enumerate() {
            let (from, to) = (row, row + group.rows);
            row = to;
            let [y, end] = [from, to].map(|at| top + edge(at, count, self.height));
            if number > 0 {
                canvas.rect([left, y], [NAMES - 6, 1], FAINT);
            }
            // Fewer pixels than a line of text has: left without a name.
            if end - y < 14 {
                continue;
            }
            let middle = (y + end) / 2;
            canvas.bold(&group.number, [left + 18, middle], 13.0, Side::Right);
            let start = if group.number.is_empty() { left } else { left + 26 };
            let fit = ((end - y) / 14).max(1) as usize;
            let lines = &group.lines[..group.lines.len().min(fit)];
            for (line, text) in (0..).zip(lines) {
                let y = middle + 14 * line - 7 * (lines.len() as i32 - 1);
                let text = shortened(text, that_fit(NAMES - 8 - (start - left), 12.0));
                canvas.text(&text, [start, y], 12.0, Side::Left, INK);
            }
        }
    }
}

/// Where position `at` of `count` begins on `length` pixels.
fn edge(at: usize, count: usize, length: i32) -> i32 {
    (at as i64 * i64::from(length) / count.max(1) as i64) as i32
}

fn shade(value: f64, cap: f64) -> i32 {
    let depth = (value.abs() / cap).min(1.0).sqrt() * f64::from(SHADES);
    depth.round() as i32 * if value < 0.0 { -1 } else { 1 }
}

fn color(shade: i32) -> Paint {
    let full = if shade < 0 { BLUE } else { RED };
    let depth = f64::from(shade.abs()) / f64::from(SHADES);
    let [red, green, blue] = full.map(|c| (255.0 + (f64::from(c) - 255.0) * depth).round() as u8);
    plotters::style::RGBColor(red, green, blue)
}

fn legend(canvas: &Canvas<'_>, cap: f64, [right, y]: [i32; 2]) {
    let (steps, width) = (2 * SHADES + 1, 6);
    let bar = right - steps * width - 90;
    for step in 0..steps {
        canvas.rect([bar + step * width, y - 7], [width, 14], color(step - SHADES));
    }
    canvas.frame([bar, y - 7], [steps * width, 14]);
    let text = if cap >= 10.0 || cap.fract() == 0.0 {
        format!("{cap:.0}")
    } else {
        format!("{cap:.2}")
    };
    canvas.text(&format!("−{text} or less"), [bar - 6, y], 12.0, Side::Right, GREY);
    canvas.text(
        &format!("{text} or more"),
        [bar + steps * width + 6, y],
        12.0,
        Side::Left,
        GREY,
    );
    canvas.text("0", [bar + steps * width / 2, y + 17], 12.0, Side::Middle, GREY);
}
