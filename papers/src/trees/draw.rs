//! Curves as SVG.

use std::error::Error;

use plotters::{coord::ranged1d::ValueFormatter, prelude::*};

use super::curves::Figure;

const SIZE: (u32, u32) = (900, 500);
const COLOURS: [RGBColor; 3] = [
    RGBColor(0, 90, 180),
    RGBColor(200, 80, 0),
    RGBColor(0, 130, 60),
];

/// Draws the figure's curves over tau, on a logarithmic axis.
pub(super) fn svg(figure: &Figure) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let mut builder = ChartBuilder::on(&area);
        let caption = format!("Figure {}: {}", figure.number, figure.title);
        builder
            .caption(caption, ("sans-serif", 16))
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(60);
        let values = || {
            figure
                .curves
                .iter()
                .flat_map(|curve| curve.points.iter().map(|point| point.1))
        };
        let (low, high) = (
            values().fold(f64::MAX, f64::min),
            values().fold(f64::MIN, f64::max),
        );
        let taus = (2.0..10_000f64).log_scale();
        if figure.logarithmic {
            let values = (low * 0.9..high * 1.1).log_scale();
            draw(builder.build_cartesian_2d(taus, values)?, figure)?;
        } else {
            draw(
                builder.build_cartesian_2d(taus, low * 0.98..high * 1.02)?,
                figure,
            )?;
        }
        area.present()?;
    }
    Ok(text)
}

/// Draws axes, curves and legend.
fn draw<'a, X, Y>(
    mut chart: ChartContext<'a, SVGBackend<'a>, Cartesian2d<X, Y>>,
    figure: &Figure,
) -> Result<(), Box<dyn Error>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    chart.configure_mesh().x_desc("tau").draw()?;
    for (curve, colour) in figure.curves.iter().zip(COLOURS) {
        let points = curve.points.iter().map(|&(tau, value)| (tau as f64, value));
        chart
            .draw_series(LineSeries::new(points, colour))?
            .label(curve.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE)
        .border_style(BLACK)
        .draw()?;
    Ok(())
}
