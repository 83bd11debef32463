//! The crate side: the kernel's parallel interface, and what a generated program needs of the kernel.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;

use super::Expansion;
use super::arguments::{Argument, Kind};

impl Expansion<'_> {
    /// What stands in the kernel's module in the crate.
    pub(super) fn crate_side(&self) -> TokenStream {
        let facade = &self.context.facade;
        let private = quote!(#facade::__private);
        let control = self.control(&private);
        let held = self.held(&private);
        // No programs are generated for kernels that can give up.
        let is_generated = self.kernel.error.is_none();
        let calls = is_generated.then(|| self.calls(&private));
        let prepared = is_generated.then(|| self.prepared(&private));
        let program = self.program(&private);
        let statements = self.statements();
        let generated = self.generated(&private);
        let observed = self.observed();
        let differs = self.differs(&private);
        let planned = self.planned();
        quote! {
            #calls
            #prepared
            #control
            #held
            #observed
            #differs
            #program
            #statements
            #generated
            #planned
        }
    }

    /// `parallel`, `try_parallel`, `with`, `prepare`, `is_scheduled`, and the type `With`.
    fn calls(&self, private: &TokenStream) -> TokenStream {
        let name = &self.kernel.name;
        let parameters = self.parameters(|_| true);
        let names: Vec<&Ident> = self.arguments.iter().map(|a| &a.name).collect();
        let control_parameters = self.control_parameters();
        let control_names = self.control_names();
        let lengths = self.arguments.iter().filter_map(Argument::measure);
        let arguments = self.arguments_of_call();
        let original = self.original();
        let (borrow, held_lifetime) = self.lifetimes_of_structure();
        let borrowed = self.borrowed_control_parameters(&borrow);
        let (run, planning) = self.planning(private);
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
        let prepare = "Chooses the program for these control arguments once, for many runs. The [`Prepared`] borrows the `#[structure]` arguments.";
        let owning = "Chooses as [`prepare`] does. The [`Prepared`] owns the `#[structure]` arguments, and can be kept beside them: `Arc`s of slices, or of vectors, or vectors. Nothing is copied.";
        let hold = self.hold();
        let lend = self.lend_held(&quote_spanned!(Span::mixed_site()=> &held));
        let owned = self.owned_parameters(private);
        let prepare_owned = owned.as_ref().map(|parameters| {
            quote_spanned! {Span::mixed_site()=>
                #[doc = #owning]
                ///
                /// # Errors
                /// If no program was generated for them, or its tables cannot be read.
                pub fn prepare_owned(#(#parameters),*) -> ::core::result::Result<Prepared<'static>, #private::PrepareError> {
                    self::with().prepare_owned(#(#control_names),*)
                }
            }
        });
        let with_prepare_owned = owned.as_ref().map(|parameters| {
            quote_spanned! {Span::mixed_site()=>
                #[doc = #owning]
                ///
                /// # Errors
                /// If no program was generated for them, or its tables cannot be read.
                pub fn prepare_owned(self, #(#parameters),*) -> ::core::result::Result<Prepared<'static>, #private::PrepareError> {
                    self.prepare_held(#hold)
                }
            }
        });
        let scheduled = "Whether a parallel program was generated for these control arguments.";
        quote_spanned! {Span::mixed_site()=>
            #[doc = #parallel]
            #[track_caller]
            pub fn parallel(#(#parameters),*) {
                if let ::core::result::Result::Err(error) = self::try_parallel(#(#names),*) {
                    error.resume()
                }
            }

            #[doc = #try_parallel]
            ///
            /// # Errors
            /// If a processor panics, or the generated tables cannot be read.
            pub fn try_parallel(#(#parameters),*) -> ::core::result::Result<(), #private::RunError> {
                self::with().run(#(#names),*)
            }

            /// A call with a choice of processors, of transport, and of how processors wait.
            pub fn with() -> With {
                With { options: #private::Options::new() }
            }

            #[doc = #prepare]
            ///
            /// # Errors
            /// If no program was generated for them, or its tables cannot be read.
            pub fn prepare #borrow(#(#borrowed),*) -> ::core::result::Result<Prepared<#held_lifetime>, #private::PrepareError> {
                self::with().prepare(#(#control_names),*)
            }

            #prepare_owned

            #[doc = #scheduled]
            pub fn is_scheduled(#(#control_parameters),*) -> bool {
                #private::is_scheduled(&generated::INSTANCES, |sink| self::control(sink, #(#control_names),*))
            }

            /// How a call is to run.
            #[derive(Clone, Copy, Debug)]
            #[must_use = "`run` it"]
            pub struct With {
                options: #private::Options,
            }

            impl With {
                /// At most this number of processors, and no more than there are cores, if there is such a program: the build leaves out those slower than smaller ones. If there is none, the original function runs.
                pub fn processors(self, processors: usize) -> Self {
                    Self { options: self.options.processors(processors) }
                }

                /// Exactly this number of processors, even if there are fewer cores or calls are measured to be slower than with one, or than the original function: to measure, and to test. If there is no such program, the original function runs.
                pub fn exactly(self, processors: usize) -> Self {
                    Self { options: self.options.exactly(processors) }
                }

                /// Only by programs whose processors have memories of their own, or only by others:
                /// where the build has made both for one number of processors.
                pub fn private_memory(self, private: bool) -> Self {
                    Self { options: self.options.private_memory(private) }
                }

                /// By this transport.
                pub fn transport(self, transport: #private::TransportKind) -> Self {
                    Self { options: self.options.transport(transport) }
                }

                /// Waiting in this way, where processors are threads.
                pub fn wait(self, wait: #private::Wait) -> Self {
                    Self { options: self.options.wait(wait) }
                }

                /// Runs the generated program, or the original function if there is none for these arguments or that is measured to be faster.
                ///
                /// # Errors
                /// If a processor panics, the generated tables cannot be read, or there are no
                /// threads for `exactly` so many processors.
                pub fn run(self, #(#parameters),*) -> ::core::result::Result<(), #private::RunError> {
                    #(#lengths)*
                    let outcome = #private::#run::<Program>(
                        &generated::INSTANCES,
                        |sink| self::control(sink, #(#control_names),*),
                        #planning
                        &self.options,
                        #arguments,
                    )?;
                    match outcome {
                        #private::Outcome::Original(_, turn) => turn.run(|| #original),
                        #private::Outcome::Ran => ::core::result::Result::Ok(()),
                    }
                }

                #[doc = #prepare]
                ///
                /// # Errors
                /// If no program was generated for them, or its tables cannot be read.
                pub fn prepare #borrow(self, #(#borrowed),*) -> ::core::result::Result<Prepared<#held_lifetime>, #private::PrepareError> {
                    self.prepare_held(#hold)
                }

                #with_prepare_owned

                fn prepare_held(self, held: Held<'_>) -> ::core::result::Result<Prepared<'_>, #private::PrepareError> {
                    let prepared = {
                        #lend
                        #private::prepare(
                            &generated::INSTANCES,
                            |sink| self::control(sink, #(#control_names),*),
                            &self.options,
                        )?
                    };
                    ::core::result::Result::Ok(Prepared { prepared, held })
                }
            }
        }
    }

    /// The function of the runtime that makes a call, and its argument that makes plans.
    fn planning(&self, private: &TokenStream) -> (Ident, Option<TokenStream>) {
        let (names, lifetime) = (self.control_names(), self.lifetime());
        let planning = self.grains.as_ref().map(|_| {
            quote_spanned! {Span::mixed_site()=>
                ::core::option::Option::Some(&#private::planned::InCall::<Program>(Control {
                    #(#names,)*
                    #lifetime: ::core::marker::PhantomData,
                })),
            }
        });
        let run = match planning {
            Some(_) => "run_or_plan",
            None => "run",
        };
        (Ident::new(run, Span::mixed_site()), planning)
    }

    /// Prints the type `Prepared`.
    fn prepared(&self, private: &TokenStream) -> TokenStream {
        let lend = self.lend_held(&quote_spanned!(Span::mixed_site()=> &self.held));
        let data = self.parameters(Argument::is_data);
        let lengths = self.arguments.iter().filter_map(|argument| {
            let name = &argument.name;
            let length = argument.length()?;
            Some(quote!(#name.len() == #length))
        });
        let arguments = self.arguments_of_call();
        let original = self.original();
        let lengths: Vec<TokenStream> = lengths.collect();
        let (run, planning) = self.planning(private);
        let mut outcome =
            quote_spanned!(Span::mixed_site()=> self.prepared.#run(#planning #arguments)?);
        if !lengths.is_empty() {
            // A slice of another length: no program at all.
            outcome = quote_spanned! {Span::mixed_site()=>
                if #(#lengths)&&* {
                    #outcome
                } else {
                    #private::run::<Program>(&[], |_| {}, &#private::Options::new(), #arguments)?
                }
            };
        }
        quote_spanned! {Span::mixed_site()=>
            /// A program chosen once for its control arguments. Runs compare nothing and allocate nothing; several can run at once.
            #[derive(Clone, Debug)]
            pub struct Prepared<'s> {
                prepared: #private::Prepared<Program>,
                held: Held<'s>,
            }

            impl Prepared<'_> {
                /// Runs the program, or the original function where that is measured to be faster; that, too, if a slice is shorter than the program needs.
                ///
                /// # Errors
                /// If a processor panics, or there are no threads for `exactly` so many processors.
                pub fn run(&self, #(#data),*) -> ::core::result::Result<(), #private::RunError> {
                    #lend
                    let outcome = #outcome;
                    match outcome {
                        #private::Outcome::Original(_, turn) => turn.run(|| #original),
                        #private::Outcome::Ran => ::core::result::Result::Ok(()),
                    }
                }

                /// The same code by other tables, for tests.
                #[doc(hidden)]
                pub fn altered(&self, change: impl ::core::ops::FnOnce(&mut #private::Plan)) -> ::core::result::Result<Self, #private::PrepareError> {
                    ::core::result::Result::Ok(Self {
                        prepared: self.prepared.altered(change)?,
                        held: self.held.clone(),
                    })
                }

                /// Number of processors.
                pub fn processors(&self) -> usize {
                    self.prepared.processors()
                }

                /// Number of supersteps.
                pub fn supersteps(&self) -> usize {
                    self.prepared.supersteps()
                }
            }
        }
    }

    pub(super) fn parameters(&self, which: impl Fn(&Argument) -> bool) -> Vec<TokenStream> {
        let chosen = self.arguments.iter().filter(|argument| which(argument));
        let declared = chosen.map(|Argument { name, ty, .. }| quote!(#name: #ty));
        declared.collect()
    }

    /// Generic parameters of `prepare` and of `plan`, and the lifetime of what they give: that of the `#[structure]` arguments.
    pub(super) fn lifetimes_of_structure(&self) -> (TokenStream, TokenStream) {
        let structure = |a: &Argument| matches!(a.kind, Kind::Structure { .. });
        if self.arguments.iter().any(structure) {
            (quote!(<'s>), quote!('s))
        } else {
            (quote!(), quote!('static))
        }
    }

    /// The control parameters, with `'s` on their references.
    pub(super) fn borrowed_control_parameters(&self, borrow: &TokenStream) -> Vec<TokenStream> {
        let types = self.borrowed_control_types(borrow);
        let names = self.control_names();
        let parameters = names.iter().zip(types);
        parameters.map(|(name, ty)| quote!(#name: #ty)).collect()
    }

    /// The types of the control parameters, with `'s` on references.
    pub(super) fn borrowed_control_types(&self, borrow: &TokenStream) -> Vec<TokenStream> {
        let ty = |argument: &Argument| match (&argument.kind, &argument.ty) {
            (Kind::Structure { .. }, Type::Reference(reference)) if !borrow.is_empty() => {
                let inner = &reference.elem;
                Some(quote!(&'s #inner))
            }
            (Kind::Structure { .. } | Kind::Size, ty) => Some(quote!(#ty)),
            (Kind::Data { .. }, _) => argument.length().map(|_| quote!(usize)),
        };
        self.arguments.iter().filter_map(ty).collect()
    }

    /// The data arguments as slices of words.
    pub(super) fn arguments_of_call(&self) -> TokenStream {
        let fields = self.arguments.iter().filter_map(|argument| {
            let name = &argument.name;
            match &argument.kind {
                Kind::Data { passed, .. } => {
                    let words = passed.words(name);
                    Some(quote!(#name: #words))
                }
                _ => None,
            }
        });
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

    /// A call of the original function.
    pub(super) fn original(&self) -> TokenStream {
        let names = self.arguments.iter().map(|argument| &argument.name);
        quote!(self::original(#(#names),*))
    }
}
