//! Control through tapes: what grains read of structure and of values, recorded in the order in
//! which they read it.
//!
//! It is recorded once, as by an inspector, and each run reads it from there. Both forms are
//! printed from one tree: the one takes off the tape what the other puts there, in the same order.
//! A value is taped where it is computed from structure: the largest expression that reads some.
//! Control that is computed from other values is computed again.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, ExprMethodCall};

use super::names::hygienic;
use super::printer::{Emitted, Printer, Recorded};
use crate::lower::Task;
use crate::places::{self, Place, bare, names_in};

/// Returns the field of a tape that has the words of an array of values.
pub(super) fn field(name: &Ident) -> Ident {
    format_ident!("values_{}", name)
}

impl Printer<'_> {
    /// Prints control with what it takes from structure, each at its place.
    pub(super) fn through_tape(&self, expression: &Expr) -> Expr {
        self.with_taped(expression, &mut |_, value| {
            let value = self.tape(&value);
            syn::parse_quote!(#value)
        })
    }

    /// Prints a place of control that is assigned to.
    pub(super) fn target_through_tape(&self, place: &Expr) -> Expr {
        match place {
            Expr::Index(index) => {
                let mut index = index.clone();
                index.expr = Box::new(self.target_through_tape(&index.expr));
                index.index = Box::new(self.through_tape(&index.index));
                Expr::Index(index)
            }
            other => self.in_place(other),
        }
    }

    /// Prints a task: what stands on the tape first, once each.
    pub(super) fn taped(&self, task: &Task) -> TokenStream {
        let statement = &self.expansion.lowered.statements[task.statement];
        let mut values = Values::default();
        let mut print =
            |index: &Expr| self.with_taped(index, &mut |of, value| values.add(of, value));
        let [tape, reader, proof] = ["tape", "reader", "proof"].map(hygienic);
        let mut recorded = Vec::new();
        let operands = statement.operands.iter().zip(&task.operands);
        let operands = operands.map(|(&array, at)| {
            let binding = self.expansion.binding(array);
            if !binding.marks.values {
                return self.word(array, at, &mut print);
            }
            if let Some(name) = self.hoisted_word(array, at) {
                return quote!(#name);
            }
            let (id, name) = (self.expansion.lowered.arrays[array].id, &binding.unique);
            let field = field(name);
            let flat = self.flat(id, 0, at, &mut |index| self.in_place(index));
            recorded.push(quote!(#tape.#field.put(#flat);));
            quote!(#reader.#field.next_word(#proof))
        });
        let operands: Vec<TokenStream> = operands.collect();
        let computed = self.computed(task, &operands, &mut print);
        let typed = self.typed_control(task, &mut print);
        let (names, values) = (values.names(), values.0.iter().map(|(_, value)| value));
        let slots = names.iter().map(|name| self.slot(task, name));
        match self.emitted {
            Emitted::Executed | Emitted::Recorded => {
                let executed = hygienic("executed");
                let is_first = self.recorded.is_some_and(|all| all.number(task) == 0);
                let is_counted = is_first && self.emitted == Emitted::Executed;
                let count = is_counted.then(|| quote!(#executed = #executed.wrapping_add(1);));
                quote!({ #count #(let #names = #tape.control.put(#values);)* #(#recorded)* #typed })
            }
            Emitted::Typed => {
                let kept = quote!(#(#slots = ::core::option::Option::Some(#names);)*);
                quote!({ #(let #names = #values;)* #kept #typed })
            }
            _ if self.recorded.is_some() => {
                let taken = slots.map(|slot| quote!(#reader.control.take_as(#proof, &#slot)));
                quote!({ #(let #names = #taken;)* #computed })
            }
            _ => {
                let taken = values.map(|value| quote!(#reader.control.take(#proof, || #value)));
                quote!({ #(let #names = #taken;)* #computed })
            }
        }
    }

    /// Returns the variables that have the types of what a task has on the tape.
    pub(super) fn slots(&self, task: &Task) -> Vec<Ident> {
        let mut values = Values::default();
        for control in self.on_tape(task) {
            self.with_taped(control, &mut |of, value| values.add(of, value));
        }
        let names = values.names();
        names.iter().map(|name| self.slot(task, name)).collect()
    }

    /// Returns the variable that has the type of a value on the tape.
    fn slot(&self, task: &Task, name: &Ident) -> Ident {
        let number = self.recorded.map_or(0, |all| all.number(task));
        hygienic(&format!("{name}_of{number}"))
    }

    /// Returns the control of a task that stands on the tape. Places of values do not, as values
    /// are on a tape themselves.
    pub(super) fn on_tape<'t>(&self, task: &'t Task) -> impl Iterator<Item = &'t Expr> {
        let statement = &self.expansion.lowered.statements[task.statement];
        let operands = statement.operands.iter().zip(&task.operands);
        let operands = operands.filter(|&(&array, _)| !self.expansion.binding(array).marks.values);
        let control = task.control.iter().map(|(value, _)| value);
        operands
            .flat_map(|(_, at)| at)
            .chain(control)
            .chain(&task.at)
    }

    /// Prints code that never runs, and gives control the types that its use gives it where the
    /// task is computed.
    fn typed_control(&self, task: &Task, print: &mut dyn FnMut(&Expr) -> Expr) -> TokenStream {
        let statement = &self.expansion.lowered.statements[task.statement];
        let mut indices: Vec<Expr> = task.at.iter().map(&mut *print).collect();
        for (&array, at) in statement.operands.iter().zip(&task.operands) {
            // Places of values are not on the tape.
            let is_values = self.expansion.binding(array).marks.values;
            indices.extend(at.iter().map(|index| match is_values {
                true => self.in_place(index),
                false => print(index),
            }));
        }
        let control = task.control.iter().map(|(value, ty)| {
            let value = print(value);
            quote!(let _: #ty = #value;)
        });
        let control: Vec<TokenStream> = control.collect();
        if indices.is_empty() && control.is_empty() {
            return TokenStream::new();
        }
        quote! {
            if false {
                #(let _: usize = #indices;)*
                #(#control)*
            }
        }
    }

    /// Prints a value as it is put on the tape, or taken off.
    fn tape(&self, value: &Expr) -> TokenStream {
        match self.emitted {
            Emitted::Recorded => {
                let tape = hygienic("tape");
                quote!(#tape.control.put(#value))
            }
            _ => {
                let [reader, proof] = ["reader", "proof"].map(hygienic);
                quote!(#reader.control.take(#proof, || #value))
            }
        }
    }

    /// Prints control, with `taped` in place of each value that is computed from structure.
    pub(super) fn with_taped(
        &self,
        expression: &Expr,
        taped: &mut dyn FnMut(&Expr, Expr) -> Expr,
    ) -> Expr {
        if !self.is_taped(expression) {
            return self.in_place(expression);
        }
        if let Some(printed) = self.without_hoisted(expression) {
            return printed;
        }
        let mut whole = expression.clone();
        match &mut whole {
            Expr::Paren(paren) => *paren.expr = self.with_taped(&paren.expr, taped),
            Expr::Group(group) => *group.expr = self.with_taped(&group.expr, taped),
            Expr::Range(range) => {
                for end in [&mut range.start, &mut range.end].into_iter().flatten() {
                    **end = self.with_taped(end, taped);
                }
            }
            Expr::Tuple(tuple) => {
                for element in &mut tuple.elems {
                    *element = self.with_taped(element, taped);
                }
            }
            Expr::MethodCall(call) if is_range(&call.receiver) => {
                *call.receiver = self.with_taped(&call.receiver, taped);
                for argument in &mut call.args {
                    *argument = self.with_taped(argument, taped);
                }
            }
            _ if self.is_value(expression) => {
                return taped(expression, self.in_place(expression));
            }
            _ => return self.in_place(expression),
        }
        whole
    }

    /// Tells whether an expression is a number or a flag, by its form, and can be evaluated in a
    /// closure.
    pub(super) fn is_value(&self, expression: &Expr) -> bool {
        let mut binds = false;
        places::each_within(expression, &mut |within| {
            binds |= matches!(within, Expr::Let(_));
        });
        let bindings = &self.expansion.kernel.bindings;
        let is_number = match expression {
            // Not a row of a nested array; of a table from outside, control takes words alone.
            Expr::Index(_) => match places::place(expression, bindings) {
                Some(place) => matches!(place, Place::Element(..)),
                None => is_of_a_table(expression),
            },
            Expr::Binary(_) | Expr::Unary(_) | Expr::Cast(_) | Expr::MethodCall(_) => true,
            // A name that has another value in each iteration.
            Expr::Path(_) => {
                places::name(expression).is_some_and(|id| !bindings[id].marks.structure)
            }
            _ => false,
        };
        is_number && !binds
    }

    /// Returns whether an expression that is to be on the tape consists of values alone. Then it
    /// can be printed without the loop around it.
    pub(super) fn is_in_values(&self, expression: &Expr) -> bool {
        if !self.is_taped(expression) {
            return true;
        }
        let is_in_values = |part: &Expr| self.is_in_values(part);
        match bare(expression) {
            Expr::Range(range) => {
                let mut ends = [&range.start, &range.end].into_iter().flatten();
                ends.all(|end| is_in_values(end))
            }
            Expr::Tuple(tuple) => tuple.elems.iter().all(is_in_values),
            Expr::MethodCall(call) if is_range(&call.receiver) => {
                is_in_values(&call.receiver) && call.args.iter().all(is_in_values)
            }
            value => self.is_value(value),
        }
    }

    /// Returns whether an expression stands on the tape, or values in it do. It does if it reads
    /// structure, or what changes in a loop whose control is recorded.
    fn is_taped(&self, expression: &Expr) -> bool {
        let changes = |all: &Recorded<'_>| !all.changing.is_disjoint(&names_in(expression));
        self.reads_structure(expression) || self.recorded.is_some_and(changes)
    }

    pub(super) fn reads_structure(&self, expression: &Expr) -> bool {
        let bindings = &self.expansion.kernel.bindings;
        places::any(
            expression,
            bindings,
            &mut |place| matches!(place, Place::Element(id, _) | Place::Whole(id) if bindings[*id].marks.structure),
        )
    }
}

/// Values of a task on the tape, each once: as resolved, which is how they are known, and printed.
#[derive(Default)]
struct Values(Vec<(String, Expr)>);

impl Values {
    /// Returns the name of a value.
    fn add(&mut self, resolved: &Expr, value: Expr) -> Expr {
        // The resolved value is compared: printed, a length may read as a local of the user's.
        let text = resolved.to_token_stream().to_string();
        let known = self.0.iter().position(|(known, _)| *known == text);
        let number = known.unwrap_or_else(|| {
            self.0.push((text, value));
            self.0.len() - 1
        });
        let name = value_name(number);
        syn::parse_quote!(#name)
    }

    fn names(&self) -> Vec<Ident> {
        (0..self.0.len()).map(value_name).collect()
    }
}

fn value_name(number: usize) -> Ident {
    hygienic(&format!("taped{number}"))
}

/// Tells whether an expression is an element or a row of a table from outside the kernel.
fn is_of_a_table(expression: &Expr) -> bool {
    match bare(expression) {
        Expr::Index(index) => is_of_a_table(&index.expr),
        other => places::table(other).is_some(),
    }
}

/// Tells whether an expression is a range, or one backwards or in steps.
fn is_range(expression: &Expr) -> bool {
    match bare(expression) {
        Expr::Range(_) => true,
        Expr::MethodCall(ExprMethodCall { receiver, .. }) => is_range(receiver),
        _ => false,
    }
}
