//! Accesses: prints which words the tasks of a grain read and write, for planning. Of arrays that
//! are only read, it prints how far the reads reach.
//!
//! A loop that runs to its end tells words that do not move with it once, and neighbouring words as
//! one range. So a dot product over a row takes one call for each entry that is found by an index
//! array, and none for the others.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{BinOp, Expr, RangeLimits};

use super::names::hygienic;
use super::printer::Printer;
use crate::kernel::Id;
use crate::lower::{For, Node, Role, Task};
use crate::places::{self, bare, names_in};
use crate::types::primitive;

/// A word, or words, of an array that a task uses.
struct Access<'t> {
    /// Number of the array among those that are [tracked](Expansion::tracked).
    tracked: u16,
    array: usize,
    at: &'t [Expr],
    /// `read`, `write` or, for both, `update`; `reach` for arrays that are only read.
    how: &'static str,
}

impl Access<'_> {
    /// Returns the name of the receiver that is told of the access.
    fn receiver(&self) -> Ident {
        hygienic(match self.how {
            "reach" => "extents",
            _ => "accesses",
        })
    }
}

/// Movement of an access's words with a loop's variable.
#[derive(PartialEq)]
enum Moves {
    /// One word in all iterations.
    Not,
    /// Each word is the neighbour of the one before.
    ByOne,
    Otherwise,
}

impl Printer<'_> {
    /// Prints what a task reads and writes of the arrays that are tracked.
    pub(super) fn accesses(&self, task: &Task) -> TokenStream {
        let all = self.accesses_of(task);
        all.iter().map(|access| self.access(access)).collect()
    }

    /// Prints what a loop over `start..end` reads and writes. None if anything in it leads out of
    /// it or to its next iteration.
    pub(super) fn accesses_of_loop(&self, each: &For, depth: usize) -> Option<TokenStream> {
        let (variable, range, body) = (each.variable?, &each.range, &each.body);
        let Expr::Range(bounds) = bare(range) else {
            return None;
        };
        let (RangeLimits::HalfOpen(_), Some(_), Some(_)) =
            (&bounds.limits, &bounds.start, &bounds.end)
        else {
            return None;
        };
        let mut changed = BTreeSet::new();
        if !runs_through(body, &mut changed) || changed.contains(&variable) {
            return None;
        }
        let tasks = body.iter().filter_map(|node| match node {
            Node::Task(task) => Some(self.accesses_of(task)),
            _ => None,
        });
        // For scratch arrays it matters which access comes first.
        let is_scratch = |access: &Access<'_>| {
            let array = &self.expansion.lowered.arrays[access.array];
            self.expansion.kernel.bindings[array.id].marks.scratch
        };
        if tasks.flatten().any(|access| is_scratch(&access)) {
            return None;
        }
        let (mut once, mut ranges, mut each) = (Vec::new(), Vec::new(), Vec::new());
        let mut told = BTreeSet::new();
        let [span, start, end] = ["span", "start", "end"].map(hygienic);
        let name = &self.expansion.kernel.bindings[variable].unique;
        for node in body {
            let Node::Task(task) = node else {
                each.push(self.node(node, depth + 1));
                continue;
            };
            for access in self.accesses_of(task) {
                let is_changed = changed
                    .iter()
                    .any(|&id| self.moves(&access, id) != Moves::Not);
                let moves = if is_changed {
                    Moves::Otherwise
                } else {
                    // The resolved index is compared: printed, a length may read as a local of the
                    // user's.
                    let at = access.at.iter().map(|index| quote!(#index).to_string());
                    if !told.insert((access.how, access.tracked, at.collect::<Vec<_>>())) {
                        continue;
                    }
                    match self.moves(&access, variable) {
                        // Each word is checked: runs check the lengths of arguments alone.
                        Moves::ByOne if self.common.contains(&access.array) => Moves::Otherwise,
                        moves => moves,
                    }
                };
                match moves {
                    Moves::Not => once.push(self.access(&access)),
                    Moves::ByOne => ranges.push(self.range(&access, name, &start, &end)),
                    Moves::Otherwise => each.push(self.access(&access)),
                }
            }
        }
        let range = self.expression(range);
        let each = (!each.is_empty()).then(|| quote!(for #name in #start..#end { #(#each)* }));
        Some(quote! {{
            let #span = #range;
            let (#start, #end) = (#span.start, #span.end);
            if #start < #end {
                #(#once)*
                #(#ranges)*
                #each
            }
        }})
    }

    fn accesses_of<'t>(&self, task: &'t Task) -> Vec<Access<'t>> {
        let statement = &self.expansion.lowered.statements[task.statement];
        let tracked = self.expansion.tracked();
        let access = |array: usize, at: &'t [Expr], how| {
            let how = match self.expansion.lowered.arrays[array].role {
                // At another level grains may have an array in common that each has for itself
                // here.
                Role::Local if !self.common.contains(&array) => return None,
                Role::Input => "reach",
                _ => how,
            };
            let number = tracked.iter().position(|&other| other == array)?;
            Some(Access {
                tracked: number as u16,
                array,
                at,
                how,
            })
        };
        let mut write = statement
            .target
            .and_then(|target| access(target, &task.at, "write"));
        let mut reads = Vec::new();
        for (&array, at) in statement.operands.iter().zip(&task.operands) {
            match &mut write {
                Some(write) if write.array == array && write.at == at => write.how = "update",
                _ => reads.extend(access(array, at, "read")),
            }
        }
        reads.into_iter().chain(write).collect()
    }

    fn access(&self, access: &Access<'_>) -> TokenStream {
        let private = self.private;
        let id = self.expansion.lowered.arrays[access.array].id;
        let dimensions = self.expansion.kernel.bindings[id].dimensions.len();
        let lengths = (0..dimensions).map(|depth| self.length(id, depth, true));
        let at = access.at.iter().map(|index| self.expression(index));
        let (receiver, how) = (access.receiver(), hygienic(access.how));
        let number = access.tracked;
        quote!(#private::#how(#receiver, #number, [#(#lengths),*], [#(#at),*]);)
    }

    /// Prints the words between those at the start and at the end of a loop.
    fn range(&self, access: &Access<'_>, name: &Ident, start: &Ident, end: &Ident) -> TokenStream {
        let private = self.private;
        let index = self.expression(&access.at[0]);
        let receiver = access.receiver();
        let how = hygienic(&format!("{}_all", access.how));
        let number = access.tracked;
        quote! {
            #private::#how(
                #receiver,
                #number,
                { let #name = #start; #index }..{ let #name = #end; #index },
            );
        }
    }

    fn moves(&self, access: &Access<'_>, variable: Id) -> Moves {
        if !access.at.iter().any(|index| mentions(index, variable)) {
            return Moves::Not;
        }
        match access.at {
            [index] if advances(index, variable) => Moves::ByOne,
            _ => Moves::Otherwise,
        }
    }
}

fn mentions(expression: &Expr, variable: Id) -> bool {
    names_in(expression).contains(&variable)
}

/// Returns whether an expression is the variable, plus or less what does not depend on it.
fn advances(expression: &Expr, variable: Id) -> bool {
    let expression = bare(expression);
    if places::name(expression) == Some(variable) {
        return true;
    }
    if let Expr::Cast(cast) = expression {
        // Narrower types wrap round.
        let is_wide = ["usize", "isize", "u64", "i64", "u128", "i128"];
        let ty = primitive(&cast.ty);
        return ty.is_some_and(|ty| is_wide.contains(&&*ty)) && advances(&cast.expr, variable);
    }
    let Expr::Binary(binary) = expression else {
        return false;
    };
    let moves = |one, other| advances(one, variable) && !mentions(other, variable);
    let (left, right) = (&binary.left, &binary.right);
    match binary.op {
        BinOp::Add(_) => moves(left, right) || moves(right, left),
        BinOp::Sub(_) => moves(left, right),
        _ => false,
    }
}

/// Returns whether nothing in the body of a loop leads out of it, or to its next iteration;
/// collects the names that it gives values.
fn runs_through(nodes: &[Node], changed: &mut BTreeSet<Id>) -> bool {
    nodes.iter().all(|node| {
        match node {
            Node::Let { id, .. } | Node::Part { id, .. } => drop(changed.insert(*id)),
            Node::Assign { place, .. } => match places::name(place) {
                Some(id) => drop(changed.insert(id)),
                None => return false,
            },
            Node::For(each) => changed.extend(each.variable),
            Node::Task(_) | Node::Assert { .. } => {}
            Node::While { .. } | Node::Block { label: None, .. } | Node::If { .. } => {}
            _ => return false,
        }
        let mut bodies = node.bodies().into_iter();
        bodies.all(|body| runs_through(body, changed))
    })
}
