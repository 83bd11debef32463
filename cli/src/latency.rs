//! `cargo superstep latency`: how long a superstep waits for the slowest of many paths.

mod arguments;
mod charts;
mod forecast;
mod table;

use superstep_network::latency::Samples;

use self::forecast::Forecast;
use crate::failure::{Failure, unwritten};
use crate::output;

pub(crate) use self::arguments::Arguments;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let forecast = match &arguments.samples {
        Some(file) => {
            let samples = Samples::read(file)?;
            let (forecast, fits) = Forecast::of_samples(arguments, file, &samples)?;
            if let Some(svg) = &arguments.svg {
                output::replace(svg, charts::svg(&samples, &fits).map_err(unwritten(svg))?)?;
            }
            forecast
        }
        None => Forecast::given(arguments),
    };
    output::print(&forecast, arguments.json, || table::text(&forecast))
}
