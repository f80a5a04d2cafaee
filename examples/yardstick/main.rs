//! Measures this project the same way every time: one JSON object on standard output.
//!
//! `cargo run --release -q --example yardstick -- accuracy --engine gibbs`

use clap::Parser;
use serde_json::Value;

mod accuracy;
mod clusters;
mod data;
mod engine;
mod ess;
mod flags;
mod floor;
mod handwritten;
mod memory;
mod meter;
mod npy;
mod release;
mod sparse;
mod sweep;
mod tensor;

use flags::{Command, Yardstick};

fn main() -> std::process::ExitCode {
    let command = match Yardstick::try_parse() {
        Ok(Yardstick { command }) => command,
        Err(error) => {
            // `--help` and `--version` come this way too, and are not failures.
            let _ = error.print();
            return std::process::ExitCode::from(u8::from(error.use_stderr()));
        }
    };
    let measured = match &command {
        Command::Accuracy(flags) => accuracy::measure(flags),
        Command::Sweep(flags) => sweep::measure(flags),
        Command::Floor(flags) => floor::measure(flags),
        Command::Ess(flags) => ess::measure(flags),
        Command::Sparse(flags) => sparse::measure(flags),
        Command::Tensor(flags) => tensor::measure(flags),
        Command::Handwritten(flags) => handwritten::measure(flags),
        Command::Memory(flags) => memory::measure(flags),
        Command::Release(flags) => release::measure(flags),
    };
    match measured {
        Ok(object) => {
            println!("{}", Value::Object(object));
            std::process::ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
