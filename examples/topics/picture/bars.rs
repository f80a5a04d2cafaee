//! The topics: bars of their top words.

use super::super::error::TopicsError;
use super::super::files::plain;
use super::super::study::Study;
use super::block::Block;
use super::canvas::{BAR, Canvas, GREY, INK, Side, shortened};

/// Panels side by side.
const COLUMNS: i32 = 5;
/// Size of a panel with the room after it.
const PANEL: [i32; 2] = [240, 206];
/// Height of the title with the room after it.
const TITLE: i32 = 36;
/// Height of a word.
const LINE: i32 = 16;
/// Room for words, and the longest bar.
const WORD: i32 = 104;
const LONGEST: i32 = 84;

/// Height of all panels with their title.
pub fn height(block: &Block) -> i32 {
    TITLE + (block.parts.len() as i32 + COLUMNS - 1) / COLUMNS * PANEL[1]
}

/// Draws the topics of `block` from the upper left corner on.
pub fn draw(canvas: &Canvas<'_>, study: &Study, block: &Block, [left, top]: [i32; 2]) -> Result<(), TopicsError> {
    let title = format!("The {} largest topics", block.parts.len());
    canvas.bold(&title, [left, top], 15.0, Side::Left)?;
    let remark = "ten top words each, in percent of the words of the topic";
    canvas.text(remark, [left + COLUMNS * PANEL[0], top], 12.0, Side::Right, GREY)?;
    let top = top + TITLE;
    for (number, topic) in (0..).zip(study.topics.iter().take(block.parts.len())) {
        let (x, y) = (left + number % COLUMNS * PANEL[0], top + number / COLUMNS * PANEL[1]);
        canvas.bold(&(number + 1).to_string(), [x + WORD - 6, y], 14.0, Side::Right)?;
        let share = format!("{:.1} % of all words", 100.0 * topic.share);
        canvas.text(&share, [x + WORD, y], 12.0, Side::Left, GREY)?;
        let largest = topic.words.first().map_or(1.0, |&(_, weight)| weight);
        for (line, &(word, weight)) in (0..).zip(&topic.words) {
            let y = y + 22 + line * LINE;
            let name = shortened(&plain(&study.corpus.words[word]), 15);
            canvas.text(&name, [x + WORD - 6, y], 12.0, Side::Right, INK)?;
            let length = (weight / largest * f64::from(LONGEST)).round() as i32;
            canvas.rect([x + WORD, y - 6], [length.max(1), 12], BAR)?;
            let percent = format!("{:.1}", 100.0 * weight);
            canvas.text(&percent, [x + WORD + length.max(1) + 4, y], 10.0, Side::Left, GREY)?;
        }
    }
    Ok(())
}
