mod cases;
use cases::*;
use superstep_farm::*;

#[test]
#[ignore]
fn table() {
    for setting in settings() {
        let p = &setting.platform;
        let sizes = likely_sizes(p, p.workers);
        for load in [Load::Uniform, Load::Noise, Load::Mandelbrot, Load::Shuffled] {
            let costs = Costs::new(load, setting.work());
            let real = setting.items(&costs.real);
            let predicted = setting.items(&costs.predicted);
            let lb = p.lower_bound(real.total_cost(), real.total_bytes());
            print!(
                "{:14}{:10?} err {:.2} tot {:+.3} ",
                setting.name,
                load,
                costs.error(),
                predicted.total_cost() / real.total_cost() - 1.0
            );
            let best = |name: &str, policies: Vec<Policy>| {
                let t = policies
                    .iter()
                    .map(|policy| {
                        let deal = policy.deal(p, &predicted).unwrap();
                        simulate(p, &real, &deal).unwrap().makespan
                    })
                    .fold(f64::INFINITY, f64::min);
                print!(" {name} {:.3}", t / lb);
            };
            let pull = |t: Technique, key: Key| {
                sizes
                    .iter()
                    .map(|&m| Policy::new(t, key).with_open(m))
                    .collect::<Vec<_>>()
            };
            let pf = |v: Vec<Policy>| v.into_iter().map(Policy::with_prefetch).collect::<Vec<_>>();
            best("stc", pull(Technique::Static, Key::Count));
            best("stC", pull(Technique::Static, Key::Cost));
            best("ss", pull(Technique::SelfScheduling(1), Key::Count));
            best("sspf", pf(pull(Technique::SelfScheduling(1), Key::Count)));
            best("gss", pull(Technique::Guided, Key::Count));
            best("fac", pull(Technique::Factoring, Key::Count));
            best("facC", pull(Technique::Factoring, Key::Cost));
            best("facCpf", pf(pull(Technique::Factoring, Key::Cost)));
            let r = |algorithm, tail| Policy::new(Technique::Rounds { algorithm, tail }, Key::Cost);
            best("umr", vec![r(Algorithm::Umr, 0.0)]);
            best("ptumr", vec![r(Algorithm::Ptumr, 0.0)]);
            let tails = [0.1, 0.2, 0.35, 0.5].map(|t| r(Algorithm::Ptumr, t));
            best("+fac", tails.into());
            best("+facpf", pf(tails.into()));
            println!();
        }
    }
}

#[test]
#[ignore]
fn regret() {
    let together: usize = std::env::var("TOGETHER").map_or(4, |t| t.parse().unwrap());
    let scale: f64 = std::env::var("SCALE").map_or(1.0, |t| t.parse().unwrap());
    for setting in settings() {
        let p = &setting.platform;
        for load in [Load::Uniform, Load::Noise, Load::Mandelbrot, Load::Shuffled] {
            let costs = Costs::new(load, setting.work());
            let real = setting.items(&costs.real);
            let predicted = setting.items(&costs.predicted);
            let lb = p.lower_bound(real.total_cost(), real.total_bytes());
            let start = std::time::Instant::now();
            let u = Uncertainty {
                error: costs.error() * scale,
                together: if load == Load::Mandelbrot {
                    together
                } else {
                    1
                },
            };
            let choice = choose(p, &predicted, u).unwrap();
            let took = start.elapsed();
            let t = |policy: &Policy| {
                simulate(p, &real, &policy.deal(p, &predicted).unwrap())
                    .unwrap()
                    .makespan
            };
            let mut all: Vec<_> = candidates(p, &predicted)
                .iter()
                .map(|policy| (t(policy), *policy))
                .collect();
            all.sort_by(|a, b| a.0.total_cmp(&b.0));
            let got = t(&choice.policy);
            println!(
                "{:14}{:10} pred {:.3} [{:.3} {:.3}] got {:.3} best {:.3} regret {:+.1}%{} {} (m {}) | best {} (m {}) {:.0?}",
                setting.name,
                format!("{load:?}"),
                choice.makespan / lb,
                choice.interval[0] / lb,
                choice.interval[1] / lb,
                got / lb,
                all[0].0 / lb,
                100.0 * (got / all[0].0 - 1.0),
                if got > 1.02 * all[0].0 { " ***" } else { "" },
                choice.policy.name(),
                choice.deal.open,
                all[0].1.name(),
                all[0].1.deal(p, &predicted).unwrap().open,
                took
            );
        }
    }
}
