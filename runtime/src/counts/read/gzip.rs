//! Decompression, whose window is overwritten when it is dropped.

use std::hint::black_box;
use std::io::{self, BufRead, ErrorKind, Read};

use flate2::bufread::GzDecoder;

/// First bytes of every gzip member (RFC 1952, section 2.3.1).
pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The members of a stream, one after the other, as `cat a.gz b.gz` and parallel compressors write them.
pub(super) struct Gzip<R: BufRead> {
    member: GzDecoder<Input<R>>,
    /// Nothing follows: the stream is at its end, or damaged.
    ended: bool,
}

impl<R: BufRead> Gzip<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            member: GzDecoder::new(Input(Some(reader))),
            ended: false,
        }
    }

    fn next_bytes(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while !self.ended && !to.is_empty() {
            let read = self.member.read(to)?;
            if read > 0 {
                return Ok(read);
            }
            let input = self.member.get_mut();
            if input.fill_buf()?.is_empty() {
                self.ended = true;
            } else {
                let rest = Input(input.0.take());
                self.member.reset(rest);
                // Its header is read by the next call.
            }
        }
        Ok(0)
    }
}

impl<R: BufRead> Read for Gzip<R> {
    /// Says of a damaged stream that it is one: the decoder speaks of the bytes only.
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.next_bytes(to).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof | ErrorKind::InvalidData | ErrorKind::InvalidInput => {
                self.ended = true;
                io::Error::new(
                    ErrorKind::InvalidData,
                    format!("the gzip stream is damaged or cut short ({error}); fetch the file again"),
                )
            }
            _ => error,
        })
    }
}

impl<R: BufRead> Drop for Gzip<R> {
    fn drop(&mut self) {
        // A reset overwrites the window, the last 32 KiB of text. That somebody looks at it keeps it from being optimised
        // away.
        black_box(&mut self.member).reset(Input(None));
        black_box(&mut self.member);
    }
}

/// A reader that can be taken away from its decoder.
struct Input<R>(Option<R>);

impl<R: BufRead> Read for Input<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(0), |reader| reader.read(to))
    }
}

impl<R: BufRead> BufRead for Input<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.as_mut().map_or(Ok(&[]), R::fill_buf)
    }

    fn consume(&mut self, bytes: usize) {
        if let Some(reader) = &mut self.0 {
            reader.consume(bytes);
        }
    }
}
