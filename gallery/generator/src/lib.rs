//! Writes the gallery: kernels in source form, the list of their instances, and their tests.
//!
//! ```text
//! cargo run -p superstep-gallery-generator
//! ```
//!
//! rewrites what is committed; a test checks that it would change nothing. All choices come from
//! fixed seeds. There are two kinds of kernels:
//!
//! * classical ones and shapes of control, with expressions drawn at random ([`families`]);
//! * loop nests drawn as a whole ([`nest`]).

pub mod draw;
pub mod families;
pub mod kernel;
pub mod nest;
pub mod word;

use std::fmt::Write;

use families::Family;
use kernel::{Kernel, indented};

/// Processor counts, by rotation.
const PROCESSORS: [&[usize]; 7] = [&[2, 5], &[3], &[1, 2], &[5], &[2, 3], &[1], &[2]];

/// Every generated file of the gallery: its path in the gallery's folder, and its text.
pub fn files() -> Vec<(String, String)> {
    let families = families::all();
    let mut files = vec![
        ("src/kernels/mod.rs".into(), modules(&families)),
        ("src/instances.rs".into(), instances(&families)),
        ("tests/identical/main.rs".into(), test_modules(&families)),
    ];
    for family in &families {
        files.push((format!("src/kernels/{}.rs", family.name), kernels(family)));
        files.push((format!("tests/identical/{}.rs", family.name), tests(family)));
    }
    files
}

const MARK: &str = "// Written by superstep-gallery-generator; do not edit.\n";

fn modules(families: &[Family]) -> String {
    let mut text = format!("{MARK}//! The kernels, family by family.\n\n");
    for family in families {
        line(
            &mut text,
            &format!("#[rustfmt::skip]\npub mod {};", family.name),
        );
    }
    text + "pub mod pair;\n"
}

fn test_modules(families: &[Family]) -> String {
    let mut text =
        format!("{MARK}//! Every kernel of the gallery against its generated programs.\n\n");
    for family in families {
        line(
            &mut text,
            &format!("#[rustfmt::skip]\nmod {};", family.name),
        );
    }
    text
}

fn kernels(family: &Family) -> String {
    let source: String = family.kernels.iter().map(Kernel::source).collect();
    let mut text = format!(
        "{MARK}//! {}\n\n#![allow(unused, clippy::all)]\n\n",
        family.doc
    );
    if source.contains("Complex") {
        line(&mut text, "use num_complex::Complex;");
    }
    line(&mut text, "use superstep::kernel;");
    if source.contains("Pair") {
        line(&mut text, "\nuse super::pair::Pair;");
    }
    if source.contains("twice(") {
        text.push_str(HELPERS);
    }
    text + &source
}

const HELPERS: &str = "
/// The second of a value's two equal copies: a pure function.
fn twice<T: Copy>(value: T) -> T {
    [value, value][1]
}

/// One of two values.
fn later<T>(first: T, second: T, choice: usize) -> T {
    if choice % 3 == 0 { first } else { second }
}
";

/// Each family's kernels in order, numbered throughout: the number decides for which processor
/// counts each is built.
fn rotation(families: &[Family]) -> impl Iterator<Item = (&Family, &Kernel, usize)> {
    let kernels = families
        .iter()
        .flat_map(|family| family.kernels.iter().map(move |kernel| (family, kernel)));
    kernels
        .enumerate()
        .map(|(number, (family, kernel))| (family, kernel, number))
}

fn instances(families: &[Family]) -> String {
    let mut text = format!(
        "{MARK}//! One instance of every kernel, for a few processor counts.\n\n\
         use superstep::build::{{Algorithm, Builder}};\n\nuse crate::kernels;\nuse crate::structure;\n\n\
         /// Adds every kernel of the gallery to `builder`.\npub fn all(mut builder: Builder) -> Builder {{\n"
    );
    for (family, kernel, number) in rotation(families) {
        let processors = PROCESSORS[number % PROCESSORS.len()];
        let how = how(kernel, number, processors);
        let call = format!(
            "builder = builder.kernel(kernels::{}::{}::instance({}).exactly({processors:?}){how});",
            family.name,
            kernel.name,
            kernel.control_arguments()
        );
        let lines = if kernel.setup.is_empty() {
            call
        } else {
            format!("{{\n{}\n{call}\n}}", kernel.setup)
        };
        text.push_str(&indented(&lines, 1));
    }
    text + "    builder\n}\n"
}

/// Writes how a kernel is built: as users do, over shared or over private memory, or by BCSH, whose
/// copies ask most of a program. One large kernel takes a third of the time of all, as 15 schedules
/// of it are lowered, so it has a scheduler.
fn how(kernel: &Kernel, number: usize, processors: &[usize]) -> String {
    if kernel.name == "forward_large" {
        return ".algorithm(Algorithm::GrowLocal)".to_owned();
    }
    match number / PROCESSORS.len() % 3 {
        0 => String::new(),
        1 => format!(".private_memory({processors:?})"),
        _ => ".algorithm(Algorithm::Bcsh)".to_owned(),
    }
}

fn tests(family: &Family) -> String {
    let families = families::all();
    let mut text = format!(
        "{MARK}use superstep_gallery::kernels::{}::*;\n",
        family.name
    );
    let tests: String = rotation(&families)
        .filter(|(of, _, _)| of.name == family.name)
        .map(|(_, kernel, number)| test(kernel, number))
        .collect();
    for (word, import) in [
        ("Complex", "use num_complex::Complex;\n"),
        ("Pair", "use superstep_gallery::kernels::pair::Pair;\n"),
        ("structure::", "use superstep_gallery::structure;\n"),
    ] {
        if tests.contains(word) {
            text.push_str(import);
        }
    }
    text + "use superstep_gallery::{Draw, verify};\n" + &tests
}

/// The test of one kernel: data for its parameters, one call of the original, one of the generated
/// program.
fn test(kernel: &Kernel, number: usize) -> String {
    let processors = PROCESSORS[number % PROCESSORS.len()];
    let mut lines = format!("let mut draw = Draw::new({number});\n{}", kernel.setup);
    for parameter in kernel
        .parameters
        .iter()
        .filter(|parameter| !parameter.is_written())
    {
        if let Some((of, value)) = parameter.data() {
            write!(lines, "\nlet {}: {of} = {value};", parameter.name)
                .expect("a string takes everything");
        }
    }
    let written = || {
        kernel
            .parameters
            .iter()
            .filter(|parameter| parameter.is_written())
    };
    let names: Vec<&str> = written().map(|parameter| parameter.name.as_str()).collect();
    let (types, values): (Vec<String>, Vec<String>) =
        written().filter_map(kernel::Parameter::data).unzip();
    let arguments: Vec<String> = kernel
        .parameters
        .iter()
        .map(kernel::Parameter::call_argument)
        .collect();
    let (name, arguments, names) = (&kernel.name, arguments.join(", "), names.join(", "));
    let verify = if kernel.overflows {
        "verify::overflowing"
    } else {
        "verify::identical"
    };
    write!(
        lines,
        "\nlet input: ({},) = ({},);
        {verify}(
        &{processors:?},
        &input,
        |({names},)| {name}({arguments}),
        |processors, transport, ({names},)| {name}::with().exactly(processors).transport(transport).run({arguments}),
        );",
        types.join(", "),
        values.join(", "),
    )
    .expect("a string takes everything");
    format!(
        "\n#[test]\nfn {name}_is_identical() {{\n{}}}\n",
        indented(&lines, 1)
    )
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}
