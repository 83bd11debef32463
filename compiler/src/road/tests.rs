use superstep_graphs::generate;
use superstep_scheduler::Needs;

use super::*;

/// Returns latency and gap of each machine that schedulers of a trace of ten thousand tasks or
/// so count with.
fn costs(options: &Options, algorithm: Algorithm, task: f64) -> Vec<(f64, f64)> {
    let trace = generate::lu_trace(8).expect("it is small");
    let road = Road::new(&trace, options).with_task(task);
    let machines = road.machines(algorithm, Request::new(2));
    machines.iter().map(|m| (m.latency, m.gap)).collect()
}

#[test]
fn schedulers_get_costs_in_tasks_of_the_kernel() {
    let options = Options {
        times: Times {
            barrier: 500.0,
            gap: 2.0,
            ..Times::default()
        },
        ..Options::default()
    };
    assert_eq!(costs(&options, Algorithm::Owners, 0.25), [(2000.0, 12.0)]);
    assert_eq!(
        costs(&options, Algorithm::Pipeline, 0.25),
        [(2000.0, 12.0), (8000.0, Machine::new(2).gap)]
    );
    let usual = (Machine::new(2).latency, Machine::new(2).gap);
    assert_eq!(
        costs(&options, Algorithm::Bcsh, 0.25),
        [usual, (2000.0, 12.0)]
    );
    let given = Options {
        machine: Some(Machine {
            latency: 3.0,
            ..Machine::new(1)
        }),
        ..options
    };
    assert_eq!(costs(&given, Algorithm::Bcsh, 0.25), [(3.0, usual.1)]);
}

#[test]
fn programs_over_private_memory_have_the_times_of_ranks() {
    let barrier = |nanoseconds| Times {
        barrier: nanoseconds,
        ..Times::default()
    };
    let options = Options {
        times: barrier(500.0),
        ranks: Some(barrier(5e4)),
        algorithms: superstep_search::ALL,
        ..Options::default()
    };
    let trace = generate::lu_trace(24).expect("it is small");
    let road = Road::new(&trace, &options).with_task(0.25);
    let request = |memory| Request {
        memory,
        algorithm: Some(Algorithm::Levels),
        ..Request::exactly(2)
    };
    let [shared, private] = [Memory::Shared, Memory::Private].map(|memory| {
        let machines = road.machines(Algorithm::Levels, request(memory));
        let compiled = road.program(request(memory)).expect("it serves");
        (machines[0].latency, compiled.report.predicted())
    });
    assert_eq!((shared.0, private.0), (2e3, 2e5));
    assert!(private.1 > shared.1 + 5e4, "{} ns", private.1);
    // Ranks keep their data: nothing is copied from a caller and back.
    let threads = Options {
        times: barrier(5e4),
        ranks: None,
        ..options.clone()
    };
    let road = Road::new(&trace, &threads).with_task(0.25);
    let copied = road.program(request(Memory::Private)).expect("it serves");
    assert!(copied.report.predicted() > private.1, "{} ns", private.1);
}

#[test]
fn schedulers_get_two_machines_where_loops_take_longer_than_barriers() {
    let options = Options {
        times: Times {
            barrier: 50.0,
            gap: 1.0,
            run: 10.0,
            ..Times::default()
        },
        ..Options::default()
    };
    let (of_loops, of_barriers) = ((400.0, 3.0), (100.0, 3.0));
    assert_eq!(
        costs(&options, Algorithm::Levels, 0.5),
        [of_loops, of_barriers]
    );
    let trace = generate::lu_trace(8).expect("it is small");
    let road = Road::new(&trace, &options).with_task(0.5);
    assert_eq!(road.machines(Algorithm::Serial, Request::new(1)).len(), 1);
}

#[test]
fn programs_have_other_numbers_of_processors_than_the_levels_of_a_machine() {
    let trace = generate::lu_trace(12).expect("it is small");
    for groups in [vec![0, 0], vec![0, 0, 3], vec![0, 0, 1, 1, 2, 2]] {
        let processors = groups.len() as u32;
        let level = superstep_machine::Level {
            groups,
            latency: 0.1,
            gap: 0.5,
        };
        let machine = Some(Machine {
            levels: vec![level],
            ..Machine::new(processors)
        });
        let options = Options {
            machine,
            algorithms: superstep_search::ALL,
            ..Options::default()
        };
        let road = Road::new(&trace, &options).with_task(0.3);
        for (processors, memory) in [
            (1, Memory::Shared),
            (4, Memory::Shared),
            (5, Memory::Private),
        ] {
            let request = Request {
                memory,
                ..Request::exactly(processors)
            };
            let compiled = road.program(request).expect("an algorithm serves");
            assert_eq!(compiled.program.plan().processors as usize, processors);
        }
    }
}

#[test]
fn a_build_that_chooses_takes_the_fastest_prediction_of_all_that_can_win() {
    let trace = generate::lu_trace(24).expect("it is small");
    let options = Options {
        algorithms: superstep_search::ALL,
        ..Options::default()
    };
    let road = Road::new(&trace, &options).with_task(0.3);
    for memory in [Memory::Shared, Memory::Private] {
        let predicted = |algorithm| {
            let request = Request {
                memory,
                algorithm: Some(algorithm),
                ..Request::new(2)
            };
            let found = road.program(request).expect("it serves");
            (found.report.predicted(), found.report.algorithm)
        };
        let (chosen, by) = predicted(Algorithm::Auto);
        let is_for_all = |each: &&Algorithm| matches!(each.needs(), Needs::Nothing | Needs::Homes);
        let all = options
            .algorithms
            .iter()
            .filter(|each| each.can_win(memory));
        for &other in all.filter(is_for_all) {
            assert!(chosen <= predicted(other).0, "{by} and not {other}");
        }
    }
}

/// Asserts that a request is an error without the crate `superstep-search`, and none with it.
fn needs_search(request: Request) {
    let trace = generate::lu_trace(6).expect("it is small");
    let compiled = |algorithms| {
        let options = Options {
            algorithms,
            ..Options::default()
        };
        compile(&trace, &[request], &options)
    };
    let error = compiled(superstep_scheduler::ALL).expect_err("nothing copies tasks");
    assert!(error.to_string().contains("feature `search`"), "{error}");
    assert!(compiled(superstep_search::ALL).is_ok());
}

#[test]
fn private_memory_without_the_feature_search_is_an_error_that_names_it() {
    for processors in [1, 2] {
        needs_search(Request {
            memory: Memory::Private,
            ..Request::exactly(processors)
        });
    }
}

#[test]
fn names_of_its_algorithms_without_the_feature_search_are_errors_that_name_it() {
    for algorithm in [Algorithm::Bcsh, Algorithm::Cuts, Algorithm::Portfolio] {
        needs_search(Request {
            algorithm: Some(algorithm),
            ..Request::exactly(2)
        });
    }
}

/// A tiny kernel is fastest on one processor, but who insists on two gets two.
#[test]
fn a_program_that_is_insisted_on_uses_several_processors() {
    let trace = generate::lu_trace(6).expect("it is small");
    let options = Options::default();
    let road = Road::new(&trace, &options).with_task(0.3);
    let used = |request| {
        let compiled = road.program(request).expect("an algorithm serves");
        compiled.report.processors_used
    };
    assert_eq!(used(Request::new(2)), 1);
    assert_eq!(used(Request::exactly(2)), 2);
}
