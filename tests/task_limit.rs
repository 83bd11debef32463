//! The error of a build that has more tasks than its limit: kernel, size, memory and what to do.
#![cfg(feature = "build")]

use std::process::Command;
use std::{env, fs};

use superstep::build::__private::{ControlWriter, Kernel, Recorder, Role};
use superstep::build::{BuildError, Builder, Instance};

/// `for i in 0..n { x[i] = x[i]; }`, which the builder knows as `copy(n = ...)`.
fn copy(n: usize) -> Instance {
    let mut kernel = Kernel::new("copy");
    kernel.file = "src/kernels.rs".into();
    kernel.line = 5;
    let x = kernel.add_array("x", Role::InOut, None);
    kernel.add_statement("x[i] = x[i]", x, &[x]);
    kernel.statements[0].line = 7;
    kernel.variables.push("i".into());
    let trace = move |recorder: &mut Recorder| {
        for at in 0..n {
            recorder.iteration(0, 0, at as i64);
            recorder.task(0, x, at, [(x, at)]);
        }
    };
    let label = format!("n = {n}");
    Instance::new(kernel, ControlWriter::new(), label, Vec::new(), trace)
}

/// Builds beyond the limit, and within it, in the folder that cargo gives build scripts.
fn build() {
    let limited = |limit| {
        Builder::new()
            .kernel(copy(1001))
            .task_limit(limit)
            .try_run()
    };
    let error = limited(1000).expect_err("there is one task more");
    assert!(matches!(error, BuildError::Limit { .. }));
    println!("told: {error}");
    limited(1001).expect("all tasks are within the limit");
}

/// Runs itself once more, as a builder asks for a variable that cargo sets for build scripts.
#[test]
fn an_error_names_kernel_and_size_and_what_to_do() {
    if env::var_os("OUT_DIR").is_some() {
        return build();
    }
    let out = env::temp_dir().join(format!("superstep-task-limit-{}", std::process::id()));
    fs::create_dir_all(&out).expect("a folder can be made");
    let build = Command::new(env::current_exe().expect("this test has a path"))
        .args([
            "--exact",
            "an_error_names_kernel_and_size_and_what_to_do",
            "--nocapture",
        ])
        .env("OUT_DIR", &out)
        .output();
    fs::remove_dir_all(&out).expect("the folder is there");
    let build = build.expect("this test can be run again");
    let printed = String::from_utf8_lossy(&build.stdout);
    assert!(build.status.success(), "{printed}");
    let told = printed.lines().find_map(|line| line.split_once("told: "));
    let (_, told) = told.expect("the error is printed");
    // How much memory is free depends on the machine.
    let (before, after) = told.split_once(", of ").unwrap_or((told, " that are free"));
    assert_eq!(
        before,
        "src/kernels.rs:7, kernel `copy`, in `x[i] = x[i]`, at i = 1000: more than 1000 tasks; to build `copy(n = 1001)` takes more than 0.2 MB"
    );
    assert!(
        after.ends_with("bytes a task: build a smaller size, or raise the builder's `task_limit`"),
        "{after}"
    );
}
