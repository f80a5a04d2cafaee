//! A writer that reports its first error and from then on takes whatever it is given.

use std::io::{self, Seek, SeekFrom, Write};

/// After the first error every call succeeds and does nothing but count: what is written is lost already. An archive that is dropped half written
/// tries to write its end, and would print to the standard error that it could not.
pub(super) struct Fused<W> {
    inner: W,
    failed: bool,
    /// Where the next byte goes. An archive takes it to compute lengths, and says that they are wrong where it does not grow.
    position: u64,
}

impl<W> Fused<W> {
    pub fn new(inner: W) -> Self {
        Self {
            inner,
            failed: false,
            position: 0,
        }
    }

    fn once<T>(&mut self, call: impl FnOnce(&mut W) -> io::Result<T>, after: T) -> io::Result<T> {
        if self.failed {
            return Ok(after);
        }
        let done = call(&mut self.inner);
        self.failed = done
            .as_ref()
            .is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        done
    }
}

impl<W: Write> Write for Fused<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.once(|inner| inner.write(bytes), bytes.len())?;
        self.position += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.once(Write::flush, ())
    }
}

impl<W: Seek> Seek for Fused<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let after = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.position.saturating_add_signed(by),
            SeekFrom::End(_) => self.position,
        };
        self.position = self.once(|inner| inner.seek(to), after)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes so many bytes, then none.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0.min(bytes.len()) {
                0 => Err(io::ErrorKind::StorageFull.into()),
                taken => {
                    self.0 -= taken;
                    Ok(taken)
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_first_error_is_the_only_one() {
        let mut writer = Fused::new(Full(3));
        let error = writer.write_all(b"four").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        writer.write_all(b"more").unwrap();
        writer.flush().unwrap();
        assert_eq!(writer.position, 7);
    }
}
