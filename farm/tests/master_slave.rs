//! Masters and slaves, for any network.

use proptest::prelude::*;
use superstep_farm::{Invalid, LogGp, MasterSlave, Start};

fn network() -> impl Strategy<Value = LogGp> {
    let time = || prop_oneof![Just(0.0), 0.0..0.5f64];
    (time(), time(), time(), 0.0..0.01f64).prop_map(|(latency, overhead, gap, byte_gap)| LogGp {
        latency,
        overhead,
        gap,
        byte_gap,
    })
}

fn master(slaves: impl Strategy<Value = usize>) -> impl Strategy<Value = MasterSlave> {
    let start = prop_oneof![Just(Start::Assigned), Just(Start::Requested)];
    (
        network(),
        slaves,
        0.0..20.0f64,
        0.0..20.0f64,
        1usize..5,
        start,
    )
        .prop_map(
            |(network, slaves, input, output, chunk, start)| MasterSlave {
                input,
                output,
                chunk,
                start,
                ..MasterSlave::new(network, slaves)
            },
        )
}

fn costs() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(0.0..5.0f64, 0..60)
}

fn makespan(master: &MasterSlave, costs: &[f64]) -> f64 {
    master.simulate(costs).unwrap().makespan
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs())
}

proptest! {
    #[test]
    fn one_slave_takes_the_sum_and_the_overheads(master in master(Just(1)), costs in costs()) {
        let LogGp { latency, overhead, gap, byte_gap } = master.network;
        let receive = overhead.max(gap);
        let mut expected = match master.start {
            Start::Assigned => 0.0,
            Start::Requested => overhead + latency + receive,
        };
        for chunk in costs.chunks(master.chunk) {
            let bytes = |each: f64| each * chunk.len() as f64 * byte_gap;
            expected += (overhead + bytes(master.input)).max(gap);
            expected += 2.0 * latency + 2.0 * overhead + bytes(master.output) + chunk.iter().sum::<f64>();
            expected += receive;
        }
        let mut reversed = costs.clone();
        reversed.reverse();
        prop_assert!(close(makespan(&master, &costs), expected));
        if master.chunk == 1 {
            prop_assert!(close(makespan(&master, &reversed), expected));
        }
    }

    #[test]
    fn no_makespan_is_below_its_bounds(master in master(1usize..9), costs in costs()) {
        let dealt = master.simulate(&costs).unwrap();
        let LogGp { latency, overhead, gap, .. } = master.network;
        let total: f64 = costs.iter().sum();
        let chunks = costs.len().div_ceil(master.chunk) as f64;
        let slaves = master.slowness.len() as f64;
        let longest = costs.iter().copied().fold(0.0, f64::max);
        prop_assert!(dealt.makespan >= total / slaves * (1.0 - 1e-12));
        prop_assert!(dealt.makespan * (1.0 + 1e-12) >= chunks * 2.0 * overhead.max(gap));
        if chunks > 0.0 {
            prop_assert!(dealt.makespan * (1.0 + 1e-12) >= longest + 2.0 * latency + 4.0 * overhead);
        }
        prop_assert_eq!(dealt.items.len(), master.slowness.len());
        prop_assert_eq!(dealt.items.iter().sum::<usize>(), costs.len());
    }

    #[test]
    fn a_free_network_leaves_greedy_dealing(slaves in 1usize..9, costs in costs()) {
        let master = MasterSlave::new(LogGp::default(), slaves);
        let mut busy = vec![0.0f64; slaves];
        for cost in &costs {
            *busy.iter_mut().min_by(|a, b| a.total_cmp(b)).unwrap() += cost;
        }
        let expected = busy.iter().copied().fold(0.0, f64::max);
        prop_assert!(close(makespan(&master, &costs), expected));
    }

    #[test]
    fn slaves_as_slow_as_each_other_scale_the_work(master in master(1usize..9), costs in costs(), slow in 0.1..4.0f64) {
        let slower = MasterSlave { slowness: vec![slow; master.slowness.len()], ..master.clone() };
        // Sums of chunks are rounded before they are scaled.
        let master = MasterSlave { chunk: 1, ..master };
        let slower = MasterSlave { chunk: 1, ..slower };
        let scaled: Vec<f64> = costs.iter().map(|cost| cost * slow).collect();
        prop_assert_eq!(makespan(&slower, &costs), makespan(&master, &scaled));
    }

    #[test]
    fn without_work_for_more_the_order_of_slow_slaves_does_not_matter(
        slowness in prop::collection::vec(0.1..4.0f64, 1..7),
        cost in 0.0..5.0f64,
        items in 0usize..40,
    ) {
        let costs = vec![cost; items];
        let master = MasterSlave { slowness, ..MasterSlave::new(LogGp::default(), 1) };
        let mut reversed = master.clone();
        reversed.slowness.reverse();
        // Items that are all alike; the first ones go to all slaves at time 0.
        if items >= master.slowness.len() {
            let greedy = |master: &MasterSlave| makespan(master, &costs);
            prop_assert!(close(greedy(&master), greedy(&reversed)));
        }
    }

    #[test]
    fn chunks_are_items_of_their_sum(master in master(1usize..9), chunks in prop::collection::vec(0.0..5.0f64, 0..20)) {
        let size = master.chunk;
        let costs: Vec<f64> = chunks.iter().flat_map(|&cost| vec![cost; size]).collect();
        let sums: Vec<f64> = costs.chunks(size).map(|chunk| chunk.iter().sum()).collect();
        let single = MasterSlave {
            chunk: 1,
            input: master.input * size as f64,
            output: master.output * size as f64,
            ..master.clone()
        };
        prop_assert_eq!(makespan(&master, &costs), makespan(&single, &sums));
    }
}

#[test]
fn a_million_items_go_to_a_thousand_slaves() {
    let master = MasterSlave::new(LogGp::default(), 1024);
    let costs = vec![1.0; 1 << 20];
    assert_eq!(master.simulate(&costs).unwrap().makespan, 1024.0);
}

#[test]
fn masters_that_are_none_are_refused() {
    let fine = MasterSlave::new(LogGp::default(), 2);
    let network = |change: fn(&mut LogGp)| {
        let mut network = LogGp::default();
        change(&mut network);
        MasterSlave::new(network, 2)
    };
    for (master, expected) in [
        (
            MasterSlave::new(LogGp::default(), 0),
            "there are 0 slaves, and 1 are needed: somebody has to compute",
        ),
        (
            MasterSlave {
                chunk: 0,
                ..fine.clone()
            },
            "chunk is 0, which must be at least one item",
        ),
        (
            network(|network| network.latency = -1.0),
            "latency is -1, which must be finite and not negative",
        ),
        (
            network(|network| network.overhead = f64::NAN),
            "overhead is NaN, which must be finite and not negative",
        ),
        (
            network(|network| network.gap = f64::INFINITY),
            "gap is inf, which must be finite and not negative",
        ),
        (
            network(|network| network.byte_gap = -0.5),
            "byte_gap is -0.5, which must be finite and not negative",
        ),
        (
            MasterSlave {
                input: f64::NAN,
                ..fine.clone()
            },
            "input is NaN, which must be finite and not negative",
        ),
        (
            MasterSlave {
                output: -2.0,
                ..fine.clone()
            },
            "output is -2, which must be finite and not negative",
        ),
        (
            MasterSlave {
                slowness: vec![1.0, -1.0],
                ..fine.clone()
            },
            "slowness[1] is -1, which must be finite and not negative",
        ),
    ] {
        let error: Invalid = master.simulate(&[1.0]).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let error = fine.simulate(&[1.0, f64::NAN]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "costs[1] is NaN, which must be finite and not negative"
    );
}
