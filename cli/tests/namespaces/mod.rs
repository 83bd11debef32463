//! Networks of Linux network namespaces: real kernels' TCP between processes, over cables of any
//! length.

// Each file of tests takes what it needs.
#![allow(dead_code)]

pub(crate) mod cables;
mod relay;

use std::{
    io::{self, Write},
    process::{Command, Stdio},
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use self::relay::{MAC, Relay, tap};

/// Namespaces of hosts, and one more of whoever measures; all end with it.
pub(crate) struct Network {
    namespaces: Vec<String>,
    _relay: Option<Relay>,
    /// Networks disturb each other: one is there at a time.
    _alone: MutexGuard<'static, ()>,
}

static ALONE: Mutex<()> = Mutex::new(());

/// Networks that this process has made, for names of their own.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// Address of a host.
pub(crate) fn address(host: usize) -> String {
    format!("10.0.0.{}", host + 1)
}

fn ip(arguments: &[&str]) -> io::Result<()> {
    let output = Command::new("ip").args(arguments).output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    (output.status.success())
        .then_some(())
        .ok_or_else(|| io::Error::other(format!("ip {}: {errors}", arguments.join(" "))))
}

impl Network {
    /// Makes a network of hosts and one who measures, the last; `delay` is the one-way latency of a
    /// frame by sender, receiver and bytes, or none if it is lost.
    ///
    /// `None` where namespaces and TAP devices cannot be made, as they need root. A test says so,
    /// and is done; for root they may not be missing.
    pub(crate) fn new(
        hosts: usize,
        delay: impl FnMut(usize, usize, usize) -> Option<Duration> + Send + 'static,
    ) -> Option<Self> {
        match Self::make(hosts, delay) {
            Ok(network) => Some(network),
            Err(error) if rustix::process::geteuid().is_root() => {
                panic!("root has no namespaces: {error}")
            }
            Err(error) => {
                eprintln!("skipped, as there are no namespaces: {error}");
                None
            }
        }
    }

    fn make(
        hosts: usize,
        delay: impl FnMut(usize, usize, usize) -> Option<Duration> + Send + 'static,
    ) -> io::Result<Self> {
        let mut network = Self {
            namespaces: Vec::new(),
            _relay: None,
            _alone: ALONE.lock().unwrap_or_else(PoisonError::into_inner),
        };
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let own = format!("{}-{number}", std::process::id());
        let mut taps = Vec::new();
        for host in 0..=hosts {
            let namespace = format!("superstep-{own}-{host}");
            ip(&["netns", "add", &namespace])?;
            network.namespaces.push(namespace.clone());
            let device = format!("s{own}-{host}");
            taps.push(tap(&device)?);
            ip(&["link", "set", &device, "netns", &namespace])?;
            let mut commands = format!(
                "link set lo up\n\
                 link set {device} address {MAC}{host:02x}\n\
                 addr add {}/24 dev {device}\n\
                 link set {device} up\n",
                address(host)
            );
            for other in (0..=hosts).filter(|&other| other != host) {
                commands += &format!(
                    "neigh add {} lladdr {MAC}{other:02x} dev {device} nud permanent\n",
                    address(other)
                );
            }
            let mut batch = Command::new("ip")
                .args(["-n", &namespace, "-batch", "-"])
                .stdin(Stdio::piped())
                .spawn()?;
            if let Some(mut input) = batch.stdin.take() {
                input.write_all(commands.as_bytes())?;
            }
            if !batch.wait()?.success() {
                return Err(io::Error::other("ip -batch has failed"));
            }
        }
        network._relay = Some(Relay::start(taps, delay));
        Ok(network)
    }

    /// Makes a command in the namespace of a host.
    pub(crate) fn command(&self, host: usize, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.namespaces[host], program]);
        command
    }

    /// Makes a command `cargo superstep` in the namespace of a host.
    pub(crate) fn superstep(&self, host: usize) -> Command {
        self.command(host, env!("CARGO_BIN_EXE_cargo-superstep"))
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for namespace in &self.namespaces {
            drop(ip(&["netns", "del", namespace]));
        }
    }
}
