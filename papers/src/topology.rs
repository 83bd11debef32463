//! Inference of topologies in simulated clusters, beside what its thesis published (Shirai 2007,
//! chapter 5).
//!
//! Errors are the thesis's: of 100 000 random pairs of paths, those that share a link in the
//! inferred tree and not in the true one (false positives, as a part of all that do not), the
//! reverse (false negatives), and both as a part of all. Milliseconds between sites are read as
//! round trips. Seconds are those of pings, as many at a time as the method has.

use std::error::Error;
use std::sync::OnceLock;

use superstep_network::topology::{
    Setting, Tree, infer,
    simulated::{Cluster, Network, Noise, Simulator},
};
use superstep_random::SplitMix64;

use crate::{Effort, Findings, Row};

/// Seeds of networks, noise and order: as many as the reference simulation has, with which rows
/// compare.
const SEEDS: u64 = 3;

/// Random pairs of paths: as many as the thesis takes (its section 5.2.4).
const QUADRUPLES: usize = 100_000;

/// Figures of an inference: in per cent of pairs, parts of all questions, and seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Figures {
    percent: f64,
    positives: f64,
    negatives: f64,
    errors: f64,
    time: f64,
}

/// Means over the seeds, by the published method and by ours.
type Both = [Figures; 2];

/// Returns the means for the networks of the thesis: each of the four clusters with 64 hosts, and
/// all four with 256.
fn networks() -> Result<&'static [(String, Both)], Box<dyn Error>> {
    static NETWORKS: OnceLock<Result<Vec<(String, Both)>, String>> = OnceLock::new();
    let made = NETWORKS.get_or_init(|| {
        let mut all = Vec::new();
        for (number, cluster) in (1..).zip(Cluster::ALL) {
            let one = |seed| Network::cluster(cluster, 64, seed);
            all.push((format!("cluster {number}, 64 hosts"), means(one)?));
        }
        let four = |seed| Network::four_clusters(64, 1000.0, seed);
        all.push(("four clusters, 256 hosts".into(), means(four)?));
        Ok(all)
    });
    match made {
        Ok(all) => Ok(all),
        Err(error) => Err(error.clone().into()),
    }
}

/// Repeats figure 5.6: wrong answers about shared links.
pub(crate) fn errors(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let all = networks()?;
    let worst = |of: fn(&Figures) -> f64, single: bool| {
        let own = all
            .iter()
            .filter(|(name, _)| name.starts_with("cluster") || !single);
        own.map(|(_, [published, _])| of(published))
            .fold(0.0, f64::max)
    };
    let (negatives, wrong) = (
        worst(|figures| figures.negatives, true),
        worst(|figures| figures.errors, false),
    );
    let rows = vec![
        Row::statement(
            "wrong answers are at most 0.2, but for false positives in a cluster",
            format!("{wrong:.3} of all questions at most"),
            wrong <= 0.2,
        ),
        Row::statement(
            "in a cluster false negatives are very rare",
            format!("{negatives:.3} at most"),
            negatives < 0.1,
        ),
    ];
    let notes = all.iter().map(|(name, both)| {
        let [published, ours] = both.map(|figures| {
            let Figures {
                positives,
                negatives,
                errors,
                ..
            } = figures;
            format!("{positives:.3}, {negatives:.3}, {errors:.3}")
        });
        format!("{name}: false positives, false negatives, all: {published} by the published method, {ours} by ours.")
    });
    Ok(Findings {
        rows,
        notes: notes.collect(),
        ..Findings::default()
    })
}

/// Repeats figure 5.7: seconds of an inference in simulated clusters.
pub(crate) fn times(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let all = networks()?;
    let published = [(0, 4.0), (all.len() - 1, 15.0)];
    let rows = published.map(|(at, published)| {
        let (name, both) = &all[at];
        Row::number(name, published, both[0].time, 0, 0.2)
            .open("how long the hosts take for a measurement beside its round trips", [])
    });
    Ok(Findings {
        rows: rows.into(),
        ..Findings::default()
    })
}

/// Repeats figure 5.8: pairs that are measured.
pub(crate) fn pairs(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let (name, both) = &networks()?[0];
    let of = format!("{name}, per cent of the pairs");
    let row = Row::number(&of, 38.0, both[0].percent, 0, 0.2).open("the spread of round trips", []);
    Ok(Findings {
        rows: vec![row],
        notes: vec![format!("{:.1} % by our method.", both[1].percent)],
        ..Findings::default()
    })
}

/// Returns means over the seeds, by the published method and by ours.
fn means(network: impl Fn(u64) -> Network) -> Result<Both, String> {
    let mean = |setting: Setting| {
        let mut sum = Figures::default();
        for seed in 1..=SEEDS {
            let setting = Setting {
                seed,
                ..setting.clone()
            };
            let found = figures(&network(seed), &setting).map_err(|error| error.to_string())?;
            let part = |sum: &mut f64, found: f64| *sum += found / SEEDS as f64;
            part(&mut sum.percent, found.percent);
            part(&mut sum.positives, found.positives);
            part(&mut sum.negatives, found.negatives);
            part(&mut sum.errors, found.errors);
            part(&mut sum.time, found.time);
        }
        Ok::<_, String>(sum)
    };
    Ok([mean(Setting::published())?, mean(Setting::default())?])
}

/// Infers the tree of a network, and compares it with the true one.
fn figures(network: &Network, setting: &Setting) -> Result<Figures, Box<dyn Error>> {
    let truth = &network.tree;
    let mut probe = Simulator::new(network, Noise::default(), setting.seed);
    let inference = infer(truth.names(), &mut probe, setting, |_| {})?;
    let hosts = truth.hosts() as f64;
    let pairs = inference.measurements.len() as f64;
    let percent = 200.0 * pairs / (hosts * (hosts - 1.0));
    let [positives, negatives, errors] = wrong(&inference.tree, truth);
    Ok(Figures {
        percent,
        positives,
        negatives,
        errors,
        time: probe.elapsed(),
    })
}

/// Returns false positives, false negatives and all wrong answers of whether two paths share a
/// link.
fn wrong(tree: &Tree, truth: &Tree) -> [f64; 3] {
    let mut random = SplitMix64::new(1);
    let mut host = move || (random.bits() % truth.hosts() as u64) as u32;
    // Pairs of paths by what is true and what is inferred.
    let mut counts = [[0_usize; 2]; 2];
    while counts.iter().flatten().sum::<usize>() < QUADRUPLES {
        let [a, b, c, d] = [(); 4].map(|()| host());
        let differ = a != b && c != d && ![c, d].contains(&a) && ![c, d].contains(&b);
        if differ {
            let of = |tree: &Tree| usize::from(tree.shares_link([a, b], [c, d]));
            counts[of(truth)][of(tree)] += 1;
        }
    }
    let part = |wrong: usize, all: usize| wrong as f64 / all.max(1) as f64;
    let [apart, shared] = counts;
    [
        part(apart[1], apart[0] + apart[1]),
        part(shared[0], shared[0] + shared[1]),
        part(apart[1] + shared[0], QUADRUPLES),
    ]
}
