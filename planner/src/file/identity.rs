//! The kernel and the control arguments that a plan was made for.

use std::fmt::{self, Write};

use twox_hash::xxhash3_128::Hasher;

use super::DecodeError;
use super::bytes::{Reader, Writer};

/// A hash of 128 bits.
///
/// XXH3 hashes at the speed of memory, so that a pattern costs less than the solve that reads it.
/// It tells accidents, not attacks: nothing rests on it.
pub struct Digest(Hasher);

impl Default for Digest {
    fn default() -> Self {
        Self(Hasher::new())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Digest").field(&self.finish()).finish()
    }
}

impl Digest {
    /// Returns the hash of bytes.
    pub fn of(bytes: &[u8]) -> u128 {
        Hasher::oneshot(bytes)
    }

    /// Hashes further bytes; how they are divided among calls does not matter.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.write(bytes);
    }

    /// Returns the hash of all bytes so far.
    pub fn finish(&self) -> u128 {
        self.0.finish_128()
    }
}

/// Parts of an identity, as errors name them.
const KERNEL: &str = "the kernel";
const TEXT: &str = "the hash of the kernel's text";
const ARGUMENTS: &str = "the control arguments";

/// Reads a control argument and its name.
fn argument<'b>(input: &mut Reader<'b>) -> Result<(&'b str, Value<&'b str>), DecodeError> {
    let name = input.text(ARGUMENTS)?;
    let found = match input.small(ARGUMENTS)? {
        0 => Value::Scalar(input.text(ARGUMENTS)?),
        1 => Value::Structure {
            length: input.number(ARGUMENTS)?,
            hash: u128::from_le_bytes(input.array(ARGUMENTS)?),
        },
        _ => return Err(DecodeError::Damaged { what: ARGUMENTS }),
    };
    Ok((name, found))
}

/// A kernel with its control arguments: a plan is for no others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    kernel: String,
    text: String,
    arguments: Vec<(String, Value<String>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Value<S> {
    /// A scalar as `Debug` shows it, which is exact for numbers and flags.
    Scalar(S),
    Structure {
        length: u64,
        hash: u128,
    },
}

impl Identity {
    /// Begins with the name of a kernel and a hash of its text.
    pub fn new(kernel: &str, text: &str) -> Self {
        Self {
            kernel: kernel.into(),
            text: text.into(),
            arguments: Vec::new(),
        }
    }

    /// Returns a hash of all of it.
    pub fn digest(&self) -> u128 {
        let mut out = Writer::default();
        self.write(&mut out);
        Digest::of(&out.0)
    }

    /// Adds a control argument that is a number or a flag.
    pub fn scalar(&mut self, name: &str, value: &dyn fmt::Debug) {
        let value = Value::Scalar(format!("{value:?}"));
        self.arguments.push((name.into(), value));
    }

    /// Adds a structure argument: its elements and their hash.
    pub fn structure(&mut self, name: &str, length: usize, elements: &Digest) {
        let value = Value::Structure {
            length: length as u64,
            hash: elements.finish(),
        };
        self.arguments.push((name.into(), value));
    }

    pub(super) fn write(&self, out: &mut Writer) {
        out.text(&self.kernel);
        out.text(&self.text);
        out.number(self.arguments.len() as u64);
        for (name, value) in &self.arguments {
            out.text(name);
            match value {
                Value::Scalar(shown) => {
                    out.number(0);
                    out.text(shown);
                }
                Value::Structure { length, hash } => {
                    out.number(1);
                    out.number(*length);
                    out.bytes(&hash.to_le_bytes());
                }
            }
        }
    }

    /// Reads an identity, and tells it: the kernel's name, and its control arguments in words,
    /// `n = 3000, col: 8980 elements`.
    pub(super) fn tell(input: &mut Reader<'_>) -> Result<(String, String), DecodeError> {
        let kernel = input.text(KERNEL)?.to_owned();
        input.text(TEXT)?;
        let mut told = String::new();
        for count in 0..input.size(ARGUMENTS)? {
            let comma = if count == 0 { "" } else { ", " };
            let (name, found) = argument(input)?;
            // Writing to a string does not fail.
            let _ = match found {
                Value::Scalar(value) => write!(told, "{comma}{name} = {value}"),
                Value::Structure { length, .. } => {
                    write!(told, "{comma}{name}: {length} elements")
                }
            };
        }
        Ok((kernel, told))
    }

    /// Reads an identity, and compares it with this one.
    pub(super) fn compare(&self, input: &mut Reader<'_>) -> Result<(), DecodeError> {
        let found = input.text(KERNEL)?;
        if found != self.kernel {
            return Err(DecodeError::Kernel {
                found: found.into(),
                kernel: self.kernel.clone(),
            });
        }
        let text = input.text(TEXT)?;
        if text != self.text {
            return Err(DecodeError::Text {
                kernel: self.kernel.clone(),
            });
        }
        // One text has arguments of one number, names and kinds.
        let differs = || Err(DecodeError::Damaged { what: ARGUMENTS });
        if input.size(ARGUMENTS)? != self.arguments.len() {
            return differs();
        }
        for (argument, value) in &self.arguments {
            let (name, found) = self::argument(input)?;
            if name != argument {
                return differs();
            }
            let argument = argument.clone();
            match (found, value) {
                (Value::Scalar(found), Value::Scalar(given)) if found != given => {
                    return Err(DecodeError::Scalar {
                        argument,
                        found: found.into(),
                        given: given.clone(),
                    });
                }
                (Value::Scalar(_), Value::Scalar(_)) => {}
                (
                    Value::Structure {
                        length: found,
                        hash: other,
                    },
                    &Value::Structure {
                        length: given,
                        hash,
                    },
                ) => {
                    if found != given {
                        return Err(DecodeError::Length {
                            argument,
                            found,
                            given,
                        });
                    }
                    if other != hash {
                        return Err(DecodeError::Pattern { argument });
                    }
                }
                _ => return differs(),
            }
        }
        Ok(())
    }
}
