//! Files of unknown format, compressed ones among them.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    skellam_fuzzed::any(bytes);
});
