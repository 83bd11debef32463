//! Drawings of curves, as CSV and SVG.

use std::error::Error;
use std::fmt::Write;
use std::ops::Range;
use std::slice;

use plotters::coord::{Shift, ranged1d::ValueFormatter};
use plotters::prelude::*;

/// Width and height of a drawing, in pixels. A choice of layout.
const SIZE: (u32, u32) = (900, 500);

/// Curves over one quantity.
#[derive(Debug, Default)]
pub struct Drawing {
    /// Its file without an ending: `figure-4.4`.
    pub name: String,
    /// Its caption.
    pub title: String,
    /// Quantity of the horizontal axis.
    pub over: &'static str,
    /// Quantity of the vertical axis.
    pub value: &'static str,
    /// Scales of the horizontal axis and of the vertical one.
    pub scales: [Scale; 2],
    /// Its curves.
    pub curves: Vec<Curve>,
}

/// Scale of an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long; values are positive.
    #[default]
    Logarithmic,
}

impl Scale {
    /// Returns the range of an axis with these values, which is wider by parts below and above.
    fn axis(self, [low, high]: [f64; 2], [below, above]: [f64; 2]) -> Range<f64> {
        let (low, high) = if low > high { (1.0, 1.0) } else { (low, high) };
        match self {
            Self::Logarithmic => low * (1.0 - below)..high * (1.0 + above),
            Self::Linear => {
                let span = if high > low {
                    high - low
                } else {
                    high.abs().max(1.0)
                };
                low - below * span..high + above * span
            }
        }
    }
}

/// A curve: its name, and its points.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// Algorithm and parameters.
    pub name: String,
    /// Coordinates in ascending order of the first.
    pub points: Vec<(f64, f64)>,
}

impl Curve {
    /// Names points.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Self {
        let name = name.into();
        Self { name, points }
    }

    /// Returns the lowest point.
    pub(crate) fn least(&self) -> (f64, f64) {
        let points = self.points.iter().copied();
        points.fold((0.0, f64::INFINITY), |least, point| {
            if point.1 < least.1 { point } else { least }
        })
    }

    /// Returns the value at a coordinate; not a number where it has none.
    pub(crate) fn at(&self, x: f64) -> f64 {
        let point = self.points.iter().find(|point| point.0 == x);
        point.map_or(f64::NAN, |point| point.1)
    }

    /// Returns whether no point is higher than the one before.
    pub(crate) fn falls(&self) -> bool {
        self.points.is_sorted_by(|a, b| a.1 >= b.1)
    }

    /// Returns whether the last point is higher than the first.
    fn rises(&self) -> bool {
        let ends = self.points.first().zip(self.points.last());
        ends.is_some_and(|(first, last)| last.1 > first.1)
    }

    /// Returns the least value, the mean, and the largest.
    pub(crate) fn range(&self) -> [f64; 3] {
        let values = || self.points.iter().map(|&(_, value)| value);
        [
            values().fold(f64::MAX, f64::min),
            values().sum::<f64>() / self.points.len() as f64,
            values().fold(f64::MIN, f64::max),
        ]
    }
}

impl Drawing {
    /// Returns the curve of that name.
    pub(crate) fn curve(&self, name: &str) -> &Curve {
        let found = self.curves.iter().find(|curve| curve.name == name);
        found.expect("statements are of curves that there are")
    }

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
            // Writing to a string does not fail.
            let _ = write!(text, "{}", self.curves[0].points[row].0);
            for curve in &self.curves {
                let _ = write!(text, ",{:.6}", curve.points[row].1);
            }
            text.push('\n');
        }
        text
    }

    /// Draws the curves as SVG.
    ///
    /// # Errors
    /// When what draws fails.
    pub fn svg(&self) -> Result<String, Box<dyn Error>> {
        Self::stacked(slice::from_ref(self))
    }

    /// Draws several, one below the other, as SVG.
    ///
    /// # Errors
    /// When what draws fails.
    pub fn stacked(drawings: &[Self]) -> Result<String, Box<dyn Error>> {
        let mut text = String::new();
        {
            let size = (SIZE.0, SIZE.1 * drawings.len() as u32);
            let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
            area.fill(&WHITE)?;
            let areas = area.split_evenly((drawings.len(), 1));
            for (area, drawing) in areas.iter().zip(drawings) {
                drawing.draw_on(area)?;
            }
            area.present()?;
        }
        Ok(text)
    }

    /// Returns the points of a curve that can be drawn.
    fn points<'c>(&self, curve: &'c Curve) -> impl Iterator<Item = (f64, f64)> + use<'c> {
        let scales = self.scales;
        let can =
            move |value: f64, scale| value.is_finite() && (scale == Scale::Linear || value > 0.0);
        let points = curve.points.iter().copied();
        points.filter(move |&(x, y)| can(x, scales[0]) && can(y, scales[1]))
    }

    /// Draws a chart.
    fn draw_on(&self, area: &DrawingArea<SVGBackend<'_>, Shift>) -> Result<(), Box<dyn Error>> {
        let points = || self.curves.iter().flat_map(|curve| self.points(curve));
        let axis = |of: fn((f64, f64)) -> f64, scale: Scale, margins: [f64; 2]| {
            let values = points().map(of);
            scale.axis(
                values.fold([f64::MAX, f64::MIN], |[low, high], value| {
                    [low.min(value), high.max(value)]
                }),
                margins,
            )
        };
        let mut builder = ChartBuilder::on(area);
        builder
            .caption(&self.title, ("sans-serif", 16))
            .margin(10)
            .margin_right(30)
            .x_label_area_size(40)
            .y_label_area_size(70);
        let across = axis(|point| point.0, self.scales[0], [0.0, 0.01]);
        let up = axis(|point| point.1, self.scales[1], [0.05; 2]);
        // Two powers of ten are often not within the range.
        let base = if up.end < 100.0 * up.start { 2.0 } else { 10.0 };
        match self.scales.map(|scale| scale == Scale::Logarithmic) {
            [true, true] => self.plot(
                builder
                    .build_cartesian_2d(across.log_scale().base(2.0), up.log_scale().base(base))?,
            ),
            [true, false] => {
                self.plot(builder.build_cartesian_2d(across.log_scale().base(2.0), up)?)
            }
            [false, true] => {
                self.plot(builder.build_cartesian_2d(across, up.log_scale().base(base))?)
            }
            [false, false] => self.plot(builder.build_cartesian_2d(across, up)?),
        }
    }

    /// Draws axes, curves and legend.
    fn plot<'a, X, Y>(
        &self,
        mut chart: ChartContext<'a, SVGBackend<'a>, Cartesian2d<X, Y>>,
    ) -> Result<(), Box<dyn Error>>
    where
        X: Ranged<ValueType = f64> + ValueFormatter<f64>,
        Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    {
        chart
            .configure_mesh()
            .x_desc(self.over)
            .y_desc(self.value)
            .x_label_formatter(&label)
            .y_label_formatter(&label)
            .draw()?;
        for (at, curve) in self.curves.iter().enumerate() {
            let colour = HSLColor(at as f64 / self.curves.len() as f64, 0.8, 0.4);
            chart
                .draw_series(LineSeries::new(self.points(curve), colour))?
                .label(&curve.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour));
        }
        // Above where curves are low.
        let rising = self.curves.iter().filter(|curve| curve.rises()).count();
        let legend = if 2 * rising > self.curves.len() {
            SeriesLabelPosition::UpperLeft
        } else {
            SeriesLabelPosition::UpperRight
        };
        chart
            .configure_series_labels()
            .position(legend)
            .background_style(WHITE)
            .border_style(BLACK)
            .draw()?;
        Ok(())
    }
}

/// Writes a number of an axis without the last digits, which are rounding.
fn label(value: &f64) -> String {
    ((value * 1e6).round() / 1e6).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_that_no_axis_has_are_left_out() {
        let drawing = |scales, points: &[(f64, f64)]| Drawing {
            scales,
            curves: vec![Curve::new("curve", points.to_vec())],
            ..Drawing::default()
        };
        let lines = |drawing: Drawing| {
            let svg = drawing.svg().expect("it can be drawn");
            assert!(!svg.contains("NaN") && svg.contains("curve"), "{svg}");
            svg.matches("<polyline").count()
        };
        let points = [(1.0, 1.0), (2.0, -1.0), (3.0, f64::NAN), (4.0, 2.0)];
        for scales in [[Scale::Linear; 2], [Scale::Logarithmic; 2]] {
            assert!(lines(drawing(scales, &points)) > 0);
            // Neither do one point, or none, make an axis of no length.
            lines(drawing(scales, &points[..1]));
            lines(drawing(scales, &[]));
        }
        let both = [(); 2].map(|()| drawing([Scale::Linear; 2], &points));
        let stacked = Drawing::stacked(&both).expect("they can be drawn");
        assert!(stacked.contains("height=\"1000\""));
    }
}
