//! Bags of words.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    skellam_fuzzed::bag_of_words(bytes);
});
