//! The crate side of a kernel that is planned at run time: its control grain by grain, and the interface.
//!
//! Three functions say what the grains are. `walk` runs the control around grains once and names them all. `track` tells what some grains
//! read and write, `compute` runs them; both evaluate only what grains need, in any order. A grain is named by the number of its loop, the
//! values of the loops that are entered around it, and its own.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Type};

use super::Expansion;
use super::arguments::{Argument, Kind};
use super::trace::{Form, Printer};
use crate::grains::{Grains, GrainsOf, Part};
use crate::kernel::Id;
use crate::lower::{Node, Role, Task};
use crate::places;
use crate::types::primitive;

pub(super) fn hygienic(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

impl Expansion<'_> {
    /// Prints what a planned kernel has in its module.
    pub(super) fn planned(&self) -> Option<TokenStream> {
        let parts = self.grains.as_ref()?;
        let facade = &self.context.facade;
        let private = quote!(#facade::__private::planned);
        let control = self.control_of_plans(&private);
        let tape = self.tape(&private);
        let grains = self.grains(&private, parts);
        let interface = self.planner(&private);
        let loaded = self.loaded(&private);
        Some(quote! {
            use #private::needs_the_feature_plan_of_superstep as _;
            #control
            #tape
            #grains
            #interface
            #loaded
        })
    }

    /// Prints the control arguments as plans hold and lend them.
    fn control_of_plans(&self, private: &TokenStream) -> TokenStream {
        let names = self.control_names();
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
        quote! {
            /// The control arguments of a plan.
            #[derive(Clone, Copy)]
            pub struct Control<'s> {
                #(#names: #types,)*
                lifetime: ::core::marker::PhantomData<&'s ()>,
            }

            /// The control arguments while they are lent to all processors.
            #[derive(Clone, Copy)]
            pub struct LentControl {
                #(#names: #lent,)*
            }
        }
    }

    /// Prints the implementation of the runtime's `Grains`.
    fn grains(&self, private: &TokenStream, parts: &[Part<'_>]) -> TokenStream {
        let names = self.control_names();
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
        let borrow = control.map(|argument| {
            let name = argument.control_name();
            match pointee(argument) {
                Some((Pointee::Slice, _)) => quote!(lent.#name.slice(permit)),
                Some((Pointee::One, _)) => quote!(&lent.#name.slice(permit)[0]),
                None => quote!(lent.#name),
            }
        });
        let text = self.identity.text();
        let identify = self.arguments.iter().filter_map(|a| a.identify(private));
        let arrays = self.lowered.arrays.len();
        let can_give_up = self.kernel.error.is_some();
        let shared = self.shared().into_iter().map(|array| array as u16);
        let printer = |form| Printer {
            expansion: self,
            private,
            form,
        };
        let walk = Walk(printer(Form::Accesses)).parts(parts, &mut Vec::new());
        let arms = |form| {
            let mut arms = Vec::new();
            Arms {
                printer: printer(form),
                arms: &mut arms,
            }
            .parts(parts, &TokenStream::new(), 0);
            arms
        };
        let (track, compute) = (arms(Form::Accesses), arms(Form::Assignment));
        let tapes = self.tapes(private, [arms(Form::Recorded), arms(Form::Replayed)]);
        let [control, identity, space, site, accesses, view] =
            ["control", "identity", "space", "site", "accesses", "view"].map(hygienic);
        let unpack = quote!(let Control { #(#names,)* .. } = #control;);
        quote! {
            impl #private::Grains for Program {
                type Control<'s> = Control<'s>;
                type LentControl = LentControl;

                const ARRAYS: usize = #arrays;
                const SHARED: &'static [u16] = &[#(#shared),*];
                const CAN_GIVE_UP: bool = #can_give_up;
                const TEXT: &'static str = #text;

                fn identify(#control: Control<'_>, #identity: &mut #private::Identity) {
                    #unpack
                    #(#identify)*
                }

                fn lend_control(control: Control<'_>) -> LentControl {
                    LentControl { #(#names: #lend,)* }
                }

                fn control<'v>(lent: &LentControl, permit: #private::Permit<'v>) -> Control<'v> {
                    Control {
                        #(#names: #borrow,)*
                        lifetime: ::core::marker::PhantomData,
                    }
                }

                fn walk(#control: Control<'_>, #space: &mut #private::Space) {
                    #unpack
                    #walk
                }

                fn track(
                    #control: Control<'_>,
                    #site: &#private::Site<'_>,
                    #accesses: &mut impl #private::Accesses,
                ) {
                    #unpack
                    match #site.number {
                        #(#track)*
                        _ => {}
                    }
                }

                fn compute(
                    #control: Control<'_>,
                    #site: &#private::Site<'_>,
                    #view: &mut View<'_>,
                ) {
                    #unpack
                    match #site.number {
                        #(#compute)*
                        _ => {}
                    }
                }

                #tapes
            }
        }
    }

    /// Prints `plan`, and the types `Planner` and `Planned`.
    fn planner(&self, private: &TokenStream) -> TokenStream {
        let name = &self.kernel.name;
        let names = self.control_names();
        let (borrow, lifetime) = self.plan_lifetimes();
        let borrowed = self.borrowed_control_parameters(&borrow);
        let data = self.parameters(Argument::is_data);
        let arguments = self.arguments_of_call();
        let (result, verdict) = (self.result_of_run(private), self.verdict());
        let finish = self.finish_run(private, &TokenStream::new());
        let lengths = self.arguments.iter().filter_map(|argument| {
            let name = &argument.name;
            let length = argument.length()?;
            Some(quote!(#name.len() == #length))
        });
        let plan = format!(
            "Plans [`{name}`](fn@super::{name}) for these control arguments while the program runs. The plan borrows the `#[structure]` arguments."
        );
        quote_spanned! {Span::mixed_site()=>
            #[doc = #plan]
            pub fn plan #borrow(#(#borrowed),*) -> Planner<#lifetime> {
                #(#private::is_control(&#names);)*
                Planner {
                    control: Control {
                        #(#names,)*
                        lifetime: ::core::marker::PhantomData,
                    },
                    settings: #private::Settings::default(),
                }
            }

            /// Choices of a plan to be.
            #[derive(Clone, Copy)]
            #[must_use = "`build` it"]
            pub struct Planner<'s> {
                control: Control<'s>,
                settings: #private::Settings,
            }

            impl<'s> Planner<'s> {
                /// Sets the number of processors; without it there is one for each core.
                pub fn processors(self, processors: usize) -> Self {
                    Self {
                        settings: self.settings.processors(processors),
                        ..self
                    }
                }

                /// Sets the number of processors, on which runs insist: they never run the original function because that is faster. To measure, and to test.
                pub fn exactly(self, processors: usize) -> Self {
                    Self {
                        settings: self.settings.exactly(processors),
                        ..self
                    }
                }

                /// Sets how processors wait.
                pub fn wait(self, wait: #private::Wait) -> Self {
                    Self {
                        settings: self.settings.wait(wait),
                        ..self
                    }
                }

                /// Sets what words and waits are taken to cost.
                pub fn costs(self, costs: #private::Costs) -> Self {
                    Self {
                        settings: self.settings.costs(costs),
                        ..self
                    }
                }

                /// Sets which schedule is made; without it the one that is predicted to be fastest.
                pub fn schedule(self, schedule: #private::Schedule) -> Self {
                    Self {
                        settings: self.settings.schedule(schedule),
                        ..self
                    }
                }

                /// Tracks what each grain reads and writes, schedules the grains, and proves the schedule.
                ///
                /// # Errors
                /// If the control arguments lead out of an array or a range, or there are no processors.
                pub fn build(self) -> ::core::result::Result<Planned<'s>, #private::PlanningError> {
                    ::core::result::Result::Ok(Planned {
                        control: self.control,
                        plan: #private::Planned::new(self.control, self.settings)?,
                    })
                }

                /// Reads a plan that [`save`](Planned::save) has written for the same control arguments, and proves it.
                ///
                /// It has the number of processors for which it was built.
                ///
                /// # Errors
                /// If the file can't be read, is damaged, or has a plan of another kernel, for other control arguments or for
                /// another number of processors than was set.
                pub fn open(
                    self,
                    path: impl ::core::convert::AsRef<::std::path::Path>,
                ) -> ::core::result::Result<Planned<'s>, #private::FileError> {
                    ::core::result::Result::Ok(Planned {
                        control: self.control,
                        plan: #private::Planned::open(self.control, self.settings, path.as_ref())?,
                    })
                }
            }

            /// A plan that is proved. Runs allocate nothing; several can run at once.
            pub struct Planned<'s> {
                control: Control<'s>,
                plan: #private::Planned<Program>,
            }

            impl Planned<'_> {
                /// Runs the plan, or the original function where that is measured to be faster; that, too, if an argument is shorter than the plan needs.
                ///
                #verdict
                /// # Errors
                /// If a grain panics.
                pub fn run(&self, #(#data),*) -> #result {
                    let Control { #(#names,)* .. } = self.control;
                    let is_fitting = true #(&& #lengths)*;
                    let outcome = self.plan.run(self.control, is_fitting, #arguments);
                    #finish
                }

                /// Writes the plan to a file, which is replaced as a whole: `open` of a planner reads it.
                ///
                /// # Errors
                /// If the file can't be written.
                pub fn save(
                    &self,
                    path: impl ::core::convert::AsRef<::std::path::Path>,
                ) -> ::core::result::Result<(), #private::FileError> {
                    self.plan.save(self.control, path.as_ref())
                }

                /// Tells what was planned, and why.
                pub fn report(&self) -> &#private::PlanReport {
                    self.plan.report()
                }
            }

            impl ::core::fmt::Debug for Planned<'_> {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::fmt::Debug::fmt(&self.plan, f)
                }
            }
        }
    }

    /// Prints the type that runs of a plan return: in it the kernel's own result, where it has one.
    pub(super) fn result_of_run(&self, private: &TokenStream) -> TokenStream {
        let own = match &self.kernel.error {
            None => quote!(()),
            Some(_) => {
                let error = self.error(1);
                quote!(::core::result::Result<(), #error>)
            }
        };
        quote!(::core::result::Result<#own, #private::RunError>)
    }

    /// Describes the kernel's own result in that of a run.
    pub(super) fn verdict(&self) -> Option<TokenStream> {
        let verdict = quote! {
            /// The inner result is the function's: the error of the guard by which the sequential run gives up. The
            /// contents of `&mut` arguments are unspecified then.
            ///
        };
        self.kernel.error.is_some().then_some(verdict)
    }

    /// Prints how a run ends whose `outcome` is known. `before` stands before a call of the original.
    pub(super) fn finish_run(&self, private: &TokenStream, before: &TokenStream) -> TokenStream {
        let original = self.original();
        if self.kernel.error.is_none() {
            return quote_spanned! {Span::mixed_site()=>
                match outcome? {
                    #private::Outcome::Original(_, turn) => {
                        #before
                        turn.run(|| #original)
                    }
                    #private::Outcome::Ran => ::core::result::Result::Ok(()),
                }
            };
        }
        quote_spanned! {Span::mixed_site()=>
            match outcome {
                ::core::result::Result::Ok(#private::Outcome::Original(_, turn)) => {
                    #before
                    turn.run_guarded(|| #original)
                }
                ::core::result::Result::Ok(#private::Outcome::Ran) => {
                    ::core::result::Result::Ok(::core::result::Result::Ok(()))
                }
                ::core::result::Result::Err(error) => {
                    #private::given_up(error).map(::core::result::Result::Err)
                }
            }
        }
    }

    /// Returns the arrays that grains may write and others read.
    pub(super) fn shared(&self) -> Vec<usize> {
        let arrays = 0..self.lowered.arrays.len();
        let is_shared = |array: &usize| self.lowered.arrays[*array].role == Role::InOut;
        arrays.filter(is_shared).collect()
    }
}

/// Has names from outside the kernel be numbers, which operators and methods of the user's cannot
/// stand in for.
pub(super) struct Numbers<'p> {
    pub private: &'p TokenStream,
}

impl VisitMut for Numbers<'_> {
    fn visit_expr_mut(&mut self, expression: &mut Expr) {
        if places::name(expression).is_some() {
            return;
        }
        if let Expr::Path(path) = expression {
            let private = self.private;
            *expression = syn::parse_quote!(#private::number(#path));
            return;
        }
        visit_mut::visit_expr_mut(self, expression);
    }

    /// Constants stay constant.
    fn visit_expr_repeat_mut(&mut self, repeat: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut repeat.expr);
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
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

/// Prints the control around grains.
struct Walk<'e>(Printer<'e>);

impl Walk<'_> {
    fn parts(&self, parts: &[Part<'_>], outer: &mut Vec<TokenStream>) -> TokenStream {
        parts.iter().map(|part| self.part(part, outer)).collect()
    }

    fn part(&self, part: &Part<'_>, outer: &mut Vec<TokenStream>) -> TokenStream {
        let (space, value) = (hygienic("space"), hygienic("value"));
        match part {
            Part::Let(node) | Part::Check(node) => self.0.nodes(std::slice::from_ref(node), 0),
            Part::Enter {
                label,
                variable,
                range,
                body,
            } => {
                let range = self.0.expression(range);
                let name = variable.map(|id| self.name(id));
                let shown = name.clone().unwrap_or_else(|| quote!(_));
                outer.extend(name.as_ref().map(|name| quote!(#name as i64)));
                let body = self.parts(body, outer);
                outer.truncate(outer.len() - usize::from(name.is_some()));
                quote!(#label for #shown in #range { #body })
            }
            Part::Grains(Grains { number, of, .. }) => {
                let enter = quote!(#space.enter(#number, &[#(#outer),*]););
                match of {
                    GrainsOf::Statements(_) => quote!(#enter #space.grain(0);),
                    GrainsOf::Loop { range, .. } => {
                        let range = self.0.expression(range);
                        quote! {
                            #enter
                            for #value in #range {
                                #space.grain(#value as i64);
                            }
                        }
                    }
                }
            }
        }
    }

    fn name(&self, id: Id) -> TokenStream {
        self.0.expansion.kernel.bindings[id]
            .unique
            .to_token_stream()
    }
}

/// Prints an arm for the grains of each loop.
struct Arms<'e, 'a> {
    printer: Printer<'e>,
    arms: &'a mut Vec<TokenStream>,
}

impl Arms<'_, '_> {
    /// `before`: control that holds there. `depth`: loops around with a variable.
    fn parts(&mut self, parts: &[Part<'_>], before: &TokenStream, depth: usize) {
        let private = self.printer.private;
        let site = hygienic("site");
        let mut before = before.clone();
        for part in parts {
            match part {
                Part::Check(_) => {}
                Part::Let(node) => {
                    before.extend(self.before(node));
                }
                Part::Enter {
                    variable,
                    range,
                    body,
                    ..
                } => {
                    let mut inside = before.clone();
                    if let Some(id) = variable {
                        let name = &self.printer.expansion.kernel.bindings[*id].unique;
                        let range = self.printer.in_place(range);
                        inside.extend(
                            quote!(let #name = #private::item(|| #range, #site.outer[#depth]);),
                        );
                    }
                    self.parts(body, &inside, depth + usize::from(variable.is_some()));
                }
                Part::Grains(grains) => {
                    let number = grains.number;
                    let grains = self.grains(grains);
                    self.arms.push(quote!(#number => { #before #grains }));
                }
            }
        }
    }

    /// Prints control that holds for the grains behind it. It is evaluated once for some grains, so
    /// many or so many of them, and stands on no tape.
    fn before(&self, node: &Node) -> TokenStream {
        let form = match self.printer.form {
            Form::Recorded | Form::Replayed => Form::Assignment,
            form => form,
        };
        let printer = Printer {
            form,
            ..self.printer
        };
        printer.nodes(std::slice::from_ref(node), 0)
    }

    fn grains(&self, grains: &Grains<'_>) -> TokenStream {
        let private = self.printer.private;
        let (site, accesses) = (hygienic("site"), hygienic("accesses"));
        let begin = (self.printer.form == Form::Accesses).then(|| quote!(#accesses.begin();));
        let (arrays, scalars) = self.locals(grains);
        match &grains.of {
            GrainsOf::Statements(nodes) => {
                let nodes = nodes
                    .iter()
                    .map(|node| self.printer.nodes(std::slice::from_ref(node), 0));
                quote!(#begin #(#nodes)*)
            }
            GrainsOf::Loop {
                label,
                variable,
                range,
                body,
            } => {
                let bindings = &self.printer.expansion.kernel.bindings;
                let name = variable.map(|id| bindings[id].unique.to_token_stream());
                let name = name.unwrap_or_else(|| quote!(_));
                let range = self.printer.in_place(range);
                let body = self.printer.nodes(body, 0);
                quote! {
                    #(#arrays)*
                    #label for #name in #private::items(|| #range, #site.values()) {
                        #begin
                        #(#scalars)*
                        #body
                    }
                }
            }
        }
    }

    /// Declares the data that each grain has for itself: arrays, which all grains of a call use in turn, and scalars.
    fn locals(&self, grains: &Grains<'_>) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let (mut arrays, mut scalars) = (Vec::new(), Vec::new());
        if !self.printer.form.computes() {
            return (arrays, scalars);
        }
        let expansion = self.printer.expansion;
        for &array in &grains.locals {
            let id = expansion.lowered.arrays[array].id;
            let name = &expansion.kernel.bindings[id].unique;
            let ty = expansion.element(array, 1);
            let dimensions = &expansion.kernel.bindings[id].dimensions;
            if dimensions.is_empty() {
                scalars.push(quote!(let mut #name: #ty;));
                continue;
            }
            let lengths = (0..dimensions.len()).map(|depth| self.printer.length(id, depth, false));
            let length = quote!(1 #(* (#lengths))*);
            let value = match primitive(&ty).as_deref() {
                Some("bool") => quote!(false),
                Some("char") => quote!('\0'),
                Some(_) => quote!(0 as #ty),
                None => quote!(<#ty as ::core::default::Default>::default()),
            };
            arrays.push(quote!(let mut #name: [#ty; #length] = [#value; #length];));
        }
        (arrays, scalars)
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
            let value = print(value);
            let typed = hygienic("value");
            quote!({ let #typed: #ty = #value; #typed })
        });
        let control: Vec<TokenStream> = control.collect();
        let value = quote!(statements::#number(#(#operands,)* #(#control),*));
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

    /// Prints a word of an array: of the view, or of the grain itself.
    pub(super) fn word(
        &self,
        array: usize,
        at: &[Expr],
        print: &mut dyn FnMut(&Expr) -> Expr,
    ) -> TokenStream {
        let id = self.expansion.lowered.arrays[array].id;
        let binding = &self.expansion.kernel.bindings[id];
        let name = &binding.unique;
        let view = hygienic("view");
        let place = match self.expansion.lowered.arrays[array].role {
            Role::Local if binding.dimensions.is_empty() => return quote!(#name),
            Role::Local => quote!(#name),
            Role::Input | Role::InOut => quote!(#view.#name),
        };
        let flat = self.flat(id, at, print);
        quote!(#place[#flat])
    }

    /// Prints the flat index of a word.
    pub(super) fn flat(
        &self,
        id: Id,
        at: &[Expr],
        print: &mut dyn FnMut(&Expr) -> Expr,
    ) -> TokenStream {
        let mut indices = at.iter().map(print);
        let Some(first) = indices.next() else {
            return quote!(0usize);
        };
        let inner = indices.enumerate();
        inner.fold(quote!(#first), |before, (depth, index)| {
            let length = self.length(id, depth + 1, false);
            quote!((#before) * (#length) + (#index))
        })
    }
}
