//! Progress of a build script, said on the terminal itself: cargo shows what a script prints when
//! it has ended, and some take minutes.

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Time before which nothing is said: most scripts take less.
const SILENT: Duration = Duration::from_secs(1);

/// Line on the terminal of the process, if it has one. It is gone in the end.
pub(super) struct Progress {
    since: Instant,
    terminal: Option<File>,
    is_shown: bool,
}

impl Progress {
    /// Begins without a word.
    pub(super) fn new() -> Self {
        let terminal = File::options().write(true).open("/dev/tty");
        Self {
            since: Instant::now(),
            terminal: terminal.ok().filter(IsTerminal::is_terminal),
            is_shown: false,
        }
    }

    /// Says what goes on, unless the script has just begun.
    pub(super) fn say(&mut self, what: &str) {
        if self.since.elapsed() < SILENT {
            return;
        }
        let seconds = self.since.elapsed().as_secs();
        if let Some(terminal) = &mut self.terminal {
            // This overwrites cargo's own progress line, which cargo draws again.
            let _ = write!(terminal, "\r\x1b[Ksuperstep, {seconds} s: {what}");
            self.is_shown = true;
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let (true, Some(terminal)) = (self.is_shown, &mut self.terminal) {
            let _ = write!(terminal, "\r\x1b[K");
        }
    }
}
