use superstep_machine::topology::{simulated::*, *};
fn get(n: &str, d: usize) -> usize {
    std::env::var(n).map_or(d, |v| v.parse().unwrap())
}
#[test]
fn tries() {
    let per = get("PER", 16);
    let lag = get("LAG", 10);
    let seeds = get("SEEDS", 12) as u64;
    let only = get("ONLY", 0);
    let mk = |k: usize, s: u64| {
        if k < 4 {
            Network::cluster(Cluster::ALL[k], 4 * per, s)
        } else {
            Network::four_clusters(per, if k == 4 { 1000.0 } else { 2000.0 }, s)
        }
    };
    for k in 0..6 {
        if only > 0 && k < 4 {
            continue;
        }
        let (mut e, mut m, mut pairs, mut time, mut ser, mut exact, mut frac) =
            (0, 0, 0, 0.0f64, 0.0, 0, 0.0);
        for seed in 1..=seeds {
            let net = mk(k, seed * 7);
            let mut sim = Simulator::new(&net, Noise::default(), seed);
            let setting = Setting {
                seed,
                lag,
                refine: std::env::var("RAW").is_err(),
                ..Setting::default()
            };
            let inf = infer(net.tree.names(), &mut sim, &setting, |_| {}).unwrap();
            let d = inf.tree.difference(&net.tree);
            if std::env::var("DBG").is_ok() && !d.is_empty() {
                println!("seed {seed}");
                for s in &d.extra {
                    println!("extra {s:?}");
                }
                for s in &d.missing {
                    println!("missing {s:?}");
                }
                println!("{}", inf.tree.drawing());
            }
            let n = net.tree.hosts();
            e += d.extra.len();
            m += d.missing.len();
            pairs += inf.measurements.len();
            time = time.max(sim.elapsed());
            ser += sim.one_by_one();
            exact += usize::from(d.is_empty());
            frac += 200.0 * inf.measurements.len() as f64 / (n * (n - 1)) as f64;
        }
        let s = seeds as f64;
        println!(
            "{k}: exact {exact}/{seeds} extra {:.2} missing {:.2} pairs {:.0} ({:.1}%) worst time {time:.2} serial {:.1}",
            e as f64 / s,
            m as f64 / s,
            pairs as f64 / s,
            frac / s,
            ser / s
        );
    }
}
