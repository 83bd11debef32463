//! `cargo superstep latency`: how long a superstep waits for the slowest of many paths.

mod arguments;
mod charts;
mod forecast;
mod table;

use superstep_network::latency::Samples;

use self::forecast::{Forecast, LatencyError};
use crate::{curves, failure::Failure, output};

pub(crate) use self::arguments::Arguments;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let forecast = match &arguments.samples {
        Some(file) => {
            let samples = Samples::read(file).map_err(LatencyError::from)?;
            let (forecast, fits) = Forecast::of_samples(arguments, file, &samples)?;
            if let Some(svg) = &arguments.svg {
                curves::write_drawn(svg, charts::svg(&samples, &fits))?;
            }
            forecast
        }
        None => Forecast::given(arguments),
    };
    output::write(&if arguments.json {
        output::json(&forecast)
    } else {
        table::text(&forecast)
    })
}
