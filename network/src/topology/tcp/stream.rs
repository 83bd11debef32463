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

/// Least time for which a stream flows before it is counted, as TCP's window grows meanwhile.
const GROWTH: Duration = Duration::from_millis(250);

/// Round trips for which a stream flows before it is counted, if that is longer. The window doubles
/// with each: twelve doublings reach 60 MB from ten segments.
const DOUBLINGS: u32 = 12;

/// Longest time for which a stream flows before it is counted: twelve round trips of 400 ms.
pub(super) const LONGEST_GROWTH: Duration = Duration::from_secs(5);

/// Longest time for which a stream may be asked.
pub(super) const LONGEST: Duration = Duration::from_secs(60);

/// Bytes that are written and read at a time: a hundredth of a millisecond at 50 Gbit/s.
const BLOCK: usize = 64 << 10;

/// Small messages whose sending is timed: their median does without a few interruptions.
const MESSAGES: usize = 31;

/// Bandwidth that no connection has, in Mbit/s: of ten that have a Tbit/s.
const MOST_MBITS: f64 = 1e7;

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

    /// Returns whether a host can have measured this until a deadline.
    pub(super) fn is_possible(&self, deadline: Duration) -> bool {
        let longest = nanoseconds(deadline);
        let is_timely = (1..=longest).contains(&self.elapsed) && self.setup <= longest;
        self.bytes > 0 && is_timely && self.mbits() < MOST_MBITS
    }
}

/// Times of a stream in milliseconds: in which it grows, and in which it is counted.
#[derive(Debug, Serialize, Deserialize)]
struct Window {
    growth: u64,
    counted: u64,
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
    let opened = begun.elapsed();
    handshake::call(&mut connection, token, Role::Stream, name)?;
    let growth = (opened * DOUBLINGS).clamp(GROWTH, LONGEST_GROWTH);
    let window = Window {
        growth: growth.as_millis() as u64,
        counted: time.as_millis() as u64,
    };
    frame::write(&mut connection, &window)?;
    let setup = nanoseconds(opened).saturating_add(messages(&mut connection)?);
    let block = vec![0; BLOCK];
    let begun = Instant::now();
    // So long that the last of what is counted is on its way when it ends.
    while begun.elapsed() < growth + time + opened {
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

/// Receives a stream, and takes what is still on its way. Says how much of it arrived while it was
/// to be counted, and in which time.
pub(super) fn receive(connection: &mut Connection) -> Result<(), Fault> {
    let Window { growth, counted } = frame::read(connection, frame::MOST)?;
    let growth = Duration::from_millis(growth).min(LONGEST_GROWTH);
    let counted = Duration::from_millis(counted).min(LONGEST);
    connection.give(growth + counted + REST);
    let mut block = vec![0; BLOCK];
    let (mut first, mut grown, mut bytes) = (None, None, 0);
    let elapsed = loop {
        let more = connection.read(&mut block)?;
        let now = Instant::now();
        let begun = *first.get_or_insert(now);
        match grown {
            Some(grown) if more > 0 => {
                bytes += more as u64;
                if now - grown >= counted {
                    break now - grown;
                }
            }
            // It has ended early.
            grown if more == 0 => break grown.map_or(Duration::ZERO, |grown| now - grown),
            _ if now - begun >= growth => grown = Some(now),
            _ => {}
        }
    };
    let elapsed = nanoseconds(elapsed);
    frame::write(connection, &Count { bytes, elapsed })?;
    connection.give(REST);
    while connection.read(&mut block)? > 0 {}
    Ok(())
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
