//! The experiments of two papers on private Poisson factorization, run again, each with a verdict that is computed from its numbers.
//!
//! `cargo run --release -p studies -- blocks`
//!
//! ICML19 is Schein, Wu, Schofield, Zhou and Wallach (2019), VI18 is Schofield, Schein, Wu and Wallach (2018).

use std::process::ExitCode;

fn main() -> ExitCode {
    studies::main()
}
