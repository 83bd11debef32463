//! Lowered kernels: tables of arrays and statements, and control with tasks in it.
//!
//! This is plain data. Grains, environments and expansions read it, and lowering alone makes it.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span};
use syn::{BinOp, Expr, Label, Lifetime, Pat, Type};

use crate::kernel::{Id, Source, guards};

/// A kernel as tables and control.
#[derive(Default)]
pub(crate) struct Lowered {
    pub arrays: Vec<Array>,
    pub statements: Vec<Statement>,
    /// The loop variables.
    pub variables: Vec<Id>,
    pub nodes: Vec<Node>,
}

/// A name that holds data.
pub(crate) struct Array {
    pub id: Id,
    pub role: Role,
    pub element: Type,
}

/// Role of an array, as `tracer::Role`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Input,
    InOut,
    Local,
}

/// A data assignment or a guard, or a variant of one.
pub(crate) struct Statement {
    pub source: Source,
    /// Index into [`Lowered::arrays`]; none for a guard, whose value is a `Result`.
    pub target: Option<usize>,
    /// Indices into [`Lowered::arrays`].
    pub operands: Vec<usize>,
    pub control: Vec<Type>,
    pub body: Body,
}

/// Computation of a statement from `o0`, `o1`, ... and `c0`, `c1`, ...
#[derive(PartialEq)]
pub(crate) enum Body {
    /// The value.
    Value(Expr),
    /// `o0` after an assignment to it, or to a part of it, which `place` calls `t`.
    Update {
        place: Expr,
        op: Option<BinOp>,
        value: Expr,
    },
}

/// One execution of a statement: where its words are. Expressions are resolved.
pub(crate) struct Task {
    pub statement: usize,
    pub at: Vec<Expr>,
    pub operands: Vec<Vec<Expr>>,
    pub control: Vec<(Expr, Type)>,
}

/// Control, with tasks in it. Expressions are resolved.
pub(crate) enum Node {
    Task(Task),
    Let {
        id: Id,
        init: Option<Expr>,
    },
    /// A part, as [`Step::Part`](crate::kernel::Step::Part).
    Part {
        id: Id,
        start: Expr,
        end: Option<Expr>,
        outer: Option<Expr>,
        span: Span,
    },
    Assign {
        place: Expr,
        op: Option<BinOp>,
        value: Expr,
    },
    /// A loop over the words of an array literal.
    Repeat {
        variable: Ident,
        count: Expr,
        body: Vec<Node>,
    },
    For(For),
    While {
        label: Option<Label>,
        condition: Expr,
        body: Vec<Node>,
        /// Names that the body declares.
        declared: BTreeSet<Id>,
    },
    Loop {
        label: Option<Label>,
        body: Vec<Node>,
    },
    If {
        condition: Expr,
        then: Vec<Node>,
        otherwise: Option<Vec<Node>>,
    },
    Match {
        scrutinee: Expr,
        arms: Vec<(Pat, Vec<Node>)>,
    },
    Block {
        label: Option<Label>,
        body: Vec<Node>,
    },
    /// Beginning of tasks that are one for schedulers.
    BeginGrain,
    /// End of such tasks, if any were begun.
    EndGrain,
    Break(Span, Option<Lifetime>),
    Continue(Span, Option<Lifetime>),
    Return(Span),
    Assert {
        debug: bool,
        condition: Expr,
        text: String,
    },
}

/// A `for` loop of control.
pub(crate) struct For {
    pub label: Option<Label>,
    pub variable: Option<Id>,
    pub range: Expr,
    pub body: Vec<Node>,
    /// Names that the body declares.
    pub declared: BTreeSet<Id>,
}

impl Node {
    /// Returns the expressions of control of this very node, not of the nodes in it.
    pub(crate) fn expressions(&self) -> Vec<&Expr> {
        match self {
            // Control operands are values of data: they lead nowhere.
            Node::Task(Task { at, operands, .. }) => {
                at.iter().chain(operands.iter().flatten()).collect()
            }
            Node::Let { init, .. } => init.iter().collect(),
            Node::Assign { place, value, .. } => vec![place, value],
            Node::Part {
                start, end, outer, ..
            } => std::iter::once(start).chain(end).chain(outer).collect(),
            Node::For(each) => vec![&each.range],
            Node::While { condition, .. }
            | Node::If { condition, .. }
            | Node::Assert { condition, .. } => vec![condition],
            Node::Match { scrutinee, arms } => {
                let guards = arms.iter().flat_map(|(pattern, _)| guards(pattern));
                std::iter::once(scrutinee).chain(guards).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the lists of nodes that stand within.
    pub(crate) fn bodies(&self) -> Vec<&[Node]> {
        match self {
            Node::Repeat { body, .. }
            | Node::For(For { body, .. })
            | Node::While { body, .. }
            | Node::Loop { body, .. }
            | Node::Block { body, .. } => vec![body],
            Node::If {
                then, otherwise, ..
            } => std::iter::once(&then[..])
                .chain(otherwise.as_deref())
                .collect(),
            Node::Match { arms, .. } => arms.iter().map(|(_, body)| &body[..]).collect(),
            _ => Vec::new(),
        }
    }
}

/// Form in which a statement gives a word its value: as `tracer::Form`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Move,
    Value,
    Compound,
}
