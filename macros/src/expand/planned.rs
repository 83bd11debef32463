//! Crate side of a kernel that is planned at run time: its control grain by grain.
//!
//! Three functions say what the grains are. `walk` runs the control around grains once and names
//! them all. `track` tells what some grains read and write, `compute` runs them; both evaluate only
//! what grains need, in any order. A grain is named by the number of its loop, the values of the
//! loops that are entered around it, and its own.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::{Expr, Type};

use super::Expansion;
use super::arguments::{Argument, Kind};
use super::names::{common_name, hygienic};
use super::printer::{Emitted, Printer};
use super::walk::{Arms, Walk};
use crate::grains::Level;
use crate::kernel::{Dimension, Id};
use crate::lower::{Role, Task};
use crate::places::{self, Place};

impl Expansion<'_> {
    /// Prints what a planned kernel has in its module.
    pub(super) fn planned(&self) -> Option<TokenStream> {
        let levels = self.grains.as_ref()?;
        let facade = &self.context.facade;
        let private = quote!(#facade::__private::planned);
        let control = self.control_of_plans(&private);
        let tape = self.is_loaded().then(|| self.tape(&private));
        let grains = self.grains(&private, levels);
        let interface = self.planner(&private);
        let loaded = self.is_loaded().then(|| self.loaded(&private));
        let needs_the_feature = self
            .insists
            .then(|| quote!(use #private::needs_the_feature_plan_of_superstep as _;));
        let outside = (!self.insists).then(|| quote!(use #private::NoNumber as _;));
        Some(quote! {
            #needs_the_feature
            #facade::__private::if_planned! {
                {
                    /// Memory of calls for which nothing was built.
                    static UNBUILT: #private::Unbuilt = #private::Unbuilt::new();

                    #outside
                    #control
                    #tape
                    #grains
                    #interface
                    #loaded
                }
                {}
            }
        })
    }

    /// Prints the control arguments as plans hold and lend them.
    fn control_of_plans(&self, private: &TokenStream) -> TokenStream {
        let (names, lifetime) = (self.control_names(), self.lifetime());
        let types = self.borrowed_control_types(&quote!(<'s>));
        let control = self.arguments.iter().filter(|a| a.control_name().is_some());
        let lent = control.clone().map(|argument| match pointee(argument) {
            Some((Pointee::Slice, ty) | (Pointee::One, ty)) => quote!(#private::LentInput<#ty>),
            None => quote!(usize),
        });
        let scalars = control.clone().zip(&types);
        let lent = scalars
            .zip(lent)
            .map(|((argument, ty), lent)| match pointee(argument) {
                Some(_) => lent,
                None => ty.clone(),
            });
        let owned = control
            .zip(&types)
            .map(|(argument, ty)| match pointee(argument) {
                Some((Pointee::Slice, ty)) => quote!(::std::boxed::Box<[#ty]>),
                Some((Pointee::One, ty)) => quote!(#ty),
                None => quote!(#ty),
            });
        let owned: Vec<TokenStream> = owned.collect();
        quote! {
            /// Copies of the control arguments.
            pub struct OwnedControl {
                #(#names: #owned,)*
            }

            /// The control arguments of a plan.
            #[derive(Clone, Copy)]
            pub struct Control<'s> {
                #(#names: #types,)*
                #lifetime: ::core::marker::PhantomData<&'s ()>,
            }

            /// The control arguments while they are lent to all processors.
            #[derive(Clone, Copy)]
            pub struct LentControl {
                #(#names: #lent,)*
            }
        }
    }

    /// Prints the implementation of the runtime's `Grains`.
    fn grains(&self, private: &TokenStream, levels: &[Level<'_>]) -> TokenStream {
        let (names, lifetime) = (self.control_names(), self.lifetime());
        let control = self.arguments.iter().filter(|a| a.control_name().is_some());
        let lend = control.clone().map(|argument| {
            let name = argument.control_name();
            match pointee(argument) {
                Some((Pointee::Slice, _)) => quote!(#private::LentInput::new(control.#name)),
                Some((Pointee::One, _)) => {
                    quote!(#private::LentInput::new(::core::slice::from_ref(control.#name)))
                }
                None => quote!(control.#name),
            }
        });
        let copy = control.clone().map(|argument| {
            let name = argument.control_name();
            match pointee(argument) {
                Some((Pointee::Slice, _)) => quote!(::std::boxed::Box::from(control.#name)),
                Some((Pointee::One, _)) => quote!(::core::clone::Clone::clone(control.#name)),
                None => quote!(control.#name),
            }
        });
        let borrow_copies = control.clone().map(|argument| {
            let name = argument.control_name();
            match pointee(argument) {
                Some(_) => quote!(&copies.#name),
                None => quote!(copies.#name),
            }
        });
        let borrow = control.map(|argument| {
            let name = argument.control_name();
            match pointee(argument) {
                Some((Pointee::Slice, _)) => quote!(lent.#name.slice(permit)),
                Some((Pointee::One, _)) => quote!(&lent.#name.slice(permit)[0]),
                None => quote!(lent.#name),
            }
        });
        let text = self.identity.text();
        let line = self.kernel.name.span().start().line as u32;
        let identify = self.arguments.iter().filter_map(|a| a.identify(private));
        let arrays = self.lowered.arrays.len();
        let depths = levels.iter().map(|level| level.depth);
        let can_give_up = self.kernel.error.is_some();
        let named = |arrays: Vec<usize>| {
            let named = arrays.into_iter().map(|array| {
                let name = &self.kernel.bindings[self.lowered.arrays[array].id].name;
                let (number, name) = (array as u16, name.to_string());
                quote!((#number, #name))
            });
            quote!(&[#(#named),*])
        };
        let (shared, scratch) = (named(self.shared()), named(self.scratch()));
        let (inputs, values) = (named(self.inputs(false)), named(self.inputs(true)));
        let known = self.known_words(private);
        let printer = |emitted| Printer::new(self, private, emitted);
        let walk = levels.iter().map(|Level { depth, parts, .. }| {
            let parts = Walk(printer(Emitted::Accesses)).parts(parts, &mut Vec::new());
            quote!(#depth => { #parts })
        });
        let arms = |emitted| {
            let mut arms = Vec::new();
            for Level { parts, .. } in levels {
                Arms {
                    printer: printer(emitted),
                    arms: &mut arms,
                }
                .parts(parts, &TokenStream::new(), 0);
            }
            arms
        };
        let (track, compute) = (arms(Emitted::Accesses), arms(Emitted::Assignment));
        let compute = self.with_inputs(private, &compute);
        let tapes = match self.is_loaded() {
            true => self.tapes(private, [arms(Emitted::Recorded), arms(Emitted::Replayed)]),
            false => no_tapes(private),
        };
        let [
            control,
            sink,
            identity,
            space,
            site,
            accesses,
            extents,
            proof,
            view,
        ] = [
            "control", "sink", "identity", "space", "site", "accesses", "extents", "proof", "view",
        ]
        .map(hygienic);
        let unpack = quote!(let Control { #(#names,)* .. } = #control;);
        let (words, structure) = (self.words_of_view(), self.proved_structure());
        let (common_types, common) = self.common_words(private);
        quote! {
            #common_types

            impl #private::Grains for Program {
                type Control<'s> = Control<'s>;
                type OwnedControl = OwnedControl;
                type LentControl = LentControl;
                type LentCommon = LentCommon;

                const ARRAYS: usize = #arrays;
                const LEVELS: &'static [usize] = &[#(#depths),*];
                const SHARED: &'static [(u16, &'static str)] = #shared;
                const SCRATCH: &'static [(u16, &'static str)] = #scratch;
                const INPUTS: &'static [(u16, &'static str)] = #inputs;
                const VALUES: &'static [(u16, &'static str)] = #values;
                const CAN_GIVE_UP: bool = #can_give_up;
                const PLACE: (&'static str, u32) = (::core::file!(), #line);
                const TEXT: &'static str = #text;

                #[inline]
                fn feed<S: #private::ControlSink>(#control: Control<'_>, #sink: &mut S) {
                    #unpack
                    self::control(#sink, #(#names),*);
                }

                #[inline]
                fn identify(#control: Control<'_>, #identity: &mut #private::Identity) {
                    #unpack
                    #(#identify)*
                }

                #[inline]
                fn copy_control(control: Control<'_>) -> OwnedControl {
                    OwnedControl { #(#names: #copy,)* }
                }

                #[inline]
                fn borrow_control(copies: &OwnedControl) -> Control<'_> {
                    Control {
                        #(#names: #borrow_copies,)*
                        #lifetime: ::core::marker::PhantomData,
                    }
                }

                #[inline]
                fn lend_control(control: Control<'_>) -> LentControl {
                    LentControl { #(#names: #lend,)* }
                }

                #[inline]
                fn control<'v>(lent: &LentControl, permit: #private::Permit<'v>) -> Control<'v> {
                    Control {
                        #(#names: #borrow,)*
                        #lifetime: ::core::marker::PhantomData,
                    }
                }

                #[inline]
                fn walk(#control: Control<'_>, #space: &mut #private::Space) {
                    #unpack
                    match #space.level() {
                        #(#walk)*
                        _ => {}
                    }
                }

                #[inline]
                fn track(
                    #control: Control<'_>,
                    #site: &#private::Site<'_>,
                    #accesses: &mut #private::Accesses<'_>,
                    #extents: &mut #private::Extents,
                ) {
                    #unpack
                    match #site.number {
                        #(#track)*
                        _ => {}
                    }
                }

                #[inline]
                fn compute(
                    #control: Control<'_>,
                    #site: &#private::Site<'_>,
                    #proof: #private::Proof<'_>,
                    #view: &mut View<'_>,
                ) {
                    #unpack
                    #words
                    #structure
                    #compute
                }

                #common

                #known

                #tapes
            }
        }
    }

    /// Prints the type that has the words which grains have in common while these are lent, and
    /// what the runtime's `Grains` says of them.
    fn common_words(&self, private: &TokenStream) -> (TokenStream, TokenStream) {
        let common = self.common();
        let name = |&array: &usize| &self.kernel.bindings[self.lowered.arrays[array].id].unique;
        let names: Vec<&Ident> = common.iter().map(name).collect();
        let types = common.iter().map(|&array| self.element(array, 1));
        let numbers = common.iter().map(|&array| array as u16);
        let types = quote! {
            /// The words that grains have in common beside the arguments, while they are lent.
            #[derive(Clone, Copy)]
            pub struct LentCommon {
                #(#names: #private::Lent<#types>,)*
            }
        };
        let [memory, lent, view, permit] = ["memory", "lent", "view", "permit"].map(hygienic);
        let functions = quote! {
            const COMMON: &'static [u16] = &[#(#numbers),*];

            #[inline]
            fn lend_common(#memory: &mut Memory) -> LentCommon {
                LentCommon {
                    #(#names: #private::Lent::new(&mut #memory.#names[..]),)*
                }
            }

            #[inline]
            fn use_common<'v>(
                #lent: &LentCommon,
                #permit: #private::Permit<'v>,
                #view: &mut View<'v>,
            ) {
                #(#view.#names = #lent.#names.words(#permit);)*
            }
        };
        (types, functions)
    }

    /// Prints the arrays of a view as values, arguments as proved ones.
    pub(super) fn words_of_view(&self) -> TokenStream {
        let [proof, view] = ["proof", "view"].map(hygienic);
        let words = self.lowered.arrays.iter().enumerate();
        let words = words.filter_map(|(number, array)| {
            let name = &self.kernel.bindings[array.id].unique;
            match array.role {
                Role::Input => Some(quote!(let #name = #proof.input(#view.#name);)),
                Role::InOut => Some(quote!(let mut #name = #proof.words(&mut #view.#name);)),
                Role::Local => {
                    let common = common_name(name);
                    let is_common = self.common().contains(&number);
                    is_common.then(|| quote!(let mut #common = #view.#name.reborrow();))
                }
            }
        });
        quote!(#(#words)*)
    }

    /// Prints structure as proved arrays.
    pub(super) fn proved_structure(&self) -> TokenStream {
        let (proof, names) = (hygienic("proof"), self.structure().map(|(_, name, _)| name));
        quote!(#(let #names = #proof.input(#names);)*)
    }

    /// Returns the slices of structure: which they are, their names and their elements.
    pub(super) fn structure(&self) -> impl Iterator<Item = (Id, &Ident, &Type)> {
        self.arguments.iter().filter_map(|argument| {
            let (Pointee::Slice, element) = pointee(argument)? else {
                return None;
            };
            let parameters = self.kernel.parameters.iter();
            let is_its = |id: &Id| self.kernel.bindings[*id].unique == argument.name;
            let id = parameters.map(|parameter| parameter.id).find(is_its)?;
            Some((id, &argument.name, element))
        })
    }

    /// Prints the choice of an arm in a closure that takes what is only read.
    ///
    /// Arguments of a function that are shared slices alias nothing that is written (no other name
    /// leads to their words). Compilers know that, and keep these words in registers meanwhile.
    fn with_inputs(&self, private: &TokenStream, arms: &[TokenStream]) -> TokenStream {
        let structure = self.structure();
        let structure = structure.map(|(_, name, element)| (name, quote!(#element)));
        let arrays = self.lowered.arrays.iter().enumerate();
        let inputs = arrays.filter(|(_, array)| array.role == Role::Input);
        let inputs = inputs.map(|(number, array)| {
            let element = self.element(number, 1);
            (&self.kernel.bindings[array.id].unique, quote!(#element))
        });
        let (names, elements): (Vec<_>, Vec<_>) = structure.chain(inputs).unzip();
        let [run, site] = ["run", "site"].map(hygienic);
        quote! {
            let mut #run = |#(#names: #private::ProvedInput<'_, #elements>),*| match #site.number {
                #(#arms)*
                _ => {}
            };
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
        let levels = self.grains.iter().flatten();
        levels.flat_map(|level| &level.common).copied().collect()
    }

    /// Prints the function that tells how many words an array has, where control or its type tells
    /// that.
    fn known_words(&self, private: &TokenStream) -> TokenStream {
        let printer = Printer::new(self, private, Emitted::Assignment);
        let [control, array] = ["control", "array"].map(hygienic);
        let arms = self
            .lowered
            .arrays
            .iter()
            .zip(0_u16..)
            .map(|(lowered, number)| {
                let dimensions = self.kernel.bindings[lowered.id].dimensions.len();
                let lengths = (0..dimensions).map(|depth| printer.length(lowered.id, depth, true));
                quote!(#number => #private::words_of([#(#lengths),*]),)
            });
        let names = self.control_names();
        quote! {
            #[inline]
            fn known_words(#control: Control<'_>, #array: u16) -> ::core::option::Option<usize> {
                let Control { #(#names,)* .. } = #control;
                match #array {
                    #(#arms)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    }

    /// Returns the arrays that are tracked: those that are shared, scratch, and those that are only
    /// read.
    pub(super) fn tracked(&self) -> Vec<usize> {
        let inputs = [false, true].map(|values| self.inputs(values)).concat();
        [self.shared(), self.scratch(), inputs].concat()
    }

    /// Returns the arrays that are only read, but for `#[values]`, or these.
    fn inputs(&self, values: bool) -> Vec<usize> {
        let arrays = self.lowered.arrays.iter().enumerate();
        let arrays = arrays.filter(|(_, array)| {
            array.role == Role::Input && self.kernel.bindings[array.id].values == values
        });
        arrays.map(|(number, _)| number).collect()
    }

    /// Returns the arrays in which each grain keeps values of its own.
    pub(super) fn scratch(&self) -> Vec<usize> {
        self.written(true)
    }

    fn written(&self, is_scratch: bool) -> Vec<usize> {
        let arrays = self.lowered.arrays.iter().enumerate();
        let arrays = arrays.filter(|(_, array)| {
            array.role == Role::InOut && self.kernel.bindings[array.id].scratch == is_scratch
        });
        arrays.map(|(number, _)| number).collect()
    }
}

/// Prints the implementation of the runtime's `Grains` of a kernel that has no tapes.
fn no_tapes(private: &TokenStream) -> TokenStream {
    quote! {
        type Values<'a> = ();
        type Tape = #private::NoTape;
        type Reader<'t> = ();

        fn no_values<'a>() -> Self::Values<'a> {}

        fn reader<'t>(_: &'t #private::NoTape, _: &#private::NoTape) -> Self::Reader<'t> {}
    }
}

/// Pointee of a control parameter that is a reference.
enum Pointee {
    Slice,
    One,
}

fn pointee(argument: &Argument) -> Option<(Pointee, &Type)> {
    match (&argument.kind, &argument.ty) {
        (Kind::Structure { .. }, Type::Reference(reference)) => Some(match &*reference.elem {
            Type::Slice(slice) => (Pointee::Slice, &*slice.elem),
            one => (Pointee::One, one),
        }),
        _ => None,
    }
}

impl Printer<'_> {
    /// Prints a task as the assignment that it is.
    pub(super) fn assignment(&self, task: &Task) -> TokenStream {
        let statement = &self.expansion.lowered.statements[task.statement];
        let mut print = |index: &Expr| self.in_place(index);
        let operands = statement.operands.iter().zip(&task.operands);
        let operands: Vec<TokenStream> = operands
            .map(|(&array, at)| self.word(array, at, &mut print))
            .collect();
        self.computed(task, &operands, &mut print)
    }

    /// Prints a task with its operands.
    pub(super) fn computed(
        &self,
        task: &Task,
        operands: &[TokenStream],
        print: &mut dyn FnMut(&Expr) -> Expr,
    ) -> TokenStream {
        let statement = &self.expansion.lowered.statements[task.statement];
        let number = Ident::new(&format!("s{}", task.statement), Span::call_site());
        let control = task.control.iter().map(|(value, ty)| {
            let (value, typed) = (self.tested(value, print(value)), hygienic("value"));
            quote!({ let #typed: #ty = #value; #typed })
        });
        let control: Vec<TokenStream> = control.collect();
        let (mut operands, mut before) = (operands.to_vec(), TokenStream::new());
        if statement.target.is_some() && statement.target == statement.operands.first().copied() {
            // A word that is updated is read last, as in the function. Before its check, which may
            // panic, compilers move loads that are the same in all iterations out of the loop.
            for (number, operand) in operands.iter_mut().enumerate().skip(1) {
                let name = hygienic(&format!("operand{number}"));
                before.extend(quote!(let #name = #operand;));
                *operand = quote!(#name);
            }
        }
        let mut value = quote!(statements::#number(#(#operands,)* #(#control),*));
        if !before.is_empty() {
            value = quote!({ #before #value });
        }
        let Some(target) = statement.target else {
            let (private, error) = (self.private, hygienic("error"));
            return quote! {
                if let ::core::result::Result::Err(#error) = #value {
                    #private::give_up(#error);
                }
            };
        };
        let target = self.word(target, &task.at, print);
        quote!(#target = #value;)
    }

    /// Prints a word of an array: of the [view](Expansion::words_of_view), or of the grain itself.
    pub(super) fn word(
        &self,
        array: usize,
        at: &[Expr],
        print: &mut dyn FnMut(&Expr) -> Expr,
    ) -> TokenStream {
        if let Some(word) = self.in_register(array, at, print) {
            return word;
        }
        let lowered = &self.expansion.lowered.arrays[array];
        let binding = &self.expansion.kernel.bindings[lowered.id];
        let name = &binding.unique;
        let is_common = self.common.contains(&array);
        if lowered.role == Role::Local && !is_common {
            // Places in a grain's own arrays are not tracked.
            let mut tested = |index: &Expr| self.tested(index, print(index));
            let flat = self.flat(lowered.id, 0, at, &mut tested);
            return match &binding.dimensions[..] {
                [] => quote!(#name),
                _ => quote!(#name[#flat]),
            };
        }
        let name = match is_common {
            true => common_name(name),
            false => name.clone(),
        };
        // A block has all words behind an index of a slice: lengths of arrays are known.
        let is_slice = matches!(binding.dimensions.first(), Some(Dimension::Slice));
        let (outer, inner) = at.split_at(usize::from(is_slice));
        let block = self.flat(lowered.id, 0, outer, print);
        if inner.is_empty() {
            return quote!(#name[#block]);
        }
        let place = self.flat(lowered.id, outer.len(), inner, print);
        let lengths = (outer.len()..at.len()).map(|depth| self.length(lowered.id, depth, false));
        let (private, words) = (self.private, quote!({ 1 #(* (#lengths))* }));
        let inside = quote!(#private::Inside::<#words>(#block, #place));
        match lowered.role {
            Role::Input => quote!(*#name.inside(#inside)),
            _ => quote!(#name[#inside]),
        }
    }

    /// Prints control whose value tracking does not evaluate: what it reads of structure is tested.
    fn tested(&self, control: &Expr, printed: Expr) -> Expr {
        if self.emitted != Emitted::Assignment {
            return printed;
        }
        let bindings = &self.expansion.kernel.bindings;
        let reads = |slice: Id| {
            places::any(
                control,
                bindings,
                &mut |place| matches!(place, Place::Element(id, _) | Place::Whole(id) if *id == slice),
            )
        };
        let slices = self.expansion.structure();
        let names: Vec<_> = slices
            .filter(|&(id, ..)| reads(id))
            .map(|(_, name, _)| name)
            .collect();
        match names.is_empty() {
            true => printed,
            false => syn::parse_quote!({ #(let #names = #names.tested();)* #printed }),
        }
    }

    /// Prints the flat index of a word, by its indices from a dimension on; zero without any.
    pub(super) fn flat(
        &self,
        id: Id,
        dimension: usize,
        at: &[Expr],
        print: &mut dyn FnMut(&Expr) -> Expr,
    ) -> TokenStream {
        let mut indices = at.iter().map(print);
        let Some(first) = indices.next() else {
            return quote!(0usize);
        };
        let inner = (dimension + 1..).zip(indices);
        inner.fold(quote!(#first), |before, (depth, index)| {
            let length = self.length(id, depth, false);
            quote!((#before) * (#length) + (#index))
        })
    }
}
