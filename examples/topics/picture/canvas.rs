//! Rectangles and words in pixels.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, FontTransform};

use super::super::error::TopicsError;

/// Text.
pub const INK: RGBColor = RGBColor(33, 37, 41);
/// Text of lesser rank.
pub const GREY: RGBColor = RGBColor(95, 102, 110);
/// Warnings.
pub const ALARM: RGBColor = RGBColor(178, 24, 43);
/// Lines.
pub const FAINT: RGBColor = RGBColor(205, 209, 214);
/// Bars.
pub const BAR: RGBColor = RGBColor(150, 175, 200);

/// On which side of the text its position lies.
#[derive(Clone, Copy, Debug)]
pub enum Side {
    Left,
    Middle,
    Right,
}

/// A drawing in progress.
pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

impl<'a> Canvas<'a> {
    /// An empty drawing into `svg`.
    pub fn new(svg: &'a mut String, [width, height]: [i32; 2]) -> Result<Self, TopicsError> {
        let size = (width.unsigned_abs(), height.unsigned_abs());
        let area = SVGBackend::with_string(svg, size).into_drawing_area();
        area.fill(&WHITE).map_err(refused)?;
        Ok(Self { area })
    }

    /// A filled rectangle.
    pub fn rect(&self, [x, y]: [i32; 2], [width, height]: [i32; 2], color: RGBColor) -> Result<(), TopicsError> {
        let corners = [(x, y), (x + width, y + height)];
        self.area
            .draw(&Rectangle::new(corners, color.filled()))
            .map_err(refused)
    }

    /// A thin frame.
    pub fn frame(&self, [x, y]: [i32; 2], [width, height]: [i32; 2]) -> Result<(), TopicsError> {
        let corners = [(x, y), (x + width, y + height)];
        self.area
            .draw(&Rectangle::new(corners, FAINT.stroke_width(1)))
            .map_err(refused)
    }

    /// Words, their middle at the height of `at`.
    pub fn text(&self, text: &str, at: [i32; 2], pixels: f64, side: Side, color: RGBColor) -> Result<(), TopicsError> {
        self.write(text, at, pixels, side, color, FontStyle::Normal)
    }

    /// Heavy words.
    pub fn bold(&self, text: &str, at: [i32; 2], pixels: f64, side: Side) -> Result<(), TopicsError> {
        self.write(text, at, pixels, side, INK, FontStyle::Bold)
    }

    fn write(
        &self,
        text: &str,
        [x, y]: [i32; 2],
        pixels: f64,
        side: Side,
        color: RGBColor,
        weight: FontStyle,
    ) -> Result<(), TopicsError> {
        let horizontal = match side {
            Side::Left => HPos::Left,
            Side::Middle => HPos::Center,
            Side::Right => HPos::Right,
        };
        // The backend divides the size by 1.24.
        let font = FontDesc::new(FontFamily::SansSerif, pixels * 1.24, weight).transform(FontTransform::None);
        let style = TextStyle::from(font)
            .color(&color)
            .pos(Pos::new(horizontal, VPos::Center));
        self.area.draw_text(text, &style, (x, y)).map_err(refused)
    }

    /// Completes the drawing.
    pub fn finish(self) -> Result<(), TopicsError> {
        self.area.present().map_err(refused)
    }
}

fn refused(error: impl std::fmt::Display) -> TopicsError {
    TopicsError::Picture(error.to_string())
}

/// At most `most` characters, the last an ellipsis where something was cut off.
pub fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
