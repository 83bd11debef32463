//! Crate side of an expansion: the kernel's parallel interface, and what a generated program needs
//! of the kernel.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::Expansion;
use super::arguments::{Argument, Kind};

impl Expansion<'_> {
    /// Prints what stands in the kernel's module in the crate.
    pub(super) fn crate_side(&self) -> TokenStream {
        let facade = &self.context.facade;
        let private = quote!(#facade::__private);
        let control = self.control(&private);
        let held = self.held(&private);
        let calls = self.calls(&private);
        let prepared = self.prepared(&private);
        let unplanned = self.unplanned();
        let written = self.not_inlined();
        let program = self.program(&private);
        let statements = self.statements();
        let generated = self.generated(&private);
        let observed = self.observed();
        let differs = self.differs(&private);
        let planned = self.planned();
        quote! {
            #written
            #calls
            #prepared
            #control
            #held
            #observed
            #differs
            #program
            #statements
            #generated
            #unplanned
            #planned
        }
    }

    /// Prints why the kernel is not planned, with the source line, for its module's page. Nothing
    /// if it is planned, or excluded by its author.
    fn unplanned(&self) -> Option<TokenStream> {
        let why = self.unplanned.as_ref()?;
        let doc = format!("No plan can be made at run time. {why}");
        Some(quote! {
            #[doc = #doc]
            pub const UNPLANNED: &str = #why;
        })
    }

    /// Prints `parallel`, `try_parallel`, `with`, `prepare`, `is_scheduled`, and the type `With`.
    fn calls(&self, private: &TokenStream) -> TokenStream {
        let parallel = self.parallel(private);
        let prepares = self.prepares(private);
        let is_scheduled = self.is_scheduled(private);
        let with = self.with_type(private);
        quote_spanned! {Span::mixed_site()=>
            #parallel

            /// A call with a choice of processors, of transport, and of how processors wait.
            #[inline]
            pub fn with() -> With {
                With { options: #private::Options::new() }
            }

            #prepares

            #is_scheduled

            #with
        }
    }

    /// Prints `parallel` and `try_parallel`.
    fn parallel(&self, private: &TokenStream) -> TokenStream {
        let name = &self.kernel.name;
        let parameters = self.parameters(|_| true);
        let names: Vec<&Ident> = self.arguments.iter().map(|a| &a.name).collect();
        let (result, verdict) = (self.result_of_run(private), self.verdict());
        let own = self.own_result();
        let own = self.kernel.error.as_ref().map(|_| quote!(-> #own));
        let planned = match self.grains {
            Some(_) => ", or a plan that is made at run time",
            None => "",
        };
        let parallel = format!(
            "[`{name}`](fn@super::{name}) in parallel: the program generated for these control arguments, with the largest number of \
             processors that has cores; or the program for one{planned}, or the original function, where that is measured to be faster. If there is none, the \
             original function. A processor's panic is raised again here."
        );
        let try_parallel = "As [`parallel`], but a processor's panic comes back as an error, and the contents of `&mut` arguments are unspecified then.";
        quote_spanned! {Span::mixed_site()=>
            #[doc = #parallel]
            ///
            #verdict
            #[inline]
            #[track_caller]
            pub fn parallel(#(#parameters),*) #own {
                match self::try_parallel(#(#names),*) {
                    ::core::result::Result::Ok(done) => done,
                    ::core::result::Result::Err(error) => error.resume(),
                }
            }

            #[doc = #try_parallel]
            ///
            #verdict
            /// # Errors
            /// If a processor panics, or the generated tables cannot be read.
            #[inline]
            pub fn try_parallel(#(#parameters),*) -> #result {
                self::with().run(#(#names),*)
            }
        }
    }

    /// Prints `is_scheduled`.
    fn is_scheduled(&self, private: &TokenStream) -> TokenStream {
        let (parameters, names) = (self.control_parameters(), self.control_names());
        let scheduled =
            "Returns whether a parallel program was generated for these control arguments.";
        quote_spanned! {Span::mixed_site()=>
            #[doc = #scheduled]
            #[inline]
            pub fn is_scheduled(#(#parameters),*) -> bool {
                #private::is_scheduled(&generated::PROGRAMS, |sink| self::control(sink, #(#names),*))
            }
        }
    }

    /// Prints the type `With`.
    fn with_type(&self, private: &TokenStream) -> TokenStream {
        let options = options_of_calls(private);
        let run = self.run_of_with(private);
        quote_spanned! {Span::mixed_site()=>
            /// How a call is to run.
            #[derive(Clone, Copy, Debug)]
            #[must_use = "`run` it"]
            pub struct With {
                options: #private::Options,
            }

            impl With {
                #options

                #run
            }
        }
    }

    /// Prints `run` of a `With`.
    fn run_of_with(&self, private: &TokenStream) -> TokenStream {
        let parameters = self.parameters(|_| true);
        let control_names = self.control_names();
        let arguments = self.arguments_of_call();
        let (result, verdict) = (self.result_of_run(private), self.verdict());
        let planning = self.planning(private);
        let finish = self.finish_run(private);
        let lengths = self.arguments.iter().filter_map(Argument::measure);
        quote_spanned! {Span::mixed_site()=>
            /// Runs the generated program, or the original function if there is none for these
            /// arguments or that is measured to be faster.
            ///
            #verdict
            /// # Errors
            /// If a processor panics, the generated tables cannot be read, or there are no
            /// threads for `exactly` so many processors.
            #[inline]
            pub fn run(self, #(#parameters),*) -> #result {
                #(#lengths)*
                let outcome = #private::run_or_plan::<Types>(
                    &generated::PROGRAMS,
                    |sink| self::control(sink, #(#control_names),*),
                    #planning,
                    &self.options,
                    #arguments,
                );
                #finish
            }
        }
    }

    /// Prints one of two expressions. It is the first if the kernel can be planned, and superstep
    /// has its feature `plan`.
    pub(super) fn if_planned(&self, then: &TokenStream, otherwise: &TokenStream) -> TokenStream {
        let facade = &self.context.facade;
        match self.grains {
            Some(_) => quote!(#facade::__private::if_planned!({ #then } { #otherwise })),
            None => otherwise.clone(),
        }
    }

    /// Prints who makes plans for a call, if anybody.
    pub(super) fn planning(&self, private: &TokenStream) -> TokenStream {
        let (names, lifetime) = (self.control_names(), self.lifetime());
        let planning = quote_spanned! {Span::mixed_site()=>
            ::core::option::Option::Some(&#private::planned::InCall::<Types>::new(
                Control {
                    #(#names,)*
                    #lifetime: ::core::marker::PhantomData,
                },
                &UNBUILT,
            ))
        };
        self.if_planned(&planning, &quote!(::core::option::Option::None))
    }

    pub(super) fn parameters(&self, which: impl Fn(&Argument) -> bool) -> Vec<TokenStream> {
        let chosen = self.arguments.iter().filter(|argument| which(argument));
        let declared = chosen.map(|Argument { name, ty, .. }| quote!(#name: #ty));
        declared.collect()
    }

    /// Prints the generic parameters of `prepare` and of `plan`, and the lifetime of what they
    /// give: that of the `#[structure]` arguments.
    pub(super) fn lifetimes_of_structure(&self) -> (TokenStream, TokenStream) {
        let structure = |a: &Argument| matches!(a.kind, Kind::Structure { .. });
        if self.arguments.iter().any(structure) {
            (quote!(<'s>), quote!('s))
        } else {
            (quote!(), quote!('static))
        }
    }

    /// Prints the control parameters, with `'s` on their references.
    pub(super) fn borrowed_control_parameters(&self) -> Vec<TokenStream> {
        let types = self.borrowed_control_types();
        let names = self.control_names();
        let parameters = names.iter().zip(types);
        parameters.map(|(name, ty)| quote!(#name: #ty)).collect()
    }

    /// Prints the types of the control parameters, with `'s` on references.
    pub(super) fn borrowed_control_types(&self) -> Vec<TokenStream> {
        let types = self.control_arguments();
        let types = types.map(|(argument, _)| match argument.structure() {
            Some(inner) => quote!(&'s #inner),
            None => argument.control_type(),
        });
        types.collect()
    }

    /// Prints the data arguments as slices of words.
    pub(super) fn arguments_of_call(&self) -> TokenStream {
        let fields = self.arguments.iter().filter_map(Argument::field_of_words);
        let fields: Vec<TokenStream> = fields.collect();
        if fields.is_empty() {
            let lifetime = self.lifetime();
            quote!(Arguments {
                #lifetime: ::core::marker::PhantomData
            })
        } else {
            quote!(Arguments { #(#fields),* })
        }
    }

    /// Returns the name of the field that has a lifetime and no value.
    pub(super) fn lifetime(&self) -> Ident {
        self.kernel.bindings.free("lifetime")
    }

    /// Prints a call of the function as written.
    pub(super) fn original(&self) -> TokenStream {
        let names = self.arguments.iter().map(|argument| &argument.name);
        quote!(self::written(#(#names),*))
    }

    /// Prints `written`, a copy of the function that is not inlined. In a closure that catches
    /// panics compilers know less of aliases: which references may lead to the same words.
    fn not_inlined(&self) -> TokenStream {
        let parameters = self.parameters(|_| true);
        let names = self.arguments.iter().map(|argument| &argument.name);
        let own = self.kernel.error.as_ref().map(|_| self.own_result());
        let own = own.map(|own| quote!(-> #own));
        quote! {
            #[inline(never)]
            fn written(#(#parameters),*) #own {
                self::original(#(#names),*)
            }
        }
    }
}

/// Prints the choices of a `With`.
fn options_of_calls(private: &TokenStream) -> TokenStream {
    quote_spanned! {Span::mixed_site()=>
        /// Sets the number of processors, at most: there are never more than cores. The build
        /// leaves out programs that are slower than those for fewer. Without a program the original
        /// function runs.
        #[inline]
        pub fn processors(self, processors: usize) -> Self {
            Self { options: self.options.processors(processors) }
        }

        /// Sets the exact number of processors, to measure, and to test. It holds even if there are
        /// fewer cores, or if calls are measured to be slower than with one processor or than the
        /// original function. If there is no such program, a plan for so many runs, or the original
        /// function if the kernel can't be planned.
        #[inline]
        pub fn exactly(self, processors: usize) -> Self {
            Self { options: self.options.exactly(processors) }
        }

        /// Has only programs run whose processors have memories of their own, or only others. It
        /// chooses where the build has made both for one number of processors.
        #[inline]
        pub fn private_memory(self, private: bool) -> Self {
            Self { options: self.options.private_memory(private) }
        }

        /// Sets the transport: threads, or processors in turn.
        #[inline]
        pub fn transport(self, transport: #private::TransportKind) -> Self {
            Self { options: self.options.transport(transport) }
        }

        /// Sets how processors wait, where they are threads.
        #[inline]
        pub fn wait(self, wait: #private::WaitPolicy) -> Self {
            Self { options: self.options.wait(wait) }
        }

        /// Has the call recorded: `superstep::last_timeline()` says after it when each step began
        /// and ended.
        #[inline]
        pub fn record(self, record: bool) -> Self {
            Self { options: self.options.record(record) }
        }
    }
}
