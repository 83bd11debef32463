//! Reasons for cargo to run the build script again.

use std::path::Path;

/// Returns what the build script told cargo, warnings aside.
fn instructions() -> Vec<String> {
    let output = Path::new(env!("OUT_DIR")).with_file_name("output");
    let text = std::fs::read_to_string(output).expect("cargo keeps what a build script prints");
    let told = |line: &&str| line.starts_with("cargo::") && !line.starts_with("cargo::warning=");
    text.lines().filter(told).map(str::to_owned).collect()
}

#[test]
fn only_the_files_of_kernels_and_our_variables_are_watched() {
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/kernels");
    let mut instructions = instructions();
    let variables = ["SUPERSTEP_TIMES", "SUPERSTEP_SKIP"];
    for name in variables {
        let watched = format!("cargo::rerun-if-env-changed={name}");
        let before = instructions.len();
        instructions.retain(|instruction| *instruction != watched);
        assert!(instructions.len() < before, "{name}");
    }
    instructions
        .retain(|instruction| !instruction.starts_with("cargo::rustc-env=SUPERSTEP_PROGRAMS="));
    assert!(
        !instructions.is_empty(),
        "without any, every file of the package counts"
    );
    for instruction in &instructions {
        let file = instruction.strip_prefix("cargo::rerun-if-changed=");
        let file = file.unwrap_or_else(|| panic!("{instruction}"));
        assert!(Path::new(file).is_file(), "{file}");
        assert_eq!(Path::new(file).parent(), Some(&*kernels), "{file}");
    }
}
