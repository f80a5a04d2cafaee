//! The same block of the matrix three times: released, recovered, and true where that is known.

use plotters::style::RGBColor;

use super::super::error::TopicsError;
use super::super::files::plain;
use super::super::scores::numbers;
use super::super::study::Study;
use super::block::Block;
use super::canvas::{Canvas, FAINT, GREY, INK, Side, shortened};

/// Width of all panels together with the gaps between them, and the height of each.
const WIDTH: i32 = 1092;
const HEIGHT: i32 = 500;
/// Room for the names of topics on the left, and between panels.
const NAMES: i32 = 108;
const GAP: i32 = 24;
/// Shades of each colour.
const SHADES: i32 = 14;
const RED: RGBColor = RGBColor(178, 24, 43);
const BLUE: RGBColor = RGBColor(33, 102, 172);

/// Draws the panels with their names and legend from the upper left corner on.
pub fn draw(canvas: &Canvas<'_>, study: &Study, block: &Block, [left, top]: [i32; 2]) -> Result<(), TopicsError> {
    let truth = study.corpus.counts.as_ref();
    let truth = truth.map(|counts| numbers(counts.as_nonprivate())).transpose()?;
    let mut panels: Vec<(&str, &str, &[f64])> = vec![
        ("Released", "all that inference sees", &study.values),
        ("Recovered", "posterior mean rate", &study.fits.modelled.rate),
    ];
    if let Some(truth) = &truth {
        panels.push(("True", "unknown in earnest", truth));
    }
    let scale = Scale::of(block, &study.values, study.corpus.words.len());
    let width = (WIDTH + GAP) / panels.len() as i32 - GAP;
    for (number, (title, remark, values)) in (0..).zip(panels) {
        let from = left + NAMES + number * (width + GAP);
        canvas.bold(title, [from, top - 14], 15.0, Side::Left)?;
        canvas.text(remark, [from + width, top - 14], 12.0, Side::Right, GREY)?;
        panel(
            canvas,
            block,
            values,
            study.corpus.words.len(),
            &scale,
            [from, top, width],
        )?;
    }
    names(canvas, study, block, [left, top])?;
    let caption = format!(
        "rows: the {} documents most about these topics; columns: the {} top words of theirs",
        block.documents.len(),
        block.words.len()
    );
    let below = top + HEIGHT + 22;
    canvas.text(&caption, [left + NAMES, below], 12.0, Side::Left, GREY)?;
    scale.legend(canvas, [left + NAMES + WIDTH, below])
}

/// Where position `at` of `count` begins on `length` pixels.
fn edge(at: usize, count: usize, length: i32) -> i32 {
    (at as i64 * i64::from(length) / count.max(1) as i64) as i32
}

/// The cells of one panel; neighbours of one shade in a row are one rectangle.
fn panel(
    canvas: &Canvas<'_>,
    block: &Block,
    values: &[f64],
    columns: usize,
    scale: &Scale,
    [left, top, width]: [i32; 3],
) -> Result<(), TopicsError> {
    let (rows, cols) = (block.documents.len(), block.words.len());
    for (row, &document) in block.documents.iter().enumerate() {
        let (y, next) = (edge(row, rows, HEIGHT), edge(row + 1, rows, HEIGHT));
        let shades: Vec<i32> = block
            .words
            .iter()
            .map(|&word| scale.shade(values[document * columns + word]))
            .collect();
        let mut from = 0;
        for run in shades.chunk_by(|a, b| a == b) {
            let to = from + run.len();
            if run[0] != 0 {
                let (x, end) = (edge(from, cols, width), edge(to, cols, width));
                canvas.rect([left + x, top + y], [end - x, next - y], color(run[0]))?;
            }
            from = to;
        }
    }
    canvas.frame([left, top], [width, HEIGHT])
}

/// What the groups of rows are about.
fn names(canvas: &Canvas<'_>, study: &Study, block: &Block, [left, top]: [i32; 2]) -> Result<(), TopicsError> {
    let mut row = 0;
    for (k, [documents, _]) in block.parts.iter().enumerate() {
        let (from, to) = (row, row + documents);
        row = to;
        let [y, end] = [from, to].map(|at| top + edge(at, block.documents.len(), HEIGHT));
        if k > 0 {
            canvas.rect([left, y], [NAMES - 6, 1], FAINT)?;
        }
        // Fewer pixels than a line of text has: left without a name.
        if end - y < 14 {
            continue;
        }
        let words = study.topics[k].words.iter().take(2);
        let words: Vec<String> = words
            .map(|&(v, _)| shortened(&plain(&study.corpus.words[v]), 12))
            .collect();
        let middle = (y + end) / 2;
        canvas.bold(&(k + 1).to_string(), [left + 18, middle], 13.0, Side::Right)?;
        let lines = if end - y < 28 { &words[..1] } else { &words[..] };
        for (line, word) in (0..).zip(lines) {
            let y = middle + 14 * line - 7 * (lines.len() as i32 - 1);
            canvas.text(word, [left + 26, y], 12.0, Side::Left, INK)?;
        }
    }
    Ok(())
}

/// Values to shades: white at zero, square roots so that small counts can be told apart.
struct Scale {
    cap: f64,
}

impl Scale {
    /// A value in fifty is beyond the darkest shade.
    fn of(block: &Block, released: &[f64], columns: usize) -> Self {
        let cells = block
            .documents
            .iter()
            .flat_map(|d| block.words.iter().map(move |v| released[d * columns + v].abs()));
        let mut sizes: Vec<f64> = cells.collect();
        sizes.sort_by(f64::total_cmp);
        let cap = sizes.get(sizes.len() * 49 / 50).copied().unwrap_or(0.0);
        Self { cap: cap.max(3.0) }
    }

    fn shade(&self, value: f64) -> i32 {
        let depth = (value.abs() / self.cap).min(1.0).sqrt() * f64::from(SHADES);
        depth.round() as i32 * if value < 0.0 { -1 } else { 1 }
    }

    fn legend(&self, canvas: &Canvas<'_>, [right, y]: [i32; 2]) -> Result<(), TopicsError> {
        let (steps, width) = (2 * SHADES + 1, 6);
        let bar = right - steps * width - 46;
        for step in 0..steps {
            canvas.rect([bar + step * width, y - 7], [width, 14], color(step - SHADES))?;
        }
        canvas.frame([bar, y - 7], [steps * width, 14])?;
        let cap = self.cap.round();
        canvas.text(&format!("−{cap} or less"), [bar - 6, y], 12.0, Side::Right, GREY)?;
        canvas.text(&format!("{cap}+"), [bar + steps * width + 6, y], 12.0, Side::Left, GREY)?;
        canvas.text("0", [bar + steps * width / 2, y + 17], 12.0, Side::Middle, GREY)
    }
}

fn color(shade: i32) -> RGBColor {
    let full = if shade < 0 { BLUE } else { RED };
    let depth = f64::from(shade.abs()) / f64::from(SHADES);
    let mix = |c: u8| (255.0 + (f64::from(c) - 255.0) * depth).round() as u8;
    RGBColor(mix(full.0), mix(full.1), mix(full.2))
}
