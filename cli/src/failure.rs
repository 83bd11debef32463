//! Errors of commands as messages, with the line of a file where they point into one, and as exit
//! codes.

mod excerpt;

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use codespan_reporting::{
    diagnostic::{Diagnostic, Label},
    term::{
        self,
        termcolor::{ColorChoice, StandardStream},
    },
};

pub(crate) use self::excerpt::Excerpt;

/// The error for which a command was not done.
pub(crate) type Failure = Box<dyn CommandError>;

/// An error that ends a command. Each command has its own beside it.
pub(crate) trait CommandError: Error {
    /// Returns the exit code. Of an error of code 0 nothing is said.
    fn exit_code(&self) -> u8 {
        1
    }

    /// Returns the place in a file that is wrong, which is shown in place of the error's text.
    fn defect(&self) -> Option<Defect> {
        None
    }

    /// Returns what is said below the message.
    fn note(&self) -> Option<String> {
        None
    }
}

impl<E: CommandError + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        Box::new(error)
    }
}

impl CommandError for superstep_files::FileError {}

/// A defect of a file.
pub(crate) struct Defect {
    /// The message.
    pub(crate) title: &'static str,
    /// The part of the file that is shown.
    pub(crate) excerpt: Excerpt,
    /// The text beside the part.
    pub(crate) label: String,
}

/// Prints an error to the standard error; returns the exit code.
pub(crate) fn report(error: &dyn CommandError) -> ExitCode {
    let code = error.exit_code();
    if code != 0 {
        print(error);
    }
    ExitCode::from(code)
}

fn print(error: &dyn CommandError) {
    let plain = Diagnostic::error().with_notes(error.note().into_iter().collect());
    let (excerpt, diagnostic) = match error.defect() {
        Some(defect) => {
            let label = Label::primary((), defect.excerpt.focus()).with_message(defect.label);
            let diagnostic = plain.with_message(defect.title).with_labels(vec![label]);
            (defect.excerpt, diagnostic)
        }
        None => (Excerpt::none(), plain.with_message(error)),
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
