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
    stream::{self, Stream},
};
use crate::topology::{Finished, Probe, Protocol, RoundTrip};

/// Probe of hosts that run a [`Server`](super::Server) each. Their connections end when it is
/// dropped.
#[derive(Debug)]
pub struct TcpProbe {
    hosts: Vec<Host>,
    /// Channel to the thread of each host: whom to measure.
    asked: Vec<Sender<Asked>>,
    lost: Vec<HostError>,
    finished: Receiver<Done>,
    /// Most measurements that go on at a time, how many do, and pairs that wait for them.
    most: usize,
    going_on: usize,
    waiting: VecDeque<(usize, usize)>,
    /// Channel for hosts that have no thread. It also keeps `finished` open.
    failed: Sender<Done>,
}

/// A question to a host about another.
#[derive(Debug)]
struct Asked {
    number: usize,
    host: Host,
    about: About,
}

/// Quantity that is measured between two hosts.
#[derive(Clone, Copy, Debug)]
enum About {
    RoundTrip(Protocol),
    /// A stream that is counted for so long.
    Stream(Duration),
}

/// A question that is done, by its two hosts.
#[derive(Debug)]
struct Done {
    pair: (usize, usize),
    result: Result<Found, HostError>,
}

/// Answer of a host about another.
#[derive(Debug)]
enum Found {
    RoundTrip(RoundTrip),
    Stream(Stream),
}

/// Part of the deadline in which a host has to measure another: in the rest it says that this one
/// did not answer.
const PART: f64 = 0.75;

/// Times the first ping that the others of a pair may take in the mean. It is enough for queues
/// that come and go, and for a connection that has to be opened anew.
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
                // The receiver is below.
                drop(tell.send(Some(HostError::new(number, host, fault))));
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

    /// Returns the hosts that could not be connected to, in their order.
    pub fn lost(&self) -> &[HostError] {
        &self.lost
    }

    /// Has the first host of each pair send a stream to the second, all at a time. Returns the
    /// streams in the order of the pairs. Each is counted for so long, at most a minute.
    ///
    /// # Panics
    /// When measurements go on that were [begun](Probe::begin).
    pub fn streams(
        &mut self,
        pairs: &[(usize, usize)],
        counted: Duration,
    ) -> Vec<Result<Stream, HostError>> {
        self.all(pairs, About::Stream(counted), |found| match found {
            Found::Stream(stream) => Some(stream),
            Found::RoundTrip(_) => None,
        })
    }

    /// Has a host send one ping to each of others, one after the other, and returns their times in
    /// nanoseconds, in that order.
    ///
    /// # Panics
    /// As [`streams`](Self::streams).
    pub fn round(&mut self, from: usize, others: &[usize]) -> Vec<Result<u64, HostError>> {
        let pairs: Vec<_> = others.iter().map(|&to| (from, to)).collect();
        let about = About::RoundTrip(Protocol::SINGLE);
        self.all(&pairs, about, |found| match found {
            Found::RoundTrip(round_trip) => Some(round_trip.minimum),
            Found::Stream(_) => None,
        })
    }

    /// Has the first host of each pair measure the second, and returns the answers in the order of
    /// the pairs, each once.
    fn all<T: Clone>(
        &mut self,
        pairs: &[(usize, usize)],
        about: About,
        answer: impl Fn(Found) -> Option<T>,
    ) -> Vec<Result<T, HostError>> {
        assert_eq!(self.going_on, 0, "what was begun is waited for before");
        let mut answers = vec![None; pairs.len()];
        let most = self.most.min(pairs.len()).max(1);
        for (pairs, answers) in pairs.chunks(most).zip(answers.chunks_mut(most)) {
            for &(a, b) in pairs {
                self.ask(a, b, about);
            }
            for _ in pairs {
                let Done { pair, result } = self.done();
                let result = result
                    .and_then(|found| answer(found).ok_or_else(|| self.error(pair.0, unasked())));
                let mut slots = pairs.iter().zip(answers.iter_mut());
                let slot = slots.find(|(other, slot)| **other == pair && slot.is_none());
                if let Some((_, slot)) = slot {
                    *slot = Some(result);
                }
            }
        }
        answers.into_iter().flatten().collect()
    }

    fn done(&self) -> Done {
        let done = self.finished.recv();
        done.expect("the probe itself holds a sender")
    }

    /// Makes the error of a host, as whoever measures has seen it.
    fn error(&self, number: usize, fault: Fault) -> HostError {
        HostError::new(number, &self.hosts[number], fault)
    }

    /// Has a host measure another.
    fn ask(&mut self, a: usize, b: usize, about: About) {
        let asked = Asked {
            number: b,
            host: self.hosts[b].clone(),
            about,
        };
        if self.asked[a].send(asked).is_err() {
            // Its thread was never there.
            let known = self.lost.iter().find(|error| error.number == a);
            let unknown = || self.error(a, Fault::Closed);
            let result = Err(known.cloned().unwrap_or_else(unknown));
            // The receiver is ours.
            drop(self.failed.send(Done {
                pair: (a, b),
                result,
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
            self.ask(a, b, About::RoundTrip(Protocol::default()));
        }
    }

    fn finish(&mut self) -> Finished<HostError> {
        let Done { pair, result } = self.done();
        match self.waiting.pop_front() {
            Some((a, b)) => self.ask(a, b, About::RoundTrip(Protocol::default())),
            None => self.going_on -= 1,
        }
        let result = result.and_then(|found| match found {
            Found::RoundTrip(round_trip) => Ok(round_trip),
            Found::Stream(_) => Err(self.error(pair.0, unasked())),
        });
        Finished { pair, result }
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
    finished: Sender<Done>,
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
                    drop(self.finished.send(Done { pair, result }));
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
        HostError::new(self.number, &self.host, fault)
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

    /// Has the host measure another. An error says whose fault it is: after a fault of its own the
    /// host is asked no more.
    fn measure(
        &self,
        connection: &mut Result<Connection, HostError>,
        asked: &Asked,
    ) -> Result<Found, HostError> {
        let open = match connection {
            Ok(open) => open,
            Err(error) => return Err(error.clone()),
        };
        let result = match asked.about {
            About::RoundTrip(protocol) => {
                self.round_trip(open, asked, protocol).map(Found::RoundTrip)
            }
            About::Stream(counted) => self.stream(open, asked, counted).map(Found::Stream),
        };
        if let Err(error) = &result
            && error.number == self.number
        {
            *connection = Err(error.clone());
        }
        result
    }

    /// Has the host measure a round trip: first by a ping, which tells how long all may take.
    fn round_trip(
        &self,
        open: &mut Connection,
        asked: &Asked,
        protocol: Protocol,
    ) -> Result<RoundTrip, HostError> {
        let pings = protocol.most_pings();
        let needed = match pings {
            1 => self.deadline,
            _ => {
                let first = self.pings(open, asked, Protocol::SINGLE, self.deadline)?;
                Duration::from_nanos(first.minimum).saturating_mul(SLACK.saturating_mul(pings))
            }
        };
        self.pings(open, asked, protocol, needed.max(self.deadline))
    }

    /// Has the host send a stream to another.
    fn stream(
        &self,
        open: &mut Connection,
        asked: &Asked,
        counted: Duration,
    ) -> Result<Stream, HostError> {
        let deadline = self.deadline + counted + stream::LONGEST_GROWTH;
        let late = self.deadline.mul_f64(1.0 - PART);
        let request = Request::Stream {
            name: asked.host.name.clone(),
            address: asked.host.address,
            counted: counted.as_millis() as u64,
            time: ((deadline - late).as_millis() as u64).max(1),
        };
        match self.answer(open, asked, &request, deadline)? {
            Answer::Streamed(stream) if stream.is_possible(deadline) => Ok(stream),
            Answer::Streamed(stream) => {
                let Stream { bytes, elapsed, .. } = stream;
                let text = format!("a stream of {bytes} bytes in {elapsed} ns");
                Err(self.error(Fault::Nonsense(text)))
            }
            _ => Err(self.error(unasked())),
        }
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
            protocol,
            time: (deadline.mul_f64(PART).as_millis() as u64).max(1),
        };
        let longest = deadline.as_nanos() as u64;
        match self.answer(open, asked, &request, deadline)? {
            Answer::Measured(found)
                if (1..=longest).contains(&found.minimum) && found.spread <= longest =>
            {
                Ok(found)
            }
            Answer::Measured(RoundTrip { minimum, .. }) => {
                Err(self.error(Fault::Nonsense(format!("a round trip of {minimum} ns"))))
            }
            _ => Err(self.error(unasked())),
        }
    }

    /// Asks about another host; a fault that the answer tells is the other's.
    fn answer(
        &self,
        open: &mut Connection,
        asked: &Asked,
        request: &Request,
        deadline: Duration,
    ) -> Result<Answer, HostError> {
        match self.ask(open, request, deadline) {
            Ok(Answer::Failed(fault)) => Err(HostError {
                from: Some(self.host.name.clone()),
                ..HostError::new(asked.number, &asked.host, fault.printable())
            }),
            Ok(answer) => Ok(answer),
            Err(fault) => Err(self.error(fault)),
        }
    }
}

/// Returns the fault of an answer to something else.
fn unasked() -> Fault {
    Fault::Nonsense("what was not asked".to_owned())
}
