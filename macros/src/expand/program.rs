//! Crate side of an expansion: what a generated program needs of the kernel, and the program
//! itself.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Type;

use super::Expansion;
use crate::identity;
use crate::lower::Role;
use crate::types::primitive;

impl Expansion<'_> {
    /// Returns the distinct element types, in order of first use, with the number of each array's.
    fn streams(&self) -> (Vec<Type>, Vec<usize>) {
        let mut numbers = BTreeMap::new();
        let mut types = Vec::new();
        let mut of_array = Vec::new();
        for array in 0..self.lowered.arrays.len() {
            let ty = self.element(array, 1);
            let number = *numbers.entry(crate::text::of(&ty)).or_insert_with(|| {
                types.push(ty);
                types.len() - 1
            });
            of_array.push(number);
        }
        (types, of_array)
    }

    /// Prints memory, packets and arguments, and the implementation of the runtime's `Kernel`.
    pub(super) fn program(&self, private: &TokenStream) -> TokenStream {
        let (memory, view) = (self.memory_type(), self.view_type(private));
        let packet = self.packet_type(private);
        let arguments = self.arguments_type();
        let lent = self.lent_type(private);
        let implementation = self.implementation_of_kernel(private);
        quote! {
            #memory
            #view
            #packet
            #arguments
            #lent

            /// Types of the kernel, as the runtime sees it.
            pub struct Types;

            #implementation
        }
    }

    fn memory_type(&self) -> TokenStream {
        let fields = self.fields();
        let types = (0..fields.len()).map(|array| self.element(array, 1));
        quote! {
            /// One processor's private memory.
            pub struct Memory {
                #(pub(super) #fields: ::std::vec::Vec<#types>,)*
            }
        }
    }

    fn view_type(&self, private: &TokenStream) -> TokenStream {
        let (fields, lifetime) = (self.fields(), self.lifetime());
        let views = self.roles().zip(0..).map(|(role, number)| {
            let ty = self.element(number, 1);
            match role {
                Role::Input => quote!(&'v [#ty]),
                Role::InOut | Role::Local => quote!(#private::Words<'v, #ty>),
            }
        });
        quote! {
            /// The arrays as generated code sees them.
            pub struct View<'v> {
                #(pub(super) #fields: #views,)*
                pub(super) #lifetime: ::core::marker::PhantomData<&'v ()>,
            }
        }
    }

    fn packet_type(&self, private: &TokenStream) -> TokenStream {
        let (stream_types, _) = self.streams();
        let streams = names_of_streams(&stream_types);
        quote! {
            /// Words that cross between two processors.
            #[derive(Default)]
            pub struct Packet {
                #(#streams: #private::Stream<#stream_types>,)*
            }
        }
    }

    /// Returns the names and types of the words of the data arguments.
    pub(super) fn words_of_arguments(&self) -> (Vec<Ident>, Vec<TokenStream>) {
        let arrays = self.lowered.arrays.iter().zip(0..);
        let words = arrays.filter_map(|(array, number)| {
            let name = self.kernel.bindings[array.id].unique.clone();
            let ty = self.element(number, 1);
            match array.role {
                Role::Local => None,
                Role::Input => Some((name, quote!(&'a [#ty]))),
                Role::InOut => Some((name, quote!(&'a mut [#ty]))),
            }
        });
        words.unzip()
    }

    fn arguments_type(&self) -> TokenStream {
        let (names, types) = self.words_of_arguments();
        let declared = names.iter().zip(types);
        let declared = declared.map(|(name, ty)| quote!(#name: #ty));
        let mut declared: Vec<TokenStream> = declared.collect();
        if declared.is_empty() {
            let lifetime = self.lifetime();
            declared.push(quote!(#lifetime: ::core::marker::PhantomData<&'a ()>));
        }
        quote! {
            /// The data arguments of a call, as slices of words.
            pub struct Arguments<'a> {
                #(#declared,)*
            }
        }
    }

    fn lent_type(&self, private: &TokenStream) -> TokenStream {
        let arrays = self.lowered.arrays.iter().zip(0..);
        let lent = arrays.filter_map(|(array, number)| {
            let name = &self.kernel.bindings[array.id].unique;
            let ty = self.element(number, 1);
            match array.role {
                Role::Input => Some(quote!(#name: #private::LentInput<#ty>)),
                Role::InOut => Some(quote!(#name: #private::Lent<#ty>)),
                Role::Local => None,
            }
        });
        quote! {
            /// The data arguments while they are lent to all processors.
            #[derive(Clone, Copy)]
            pub struct Lent {
                #(#lent,)*
            }
        }
    }

    /// Prints the implementation of the runtime's `Kernel`.
    fn implementation_of_kernel(&self, private: &TokenStream) -> TokenStream {
        let kernel_name = self.kernel.name.to_string();
        let unplanned = self.unplanned.as_ref().map(|_| {
            quote! {
                const UNPLANNED: ::core::option::Option<&'static str> = ::core::option::Option::Some(self::UNPLANNED);
            }
        });
        let argument_words = self.argument_words();
        let memory = self.memory_functions(private);
        let lending = self.lending_functions(private);
        let copying = self.copying_functions(private);
        let packing = self.packing_functions(private);
        quote! {
            impl #private::Kernel for Types {
                type Memory = Memory;
                type View<'v> = View<'v>;
                type Packet = Packet;
                type Arguments<'a> = Arguments<'a>;
                type Lent = Lent;

                const NAME: &'static str = #kernel_name;
                #unplanned

                fn differs() -> ::core::option::Option<&'static str> {
                    self::differs()
                }

                #argument_words

                #memory

                #lending

                #copying

                #packing
            }
        }
    }

    fn argument_words(&self) -> TokenStream {
        let (numbers, inputs) = self.numbered(|role| role != Role::Local);
        quote! {
            fn argument_words(arguments: &Arguments<'_>, array: u16) -> usize {
                match array {
                    #(#numbers => arguments.#inputs.len(),)*
                    _ => 0,
                }
            }
        }
    }

    /// Prints how memory is made, and seen.
    fn memory_functions(&self, private: &TokenStream) -> TokenStream {
        let (_, stream_of) = self.streams();
        let (fields, lifetime) = (self.fields(), self.lifetime());
        let fill = (0..fields.len()).map(|array| self.fill(array, &stream_of));
        let fills = self.fills(&stream_of);
        let own = self.views_of_memory(private);
        quote! {
            #fills

            fn memory(arguments: &Arguments<'_>, lengths: &[u32]) -> Memory {
                let words = |array: usize| lengths[array] as usize;
                Memory {
                    #(#fields: #fill,)*
                }
            }

            fn view(memory: &mut Memory) -> View<'_> {
                View {
                    #(#fields: #own,)*
                    #lifetime: ::core::marker::PhantomData,
                }
            }
        }
    }

    /// Prints how arguments are lent to all processors, and seen beside memory.
    fn lending_functions(&self, private: &TokenStream) -> TokenStream {
        let (fields, lifetime) = (self.fields(), self.lifetime());
        let lend = self
            .roles()
            .zip(&fields)
            .filter_map(|(role, field)| match role {
                Role::Input => Some(quote!(#field: #private::LentInput::new(&*arguments.#field))),
                Role::InOut => Some(quote!(#field: #private::Lent::new(&mut *arguments.#field))),
                Role::Local => None,
            });
        let own = self.views_of_memory(private);
        let arrays = self.roles().zip(own).zip(&fields).enumerate();
        let shared = arrays.map(|(number, ((role, own), field))| {
            let lent = match role {
                Role::Input => quote!(lent.#field.slice(permit)),
                Role::InOut => quote!(lent.#field.words(permit)),
                Role::Local => return own,
            };
            quote!(if shared[#number] { #lent } else { #own })
        });
        quote! {
            fn lend(arguments: &mut Arguments<'_>) -> ::core::option::Option<Lent> {
                ::core::option::Option::Some(Lent { #(#lend,)* })
            }

            fn shared_view<'v>(
                lent: &Lent,
                memory: &'v mut Memory,
                shared: &[bool],
                permit: #private::Permit<'v>,
            ) -> View<'v> {
                View {
                    #(#fields: #shared,)*
                    #lifetime: ::core::marker::PhantomData,
                }
            }
        }
    }

    /// Prints how words are copied from the arguments to memory, and back.
    fn copying_functions(&self, private: &TokenStream) -> TokenStream {
        let (input_numbers, inputs) = self.numbered(|role| role != Role::Local);
        let (result_numbers, results) = self.numbered(|role| role == Role::InOut);
        quote! {
            fn scatter(arguments: &Arguments<'_>, memory: &mut Memory, strided: &#private::Strided) {
                match strided.array {
                    #(#input_numbers => #private::copy(&*arguments.#inputs, &mut memory.#inputs, strided),)*
                    _ => {}
                }
            }

            fn gather(arguments: &mut Arguments<'_>, memory: &Memory, strided: &#private::Strided) {
                match strided.array {
                    #(#result_numbers => #private::copy(&memory.#results, &mut *arguments.#results, strided),)*
                    _ => {}
                }
            }
        }
    }

    /// Prints how words are packed, and unpacked.
    fn packing_functions(&self, private: &TokenStream) -> TokenStream {
        let (stream_types, stream_of) = self.streams();
        let streams = names_of_streams(&stream_types);
        let own_stream = stream_of.iter().map(|&number| &streams[number]);
        let own_stream: Vec<&Ident> = own_stream.collect();
        let (arrays, fields) = self.numbered(|_| true);
        quote! {
            fn pack(memory: &Memory, packet: &mut Packet, strided: &#private::Strided) {
                match strided.array {
                    #(#arrays => packet.#own_stream.pack(&memory.#fields, strided),)*
                    _ => {}
                }
            }

            fn unpack(packet: &mut Packet, memory: &mut Memory, strided: &#private::Strided) {
                match strided.array {
                    #(#arrays => packet.#own_stream.unpack(&mut memory.#fields, strided),)*
                    _ => {}
                }
            }

            fn clear(packet: &mut Packet) {
                #(packet.#streams.clear();)*
            }

            #private::if_ranked! {
                fn streams(
                    packet: &mut Packet,
                    visit: &mut dyn ::core::ops::FnMut(&mut dyn #private::ranks::Raw),
                ) -> ::core::result::Result<(), &'static str> {
                    #[allow(unused_imports)]
                    use #private::ranks::Unstreamed as _;
                    #(#private::ranks::Streamed(&mut packet.#streams).visit(visit)?;)*
                    ::core::result::Result::Ok(())
                }

                fn blank(packet: &Packet, lengths: &[u32]) -> ::core::option::Option<Memory> {
                    ::core::option::Option::Some(Memory {
                        #(#fields: packet.#own_stream.array(lengths[#arrays as usize] as usize),)*
                    })
                }
            }
        }
    }

    fn roles(&self) -> impl Iterator<Item = Role> {
        self.lowered.arrays.iter().map(|array| array.role)
    }

    /// Returns the names of all arrays.
    fn fields(&self) -> Vec<&Ident> {
        self.numbered(|_| true).1
    }

    /// Returns the arrays of some roles: their numbers, and their names.
    pub(super) fn numbered(&self, of: impl Fn(Role) -> bool) -> (Vec<u16>, Vec<&Ident>) {
        let arrays = self.lowered.arrays.iter().zip(0..);
        arrays
            .filter(|(array, _)| of(array.role))
            .map(|(array, number)| (number, &self.kernel.bindings[array.id].unique))
            .unzip()
    }

    /// Prints the arrays of a processor's own memory as generated code sees them.
    fn views_of_memory(&self, private: &TokenStream) -> Vec<TokenStream> {
        let arrays = self.roles().zip(self.fields());
        let views = arrays.map(|(role, field)| match role {
            Role::Input => quote!(&memory.#field[..]),
            Role::InOut | Role::Local => quote!(#private::Words::from(&mut memory.#field[..])),
        });
        views.collect()
    }

    /// Prints a `Vec` for one array. What the words hold is never read, so any value of the type
    /// will do.
    fn fill(&self, array: usize, stream_of: &[usize]) -> TokenStream {
        let ty = self.element(array, 1);
        if let Some(zero) = zero(&ty) {
            return quote!(::std::vec![#zero; words(#array)]);
        }
        let names = self.arguments_like(array, stream_of);
        let value = if names.is_empty() {
            default(&ty)
        } else {
            quote! {
                *::core::option::Option::None #(.or_else(|| arguments.#names.first()))*
                    .expect("`fills` has seen one")
            }
        };
        quote! {
            if words(#array) == 0 {
                ::std::vec::Vec::new()
            } else {
                ::std::vec![#value; words(#array)]
            }
        }
    }

    /// Returns the parameters whose words are of the same type as that array's.
    fn arguments_like(&self, array: usize, stream_of: &[usize]) -> Vec<&Ident> {
        let arrays = self.lowered.arrays.iter().zip(stream_of);
        let same = arrays
            .filter(|&(other, &stream)| stream == stream_of[array] && other.role != Role::Local);
        same.map(|(other, _)| &self.kernel.bindings[other.id].unique)
            .collect()
    }

    /// Prints whether the arguments hold a word for [`fill`](Self::fill) to copy into each local. A
    /// parameter that the traced run did not touch may be empty.
    fn fills(&self, stream_of: &[usize]) -> Option<TokenStream> {
        let locals = (0..self.lowered.arrays.len()).filter(|&array| {
            self.lowered.arrays[array].role == Role::Local
                && primitive(&self.element(array, 1)).is_none()
        });
        let copied: BTreeMap<usize, Vec<&Ident>> = locals
            .map(|array| (stream_of[array], self.arguments_like(array, stream_of)))
            .filter(|(_, names)| !names.is_empty())
            .collect();
        if copied.is_empty() {
            return None;
        }
        let conditions = copied
            .values()
            .map(|names| quote!(!(#(arguments.#names.is_empty())&&*)));
        Some(quote! {
            fn fills(arguments: &Arguments<'_>) -> bool {
                #(#conditions)&&*
            }
        })
    }

    /// Prints the generated file, or no programs before there is one.
    pub(super) fn generated(&self, private: &TokenStream) -> TokenStream {
        let id = &self.identity.id;
        let file = format!("/superstep/{id}.rs");
        let exists = self
            .context
            .out
            .as_ref()
            .is_some_and(|out| out.join("superstep").join(format!("{id}.rs")).is_file());
        let body = if exists {
            quote!(::core::include!(::core::concat!(::core::env!("OUT_DIR"), #file));)
        } else {
            let generated = identity::generated().unwrap_or_default();
            let warning = lost(&self.kernel.name.to_string(), id, &generated)
                .map(|lost| warning(&self.kernel.name, &lost));
            quote! {
                #warning
                pub(super) static PROGRAMS: [#private::KeyedProgram<Types>; 0] = [];
                pub(super) static OBSERVATIONS: [#private::Observation; 0] = [];
            }
        };
        quote! {
            /// The parallel programs.
            mod generated {
                use super::{Types, View, statements};
                use #private as runtime;
                #body
            }
        }
    }
}

/// Prints the value of a primitive type that a new array has.
pub(super) fn zero(ty: &Type) -> Option<TokenStream> {
    Some(match primitive(ty)?.as_str() {
        "bool" => quote!(false),
        "char" => quote!('\0'),
        _ => quote!(0 as #ty),
    })
}

/// Prints the default value of a type.
pub(super) fn default(ty: &Type) -> TokenStream {
    quote!(<#ty as ::core::default::Default>::default())
}

fn names_of_streams(types: &[Type]) -> Vec<Ident> {
    let numbers = 0..types.len();
    numbers
        .map(|number| format_ident!("stream_{number}"))
        .collect()
}

/// Returns the warning of a kernel without programs, though the build script has generated some, by
/// ids.
fn lost(name: &str, id: &str, generated: &[String]) -> Option<String> {
    if generated.iter().any(|other| other == id) {
        Some(format!(
            "the programs of the kernel `{name}` were generated and are gone: touch the build script, or `cargo clean -p` this package, to have them back"
        ))
    } else if generated.iter().any(|other| identity::is_copy(id, other)) {
        Some(format!(
            "the build script has generated programs for a copy of the kernel `{name}` in another file, or at another place, and not for this one: include this file there, by `#[path]`"
        ))
    } else {
        None
    }
}

/// Prints a warning at a kernel's name. Attributes have no other way to warn than the use of
/// something deprecated.
fn warning(name: &Ident, text: &str) -> TokenStream {
    quote_spanned! {name.span()=>
        #[warn(deprecated)]
        const _: () = {
            #[deprecated(note = #text)]
            const #name: () = ();
            #name
        };
    }
}

#[cfg(test)]
mod tests {
    use super::lost;

    #[test]
    fn programs_that_are_lost_are_told_of() {
        let lost = |generated: &[&str]| {
            let generated: Vec<String> = generated.iter().map(|id| (*id).to_owned()).collect();
            lost("lu", "lu-0123456789abcdef", &generated)
        };
        assert_eq!(lost(&[]), None);
        assert_eq!(lost(&["fft-0123456789abcdef"]), None, "not asked for");
        assert_eq!(lost(&["lu-ffff456789abcdef"]), None, "of another kernel");
        assert!(lost(&["lu-0123456789abcdef"]).unwrap().contains("are gone"));
        assert!(lost(&["lu-0123456700000000"]).unwrap().contains("a copy"));
    }
}
