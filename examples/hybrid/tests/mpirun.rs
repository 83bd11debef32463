//! The program under `mpirun`, which the variable `MPIRUN` may name otherwise.

use std::env;
use std::process::{Command, Output};

/// Runs the program on so many ranks, for a minute at most.
fn run(ranks: usize, arguments: &[&str]) -> Output {
    let mpirun = env::var_os("MPIRUN").unwrap_or_else(|| "mpirun".into());
    let version = Command::new(&mpirun).arg("--version").output();
    let version = version.expect("`MPIRUN` names a command").stdout;
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", "60"]).arg(mpirun);
    if String::from_utf8_lossy(&version).contains("open-mpi.org") {
        command.args([
            "--oversubscribe",
            "--allow-run-as-root",
            "--bind-to",
            "none",
        ]);
    }
    command.args([
        "-n",
        &ranks.to_string(),
        env!("CARGO_BIN_EXE_superstep-example-hybrid"),
    ]);
    command.args(arguments).output().expect("`timeout` runs")
}

#[test]
fn ranks_have_the_bits_of_one_process() {
    for (ranks, arguments) in [
        (1, &["10", "--threads", "2"][..]),
        (2, &["10", "--threads", "2"]),
        (3, &["10"]),
        (4, &["rajat01", "--threads", "1"]),
        (8, &["10", "--threads", "1"]),
    ] {
        let output = run(ranks, arguments);
        let text = String::from_utf8_lossy(&output.stdout);
        let is_well = output.status.success() && text.contains("identical: yes");
        assert!(is_well, "{ranks} ranks: {output:?}");
        assert!(text.contains(&format!(" {ranks} ranks x ")), "{text}");
    }
}

#[test]
fn a_rank_without_input_ends_all() {
    let output = run(3, &["no/such/file.mtx"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && text.contains("no/such/file.mtx"),
        "{output:?}"
    );
    assert_ne!(output.status.code(), Some(124), "it hangs");
}
