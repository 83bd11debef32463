//! Idle teams, and the founding of new ones.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Need, Team};
use crate::fork::PerProcess;
use crate::wait::Patience;

/// Registry of teams that run nothing, and of what founding one has shown. Nobody waits while
/// holding it.
static REGISTRY: PerProcess<Mutex<Registry>> = PerProcess::new();

#[derive(Default)]
struct Registry {
    idle: Vec<Team>,
    shortage: Option<Shortage>,
}

fn registry() -> MutexGuard<'static, Registry> {
    let registry = REGISTRY.get().lock();
    registry.unwrap_or_else(PoisonError::into_inner)
}

/// Number of processors of a team, at most. It is twice as many threads as a process of Linux has
/// room for, unless the system was set up for more. A thread takes two mappings of memory, of which
/// there are 65,530.
const MOST: usize = 1 << 16;

/// Takes an idle team out, or founds one.
///
/// # Errors
/// If there are to be more processors than any team has, or a thread cannot be spawned. If one
/// could not a short time ago and the call has no `need` of it.
pub(super) fn take(processors: usize, need: Need) -> io::Result<Team> {
    if processors > MOST {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("a team has at most {MOST} processors"),
        ));
    }
    let mut registry = registry();
    let is_wanted = |team: &Team| team.processors() == processors;
    if let Some(position) = registry.idle.iter().rposition(is_wanted) {
        return Ok(registry.idle.swap_remove(position));
    }
    if need == Need::Wishes
        && let Some(shortage) = &mut registry.shortage
    {
        shortage.pass(processors)?;
    }
    drop(registry);
    let patience = Patience::of(processors);
    let founded = Team::new(processors, patience, patience.between_calls());
    let shortage = &mut self::registry().shortage;
    *shortage = match &founded {
        Ok(_) => shortage
            .take()
            .filter(|shortage| processors < shortage.processors),
        Err(error) => Some(Shortage::after(shortage.take(), processors, error)),
    };
    founded
}

/// Puts a team back.
pub(super) fn put(team: Team) {
    registry().idle.push(team);
}

/// Counts the workers of idle teams that do not sleep.
pub(super) fn awake() -> usize {
    registry().idle.iter().map(Team::awake).sum()
}

/// Takes all idle teams out.
pub(super) fn take_all() -> Vec<Team> {
    std::mem::take(&mut registry().idle)
}

/// Shortage of threads, which were asked for in vain. A vain attempt takes tens of microseconds,
/// and more where some of a team's threads could be had. So after the first the next call does not
/// try, after the second the next two, then four and so on.
#[derive(Debug)]
struct Shortage {
    /// Number of processors, the least, for which there were none.
    processors: usize,
    /// Number of calls that do not try after the last attempt, and of those of them that are to
    /// come.
    calls: u32,
    left: u32,
    kind: io::ErrorKind,
    code: Option<i32>,
}

impl Shortage {
    /// Number of calls, at most, that do not try. At 50 us an attempt that is 0.2 us for each call.
    const MOST: u32 = 256;

    fn after(earlier: Option<Self>, processors: usize, error: &io::Error) -> Self {
        let calls = earlier.as_ref().map_or(1, |earlier| 2 * earlier.calls);
        let calls = calls.min(Self::MOST);
        Self {
            processors: earlier.map_or(processors, |earlier| earlier.processors.min(processors)),
            calls,
            left: calls,
            kind: error.kind(),
            code: error.raw_os_error(),
        }
    }

    /// Lets a call try.
    ///
    /// # Errors
    /// With that of the last attempt, if it is not to.
    fn pass(&mut self, processors: usize) -> io::Result<()> {
        if processors < self.processors || self.left == 0 {
            return Ok(());
        }
        self.left -= 1;
        Err(self
            .code
            .map_or_else(|| self.kind.into(), io::Error::from_raw_os_error))
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn after_vain_attempts_ever_more_calls_do_not_try() {
        let none = io::Error::from(io::ErrorKind::WouldBlock);
        let mut shortage = Shortage::after(None, 4, &none);
        let mut refused = Vec::new();
        for _ in 0..11 {
            let calls = (0..).take_while(|_| shortage.pass(4).is_err()).count();
            refused.push(calls);
            shortage = Shortage::after(Some(shortage), 4, &none);
        }
        assert_eq!(refused, [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256]);
    }

    #[test]
    fn a_shortage_is_of_teams_that_are_as_large() {
        let none = io::Error::from_raw_os_error(11);
        let mut shortage = Shortage::after(None, 4, &none);
        assert!(shortage.pass(3).is_ok());
        let error = shortage.pass(8).expect_err("it is larger");
        assert_eq!(error.raw_os_error(), Some(11));
        let smaller = Shortage::after(Some(shortage), 2, &none);
        assert_eq!(smaller.processors, 2);
    }
}
