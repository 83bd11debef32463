//! Schedules that most effort finds, on graphs of real size: two minutes each in a debug build, so
//! that `.ci/run` does without. `cargo test --release --test thorough -- --ignored` runs them.

use superstep_dag::Dag;
use superstep_graphs::generate;
use superstep_machine::Machine;
use superstep_schedule::{CheckedSchedule, Costs};
use superstep_scheduler::{Effort, Scheduler};
use superstep_search::Portfolio;

fn cost(graph: &Dag, processors: u32, latency: f64) -> f64 {
    let machine = Machine {
        latency,
        ..Machine::new(processors)
    };
    let effort = Effort::Thorough;
    let schedule = Portfolio { effort }.schedule(graph, &machine);
    let schedule = CheckedSchedule::new(graph, schedule.expect("it serves all"));
    Costs::of(&schedule.expect("it is valid"), &machine).bsp_cost
}

mod long {
    use super::*;

    /// The textbook: blocks, one exchange, blocks. Costs: those of `golden/peer_bsp_costs.csv`.
    #[test]
    #[ignore = "takes half a minute in a release build"]
    fn the_fft_costs_no_more_than_its_one_exchange() {
        let graph = generate::fft(8192).expect("it is a power of two");
        for (processors, latency, textbook) in [(32, 2000.0, 7240.0), (4, 100.0, 41_572.0)] {
            let cost = cost(&graph, processors, latency);
            assert!(cost <= textbook, "P = {processors}: {cost}");
        }
    }

    /// 9,310 without the start for a higher latency; the textbook's cost is far above.
    #[test]
    #[ignore = "takes a quarter of a minute in a release build"]
    fn lu_is_scheduled_in_fewer_supersteps_than_seem_to_pay() {
        let graph = generate::lu(64).expect("it is small");
        let cost = cost(&graph, 16, 100.0);
        assert!(cost <= 9200.0, "{cost}");
    }
}
