//! Streams: as many bytes as go through for a while, counted where they arrive.

use std::{
    io::{self, Read, Write},
    net::SocketAddr,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use super::{
    Fault, Token,
    connection::Connection,
    frame,
    handshake::{self, Role},
    ping::REST,
};

/// Time for which a stream flows before it is counted, as TCP's window grows meanwhile. It doubles
/// with each round trip: six doublings of 40 ms reach 1 MiB from ten segments.
const GROWTH: Duration = Duration::from_millis(250);

/// Longest time for which a stream may be asked.
pub(super) const LONGEST: Duration = Duration::from_secs(60);

/// Bytes that are written and read at a time: a hundredth of a millisecond at 50 Gbit/s.
const BLOCK: usize = 64 << 10;

/// Small messages whose sending is timed: their median does without a few interruptions.
const MESSAGES: usize = 31;

/// A stream from one host to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream {
    /// Bytes that have arrived while they were counted.
    pub bytes: u64,
    /// Time in which they have arrived, in nanoseconds, at least 1.
    pub elapsed: u64,
    /// Time in which the sender opens a connection and hands it a small message, in nanoseconds.
    pub setup: u64,
}

impl Stream {
    /// Returns the bandwidth in Mbit/s.
    ///
    /// ```
    /// use superstep_network::topology::tcp::Stream;
    ///
    /// let stream = Stream { bytes: 12_500_000, elapsed: 1_000_000_000, setup: 4_000 };
    /// assert_eq!(stream.mbits(), 100.0);
    /// ```
    pub fn mbits(&self) -> f64 {
        8e3 * self.bytes as f64 / self.elapsed.max(1) as f64
    }
}

/// Bytes and nanoseconds, as the host counts them that receives a stream.
#[derive(Debug, Serialize, Deserialize)]
struct Count {
    bytes: u64,
    elapsed: u64,
}

/// Sends a stream to a host for so long, beside the time in which it grows.
pub(super) fn send(
    token: &Token,
    name: &str,
    address: SocketAddr,
    time: Duration,
    deadline: Instant,
) -> Result<Stream, Fault> {
    let begun = Instant::now();
    let mut connection = Connection::open(address, deadline).map_err(Fault::unreachable)?;
    let opened = nanoseconds(begun.elapsed());
    handshake::call(&mut connection, token, Role::Stream, name)?;
    let setup = opened.saturating_add(messages(&mut connection)?);
    let block = vec![0; BLOCK];
    let begun = Instant::now();
    while begun.elapsed() < GROWTH + time {
        connection.write_all(&block)?;
    }
    connection.end()?;
    let Count { bytes, elapsed } = frame::read(&mut connection, frame::MOST)?;
    match bytes {
        0 => Err(Fault::Nonsense("a stream without bytes".to_owned())),
        _ => Ok(Stream {
            bytes,
            elapsed: elapsed.max(1),
            setup,
        }),
    }
}

/// Sends small messages, and returns the median of the nanoseconds that each takes.
fn messages(connection: &mut Connection) -> io::Result<u64> {
    let mut times = [0; MESSAGES];
    for time in &mut times {
        let begun = Instant::now();
        connection.write_all(&[0; 8])?;
        *time = nanoseconds(begun.elapsed());
    }
    times.sort_unstable();
    Ok(times[MESSAGES / 2])
}

/// Receives a stream to its end, and says how much of it arrived after it had grown, in which time.
pub(super) fn receive(connection: &mut Connection) -> Result<(), Fault> {
    let mut block = vec![0; BLOCK];
    let mut grown = None;
    let (mut begun, mut last) = (None, Instant::now());
    let mut bytes = 0;
    connection.give(LONGEST + REST);
    loop {
        match connection.read(&mut block)? {
            0 => break,
            more => {
                last = Instant::now();
                let begun = *begun.get_or_insert(last);
                match grown {
                    Some(_) => bytes += more as u64,
                    None if last - begun >= GROWTH => grown = Some(last),
                    None => {}
                }
            }
        }
    }
    let elapsed = grown.map_or(Duration::ZERO, |grown: Instant| last - grown);
    let elapsed = nanoseconds(elapsed);
    connection.give(REST);
    Ok(frame::write(connection, &Count { bytes, elapsed })?)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
