use superstep_machine::topology::{simulated::*, *};
#[test]
fn tries() {
    let per: usize = std::env::var("PER").map_or(16, |v| v.parse().unwrap());
    let lag: usize = std::env::var("LAG").map_or(10, |v| v.parse().unwrap());
    for (name, net) in Cluster::ALL
        .iter()
        .map(|&c| (format!("{c:?}"), Network::cluster(c, 4 * per, 7)))
        .chain([("four".to_owned(), Network::four_clusters(per, 1000.0, 7))])
    {
        for seed in 1..4 {
            let mut sim = Simulator::new(&net, Noise::default(), seed);
            let setting = Setting {
                seed,
                lag,
                ..Setting::default()
            };
            let inf = infer(net.tree.names(), &mut sim, &setting, |_| {}).unwrap();
            let d = inf.tree.difference(&net.tree);
            let n = net.tree.hosts();
            println!(
                "{name} {seed}: extra {} missing {} pairs {} ({:.1}%) rep {} time {:.2} serial {:.1}",
                d.extra.len(),
                d.missing.len(),
                inf.measurements.len(),
                200.0 * inf.measurements.len() as f64 / (n * (n - 1)) as f64,
                inf.repetitions,
                sim.elapsed(),
                sim.one_by_one()
            );
        }
    }
}
