//! Registers: words that a loop of a grain updates in each iteration stay in variables while it
//! runs.
//!
//! A row of a triangular solve is `for e in .. { x[i] -= l[e] * x[col[e]]; }`. It stores `x[i]` and
//! loads it again in each iteration, as `x[col[e]]` may be the same word (alias). A loop of a grain
//! has such a word in a variable while it runs, and compares its place with others of the array. So
//! a branch that is predicted replaces a store that is forwarded to a load.
//!
//! Solves that were written so by hand, on one core of 2025, take 0.76, 0.57 and 0.73 of the
//! function's time. Their rows are those of a 7-point grid (100^3), of a 27-point one (60^3) and of
//! random patterns.
//!
//! The word is loaded and stored only if the loop has an iteration. Otherwise tracking has told of
//! no access, and another processor may write it. Where an iteration panics, contents of the arrays
//! are unspecified in any case.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Expr;

use super::hoisted::text;
use super::names::hygienic;
use super::printer::{Printer, Register};
use crate::grains::each_node;
use crate::kernel::{Dimension, Id};
use crate::lower::{For, Node, Role, Task};
use crate::places::{self, Place};

/// Returns the names of a register and of its word's place.
fn names(number: usize) -> [Ident; 2] {
    ["register", "place"].map(|name| hygienic(&format!("{name}{number}")))
}

impl<'e> Printer<'e> {
    /// Prints a loop of a grain with what is the same in all its iterations before it; none if
    /// there is nothing. These are words of one place, in registers, and
    /// [hoisted](super::hoisted) values.
    pub(super) fn in_registers(&self, each: &'e For, depth: usize) -> Option<TokenStream> {
        let bindings = &self.expansion.kernel.bindings;
        let changing = self.changing_in(each);
        let registers = self.registers(&each.body, &changing);
        let own = self.hoisted(each, &changing);
        if registers.is_empty() && own.is_empty() {
            return None;
        }
        let [load, store] = self.load_and_store(&registers);
        let (read_ahead, hoisted) = (self.read_ahead(&own), [self.hoisted, &own].concat());
        let printer = Printer {
            registers: &registers,
            hoisted: &hoisted,
            ..*self
        };
        let variable = each.variable.map(|id| &bindings[id].unique);
        let variable = variable.map_or_else(|| quote!(_), ToTokens::to_token_stream);
        let (label, range) = (&each.label, self.expression(&each.range));
        let body = printer.nodes(&each.body, depth);
        let values = hygienic("values_of_loop");
        Some(quote! {{
            let #values = #range;
            if ::core::iter::Iterator::next(&mut ::core::clone::Clone::clone(&#values)).is_some() {
                #read_ahead
                #load
                #label for #variable in #values { #body }
                #store
            }
        }})
    }

    /// Prints how words come into their registers before a loop, and out of them behind it.
    pub(super) fn load_and_store(&self, registers: &[Register<'_>]) -> [TokenStream; 2] {
        let (mut load, mut store) = (TokenStream::new(), TokenStream::new());
        for (number, register) in registers.iter().enumerate() {
            let [value, place] = names(number);
            let id = self.expansion.lowered.arrays[register.array].id;
            let name = &self.expansion.kernel.bindings[id].unique;
            let ty = self.expansion.element(register.array, 1);
            let flat = self.flat(id, 0, register.at, &mut |index| self.in_place(index));
            load.extend(quote!(let #place = #flat; let mut #value: #ty = #name[#place];));
            store.extend(quote!(#name[#place] = #value;));
        }
        [load, store]
    }

    /// Finds the words that a loop updates in each iteration, in which these names change. There
    /// are none if its body has jumps or loops.
    pub(super) fn registers(&self, body: &'e [Node], changing: &BTreeSet<Id>) -> Vec<Register<'e>> {
        let lowered = self.expansion.lowered;
        let (mut tasks, mut is_plain): (Vec<&Task>, _) = (Vec::new(), self.emitted.computes());
        each_node(body, &mut |node| match node {
            Node::Task(task) => tasks.push(task),
            Node::Let { .. } | Node::Assign { .. } | Node::If { .. } => {}
            _ => is_plain = false,
        });
        let target = |task: &Task| lowered.statements[task.statement].target;
        if !is_plain || tasks.iter().any(|task| target(task).is_none()) {
            return Vec::new();
        }
        let mut registers: Vec<Register<'e>> = Vec::new();
        for node in body {
            let Node::Task(task) = node else { continue };
            let Some(array) = target(task) else { continue };
            let register = Register {
                array,
                at: &task.at,
                text: text(&task.at),
            };
            let statement = &lowered.statements[task.statement];
            let mut operands = statement.operands.iter().zip(&task.operands);
            let is_updated =
                operands.any(|(&operand, at)| operand == array && text(at) == register.text);
            let mut targets = tasks.iter().filter(|other| target(other) == Some(array));
            if is_updated
                && !registers.iter().any(|known| known.array == array)
                && targets.all(|other| text(&other.at) == register.text)
                && self.is_flat(array)
                && self.stays(&task.at, changing)
            {
                registers.push(register);
            }
        }
        registers
    }

    /// Returns whether an array is an argument whose words have flat indices.
    fn is_flat(&self, array: usize) -> bool {
        let lowered = &self.expansion.lowered.arrays[array];
        let dimensions = &self.expansion.kernel.bindings[lowered.id].dimensions;
        let is_nested = dimensions.len() > 1 && matches!(dimensions[0], Dimension::Slice);
        lowered.role == Role::InOut && !is_nested && !self.common.contains(&array)
    }

    /// Returns whether indices have the same values in all iterations, and stand on no tape.
    fn stays(&self, at: &[Expr], changing: &BTreeSet<Id>) -> bool {
        let bindings = &self.expansion.kernel.bindings;
        let mut changes = |place: &Place<'_>| match place {
            Place::Scalar(id) | Place::Reference(id) => changing.contains(id),
            Place::Element(id, _) | Place::Whole(id) => {
                changing.contains(id) || self.emitted.is_taped() && bindings[*id].marks.structure
            }
            Place::Length { id, .. } => changing.contains(id),
        };
        !at.iter()
            .any(|index| places::any(index, bindings, &mut changes))
    }

    /// Prints a word of an array of which a word is in a register. That is the register, the
    /// array's word, or a choice between the two at run time.
    pub(super) fn in_register(
        &self,
        array: usize,
        at: &[Expr],
        print: &mut dyn FnMut(&Expr) -> Expr,
    ) -> Option<TokenStream> {
        let mut registers = self.registers.iter().enumerate();
        let (number, register) = registers.find(|(_, register)| register.array == array)?;
        let [value, place] = names(number);
        if text(at) == register.text {
            return Some(quote!(#value));
        }
        let id = self.expansion.lowered.arrays[array].id;
        let name = &self.expansion.kernel.bindings[id].unique;
        let (index, flat) = (hygienic("index"), self.flat(id, 0, at, print));
        Some(quote!({
            let #index = #flat;
            if #index == #place { #value } else { #name[#index] }
        }))
    }
}
