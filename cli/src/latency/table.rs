//! Figures of a forecast as text.

use std::fmt::{Result, Write};

use superstep_network::latency::Distribution;

use super::forecast::{Chosen, Forecast, Path};
use crate::output::{self, figure};

/// Returns the figures as text.
pub(super) fn text(forecast: &Forecast) -> String {
    let mut text = String::new();
    write(forecast, &mut text).expect("a string can be written to");
    text
}

fn write(forecast: &Forecast, text: &mut String) -> Result {
    let quantile = &forecast.quantile;
    let probability = format!("quantile {}", quantile.probability);
    *text += &output::rows([
        ("processes", forecast.processes.to_string()),
        ("expected maximum", figure(forecast.expected_max)),
        (&probability, figure(quantile.value)),
    ]);
    match &forecast.method {
        Some(method) => write_method(method, text)?,
        None => writeln!(text)?,
    }
    writeln!(text, "{:<24}{:>12}{:>12}  fit", "path", "mean", "deviation")?;
    for path in &forecast.paths {
        let (mean, deviation) = (figure(path.mean), figure(path.deviation));
        writeln!(
            text,
            "{:<24}{mean:>12}{deviation:>12}  {}",
            path.name,
            fit(path)
        )?;
    }
    Ok(())
}

fn write_method(method: &Chosen, text: &mut String) -> Result {
    let (name, error) = (&method.name, figure(method.rmse));
    writeln!(
        text,
        "{:<18}{name}, error {error} looking {} ahead",
        "method", method.lead
    )?;
    let lost = match method.lost {
        0 => String::new(),
        1 => ", 1 lost: the value before it stands for it".to_owned(),
        lost => format!(", {lost} lost: the values before them stand for them"),
    };
    writeln!(text, "{:<18}{} periods{lost}", "samples", method.periods)?;
    writeln!(text, "\n{:<24}{:>12}{:>9}", "estimator", "error", "weight")?;
    for each in &method.candidates {
        let error = figure(each.rmse);
        writeln!(text, "{:<24}{error:>12}{:>9.3}", each.name, each.weight)?;
    }
    writeln!(text, "\nquantile of {}", method.fits)
}

fn fit(path: &Path) -> String {
    let of_scale = |name: &str, scale: f64, shape: f64| {
        format!("{name}scale {}, shape {}", figure(scale), figure(shape))
    };
    match path.fit {
        Distribution::Constant { .. } => "constant".to_owned(),
        Distribution::Normal { .. } => "normal".to_owned(),
        Distribution::Lognormal { median, deviation } => {
            let (median, deviation) = (figure(median), figure(deviation));
            format!("lognormal: median {median}, deviation of the logarithm {deviation}")
        }
        Distribution::Weibull { scale, shape } => of_scale("Weibull: ", scale, shape),
        Distribution::Gamma { scale, shape } => of_scale("gamma: ", scale, shape),
        Distribution::Pareto { scale, shape, cap } => {
            let cap = cap.map_or(String::new(), |cap| format!(", at most {}", figure(cap)));
            of_scale("Pareto: ", scale, shape) + &cap
        }
        Distribution::Recorded(_) => "as recorded".to_owned(),
    }
}
