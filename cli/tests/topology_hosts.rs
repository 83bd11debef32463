//! Hosts that are measured: real processes on the loopback device, and what is refused.

mod servers;

use std::{
    fs,
    io::Read,
    process::{Command, Output},
    thread,
    time::Duration,
};

use superstep_network::topology::Tree;

use self::servers::{Process, Servers, temporary, text, token};

fn superstep() -> Command {
    Command::new(env!("CARGO_BIN_EXE_cargo-superstep"))
}

fn servers(test: &str, count: usize) -> Servers {
    let at = (0..count).map(|_| (superstep(), "127.0.0.1:0".to_owned()));
    Servers::start(test, at.collect())
}

/// Returns the errors of a command that has failed as it should.
fn refused(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    text(&output.stderr)
}

#[test]
fn hosts_on_loopback_make_a_tree_or_noise() {
    let servers = servers("loopback", 5);
    let (out, record) = (temporary("loopback.nwk"), temporary("loopback.csv"));
    let files = [out.to_str().unwrap(), record.to_str().unwrap()];
    let arguments = ["topology", "infer", "--out", files[0], "--record", files[1]];
    let output = servers.measure(superstep(), &arguments);
    let errors = text(&output.stderr);
    if output.status.code() != Some(0) {
        let noise = ["noise too large to tell", "contradicts the others"];
        assert!(noise.iter().any(|noise| errors.contains(noise)), "{errors}");
        return;
    }
    let tree = Tree::read(&out).unwrap();
    assert_eq!(tree.hosts(), 5);
    let printed = text(&output.stdout);
    assert!(printed.contains("5 hosts"), "{printed}");
    assert!(printed.contains("\nmeasured:\n  h0 - "), "{printed}");
    let record = fs::read_to_string(record).unwrap();
    assert!(
        record.starts_with("a,b,round_trip_us,spread_us\nh"),
        "{record}"
    );
}

#[test]
fn a_lost_host_is_named_or_skipped() {
    let mut servers = servers("lost", 4);
    drop(servers.processes.remove(1));
    let address = &servers.addresses[1];
    let named = format!("host h1 at {address}: it cannot be reached: ");
    let output = servers.measure(superstep(), &["topology", "infer"]);
    assert!(refused(&output).starts_with(&format!("error: {named}")));
    let output = servers.measure(
        superstep(),
        &["topology", "infer", "--newick", "--skip-lost"],
    );
    let errors = text(&output.stderr);
    assert!(errors.starts_with(&format!("warning: {named}")), "{errors}");
    if output.status.code() == Some(0) {
        let tree: Tree = text(&output.stdout).trim().parse().unwrap();
        assert_eq!(tree.names(), ["h0", "h2", "h3"]);
        assert!(
            errors.contains("warning: host h1 is not in the tree"),
            "{errors}"
        );
    }
}

#[test]
fn another_token_is_refused() {
    let mut servers = servers("token", 2);
    servers.token = token("another.token", "a token of somebody else");
    let output = servers.measure(superstep(), &["topology", "infer"]);
    let errors = refused(&output);
    for (host, address) in servers.addresses.iter().enumerate() {
        let line = format!("host h{host} at {address}: it has another token");
        assert!(errors.contains(&line), "{errors}");
    }
}

#[test]
fn tokens_are_long_and_kept_from_others() {
    let short = token("short.token", "swordfish\n");
    let serve = |token: &std::path::Path| {
        let mut command = superstep();
        command.args([
            "topology",
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--for",
            "0.1",
        ]);
        command.arg("--token-file").arg(token).output().unwrap()
    };
    let output = serve(&short);
    let expected = "the token has 9 bytes: it needs 16 to 4096";
    assert!(refused(&output).contains(expected));
    let output = serve(&temporary("no.token"));
    assert!(refused(&output).contains("no.token: "));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let open = token("open.token", "a token that all can read");
        fs::set_permissions(&open, fs::Permissions::from_mode(0o644)).unwrap();
        let output = serve(&open);
        assert_eq!(output.status.code(), Some(0));
        let (path, errors) = (open.display(), text(&output.stderr));
        let expected = format!("warning: others can read or write {path}: `chmod 600 {path}`\n");
        assert_eq!(errors, expected);
    }
}

#[test]
fn an_address_that_is_taken_is_said() {
    let servers = servers("taken", 1);
    let mut command = superstep();
    command.args(["topology", "serve", "--listen", &servers.addresses[0]]);
    let output = command
        .arg("--token-file")
        .arg(&servers.token)
        .output()
        .unwrap();
    let expected = format!("error: {} cannot be listened on: ", servers.addresses[0]);
    assert!(refused(&output).starts_with(&expected));
}

#[test]
fn wrong_lists_are_refused_by_line() {
    let servers = servers("list", 1);
    for (list, expected) in [
        (
            "a 127.0.0.1:7000\na 127.0.0.1:7001\n",
            ":2: host a stands twice",
        ),
        (
            "a 127.0.0.1:7\n# b\nb 127.0.0.1:7",
            ":3: host a has 127.0.0.1:7 already",
        ),
        ("a 127.0.0.1", ":1: `127.0.0.1` is no address with a port"),
        ("a", ":1: expected a name and an address, found 1 words"),
        (
            "a 0.0.0.0:7000",
            ":1: 0.0.0.0:7000 cannot be reached by others",
        ),
        ("a 10.0.0.1:0", ":1: 10.0.0.1:0 cannot be reached by others"),
        ("a,b 10.0.0.1:1", ":1: a name has at most 200 bytes"),
        (
            "a 127.0.0.1:7000\n",
            ": there are at least 2 hosts to measure, not 1",
        ),
    ] {
        fs::write(&servers.hosts, list).unwrap();
        let output = servers.measure(superstep(), &["topology", "infer"]);
        let expected = format!("{}{expected}", servers.hosts.display());
        assert!(
            refused(&output).contains(&expected),
            "{}",
            text(&output.stderr)
        );
    }
}

#[test]
fn latencies_are_recorded() {
    let servers = servers("record", 4);
    let out = temporary("record.csv");
    let samples = [
        "topology",
        "record",
        "--samples",
        "20",
        "--out",
        out.to_str().unwrap(),
    ];
    let from_h2 = [&samples[..], &["--from", "h2"]].concat();
    let output = servers.measure(superstep(), &from_h2);
    assert_eq!(text(&output.stderr), "");
    assert!(text(&output.stdout).starts_with("20 samples of 3 paths from h2, "));
    let recorded = fs::read_to_string(&out).unwrap();
    let mut lines = recorded.lines();
    assert_eq!(lines.next(), Some("h0 (us),h1 (us),h3 (us)"));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 20);
    for cell in rows.concat() {
        assert!(cell == "-" || cell.parse::<f64>().unwrap() > 0.0, "{cell}");
    }
    let output = servers.measure(superstep(), &[&samples[..], &["--from", "h9"]].concat());
    assert!(refused(&output).contains(".hosts: there is no host h9"));
}

#[test]
fn a_host_that_is_killed_loses_its_samples_only() {
    let mut servers = servers("killed", 3);
    let out = temporary("killed.csv");
    let mut command = superstep();
    command.args([
        "topology",
        "record",
        "--samples",
        "200",
        "--every",
        "0.02",
        "--out",
    ]);
    command.arg(&out).arg("--hosts").arg(&servers.hosts);
    command.arg("--token-file").arg(&servers.token);
    command.stderr(std::process::Stdio::piped());
    let mut recording = Process(command.spawn().unwrap());
    thread::sleep(Duration::from_secs(1));
    drop(servers.processes.remove(2));
    let status = recording.0.wait().unwrap();
    if status.code() == Some(0) {
        let recorded = fs::read_to_string(&out).unwrap();
        let last = recorded.lines().last().unwrap();
        assert!(last.ends_with(",-") && !last.starts_with('-'), "{last}");
    } else {
        // On a machine so busy that it had not begun, the host is missed before.
        let mut errors = String::new();
        let mut output = recording.0.stderr.take().unwrap();
        output.read_to_string(&mut errors).unwrap();
        assert!(errors.starts_with("error: host h2 at "), "{errors}");
    }
}
