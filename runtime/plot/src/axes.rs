//! Numbers to pixels, and the lines and numbers of axes.

use super::canvas::{Canvas, FAINT, GREY, Side};

/// A linear scale from values to pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    from: f64,
    to: f64,
    start: i32,
    end: i32,
}

impl Scale {
    /// All finite values of `values` between the pixels `start` and `end`, with a little room at both ends.
    pub fn of(values: impl Iterator<Item = f64>, [start, end]: [i32; 2]) -> Self {
        let finite = values.filter(|value| value.is_finite());
        let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        // A constant has room on both sides, by its own size.
        let room = match high - low {
            apart if apart > 0.0 => 0.04 * apart,
            _ => (0.1 * low.abs()).max(1e-300).max(if low == 0.0 { 1.0 } else { 0.0 }),
        };
        Self {
            from: low - room,
            to: high + room,
            start,
            end,
        }
    }

    /// From zero.
    pub fn from_zero(most: f64, [start, end]: [i32; 2]) -> Self {
        let most = if most.is_finite() && most > 0.0 { most } else { 1.0 };
        Self {
            from: 0.0,
            to: 1.04 * most,
            start,
            end,
        }
    }

    /// Where a value lies; infinite ones at the end that is nearer to them.
    pub fn at(&self, value: f64) -> i32 {
        let share = ((value - self.from) / (self.to - self.from)).clamp(0.0, 1.0);
        self.start + (share * f64::from(self.end - self.start)).round() as i32
    }

    /// The least and the greatest value that have a place.
    pub fn ends(&self) -> [f64; 2] {
        [self.from, self.to]
    }

    /// Round numbers on the scale, about so many, and how they are written.
    pub fn ticks(&self, about: usize) -> Vec<(f64, String)> {
        let rough = (self.to - self.from) / about.max(1) as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|times| times * power)
            .into_iter()
            .find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        if !(step.is_finite() && step > 0.0) {
            return Vec::new();
        }
        let (first, last) = ((self.from / step).ceil(), (self.to / step).floor());
        let number = (last - first).clamp(0.0, 50.0) as usize;
        (0..=number)
            .map(|i| (first + i as f64) * step)
            .map(|value| (value, written(value, step)))
            .collect()
    }

    /// Horizontal lines with their numbers on the left.
    pub fn left_axis(&self, canvas: &Canvas<'_>, [left, right]: [i32; 2], about: usize) {
        for (value, text) in self.ticks(about) {
            let y = self.at(value);
            canvas.line(&[[left, y], [right, y]], FAINT, 1);
            canvas.text(&text, [left - 6, y], 11.0, Side::Right, GREY);
        }
    }

    /// Vertical lines with their numbers below.
    pub fn lower_axis(&self, canvas: &Canvas<'_>, [top, bottom]: [i32; 2], about: usize) {
        for (value, text) in self.ticks(about) {
            let x = self.at(value);
            canvas.line(&[[x, top], [x, bottom]], FAINT, 1);
            canvas.text(&text, [x, bottom + 12], 11.0, Side::Middle, GREY);
        }
    }
}

/// A number with as many digits as tell it from the next one.
fn written(value: f64, step: f64) -> String {
    let value = if value.abs() < step / 1e6 { 0.0 } else { value };
    let size = value.abs().max(step);
    if !(1e-4..1e6).contains(&size) {
        return format!("{value:.1e}");
    }
    let digits = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let texts = |low: f64, high: f64| -> Vec<String> {
            let scale = Scale::of([low, high].into_iter(), [0, 100]);
            scale.ticks(5).into_iter().map(|(_, text)| text).collect()
        };
        assert_eq!(texts(0.0, 10.0), ["0", "5", "10"]);
        assert_eq!(texts(-1234.0, -1201.0), ["-1230", "-1220", "-1210", "-1200"]);
        assert_eq!(texts(0.0, 0.02), ["0.000", "0.005", "0.010", "0.015", "0.020"]);
        assert!(texts(f64::NAN, f64::INFINITY).len() > 2);
        assert!(texts(3.0, 3.0).contains(&"3.0".to_owned()), "{:?}", texts(3.0, 3.0));
    }

    #[test]
    fn values_lie_between_the_ends() {
        let scale = Scale::of([2.0, 4.0].into_iter(), [100, 0]);
        assert!(scale.at(2.0) > scale.at(4.0) && scale.at(3.0) == 50);
        assert_eq!((scale.at(f64::INFINITY), scale.at(f64::NEG_INFINITY)), (0, 100));
    }
}
