//! Accuracy of inferred trees (figures 5.4 to 5.6).

use std::error::Error;

use superstep_network::topology::{
    Pruning, Setting, Tolerance,
    simulated::{Cluster, Network, Noise, Simulator},
};

use super::{HOSTS, SEEDS, Wrong, four, fourth, inference, inferred};
use crate::{Curve, Drawing, Effort, Findings, Row, Scale};

/// Choice on which faults depend.
const NOISE: &str = "the noise of single round trips";

/// Microseconds that each host adds to a round trip, on average: those of the findings first.
const NOISES: [f64; 4] = [2.0, 4.0, 8.0, 16.0];

/// Faults of inferred trees: means over the seeds.
#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    /// Interval in which branches are one, in microseconds.
    interval: f64,
    /// Links between switches that are not there: hosts of one switch are apart.
    extra: f64,
    /// Links between switches that are missing: these are merged.
    missing: f64,
}

/// Infers a cluster with intervals of 1 to 10 us.
fn by_interval(cluster: Cluster, host: f64) -> Result<Vec<Faults>, Box<dyn Error>> {
    let noise = Noise {
        host,
        ..Noise::default()
    };
    let mut all = Vec::new();
    for microseconds in 1..=10 {
        let mut faults = Faults {
            interval: f64::from(microseconds),
            ..Faults::default()
        };
        let setting = Setting {
            tolerance: Tolerance::Fixed {
                microseconds: faults.interval,
            },
            ..Setting::published()
        };
        for seed in 1..=SEEDS {
            let network = Network::cluster(cluster, HOSTS, seed);
            let probe = Simulator::new(&network, noise, seed);
            let (inference, _) = inferred(&network, &setting, seed, probe)?;
            let difference = inference.tree.difference(&network.tree);
            faults.extra += difference.extra.len() as f64 / SEEDS as f64;
            faults.missing += difference.missing.len() as f64 / SEEDS as f64;
        }
        all.push(faults);
    }
    Ok(all)
}

/// Repeats figure 5.4: faults by the interval in which branches are one.
pub(crate) fn figure_5_4(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let (mut rows, mut drawings) = (Vec::new(), Vec::new());
    for (cluster, number, best, merging) in [
        (Cluster::Chain, 3, 4.0, 5.0),
        (Cluster::Levels, 4, 7.0, 8.0),
    ] {
        let all = NOISES.map(|host| by_interval(cluster, host));
        let all = all.into_iter().collect::<Result<Vec<_>, _>>()?;
        let interval = |faults: Option<&Faults>| faults.map_or(f64::NAN, |faults| faults.interval);
        let whole = |all: &Vec<Faults>| interval(all.iter().find(|faults| faults.extra < 0.5));
        // From there on for good: a fault may come by chance before.
        let merged = |all: &Vec<Faults>| {
            let before = all.iter().rposition(|faults| faults.missing < 0.5);
            interval(all.get(before.map_or(0, |at| at + 1)))
        };
        let of = format!("cluster {number}, us from which hosts of a switch are on one");
        let row = Row::number(&of, best, whole(&all[0]), 0, 0.2);
        rows.push(row.open(NOISE, all.iter().map(whole)));
        let of = format!("cluster {number}, us from which switches are merged");
        let row = Row::number(&of, merging, merged(&all[0]), 0, 0.2);
        rows.push(row.open(NOISE, all.iter().map(merged)));
        let curve = |name, of: fn(&Faults) -> f64| {
            let points = all[0].iter().map(|faults| (faults.interval, of(faults)));
            Curve::new(name, points.collect())
        };
        drawings.push(Drawing {
            name: format!("figure-5.4-cluster-{number}"),
            title: format!("Cluster {number}: faults by the interval in which branches are one"),
            over: "us",
            value: "links between switches",
            scales: [Scale::Linear; 2],
            curves: vec![
                curve("extra", |faults| faults.extra),
                curve("missing", |faults| faults.missing),
            ],
        });
    }
    Ok(Findings::of(rows).drawn(drawings))
}

/// Repeats figure 5.5: wrong answers where hosts to measure are chosen at random.
pub(crate) fn figure_5_5(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let mean = |network: &dyn Fn(u64) -> Network, pruning| -> Result<f64, Box<dyn Error>> {
        let mut sum = 0.0;
        for seed in 1..=SEEDS {
            let network = network(seed);
            let setting = Setting {
                pruning,
                ..Setting::published()
            };
            let tree = inference(&network, &setting, seed)?.tree;
            sum += Wrong::of(&tree, &network.tree).all;
        }
        Ok(sum / SEEDS as f64)
    };
    let mut rows = Vec::new();
    for (statement, network) in [
        (
            "the clusters are mixed up",
            &(|seed| four(HOSTS, seed)) as &dyn Fn(u64) -> Network,
        ),
        ("in a cluster hosts are far off their places, too", &fourth),
    ] {
        let close = mean(network, Pruning::Ratio)?;
        let random = mean(network, Pruning::First)?;
        rows.push(Row::statement(
            statement,
            format!("{random:.3} of all answers are wrong, with the closest host {close:.3}"),
            random > 1.5 * close,
        ));
    }
    Ok(Findings::of(rows))
}

/// Repeats figure 5.6: wrong answers about shared links, over many inferences.
pub(crate) fn figure_5_6(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let runs = match effort {
        Effort::Quick => 10,
        Effort::Full => 100,
    };
    let networks: [(&str, &dyn Fn(u64) -> Network); 2] = [
        ("cluster 4", &fourth),
        ("four clusters", &|seed| four(HOSTS, seed)),
    ];
    let (mut curves, mut notes) = (Vec::new(), Vec::new());
    for (name, network) in networks {
        let mut all = [Vec::new(), Vec::new()];
        let mut ours = Vec::new();
        for seed in 1..=runs {
            let network = network(seed);
            let wrong = |setting: &Setting| -> Result<Wrong, Box<dyn Error>> {
                let tree = inference(&network, setting, seed)?.tree;
                Ok(Wrong::of(&tree, &network.tree))
            };
            let published = wrong(&Setting::published())?;
            all[0].push(published.positives);
            all[1].push(published.negatives);
            if seed <= SEEDS {
                ours.push(wrong(&Setting::default())?.all);
            }
        }
        let worst = ours.iter().copied().fold(0.0, f64::max);
        notes.push(format!(
            "{name}: at most {worst:.3} of all answers are wrong by our method."
        ));
        for (mut parts, of) in all.into_iter().zip(["false positives", "false negatives"]) {
            parts.sort_unstable_by(f64::total_cmp);
            let points = (1..).zip(parts);
            let points = points.map(|(at, wrong)| (f64::from(at) / runs as f64, wrong));
            curves.push(Curve::new(format!("{name}, {of}"), points.collect()));
        }
    }
    let above = |curve: &Curve| {
        let above = curve.points.iter().filter(|point| point.1 > 0.2);
        100.0 * above.count() as f64 / curve.points.len() as f64
    };
    let found = |curve: &Curve| {
        let [least, mean, most] = curve.range();
        format!(
            "{}: {least:.3} to {most:.3}, {mean:.3} on average, of {runs} inferences, of which {:.0} % are above 0.2",
            curve.name,
            above(curve)
        )
    };
    // Noise is ours: one inference in twenty may be worse than any of the thesis.
    let mostly = |published: &str, curve: &Curve| {
        Row::statement(published, found(curve), above(curve) <= 5.0)
    };
    let rows = vec![
        Row::statement(
            "in a cluster false negatives are very few",
            found(&curves[1]),
            curves[1].range()[1] < 0.02,
        ),
        mostly("false positives are at most 0.2", &curves[2]),
        mostly("false negatives are at most 0.2", &curves[3]),
        Row::statement(
            "in a cluster false positives are the most frequent fault",
            found(&curves[0]),
            curves[0].range()[1] > curves[1].range()[1],
        ),
    ];
    let drawing = Drawing {
        name: "figure-5.6".into(),
        title: "Wrong answers about shared links, inferences in ascending order".into(),
        over: "part of the inferences",
        value: "part of the answers",
        scales: [Scale::Linear; 2],
        curves,
    };
    Ok(Findings::of(rows).drawn([drawing]).noted(notes))
}
