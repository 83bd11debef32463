//! Sessions: what whoever measures asks of a host.

use std::{
    collections::HashMap,
    net::SocketAddr,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use super::{
    Fault, Token,
    connection::Connection,
    frame,
    handshake::{self, Role},
    ping::{REST, ping},
    stream::{self, Stream},
};
use crate::topology::{Measured, Protocol, RoundTrip};

/// Period at which whoever measures says that it is there: thrice in the time in which it is given
/// up.
pub(super) const BEAT: Duration = Duration::from_secs(10);

/// Longest time for which a measurement may be asked.
const LONGEST: Duration = Duration::from_secs(3600);

/// Most pings of a measurement.
const MOST_PINGS: u64 = 1 << 20;

/// Most connections that are kept to other hosts.
const MOST_KEPT: usize = 256;

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Nothing: whoever measures is still there.
    Beat,
    /// Measure the round trip to another host.
    Measure {
        name: String,
        address: SocketAddr,
        protocol: Protocol,
        /// Time for all of it, in milliseconds.
        time: u64,
    },
    /// Send a stream to another host.
    Stream {
        name: String,
        address: SocketAddr,
        /// Time for which it is counted, in milliseconds.
        counted: u64,
        /// Time for all of it, in milliseconds.
        time: u64,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    Beat,
    /// Round-trip time, in nanoseconds.
    Measured(RoundTrip),
    /// The stream, as the other host has counted it.
    Streamed(Stream),
    /// The other host's fault.
    Failed(Fault),
}

/// Answers requests until there are no more.
pub(super) fn attend(connection: &mut Connection, token: &Token) -> Result<(), Fault> {
    let mut peers = HashMap::new();
    let deadline = |time| Instant::now() + Duration::from_millis(time).min(LONGEST);
    loop {
        connection.give(REST);
        let answer = match frame::read(connection, frame::MOST)? {
            Request::Beat => Answer::Beat,
            Request::Measure {
                name,
                address,
                protocol,
                time,
            } => {
                if u64::from(protocol.sets) * u64::from(protocol.most) > MOST_PINGS {
                    return Err(Fault::Nonsense("too many pings".to_owned()));
                }
                let deadline = deadline(time);
                let found = measure(&mut peers, token, &name, address, &protocol, deadline);
                found.map_or_else(Answer::Failed, |found| Answer::Measured(found.round_trip))
            }
            Request::Stream {
                name,
                address,
                counted,
                time,
            } => {
                let counted = Duration::from_millis(counted).min(stream::LONGEST);
                let found = stream::send(token, &name, address, counted, deadline(time));
                found.map_or_else(Answer::Failed, Answer::Streamed)
            }
        };
        connection.give(REST);
        frame::write(connection, &answer)?;
    }
}

/// Measures the round trip to a host, over the connection that was kept or a new one.
fn measure(
    peers: &mut HashMap<SocketAddr, Connection>,
    token: &Token,
    name: &str,
    address: SocketAddr,
    protocol: &Protocol,
    deadline: Instant,
) -> Result<Measured, Fault> {
    let mut number = 0;
    if let Some(mut peer) = peers.remove(&address) {
        peer.set_deadline(deadline);
        // The other side may have closed it, as it had rested.
        if ping(&mut peer, number).is_ok() {
            let measured = pings(&mut peer, protocol, &mut number)?;
            peers.insert(address, peer);
            return Ok(measured);
        }
    }
    let mut peer = Connection::open(address, deadline).map_err(Fault::unreachable)?;
    handshake::call(&mut peer, token, Role::Peer, name)?;
    // The first ping of a connection takes longer: the other side has just begun to wait.
    ping(&mut peer, number)?;
    let measured = pings(&mut peer, protocol, &mut number)?;
    if peers.len() == MOST_KEPT {
        peers.clear();
    }
    peers.insert(address, peer);
    Ok(measured)
}

fn pings(peer: &mut Connection, protocol: &Protocol, number: &mut u64) -> Result<Measured, Fault> {
    protocol.measure(|| {
        *number += 1;
        ping(peer, *number)
    })
}
