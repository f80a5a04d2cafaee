//! Parts below each other under one title.

use super::Picture;
use super::canvas::{ALARM, Canvas, GREY, Side};

/// Distance from the edges, and between parts.
const MARGIN: i32 = 40;
const BETWEEN: i32 = 28;

/// Something that can be drawn into a figure. The parts of this crate are the only ones.
pub trait Part: sealed::Drawn {}

pub(crate) mod sealed {
    use super::Canvas;

    /// How a part is drawn.
    pub trait Drawn {
        /// Its height at a width, in pixels.
        fn height(&self, width: i32) -> i32;
        /// Draws it from its upper left corner on.
        fn draw(&self, canvas: &Canvas<'_>, at: [i32; 2], width: i32);
    }

    impl<T: super::Part> super::Part for &T {}

    impl<T: Drawn> Drawn for &T {
        fn height(&self, width: i32) -> i32 {
            T::height(self, width)
        }

        fn draw(&self, canvas: &Canvas<'_>, at: [i32; 2], width: i32) {
            T::draw(self, canvas, at, width);
        }
    }
}

/// A picture of several parts, from top to bottom.
///
/// ```
/// use skellam_plot::{Component, Components, Figure, Matrices};
/// let heat = Matrices::new([1, 2]).panel("rates", "", &[1.0, 2.0]);
/// let words = Components::new("topics").component(Component::new("1").entry("ship", 0.7).entry("oil", 0.3));
/// let picture = Figure::new("A week of news").remark("two words").part(heat).part(words).draw();
/// assert!(picture.svg().contains("A week of news") && picture.svg().contains("ship"));
/// ```
#[allow(missing_debug_implementations, reason = "parts are trait objects")]
pub struct Figure<'a> {
    title: String,
    remark: String,
    warning: String,
    width: i32,
    parts: Vec<Box<dyn Part + 'a>>,
}

impl<'a> Figure<'a> {
    /// A figure of no parts. Without a title (`""`) no room is left for one.
    pub fn new(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            remark: String::new(),
            warning: String::new(),
            width: 960,
            parts: Vec::new(),
        }
    }

    /// A line below the title.
    #[must_use]
    pub fn remark(mut self, remark: &str) -> Self {
        remark.clone_into(&mut self.remark);
        self
    }

    /// A line in red beside the title.
    #[must_use]
    pub fn warning(mut self, warning: &str) -> Self {
        warning.clone_into(&mut self.warning);
        self
    }

    /// The width in pixels, 960 by default, from 320 to 4,000.
    #[must_use]
    pub fn width(mut self, pixels: u32) -> Self {
        self.width = pixels.clamp(320, 4000) as i32;
        self
    }

    /// Adds a part below the others.
    #[must_use]
    pub fn part(mut self, part: impl Part + 'a) -> Self {
        self.parts.push(Box::new(part));
        self
    }

    /// Draws it.
    pub fn draw(&self) -> Picture {
        let inner = self.width - 2 * MARGIN;
        let head = match (self.title.is_empty(), self.remark.is_empty()) {
            (true, true) => MARGIN / 2,
            (false, true) => 62,
            _ => 84,
        };
        let heights: Vec<i32> = self.parts.iter().map(|part| part.height(inner)).collect();
        let between = BETWEEN * (heights.len() as i32 - 1).max(0);
        let height = head + heights.iter().sum::<i32>() + between + MARGIN / 2;
        let mut svg = String::new();
        {
            let canvas = Canvas::new(&mut svg, [self.width, height]);
            canvas.bold(&self.title, [MARGIN, 36], 22.0, Side::Left);
            canvas.text(&self.remark, [MARGIN, 62], 14.0, Side::Left, GREY);
            canvas.text(&self.warning, [self.width - MARGIN, 36], 14.0, Side::Right, ALARM);
            let mut top = head;
            for (part, height) in self.parts.iter().zip(heights) {
                part.draw(&canvas, [MARGIN, top], inner);
                top += height + BETWEEN;
            }
            canvas.finish();
        }
        Picture::new(&svg)
    }
}
