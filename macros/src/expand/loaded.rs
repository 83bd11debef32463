//! Crate side of loaded plans: the interface, and the tape of a kernel.
//!
//! A tape has structure and values in the order in which a processor reads them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;

use super::Expansion;
use super::arguments::Argument;
use super::planned::by_site;
use super::taped::field;

/// A parameter marked `#[values]`.
struct Values<'e> {
    /// Number among all arrays.
    number: u16,
    argument: &'e Argument,
    /// Type of a word.
    word: Type,
    field: Ident,
}

impl Expansion<'_> {
    /// Returns the parameters marked `#[values]`.
    fn values(&self) -> Vec<Values<'_>> {
        let arrays = self.lowered.arrays.iter().enumerate();
        let values = arrays.filter_map(|(number, array)| {
            let binding = &self.kernel.bindings[array.id];
            let argument = self.arguments.iter().find(|a| a.name == binding.unique)?;
            binding.marks.values.then(|| Values {
                number: number as u16,
                argument,
                word: self.element(number, 1),
                field: field(&binding.unique),
            })
        });
        values.collect()
    }

    /// Prints the tape of a processor.
    pub(super) fn tape(&self, private: &TokenStream) -> TokenStream {
        let values = self.values();
        let names = self.names_of_values();
        let words: Vec<_> = values.iter().map(|values| &values.word).collect();
        let fields: Vec<_> = values.iter().map(|values| &values.field).collect();
        let lifetime = self.lifetime();
        quote! {
            /// The arrays of values.
            #[derive(Clone, Copy)]
            pub struct Values<'a> {
                #(#names: &'a [#words],)*
                #lifetime: ::core::marker::PhantomData<&'a ()>,
            }

            /// Structure and values in the order in which a processor reads them.
            #[derive(Default)]
            pub struct Tape {
                control: #private::ControlTape,
                #(#fields: #private::ValueTape<#words>,)*
            }

            /// Reads a tape.
            #[derive(Clone)]
            pub struct Reader<'t> {
                control: #private::ControlReader<'t>,
                #(#fields: #private::Reader<'t, #words>,)*
            }

            impl #private::Tape for Tape {
                fn control(&mut self) -> &mut #private::ControlTape {
                    &mut self.control
                }

                fn keep(&mut self) {
                    self.control.keep();
                    #(self.#fields.keep();)*
                }

                fn count(&mut self) {
                    self.control.count();
                    #(self.#fields.count();)*
                }

                fn is_wide(&self) -> bool {
                    self.control.is_wide() #(|| self.#fields.is_wide())*
                }

                fn bytes(&self) -> usize {
                    self.control.bytes() #(+ self.#fields.bytes())*
                }
            }
        }
    }

    /// Prints what the implementation of the runtime's `Grains` has for tapes. `arms`: for each
    /// loop, as recorded and as replayed.
    pub(super) fn tapes(&self, private: &TokenStream, arms: [Vec<TokenStream>; 2]) -> TokenStream {
        let [record, replay] = arms;
        let (record, replay) = (self.record(private, &record), self.replay(private, &replay));
        let (arrays, readers) = (self.arrays_of_values(), self.readers());
        quote! {
            type Values<'a> = Values<'a>;
            type Tape = Tape;
            type Reader<'t> = Reader<'t>;

            #record

            #arrays

            #readers

            #replay
        }
    }

    fn record(&self, private: &TokenStream, arms: &[TokenStream]) -> TokenStream {
        let (unpack, choice) = (self.unpacked_control(), by_site(arms));
        quote_spanned! {Span::mixed_site()=>
            #[inline]
            fn record(
                control: Control<'_>,
                site: &#private::Site<'_>,
                tape: &mut Tape,
            ) {
                #unpack
                #choice
            }
        }
    }

    /// Prints how many words arrays of values have, and how a tape takes them.
    fn arrays_of_values(&self) -> TokenStream {
        let values = self.values();
        let names = self.names_of_values();
        let numbers = values.iter().map(|values| values.number);
        let fields = values.iter().map(|values| &values.field);
        quote_spanned! {Span::mixed_site()=>
            #[inline]
            fn value_words(values: &Values<'_>, array: u16) -> usize {
                match array {
                    #(#numbers => values.#names.len(),)*
                    _ => 0,
                }
            }

            fn fill(values: Values<'_>, tape: &mut Tape) {
                #(tape.#fields.fill(values.#names);)*
            }
        }
    }

    /// Prints how a tape is read, and how far it was.
    fn readers(&self) -> TokenStream {
        let values = self.values();
        let fields: Vec<_> = values.iter().map(|values| &values.field).collect();
        quote! {
            fn reader<'t>(tape: &'t Tape, behind: &Tape) -> Reader<'t> {
                Reader {
                    control: tape.control.reader(&behind.control),
                    #(#fields: tape.#fields.reader(&behind.#fields),)*
                }
            }

            #[inline]
            fn read_by(tape: &Tape, reader: &Reader<'_>) -> Tape {
                Tape {
                    control: tape.control.read_by(&reader.control),
                    #(#fields: tape.#fields.read_by(&reader.#fields),)*
                }
            }
        }
    }

    fn replay(&self, private: &TokenStream, arms: &[TokenStream]) -> TokenStream {
        let (unpack, choice) = (self.unpacked_control(), by_site(arms));
        let (words, structure) = (self.words_of_view(), self.proved_structure());
        quote_spanned! {Span::mixed_site()=>
            #[inline]
            fn replay(
                control: Control<'_>,
                site: &#private::Site<'_>,
                proof: #private::Proof<'_>,
                reader: &mut Reader<'_>,
                view: &mut View<'_>,
            ) {
                #unpack
                // Here the compiler sees that no word of the arrays is part of the reader.
                let own = &mut *reader;
                let mut reader = own.clone();
                #words
                #structure
                #choice
                *own = reader;
            }
        }
    }

    /// Prints `load` and the type `Loaded`.
    pub(super) fn loaded(&self, private: &TokenStream) -> TokenStream {
        let load = self.load(private);
        let types = self.loaded_types(private);
        let run = self.run_of_loaded(private);
        let update = self.update(private);
        let figures = self.figures_of_loaded(private);
        quote_spanned! {Span::mixed_site()=>
            #load

            #types

            impl Loaded<'_> {
                #run

                #update

                #figures
            }

            impl ::core::fmt::Debug for Loaded<'_> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::fmt::Debug::fmt(&self.loaded, f)
                }
            }
        }
    }

    fn load(&self, private: &TokenStream) -> TokenStream {
        let given = self.parameters(|argument| self.is_values(argument));
        let names = self.names_of_values();
        let values = self.given_values();
        quote_spanned! {Span::mixed_site()=>
            impl<'s> Planned<'s> {
                /// Copies structure and `#[values]` arguments in the order in which each processor
                /// reads them: runs
                /// then go through memory in order. Other values are loaded by `update`.
                ///
                /// # Errors
                /// If values are not as long as the plan needs, or a control value does not fit 32
                /// bits.
                #[inline]
                pub fn load(&self, #(#given),*) -> ::core::result::Result<Loaded<'s>, #private::PlanningError> {
                    ::core::result::Result::Ok(Loaded {
                        loaded: self.plan.load(self.held.control(), #values)?,
                        held: self.held.clone(),
                        copies: Copies { #(#names: #names.to_vec(),)* },
                    })
                }
            }
        }
    }

    fn loaded_types(&self, private: &TokenStream) -> TokenStream {
        let values = self.values();
        let names = self.names_of_values();
        let elements = values
            .iter()
            .filter_map(|values| match values.argument.referent()? {
                Type::Slice(slice) => Some(&slice.elem),
                _ => None,
            });
        let elements: Vec<_> = elements.collect();
        let loaded = self.type_of_plans(private, "Loaded");
        quote_spanned! {Span::mixed_site()=>
            /// A plan with structure and values of its own. Runs allocate nothing; several can run
            /// at once.
            pub struct Loaded<'s> {
                held: Held<'s>,
                loaded: #loaded<Types>,
                copies: Copies,
            }

            /// The loaded values as the original function takes them.
            struct Copies {
                #(#names: ::std::vec::Vec<#elements>,)*
            }
        }
    }

    /// Prints `run` of a `Loaded`.
    fn run_of_loaded(&self, private: &TokenStream) -> TokenStream {
        let values = self.values();
        let names = self.names_of_values();
        let types: Vec<_> = values.iter().map(|values| &values.argument.ty).collect();
        let data = self.parameters(|argument| argument.is_data() && !self.is_values(argument));
        let controls = self.control_names();
        let arguments = self.arguments_of_call();
        let (result, verdict) = (self.result_of_run(private), self.verdict());
        let finish = self.finish_run(private);
        quote_spanned! {Span::mixed_site()=>
            /// Runs the plan with the loaded values, or the original function where that is
            /// measured to be faster.
            ///
            #verdict
            /// # Errors
            /// If an argument is not as long as the plan needs: nothing has run then. If a
            /// grain panics, or the original function does.
            #[inline]
            pub fn run(&self, #(#data),*) -> #result {
                let control = self.held.control();
                let Control { #(#controls,)* .. } = control;
                #(let #names: #types = &self.copies.#names;)*
                let outcome = self.loaded.run(control, #arguments);
                #finish
            }
        }
    }

    fn update(&self, private: &TokenStream) -> TokenStream {
        let given = self.parameters(|argument| self.is_values(argument));
        let names = self.names_of_values();
        let values = self.given_values();
        quote_spanned! {Span::mixed_site()=>
            /// Loads other values.
            ///
            /// # Errors
            /// If they are not as long as the plan needs: those that were loaded stay then.
            #[inline]
            pub fn update(&mut self, #(#given),*) -> ::core::result::Result<(), #private::PlanningError> {
                self.loaded.update(self.held.control(), #values)?;
                #(
                    self.copies.#names.clear();
                    self.copies.#names.extend_from_slice(#names);
                )*
                ::core::result::Result::Ok(())
            }
        }
    }

    /// Prints the functions by which a `Loaded` tells of itself.
    fn figures_of_loaded(&self, private: &TokenStream) -> TokenStream {
        let names = self.names_of_values();
        quote_spanned! {Span::mixed_site()=>
            /// Tells what was planned, and why.
            pub fn report(&self) -> #private::Report<'_> {
                self.loaded.whole_report(self.held.control())
            }

            /// Returns the bytes of the copies.
            pub fn bytes(&self) -> usize {
                self.loaded.bytes() #(+ ::core::mem::size_of_val(&self.copies.#names[..]))*
            }
        }
    }

    /// Returns the names and types of the words of arrays of values.
    pub(super) fn words_of_values(&self) -> (Vec<Ident>, Vec<TokenStream>) {
        let values = self.values().into_iter();
        let words = values
            .map(|Values { argument, word, .. }| (argument.name.clone(), quote!(&'a [#word])));
        words.unzip()
    }

    fn is_values(&self, argument: &Argument) -> bool {
        self.names_of_values().contains(&&argument.name)
    }

    fn names_of_values(&self) -> Vec<&Ident> {
        let values = self.values().into_iter();
        values.map(|values| &values.argument.name).collect()
    }

    /// Prints the `#[values]` arguments of a call as arrays of words.
    fn given_values(&self) -> TokenStream {
        let lifetime = self.lifetime();
        let values = self.values().into_iter();
        let arrays = values.filter_map(|values| values.argument.field_of_words());
        quote!(Values { #(#arrays,)* #lifetime: ::core::marker::PhantomData })
    }
}
