//! Networks of Linux network namespaces: real kernels' TCP between processes, over cables of any
//! length.

// Each file of tests takes what it needs.
#![allow(dead_code)]

pub(crate) mod cables;
mod hosts;
mod relay;

use std::{
    io::{self, Write},
    process::{Command, Stdio},
    time::Duration,
};

pub(crate) use self::hosts::address;
use self::{
    hosts::{Hosts, ip, made},
    relay::{MAC, Relay, tap},
};

/// Hosts, and one more of whoever measures.
pub(crate) struct Network {
    hosts: Hosts,
    _relay: Relay,
}

impl Network {
    /// Makes a network of hosts and one who measures, the last; `delay` is the one-way latency of a
    /// frame by sender, receiver and bytes, or none if it is lost.
    ///
    /// `None` where namespaces and TAP devices cannot be made ([`made`]).
    pub(crate) fn new(
        hosts: usize,
        delay: impl FnMut(usize, usize, usize) -> Option<Duration> + Send + 'static,
    ) -> Option<Self> {
        made(Self::make(hosts, delay))
    }

    fn make(
        count: usize,
        delay: impl FnMut(usize, usize, usize) -> Option<Duration> + Send + 'static,
    ) -> io::Result<Self> {
        let hosts = Hosts::new(count + 1)?;
        let mut taps = Vec::new();
        for host in 0..=count {
            let namespace = hosts.namespace(host);
            let device = format!("s{}-{host}", hosts.own);
            taps.push(tap(&device)?);
            ip(&["link", "set", &device, "netns", namespace])?;
            let mut commands = format!(
                "link set lo up\n\
                 link set {device} address {MAC}{host:02x}\n\
                 addr add {}/24 dev {device}\n\
                 link set {device} up\n",
                address(host)
            );
            for other in (0..=count).filter(|&other| other != host) {
                commands += &format!(
                    "neigh add {} lladdr {MAC}{other:02x} dev {device} nud permanent\n",
                    address(other)
                );
            }
            let mut batch = Command::new("ip")
                .args(["-n", namespace, "-batch", "-"])
                .stdin(Stdio::piped())
                .spawn()?;
            if let Some(mut input) = batch.stdin.take() {
                input.write_all(commands.as_bytes())?;
            }
            if !batch.wait()?.success() {
                return Err(io::Error::other("ip -batch has failed"));
            }
        }
        Ok(Self {
            hosts,
            _relay: Relay::start(taps, delay),
        })
    }

    /// Makes a command in the namespace of a host.
    pub(crate) fn command(&self, host: usize, program: &str) -> Command {
        self.hosts.command(host, program)
    }

    /// Makes a command `cargo superstep` in the namespace of a host.
    pub(crate) fn superstep(&self, host: usize) -> Command {
        self.command(host, env!("CARGO_BIN_EXE_cargo-superstep"))
    }
}
