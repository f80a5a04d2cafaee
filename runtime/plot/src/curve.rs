//! The held-out score against the number of components.

use super::axes::Scale;
use super::canvas::{Canvas, FAINT, GREY, INK, STRONG, Side};
use super::figure::sealed::Drawn;
use super::{Figure, Part, Picture};
use skellam::diagnose::HeldOutCurve;

const LEFT: i32 = 72;
const PANEL: i32 = 340;
const BELOW: i32 = 44;

/// The curve with its Monte Carlo errors.
struct HeldOutPlot<'a>(&'a HeldOutCurve);

/// The held-out score for each number of components, with twice its Monte Carlo error; the best is marked.
pub fn held_out(curve: &HeldOutCurve) -> Picture {
    let remark = format!(
        "mean log predictive probability of the held-out cells of `{}`; bars are two Monte Carlo errors",
        curve.count()
    );
    Figure::new("Held-out score")
        .remark(&remark)
        .width(720)
        .part(HeldOutPlot(curve))
        .draw()
}

impl Part for HeldOutPlot<'_> {}

impl Drawn for HeldOutPlot<'_> {
    fn height(&self, _: i32) -> i32 {
        PANEL + BELOW
    }

    fn draw(&self, canvas: &Canvas<'_>, [left, top]: [i32; 2], width: i32) {
        let mut points = self.0.points().to_vec();
        points.sort_by_key(|point| point.components);
        let (x, y) = ([left + LEFT, left + width], [top + PANEL, top]);
        let ends = points.iter().flat_map(|point| {
            let error = 2.0 * point.error.unwrap_or(0.0);
            [point.score - error, point.score + error]
        });
        let up = Scale::of(ends, y);
        up.left_axis(canvas, x, 6);
        canvas.frame([x[0], y[1]], [x[1] - x[0], PANEL]);
        // At equal distances: numbers of components are tried as 5, 10, 20, 50.
        let place = |number: usize| {
            let step = f64::from(x[1] - x[0]) / points.len().max(1) as f64;
            x[0] + ((number as f64 + 0.5) * step) as i32
        };
        let line: Vec<[i32; 2]> = (points.iter().enumerate())
            .filter(|(_, point)| point.score.is_finite())
            .map(|(number, point)| [place(number), up.at(point.score)])
            .collect();
        canvas.line(&line, FAINT, 2);
        let best = self.0.best().map(|best| best.components);
        for (number, point) in points.iter().enumerate() {
            let at = place(number);
            canvas.text(&point.components.to_string(), [at, y[0] + 14], 12.0, Side::Middle, INK);
            if !point.score.is_finite() {
                canvas.text("impossible", [at, y[0] - 10], 11.0, Side::Middle, GREY);
                continue;
            }
            if let Some(error) = point.error {
                let [low, high] = [-2.0, 2.0].map(|times| up.at(point.score + times * error));
                canvas.line(&[[at, low], [at, high]], STRONG, 2);
                for end in [low, high] {
                    canvas.line(&[[at - 5, end], [at + 5, end]], STRONG, 2);
                }
            }
            let is_best = best == Some(point.components);
            canvas.dot(
                [at, up.at(point.score)],
                if is_best { 7 } else { 4 },
                if is_best { INK } else { STRONG },
            );
            if is_best {
                let above = up.at(point.score) - 16;
                canvas.bold(
                    "best",
                    [at + 12, if above < top + 8 { above + 32 } else { above }],
                    12.0,
                    Side::Left,
                );
            }
        }
        canvas.text("components", [(x[0] + x[1]) / 2, y[0] + 34], 12.0, Side::Middle, GREY);
    }
}
