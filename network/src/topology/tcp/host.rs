//! Lists of hosts.

use std::{net::SocketAddr, path::Path};

use superstep_files::{FileError, read_text};

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

impl Host {
    /// Reads a list as [`list_from`](Self::list_from).
    ///
    /// # Errors
    /// When the file cannot be read, or is no such list.
    pub fn read_list(path: impl AsRef<Path>) -> Result<Vec<Self>, FileError> {
        let path = path.as_ref();
        Self::list_from(&read_text(path)?, path)
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
    /// # Ok::<(), superstep_files::FileError>(())
    /// ```
    // Names of the domain name system are not looked up: hosts often have one for themselves that
    // others do not.
    pub fn list_from(text: &str, path: &Path) -> Result<Vec<Self>, FileError> {
        let mut hosts: Vec<Self> = Vec::new();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (line, row) in (1..).zip(text.lines()) {
            let wrong = |message: String| FileError::at(path, [line], message);
            let row = row.split('#').next().unwrap_or("");
            let words: Vec<&str> = row.split_whitespace().collect();
            let [name, address] = words[..] else {
                if words.is_empty() {
                    continue;
                }
                let found = words.len();
                return Err(wrong(format!(
                    "expected a name and an address, found {found} words"
                )));
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
        match hosts.len() {
            count @ ..2 => {
                let message = format!("there are at least 2 hosts to measure, not {count}");
                Err(FileError::at(path, [], message))
            }
            _ => Ok(hosts),
        }
    }
}
