//! Hosts that fail in every way, each of which is an error that names the host.

use std::{
    io::{self, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use proptest::prelude::*;

use super::{
    Fault, Host, HostError, Server, Stream, TcpProbe, Token,
    connection::Connection,
    frame,
    handshake::{self, Role},
    ping,
    session::{self, Answer},
    token::Side,
};
use crate::survey::{Event, Journal, Processors, Request, survey};
use crate::topology::{Probe, Protocol, RoundTrip};

const DEADLINE: Duration = Duration::from_millis(1500);

fn token() -> Token {
    Token::new(b"the token of all tests").unwrap()
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

/// Starts a real host.
fn server() -> SocketAddr {
    let server = Server::bind("127.0.0.1:0".parse().unwrap(), token()).unwrap();
    let address = server.address();
    thread::spawn(move || server.run());
    address
}

/// Starts a host that does this with every connection.
fn fake(serve: impl Fn(TcpStream) + Clone + Send + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let serve = serve.clone();
            thread::spawn(move || serve(stream.unwrap()));
        }
    });
    address
}

/// Starts a host that begins as it should, and then does this with whoever measures or sends pings.
fn greeted(serve: impl Fn(Role, &mut Connection) + Clone + Send + 'static) -> SocketAddr {
    fake(move |stream| {
        let mut connection = Connection::new(stream, soon()).unwrap();
        let caller = handshake::hear(&mut connection, &token()).unwrap();
        caller
            .answer(&mut connection, Ok(&caller.hello.name))
            .unwrap();
        serve(caller.hello.role, &mut connection);
    })
}

/// Starts a host that does this with whoever measures.
fn fake_host(serve: impl Fn(&mut Connection) + Clone + Send + 'static) -> SocketAddr {
    greeted(move |_, connection| serve(connection))
}

/// Starts a host that serves whoever measures, and does this with those that send pings.
fn fake_peer(serve: impl Fn(&mut Connection) + Clone + Send + 'static) -> SocketAddr {
    greeted(move |role, connection| match role {
        Role::Coordinator => drop(super::session::attend(connection, &token())),
        Role::Peer | Role::Stream => serve(connection),
    })
}

fn hosts(addresses: &[SocketAddr]) -> Vec<Host> {
    let host = |(name, &address): (char, &SocketAddr)| Host {
        name: name.to_string(),
        address,
    };
    ('a'..).zip(addresses).map(host).collect()
}

fn connect(addresses: &[SocketAddr]) -> TcpProbe {
    TcpProbe::connect(hosts(addresses), &token(), DEADLINE, |_| {})
}

fn measure(probe: &mut TcpProbe, a: usize, b: usize) -> Result<RoundTrip, HostError> {
    probe.begin(a, b);
    let finished = probe.finish();
    assert_eq!(finished.pair, (a, b));
    finished.result
}

/// Returns the fault of the only host that is lost.
fn lost(address: SocketAddr) -> Fault {
    let begun = Instant::now();
    let probe = connect(&[server(), address]);
    // Far above the deadline, and far below a hang.
    assert!(begun.elapsed() < 10 * DEADLINE);
    let [error] = probe.lost() else {
        panic!("{:?}", probe.lost());
    };
    assert_eq!((error.number, &error.host.name[..]), (1, "b"));
    error.fault.clone()
}

/// Returns the fault of a host that is asked to measure another.
fn asked(serve: impl Fn(&mut Connection) + Clone + Send + 'static) -> Fault {
    let mut probe = connect(&[fake_host(serve), server()]);
    assert_eq!(probe.lost(), []);
    let error = measure(&mut probe, 0, 1).unwrap_err();
    assert_eq!((error.number, &error.from), (0, &None));
    assert_eq!(probe.failed_host(&error), Some(0));
    // It is asked no more.
    assert_eq!(measure(&mut probe, 0, 1).unwrap_err(), error);
    error.fault
}

#[test]
fn pairs_are_measured_at_a_time_and_again() {
    let addresses = [server(), server(), server(), server()];
    let mut seen = Vec::new();
    let mut probe = TcpProbe::connect(hosts(&addresses), &token(), DEADLINE, |done| {
        seen.push(done)
    });
    assert_eq!(seen, [1, 2, 3, 4]);
    for _ in 0..3 {
        probe.begin(0, 1);
        probe.begin(2, 3);
        let mut pairs = [probe.finish(), probe.finish()].map(|finished| {
            assert!(finished.result.unwrap().minimum > 0);
            finished.pair
        });
        pairs.sort_unstable();
        assert_eq!(pairs, [(0, 1), (2, 3)]);
    }
}

#[test]
fn who_has_another_token_is_refused() {
    let other = Token::new(b"the token of nobody").unwrap();
    let probe = TcpProbe::connect(hosts(&[server(), server()]), &other, DEADLINE, |_| {});
    let faults: Vec<_> = probe.lost().iter().map(|error| &error.fault).collect();
    assert_eq!(faults, [&Fault::Token, &Fault::Token]);
    assert_eq!(
        probe.lost()[0].to_string(),
        format!(
            "host a at {}: it has another token",
            probe.lost()[0].host.address
        )
    );
}

#[test]
fn a_host_with_another_token_is_not_believed() {
    // It takes every proof, as it wants to be measured with.
    let address = fake(|mut stream| {
        let mut bytes = [0; 4096];
        let mut read = || stream.read(&mut bytes).unwrap();
        read();
        let mut stream = stream.try_clone().unwrap();
        stream.write_all(b"superstp\0\x02").unwrap();
        frame::write(&mut stream, &[7_u8; 32]).unwrap();
        let mut answer = vec![0; 32];
        answer.extend([1, b'b', 0]);
        frame::write_bytes(&mut stream, &answer).unwrap();
        thread::sleep(DEADLINE);
    });
    assert_eq!(lost(address), Fault::Token);
}

#[test]
fn nobody_proves_for_the_other_side_or_for_other_words() {
    let (token, transcript) = (token(), [&b"one"[..], b"two"]);
    let proof = token.prove(Side::Caller, &transcript);
    assert!(token.accepts(Side::Caller, &transcript, &proof));
    assert!(!token.accepts(Side::Server, &transcript, &proof));
    assert!(!token.accepts(Side::Caller, &[b"onet", b"wo"], &proof));
}

#[test]
fn a_host_that_is_not_there_is_named() {
    let address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    assert!(matches!(lost(address), Fault::Unreachable(_)));
}

#[test]
fn a_host_that_accepts_and_never_answers_is_named() {
    assert_eq!(
        lost(fake(|_stream| thread::sleep(10 * DEADLINE))),
        Fault::Silent
    );
}

#[test]
fn a_host_that_answers_byte_by_byte_is_given_up() {
    let address = fake(|mut stream| {
        for byte in b"superstp".iter().cycle() {
            thread::sleep(DEADLINE / 4);
            if stream.write_all(&[*byte]).is_err() {
                break;
            }
        }
    });
    assert_eq!(lost(address), Fault::Silent);
}

#[test]
fn another_version_is_said() {
    let address = fake(|mut stream| {
        stream.write_all(b"superstp\0\x09").unwrap();
        thread::sleep(DEADLINE);
    });
    let fault = lost(address);
    assert_eq!(fault, Fault::Version { ours: 2, theirs: 9 });
    assert_eq!(
        fault.to_string(),
        "it speaks version 9 of the protocol, and this is version 2: all hosts need the same version of superstep"
    );
    let mut stream = TcpStream::connect(server()).unwrap();
    stream.write_all(b"superstp\0\x09").unwrap();
    let mut said = Vec::new();
    stream.read_to_end(&mut said).unwrap();
    assert_eq!(said, b"superstp\0\x02");
}

#[test]
fn what_knocks_is_closed_without_a_word() {
    let address = server();
    for said in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"\0",
        b"SSH-2.0-x\r\n",
        b"superst",
        b"",
    ] {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(said).unwrap();
        let mut heard = Vec::new();
        // Closed, be it that something was left unread.
        drop(stream.read_to_end(&mut heard));
        assert_eq!(heard, b"");
    }
    assert_eq!(connect(&[address, server()]).lost(), []);
}

#[test]
fn many_that_knock_do_not_stay() {
    let address = server();
    let knocking: Vec<_> = (0..200)
        .map(|_| TcpStream::connect(address).unwrap())
        .collect();
    for mut stream in knocking {
        drop(stream.read_to_end(&mut Vec::new()));
    }
    assert_eq!(connect(&[address, server()]).lost(), []);
}

#[test]
fn nonsense_is_an_error() {
    let is_nonsense = |fault| assert!(matches!(fault, Fault::Nonsense(_)), "{fault}");
    is_nonsense(lost(fake(|mut stream| {
        stream.write_all(b"HTTP/1.1 400 Bad Request").unwrap();
        thread::sleep(DEADLINE);
    })));
    is_nonsense(asked(|host| drop(host.write_all(b"\0\x02no"))));
    is_nonsense(asked(|host| drop(host.write_all(b"\xff\xff"))));
    is_nonsense(asked(|host| drop(frame::write(host, &Answer::Beat))));
    for (minimum, spread) in [(0, 0), (u64::MAX, 0), (1, u64::MAX)] {
        is_nonsense(asked(move |host| {
            let round_trip = RoundTrip { minimum, spread };
            drop(frame::write(host, &Answer::Measured(round_trip)))
        }));
    }
}

#[test]
fn a_host_that_ends_in_the_middle_is_named() {
    let fault = asked(|host| drop(frame::read::<session::Request>(host, frame::MOST)));
    assert_eq!(fault, Fault::Closed);
}

#[test]
fn a_host_that_stops_in_the_middle_is_named() {
    assert_eq!(asked(|_| thread::sleep(10 * DEADLINE)), Fault::Silent);
}

#[test]
fn a_host_of_another_name_is_refused() {
    let address = fake(|stream| {
        let mut connection = Connection::new(stream, soon()).unwrap();
        let caller = handshake::hear(&mut connection, &token()).unwrap();
        caller.answer(&mut connection, Ok("\x1b[2Jother")).unwrap();
        thread::sleep(DEADLINE);
    });
    assert_eq!(lost(address), Fault::Name("[2Jother".to_owned()));
}

#[test]
fn faults_with_pings_are_those_of_the_host_that_answers_them() {
    let wrong = fake_peer(|peer| {
        let mut bytes = [0; 8];
        while peer.read_exact(&mut bytes).is_ok() {
            bytes[7] ^= 1;
            drop(peer.write_all(&bytes));
        }
    });
    let silent = fake_peer(|_| thread::sleep(10 * DEADLINE));
    let ending = fake_peer(|_| {});
    let mut probe = connect(&[server(), wrong, silent, ending, server()]);
    let mut fault = |b| {
        let error = measure(&mut probe, 0, b).unwrap_err();
        assert_eq!((error.number, error.from.as_deref()), (b, Some("a")));
        error.fault
    };
    assert_eq!(
        fault(1),
        Fault::Nonsense("a ping that was not sent".to_owned())
    );
    assert_eq!(fault(2), Fault::Silent);
    assert_eq!(fault(3), Fault::Closed);
    // The host that has seen all this goes on.
    assert!(measure(&mut probe, 0, 4).is_ok());
}

#[test]
fn the_deadline_of_a_pair_grows_with_its_first_ping() {
    // All pings of a pair, 33 at least, take longer than the deadline.
    let late = DEADLINE / 20;
    let far = fake_peer(move |peer| {
        let mut bytes = [0; 8];
        while peer.read_exact(&mut bytes).is_ok() {
            thread::sleep(late);
            drop(peer.write_all(&bytes));
        }
    });
    let mut probe = connect(&[server(), far]);
    let round_trip = measure(&mut probe, 0, 1).unwrap();
    assert!(u128::from(round_trip.minimum) >= late.as_nanos());
}

#[test]
fn one_at_a_time_measures() {
    let address = server();
    let first = connect(&[address, server()]);
    assert_eq!(connect(&[server(), address]).lost()[0].fault, Fault::Busy);
    drop(first);
    assert_eq!(connect(&[server(), address]).lost(), []);
}

#[test]
fn pings_are_answered_only_while_somebody_measures() {
    let mut connection = Connection::open(server(), soon()).unwrap();
    let called = handshake::call(&mut connection, &token(), Role::Peer, "a");
    assert_eq!(called, Err(Fault::Idle));
}

#[test]
fn streams_of_disjoint_pairs_are_counted_at_a_time() {
    let addresses = [server(), server(), server(), server()];
    let mut probe = connect(&addresses);
    let streams = probe.streams(&[(0, 1), (3, 2)], Duration::from_millis(50));
    assert_eq!(streams.len(), 2);
    for stream in streams {
        let stream = stream.unwrap();
        assert!(stream.mbits() > 1.0 && stream.setup > 0, "{stream:?}");
    }
    assert!(measure(&mut probe, 0, 1).is_ok());
}

#[test]
fn no_more_streams_flow_at_a_time_than_measurements_may() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let seen = Arc::clone(&most);
    let counting = move |host: &mut Connection| {
        while let Ok(session::Request::Stream { .. }) = frame::read(host, frame::MOST) {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(20));
            now.fetch_sub(1, Ordering::SeqCst);
            let (bytes, elapsed, setup) = (1, 1_000, 1);
            drop(frame::write(
                host,
                &Answer::Streamed(Stream {
                    bytes,
                    elapsed,
                    setup,
                }),
            ));
        }
    };
    let addresses: Vec<SocketAddr> = (0..6).map(|_| fake_host(counting.clone())).collect();
    let mut probe = connect(&addresses).with_most(2);
    let pairs = [(0, 1), (2, 3), (4, 5), (1, 0), (3, 2)];
    let streams = probe.streams(&pairs, Duration::from_millis(50));
    assert!(
        streams.len() == 5 && streams.iter().all(Result::is_ok),
        "{streams:?}"
    );
    assert_eq!(seen.load(Ordering::SeqCst), 2);
}

#[test]
fn faults_with_streams_are_those_of_the_host_that_receives_them() {
    let ending = fake_peer(|_| {});
    let deaf = fake_peer(|_| thread::sleep(10 * DEADLINE));
    let wrong = fake_peer(|peer| {
        drop(frame::read::<(u64, u64)>(peer, frame::MOST));
        drop(frame::write(peer, &(0_u64, 1_u64)));
        drop(io::copy(peer, &mut io::sink()));
    });
    let mut probe = connect(&[server(), ending, deaf, wrong, server()]);
    let mut fault = |b| {
        let mut streams = probe.streams(&[(0, b)], Duration::from_millis(50));
        let error = streams.remove(0).unwrap_err();
        assert_eq!((error.number, error.from.as_deref()), (b, Some("a")));
        error.fault
    };
    assert_eq!(fault(1), Fault::Closed);
    assert_eq!(fault(2), Fault::Silent);
    let empty = Fault::Nonsense("a stream without bytes".to_owned());
    assert_eq!(fault(3), empty);
    for (bytes, elapsed, setup) in [
        (0, 1, 1),
        (u64::MAX, 1, 1),
        (1, 0, 1),
        (1, u64::MAX, 1),
        (1, 1, u64::MAX),
    ] {
        let lies = fake_host(move |host| {
            drop(frame::read::<session::Request>(host, frame::MOST));
            let stream = Stream {
                bytes,
                elapsed,
                setup,
            };
            drop(frame::write(host, &Answer::Streamed(stream)));
        });
        let mut probe = connect(&[lies, server()]);
        let error = probe
            .streams(&[(0, 1)], Duration::from_millis(50))
            .remove(0)
            .unwrap_err();
        assert!(
            error.number == 0 && matches!(error.fault, Fault::Nonsense(_)),
            "{error}"
        );
    }
    assert!(probe.streams(&[(0, 4)], Duration::from_millis(50))[0].is_ok());
}

/// Surveys hosts whose pairs are known, as all on one switch, and whose links have 5 Mbit/s.
/// Returns the names of those that are in the tree, and what is told of others.
fn surveyed(test: &str, addresses: &[SocketAddr]) -> (Vec<String>, Vec<String>) {
    let hosts = hosts(addresses);
    let path = std::env::temp_dir().join(format!("survey-{test}-{}", std::process::id()));
    let names: Vec<String> = hosts.iter().map(|host| host.name.clone()).collect();
    let all = || (0..hosts.len()).flat_map(|a| (0..hosts.len()).map(move |b| (a, b)));
    let mut text = "superstep survey 1\n".to_owned();
    for Host { name, address } in &hosts {
        text += &format!("host {name} {address}\n");
    }
    for (a, b) in all().filter(|(a, b)| a != b) {
        text += &format!("pair {} {} 160000 100\n", names[a], names[b]);
    }
    std::fs::write(&path, text).unwrap();
    let mut journal = Journal::open(&path, &hosts).unwrap();
    let request = Request {
        seed: 1,
        rounds: 3,
        every: Duration::ZERO,
        stream: Duration::from_millis(50),
        ratio: 2.0,
        processors: Processors {
            each: 1,
            task: 2.0,
            latency: 0.0,
            word: 0.0,
        },
        known: all().map(|pair| (pair, 5.0)).collect(),
    };
    let mut told = Vec::new();
    let mut watch = |event: Event<'_>| {
        if let Event::Lost(error) = event {
            told.push(error.host.name.clone());
        }
    };
    let mut probe = connect(addresses);
    let survey = survey(&mut probe, &names, &mut journal, &request, &mut watch).unwrap();
    std::fs::remove_file(path).unwrap();
    (survey.tree.names().to_vec(), told)
}

#[test]
fn a_host_that_fails_for_a_moment_is_not_left_out() {
    let fails = Arc::new(AtomicUsize::new(2));
    let flaky = fake_peer(move |peer| {
        let fails = fails.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
        if fails.is_err() {
            drop(ping::echo(peer));
        }
    });
    let (names, told) = surveyed("flaky", &[server(), flaky, server(), server()]);
    assert_eq!(names, ["a", "b", "c", "d"]);
    assert!(told.is_empty(), "{told:?}");
}

#[test]
fn a_host_that_blames_others_is_left_out_alone() {
    let blaming = greeted(|role, host| {
        while let (Role::Coordinator, Ok(request)) = (role, frame::read(host, frame::MOST)) {
            let answer = match request {
                session::Request::Beat => Answer::Beat,
                _ => Answer::Failed(Fault::Silent),
            };
            drop(frame::write(host, &answer));
        }
    });
    let (names, told) = surveyed("blaming", &[blaming, server(), server(), server()]);
    assert_eq!(names, ["b", "c", "d"]);
    assert_eq!(told, ["a"]);
}

proptest! {
    #[test]
    fn any_bytes_are_a_message_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        for most in [frame::MOST_BEFORE, frame::MOST] {
            if let Ok(frame) = frame::read_bytes(&mut &bytes[..], most) {
                prop_assert!(frame.len() <= most && frame.capacity() <= most);
            }
        }
        drop(frame::decode::<session::Request>(&bytes));
        drop(frame::decode::<Answer>(&bytes));
        drop(frame::decode::<handshake::Hello>(&bytes));
        drop(frame::decode::<Fault>(&bytes));
    }

    #[test]
    fn spoiled_requests_are_requests_or_errors(
        name in "[a-z]{0,20}",
        sets: u32,
        time: u64,
        at: prop::sample::Index,
        byte: u8,
        cut: prop::sample::Index,
    ) {
        let request = session::Request::Measure {
            name,
            address: "[fd00::1]:7000".parse().unwrap(),
            protocol: Protocol { sets, ..Protocol::default() },
            time,
        };
        let mut bytes = frame::encode(&request).unwrap();
        let whole = frame::decode::<session::Request>(&bytes).unwrap();
        prop_assert_eq!(format!("{whole:?}"), format!("{request:?}"));
        let short = &bytes[..cut.index(bytes.len())];
        prop_assert!(frame::decode::<session::Request>(short).is_err());
        let at = at.index(bytes.len());
        bytes[at] = byte;
        drop(frame::decode::<session::Request>(&bytes));
        bytes.push(0);
        drop(frame::decode::<session::Request>(&bytes));
    }
}
