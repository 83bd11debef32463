//! `cargo superstep farm`, seen from outside.

mod outside;

use outside::rounded;

/// Returns exit code and both outputs of `cargo superstep farm`.
fn run(arguments: &str) -> (i32, String, String) {
    outside::run("farm", &arguments.split(' ').collect::<Vec<_>>())
}

#[track_caller]
fn output(arguments: &str) -> String {
    let (code, output, errors) = run(arguments);
    assert_eq!((code, &errors[..]), (0, ""), "{arguments}");
    output
}

/// Table 1 of the PTUMR paper.
const TABLE: &str =
    "--workers 100 --worker-bandwidth 120 --master-bandwidth 600 --nlat 0.01 --clat 0.5";

#[test]
fn a_plan_has_rounds_groups_and_chunks() {
    insta::assert_snapshot!(output(&format!("plan --work 1000 {TABLE}")));
}

#[test]
fn a_plan_is_printed_as_json() {
    let arguments = "plan --work 20 --workers 3 --worker-bandwidth 10 --master-bandwidth 20 \
                     --nlat 0.01 --tlat 0.1 --clat 0.2 --weights 1,2,1 --algorithm umr --json";
    insta::assert_snapshot!(rounded(&output(arguments)));
}

/// In `cluster.toml` the slowest way from a to the others has 80 Mbit/s, 10^7 bytes in a second,
/// and 60 us. The link of a has ten times as many.
#[test]
fn a_machine_file_gives_workers_bandwidths_and_latencies() {
    let work = "--work 100000 --speed 5000 --json";
    let of_file = output(&format!("plan {work} --machine cluster.toml --unit 100"));
    let links = "--worker-bandwidth 100000 --master-bandwidth 1000000 --nlat 0.0001 --tlat 0.00006";
    assert_eq!(of_file, output(&format!("plan {work} -n 2 {links}")));
    // What is given counts, and the first of the others are workers.
    let one = "--machine cluster.toml --unit 100 --workers 1 --master b --nlat 0";
    let links = "--worker-bandwidth 500000 --master-bandwidth 500000 --nlat 0 --tlat 0.00004";
    assert_eq!(
        output(&format!("plan {work} {one}")),
        output(&format!("plan {work} -n 1 {links}"))
    );
}

#[test]
fn machine_files_without_such_hosts_are_refused() {
    let error = |arguments: &str, code: i32| {
        let (found, _, errors) = run(&format!("plan --work 10 {arguments}"));
        assert_eq!(found, code, "{errors}");
        errors
    };
    let machine = "--machine cluster.toml --unit 8";
    let told = [
        (
            "--master d",
            "error: the machine file has no host `d` to be the master\n",
        ),
        (
            "-n 3",
            "error: 3 workers are too many: the machine file has 3 hosts, one of them the master, so there are at most 2\n",
        ),
    ];
    for (arguments, told) in told {
        assert_eq!(
            error(&format!("{machine} {arguments}"), 1).trim_end(),
            told.trim_end()
        );
    }
    assert!(error("--machine two_sites.toml --unit 8", 1).contains("no tree of hosts"));
    assert!(error("--machine cluster.toml", 2).contains("--unit"));
    assert!(error("--machine cluster.toml --unit 0", 2).contains("above 0"));
    assert!(error("--speed 2", 2).contains("--workers"));
}

#[test]
fn algorithms_are_those_of_the_paper() {
    let makespan = |algorithm: &str| {
        let text = output(&format!(
            "plan --work 1000 {TABLE} --algorithm {algorithm} --json"
        ));
        let plan: serde_json::Value = serde_json::from_str(&text).unwrap();
        let of = |name: &str| plan[name].as_u64().unwrap();
        assert_eq!(
            of("rounds"),
            plan["chunks"].as_array().unwrap().len() as u64
        );
        assert_eq!(of("workers_used"), 100);
        assert_eq!(plan["limit"], 10.5);
        (of("group"), plan["makespan"].as_f64().unwrap())
    };
    let (group, umr) = makespan("umr");
    assert_eq!(group, 1);
    assert!((umr - 13.5966).abs() < 1e-4, "{umr}");
    let (group, ptumr) = makespan("ptumr");
    assert_eq!(group, 28);
    assert!((ptumr - 11.1319).abs() < 1e-4, "{ptumr}");
    assert_eq!(makespan("auto"), (group, ptumr));
    assert!(makespan("single").1 > ptumr);
}

#[test]
fn policies_are_simulated_and_one_is_chosen() {
    let platform = "--workers 4 --worker-bandwidth 1e5 --master-bandwidth 2e5 --nlat 1e-3 --tlat 1e-3 --clat 2e-3";
    insta::assert_snapshot!(output(&format!(
        "simulate costs.csv {platform} --error 0.3 --policy all"
    )));
    let json = output(&format!(
        "simulate costs.csv {platform} --policy fac2 --json"
    ));
    insta::assert_snapshot!(rounded(&json));
}

#[test]
fn what_cannot_be_done_is_said() {
    let cases = [
        (
            "plan --work 1 --workers 2 --nlat -1",
            "setup is -1, which must be finite and not negative",
        ),
        (
            "plan --work nan --workers 2",
            "work is NaN, which must be finite and not negative",
        ),
        (
            "plan --work 1 --workers 2 --master-bandwidth 0",
            "master_bandwidth is 0, which must be above 0",
        ),
        (
            "plan --work 1 --workers 2 --weights 1",
            "there are 1 weights, and 2 are needed: each worker has one",
        ),
        (
            "plan --work 1 --workers 2 --weights 1,inf",
            "weights[1] is inf, which must be finite and above 0",
        ),
        (
            "plan --work 1 --workers 2 --weights 1e308,1e308",
            "the sum of weights, up to weights[1], is beyond the largest number",
        ),
        (
            "simulate costs.csv --workers 2 --policy wf2",
            "wf2 is for workers of different speeds",
        ),
        (
            "simulate costs.csv --workers 2 --error -1",
            "error is -1, which must be finite and not negative",
        ),
        (
            "simulate missing.csv --workers 2",
            "missing.csv cannot be read",
        ),
        ("simulate rtt.csv --workers 2", "rtt.csv:"),
    ];
    for (arguments, message) in cases {
        let (code, output, errors) = run(arguments);
        assert_eq!((code, &output[..]), (1, ""), "{arguments}");
        assert!(errors.contains(message), "{arguments}: {errors}");
    }
    for arguments in [
        "plan --work 1 --workers 0",
        "plan --workers 2",
        "simulate costs.csv",
    ] {
        assert_eq!(run(arguments).0, 2, "{arguments}");
    }
}

#[test]
fn no_work_is_an_empty_plan() {
    let text = output("plan --work 0 --workers 2 --json");
    let plan: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&plan["rounds"], &plan["makespan"]),
        (&0.into(), &0.0.into())
    );
}
