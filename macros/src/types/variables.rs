//! Type variables: one for each name of a kernel, which are unified.

use syn::Type;

use super::primitive::named;
use crate::kernel::Id;

/// Types of a kernel's names, as far as they are known.
#[derive(Clone)]
pub(crate) struct Types {
    pub(super) nodes: Vec<Node>,
}

impl Types {
    /// Returns the type of a scalar, or of an array's words.
    pub(crate) fn of(&self, id: Id) -> Option<Type> {
        let node = &self.nodes[self.root(id)];
        match &node.state {
            State::Known(ty) => Some(ty.clone()),
            State::Integer if !node.escaped => Some(named("i32")),
            State::Float if !node.escaped => Some(named("f64")),
            _ => None,
        }
    }

    pub(super) fn root(&self, mut node: usize) -> usize {
        while let State::Link(next) = self.nodes[node].state {
            node = next;
        }
        node
    }
}

#[derive(Clone)]
pub(super) struct Node {
    pub(super) state: State,
    /// Set if something unknown was done with it, which may decide its type.
    pub(super) escaped: bool,
}

impl Node {
    pub(super) fn new(state: State) -> Self {
        Self {
            state,
            escaped: false,
        }
    }
}

#[derive(Clone)]
pub(super) enum State {
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
