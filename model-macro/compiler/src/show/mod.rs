//! The derivation as mathematics, as a graph and as words.

mod blocks;
mod bound;
mod cells;
mod conditional;
mod division;
mod first_times;
mod forms;
mod formula;
mod graph;
mod moments;
mod moves;
mod names;
mod operands;
mod passage;
mod shapes;
mod symmetry;
mod tokens;
mod totals;
mod update;
mod wrap;

pub use blocks::{Block, CellText, Printed, count, printed};
pub use bound::ascended;
pub use cells::CellLines;
pub use conditional::{begins, entry, parts as summands, summand};
pub use division::{divided, divided_tables};
pub use forms::{Form, FormLines, notes};
pub use graph::graph;
pub use moves::has_joint_moves;
pub use names::{CellNames, SideNames, truth, weight, weight_in_words, weight_of};
pub use operands::operands;
pub use passage::Passage;
pub use shapes::{backwards, remark, tables};
pub use tokens::{TOKENS_THERE, mean_given_tokens, token};
pub use totals::{LineText, line};
pub use update::{conditional, in_order, in_sequence, posterior};
