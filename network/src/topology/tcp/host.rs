//! Lists of hosts.

use std::{
    fs, io,
    net::SocketAddr,
    path::{Path, PathBuf},
};

/// A host, and where its server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Name, of which each host has its own.
    pub name: String,
    /// Address by which all others reach it.
    pub address: SocketAddr,
}

/// Most bytes of a name, so that it fits into every frame.
pub(super) const LONGEST: usize = 200;

/// Reason for which a list of hosts was not read.
#[derive(Debug, thiserror::Error)]
pub enum HostsError {
    /// The file could not be read.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// A line that names no host.
    #[error("{}:{line}: {message}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The defect.
        message: String,
    },
    /// Fewer than two hosts.
    #[error("{}: there are at least 2 hosts to measure, not {count}", path.display())]
    Few {
        /// The file.
        path: PathBuf,
        /// Number of hosts.
        count: usize,
    },
}

impl Host {
    /// Reads a list as [`list_from`](Self::list_from).
    ///
    /// # Errors
    /// When the file cannot be read, or is no such list.
    pub fn read_list(path: impl AsRef<Path>) -> Result<Vec<Self>, HostsError> {
        let path = path.as_ref();
        let text = fs::read_to_string(path).map_err(|source| HostsError::Io {
            path: path.into(),
            source,
        })?;
        Self::list_from(&text, path)
    }

    /// Parses a list of at least two hosts: each line has a name and an address with its port;
    /// `path` is what errors call it. Empty lines, and what follows a `#`, are passed over.
    ///
    /// # Errors
    /// When a line has something else, or a name or an address stands twice; the error names the
    /// line.
    ///
    /// ```
    /// use std::path::Path;
    /// use superstep_network::topology::tcp::Host;
    ///
    /// let hosts = Host::list_from("a 10.0.0.1:7000\nb 10.0.0.2:7000 # slow\n", Path::new("hosts"))?;
    /// assert_eq!(hosts[1].name, "b");
    ///
    /// let error = Host::list_from("a node1:7000", Path::new("hosts")).unwrap_err();
    /// assert_eq!(error.to_string(), "hosts:1: `node1:7000` is no address with a port, as 10.0.0.1:7000 or [fd00::1]:7000");
    /// # Ok::<(), superstep_network::topology::tcp::HostsError>(())
    /// ```
    // Names of the domain name system are not looked up: hosts often have one for themselves that
    // others do not.
    pub fn list_from(text: &str, path: &Path) -> Result<Vec<Self>, HostsError> {
        let mut hosts: Vec<Self> = Vec::new();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (line, row) in (1..).zip(text.lines()) {
            let wrong = |message: String| HostsError::Line {
                path: path.into(),
                line,
                message,
            };
            let words: Vec<&str> = row
                .split('#')
                .next()
                .unwrap_or("")
                .split_whitespace()
                .collect();
            let [name, address] = words[..] else {
                if words.is_empty() {
                    continue;
                }
                let message = format!(
                    "expected a name and an address, found {} words",
                    words.len()
                );
                return Err(wrong(message));
            };
            if name.len() > LONGEST || name.contains([',', '"']) || name.contains(char::is_control)
            {
                return Err(wrong(format!(
                    "a name has at most {LONGEST} bytes, and neither commas nor quotes"
                )));
            }
            let address: SocketAddr = address.parse().map_err(|_| {
                wrong(format!(
                    "`{address}` is no address with a port, as 10.0.0.1:7000 or [fd00::1]:7000"
                ))
            })?;
            if address.port() == 0 || address.ip().is_unspecified() {
                return Err(wrong(format!("{address} cannot be reached by others")));
            }
            if hosts.iter().any(|host| host.name == name) {
                return Err(wrong(format!("host {name} stands twice")));
            }
            if let Some(other) = hosts.iter().find(|host| host.address == address) {
                return Err(wrong(format!("host {} has {address} already", other.name)));
            }
            let name = name.to_owned();
            hosts.push(Self { name, address });
        }
        let count = hosts.len();
        if count < 2 {
            let path = path.into();
            return Err(HostsError::Few { path, count });
        }
        Ok(hosts)
    }
}
