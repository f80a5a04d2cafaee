//! Delimited text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use skellam::counts::{Delimiter, Format};

fuzz_target!(|bytes: &[u8]| skellam_fuzz::all_doors(bytes, Some(Format::Delimited(Delimiter::Comma))));
