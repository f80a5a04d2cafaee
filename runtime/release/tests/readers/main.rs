//! Readers of count files: every format through both doors, released values, what is refused and how, and hostile files.

mod archives;
mod bases;
mod both;
mod changes;
mod errors;
mod marks;
mod matrix_market;
mod mutations;
mod numpy_errors;
mod quotes;
mod released;
mod round_trip;
mod write;
