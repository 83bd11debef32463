//! Hosts that run servers, as options.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use superstep_machine::topology::{
    Finished, Probe,
    tcp::{Host, HostError, TcpProbe, Token},
};

use super::TopologyError;
use crate::progress::Progress;

/// Hosts to measure.
#[derive(Args)]
#[group(id = "hosts_to_measure", requires_all = ["hosts", "token_file"])]
pub(super) struct Arguments {
    /// Hosts that run `cargo superstep topology serve`: a line `NAME ADDRESS:PORT` for each
    #[arg(long, value_name = "FILE", required = false)]
    pub(super) hosts: PathBuf,
    /// File of the token that all hosts share, of 16 bytes or more
    #[arg(long, value_name = "FILE", required = false)]
    token_file: PathBuf,
    /// Longest time that a host may take to answer, and to measure a pair
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    deadline: f64,
}

impl Arguments {
    /// Connects to all hosts, of which some may be lost; their names, too.
    pub(super) fn connect(&self) -> Result<(Vec<String>, TcpProbe), TopologyError> {
        let hosts = Host::read_list(&self.hosts)?;
        let token = token(&self.token_file)?;
        let names = hosts.iter().map(|host| host.name.clone()).collect();
        let progress = Progress::new();
        progress.bar("connecting to hosts", hosts.len());
        let deadline = Duration::from_secs_f64(self.deadline);
        let probe = TcpProbe::connect(hosts, &token, deadline, |done| progress.advance(done));
        progress.finish();
        Ok((names, probe))
    }
}

/// Parses a time from a millisecond to a day.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("a time is a number of seconds from 0.001 to 86400".to_owned()),
    }
}

/// Reads a token, with a warning if others can read it.
pub(super) fn token(path: &Path) -> Result<Token, TopologyError> {
    let token = Token::read(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = path.metadata().map_or(0, |file| file.permissions().mode());
        if mode & 0o077 != 0 {
            let path = path.display();
            warn(&format!(
                "others can read or write {path}: `chmod 600 {path}`"
            ));
        }
    }
    Ok(token)
}

pub(super) fn warn_of_lost(lost: &[HostError]) {
    lost.iter().for_each(|error| warn(&error.to_string()));
}

/// Prints a warning to the standard error.
pub(super) fn warn(text: &str) {
    // A standard error that nobody reads must not end the work.
    drop(writeln!(io::stderr(), "warning: {text}"));
}

/// Probe that shows how many pairs were measured.
pub(super) struct Counted<'a, P> {
    probe: P,
    progress: &'a Progress,
    pairs: usize,
}

impl<'a, P> Counted<'a, P> {
    pub(super) fn new(probe: P, progress: &'a Progress) -> Self {
        Self {
            probe,
            progress,
            pairs: 0,
        }
    }
}

impl<P: Probe> Probe for Counted<'_, P> {
    type Error = P::Error;

    fn begin(&mut self, a: usize, b: usize) {
        self.probe.begin(a, b);
    }

    fn finish(&mut self) -> Finished<P::Error> {
        let finished = self.probe.finish();
        self.pairs += 1;
        self.progress
            .say(format!("adding hosts, {} pairs measured", self.pairs));
        finished
    }

    fn failed_host(&self, error: &P::Error) -> Option<usize> {
        self.probe.failed_host(error)
    }

    fn can_repeat(&self) -> bool {
        self.probe.can_repeat()
    }
}
