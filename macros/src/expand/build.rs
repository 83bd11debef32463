//! Build side of an expansion: the request for an instance, the kernel's tables, and the trace
//! function around them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::arguments::{Argument, Kind, flat};
use super::names::recorder;
use super::printer::{Emitted, Printer};
use super::{Expansion, operations, scope};
use crate::identity;
use crate::kernel::Dimension;
use crate::lower::{Functions, Role, Statement};

impl Expansion<'_> {
    /// Prints what stands in the kernel's module in a build script.
    pub(super) fn build_side(&self) -> TokenStream {
        let facade = &self.context.facade;
        let private = quote!(#facade::build::__private);
        let control = self.control(&private);
        let table = self.table(&private);
        let instance = self.instance();
        let recorder = recorder();
        let observed = self.observed();
        let parameters = self.control_parameters();
        let trace = match self.kernel.error {
            Some(_) => quote!(#recorder.can_give_up();),
            None => Printer::new(self, &private, Emitted::Task).nodes(&self.lowered.nodes, 0),
        };
        quote! {
            #instance
            #control
            #observed
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
        let parameters = self.control_arguments().map(|(argument, name)| {
            let ty = argument.control_type();
            quote!(#name: #ty)
        });
        parameters.collect()
    }

    /// Names of the control parameters.
    pub(super) fn control_names(&self) -> Vec<&Ident> {
        self.control_arguments().map(|(_, name)| name).collect()
    }

    /// Returns the arguments that are control, or whose length is, with the name of the parameter.
    pub(super) fn control_arguments(&self) -> impl Iterator<Item = (&Argument, &Ident)> {
        let arguments = self.arguments.iter();
        arguments.filter_map(|argument| Some((argument, argument.control_name()?)))
    }

    /// Prints the function that feeds the control arguments to a sink.
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
        let constants = self.constants(&quote!(#facade::build::__private));
        let unplanned = self.unplanned.as_ref().map(|why| quote!(.unplanned(#why)));
        let name = &self.kernel.name;
        let names = self.control_names();
        let parameters = self.control_parameters();
        let mut owned = Vec::new();
        let mut passed = Vec::new();
        let mut labels = Vec::new();
        for (argument, name) in self.control_arguments() {
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
                #facade::build::Instance::new(self::table(), key, label, #constants, move |recorder| {
                    self::trace(recorder, #(#passed),*)
                }) #unplanned
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
            let element = operations::element(&array.element, private);
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
                    element: #element,
                    role: #private::Role::#role,
                    length: #length,
                    line: #line,
                }
            }
        });
        let functions = Functions::of_file(&self.context.file);
        let statements = self.lowered.statements.iter();
        let statements = statements
            .filter_map(|statement| statement_entry(statement, &functions, file, private));
        let variables = self.lowered.variables.iter();
        let variables = variables.map(|&id| self.kernel.bindings[id].unique.to_string());
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

/// Prints a statement's entry in the table; none for guards, as no program has any. `file`: the
/// kernel's, which has those functions.
fn statement_entry(
    statement: &Statement,
    functions: &Functions,
    file: &str,
    private: &TokenStream,
) -> Option<TokenStream> {
    let target = statement.target? as u16;
    let other = identity::file_of(statement.source.span).filter(|other| other != file);
    let other = match other {
        Some(other) => quote!(::core::option::Option::Some(::std::string::String::from(#other))),
        None => quote!(::core::option::Option::None),
    };
    let start = statement.source.span.start();
    let line = start.line as u32;
    let column = start.column as u32 + 1;
    let text = &statement.source.text;
    let operands = statement.operands.iter().map(|&array| array as u16);
    let control = statement.control.iter().map(crate::text::of);
    let form = operations::form(statement.form(), private);
    let operations = operations::operations(&statement.operations(functions), private);
    Some(quote! {
        #private::Statement {
            file: #other,
            line: #line,
            column: #column,
            text: ::std::string::String::from(#text),
            target: #target,
            operands: ::std::vec![#(#operands),*],
            control: ::std::vec![#(::std::string::String::from(#control)),*],
            form: #form,
            operations: #operations,
        }
    })
}
