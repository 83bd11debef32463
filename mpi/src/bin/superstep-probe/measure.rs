//! Times of messages: round trips of pairs of ranks, barriers and exchanges of all with all.

use std::collections::HashSet;
use std::hint;
use std::time::{Duration, Instant};

use superstep::ranks::{Communicator, RankError};
use superstep_machine::RankTimes;
use superstep_timing::median;

/// Words of a message, as in supersteps of small and large kernels.
const LENGTHS: [u32; 7] = [1, 64, 256, 1024, 4096, 16384, 65536];

/// Words that each rank sends to every other, where all exchange.
const EXCHANGED: [u32; 2] = [1, 1024];

/// Bytes of a word.
const WORD: usize = 8;

/// Round trips of a path that count, and those before: connections are opened by the first.
const SAMPLES: usize = 101;
const WARM: usize = 20;

/// Time for which ranks compute before anything is measured. Ranks that only wait yield, and the
/// system may leave two on one core, where a message takes 11 us in place of 0.4.
const SPREAD: Duration = Duration::from_millis(100);

/// Barriers or exchanges in a row that are one figure, and the figures of which the median counts.
const IN_A_ROW: usize = 20;
const FIGURES: usize = 21;

/// Findings of rank 0.
pub(crate) struct Measured {
    /// Name of each rank's host.
    pub(crate) hosts: Vec<String>,
    pub(crate) paths: Vec<Path>,
    pub(crate) ranks: RankTimes,
    /// Set if ranks of a host are more than its cores.
    pub(crate) is_crowded: bool,
}

/// Path between two ranks.
pub(crate) struct Path {
    pub(crate) between: [usize; 2],
    /// Round trips of a message of one word, in nanoseconds.
    pub(crate) round_trips: Vec<f64>,
    /// Nanoseconds of a word, one of many.
    pub(crate) word: f64,
}

/// Result of measuring on a rank.
type Found<T> = Result<T, RankError>;

/// Place of a rank.
pub(crate) struct Place {
    /// Name of its host.
    pub(crate) host: String,
    /// Numbers of the cores that it may use.
    pub(crate) cores: Vec<usize>,
}

/// Measures (collective), and returns what was found on rank 0.
pub(crate) fn measured(ranks: &mut dyn Communicator, own: &Place) -> Found<Option<Measured>> {
    let is_first = ranks.rank() == 0;
    let hosts = texts(ranks, &own.host)?;
    let list: Vec<String> = own.cores.iter().map(usize::to_string).collect();
    let cores = texts(ranks, &list.join(" "))?;
    let is_crowded = is_crowded(&hosts, &cores);
    spread();
    let mut paths = Vec::new();
    for between in pairs(&hosts) {
        let long = *LENGTHS.last().expect("there are lengths");
        let round_trips = trips(ranks, between, LENGTHS[0])?;
        let of_long = trips(ranks, between, long)?;
        let added = median(of_long) - median(round_trips.iter().copied());
        paths.push(Path {
            between,
            round_trips,
            word: (added / 2.0 / f64::from(long - LENGTHS[0])).max(0.0),
        });
    }
    let one_way = one_way(ranks, &paths)?;
    let size = ranks.size();
    let call = in_a_row(ranks, size, agreement)?;
    let (mut barriers, mut exchanges) = (Vec::new(), Vec::new());
    for group in 2..=size {
        barriers.push((group as u32, in_a_row(ranks, group, barrier)?));
        for words in EXCHANGED {
            let time = in_a_row(ranks, group, |ranks, size| all_to_all(ranks, size, words))?;
            exchanges.push((group as u32, words, time));
        }
    }
    Ok(is_first.then_some(Measured {
        hosts,
        paths,
        is_crowded,
        ranks: RankTimes {
            call,
            one_way,
            barrier: barriers,
            all_to_all: exchanges,
        },
    }))
}

/// Returns the text of each rank, on all ranks.
fn texts(ranks: &mut dyn Communicator, own: &str) -> Found<Vec<String>> {
    let (rank, size) = (ranks.rank(), ranks.size());
    for other in (0..size).filter(|&other| other != rank) {
        ranks.send(other, own.as_bytes().to_vec())?;
    }
    let name = |from: usize| match from == rank {
        true => Ok(own.to_owned()),
        false => Ok(String::from_utf8_lossy(&ranks.receive(from)?).into_owned()),
    };
    (0..size).map(name).collect()
}

/// Returns whether the ranks of some host are more than the cores that they may use together.
fn is_crowded(hosts: &[String], cores: &[String]) -> bool {
    hosts.iter().any(|host| {
        let here = || (0..hosts.len()).filter(|&rank| hosts[rank] == *host);
        let usable: HashSet<&str> = here().flat_map(|rank| cores[rank].split(' ')).collect();
        here().count() > usable.len()
    })
}

/// Computes for a while, so that the system gives each rank a core of its own.
fn spread() {
    let begin = Instant::now();
    while begin.elapsed() < SPREAD {
        hint::spin_loop();
    }
}

/// Returns the pairs that are measured: rank 0 with all others, and the first rank of each other
/// host with the others of it.
fn pairs(hosts: &[String]) -> Vec<[usize; 2]> {
    let first = |rank: usize| hosts.iter().position(|host| *host == hosts[rank]);
    let stars = (1..hosts.len()).map(|rank| [0, rank]);
    let inner = (1..hosts.len()).filter_map(|rank| {
        let leader = first(rank)?;
        (leader != 0 && leader != rank).then_some([leader, rank])
    });
    stars.chain(inner).collect()
}

/// Returns the round trips between two ranks of a message of so many words, in nanoseconds. These
/// two ranks and rank 0 have them; on others the result means nothing.
fn trips(ranks: &mut dyn Communicator, between: [usize; 2], words: u32) -> Found<Vec<f64>> {
    let [from, to] = between;
    let (rank, all) = (ranks.rank(), ranks.size());
    // All others rest before it begins.
    barrier(ranks, all)?;
    let mut times = vec![1.0; SAMPLES];
    let mut message = vec![0; WORD * words as usize];
    for sample in 0..WARM + SAMPLES {
        if rank == from {
            let begin = Instant::now();
            ranks.send(to, message)?;
            message = ranks.receive(to)?;
            if let Some(counted) = sample.checked_sub(WARM) {
                times[counted] = 1e9 * begin.elapsed().as_secs_f64();
            }
        } else if rank == to {
            let received = ranks.receive(from)?;
            ranks.send(from, received)?;
        } else {
            break;
        }
    }
    if rank == from && rank != 0 {
        let bytes = times.iter().flat_map(|time| time.to_le_bytes());
        ranks.send(0, bytes.collect())?;
    } else if rank == 0 && from != 0 {
        let bytes = ranks.receive(from)?;
        let (each, _) = bytes.as_chunks();
        times = each
            .iter()
            .map(|&bytes| f64::from_le_bytes(bytes))
            .collect();
    }
    Ok(times)
}

/// Returns the one-way times by words, of the slowest of rank 0's paths: supersteps wait for it.
fn one_way(ranks: &mut dyn Communicator, paths: &[Path]) -> Found<Vec<(u32, f64)>> {
    let time = |path: &&Path| median(path.round_trips.iter().copied());
    let own = paths.iter().filter(|path| path.between[0] == 0);
    let slowest = own.max_by(|a, b| time(a).total_cmp(&time(b)));
    let mut other = slowest.map_or(1, |path| path.between[1]);
    // Rank 0 alone knows its paths.
    if ranks.rank() == 0 {
        for to in 1..ranks.size() {
            ranks.send(to, other.to_le_bytes().to_vec())?;
        }
    } else {
        let told = ranks.receive(0)?;
        let told = told.try_into().map(usize::from_le_bytes);
        other = told.map_err(|_| RankError::Malformed { from: 0 })?;
    }
    let mut times = Vec::new();
    for words in LENGTHS {
        let trips = trips(ranks, [0, other], words)?;
        times.push((words, median(trips) / 2.0));
    }
    // Other work disturbs some lengths: a shorter message takes no longer than a longer one.
    for at in (1..times.len()).rev() {
        times[at - 1].1 = times[at - 1].1.min(times[at].1);
    }
    Ok(times)
}

/// Returns what the first `size` ranks take for something that they do together, in nanoseconds.
fn in_a_row(
    ranks: &mut dyn Communicator,
    size: usize,
    mut together: impl FnMut(&mut dyn Communicator, usize) -> Found<()>,
) -> Found<f64> {
    let all = ranks.size();
    barrier(ranks, all)?;
    if ranks.rank() >= size {
        return Ok(0.0);
    }
    let mut figures = Vec::new();
    for _ in 0..FIGURES {
        barrier(ranks, size)?;
        let begin = Instant::now();
        for _ in 0..IN_A_ROW {
            together(ranks, size)?;
        }
        figures.push(1e9 * begin.elapsed().as_secs_f64() / IN_A_ROW as f64);
    }
    Ok(median(figures))
}

/// Waits for all of the first `size` ranks, in rounds along which each hears of twice as many.
fn barrier(ranks: &mut dyn Communicator, size: usize) -> Found<()> {
    let rank = ranks.rank();
    let mut distance = 1;
    while distance < size {
        ranks.send((rank + distance) % size, Vec::new())?;
        ranks.receive((rank + size - distance) % size)?;
        distance *= 2;
    }
    Ok(())
}

/// Sends so many words to every other of the first `size` ranks, and receives theirs.
fn all_to_all(ranks: &mut dyn Communicator, size: usize, words: u32) -> Found<()> {
    let rank = ranks.rank();
    for distance in 1..size {
        let message = vec![0; WORD * words as usize];
        ranks.send((rank + distance) % size, message)?;
    }
    for distance in 1..size {
        ranks.receive((rank + size - distance) % size)?;
    }
    Ok(())
}

/// Lets rank 0 hear of all ranks, and all of rank 0, as at the beginning of each run.
fn agreement(ranks: &mut dyn Communicator, size: usize) -> Found<()> {
    let others = 1..size;
    match ranks.rank() {
        0 => {
            others
                .clone()
                .try_for_each(|from| ranks.receive(from).map(drop))?;
            others
                .into_iter()
                .try_for_each(|to| ranks.send(to, Vec::new()))
        }
        _ => {
            ranks.send(0, vec![0; WORD + 1])?;
            ranks.receive(0).map(drop)
        }
    }
}

#[cfg(test)]
mod tests {
    use superstep::ranks::local;

    use super::*;

    #[test]
    fn rank_0_and_the_first_rank_of_each_host_have_paths_to_others() {
        let hosts = |names: &str| names.chars().map(String::from).collect::<Vec<_>>();
        assert_eq!(pairs(&hosts("aaa")), [[0, 1], [0, 2]]);
        assert_eq!(pairs(&hosts("abba")), [[0, 1], [0, 2], [0, 3], [1, 2]]);
    }

    #[test]
    fn ranks_that_are_bound_to_cores_of_their_own_are_not_crowded() {
        let crowded = |hosts: &str, cores: &[&str]| {
            let cores: Vec<String> = cores.iter().map(ToString::to_string).collect();
            let hosts: Vec<String> = hosts.chars().map(String::from).collect();
            is_crowded(&hosts, &cores)
        };
        assert!(!crowded("aa", &["0", "1"]));
        assert!(!crowded("aa", &["0 1", "0 1"]));
        assert!(!crowded("ab", &["0", "0"]));
        assert!(crowded("aa", &["0", "0"]));
        assert!(crowded("aab", &["7", "7", "0 1"]));
        assert!(crowded("aaa", &["0 1", "0 1", "0 1"]));
    }

    #[test]
    fn rank_0_knows_all_times() {
        for size in [2, 3] {
            let found = local::run(size, |ranks| {
                let place = Place {
                    host: ["a", "b", "b"][ranks.rank()].to_owned(),
                    cores: vec![ranks.rank()],
                };
                measured(ranks, &place)
            });
            let found: Found<Vec<_>> = found.into_iter().collect();
            let mut found = found.expect("nothing fails").into_iter();
            let first = found.next().flatten().expect("rank 0 knows");
            assert!(found.all(|other| other.is_none()));
            assert_eq!(first.hosts, ["a", "b", "b"][..size]);
            assert!(!first.is_crowded);
            let between: Vec<_> = first.paths.iter().map(|path| path.between).collect();
            assert_eq!(between, [[0, 1], [0, 2], [1, 2]][..2 * size - 3]);
            let trips = first.paths.iter().flat_map(|path| &path.round_trips);
            assert!(
                trips.clone().all(|&trip| trip > 1.0),
                "times of another rank, too"
            );
            assert_eq!(first.ranks.validate(), Ok(()));
            assert_eq!(first.ranks.one_way.len(), LENGTHS.len());
            assert_eq!(first.ranks.barrier.len(), size - 1);
            assert_eq!(first.ranks.all_to_all.len(), 2 * (size - 1));
        }
    }
}
