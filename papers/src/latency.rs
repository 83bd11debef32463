//! The paper on collective times by distributions of latencies with heavy tails.
//!
//! Its traces are not public: ours are synthetic. So statements are compared, and figures only
//! where they follow from parameters.

mod errors;
mod forecasts;
mod trace;

use std::error::Error;
use std::time::Instant;

use superstep_network::latency::{Distribution, Maximum, fit, synthetic::Traffic};

pub(crate) use self::errors::{figure_6, figure_7, figure_8, table_2};
pub(crate) use self::trace::figure_5;
use crate::{Curve, Drawing, Effort, Findings, Row, Scale};

/// Choice on which errors depend: ours are synthetic, of several kinds.
const TRACES: &str = "its traces, which are not public";

/// A kind of traffic beside those of the library. With its spikes and steps, as many times have a
/// shape of 1 or less in small windows as the paper's table 2 has.
const RESTLESS: Traffic = Traffic {
    name: "restless",
    spikes: 0.01,
    mild: 4.0,
    large: 3.0,
    amplitude: 0.0,
    correlation: 600.0,
};

/// Scales, in milliseconds, and shapes of the two Pareto distributions of figure 4.
const FIGURE_4: [[f64; 2]; 2] = [[41.7, 16.9], [41.0, 27.7]];

/// Returns the mean and the deviation, in milliseconds, of the latencies of two sets of paths:
/// those of figure 4 of Kaishima et al.
///
/// ```
/// let [first, (mean, deviation)] = superstep_papers::published_latencies();
/// assert_eq!(first, (44.3, 2.8));
/// assert!((mean - 42.5).abs() < 0.05 && (deviation - 1.6).abs() < 0.05);
/// ```
pub fn published_latencies() -> [(f64, f64); 2] {
    // Of the second set scale and shape are published alone.
    let [scale, shape] = FIGURE_4[1];
    let second = Distribution::Pareto {
        scale,
        shape,
        cap: None,
    };
    [(44.3, 2.8), (second.mean(), second.deviation())]
}

/// Repeats figure 4: the mean of the maximum over the number of paths, by both kinds of fit.
pub(crate) fn figure_4(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let (mut rows, mut curves) = (Vec::new(), Vec::new());
    for ((mean, deviation), published) in published_latencies().into_iter().zip(FIGURE_4) {
        let pareto = fit::pareto_of_moments(mean, deviation);
        let normal = Distribution::Normal { mean, deviation };
        let [of_pareto, of_normal] =
            [&pareto, &normal].map(|path| move |n| Maximum::repeated(path.clone(), n).mean());
        let of = format!("mean {mean:.1}, deviation {deviation:.2}");
        if let Distribution::Pareto { scale, shape, .. } = pareto {
            for (at, (name, found)) in [("scale", scale), ("shape", shape)].into_iter().enumerate()
            {
                let of = format!("{of}: {name}");
                rows.push(Row::number(&of, published[at], found, 1, 0.01));
            }
        }
        rows.extend(approximations(&of, &pareto, (mean, deviation)));
        let crossing = (2..)
            .find(|&n| of_pareto(n) > of_normal(n))
            .unwrap_or_default();
        rows.push(Row::number(
            &format!("{of}: processors from which Pareto is above normal"),
            4.0,
            crossing as f64,
            0,
            0.0,
        ));
        let counts = (0..=10).map(|power| 1 << power);
        for (kind, mean) in [("Pareto", of_pareto), ("normal", of_normal)] {
            let points = counts.clone().map(|n| (n as f64, mean(n)));
            curves.push(Curve::new(format!("{kind}, {of}"), points.collect()));
        }
    }
    Ok(Findings::of(rows).drawn([Drawing {
        name: "figure-4".into(),
        title: "Collective time over processors".into(),
        over: "processors",
        value: "ms",
        scales: [Scale::Logarithmic; 2],
        curves,
    }]))
}

/// Compares the paper's approximations with the means: its equation 9 with that of Pareto
/// distributions, and its bounds 10 with that of normal ones.
fn approximations(of: &str, pareto: &Distribution, (mean, deviation): (f64, f64)) -> Vec<Row> {
    let mut rows = Vec::new();
    if let Distribution::Pareto { scale, shape, .. } = *pareto {
        let both = [16, 1024].map(|n| {
            // -k G(-1/a) / a = k G(1 - 1/a).
            let approximated = scale * (n as f64).powf(1.0 / shape) * gamma(1.0 - 1.0 / shape);
            [approximated, Maximum::repeated(pareto.clone(), n).mean()]
        });
        let found = both.map(|[near, exact]| format!("{near:.2} for {exact:.2} ms"));
        rows.push(Row::statement(
            "equation 9 nearly coincides with the mean of Pareto distributions",
            format!("{of}, 16 and 1024 processors: {}", found.join("; ")),
            both.iter()
                .all(|[near, exact]| (near / exact - 1.0).abs() < 0.01),
        ));
    }
    let bounds = [16, 1024].map(|n| {
        let exact = Maximum::repeated(Distribution::Normal { mean, deviation }, n).mean();
        let log = (n as f64).ln();
        let bound = |less: f64| mean + deviation * (2.0 * log - log.ln() - less).sqrt();
        (bound((4.0 * std::f64::consts::PI).ln()), exact, bound(0.0))
    });
    let found = bounds.map(|(low, exact, high)| format!("{low:.2} < {exact:.2} < {high:.2}"));
    rows.push(Row::statement(
        "the mean of normal distributions is within the bounds of equation 10",
        format!("{of}, 16 and 1024 processors: {}", found.join("; ")),
        bounds
            .iter()
            .all(|(low, exact, high)| low < exact && exact < high),
    ));
    rows
}

/// Returns the gamma function between 1/2 and 1, to 7 digits: Stirling's series, ten steps above.
fn gamma(x: f64) -> f64 {
    let up = x + 10.0;
    let stirling = (std::f64::consts::TAU / up).sqrt()
        * (up / std::f64::consts::E).powf(up)
        * (1.0 / (12.0 * up)).exp();
    (0..10).fold(stirling, |value, step| value / (x + f64::from(step)))
}

/// Repeats figure 9: how long an estimate takes.
pub(crate) fn figure_9(_: Effort) -> Result<Findings, Box<dyn Error>> {
    let spread = |at: usize| (at as f64 * 0.618_033_988_7).fract();
    let pareto = |at| Distribution::Pareto {
        scale: 41.0 + spread(at),
        shape: 10.0 + 20.0 * spread(at * 7),
        cap: None,
    };
    let normal = |at| Distribution::Normal {
        mean: 41.0 + spread(at),
        deviation: 3.0 + spread(at * 7),
    };
    let heavy = |at| Distribution::Pareto {
        scale: 41.0 + spread(at),
        shape: 1.05 + spread(at * 7),
        cap: None,
    };
    let capped = |at| fit::winsorise(heavy(at), 128);
    let kinds: [(&str, &dyn Fn(usize) -> Distribution); 3] = [
        ("Pareto", &pareto),
        ("normal", &normal),
        ("capped", &capped),
    ];
    let (mut found, mut times) = (Vec::new(), Vec::new());
    for n in [16, 1000, 100_000] {
        for (kind, path) in kinds {
            let paths: Vec<Distribution> = (0..n).map(path).collect();
            let start = Instant::now();
            let mean = Maximum::of(&paths).mean();
            let milliseconds = 1e3 * start.elapsed().as_secs_f64();
            if !mean.is_finite() {
                return Err(format!("{kind}, {n} paths: the mean is {mean}").into());
            }
            found.push(format!("{kind}, {n}: {milliseconds:.2} ms"));
            times.push(milliseconds);
        }
    }
    // Of the largest number.
    let times = &times[times.len() - kinds.len()..];
    let row = Row::statement(
        "integrating Pareto distributions takes less time than integrating normal ones",
        found.join(", "),
        times[0] < times[1],
    );
    Ok(Findings::of(vec![row]))
}
