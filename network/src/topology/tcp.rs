//! Round-trip times over TCP between processes: each host runs a [`Server`], and a [`TcpProbe`]
//! asks them.
//!
//! The probe keeps a connection to every host. For a pair it gives the first host the address of
//! the second. That one opens a connection to it, or uses the one it has. It sends
//! [`Protocol`](super::Protocol)'s pings of 8 bytes, and answers with their round-trip time. Or it
//! sends a [`Stream`] to it, whose bytes the second host counts.
//!
//! All connections begin alike. Both sides say their version of the protocol and a random number.
//! They prove by HMAC-SHA-256 over all that was said that they have the same [`Token`], which never
//! crosses the network. What does not prove it within a second is closed. Later frames are neither
//! encrypted nor signed: who can change packets on their way can forge times.
//!
//! Frames have at most a few KB, and every read and write has a deadline. A host that does not
//! answer, ends, or answers nonsense is a [`HostError`] that names it.
//!
//! ```
//! use std::{thread, time::Duration};
//! use superstep_network::topology::{
//!     Probe,
//!     tcp::{Host, Server, TcpProbe, Token},
//! };
//!
//! let token = Token::new(b"sixteen bytes or more")?;
//! let mut hosts = Vec::new();
//! for name in ["a", "b"] {
//!     let server = Server::bind("127.0.0.1:0".parse()?, token.clone())?;
//!     hosts.push(Host { name: name.to_owned(), address: server.address() });
//!     thread::spawn(move || server.run());
//! }
//! let mut probe = TcpProbe::connect(hosts, &token, Duration::from_secs(10), |_| {});
//! assert!(probe.lost().is_empty());
//! probe.begin(0, 1);
//! assert!(probe.finish().result?.minimum > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod connection;
mod fault;
mod frame;
mod handshake;
mod host;
mod ping;
mod probe;
mod server;
mod session;
mod stream;
#[cfg(test)]
mod tests;
mod token;

pub use fault::{Fault, HostError};
pub use host::Host;
pub use probe::TcpProbe;
pub use server::Server;
pub use stream::Stream;
pub use token::{Token, TokenError};
