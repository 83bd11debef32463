//! Calls of other kernels: how the attribute comes by their source.
//!
//! A procedural macro sees one function. So the module of each kernel has a macro, `source`, that appends the kernel's source to the tokens
//! that it is given, and passes them to `__inline!`, which is ours. Where a kernel calls others, the attribute leaves in its module, in
//! place of all else, a call of the first one's `source!`, whose tokens say what is asked for; [`Request`] says how. `__inline!` asks on
//! until it has all that is called, directly or not, and then writes what the attribute would have written.
//!
//! The reader of kernels puts a callee's body in the place of each call.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Block, Expr, ExprCall, Ident, ItemFn, LitStr, Path, PathSegment, Stmt, braced};

use crate::errors::Errors;
use crate::identity::Identity;

/// A kernel that another one calls.
pub(crate) struct Callee {
    /// With our attributes, as written.
    pub function: ItemFn,
    /// The name of its own generated files, which says where it stands and what it says.
    pub id: String,
}

/// The kernels that a kernel calls, directly or not, by the paths of the calls. `None`: they are refused.
#[derive(Default)]
pub(crate) struct Callees(Vec<(Path, Option<Callee>)>);

impl Callees {
    /// The kernel that is called by this path.
    pub(crate) fn get(&self, path: &Path) -> Option<&Callee> {
        let found = self.0.iter().find(|(other, _)| other == path);
        found.and_then(|(_, callee)| callee.as_ref())
    }

    /// As written.
    pub(crate) fn functions(&self) -> impl Iterator<Item = &ItemFn> {
        let callees = self.0.iter().filter_map(|(_, callee)| callee.as_ref());
        callees.map(|callee| &callee.function)
    }

    /// What tells them from others, for the name of the caller's files.
    pub(crate) fn ids(&self) -> impl Iterator<Item = &str> {
        let callees = self.0.iter().filter_map(|(_, callee)| callee.as_ref());
        callees.map(|callee| callee.id.as_str())
    }

    /// Whether one of them is refused, and told so where it stands.
    pub(crate) fn refused(&self) -> bool {
        self.0.iter().any(|(_, callee)| callee.is_none())
    }

    /// The first path of a call in the kernel, or in what it calls, whose source is not here.
    fn missing(&self, caller: &ItemFn) -> Option<Path> {
        let functions = std::iter::once(caller).chain(self.functions());
        let called = functions.flat_map(of);
        let mut paths = called.filter_map(path);
        paths
            .find(|path| !self.0.iter().any(|(known, _)| known == *path))
            .cloned()
    }

    /// Whether the call leads back into the chain of kernels before it, which then ends with the one that comes twice.
    fn recursive<'c>(&'c self, call: &ExprCall, chain: &mut Vec<(&'c str, String)>) -> bool {
        let Some(callee) = path(call).and_then(|path| self.get(path)) else {
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

/// The path of a called function, if it may be a kernel's.
pub(crate) fn path(call: &ExprCall) -> Option<&Path> {
    match &*call.func {
        Expr::Path(path) if path.qself.is_none() => {
            let plain = path.path.segments.iter().all(|s| s.arguments.is_none());
            plain.then_some(&path.path)
        }
        _ => None,
    }
}

/// The calls that are statements of a function.
pub(crate) fn of(function: &ItemFn) -> Vec<&ExprCall> {
    let mut calls = Vec::new();
    in_block(&function.block, &mut calls);
    calls
}

fn in_block<'f>(block: &'f Block, calls: &mut Vec<&'f ExprCall>) {
    for statement in &block.stmts {
        if let Stmt::Expr(expression, _) = statement {
            in_statement(expression, calls);
        }
    }
}

fn in_statement<'f>(expression: &'f Expr, calls: &mut Vec<&'f ExprCall>) {
    match expression {
        Expr::Call(call) => calls.push(call),
        Expr::ForLoop(each) => in_block(&each.body, calls),
        Expr::While(each) => in_block(&each.body, calls),
        Expr::Loop(each) => in_block(&each.body, calls),
        Expr::Block(block) => in_block(&block.block, calls),
        Expr::If(branch) => {
            in_block(&branch.then_branch, calls);
            if let Some((_, otherwise)) = &branch.else_branch {
                in_statement(otherwise, calls);
            }
        }
        Expr::Match(choice) => choice
            .arms
            .iter()
            .for_each(|arm| in_statement(&arm.body, calls)),
        Expr::Paren(inner) => in_statement(&inner.expr, calls),
        Expr::Group(inner) => in_statement(&inner.expr, calls),
        _ => {}
    }
}

/// What is known while sources are asked for: `{ "file" caller } (path) { "id" callee } (path) { } ...`; `{ }` is a refused kernel. The
/// last path is the one that was asked for.
pub(crate) struct Request {
    /// The caller's source file, as the compiler names it.
    pub file: String,
    pub caller: ItemFn,
    pub callees: Callees,
}

impl Parse for Request {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let caller;
        braced!(caller in input);
        let file: LitStr = caller.parse()?;
        let caller = caller.parse()?;
        let mut callees = Callees::default();
        while !input.is_empty() {
            let (path, callee);
            syn::parenthesized!(path in input);
            let path = path.parse()?;
            braced!(callee in input);
            let source = if callee.is_empty() {
                None
            } else {
                let id: LitStr = callee.parse()?;
                Some(Callee {
                    id: id.value(),
                    function: callee.parse()?,
                })
            };
            callees.0.push((path, source));
        }
        Ok(Self {
            file: file.value(),
            caller,
            callees,
        })
    }
}

impl Request {
    /// Before anything is asked for.
    pub(crate) fn new(file: &str, caller: ItemFn) -> Self {
        Self {
            file: file.to_owned(),
            caller,
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
            self.callees
                .0
                .iter_mut()
                .for_each(|(_, callee)| *callee = None);
        }
    }

    /// Asks for the next source, if one is missing.
    pub(crate) fn next(&self) -> Option<TokenStream> {
        // What stands in an `impl` can have no module beside it, and is refused anyway.
        if self.caller.sig.receiver().is_some() {
            return None;
        }
        let missing = self.callees.missing(&self.caller)?;
        let (file, caller) = (&self.file, &self.caller);
        let callees = self.callees.0.iter().map(|(path, callee)| {
            let callee = callee
                .as_ref()
                .map(|Callee { id, function }| quote!(#id #function));
            quote!((#path) { #callee })
        });
        let source = source_of(&missing);
        Some(quote! {
            #source! { { #file #caller } #(#callees)* (#missing) }
        })
    }

    /// Asks for the first source. Where a call turns out to be of no kernel, and nothing more comes, one error says so.
    pub(crate) fn first(&self) -> Option<TokenStream> {
        let next = self.next()?;
        let all = all_found(self.caller.sig.ident.span());
        let check = quote_spanned!(all.span()=> use self::#all as _;);
        Some(quote!(#check #next))
    }

    /// Says that all sources came.
    pub(crate) fn last() -> TokenStream {
        let all = all_found(Span::call_site());
        quote!(mod #all {})
    }
}

/// There once all sources came.
fn all_found(span: Span) -> Ident {
    Ident::new(
        "a_call_that_is_a_statement_is_of_a_kernel_in_scope",
        span.resolved_at(Span::call_site()),
    )
}

/// The macro of the kernel that is called by this path, from inside the caller's module.
fn source_of(path: &Path) -> TokenStream {
    let mut path = path.clone();
    if path.leading_colon.is_none() {
        let span = path.segments[0].ident.span();
        let up = PathSegment::from(Ident::new("super", span));
        let own = path.segments.len() > 1 && path.segments[0].ident == "self";
        let old = std::mem::take(&mut path.segments);
        let rest = old.into_iter().skip(usize::from(own));
        path.segments = std::iter::once(up).chain(rest).collect();
    }
    quote!(#path::source)
}

/// The macro that passes a kernel's source on: in its module. A kernel that is refused passes on nothing.
pub(crate) fn source(facade: &TokenStream, id: &str, function: Option<&ItemFn>) -> TokenStream {
    let source = function.map(|function| quote!(#id #function));
    quote! {
        macro_rules! source {
            ($($request:tt)*) => {
                #facade::__inline! { $($request)* { #source } }
            };
        }
        pub(crate) use source;
    }
}
