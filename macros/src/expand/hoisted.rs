//! Hoisting: values on the tape that are the same in all iterations of a loop are read once, before
//! it runs.
//!
//! A solve for several right-hand sides is
//! `for e in .. { for k in 0..m { x[i * m + k] -= l[e] * x[col[e] * m + k]; } }`. The tape has
//! `l[e]` and `col[e] * m` once for each entry, not once for each of its `m` updates. So the inner
//! loop reads no tape, and compilers make vectors of it where they do of the function.
//!
//! Times of such solves over the function, on one and on two processors, in the geometric mean of
//! 16 real matrices, insisted on:
//!
//! | right-hand sides | in place | loaded, not hoisted | loaded |
//! |---|---|---|---|
//! | four, as constants say | 0.60, 0.55 | 1.17, 0.89 | 0.60, 0.52 |
//! | four, in a variable | 0.60, 0.48 | 0.84, 0.62 | 0.61, 0.47 |
//!
//! A value is read only if the loop has an iteration, in which its task runs: nobody reads what the
//! function does not.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Type};

use super::names::hygienic;
use super::printer::{Emitted, Hoisted, Printer};
use super::taped::field;
use crate::grains::each_node;
use crate::kernel::Id;
use crate::lower::{For, Node, Task};
use crate::places::{bare, each_within, names_in};

/// Finds the largest parts of control that read structure and use no name that changes in a loop.
struct Parts<'p, 'e> {
    printer: &'p Printer<'p>,
    changing: &'p BTreeSet<Id>,
    found: Vec<&'e Expr>,
}

impl<'e> Parts<'_, 'e> {
    /// Adds the parts of an expression; returns whether nothing else of it reads structure.
    fn add(&mut self, expression: &'e Expr) -> bool {
        if !self.printer.reads_structure(expression) {
            return true;
        }
        let expression = bare(expression);
        if names_in(expression).is_disjoint(self.changing) {
            self.found.push(expression);
            return self.printer.is_value(expression) && !shifts(expression);
        }
        // Whatever makes a number smaller may have parts that do not fit a word of the tape.
        match expression {
            Expr::Binary(both) if matches!(both.op, BinOp::Add(_) | BinOp::Mul(_)) => {
                self.add(&both.left) && self.add(&both.right)
            }
            Expr::Cast(cast) if is_usize(&cast.ty) => self.add(&cast.expr),
            _ => false,
        }
    }
}

impl Printer<'_> {
    /// Finds what is read from the tape before a loop, in which these names change. There is
    /// nothing if jumps lead out of an iteration.
    pub(super) fn hoisted(&self, each: &For, changing: &BTreeSet<Id>) -> Vec<Hoisted> {
        let mut hoisted = Vec::new();
        if !self.emitted.is_taped() || self.recorded.is_some() || has_jumps(&each.body) {
            return hoisted;
        }
        for node in &each.body {
            match node {
                Node::Let {
                    init: Some(init), ..
                } => self.hoist(init, changing, &mut hoisted),
                Node::Task(task) => {
                    for control in self.on_tape(task) {
                        self.hoist(control, changing, &mut hoisted);
                    }
                    for (array, at) in self.words_of_values(task) {
                        let stays = |index| names_in(index).is_disjoint(changing);
                        if at.iter().all(stays) && self.hoisted_word(array, at).is_none() {
                            let text = text(at);
                            let is_known = |known: &Hoisted| known.is(Some(array), &text);
                            if !hoisted.iter().any(is_known) {
                                hoisted.push(self.named(hoisted.len(), Some(array), text, at));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        hoisted
    }

    /// Adds the parts of control that are hoisted, if no other part of it stands on the tape.
    fn hoist(&self, control: &Expr, changing: &BTreeSet<Id>, hoisted: &mut Vec<Hoisted>) {
        if self.without_hoisted(control).is_some() {
            return;
        }
        let mut parts = Parts {
            printer: self,
            changing,
            found: Vec::new(),
        };
        if !parts.add(control) {
            return;
        }
        for part in parts.found {
            let text = text(std::slice::from_ref(part));
            let is_known = |known: &Hoisted| known.is(None, &text);
            if !self.hoisted.iter().chain(&*hoisted).any(is_known) {
                let at = std::slice::from_ref(part);
                hoisted.push(self.named(hoisted.len(), None, text, at));
            }
        }
    }

    fn named(&self, number: usize, array: Option<usize>, text: String, at: &[Expr]) -> Hoisted {
        Hoisted {
            array,
            text,
            name: hygienic(&format!("hoisted{}", self.hoisted.len() + number)),
            at: at.to_vec(),
        }
    }

    /// Returns whether a loop takes nothing from the tape in its iterations but values that change.
    pub(super) fn hoists_control(&self, each: &For) -> bool {
        let changing = self.changing_in(each);
        let hoisted = [self.hoisted, &self.hoisted(each, &changing)].concat();
        let printer = Printer {
            hoisted: &hoisted,
            ..*self
        };
        let mut is_free = !hoisted.is_empty() && !self.reads_structure(&each.range);
        each_node(&each.body, &mut |node| {
            let is_task = matches!(node, Node::Task(_));
            let free = |control: &Expr| {
                !printer.reads_structure(control) || printer.without_hoisted(control).is_some()
            };
            is_free &= match node {
                Node::Task(task) => printer.on_tape(task).all(free),
                _ => node.expressions().into_iter().all(free),
            };
            is_free &= is_task || matches!(node, Node::Let { .. });
        });
        is_free
    }

    /// Returns the names that have other values in each iteration of a loop.
    pub(super) fn changing_in(&self, each: &For) -> BTreeSet<Id> {
        let (mut changing, _) = self.changing(&each.body);
        changing.extend(each.variable);
        changing
    }

    /// Prints how hoisted values come on the tape, or off it.
    pub(super) fn read_ahead(&self, hoisted: &[Hoisted]) -> TokenStream {
        let [tape, reader, proof] = ["tape", "reader", "proof"].map(hygienic);
        let read = |hoisted: &Hoisted| {
            let name = &hoisted.name;
            let Some(array) = hoisted.array else {
                let value = self.in_place(&hoisted.at[0]);
                return match self.emitted {
                    Emitted::Recorded => quote!(let #name = #tape.control.put(#value);),
                    _ => quote!(let #name = #reader.control.take(#proof, || #value);),
                };
            };
            let field = field(&self.expansion.binding(array).unique);
            if self.emitted != Emitted::Recorded {
                return quote!(let #name = #reader.#field.next_word(#proof););
            }
            let id = self.expansion.lowered.arrays[array].id;
            let flat = self.flat(id, 0, &hoisted.at, &mut |index| self.in_place(index));
            quote!(#tape.#field.put(#flat);)
        };
        hoisted.iter().map(read).collect()
    }

    /// Returns the name of a word of values that was read ahead.
    pub(super) fn hoisted_word(&self, array: usize, at: &[Expr]) -> Option<&Ident> {
        let text = text(at);
        let mut hoisted = self.hoisted.iter();
        let found = hoisted.find(|known| known.is(Some(array), &text));
        found.map(|known| &known.name)
    }

    /// Prints control that reads no structure but what was read ahead; none if there is other
    /// control.
    pub(super) fn without_hoisted(&self, control: &Expr) -> Option<Expr> {
        struct Replace<'r> {
            hoisted: &'r [Hoisted],
            is_found: bool,
        }
        impl VisitMut for Replace<'_> {
            fn visit_expr_mut(&mut self, expression: &mut Expr) {
                let text = text(std::slice::from_ref(bare(expression)));
                let mut hoisted = self.hoisted.iter();
                match hoisted.find(|known| known.is(None, &text)) {
                    Some(Hoisted { name, .. }) => {
                        *expression = syn::parse_quote!(#name);
                        self.is_found = true;
                    }
                    None => visit_mut::visit_expr_mut(self, expression),
                }
            }
        }
        if self.hoisted.is_empty() {
            return None;
        }
        let mut replace = Replace {
            hoisted: self.hoisted,
            is_found: false,
        };
        let mut whole = control.clone();
        replace.visit_expr_mut(&mut whole);
        (replace.is_found && !self.reads_structure(&whole)).then(|| self.in_place(&whole))
    }

    /// Returns the words of values that a task reads.
    fn words_of_values<'t>(&self, task: &'t Task) -> impl Iterator<Item = (usize, &'t [Expr])> {
        let statement = &self.expansion.lowered.statements[task.statement];
        let operands = statement.operands.iter().zip(&task.operands);
        let operands = operands.filter(|&(&array, _)| self.expansion.binding(array).marks.values);
        operands.map(|(&array, at)| (array, &at[..]))
    }
}

impl Hoisted {
    /// Returns whether it is control, or a word of an array, with that text.
    fn is(&self, array: Option<usize>, text: &str) -> bool {
        self.array == array && self.text == text
    }
}

/// Prints resolved indices, by which values are known.
pub(super) fn text(at: &[Expr]) -> String {
    at.iter()
        .map(|index| index.to_token_stream().to_string() + ", ")
        .collect()
}

/// Returns whether an expression shifts. A literal that is shifted has the type of its use, which
/// may be another one where the same text stands again.
fn shifts(expression: &Expr) -> bool {
    let mut shifts = false;
    each_within(expression, &mut |within| {
        shifts |= matches!(within, Expr::Binary(both) if matches!(both.op, BinOp::Shl(_) | BinOp::Shr(_)));
    });
    shifts
}

fn is_usize(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("usize"))
}

/// Returns whether a jump may end an iteration before its last node, or a loop in it.
fn has_jumps(body: &[Node]) -> bool {
    let mut has_jumps = false;
    each_node(body, &mut |node| {
        has_jumps |= matches!(node, Node::Break(..) | Node::Continue(..) | Node::Return(_));
    });
    has_jumps
}
