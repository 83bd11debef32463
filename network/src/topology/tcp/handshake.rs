//! Handshake by which connections begin: version, challenge and proof on both sides.
//!
//! ```text
//! caller: magic, version                server: magic, version
//! caller: Hello (role, name, addresses, nonce)
//!                                       server: Challenge (nonce)
//! caller: proof of all that was said
//!                                       server: Verdict (proof, name, refusal)
//! ```
//!
//! The caller proves first: what merely knocks learns nothing that depends on the token.

use std::{
    io::{self, Read, Write},
    net::SocketAddr,
};

use serde::{Deserialize, Serialize};

use super::{
    Fault, Token,
    connection::Connection,
    fault::is_same,
    frame,
    token::{PROOF, Side},
};

/// First bytes of every connection, the same in all versions.
const MAGIC: [u8; 8] = *b"superstp";

/// Version of the protocol; it grows when anything but [`MAGIC`] changes.
const VERSION: u16 = 2;

/// Role of who opens a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Role {
    /// Whoever measures: requests follow.
    Coordinator,
    /// Another host: pings follow.
    Peer,
    /// Another host: a stream follows, of which the bytes are counted.
    Stream,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) role: Role,
    /// Name by which the caller calls the server.
    pub(super) name: String,
    /// Address of the caller, as it sees itself.
    from: SocketAddr,
    /// Address that it has called.
    to: SocketAddr,
    nonce: Nonce,
}

/// Random number by which the other side is challenged.
type Nonce = [u8; 32];

#[derive(Serialize, Deserialize)]
struct Verdict {
    proof: [u8; PROOF],
    /// Name by which the server is called by whoever measures it.
    name: String,
    refusal: Option<Fault>,
}

fn nonce() -> Result<Nonce, Fault> {
    let mut nonce = [0; 32];
    getrandom::fill(&mut nonce).map_err(|error| Fault::System(error.to_string()))?;
    Ok(nonce)
}

/// Writes magic and version.
fn greet(output: &mut impl Write) -> io::Result<()> {
    output.write_all(&[&MAGIC[..], &VERSION.to_be_bytes()].concat())
}

/// Reads magic and version; the version. What does not begin like this is closed at its first byte.
fn greeted(input: &mut impl Read) -> Result<u16, Fault> {
    for expected in MAGIC {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        if byte != [expected] {
            return Err(Fault::Nonsense("no greeting".to_owned()));
        }
    }
    let mut version = [0; 2];
    input.read_exact(&mut version)?;
    Ok(u16::from_be_bytes(version))
}

fn check_version(theirs: u16) -> Result<(), Fault> {
    let ours = VERSION;
    (theirs == ours)
        .then_some(())
        .ok_or(Fault::Version { ours, theirs })
}

/// Begins a connection as the caller.
pub(super) fn call(
    connection: &mut Connection,
    token: &Token,
    role: Role,
    name: &str,
) -> Result<(), Fault> {
    let (from, to) = connection.addresses()?;
    greet(connection)?;
    check_version(greeted(connection)?)?;
    let hello = frame::encode(&Hello {
        role,
        name: name.to_owned(),
        from,
        to,
        nonce: nonce()?,
    })?;
    frame::write_bytes(connection, &hello)?;
    let challenge = frame::read_bytes(connection, frame::MOST_BEFORE)?;
    frame::decode::<Nonce>(&challenge)?;
    let transcript = [&hello[..], &challenge[..]];
    let proof = token.prove(Side::Caller, &transcript);
    frame::write(connection, &proof)?;
    let verdict = match frame::read::<Verdict>(connection, frame::MOST).map_err(Fault::from) {
        // Whoever has another token hangs up.
        Err(Fault::Closed) => return Err(Fault::Token),
        verdict => verdict?,
    };
    if !token.accepts(Side::Server, &transcript, &verdict.proof) {
        return Err(Fault::Token);
    }
    match verdict.refusal {
        Some(fault) => Err(fault.printable()),
        None if verdict.name != name => Err(Fault::Name(verdict.name).printable()),
        None => Ok(()),
    }
}

/// A caller that has proved the token and waits to hear whether it is welcome.
#[derive(Debug)]
pub(super) struct Caller {
    pub(super) hello: Hello,
    proof: [u8; PROOF],
    /// Set if both sides see the same addresses.
    is_direct: bool,
}

/// Begins a connection as the server; on an error it is closed without a word.
pub(super) fn hear(connection: &mut Connection, token: &Token) -> Result<Caller, Fault> {
    let theirs = greeted(connection)?;
    greet(connection)?;
    check_version(theirs)?;
    let said = frame::read_bytes(connection, frame::MOST_BEFORE)?;
    let hello: Hello = frame::decode(&said)?;
    let challenge = frame::encode(&nonce()?)?;
    frame::write_bytes(connection, &challenge)?;
    let transcript = [&said[..], &challenge[..]];
    let proof: [u8; PROOF] = frame::read(connection, frame::MOST_BEFORE)?;
    if !token.accepts(Side::Caller, &transcript, &proof) {
        return Err(Fault::Token);
    }
    let (here, there) = connection.addresses()?;
    Ok(Caller {
        is_direct: is_same(hello.from, there) && is_same(hello.to, here),
        proof: token.prove(Side::Server, &transcript),
        hello,
    })
}

impl Caller {
    /// Answers the caller: with the server's name, or why it is refused.
    pub(super) fn answer(
        &self,
        connection: &mut Connection,
        name: Result<&str, Fault>,
    ) -> Result<(), Fault> {
        let name = match name {
            Ok(_) if !self.is_direct => Err(Fault::Translated),
            name => name,
        };
        let verdict = Verdict {
            proof: self.proof,
            name: name
                .as_ref()
                .map_or(String::new(), |name| (*name).to_owned()),
            refusal: name.as_ref().err().cloned(),
        };
        frame::write(connection, &verdict)?;
        name.map(|_| ())
    }
}
