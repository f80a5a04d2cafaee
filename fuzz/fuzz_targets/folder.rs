//! Folders of released counts whose digests are right.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| skellam_fuzz::folder(bytes));
