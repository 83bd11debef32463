//! Ways to build a crate with kernels: each gives a program that runs, a plan, or the function and
//! the reason.
//!
//! The test writes packages to a folder of its own and has cargo build them, for some of a minute:
//! `cargo test --test builds -- --ignored`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// Packages in a folder, and the folder where cargo builds them.
struct Packages {
    folder: PathBuf,
}

const KERNEL: &str = "
use superstep::kernel;

#[kernel]
pub fn double(n: usize, x: &mut [f64]) {
    for i in 0..n {
        x[i] *= 2.0;
    }
}
";

const BUILD: &str = r#"
#[path = "src/kernels.rs"]
mod kernels;

fn main() -> std::process::ExitCode {
    superstep::build::Builder::new().kernel(kernels::double::instance(8).exactly([2])).run()
}
"#;

/// Says what ran: the program, or why not.
const MAIN: &str = r#"
use NAME::kernels::double;

fn main() {
    let mut x = vec![1.5; 8];
    double::with().exactly(2).run(8, &mut x).unwrap();
    assert_eq!(x, [3.0; 8]);
    println!("{:?} {:?}", superstep::last_run().map(|ran| ran.processors), superstep::last_reason());
}
"#;

const RAN: &str = "Some(2) None";

impl Packages {
    fn new() -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("builds");
        let _ = fs::remove_dir_all(&folder);
        Self { folder }
    }

    /// Writes a package with a kernel, a build script and `src/main.rs`, without plans, whose
    /// dependencies have these lines.
    fn kernels(&self, name: &str, dependencies: &str) {
        let facade = env!("CARGO_MANIFEST_DIR");
        let manifest = format!(
            "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nsuperstep = {{ path = {facade:?}, default-features = false }}\n{dependencies}\n\
             [build-dependencies]\nsuperstep = {{ path = {facade:?}, default-features = false, features = [\"build\"] }}\n\n\
             [workspace]\n"
        );
        self.write(&format!("{name}/Cargo.toml"), &manifest);
        self.write(&format!("{name}/build.rs"), BUILD);
        self.write(&format!("{name}/src/kernels.rs"), KERNEL);
        self.write(&format!("{name}/src/lib.rs"), "pub mod kernels;\n");
        let main = MAIN.replace("NAME", &name.replace('-', "_"));
        self.write(&format!("{name}/src/main.rs"), &main);
    }

    fn write(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().expect("it is in a package")).expect("a writable folder");
        fs::write(path, text).expect("a writable folder");
    }

    /// Runs cargo in a package.
    fn cargo(&self, package: &str, arguments: &[&str], flags: &str) -> Output {
        self.command(package, arguments, flags)
            .output()
            .expect("cargo runs")
    }

    fn command(&self, package: &str, arguments: &[&str], flags: &str) -> Command {
        let folder = self.folder.join(package);
        let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock");
        if !folder.join("Cargo.lock").exists() {
            fs::copy(lock, folder.join("Cargo.lock")).expect("a writable folder");
        }
        let mut command = Command::new(env!("CARGO"));
        command
            .current_dir(folder)
            .args(arguments)
            .arg("--offline")
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env("CARGO_INCREMENTAL", "0")
            .env("RUSTFLAGS", flags)
            .env_remove("SUPERSTEP_PROGRAMS")
            .env_remove("SUPERSTEP_SKIP");
        command
    }

    /// Builds and runs a package: the last line that it prints, and what cargo says.
    fn run(&self, package: &str, arguments: &[&str], flags: &str) -> (String, String) {
        let output = self.cargo(package, &[&["run"], arguments].concat(), flags);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        let printed = String::from_utf8_lossy(&output.stdout);
        let last = printed.lines().last().unwrap_or_default().to_owned();
        (last, said)
    }

    /// The folders of files that were generated for a package.
    fn generated(&self, package: &str) -> Vec<PathBuf> {
        let build = self.folder.join("target/debug/build");
        let folders = build.read_dir().expect("it was built");
        let folders = folders.map(|folder| folder.expect("a readable folder").path());
        let is_of = |folder: &PathBuf| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            name.rsplit_once('-')
                .is_some_and(|(name, _)| name == package)
        };
        let out = folders
            .filter(is_of)
            .map(|folder| folder.join("out/superstep"));
        out.filter(|folder| folder.is_dir()).collect()
    }
}

/// The target that the compiler builds for.
fn host() -> String {
    let output = Command::new(Path::new(env!("CARGO")).with_file_name("rustc"))
        .arg("-vV")
        .output()
        .expect("the compiler stands beside cargo");
    let text = String::from_utf8(output.stdout).expect("it is text");
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("the compiler has a host").to_owned()
}

#[test]
#[ignore = "has cargo build superstep once more"]
fn every_way_to_build_gives_the_program_or_the_reason() {
    let packages = Packages::new();
    packages.kernels("plain", "");
    assert_eq!(packages.run("plain", &[], "").0, RAN);
    only_kernels_that_change_are_scheduled_again(&packages);
    editors_may_skip_programs(&packages);
    files_that_were_deleted_are_missed(&packages);
    a_copy_of_the_kernel_is_told_of(&packages);
    a_crate_may_be_called_like_a_build_script(&packages);
    a_constant_of_a_helper_crate_may_differ(&packages);
    paths_may_be_remapped_for_one_side(&packages);
    one_file_is_enough(&packages);
    the_examples_of_the_readme_compile_as_printed(&packages);
    the_page_on_programs_is_true(&packages);
}

/// Two kernels in a file: one moves, then it changes.
fn only_kernels_that_change_are_scheduled_again(packages: &Packages) {
    packages.kernels("kept", "");
    let triple = "kernels::triple::instance(8).exactly([2])";
    let build = BUILD.replace(".run()", &format!(".kernel({triple}).run()"));
    packages.write("kept/build.rs", &build);
    let other = KERNEL.replace("use superstep::kernel;", "");
    let other = other.replace("double", "triple").replace("2.0", "3.0");
    let known = |between: &str, other: &str| {
        let kernels = format!("{KERNEL}{between}{other}");
        packages.write("kept/src/kernels.rs", &kernels);
        let output = packages.cargo("kept", &["run", "-vv"], "");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert!(output.status.success() && said.contains(RAN), "{said}");
        let note = |kernel| format!("{kernel}: as in an earlier build");
        ["double", "triple"].map(|kernel| said.contains(&note(kernel)))
    };
    // One is a kernel of another package in the same target folder.
    assert_eq!(known("", &other), [true, false]);
    assert_eq!(known("// It moves.\n", &other), [true, true]);
    let changed = other.replace("0..n", "1..n");
    assert_eq!(known("", &changed), [true, false]);
}

fn editors_may_skip_programs(packages: &Packages) {
    let mut command = packages.command("plain", &["run"], "");
    let output = command.env("SUPERSTEP_SKIP", "1").output();
    let output = output.expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && !said.contains("warning"),
        "{said}"
    );
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed.trim_end(), "None Some(NotBuilt)");
    assert_eq!(packages.run("plain", &[], "").0, RAN);
}

fn files_that_were_deleted_are_missed(packages: &Packages) {
    for folder in packages.generated("plain") {
        fs::remove_dir_all(folder).expect("a writable folder");
    }
    let (printed, said) = packages.run("plain", &[], "");
    assert!(
        said.contains("the programs of the kernel `double` were generated and are gone"),
        "{said}"
    );
    assert_eq!(printed, "None Some(NotBuilt)");
}

fn a_copy_of_the_kernel_is_told_of(packages: &Packages) {
    packages.kernels("copied", "");
    packages.write("copied/build/kernels.rs", KERNEL);
    packages.write(
        "copied/build.rs",
        &BUILD.replace("src/kernels.rs", "build/kernels.rs"),
    );
    let (printed, said) = packages.run("copied", &[], "");
    assert!(
        said.contains("programs for a copy of the kernel `double`"),
        "{said}"
    );
    assert_eq!(printed, "None Some(NotBuilt)");
}

fn a_crate_may_be_called_like_a_build_script(packages: &Packages) {
    packages.kernels("build-script-plain", "");
    assert_eq!(packages.run("build-script-plain", &[], "").0, RAN);
}

/// A feature of a helper crate that `[dependencies]` alone sets.
fn a_constant_of_a_helper_crate_may_differ(packages: &Packages) {
    let helper = "[package]\nname = \"helper\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[features]\nwide = []\n\n[workspace]\n";
    packages.write("helper/Cargo.toml", helper);
    packages.write(
        "helper/src/lib.rs",
        "pub const STEP: usize = if cfg!(feature = \"wide\") { 2 } else { 1 };\n",
    );
    let dependency = "helper = { path = \"../helper\"";
    packages.kernels(
        "differs",
        &format!("{dependency}, features = [\"wide\"] }}\n"),
    );
    let manifest = packages.folder.join("differs/Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("it was written");
    let text = text.replace("\n[workspace]", &format!("{dependency} }}\n\n[workspace]"));
    fs::write(manifest, text).expect("a writable folder");
    let kernel = KERNEL.replace("x[i] *=", "x[i * helper::STEP % n] *=");
    packages.write("differs/src/kernels.rs", &kernel);
    let main = MAIN.replace("NAME", "differs").replace(
        "assert_eq!(x, [3.0; 8]);",
        "assert_eq!(x[..2], [6.0, 1.5]);",
    );
    packages.write("differs/src/main.rs", &main);
    let (printed, _) = packages.run("differs", &[], "");
    assert_eq!(printed, "None Some(Differs(\"`helper::STEP`\"))");
}

/// With `--target`, flags of the compiler hold for the crate and not for its build script. Cargo
/// names the files of a package outside of the workspace by their whole paths.
fn paths_may_be_remapped_for_one_side(packages: &Packages) {
    packages.kernels("remapped", "");
    let app = "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nremapped = { path = \"../remapped\" }\n";
    let facade = env!("CARGO_MANIFEST_DIR");
    packages.write(
        "app/Cargo.toml",
        &format!(
            "{app}superstep = {{ path = {facade:?}, default-features = false }}\n\n[workspace]\n"
        ),
    );
    packages.write("app/src/main.rs", &MAIN.replace("NAME", "remapped"));
    let flags = format!("--remap-path-prefix={}=/source", packages.folder.display());
    let (printed, said) = packages.run("app", &["--target", &host()], &flags);
    assert_eq!(printed, RAN, "{said}");
}

/// A kernel in `src/main.rs`, without a build script: calls make a plan, with the feature `plan`
/// and without a word about it. Without the feature they run the function.
fn one_file_is_enough(packages: &Packages) {
    let main = r#"
use superstep::kernel;

#[kernel]
fn rows(n: usize, a: &[f64], y: &mut [f64]) {
    for i in 0..n {
        let mut sum = 0.0;
        for j in 0..n {
            sum += (a[i * n + j] + y[i]).sqrt();
        }
        y[i] = sum;
    }
}

fn main() {
    let a: Vec<f64> = (0..300 * 300).map(|i| (i % 7) as f64).collect();
    let (mut once, mut again) = (vec![1.0; 300], vec![1.0; 300]);
    rows(300, &a, &mut once);
    rows::with().exactly(2).run(300, &a, &mut again).unwrap();
    assert_eq!(once, again);
    println!("{:?} {:?}", superstep::last_run().map(|ran| ran.processors), superstep::last_reason());
}
"#;
    let facade = env!("CARGO_MANIFEST_DIR");
    for (name, features, ran) in [
        ("one-file", "", "Some(2) Some(Planned)"),
        (
            "no-plan",
            ", default-features = false",
            "None Some(NotBuilt)",
        ),
    ] {
        let manifest = format!(
            "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nsuperstep = {{ path = {facade:?}{features} }}\n\n[workspace]\n"
        );
        packages.write(&format!("{name}/Cargo.toml"), &manifest);
        packages.write(&format!("{name}/src/main.rs"), main);
        let (printed, said) = packages.run(name, &[], "");
        assert_eq!(printed, ran, "{said}");
        assert!(!said.contains("warning"), "{said}");
    }
}

const README: &str = include_str!("../README.md");
const PROGRAMS: &str = include_str!("../docs/PROGRAMS.md");
const RANKS: &str = include_str!("../docs/RANKS.md");

/// The function around the README's lines without a `main`, with the data that they name.
const AROUND: [&str; 2] = [
    "\nfn render(scene: &u32) -> u32 {
    scene * scene
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (n, row, col) = (2, [0, 1, 3], [0, 0, 1]);
    let (l, mut x) = ([2.0, 1.0, 4.0], [2.0, 5.0]);
    let scenes = vec![1, 2, 3];
",
    "
    assert_eq!((x, images, sum), ([1.0, 1.0], vec![1, 4, 9], Some(4950.0)));
    Ok(())
}
",
];

/// The operands of the README's sum, whose name its plan has too.
const OPERANDS: &str = "let x: std::sync::Arc<[f64]> = (0..100).map(f64::from).collect();";

/// Returns the blocks of a page in a language.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let blocks = page.split("```").skip(1).step_by(2);
    let of_language = blocks.filter_map(|block| block.split_once('\n'));
    let of_language = of_language.filter(|&(found, _)| found == language);
    of_language.map(|(_, text)| text).collect()
}

/// Returns the name in the first line of a block: that of its file, if any.
fn file(block: &str) -> Option<&str> {
    let first = block.lines().next().unwrap_or_default();
    let name = first.strip_prefix("// ").or(first.strip_prefix("# "))?;
    let is_file = [".rs", ".toml"].iter().any(|end| name.ends_with(end));
    is_file.then_some(name)
}

impl Packages {
    /// Writes a package's manifest, whose dependencies a page has, with the facade that is tested.
    fn manifest(&self, name: &str, dependencies: &str) {
        let facade = env!("CARGO_MANIFEST_DIR");
        let head =
            format!("[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n");
        let patch =
            format!("\n[patch.crates-io]\nsuperstep = {{ path = {facade:?} }}\n\n[workspace]\n");
        let manifest = format!("{head}{dependencies}{patch}");
        self.write(&format!("{name}/Cargo.toml"), &manifest);
    }
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The kernel of the README, its lines without a `main`, its build script with the kernel moved.
///
/// Its lines for ranks are those of the program of `docs/RANKS.md`, which the tests of `mpi/` run.
fn the_examples_of_the_readme_compile_as_printed(packages: &Packages) {
    let [dependencies] = blocks(README, "toml")[..] else {
        panic!("one manifest");
    };
    let [kernel, build, ranks, plan, both] = blocks(README, "rust")[..] else {
        panic!("a kernel, a program of the build, ranks, a plan, and a farm with a sum");
    };
    let (farm, sum) = both.split_at(both.find("let sum").expect("a sum behind the farm"));
    let named = [kernel, build, ranks, plan, both].map(file);
    let files = [Some("src/main.rs"), Some("build.rs"), None, None, None];
    assert_eq!(named, files);
    let on_ranks = without_spaces(RANKS);
    for line in ranks.lines() {
        let (line, _) = line.split_once(" //").expect("a line with a comment");
        assert!(on_ranks.contains(&without_spaces(line)), "{line}");
    }
    packages.manifest("readme", dependencies);
    packages.write("readme/src/main.rs", kernel);
    let (solve, plan) = plan
        .split_once("\nlet ")
        .expect("a kernel, and lines that plan it");
    let [before, after] = AROUND;
    let sum = format!("let sum = {{\n{OPERANDS}\n{sum}sum\n}};");
    let lines = format!("{solve}{before}let {plan}{farm}{sum}{after}");
    packages.write("readme/src/bin/lines.rs", &lines);
    // They compare the two results, and what is known of the others.
    packages.run("readme", &["--bin", "readme"], "");
    packages.run("readme", &["--bin", "lines"], "");

    let [dependencies] = blocks(PROGRAMS, "toml")[..] else {
        panic!("one manifest, to which the README leads");
    };
    packages.manifest("readme-build", dependencies);
    packages.write("readme-build/build.rs", build);
    let (kernel, main) = kernel.split_once("fn main()").expect("a program");
    let kernel = kernel.replace("\nfn lu(", "\npub fn lu(");
    packages.write("readme-build/src/kernels.rs", &kernel);
    let main = format!("mod kernels;\nuse kernels::lu;\n\nfn main(){main}");
    packages.write("readme-build/src/main.rs", &main);
    packages.run("readme-build", &[], "");
    assert_eq!(packages.generated("readme-build").len(), 1);
}

/// The files of `docs/PROGRAMS.md`, and its commands but for those that are installed.
fn the_page_on_programs_is_true(packages: &Packages) {
    let mut files: Vec<&str> = Vec::new();
    for block in blocks(PROGRAMS, "rust") {
        let name = file(block).expect("blocks begin with the names of their files");
        packages.write(&format!("programs/{name}"), block);
        files.push(name);
    }
    assert_eq!(files, ["src/kernels.rs", "build.rs", "src/main.rs"]);
    let [dependencies] = blocks(PROGRAMS, "toml")[..] else {
        panic!("one manifest");
    };
    packages.manifest("programs", dependencies);
    let mut ran = Vec::new();
    for line in blocks(PROGRAMS, "sh").into_iter().flat_map(str::lines) {
        let command = line.split('#').next().unwrap_or_default();
        let (settings, words): (Vec<&str>, Vec<&str>) = command
            .split_whitespace()
            .partition(|word| word.contains('='));
        let ["cargo", arguments @ ..] = &words[..] else {
            panic!("`{line}` is no command of cargo");
        };
        if arguments.first() == Some(&"superstep") {
            continue;
        }
        let mut command = packages.command("programs", arguments, "");
        command.envs(
            settings
                .iter()
                .filter_map(|setting| setting.split_once('=')),
        );
        let output = command.output().expect("cargo runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{line}\n{said}");
        ran.push(arguments[0]);
    }
    assert_eq!(ran, ["run", "check"]);
}
