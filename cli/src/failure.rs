//! Errors of commands as messages, with the line of a file where they point into one, and as exit
//! codes.

mod excerpt;

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use codespan_reporting::{
    diagnostic::{Diagnostic, Label},
    term::{
        self,
        termcolor::{ColorChoice, StandardStream},
    },
};

pub(crate) use self::excerpt::Excerpt;

/// The error for which a command was not done, and what is said with it.
pub(crate) struct Failure {
    error: Box<dyn Error>,
    exit_code: u8,
    defect: Option<Box<Defect>>,
    note: Option<String>,
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            error: Box::new(error),
            exit_code: 1,
            defect: None,
            note: None,
        }
    }
}

impl Failure {
    /// Sets the exit code; a failure of code 0 prints nothing.
    pub(crate) fn with_exit_code(self, exit_code: u8) -> Self {
        Self { exit_code, ..self }
    }

    /// Shows the place in a file that is wrong, in place of the error's text.
    pub(crate) fn with_defect(self, defect: Option<Defect>) -> Self {
        let defect = defect.map(Box::new);
        Self { defect, ..self }
    }

    /// Says something below the message.
    pub(crate) fn with_note(self, note: Option<String>) -> Self {
        Self { note, ..self }
    }
}

/// An error that names the file in which it is, or for which it came.
#[derive(Debug, thiserror::Error)]
#[error("{}{what}: {error}", path.display())]
pub(crate) struct InFile {
    path: PathBuf,
    what: &'static str,
    error: Box<dyn Error>,
}

/// Names the file in which an error is.
pub(crate) fn in_file<E: Into<Box<dyn Error>>>(path: &Path) -> impl FnOnce(E) -> InFile {
    of_file(path, "")
}

/// Names a file that cannot be read.
pub(crate) fn unread<E: Into<Box<dyn Error>>>(path: &Path) -> impl FnOnce(E) -> InFile {
    of_file(path, " cannot be read")
}

/// Names a file that cannot be written.
pub(crate) fn unwritten<E: Into<Box<dyn Error>>>(path: &Path) -> impl FnOnce(E) -> InFile {
    of_file(path, " cannot be written")
}

fn of_file<E: Into<Box<dyn Error>>>(path: &Path, what: &'static str) -> impl FnOnce(E) -> InFile {
    move |error| InFile {
        path: path.to_path_buf(),
        what,
        error: error.into(),
    }
}

/// A defect of a file.
pub(crate) struct Defect {
    /// The message.
    pub(crate) title: &'static str,
    /// The part of the file that is shown.
    pub(crate) excerpt: Excerpt,
    /// The text beside the part.
    pub(crate) label: String,
}

/// Prints a failure to the standard error; returns the exit code.
pub(crate) fn report(failure: Failure) -> ExitCode {
    let code = failure.exit_code;
    if code != 0 {
        print(failure);
    }
    ExitCode::from(code)
}

fn print(failure: Failure) {
    let plain = Diagnostic::error().with_notes(failure.note.into_iter().collect());
    let (excerpt, diagnostic) = match failure.defect {
        Some(defect) => {
            let label = Label::primary((), defect.excerpt.focus()).with_message(defect.label);
            let diagnostic = plain.with_message(defect.title).with_labels(vec![label]);
            (defect.excerpt, diagnostic)
        }
        None => (Excerpt::none(), plain.with_message(failure.error)),
    };
    let color = if io::stderr().is_terminal() {
        ColorChoice::Auto
    } else {
        ColorChoice::Never
    };
    let mut stream = StandardStream::stderr(color);
    let printed =
        term::emit_to_write_style(&mut stream, &term::Config::default(), &excerpt, &diagnostic);
    // A standard error that nobody reads leaves the exit code to say it.
    drop(printed.map(|()| stream.flush()));
}
