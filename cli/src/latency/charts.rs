//! Two charts: how often which latency comes, and how the mean of the maximum grows with the number
//! of paths.

use std::error::Error;

use superstep_network::latency::{Distribution, Fits, Maximum, Samples, fit};
use superstep_papers::{Curve, Drawing, Scale};

/// Draws both charts, one above the other.
pub(super) fn svg(samples: &Samples, fits: &Fits) -> Result<String, Box<dyn Error>> {
    Drawing::stacked(&[
        Drawing {
            title: "How often the slowest path takes longer".into(),
            over: "latency of the slowest path, ms",
            value: "part of the periods",
            scales: [Scale::Logarithmic; 2],
            curves: survivals(samples, &fits.slowest(samples.paths())),
            ..Drawing::default()
        },
        Drawing {
            title: "How the wait grows: these paths, and two published sets (mean, deviation)"
                .into(),
            over: "number of paths",
            value: "mean latency of the slowest, ms",
            scales: [Scale::Logarithmic, Scale::Linear],
            curves: means(fits),
            ..Drawing::default()
        },
    ])
}

/// Returns the recorded and fitted probabilities to be above a latency, down to that of one period.
fn survivals(samples: &Samples, slowest: &Maximum) -> Vec<Curve> {
    let periods = samples.periods();
    let mut maxima: Vec<f64> = (0..periods).map(|period| samples.maximum(period)).collect();
    maxima.sort_unstable_by(f64::total_cmp);
    let count = periods as f64;
    let stride = periods.div_ceil(POINTS);
    let part = |at: usize| 1.0 - at as f64 / count;
    // Steps: nothing was recorded between two neighbours.
    let recorded = maxima
        .iter()
        .enumerate()
        .step_by(stride)
        .flat_map(|(at, &x)| [(x, part(at.saturating_sub(stride))), (x, part(at))]);
    let fitted = (0..POINTS).map(|at| {
        let part = (1.0 / count).powf(at as f64 / (POINTS - 1) as f64);
        (slowest.quantile(1.0 - part), part)
    });
    vec![
        Curve::new("recorded", recorded.collect()),
        Curve::new("fitted", fitted.collect()),
    ]
}

/// Points of a curve: one for every second pixel of the chart.
const POINTS: usize = 400;

/// Means over the numbers of paths to 1024, each a fifth more than the one before.
fn means(fits: &Fits) -> Vec<Curve> {
    let counts: Vec<usize> = std::iter::successors(Some(1usize), |n| Some((n + 1).max(n * 6 / 5)))
        .take_while(|&n| n < 1024)
        .chain([1024])
        .collect();
    let curve = |name: &str, maximum: &dyn Fn(usize) -> Maximum| {
        let points = counts.iter().map(|&n| (n as f64, maximum(n).mean()));
        Curve::new(name, points.collect())
    };
    // Mean and deviation, as published and of the published scale and shape.
    let second = Distribution::Pareto {
        scale: 41.0,
        shape: 27.7,
        cap: None,
    };
    let [first, second] = [(44.3, 2.8), (second.mean(), second.deviation())];
    let normal = |(mean, deviation)| Distribution::Normal { mean, deviation };
    let pareto = |(mean, deviation)| fit::pareto_of_moments(mean, deviation);
    vec![
        curve("these paths", &|n| fits.slowest(n)),
        curve("44.3, 2.8 ms: Pareto", &|n| {
            Maximum::repeated(pareto(first), n)
        }),
        curve("44.3, 2.8 ms: normal", &|n| {
            Maximum::repeated(normal(first), n)
        }),
        curve("42.5, 1.6 ms: Pareto", &|n| {
            Maximum::repeated(pareto(second), n)
        }),
        curve("42.5, 1.6 ms: normal", &|n| {
            Maximum::repeated(normal(second), n)
        }),
    ]
}
