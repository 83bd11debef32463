//! Origin of a report: how, where and when it is made.

use std::path::Path;
use std::process::Command;
use std::time::SystemTime;
use std::{env, fs, thread};

use crate::{Count, Made};

impl Made {
    /// Returns what is known of the process that runs: its command, called `program`, the commit of
    /// the current folder, machine and date.
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

/// Writes the command with files by their names alone: their folders are nobody's business.
fn command(program: &str, arguments: impl Iterator<Item = String>) -> String {
    let mut command = program.to_owned();
    for argument in arguments.skip_while(|argument| argument == "superstep") {
        let name = match Path::new(&argument)
            .file_name()
            .and_then(|name| name.to_str())
        {
            Some(name) if argument.contains(['/', '\\']) => name.to_owned(),
            _ => argument,
        };
        command.push(' ');
        match name.contains(char::is_whitespace) {
            true => command.push_str(&format!("'{name}'")),
            false => command.push_str(&name),
        }
    }
    command
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
        let arguments = [
            "superstep",
            "report",
            "--html",
            "some/folder/lu.html",
            "--memo",
            "a b",
        ];
        assert_eq!(
            command("cargo superstep", arguments.map(str::to_owned).into_iter()),
            "cargo superstep report --html lu.html --memo 'a b'"
        );
    }
}
