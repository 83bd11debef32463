//! Expansions, pinned; and which names are control.

mod classes;
mod expansions;
mod guards;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use crate::calls::Callees;
use crate::errors::Errors;
use crate::identity::{Context, Side};
use crate::types::Types;

fn context(side: Side) -> Context {
    Context {
        side,
        facade: quote!(::superstep),
        out: None,
        file: "src/kernels.rs".into(),
    }
}

/// The expansion of a kernel, formatted. `source` begins with the kernel's function.
fn expansion(side: Side, source: &str) -> String {
    let context = context(side);
    let item: TokenStream = source.parse().expect("the kernel has tokens");
    let expanded = crate::expand(&context, TokenStream::new(), item);
    let file = syn::parse2(expanded).expect("the expansion is Rust");
    prettyplease::unparse(&file)
}

/// The module of an expansion, without the function before it.
fn module(side: Side, source: &str) -> String {
    let text = expansion(side, source);
    let start = text.find("mod ").expect("the expansion has a module");
    let start = text[..start].rfind('\n').map_or(0, |end| end + 1);
    text[start..].to_owned()
}

/// `name: class` for every name, in order.
fn classes(source: &str) -> String {
    let function: ItemFn = syn::parse_str(source).expect("the kernel is a function");
    let mut errors = Errors::default();
    let kernel = crate::parse::kernel(&function, &Callees::default(), &mut errors)
        .expect("the signature is a kernel's");
    let types = Types::infer(&kernel);
    let classes = crate::classify::classify(&kernel, &types, &mut errors);
    errors.finish().expect("control does not depend on data");
    let bindings = kernel.bindings.0.iter().enumerate();
    let lines = bindings.map(|(id, binding)| {
        let ty = types
            .of(id)
            .map_or("?".to_owned(), |ty| crate::text::of(&ty));
        format!("{}: {:?} {ty}", binding.unique, classes[id])
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The refusals of a kernel, one per line.
fn refusals(source: &str) -> String {
    let context = context(Side::Crate);
    let function: ItemFn = syn::parse_str(source).expect("the kernel is a function");
    let mut errors = Errors::default();
    crate::stages(&context, &function, &mut errors);
    match errors.finish() {
        Ok(()) => String::new(),
        Err(errors) => {
            let errors = errors.into_iter().map(|error| error.to_string());
            errors.collect::<Vec<_>>().join("\n")
        }
    }
}
