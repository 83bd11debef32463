//! Linux network namespaces, one for each host; all end with their owner.

use std::{
    io,
    process::Command,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// Namespaces of hosts.
pub(crate) struct Hosts {
    namespaces: Vec<String>,
    /// Text that no others of this machine have in their names.
    pub(crate) own: String,
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

/// Runs `ip`.
pub(crate) fn ip(arguments: &[&str]) -> io::Result<()> {
    let output = Command::new("ip").args(arguments).output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    (output.status.success())
        .then_some(())
        .ok_or_else(|| io::Error::other(format!("ip {}: {errors}", arguments.join(" "))))
}

/// Returns what was made; `None` where it cannot be, as it needs root. A test says so, and is done;
/// for root it may not be missing.
pub(crate) fn made<T>(made: io::Result<T>) -> Option<T> {
    match made {
        Ok(made) => Some(made),
        Err(error) if rustix::process::geteuid().is_root() => {
            panic!("root has no namespaces: {error}")
        }
        Err(error) => {
            eprintln!("skipped, as there are no namespaces: {error}");
            None
        }
    }
}

impl Hosts {
    /// Makes namespaces for so many hosts, with nothing between them.
    pub(crate) fn new(count: usize) -> io::Result<Self> {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let mut hosts = Self {
            namespaces: Vec::new(),
            own: format!("{}-{number}", std::process::id()),
            _alone: ALONE.lock().unwrap_or_else(PoisonError::into_inner),
        };
        for host in 0..count {
            let namespace = format!("superstep-{}-{host}", hosts.own);
            ip(&["netns", "add", &namespace])?;
            hosts.namespaces.push(namespace);
        }
        Ok(hosts)
    }

    /// Returns the namespace of a host.
    pub(crate) fn namespace(&self, host: usize) -> &str {
        &self.namespaces[host]
    }

    /// Makes a command in the namespace of a host.
    pub(crate) fn command(&self, host: usize, program: &str) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", self.namespace(host), program]);
        command
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for namespace in &self.namespaces {
            drop(ip(&["netns", "del", namespace]));
        }
    }
}
