//! The walk of `docs/MEASURE_YOUR_MACHINE.md` over eight hosts: network namespaces of one machine,
//! on 2 sites with 2 switches each. Needs root, and is skipped elsewhere.
#![cfg(target_os = "linux")]

mod namespaces;
mod package;
mod page;
mod servers;

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::Stdio,
    thread,
    time::Duration,
};

use superstep_machine::Machine;
use superstep_network::{Cluster, MachineFile, topology::Tree};

use self::{
    namespaces::{Network, address, cables::Cables},
    package::Package,
    page::{blocks_below, script},
    servers::{Process, Servers, temporary, text},
};

const HOSTS: usize = 8;

/// The kernel of the page's build script.
const KERNEL: &str = r"use superstep::kernel;

#[kernel]
pub fn total(n: usize, x: &[f64], sum: &mut f64) {
    #[reduce]
    for i in 0..n {
        *sum += x[i];
    }
}
";

/// Links of 40 us to switches, 150 us from there, and 1 ms between the sites.
const SITES: &str =
    "(((h0:40,h1:40):150,(h2:40,h3:40):150):1000,((h4:40,h5:40):150,(h6:40,h7:40):150):1000);";

/// One-way latency of whoever measures to all hosts.
const ASIDE: Duration = Duration::from_micros(20);

/// Mbit/s of hosts, switches, and the link between the sites.
const MBITS: [f64; 3] = [40.0, 20.0, 10.0];

/// Returns the tree, and the bandwidth of each link: the more hosts are behind it, the less.
fn cluster() -> (Tree, Vec<f64>) {
    let tree: Tree = SITES.parse().unwrap();
    let mut mbits = vec![MBITS[0]; tree.preorder().len()];
    for (link, behind) in tree.splits() {
        let fewer = behind.len().min(tree.hosts() - behind.len());
        mbits[link as usize] = match fewer {
            1 => MBITS[0],
            2 => MBITS[1],
            _ => MBITS[2],
        };
    }
    (tree, mbits)
}

/// Returns an empty folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn network() -> Option<Network> {
    let (tree, mbits) = cluster();
    let hosts = tree.hosts();
    let mut cables = Cables::new(tree, mbits);
    Network::new(hosts, move |from, to, bytes| {
        if from.max(to) == hosts {
            return Some(ASIDE);
        }
        cables.send(from as u32, to as u32, bytes)
    })
}

/// Runs commands of the page in a folder, in the namespace of whoever measures; the output.
fn run(network: &Network, folder: &Path, commands: &str) -> String {
    let (output, errors) = ran(network, folder, commands);
    assert_eq!(errors, "", "{commands}");
    output
}

/// Runs commands of the page; their output and errors.
fn ran(network: &Network, folder: &Path, commands: &str) -> (String, String) {
    let mut command = network.command(HOSTS, "sh");
    let command = command.args(["-e", "-c", &script(commands)]);
    let output = command.current_dir(folder).output().unwrap();
    let both = [&output.stdout, &output.stderr].map(|said| text(said).to_owned());
    assert!(output.status.success() || !both[1].is_empty());
    both.into()
}

/// Checks the bandwidths between all hosts of a machine file against the cables; returns whether
/// its tree is theirs. Beside other work noise hides some switches, and with them what they bound.
fn is_exact(machine: &Path) -> bool {
    let (truth, mbits) = cluster();
    let cluster = Cluster::read(machine).unwrap();
    let tree = cluster.tree();
    // The builds' reader and the other agree.
    let file = MachineFile::read(machine).unwrap();
    assert_eq!(Machine::read(machine).unwrap(), file.machine(0.5));
    assert!(file.machine(0.99).latency >= file.machine(0.5).latency);
    assert!(cluster.setup() > Some(0.0));
    if tree.hosts() != HOSTS {
        return false;
    }
    let difference = tree.difference(&truth);
    if !difference.is_empty() {
        eprintln!("{difference:?}: {}", tree.newick());
        return false;
    }
    // Frames have headers, and short streams wait for a core now and then.
    for (a, b) in (0..HOSTS as u32).flat_map(|a| (0..a).map(move |b| (a, b))) {
        let path = truth.path(a, b).into_iter();
        let least = path
            .map(|link| mbits[link as usize])
            .fold(f64::MAX, f64::min);
        let found = cluster.bandwidth(a, b);
        let is_near = (0.7..1.3).contains(&(found / least));
        assert!(is_near, "{a} {b}: {found} of {least}");
    }
    true
}

/// Orders in which hosts are added that are tried until noise hides no switch.
const ORDERS: u32 = 8;

#[test]
#[ignore = "needs root, and cargo builds a package, for a minute"]
fn the_walk_of_the_page_leads_from_eight_hosts_to_a_build_and_a_farm() {
    let Some(network) = network() else {
        return;
    };
    let folder = folder("measure_walk");
    let blocks = blocks_below("## A cluster", "sh");
    let [token, serve, list, measure, uses] = blocks[..] else {
        panic!("the page has other blocks: {blocks:?}");
    };
    run(&network, &folder, token);
    let _servers: Vec<Process> = (0..HOSTS)
        .map(|host| {
            let here = serve.replace("10.0.0.1", &address(host));
            let mut shell = network.command(host, "sh");
            shell.args([
                "-e",
                "-c",
                &script(&here).replace("shift; ", "shift; exec "),
            ]);
            let shell = shell.current_dir(&folder).stdout(Stdio::piped());
            let mut process = Process(shell.spawn().unwrap());
            let output = process.0.stdout.take().unwrap();
            let mut line = String::new();
            BufReader::new(output).read_line(&mut line).unwrap();
            assert_eq!(line, format!("listening on {}:7000\n", address(host)));
            process
        })
        .collect();
    run(&network, &folder, list);
    // These hosts share a machine, for which the page has an option.
    let exact = (1..=ORDERS).find(|order| {
        let here = format!("--seed {order} --at-a-time 1 --out");
        let (printed, errors) = ran(&network, &folder, &measure.replace("--out", &here));
        if !errors.is_empty() {
            assert_noise(&errors);
            return false;
        }
        let is_whole = printed.contains("8 hosts") && printed.contains("whole machine");
        assert!(is_whole, "{printed}");
        assert!(!folder.join("machine.toml.part").exists());
        is_exact(&folder.join("machine.toml"))
    });
    assert!(
        exact.is_some(),
        "noise hides a switch in each of {ORDERS} orders"
    );
    let machine = Machine::read(folder.join("machine.toml")).unwrap();
    assert_eq!((machine.processors, machine.levels.len()), (32, 3));
    let printed = run(&network, &folder, uses);
    // A schedule, its run time on a measured machine, ranks, and rounds.
    for said in [
        "supersteps",
        "99 %",
        "traffic times one-way latency",
        "round 0",
    ] {
        assert!(printed.contains(said), "{said}: {printed}");
    }
    let hosts = fs::read_to_string(folder.join("hosts.txt")).unwrap();
    assert_eq!(hosts.lines().count(), 32, "{hosts}");
    drop(network);
    build(&folder);
}

/// Builds the page's build script with the machine file of a folder, and schedules the kernel's
/// graph for it.
fn build(folder: &Path) {
    let [script] = blocks_below("## A cluster", "rust")[..] else {
        panic!("the page has one build script");
    };
    let files = [
        ("build.rs", script),
        ("src/kernels.rs", KERNEL),
        ("src/main.rs", "mod kernels;\n\nfn main() {}\n"),
    ];
    let package = Package::new("measure_build", &files);
    fs::copy(folder.join("machine.toml"), package.0.join("machine.toml")).unwrap();
    let (report, code) = package.superstep("report total --json");
    assert_eq!(code, 0, "{report}");
    let report: superstep_report::Report = serde_json::from_str(&report).unwrap();
    assert_eq!(report.processors, 8);
    let (graph, code) = package.superstep("graph total --out total.hdag");
    assert!(
        code == 0 && graph.starts_with("total (n = 100000): "),
        "{graph}"
    );
    let (dot, _) = package.superstep("graph total --out total.dot");
    assert_eq!(dot, graph);
    let (schedule, code) = package.superstep("schedule total.hdag --machine machine.toml");
    assert!(code == 0 && schedule.contains("99 %"), "{schedule}");
    let (_, code) = package.superstep("graph total --out total.txt");
    assert_eq!(code, 2);
    let (_, code) = package.superstep("graph product --out total.dot");
    assert_eq!(code, 1);
}

/// Arguments of a short survey into a file.
fn short<'a>(out: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let short = [
        "measure",
        "--task",
        "2",
        "--stream",
        "0.2",
        "--at-a-time",
        "1",
    ];
    let out = ["--out", out.to_str().unwrap()];
    [&short[..], more, &out].concat()
}

/// Starts a survey, and waits until its journal has so many rounds. Where noise hides the tree, it
/// starts again.
fn survey(network: &Network, servers: &Servers, out: &Path, rounds: usize) -> Process {
    for _ in 0..ORDERS {
        let mut command = network.superstep(HOSTS);
        command.args(short(out, &["--samples", "60", "--every", "0.05"]));
        command.arg("--hosts").arg(&servers.hosts);
        command.arg("--token-file").arg(&servers.token);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut survey = Process(command.spawn().unwrap());
        while survey.0.try_wait().unwrap().is_none() {
            if part(out).matches("\nround ").count() >= rounds {
                return survey;
            }
            thread::sleep(Duration::from_millis(20));
        }
        assert_noise(&errors_of(&mut survey));
    }
    panic!("noise hides the tree {ORDERS} times");
}

/// Reads the errors of a process that has ended.
fn errors_of(process: &mut Process) -> String {
    let mut errors = String::new();
    let mut stream = process.0.stderr.take().unwrap();
    stream.read_to_string(&mut errors).unwrap();
    errors
}

/// Checks that a survey complains of noise, as it may beside other work.
fn assert_noise(errors: &str) {
    let noise = [
        "noise too large to tell",
        "contradicts the others",
        "differ by",
        "are in the tree",
    ];
    assert!(noise.iter().any(|noise| errors.contains(noise)), "{errors}");
    eprintln!("{errors}");
}

/// Runs a short survey, again where noise hides the tree; its errors.
fn measured(network: &Network, servers: &Servers, out: &Path) -> String {
    for _ in 0..ORDERS {
        let arguments = short(out, &["--samples", "60"]);
        let output = servers.measure(network.superstep(HOSTS), &arguments);
        let errors = text(&output.stderr);
        if output.status.success() {
            return errors.to_owned();
        }
        assert_noise(errors);
    }
    panic!("noise hides the tree {ORDERS} times");
}

/// Reads the journal of a machine file.
fn part(out: &Path) -> String {
    fs::read_to_string(format!("{}.part", out.display())).unwrap_or_default()
}

#[test]
#[ignore = "needs root"]
fn an_interrupted_survey_goes_on_and_one_that_loses_a_host_goes_on_without() {
    let Some(network) = network() else {
        return;
    };
    let at = |host| (network.superstep(host), format!("{}:7000", address(host)));
    let mut servers = Servers::start("surveys", (0..HOSTS).map(at).collect());
    let out = temporary("machine.toml");
    drop(survey(&network, &servers, &out, 20));
    let before = part(&out);
    drop(survey(&network, &servers, &out, 40));
    let after = part(&out);
    let whole = &before[..=before.rfind('\n').unwrap()];
    assert!(after.starts_with(whole) && after.len() > whole.len());
    // What is asked for next depends on what answers first: some pairs are new.
    let pairs = |journal: &str| journal.matches("\npair ").count();
    assert!(pairs(&after) < 2 * pairs(whole), "{after}");
    let errors = measured(&network, &servers, &out);
    assert!(errors.starts_with("note: going on with what "), "{errors}");
    assert!(part(&out).is_empty());
    let machine = Machine::read(&out).unwrap();
    assert!(machine.processors as usize <= HOSTS && machine.latency > 0.0);
    // The same hosts, of which one ends.
    let mut losing = survey(&network, &servers, &out, 20);
    drop(servers.processes.remove(5));
    let status = losing.0.wait().unwrap();
    let mut errors = errors_of(&mut losing);
    if !status.success() {
        assert_noise(&errors);
        errors = measured(&network, &servers, &out);
    }
    let is_told = errors.contains("warning: host h5 at ") && errors.contains("; it is left out");
    assert!(is_told, "{errors}");
    let cluster = Cluster::read(&out).unwrap();
    let names = cluster.tree().names();
    assert!(
        names.len() < HOSTS && !names.contains(&"h5".to_owned()),
        "{names:?}"
    );
    // Of other hosts it is another survey.
    fs::write(format!("{}.part", out.display()), after).unwrap();
    servers.addresses.pop();
    servers.list();
    let output = servers.measure(network.superstep(HOSTS), &short(&out, &[]));
    let errors = text(&output.stderr);
    assert!(
        !output.status.success() && errors.contains("an interrupted survey of other hosts"),
        "{errors}"
    );
}
