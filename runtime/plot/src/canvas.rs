//! Shapes and words in pixels.

use std::cell::Cell;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::FontStyle;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use skellam::quoted;

pub(crate) type Paint = RGBColor;

/// Text.
pub(crate) const INK: Paint = RGBColor(33, 37, 41);
/// Text of lesser rank.
pub(crate) const GREY: Paint = RGBColor(95, 102, 110);
/// Warnings.
pub(crate) const ALARM: Paint = RGBColor(178, 24, 43);
/// Lines of a grid.
pub(crate) const FAINT: Paint = RGBColor(205, 209, 214);
/// Bars.
pub(crate) const BAR: Paint = RGBColor(150, 175, 200);
/// Points and lines that say most.
pub(crate) const STRONG: Paint = RGBColor(33, 102, 172);
/// Of chains, in their order: told apart also by those who do not see all colours (Okabe and Ito).
pub(crate) const CHAINS: [Paint; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(204, 121, 167),
    RGBColor(120, 94, 20),
    RGBColor(90, 90, 90),
];

/// On which side of the text its position lies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    Left,
    Middle,
    Right,
}

/// A drawing in progress.
#[allow(missing_debug_implementations, reason = "the backend has none")]
pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
    /// Whether the backend has refused something, which it never does while it writes to memory.
    refused: Cell<bool>,
}

impl<'a> Canvas<'a> {
    /// An empty drawing into `svg`.
    pub(crate) fn new(svg: &'a mut String, [width, height]: [i32; 2]) -> Self {
        let size = (width.unsigned_abs(), height.unsigned_abs());
        let canvas = Self {
            area: SVGBackend::with_string(svg, size).into_drawing_area(),
            refused: Cell::new(false),
        };
        canvas.note(canvas.area.fill(&WHITE));
        canvas
    }

    fn note<E>(&self, drawn: Result<(), E>) {
        self.refused.set(self.refused.get() || drawn.is_err());
    }

    /// A filled rectangle.
    pub(crate) fn rect(&self, [x, y]: [i32; 2], [width, height]: [i32; 2], color: Paint) {
        let corners = [(x, y), (x + width, y + height)];
        self.note(self.area.draw(&Rectangle::new(corners, color.filled())));
    }

    /// A thin frame.
    pub(crate) fn frame(&self, [x, y]: [i32; 2], [width, height]: [i32; 2]) {
        let corners = [(x, y), (x + width, y + height)];
        self.note(self.area.draw(&Rectangle::new(corners, FAINT.stroke_width(1))));
    }

    /// A line through points.
    pub(crate) fn line(&self, points: &[[i32; 2]], color: Paint, width: u32) {
        let points: Vec<(i32, i32)> = points.iter().map(|&[x, y]| (x, y)).collect();
        self.note(self.area.draw(&PathElement::new(points, color.stroke_width(width))));
    }

    /// A filled circle.
    pub(crate) fn dot(&self, [x, y]: [i32; 2], radius: i32, color: Paint) {
        self.note(self.area.draw(&Circle::new((x, y), radius, color.filled())));
    }

    /// Words, their middle at the height of `at`.
    pub(crate) fn text(&self, text: &str, at: [i32; 2], pixels: f64, side: Side, color: Paint) {
        self.write(text, at, (pixels, FontStyle::Normal), side, color);
    }

    /// Heavy words.
    pub(crate) fn bold(&self, text: &str, at: [i32; 2], pixels: f64, side: Side) {
        self.write(text, at, (pixels, FontStyle::Bold), side, INK);
    }

    fn write(&self, text: &str, [x, y]: [i32; 2], (pixels, weight): (f64, FontStyle), side: Side, color: Paint) {
        if text.is_empty() {
            return;
        }
        let horizontal = match side {
            Side::Left => HPos::Left,
            Side::Middle => HPos::Center,
            Side::Right => HPos::Right,
        };
        // The backend divides the size by 1.24.
        let font = FontDesc::new(FontFamily::SansSerif, pixels * 1.24, weight);
        let style = TextStyle::from(font)
            .color(&color)
            .pos(Pos::new(horizontal, VPos::Center));
        self.note(self.area.draw_text(&quoted(text).to_string(), &style, (x, y)));
    }

    /// Completes the drawing.
    pub(crate) fn finish(self) {
        self.note(self.area.present());
        assert!(!self.refused.get(), "a backend that writes to memory refuses nothing");
    }
}

/// At most `most` characters, the last an ellipsis where something was cut off.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// About how many characters of a size fit into so many pixels.
pub(crate) fn that_fit(width: i32, pixels: f64) -> usize {
    (f64::from(width.max(0)) / (0.56 * pixels)) as usize
}
