//! Curves of the figures of the thesis on trees.

use std::fmt::Write;

use superstep_search::tree::bounds::{e, e_with_all_delays};
use superstep_search::tree::{Alg1, Alg2, FreeTree, Py, Ties};

/// The tallest tree of the experiments.
const HEIGHT: u32 = 20;

/// Curves over tau.
pub struct Figure {
    /// Its number in the thesis.
    pub number: &'static str,
    /// Title: what the chart shows.
    pub title: &'static str,
    /// Set if the vertical axis is logarithmic.
    pub logarithmic: bool,
    /// Curves of the chart.
    pub curves: Vec<Curve>,
    /// Pairs of a statement of the thesis and what is found.
    pub statements: Vec<(&'static str, String)>,
}

/// A curve: its name, and its value for each tau.
pub struct Curve {
    /// Algorithms whose figures it divides.
    pub name: &'static str,
    /// Value for each tau.
    pub points: Vec<(u64, f64)>,
}

impl Figure {
    /// Lists the points: one line for each tau, one column for each curve.
    pub fn csv(&self) -> String {
        let mut text = String::from("tau");
        for curve in &self.curves {
            text.push(',');
            text.push_str(curve.name);
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
}

/// Computes all figures.
pub fn all() -> [Figure; 4] {
    let [makespans, bounds] = makespans();
    let [processors, costs] = processors();
    [makespans, bounds, processors, costs]
}

/// Returns the mean over the heights above U, up to 20: in lower trees everything is on one
/// processor and exact.
fn mean(tau: u64, ratio: impl Fn(u32) -> f64) -> f64 {
    let heights = (tau + 2).ilog2() + 1..=HEIGHT;
    let count = f64::from(heights.end() + 1 - heights.start());
    heights.map(ratio).sum::<f64>() / count
}

fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b as f64
}

/// Figures 4.4 and 4.5: makespans by lower bounds.
fn makespans() -> [Figure; 2] {
    let curve = |name| Curve {
        name,
        points: Vec::new(),
    };
    let mut curves = ["ALG1 / E", "ALG2 / E", "PY / E", "ALG1 / e"].map(curve);
    for tau in 2..=10_000 {
        let alg1 = Alg1::new(HEIGHT, tau, Ties::default());
        let bound = |h| e_with_all_delays(h, tau) + 1;
        let means = [
            mean(tau, |h| ratio(alg1.start(h) + 1, bound(h))),
            mean(tau, |h| ratio(Alg2::new(h, tau).makespan(), bound(h))),
            mean(tau, |h| ratio(Py::new(h, tau).start() + 1, bound(h))),
            mean(tau, |h| ratio(alg1.start(h) + 1, e(h, tau) + 1)),
        ];
        for (curve, mean) in curves.iter_mut().zip(means) {
            curve.points.push((tau, mean));
        }
    }
    let [alg1, alg2, py, alg1_by_e] = curves;
    let statements = vec![
        ("ALG1: 1.1 to 1.3 on average", range(&alg1)),
        ("ALG2: 1.1 to 1.4 on average", range(&alg2)),
        ("PY: about 1.5 and more on average", range(&py)),
    ];
    let by_bound = vec![
        ("by e, ALG1 is within 1.6 of the optimum", range(&alg1_by_e)),
        ("by E, ALG1 is within 1.4 of the optimum", range(&alg1)),
    ];
    let again = Curve {
        name: alg1.name,
        points: alg1.points.clone(),
    };
    [
        Figure {
            number: "4.4",
            title: "makespan by the lower bound E, mean over the heights above U up to 20",
            logarithmic: false,
            curves: vec![alg1, alg2, py],
            statements,
        },
        Figure {
            number: "4.5",
            title: "makespan of ALG1 by the lower bounds e and E, mean over the heights above U up to 20",
            logarithmic: false,
            curves: vec![alg1_by_e, again],
            statements: by_bound,
        },
    ]
}

fn range(curve: &Curve) -> String {
    let values = || curve.points.iter().map(|&(_, value)| value);
    let (least, most) = (
        values().fold(f64::MAX, f64::min),
        values().fold(f64::MIN, f64::max),
    );
    let mean = values().sum::<f64>() / curve.points.len() as f64;
    format!(
        "{}: {least:.3} to {most:.3}, {mean:.3} on average (tau 2 to 10000)",
        curve.name
    )
}

/// Share of all cases in which the one is at most the other.
#[derive(Default)]
struct Share {
    fulfilled: u32,
    cases: u32,
}

impl Share {
    fn count(&mut self, fulfilled: bool) {
        self.fulfilled += u32::from(fulfilled);
        self.cases += 1;
    }

    fn percent(&self) -> f64 {
        100.0 * f64::from(self.fulfilled) / f64::from(self.cases)
    }
}

/// Delays from 2 to 10000, each a tenth longer than the one before.
fn delays() -> impl Iterator<Item = u64> {
    std::iter::successors(Some(2u64), |tau| Some((tau + 1).max(tau * 11 / 10)))
        .take_while(|&tau| tau <= 10_000)
}

/// Figures 4.9 and 4.10: processors, and makespan times processors, by those of ALG1.
fn processors() -> [Figure; 2] {
    let curve = |name| Curve {
        name,
        points: Vec::new(),
    };
    let names = ["ALG2 / ALG1", "NKF / ALG1"];
    let mut curves = [names.map(curve), names.map(curve)];
    let mut shares: [[Share; 2]; 2] = Default::default();
    let mut unpruned: [Share; 2] = Default::default();
    for tau in delays() {
        let alg1 = Alg1::new(HEIGHT, tau, Ties::default());
        let mut sums = [[0.0; 2]; 2];
        for h in 1..=HEIGHT {
            let alg2 = Alg2::new(h, tau);
            let nkf = FreeTree::placed_freely(1 << h, tau, u64::MAX);
            let counts = [alg2.processors(), alg1.processors(h), nkf.processors()];
            let times = [alg2.makespan(), alg1.start(h) + 1, nkf.makespan()];
            let costs = [0, 1, 2].map(|at| counts[at] * times[at]);
            let whole = nkf.processors_with_any_time();
            for (at, [low, middle, high]) in [counts, costs].into_iter().enumerate() {
                sums[at][0] += ratio(low, middle);
                sums[at][1] += ratio(high, middle);
                shares[at][0].count(low <= middle);
                shares[at][1].count(middle <= high);
                let high = whole * [1, times[2]][at];
                unpruned[at].count(middle <= high);
            }
        }
        for (curves, sums) in curves.iter_mut().zip(sums) {
            for (curve, sum) in curves.iter_mut().zip(sums) {
                curve.points.push((tau, sum / f64::from(HEIGHT)));
            }
        }
    }
    let statement = |at: usize| {
        let [low, high] = &shares[at];
        let measured = format!(
            "ALG2 <= ALG1 in {:.0} %, ALG1 <= NKF in {:.0} % of all cases ({:.0} % if NKF takes every processor that it can use)",
            low.percent(),
            high.percent(),
            unpruned[at].percent()
        );
        vec![("in most cases ALG2 < ALG1 < NKF", measured)]
    };
    let statements = [statement(0), statement(1)];
    let [of_processors, of_costs] = statements;
    let [processors, costs] = curves;
    [
        Figure {
            number: "4.9",
            title: "processors by those of ALG1, mean over the heights 1 to 20",
            logarithmic: true,
            curves: processors.into(),
            statements: of_processors,
        },
        Figure {
            number: "4.10",
            title: "makespan times processors by that of ALG1, mean over the heights 1 to 20",
            logarithmic: true,
            curves: costs.into(),
            statements: of_costs,
        },
    ]
}
