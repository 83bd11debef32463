//! Hosts that run servers, as options.

use std::{
    collections::BTreeMap,
    fmt::Display,
    io::{self, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use superstep_files::FileError;
use superstep_network::topology::{
    Finished, Probe,
    tcp::{Host, TcpProbe, Token},
};

use crate::{failure::Failure, progress::Progress, values::number};

/// Hosts to measure.
#[derive(Args)]
#[group(id = "hosts_to_measure", requires_all = ["hosts", "token_file"])]
pub(crate) struct Arguments {
    /// Hosts that run `cargo superstep topology serve`: a line `NAME ADDRESS:PORT` for each
    #[arg(long, value_name = "FILE", required = false)]
    pub(crate) hosts: PathBuf,
    /// File of the token that all hosts share, of 16 bytes or more
    #[arg(long, value_name = "FILE", required = false)]
    token_file: PathBuf,
    /// Longest time that a host may take to answer, and for the first ping of a pair. The others
    /// have twice what as many as the first one take, if that is more
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    deadline: f64,
}

impl Arguments {
    /// Connects to all hosts, of which some may be lost; their names, too.
    pub(super) fn connect(&self) -> Result<(Vec<String>, TcpProbe), Failure> {
        let hosts = self.list()?;
        let names = hosts.iter().map(|host| host.name.clone()).collect();
        Ok((names, self.connect_to(hosts)?))
    }

    /// Reads the list of hosts.
    pub(crate) fn list(&self) -> Result<Vec<Host>, FileError> {
        Host::read_list(&self.hosts)
    }

    /// Connects to hosts, of which some may be lost.
    pub(crate) fn connect_to(&self, hosts: Vec<Host>) -> Result<TcpProbe, FileError> {
        let token = token(&self.token_file)?;
        let progress = Progress::new();
        progress.bar("connecting to hosts", hosts.len());
        let deadline = Duration::from_secs_f64(self.deadline);
        let probe = TcpProbe::connect(hosts, &token, deadline, |done| progress.advance(done));
        progress.finish();
        Ok(probe)
    }
}

/// Parses a time from a millisecond to a day.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let fits = |seconds| (0.001..=86_400.0).contains(&seconds);
    number(
        text,
        fits,
        "a time is a number of seconds from 0.001 to 86400",
    )
}

/// Reads a token, with a warning if others can read it.
pub(super) fn token(path: &Path) -> Result<Token, FileError> {
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

/// Prints a warning to the standard error.
pub(crate) fn warn(text: &str) {
    // A standard error that nobody reads must not end the work.
    drop(writeln!(io::stderr(), "warning: {text}"));
}

/// Prints a note to the standard error.
pub(crate) fn note(text: &str) {
    drop(writeln!(io::stderr(), "note: {text}"));
}

/// Probe that shows how many pairs were measured, and keeps why hosts failed.
pub(super) struct Counted<'a, P> {
    probe: P,
    progress: &'a Progress,
    pairs: usize,
    failed: BTreeMap<usize, String>,
}

impl<'a, P> Counted<'a, P> {
    pub(super) fn new(probe: P, progress: &'a Progress) -> Self {
        Self {
            probe,
            progress,
            pairs: 0,
            failed: BTreeMap::new(),
        }
    }

    /// Returns the first error of each host that has failed.
    pub(super) fn failed(self) -> BTreeMap<usize, String> {
        self.failed
    }
}

impl<P: Probe<Error: Display>> Probe for Counted<'_, P> {
    type Error = P::Error;

    fn begin(&mut self, a: usize, b: usize) {
        self.probe.begin(a, b);
    }

    fn finish(&mut self) -> Finished<P::Error> {
        let finished = self.probe.finish();
        self.pairs += 1;
        if let Err(error) = &finished.result
            && let Some(host) = self.probe.failed_host(error)
        {
            let error = || error.to_string();
            self.failed.entry(host).or_insert_with(error);
        }
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

    fn is_sparse(&self) -> bool {
        self.probe.is_sparse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use superstep_network::topology::{RoundTrip, Setting, infer};

    /// Probe of four hosts, of which the last two do not answer.
    struct Halves(Vec<(usize, usize)>);

    #[derive(Debug, thiserror::Error)]
    #[error("host {0} rests")]
    struct Rests(usize);

    impl Probe for Halves {
        type Error = Rests;

        fn begin(&mut self, a: usize, b: usize) {
            self.0.push((a, b));
        }

        fn finish(&mut self) -> Finished<Rests> {
            let pair = self.0.remove(0);
            let last = pair.0.max(pair.1);
            let round_trip = RoundTrip {
                minimum: 40_000,
                spread: 0,
            };
            let result = match last < 2 {
                true => Ok(round_trip),
                false => Err(Rests(last)),
            };
            Finished { pair, result }
        }

        fn failed_host(&self, error: &Rests) -> Option<usize> {
            Some(error.0)
        }
    }

    #[test]
    fn hosts_that_are_left_out_have_reasons() {
        let names: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        let setting = Setting {
            leave_out: true,
            ..Setting::default()
        };
        let progress = Progress::new();
        let mut probe = Counted::new(Halves(Vec::new()), &progress);
        let inference = infer(&names, &mut probe, &setting, |_| {}).expect("two hosts answer");
        assert_eq!(inference.left_out, [2, 3]);
        let reasons = [
            (2, "host 2 rests".to_owned()),
            (3, "host 3 rests".to_owned()),
        ];
        assert_eq!(probe.failed(), BTreeMap::from(reasons));
    }
}
