//! The examples of the families, and the pages about them.

mod drawn;
mod examples;
mod forms;
mod own_data;
mod pages;
mod recovery;
mod rounding;
mod studies;
