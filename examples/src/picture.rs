//! Matrices side by side as an SVG file.

use std::fs;
use std::path::Path;

use plotters::prelude::*;

use crate::error::ExampleError;

/// A matrix to be drawn.
pub struct Panel<'a> {
    /// What is written above it.
    pub title: &'a str,
    /// Its values, row-major.
    pub values: &'a [f64],
}

/// Size of a panel, and the room around it, in pixels.
const SIDE: i32 = 320;
const ROOM: i32 = 24;

/// Draws square matrices with rows and columns in the given order. Shades follow the square root of the value, up to the
/// largest of the last panel.
///
/// # Errors
///
/// A file that cannot be written.
pub fn matrices(path: &Path, panels: &[Panel<'_>], order: &[usize]) -> Result<(), ExampleError> {
    let svg = svg(panels, order).map_err(|e| ExampleError::Picture(e.to_string()))?;
    fs::write(path, svg).map_err(|source| ExampleError::Io {
        path: path.to_owned(),
        source,
    })
}

fn svg(panels: &[Panel<'_>], order: &[usize]) -> Result<String, Box<dyn std::error::Error>> {
    let mut svg = String::new();
    let n = order.len() as i32;
    let largest = panels
        .last()
        .map_or(1.0, |p| p.values.iter().copied().fold(1.0, f64::max));
    {
        let size = (
            (ROOM + (SIDE + ROOM) * panels.len() as i32) as u32,
            (SIDE + 3 * ROOM) as u32,
        );
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        for (number, panel) in (0..).zip(panels) {
            let (left, top) = (ROOM + number * (SIDE + ROOM), 2 * ROOM);
            area.draw(&Text::new(
                panel.title.to_string(),
                (left, ROOM),
                ("sans-serif", 15).into_font(),
            ))?;
            for (row, &i) in (0..).zip(order) {
                for (column, &j) in (0..).zip(order) {
                    let value = panel.values[i * order.len() + j];
                    let shade = (value.max(0.0) / largest).sqrt().min(1.0);
                    if shade < 0.04 {
                        continue;
                    }
                    let dark = |from: f64, to: f64| (from + shade * (to - from)).round() as u8;
                    let color = RGBColor(dark(245.0, 8.0), dark(248.0, 48.0), dark(252.0, 107.0));
                    let corner = |row: i32, column: i32| (left + column * SIDE / n, top + row * SIDE / n);
                    area.draw(&Rectangle::new(
                        [corner(row, column), corner(row + 1, column + 1)],
                        color.filled(),
                    ))?;
                }
            }
            area.draw(&Rectangle::new(
                [(left, top), (left + SIDE, top + SIDE)],
                BLACK.stroke_width(1),
            ))?;
        }
        area.present()?;
    }
    Ok(svg.replacen("<svg ", "<svg shape-rendering=\"crispEdges\" ", 1))
}
