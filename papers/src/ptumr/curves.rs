//! Figures 6 to 9: makespans on the platform of table 1.
//!
//! The paper never states which set-up times its figures have; each is repeated for several.

use std::fmt::Write;

use superstep_farm::{
    Algorithm, Invalid, Platform, best_count, rounds, search, search_all_workers,
};

/// Curves over one quantity.
pub struct Figure {
    /// Its number in the paper.
    pub number: &'static str,
    /// Title: what the chart shows.
    pub title: &'static str,
    /// Quantity of the horizontal axis, which is logarithmic.
    pub over: &'static str,
    /// Quantity of the vertical axis, which is logarithmic, too.
    pub value: &'static str,
    /// Curves of the chart.
    pub curves: Vec<Curve>,
    /// Pairs of a statement of the paper and what is found.
    pub statements: Vec<(&'static str, String)>,
}

/// A curve: its name, and its points.
pub struct Curve {
    /// Algorithm and parameters.
    pub name: String,
    /// Coordinates in ascending order of the first.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    fn least(&self) -> (f64, f64) {
        let points = self.points.iter().copied();
        points.fold((0.0, f64::INFINITY), |least, point| {
            if point.1 < least.1 { point } else { least }
        })
    }

    fn at(&self, x: f64) -> f64 {
        let point = self.points.iter().find(|point| point.0 == x);
        point.map_or(f64::NAN, |point| point.1)
    }

    fn falls(&self) -> bool {
        self.points.is_sorted_by(|a, b| a.1 >= b.1)
    }
}

impl Figure {
    /// Lists the points: one line for each, one column for each curve.
    pub fn csv(&self) -> String {
        let mut text = self.over.to_owned();
        for curve in &self.curves {
            text.push(',');
            text.push_str(&curve.name);
        }
        text.push('\n');
        let rows = self.curves.first().map_or(0, |curve| curve.points.len());
        for row in 0..rows {
            write!(text, "{}", self.curves[0].points[row].0).expect("a string can be written to");
            for curve in &self.curves {
                write!(text, ",{:.6}", curve.points[row].1).expect("a string can be written to");
            }
            text.push('\n');
        }
        text
    }

    fn curve(&self, name: &str) -> &Curve {
        let found = self.curves.iter().find(|curve| curve.name == name);
        found.expect("statements are of curves that there are")
    }
}

/// Returns a platform of table 1 of the paper.
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

const BANDWIDTHS: [f64; 3] = [120.0, 600.0, 1200.0];

/// Returns the figure of that number; none if it is not in [`NUMBERS`].
///
/// # Errors
/// When a quantity is out of its range: never, with the paper's platforms.
pub fn figure(number: &str) -> Option<Result<Figure, Invalid>> {
    Some(match number {
        "6" => Ok(groups()),
        "7" => workers(),
        "8" => setups(),
        "9" => loads(),
        _ => return None,
    })
}

/// Numbers of the figures in the paper.
pub const NUMBERS: [&str; 4] = ["6", "7", "8", "9"];

fn groups() -> Figure {
    let mut curves = Vec::new();
    for setup in [0.001, 0.01, 0.1, 1.0] {
        for bandwidth in BANDWIDTHS {
            let platform = table(bandwidth, setup);
            let best = |size| best_count(&platform, WORK, 100, size);
            let points = (1..=100).filter_map(|size| Some((size as f64, best(size)?.makespan)));
            curves.push(Curve {
                name: format!("Bm={bandwidth} nLat={setup}"),
                points: points.collect(),
            });
        }
    }
    let mut figure = Figure {
        number: "6",
        title: "makespan over the workers that are sent to at once, W = 1000, N = 100",
        over: "m",
        value: "makespan, s",
        curves,
        statements: Vec::new(),
    };
    let single = |setup: f64| {
        let curve = figure.curve(&format!("Bm=120 nLat={setup}"));
        format!("{:.3}", curve.at(1.0) / curve.least().1)
    };
    let best = |setup: f64| {
        let least = BANDWIDTHS.map(|bandwidth| {
            figure
                .curve(&format!("Bm={bandwidth} nLat={setup}"))
                .least()
        });
        format!(
            "m* {}, {}, {}; makespan {:.3}, {:.3}, {:.3}",
            least[0].0, least[1].0, least[2].0, least[0].1, least[1].1, least[2].1
        )
    };
    let flat = figure.curve("Bm=120 nLat=0.01");
    let near: Vec<f64> = flat
        .points
        .iter()
        .filter(|point| point.1 <= 1.02 * flat.least().1)
        .map(|point| point.0)
        .collect();
    figure.statements = vec![
        (
            "with Bm = Bw sending to one worker at a time is good only for a tiny set-up",
            format!(
                "m = 1 by the best m: {} for nLat 0.001, {} for 0.01, {} for 0.1, {} for 1",
                single(0.001),
                single(0.01),
                single(0.1),
                single(1.0)
            ),
        ),
        (
            "the larger Bm, the more is gained by sending to several, and the larger is the best m",
            format!("Bm 120, 600, 1200 with nLat 0.1: {}", best(0.1)),
        ),
        (
            "near the best m the makespan hardly changes",
            format!(
                "within 2 % for m from {} to {}, Bm 120, nLat 0.01",
                near[0],
                near[near.len() - 1]
            ),
        ),
        (
            "the number of rounds is an integer near the real optimum of the closed form",
            format!(
                "within {:.2} % of the best number, over all of these platforms",
                100.0 * integer_regret()
            ),
        ),
    ];
    figure
}

/// Returns how far the better integer beside the real optimum is from the best number of rounds, at
/// most.
fn integer_regret() -> f64 {
    let mut worst: f64 = 0.0;
    for setup in [0.001, 0.01, 0.1, 1.0] {
        for bandwidth in BANDWIDTHS {
            let platform = table(bandwidth, setup);
            for size in [1, 2, 5, 10, 20, 50, 100] {
                let Some(best) = best_count(&platform, WORK, 100, size) else {
                    continue;
                };
                let real = best.groups.best_rounds(WORK);
                let near = [real.floor(), real.ceil()].map(|count| {
                    let found = rounds(&best.groups, size, WORK, count as usize);
                    found.map_or(f64::INFINITY, |found| found.makespan)
                });
                worst = worst.max(near[0].min(near[1]) / best.makespan - 1.0);
            }
        }
    }
    worst
}

fn workers() -> Result<Figure, Invalid> {
    let mut curves = Vec::new();
    for setup in [0.01, 0.1, 1.0] {
        for (algorithm, name) in [(Algorithm::Umr, "UMR"), (Algorithm::Ptumr, "PTUMR")] {
            let mut points = Vec::new();
            for workers in (5..=100).step_by(5) {
                let platform = Platform {
                    workers,
                    ..table(600.0, setup)
                };
                let found = search_all_workers(&platform, WORK, algorithm)?;
                points.push((workers as f64, found.makespan));
            }
            curves.push(Curve {
                name: format!("{name} nLat={setup}"),
                points,
            });
        }
    }
    let limit = |workers: usize| {
        Platform {
            workers,
            ..table(600.0, 0.0)
        }
        .limit(WORK)
    };
    curves.push(Curve {
        name: "limit".into(),
        points: (5..=100)
            .step_by(5)
            .map(|workers| (workers as f64, limit(workers)))
            .collect(),
    });
    let mut figure = Figure {
        number: "7",
        title: "makespan over the number of workers, W = 1000, Bm = 600",
        over: "N",
        value: "makespan, s",
        curves,
        statements: Vec::new(),
    };
    let falls = |name: &str| {
        if figure.curve(name).falls() {
            "falls"
        } else {
            "does not always fall"
        }
    };
    let at = |name: &str| {
        let curve = figure.curve(name);
        format!(
            "{:.2}, {:.2}, {:.2}",
            curve.at(10.0),
            curve.at(50.0),
            curve.at(100.0)
        )
    };
    figure.statements = vec![
        (
            "with more workers the makespan falls, whatever the algorithm",
            format!(
                "with nLat 0.01, 0.1, 1 UMR {}, {}, {}; PTUMR {}, {}, {}",
                falls("UMR nLat=0.01"),
                falls("UMR nLat=0.1"),
                falls("UMR nLat=1"),
                falls("PTUMR nLat=0.01"),
                falls("PTUMR nLat=0.1"),
                falls("PTUMR nLat=1")
            ),
        ),
        (
            "PTUMR is near the limit",
            format!(
                "10, 50, 100 workers, nLat 0.1: UMR {}; PTUMR {}; limit {}",
                at("UMR nLat=0.1"),
                at("PTUMR nLat=0.1"),
                at("limit")
            ),
        ),
    ];
    Ok(figure)
}

fn setups() -> Result<Figure, Invalid> {
    let times = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];
    let mut curves = Vec::new();
    for (algorithm, name) in [(Algorithm::Umr, "UMR"), (Algorithm::Ptumr, "PTUMR")] {
        for bandwidth in BANDWIDTHS {
            let mut points = Vec::new();
            for setup in times {
                let platform = table(bandwidth, setup);
                let found = search(&platform, WORK, algorithm)?;
                points.push((setup, found.makespan / platform.limit(WORK)));
            }
            curves.push(Curve {
                name: format!("{name} Bm={bandwidth}"),
                points,
            });
        }
    }
    let mut figure = Figure {
        number: "8",
        title: "makespan by its limit over the set-up of a send, W = 1000, the best N",
        over: "nLat",
        value: "makespan by limit",
        curves,
        statements: Vec::new(),
    };
    let at = |name: &str| {
        let curve = figure.curve(name);
        format!(
            "{:.3}, {:.3}, {:.3}, {:.3}",
            curve.at(0.001),
            curve.at(0.01),
            curve.at(0.1),
            curve.at(1.0)
        )
    };
    figure.statements = vec![
        (
            "the larger Bm, the shorter is PTUMR beside UMR",
            format!(
                "nLat 0.001, 0.01, 0.1, 1: UMR {}; PTUMR with Bm 120 {}; 600 {}; 1200 {}",
                at("UMR Bm=600"),
                at("PTUMR Bm=120"),
                at("PTUMR Bm=600"),
                at("PTUMR Bm=1200")
            ),
        ),
        (
            "with a larger set-up PTUMR is hardly worse",
            format!(
                "from nLat 0.001 to 1 with Bm 600: PTUMR {:.2} x, UMR {:.2} x",
                figure.curve("PTUMR Bm=600").at(1.0) / figure.curve("PTUMR Bm=600").at(0.001),
                figure.curve("UMR Bm=600").at(1.0) / figure.curve("UMR Bm=600").at(0.001)
            ),
        ),
    ];
    Ok(figure)
}

fn loads() -> Result<Figure, Invalid> {
    let works = [50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];
    let mut curves = Vec::new();
    for setup in [0.01, 0.1, 1.0] {
        for (algorithm, name) in [(Algorithm::Umr, "UMR"), (Algorithm::Ptumr, "PTUMR")] {
            let platform = table(600.0, setup);
            let mut points = Vec::new();
            for work in works {
                let found = search(&platform, work, algorithm)?;
                points.push((work, found.makespan / platform.limit(work)));
            }
            curves.push(Curve {
                name: format!("{name} nLat={setup}"),
                points,
            });
        }
    }
    let mut figure = Figure {
        number: "9",
        title: "makespan by its limit over the work, Bm = 600, the best N",
        over: "W",
        value: "makespan by limit",
        curves,
        statements: Vec::new(),
    };
    let at = |name: &str, work: f64| format!("{:.3}", figure.curve(name).at(work));
    figure.statements = vec![
        (
            "with W = 2000 UMR and PTUMR are both at most 1.2",
            format!(
                "nLat 0.01: {}, {}; nLat 0.1: {}, {}",
                at("UMR nLat=0.01", 2000.0),
                at("PTUMR nLat=0.01", 2000.0),
                at("UMR nLat=0.1", 2000.0),
                at("PTUMR nLat=0.1", 2000.0)
            ),
        ),
        (
            "with less work UMR gets much worse, PTUMR is always near 1",
            format!(
                "W = 50 with nLat 0.01, 0.1, 1: UMR {}, {}, {}; PTUMR {}, {}, {}",
                at("UMR nLat=0.01", 50.0),
                at("UMR nLat=0.1", 50.0),
                at("UMR nLat=1", 50.0),
                at("PTUMR nLat=0.01", 50.0),
                at("PTUMR nLat=0.1", 50.0),
                at("PTUMR nLat=1", 50.0)
            ),
        ),
    ];
    Ok(figure)
}
