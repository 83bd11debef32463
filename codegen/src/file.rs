//! The generated file.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, TokenStream, TokenTree};
use quote::{format_ident, quote};
use superstep_compiler::CheckedProgram;
use superstep_compiler::pattern::{Signature, uses};
use superstep_tracer::{Kernel, Observation};

use crate::functions::Functions;
use crate::functions::handing_over::handed_over;
use crate::nests;

/// Control keys up to this length stand in the generated file.
const SHORT: usize = 64;

/// A name in the kernel, or the path of the runtime, is no Rust.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct PrintError(#[from] syn::Error);

/// Program of the kernel, for control arguments and a number of processors.
#[derive(Clone, Debug)]
pub struct KeyedProgram {
    /// The key of the control arguments, as the runtime's `ControlWriter` writes it.
    pub control: Vec<u8>,
    /// The control arguments for people: `n = 128`.
    pub label: String,
    /// More lines for the header comment, say the figures of the schedule.
    pub notes: Vec<String>,
    /// Set if its processors have memories of their own.
    pub private_memory: bool,
    /// The program.
    pub program: CheckedProgram,
}

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name in the output folder.
    pub name: String,
    /// Its contents.
    pub contents: Vec<u8>,
}

/// Prints all programs of one kernel: `<id>.rs` first, then the files that it includes. `runtime`
/// is the path of the runtime's `expansion` module, say `::superstep::__private`.
///
/// The file is included in a module that has `View`, `Types` and `statements` in scope, and
/// defines `PROGRAMS`, and `OBSERVATIONS`: what else control read. Equal inputs give equal bytes.
///
/// # Errors
/// When the names in `kernel`, or `runtime`, are no Rust.
pub fn print(
    kernel: &Kernel,
    programs: &[KeyedProgram],
    observations: &[Observation],
    runtime: &str,
) -> Result<Vec<File>, PrintError> {
    let runtime: syn::Path = syn::parse_str(runtime)?;
    let signatures = signatures(kernel, programs);
    let functions = Functions::new(kernel, &signatures);
    let mut files = Files {
        id: &kernel.id,
        included: Vec::new(),
    };
    let mut entries = Vec::new();
    let mut executes = Vec::new();
    for (number, keyed) in programs.iter().enumerate() {
        let control = files.control(&keyed.control);
        let tables = keyed.program.tables();
        let digest = Literal::u64_unsuffixed(superstep_plan::digest(&keyed.control, &tables));
        let plan = files.include("plan", tables);
        let execute = format_ident!("execute_{number}");
        let private = keyed.private_memory.then(|| quote!(.over_private_memory()));
        entries.push(
            quote! { KeyedProgram::<Types>::new(#control, #plan, #digest, #execute)#private },
        );
        executes.push(print_execute(keyed, &functions, &execute));
    }
    let run_functions = functions.print();
    let count = Literal::usize_unsuffixed(programs.len());
    let observed = Literal::usize_unsuffixed(observations.len());
    let observations = observations.iter().map(print_observation);
    let items = quote! {
        /// The values that control read beside its arguments.
        pub(super) static OBSERVATIONS: [Observation; #observed] = [#(#observations),*];
        /// The programs: control arguments, tables, the digest of both, code.
        pub(super) static PROGRAMS: [KeyedProgram<Types>; #count] = [#(#entries),*];
        #(#executes)*
        #(#run_functions)*
    };
    let used = names(items.clone());
    let imports = IMPORTS
        .iter()
        .filter(|name| used.contains(**name))
        .map(|name| format_ident!("{name}"));
    let items = quote! { use #runtime::{#(#imports),*}; #items };
    let text = format!(
        "{}{}",
        header(kernel, programs),
        prettyplease::unparse(&syn::parse2(items)?)
    );
    let mut all = vec![File {
        name: format!("{}.rs", kernel.id),
        contents: text.into_bytes(),
    }];
    all.extend(files.included);
    Ok(all)
}

fn print_observation(observation: &Observation) -> TokenStream {
    let number = Literal::u16_unsuffixed(observation.number);
    let arguments = observation.arguments.iter();
    let arguments = arguments.map(|&argument| {
        let magnitude = Literal::u64_unsuffixed(argument.unsigned_abs());
        match argument {
            0.. => quote!(#magnitude),
            _ => quote!(-#magnitude),
        }
    });
    let digest = Literal::u64_unsuffixed(observation.digest);
    quote!(Observation::new(#number, &[#(#arguments),*], #digest))
}

/// Items of the runtime that the file may need.
const IMPORTS: [&str; 9] = [
    "KeyedProgram",
    "Observation",
    "Packed",
    "Plan",
    "Rows",
    "Run",
    "pieces",
    "unaligned",
    "vectorised",
];

/// Returns all names in `tokens`.
fn names(tokens: TokenStream) -> BTreeSet<String> {
    let found = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(name) => BTreeSet::from([name.to_string()]),
        TokenTree::Group(group) => names(group.stream()),
        _ => BTreeSet::new(),
    });
    found.flatten().collect()
}

/// Returns all signatures of all programs, and the general ones that they fall back to; sorted.
fn signatures(kernel: &Kernel, programs: &[KeyedProgram]) -> Vec<Signature> {
    let mut all = BTreeSet::new();
    for signature in programs.iter().flat_map(|keyed| keyed.program.signatures()) {
        if signature.may_overlap(&uses(kernel, &signature.statements)) {
            all.insert(Signature::general(kernel, &signature.statements));
        }
        if signature.side_by_side.is_some() {
            all.insert(signature.of_lines());
        }
        all.insert(signature.clone());
    }
    let statements: BTreeSet<u16> = all.iter().flat_map(handed_over).collect();
    let general = |statement| Signature::general(kernel, &[statement]);
    all.extend(statements.into_iter().map(general));
    all.into_iter().collect()
}

fn header(kernel: &Kernel, programs: &[KeyedProgram]) -> String {
    let mut lines = vec![
        format!(
            "`{}` ({}:{}), scheduled and generated by superstep from a run of the kernel.",
            kernel.name, kernel.file, kernel.line
        ),
        "Not to be edited: the next build overwrites it.".into(),
    ];
    for (number, keyed) in programs.iter().enumerate() {
        lines.push(String::new());
        lines.push(format!("Program {number}: {}", keyed.label));
        lines.push(format!("  {}", keyed.program.figures()));
        lines.extend(keyed.notes.iter().map(|note| format!("  {note}")));
    }
    let comment = |line: &String| {
        format!("// {}", line.replace('\n', " "))
            .trim_end()
            .to_owned()
            + "\n"
    };
    lines.iter().map(comment).collect::<String>() + "\n"
}

/// Prints the function that a processor calls in each superstep.
fn print_execute(keyed: &KeyedProgram, functions: &Functions<'_>, name: &Ident) -> TokenStream {
    let doc = format!(" {}", keyed.label);
    let program = &keyed.program;
    if program.is_printed() {
        let body = print_nests(program, functions);
        return quote! {
            #[doc = #doc]
            fn #name(_: &Plan, superstep: usize, processor: usize, memory: &mut View<'_>) -> bool { #body }
        };
    }
    let mut bodies: Vec<(Ident, Vec<Literal>)> = Vec::new();
    for (body, signature) in program.signatures().iter().enumerate() {
        let (function, body) = (functions.call(signature), Literal::usize_unsuffixed(body));
        match bodies.iter_mut().find(|(other, _)| *other == function) {
            Some((_, bodies)) => bodies.push(body),
            None => bodies.push((function, vec![body])),
        }
    }
    let arms = bodies
        .iter()
        .map(|(function, bodies)| quote! { #(#bodies)|* => #function(memory, run), });
    quote! {
        #[doc = #doc]
        fn #name(plan: &Plan, superstep: usize, processor: usize, memory: &mut View<'_>) -> bool {
            let code = plan.code(superstep, processor);
            code.walk_blocks(&plan.bodies, &mut |body, run| match body {
                #(#arms)*
                _ => unreachable!("the tables are of this program"),
            });
            !code.is_empty()
        }
    }
}

/// Prints the code of each processor in each superstep, as loops.
fn print_nests(program: &CheckedProgram, functions: &Functions<'_>) -> TokenStream {
    let plan = program.plan();
    let processors = plan.processors as usize;
    let work = plan
        .code
        .iter()
        .enumerate()
        .filter(|(_, code)| !code.is_empty());
    let arms = work.map(|(at, code)| {
        let superstep = Literal::usize_unsuffixed(at / processors);
        let processor = Literal::usize_unsuffixed(at % processors);
        let nests = nests::print(code, &plan.bodies, program.signatures(), functions);
        quote! { (#superstep, #processor) => { #nests } }
    });
    quote! {
        match (superstep, processor) {
            #(#arms)*
            _ => return false,
        }
        true
    }
}

/// The files beside the source, each content once.
struct Files<'a> {
    id: &'a str,
    included: Vec<File>,
}

impl Files<'_> {
    /// Returns an expression for `contents`, which go to a file.
    fn include(&mut self, ending: &str, contents: Vec<u8>) -> TokenStream {
        let known = self.included.iter().find(|file| file.contents == contents);
        let name = known.map_or_else(
            || format!("{}.{}.{ending}", self.id, self.included.len()),
            |file| file.name.clone(),
        );
        if known.is_none() {
            self.included.push(File {
                name: name.clone(),
                contents,
            });
        }
        quote! { include_bytes!(#name) }
    }

    fn control(&mut self, control: &[u8]) -> TokenStream {
        if control.len() > SHORT {
            return self.include("control", control.to_vec());
        }
        let bytes = control.iter().map(|&byte| Literal::u8_unsuffixed(byte));
        quote! { &[#(#bytes),*] }
    }
}
