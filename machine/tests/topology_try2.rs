use superstep_machine::topology::{simulated::*, *};
#[test]
fn tries2() {
    for (seed, set) in [(1u64, 12..16u32), (2, 16..20)] {
        let net = Network::four_clusters(16, 1000.0, seed * 7);
        let mut sim = Simulator::new(&net, Noise::default(), seed);
        let inf = infer(
            net.tree.names(),
            &mut sim,
            &Setting {
                seed,
                ..Setting::default()
            },
            |_| {},
        )
        .unwrap();
        for (k, m) in inf.measurements.iter().enumerate() {
            if set.contains(&m.pair.0) || set.contains(&m.pair.1) {
                println!(
                    "{k} {:?} true {} est {} measured {:?}",
                    m.pair,
                    net.tree.distance(m.pair.0, m.pair.1) * 2.0,
                    inf.tree.distance(m.pair.0, m.pair.1) * 2.0,
                    m.round_trip
                );
            }
        }
    }
}
