//! Threads that are kept on one core call as on one core, and keep nobody else there.

#![cfg(all(target_os = "linux", not(miri)))]

mod ring;

use std::thread;

use ring::{Ring, Shape};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use superstep_runtime::keyed_program::KeyedProgram;
use superstep_runtime::options::Options;
use superstep_runtime::reduce;
use superstep_runtime::team::shut_down;

const SHAPE: Shape = Shape {
    processors: 2,
    supersteps: 2,
    reach: 1,
    every: 1,
};

/// Returns how many processors the program has that a call chooses, even if it falls back.
fn chosen(programs: &[KeyedProgram<Ring>]) -> usize {
    ring::prepare(programs, &Options::new()).processors()
}

/// Returns the cores that this thread may use.
fn cores() -> Vec<usize> {
    let set = sched_getaffinity(None).expect("it has some");
    (0..CpuSet::MAX_CPU)
        .filter(|&core| set.is_set(core))
        .collect()
}

/// Keeps this thread on these cores.
fn keep_on(cores: &[usize]) {
    let mut set = CpuSet::new();
    cores.iter().for_each(|&core| set.set(core));
    sched_setaffinity(None, &set).expect("they are its own");
}

/// Runs `test` on a thread of its own with all cores of the process, where there are two and the
/// process may use them.
fn with_cores(test: impl FnOnce(&[usize]) + Send) {
    let all = cores();
    if all.len() < 2 || thread::available_parallelism().map_or(1, usize::from) < 2 {
        println!("skipped: there is one core");
        return;
    }
    thread::scope(|scope| {
        scope.spawn(|| test(&all));
    });
}

/// Calls of a thread until it has surely looked again which cores it has.
const SOON: usize = 200;

#[test]
fn a_call_has_the_cores_of_its_thread() {
    with_cores(|all| {
        let programs = ring::programs(SHAPE, &[1, 2]);
        // Whichever test comes first: nobody else's mask counts.
        keep_on(&all[..1]);
        assert_eq!(chosen(&programs), 1);
        thread::scope(|scope| {
            scope.spawn(|| {
                keep_on(all);
                assert!((0..SOON).all(|_| chosen(&programs) == 2));
            });
        });
        assert!((0..SOON).all(|_| chosen(&programs) == 1));
        keep_on(all);
        let calls: Vec<usize> = (0..SOON).map(|_| chosen(&programs)).collect();
        assert_eq!(calls.last(), Some(&2), "it has looked again");
        keep_on(&all[1..2]);
        let calls: Vec<usize> = (0..SOON).map(|_| chosen(&programs)).collect();
        assert_eq!(calls.last(), Some(&1), "it has looked again");
    });
}

#[test]
fn workers_have_the_cores_of_the_process_whoever_founds_their_team() {
    with_cores(|all| {
        for core in all {
            keep_on(&[*core]);
            // Of a size that no other test founds.
            let found = reduce::run(5, |_| cores()).expect("there are threads");
            assert_eq!(found[0], [*core]);
            assert!(found[1..].iter().all(|cores| cores == all), "{found:?}");
            shut_down();
        }
    });
}
