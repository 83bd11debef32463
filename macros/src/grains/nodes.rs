//! Queries of a kernel's tree of control: which loops, tasks and names it has.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::{Id, Kernel};
use crate::lower::{Node, Statement};
use crate::places;

/// Counts the tasks that use each array.
pub(super) fn uses(nodes: &[Node], statements: &[Statement]) -> BTreeMap<usize, usize> {
    let mut uses = BTreeMap::new();
    each(nodes, &mut |node| {
        if let Node::Task(task) = node {
            let statement = &statements[task.statement];
            let arrays: BTreeSet<usize> = statement
                .target
                .into_iter()
                .chain(statement.operands.iter().copied())
                .collect();
            for array in arrays {
                *uses.entry(array).or_default() += 1;
            }
        }
    });
    uses
}

/// Finds the control that is assigned to.
pub(super) fn assigned(nodes: &[Node], kernel: &Kernel) -> BTreeSet<Id> {
    let mut assigned = BTreeSet::new();
    each(nodes, &mut |node| {
        if let Node::Assign { place, .. } = node {
            assigned.extend(places::target(place, &kernel.bindings));
        }
    });
    assigned
}

/// Calls `f` for all nodes, those inside others too.
pub(crate) fn each<'n>(nodes: &'n [Node], f: &mut dyn FnMut(&'n Node)) {
    for node in nodes {
        f(node);
        node.bodies().into_iter().for_each(|body| each(body, f));
    }
}

pub(super) fn any(nodes: &[Node], mut is: impl FnMut(&Node) -> bool) -> bool {
    let mut found = false;
    each(nodes, &mut |node| found |= is(node));
    found
}

/// Counts the tasks that write each array.
pub(super) fn writers(nodes: &[Node], statements: &[Statement]) -> BTreeMap<usize, usize> {
    let mut writers = BTreeMap::new();
    each(nodes, &mut |node| {
        if let Node::Task(task) = node
            && let Some(target) = statements[task.statement].target
        {
            *writers.entry(target).or_default() += 1;
        }
    });
    writers
}

/// Tells whether a task in a node writes an array.
pub(crate) fn writes(node: &Node, array: usize, statements: &[Statement]) -> bool {
    any(std::slice::from_ref(node), |node| match node {
        Node::Task(task) => statements[task.statement].target == Some(array),
        _ => false,
    })
}

pub(super) fn holds_task(nodes: &[Node]) -> bool {
    any(nodes, |node| matches!(node, Node::Task(_)))
}

pub(super) fn holds_mark(nodes: &[Node]) -> bool {
    any(nodes, |node| matches!(node, Node::BeginGrain))
}

pub(super) fn begins_grain(nodes: &[Node]) -> bool {
    let mut nodes = nodes.iter();
    let first = nodes.find(|node| !matches!(node, Node::EndGrain));
    matches!(first, Some(Node::BeginGrain))
}

/// Tells whether there are loops that write data in a block, perhaps in blocks of it.
pub(super) fn holds_loop(body: &[Node]) -> bool {
    body.iter().any(|node| match node {
        Node::For(each) => holds_task(&each.body),
        Node::While { body, .. } | Node::Block { body, .. } => holds_loop(body),
        _ => false,
    })
}

/// Tells whether a node changes control that others see.
pub(super) fn changes(node: &Node) -> bool {
    any(std::slice::from_ref(node), |node| {
        matches!(node, Node::Assign { .. })
    })
}

/// Returns how many loops that write are in each other, as statements of the kernel.
pub(super) fn depth(nodes: &[Node]) -> usize {
    let depth = nodes.iter().map(|node| match node {
        Node::For(each) if holds_task(&each.body) => 1 + depth(&each.body),
        Node::While { body, .. } if holds_loop(body) => 1 + depth(body),
        Node::Block { body, .. } => depth(body),
        _ => 0,
    });
    depth.max().unwrap_or(0)
}
