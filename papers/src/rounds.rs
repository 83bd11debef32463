//! The paper on PTUMR: work that is dealt to workers in several rounds (its figures 5 to 9), on the
//! platform of its table 1.
//!
//! The paper never states which set-up times its figures have; each is repeated for several.

use std::error::Error;

use superstep_farm::{
    Algorithm, Invalid, Platform, best_count, rounds, search, search_all_workers,
};

use crate::{Curve, Drawing, Effort, Findings, Row, Scale};

/// Choice on which makespans depend.
const SETUP: &str = "the set-up time of a send";

/// Note on what the paper leaves open.
const OPEN: &str = "The paper names no set-up times: each figure has several.";

/// Returns the platform of table 1.
fn table(master_bandwidth: f64, setup: f64) -> Platform {
    Platform {
        workers: 100,
        speed: 1.0,
        worker_bandwidth: 120.0,
        master_bandwidth,
        setup,
        latency: 0.0,
        overhead: 0.5,
        weights: Vec::new(),
    }
}

/// Work of figures 6 to 8, in units of which a worker does one a second.
const WORK: f64 = 1000.0;

/// Bandwidths of the master in figures 6 to 8, in work a second.
const BANDWIDTHS: [f64; 3] = [120.0, 600.0, 1200.0];

/// Both algorithms, and their names in drawings.
const ALGORITHMS: [(Algorithm, &str); 2] = [(Algorithm::Umr, "UMR"), (Algorithm::Ptumr, "PTUMR")];

fn findings(drawing: Drawing, rows: Vec<Row>) -> Findings {
    Findings::of(rows).drawn([drawing]).noted([OPEN])
}

/// Draws a value over the workers that are sent to at once, for each set-up time and bandwidth;
/// sizes without a value are left out.
fn over_sizes(value: impl Fn(&Platform, usize) -> Option<f64>) -> Vec<Curve> {
    let mut curves = Vec::new();
    for setup in SETUPS {
        for bandwidth in BANDWIDTHS {
            let platform = table(bandwidth, setup);
            let point = |size| Some((size as f64, value(&platform, size)?));
            let name = format!("Bm={bandwidth} nLat={setup}");
            curves.push(Curve::new(name, (1..=100).filter_map(point).collect()));
        }
    }
    curves
}

/// Draws what is found for some values.
fn curve(
    name: String,
    over: &[f64],
    found: impl Fn(f64) -> Result<f64, Invalid>,
) -> Result<Curve, Invalid> {
    let points = over.iter().map(|&x| Ok((x, found(x)?)));
    Ok(Curve::new(name, points.collect::<Result<_, _>>()?))
}

/// Returns the makespan of the best number of workers, by its limit.
fn by_limit(platform: &Platform, work: f64, algorithm: Algorithm) -> Result<f64, Invalid> {
    Ok(search(platform, work, algorithm)?.makespan / platform.limit(work))
}

/// Repeats figure 6: makespans over the workers that are sent to at once.
pub(crate) fn figure_6(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let best = |platform: &Platform, size| best_count(platform, WORK, 100, size);
    let curves = over_sizes(|platform, size| Some(best(platform, size)?.makespan));
    let figure = Drawing {
        name: "figure-6".into(),
        title: "Makespan over the workers that are sent to at once, W = 1000, N = 100".into(),
        over: "m",
        value: "makespan, s",
        scales: [Scale::Logarithmic; 2],
        curves,
    };
    let single = SETUPS.map(|setup| {
        let curve = figure.curve(&format!("Bm=120 nLat={setup}"));
        curve.at(1.0) / curve.least().1
    });
    let best = BANDWIDTHS.map(|bandwidth| {
        let curve = figure.curve(&format!("Bm={bandwidth} nLat=0.1"));
        curve.least()
    });
    let flat = figure.curve("Bm=120 nLat=0.01");
    let is_near = |point: &&(f64, f64)| point.1 <= 1.02 * flat.least().1;
    let near: Vec<_> = flat.points.iter().filter(is_near).collect();
    let rows = vec![
        Row::statement(
            "with Bm = Bw sending to one worker at a time is good only for a tiny set-up",
            format!(
                "m = 1 by the best m: {:.3} for nLat 0.001, {:.3} for 0.01, {:.3} for 0.1, {:.3} for 1",
                single[0], single[1], single[2], single[3]
            ),
            single[0] < 1.1 && single.is_sorted(),
        ),
        Row::statement(
            "the larger Bm, the more is gained by sending to several, and the larger is the best m",
            format!(
                "Bm 120, 600, 1200 with nLat 0.1: m* {}, {}, {}; makespan {:.3}, {:.3}, {:.3}",
                best[0].0, best[1].0, best[2].0, best[0].1, best[1].1, best[2].1
            ),
            best.is_sorted_by(|a, b| a.0 <= b.0 && a.1 >= b.1),
        ),
        Row::statement(
            "near the best m the makespan hardly changes",
            format!(
                "within 2 % for m from {} to {}, Bm 120, nLat 0.01",
                near[0].0,
                near[near.len() - 1].0
            ),
            near.len() > 1,
        ),
    ];
    Ok(findings(figure, rows))
}

/// Set-up times of figures 5 and 6.
const SETUPS: [f64; 4] = [0.001, 0.01, 0.1, 1.0];

/// Set-up times of figures 7 and 9.
const FEW_SETUPS: [f64; 3] = [0.01, 0.1, 1.0];

/// Repeats figure 5: what is lost by the better integer beside the real optimum of the closed form.
pub(crate) fn figure_5(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let curves = over_sizes(integer_loss);
    let points = curves.iter().flat_map(|curve| &curve.points);
    let mut losses: Vec<f64> = points.map(|point| 100.0 * (point.1 - 1.0)).collect();
    losses.sort_unstable_by(f64::total_cmp);
    let share = |part: f64| losses[(part * (losses.len() - 1) as f64) as usize];
    let row = Row::statement(
        "an integer near the real optimum has a good makespan",
        format!(
            "per cent above that of the best integer: {:.2} at the median, {:.2} in 95 of 100 of {} cases, {:.2} at most",
            share(0.5),
            share(0.95),
            losses.len(),
            share(1.0)
        ),
        share(0.95) < 1.0,
    );
    let figure = Drawing {
        name: "figure-5".into(),
        title: "Makespan of the better integer beside the real optimum, by that of the best".into(),
        over: "m",
        value: "ratio",
        scales: [Scale::Logarithmic, Scale::Linear],
        curves,
    };
    Ok(findings(figure, vec![row]))
}

/// Returns the makespan of the better integer beside the real optimum, by that of the best number
/// of rounds; `None` without a plan.
fn integer_loss(platform: &Platform, size: usize) -> Option<f64> {
    let best = best_count(platform, WORK, 100, size)?;
    let real = best.groups.best_rounds(WORK);
    let near = [real.floor(), real.ceil()].map(|count| {
        let found = rounds(&best.groups, size, WORK, count as usize);
        found.map_or(f64::INFINITY, |found| found.makespan)
    });
    Some(near[0].min(near[1]) / best.makespan)
}

/// Repeats figure 7: makespans over the number of workers.
pub(crate) fn figure_7(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let counts: Vec<f64> = (5..=100).step_by(5).map(f64::from).collect();
    let platform = |workers: f64, setup| Platform {
        workers: workers as usize,
        ..table(600.0, setup)
    };
    let mut curves = Vec::new();
    for setup in FEW_SETUPS {
        for (algorithm, name) in ALGORITHMS {
            curves.push(curve(format!("{name} nLat={setup}"), &counts, |workers| {
                let platform = platform(workers, setup);
                Ok(search_all_workers(&platform, WORK, algorithm)?.makespan)
            })?);
        }
    }
    let limit = |workers| Ok(platform(workers, 0.0).limit(WORK));
    curves.push(curve("limit".into(), &counts, limit)?);
    let figure = Drawing {
        name: "figure-7".into(),
        title: "Makespan over the number of workers, W = 1000, Bm = 600".into(),
        over: "N",
        value: "makespan, s",
        scales: [Scale::Logarithmic; 2],
        curves,
    };
    let falling = Row::cases(
        "with more workers the makespan falls, whatever the algorithm",
        SETUP,
        FEW_SETUPS.map(|setup| {
            let names = ["UMR", "PTUMR"].map(|name| format!("{name} nLat={setup}"));
            let falls = names.iter().all(|name| figure.curve(name).falls());
            (format!("nLat {setup}"), falls)
        }),
    );
    let at = |name: &str| [10.0, 50.0, 100.0].map(|workers| figure.curve(name).at(workers));
    let text = |name: &str| at(name).map(|value| format!("{value:.2}")).join(", ");
    let near = at("PTUMR nLat=0.1").into_iter().zip(at("limit"));
    let near = near.fold(0.0_f64, |most, (found, limit)| most.max(found / limit));
    let near = Row::statement(
        "PTUMR is near the limit",
        format!(
            "10, 50, 100 workers, nLat 0.1: UMR {}; PTUMR {}; limit {}",
            text("UMR nLat=0.1"),
            text("PTUMR nLat=0.1"),
            text("limit")
        ),
        near < 1.1,
    );
    Ok(findings(figure, vec![falling, near]))
}

/// Repeats figure 8: makespans over the set-up of a send.
pub(crate) fn figure_8(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let times = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
    let mut curves = Vec::new();
    for (algorithm, name) in ALGORITHMS {
        for bandwidth in BANDWIDTHS {
            let found = |setup| by_limit(&table(bandwidth, setup), WORK, algorithm);
            curves.push(curve(format!("{name} Bm={bandwidth}"), &times, found)?);
        }
    }
    let figure = Drawing {
        name: "figure-8".into(),
        title: "Makespan by its limit over the set-up of a send, W = 1000, the best N".into(),
        over: "nLat",
        value: "makespan by limit",
        scales: [Scale::Logarithmic; 2],
        curves,
    };
    let at = |name: &str| [0.001, 0.01, 0.1, 1.0].map(|setup| figure.curve(name).at(setup));
    let text = |name: &str| at(name).map(|value| format!("{value:.3}")).join(", ");
    let ratio = |bandwidth: f64| {
        let [one, other] = ["PTUMR", "UMR"].map(|name| at(&format!("{name} Bm={bandwidth}")));
        let ratios = one.iter().zip(other).map(|(one, other)| one / other);
        ratios.sum::<f64>() / 4.0
    };
    let ratios = BANDWIDTHS.map(ratio);
    let growth = |name: &str| at(name)[3] / at(name)[0];
    let [ours, theirs] = ["PTUMR Bm=600", "UMR Bm=600"].map(growth);
    let rows = vec![
        Row::statement(
            "the larger Bm, the shorter is PTUMR beside UMR",
            format!(
                "nLat 0.001, 0.01, 0.1, 1: UMR {}; PTUMR with Bm 120 {}; 600 {}; 1200 {}",
                text("UMR Bm=600"),
                text("PTUMR Bm=120"),
                text("PTUMR Bm=600"),
                text("PTUMR Bm=1200")
            ),
            ratios.is_sorted_by(|a, b| a >= b),
        ),
        Row::statement(
            "with a larger set-up PTUMR is hardly worse",
            format!("from nLat 0.001 to 1 with Bm 600: PTUMR {ours:.2} x, UMR {theirs:.2} x"),
            ours < 1.2,
        ),
    ];
    Ok(findings(figure, rows))
}

/// Repeats figure 9: makespans over the work.
pub(crate) fn figure_9(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let works = [50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];
    let mut curves = Vec::new();
    for setup in FEW_SETUPS {
        for (algorithm, name) in ALGORITHMS {
            let found = |work| by_limit(&table(600.0, setup), work, algorithm);
            curves.push(curve(format!("{name} nLat={setup}"), &works, found)?);
        }
    }
    let figure = Drawing {
        name: "figure-9".into(),
        title: "Makespan by its limit over the work, Bm = 600, the best N".into(),
        over: "W",
        value: "makespan by limit",
        scales: [Scale::Logarithmic; 2],
        curves,
    };
    let case = |setup: f64, work: f64, holds: fn(f64, f64) -> bool| {
        let names = ["UMR", "PTUMR"].map(|name| format!("{name} nLat={setup}"));
        let [umr, ptumr] = names.map(|name| figure.curve(&name).at(work));
        let found = format!("nLat {setup}: UMR {umr:.3}, PTUMR {ptumr:.3}");
        (found, holds(umr, ptumr))
    };
    let cases = |work, holds| FEW_SETUPS.map(|setup| case(setup, work, holds));
    let rows = vec![
        Row::cases(
            "with W = 2000 UMR and PTUMR are both at most 1.2",
            SETUP,
            cases(2000.0, |umr, ptumr| umr <= 1.2 && ptumr <= 1.2),
        ),
        Row::cases(
            "with less work, W = 50, UMR gets much worse, and PTUMR is near 1",
            SETUP,
            cases(50.0, |umr, ptumr| umr > 1.5 && ptumr < 1.2),
        ),
    ];
    Ok(findings(figure, rows))
}
