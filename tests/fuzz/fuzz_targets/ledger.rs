//! Ledgers whose digest is right.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    skellam_fuzzed::ledger(bytes);
});
