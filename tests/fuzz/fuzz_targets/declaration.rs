//! Declarations: whatever is written, the macro reports every mistake or expands to Rust.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    skellam_fuzzed::declaration(bytes);
});
