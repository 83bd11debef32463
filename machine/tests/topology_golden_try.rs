use serde_json::Value;
use superstep_machine::topology::*;
fn golden() -> Value {
    serde_json::from_str(include_str!("golden/topology.json")).unwrap()
}
fn mat(v: &Value) -> Vec<Vec<f64>> {
    v.as_array()
        .unwrap()
        .iter()
        .map(|r| {
            r.as_array()
                .unwrap()
                .iter()
                .map(|x| x.as_f64().unwrap())
                .collect()
        })
        .collect()
}
fn sides(v: &Value) -> std::collections::BTreeSet<Vec<u32>> {
    v.as_array()
        .unwrap()
        .iter()
        .map(|l| {
            l["side"]
                .as_array()
                .unwrap()
                .iter()
                .map(|x| x.as_u64().unwrap() as u32)
                .collect()
        })
        .collect()
}
fn run(rtt: &[Vec<f64>], spread: Option<&[Vec<f64>]>, s: &Setting) -> Inference {
    let mut p = OneByOne::new(|a: usize, b: usize| {
        Ok::<_, std::convert::Infallible>(RoundTrip {
            minimum: (rtt[a][b] * 1000.0).round() as u64,
            spread: spread.map_or(0, |s| (s[a][b] * 1000.0).round() as u64),
        })
    });
    let names: Vec<String> = (0..rtt.len()).map(|i| format!("h{i}")).collect();
    infer(&names, &mut p, s, |_| {}).unwrap()
}
#[allow(unsafe_code)]
#[test]
fn golden_tries() {
    let g = golden();
    let refine = std::env::var("RAW").is_err();
    for t in g["trees"].as_array().unwrap() {
        let rtt = mat(&t["rtt"]);
        let want = sides(&t["links"]);
        let mut bad = 0;
        for seed in 0..20 {
            let i = run(
                &rtt,
                None,
                &Setting {
                    seed,
                    refine,
                    ..Setting::default()
                },
            );
            let have: std::collections::BTreeSet<Vec<u32>> = i.tree.splits().map(|s| s.1).collect();
            if have != want {
                bad += 1;
            }
        }
        println!("{} bad {bad}/20", t["name"]);
    }
    for t in g["noisy"].as_array().unwrap() {
        let (rtt, sp) = (mat(&t["rtt_min"]), mat(&t["spread"]));
        let want = sides(&t["true_splits_nontrivial"]);
        let n = rtt.len();
        let mut bad = 0;
        let mut m = 0;
        for seed in 0..40 {
            let i = run(
                &rtt,
                Some(&sp),
                &Setting {
                    seed,
                    refine,
                    ..Setting::default()
                },
            );
            m += i.measurements.len();
            let have: std::collections::BTreeSet<Vec<u32>> = i
                .tree
                .splits()
                .map(|s| s.1)
                .filter(|s| s.len() > 1 && s.len() + 1 < n)
                .collect();
            if have != want {
                bad += 1;
            }
        }
        println!("noisy {} bad {bad}/40 pairs {}", t["cluster"], m / 40);
    }
    let t = &g["real_netns"];
    let (rtt, sp) = (mat(&t["rtt_min"]), mat(&t["spread"]));
    let want: std::collections::BTreeSet<Vec<u32>> = sides(&t["true_links"]);
    for f in [1.25, 1.75, 2.5, 4.0] {
        let mut bad = 0;
        let mut m = 0;
        for seed in 0..100 {
            let i = run(
                &rtt,
                Some(&sp),
                &Setting {
                    seed,
                    refine,
                    tolerance: Tolerance::Pooled { factor: f },
                    ..Setting::default()
                },
            );
            m += i.measurements.len();
            let have: std::collections::BTreeSet<Vec<u32>> = i.tree.splits().map(|s| s.1).collect();
            if have != want {
                bad += 1;
                if f == 2.5 && bad < 4 {
                    let i = run(
                        &rtt,
                        Some(&sp),
                        &Setting {
                            seed,
                            refine: false,
                            tolerance: Tolerance::Pooled { factor: f },
                            ..Setting::default()
                        },
                    );
                    println!("RAW {seed}\n{}", i.tree.drawing());
                    unsafe { std::env::set_var("DBG", "1") };
                    run(
                        &rtt,
                        Some(&sp),
                        &Setting {
                            seed,
                            refine: true,
                            tolerance: Tolerance::Pooled { factor: f },
                            ..Setting::default()
                        },
                    );
                    unsafe { std::env::remove_var("DBG") }
                }
            }
        }
        println!("netns {f} bad {bad}/100 pairs {}", m / 100);
    }
}
