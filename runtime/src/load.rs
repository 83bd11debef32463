//! Load: whether others keep the machine's cores busy.

use crate::team;

/// Returns whether threads that run together on so many processors, this one among them, would find
/// fewer cores idle than they could have. It is no where the system does not tell.
///
/// Workers that wait for a call are not in its way, whichever kernel they have run.
///
/// Counts are of the whole machine. A container with fewer cores may be busy where the machine is
/// not, and idle where it is. So this is a reason to wait with a trial, and none to do without.
pub(crate) fn is_busy(processors: usize) -> bool {
    system::running().is_some_and(|running| {
        let others = running.saturating_sub(1 + team::awake());
        system::cores().is_some_and(|cores| others + processors.min(cores) > cores)
    })
}

/// Returns the number of threads that run or could run, of a line of `/proc/loadavg`: the number
/// before the only stroke.
#[cfg(any(target_os = "linux", test))]
fn running(loads: &str) -> Option<usize> {
    let (before, _) = loads.split_once('/')?;
    before.split_whitespace().last()?.parse().ok()
}

/// Counts the cores in a list like `0-3,8`.
#[cfg(any(target_os = "linux", test))]
fn listed(cores: &str) -> Option<usize> {
    let range = |range: &str| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let [first, last] = [first.parse::<usize>().ok()?, last.parse().ok()?];
        last.checked_sub(first).map(|more| more + 1)
    };
    cores.trim().split(',').map(range).sum()
}

#[cfg(all(target_os = "linux", not(any(miri, loom))))]
mod system {
    use std::fs;
    use std::sync::OnceLock;

    /// Counts the threads of the machine that run or could run: some microseconds.
    pub(super) fn running() -> Option<usize> {
        super::running(&fs::read_to_string("/proc/loadavg").ok()?)
    }

    /// Counts the machine's cores.
    pub(super) fn cores() -> Option<usize> {
        static CORES: OnceLock<Option<usize>> = OnceLock::new();
        let read = || super::listed(&fs::read_to_string("/sys/devices/system/cpu/online").ok()?);
        *CORES.get_or_init(read)
    }
}

#[cfg(not(all(target_os = "linux", not(any(miri, loom)))))]
mod system {
    pub(super) fn running() -> Option<usize> {
        None
    }

    pub(super) fn cores() -> Option<usize> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_the_system_writes_them() {
        assert_eq!(running("7.70 8.00 4.81 3/154 7300\n"), Some(3));
        assert_eq!(["", "1 2 3", "1 a/5 6"].map(running), [None; 3]);
        assert_eq!(listed("0-1\n"), Some(2));
        assert_eq!(listed("0,2-5,9"), Some(6));
        assert_eq!(["", "a", "5-2"].map(listed), [None; 3]);
    }
}
