//! Curves of an item, as CSV and SVG.

use std::error::Error;
use std::fmt::Write;

use plotters::coord::ranged1d::ValueFormatter;
use plotters::prelude::*;

/// Width and height of a picture, in pixels. A choice of layout.
const SIZE: (u32, u32) = (900, 500);

/// Curves over one quantity.
#[derive(Debug, Default)]
pub struct Drawing {
    /// Its file without an ending: `figure-4.4`.
    pub name: String,
    /// Its caption.
    pub title: String,
    /// Quantity of the horizontal axis, which is logarithmic.
    pub over: &'static str,
    /// Quantity of the vertical axis.
    pub value: &'static str,
    /// Set if the vertical axis is logarithmic.
    pub logarithmic: bool,
    /// Its curves.
    pub curves: Vec<Curve>,
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
        let mut text = String::new();
        {
            let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
            area.fill(&WHITE)?;
            let mut builder = ChartBuilder::on(&area);
            builder
                .caption(&self.title, ("sans-serif", 16))
                .margin(10)
                .x_label_area_size(40)
                .y_label_area_size(60);
            let points = || self.curves.iter().flat_map(|curve| &curve.points);
            let range = |of: fn(&(f64, f64)) -> f64| {
                let (low, high) = (f64::MAX, f64::MIN);
                points().fold((low, high), |(low, high), point| {
                    (low.min(of(point)), high.max(of(point)))
                })
            };
            let ((first, last), (low, high)) = (range(|point| point.0), range(|point| point.1));
            let across = (first..last).log_scale();
            if self.logarithmic {
                let values = (low * 0.9..high * 1.1).log_scale();
                self.draw(builder.build_cartesian_2d(across, values)?)?;
            } else {
                self.draw(builder.build_cartesian_2d(across, low * 0.98..high * 1.02)?)?;
            }
            area.present()?;
        }
        Ok(text)
    }

    /// Draws axes, curves and legend.
    fn draw<'a, X, Y>(
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
            .draw()?;
        for (at, curve) in self.curves.iter().enumerate() {
            let colour = HSLColor(at as f64 / self.curves.len() as f64, 0.8, 0.4);
            let points = curve.points.iter().copied();
            chart
                .draw_series(LineSeries::new(points, colour))?
                .label(&curve.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour));
        }
        chart
            .configure_series_labels()
            .background_style(WHITE)
            .border_style(BLACK)
            .draw()?;
        Ok(())
    }
}
