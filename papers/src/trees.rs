//! Chapter 4 of N. Fujimoto's thesis, repeated: reductions by complete binary trees under a delay.
//!
//! Names are the thesis's; `superstep_search::tree` has the algorithms and bounds.
//!
//! * e and E: lower bounds of the time at which the root starts. E is the largest e of all delays
//!   up to tau.
//! * U: the number of levels of the tallest tree whose root has at most tau descendants.
//! * ALG1, ALG2, ALG3 and PY: schedules of the complete tree. NKF: one of another tree with as many
//!   operands.
//!
//! "Makespans by a bound" and the like are ratios to it.

use std::error::Error;

use superstep_search::tree::bounds::{e, e_with_all_delays, thesis_bound};
use superstep_search::tree::{Alg1, Alg2, Alg3, FreeTree, Py, Ties, Timetable};

use crate::{Curve, Drawing, Effort, Findings, Row, Scale};

/// The tallest tree of the experiments.
const HEIGHT: u32 = 20;

/// Number of delays of table 4.2, which are from 1 on.
const DELAYS: usize = 10;

/// Rows of table 4.2, for trees of heights 3 to 7: the bound e for each delay from 1.
const TABLE_4_2: [[u64; DELAYS]; 5] = [
    [4, 3, 4, 5, 6, 6, 6, 6, 6, 6],
    [6, 5, 6, 7, 8, 7, 8, 9, 10, 11],
    [8, 6, 8, 10, 12, 9, 10, 11, 12, 13],
    [10, 8, 10, 12, 14, 13, 14, 15, 16, 17],
    [12, 9, 12, 15, 18, 14, 16, 18, 20, 22],
];

/// Computes table 4.2: the bound e.
pub(crate) fn table_4_2(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let row = |(height, published): (u32, &[u64; DELAYS])| {
        let found: Vec<u64> = (1..=DELAYS as u64).map(|tau| e(height, tau)).collect();
        let text = |values: &[u64]| {
            let values: Vec<String> = values.iter().map(u64::to_string).collect();
            format!("h = {height}: {}", values.join(" "))
        };
        Row::statement(&text(published), text(&found), found == published)
    };
    Ok(Findings::of((3..).zip(&TABLE_4_2).map(row).collect()))
}

/// Computes the ratios of ALG3's makespans to the lower bound, which table 4.1 and section 4.6
/// state.
pub(crate) fn table_4_1(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let (mut largest, mut largest_mean) = (0.0_f64, 0.0_f64);
    for tau in 2..=300 {
        for p in 2..=1024 {
            let alg3 = Alg3::new(HEIGHT, tau, p);
            let mut sum = 0.0;
            for h in 1..=HEIGHT {
                let bound = e_with_all_delays(h, tau).max(thesis_bound(h, p));
                let ratio = ratio(alg3.makespan(h), bound + 1);
                largest = largest.max(ratio);
                sum += ratio;
            }
            largest_mean = largest_mean.max(sum / f64::from(HEIGHT));
        }
    }
    let found =
        |of: &str, ratio: f64| format!("{ratio:.4} {of}, tau from 2 to 300, p from 2 to 1024");
    let rows = vec![
        Row::statement(
            "ALG3 is within 10/3 of the optimum",
            found("at most", largest),
            largest <= 10.0 / 3.0,
        ),
        Row::statement(
            "by computation it is within about 3 at worst",
            found("at most", largest),
            largest < 3.05,
        ),
        Row::statement(
            "and within about 2 on average over the heights 1 to 20",
            found("for the worst tau and p", largest_mean),
            largest_mean < 2.05,
        ),
    ];
    let note = "ALG1 and ALG2 are in figures 4.4 and 4.5; the other lines of the table are proofs.";
    Ok(Findings::of(rows).noted([note]))
}

/// Height of the trees whose schedules are printed, and their delay.
const PRINTED: (u32, u64) = (4, 2);

/// Tasks of a processor in a printed schedule, each with its start.
type Printed = &'static [(u32, u64)];

/// Computes figure 4.1: the schedule of PY, with each task on a processor of its own.
pub(crate) fn figure_4_1(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let published: [Printed; 15] = [
        &[(3, 8), (2, 9), (1, 10)],
        &[(5, 4), (4, 5), (2, 6)],
        &[(7, 4), (6, 5), (3, 6)],
        &[(9, 2), (8, 3), (4, 4)],
        &[(11, 2), (10, 3), (5, 4)],
        &[(13, 2), (12, 3), (6, 4)],
        &[(15, 2), (14, 3), (7, 4)],
        &[(8, 0)],
        &[(9, 0)],
        &[(10, 0)],
        &[(11, 0)],
        &[(12, 0)],
        &[(13, 0)],
        &[(14, 0)],
        &[(15, 0)],
    ];
    let (height, tau) = PRINTED;
    Ok(printed(&published, &Py::new(height, tau).as_published()))
}

/// Computes figure 4.2: that schedule without repeated work.
pub(crate) fn figure_4_2(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let published: [Printed; 4] = [
        &[(9, 0), (8, 1), (4, 2), (3, 5), (2, 6), (1, 7)],
        &[(11, 0), (10, 1), (5, 2)],
        &[(13, 0), (12, 1), (6, 2)],
        &[(15, 0), (14, 1), (7, 2)],
    ];
    let (height, tau) = PRINTED;
    let found = Timetable::of(&Py::new(height, tau).schedule());
    Ok(printed(&published, &found))
}

/// Computes figure 4.3: a tree of any form for 16 operands.
pub(crate) fn figure_4_3(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let tree = FreeTree::placed_freely(16, 2, u64::MAX);
    let (levels, processors) = (tree.makespan(), tree.processors());
    let found = format!("{levels} levels, {processors} processors");
    let holds = (levels, processors) == (7, 4);
    let row = Row::statement("7 levels, 4 processors", found, holds);
    Ok(Findings::of(vec![row]))
}

/// Computes figure 4.7: the schedule of ALG1.
pub(crate) fn figure_4_7(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let published: [Printed; 5] = [
        &[(8, 0), (9, 1), (4, 2), (5, 3), (2, 4), (3, 5), (1, 6)],
        &[(10, 0)],
        &[(11, 0)],
        &[(12, 0), (13, 1), (6, 2)],
        &[(14, 0), (15, 1), (7, 2)],
    ];
    let (height, tau) = PRINTED;
    let alg1 = Alg1::new(height, tau, Ties::default());
    Ok(printed(&published, &Timetable::of(&alg1.schedule(height))))
}

/// Compares a timetable with a printed one, processor by processor.
fn printed(published: &[Printed], found: &Timetable) -> Findings {
    let text = |processor: usize, tasks: &[(u32, u64)]| {
        let tasks = tasks.iter();
        let tasks: Vec<_> = tasks
            .map(|(task, start)| format!("{task} at {start}"))
            .collect();
        format!("P{}: {}", processor + 1, tasks.join(", "))
    };
    let lists = found.entries().chunk_by(|a, b| a.processor == b.processor);
    let tasks = lists.map(|list| list.iter().map(|entry| (entry.task + 1, entry.start)));
    let lists: Vec<Vec<(u32, u64)>> = tasks.map(Iterator::collect).collect();
    let row = |at: usize| {
        let printed = published.get(at).copied().unwrap_or_default();
        let own = lists.get(at).map(Vec::as_slice).unwrap_or_default();
        Row::statement(&text(at, printed), text(at, own), printed == own)
    };
    let processors = published.len().max(lists.len());
    Findings::of((0..processors).map(row).collect())
}

/// Draws figure 4.4: makespans by the bound E.
pub(crate) fn figure_4_4(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let [alg1, alg2, py, _] = makespans(effort);
    let late = alg1.points.iter().copied().filter(|point| point.0 >= 300.0);
    let from_300 = Curve::new(format!("{}, from tau = 300", alg1.name), late.collect());
    let [_, _, largest] = from_300.range();
    let rows = vec![
        on_average("ALG1: 1.1 to 1.3 on average", &alg1, [1.1, 1.3]),
        on_average("ALG2: 1.1 to 1.4 on average", &alg2, [1.1, 1.4]),
        on_average("PY: about 1.5 and more on average", &py, [1.5, 2.0]),
        Row::statement(
            "from tau = 300, ALG1 is within 1.3",
            range(&from_300),
            largest <= 1.3,
        ),
    ];
    let title = "Makespan by the lower bound E, mean over the heights above U up to 20";
    Ok(Findings::of(rows).drawn([drawing("figure-4.4", title, vec![alg1, alg2, py])]))
}

/// Draws figure 4.5: makespans of ALG1 by both bounds.
pub(crate) fn figure_4_5(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let [by_all, .., by_one] = makespans(effort);
    let within = |published: &str, curve: &Curve, most: f64| {
        let [_, _, largest] = curve.range();
        Row::statement(published, range(curve), largest <= most)
    };
    let rows = vec![
        within("by e, ALG1 is within 1.6 of the optimum", &by_one, 1.6),
        within("by E, ALG1 is within 1.4 of the optimum", &by_all, 1.4),
    ];
    let title =
        "Makespan of ALG1 by the lower bounds e and E, mean over the heights above U up to 20";
    Ok(Findings::of(rows).drawn([drawing("figure-4.5", title, vec![by_one, by_all])]))
}

/// Draws figure 4.9: processors by those of ALG1.
pub(crate) fn figure_4_9(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let title = "Processors by those of ALG1, mean over the heights 1 to 20";
    Ok(shares(0, "figure-4.9", title))
}

/// Draws figure 4.10: makespan times processors by that of ALG1.
pub(crate) fn figure_4_10(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let title = "Makespan times processors by that of ALG1, mean over the heights 1 to 20";
    Ok(shares(1, "figure-4.10", title))
}

fn drawing(name: &str, title: &str, curves: Vec<Curve>) -> Drawing {
    Drawing {
        name: name.into(),
        title: title.into(),
        over: "tau",
        value: "ratio",
        scales: [Scale::Logarithmic, Scale::Linear],
        curves,
    }
}

/// Tells whether the mean of a curve lies in a range, rounded to one digit after the point.
fn on_average(published: &str, curve: &Curve, [low, high]: [f64; 2]) -> Row {
    let [_, mean, _] = curve.range();
    let holds = (low - 0.05..high + 0.05).contains(&mean);
    Row::statement(published, range(curve), holds)
}

/// Returns the mean over the heights above U, up to 20. Lower trees run on one processor, which is
/// optimal and has the ratio 1.
fn mean(tau: u64, ratio: impl Fn(u32) -> f64) -> f64 {
    let heights = (tau + 2).ilog2() + 1..=HEIGHT;
    let count = f64::from(heights.end() + 1 - heights.start());
    heights.map(ratio).sum::<f64>() / count
}

fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b as f64
}

/// Computes makespans by lower bounds: of ALG1, ALG2 and PY by E, and of ALG1 by e.
fn makespans(effort: Effort) -> [Curve; 4] {
    let names = ["ALG1 / E", "ALG2 / E", "PY / E", "ALG1 / e"];
    let mut curves = names.map(|name| Curve::new(name, Vec::new()));
    let step = match effort {
        Effort::Quick => 20,
        Effort::Full => 1,
    };
    for tau in (2..=LONGEST).step_by(step) {
        let alg1 = Alg1::new(HEIGHT, tau, Ties::default());
        let bound = |h| e_with_all_delays(h, tau) + 1;
        let means = [
            mean(tau, |h| ratio(alg1.start(h) + 1, bound(h))),
            mean(tau, |h| ratio(Alg2::new(h, tau).makespan(), bound(h))),
            mean(tau, |h| ratio(Py::new(h, tau).start() + 1, bound(h))),
            mean(tau, |h| ratio(alg1.start(h) + 1, e(h, tau) + 1)),
        ];
        for (curve, mean) in curves.iter_mut().zip(means) {
            curve.points.push((tau as f64, mean));
        }
    }
    curves
}

fn range(curve: &Curve) -> String {
    let [least, mean, most] = curve.range();
    let delays = curve.points.len();
    format!(
        "{}: {least:.3} to {most:.3}, {mean:.3} on average ({delays} delays from 2 to {LONGEST})",
        curve.name
    )
}

/// Count of cases, and of those in which one quantity is at most another.
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

/// The longest delay of the experiments.
const LONGEST: u64 = 10_000;

/// Compares processors (`of` 0), or makespan times processors (1), with those of ALG1.
fn shares(of: usize, name: &str, title: &str) -> Findings {
    let names = ["ALG2 / ALG1", "NKF / ALG1"];
    let mut curves = [names; 2].map(|names| names.map(|name| Curve::new(name, Vec::new())));
    let mut shares: [[Share; 2]; 2] = Default::default();
    let mut unpruned: [Share; 2] = Default::default();
    // Each a tenth longer than the one before.
    let delays = std::iter::successors(Some(2u64), |tau| Some((tau + 1).max(tau * 11 / 10)));
    for tau in delays.take_while(|&tau| tau <= LONGEST) {
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
                curve.points.push((tau as f64, sum / f64::from(HEIGHT)));
            }
        }
    }
    let [low, high] = &shares[of];
    let found = format!(
        "ALG2 <= ALG1 in {:.0} %, ALG1 <= NKF in {:.0} % of all cases ({:.0} % if NKF takes every processor that it can use)",
        low.percent(),
        high.percent(),
        unpruned[of].percent()
    );
    let holds = low.percent() > 50.0 && high.percent() > 50.0;
    let row = Row::statement("in most cases ALG2 < ALG1 < NKF", found, holds);
    let [processors, costs] = curves;
    let curves = if of == 0 { processors } else { costs };
    let drawing = Drawing {
        scales: [Scale::Logarithmic; 2],
        ..drawing(name, title, curves.into())
    };
    let note = "NKF is given no number of processors in the source: it takes the fewest with which it is as fast.";
    Findings::of(vec![row]).drawn([drawing]).noted([note])
}
