//! What `generated()` prints of some models, each in a module of its own. Not one name of it is missing from what it imports
//! itself, and none of it warns: `tests/generated` holds its draws against those of the macro.
#![deny(warnings)]
#![allow(dead_code, reason = "models are driven in part, and some are private")]

include!(concat!(env!("OUT_DIR"), "/all.rs"));
