//! Tests of programs and sums over the ranks of MPI.
//!
//! This test starts itself under `mpirun`, once for each check and number of ranks. It looks at
//! what that gives: exit code, output, and time. `MPIRUN` names the command, `mpirun` if it is not
//! set. It has to be of the library that was linked.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use superstep_machine::{Machine, RankTimes, Times};
use superstep_network::MachineFile;

#[cfg(target_os = "linux")]
#[path = "../../cli/tests/namespaces/hosts.rs"]
mod hosts;
#[path = "../examples/measure/measured/mod.rs"]
mod measured;
#[path = "mpirun/page.rs"]
mod page;
#[path = "mpirun/rank.rs"]
mod rank;
#[cfg(target_os = "linux")]
#[path = "mpirun/veth.rs"]
mod veth;

/// Variable that tells a rank what to do.
const TASK: &str = "SUPERSTEP_MPI_TASK";

/// Time after which a run has hung.
const LONGEST: Duration = Duration::from_secs(100);

/// Time within which a failure of one rank ends all.
const SOON: Duration = Duration::from_secs(30);

/// Run of this program on ranks, when it is over.
struct Ran {
    code: Option<i32>,
    output: String,
    took: Duration,
}

/// Runs a task on so many ranks, with these variables.
fn run(task: &str, ranks: usize, variables: &[(&str, &str)]) -> Ran {
    let mut command = mpirun();
    command.args(["-n", &ranks.to_string()]);
    command.arg(env::current_exe().expect("it has a path"));
    command.envs(variables.iter().copied());
    command.env(TASK, task);
    ran(command, &format!("`{task}` on {ranks} ranks"))
}

/// Returns the name of `mpirun`.
fn name_of_mpirun() -> OsString {
    env::var_os("MPIRUN").unwrap_or_else(|| "mpirun".into())
}

/// Returns whether `mpirun` is that of Open MPI.
fn is_open_mpi() -> bool {
    let version = Command::new(name_of_mpirun()).arg("--version").output();
    let version = version.expect("`MPIRUN` names a command").stdout;
    String::from_utf8_lossy(&version).contains("open-mpi.org")
}

/// Makes a command `mpirun`, which has yet to be told what.
fn mpirun() -> Command {
    let mut command = Command::new(name_of_mpirun());
    if is_open_mpi() {
        // More ranks than cores, whoever runs the tests.
        command.args(["--oversubscribe", "--allow-run-as-root"]);
    }
    command.env("RUST_BACKTRACE", "0");
    command
}

/// Runs a command to its end.
fn ran(mut command: Command, name: &str) -> Ran {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let begin = Instant::now();
    let mut child = command.spawn().expect("`MPIRUN` runs");
    let read = |mut pipe: Box<dyn Read + Send>| {
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = pipe.read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        })
    };
    let out = read(Box::new(child.stdout.take().expect("it is a pipe")));
    let err = read(Box::new(child.stderr.take().expect("it is a pipe")));
    let code = loop {
        match child.try_wait().expect("it can be waited for") {
            Some(status) => break status.code(),
            None if begin.elapsed() > LONGEST => {
                let _ = child.kill();
                panic!("{name} hangs");
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    let took = begin.elapsed();
    let text = |reader: thread::JoinHandle<String>| reader.join().unwrap_or_default();
    let output = text(out) + &text(err);
    Ran { code, output, took }
}

/// Runs a task that each rank ends well.
fn passes(task: &str, ranks: usize) {
    passes_with(task, ranks, &[]);
}

/// Runs a task that each rank ends well, with these variables.
fn passes_with(task: &str, ranks: usize, variables: &[(&str, &str)]) {
    let Ran { code, output, .. } = run(task, ranks, variables);
    let ended = output.matches(rank::PASSED).count();
    let is_well = code == Some(0) && ended == ranks;
    assert!(is_well, "`{task}` on {ranks} ranks: {code:?}\n{output}");
}

/// Runs a task that fails soon, and says these words so often at least.
fn fails(task: &str, ranks: usize, words: &str, times: usize) {
    let Ran { code, output, took } = run(task, ranks, &[]);
    let is_told = output.matches(words).count() >= times && code != Some(0);
    assert!(is_told, "`{task}` on {ranks} ranks: {code:?}\n{output}");
    assert!(took < SOON, "`{task}` on {ranks} ranks took {took:?}");
}

fn kernels_have_the_bits_of_the_function() {
    for ranks in superstep_mpi_kernels::RANKS {
        passes("kernels", ranks);
    }
}

fn plans_have_the_bits_of_the_function() {
    for ranks in superstep_mpi_kernels::RANKS {
        passes("plans", ranks);
    }
}

fn a_lost_word_of_a_message_is_found() {
    fails("loses", 2, "lu: other bits", 1);
}

fn sums_have_the_bits_of_one_process() {
    for ranks in [1, 2, 3, 5, 8] {
        passes("sums", ranks);
    }
}

fn another_order_of_a_sum_is_found() {
    fails("naive", 3, "another sum", 3);
}

fn messages_go_in_pieces() {
    passes("pieces", 2);
    passes("pieces", 3);
}

fn buffers_are_used_again() {
    passes("buffers", 2);
}

fn communicators_of_a_user_do_not_mix() {
    passes("split", 4);
}

fn another_program_is_an_error_on_every_rank() {
    let words = "rank 1: lu: the program is another one than that of rank 0";
    fails("another", 3, words, 3);
}

fn a_task_that_panics_ends_all() {
    fails("panics", 4, "-0.5 has no root", 1);
}

fn a_rank_that_panics_ends_all() {
    fails("unwinds", 3, "out of luck", 1);
}

fn a_rank_that_dies_ends_all() {
    fails("dies", 3, "", 0);
}

fn a_rank_that_ends_early_is_named() {
    fails("ends", 3, "rank 1 has ended", 1);
}

fn a_rank_that_is_stopped_is_named() {
    fails("stops", 3, "rank 1 has been silent", 1);
}

fn a_rank_may_end_late() {
    passes("late", 3);
}

fn messages_go_over_tcp() {
    // As between machines. Other libraries than Open MPI do not know this, and run as they do.
    passes_with("kernels", 3, &[("OMPI_MCA_btl", "tcp,self")]);
}

/// Times that ranks on two hosts may fail to start, on a machine that has much else to do.
#[cfg(target_os = "linux")]
const STARTS: usize = 3;

#[cfg(target_os = "linux")]
fn ranks_on_two_hosts_have_the_bits_of_the_function() {
    if !is_open_mpi() {
        println!("ranks on two hosts are started by Open MPI alone");
        return;
    }
    let Some(pair) = hosts::made(veth::Pair::new()) else {
        return;
    };
    for ranks in [2, 4] {
        let run = || {
            let before = pair.crossed();
            let mut command = pair.mpirun(&mpirun(), ranks);
            command.args(["-n", &ranks.to_string()]);
            command.arg("env").arg(format!("{TASK}=hosts"));
            command.arg(env::current_exe().expect("it has a path"));
            let ran = ran(command, &format!("`hosts` on {ranks} ranks"));
            (ran, pair.crossed() - before)
        };
        let is_over = |(ran, _): &(Ran, u64)| ran.code == Some(0) || ran.output.contains("bits");
        let mut tries = (0..STARTS).map(|_| run());
        let (Ran { code, output, .. }, crossed) = match tries.find(is_over) {
            Some(ended) => ended,
            None => panic!("{ranks} ranks do not start on two hosts"),
        };
        let ended = output.matches(rank::PASSED).count();
        assert!(code == Some(0) && ended == ranks, "{code:?}\n{output}");
        for name in veth::NAMES {
            let told = output.matches(&format!("on {name}")).count();
            assert_eq!(told, ranks / 2, "{output}");
        }
        // They have not found that they share a memory.
        assert!(crossed > rank::SENT as u64, "{crossed} bytes have crossed");
    }
}

#[cfg(not(target_os = "linux"))]
fn ranks_on_two_hosts_have_the_bits_of_the_function() {
    println!("there are no network namespaces");
}

fn the_program_of_the_page_runs() {
    let page = include_str!("../../docs/RANKS.md");
    let program = include_str!("mpirun/page.rs");
    let program = program
        .replace(
            "//! The program that `docs/RANKS.md` shows, which has to compile and run.\n\n",
            "// src/main.rs\nmod kernels;\n\nuse kernels::lu;\n",
        )
        .replace("use superstep_mpi_kernels::lu::lu;\n", "")
        .replace("pub(crate) fn main", "fn main");
    assert!(
        page.contains(&format!("```rust\n{program}```\n")),
        "{program}"
    );
    passes("page", 4);
}

fn errors_of_mpi_have_its_text() {
    fails("invalid", 2, "MPI_Isend failed", 1);
}

fn programs_by_hand_have_the_bits_of_the_function() {
    for ranks in [2, 3, 4] {
        passes("measure", ranks);
    }
}

/// Runs `superstep-probe` on so many ranks, with these arguments.
fn probe(ranks: usize, arguments: &[&str]) -> Ran {
    let mut command = mpirun();
    command.args(["-n", &ranks.to_string()]);
    command.arg(env!("CARGO_BIN_EXE_superstep-probe"));
    command.args(arguments);
    ran(command, &format!("superstep-probe on {ranks} ranks"))
}

fn a_probe_writes_what_builds_and_schedules_read() {
    for ranks in [2, 3, 4] {
        let file = env::temp_dir().join(format!("superstep-probe-{}.toml", std::process::id()));
        let name = file.to_str().expect("text");
        let Ran { code, output, .. } = probe(ranks, &["--out", name, "--task", "0.5"]);
        let text = fs::read_to_string(&file).unwrap_or_default();
        // Builds read it by `Machine::read` and `RankTimes::read`, schedules by `MachineFile`.
        let (machine, times) = (Machine::read(&file), RankTimes::read(&file));
        let measured = MachineFile::read(&file);
        let _ = fs::remove_file(&file);
        assert_eq!(code, Some(0), "{ranks} ranks: {output}");
        assert!(output.contains(&text), "{output}");
        let (machine, measured) = (machine.expect("valid"), measured.expect("valid"));
        assert_eq!(machine, measured.machine(0.5));
        assert_eq!(machine.processors as usize, ranks);
        assert!(machine.latency > 0.0, "{text}");
        let times = times.expect("valid").expect("ranks were measured");
        let groups: Vec<usize> = times.barrier.iter().map(|row| row.0 as usize).collect();
        assert!(groups.into_iter().eq(2..=ranks), "{text}");
        assert!(times.one_way.iter().all(|&(_, time)| time > 0.0), "{text}");
        let of = times.times(&Times::default());
        assert!(of.barrier > 0.0 && of.gap > 0.0 && of.call > 0.0, "{text}");
    }
}

fn a_probe_that_cannot_measure_or_write_fails_on_every_rank() {
    let refused = |ranks, arguments: &[&str], words: &[&str]| {
        let Ran { code, output, took } = probe(ranks, arguments);
        let is_told = words.iter().all(|words| output.contains(words));
        assert!(is_told && code != Some(0), "{code:?}: {output}");
        assert!(took < SOON, "{took:?}");
    };
    refused(1, &[], &["there is one rank"]);
    refused(2, &["--task", "0"], &["`--task` must be"]);
    let file = "/no/such/folder/machine.toml";
    refused(
        3,
        &["--out", file],
        &["superstep-probe: /no/such/folder/machine.toml: "],
    );
}

fn main() -> ExitCode {
    if let Ok(task) = env::var(TASK) {
        return rank::run(&task);
    }
    let wanted: Vec<String> = env::args()
        .skip(1)
        .filter(|it| !it.starts_with('-'))
        .collect();
    macro_rules! checks {
        ($($name:ident),* $(,)?) => { [$((stringify!($name), $name as fn())),*] };
    }
    let checks = checks![
        kernels_have_the_bits_of_the_function,
        plans_have_the_bits_of_the_function,
        a_lost_word_of_a_message_is_found,
        sums_have_the_bits_of_one_process,
        another_order_of_a_sum_is_found,
        messages_go_in_pieces,
        buffers_are_used_again,
        communicators_of_a_user_do_not_mix,
        another_program_is_an_error_on_every_rank,
        a_task_that_panics_ends_all,
        a_rank_that_panics_ends_all,
        a_rank_that_dies_ends_all,
        a_rank_that_ends_early_is_named,
        a_rank_that_is_stopped_is_named,
        a_rank_may_end_late,
        messages_go_over_tcp,
        ranks_on_two_hosts_have_the_bits_of_the_function,
        the_program_of_the_page_runs,
        errors_of_mpi_have_its_text,
        programs_by_hand_have_the_bits_of_the_function,
        a_probe_writes_what_builds_and_schedules_read,
        a_probe_that_cannot_measure_or_write_fails_on_every_rank,
    ];
    let mut failed = 0;
    for (name, check) in checks {
        if wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str())) {
            let begin = Instant::now();
            let is_well = std::panic::catch_unwind(check).is_ok();
            failed += usize::from(!is_well);
            let verdict = if is_well { "ok" } else { "FAILED" };
            println!(
                "test {name} ... {verdict} ({:.1} s)",
                begin.elapsed().as_secs_f64()
            );
        }
    }
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
