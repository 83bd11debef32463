//! Journals: what a survey has measured so far, so that it goes on where it was interrupted.

use std::{
    collections::HashMap,
    io,
    path::{Path, PathBuf},
};

use superstep_files::{AppendLog, FileError};

use crate::topology::{
    RoundTrip,
    tcp::{Host, Stream},
};

/// First line; the number grows when other lines change.
const HEADING: &str = "superstep survey 1";

/// Journal of a survey: a text file, to which each measurement is added as soon as it is done.
///
/// Each line has a word and names of hosts, times in nanoseconds:
///
/// ```text
/// superstep survey 1
/// host a 10.0.0.1:7000
/// pair a b 81000 1200                round trip, spread
/// round a b=82100 c=90400            one ping to each
/// stream a b 12500000 100000000 900  bytes, time, setup
/// forget a                           pairs of a are measured again
/// ```
///
/// A line that was cut off is measured again.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: AppendLog,
    names: Vec<String>,
    pairs: HashMap<(usize, usize), Vec<RoundTrip>>,
    /// Pings of each round from a host, by the other.
    rounds: HashMap<usize, Vec<Vec<(usize, u64)>>>,
    streams: HashMap<(usize, usize), Stream>,
}

/// Defect of a journal of a survey of other hosts.
const OTHER: &str = "it is an interrupted survey of other hosts: remove it to begin anew";

/// Defect of a line that no survey has written.
const NO_LINE: &str = "no line of an interrupted survey: remove the file to begin anew";

impl Journal {
    /// Opens a journal of these hosts, or begins it.
    ///
    /// # Errors
    /// When the file cannot be read or written, is none, or one of other hosts.
    pub fn open(path: &Path, hosts: &[Host]) -> Result<Self, FileError> {
        let line = |line| FileError::at(path, [line], NO_LINE);
        let (file, bytes) = AppendLog::open(path).map_err(FileError::io(path))?;
        // The rest was being written when it was interrupted.
        let end = bytes.iter().rposition(|&byte| byte == b'\n');
        let whole = end.map_or(0, |end| end + 1);
        let text = str::from_utf8(&bytes[..whole]).map_err(|_| line(1))?;
        let mut lines = text.lines().enumerate().peekable();
        let is_ours = match lines.peek() {
            Some((_, first)) => *first == HEADING,
            None => HEADING.as_bytes().starts_with(&bytes),
        };
        if !is_ours {
            return Err(line(1));
        }
        let mut journal = Self {
            path: path.into(),
            file,
            names: hosts.iter().map(|host| host.name.clone()).collect(),
            pairs: HashMap::new(),
            rounds: HashMap::new(),
            streams: HashMap::new(),
        };
        let wanted: Vec<String> = heading(hosts).collect();
        let is_heading = |line: &str| line == HEADING || line.starts_with("host ");
        let begin = std::iter::from_fn(|| lines.next_if(|(_, line)| is_heading(line)));
        let is_of_hosts = begin
            .map(|(_, line)| line)
            .eq(wanted.iter().map(String::as_str));
        // The rest of a heading that is another.
        while lines.next_if(|(_, line)| is_heading(line)).is_some() {}
        if lines.peek().is_none() {
            // Nothing was measured, of whichever hosts.
            journal.write(|file| file.cut(0))?;
            journal.write(|file| file.add(&wanted.join("\n")))?;
            return Ok(journal);
        }
        if !is_of_hosts {
            return Err(FileError::at(path, [], OTHER));
        }
        for (at, text) in lines {
            journal.take(text).ok_or_else(|| line(at + 1))?;
        }
        journal.write(|file| file.cut(whole as u64))?;
        Ok(journal)
    }

    /// Adds to the file, or cuts it.
    fn write(
        &mut self,
        change: impl FnOnce(&mut AppendLog) -> io::Result<()>,
    ) -> Result<(), FileError> {
        change(&mut self.file).map_err(FileError::io(&self.path))
    }

    /// Takes in a line; `None` if it is none.
    fn take(&mut self, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        let kind = words.next()?;
        let host = |name: &str| self.names.iter().position(|known| known == name);
        let from = host(words.next()?)?;
        if kind == "forget" {
            self.pairs.retain(|&(a, b), _| a != from && b != from);
            return words.next().is_none().then_some(());
        }
        if kind == "round" {
            let ping = |word: &str| {
                let (to, time) = word.rsplit_once('=')?;
                Some((host(to)?, time.parse().ok()?))
            };
            let pings = words.map(ping).collect::<Option<Vec<_>>>()?;
            self.rounds.entry(from).or_default().push(pings);
            return Some(());
        }
        let to = host(words.next()?)?;
        let numbers: Vec<u64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
        match (kind, &numbers[..]) {
            ("pair", &[minimum, spread]) => {
                let pairs = self.pairs.entry((from, to)).or_default();
                pairs.push(RoundTrip { minimum, spread });
            }
            ("stream", &[bytes, elapsed, setup]) => {
                let stream = Stream {
                    bytes,
                    elapsed,
                    setup,
                };
                self.streams.insert((from, to), stream);
            }
            _ => return None,
        }
        Some(())
    }

    /// Writes a line, and takes it in.
    fn record(&mut self, line: &str) -> Result<(), FileError> {
        self.write(|file| file.add(line))?;
        let taken = self.take(line);
        debug_assert!(taken.is_some(), "{line}");
        Ok(())
    }

    /// Records the round trip of a pair, which may be measured several times.
    pub(super) fn add_pair(
        &mut self,
        (a, b): (usize, usize),
        round_trip: RoundTrip,
    ) -> Result<(), FileError> {
        let RoundTrip { minimum, spread } = round_trip;
        let line = format!(
            "pair {} {} {minimum} {spread}",
            self.names[a], self.names[b]
        );
        self.record(&line)
    }

    /// Records a round of pings from a host.
    pub(super) fn add_round(
        &mut self,
        from: usize,
        pings: &[(usize, u64)],
    ) -> Result<(), FileError> {
        let mut line = format!("round {}", self.names[from]);
        for &(to, time) in pings {
            line += &format!(" {}={time}", self.names[to]);
        }
        self.record(&line)
    }

    /// Records a stream.
    pub(super) fn add_stream(
        &mut self,
        (a, b): (usize, usize),
        stream: Stream,
    ) -> Result<(), FileError> {
        let Stream {
            bytes,
            elapsed,
            setup,
        } = stream;
        let line = format!(
            "stream {} {} {bytes} {elapsed} {setup}",
            self.names[a], self.names[b]
        );
        self.record(&line)
    }

    /// Returns the round trips of a pair, in the order in which they were measured.
    pub(super) fn pair(&self, pair: (usize, usize)) -> &[RoundTrip] {
        self.pairs.get(&pair).map_or(&[], Vec::as_slice)
    }

    /// Returns the rounds from a host that have a ping to each of others: their nanoseconds, in the
    /// order of the others.
    pub(super) fn rounds(&self, from: usize, others: &[usize]) -> Vec<Vec<u64>> {
        let rounds = self.rounds.get(&from).into_iter().flatten();
        let whole = rounds.filter_map(|pings| {
            let time = |to: &usize| pings.iter().find(|ping| ping.0 == *to).map(|ping| ping.1);
            others.iter().map(time).collect::<Option<Vec<u64>>>()
        });
        whole.collect()
    }

    /// Returns the stream between two hosts.
    pub(super) fn stream(&self, (a, b): (usize, usize)) -> Option<Stream> {
        let either = [(a, b), (b, a)];
        either
            .iter()
            .find_map(|pair| self.streams.get(pair))
            .copied()
    }

    /// Returns all streams.
    pub(super) fn streams(&self) -> impl Iterator<Item = &Stream> {
        self.streams.values()
    }

    /// Forgets the round trips of a host's pairs.
    pub(super) fn forget(&mut self, host: usize) -> Result<(), FileError> {
        self.record(&format!("forget {}", self.names[host]))
    }

    /// Returns whether nothing is measured yet.
    pub fn is_new(&self) -> bool {
        self.pairs.is_empty() && self.rounds.is_empty() && self.streams.is_empty()
    }
}

fn heading(hosts: &[Host]) -> impl Iterator<Item = String> {
    let host = |Host { name, address }: &Host| format!("host {name} {address}");
    std::iter::once(HEADING.to_owned()).chain(hosts.iter().map(host))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn hosts(names: &[&str]) -> Vec<Host> {
        let host = |(at, name): (u16, &&str)| Host {
            name: (*name).to_owned(),
            address: ([10, 0, 0, 1], 7000 + at).into(),
        };
        (0..).zip(names).map(host).collect()
    }

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        drop(fs::remove_file(&path));
        path
    }

    #[test]
    fn whatever_was_cut_off_is_measured_again() {
        let (path, hosts) = (file("journal-cut"), hosts(&["a", "b", "c=d\u{e9}"]));
        let (minimum, spread) = (81_000, 1_200);
        let round_trip = RoundTrip { minimum, spread };
        let stream = Stream {
            bytes: 5,
            elapsed: 6,
            setup: 7,
        };
        let mut journal = Journal::open(&path, &hosts).expect("it is new");
        assert!(journal.is_new());
        journal.add_pair((0, 2), round_trip).expect("there is room");
        journal
            .add_round(0, &[(1, 10), (2, 20)])
            .expect("there is room");
        journal.add_stream((1, 2), stream).expect("there is room");
        drop(journal);
        let whole = fs::read(&path).expect("it was written");
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).expect("there is room");
            let found = Journal::open(&path, &hosts);
            let mut journal = found.expect("it goes on");
            let has = |line: &str| {
                let lines = String::from_utf8_lossy(&whole[..cut]);
                let mut whole = lines.split_inclusive('\n');
                whole.any(|other| other.starts_with(line) && other.ends_with('\n'))
            };
            assert_eq!(journal.pair((0, 2)) == [round_trip], has("pair"));
            assert_eq!(journal.rounds(0, &[2, 1]) == [[20, 10]], has("round"));
            assert_eq!(journal.stream((2, 1)) == Some(stream), has("stream"));
            assert!(journal.rounds(0, &[1, 2, 0]).is_empty());
            journal.add_pair((1, 0), round_trip).expect("there is room");
            let again = Journal::open(&path, &hosts).expect("it goes on");
            assert_eq!(again.pair((1, 0)), [round_trip]);
            assert_eq!(again.pair((0, 2)), journal.pair((0, 2)));
        }
        fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn pairs_that_are_forgotten_are_measured_again() {
        let (path, hosts) = (file("journal-forgotten"), hosts(&["a", "b", "c"]));
        let round_trip = |minimum| RoundTrip { minimum, spread: 0 };
        let mut journal = Journal::open(&path, &hosts).expect("it is new");
        for pair in [(0, 1), (1, 2), (2, 0)] {
            journal
                .add_pair(pair, round_trip(7))
                .expect("there is room");
        }
        journal.add_round(0, &[(1, 10)]).expect("there is room");
        journal.forget(0).expect("there is room");
        journal
            .add_pair((0, 1), round_trip(9))
            .expect("there is room");
        for journal in [&journal, &Journal::open(&path, &hosts).expect("it goes on")] {
            assert_eq!(journal.pair((0, 1)), [round_trip(9)]);
            assert_eq!(journal.pair((1, 2)), [round_trip(7)]);
            assert_eq!(journal.pair((2, 0)), []);
            assert_eq!(journal.rounds(0, &[1]).len(), 1);
        }
        fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn files_that_are_no_journals_stay_as_they_are() {
        let path = file("journal-foreign");
        for foreign in [
            &b"half a download"[..],
            b"a line\nand half",
            b"\xff\xfe\n",
            b"\n",
        ] {
            fs::write(&path, foreign).expect("there is room");
            let error = Journal::open(&path, &hosts(&["a", "b"])).expect_err("it is none");
            assert!(error.to_string().contains(":1: no line of"), "{error}");
            assert_eq!(fs::read(&path).expect("it is there"), foreign);
        }
        fs::remove_file(&path).expect("it is there");
    }

    #[test]
    fn other_hosts_and_other_lines_are_errors() {
        let path = file("journal-other");
        let two = hosts(&["a", "b"]);
        // As long as nothing is measured, the hosts may be others.
        drop(Journal::open(&path, &hosts(&["x", "y", "z"])).expect("it is new"));
        drop(Journal::open(&path, &two).expect("it is new"));
        let text = fs::read_to_string(&path).expect("it was written");
        fs::write(&path, format!("{text}pair a b 1 2\n")).expect("there is room");
        for other in [hosts(&["a", "c"]), hosts(&["a", "b", "c"]), hosts(&["a"])] {
            let error = Journal::open(&path, &other).expect_err("these are others");
            assert!(error.to_string().ends_with(OTHER), "{error}");
        }
        for line in [
            "forget c",
            "forget a b",
            "pair a b 1",
            "pair a x 1 2",
            "round a b:2",
            "noise a b 1 2",
            "stream a b 1 2 3 4",
            "pair a b -1 2",
        ] {
            fs::write(&path, format!("{text}{line}\n")).expect("there is room");
            let error = Journal::open(&path, &two).expect_err("it is no line");
            let told = ":4: no line of an interrupted survey: remove the file to begin anew";
            assert!(error.to_string().ends_with(told), "{line}: {error}");
        }
        fs::remove_file(&path).expect("it is there");
    }
}
