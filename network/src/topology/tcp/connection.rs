//! Connections whose reads and writes end at a deadline.

use std::{
    io::{self, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    thread,
    time::{Duration, Instant},
};

/// Longest time for which a core is kept awake, after which its thread sleeps. Longer round trips,
/// between distant sites, vary by more than a wake-up takes.
const AWAKE: Duration = Duration::from_millis(2);

/// TCP connection on which nothing lasts longer than until its deadline, however slowly bytes come.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    deadline: Instant,
    /// Set if reads and writes that cannot go on return at once.
    is_awake: bool,
}

impl Connection {
    /// Takes a stream. Small messages leave at once (`TCP_NODELAY`).
    pub(super) fn new(stream: TcpStream, deadline: Instant) -> io::Result<Self> {
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            deadline,
            is_awake: false,
        })
    }

    /// Opens a connection.
    pub(super) fn open(address: SocketAddr, deadline: Instant) -> io::Result<Self> {
        let stream = TcpStream::connect_timeout(&address, left(deadline)?)?;
        Self::new(stream, deadline)
    }

    /// Sets the deadline so much later than now.
    pub(super) fn give(&mut self, time: Duration) {
        self.deadline = Instant::now() + time;
    }

    /// Reads all of `buffer`, and keeps the core awake meanwhile, but for no longer than
    /// [`AWAKE`].
    pub(super) fn read_awake(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let begun = Instant::now();
        self.stay_awake(true)?;
        let mut filled = 0;
        while filled < buffer.len() {
            match self.stream.read(&mut buffer[filled..]) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if begun.elapsed() > AWAKE {
                        return self.read_exact(&mut buffer[filled..]);
                    }
                    thread::yield_now();
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn stay_awake(&mut self, is_awake: bool) -> io::Result<()> {
        if self.is_awake != is_awake {
            self.stream.set_nonblocking(is_awake)?;
            self.is_awake = is_awake;
        }
        Ok(())
    }

    /// Says to the other side that nothing more is sent.
    pub(super) fn end(&self) -> io::Result<()> {
        self.stream.shutdown(Shutdown::Write)
    }

    pub(super) fn set_deadline(&mut self, deadline: Instant) {
        self.deadline = deadline;
    }

    /// Returns the own address and that of the other side.
    pub(super) fn addresses(&self) -> io::Result<(SocketAddr, SocketAddr)> {
        Ok((self.stream.local_addr()?, self.stream.peer_addr()?))
    }
}

fn left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    Ok(left)
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stay_awake(false)?;
        self.stream.set_read_timeout(Some(left(self.deadline)?))?;
        self.stream.read(buffer)
    }
}

impl Write for Connection {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(left(self.deadline)?))?;
        self.stream.write(buffer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn whoever_answers_later_than_a_core_stays_awake_is_heard() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let late = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            for part in [&b"late"[..], b"r on"] {
                thread::sleep(10 * AWAKE);
                stream.write_all(part).unwrap();
            }
        });
        let deadline = Instant::now() + Duration::from_secs(30);
        let mut connection = Connection::open(address, deadline).unwrap();
        let mut received = [0; 8];
        connection.read_awake(&mut received).unwrap();
        assert_eq!(&received, b"later on");
        late.join().unwrap();
        assert!(connection.read_awake(&mut received).is_err());
    }
}
