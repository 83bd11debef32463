//! Crate side of a kernel that is planned at run time: its control grain by grain.
//!
//! Three functions say what the grains are. `walk` runs the control around the grains of a level
//! once and names them all. `track` tells what some grains read and write, `compute` runs them;
//! both evaluate only what grains need, in any order. A grain is named by the number of its loop,
//! the values of the loops that are entered around it, and its own.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::Expansion;
use super::names::{common_name, hygienic};
use super::printer::{Emitted, Printer};
use super::walk::{Arms, Walk};
use crate::grains::Level;
use crate::lower::Role;

impl Expansion<'_> {
    /// Prints what a planned kernel has in its module.
    pub(super) fn planned(&self) -> Option<TokenStream> {
        self.grains.as_ref()?;
        let facade = &self.context.facade;
        let private = quote!(#facade::__private::planned);
        let control = self.control_of_plans(&private);
        let tape = self.is_loaded().then(|| self.tape(&private));
        let grains = self.grains(&private);
        let interface = self.planner(&private);
        let loaded = self.is_loaded().then(|| self.loaded(&private));
        let scatters = self.scatters(&private);
        // Only the feature `plan` has this name: without it the compiler's error says so.
        let needs_the_feature = self
            .insists
            .then(|| quote!(use #private::needs_the_feature_plan_of_superstep as _;));
        // Values of other types in control end planning at run time, unless the author insists on
        // plans: then the compiler refuses them.
        let outside = (!self.insists).then(|| quote!(use #private::NoNumber as _;));
        Some(quote! {
            #needs_the_feature
            #facade::__private::if_planned! {
                {
                    /// Memory of calls for which nothing was built.
                    static UNBUILT: #private::Unbuilt = #private::Unbuilt::new();

                    use #private::OwnLength as _;
                    #outside
                    #control
                    #tape
                    #grains
                    #interface
                    #loaded
                    #scatters
                }
                {}
            }
        })
    }

    /// Prints the implementation of the runtime's `Grains`.
    pub(super) fn grains(&self, private: &TokenStream) -> TokenStream {
        let constants = self.constants_of_grains();
        let told = self.told_control(private);
        let lent = self.lent_control(private);
        let walk = self.walk(private);
        let track = self.track(private);
        let compute = self.compute(private);
        let compute_held = self.compute_held(private);
        let (common_types, common) = self.common_words(private);
        let known = self.known_words(private);
        let arms = |emitted| self.arms(private, emitted);
        let tapes = match self.is_loaded() {
            true => self.tapes(private, [arms(Emitted::Recorded), arms(Emitted::Replayed)]),
            false => no_tapes(private),
        };
        quote! {
            #common_types

            impl #private::Grains for Types {
                type Control<'s> = Control<'s>;
                type OwnedControl = OwnedControl;
                type LentControl = LentControl;
                type LentCommon = LentCommon;

                #constants

                #told

                #lent

                #walk

                #track

                #compute

                #compute_held

                #common

                #known

                #tapes
            }
        }
    }

    /// Prints the constants of the runtime's `Grains`.
    fn constants_of_grains(&self) -> TokenStream {
        let text = self.identity.text();
        let line = self.kernel.name.span().start().line as u32;
        let arrays = self.lowered.arrays.len();
        let depths = self.levels().map(|level| level.depth);
        let can_give_up = self.kernel.error.is_some();
        let named = |arrays: Vec<usize>| {
            let named = arrays.into_iter().map(|array| {
                let name = &self.binding(array).name;
                let (number, name) = (array as u16, name.to_string());
                quote!((#number, #name))
            });
            quote!(&[#(#named),*])
        };
        let (shared, scratch) = (named(self.shared()), named(self.written(true)));
        let (inputs, values) = (named(self.inputs(false)), named(self.inputs(true)));
        quote! {
            const ARRAYS: usize = #arrays;
            const LEVELS: &'static [usize] = &[#(#depths),*];
            const SHARED: &'static [(u16, &'static str)] = #shared;
            const SCRATCH: &'static [(u16, &'static str)] = #scratch;
            const INPUTS: &'static [(u16, &'static str)] = #inputs;
            const VALUES: &'static [(u16, &'static str)] = #values;
            const CAN_GIVE_UP: bool = #can_give_up;
            const PLACE: (&'static str, u32) = (::core::file!(), #line);
            const TEXT: &'static str = #text;
        }
    }

    /// Prints how control is told to whoever compares it.
    fn told_control(&self, private: &TokenStream) -> TokenStream {
        let (names, unpack) = (self.control_names(), self.unpacked_control());
        let identify = self.arguments.iter().filter_map(|a| a.identify(private));
        quote_spanned! {Span::mixed_site()=>
            #[inline]
            fn feed<S: #private::ControlSink>(control: Control<'_>, sink: &mut S) {
                #unpack
                self::control(sink, #(#names),*);
            }

            #[inline]
            fn identify(control: Control<'_>, identity: &mut #private::Identity) {
                #unpack
                #(#identify)*
            }
        }
    }

    fn walk(&self, private: &TokenStream) -> TokenStream {
        let walk = self.levels().map(|level| {
            let printer = Printer::new(self, private, Emitted::Accesses);
            let depth = level.depth;
            let sections = Walk(printer).sections(&level.sections, &mut Vec::new());
            quote!(#depth => { #sections })
        });
        let unpack = self.unpacked_control();
        quote_spanned! {Span::mixed_site()=>
            #[inline]
            fn walk(control: Control<'_>, space: &mut #private::Space) {
                #unpack
                match space.level() {
                    #(#walk)*
                    _ => {}
                }
            }
        }
    }

    fn track(&self, private: &TokenStream) -> TokenStream {
        let track = by_site(&self.arms(private, Emitted::Accesses));
        let unpack = self.unpacked_control();
        quote_spanned! {Span::mixed_site()=>
            #[inline]
            fn track(
                control: Control<'_>,
                site: &#private::Site<'_>,
                accesses: &mut #private::Accesses<'_>,
                extents: &mut #private::Extents,
            ) {
                #unpack
                #track
            }
        }
    }

    fn compute(&self, private: &TokenStream) -> TokenStream {
        let compute = self.arms(private, Emitted::Assignment);
        let compute = self.with_inputs(private, &compute);
        let unpack = self.unpacked_control();
        let (words, structure) = (self.words_of_view(), self.proved_structure());
        quote_spanned! {Span::mixed_site()=>
            #[inline]
            fn compute(
                control: Control<'_>,
                site: &#private::Site<'_>,
                proof: #private::Proof<'_>,
                view: &mut View<'_>,
            ) {
                #unpack
                #words
                #structure
                #compute
            }
        }
    }

    /// Prints how iterations run on the words that a rank has. It differs from
    /// [`compute`](Self::compute) in what arrays are.
    fn compute_held(&self, private: &TokenStream) -> TokenStream {
        let compute = by_site(&self.arms(private, Emitted::Assignment));
        let unpack = self.unpacked_control();
        let structure = self.structure().map(|(_, name, _)| name);
        let words = self.lets_of_arrays(|role, number, name| match role {
            Role::Input => quote_spanned!(Span::mixed_site()=> slots.input(#number, view.#name)),
            Role::InOut | Role::Local => {
                quote_spanned!(Span::mixed_site()=> slots.words(#number, &mut view.#name))
            }
        });
        let facade = &self.context.facade;
        quote_spanned! {Span::mixed_site()=>
            #facade::__private::if_ranked! {
                fn compute_held(
                    control: Control<'_>,
                    site: &#private::Site<'_>,
                    slots: #private::Slots<'_>,
                    view: &mut View<'_>,
                ) {
                    #unpack
                    #words
                    #(let #structure = slots.structure(#structure);)*
                    #compute
                }
            }
        }
    }

    /// Prints a `match` arm for each loop, which tracks, computes, records or replays its grains.
    fn arms(&self, private: &TokenStream, emitted: Emitted) -> Vec<TokenStream> {
        let mut arms = Vec::new();
        for Level { sections, .. } in self.levels() {
            Arms {
                printer: Printer::new(self, private, emitted),
                arms: &mut arms,
            }
            .sections(sections, &TokenStream::new(), 0);
        }
        arms
    }

    /// Prints the type that has the words which grains have in common while these are lent, and
    /// what the runtime's `Grains` says of them.
    fn common_words(&self, private: &TokenStream) -> (TokenStream, TokenStream) {
        let common = self.common();
        let name = |&array: &usize| &self.binding(array).unique;
        let names: Vec<&Ident> = common.iter().map(name).collect();
        let types = common.iter().map(|&array| self.element(array, 1));
        let numbers = common.iter().map(|&array| array as u16);
        let types = quote_spanned! {Span::mixed_site()=>
            /// The words that grains have in common beside the arguments, while they are lent.
            #[derive(Clone, Copy)]
            pub struct LentCommon {
                #(#names: #private::Lent<#types>,)*
            }
        };
        let functions = quote_spanned! {Span::mixed_site()=>
            const COMMON: &'static [u16] = &[#(#numbers),*];

            #[inline]
            fn lend_common(memory: &mut Memory) -> LentCommon {
                LentCommon {
                    #(#names: #private::Lent::new(&mut memory.#names[..]),)*
                }
            }

            #[inline]
            fn use_common<'v>(
                lent: &LentCommon,
                permit: #private::Permit<'v>,
                view: &mut View<'v>,
            ) {
                #(view.#names = lent.#names.words(permit);)*
            }
        };
        (types, functions)
    }

    /// Prints the arrays of a view as values, arguments as proved ones.
    pub(super) fn words_of_view(&self) -> TokenStream {
        self.lets_of_arrays(|role, _, name| match role {
            Role::Input => quote_spanned!(Span::mixed_site()=> proof.input(view.#name)),
            Role::InOut => quote_spanned!(Span::mixed_site()=> proof.words(&mut view.#name)),
            Role::Local => quote_spanned!(Span::mixed_site()=> view.#name.reborrow()),
        })
    }

    /// Prints a `let` for each array that grains use, with its words as `words` prints them.
    fn lets_of_arrays(&self, words: impl Fn(Role, u16, &Ident) -> TokenStream) -> TokenStream {
        let common = self.common();
        let lets = self.lowered.arrays.iter().zip(0..).map(|(array, number)| {
            let name = &self.kernel.bindings[array.id].unique;
            let words = words(array.role, number, name);
            match array.role {
                Role::Input => quote!(let #name = #words;),
                Role::InOut => quote!(let mut #name = #words;),
                Role::Local if common.contains(&usize::from(number)) => {
                    let common = common_name(name);
                    quote!(let mut #common = #words;)
                }
                Role::Local => quote!(),
            }
        });
        lets.collect()
    }

    /// Prints structure as proved arrays.
    pub(super) fn proved_structure(&self) -> TokenStream {
        let names = self.structure().map(|(_, name, _)| name);
        quote_spanned!(Span::mixed_site()=> #(let #names = proof.input(#names);)*)
    }

    /// Prints the choice of an arm in a closure that takes what is only read.
    ///
    /// Arguments of a function that are shared slices alias nothing that is written (no other name
    /// leads to their words). Compilers know that, and keep these words in registers meanwhile.
    fn with_inputs(&self, private: &TokenStream, arms: &[TokenStream]) -> TokenStream {
        let structure = self.structure();
        let structure = structure.map(|(_, name, element)| (name, quote!(#element)));
        let inputs = self.of_role(Role::Input).map(|number| {
            let element = self.element(number, 1);
            (&self.binding(number).unique, quote!(#element))
        });
        let (names, elements): (Vec<_>, Vec<_>) = structure.chain(inputs).unzip();
        let (run, arms) = (hygienic("run"), by_site(arms));
        quote! {
            let mut #run = |#(#names: #private::ProvedInput<'_, #elements>),*| #arms;
            #run(#(#names),*);
        }
    }

    /// Returns the arrays that grains may write and others read: arguments, then those in common.
    pub(super) fn shared(&self) -> Vec<usize> {
        let mut shared = self.written(false);
        shared.extend(self.common());
        shared
    }

    /// Returns the kernel's own arrays that grains of some level have in common.
    fn common(&self) -> BTreeSet<usize> {
        let common = self.levels().flat_map(|level| &level.common);
        common.copied().collect()
    }

    fn levels(&self) -> impl Iterator<Item = &Level<'_>> {
        self.grains.iter().flatten()
    }

    /// Prints the function that tells how many words an array has, where control or its type tells
    /// that.
    fn known_words(&self, private: &TokenStream) -> TokenStream {
        let printer = Printer::new(self, private, Emitted::Assignment);
        let arrays = self.lowered.arrays.iter().zip(0_u16..);
        let arms = arrays.map(|(lowered, number)| {
            let dimensions = self.kernel.bindings[lowered.id].dimensions.len();
            let lengths = (0..dimensions).map(|depth| printer.length(lowered.id, depth, true));
            quote!(#number => #private::words_of([#(#lengths),*]),)
        });
        let names = self.control_names();
        quote_spanned! {Span::mixed_site()=>
            #[inline]
            fn known_words(control: Control<'_>, array: u16) -> ::core::option::Option<usize> {
                let Control { #(#names,)* .. } = control;
                match array {
                    #(#arms)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    }

    /// Returns the arrays that are tracked: those that are shared, scratch, inputs, and values.
    /// Their positions here are their numbers for the runtime's `Accesses` and `Extents`.
    pub(super) fn tracked(&self) -> Vec<usize> {
        let inputs = [false, true].map(|values| self.inputs(values)).concat();
        [self.shared(), self.written(true), inputs].concat()
    }

    /// Returns the arrays that are only read: those marked `#[values]`, or the others.
    fn inputs(&self, values: bool) -> Vec<usize> {
        let is_one = |&array: &usize| self.binding(array).marks.values == values;
        self.of_role(Role::Input).filter(is_one).collect()
    }

    /// Returns the arguments that grains write: those in which each grain keeps values of its own,
    /// or the others.
    fn written(&self, is_scratch: bool) -> Vec<usize> {
        let is_one = |&array: &usize| self.binding(array).marks.scratch == is_scratch;
        self.of_role(Role::InOut).filter(is_one).collect()
    }

    fn of_role(&self, role: Role) -> impl Iterator<Item = usize> {
        let arrays = 0..self.lowered.arrays.len();
        arrays.filter(move |&array| self.lowered.arrays[array].role == role)
    }
}

/// Prints the choice of an arm by the site of a grain.
pub(super) fn by_site(arms: &[TokenStream]) -> TokenStream {
    quote_spanned! {Span::mixed_site()=>
        match site.number {
            #(#arms)*
            _ => {}
        }
    }
}

/// Prints the items about values and tapes of the runtime's `Grains`, for a kernel without tapes.
fn no_tapes(private: &TokenStream) -> TokenStream {
    quote! {
        type Values<'a> = ();
        type Tape = #private::NoTape;
        type Reader<'t> = ();

        fn reader<'t>(_: &'t #private::NoTape, _: &#private::NoTape) -> Self::Reader<'t> {}
    }
}
