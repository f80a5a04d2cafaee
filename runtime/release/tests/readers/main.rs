//! Readers of count files: every format through both doors, released values, and what is refused and how.

mod archives;
mod bases;
mod both;
mod changes;
mod errors;
mod marks;
mod matrix_market;
mod numpy_errors;
mod quotes;
mod released;
mod round_trip;
mod write;
