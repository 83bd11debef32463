//! Decompression of gzip files, with a limit against decompression bombs: small files that unpack
//! to huge texts.
//!
//! No length that a file declares is trusted. By default the limit grows with the bytes of the file
//! that have been read.

use std::fmt;
use std::io::{self, BufRead, Read};

use flate2::bufread::MultiGzDecoder;

/// Most bytes of text for each byte of a gzip file, unless the caller gives another limit. A file
/// of zeros has a thousand.
///
/// Matrices of grids, dense ones and diagonals, as text of up to 24 digits, have 3 to 13.
pub const UNPACKED: u64 = 32;
/// Bytes of text that a gzip file may have beyond [`UNPACKED`] for each byte: 1 MiB, as short files
/// pack better.
const FREE: u64 = 1 << 20;

/// Error of a gzip file that gives more text than it may.
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

/// Reader of the text of a gzip file. It fails with [`TooMuch`] where the text exceeds its limit.
pub(crate) struct Unpacking<R> {
    decoder: MultiGzDecoder<Counted<R>>,
    /// Most bytes of text; `None`: in proportion to the file, [`UNPACKED`] and [`FREE`].
    most: Option<u64>,
    /// Bytes of text so far.
    text: u64,
}

impl<R: BufRead> Unpacking<R> {
    /// Begins to unpack a file. `most` limits the bytes of its text; without it, the file's own
    /// bytes do.
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

/// Reader that counts the bytes of the file that the decoder takes.
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
