//! The examples are in the folder above; this library is empty.
