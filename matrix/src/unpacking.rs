//! Unpacking of gzip files, which ends where they give too much text.

use std::fmt;
use std::io::{self, BufRead, Read};

use flate2::bufread::MultiGzDecoder;

/// Bytes of text for each byte of a gzip file, at most, unless more is asked for. Files of zeros
/// unpack to a thousand.
///
/// Matrices of grids, dense ones and diagonals, as text of up to 24 digits, have 3 to 13.
pub const UNPACKED: u64 = 32;
/// Bytes of text that a gzip file may have beyond [`UNPACKED`] for each byte: 1 MiB, as short files
/// pack better.
const FREE: u64 = 1 << 20;

/// A gzip file gives more text than it may.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooMuch {
    /// Bytes of text, at most.
    pub(crate) most: u64,
}

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} bytes of text", self.most)
    }
}

impl std::error::Error for TooMuch {}

/// The text of a gzip file.
pub(crate) struct Unpacking<R> {
    decoder: MultiGzDecoder<Counted<R>>,
    /// Bytes of text, at most; `None`: not said.
    most: Option<u64>,
    text: u64,
}

impl<R: BufRead> Unpacking<R> {
    /// Begins to unpack a file, of which at most so many bytes are wanted.
    pub(crate) fn new(file: R, most: Option<u64>) -> Self {
        let decoder = MultiGzDecoder::new(Counted { file, bytes: 0 });
        Self {
            decoder,
            most,
            text: 0,
        }
    }
}

impl<R: BufRead> Read for Unpacking<R> {
    fn read(&mut self, text: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(text)?;
        self.text += count as u64;
        let packed = self.decoder.get_ref().bytes;
        let by_length = || packed.saturating_mul(UNPACKED).saturating_add(FREE);
        let most = self.most.unwrap_or_else(by_length);
        match self.text > most {
            true => Err(io::Error::other(TooMuch { most })),
            false => Ok(count),
        }
    }
}

/// Counts the bytes that are read.
struct Counted<R> {
    file: R,
    bytes: u64,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.file.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.bytes += count as u64;
        self.file.consume(count);
    }
}
