//! Reads samples of items, which are a grid, strata, or neither.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use superstep_farm::{Grid, Samples, Sampling};

fuzz_target!(|file: &[u8]| {
    let text = String::from_utf8_lossy(file);
    let shape = [40, 50];
    if let Ok(samples) = Samples::from_csv(&text, &shape, Path::new("file")) {
        let (items, costs) = (samples.items(), samples.costs());
        if let Ok(grid) = Grid::from_items(&shape, items, costs) {
            assert!(grid.everywhere(&shape).is_ok());
        }
        if let Ok(sampling) = Sampling::from_items(&shape, items.to_vec(), 1)
            && let Ok(prediction) = sampling.predict(costs)
        {
            assert!(prediction.total.low <= prediction.total.value);
            assert!(prediction.total.value <= prediction.total.high);
        }
    }
});
