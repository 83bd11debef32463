//! Two hosts: network namespaces of this machine, each with a host's name of its own, joined by a
//! pair of virtual Ethernet devices.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use crate::hosts::{Hosts, address, ip};

/// Device of each host.
const DEVICE: &str = "veth-superstep";

/// Script that gives its namespace the host's name that follows, and runs a command there.
const NAMED: &str = "echo \"$1\" > /proc/sys/kernel/hostname; shift; exec \"$@\"";

/// Names of the hosts.
pub(crate) const NAMES: [&str; 2] = ["first-host", "second-host"];

/// Two hosts, and what `mpirun` starts its daemon on the second one by.
pub(crate) struct Pair {
    hosts: Hosts,
    agent: PathBuf,
}

impl Pair {
    pub(crate) fn new() -> io::Result<Self> {
        let hosts = Hosts::new(2)?;
        let [first, second] = [0, 1].map(|host| hosts.namespace(host));
        let pair = [
            DEVICE, "netns", first, "type", "veth", "peer", "name", DEVICE, "netns", second,
        ];
        ip(&[&["link", "add"], &pair[..]].concat())?;
        for (host, namespace) in [first, second].into_iter().enumerate() {
            let own = format!("{}/24", address(host));
            ip(&["-n", namespace, "addr", "add", &own, "dev", DEVICE])?;
            ip(&["-n", namespace, "link", "set", "lo", "up"])?;
            ip(&["-n", namespace, "link", "set", DEVICE, "up"])?;
        }
        let agent = std::env::temp_dir().join(format!("superstep-agent-{}", hosts.own));
        // As `ssh`: options, the host, and the words of a command.
        let script = format!(
            "#!/bin/sh\nwhile [ \"${{1#-}}\" != \"$1\" ]; do shift; done\nshift\n\
             exec ip netns exec {second} unshare --uts sh -c '{NAMED}' sh {} sh -c \"$*\"\n",
            NAMES[1]
        );
        fs::write(&agent, script)?;
        fs::set_permissions(&agent, Permissions::from_mode(0o755))?;
        Ok(Self { hosts, agent })
    }

    /// Returns Open MPI's `mpirun` on the first host, with the same number of ranks on each.
    pub(crate) fn mpirun(&self, mpirun: &Command, ranks: usize) -> Command {
        let mut command = self.hosts.command(0, "unshare");
        command.args(["--uts", "sh", "-c", NAMED, "sh", NAMES[0]]);
        command.arg(mpirun.get_program()).args(mpirun.get_args());
        for (name, value) in mpirun.get_envs() {
            value.map(|value| command.env(name, value));
        }
        let [first, second] = [0, 1].map(address);
        let each = ranks / 2;
        command.args(["-H", &format!("{first}:{each},{second}:{each}")]);
        command.args(["--mca", "plm_rsh_agent"]).arg(&self.agent);
        for (key, value) in [
            ("btl", "tcp,self"),
            ("btl_tcp_if_include", DEVICE),
            ("oob_tcp_if_include", DEVICE),
        ] {
            command.args(["--mca", key, value]);
        }
        command
    }

    /// Returns the bytes that the first host has received from the second.
    pub(crate) fn crossed(&self) -> u64 {
        let counter = format!("/sys/class/net/{DEVICE}/statistics/rx_bytes");
        let read = self.hosts.command(0, "cat").arg(counter).output();
        let text = String::from_utf8_lossy(&read.expect("`ip` runs").stdout).into_owned();
        text.trim().parse().expect("a number of bytes")
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.agent);
    }
}
