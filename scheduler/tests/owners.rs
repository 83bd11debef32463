//! Promises of owner computes: valid on any graph, never dearer than serial, one processor for each
//! word, whole rows for dense kernels.

mod random_graphs;

use std::collections::BTreeMap;

use random_graphs::{SplitMix, graph};
use superstep_dag::{Dag, Homes};
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Costs, Schedule, Sending, cost};
use superstep_scheduler::{Owners, ScheduleError, Scheduler};
use superstep_tracer::{DEFAULT_LIMIT, Kernel, Role, Trace, record};

/// Forms of the scheduler: words sent count, or words are read in place.
const FORMS: [Owners; 2] = [Owners { in_place: false }, Owners { in_place: true }];

/// Returns the processors that write each word.
fn writers(homes: &Homes, schedule: &Schedule) -> BTreeMap<u32, Vec<usize>> {
    let mut writers: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for superstep in 0..schedule.supersteps() {
        for (processor, tasks) in schedule.superstep(superstep).enumerate() {
            for word in tasks.iter().filter_map(|&task| homes.word(task)) {
                writers.entry(word).or_default().push(processor);
            }
        }
    }
    writers.values_mut().for_each(|owners| {
        owners.sort_unstable();
        owners.dedup();
    });
    writers
}

/// Graphs have no temporaries, which can keep the tasks around them together.
#[test]
fn schedules_are_valid_with_an_owner_for_each_word_and_where_words_are_sent_never_dearer_than_serial()
 {
    let mut random = SplitMix::new(11);
    for with_temporaries in (0..300).map(|round| round % 2 == 0) {
        let graph = graph(&mut random, 60);
        let extents = [1 + random.below(9) as u32, 1 + random.below(30) as u32];
        let words: u32 = extents.iter().sum();
        let homes: Vec<Option<u32>> = (0..graph.tasks())
            .map(|_| {
                let is_temporary = with_temporaries && random.below(4) == 0;
                (!is_temporary).then(|| random.below(words as usize) as u32)
            })
            .collect();
        let homes = Homes::new(homes, &extents);
        let graph = graph.with_homes(homes.clone()).unwrap();
        let machine = Machine {
            gap: random.below(3) as f64,
            latency: random.below(6) as f64,
            ..Machine::new(1 + random.below(6) as u32)
        };
        for owners in FORMS {
            let schedule = owners.schedule(&graph, &machine).unwrap();
            assert_eq!(schedule.task_instances(), graph.tasks());
            let mut writers = writers(&homes, &schedule).into_values();
            assert!(with_temporaries || writers.all(|owners| owners.len() == 1));
            let schedule = CheckedSchedule::new(&graph, schedule).unwrap();
            let eager = Communication::new(&schedule, Sending::Eager);
            let cost = cost::bsp_cost(&schedule, &eager, &machine);
            // The other form goes by another cost.
            assert!(owners.in_place || cost <= graph.total_work() as f64);
        }
    }
}

#[test]
fn factorisation_is_dealt_in_whole_rows_or_columns_whatever_their_length() {
    for (n, owners) in [64_u32, 100]
        .into_iter()
        .flat_map(|n| FORMS.map(|owners| (n, owners)))
    {
        let trace = generate::lu_trace(n as usize).unwrap();
        let homes = superstep_dag_builder::homes(&trace);
        let graph = superstep_dag_builder::from_trace(&trace)
            .with_homes(homes.clone())
            .unwrap();
        let machine = Machine {
            latency: 100.0,
            ..Machine::new(4)
        };
        let schedule = owners.schedule(&graph, &machine).unwrap();
        let writers = writers(&homes, &schedule);
        let is_dealt = |line: &dyn Fn(u32) -> u32| {
            let mut owners = BTreeMap::new();
            writers
                .iter()
                .all(|(&word, owner)| *owners.entry(line(word)).or_insert(owner) == owner)
        };
        assert!(
            is_dealt(&|word| word / n) || is_dealt(&|word| word % n),
            "{n}"
        );
        let costs = Costs::of(&CheckedSchedule::new(&graph, schedule).unwrap(), &machine);
        let even = graph.total_work() as f64 / 4.0;
        assert!(
            costs.makespan - machine.tau() * (costs.supersteps - 1) as f64 <= 1.25 * even,
            "{n}: {costs:?}"
        );
        assert!(costs.supersteps <= n as usize / 2, "{n}: {costs:?}");
    }
}

fn with_homes(trace: &Trace) -> Dag {
    let graph = superstep_dag_builder::from_trace(trace);
    graph
        .with_homes(superstep_dag_builder::homes(trace))
        .unwrap()
}

/// Without levelling it costs 476,560.
#[test]
fn loads_of_a_factorisation_are_level() {
    let trace = generate::lu_trace(128).unwrap();
    let graph = with_homes(&trace);
    let machine = Machine {
        gap: 8.0,
        latency: 2000.0,
        ..Machine::new(2)
    };
    let schedule = Owners::default().schedule(&graph, &machine).unwrap();
    let costs = Costs::of(&CheckedSchedule::new(&graph, schedule).unwrap(), &machine);
    assert!(costs.bsp_cost <= 440_000.0, "{costs:?}");
}

#[test]
fn where_all_processors_are_too_many_fewer_share() {
    let graph = with_homes(&generate::lu_trace(64).unwrap());
    let costs = |processors| {
        let machine = Machine {
            gap: 4.0,
            latency: 300.0,
            ..Machine::new(processors)
        };
        let schedule = Owners::default().schedule(&graph, &machine).unwrap();
        Costs::of(&CheckedSchedule::new(&graph, schedule).unwrap(), &machine)
    };
    let [few, many] = [8, 32].map(costs);
    assert_eq!((few.processors_used, many.processors_used), (8, 8));
    assert_eq!(few.bsp_cost, many.bsp_cost);
}

/// Returns the place where each task runs: its superstep and its processor.
fn places(schedule: &Schedule, tasks: usize) -> Vec<(usize, usize)> {
    let mut places = vec![(0, 0); tasks];
    for superstep in 0..schedule.supersteps() {
        for (processor, tasks) in schedule.superstep(superstep).enumerate() {
            for &task in tasks {
                places[task as usize] = (superstep, processor);
            }
        }
    }
    places
}

/// Returns a kernel that moves words to and fro, some by way of a temporary.
fn moves(random: &mut SplitMix) -> Trace {
    let mut kernel = Kernel::new("moves");
    let x = kernel.add_array("x", Role::InOut, Some(40));
    let t = kernel.add_array("t", Role::Local, Some(1));
    let keep = kernel.add_statement("t = x[i]", t, &[x]);
    let take = kernel.add_statement("x[i] = x[j] + x[k]", x, &[x, x]);
    let put = kernel.add_statement("x[i] = t", x, &[t]);
    record(kernel, DEFAULT_LIMIT, |recorder| {
        for _ in 0..120 {
            let words = [(); 3].map(|()| random.below(40));
            let swaps = random.below(3) == 0;
            if swaps {
                recorder.task(keep, t, 0, [(x, words[0])]);
            }
            recorder.task(take, x, words[0], [(x, words[1]), (x, words[2])]);
            if swaps {
                recorder.task(put, x, words[1], [(t, 0)]);
            }
        }
    })
    .unwrap()
}

#[test]
fn words_are_overwritten_when_others_are_over_with_them() {
    let mut random = SplitMix::new(5);
    let mut is_parallel = false;
    for round in 0..200 {
        let trace = moves(&mut random);
        let homes = superstep_dag_builder::homes(&trace);
        let graph = superstep_dag_builder::from_trace(&trace);
        let graph = graph.with_homes(homes.clone()).unwrap();
        let machine = Machine {
            gap: 0.0,
            latency: 0.5,
            ..Machine::new(2 + round % 5)
        };
        for owners in FORMS {
            let schedule = owners.schedule(&graph, &machine).unwrap();
            is_parallel |= schedule.supersteps() > 1;
            let places = places(&schedule, graph.tasks());
            for &(before, task) in homes.storage_dependences() {
                let (before, task) = (places[before as usize], places[task as usize]);
                assert!(
                    before.0 < task.0 || before == task,
                    "{before:?} and {task:?}"
                );
            }
        }
    }
    assert!(is_parallel);
}

/// The FFT of `generate` begins after the bit reversal.
#[test]
fn butterflies_stay_whole_and_are_dealt_evenly() {
    let trace = generate::fft_trace(8192).unwrap();
    let graph = with_homes(&trace);
    let forms = |processors| FORMS.map(|owners| (processors, owners));
    for (processors, owners) in [2_u32, 4, 8, 16].into_iter().flat_map(forms) {
        let machine = Machine {
            gap: 2.0,
            latency: 500.0,
            ..Machine::new(processors)
        };
        let schedule = owners.schedule(&graph, &machine).unwrap();
        let places = places(&schedule, graph.tasks());
        assert!(places.chunks(3).all(|tasks| tasks == [tasks[0]; 3]));
        // The stages within blocks, and then one after the other.
        assert_eq!(schedule.supersteps(), 1 + processors.ilog2() as usize);
        let costs = Costs::of(&CheckedSchedule::new(&graph, schedule).unwrap(), &machine);
        let even = graph.total_work() as f64 / f64::from(processors);
        let boundaries = (costs.supersteps - 1) as f64;
        assert_eq!(costs.makespan - machine.tau() * boundaries, even);
    }
}

#[test]
fn graphs_without_homes_are_refused() {
    let graph = generate::lu(8).unwrap();
    let refused = Owners::default().schedule(&graph, &Machine::new(2));
    let algorithm = "owners";
    assert_eq!(refused, Err(ScheduleError::NoHomes { algorithm }));
}

/// Seven others read each row of a factorisation: where that costs its owner seven rows, few coarse
/// supersteps look cheapest.
#[test]
fn words_that_are_read_in_place_cost_their_owner_nothing() {
    let graph = with_homes(&generate::lu_trace(128).unwrap());
    let machine = Machine {
        gap: 33.0,
        latency: 3200.0,
        ..Machine::new(8)
    };
    let [sent, in_place] = [false, true]
        .map(|in_place| Owners { in_place })
        .map(|owners| {
            let schedule = owners.schedule(&graph, &machine).unwrap();
            Costs::of(&CheckedSchedule::new(&graph, schedule).unwrap(), &machine)
        });
    assert!(
        in_place.makespan < 0.8 * sent.makespan,
        "{in_place:?} {sent:?}"
    );
}

/// Numbers of tasks that descend along edges do not say in which order words are overwritten.
#[test]
fn descending_graphs_that_overwrite_words_are_scheduled() {
    let homes = Homes::new([Some(0), Some(1), Some(2), Some(3)], &[4]);
    let homes = homes.with_storage_dependences(vec![(3, 0)]);
    let graph = Dag::from_edges(4, &[(3, 2), (2, 1), (1, 0)]).unwrap();
    let graph = graph.with_homes(homes).unwrap();
    let machine = Machine {
        gap: 0.0,
        latency: 0.0,
        ..Machine::new(2)
    };
    for owners in FORMS {
        let schedule = owners.schedule(&graph, &machine).unwrap();
        CheckedSchedule::new(&graph, schedule).unwrap();
    }
}

#[test]
fn tasks_that_belong_together_may_be_heavy() {
    // A temporary with two readers.
    let homes = Homes::new([None, Some(0), Some(1)], &[2]);
    let graph = Dag::from_edges(3, &[(0, 1), (0, 2)])
        .and_then(|graph| graph.with_weights(vec![u32::MAX; 3]))
        .and_then(|graph| graph.with_homes(homes))
        .unwrap();
    for owners in FORMS {
        let schedule = owners.schedule(&graph, &Machine::new(2)).unwrap();
        CheckedSchedule::new(&graph, schedule).unwrap();
    }
}
