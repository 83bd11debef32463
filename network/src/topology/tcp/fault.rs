//! Faults of hosts.

use std::{io, net::SocketAddr};

use serde::{Deserialize, Serialize};

use super::{Host, frame::FrameError};

/// Reason for which a host cannot be measured.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("host {} at {}{}: {fault}", host.name, host.address, seen_by(from.as_deref()))]
pub struct HostError {
    /// The host, by number.
    pub number: usize,
    /// The host.
    pub host: Host,
    /// Name of the host that sent pings to it; `None`: whoever measures has seen it.
    pub from: Option<String>,
    /// The defect.
    pub fault: Fault,
}

impl HostError {
    /// Makes the error of a host, as whoever measures has seen it.
    pub(super) fn new(number: usize, host: &Host, fault: Fault) -> Self {
        Self {
            number,
            host: host.clone(),
            from: None,
            fault,
        }
    }
}

fn seen_by(from: Option<&str>) -> String {
    from.map_or_else(String::new, |name| format!(", seen from {name}"))
}

/// Fault of a host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Fault {
    /// Nothing accepts connections at the host's address.
    #[error("it cannot be reached: {0}")]
    Unreachable(String),
    /// A deadline has passed.
    #[error("it does not answer in time")]
    Silent,
    /// The host has ended, or does not want to talk.
    #[error("it closed the connection")]
    Closed,
    /// The proof of the token was not accepted.
    #[error("it has another token")]
    Token,
    /// Another version of the protocol.
    #[error(
        "it speaks version {theirs} of the protocol, and this is version {ours}: all hosts need the same version of superstep"
    )]
    Version {
        /// Version of this side.
        ours: u16,
        /// Version of the host.
        theirs: u16,
    },
    /// A proxy or address translation lies between.
    #[error("a proxy or address translation (NAT) lies before it, and adds to round trips")]
    Translated,
    /// The host is measured by another.
    #[error("it is being measured by another")]
    Busy,
    /// Nobody measures the host, so it answers no pings.
    #[error("nobody measures it: it has been started anew, or was given up")]
    Idle,
    /// Another host answers at that address.
    #[error("it says that its name is {0:?}")]
    Name(String),
    /// Bytes that are no answer.
    #[error("it answers nonsense: {0}")]
    Nonsense(String),
    /// Another error of the system.
    #[error("{0}")]
    System(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Self::Silent,
            io::ErrorKind::UnexpectedEof
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::System(error.to_string()),
        }
    }
}

impl From<FrameError> for Fault {
    fn from(error: FrameError) -> Self {
        match error {
            FrameError::Io(error) => error.into(),
            _ => Self::Nonsense(error.to_string()),
        }
    }
}

impl Fault {
    /// Takes the words of another host as they may be printed: short, and without what a terminal
    /// obeys.
    pub(super) fn printable(self) -> Self {
        let clean = |text: String| -> String {
            let shown = text.chars().filter(|c| !c.is_control());
            shown.take(200).collect()
        };
        match self {
            Self::Unreachable(text) => Self::Unreachable(clean(text)),
            Self::Name(text) => Self::Name(clean(text)),
            Self::Nonsense(text) => Self::Nonsense(clean(text)),
            Self::System(text) => Self::System(clean(text)),
            other => other,
        }
    }

    /// Returns the fault of not being reached.
    pub(super) fn unreachable(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => Self::Silent,
            _ => Self::Unreachable(error.to_string()),
        }
    }
}

/// Returns whether two addresses are one, however they are written.
pub(super) fn is_same(one: SocketAddr, other: SocketAddr) -> bool {
    one.port() == other.port() && one.ip().to_canonical() == other.ip().to_canonical()
}
