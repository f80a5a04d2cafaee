//! Ledgers whose digest is right.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| skellam_fuzz::ledger(bytes));
