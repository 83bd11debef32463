//! Costs of messages, by which plans over ranks are chosen.

use std::time::Instant;

use superstep_planner::Costs;

use crate::planned::Settings;
use crate::ranks::{Communicator, RankError};

/// Messages in a row that are one figure. As many go before that do not count: the first ones open
/// connections. Not tuned.
const ROUNDS: u32 = 16;

/// Bytes of a word.
const WORD: usize = 8;

/// Words of a long message: some pages of 64 words, as messages of plans have. Not tuned.
const LONG: usize = 1024;

/// Sets what waits and words cost between these ranks, unless costs or a recorded run are set
/// (collective).
///
/// Each rank sends to the next one and waits for the one before, all at once, so that the slowest
/// pair counts. That is 48 messages of each rank.
///
/// # Errors
/// If a rank or the engine fails: the communicator is aborted.
pub fn of_messages(
    settings: Settings,
    ranks: &mut dyn Communicator,
) -> Result<Settings, RankError> {
    if ranks.size() == 1 {
        return Ok(settings);
    }
    let mut measured = || {
        around(ranks, WORD)?;
        let [short, long] = [around(ranks, WORD)?, around(ranks, WORD * LONG)?];
        ranks.flush()?;
        Ok((short, (long - short).max(0.0) / LONG as f64))
    };
    let measured = measured().inspect_err(|error| ranks.abort(error));
    let (wait, crossing) = measured?;
    if settings.has_costs {
        return Ok(settings);
    }
    let Costs {
        wait: least,
        crossing: line,
        ..
    } = settings.costs;
    let costs = Costs {
        wait: wait.max(least),
        crossing: crossing.max(line),
        ..settings.costs
    };
    Ok(settings.costs(costs))
}

/// Returns the nanoseconds of a message of so many bytes that all ranks send around at once.
fn around(ranks: &mut dyn Communicator, bytes: usize) -> Result<f64, RankError> {
    let (rank, size) = (ranks.rank(), ranks.size());
    let begin = Instant::now();
    for _ in 0..ROUNDS {
        let mut message = ranks.buffer();
        message.resize(bytes, 0);
        ranks.send((rank + 1) % size, message)?;
        let received = ranks.receive((rank + size - 1) % size)?;
        ranks.reuse(received);
    }
    Ok(1e9 * begin.elapsed().as_secs_f64() / f64::from(ROUNDS))
}
