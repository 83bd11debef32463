//! A trace of three paths and its estimates (figure 5).

use std::error::Error;

use superstep_network::latency::{Estimator, Samples, synthetic::trace};

use super::{RESTLESS, errors::published_pareto};
use crate::{Curve, Drawing, Effort, Findings, Row, Scale};

/// Observations of an estimate, as in the paper.
const WINDOW: usize = 16;

/// Paths of the trace, as in the paper.
const PATHS: usize = 3;

/// Minutes of the trace: a week.
const PERIODS: usize = 10_080;

/// Minutes that are drawn: some hours, as in the paper.
const DRAWN: usize = 300;

/// Ratio of the largest sample of a window to its median from which it is an outlier.
const OUTLIER: f64 = 2.0;

/// Estimates at a time.
struct Estimates {
    pareto: f64,
    normal: f64,
    /// Contents of the window.
    window: Window,
}

/// Contents of the window of an estimate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Window {
    /// A shape of 1 or less.
    LowShape,
    /// Outliers.
    Outliers,
    /// Neither.
    Calm,
}

/// Draws figure 5: round trips of three paths with steps and spikes, and both estimates.
pub(crate) fn figure_5(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let samples = trace(&RESTLESS, PATHS, PERIODS, 1);
    let times = WINDOW - 1..PERIODS;
    let all: Vec<Estimates> = times.map(|now| Estimates::new(&samples, now)).collect();
    let means = |window: Window| {
        let (mut sums, mut count) = ([0.0; 2], 0.0);
        for each in all.iter().filter(|each| each.window == window) {
            sums = [sums[0] + each.pareto, sums[1] + each.normal];
            count += 1.0;
        }
        let [pareto, normal] = sums.map(|sum| sum / count);
        let found = format!("Pareto {pareto:.1}, normal {normal:.1} ms, {count} times");
        ([pareto, normal], found)
    };
    let [low, outliers, calm] = [Window::LowShape, Window::Outliers, Window::Calm].map(means);
    let rows = vec![
        Row::statement(
            "with outliers the normal estimate is too large",
            outliers.1,
            outliers.0[1] > outliers.0[0],
        ),
        Row::statement(
            "with a shape of 1 or less the Pareto estimate is too large",
            low.1,
            low.0[0] > low.0[1],
        ),
        Row::statement(
            "at other times both are nearly the same, and Pareto is slightly larger",
            calm.1,
            (1.0..1.05).contains(&(calm.0[0] / calm.0[1])),
        ),
    ];
    let kind = RESTLESS.name;
    let note = format!("The trace is synthetic, of the kind {kind}; the paper's is not public.");
    Ok(Findings::of(rows)
        .drawn([drawing(&samples, &all)])
        .noted([note]))
}

/// Draws the hours around the first time with a low shape.
fn drawing(samples: &Samples, all: &[Estimates]) -> Drawing {
    let is_low = |each: &Estimates| each.window == Window::LowShape;
    let first = all.iter().position(is_low).unwrap_or(0);
    let start = first.saturating_sub(DRAWN / 2).min(all.len() - DRAWN);
    let times = start..start + DRAWN;
    let points = |of: &dyn Fn(usize) -> f64| {
        let points = times.clone().map(|at| ((at + WINDOW - 1) as f64, of(at)));
        points.collect()
    };
    let mut curves: Vec<Curve> = (0..PATHS)
        .map(|path| {
            let sample = |at: usize| samples.path(path)[at + WINDOW - 1];
            Curve::new(format!("L{}", path + 1), points(&sample))
        })
        .collect();
    curves.push(Curve::new("Pareto", points(&|at| all[at].pareto)));
    curves.push(Curve::new("normal", points(&|at| all[at].normal)));
    Drawing {
        name: "figure-5".into(),
        title: "Round trips of three paths, and the estimated time of a collective".into(),
        over: "minute",
        value: "ms",
        scales: [Scale::Linear, Scale::Logarithmic],
        curves,
    }
}

impl Estimates {
    fn new(samples: &Samples, now: usize) -> Self {
        let (pareto, is_low) = published_pareto(samples, now, WINDOW);
        let has_outliers = (0..PATHS).any(|path| {
            let mut window = samples.path(path)[now + 1 - WINDOW..=now].to_vec();
            window.sort_unstable_by(f64::total_cmp);
            window[WINDOW - 1] > OUTLIER * window[WINDOW / 2]
        });
        Self {
            pareto,
            normal: Estimator::Normal { window: WINDOW }.forecast(samples, now),
            window: match (is_low, has_outliers) {
                (true, _) => Window::LowShape,
                (false, true) => Window::Outliers,
                (false, false) => Window::Calm,
            },
        }
    }
}
