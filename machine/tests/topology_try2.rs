use superstep_machine::topology::{simulated::*, *};
#[test]
fn tries2() {
    for seed in 1..=12 {
        let net = Network::four_clusters(16, 1000.0, seed * 7);
        for refine in [false, true] {
            let mut sim = Simulator::new(&net, Noise::default(), seed);
            let inf = infer(
                net.tree.names(),
                &mut sim,
                &Setting {
                    seed,
                    lag: 20,
                    refine,
                    ..Setting::default()
                },
                |_| {},
            )
            .unwrap();
            let d = inf.tree.difference(&net.tree);
            if d.missing.len() + d.extra.len() > 3 && refine {
                println!("seed {seed} {} {}", d.missing.len(), d.extra.len());
                println!("{}", inf.tree.drawing());
                for m in &inf.measurements {
                    let e = inf.tree.distance(m.pair.0, m.pair.1) * 2.0;
                    if (e - m.round_trip.minimum as f64 / 1000.0).abs() > 30.0 {
                        println!(
                            "{:?} true {} est {e} {:?}",
                            m.pair,
                            net.tree.distance(m.pair.0, m.pair.1) * 2.0,
                            m.round_trip
                        );
                    }
                }
            }
        }
    }
}
