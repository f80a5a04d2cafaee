fn main() {
    let src = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let t: proc_macro2::TokenStream = src.parse().unwrap();
    let mut sink = skellam_compiler::diagnostics::Sink::default();
    match skellam_compiler::derivation(t, &mut sink) {
        Ok(d) => { println!("{}", skellam_compiler::emit::emit(&d)); }
        Err(_) => for d in sink.diagnostics() { println!("{}", d.message()); }
    }
}
