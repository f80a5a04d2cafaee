//! Reading through a buffer that is overwritten when it is dropped.

use std::io::{self, BufRead, Read};

use zeroize::Zeroizing;

/// [`std::io::BufReader`] leaves the text of counts in the memory that it frees; this does not.
pub(in super::super) struct Buffered<R> {
    reader: R,
    buffer: Zeroizing<Box<[u8]>>,
    /// What was read and is not consumed: from here
    start: usize,
    /// to here.
    end: usize,
}

impl<R: Read> Buffered<R> {
    /// Bytes of the buffer.
    const BYTES: usize = 1 << 16;

    pub(in super::super) fn new(reader: R) -> Self {
        Self {
            reader,
            buffer: Zeroizing::new(vec![0; Self::BYTES].into_boxed_slice()),
            start: 0,
            end: 0,
        }
    }
}

impl<R: Read> Read for Buffered<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(to)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: Read> BufRead for Buffered<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            // In this order: after an error nothing is there.
            (self.start, self.end) = (0, 0);
            self.end = self.reader.read(&mut self.buffer)?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, bytes: usize) {
        self.start = self.end.min(self.start + bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_comes_through_whole() {
        let text: Vec<u8> = (0..200_000u32).map(|at| (at % 251) as u8).collect();
        let mut read = Vec::new();
        let mut buffered = Buffered::new(&text[..]);
        assert_eq!(buffered.fill_buf().unwrap().len(), 1 << 16);
        buffered.consume(3);
        assert_eq!(buffered.read(&mut [0; 2]).unwrap(), 2);
        buffered.read_to_end(&mut read).unwrap();
        assert!(read == text[5..] && buffered.fill_buf().unwrap().is_empty());
    }
}
