//! Pings: 8 bytes that come back as they were sent.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use super::{Fault, connection::Connection};

/// Time for which a connection may rest before it is closed.
pub(super) const REST: Duration = Duration::from_secs(30);

/// Sends one ping; its time in nanoseconds.
pub(super) fn ping(connection: &mut Connection, number: u64) -> Result<u64, Fault> {
    let sent = number.to_be_bytes();
    let mut received = [0; 8];
    let begun = Instant::now();
    connection.write_all(&sent)?;
    connection.read_awake(&mut received)?;
    let time = begun.elapsed();
    if received != sent {
        return Err(Fault::Nonsense("a ping that was not sent".to_owned()));
    }
    Ok(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX).max(1))
}

/// Sends pings back until no more come.
pub(super) fn echo(connection: &mut Connection) -> io::Result<()> {
    let mut bytes = [0; 8];
    loop {
        connection.give(REST);
        connection.read_awake(&mut bytes)?;
        connection.write_all(&bytes)?;
    }
}
