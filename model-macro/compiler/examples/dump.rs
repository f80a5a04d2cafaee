//! Prints the expansion of a declaration in a file: `cargo run -p skellam-compiler --example dump FILE`.

use skellam_compiler::diagnostics::Sink;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: dump FILE, which holds `pub model Name { .. }`")?;
    let tokens = std::fs::read_to_string(path)?.parse()?;
    let mut sink = Sink::default();
    match skellam_compiler::derivation(tokens, &mut sink) {
        Ok(derivation) => println!("{}", skellam_compiler::emit::emit(&derivation)),
        Err(_) => sink.diagnostics().iter().for_each(|d| eprintln!("{}", d.message())),
    }
    Ok(())
}
