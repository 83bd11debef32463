//! Errors of estimates by window and lead, split by shapes (figures 6 to 8, table 2), on synthetic
//! traces of several kinds.

use std::error::Error;
use std::sync::OnceLock;

use superstep_network::latency::{
    Distribution, Estimator, Maximum, Samples, fit,
    synthetic::{KINDS, trace},
    truncated_mean,
};

use super::{RESTLESS, TRACES, forecasts};
use crate::{Curve, Drawing, Effort, Findings, Row, Scale};

/// Windows of the estimates, in periods.
const WINDOWS: [usize; 10] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/// Periods to look ahead.
const LEADS: [usize; 5] = [1, 16, 32, 128, 256];

/// Paths of a trace: as many as a site of the paper has on average.
const PATHS: usize = 96;

/// Periods of a trace: a week of minutes.
const PERIODS: usize = 10_080;

/// Relative error of an integral: far below that of an estimate.
const INTEGRAL: f64 = 1e-6;

/// Estimators: Pareto as published, normal, and the last value.
const ESTIMATORS: usize = 3;

/// Sums of squared errors, by estimator.
#[derive(Clone, Copy, Default)]
struct Squares {
    sums: [f64; ESTIMATORS],
    count: f64,
}

impl Squares {
    fn add(&mut self, errors: [f64; ESTIMATORS]) {
        for (sum, error) in self.sums.iter_mut().zip(errors) {
            *sum += error * error;
        }
        self.count += 1.0;
    }

    /// Returns roots of means.
    fn errors(&self) -> [f64; ESTIMATORS] {
        self.sums.map(|sum| (sum / self.count).sqrt())
    }
}

/// Errors on traces of one kind.
struct Errors {
    /// The kind's name.
    kind: &'static str,
    /// By window and lead: where all shapes are above 1, and where some is not.
    squares: [[[Squares; 2]; LEADS.len()]; WINDOWS.len()],
    /// Part of the times at which some shape is 1 or less, by window.
    low: [f64; WINDOWS.len()],
}

/// Shapes of the fits at a time.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shapes {
    AllAboveOne,
    SomeLow,
}

use Shapes::{AllAboveOne, SomeLow};

/// Returns the errors on all kinds of traces, which the items share.
fn all(effort: Effort) -> &'static [Errors] {
    static ALL: [OnceLock<Vec<Errors>>; 2] = [const { OnceLock::new() }; 2];
    // Periods between two estimates: neighbours tell little more.
    let (stride, seeds) = match effort {
        Effort::Quick => (31, 1),
        Effort::Full => (7, 2),
    };
    ALL[usize::from(effort == Effort::Full)].get_or_init(|| {
        let kinds = KINDS.iter().chain([&RESTLESS]).map(|kind| {
            let mut errors = Errors::new(kind.name);
            for seed in 1..=seeds {
                errors.add(&trace(kind, PATHS, PERIODS, seed), stride);
            }
            errors.low = errors.low.map(|part| part / seeds as f64);
            errors
        });
        kinds.collect()
    })
}

/// Estimates as the paper does: fits of a window without a guard, truncated where a shape is 1 or
/// less (its equation 12).
pub(super) fn published_pareto(samples: &Samples, now: usize, window: usize) -> (f64, bool) {
    let fits: Vec<Distribution> = (0..samples.paths())
        .filter_map(|path| fit::pareto(&samples.path(path)[now + 1 - window..=now]))
        .collect();
    let is_low =
        |path: &Distribution| matches!(path, Distribution::Pareto { shape, .. } if *shape <= 1.0);
    match fits.iter().any(is_low) {
        true => (truncated_mean(&fits, window).unwrap_or(f64::NAN), true),
        false => (Maximum::of(&fits).quadrature(INTEGRAL), false),
    }
}

impl Errors {
    fn new(kind: &'static str) -> Self {
        Self {
            kind,
            squares: Default::default(),
            low: [0.0; WINDOWS.len()],
        }
    }

    /// Adds the errors on a trace, of all times that have the largest window behind them and the
    /// longest lead ahead.
    fn add(&mut self, samples: &Samples, stride: usize) {
        let first = WINDOWS[WINDOWS.len() - 1] - 1;
        let last = samples.periods() - LEADS[LEADS.len() - 1];
        let count = (first..last).step_by(stride).len() as f64;
        for now in (first..last).step_by(stride) {
            for (at, window) in WINDOWS.into_iter().enumerate() {
                let (pareto, is_low) = published_pareto(samples, now, window);
                let normal = Estimator::Normal { window }.forecast(samples, now);
                let estimates = [pareto, normal, samples.maximum(now)];
                self.low[at] += f64::from(u8::from(is_low)) / count;
                for (squares, lead) in self.squares[at].iter_mut().zip(LEADS) {
                    let came = samples.maximum(now + lead);
                    squares[usize::from(is_low)].add(estimates.map(|estimate| estimate - came));
                }
            }
        }
    }

    /// Returns the errors of the estimators for a window and a lead, which are among ours.
    fn at(&self, shapes: Shapes, window: usize, lead: usize) -> [f64; ESTIMATORS] {
        let window = WINDOWS.iter().position(|&each| each == window);
        let lead = LEADS.iter().position(|&each| each == lead);
        let (window, lead) = window.zip(lead).expect("statements are of ours");
        self.squares[window][lead][shapes as usize].errors()
    }

    /// Returns the gain of Pareto over normal in per cent of the normal error, where all shapes are
    /// above 1.
    fn gain(&self, window: usize, lead: usize) -> f64 {
        let [pareto, normal, _] = self.at(AllAboveOne, window, lead);
        100.0 * (1.0 - pareto / normal)
    }

    /// Draws the errors over the windows, of two leads.
    fn drawing(&self, figure: u32, shapes: Shapes) -> Drawing {
        let mut curves = Vec::new();
        for lead in [1, 256] {
            for (estimator, name) in ["Pareto", "normal", "last value"].into_iter().enumerate() {
                let points =
                    WINDOWS.map(|window| (window as f64, self.at(shapes, window, lead)[estimator]));
                curves.push(Curve::new(format!("{name}, {lead} ahead"), points.into()));
            }
        }
        let kind = self.kind.replace(' ', "-");
        Drawing {
            name: format!("figure-{figure}-{kind}"),
            title: format!(
                "Errors of estimates over the observations, trace: {}",
                self.kind
            ),
            over: "observations",
            value: "root of the mean squared error, ms",
            scales: [Scale::Logarithmic; 2],
            curves,
        }
    }
}

/// Kind of which numbers are found, the others being their range: it has all that the paper tells
/// of its traces.
const STEPS: usize = 3;

/// States for which kinds of traces something holds; kinds that have no such times are left out.
fn cases(all: &[Errors], statement: &str, case: impl Fn(&Errors) -> (Vec<f64>, bool)) -> Row {
    let found = all.iter().map(|errors| {
        let (values, holds) = case(errors);
        let text: Vec<String> = values.iter().map(|value| format!("{value:.1}")).collect();
        let case = (format!("{}: {}", errors.kind, text.join(", ")), holds);
        values.iter().all(|value| value.is_finite()).then_some(case)
    });
    Row::cases(statement, TRACES, found.flatten())
}

/// Repeats figure 6: errors where all shapes are above 1.
pub(crate) fn figure_6(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let all = all(effort);
    let at = |errors: &Errors, window, lead| errors.at(AllAboveOne, window, lead);
    let rows = vec![
        cases(
            all,
            "errors grow with the time that has gone by (normal of 8: 1, 32 and 256 ahead)",
            |errors| {
                let values = [1, 32, 256].map(|lead| at(errors, 8, lead)[1]);
                (values.into(), values.is_sorted())
            },
        ),
        cases(
            all,
            "with more observations they change less (normal, 32 ahead: by 2, 8; 128, 512)",
            |errors| {
                let [a, b, c, d] = [2, 8, 128, 512].map(|window| at(errors, window, 32)[1]);
                (vec![a, b, c, d], (a - b).abs() >= (c - d).abs())
            },
        ),
        cases(
            all,
            "of 2 or 4 observations Pareto is worse than normal (32 ahead: both of 2, both of 4)",
            |errors| {
                let [two, four] = [2, 4].map(|window| at(errors, window, 32));
                (
                    vec![two[0], two[1], four[0], four[1]],
                    two[0] > two[1] && four[0] > four[1],
                )
            },
        ),
        cases(
            all,
            "up to 16 ahead normal of 2 or the last value is better than Pareto of 2",
            |errors| {
                let [pareto, normal, last] = at(errors, 2, 16);
                (vec![normal, last, pareto], normal.min(last) < pareto)
            },
        ),
    ];
    let drawings = all.iter().map(|errors| errors.drawing(6, AllAboveOne));
    Ok(Findings::of(rows)
        .drawn(drawings)
        .noted(forecasts::notes(effort)))
}

/// Repeats figure 7: the gain of Pareto over normal estimates, where all shapes are above 1.
pub(crate) fn figure_7(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let all = all(effort);
    let most = |errors: &Errors| {
        let gains = WINDOWS[2..]
            .iter()
            .flat_map(|&window| LEADS.map(|lead| errors.gain(window, lead)));
        gains.fold(f64::MIN, f64::max)
    };
    let largest = Row::number(
        &format!("largest gain in per cent, trace: {}", all[STEPS].kind),
        11.0,
        most(&all[STEPS]),
        0,
        0.1,
    );
    let rows = vec![
        cases(
            all,
            "positive from 8 observations on (32 ahead: of 8, 32, 128, 512)",
            |errors| {
                let gains = [8, 32, 128, 512].map(|window| errors.gain(window, 32));
                (gains.into(), gains.iter().all(|&gain| gain > 0.0))
            },
        ),
        cases(
            all,
            "significant for 128 observations from 32 ahead, and for 256 (32, 128 and 256 ahead)",
            |errors| {
                let gains = |window| [32, 128, 256].map(|lead| errors.gain(window, lead));
                let gains = [128, 256].map(gains);
                let all = gains.as_flattened();
                (all.into(), all.iter().all(|&gain| gain > 0.0))
            },
        ),
        largest.open(TRACES, all.iter().map(most)),
    ];
    let drawing = |errors: &Errors| Drawing {
        name: format!("figure-7-{}", errors.kind.replace(' ', "-")),
        title: format!(
            "Gain of Pareto over normal estimates, trace: {}",
            errors.kind
        ),
        over: "observations",
        value: "per cent of the normal error",
        scales: [Scale::Logarithmic, Scale::Linear],
        curves: LEADS
            .map(|lead| {
                let gains = WINDOWS.map(|window| (window as f64, errors.gain(window, lead)));
                Curve::new(format!("{lead} ahead"), gains.into())
            })
            .into(),
    };
    Ok(Findings::of(rows).drawn(all.iter().map(drawing)))
}

/// Repeats figure 8: errors where some shape is 1 or less.
pub(crate) fn figure_8(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let all = all(effort);
    let at = |errors: &Errors, window, lead| errors.at(SomeLow, window, lead);
    let rows = vec![
        cases(
            all,
            "with more observations the error of Pareto grows (32 ahead: of 128, 512)",
            |errors| {
                let [one, other] = [128, 512].map(|window| at(errors, window, 32)[0]);
                (vec![one, other], one < other)
            },
        ),
        cases(
            all,
            "with more observations the error of normal falls (32 ahead: of 128, 512)",
            |errors| {
                let [one, other] = [128, 512].map(|window| at(errors, window, 32)[1]);
                (vec![one, other], one > other)
            },
        ),
        cases(
            all,
            "errors grow less with the time than where all shapes are above 1 (normal of 128, 256 ahead by 1: here, there)",
            |errors| {
                let growth = |shapes| {
                    let [near, far] = [1, 256].map(|lead| errors.at(shapes, 128, lead)[1]);
                    far / near
                };
                let [here, there] = [SomeLow, AllAboveOne].map(growth);
                (vec![here, there], here < there)
            },
        ),
    ];
    let has_low = |errors: &&Errors| errors.low.iter().any(|&part| part > 0.0);
    let drawings = all.iter().filter(has_low);
    let drawings = drawings.map(|errors| errors.drawing(8, SomeLow));
    Ok(Findings::of(rows).drawn(drawings))
}

/// Repeats table 2: the part of the times at which some shape is 1 or less.
pub(crate) fn table_2(effort: Effort) -> Result<Findings, Box<dyn Error>> {
    let all = all(effort);
    let published = [15.6, 6.0, 4.1, 4.1, 4.1, 4.1, 4.1, 2.8, 2.3, 1.1];
    let of = |errors: &Errors, at: usize| 100.0 * errors.low[at];
    let row = |(at, published): (usize, f64)| {
        let (window, kind) = (WINDOWS[at], all[STEPS].kind);
        let what = format!("per cent of the times, {window} observations, trace: {kind}");
        let row = Row::number(&what, published, of(&all[STEPS], at), 1, 0.1);
        row.open(TRACES, all.iter().map(|errors| of(errors, at)))
    };
    let rows = published.into_iter().enumerate().map(row);
    Ok(Findings::of(rows.collect()))
}
