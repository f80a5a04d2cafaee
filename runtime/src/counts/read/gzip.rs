//! Decompression.

use std::io::{self, BufRead, ErrorKind, Read};

use flate2::bufread::MultiGzDecoder;

/// First bytes of every gzip member (RFC 1952, section 2.3.1).
pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The members of a stream, one after the other, as `cat a.gz b.gz` and parallel compressors write them.
pub(super) struct Gzip<R>(MultiGzDecoder<R>);

impl<R: BufRead> Gzip<R> {
    pub(super) fn new(reader: R) -> Self {
        Self(MultiGzDecoder::new(reader))
    }
}

impl<R: BufRead> Read for Gzip<R> {
    /// Says of a damaged stream that it is one: the decoder speaks of the bytes only.
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.0.read(to).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::InvalidInput => io::Error::new(
                ErrorKind::InvalidData,
                format!("the gzip stream is damaged or cut short ({error}); fetch the file again"),
            ),
            _ => error,
        })
    }
}
