//! Two charts: how often which latency comes, and how the mean of the maximum grows with the number
//! of paths.

use std::error::Error;

use plotters::{coord::ranged1d::ValueFormatter, prelude::*};
use superstep_network::latency::{Distribution, Fits, Maximum, Samples, fit};

const SIZE: (u32, u32) = (900, 1000);
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 90, 180),
    RGBColor(200, 80, 0),
    RGBColor(0, 130, 60),
    RGBColor(140, 60, 160),
    RGBColor(110, 110, 110),
    RGBColor(190, 160, 0),
];

/// A curve: its name and its points.
type Curve = (&'static str, Vec<(f64, f64)>);

/// Draws both charts, one above the other.
pub(super) fn svg(samples: &Samples, fits: &Fits) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let (upper, lower) = area.split_vertically(SIZE.1 / 2);
        draw(
            &upper,
            "How often the slowest path takes longer",
            ["latency of the slowest path, ms", "part of the periods"],
            &survivals(samples, &fits.slowest(samples.paths())),
            Axis::Logarithmic,
        )?;
        draw(
            &lower,
            "How the wait grows: these paths, and two published sets (mean, deviation)",
            ["number of paths", "mean latency of the slowest, ms"],
            &means(fits),
            Axis::Linear,
        )?;
        area.present()?;
    }
    Ok(text)
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
        ("recorded", recorded.collect()),
        ("fitted", fitted.collect()),
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
    let curve = |name, maximum: &dyn Fn(usize) -> Maximum| -> Curve {
        (
            name,
            counts
                .iter()
                .map(|&n| (n as f64, maximum(n).mean()))
                .collect(),
        )
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
        ("these paths", curve("", &|n| fits.slowest(n)).1),
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

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Vertical axis.
enum Axis {
    Linear,
    Logarithmic,
}

/// Draws a chart; its horizontal axis is logarithmic.
fn draw<'a>(
    area: &Area<'a>,
    caption: &str,
    names: [&str; 2],
    curves: &[Curve],
    axis: Axis,
) -> Result<(), Box<dyn Error>> {
    let points = || curves.iter().flat_map(|(_, points)| points);
    let range = |value: fn(&(f64, f64)) -> f64| {
        let values = || points().map(value).filter(|value| value.is_finite());
        (
            values().fold(f64::MAX, f64::min),
            values().fold(f64::MIN_POSITIVE, f64::max),
        )
    };
    let (x, y) = (range(|point| point.0), range(|point| point.1));
    let mut builder = ChartBuilder::on(area);
    builder
        .caption(caption, ("sans-serif", 16))
        .margin(10)
        .margin_right(30)
        .x_label_area_size(40)
        .y_label_area_size(70);
    // Powers of two: two of ten are rarely within the range of latencies.
    let x = (x.0..x.1 * 1.01).log_scale().base(2.0);
    let y = y.0 * 0.95..y.1 * 1.05;
    match axis {
        Axis::Logarithmic => plot(
            builder.build_cartesian_2d(x, y.log_scale())?,
            names,
            curves,
            SeriesLabelPosition::UpperRight,
        ),
        Axis::Linear => plot(
            builder.build_cartesian_2d(x, y)?,
            names,
            curves,
            SeriesLabelPosition::UpperLeft,
        ),
    }
}

/// Writes a number of an axis without the last digits, which are rounding.
fn label(value: &f64) -> String {
    ((value * 1e6).round() / 1e6).to_string()
}

fn plot<'a, X, Y>(
    mut chart: ChartContext<'a, SVGBackend<'a>, Cartesian2d<X, Y>>,
    names: [&str; 2],
    curves: &[Curve],
    legend: SeriesLabelPosition,
) -> Result<(), Box<dyn Error>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    chart
        .configure_mesh()
        .x_desc(names[0])
        .y_desc(names[1])
        .x_label_formatter(&label)
        .y_label_formatter(&label)
        .draw()?;
    for ((name, points), colour) in curves.iter().zip(COLOURS) {
        let finite = points
            .iter()
            .copied()
            .filter(|(x, y)| x.is_finite() && y.is_finite());
        chart
            .draw_series(LineSeries::new(finite, colour))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour));
    }
    chart
        .configure_series_labels()
        .position(legend)
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    Ok(())
}
