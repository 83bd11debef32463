//! Makespans over processors as SVG.

use std::error::Error;

use plotters::prelude::*;

use super::experiment::Network;

const SIZE: (u32, u32) = (900, 500);
const CURVES: [(&str, RGBColor); 4] = [
    ("S0: all points", RGBColor(110, 110, 110)),
    ("S1: 256 x 256", RGBColor(0, 90, 180)),
    ("S2: 32 x 32", RGBColor(200, 80, 0)),
    ("S3: 4 x 4", RGBColor(0, 130, 60)),
];

/// Draws a curve for each set of points, both axes logarithmic.
pub(super) fn svg(network: &Network) -> Result<String, Box<dyn Error>> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let values = || network.rows.iter().flat_map(|(_, row)| row.iter().copied());
        let (low, high) = (
            values().fold(f64::MAX, f64::min),
            values().fold(0.0, f64::max),
        );
        let caption = format!("Figure 5, {}: predicted makespan, in seconds", network.name);
        let mut chart = ChartBuilder::on(&area)
            .caption(caption, ("sans-serif", 16))
            .margin(10)
            .x_label_area_size(40)
            .y_label_area_size(60)
            .build_cartesian_2d(
                (7.0..140.0f64).log_scale(),
                (low * 0.9..high * 1.1).log_scale(),
            )?;
        chart.configure_mesh().x_desc("processors").draw()?;
        for (set, (name, colour)) in CURVES.into_iter().enumerate() {
            let point = |(processors, row): &(u32, Vec<f64>)| (f64::from(*processors), row[set]);
            chart
                .draw_series(LineSeries::new(network.rows.iter().map(point), colour))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour));
        }
        chart
            .configure_series_labels()
            .background_style(WHITE)
            .border_style(BLACK)
            .draw()?;
        area.present()?;
    }
    Ok(text)
}
