//! Files of unknown format, compressed ones among them.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| skellam_fuzz::all_doors(bytes, None));
