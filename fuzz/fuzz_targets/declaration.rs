//! Declarations: whatever is written, the macro reports every mistake or expands to Rust.

#![no_main]

use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;

fuzz_target!(|text: &str| {
    // What is not a sequence of tokens never reaches the macro.
    let Ok(tokens) = text.parse::<TokenStream>() else { return };
    let expansion = skellam_compiler::expand(tokens);
    syn::parse2::<syn::File>(expansion).expect("items of Rust, or errors");
});
