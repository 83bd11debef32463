//! `cargo superstep plan`, seen from outside.

mod outside;

/// Returns exit code and both outputs of `cargo superstep plan`.
fn run(arguments: &str) -> (i32, String, String) {
    outside::run("plan", &arguments.split(' ').collect::<Vec<_>>())
}

#[test]
fn every_kernel_is_planned_with_the_same_bits() {
    for kernel in ["sptrsv", "backward", "ilu0", "ic0", "symgs", "lu"] {
        let (code, output, errors) = run(&format!(
            "matrix.mtx --kernel {kernel} --processors 2 --seconds 0 --json"
        ));
        assert_eq!((code, &errors[..]), (0, ""), "{kernel}");
        let standing: serde_json::Value = serde_json::from_str(&output).unwrap();
        assert_eq!(standing["kernel"], kernel);
        assert_eq!(standing["rows"], 4);
        assert_eq!(standing["identical"], true);
        assert_eq!(standing["schedule"], "sequential");
    }
}

#[test]
fn the_text_has_the_report() {
    let (code, output, _) = run("matrix.mtx --processors 2 --seconds 0");
    assert_eq!(code, 0);
    for text in [
        "sptrsv: 4 rows, 7 entries\n4 iterations in ",
        "\nsequential: too little work: ",
        "\nfunction as written ",
        "\nplanning            ",
        "\nidentical           yes\n",
    ] {
        assert!(output.contains(text), "{text} in {output}");
    }
}

#[test]
fn refusals_name_the_file_and_the_place() {
    let cases = [
        (
            "oblong.mtx",
            "error: oblong.mtx: a square matrix is needed, this one has 2 rows and 3 columns\n\n",
        ),
        (
            "spoiled.mtx",
            "error: spoiled.mtx: line 3, column 1: expected a row from 1 to 2, found `3`\n\n",
        ),
    ];
    for (file, message) in cases {
        assert_eq!(run(file), (1, String::new(), message.into()), "{file}");
    }
    let (code, _, errors) = run("matrix.mtx --kernel qr");
    assert_eq!(code, 2);
    let message =
        "no kernel is called `qr`: there are sptrsv, backward, sptrsm, ilu0, ic0, symgs, lu";
    assert!(errors.contains(message), "{errors}");
}
