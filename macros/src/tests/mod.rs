//! Tests of expansions, which are pinned, and of which names are control.

mod classes;
mod conditionals;
mod expansions;

mod operations;

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{File, Item, ItemFn};

use crate::calls::{Callees, Sources};
use crate::errors::Errors;
use crate::identity::{Context, Identity, Side};
use crate::planning::Planning;
use crate::types::Types;

fn context(side: Side) -> Context {
    Context {
        side,
        facade: quote!(::superstep),
        out: None,
        file: "src/kernels.rs".into(),
    }
}

/// Returns the expansion of a kernel, formatted. `source` begins with the kernel's function.
fn expansion(side: Side, source: &str) -> String {
    let context = context(side);
    let item: TokenStream = source.parse().expect("the kernel has tokens");
    let expanded = crate::expand(&context, TokenStream::new(), item);
    let mut file = syn::parse2(expanded).expect("the expansion is Rust");
    without_planned(&mut file);
    prettyplease::unparse(&file)
}

/// Returns the module of an expansion, without the function before it.
fn module(side: Side, source: &str) -> String {
    let text = expansion(side, source);
    let start = text.find("mod ").expect("the expansion has a module");
    let start = text[..start].rfind('\n').map_or(0, |end| end + 1);
    text[start..].to_owned()
}

/// Returns the functions of a kernel that is planned at run time which tell of its grains and run
/// them.
fn grains(source: &str) -> String {
    let item: TokenStream = source.parse().expect("the kernel has tokens");
    let expanded = crate::expand(&context(Side::Crate), quote!(plan), item);
    let text = prettyplease::unparse(&planned(expanded));
    let start = text.find("fn walk(").expect("it is planned");
    let end = text.find("///Plans [").expect("it has an interface");
    text[start..end].to_owned()
}

#[test]
fn structure_that_no_proof_has_seen_is_tested_in_place_and_loaded() {
    let kernel = "fn chosen(n: usize, #[structure] flag: &[u8], x: &mut [f64]) {
        for i in 0..n {
            let mut own = [0.5; 2];
            own[if flag[i] == 1 { 1 } else { 0 }] = 2.0;
            x[i] += own[1];
        }
    }";
    let item: TokenStream = kernel.parse().expect("the kernel has tokens");
    let expanded = crate::expand(&context(Side::Crate), quote!(plan), item);
    let text = prettyplease::unparse(&planned(expanded));
    for function in ["fn compute(", "fn replay("] {
        let (_, body) = text.split_once(function).expect("plans run and are loaded");
        let (body, _) = body.split_once("#[inline]").unwrap_or((body, ""));
        assert!(
            body.contains("let flag = flag.tested()"),
            "{function}: {body}"
        );
    }
}

/// A tape has them once for each entry, not for each column.
#[test]
fn values_that_stay_in_a_loop_are_read_before_it() {
    let item: TokenStream = "fn columns(n: usize, m: usize, #[structure] row: &[usize], #[structure] col: &[u32], #[values] l: &[f64], x: &mut [f64]) {
            for i in 0..n {
                for e in row[i]..row[i + 1] {
                    for k in 0..m {
                        x[i * m + k] -= l[e] * x[col[e] as usize * m + k];
                    }
                }
            }
        }"
        .parse()
        .expect("the kernel has tokens");
    let expanded = crate::expand(&context(Side::Crate), quote!(plan), item);
    let text = prettyplease::unparse(&planned(expanded));
    for function in ["fn record(", "fn replay("] {
        let start = text.find(function).expect("its plans can be loaded");
        let arm = start + text[start..].find("0u16 =>").expect("rows are grains");
        let end = arm + text[arm..].find("1u16 =>").expect("entries are");
        insta::assert_snapshot!(&text[arm..end]);
    }
}

/// Returns the items that a kernel's module has if superstep has the feature `plan`.
fn planned(expanded: TokenStream) -> File {
    let file: File = syn::parse2(expanded).expect("the expansion is Rust");
    let mut items = file.items.into_iter().flat_map(items_of);
    let planned = items.find_map(tokens_if_planned);
    syn::parse2(planned.expect("it can be planned")).expect("the items are Rust")
}

/// Takes items out that a kernel's module has if superstep has the feature `plan`.
fn without_planned(file: &mut File) {
    let contents = file.items.iter_mut().filter_map(|item| match item {
        Item::Mod(module) => module.content.as_mut(),
        _ => None,
    });
    contents.for_each(|(_, items)| items.retain(|item| tokens_if_planned(item.clone()).is_none()));
}

fn items_of(item: Item) -> Vec<Item> {
    match item {
        Item::Mod(module) => module.content.map(|(_, items)| items).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn tokens_if_planned(item: Item) -> Option<TokenStream> {
    let Item::Macro(item) = item else {
        return None;
    };
    let name = &item.mac.path.segments.last()?.ident;
    match item.mac.tokens.into_iter().next() {
        Some(TokenTree::Group(group)) if name == "if_planned" => Some(group.stream()),
        _ => None,
    }
}

/// Collects the names of all items, those in modules and in macros of features, too.
fn names_of(items: Vec<Item>, names: &mut BTreeSet<String>) {
    for item in items {
        let name = match item {
            Item::Struct(item) => item.ident,
            Item::Enum(item) => item.ident,
            Item::Trait(item) => item.ident,
            Item::Type(item) => item.ident,
            Item::Const(item) => item.ident,
            Item::Static(item) => item.ident,
            Item::Fn(item) => item.sig.ident,
            Item::Mod(item) => {
                names_of(
                    item.content.map(|(_, items)| items).unwrap_or_default(),
                    names,
                );
                item.ident
            }
            Item::Macro(item) => {
                // All that the macro is given are items, or what stands in its brackets.
                let tokens = item.mac.tokens;
                let groups = tokens.clone().into_iter().filter_map(|token| match token {
                    TokenTree::Group(group) => syn::parse2::<File>(group.stream()).ok(),
                    _ => None,
                });
                match syn::parse2::<File>(tokens.clone()) {
                    Ok(file) => names_of(file.items, names),
                    Err(_) => groups.for_each(|file| names_of(file.items, names)),
                }
                continue;
            }
            _ => continue,
        };
        names.insert(name.to_string());
    }
}

#[test]
fn names_of_our_items_are_never_taken_for_the_users() {
    let kernel = "fn lu(n: usize, a: &mut [f64], #[structure] at: &[usize]) {
        for k in 0..n { a[at[k]] /= a[k]; }
    }";
    let mut names = BTreeSet::new();
    for side in [Side::Crate, Side::Build] {
        for attribute in [quote!(), quote!(plan)] {
            let item: TokenStream = kernel.parse().expect("the kernel has tokens");
            let expanded = crate::expand(&context(side), attribute, item);
            let file: File = syn::parse2(expanded).expect("the expansion is Rust");
            let items = file.items.into_iter().flat_map(items_of);
            names_of(items.collect(), &mut names);
        }
    }
    assert!(
        names.contains("Planner") && names.contains("RankedPart"),
        "{names:?}"
    );
    names.retain(|name| !crate::expand::is_ours(name));
    assert!(names.is_empty(), "not known to be ours: {names:?}");
}

/// Returns the module of a kernel that calls `callees`, formatted.
fn inlined(side: Side, source: &str, callees: &[&str]) -> String {
    let mut sources = format!("{{ \"src/kernels.rs\" {source} }}");
    for callee in callees {
        let function: ItemFn = syn::parse_str(callee).expect("the callee is a function");
        let name = &function.sig.ident;
        let id = Identity::new("src/kernels.rs", &function).id;
        sources += &format!("({name}) {{ \"{id}\" {callee} }}");
    }
    let sources = sources.parse().expect("the sources have tokens");
    let expanded = crate::inline(&context(side), sources);
    prettyplease::unparse(&syn::parse2(expanded).expect("the expansion is Rust"))
}

/// Returns `name: class` for every name, in order.
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

/// Returns the refusals of a kernel, one per line.
fn refusals(source: &str) -> String {
    let context = context(Side::Crate);
    let function: ItemFn = syn::parse_str(source).expect("the kernel is a function");
    let mut errors = Errors::default();
    let sources = Sources::new(&context.file, function, Planning::Tried);
    crate::stages(&context, &sources, &mut errors);
    match errors.finish() {
        Ok(()) => String::new(),
        Err(errors) => {
            let errors = errors.into_iter().map(|error| error.to_string());
            errors.collect::<Vec<_>>().join("\n")
        }
    }
}
