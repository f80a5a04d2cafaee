//! One picture: what was released, what was found in it, what was there; and the topics.

mod bars;
mod block;
mod canvas;
mod heat;

use super::error::TopicsError;
use super::study::Study;

use block::Block;
use canvas::{Canvas, GREY, INK, Side};

/// Size of the picture, in pixels.
const SIZE: (u32, u32) = (1280, 1130);
/// Distance from the edges.
const MARGIN: i32 = 40;

/// The picture as SVG.
pub fn draw(study: &Study) -> Result<String, TopicsError> {
    let mut svg = String::new();
    {
        let canvas = Canvas::new(&mut svg, SIZE)?;
        let block = Block::of(study);
        title(&canvas, study)?;
        heat::draw(&canvas, study, &block, [MARGIN, 108])?;
        bars::draw(&canvas, study, &block, [MARGIN, 698])?;
        canvas.finish()?;
    }
    Ok(svg)
}

fn title(canvas: &Canvas<'_>, study: &Study) -> Result<(), TopicsError> {
    let flags = &study.flags;
    canvas.bold("Topics of privately released documents", [MARGIN, 36], 24.0, Side::Left)?;
    let line = format!(
        "{} documents, {} words, {} topics; released at epsilon = {}, N = {}; fitted by {} with the noise modelled",
        study.corpus.documents,
        study.corpus.words.len(),
        flags.k,
        flags.epsilon,
        flags.n,
        flags.engine.name()
    );
    canvas.text(&line, [MARGIN, 62], 14.0, Side::Left, GREY)?;
    if !study.warnings().is_empty() {
        let right = SIZE.0 as i32 - MARGIN;
        canvas.text(
            "a fit has collapsed: see skellam-run.json",
            [right, 36],
            14.0,
            Side::Right,
            INK,
        )?;
    }
    Ok(())
}
