//! NumPy archives.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    skellam_fuzzed::npz(bytes);
});
