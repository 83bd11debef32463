//! Frames: messages with their length before them, which is bounded before anything is read.

use std::io::{self, Read, Write};

use serde::{Serialize, de::DeserializeOwned};

/// Most bytes of a frame. The longest has a name, an address and a protocol.
pub(super) const MOST: usize = 2048;

/// Most bytes of a frame of a side that has not proved its token.
pub(super) const MOST_BEFORE: usize = 512;

/// Reason for which there is no frame.
#[derive(Debug, thiserror::Error)]
pub(super) enum FrameError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("a frame of {0} bytes")]
    Length(usize),
    #[error("a frame that is no message")]
    Message,
}

/// Reads the bytes of a frame.
pub(super) fn read_bytes(input: &mut impl Read, most: usize) -> Result<Vec<u8>, FrameError> {
    let mut length = [0; 2];
    input.read_exact(&mut length)?;
    let length = usize::from(u16::from_be_bytes(length));
    if length > most {
        return Err(FrameError::Length(length));
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Decodes a message that has no bytes left over.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FrameError> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Ok(message),
        _ => Err(FrameError::Message),
    }
}

/// Reads a frame.
pub(super) fn read<T: DeserializeOwned>(
    input: &mut impl Read,
    most: usize,
) -> Result<T, FrameError> {
    decode(&read_bytes(input, most)?)
}

/// Encodes a message.
pub(super) fn encode(message: &impl Serialize) -> Result<Vec<u8>, FrameError> {
    postcard::to_stdvec(message).map_err(|_| FrameError::Message)
}

/// Writes the bytes of a frame, at once.
pub(super) fn write_bytes(output: &mut impl Write, bytes: &[u8]) -> Result<(), FrameError> {
    let length = u16::try_from(bytes.len()).map_err(|_| FrameError::Length(bytes.len()))?;
    let frame = [&length.to_be_bytes()[..], bytes].concat();
    Ok(output.write_all(&frame)?)
}

/// Writes a frame.
pub(super) fn write(output: &mut impl Write, message: &impl Serialize) -> Result<(), FrameError> {
    write_bytes(output, &encode(message)?)
}
