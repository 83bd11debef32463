//! Promises of the pipeline: valid on any graph, never dearer than serial, and the textbook's tiles
//! on a grid.

mod random_graphs;

use random_graphs::{SplitMix, graph};
use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Communication, Costs, Schedule, Sending, cost};
use superstep_scheduler::{Order, Pipeline, Scheduler};

fn costs(pipeline: Pipeline, graph: &Dag, machine: &Machine) -> Costs {
    let schedule = pipeline.schedule(graph, machine).unwrap();
    let checked = CheckedSchedule::new(graph, schedule).expect("every schedule passes the checker");
    Costs::of(&checked, machine)
}

#[test]
fn schedules_are_valid_without_copies_and_never_dearer_than_serial() {
    let mut random = SplitMix::new(7);
    for _ in 0..300 {
        let graph = graph(&mut random, 40);
        let machine = Machine {
            gap: random.below(4) as f64,
            latency: random.below(12) as f64,
            ..Machine::new(1 + random.below(6) as u32)
        };
        for order in [Order::Ids, Order::DepthFirst, Order::Levels] {
            let pipeline = Pipeline {
                order,
                tapered: random.below(2) == 0,
                long_slices: random.below(2) == 0,
                ..Pipeline::default()
            };
            let schedule = pipeline.schedule(&graph, &machine).unwrap();
            assert_eq!(schedule.task_instances(), graph.tasks());
            let schedule = CheckedSchedule::new(&graph, schedule).unwrap();
            let eager = Communication::new(&schedule, Sending::Eager);
            let cost = cost::bsp_cost(&schedule, &eager, &machine);
            assert!(cost <= graph.total_work() as f64);
        }
    }
}

#[test]
fn many_owners_pass_a_grid_on_in_the_tiles_of_the_textbook() {
    // Tiles of so many rows and columns have rows + columns - 1 supersteps. They cost the load and
    // the words of each, and the latency of all but the last.
    let textbook = |side: f64, rows: f64, columns: f64, latency: f64| {
        let (height, width) = (side / rows, side / columns);
        let tile = 3.0 * height * width + width + latency;
        (rows + columns - 1.0) * tile - width - latency
    };
    let graph = generate::grid_substitution(96).unwrap();
    for (processors, columns, latency) in [(2, 24, 20.0), (4, 16, 50.0), (8, 16, 50.0)] {
        let machine = Machine {
            latency,
            ..Machine::new(processors)
        };
        let cost = costs(Pipeline::default(), &graph, &machine).bsp_cost;
        let book = textbook(96.0, f64::from(processors), f64::from(columns), latency);
        assert!(cost <= book, "{cost} above {book} on {processors}");
    }
}

/// Counts the intervals of ids that processors run without a gap.
fn intervals(schedule: &Schedule) -> usize {
    let of = |list: &[u32]| {
        let mut ids = list.to_vec();
        ids.sort_unstable();
        usize::from(!ids.is_empty()) + ids.windows(2).filter(|pair| pair[1] > pair[0] + 1).count()
    };
    let superstep = |at| schedule.superstep(at).map(of).sum::<usize>();
    (0..schedule.supersteps()).map(superstep).sum()
}

#[test]
fn long_slices_cost_hardly_more() {
    let graph = generate::grid_substitution(200).unwrap();
    for processors in [2, 4] {
        let machine = Machine {
            latency: 100.0,
            ..Machine::new(processors)
        };
        let [short, long] = [Pipeline::default(), Pipeline::for_loops()].map(|pipeline| {
            let schedule = pipeline.schedule(&graph, &machine).unwrap();
            let intervals = intervals(&schedule);
            let checked = CheckedSchedule::new(&graph, schedule).unwrap();
            (Costs::of(&checked, &machine).bsp_cost, intervals)
        });
        assert!(
            long.0 <= 1.03 * short.0,
            "{long:?} for {short:?} on {processors}"
        );
        assert!(
            5 * long.1 <= 4 * short.1,
            "{long:?} for {short:?} on {processors}"
        );
    }
}

#[test]
fn a_dear_exchange_leaves_processors_idle() {
    let graph = generate::grid_substitution_by_row(60).unwrap();
    let used = |latency| {
        let machine = Machine {
            latency,
            ..Machine::new(16)
        };
        costs(Pipeline::default(), &graph, &machine).processors_used
    };
    let used = [5.0, 300.0, 1e6].map(used);
    assert!(used.is_sorted_by(|more, fewer| more > fewer), "{used:?}");
    assert_eq!(used[2], 1);
}

#[test]
fn small_blocks_at_both_ends_beat_the_tiles_of_the_textbook() {
    let graph = generate::grid_substitution(96).unwrap();
    let cost = |processors, latency| {
        let machine = Machine {
            latency,
            ..Machine::new(processors)
        };
        let tapered = Pipeline {
            tapered: true,
            ..Pipeline::default()
        };
        costs(tapered, &graph, &machine).bsp_cost
    };
    // The textbook: 14,976 and 6,200.
    assert_eq!([cost(2, 20.0), cost(8, 50.0)], [14_463.0, 6_064.0]);
}
