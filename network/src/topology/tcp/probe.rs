//! Probe of hosts that run servers.

use std::{
    collections::VecDeque,
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::{Duration, Instant},
};

use super::{
    Fault, Host, HostError, Token,
    connection::Connection,
    frame,
    handshake::{self, Role},
    server::STACK,
    session::{Answer, BEAT, Request},
};
use crate::topology::{Finished, Probe, Protocol, RoundTrip};

/// Probe of hosts that run a [`Server`](super::Server) each. Their connections end when it is
/// dropped.
#[derive(Debug)]
pub struct TcpProbe {
    hosts: Vec<Host>,
    protocol: Protocol,
    /// Channel to the thread of each host: whom to measure.
    asked: Vec<Sender<Asked>>,
    lost: Vec<HostError>,
    finished: Receiver<Finished<HostError>>,
    /// Most measurements that go on at a time, how many do, and pairs that wait for them.
    most: usize,
    going_on: usize,
    waiting: VecDeque<(usize, usize)>,
    /// Channel for hosts that have no thread. It also keeps `finished` open.
    failed: Sender<Finished<HostError>>,
}

#[derive(Debug)]
struct Asked {
    number: usize,
    host: Host,
    protocol: Protocol,
}

/// Part of the deadline in which a host has to measure another: in the rest it says that this one
/// did not answer.
const PART: f64 = 0.75;

/// Times the first ping that the others of a pair may take in the mean: enough for queues that come
/// and go, and for a connection that has to be opened anew.
const SLACK: u32 = 2;

impl TcpProbe {
    /// Connects to all hosts at a time. Each has until the deadline to answer, now and for the
    /// first ping of every measurement. The other pings have twice what as many as the first one
    /// take, if that is more.
    ///
    /// Hosts that fail are [`lost`](Self::lost), and so are their measurements. `progress` is
    /// called with the number of hosts that have answered or failed, whenever it grows.
    pub fn connect(
        hosts: Vec<Host>,
        token: &Token,
        deadline: Duration,
        mut progress: impl FnMut(usize),
    ) -> Self {
        let (failed, finished) = mpsc::channel();
        let (tell, opened) = mpsc::channel();
        let mut asked = Vec::new();
        for (number, host) in hosts.iter().enumerate() {
            let (ask, requests) = mpsc::channel();
            asked.push(ask);
            let attendant = Attendant {
                number,
                host: host.clone(),
                deadline,
                finished: failed.clone(),
            };
            let (token, tell_opened) = (token.clone(), tell.clone());
            let thread = thread::Builder::new().stack_size(STACK);
            let spawned = thread.spawn(move || attendant.attend(&token, tell_opened, &requests));
            if let Err(error) = spawned {
                let fault = Fault::System(format!("there is no thread for it: {error}"));
                let error = HostError {
                    number,
                    host: host.clone(),
                    from: None,
                    fault,
                };
                // The receiver is below.
                drop(tell.send(Some(error)));
            }
        }
        drop(tell);
        let mut lost = Vec::new();
        for (done, error) in (1..).zip(opened) {
            lost.extend(error);
            progress(done);
        }
        lost.sort_by_key(|error| error.number);
        Self {
            hosts,
            protocol: Protocol::default(),
            asked,
            lost,
            finished,
            most: usize::MAX,
            going_on: 0,
            waiting: VecDeque::new(),
            failed,
        }
    }

    /// Sets how many measurements go on at a time, at least 1; else as many as are begun.
    ///
    /// Hosts that share a machine disturb each other if many send pings.
    pub fn with_most(mut self, most: usize) -> Self {
        self.most = most.max(1);
        self
    }

    /// Sets how each pair is measured; else by the default protocol.
    pub fn with_protocol(mut self, protocol: Protocol) -> Self {
        self.protocol = protocol;
        self
    }

    /// Returns the hosts that could not be connected to, in their order.
    pub fn lost(&self) -> &[HostError] {
        &self.lost
    }

    /// Has a host measure another.
    fn ask(&mut self, a: usize, b: usize) {
        let asked = Asked {
            number: b,
            host: self.hosts[b].clone(),
            protocol: self.protocol,
        };
        if self.asked[a].send(asked).is_err() {
            // Its thread was never there.
            let known = self.lost.iter().find(|error| error.number == a);
            let error = known.cloned().unwrap_or_else(|| HostError {
                number: a,
                host: self.hosts[a].clone(),
                from: None,
                fault: Fault::Closed,
            });
            // The receiver is ours.
            drop(self.failed.send(Finished {
                pair: (a, b),
                result: Err(error),
            }));
        }
    }
}

impl Probe for TcpProbe {
    type Error = HostError;

    fn begin(&mut self, a: usize, b: usize) {
        if self.going_on == self.most {
            self.waiting.push_back((a, b));
        } else {
            self.going_on += 1;
            self.ask(a, b);
        }
    }

    fn finish(&mut self) -> Finished<HostError> {
        let finished = self
            .finished
            .recv()
            .expect("the probe itself holds a sender");
        match self.waiting.pop_front() {
            Some((a, b)) => self.ask(a, b),
            None => self.going_on -= 1,
        }
        finished
    }

    fn failed_host(&self, error: &HostError) -> Option<usize> {
        Some(error.number)
    }
}

/// Thread that speaks with one host.
struct Attendant {
    number: usize,
    host: Host,
    deadline: Duration,
    finished: Sender<Finished<HostError>>,
}

impl Attendant {
    /// Connects, then passes on whatever is asked of the host, until nothing more can be asked.
    fn attend(&self, token: &Token, opened: Sender<Option<HostError>>, asked: &Receiver<Asked>) {
        let mut connection = self.open(token).map_err(|fault| self.error(fault));
        // Nobody listens if the probe is gone, and then there is nothing to tell.
        drop(opened.send(connection.as_ref().err().cloned()));
        // Whoever connects waits until all senders are gone.
        drop(opened);
        loop {
            match asked.recv_timeout(BEAT) {
                Ok(asked) => {
                    let pair = (self.number, asked.number);
                    let result = self.measure(&mut connection, &asked);
                    drop(self.finished.send(Finished { pair, result }));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Ok(open) = &mut connection {
                        match self.ask(open, &Request::Beat, self.deadline) {
                            Ok(Answer::Beat) => {}
                            Ok(_) => connection = Err(self.error(unasked())),
                            Err(fault) => connection = Err(self.error(fault)),
                        }
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn error(&self, fault: Fault) -> HostError {
        HostError {
            number: self.number,
            host: self.host.clone(),
            from: None,
            fault,
        }
    }

    fn open(&self, token: &Token) -> Result<Connection, Fault> {
        let deadline = Instant::now() + self.deadline;
        let mut connection =
            Connection::open(self.host.address, deadline).map_err(Fault::unreachable)?;
        handshake::call(&mut connection, token, Role::Coordinator, &self.host.name)?;
        Ok(connection)
    }

    fn ask(
        &self,
        connection: &mut Connection,
        request: &Request,
        deadline: Duration,
    ) -> Result<Answer, Fault> {
        connection.give(deadline);
        frame::write(connection, request)?;
        Ok(frame::read(connection, frame::MOST)?)
    }

    /// Has the host measure another: first by a ping, which tells how long all may take. An error
    /// says whose fault it is: after a fault of its own the host is asked no more.
    fn measure(
        &self,
        connection: &mut Result<Connection, HostError>,
        asked: &Asked,
    ) -> Result<RoundTrip, HostError> {
        let open = match connection {
            Ok(open) => open,
            Err(error) => return Err(error.clone()),
        };
        let pings = asked.protocol.most_pings();
        let first = match pings {
            1 => Ok(self.deadline),
            _ => self
                .pings(open, asked, Protocol::SINGLE, self.deadline)
                .map(|first| {
                    Duration::from_nanos(first.minimum).saturating_mul(SLACK.saturating_mul(pings))
                }),
        };
        let result = first
            .and_then(|needed| self.pings(open, asked, asked.protocol, needed.max(self.deadline)));
        if let Err(error) = &result
            && error.number == self.number
        {
            *connection = Err(error.clone());
        }
        result
    }

    /// Has the host measure another by some pings, until a deadline.
    fn pings(
        &self,
        open: &mut Connection,
        asked: &Asked,
        protocol: Protocol,
        deadline: Duration,
    ) -> Result<RoundTrip, HostError> {
        let request = Request::Measure {
            name: asked.host.name.clone(),
            address: asked.host.address,
            sets: protocol.sets,
            most: protocol.most,
            patience: protocol.patience,
            time: (deadline.mul_f64(PART).as_millis() as u64).max(1),
        };
        let longest = deadline.as_nanos() as u64;
        let fault = match self.ask(open, &request, deadline) {
            Ok(Answer::Measured { minimum, spread })
                if minimum > 0 && minimum <= longest && spread <= longest =>
            {
                return Ok(RoundTrip { minimum, spread });
            }
            Ok(Answer::Measured { minimum, .. }) => {
                Fault::Nonsense(format!("a round trip of {minimum} ns"))
            }
            Ok(Answer::Failed(fault)) => {
                return Err(HostError {
                    number: asked.number,
                    host: asked.host.clone(),
                    from: Some(self.host.name.clone()),
                    fault: fault.printable(),
                });
            }
            Ok(Answer::Beat) => unasked(),
            Err(fault) => fault,
        };
        Err(self.error(fault))
    }
}

/// Returns the fault of an answer to something else.
fn unasked() -> Fault {
    Fault::Nonsense("what was not asked".to_owned())
}
