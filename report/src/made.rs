//! Origin of a report: how, where and when it is made. It names no folder, and says nothing where
//! the system or the version control do not tell.

use std::process::Command;
use std::time::SystemTime;
use std::{env, fs, thread};

use crate::{Count, Made};

impl Made {
    /// Describes the running process: its command line, in which the program is called `program`,
    /// the commit of the current folder, the machine and the date. `memo` is kept as it is.
    pub fn now(program: &str, memo: &str) -> Self {
        Self {
            command: command(program, env::args().skip(1)),
            commit: commit().unwrap_or_default(),
            machine: machine(),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            memo: memo.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }
}

/// Returns the command line with files by their names alone: their folders are nobody's business.
/// A first argument `superstep` is left out: cargo passes it on, and `program` has it already.
fn command(program: &str, arguments: impl Iterator<Item = String>) -> String {
    let mut command = program.to_owned();
    for argument in arguments.skip_while(|argument| argument == "superstep") {
        let argument = without_folder(&argument);
        command.push(' ');
        match argument.contains(char::is_whitespace) {
            true => command.push_str(&format!("'{argument}'")),
            false => command.push_str(&argument),
        }
    }
    command
}

/// Returns an argument, of a path its last name alone: also behind `--option=`. What has its
/// slashes between blanks is a text.
fn without_folder(argument: &str) -> String {
    let separators = ['/', '\\'];
    let is_text = argument
        .split_whitespace()
        .all(|word| word.len() == 1 || !word.contains(separators));
    if is_text {
        return argument.to_owned();
    }
    let value = match argument.starts_with('-') {
        true => argument.find('=').map_or(0, |sign| sign + 1),
        false => 0,
    };
    let (option, value) = argument.split_at(value);
    let mut names = value.rsplit(separators);
    let name = names.find(|name| !name.is_empty());
    format!("{option}{}", name.unwrap_or(value))
}

/// Returns the commit of the sources in the current folder, with a `+` where they have changed
/// since.
fn commit() -> Option<String> {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let is_changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Some(if is_changed { commit + "+" } else { commit })
}

/// Names the processor, as far as the system tells, and counts the cores.
fn machine() -> String {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let cores = Count(cores as u64, "core");
    let known = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = known.lines().find(|line| line.starts_with("model name"));
    match line.and_then(|line| line.split_once(':')) {
        Some((_, model)) => format!("{}, {cores}", model.trim()),
        None => format!("{}, {cores}", env::consts::ARCH),
    }
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn commands_name_no_folder() {
        let command_of = |arguments: &[&str]| {
            let arguments = arguments.iter().map(|&argument| argument.to_owned());
            command("cargo superstep", arguments)
        };
        for (path, name) in [
            ("some/folder/lu.html", "lu.html"),
            (r"some\folder\lu.html", "lu.html"),
            ("some/folder/", "folder"),
            ("some/folder/..", ".."),
            ("/", "/"),
            ("some folder/of mine/lu.html", "lu.html"),
        ] {
            let told = format!("cargo superstep report --html {name} --html={name} --memo 'a b'");
            let option = format!("--html={path}");
            let memo = ["--memo", "a b"];
            let arguments = ["superstep", "report", "--html", path, &option];
            assert_eq!(command_of(&[&arguments[..], &memo].concat()), told);
        }
        assert_eq!(
            command_of(&["--memo", "a / b"]),
            "cargo superstep --memo 'a / b'"
        );
    }
}
