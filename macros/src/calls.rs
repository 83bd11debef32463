//! Calls of other kernels: how the attribute gets their source.
//!
//! A procedural macro sees one function. So the module of each kernel has a macro, `source`. It
//! appends the kernel's source to the tokens that it is given, and passes them to `__inline!`,
//! which is ours.
//!
//! Where a kernel calls others, the attribute leaves a call of the first callee's `source!` in its
//! module, and imports for that. Its tokens say what is asked for; [`Sources`] says how.
//! `__inline!` asks on until it has all that is called, directly or not. Then it writes what the
//! attribute would have written. Where a path leads to no kernel, a `source!` that stands among the
//! imports answers, and the reader of kernels refuses the call.
//!
//! The reader of kernels puts a callee's body in the place of each call (inlining).

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{
    Expr, ExprCall, Ident, ItemFn, LitStr, Path, PathSegment, ReturnType, Stmt, Token, braced,
};

use crate::errors::Errors;
use crate::identity::Identity;
use crate::places::bare;
use crate::planning::Planning;

/// A kernel that another one calls.
pub(crate) struct Callee {
    /// Function with our attributes, as written.
    pub function: ItemFn,
    /// The name of its own generated files, which says where it stands and what it says.
    pub id: String,
}

/// The function that a path of a call leads to.
pub(crate) enum Called {
    Kernel(Callee),
    /// A kernel that is refused, and told so where it stands.
    Refused,
    /// A function that is no kernel, or nothing.
    Other,
}

/// The functions that a kernel calls by statements, directly or not, by the paths of the calls.
#[derive(Default)]
pub(crate) struct Callees(Vec<(Path, Called)>);

impl Callees {
    /// Returns what is called by this path, if its source was asked for.
    pub(crate) fn get(&self, path: &Path) -> Option<&Called> {
        let found = self.0.iter().find(|(other, _)| other == path);
        found.map(|(_, called)| called)
    }

    /// Returns the kernels that are called.
    pub(crate) fn kernels(&self) -> impl Iterator<Item = &Callee> {
        self.0.iter().filter_map(|(_, called)| match called {
            Called::Kernel(callee) => Some(callee),
            Called::Refused | Called::Other => None,
        })
    }

    /// Returns whether one of them is refused, and told so where it stands.
    pub(crate) fn refused(&self) -> bool {
        let mut called = self.0.iter();
        called.any(|(_, called)| matches!(called, Called::Refused))
    }

    /// Returns the first path of a call in the kernel, or in what it calls, whose source is not
    /// here.
    fn missing(&self, caller: &ItemFn) -> Option<Path> {
        let functions =
            std::iter::once(caller).chain(self.kernels().map(|kernel| &kernel.function));
        let called = functions.flat_map(of);
        let mut paths = called.filter_map(path);
        paths
            .find(|path| !self.0.iter().any(|(known, _)| known == *path))
            .cloned()
    }

    /// Returns whether the call leads back into the chain of kernels before it, which then ends
    /// with the one that comes twice.
    fn recursive<'c>(&'c self, call: &ExprCall, chain: &mut Vec<(&'c str, String)>) -> bool {
        let Some(Called::Kernel(callee)) = path(call).and_then(|path| self.get(path)) else {
            return false;
        };
        let known = chain.iter().any(|(id, _)| *id == callee.id);
        chain.push((&callee.id, callee.function.sig.ident.to_string()));
        if known
            || of(&callee.function)
                .into_iter()
                .any(|call| self.recursive(call, chain))
        {
            return true;
        }
        chain.pop();
        false
    }
}

/// First names of paths that lead to no kernel: crates without any, and `crate`, which is refused.
const ELSEWHERE: [&str; 4] = ["std", "core", "alloc", "crate"];

/// Returns whether a called path begins with `crate`.
pub(crate) fn is_of_the_crate(call: &ExprCall) -> bool {
    let Expr::Path(path) = &*call.func else {
        return false;
    };
    let first = path.path.segments.first();
    path.path.leading_colon.is_none() && first.is_some_and(|first| first.ident == "crate")
}

/// Returns the path of a called function, if it may be a kernel's.
pub(crate) fn path(call: &ExprCall) -> Option<&Path> {
    match &*call.func {
        Expr::Path(path) if path.qself.is_none() => {
            let segments = &path.path.segments;
            let plain = segments.iter().all(|s| s.arguments.is_none());
            let (first, last) = (&segments.first()?.ident, &segments.last()?.ident);
            let elsewhere = segments.len() > 1 && ELSEWHERE.iter().any(|name| first == name);
            let variant = last.to_string().starts_with(char::is_uppercase);
            (plain && !elsewhere && !variant && last != "drop").then_some(&path.path)
        }
        _ => None,
    }
}

/// Returns the calls that are statements of a function.
pub(crate) fn of(function: &ItemFn) -> Vec<&ExprCall> {
    let mut calls = Vec::new();
    in_statements(written(function), &mut calls);
    calls
}

/// Returns the statements of a function, without the value that it returns: its signature is
/// refused for that.
pub(crate) fn written(function: &ItemFn) -> &[Stmt] {
    let statements = &function.block.stmts[..];
    match (&function.sig.output, statements) {
        (ReturnType::Type(..), [before @ .., Stmt::Expr(_, None)]) => before,
        _ => statements,
    }
}

fn in_statements<'f>(statements: &'f [Stmt], calls: &mut Vec<&'f ExprCall>) {
    for statement in statements {
        if let Stmt::Expr(expression, _) = statement {
            in_statement(expression, calls);
        }
    }
}

fn in_statement<'f>(expression: &'f Expr, calls: &mut Vec<&'f ExprCall>) {
    match bare(expression) {
        Expr::Call(call) => calls.push(call),
        Expr::ForLoop(each) => in_statements(&each.body.stmts, calls),
        Expr::While(each) => in_statements(&each.body.stmts, calls),
        Expr::Loop(each) => in_statements(&each.body.stmts, calls),
        Expr::Block(block) => in_statements(&block.block.stmts, calls),
        Expr::If(branch) => {
            in_statements(&branch.then_branch.stmts, calls);
            if let Some((_, otherwise)) = &branch.else_branch {
                in_statement(otherwise, calls);
            }
        }
        Expr::Match(choice) => {
            let arms = choice.arms.iter();
            arms.for_each(|arm| in_statement(&arm.body, calls));
        }
        _ => {}
    }
}

/// Sources that are known while others are asked for.
///
/// As tokens it is `{ "file" argument caller } (path) { "id" callee } (path) { } ...`, with the
/// argument of the caller's attribute. There `{ }` is a refused kernel, and `{ fn }` is no kernel.
/// The last path is the one that was asked for: its `source!` appends the braces that follow.
pub(crate) struct Sources {
    /// The caller's source file, as the compiler names it.
    pub file: String,
    pub caller: ItemFn,
    pub planning: Planning,
    pub callees: Callees,
}

impl Parse for Sources {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let caller;
        braced!(caller in input);
        let file: LitStr = caller.parse()?;
        let planning = caller.parse()?;
        let caller = caller.parse()?;
        let mut callees = Callees::default();
        while !input.is_empty() {
            let (path, callee);
            syn::parenthesized!(path in input);
            let path = path.parse()?;
            braced!(callee in input);
            let called = if callee.is_empty() {
                Called::Refused
            } else if callee.parse::<Option<Token![fn]>>()?.is_some() {
                Called::Other
            } else {
                let id: LitStr = callee.parse()?;
                Called::Kernel(Callee {
                    id: id.value(),
                    function: callee.parse()?,
                })
            };
            callees.0.push((path, called));
        }
        Ok(Self {
            file: file.value(),
            caller,
            planning,
            callees,
        })
    }
}

impl Sources {
    /// Makes the sources before anything is asked for: the caller's.
    pub(crate) fn new(file: &str, caller: ItemFn, planning: Planning) -> Self {
        Self {
            file: file.to_owned(),
            caller,
            planning,
            callees: Callees::default(),
        }
    }

    /// Refuses calls by which a kernel comes to call itself, and with them all callees.
    pub(crate) fn check(&mut self, errors: &mut Errors) {
        let name = &self.caller.sig.ident;
        let id = Identity::new(&self.file, &self.caller).id;
        let mut recursive = false;
        for call in of(&self.caller) {
            let mut chain = vec![(&*id, name.to_string())];
            if !self.callees.recursive(call, &mut chain) {
                continue;
            }
            recursive = true;
            let names = chain.into_iter().map(|(_, name)| format!("`{name}`"));
            let names: Vec<String> = names.collect();
            errors.refuse(
                call,
                format!(
                    "a kernel cannot come to call itself, since the statements of a called kernel are traced in place of the call: {}. Write a loop",
                    names.join(" calls ")
                ),
            );
        }
        if recursive {
            let called = self.callees.0.iter_mut();
            called.for_each(|(_, called)| *called = Called::Refused);
        }
    }

    /// Asks for the next source, if one is missing.
    pub(crate) fn next(&self, facade: &TokenStream) -> Option<TokenStream> {
        // What stands in an `impl` can have no module beside it, and is refused anyway.
        if self.caller.sig.receiver().is_some() {
            return None;
        }
        let missing = self.callees.missing(&self.caller)?;
        let (file, planning, caller) = (&self.file, self.planning, &self.caller);
        let callees = self.callees.0.iter().map(|(path, called)| {
            let source = match called {
                Called::Kernel(Callee { id, function }) => quote!(#id #function),
                Called::Refused => quote!(),
                Called::Other => quote!(fn),
            };
            quote!((#path) { #source })
        });
        let imports = format_ident!("__callee_{}", self.callees.0.len());
        let (scope, name) = lookup(&missing)?;
        Some(quote! {
            mod #imports {
                pub(super) use scope::#name;
                pub(super) use no_kernel::*;
                mod scope {
                    pub(in super::super) use #scope*;
                    pub(in super::super) use nothing::*;
                    mod nothing {
                        macro_rules! #name { () => {}; }
                        pub(crate) use #name;
                    }
                }
                mod no_kernel {
                    pub(in super::super) mod #name {
                        macro_rules! source {
                            ($($sources:tt)*) => {
                                #facade::__inline! { $($sources)* { fn } }
                            };
                        }
                        pub(crate) use source;
                    }
                }
            }
            #imports::#name::source! { { #file #planning #caller } #(#callees)* (#missing) }
        })
    }
}

/// Returns the module in which a path finds its last name, with `::`, and that name. It is as seen
/// from `scope` in [`Sources::next`], three modules below the one where the caller stands.
///
/// The name is imported from there: a function, and the module beside it if it is a kernel. An
/// empty macro of that name is there in any case, as an import of nothing would be an error.
/// Imports by name shadow those by `*`: a kernel's module hides that of `no_kernel`.
fn lookup(path: &Path) -> Option<(TokenStream, &Ident)> {
    let name = &path.segments.last()?.ident;
    let mut before: Punctuated<PathSegment, Token![::]> = path.segments.clone();
    before.pop();
    if path.leading_colon.is_some() {
        return Some((quote!(::#before), name));
    }
    let before = before.into_iter().filter(|segment| segment.ident != "self");
    Some((quote!(super::super::super::#(#before::)*), name))
}

/// Prints the macro that passes a kernel's source on, in the kernel's module. A kernel that is
/// refused passes on nothing.
pub(crate) fn source(facade: &TokenStream, id: &str, function: Option<&ItemFn>) -> TokenStream {
    let source = function.map(|function| quote!(#id #function));
    quote! {
        macro_rules! source {
            ($($sources:tt)*) => {
                #facade::__inline! { $($sources)* { #source } }
            };
        }
        pub(crate) use source;
    }
}
