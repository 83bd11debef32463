//! Constants, and functions of integers: what control reads beside the kernel's names.
//!
//! Control runs in the build script, and the program in the crate, where the same names may mean
//! other values. Both sides give the digests of what is found here, and a program runs only where
//! they agree: see the runtime's `environment`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Expr, ExprCall, Pat, Path, Type};

use crate::kernel::{Dimension, Kernel};
use crate::lower::{Lowered, Node};
use crate::places::{self, bare};
use crate::types::{Types, is_control, primitive};

/// A value that control reads.
pub(crate) struct Read {
    /// The name that messages have for it.
    pub name: String,
    pub value: Value,
}

#[derive(PartialEq)]
pub(crate) enum Value {
    /// A constant: an upper-case path, or `cfg!(..)`.
    Constant(Expr),
    /// A function by its path, of integers and flags of these types.
    Function(Path, Vec<Type>),
}

/// The values that a kernel's control reads, each once.
#[derive(Default)]
pub(crate) struct Environment(Vec<Read>);

impl Environment {
    /// Finds the values that a kernel's control reads.
    pub(crate) fn of(kernel: &Kernel, types: &Types, lowered: &Lowered) -> Self {
        let mut finder = Finder {
            kernel,
            types,
            found: Self::default(),
        };
        let width = syn::parse_quote!(usize::BITS);
        finder.add("the width of `usize`".into(), Value::Constant(width));
        for binding in &kernel.bindings.0 {
            for dimension in &binding.dimensions {
                if let Dimension::Fixed(count) = dimension {
                    finder.visit_expr(count);
                }
            }
        }
        finder.nodes(&lowered.nodes);
        finder.found
    }

    pub(crate) fn reads(&self) -> &[Read] {
        &self.0
    }

    /// Returns the number of the function that is called, and the types of its arguments, if they
    /// are integers or flags.
    pub(crate) fn function(
        &self,
        call: &ExprCall,
        kernel: &Kernel,
        types: &Types,
    ) -> Option<(usize, Vec<Type>)> {
        let (path, arguments) = function(call, kernel, types)?;
        let value = Value::Function(path.clone(), arguments.clone());
        let number = self.0.iter().position(|read| read.value == value)?;
        Some((number, arguments))
    }
}

struct Finder<'k> {
    kernel: &'k Kernel,
    types: &'k Types,
    found: Environment,
}

impl Finder<'_> {
    fn add(&mut self, name: String, value: Value) {
        if !self.found.0.iter().any(|known| known.value == value) {
            self.found.0.push(Read { name, value });
        }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        nodes.iter().for_each(|node| self.node(node));
    }

    fn node(&mut self, node: &Node) {
        match node {
            Node::Match { scrutinee, arms } => {
                self.visit_expr(scrutinee);
                for (pattern, body) in arms {
                    self.visit_pat(pattern);
                    self.nodes(body);
                }
                return;
            }
            // Its variable is ours.
            Node::Repeat { count, .. } => self.visit_expr(count),
            Node::Task(task) => {
                let control = task.control.iter().map(|(value, _)| value);
                let all = node.expressions().into_iter().chain(control);
                all.for_each(|each| self.visit_expr(each));
            }
            _ => {
                let all = node.expressions().into_iter();
                all.for_each(|each| self.visit_expr(each));
            }
        }
        let bodies = node.bodies().into_iter();
        bodies.for_each(|body| self.nodes(body));
    }

    fn path(&mut self, expression: Expr, path: &Path) {
        if is_constant(path) {
            let name = format!("`{}`", text(path));
            self.add(name, Value::Constant(expression));
        }
    }
}

impl<'e> Visit<'e> for Finder<'_> {
    fn visit_expr(&mut self, expression: &'e Expr) {
        match expression {
            Expr::Path(path) => self.path(expression.clone(), &path.path),
            Expr::Macro(call) if call.mac.path.is_ident("cfg") => {
                let name = format!("`{}`", text(&call.mac));
                self.add(name, Value::Constant(expression.clone()));
            }
            // Only numbers are cast to: an alias has the name of its type here.
            Expr::Cast(cast) if primitive(&cast.ty).is_none() => {
                let ty = &cast.ty;
                let name = format!("`{}`", text(ty));
                let value = syn::parse_quote!(::core::any::type_name::<#ty>());
                self.add(name, Value::Constant(value));
                self.visit_expr(&cast.expr);
            }
            Expr::Call(call) => {
                if let Some((path, types)) = function(call, self.kernel, self.types) {
                    let name = format!("`{}`", text(path));
                    self.add(name, Value::Function(path.clone(), types));
                }
                // The path itself is a function's.
                call.args
                    .iter()
                    .for_each(|argument| self.visit_expr(argument));
            }
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_pat(&mut self, pattern: &'e Pat) {
        match pattern {
            Pat::Path(path) => self.path(Expr::Path(path.clone()), &path.path),
            Pat::Ident(name) if name.subpat.is_none() => {
                let path = Path::from(name.ident.clone());
                self.path(syn::parse_quote!(#path), &path);
            }
            _ => visit::visit_pat(self, pattern),
        }
    }

    fn visit_type(&mut self, _: &'e Type) {}
}

/// Returns whether a path has the name of a constant.
fn is_constant(path: &Path) -> bool {
    let Some(last) = path.segments.last() else {
        return false;
    };
    let name = last.ident.to_string();
    let is_upper = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    last.arguments.is_none()
        && name.chars().all(is_upper)
        && name.contains(|c: char| c.is_ascii_uppercase())
}

/// Reads a call of a function that control can make again elsewhere: its path, and the types of its
/// arguments, all integers or flags.
fn function<'c>(
    call: &'c ExprCall,
    kernel: &Kernel,
    types: &Types,
) -> Option<(&'c Path, Vec<Type>)> {
    let Expr::Path(path) = bare(&call.func) else {
        return None;
    };
    if places::name(&call.func).is_some() {
        return None;
    }
    let name = &path.path.segments.last()?.ident;
    let is_constructor = name.to_string().starts_with(|c: char| c.is_uppercase());
    if is_constructor || is_of_the_library(&path.path) || path.qself.is_some() {
        return None;
    }
    let arguments = call.args.iter().map(|argument| {
        let ty = types.of_expression(argument, kernel)?;
        is_control(&ty).then_some(ty)
    });
    let arguments: Option<Vec<Type>> = arguments.collect();
    Some((&path.path, arguments?))
}

/// Recognises `std::cmp::min` and `usize::min`: the width of `usize` is all that may differ.
fn is_of_the_library(path: &Path) -> bool {
    let first = &path.segments[0].ident;
    let is_type = || path.segments.len() > 1 && primitive(&syn::parse_quote!(#first)).is_some();
    first == "std" || first == "core" || is_type()
}

fn text(tokens: &impl ToTokens) -> String {
    let tokens: TokenStream = tokens.to_token_stream();
    tokens.to_string().replace(' ', "")
}
