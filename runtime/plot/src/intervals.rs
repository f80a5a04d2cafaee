//! Intervals of many numbers, a line for each.

use super::axes::Scale;
use super::canvas::{Canvas, FAINT, GREY, INK, STRONG, Side, shortened, that_fit};
use super::figure::sealed::Drawn;
use super::{Figure, Part, Picture};
use skellam::Error;
use skellam::infer::{Draws, FromArray};

const LINE: i32 = 18;
const LABELS: i32 = 190;
const BELOW: i32 = 30;
/// Lines that are drawn, at most.
const MOST: usize = 80;

/// A line: a median with its central intervals of 50 % and 95 %.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// What it is of.
    pub label: String,
    /// Quantiles at 0.025, 0.25, 0.5, 0.75 and 0.975.
    pub quantiles: [f64; 5],
}

impl Interval {
    /// The intervals of every entry of a latent, row-major, over the draws of all chains; `label` names an entry by its index.
    ///
    /// ```text
    /// let lines = Interval::of(&fit.theta, |index| format!("{}, topic {}", names[index[0]], index[1]))?;
    /// intervals("Topics of documents", &lines).save("theta.svg")?;
    /// ```
    ///
    /// # Errors
    /// [`QueryError::NotKept`](skellam::QueryError::NotKept) where draws were not kept.
    pub fn of<T: FromArray>(draws: &Draws<T>, label: impl Fn(&[usize]) -> String) -> Result<Vec<Self>, Error> {
        let mut entries = 0;
        draws.entries(|values| {
            values.sort_unstable_by(f64::total_cmp);
            let quantile = |p: f64| {
                let at = p * (values.len() - 1) as f64;
                let (low, high) = (values[at.floor() as usize], values[at.ceil() as usize]);
                low + (high - low) * at.fract()
            };
            let index = skellam::counts::index_at(draws.shape(), entries);
            entries += 1;
            Self {
                label: label(&index),
                quantiles: [0.025, 0.25, 0.5, 0.75, 0.975].map(quantile),
            }
        })
    }
}

/// Intervals below each other on one axis, of which the first 80 are drawn; the picture says how many there are besides.
struct Intervals<'a>(&'a [Interval]);

impl<'a> Intervals<'a> {
    fn shown(&self) -> &'a [Interval] {
        &self.0[..self.0.len().min(MOST)]
    }
}

/// Intervals below each other, the first 80 of them.
pub fn intervals(title: &str, lines: &[Interval]) -> Picture {
    Figure::new(title)
        .remark("medians with central intervals of 50 % and 95 %")
        .part(Intervals(lines))
        .draw()
}

impl Part for Intervals<'_> {}

impl Drawn for Intervals<'_> {
    fn height(&self, _: i32) -> i32 {
        self.shown().len() as i32 * LINE + BELOW
    }

    fn draw(&self, canvas: &Canvas<'_>, [left, top]: [i32; 2], width: i32) {
        let lines = self.shown();
        let bottom = top + lines.len() as i32 * LINE;
        let ends = lines.iter().flat_map(|line| line.quantiles);
        let across = Scale::of(ends, [left + LABELS, left + width]);
        across.lower_axis(canvas, [top, bottom], 8);
        for (number, line) in (0..).zip(lines) {
            let y = top + number * LINE + LINE / 2;
            let label = shortened(&line.label, that_fit(LABELS - 10, 12.0));
            canvas.text(&label, [left + LABELS - 10, y], 12.0, Side::Right, INK);
            let [low, lower, middle, upper, high] = line.quantiles.map(|value| across.at(value));
            canvas.line(&[[left + LABELS, y], [left + width, y]], FAINT, 1);
            canvas.line(&[[low, y], [high, y]], STRONG, 1);
            canvas.rect([lower, y - 2], [(upper - lower).max(1), 5], STRONG);
            canvas.dot([middle, y], 4, INK);
        }
        if self.0.len() > lines.len() {
            let text = format!("and {} more that are not drawn", self.0.len() - lines.len());
            canvas.text(&text, [left, bottom + 14], 12.0, Side::Left, GREY);
        }
    }
}
