//! With most effort no schedule of the FFT costs more than the textbook's: blocks, one exchange, blocks.

use superstep_dag_builder::generate;
use superstep_machine::Machine;
use superstep_scheduler::{CheckedSchedule, Costs, Effort, Portfolio, Scheduler};

/// Costs: those of `golden/peer_bsp_costs.csv`.
#[test]
#[ignore = "takes half a minute in a release build"]
fn the_fft_costs_no_more_than_its_one_exchange() {
    let graph = generate::fft(8192).expect("it is a power of two");
    for (processors, latency, textbook) in [(32, 2000.0, 7240.0), (4, 100.0, 41_572.0)] {
        let machine = Machine {
            latency,
            ..Machine::new(processors)
        };
        let portfolio = Portfolio {
            effort: Effort::Thorough,
        };
        let schedule = portfolio.schedule(&graph, &machine).expect("it serves all");
        let schedule = CheckedSchedule::new(&graph, schedule).expect("it is valid");
        let cost = Costs::of(&schedule, &machine).bsp_cost;
        assert!(cost <= textbook, "P = {processors}: {cost}");
    }
}
