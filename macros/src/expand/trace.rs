//! The build side: the kernel's control, with each assignment of data replaced by a call of the recorder.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{BinOp, Expr, Lit, UnOp};

use super::arguments::{Kind, flat, length_name};
use super::{Expansion, scope};
use crate::kernel::{Dimension, Id};
use crate::lower::{Node, Role, Statement, Task, control_name, operand_name};
use crate::places::{self, Place};

impl Expansion<'_> {
    /// What stands in the kernel's module in a build script.
    pub(super) fn build_side(&self) -> TokenStream {
        let facade = &self.context.facade;
        let private = quote!(#facade::build::__private);
        let control = self.control(&private);
        let table = self.table(&private);
        let instance = self.instance();
        let recorder = recorder();
        let parameters = self.control_parameters();
        let trace = Printer {
            expansion: self,
            private: &private,
        }
        .nodes(&self.lowered.nodes, 0);
        quote! {
            #instance
            #control
            /// The kernel's tables.
            fn table() -> #private::Kernel {
                #table
            }
            /// A value for code that is only type-checked.
            fn any<T>() -> T {
                ::core::unreachable!()
            }
            /// The kernel's control.
            fn trace(#recorder: &mut #private::Recorder, #(#parameters),*) {
                #trace
            }
        }
    }

    /// Declarations of the control parameters.
    pub(super) fn control_parameters(&self) -> Vec<TokenStream> {
        let arguments = self.arguments.iter();
        arguments.filter_map(|a| a.control_parameter()).collect()
    }

    /// Names of the control parameters.
    pub(super) fn control_names(&self) -> Vec<&Ident> {
        let arguments = self.arguments.iter();
        arguments.filter_map(|a| a.control_name()).collect()
    }

    /// The function that feeds the control arguments to a sink.
    pub(super) fn control(&self, private: &TokenStream) -> TokenStream {
        let parameters = self.control_parameters();
        let feed = self.arguments.iter().filter_map(|argument| argument.feed());
        quote_spanned! {Span::mixed_site()=>
            /// The key of an instance: all control arguments, in order.
            fn control<S: #private::ControlSink>(sink: &mut S, #(#parameters),*) {
                #(#feed)*
            }
        }
    }

    fn instance(&self) -> TokenStream {
        let facade = &self.context.facade;
        let name = &self.kernel.name;
        let names = self.control_names();
        let parameters = self.control_parameters();
        let mut owned = Vec::new();
        let mut passed = Vec::new();
        let mut labels = Vec::new();
        for argument in &self.arguments {
            let Some(name) = argument.control_name() else {
                continue;
            };
            if let Kind::Structure { dimensions } = &argument.kind {
                let flat = flat(quote!(#name), *dimensions);
                let text = format!("{name}: {{}} entries");
                owned.push(quote!(let #name = #name.to_owned();));
                passed.push(quote!(&#name));
                labels.push(quote!(::std::format!(#text, #flat.len())));
            } else {
                let text = format!("{name} = {{}}");
                passed.push(quote!(#name));
                labels.push(quote!(::std::format!(#text, #name)));
            }
        }
        let doc = format!(
            "Asks for a parallel program of [`{name}`](fn@super::{name}) for these control arguments. A call with equal ones runs it."
        );
        quote_spanned! {Span::mixed_site()=>
            #[doc = #doc]
            #[must_use = "give it to the builder"]
            pub fn instance(#(#parameters),*) -> #facade::build::Instance {
                let mut key = #facade::build::__private::ControlWriter::new();
                self::control(&mut key, #(#names),*);
                let label: ::std::vec::Vec<::std::string::String> = ::std::vec![#(#labels),*];
                let label = label.join(", ");
                #(#owned)*
                #facade::build::Instance::new(self::table(), key, label, move |recorder| {
                    self::trace(recorder, #(#passed),*)
                })
            }
        }
    }

    fn table(&self, private: &TokenStream) -> TokenStream {
        let name = self.kernel.name.to_string();
        let id = &self.identity.id;
        let file = &self.identity.file;
        let line = self.identity.line;
        let arrays = self.lowered.arrays.iter().map(|array| {
            let binding = &self.kernel.bindings[array.id];
            let name = binding.unique.to_string();
            let element = crate::text::of(&array.element);
            let role = match array.role {
                Role::Input => quote!(Input),
                Role::InOut => quote!(InOut),
                Role::Local => quote!(Local),
            };
            let mut length = quote!(1u32);
            let mut slice = false;
            for dimension in &binding.dimensions {
                match dimension {
                    Dimension::Slice => slice = true,
                    Dimension::Fixed(count) => {
                        let count = scope::expression(count, 1);
                        length = quote!(#length * ((#count) as u32));
                    }
                }
            }
            let length = if slice {
                quote!(::core::option::Option::None)
            } else {
                quote!(::core::option::Option::Some(#length))
            };
            let line = binding.name.span().start().line as u32;
            quote! {
                #private::Array {
                    name: ::std::string::String::from(#name),
                    element: ::std::string::String::from(#element),
                    role: #private::Role::#role,
                    length: #length,
                    line: #line,
                }
            }
        });
        let statements = self.lowered.statements.iter();
        let statements = statements.map(|statement| statement_entry(statement, private));
        let variables = &self.lowered.variables;
        quote! {
            #private::Kernel {
                name: ::std::string::String::from(#name),
                id: ::std::string::String::from(#id),
                file: ::std::string::String::from(#file),
                line: #line,
                arrays: ::std::vec![#(#arrays),*],
                statements: ::std::vec![#(#statements),*],
                variables: ::std::vec![#(::std::string::String::from(#variables)),*],
            }
        }
    }
}

fn statement_entry(statement: &Statement, private: &TokenStream) -> TokenStream {
    let start = statement.source.span.start();
    let line = start.line as u32;
    let column = start.column as u32 + 1;
    let text = &statement.source.text;
    let target = statement.target as u16;
    let operands = statement.operands.iter().map(|&array| array as u16);
    let control = statement.control.iter().map(crate::text::of);
    quote! {
        #private::Statement {
            line: #line,
            column: #column,
            text: ::std::string::String::from(#text),
            target: #target,
            operands: ::std::vec![#(#operands),*],
            control: ::std::vec![#(::std::string::String::from(#control)),*],
        }
    }
}

fn recorder() -> Ident {
    Ident::new("recorder", Span::mixed_site())
}

struct Printer<'e> {
    expansion: &'e Expansion<'e>,
    private: &'e TokenStream,
}

impl Printer<'_> {
    fn nodes(&self, nodes: &[Node], depth: usize) -> TokenStream {
        nodes.iter().map(|node| self.node(node, depth)).collect()
    }

    /// `depth`: loops with a variable around it.
    fn node(&self, node: &Node, depth: usize) -> TokenStream {
        let bindings = &self.expansion.kernel.bindings;
        let recorder = recorder();
        match node {
            Node::Task(task) => self.task(task),
            Node::Let { id, init } => {
                let name = &bindings[*id].unique;
                let ty = self.declared(*id).map(|ty| quote!(: #ty));
                let init = init.as_ref().map(|init| self.expression(init));
                let init = init.map(|init| quote!(= #init));
                quote!(let mut #name #ty #init;)
            }
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
            Node::For {
                label,
                variable,
                range,
                body,
            } => {
                let range = self.expression(range);
                let Some((id, number)) = variable else {
                    let body = self.nodes(body, depth);
                    return quote!(#label for _ in #range { #body });
                };
                let name = &bindings[*id].unique;
                let number = *number as u16;
                let body = self.nodes(body, depth + 1);
                quote! {
                    #label for #name in #range {
                        #recorder.iteration(#depth, #number, #name as i64);
                        #body
                    }
                    #recorder.leave(#depth);
                }
            }
            Node::While {
                label,
                condition,
                body,
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
            } => {
                let condition = self.expression(condition);
                let then = self.nodes(then, depth);
                let otherwise = otherwise.as_ref().map(|nodes| {
                    let nodes = self.nodes(nodes, depth);
                    quote!(else { #nodes })
                });
                quote!(if #condition { #then } #otherwise)
            }
            Node::Match { scrutinee, arms } => {
                let scrutinee = self.expression(scrutinee);
                let arms = arms.iter().map(|(pattern, body)| {
                    let pattern = bindings.restore_pattern(self.pattern(pattern));
                    let body = self.nodes(body, depth);
                    quote!(#pattern => { #body })
                });
                quote!(match #scrutinee { #(#arms)* })
            }
            Node::Block { label, body } => {
                let body = self.nodes(body, depth);
                quote!(#label { #body })
            }
            Node::Break(span, label) => quote_spanned!(*span=> break #label;),
            Node::Continue(span, label) => quote_spanned!(*span=> continue #label;),
            Node::Return(span) => quote_spanned!(*span=> return;),
            Node::Assert {
                debug,
                condition,
                text,
            } => {
                let condition = self.expression(condition);
                let text = format!("`{text}` does not hold");
                let name = if *debug {
                    quote!(debug_assert)
                } else {
                    quote!(assert)
                };
                quote!(::core::#name!(#condition, "{}", #text);)
            }
        }
    }

    fn task(&self, task: &Task) -> TokenStream {
        let recorder = recorder();
        let statement = &self.expansion.lowered.statements[task.statement];
        let number = task.statement as u16;
        let target = statement.target as u16;
        let at = self.index(statement.target, &task.at);
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

    /// Code that never runs, and gives control the types that its use in data gives it in the original.
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
        let ty = self.expansion.element(statement.target, 1);
        let body = self.expansion.statement_body(statement, 1);
        Some(quote! {
            if false {
                #(#operands)*
                #(#control)*
                let _: #ty = { #body };
            }
        })
    }

    /// The flat index of a word.
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

    /// The length of one dimension of an array of data.
    fn length(&self, id: Id, depth: usize, may_be_unknown: bool) -> TokenStream {
        let bindings = &self.expansion.kernel.bindings;
        let private = self.private;
        match &bindings[id].dimensions[depth] {
            Dimension::Fixed(count) => {
                let count = scope::expression(count, 1);
                quote!(#count)
            }
            Dimension::Slice => {
                let measured = self.expansion.arguments.iter().any(|argument| {
                    argument.name == bindings[id].unique
                        && matches!(
                            argument.kind,
                            Kind::Data {
                                length: Some(_),
                                ..
                            }
                        )
                });
                if measured || !may_be_unknown {
                    length_name(bindings, id).to_token_stream()
                } else {
                    quote!(#private::UNKNOWN)
                }
            }
        }
    }

    /// The type that a local was declared with.
    fn declared(&self, id: Id) -> Option<TokenStream> {
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

    /// Control: lengths of data by their names, arithmetic checked, names as printed.
    fn expression(&self, expression: &Expr) -> Expr {
        let bindings = &self.expansion.kernel.bindings;
        let mut expression = scope::expression(expression, 1);
        places::replace(&mut expression, bindings, &mut |whole, place| {
            self.lengths(whole, place)
        });
        let mut expression = bindings.restore(expression);
        Checked {
            private: self.private,
        }
        .visit_expr_mut(&mut expression);
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
            Place::Element(..) => {
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
                Some(Expr::Index(index))
            }
            _ => None,
        }
    }

    fn pattern(&self, pattern: &syn::Pat) -> syn::Pat {
        scope::pattern(pattern, 1)
    }

    fn assign(&self, place: &Expr, op: Option<&BinOp>, value: &Expr) -> TokenStream {
        let place = self.expression(place);
        let value = self.expression(value);
        let Some(op) = op else {
            return quote!(#place = #value;);
        };
        match checked(op) {
            Some(function) => {
                let private = self.private;
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

/// Replaces operators by functions that fail the trace instead of overflowing.
struct Checked<'p> {
    private: &'p TokenStream,
}

impl VisitMut for Checked<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        visit_mut::visit_expr_mut(self, expression);
        let private = self.private;
        match expression {
            Expr::Binary(binary) => {
                if let Some(function) = checked(&binary.op) {
                    let (left, right) = (&binary.left, &binary.right);
                    *expression = Expr::Verbatim(
                        quote_spanned!(binary.op.span()=> #private::arithmetic::#function(#left, #right)),
                    );
                }
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
                let number = matches!(&*unary.expr, Expr::Lit(literal)
                    if matches!(literal.lit, Lit::Int(_) | Lit::Float(_)));
                if !number {
                    let value = &unary.expr;
                    *expression = Expr::Verbatim(
                        quote_spanned!(unary.op.span()=> #private::arithmetic::neg(#value)),
                    );
                }
            }
            _ => {}
        }
    }

    /// Constants stay constant.
    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_type_mut(&mut self, _: &mut syn::Type) {}

    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}

    /// Their parameters may be references.
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
}

/// The checked function for an operator or its compound assignment.
fn checked(op: &BinOp) -> Option<Ident> {
    let name = match op {
        BinOp::Add(_) | BinOp::AddAssign(_) => "add",
        BinOp::Sub(_) | BinOp::SubAssign(_) => "sub",
        BinOp::Mul(_) | BinOp::MulAssign(_) => "mul",
        BinOp::Div(_) | BinOp::DivAssign(_) => "div",
        BinOp::Rem(_) | BinOp::RemAssign(_) => "rem",
        BinOp::Shl(_) | BinOp::ShlAssign(_) => "shl",
        BinOp::Shr(_) | BinOp::ShrAssign(_) => "shr",
        _ => return None,
    };
    Some(Ident::new(name, op.span()))
}
