//! Recorded runs of the programs, for costs of their statements.

use std::path::Path;

use superstep::{Reason, last_reason, last_timeline};

use crate::{By, Case, Size, Trial};

/// Calls before the one that is recorded: its data is in the caches then, and its threads are
/// awake.
const BEFORE: usize = 20;

/// Records a run of the program for two processors, if there is one, into a folder.
pub(super) fn record(
    case: &Case,
    size: Size,
    folder: &Path,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut trial = case.trial(size);
    for _ in 0..BEFORE {
        call(&mut *trial)?;
    }
    let name = format!("{}.{size:?}.timeline", case.kernel).to_lowercase();
    match last_timeline() {
        Some(timeline) if last_reason() != Some(Reason::Planned) && timeline.processors() > 1 => {
            timeline.write(folder.join(&name))?;
            println!("{name}");
        }
        _ => println!("{}, {size:?}: no program for two processors", case.kernel),
    }
    Ok(())
}

fn call(trial: &mut dyn Trial) -> Result<(), superstep::RunError> {
    trial.reset();
    trial.call(By::Recorded(2))
}
