//! Bandwidths between hosts that were measured by other means.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;
use superstep_csv::Row;
use superstep_files::{FileError, read_text};

/// Reads bandwidths in Mbit/s between pairs of hosts, the lower number first; `host` gives the
/// number of a host by its name or address.
///
/// A file has a line `HOST,HOST,BANDWIDTH` for each pair. Or it has what `iperf3 --json` has
/// printed, once or several times. Then the bandwidth is that of what was received, and hosts are
/// known by the addresses of the connection.
///
/// # Errors
/// When the file cannot be read, or has something else; the error names its line.
pub fn read(
    path: &Path,
    host: impl Fn(&str) -> Option<u32>,
) -> Result<BTreeMap<(u32, u32), f64>, FileError> {
    let text = read_text(path)?;
    if text.trim_start().starts_with('{') {
        return of_iperf(&text, path, host);
    }
    let mut known = BTreeMap::new();
    for row in superstep_csv::rows(&text) {
        let wrong = |defect: String| FileError::at(path, [row.line()], defect);
        let (pair, value) = pair(&row, &host).map_err(wrong)?;
        known.insert(pair, value);
    }
    Ok(known)
}

fn pair(row: &Row, host: impl Fn(&str) -> Option<u32>) -> Result<((u32, u32), f64), String> {
    let cells: Vec<&str> = row.cells().collect();
    let [a, b, value] = cells[..] else {
        return Err("a line has two hosts and a bandwidth, with commas between".into());
    };
    let pair = of_two([a, b], host)?;
    match value.parse::<f64>() {
        Ok(bandwidth) if bandwidth.is_finite() && bandwidth > 0.0 => Ok((pair, bandwidth)),
        _ => Err(format!(
            "`{value}` is no bandwidth: a number above 0, in Mbit/s"
        )),
    }
}

/// Returns the numbers of two hosts, the lower one first.
fn of_two(names: [&str; 2], host: impl Fn(&str) -> Option<u32>) -> Result<(u32, u32), String> {
    let unknown = |name: &str| format!("`{name}` is no host, or the address of several");
    let number = |name: &str| host(name).ok_or_else(|| unknown(name));
    let (a, b) = (number(names[0])?, number(names[1])?);
    match a == b {
        true => Err("a bandwidth is one between two hosts".into()),
        false => Ok((a.min(b), a.max(b))),
    }
}

/// Run of iperf3, as it prints it.
#[derive(Deserialize)]
struct Iperf {
    /// Reason for which it has failed.
    error: Option<String>,
    start: Option<Start>,
    end: Option<End>,
}

#[derive(Deserialize)]
struct Start {
    #[serde(default)]
    connected: Vec<Connected>,
}

#[derive(Deserialize)]
struct Connected {
    local_host: String,
    remote_host: String,
}

#[derive(Deserialize)]
struct End {
    sum_received: Option<Sum>,
}

#[derive(Deserialize)]
struct Sum {
    bits_per_second: f64,
}

impl Iperf {
    /// Returns the hosts of the run, and what was received, in Mbit/s.
    fn bandwidth(&self, host: impl Fn(&str) -> Option<u32>) -> Result<((u32, u32), f64), String> {
        if let Some(error) = &self.error {
            return Err(format!("iperf3 has failed: {error}"));
        }
        let start = self.start.as_ref();
        let connected = start.and_then(|start| start.connected.first());
        let end = self.end.as_ref();
        let sum = end.and_then(|end| end.sum_received.as_ref());
        match (connected, sum) {
            (Some(hosts), Some(sum))
                if sum.bits_per_second.is_finite() && sum.bits_per_second > 0.0 =>
            {
                let pair = of_two([&hosts.local_host, &hosts.remote_host], host)?;
                Ok((pair, sum.bits_per_second / 1e6))
            }
            _ => Err("a run of iperf3 that has received nothing over TCP".into()),
        }
    }
}

/// Reads the runs that iperf3 has printed one after the other.
fn of_iperf(
    text: &str,
    path: &Path,
    host: impl Fn(&str) -> Option<u32>,
) -> Result<BTreeMap<(u32, u32), f64>, FileError> {
    let mut known = BTreeMap::new();
    let mut runs = serde_json::Deserializer::from_str(text).into_iter::<Iperf>();
    let mut begin = 0;
    while let Some(run) = runs.next() {
        let line_at = |offset: usize| 1 + text[..offset].matches('\n').count();
        let skipped = text[begin..].len() - text[begin..].trim_start().len();
        let line = line_at(begin + skipped);
        begin = runs.byte_offset();
        let no_run = |error: serde_json::Error| {
            FileError::at(path, [error.line()], format!("no run of iperf3: {error}"))
        };
        let run = run.map_err(no_run)?;
        let wrong = |defect: String| FileError::at(path, [line], defect);
        let (pair, bandwidth) = run.bandwidth(&host).map_err(wrong)?;
        known.insert(pair, bandwidth);
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<BTreeMap<(u32, u32), f64>, String> {
        let host = |name: &str| match name {
            "a" | "10.0.0.1" => Some(0),
            "b" | "10.0.0.2" => Some(1),
            _ => None,
        };
        of_iperf(text, Path::new("runs.json"), host).map_err(|error| error.to_string())
    }

    fn run(local: &str, remote: &str, bits: f64) -> String {
        format!(
            "{{\n\"start\": {{\"connected\": [{{\"socket\": 5, \"local_host\": \"{local}\", \
             \"local_port\": 1, \"remote_host\": \"{remote}\", \"remote_port\": 2}}], \
             \"version\": \"iperf 3.12\"}},\n\"intervals\": [],\n\
             \"end\": {{\"sum_sent\": {{\"bits_per_second\": 1}}, \
             \"sum_received\": {{\"bits_per_second\": {bits}}}}}\n}}\n"
        )
    }

    #[test]
    fn runs_of_iperf_are_read_one_after_the_other() {
        let both = run("10.0.0.2", "10.0.0.1", 9.4e8) + &run("a", "b", 8e8);
        assert_eq!(parse(&both), Ok(BTreeMap::from([((0, 1), 800.0)])));
        let one = parse(&run("10.0.0.2", "10.0.0.1", 9.4e8));
        assert_eq!(one, Ok(BTreeMap::from([((0, 1), 940.0)])));
    }

    #[test]
    fn runs_that_give_nothing_are_told_by_their_line() {
        let error = |text: &str| parse(text).expect_err("it has a defect");
        let good = run("a", "b", 1e6);
        assert_eq!(
            error(&format!("{good}{}", run("a", "10.0.0.9", 1e6))),
            "runs.json:6: `10.0.0.9` is no host, or the address of several"
        );
        assert_eq!(
            error("{\"error\": \"unable to connect\"}"),
            "runs.json:1: iperf3 has failed: unable to connect"
        );
        let nothing = "runs.json:1: a run of iperf3 that has received nothing over TCP";
        assert_eq!(error(&run("a", "b", 0.0)), nothing);
        assert_eq!(error("{}"), nothing);
        assert_eq!(
            error(&run("a", "a", 1.0)),
            "runs.json:1: a bandwidth is one between two hosts"
        );
        assert!(error("{\"end\": 3}").starts_with("runs.json:1: no run of iperf3: "));
    }
}
