//! Programs that are chosen once for many runs: `prepare`, and the type `Prepared`.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::Expansion;
use super::arguments::Argument;
use crate::lower::Role;

impl Expansion<'_> {
    /// Prints `prepare` and `prepare_owned`, of the module and of `With`.
    pub(super) fn prepares(&self, private: &TokenStream) -> TokenStream {
        let [prepare, with_prepare] = self.prepare(private);
        let (prepare_owned, with_prepare_owned) = self.prepare_owned(private).unzip();
        let prepare_held = self.prepare_held(private);
        quote_spanned! {Span::mixed_site()=>
            #prepare

            #prepare_owned

            impl With {
                #with_prepare

                #with_prepare_owned

                #prepare_held
            }
        }
    }

    /// Prints `prepare`, of the module and of `With`.
    fn prepare(&self, private: &TokenStream) -> [TokenStream; 2] {
        let control_names = self.control_names();
        let (borrow, lifetime) = self.lifetimes_of_structure();
        let borrowed = self.borrowed_control_parameters();
        let hold = self.hold();
        let result = quote!(::core::result::Result<Prepared<#lifetime>, #private::PrepareError>);
        let prepare = match self.grains {
            Some(_) => {
                "Chooses the program for these control arguments once, for many runs; if there is none, runs try a plan that is made at run time. The [`Prepared`] borrows the `#[structure]` arguments."
            }
            None => {
                "Chooses the program for these control arguments once, for many runs. The [`Prepared`] borrows the `#[structure]` arguments."
            }
        };
        let of_module = quote_spanned! {Span::mixed_site()=>
            #[doc = #prepare]
            ///
            /// # Errors
            /// If no program was generated for them and none can be planned, or its tables cannot
            /// be read.
            #[inline]
            pub fn prepare #borrow(#(#borrowed),*) -> #result {
                self::with().prepare(#(#control_names),*)
            }
        };
        let of_with = quote_spanned! {Span::mixed_site()=>
            #[doc = #prepare]
            ///
            /// # Errors
            /// If no program was generated for them and none can be planned, or its tables
            /// cannot be read.
            #[inline]
            pub fn prepare #borrow(self, #(#borrowed),*) -> #result {
                self.prepare_held(#hold)
            }
        };
        [of_module, of_with]
    }

    /// Prints `prepare_owned`, of the module and of `With`.
    fn prepare_owned(&self, private: &TokenStream) -> Option<(TokenStream, TokenStream)> {
        let parameters = self.owned_parameters(private)?;
        let control_names = self.control_names();
        let hold = self.hold();
        let result = quote!(::core::result::Result<Prepared<'static>, #private::PrepareError>);
        let owning = "Chooses as [`prepare`] does. The [`Prepared`] owns the `#[structure]` arguments, and can be kept beside them: `Arc`s of slices, or of vectors, or vectors. Nothing is copied.";
        let of_module = quote_spanned! {Span::mixed_site()=>
            #[doc = #owning]
            ///
            /// # Errors
            /// If no program was generated for them and none can be planned, or its tables
            /// cannot be read.
            pub fn prepare_owned(#(#parameters),*) -> #result {
                self::with().prepare_owned(#(#control_names),*)
            }
        };
        let of_with = quote_spanned! {Span::mixed_site()=>
            #[doc = #owning]
            ///
            /// # Errors
            /// If no program was generated for them and none can be planned, or its tables
            /// cannot be read.
            pub fn prepare_owned(self, #(#parameters),*) -> #result {
                self.prepare_held(#hold)
            }
        };
        Some((of_module, of_with))
    }

    /// Prints `prepare_held` of `With`, which takes held control arguments.
    fn prepare_held(&self, private: &TokenStream) -> TokenStream {
        let control_names = self.control_names();
        let lend = self.lend_held(&quote_spanned!(Span::mixed_site()=> &held));
        let is_planned = self.if_planned(&quote!(true), &quote!(false));
        quote_spanned! {Span::mixed_site()=>
            #[inline]
            fn prepare_held(self, held: Held<'_>) -> ::core::result::Result<Prepared<'_>, #private::PrepareError> {
                let prepared = {
                    #lend
                    #private::prepare_or_plan(
                        &generated::PROGRAMS,
                        |sink| self::control(sink, #(#control_names),*),
                        #is_planned,
                        &self.options,
                    )?
                };
                ::core::result::Result::Ok(Prepared { prepared, held })
            }
        }
    }

    /// Prints the type `Prepared`.
    pub(super) fn prepared(&self, private: &TokenStream) -> TokenStream {
        let lend = self.lend_held(&quote_spanned!(Span::mixed_site()=> &self.held));
        let data = self.parameters(Argument::is_data);
        let (arguments, lengths) = (self.arguments_of_call(), self.lengths_agree());
        let planning = self.planning(private);
        let (result, verdict) = (self.result_of_run(private), self.verdict());
        let finish = self.finish_run(private);
        let over_ranks = self.over_ranks(private);
        let mut outcome =
            quote_spanned!(Span::mixed_site()=> self.prepared.run_or_plan(#planning, #arguments));
        if !lengths.is_empty() {
            // A slice of another length: no program at all.
            outcome = quote_spanned! {Span::mixed_site()=>
                if #(#lengths)&&* {
                    #outcome
                } else {
                    #private::run::<Types>(&[], |_| {}, &#private::Options::new(), #arguments)
                }
            };
        }
        quote_spanned! {Span::mixed_site()=>
            /// A program chosen once for its control arguments, or a plan that runs try. Runs
            /// compare nothing and allocate nothing; several can run at once.
            #[derive(Clone, Debug)]
            pub struct Prepared<'s> {
                prepared: #private::Prepared<Types>,
                held: Held<'s>,
            }

            impl Prepared<'_> {
                /// Runs the program, or the original function where that is measured to be faster;
                /// that, too, if a slice is shorter than the program needs.
                ///
                #verdict
                /// # Errors
                /// If a processor panics, or there are no threads for `exactly` so many processors.
                #[inline]
                pub fn run(&self, #(#data),*) -> #result {
                    #lend
                    let outcome = #outcome;
                    #finish
                }

                /// Prepares this code with other tables, for tests.
                #[doc(hidden)]
                #[inline]
                pub fn altered(&self, change: impl ::core::ops::FnOnce(&mut #private::Plan)) -> ::core::result::Result<Self, #private::PrepareError> {
                    ::core::result::Result::Ok(Self {
                        prepared: self.prepared.altered(change)?,
                        held: self.held.clone(),
                    })
                }

                /// Number of processors.
                #[inline]
                pub fn processors(&self) -> usize {
                    self.prepared.processors()
                }

                /// Number of supersteps.
                #[inline]
                pub fn supersteps(&self) -> usize {
                    self.prepared.supersteps()
                }
            }

            #over_ranks
        }
    }

    /// Prints comparisons of the lengths of data with those that were control arguments.
    fn lengths_agree(&self) -> Vec<TokenStream> {
        let lengths = self.arguments.iter().filter_map(|argument| {
            let (name, length) = (&argument.name, argument.length()?);
            Some(quote!(#name.len() == #length))
        });
        lengths.collect()
    }

    /// Prints `run_over` and `part`, in a crate whose superstep has its feature `ranks`. None for
    /// kernels with guards: one gives up on one processor, and no other rank would know.
    fn over_ranks(&self, private: &TokenStream) -> Option<TokenStream> {
        if self.kernel.error.is_some() {
            return None;
        }
        let lend = self.lend_held(&quote_spanned!(Span::mixed_site()=> &self.held));
        let data = self.parameters(Argument::is_data);
        let arguments = self.arguments_of_call();
        let control_names = self.control_names();
        let id = &self.identity.id;
        let lengths = self.lengths_agree();
        let part = self.part(private);
        Some(quote_spanned! {Span::mixed_site()=>
            #private::if_ranked! {
                impl Prepared<'_> {
                    /// Runs the program over ranks, each of which calls this: rank r is processor
                    /// r.
                    ///
                    /// # Errors
                    /// If a rank cannot run the program or has another one, panics, or the engine
                    /// fails.
                    pub fn run_over(
                        &self,
                        over: #private::ranks::Over<'_>,
                        #(#data),*
                    ) -> ::core::result::Result<(), #private::ranks::RankError> {
                        #lend
                        let is_long = true #(&& #lengths)*;
                        #private::ranks::run(&self.prepared, || self.key(), is_long, over, #arguments)
                    }

                    /// Makes this rank's part of the program, with memory for the words that its
                    /// tasks touch; each rank calls this. No rank has an array in whole.
                    ///
                    /// # Errors
                    /// If a rank cannot run the program or has another one, or the engine fails.
                    pub fn part(
                        &self,
                        ranks: &mut dyn #private::ranks::Communicator,
                    ) -> ::core::result::Result<Part<'_>, #private::ranks::RankError> {
                        let part = #private::ranks::Part::of(&self.prepared, || self.key(), ranks)?;
                        ::core::result::Result::Ok(Part { part })
                    }

                    /// Returns what ranks compare: control arguments, and the kernel's text.
                    fn key(&self) -> ::std::vec::Vec<u8> {
                        #lend
                        let mut key = #private::ControlWriter::new();
                        self::control(&mut key, #(#control_names),*);
                        let mut key = key.into_bytes();
                        key.extend_from_slice(#id.as_bytes());
                        key
                    }
                }

                #part
            }
        })
    }

    /// Prints how a part is filled, array by array, and how it is asked for results.
    pub(super) fn words_of_part(&self) -> [Vec<TokenStream>; 2] {
        let words = |number: u16| self.element(usize::from(number), 1);
        let (inputs, arrays) = self.numbered(|role| role != Role::Local);
        let fills = inputs.iter().zip(arrays).map(|(number, array)| {
            let (fill, word) = (format_ident!("fill_{array}"), words(*number));
            let doc = format!(
                "Fills the words of `{array}` that this rank's tasks read, each by its index in the whole array, of words one after the other."
            );
            quote_spanned! {Span::mixed_site()=>
                #[doc = #doc]
                pub fn #fill(&mut self, word: impl ::core::ops::FnMut(usize) -> #word) {
                    self.part.fill(#number, |memory| &mut memory.#array, word);
                }
            }
        });
        let (outputs, arrays) = self.numbered(|role| role == Role::InOut);
        let results = outputs.iter().zip(arrays).map(|(number, array)| {
            let (results, word) = (format_ident!("results_{array}"), words(*number));
            let doc = format!(
                "Iterates over the results in `{array}` that this rank has computed, each with its index in the whole array, of words one after the other."
            );
            quote_spanned! {Span::mixed_site()=>
                #[doc = #doc]
                pub fn #results(&self) -> impl ::core::iter::Iterator<Item = (usize, #word)> {
                    self.part.results(#number, |memory| &memory.#array)
                }
            }
        });
        [fills.collect(), results.collect()]
    }

    /// Prints the type `Part`.
    fn part(&self, private: &TokenStream) -> TokenStream {
        let [fills, results] = self.words_of_part();
        quote_spanned! {Span::mixed_site()=>
            /// Part of a rank in runs of a prepared program. Fill it, run it, and ask it for
            /// results; before it runs again, fill what was written. A rank without a processor has
            /// no words.
            pub struct Part<'p> {
                part: #private::ranks::Part<'p, Types>,
            }

            impl Part<'_> {
                #(#fills)*

                /// Runs the program, with inputs and results where they are; each rank calls this.
                ///
                /// # Errors
                /// If a rank panics, or the engine fails.
                pub fn run(
                    &mut self,
                    ranks: &mut dyn #private::ranks::Communicator,
                ) -> ::core::result::Result<(), #private::ranks::RankError> {
                    self.part.run(ranks)
                }

                #(#results)*
            }
        }
    }
}
