//! The secret that all hosts share, and proofs of having it (challenge and response).
//!
//! A proof is a message authentication code (HMAC-SHA-256) of a *transcript*: messages that both
//! sides have sent. Each of them has put a random number there (a nonce), so that no proof of an
//! earlier connection fits. The handshake takes care of that.

use std::{fmt, fs::File, io::Read, path::Path};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use superstep_files::FileError;

/// Secret that the hosts and whoever measures them share.
///
/// ```
/// use superstep_network::topology::tcp::Token;
///
/// assert_eq!(Token::new(b"swordfish").unwrap_err().to_string(), "the token has 9 bytes: it needs 16 to 4096");
/// ```
#[derive(Clone)]
pub struct Token(Vec<u8>);

/// Least number of bytes: 128 bits if they are random.
const LEAST: usize = 16;

/// Most bytes, so that no file is read without end.
const MOST: usize = 4096;

/// Number of bytes of a proof.
pub(super) const PROOF: usize = 32;

/// A token of so many bytes, which is too short to be secret, or too long.
#[derive(Debug, thiserror::Error)]
#[error("the token has {0} bytes: it needs {LEAST} to {MOST}")]
pub struct TokenError(usize);

impl Token {
    /// Makes a token of 16 to 4096 bytes, which should be random.
    ///
    /// # Errors
    /// When it has fewer or more.
    pub fn new(bytes: &[u8]) -> Result<Self, TokenError> {
        if !(LEAST..=MOST).contains(&bytes.len()) {
            return Err(TokenError(bytes.len()));
        }
        Ok(Self(bytes.to_owned()))
    }

    /// Reads a token from a file, without white space around it.
    ///
    /// # Errors
    /// When the file cannot be read, or as [`new`](Self::new).
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(2 * MOST as u64).read_to_end(&mut bytes))
            .map_err(FileError::io(path))?;
        Self::new(bytes.trim_ascii()).map_err(|error| FileError::at(path, [], error.to_string()))
    }

    /// Begins the code of a transcript and of who proves. Each part has its length before it, as
    /// others, cut differently, could have the same bytes.
    fn mac(&self, side: Side, transcript: &[&[u8]]) -> Hmac<Sha256> {
        let mut mac =
            Hmac::<Sha256>::new_from_slice(&self.0).expect("HMAC takes keys of any length");
        mac.update(&[side as u8]);
        for part in transcript {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac
    }

    /// Makes the proof that this side, which is `side`, has the token.
    pub(super) fn prove(&self, side: Side, transcript: &[&[u8]]) -> [u8; PROOF] {
        self.mac(side, transcript).finalize().into_bytes().into()
    }

    /// Returns whether the other side, which is `side`, has the token. Takes constant time: it does
    /// not depend on where a proof is wrong.
    pub(super) fn accepts(&self, side: Side, transcript: &[&[u8]], proof: &[u8; PROOF]) -> bool {
        self.mac(side, transcript).verify_slice(proof).is_ok()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

/// Side of a connection, which its proof covers: nobody's own proof can be sent back to them
/// (reflection attack).
#[derive(Clone, Copy, Debug)]
pub(super) enum Side {
    /// Opens the connection.
    Caller = 1,
    /// Accepts it.
    Server = 2,
}
