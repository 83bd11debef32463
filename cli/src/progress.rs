//! Progress, on a terminal; nothing elsewhere.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A line on the standard error that is shown while work takes long, and gone when it is done.
/// Hidden where that is no terminal.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(100));
        Self(bar)
    }

    /// Shows work of unknown length.
    pub(crate) fn stage(&self, what: &'static str) {
        self.0.set_style(ProgressStyle::default_spinner());
        self.0.set_message(what);
    }

    /// Says more of the work that goes on.
    pub(crate) fn say(&self, what: String) {
        self.0.set_message(what);
    }

    /// Shows work of so many steps, such as tasks.
    pub(crate) fn bar(&self, what: &'static str, steps: usize) {
        self.0.set_message(what);
        let style = ProgressStyle::with_template(
            "{spinner} {msg} {wide_bar} {human_pos}/{human_len} {elapsed}",
        );
        self.0
            .set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        self.0.set_length(steps as u64);
        self.0.set_position(0);
    }

    /// Shows that so many steps are done.
    pub(crate) fn advance(&self, steps: usize) {
        self.0.set_position(steps as u64);
    }

    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Drop for Progress {
    /// Clears the line, into which an error must not be printed.
    fn drop(&mut self) {
        self.finish();
    }
}
