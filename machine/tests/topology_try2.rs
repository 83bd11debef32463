use superstep_machine::topology::{simulated::*, *};
#[test]
fn tries2() {
    for noise in [false, true] {
        let mut right = 0;
        let mut wrong = 0;
        let mut other = 0;
        let mut accepted = 0;
        for seed in 1..=40u64 {
            let net = Network::cluster(Cluster::ALL[seed as usize % 4], 24, seed * 7);
            let mut sim = Simulator::new(
                &net,
                if noise {
                    Noise::default()
                } else {
                    Noise::none()
                },
                seed,
            );
            let liar = (seed * 5 % 24) as usize;
            let mut state = seed;
            let mut probe = OneByOne::new(|a: usize, b: usize| {
                sim.begin(a, b);
                let mut r = sim.finish().result?;
                if a == liar || b == liar {
                    state = state
                        .wrapping_mul(6364136223846793005)
                        .wrapping_add(1442695040888963407);
                    r.minimum = r.minimum * (500 + (state >> 33) % 1000) / 1000;
                }
                Ok::<_, std::convert::Infallible>(r)
            });
            match infer(
                net.tree.names(),
                &mut probe,
                &Setting {
                    seed,
                    ..Setting::default()
                },
                |_| {},
            ) {
                Err(InferError::Contradiction { host, .. }) => {
                    if host == format!("h{liar}") {
                        right += 1
                    } else {
                        wrong += 1
                    }
                }
                Err(e) => {
                    println!("{e}");
                    other += 1
                }
                Ok(_) => accepted += 1,
            }
        }
        println!("{noise} right {right} wrong {wrong} other {other} accepted {accepted}");
    }
}
