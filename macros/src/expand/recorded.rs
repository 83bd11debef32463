//! Loops whose control is recorded: replays of a tape run them without their conditions.
//!
//! The tape has how often such a loop runs its tasks, and the places of each. A merge of two rows,
//! as in an incomplete factorisation, compares column after column, and computes only where two are
//! equal. With its pairs of places on the tape (8 bytes each) it is a loop over them. A loop over a
//! row's entries needs no bounds then, but the number of entries.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Expr;

use super::names::hygienic;
use super::printer::{Emitted, Printer, Recorded};
use crate::grains::each_node;
use crate::kernel::Id;
use crate::lower::{For, Node};
use crate::places::{self, names_in};

/// Lists of nodes of a loop that have tasks in them, if nothing leads out of the loop.
#[derive(Default)]
struct Lists<'e> {
    with_tasks: Vec<&'e [Node]>,
    leads_out: bool,
}

impl<'e> Lists<'e> {
    fn find(&mut self, nodes: &'e [Node], is_inside: bool) {
        let has_tasks = nodes.iter().any(|node| matches!(node, Node::Task(_)));
        if has_tasks {
            self.with_tasks.push(nodes);
            // A loop inside would run its tasks a number of times of its own.
            self.leads_out |= is_inside;
        }
        for node in nodes {
            match node {
                Node::Task(_) | Node::Let { .. } | Node::Part { .. } | Node::Assign { .. } => {}
                Node::Assert { .. } | Node::BeginGrain | Node::EndGrain => {}
                Node::Break(_, None) | Node::Continue(_, None) => {}
                Node::If { .. } => {
                    let bodies = node.bodies().into_iter();
                    bodies.for_each(|body| self.find(body, is_inside));
                }
                Node::For(For {
                    label: None, body, ..
                })
                | Node::While {
                    label: None, body, ..
                } => self.find(body, true),
                _ => self.leads_out = true,
            }
        }
    }
}

impl<'e> Printer<'e> {
    /// Prints a loop by what is recorded of it; none if its control is evaluated again.
    pub(super) fn recorded_loop(&self, node: &'e Node, depth: usize) -> Option<TokenStream> {
        if !self.emitted.is_taped() || self.recorded.is_some() {
            return None;
        }
        let recorded = self.recorded(node)?;
        let of = |emitted| Printer {
            emitted,
            recorded: Some(&recorded),
            hoisted: &[],
            ..*self
        };
        let [tape, reader, proof] = ["tape", "reader", "proof"].map(hygienic);
        let [run, executed] = ["run", "executed"].map(hygienic);
        if self.emitted == Emitted::Recorded {
            let whole = of(Emitted::Executed).node(node, depth);
            return Some(quote! {{
                let #run = #tape.control.begin_run();
                let mut #executed = 0u32;
                #whole
                #tape.control.end_run(#run, #executed);
            }});
        }
        let typed = of(Emitted::Typed);
        let tasks = recorded.tasks.iter();
        let slots: Vec<_> = tasks.flat_map(|task| typed.slots(task)).collect();
        let whole = typed.node(node, depth);
        let registers = self.registers(recorded.nodes, &recorded.changing);
        let [load, store] = self.load_and_store(&registers);
        let printer = Printer {
            registers: &registers,
            ..of(Emitted::Replayed)
        };
        let tasks = recorded.tasks.iter().map(|task| printer.taped(task));
        Some(quote! {{
            #(let mut #slots = ::core::option::Option::None;)*
            // It never runs, and gives control its types.
            if false {
                #whole
            }
            let #executed = #reader.control.take(#proof, || 0u32);
            if #executed > 0 {
                #load
                for _ in 0..#executed { #(#tasks)* }
                #store
            }
        }})
    }

    /// Finds what there is to record of a loop.
    fn recorded(&self, node: &'e Node) -> Option<Recorded<'e>> {
        let (Node::For(For {
            label: None, body, ..
        })
        | Node::While {
            label: None, body, ..
        }) = node
        else {
            return None;
        };
        if let Node::For(each) = node
            && self.hoists_control(each)
        {
            return None;
        }
        let mut lists = Lists::default();
        lists.find(body, false);
        let ([list], false) = (&lists.with_tasks[..], lists.leads_out) else {
            return None;
        };
        let is_task = |node: &Node| matches!(node, Node::Task(_));
        let (first, last) = (
            list.iter().position(is_task)?,
            list.iter().rposition(is_task)?,
        );
        let nodes = &list[first..=last];
        let runs_through = nodes
            .iter()
            .all(|node| matches!(node, Node::Task(_) | Node::Let { .. } | Node::Assign { .. }));
        if !runs_through {
            return None;
        }
        let tasks = nodes.iter().filter_map(|node| match node {
            Node::Task(task) => Some(task),
            _ => None,
        });
        let (changing, declared) = self.changing(std::slice::from_ref(node));
        let recorded = Recorded {
            tasks: tasks.collect(),
            nodes,
            changing,
        };
        let mut outside = recorded.changing.difference(&declared);
        (!outside.any(|&id| self.is_used_outside(id, node)) && self.gains(node, &recorded))
            .then_some(recorded)
    }

    /// Returns the names that nodes give values, and those of them that are their own.
    pub(super) fn changing(&self, nodes: &[Node]) -> (BTreeSet<Id>, BTreeSet<Id>) {
        let bindings = &self.expansion.kernel.bindings;
        let (mut changing, mut declared) = (BTreeSet::new(), BTreeSet::new());
        each_node(nodes, &mut |node| match node {
            Node::Let { id, .. } | Node::Part { id, .. } => drop(declared.insert(*id)),
            Node::For(each) => declared.extend(each.variable),
            Node::Assign { place, .. } => changing.extend(places::target(place, bindings)),
            _ => {}
        });
        changing.extend(&declared);
        (changing, declared)
    }

    /// Returns whether the grain uses a name outside of a loop, but for declaring it.
    fn is_used_outside(&self, id: Id, whole: &Node) -> bool {
        fn uses(node: &Node, id: Id, whole: &Node) -> bool {
            if std::ptr::eq(node, whole) {
                return false;
            }
            let has = |expression: &Expr| names_in(expression).contains(&id);
            let control = match node {
                Node::Task(task) => &task.control[..],
                _ => &[],
            };
            let mut within = node.bodies().into_iter().flatten();
            node.expressions().into_iter().any(has)
                || control.iter().any(|(value, _)| has(value))
                || within.any(|node| uses(node, id, whole))
        }
        self.grain.iter().any(|node| uses(node, id, whole))
    }

    /// Returns whether a loop takes less of a tape if it is recorded. It does if its control reads
    /// structure, or if no place stands on the tape then that did not before.
    fn gains(&self, node: &'e Node, recorded: &Recorded<'e>) -> bool {
        let (mut compares, mut reads) = (false, false);
        each_node(std::slice::from_ref(node), &mut |inside| {
            let is_control = !matches!(inside, Node::Task(_)) && !std::ptr::eq(inside, node);
            for expression in inside.expressions() {
                let is_of_structure = self.reads_structure(expression);
                reads |= is_of_structure;
                compares |= is_of_structure && is_control;
            }
        });
        let printer = Printer {
            recorded: Some(recorded),
            hoisted: &[],
            ..*self
        };
        let mut is_known = true;
        let mut is_printed = true;
        for task in &recorded.tasks {
            for index in printer.on_tape(task) {
                is_printed &= printer.is_in_values(index);
                printer.with_taped(index, &mut |value, printed| {
                    is_known &= self.reads_structure(value);
                    printed
                });
            }
        }
        reads && is_printed && (compares || is_known)
    }
}
