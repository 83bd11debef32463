//! Curves as SVG.

use std::error::Error;

use plotters::prelude::*;

use super::curves::Figure;

const SIZE: (u32, u32) = (900, 600);

/// Draws a figure's curves; both axes are logarithmic.
pub(super) fn svg(figure: &Figure) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let points = || figure.curves.iter().flat_map(|curve| &curve.points);
        let range = |of: fn(&(f64, f64)) -> f64| {
            let least = points().map(of).fold(f64::INFINITY, f64::min);
            let most = points().map(of).fold(f64::MIN_POSITIVE, f64::max);
            (least, most)
        };
        let (x, y) = (range(|point| point.0), range(|point| point.1));
        let mut chart = ChartBuilder::on(&area)
            .caption(
                format!("Figure {}: {}", figure.number, figure.title),
                ("sans-serif", 16),
            )
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(
                (x.0..x.1 * 1.01).log_scale(),
                (y.0 * 0.95..y.1 * 1.05).log_scale(),
            )?;
        chart
            .configure_mesh()
            .x_desc(figure.over)
            .y_desc(figure.value)
            .draw()?;
        let curves = figure.curves.len();
        for (at, curve) in figure.curves.iter().enumerate() {
            let colour = HSLColor(at as f64 / curves as f64, 0.8, 0.4);
            chart
                .draw_series(LineSeries::new(curve.points.iter().copied(), colour))?
                .label(&curve.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE)
            .border_style(BLACK)
            .draw()?;
        area.present()?;
    }
    Ok(text)
}
