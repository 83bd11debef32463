//! The types of the kernel's names, as far as the text shows them.
//!
//! Each name has a type variable, which is unified as by the compiler's inference. What unifies
//! variables are literals, casts, elements of typed arrays, arithmetic on equal types, and the
//! methods of numbers that return their own type. A call of an unknown function says
//! nothing.
//!
//! Types that stay open must be written by the user. A wrong guess cannot do harm: the statement
//! functions are compiled with the types found here.

mod infer;
mod numbers;
mod primitive;
mod variables;

use std::collections::BTreeMap;

use syn::{Expr, Type};

use crate::kernel::{Id, Kernel};
use infer::Inference;
pub(crate) use numbers::is_method_of_numbers;
pub(crate) use primitive::{is_control, is_integer, last_segment, primitive};
pub(crate) use variables::Types;
use variables::{Node, State};

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
            kernel.each_step(&mut |step| inference.step(step));
        }
        inference.types
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
}
