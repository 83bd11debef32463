//! The `#[kernel]` attribute of superstep: [`kernel`](macro@kernel) says what it accepts and what
//! it adds.
//!
//! # How an expansion comes about
//!
//! ```text
//! tokens -> reduce -> parse -> Kernel -> types, classify -> lower -> Lowered -> expand -> tokens
//!             |         |        IR        what is what        |      tables      one side's code
//!             +---------+- refusals -------------+-------------+
//! ```
//!
//! * `calls` gets the source of the kernels that a kernel calls; without calls it does nothing.
//! * `reduce` writes each loop that is marked `#[reduce]` as a tree, in the same language.
//! * `parse` reads the function into a `Kernel`: a tree of steps. Each of the kernel's names is
//!   replaced by the binding that it means, so that no later pass needs scopes. The body of a
//!   kernel that is called stands in place of the call, and its parameters are parts of the
//!   arguments. What is outside the language is refused here, all of it at once.
//! * `types` gives each name a type, by unification over what the text shows.
//! * `classify` decides for each name whether it is *control* or *data*, and refuses control that
//!   depends on data. Control decides which assignment runs, and where it reads and writes.
//! * `lower` turns each assignment of data into a statement with operands. Conditions on control
//!   inside its value become control around variants of it. It counts the operations of each, for
//!   predictions.
//! * `gather` writes loops that scatter updates over an array as gathers, in the same language.
//!   Plans made at run time run that kernel where the pattern allows it.
//! * `expand` prints one of the two sides. In a build script these are the trace function and the
//!   statement table, in the crate the parallel interface and one function for each statement. The
//!   function itself stays as it was on both, but for the trees of `reduce`.
//!
//! Nothing here knows of graphs, schedules or processors. What crosses to the other crates is text:
//! `tracer::Kernel` and calls of `tracer::Recorder` in a build script, an implementation of
//! `runtime::kernel::Kernel` in the crate.

// A kernel is a page of source: the size of its syntax tree in memory does not matter.
#![allow(clippy::large_enum_variant)]

mod attributes;
mod calls;
mod classify;
mod enclosing;
mod environment;
mod errors;
mod expand;
mod gather;
mod grains;
mod identity;
mod instead;
mod kernel;
mod library;
mod lower;
mod parse;
mod places;
mod planning;
mod reduce;
mod text;
mod types;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Ident, Item, Type};

use crate::calls::{Callees, Sources};
use crate::errors::Errors;
use crate::expand::{Contents, Expansion};
use crate::gather::{Gather, Gathered};
use crate::identity::{Context, Identity};
use crate::kernel::Kernel;
use crate::lower::Lowered;
use crate::planning::Planning;
use crate::types::Types;

#[doc = include_str!("../kernel.md")]
#[proc_macro_attribute]
pub fn kernel(
    attribute: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(&Context::of_this_crate(), attribute.into(), item.into()).into()
}

/// Prints what [`kernel`] leaves in the module of a kernel that calls others: see `calls`.
#[doc(hidden)]
#[proc_macro]
pub fn __inline(sources: proc_macro::TokenStream) -> proc_macro::TokenStream {
    inline(&Context::of_this_crate(), sources.into()).into()
}

/// Returns the expansion of a kernel, or the refusals and the function as it stands.
fn expand(context: &Context, attribute: TokenStream, item: TokenStream) -> TokenStream {
    let function = match syn::parse2::<Item>(item.clone()) {
        Ok(Item::Fn(function)) => function,
        Ok(other) => {
            let error = parse::not_a_function(&other).into_compile_error();
            return quote!(#error #item);
        }
        Err(error) => {
            let error = error.into_compile_error();
            return quote!(#error #item);
        }
    };
    let mut errors = Errors::default();
    let planning = Planning::of(&attribute, &mut errors);
    let sources = Sources::new(&context.file, function, planning);
    let contents = match enclosing::check(&sources.caller) {
        Err(error) => {
            errors.add(error);
            Contents::None
        }
        Ok(()) => match sources.next(&context.facade) {
            Some(first) => Contents::Complete(first),
            None => stages(context, &sources, &mut errors),
        },
    };
    let module = expand::frame(context, &sources.caller, &contents);
    let errors = errors.finish().err().map(syn::Error::into_compile_error);
    quote!(#errors #module)
}

/// Prints what stands in the module of a kernel that calls others, or a call that brings the next
/// one's source.
fn inline(context: &Context, sources: TokenStream) -> TokenStream {
    let mut sources: Sources = match syn::parse2(sources) {
        Ok(sources) => sources,
        Err(error) => return error.into_compile_error(),
    };
    if let Some(next) = sources.next(&context.facade) {
        return next;
    }
    let context = Context {
        file: sources.file.clone(),
        ..context.clone()
    };
    let mut errors = Errors::default();
    sources.check(&mut errors);
    let contents = stages(&context, &sources, &mut errors);
    let errors = errors.finish().err().map(syn::Error::into_compile_error);
    quote!(#errors #contents)
}

/// Takes a function through the stages. If something is refused, the result is only what keeps
/// other errors away.
fn stages(context: &Context, sources: &Sources, errors: &mut Errors) -> Contents {
    let Sources {
        caller,
        planning,
        callees,
        ..
    } = sources;
    let identity =
        Identity::new(&context.file, caller).with(callees.kernels().map(|callee| &*callee.id));
    let function = &reduce::rewrite(caller, errors);
    let Some(kernel) = parse::kernel(function, callees, errors) else {
        return Contents::None;
    };
    if *planning == Planning::Excluded {
        refuse_marks_of_plans(&kernel, errors);
    }
    let types = Types::infer(&kernel);
    let complete = errors.is_empty();
    let mut later = Errors::default();
    let classes = classify::classify(&kernel, &types, &mut later);
    let mut lowered = Lowered::default();
    if complete && later.is_empty() {
        lowered = lower::lower(&kernel, &types, &classes, &mut later);
    }
    // What is left out of a refused kernel could be all that makes a later error.
    if complete && let Err(error) = later.finish() {
        errors.add(error);
    }
    let mut expansion = Expansion::new(context, identity, &kernel, &types, &classes, &lowered);
    if errors.is_empty() {
        expansion.find_grains(*planning, errors);
    }
    if errors.is_empty() && !callees.refused() {
        let integer = |name: &Ident| integer(name, &kernel, &types);
        let may_gather = expansion.may_gather();
        let gather = may_gather.then(|| gather::of(function, &integer)).flatten();
        match gather.and_then(|gather| gathered(context, gather)) {
            Some(gathered) => {
                let module = gathered.printed();
                expansion.with_gathers(gathered);
                Contents::WithGathers(expansion.tokens(), module)
            }
            None => Contents::Complete(expansion.tokens()),
        }
    } else {
        Contents::Refused(expansion.refused())
    }
}

/// Returns the integer type of all variables of a name, if it is one.
fn integer(name: &Ident, kernel: &Kernel, types: &Types) -> Option<Type> {
    let bindings = kernel.bindings.0.iter().enumerate();
    let mut found = bindings.filter(|(_, binding)| binding.name == *name);
    let mut type_of = |(id, _)| {
        let ty = types.of(id)?;
        types::is_integer(&types::primitive(&ty)?).then_some(ty)
    };
    let first = found.next().and_then(&mut type_of)?;
    found
        .all(|it| type_of(it).as_ref() == Some(&first))
        .then_some(first)
}

/// Returns the expansion of a kernel with gathers; none if it is no kernel that can be planned.
fn gathered(context: &Context, gather: Gather) -> Option<Gathered> {
    let mut errors = Errors::default();
    let identity = Identity::new(&context.file, &gather.function);
    let kernel = parse::kernel(&gather.function, &Callees::default(), &mut errors)?;
    let types = Types::infer(&kernel);
    let classes = classify::classify(&kernel, &types, &mut errors);
    if !errors.is_empty() {
        return None;
    }
    let lowered = lower::lower(&kernel, &types, &classes, &mut errors);
    let mut expansion = Expansion::new(context, identity, &kernel, &types, &classes, &lowered);
    if errors.is_empty() {
        expansion.find_grains(Planning::Insisted, &mut errors);
    }
    let is_kernel = errors.is_empty();
    is_kernel.then(|| expansion.gathered_side(gather)).flatten()
}

/// Refuses marks that mean nothing where no plan is made.
fn refuse_marks_of_plans(kernel: &Kernel, errors: &mut Errors) {
    let parameters = kernel.parameters.iter().map(|parameter| parameter.id);
    for binding in parameters.map(|id| &kernel.bindings[id]) {
        if binding.marks.values {
            let why = "`#[values]` marks what a plan made at run time is loaded with: leave out `plan = false`";
            errors.refuse(&binding.name, why);
        }
        if binding.marks.scratch {
            let why = "`#[scratch]` marks what each processor of a plan made at run time has for itself: leave out `plan = false`";
            errors.refuse(&binding.name, why);
        }
    }
}
