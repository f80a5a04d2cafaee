//! Folders of released counts whose digests are right.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    skellam_fuzzed::folder(bytes);
});
