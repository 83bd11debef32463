//! The server that each host runs.

use std::{
    io,
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    Fault, Token,
    connection::Connection,
    handshake::{self, Role},
    ping, session, stream,
};

/// Time in which a connection must have proved the token.
const PROVING: Duration = Duration::from_secs(1);

/// Most connections at a time that have not proved the token.
const MOST_STRANGERS: usize = 64;

/// Most connections at a time: each has a thread.
const MOST: usize = 4096;

/// Stack of a thread, in bytes: frames are small, and a debug build's functions are not.
pub(super) const STACK: usize = 256 << 10;

/// Time that one who measures waits for the one before to be gone.
const CHANGE: Duration = Duration::from_millis(500);

/// Time to wait when the system lacks what a connection needs.
const PAUSE: Duration = Duration::from_millis(50);

/// Server of a host, which answers pings of others, counts their streams, and measures them if it
/// is asked.
///
/// It serves one at a time who measures, and answers others only meanwhile.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    token: Token,
    strangers: AtomicUsize,
    connections: AtomicUsize,
    /// Name that whoever measures has given this host; `None`: nobody measures it.
    name: Mutex<Option<String>>,
    is_free: Condvar,
}

impl Server {
    /// Listens on exactly this address; port 0 stands for any that is free.
    ///
    /// # Errors
    /// When the system does not give the address.
    pub fn bind(address: SocketAddr, token: Token) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        Ok(Self {
            address: listener.local_addr()?,
            listener,
            shared: Arc::new(Shared {
                token,
                strangers: AtomicUsize::new(0),
                connections: AtomicUsize::new(0),
                name: Mutex::new(None),
                is_free: Condvar::new(),
            }),
        })
    }

    /// Returns the address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the process ends.
    pub fn run(self) -> ! {
        loop {
            let Ok((stream, _)) = self.listener.accept() else {
                thread::sleep(PAUSE);
                continue;
            };
            let Some(places) = Places::take(&self.shared) else {
                continue;
            };
            let serve = move || drop(places.serve(stream));
            // Without a thread the connection is closed.
            drop(thread::Builder::new().stack_size(STACK).spawn(serve));
        }
    }
}

/// Part of a bounded number, given back when it is dropped.
struct Place(Arc<Shared>, fn(&Shared) -> &AtomicUsize);

impl Place {
    fn take(shared: &Arc<Shared>, of: fn(&Shared) -> &AtomicUsize, most: usize) -> Option<Self> {
        let place = Self(Arc::clone(shared), of);
        (of(shared).fetch_add(1, Ordering::Relaxed) < most).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.1(&self.0).fetch_sub(1, Ordering::Relaxed);
    }
}

/// Places of a new connection.
struct Places {
    connection: Place,
    stranger: Place,
}

impl Places {
    fn take(shared: &Arc<Shared>) -> Option<Self> {
        Some(Self {
            connection: Place::take(shared, |shared| &shared.connections, MOST)?,
            stranger: Place::take(shared, |shared| &shared.strangers, MOST_STRANGERS)?,
        })
    }

    /// Serves a connection to its end.
    fn serve(self, stream: TcpStream) -> Result<(), Fault> {
        let shared = &self.connection.0;
        let mut connection = Connection::new(stream, Instant::now() + PROVING)?;
        let caller = handshake::hear(&mut connection, &shared.token)?;
        drop(self.stranger);
        connection.give(PROVING);
        match caller.hello.role {
            Role::Coordinator => {
                let claim = Claim::make(shared, &caller.hello.name);
                let name = claim.as_ref().map(|_| &caller.hello.name[..]);
                caller.answer(&mut connection, name.ok_or(Fault::Busy))?;
                session::attend(&mut connection, &shared.token)
            }
            role @ (Role::Peer | Role::Stream) => {
                let name = shared.name().clone();
                caller.answer(&mut connection, name.as_deref().ok_or(Fault::Idle))?;
                match role {
                    Role::Stream => stream::receive(&mut connection),
                    _ => Ok(ping::echo(&mut connection)?),
                }
            }
        }
    }
}

impl Shared {
    fn name(&self) -> MutexGuard<'_, Option<String>> {
        self.name.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Claim of one who measures on this host, until it is dropped.
struct Claim<'a>(&'a Shared);

impl<'a> Claim<'a> {
    /// Waits a little if another is about to go: its end is heard of a moment later.
    fn make(shared: &'a Shared, name: &str) -> Option<Self> {
        let waited = shared
            .is_free
            .wait_timeout_while(shared.name(), CHANGE, |name| name.is_some());
        let (mut taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
        taken.is_none().then(|| {
            *taken = Some(name.to_owned());
            Self(shared)
        })
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        *self.0.name() = None;
        self.0.is_free.notify_one();
    }
}
