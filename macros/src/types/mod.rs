//! The types of the kernel's names, as far as the text shows them.
//!
//! Each name has a type variable. Literals, casts, elements of typed arrays, arithmetic on equal primitive types, and the methods of
//! numbers that return their own type unify them, as the compiler's inference would; a call of an unknown function says nothing. What stays
//! open must be written by the user. A wrong guess cannot do harm: the statement functions are compiled with the types found here.

mod infer;
mod numbers;

use std::collections::BTreeMap;

use proc_macro2::{Ident, Span};
use syn::{Expr, Type};

use crate::kernel::{Id, Kernel};
use infer::Inference;
pub(crate) use numbers::is_method_of_numbers;

/// The name of a primitive type.
pub(crate) fn primitive(ty: &Type) -> Option<String> {
    let name = match ty {
        Type::Path(path) if path.qself.is_none() => path.path.get_ident()?.to_string(),
        Type::Paren(paren) => return primitive(&paren.elem),
        Type::Group(group) => return primitive(&group.elem),
        _ => return None,
    };
    let known = is_integer(&name) || matches!(name.as_str(), "f32" | "f64" | "bool" | "char");
    known.then_some(name)
}

/// Whether a type name is that of a primitive integer.
pub(crate) fn is_integer(name: &str) -> bool {
    matches!(
        name,
        "u8" | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
    )
}

/// Whether values of the type can be control operands: they fit 64 bits.
pub(crate) fn is_control(ty: &Type) -> bool {
    primitive(ty).is_some_and(|name| {
        name == "bool" || is_integer(&name) && !matches!(name.as_str(), "u128" | "i128")
    })
}

/// The primitive type of that name.
fn named(name: &str) -> Type {
    let ident = Ident::new(name, Span::call_site());
    syn::parse_quote!(#ident)
}

/// What is known of the types of a kernel's names.
#[derive(Clone)]
pub(crate) struct Types {
    nodes: Vec<Node>,
}

impl Types {
    /// Infers the types of all names.
    pub(crate) fn infer(kernel: &Kernel) -> Self {
        Self::assuming(kernel, &BTreeMap::new())
    }

    /// Infers the types of all names where some have these, which the text does not tell.
    pub(crate) fn assuming(kernel: &Kernel, assumed: &BTreeMap<Id, Type>) -> Self {
        let nodes = kernel.bindings.0.iter().enumerate();
        let nodes = nodes.map(|(id, binding)| {
            let ty = binding.element.as_ref().or_else(|| assumed.get(&id));
            Node::new(ty.cloned().map_or(State::Free, State::Known))
        });
        let mut inference = Inference {
            kernel,
            types: Types {
                nodes: nodes.collect(),
            },
        };
        // A second time for what only later statements tell.
        for _ in 0..2 {
            for step in &kernel.body {
                step.each(&mut |step| inference.step(step));
            }
        }
        inference.types
    }

    /// Type of a scalar, or of an array's words.
    pub(crate) fn of(&self, id: Id) -> Option<Type> {
        let node = &self.nodes[self.root(id)];
        match &node.state {
            State::Known(ty) => Some(ty.clone()),
            State::Integer if !node.escaped => Some(named("i32")),
            State::Float if !node.escaped => Some(named("f64")),
            _ => None,
        }
    }

    /// Returns the type of an expression where the text shows it: one of the kernel, or a part of
    /// one.
    pub(crate) fn of_expression(&self, expression: &Expr, kernel: &Kernel) -> Option<Type> {
        let mut inference = Inference {
            kernel,
            types: self.clone(),
        };
        let node = inference.expression(expression);
        let types = inference.types;
        match &types.nodes[types.root(node)].state {
            State::Known(ty) => Some(ty.clone()),
            _ => None,
        }
    }

    fn root(&self, mut node: usize) -> usize {
        while let State::Link(next) = self.nodes[node].state {
            node = next;
        }
        node
    }
}

#[derive(Clone)]
struct Node {
    state: State,
    /// Something unknown was done with it, which may decide its type.
    escaped: bool,
}

impl Node {
    fn new(state: State) -> Self {
        Self {
            state,
            escaped: false,
        }
    }
}

#[derive(Clone)]
enum State {
    Link(usize),
    /// Nothing known yet.
    Free,
    /// An integer literal's.
    Integer,
    /// A float literal's.
    Float,
    Known(Type),
    /// Nothing will be known.
    Opaque,
}
