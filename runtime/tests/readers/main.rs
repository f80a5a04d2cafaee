//! Readers of count files: every format through both doors, what is refused and how, and hostile files.

mod both;
mod changes;
mod errors;
mod mutations;
mod round_trip;
mod write;
