//! Servers in processes of their own, which end with the test.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

/// A process that is killed when it is dropped.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// Servers, and the files by which they are measured.
pub(crate) struct Servers {
    pub(crate) processes: Vec<Process>,
    pub(crate) addresses: Vec<String>,
    pub(crate) hosts: PathBuf,
    pub(crate) token: PathBuf,
}

/// Returns a file of this test.
pub(crate) fn temporary(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}

/// Writes a file of a token that only its owner can read.
pub(crate) fn token(name: &str, token: &str) -> PathBuf {
    let path = temporary(name);
    fs::write(&path, token).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    path
}

impl Servers {
    /// Starts a server for each command line, which ends before `topology serve`, on its address.
    pub(crate) fn start(test: &str, at: Vec<(Command, String)>) -> Self {
        let token = token(
            &format!("{test}.token"),
            "a token of a test, not a secret\n",
        );
        let mut servers = Self {
            processes: Vec::new(),
            addresses: Vec::new(),
            hosts: temporary(&format!("{test}.hosts")),
            token,
        };
        for (mut command, address) in at {
            command.args(["topology", "serve", "--for", "300", "--listen", &address]);
            command.arg("--token-file").arg(&servers.token);
            command.stdout(Stdio::piped());
            let mut process = Process(command.spawn().unwrap());
            let mut line = String::new();
            let output = process.0.stdout.take().unwrap();
            BufReader::new(output).read_line(&mut line).unwrap();
            let address = line.strip_prefix("listening on ").unwrap().trim();
            servers.addresses.push(address.to_owned());
            servers.processes.push(process);
        }
        servers.list();
        servers
    }

    /// Writes the list of hosts, which are called `h0` and so on.
    pub(crate) fn list(&self) {
        let line = |(host, address): (usize, &String)| format!("h{host} {address}\n");
        let lines: String = self.addresses.iter().enumerate().map(line).collect();
        fs::write(&self.hosts, lines).unwrap();
    }

    /// Adds hosts and token to a command line and runs it.
    pub(crate) fn measure(&self, mut command: Command, arguments: &[&str]) -> Output {
        command.args(arguments);
        command.arg("--hosts").arg(&self.hosts);
        command.arg("--token-file").arg(&self.token);
        command.output().unwrap()
    }
}

pub(crate) fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}
