//! Candidates that a sample of their lists leaves out do not win. With the bound and without it,
//! the program that is chosen is predicted to take the same time.
//!
//! A property is tried on an eighth of proptest's 256 random cases, or of those that
//! `PROPTEST_CASES` sets: each compiles a trace four times.

mod support;

use proptest::prelude::*;
use superstep_compiler::{Options, Pass, Passes, Request, compile};
use superstep_machine::Memory;
use superstep_tracer::Trace;
use support::random;

/// Predicts the times of the programs for 1 and 3 processors.
fn predicted(trace: &Trace, memory: Memory, passes: Passes) -> Vec<f64> {
    let options = Options {
        passes,
        algorithms: superstep_search::ALL,
        ..Options::default()
    };
    let request = |processors| Request {
        memory,
        ..Request::exactly(processors)
    };
    let requests = [1, 3].map(request);
    let compilation = compile(trace, &requests, &options).expect("the random kernel is valid");
    let programs = compilation.programs.iter();
    programs.map(|each| each.report.predicted()).collect()
}

fn assert_nothing_is_lost(trace: &Trace, memory: Memory) {
    let all = predicted(trace, memory, Passes::ALL.without(Pass::Bound));
    assert_eq!(predicted(trace, memory, Passes::ALL), all, "{memory:?}");
}

/// Chooses private memory, over which schedulers search for long, in one case of 32.
fn memory(seed: u64) -> Memory {
    if seed.is_multiple_of(32) {
        Memory::Private
    } else {
        Memory::Shared
    }
}

fn cases() -> ProptestConfig {
    let all = ProptestConfig::default();
    ProptestConfig {
        cases: all.cases.div_ceil(8),
        ..all
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn no_loop_nest_loses_its_fastest_program(seed in any::<u64>(), nests in 1_usize..6) {
        assert_nothing_is_lost(&random::nested(seed, nests), memory(seed));
    }

    #[test]
    fn no_scattered_tasks_lose_their_fastest_program(seed in any::<u64>(), tasks in 1_usize..80) {
        assert_nothing_is_lost(&random::scattered(seed, tasks), memory(seed));
    }
}

#[test]
fn no_example_loses_its_fastest_program() {
    let traces = [
        support::lu(24),
        support::fft(64),
        support::jacobi(24, 3),
        support::jacobi_solve(32),
        support::sptrsv(12),
        support::lcs(40, 30),
    ];
    for memory in [Memory::Shared, Memory::Private] {
        traces
            .iter()
            .for_each(|trace| assert_nothing_is_lost(trace, memory));
    }
}
