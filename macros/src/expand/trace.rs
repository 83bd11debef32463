//! Control of the kernel, printed with something else in place of each assignment of data.
//!
//! In the trace function that is a call of the recorder. In functions of grains it is what the
//! assignment reads and writes, or the assignment itself.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Expr, Label, Pat};

use super::arguments::length_name;
use super::checked::{Checked, checked, located};
use super::environment::Noted;
use super::names::recorder;
use super::numbers::Numbers;
use super::printer::{Emitted, Printer};
use super::{Expansion, scope};
use crate::kernel::{Binder, Dimension, Id};
use crate::library::Calls;
use crate::lower::{For, Node, Statement, Task, control_name, operand_name};
use crate::places::{self, Place};

impl Printer<'_> {
    pub(super) fn nodes(&self, nodes: &[Node], depth: usize) -> TokenStream {
        nodes.iter().map(|node| self.node(node, depth)).collect()
    }

    /// Prints a node. `depth`: loops with a variable around it.
    pub(super) fn node(&self, node: &Node, depth: usize) -> TokenStream {
        if let Some(loop_) = self.recorded_loop(node, depth) {
            return loop_;
        }
        let recorder = recorder();
        match node {
            Node::Task(task) => match self.emitted {
                Emitted::Task => self.task(task),
                Emitted::Accesses => self.accesses(task),
                Emitted::Assignment => self.assignment(task),
                Emitted::Recorded | Emitted::Replayed => self.taped(task),
                Emitted::Executed | Emitted::Typed => self.taped(task),
            },
            Node::Let { id, init } => self.local(*id, init.as_ref()),
            Node::Part {
                id,
                start,
                end,
                outer,
                span,
            } => self.part(*id, start, [end.as_ref(), outer.as_ref()], *span),
            Node::Assign { place, op, value } => self.assign(place, op.as_ref(), value),
            Node::Repeat {
                variable,
                count,
                body,
            } => {
                let count = scope::expression(count, 1);
                let body = self.nodes(body, depth);
                quote!(for #variable in 0usize..(#count) { #body })
            }
            Node::For(each) => self.for_loop(each, depth),
            Node::While {
                label,
                condition,
                body,
                ..
            } => {
                let condition = self.expression(condition);
                let body = self.nodes(body, depth);
                quote!(#label while #condition { #body })
            }
            Node::Loop { label, body } => {
                let body = self.nodes(body, depth);
                quote!(#label loop { #body })
            }
            Node::If {
                condition,
                then,
                otherwise,
            } => self.branch(condition, then, otherwise.as_deref(), depth),
            Node::Match { scrutinee, arms } => self.choice(scrutinee, arms, depth),
            Node::Block { label, body } => self.block(label.as_ref(), body, depth),
            Node::BeginGrain | Node::EndGrain if self.emitted != Emitted::Task => {
                TokenStream::new()
            }
            Node::BeginGrain => quote!(#recorder.begin_grain();),
            Node::EndGrain => quote!(#recorder.end_grain();),
            Node::Break(span, label) => quote_spanned!(*span=> break #label;),
            Node::Continue(span, label) => quote_spanned!(*span=> continue #label;),
            Node::Return(span) => quote_spanned!(*span=> return;),
            Node::Assert {
                debug,
                condition,
                text,
            } => self.assertion(*debug, condition, text),
        }
    }

    /// Prints a `let` of control.
    fn local(&self, id: Id, init: Option<&Expr>) -> TokenStream {
        let name = &self.expansion.kernel.bindings[id].unique;
        let ty = self.declared(id).map(|ty| quote!(: #ty));
        let init = init.map(|init| self.expression(init));
        let init = init.map(|init| quote!(= #init));
        quote!(let mut #name #ty #init;)
    }

    /// Prints a part of an array. `ends`: its own, and that of the part in which it lies.
    fn part(&self, id: Id, start: &Expr, ends: [Option<&Expr>; 2], span: Span) -> TokenStream {
        let private = self.private;
        let binding = &self.expansion.kernel.bindings[id];
        let (name, text) = (&binding.unique, binding.name.to_string());
        let start = self.expression(start);
        let [end, outer] = ends.map(|bound| {
            let bound = bound.map(|bound| self.expression(bound));
            bound.map_or_else(|| quote!(#private::UNKNOWN), |bound| quote!(#bound))
        });
        quote_spanned!(span=> let #name = #private::Part::new(#text, #start, #end, #outer);)
    }

    fn for_loop(&self, each: &For, depth: usize) -> TokenStream {
        if self.emitted == Emitted::Accesses
            && let Some(told) = self.accesses_of_loop(each, depth)
        {
            return told;
        }
        if let Some(loop_) = self.in_registers(each, depth) {
            return loop_;
        }
        let (label, range) = (&each.label, self.expression(&each.range));
        let Some(id) = each.variable else {
            let body = self.nodes(&each.body, depth);
            return quote!(#label for _ in #range { #body });
        };
        let name = &self.expansion.kernel.bindings[id].unique;
        let body = self.nodes(&each.body, depth + 1);
        if self.emitted != Emitted::Task {
            return quote!(#label for #name in #range { #body });
        }
        let (recorder, mut variables) = (recorder(), self.expansion.lowered.variables.iter());
        let number = variables.position(|&variable| variable == id);
        let number = number.unwrap_or_default() as u16;
        quote! {
            #label for #name in #range {
                #recorder.iteration(#depth, #number, #name as i64);
                #body
            }
            #recorder.leave(#depth);
        }
    }

    fn branch(
        &self,
        condition: &Expr,
        then: &[Node],
        otherwise: Option<&[Node]>,
        depth: usize,
    ) -> TokenStream {
        let condition = self.expression(condition);
        let then = self.nodes(then, depth);
        let otherwise = otherwise.map(|nodes| {
            let nodes = self.nodes(nodes, depth);
            quote!(else { #nodes })
        });
        quote!(if #condition { #then } #otherwise)
    }

    fn choice(&self, scrutinee: &Expr, arms: &[(Pat, Vec<Node>)], depth: usize) -> TokenStream {
        let bindings = &self.expansion.kernel.bindings;
        let scrutinee = self.expression(scrutinee);
        let arms = arms.iter().map(|(pattern, body)| {
            let pattern = bindings.restore_pattern(scope::pattern(pattern, 1));
            let body = self.nodes(body, depth);
            quote!(#pattern => { #body })
        });
        quote!(match #scrutinee { #(#arms)* })
    }

    fn block(&self, label: Option<&Label>, body: &[Node], depth: usize) -> TokenStream {
        let recorder = recorder();
        let body = self.nodes(body, depth);
        // Jumps to the label leave loops.
        let is_traced = self.emitted == Emitted::Task;
        let leave = label.filter(|_| is_traced);
        let leave = leave.map(|_| quote!(#recorder.leave(#depth);));
        quote!(#label { #body } #leave)
    }

    fn assertion(&self, debug: bool, condition: &Expr, text: &str) -> TokenStream {
        let span = condition.span();
        let condition = self.expression(condition);
        let text = format!("`{text}` does not hold");
        let name = if debug { "debug_assert" } else { "assert" };
        let name = format_ident!("{name}");
        quote_spanned!(span=> ::core::#name!(#condition, "{}", #text);)
    }

    fn task(&self, task: &Task) -> TokenStream {
        let recorder = recorder();
        let statement = &self.expansion.lowered.statements[task.statement];
        // Kernels with guards are not traced.
        let Some(target) = statement.target else {
            return TokenStream::new();
        };
        let number = task.statement as u16;
        let at = self.index(target, &task.at);
        let target = target as u16;
        let operands = statement.operands.iter().zip(&task.operands);
        let operands = operands.map(|(&array, at)| {
            let at = self.index(array, at);
            let array = array as u16;
            quote!((#array, #at))
        });
        let control = task.control.iter().map(|(value, ty)| {
            let value = self.expression(value);
            let checked = Ident::new("value", Span::mixed_site());
            quote!(#recorder.control({ let #checked: #ty = #value; #checked } as i64);)
        });
        let unchecked = self.type_check(statement, task);
        quote! {
            #recorder.enter(#number);
            #unchecked
            #(#control)*
            #recorder.task(#number, #target, #at, [#(#operands),*]);
        }
    }

    /// Prints code that never runs, and gives control the types that its use in data gives it in
    /// the original.
    fn type_check(&self, statement: &Statement, task: &Task) -> Option<TokenStream> {
        if task.control.is_empty() {
            return None;
        }
        let operands = (0..).map(operand_name).zip(&statement.operands);
        let operands = operands.map(|(name, &array)| {
            let ty = self.expansion.element(array, 1);
            quote!(let #name = self::any::<#ty>();)
        });
        let control = (0..).map(control_name).zip(&task.control);
        let control = control.map(|(name, (value, _))| {
            let value = self.expression(value);
            quote!(let #name = #value;)
        });
        let ty = self.expansion.result(statement, 1);
        let body = self.expansion.statement_body(statement, 1);
        Some(quote! {
            if false {
                #(#operands)*
                #(#control)*
                let _: #ty = { #body };
            }
        })
    }

    /// Prints the flat index of a word.
    fn index(&self, array: usize, at: &[Expr]) -> TokenStream {
        if at.is_empty() {
            return quote!(0usize);
        }
        let id = self.expansion.lowered.arrays[array].id;
        let dimensions = &self.expansion.kernel.bindings[id].dimensions;
        let dimensions = (0..dimensions.len()).map(|depth| self.length(id, depth, true));
        let at = at.iter().map(|index| self.expression(index));
        let recorder = recorder();
        let array = array as u16;
        quote!(#recorder.index(#array, [#(#dimensions),*], [#(#at),*]))
    }

    /// Prints the length of one dimension of an array of data.
    pub(super) fn length(&self, id: Id, depth: usize, may_be_unknown: bool) -> TokenStream {
        let bindings = &self.expansion.kernel.bindings;
        let private = self.private;
        match &bindings[id].dimensions[depth] {
            Dimension::Fixed(count) => {
                let count = scope::expression(count, 1);
                quote!(#count)
            }
            Dimension::Slice => {
                let measured = self.expansion.arguments.iter().any(|argument| {
                    argument.name == bindings[id].unique && argument.length().is_some()
                });
                if measured || !may_be_unknown {
                    length_name(bindings, id).to_token_stream()
                } else {
                    quote!(#private::UNKNOWN)
                }
            }
        }
    }

    /// Returns the type that a local was declared with.
    pub(super) fn declared(&self, id: Id) -> Option<TokenStream> {
        let binding = &self.expansion.kernel.bindings[id];
        let element = scope::ty(binding.element.as_ref()?, 1);
        let mut ty = quote!(#element);
        for dimension in binding.dimensions.iter().rev() {
            ty = match dimension {
                Dimension::Slice => quote!([#ty]),
                Dimension::Fixed(count) => {
                    let count = scope::expression(count, 1);
                    quote!([#ty; #count])
                }
            };
        }
        Some(ty)
    }

    /// Prints control: in place, or through the tape.
    pub(super) fn expression(&self, expression: &Expr) -> Expr {
        if self.emitted.is_taped() {
            self.through_tape(expression)
        } else {
            self.in_place(expression)
        }
    }

    /// Prints control in place: lengths of data by their names, arithmetic checked, names as
    /// printed.
    pub(super) fn in_place(&self, expression: &Expr) -> Expr {
        let bindings = &self.expansion.kernel.bindings;
        let mut noted = expression.clone();
        if self.emitted == Emitted::Task {
            Noted {
                expansion: self.expansion,
            }
            .visit_expr_mut(&mut noted);
        } else {
            Numbers {
                private: self.private,
                insists: self.expansion.insists,
            }
            .visit_expr_mut(&mut noted);
        }
        let mut expression = scope::expression(&noted, 1);
        places::replace(&mut expression, bindings, &mut |whole, place| {
            self.lengths(whole, place)
        });
        let mut expression = bindings.restore(expression);
        let facade = &self.expansion.context.facade;
        Calls { facade }.visit_expr_mut(&mut expression);
        if self.emitted.is_checked() {
            Checked {
                private: self.private,
            }
            .visit_expr_mut(&mut expression);
        }
        expression
    }

    /// Lengths of data, also in the indices of control.
    fn lengths(&self, whole: &Expr, place: Place<'_>) -> Option<Expr> {
        match place {
            Place::Length { id, depth, empty } if !self.expansion.is_control(id) => {
                let length = self.length(id, depth, false);
                Some(if empty {
                    syn::parse_quote!((#length == 0))
                } else {
                    syn::parse_quote!((#length))
                })
            }
            // Of a nested array also those on the way.
            Place::Element(id, _) | Place::Whole(id) => {
                let Expr::Index(index) = whole else {
                    return None;
                };
                let mut index = index.clone();
                let bindings = &self.expansion.kernel.bindings;
                let replace = |part: &mut Expr| {
                    places::replace(part, bindings, &mut |whole, place| {
                        self.lengths(whole, place)
                    });
                };
                replace(&mut index.index);
                replace(&mut index.expr);
                if bindings[id].binder == Binder::Part {
                    let (part, index) = (&index.expr, &index.index);
                    return Some(syn::parse_quote!(#part.at(#index)));
                }
                Some(Expr::Index(index))
            }
            _ => None,
        }
    }

    fn assign(&self, place: &Expr, op: Option<&BinOp>, value: &Expr) -> TokenStream {
        let place = if self.emitted.is_taped() {
            self.target_through_tape(place)
        } else {
            self.expression(place)
        };
        let value = self.expression(value);
        let Some(op) = op else {
            return quote!(#place = #value;);
        };
        match checked(op).filter(|_| self.emitted.is_checked()) {
            Some(function) => {
                let private = located(self.private, op.span());
                quote_spanned!(op.span()=> #place = #private::arithmetic::#function(#place, #value);)
            }
            None => quote!(#place #op #value;),
        }
    }
}

impl Expansion<'_> {
    fn is_control(&self, id: Id) -> bool {
        self.classes[id] == crate::classify::Class::Control
    }
}
