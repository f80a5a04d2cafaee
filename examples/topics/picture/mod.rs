//! One picture: what was released, what was found in it, what was there; and the topics.

mod bars;
mod block;
mod canvas;
mod heat;

use skellam::prelude::*;

use super::corpus::grouped;
use super::error::TopicsError;
use super::study::Study;

use block::Block;
use canvas::{ALARM, Canvas, GREY, Side};

/// Width of the picture, in pixels.
const WIDTH: i32 = 1280;
/// Distance from the edges.
const MARGIN: i32 = 40;
/// Where the matrices and the topics begin.
const HEAT: i32 = 108;
const BARS: i32 = 688;

/// The picture as SVG.
pub fn draw(study: &Study) -> Result<String, TopicsError> {
    let mut svg = String::new();
    let block = Block::of(study);
    {
        let height = BARS + bars::height(&block) + MARGIN / 2;
        let canvas = Canvas::new(&mut svg, [WIDTH, height])?;
        title(&canvas, study)?;
        heat::draw(&canvas, study, &block, [MARGIN, HEAT])?;
        bars::draw(&canvas, study, &block, [MARGIN, BARS])?;
        canvas.finish()?;
    }
    Ok(without_defaults(&svg))
}

/// The same picture in two thirds of the bytes: attributes of rectangles that have their default value.
fn without_defaults(svg: &str) -> String {
    // Sharp edges, or neighbouring cells would show seams when the picture is scaled.
    let svg = svg.replacen("<svg ", "<svg shape-rendering=\"crispEdges\" ", 1);
    let lines = svg.lines().map(|line| match line.starts_with("<rect") {
        true => line.replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", ""),
        false => line.to_string(),
    });
    lines.fold(String::with_capacity(svg.len()), |text, line| text + &line + "\n")
}

fn title(canvas: &Canvas<'_>, study: &Study) -> Result<(), TopicsError> {
    let flags = &study.flags;
    canvas.bold("Topics of privately released documents", [MARGIN, 36], 24.0, Side::Left)?;
    let line = format!(
        "{} documents, {} words, {} topics; {}; fitted by {} with the noise modelled",
        grouped(study.corpus.documents),
        grouped(study.corpus.words.len()),
        flags.k,
        released(study),
        flags.engine.name()
    );
    canvas.text(&line, [MARGIN, 62], 14.0, Side::Left, GREY)?;
    if !study.warnings().is_empty() {
        let right = WIDTH - MARGIN;
        canvas.text(
            "the noise has drowned the signal: see skellam-run.json",
            [right, 36],
            14.0,
            Side::Right,
            ALARM,
        )?;
    }
    Ok(())
}

/// How the counts were released, in a few words.
fn released(study: &Study) -> String {
    let flags = &study.flags;
    match study.budget() {
        _ if study.corpus.counts.is_some() => format!("released at epsilon = {}, N = {}", flags.epsilon, flags.n),
        Some(Promise::Lplp { n, epsilon }) => format!("released at epsilon = {epsilon}, N = {n}"),
        _ => format!("mechanism {}", study.provenance()),
    }
}
