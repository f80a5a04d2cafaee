//! Statistics of the data among those of replicas.

use super::axes::Scale;
use super::canvas::{ALARM, BAR, Canvas, INK, Side};
use super::figure::sealed::Drawn;
use super::{Figure, Part, Picture};
use skellam::diagnose::{Discrepancy, PredictiveCheck};

const LINE: i32 = 64;
const LABELS: i32 = 150;
const P: i32 = 130;
const BARS: i32 = 36;
const BINS: usize = 40;

/// Statistics of one count, a line for each.
pub(crate) struct Replicas<'a>(pub(crate) &'a PredictiveCheck);

/// For each statistic of a predictive check a histogram of its values in the replicas, and a mark at its value in the data. A mark outside of the bars says that the model
/// does not produce such data.
///
/// ```text
/// let checks = model.predictive_check(&fit, &Predictive::default())?;
/// replicas(&checks[0]).save("checks.svg")?;
/// ```
pub fn replicas(check: &PredictiveCheck) -> Picture {
    let title = format!("Predictive check of {}", check.count());
    let remark = format!(
        "statistics of the data (line) among those of {} replicas (bars)",
        check.num_replicas()
    );
    Figure::new(&title).remark(&remark).part(Replicas(check)).draw()
}

impl Part for Replicas<'_> {}

impl Drawn for Replicas<'_> {
    fn height(&self, _: i32) -> i32 {
        self.0.discrepancies().len() as i32 * LINE
    }

    fn draw(&self, canvas: &Canvas<'_>, [left, top]: [i32; 2], width: i32) {
        for (number, one) in (0..).zip(self.0.discrepancies()) {
            line(canvas, one, [left, top + number * LINE], width);
        }
    }
}

fn line(canvas: &Canvas<'_>, one: &Discrepancy, [left, top]: [i32; 2], width: i32) {
    let (from, to, bottom) = (left + LABELS, left + width - P, top + BARS);
    canvas.text(&one.name, [from - 12, top + BARS / 2], 13.0, Side::Right, INK);
    let values = one.replicated.iter().copied();
    let across = Scale::of(values.clone().chain([one.observed]), [from, to]);
    across.lower_axis(canvas, [bottom, bottom + 4], 6);
    let mut bins = [0; BINS];
    let bin = |value: f64| {
        let share = f64::from(across.at(value) - from) / f64::from(to - from);
        ((share * BINS as f64) as usize).min(BINS - 1)
    };
    values.for_each(|value| bins[bin(value)] += 1);
    let most = bins.into_iter().max().unwrap_or(0);
    let up = Scale::from_zero(f64::from(most), [bottom, top]);
    for (at, &number) in bins.iter().enumerate() {
        let edge = |at: usize| from + (at as i32 * (to - from)) / BINS as i32;
        let (x, y) = (edge(at), up.at(f64::from(number)));
        canvas.rect([x, y], [edge(at + 1) - x - 1, bottom - y], BAR);
    }
    let colour = if one.is_surprising() { ALARM } else { INK };
    let x = across.at(one.observed);
    canvas.line(&[[x, top - 2], [x, bottom]], colour, 3);
    let said = if one.is_surprising() { ", surprising" } else { "" };
    let text = format!("p = {:.2}{said}", one.p_value());
    canvas.text(&text, [left + width, top + BARS / 2], 13.0, Side::Right, colour);
}
